//! Compares random affine maps and sets, built with the arena and printed, with mlir-opt 22's
//! output for the same text.
//!
//! `RMLIR_AFFINE_SEEDS` is the number of files of expressions to try (5 by default);
//! `RMLIR_AFFINE_FIRST_SEED` is the seed of the first one (1 by default). Each file holds 2,500
//! attributes, each with two expressions.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "test code"
)]

use rmlir_ir::affine::{AffineArena, AffineExpr, AffineMap, IntegerSet};
use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};

const TOOL: &str = "mlir-opt-22";
const PER_FILE: usize = 2500;
const NUM_DIMS: u32 = 3;
const NUM_SYMBOLS: u32 = 2;

/// SplitMix64: the same expressions on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let index = usize::try_from(self.below(choices.len() as u64)).unwrap();
        choices[index]
    }
}

/// Returns a constant as an operand; mostly small ones, because some rules need equal constants.
fn constant(random: &mut Random) -> String {
    match random.below(40) {
        0 => "0".into(),
        1..=3 => "1".into(),
        4 | 5 => "-1".into(),
        6..=24 => random.one_of(&["2", "3", "4", "6", "8", "12", "16"]).into(),
        25..=30 => format!("-{}", random.below(9)),
        31..=34 => random.below(1000).to_string(),
        35 => random
            .one_of(&["9223372036854775807", "-9223372036854775807"])
            .into(),
        36 if random.below(4) == 0 => "(-9223372036854775807 - 1)".into(),
        36 | 37 => {
            let power = 1_u64 << (30 + random.below(33));
            let near = power - 1 + random.below(3);
            format!("{}{near}", random.one_of(&["", "-"]))
        }
        _ => format!("{}", random.next() >> 1),
    }
}

/// Returns the right operand of a division; mostly a positive constant.
fn divisor(random: &mut Random, depth: u32) -> String {
    match random.below(12) {
        0 => operand(random, depth, true),
        1 => random.one_of(&["s0", "s1"]).into(),
        2 | 3 => constant(random),
        _ => random
            .one_of(&["1", "2", "3", "4", "4", "6", "8", "12"])
            .into(),
    }
}

/// Returns an expression that is valid on either side of any operator.
fn operand(random: &mut Random, depth: u32, symbolic: bool) -> String {
    let text = expression(random, depth, symbolic);
    if text.contains(' ') && !text.starts_with("-(") && random.below(12) > 0 {
        format!("({text})")
    } else if text.contains(' ') {
        // Unary minus binds tightest, so this is one operand too.
        format!("-({text})")
    } else {
        text
    }
}

/// Returns an expression of operators nested up to `depth` or slightly deeper; only of symbols and
/// constants if `symbolic`.
fn expression(random: &mut Random, depth: u32, symbolic: bool) -> String {
    if depth == 0 || random.below(12) == 0 {
        return match random.below(8) {
            0 | 1 => constant(random),
            2 | 3 => random.one_of(&["s0", "s1"]).into(),
            _ if symbolic => random.one_of(&["s0", "s1"]).into(),
            _ => random.one_of(&["d0", "d0", "d1", "d2"]).into(),
        };
    }
    let d = depth - 1;
    match random.below(22) {
        0..=3 => {
            let (l, r) = (
                expression(random, d, symbolic),
                operand(random, d, symbolic),
            );
            format!("{l} + {r}")
        }
        4 | 5 => {
            let (l, r) = (
                expression(random, d, symbolic),
                operand(random, d, symbolic),
            );
            format!("{l} - {r}")
        }
        6 => {
            // Without parentheses, to test the parser's precedence and associativity.
            let (a, b) = (
                expression(random, d, symbolic),
                operand(random, d, symbolic),
            );
            let (c, e) = (constant(random), divisor(random, d));
            let (low, div) = (
                random.one_of(&["+", "-"]),
                random.one_of(&["floordiv", "mod"]),
            );
            format!("{a} {low} {b} * {c} {div} {e} - {b}")
        }
        7..=9 => format!("{} * {}", operand(random, d, symbolic), constant(random)),
        10 => format!("{} * {}", constant(random), operand(random, d, symbolic)),
        11 => {
            let (l, r) = (operand(random, d, symbolic), operand(random, d, true));
            if random.below(2) == 0 {
                format!("{l} * {r}")
            } else {
                format!("{r} * {l}")
            }
        }
        12..=16 => {
            let l = operand(random, d, symbolic);
            let op = random.one_of(&["floordiv", "floordiv", "ceildiv", "mod", "mod"]);
            format!("{l} {op} {}", divisor(random, d))
        }
        17 => {
            // `e - (e floordiv q) * q` and similar expressions.
            let e = operand(random, d, symbolic);
            let q = divisor(random, d.min(1));
            let other = if random.below(5) == 0 {
                divisor(random, 0)
            } else {
                q.clone()
            };
            match random.below(6) {
                0 => format!("{e} - {other} * ({e} floordiv {q})"),
                1 => format!("{e} + ({e} floordiv {q}) * (-{other})"),
                2 => format!("-(({e} floordiv {q}) * {other}) + {e}"),
                3 => {
                    let op = random.one_of(&["+ ", "floordiv ", "mod ", "ceildiv "]);
                    format!("{e} + ((({e} floordiv {q}) * {other}) {op}-1)")
                }
                _ => format!("{e} - ({e} floordiv {q}) * {other}"),
            }
        }
        18 | 19 => {
            // Sums whose terms have known divisors, as dividends.
            let terms: Vec<String> = (0..2 + random.below(3))
                .map(|_| {
                    format!(
                        "{} * {}",
                        operand(random, d.min(1), symbolic),
                        constant(random)
                    )
                })
                .collect();
            let op = random.one_of(&["floordiv", "ceildiv", "mod"]);
            format!("({}) {op} {}", terms.join(" + "), constant(random))
        }
        20 => {
            // e * c1 + e * c2.
            let e = operand(random, d, symbolic);
            let (a, b) = (constant(random), constant(random));
            match random.below(3) {
                0 => format!("{e} * {a} + {e} * {b}"),
                1 => format!("{e} + {e} * {b}"),
                _ => format!("{e} * {a} - {e}"),
            }
        }
        _ => format!("-{}", operand(random, d, symbolic)),
    }
}

