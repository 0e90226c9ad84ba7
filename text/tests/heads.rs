//! Tests that operations printed alone have the names that they have in the whole text.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::{Context, Module, Operation};
use rmlir_text::{
    ParseOptions, PrintOptions, SpanDetail, SpanKind, module_to_string, parse_module,
    print_operations_with_spans,
};

const MODULE: &str = r#"
%x = "t.value"() : () -> i32
"t.outer"() ({
^bb0(%x_0: i32, %y: i64):
  %x_1:2 = "t.two"(%x) : (i32) -> (i32, i32)
  %0 = "t.one"() ({
    %x_2 = "t.inner"(%x_1#1, %x_0) : (i32, i32) -> i32
    %1 = "t.inner"(%y) : (i64) -> i32
  }, {
    %x_3 = "t.inner"(%x_1#0) ({
      %2 = "t.deep"() : () -> i32
      "t.branch"()[^bb1] : () -> ()
    ^bb1:
      "t.deep"(%2, %y) ({
      ^bb2(%3: i32):
        "t.deepest"(%3) : (i32) -> ()
      }) : (i32, i64) -> ()
    }) : (i32) -> i32
  }) : () -> i32
  "t.branch"(%0)[^named] : (i32) -> ()
^named:
  %4 = "t.one"(%0) : (i32) -> i32
}) : () -> ()
"t.outer"() ({
  %5 = "t.one"() : () -> i32
}) : () -> ()
%6 = "t.value"() : () -> i32
"#;

fn heads(
    (context, module): (&Context, &Module),
    operations: &[Operation],
    options: &PrintOptions,
) -> Vec<String> {
    let mut text = Vec::new();
    let heads = SpanDetail::Heads;
    let spans = print_operations_with_spans(context, module, operations, heads, options, &mut text)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let spans = spans.iter();
    let spans = spans.filter(|span| matches!(span.kind, SpanKind::Operation(_)));
    spans
        .map(|span| text[span.bytes.start as usize..span.bytes.end as usize].to_owned())
        .map(|text| text.lines().next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn operations_have_the_names_of_the_whole_text() {
    let mut context = Context::new();
    for keep_names in [false, true] {
        let mut parse = ParseOptions::default();
        parse.keep_names = keep_names;
        let module = parse_module(&mut context, MODULE.as_bytes(), &parse).unwrap();
        let operations: Vec<Operation> = module.descendants(module.top()).collect();
        for number in 0..8u32 {
            let mut options = PrintOptions::default();
            options.keep_names = keep_names;
            options.generic = number & 1 != 0;
            options.unique_numbers = number & 2 != 0;
            options.value_users = number & 4 != 0;
            let whole = module_to_string(&context, &module, &options).unwrap();
            let whole = String::from_utf8(whole).unwrap();
            // Each line begins an operation, a block or the end of a region, in this order.
            let lines: Vec<&str> = whole.lines().map(str::trim_start).collect();
            let begins = |line: &&&str| line.contains('"') && !line.starts_with(['}', '^', '/']);
            let expected: Vec<&str> = match options.generic {
                true => lines.iter().filter(begins).copied().collect(),
                false => lines
                    .iter()
                    .filter(|line| begins(line) || line.starts_with("module"))
                    .copied()
                    .collect(),
            };
            let found = heads((&context, &module), &operations, &options);
            assert_eq!(found, expected, "{options:?}");
            for (&operation, expected) in operations.iter().zip(&expected) {
                let alone = heads((&context, &module), &[operation], &options);
                assert_eq!(alone, [*expected], "{options:?}");
            }
        }
    }
}
