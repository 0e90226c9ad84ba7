//! Tests that several threads print the same as one: names, aliases, the order of resources,
//! numbers of distinct attributes, white space, and the end of a text that is too long or cannot be
//! written.
#![allow(clippy::unwrap_used, clippy::panic)]

use rmlir_ir::Threads;
use rmlir_ir::{Context, Module};
use rmlir_text::{ParseOptions, PrintError, PrintOptions, parse_module, print_module};
use std::fmt::Write as _;
use std::io;

fn parse(text: &str) -> (Context, Module) {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let mut options = ParseOptions::for_file("a.mlir");
    options.keep_names = true;
    match parse_module(&mut context, text.as_bytes(), &options) {
        Ok(module) => (context, module),
        Err(errors) => panic!("{errors}"),
    }
}

/// A writer that fails after `room` bytes.
struct Full {
    bytes: Vec<u8>,
    room: usize,
}

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room.saturating_sub(self.bytes.len());
        let bytes = bytes.get(..room).unwrap_or(bytes);
        self.bytes.extend_from_slice(bytes);
        match bytes.is_empty() {
            true => Err(io::Error::other("full")),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the text, and the error after it.
fn printed((context, module): &(Context, Module), options: &PrintOptions) -> (Vec<u8>, String) {
    written(context, module, options, usize::MAX)
}

fn written(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
    room: usize,
) -> (Vec<u8>, String) {
    let mut out = Full {
        bytes: Vec::new(),
        room,
    };
    let result = print_module(context, module, options, &mut out);
    let error = match result {
        Ok(()) => String::new(),
        Err(error @ (PrintError::Io(_) | PrintError::TooLarge(_))) => error.to_string(),
        Err(error) => panic!("{error}"),
    };
    (out.bytes, error)
}

/// Returns all options that affect the text.
fn ways() -> Vec<PrintOptions> {
    let mut ways = vec![PrintOptions::default(), PrintOptions::generic()];
    for way in ways.clone() {
        let with = |change: fn(&mut PrintOptions)| {
            let mut options = way.clone();
            change(&mut options);
            options
        };
        ways.push(with(|options| options.debug_info = true));
        ways.push(with(|options| options.local_scope = true));
        ways.push(with(|options| options.keep_names = true));
    }
    ways
}

/// Checks that the text does not depend on the threads, and returns the default text.
fn check(text: &str) -> String {
    let module = parse(text);
    for options in ways() {
        let one = printed(&module, &options);
        assert_eq!(one.1, "");
        for (threads, least) in [(2, 1), (2, 7), (3, 1), (5, 3), (4, 100)] {
            let mut options = options.clone();
            options.threads = Threads::new(threads);
            options.operations_per_thread = least;
            options.buffer_size = least;
            let several = printed(&module, &options);
            assert!(
                several == one,
                "{threads} threads, {least} operations:\n{}\n{}",
                String::from_utf8_lossy(&several.0),
                String::from_utf8_lossy(&one.0)
            );
        }
    }
    let (text, _) = printed(&module, &PrintOptions::default());
    String::from_utf8(text).unwrap()
}

/// Functions with blocks, loops, aliases, and names.
fn functions(count: usize) -> String {
    let mut text = String::from("#map = affine_map<(d0) -> (d0 + 3)>\n");
    for number in 0..count {
        write!(
            text,
            r#"func.func private @f{number}(%x: i32, %m: memref<{number}xf32, #map>) -> i32 {{
  %c = arith.constant {number} : i32
  %t = arith.constant true
  %some:2 = "test.two"(%x) {{ tag = "{number}", map = affine_map<(d0) -> (d0 + {number})> }} : (i32) -> (i32, i32)
  %r = scf.if %t -> (i32) {{
    %y = arith.subi %some#1, %c : i32
    scf.yield %y : i32
  }} else {{
    scf.yield %c : i32
  }}
  cf.br ^next(%r : i32)
^next(%z: i32):
  return %z : i32
}}
"#
        )
        .unwrap();
    }
    text
}

#[test]
fn functions_in_modules() {
    check(&functions(60));
    let nested = functions(40).replace("#map = affine_map<(d0) -> (d0 + 3)>\n", "");
    let map = "#map = affine_map<(d0) -> (d0 + 3)>\n";
    check(&format!(
        "{map}module @a {{ {nested} module @b {{ {nested} }} }} module @c {{ {nested} }}"
    ));
}