/// Builds an expression from its text as MLIR's parser does. The texts are generated here and
/// shallow, so recursion and panics are acceptable.
struct Reader<'a> {
    arena: &'a mut AffineArena,
    text: &'a str,
}

impl Reader<'_> {
    fn read(arena: &mut AffineArena, text: &str) -> AffineExpr {
        let mut reader = Reader { arena, text };
        let expr = reader.sum();
        assert_eq!(reader.text.trim(), "", "of {text}");
        expr
    }
    fn skip(&mut self, token: &str) -> bool {
        let text = self.text.trim_start();
        if let Some(rest) = text.strip_prefix(token) {
            self.text = rest;
            return true;
        }
        false
    }
    fn number(&mut self) -> u64 {
        let len = self.text.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.text.split_at(len);
        self.text = rest;
        digits.parse().unwrap()
    }
    fn sum(&mut self) -> AffineExpr {
        let mut l = self.product();
        loop {
            if self.skip("+") {
                let r = self.product();
                l = self.arena.add(l, r).unwrap();
            } else if self.skip("-") {
                let r = self.product();
                l = self.arena.sub(l, r).unwrap();
            } else {
                return l;
            }
        }
    }
    fn product(&mut self) -> AffineExpr {
        let mut l = self.operand();
        loop {
            if self.skip("*") {
                let r = self.operand();
                assert!(self.arena.can_multiply(l, r));
                l = self.arena.mul(l, r).unwrap();
                continue;
            }
            let divide = if self.skip("floordiv") {
                AffineArena::floor_div
            } else if self.skip("ceildiv") {
                AffineArena::ceil_div
            } else if self.skip("mod") {
                AffineArena::modulo
            } else {
                return l;
            };
            let r = self.operand();
            assert!(self.arena.can_divide_by(r));
            l = divide(self.arena, l, r).unwrap();
        }
    }
    fn operand(&mut self) -> AffineExpr {
        if self.skip("(") {
            let expr = self.sum();
            assert!(self.skip(")"));
            expr
        } else if self.skip("-") {
            let expr = self.operand();
            self.arena.neg(expr).unwrap()
        } else if self.skip("d") {
            let position = u32::try_from(self.number()).unwrap();
            self.arena.dim(position).unwrap()
        } else if self.skip("s") {
            let position = u32::try_from(self.number()).unwrap();
            self.arena.symbol(position).unwrap()
        } else {
            self.text = self.text.trim_start();
            let value = i64::try_from(self.number()).unwrap();
            self.arena.constant(value).unwrap()
        }
    }
}

