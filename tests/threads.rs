//! Tests that several threads yield the same as one: errors of the verifier, modules of native
//! bytecode (including bytes that no writer produces), and texts.
#![allow(clippy::unwrap_used, clippy::panic)]

use rmlir::format::{Source, Threads};
use rmlir::ir::{Context, Module, VerifyError, VerifyOptions, verify};
use rmlir::reader::rmbc::{ReadOptions, read_module};
use rmlir::text::{ParseOptions, PrintOptions, message_to_string, parse_module, print_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::Prng;
use std::fmt::Write;

const FUNCTIONS: usize = 900;

/// Returns functions that call each other, some in nested modules, and other operations.
fn text(change: impl Fn(usize) -> Option<&'static str>) -> String {
    let mut text = String::new();
    for number in 0..FUNCTIONS {
        let callee = (number * 7 + 1) % FUNCTIONS;
        let line = change(number).unwrap_or("%last = arith.addi %r, %c : i32");
        let inner = number % 50 == 49;
        let (open, close) = match inner {
            true => (format!("module @inner{number} {{\n"), "}\n"),
            false => (String::new(), ""),
        };
        // A function in a nested module calls itself.
        let callee = if inner { number } else { callee };
        let callee = match callee % 50 {
            49 if !inner => callee - 1,
            _ => callee,
        };
        write!(
            text,
            r#"{open}func.func private @f{number}(%x: i32) -> i32 attributes {{ number = {number} : i64 }} {{
  %c = arith.constant {number} : i32
  %t = arith.constant true
  %0 = arith.muli %x, %c {{ tag = "{number}" }} : i32
  %r = func.call @f{callee}(%0) : (i32) -> i32
  {line}
  %s = scf.if %t -> (i32) {{
    %y = arith.subi %last, %0 : i32
    scf.yield %y : i32
  }} else {{
    scf.yield %last : i32
  }}
  cf.br ^next(%s : i32)
^next(%z: i32):
  return %z : i32
}}
"#
        )
        .unwrap();
        text.push_str(close);
        writeln!(
            text,
            "\"test.beside\"() {{ at = {number} : i32 }} : () -> ()"
        )
        .unwrap();
    }
    text
}

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn parse(context: &mut Context, text: &str) -> Module {
    match parse_module(context, text.as_bytes(), &ParseOptions::for_file("a.mlir")) {
        Ok(module) => module,
        Err(errors) => panic!("{:?}", errors.first()),
    }
}

fn verified(context: &Context, module: &Module, threads: usize) -> Result<(), Vec<VerifyError>> {
    let mut options = VerifyOptions::default();
    options.threads = Threads::new(threads);
    verify(context, module, module.top(), &options)
}

#[test]
fn a_verified_module_is_verified() {
    let mut context = context();
    let module = parse(&mut context, &text(|_| None));
    for threads in [0, 1, 2, 5] {
        assert_eq!(verified(&context, &module, threads), Ok(()));
    }
}

#[test]
fn errors_are_the_same_in_the_same_order() {
    const UNDEFINED: &str = "%last = func.call @nowhere(%r) : (i32) -> i32";
    const NOT_DOMINATED: &str = "%last = \"arith.addi\"(%later, %c) : (i32, i32) -> i32 \
                                 %later = arith.addi %r, %c : i32";
    const OUTSIDE_SYMBOL: &str = "%last = func.call @f0(%r) : (i32) -> i32";
    const BROKEN: &str = "%last = \"arith.addi\"(%r, %t) : (i32, i1) -> i32";
    const NESTED_TABLE: &str = "%last = arith.addi %r, %c : i32 builtin.module { \
                                func.func private @a() func.func private @b() { func.call @a() : () -> () return } \
                                func.func private @c() { func.call @d() : () -> () return } }";
    type Change = fn(usize) -> Option<&'static str>;
    let cases: [(&str, Change); 6] = [
        ("'nowhere' does not reference a valid function", |n| {
            (n == 812).then_some(UNDEFINED)
        }),
        ("operand #0 does not dominate this use", |n| {
            (n == 300).then_some(NOT_DOMINATED)
        }),
        ("'f0' does not reference a valid function", |n| {
            (n == 549).then_some(OUTSIDE_SYMBOL)
        }),
        // References are checked only if everything else is valid.
        (
            "requires the same type for all operands and results",
            |n| match n {
                3 => Some(UNDEFINED),
                700 => Some(BROKEN),
                701 => Some(NOT_DOMINATED),
                _ => None,
            },
        ),
        ("operand #0 does not dominate this use", |n| {
            (n % 9 == 0).then_some(NOT_DOMINATED)
        }),
        ("'d' does not reference a valid function", |n| {
            (n == 100).then_some(NESTED_TABLE)
        }),
    ];
    for (message, change) in cases {
        let mut context = context();
        let module = parse(&mut context, &text(change));
        let errors = verified(&context, &module, 1).unwrap_err();
        let first = message_to_string(&context, &module, &errors[0].message);
        assert!(first.contains(message), "{first}");
        for threads in [2, 5] {
            assert_eq!(verified(&context, &module, threads).as_ref(), Err(&errors));
        }
    }
}

