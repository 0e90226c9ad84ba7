//! Tests normalization with definitions of a dialect made for this test. The interoperability suite
//! compares with upstream.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::Normalizer;
use rmlir_ir::{Context, DialectDefinition, Release};
use rmlir_testing::module_to_string;
use rmlir_text::{ParseOptions, PrintOptions, parse_module};

const TOY: &str = "
dialect toy
op a(x: variadic T, y: variadic T)
  traits AttrSizedOperandSegments
  attr d: D = 1 : i32
  attr o: O optional = 2 : i32
  attr r: R
  attr s: S since 24
  property n: i64
op maps
  attr strides: Numbers optional = dense<1> : tensor<2xi64>
  remembers toy.maps of strides = [affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 * s1)>, affine_map<(d0, d1) -> (d1)>]
op bad
  attr d: D = not an attribute
op none
";

fn context() -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(TOY, &()).unwrap());
    context
}

/// Parses and prints an operation.
fn through(context: &mut Context, text: &str, normalize: bool) -> Result<String, String> {
    let mut options = ParseOptions::for_file("t.mlir");
    options.normalize = normalize;
    let module =
        parse_module(context, text.as_bytes(), &options).map_err(|e| e.first().to_string())?;
    let printed = module_to_string(context, &module, &PrintOptions::generic()).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    Ok(printed.lines().nth(1).unwrap().trim().to_owned())
}

#[test]
fn what_is_not_given_is_filled_in() {
    let filled = "<{d = 1 : i32, n = 0 : i64, operandSegmentSizes = array<i32: 0, 0>}>";
    for (text, expected) in [
        ("", filled),
        ("<{}>", filled),
        ("{x}", &format!("{filled} {{x}}")),
        // An attribute of another release.
        ("{s = 1}", &format!("{filled} {{s = 1 : i64}}")),
        // A native property is not moved from the discardable attributes.
        ("{n = 5}", &format!("{filled} {{n = 5 : i64}}")),
        (
            "{o = 3, r = unit, d = 7 : i8}",
            "<{d = 7 : i8, n = 0 : i64, o = 3 : i64, operandSegmentSizes = array<i32: 0, 0>, r}>",
        ),
        (
            "<{d = 1, operand_segment_sizes = array<i32: 5, 5>, unknown}> {d = 2, operandSegmentSizes = 6, z}",
            "<{d = 1 : i64, n = 0 : i64, operandSegmentSizes = array<i32: 5, 5>, unknown}> {z}",
        ),
    ] {
        // One context for both, because the first result is memoized.
        let mut context = context();
        for _ in 0..2 {
            let text = format!("\"toy.a\"() {text} : () -> ()");
            let printed = through(&mut context, &text, true).unwrap();
            assert_eq!(
                printed,
                format!("\"toy.a\"() {expected} : () -> ()"),
                "{text}"
            );
            // The result is in normal form.
            assert_eq!(through(&mut context, &printed, true).unwrap(), printed);
        }
    }
}

#[test]
fn it_can_be_left_as_it_is() {
    for text in [
        "\"toy.a\"() : () -> ()",
        "\"toy.a\"() {d = 2 : i64, operand_segment_sizes} : () -> ()",
        "\"toy.bad\"() : () -> ()",
        "\"toy.a\"() <[1]> : () -> ()",
    ] {
        let printed = through(&mut context(), text, false).unwrap();
        assert_eq!(printed.replace("[1 : i64]", "[1]"), text);
    }
    for text in [
        "\"toy.none\"() {d} : () -> ()",
        "\"toy.other\"() {d} : () -> ()",
    ] {
        assert_eq!(through(&mut context(), text, true).unwrap(), text);
    }
}

#[test]
fn a_release_decides() {
    let mut context = context();
    context.set_release(Release::LLVM_24);
    assert_eq!(
        through(&mut context, "\"toy.a\"() {s = 1} : () -> ()", true).unwrap(),
        "\"toy.a\"() <{d = 1 : i32, n = 0 : i64, operandSegmentSizes = array<i32: 0, 0>, s = 1 : i64}> : () -> ()"
    );
}