/// Operations whose regions are omitted, indented differently, or printed on one line.
#[test]
fn operations_of_their_own_layout() {
    let mut body = String::new();
    for number in 0..30 {
        write!(
            body,
            r#"  %m{number} = memref.alloc() : memref<{number}xf32>
  affine.for %i = 0 to {number} {{
    %v = affine.load %m{number}[%i] : memref<{number}xf32>
    affine.store %v, %m{number}[%i] : memref<{number}xf32>
  }}
"#
        )
        .unwrap();
    }
    let inner = body.replace("%m", "%n");
    let text = check(&format!(
        r#"
func.func @f(%z: tensor<4xf32>) {{
{body}
  %e = linalg.exp ins(%z : tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  "test.generic"() ({{
{inner}
  }}) : () -> ()
  return
}}"#
    ));
    assert!(text.contains("linalg.exp ins("));
}

/// The first reference determines a resource's position; a part does not know the references before
/// it.
#[test]
fn resources_in_the_order_of_references() {
    let mut text = String::new();
    for number in [5, 3, 5, 9, 0, 3, 7, 1, 1, 8, 2, 6, 4, 0, 9, 3, 3, 5] {
        writeln!(
            text,
            r#""test.use"() {{ r = dense_resource<r{number}> : tensor<1xi32>, also = [dense_resource<r{number}> : tensor<1xi32>] }} : () -> ()"#
        )
        .unwrap();
    }
    let entries: Vec<String> = (0..10)
        .map(|number| format!("r{number}: \"0x0400000000000000\""))
        .collect();
    let entries = entries.join(", ");
    let text = check(&format!(
        "{text}\n{{-# dialect_resources: {{ builtin: {{ {entries} }} }} #-}}\n"
    ));
    let (_, list) = text.split_once("{-#").unwrap();
    let order: String = list
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('r')?.chars().next())
        .collect();
    assert_eq!(order, "5390718264");
}

/// Distinct attributes are numbered in printing order.
#[test]
fn distinct_attributes() {
    let mut text = String::new();
    for number in 0..40 {
        let id = (number * 7) % 11;
        writeln!(
            text,
            r#""test.plain"() {{ at = {number} : i32 }} : () -> () "test.distinct"() {{ d = distinct[{id}]<"{id}"> }} : () -> ()"#
        )
        .unwrap();
    }
    let text = check(&text);
    assert!(text.contains("distinct[10]<"), "{text}");
}

/// The white space of deep nests is charged to a budget for the whole text.
#[test]
fn deep_nests() {
    let inner = "\"test.a\"() : () -> () ".repeat(9);
    let mut text = String::new();
    for _ in 0..150 {
        write!(text, "\"test.r\"() ({{ {inner}").unwrap();
    }
    for _ in 0..150 {
        write!(text, "{inner} }}) : () -> () ").unwrap();
    }
    check(&text);
}

/// Parts that are longer than the text kept of a part.
#[test]
fn long_parts() {
    let long = "x".repeat(600_000);
    let mut text = String::new();
    for number in 0..12 {
        writeln!(
            text,
            r#""test.long"() {{ a = "{number}{long}" }} : () -> () "test.short"() : () -> ()"#
        )
        .unwrap();
    }
    let module = parse(&text);
    let one = printed(&module, &PrintOptions::default());
    assert!(one.0.len() > 12 * 600_000);
    for least in [1, 2, 10] {
        let mut options = PrintOptions::default();
        options.threads = Threads::new(3);
        options.operations_per_thread = least;
        assert!(printed(&module, &options) == one, "{least}");
    }
}

#[test]
fn texts_that_end_early() {
    let module = parse(&functions(300));
    let whole = printed(&module, &PrintOptions::default()).0.len();
    let ends = [0, 1, 100, whole / 3, whole / 2, whole - 1, whole, whole + 1];
    for end in ends {
        for least in [5, 300] {
            let mut options = PrintOptions::default();
            options.operations_per_thread = least;
            // The limit on the text.
            options.max_output = end as u64;
            let one = printed(&module, &options);
            assert_eq!(one.0.len(), end.min(whole));
            assert_eq!(one.1.is_empty(), end >= whole, "{}", one.1);
            options.threads = Threads::new(4);
            assert!(printed(&module, &options) == one, "{end}");
            // A writer that fails: the same error, and no text that would not precede it.
            options.max_output = u64::MAX;
            let (context, module) = &module;
            let (bytes, error) = written(context, module, &options, end);
            assert_eq!(error.is_empty(), end >= whole, "{error}");
            assert_eq!(bytes.len(), end.min(whole));
        }
    }
}