/// Returns the observable content of a module, with locations.
fn shown(context: &Context, module: &Module) -> Vec<u8> {
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let mut out = Vec::new();
    print_module(context, module, &options, &mut out).unwrap();
    out
}

fn read(bytes: &[u8], threads: usize, locations: bool) -> Result<Vec<u8>, String> {
    let mut context = context();
    let mut options = ReadOptions::default();
    options.threads = Threads::new(threads);
    options.locations = locations;
    options.trusted = true;
    let source = Source::from(bytes.to_vec());
    let module = read_module(&mut context, &source, &options).map_err(|error| error.to_string())?;
    Ok(shown(&context, &module))
}

/// Returns native bytecode without compression.
fn written() -> Vec<u8> {
    let mut context = context();
    let module = parse(&mut context, &text(|_| None));
    write_module(&context, &module, &WriteOptions::default()).unwrap()
}

#[test]
fn what_is_read_is_the_same() {
    let bytes = written();
    for locations in [true, false] {
        let one = read(&bytes, 1, locations).unwrap();
        assert_eq!(String::from_utf8_lossy(&one).contains("a.mlir"), locations);
        for threads in [2, 5] {
            assert!(read(&bytes, threads, locations).unwrap() == one);
        }
    }
}

#[test]
fn damage_is_found_alike() {
    let bytes = written();
    let mut random = Prng::new(7);
    let (mut errors, mut modules) = (0, 0);
    for _ in 0..60 {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        let one = read(&damaged, 1, true);
        assert!(read(&damaged, 2, true) == one, "byte {at}");
        match one {
            Ok(_) => modules += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 0 && modules > 0, "{errors} {modules}");
}

/// Returns the content of a text, or its errors.
fn read_text(text: &[u8], threads: usize) -> Result<Vec<u8>, String> {
    let mut context = context();
    let mut options = ParseOptions::for_file("a.mlir");
    options.threads = Threads::new(threads);
    let module = parse_module(&mut context, text, &options).map_err(|error| error.to_string())?;
    Ok(shown(&context, &module))
}

/// Returns a text long enough for three threads, as `mlir-opt` prints a module.
fn long_text() -> String {
    let bare = text(|_| None) + &text(|_| None).replace("@f", "@g");
    let indented: String = bare.lines().map(|line| format!("  {line}\n")).collect();
    format!("module {{\n{indented}}}\n")
}

#[test]
fn a_text_is_read_the_same() {
    let text = long_text();
    assert!(text.len() > 3 << 18, "{}", text.len());
    let bare = text.replace("\n  ", "\n");
    let bare = bare.trim_start_matches("module {").trim_end_matches("}\n");
    for text in [text.as_str(), bare] {
        let one = read_text(text.as_bytes(), 1).unwrap();
        for threads in [0, 2, 5] {
            assert!(read_text(text.as_bytes(), threads).unwrap() == one);
        }
    }
}

#[test]
fn damage_of_a_text_is_found_alike() {
    let text = long_text().into_bytes();
    let mut random = Prng::new(8);
    let (mut errors, mut modules) = (0, 0);
    // One takes seconds if it is not optimised.
    let count = if cfg!(debug_assertions) { 8 } else { 40 };
    for _ in 0..count {
        let mut damaged = text.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(2);
        let one = read_text(&damaged, 1);
        for threads in [2, 3] {
            assert!(read_text(&damaged, threads) == one, "byte {at}");
        }
        match one {
            Ok(_) => modules += 1,
            Err(_) => errors += 1,
        }
    }
    // Most damage is an error, so a few texts may have no other.
    assert!(
        errors > 0 && (modules > 0 || count < 40),
        "{errors} {modules}"
    );
}

/// Numbers of distinct attributes are unknown in parts that are printed ahead, so printing of such
/// a part ends in the middle of an attribute. Its rest must not be in the text of what follows.
#[test]
fn a_part_that_cannot_be_printed_ahead_leaves_nothing() {
    let mut text = String::from("firrtl.circuit \"A\" {\nfirrtl.module @A() {}\n");
    for number in 0..2_000 {
        let annotations = match number % 4 {
            0 => format!("[{{id = distinct[{number}]<>}}]"),
            _ => String::new(),
        };
        // A text is memoized when it is printed for the second time: after the attribute.
        let ty = format!("!firrtl.uint<{}>", number / 4);
        let ports = format!("in a: {ty}, in b: !firrtl.clock {annotations}, in c: {ty}");
        writeln!(text, "firrtl.extmodule private @E{number}({ports})").unwrap();
    }
    text.push_str("}\n");
    let mut context = context();
    let module = parse(&mut context, &text);
    let printed = |threads| {
        let mut options = PrintOptions::default();
        options.threads = Threads::new(threads);
        options.operations_per_thread = 1;
        let mut out = Vec::new();
        print_module(&context, &module, &options, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let one = printed(1);
    for threads in [2, 3, 4] {
        assert!(printed(threads) == one, "{threads} threads");
    }
}