#[test]
fn a_normalizer_may_be_of_another_release() {
    let mut context = context();
    rmlir_text::register(&mut context);
    let name = context.operation_name("toy.a");
    let s = context.identifier("s");
    let given = context
        .dictionary_attribute(&[(s, context.unit_attribute())])
        .unwrap();
    let mut normal = |mut normalizer: Normalizer| {
        let made = normalizer.normalize(&mut context, name, Some(given), None);
        made.unwrap().0
    };
    assert_eq!(normal(Normalizer::new()), Some(given));
    assert_eq!(normal(Normalizer::for_release(Release::LLVM_24)), None);
}

#[test]
fn errors() {
    for (text, expected) in [
        (
            "\"toy.a\"() <[1]> : () -> ()",
            "t.mlir:1:1: error: invalid properties [1] for op toy.a: expected DictionaryAttr to set properties",
        ),
        (
            "\"toy.bad\"() : () -> ()",
            "t.mlir:1:1: error: the default of 'd' in the definition of 'bad' is malformed: expected attribute value",
        ),
    ] {
        let error = through(&mut context(), text, true).unwrap_err();
        let first = error.lines().next().unwrap().replace("[1 : i64]", "[1]");
        assert_eq!(first, expected);
    }
}

/// An operation can have many properties: if each were searched linearly, this would not terminate
/// in time. Time is not measured, since that would fail by chance.
#[test]
fn many_attributes_take_linear_time() {
    let many: Vec<String> = (0..100_000).map(|i| format!("k{i}")).collect();
    let text = format!(
        "\"toy.a\"() <{{{}}}> {{{}}} : () -> ()",
        many.join(", "),
        many.join(", ")
    );
    assert!(through(&mut context(), &text, true).is_ok());
}

/// The maps that upstream's verifier caches are added, with the numbers of an attribute, or of its
/// default, in place of symbols.
#[test]
fn what_is_remembered_is_made() {
    let made = |map: &str| {
        let last = "affine_map<(d0, d1) -> (d1)>";
        format!("toy.maps = [affine_map<(d0, d1) -> ({map})>, {last}]")
    };
    let strides = |numbers: &str| format!(" <{{strides = dense<{numbers}>}}>");
    let mut context = context();
    for (properties, given, expected) in [
        (String::new(), "", made("d0 + d1")),
        (String::new(), "a", format!("a, {}", made("d0 + d1"))),
        (
            strides("[2, 3]> : vector<2xi64"),
            "",
            made("d0 * 2 + d1 * 3"),
        ),
        (strides("0> : tensor<2xi64"), "", made("0")),
        // The attribute is present already, or its numbers are missing.
        (String::new(), "toy.maps", "toy.maps".to_owned()),
        (strides("2> : tensor<1xi64"), "", String::new()),
        (strides("2.5> : tensor<2xf32"), "", String::new()),
    ] {
        let line = |attributes: &str| match attributes {
            "" => format!("\"toy.maps\"(){properties} : () -> ()"),
            _ => format!("\"toy.maps\"(){properties} {{{attributes}}} : () -> ()"),
        };
        let mut options = PrintOptions::generic();
        options.local_scope = true;
        let text = line(given);
        let module = parse_module(
            &mut context,
            text.as_bytes(),
            &ParseOptions::for_file("t.mlir"),
        );
        let printed = module_to_string(&context, &module.unwrap(), &options).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        let shown = line(&expected);
        assert_eq!(
            printed.lines().nth(1).unwrap().trim(),
            shown.replace("2.5>", "2.500000e+00>")
        );
    }
}

/// Attributes that an operation cannot have are rejected, or kept if validity is not required.
#[test]
fn properties_that_cannot_be_held() {
    let text = b"\"func.func\"() <{function_type = 1 : i32, sym_name = \"a\"}> ({}) : () -> ()";
    let parse = |check_properties| {
        let mut context = Context::new();
        rmlir_dialects::register_all(&mut context);
        let mut options = ParseOptions::default();
        options.check_properties = check_properties;
        let module = parse_module(&mut context, text, &options);
        module.map(|module| module_to_string(&context, &module, &PrintOptions::generic()))
    };
    let refused = parse(true).unwrap_err().to_string();
    assert!(refused.contains("Invalid attribute `function_type` in property conversion: 1 : i32"));
    let kept = parse(false).unwrap().unwrap();
    assert!(String::from_utf8_lossy(&kept).contains("function_type = 1 : i32"));
}
