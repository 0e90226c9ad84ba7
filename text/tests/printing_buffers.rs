//! Tests texts longer than the output's buffer: the text does not depend on when the buffer is
//! written out.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::{Context, Module};
use rmlir_testing::{module_to_string, print_with_buffers};
use rmlir_text::{
    ParseOptions, PrintOptions, parse_module, print_attribute, print_location, print_type,
};

fn parse(text: &str) -> (Context, Module) {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    match parse_module(&mut context, text.as_bytes(), &ParseOptions::default()) {
        Ok(module) => (context, module),
        Err(errors) => panic!("{errors}"),
    }
}

/// Prints custom text, and checks that it reads back as a module that prints the same text.
#[track_caller]
fn fixpoint(text: &str) -> String {
    let (context, module) = parse(text);
    let printed = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    let (context, module) = parse(&printed);
    let again = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), printed);
    printed
}

/// A dense array in brackets at every position around the first 64 KiB.
#[test]
fn dense_array_at_the_end_of_the_buffer() {
    for length in 65_300..65_480 {
        let string = "x".repeat(length);
        let text = format!(
            "func.func @f(%a: vector<2x3xf32>) attributes {{s = \"{string}\"}} {{\n  \
             %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>\n  return\n}}\n"
        );
        let (context, module) = parse(&text);
        let printed = rmlir_text::module_to_string(&context, &module, &PrintOptions::default());
        let printed = String::from_utf8(printed.unwrap()).unwrap();
        assert!(printed.contains("vector.transpose %arg0, [1, 0] : "));
    }
}

#[test]
fn dense_array_longer_than_the_buffer() {
    let mask = vec!["1"; 25_000].join(", ");
    let text = format!(
        "llvm.func @f(%a: vector<2xf32>) {{\n  \
         %0 = llvm.shufflevector %a, %a [{mask}] : vector<2xf32>\n  llvm.return\n}}\n"
    );
    let printed = fixpoint(&text);
    assert!(printed.contains(&format!("%arg0, %arg0 [{mask}] : vector<2xf32>")));
}

/// Elements without their type, after long elements.
#[test]
fn elements_longer_than_the_buffer() {
    let elements = (0..90)
        .map(|n| format!("\"{}{n}\"", "s".repeat(1_000)))
        .collect::<Vec<_>>();
    let elements = elements.join(", ");
    let printed = fixpoint(&format!(
        "ml_program.global private @g(dense<[{elements}]> : tensor<90x!s.s>) : tensor<90x!s.s>\n"
    ));
    assert!(printed.contains(&elements));
    let digits = "0102".repeat(20_000);
    let printed = fixpoint(&format!(
        "%0 = arith.constant dense<\"0x{digits}\"> : tensor<40000xi8>\n\
         memref.global \"private\" @m : memref<40000xi8> = dense<\"0x{digits}\">\n"
    ));
    assert_eq!(printed.matches(&digits).count(), 2);
}

#[test]
fn entries_alone() {
    let (mut context, _) = parse("");
    let texts = [
        "array<i64: 1, 2, 3>",
        "dense<[[1.000000e+00, 2.000000e+00], [0x7FC00000, -1.000000e+00]]> : tensor<2x2xf32>",
        "[1, 0x7FF0000000000001 : f64, 1.000000e+00, {a, b = #x.y<[#x.z, 3 : si8]>}]",
        "sparse<[[0, 1]], true> : tensor<2x2xi1>",
        "affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3)>",
        "loc(fused<\"m\">[\"a\"(\"b\":1:2 to 3:4), callsite(\"c\" at unknown)])",
        "@a::@\"b c\"",
    ];
    let options = PrintOptions::default();
    for text in texts {
        let attribute = rmlir_text::parse_attribute(&mut context, text.as_bytes());
        let attribute = attribute.unwrap_or_else(|errors| panic!("{text}: {errors}"));
        let printed = print_with_buffers(&options, |options, out| {
            print_attribute(&context, attribute, options, out)
        });
        assert_eq!(String::from_utf8(printed.unwrap()).unwrap(), text);
        if let rmlir_ir::AttributeKind::Location(location) = *context.attribute_kind(attribute) {
            let printed = print_with_buffers(&options, |options, out| {
                print_location(&context, location, options, out)
            });
            assert_eq!(String::from_utf8(printed.unwrap()).unwrap(), text);
        }
    }
    let text =
        "tuple<memref<?x4xf32, strided<[?, 1], offset: 3>, 2>, (i32, index) -> (), !x.y<i8>>";
    let ty = rmlir_text::parse_type(&mut context, text.as_bytes()).unwrap();
    let printed = print_with_buffers(&options, |options, out| {
        print_type(&context, ty, options, out)
    });
    assert_eq!(String::from_utf8(printed.unwrap()).unwrap(), text);
}