/// A map with two results or, sometimes, a set with two constraints.
struct Case {
    first: String,
    second: String,
    is_set: bool,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let (a, b) = (1 + random.below(4), 1 + random.below(3));
        Self {
            first: expression(random, u32::try_from(a).unwrap(), false),
            second: expression(random, u32::try_from(b).unwrap(), false),
            is_set: random.below(8) == 0,
        }
    }
    fn source(&self) -> String {
        let Self {
            first,
            second,
            is_set,
        } = self;
        if *is_set {
            format!("affine_set<(d0, d1, d2)[s0, s1] : ({first} >= 0, {second} == 0)>")
        } else {
            format!("affine_map<(d0, d1, d2)[s0, s1] -> ({first}, {second})>")
        }
    }
    fn printed(&self, arena: &mut AffineArena) -> String {
        let first = Reader::read(arena, &self.first);
        let second = Reader::read(arena, &self.second);
        let (num_dims, num_symbols) = (NUM_DIMS, NUM_SYMBOLS);
        let mut out = Vec::new();
        let keyword = if self.is_set {
            let constraints = [(first, false), (second, true)].into();
            let set = IntegerSet {
                num_dims,
                num_symbols,
                constraints,
            };
            set.check(arena).unwrap();
            arena.print_set(&set, 1 << 20, &mut out).unwrap();
            "affine_set"
        } else {
            let map = AffineMap {
                num_dims,
                num_symbols,
                results: [first, second].into(),
            };
            map.check(arena).unwrap();
            arena.print_map(&map, 1 << 20, &mut out).unwrap();
            "affine_map"
        };
        format!("{keyword}<{}>", String::from_utf8(out).unwrap())
    }
}

/// Returns the tool's output for each attribute; `None` where it crashes, which it does on
/// dividing the least 64-bit integer by -1. Returns `None` if the tool is not installed.
fn ask(cases: &[Case]) -> Option<Vec<Option<String>>> {
    let mut source = String::new();
    for case in cases {
        source.push_str(&format!("\"t.t\"() {{a = {}}} : () -> ()\n", case.source()));
    }
    let spawned = Command::new(TOOL)
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .args(["--mlir-print-local-scope", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        spawned => spawned.unwrap(),
    };
    // The tool reads everything before it prints, so this cannot block forever; it may crash before
    // it has read everything.
    let _ = child.stdin.take().unwrap().write_all(source.as_bytes());
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        let text = String::from_utf8(output.stdout).unwrap();
        let found: Vec<_> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("\"t.t\"() {a = "))
            .map(|line| Some(line.strip_suffix("} : () -> ()").unwrap().to_owned()))
            .collect();
        assert_eq!(found.len(), cases.len());
        return Some(found);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("error:"), "{stderr}");
    if cases.len() == 1 {
        return Some(vec![None]);
    }
    let (l, r) = cases.split_at(cases.len() / 2);
    let mut found = ask(l)?;
    found.extend(ask(r)?);
    Some(found)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

#[test]
fn prints_what_mlir_opt_prints() {
    if cfg!(debug_assertions) {
        eprintln!(
            "SKIPPED: this comparison runs in release builds: cargo test --release -p rmlir-ir"
        );
        return;
    }
    let first_seed = setting("RMLIR_AFFINE_FIRST_SEED", 1);
    let (mut compared, mut crashed, mut simplified) = (0, 0, 0);
    let mut differences = Vec::new();
    for seed in first_seed..first_seed + setting("RMLIR_AFFINE_SEEDS", 5) {
        let mut random = Random(seed);
        let cases: Vec<Case> = (0..PER_FILE).map(|_| Case::random(&mut random)).collect();
        let Some(answers) = ask(&cases) else {
            eprintln!("SKIPPED: {TOOL} not found");
            return;
        };
        let mut arena = AffineArena::new();
        for (case, theirs) in cases.iter().zip(answers) {
            // rmlir must also survive the inputs on which the tool crashes.
            let ours = case.printed(&mut arena);
            match theirs {
                None => crashed += 1,
                Some(theirs) => {
                    compared += 2;
                    simplified += usize::from(theirs != case.source());
                    if ours != theirs {
                        let source = case.source();
                        differences
                            .push(format!("text   {source}\nours   {ours}\ntheirs {theirs}\n"));
                    }
                }
            }
        }
    }
    eprintln!(
        "{compared} expressions compared ({simplified} attributes of {} not as written), \
         {crashed} attributes crash {TOOL}, {} attributes differ",
        compared / 2,
        differences.len()
    );
    differences.sort_by_key(String::len);
    differences.truncate(10);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
