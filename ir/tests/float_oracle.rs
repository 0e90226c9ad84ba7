//! Compares floats and integer literals with mlir-opt 22.
//!
//! Runs where `mlir-opt-22` is on the PATH, and prints a notice where it is not. The unit tests use
//! known values and do not need it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use rmlir_ir::apint::parse_integer;
use rmlir_ir::float::{FloatKind, canonical_bits, parse_decimal, write_float};

const ORACLE: &str = "mlir-opt-22";

fn have_oracle() -> bool {
    let found = Command::new(ORACLE)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if cfg!(debug_assertions) {
        eprintln!(
            "SKIPPED: this comparison runs in release builds: cargo test --release -p rmlir-ir"
        );
        return false;
    }
    if !found {
        eprintln!("SKIPPED: mlir-opt-22 not found");
    }
    found
}

/// Returns what mlir-opt prints for a module, even if it also reports errors.
fn oracle(name: &str, module: &str, extra: &[&str]) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.mlir"));
    std::fs::write(&path, module).unwrap();
    let output = Command::new(ORACLE)
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .arg("--mlir-print-elementsattrs-with-hex-if-larger=-1")
        .args(extra)
        .arg(&path)
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns what mlir-opt prints for the elements of one `dense` attribute each.
fn dense(name: &str, kind: FloatKind, literals: &[String]) -> Vec<String> {
    let mut printed = Vec::new();
    for batch in literals.chunks(1 << 16) {
        let module = format!(
            "\"x\"() {{a = dense<[{}]> : tensor<{}x{}>}} : () -> ()\n",
            batch.join(", "),
            batch.len(),
            kind.keyword()
        );
        let text = oracle(name, &module, &[]);
        let (_, rest) = text.split_once("dense<[").expect("one dense attribute");
        let (list, _) = rest.split_once("]>").unwrap();
        printed.extend(list.split(", ").map(str::to_owned));
    }
    assert_eq!(printed.len(), literals.len());
    printed
}

fn print(kind: FloatKind, bits: u128) -> String {
    let mut out = Vec::new();
    write_float(kind, bits, &mut out);
    String::from_utf8(out).unwrap()
}

/// Counts and reports differences, so that one run shows them all.
struct Tally {
    what: String,
    compared: u64,
    differing: u64,
}

impl Tally {
    fn new(what: &str, kind: FloatKind) -> Tally {
        Tally {
            what: format!("{what} {}", kind.keyword()),
            compared: 0,
            differing: 0,
        }
    }

    fn compare(&mut self, literal: &str, ours: &str, theirs: &str) {
        self.compared += 1;
        if ours != theirs {
            self.differing += 1;
            if self.differing < 10 {
                eprintln!("{}: {literal}: {ours}, upstream {theirs}", self.what);
            }
        }
    }

    fn finish(self) -> u64 {
        let Tally {
            what,
            compared,
            differing,
        } = self;
        eprintln!("{what}: {compared} compared, {differing} differ");
        differing
    }
}

/// Xorshift: any distribution suffices, as long as it is the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        // The low bits are the weakest.
        (self.next() >> 11) % limit
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

fn random_decimal(kind: FloatKind, random: &mut Random) -> String {
    let sign = if random.below(2) == 0 { "-" } else { "" };
    match random.below(5) {
        // Values of the kind, and midpoints between them.
        0 | 1 if kind.width() <= 64 => {
            let mask = u128::MAX >> (128 - kind.width());
            let bits = random.wide() & mask;
            let value = rmlir_ir::float::to_f64(kind, bits);
            let next = rmlir_ir::float::to_f64(kind, (bits + 1) & mask);
            let middle = value + (next - value) * 0.5;
            let near = match random.below(4) {
                0 => value,
                1 => middle,
                2 => middle.next_up(),
                _ => middle.next_down(),
            };
            if near.is_finite() {
                format!("{near:.1100e}")
            } else {
                "1.0e400".to_owned()
            }
        }
        // Short decimals of ordinary size.
        2 => format!("{sign}{}.{}", random.below(1000), random.below(10_000)),
        // The whole range of a type of this size, and slightly more.
        3 => {
            let exponent = random.below(80) as i64 - 40;
            format!("{sign}{}.{}e{exponent}", random.below(10), random.next())
        }
        _ => {
            let exponent = random.below(700) as i64 - 350;
            format!(
                "{sign}{}.{}E{exponent:+}",
                random.below(10),
                random.below(1000)
            )
        }
    }
}

#[test]
fn bits_as_upstream() {
    if !have_oracle() {
        return;
    }
    let mut differing = 0;
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for kind in FloatKind::ALL {
        let mask = u128::MAX >> (128 - kind.width());
        let mut patterns: Vec<u128> = Vec::new();
        match kind {
            FloatKind::F32 | FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => {
                let wide = kind.width() > 64;
                // Upstream takes milliseconds for most exponents of these.
                for _ in 0..if wide { 2_500 } else { 100_000 } {
                    patterns.push(random.wide() & mask);
                }
                // Through decimals: short ones, and integers.
                for index in 0..60_000 {
                    let text = match index % 4 {
                        0 => format!("{}.{:03}", random.below(1000), random.below(1000)),
                        1 => format!("{}.0", random.below(1 << 40) >> random.below(40)),
                        2 => format!("{}e{}", random.below(1_000_000), index % 76 - 38),
                        _ => format!("0.{}", random.next()),
                    };
                    patterns.push(parse_decimal(kind, text.as_bytes()).unwrap());
                }
                // Few bits set, subnormals, values next to powers of two.
                for _ in 0..if wide { 500 } else { 20_000 } {
                    patterns.push(random.wide() & mask & u128::from(u64::MAX >> random.below(64)));
                    let power = random.wide() & mask & !(u128::MAX >> (128 - kind.width() + 12));
                    patterns.push(power);
                    patterns.push(power.wrapping_add(1));
                    patterns.push(power.wrapping_sub(1) & mask);
                }
                if wide {
                    // Exponents near zero, with all the bits of significand.
                    let stored = kind.width() - 16;
                    for _ in 0..60_000 {
                        let field = u128::from(16383 - 64 + random.below(128)) << stored;
                        let mut bits = field | random.wide() & (u128::MAX >> (128 - stored));
                        if kind == FloatKind::F80 {
                            bits |= 1 << 63;
                        }
                        patterns.push(bits);
                    }
                }
            }
            _ => patterns.extend(0..=mask),
        }
        let literals: Vec<String> = patterns.iter().map(|bits| format!("{bits:#X}")).collect();
        let theirs = dense(&format!("bits-{}", kind.keyword()), kind, &literals);
        let mut tally = Tally::new("bits of", kind);
        for ((literal, &bits), theirs) in literals.iter().zip(&patterns).zip(&theirs) {
            let ours = print(kind, bits);
            tally.compare(literal, &ours, theirs);
        }
        differing += tally.finish();
    }
    assert_eq!(differing, 0);
}

#[test]
fn decimals_as_upstream() {
    if !have_oracle() {
        return;
    }
    let mut differing = 0;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for kind in FloatKind::ALL {
        let mut literals = Vec::new();
        for _ in 0..20_000 {
            literals.push(random_decimal(kind, &mut random));
        }
        let theirs = dense(&format!("decimals-{}", kind.keyword()), kind, &literals);
        let mut tally = Tally::new("decimals to", kind);
        for (literal, theirs) in literals.iter().zip(&theirs) {
            let bits = parse_decimal(kind, literal.as_bytes()).unwrap();
            assert_eq!(bits, canonical_bits(kind, bits));
            tally.compare(literal, &print(kind, bits), theirs);
        }
        differing += tally.finish();
    }
    assert_eq!(differing, 0);
}

// Scalar attributes, except those that the module's documentation lists as not representable by
// bits.
#[test]
fn scalars_as_upstream() {
    if !have_oracle() {
        return;
    }
    let mut differing = 0;
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for kind in FloatKind::ALL {
        let mask = u128::MAX >> (128 - kind.width());
        let mut literals = Vec::new();
        for _ in 0..2_000 {
            let bits = random.wide() & mask;
            literals.push((format!("{bits:#X}"), canonical_bits(kind, bits)));
            let text = random_decimal(kind, &mut random);
            let infinite = text.parse::<f64>().unwrap().is_infinite();
            let only_upstream = match kind {
                FloatKind::F8E8M0FNU => text.starts_with('-'),
                FloatKind::F4E2M1FN | FloatKind::F6E2M3FN | FloatKind::F6E3M2FN => infinite,
                _ => false,
            };
            if !only_upstream {
                let bits = parse_decimal(kind, text.as_bytes()).unwrap();
                literals.push((text, bits));
            }
        }
        let mut module = String::from("\"x\"() {a = [");
        for (index, (literal, _)) in literals.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(module, "{comma}{literal} : {}", kind.keyword()).unwrap();
        }
        module.push_str("]} : () -> ()\n");
        let text = oracle(&format!("scalars-{}", kind.keyword()), &module, &[]);
        let (_, rest) = text.split_once("a = [").expect("one array attribute");
        let (list, _) = rest.split_once(']').unwrap();
        let theirs: Vec<&str> = list.split(", ").collect();
        assert_eq!(theirs.len(), literals.len());
        let mut tally = Tally::new("scalars of", kind);
        for ((literal, bits), theirs) in literals.iter().zip(theirs) {
            let (theirs, _) = theirs.split_once(" : ").unwrap_or((theirs, ""));
            tally.compare(literal, &print(kind, *bits), theirs);
        }
        differing += tally.finish();
    }
    assert_eq!(differing, 0);
}

#[test]
fn integers_as_upstream() {
    if !have_oracle() {
        return;
    }
    let mut random = Random(0xA076_1D64_78BD_642F);
    // The type, its width, and whether it is signed or index.
    let mut types = vec![("index".to_owned(), 64, true)];
    for width in [
        0, 1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000,
    ] {
        types.push((format!("i{width}"), width, false));
        types.push((format!("si{width}"), width, true));
        types.push((format!("ui{width}"), width, false));
    }
    let mut cases = Vec::new();
    for (name, width, signed) in types {
        for index in 0..60 {
            let negative = !name.starts_with("ui") && random.below(2) == 0;
            // Around a power of two near the width, or anything.
            let near = (width + random.below(3) as u32).saturating_sub(1 + random.below(2) as u32);
            let mut words = vec![0_u64; 17];
            if index % 3 == 0 {
                let top = random.below(u64::from(width) + 2) as usize;
                for (at, word) in words.iter_mut().enumerate().take(top / 64 + 1) {
                    *word = random.next();
                    if at == top / 64 {
                        *word &= (1 << (top % 64)) - 1;
                    }
                }
            } else {
                words[near as usize / 64] = 1 << (near % 64);
            }
            let mut value = rmlir_ir::apint::ApInt::from_words(17 * 64, &words);
            if index % 3 == 1 {
                // One less than the power.
                let mut one_less = Vec::new();
                let mut borrow = true;
                for &word in value.words() {
                    one_less.push(word.wrapping_sub(u64::from(borrow)));
                    borrow = borrow && word == 0;
                }
                value = rmlir_ir::apint::ApInt::from_words(17 * 64, &one_less);
            }
            let zeros = "0".repeat(random.below(3) as usize * 9);
            let (radix, prefix, digits) = if random.below(2) == 0 {
                let mut hex = Vec::new();
                value.write_hex(&mut hex);
                let hex = String::from_utf8(hex).unwrap();
                (16, "0x", format!("{zeros}{}", &hex[2..]))
            } else {
                (10, "", format!("{zeros}{}", value.to_decimal_string(false)))
            };
            let minus = if negative { "-" } else { "" };
            let literal = format!("{minus}{prefix}{digits} : {name}");
            let ours = parse_integer(width, signed, negative, digits.as_bytes(), radix);
            let ours = ours.map(|value| match name.as_str() {
                "i1" if value.is_zero() => "false".to_owned(),
                "i1" => "true".to_owned(),
                _ => {
                    let text = value.to_decimal_string(!name.starts_with("ui"));
                    format!("{text} : {name}")
                }
            });
            cases.push((literal, ours));
        }
    }
    let mut module = String::new();
    for (index, (literal, _)) in cases.iter().enumerate() {
        write!(
            module,
            "\"x\"() {{a{index} = {literal}}} : () -> ()\n// -----\n"
        )
        .unwrap();
    }
    let text = oracle("integers", &module, &["--split-input-file"]);
    let mut theirs = vec![None; cases.len()];
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("{a") {
            let (index, rest) = rest.split_once(" = ").unwrap();
            let (value, _) = rest.split_once('}').unwrap();
            theirs[index.parse::<usize>().unwrap()] = Some(value.to_owned());
        }
    }
    let mut differing = 0;
    for ((literal, ours), theirs) in cases.iter().zip(&theirs) {
        if ours != theirs {
            differing += 1;
            eprintln!("{literal}: {ours:?}, upstream {theirs:?}");
        }
    }
    let accepted = theirs.iter().flatten().count();
    eprintln!(
        "integers: {} compared ({accepted} accepted), {differing} differ",
        cases.len()
    );
    assert_eq!(differing, 0);
    assert!(accepted > cases.len() / 4 && accepted < cases.len() * 3 / 4);
}
