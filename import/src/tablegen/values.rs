//! Translates C++ expressions of default values to attributes.

use super::constraints::name;
use super::enums::Enums;
use super::records::{MOST_TEXT, Record};
use std::fmt::Write;

/// The builtin types denoted in the names of constraints.
const TYPES: &[(&str, &str)] = &[
    ("I1", "i1"),
    ("I8", "i8"),
    ("I16", "i16"),
    ("I32", "i32"),
    ("I64", "i64"),
    ("SI8", "si8"),
    ("SI16", "si16"),
    ("SI32", "si32"),
    ("SI64", "si64"),
    ("UI8", "ui8"),
    ("UI16", "ui16"),
    ("UI32", "ui32"),
    ("UI64", "ui64"),
    ("Index", "index"),
    ("F32", "f32"),
    ("F64", "f64"),
];

/// Types that C++ builds without arguments.
const BUILT: &[(&str, &str)] = &[
    ("getI1Type", "i1"),
    ("getI8Type", "i8"),
    ("getI16Type", "i16"),
    ("getI32Type", "i32"),
    ("getI64Type", "i64"),
    ("getIndexType", "index"),
    ("getF16Type", "f16"),
    ("getBF16Type", "bf16"),
    ("getF32Type", "f32"),
    ("getF64Type", "f64"),
    ("getNoneType", "none"),
];

/// Returns the text of the type that a C++ expression builds without arguments:
/// `$_builder.getI32Type()`, `$_builder.getType<::toy::BoxType>()`,
/// `::toy::BoxType::get($_builder.getContext())`.
pub(super) fn built_type(call: &str, enums: &Enums<'_>) -> Option<String> {
    let call = call.trim();
    let class = if let Some(method) = call.strip_prefix("$_builder.") {
        if let Some(name) = method.strip_suffix("()")
            && let Some(ty) = find(BUILT, name)
        {
            return Some(ty.to_owned());
        }
        method.strip_prefix("getType<")?.strip_suffix(">()")?
    } else {
        call.strip_suffix("::get($_builder.getContext())")?
    };
    let (dialect, mnemonic) = enums.plain_type(class)?;
    Some(format!("!{dialect}.{mnemonic}"))
}

/// Constraints on dense arrays, with the element type.
const ARRAYS: &[(&str, &str)] = &[
    ("DenseBoolArrayAttr", "i1"),
    ("DenseF32ArrayAttr", "f32"),
    ("DenseF64ArrayAttr", "f64"),
    ("DenseI16ArrayAttr", "i16"),
    ("DenseI32ArrayAttr", "i32"),
    ("DenseI64ArrayAttr", "i64"),
    ("DenseI8ArrayAttr", "i8"),
];

/// Constraints on arrays of attributes, with the element type.
const ATTRIBUTE_ARRAYS: &[(&str, &str)] = &[("I64ArrayAttr", "i64"), ("I32ArrayAttr", "i32")];

fn find(table: &[(&'static str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|row| row.0 == key).map(|row| row.1)
}

/// Returns the text of the attribute that a C++ expression builds, as the default of an attribute.
pub(super) fn attribute<'j>(
    expression: &str,
    attribute: Record<'j>,
    enums: &Enums<'j>,
) -> Option<String> {
    if expression.len() > MOST_TEXT {
        return None;
    }
    let expression = expression.trim();
    if let Some(enumeration) = enums.of_attribute(attribute) {
        return enumerator(expression, attribute, enumeration, enums);
    }
    let constraint = name(attribute);
    if matches!(constraint, "BoolAttr" | "I1Attr") {
        let text = match expression {
            "true" | "1" => "true",
            "false" | "0" | "{}" => "false",
            _ => return None,
        };
        return Some(text.to_owned());
    }
    if let Some(element) = find(ARRAYS, constraint).or_else(|| {
        let ty = attribute.text("storageType").unwrap_or_default().trim();
        find(
            ARRAYS,
            ty.trim_start_matches(':').trim_start_matches("mlir::"),
        )
    }) {
        let numbers = braces(expression)?;
        return Some(match numbers.is_empty() {
            true => format!("array<{element}>"),
            false => format!("array<{element}: {}>", numbers.join(", ")),
        });
    }
    if let Some(element) = find(ATTRIBUTE_ARRAYS, constraint) {
        let numbers = braces(expression)?;
        let items = numbers.iter().map(|number| match element {
            "i64" => number.clone(),
            _ => format!("{number} : {element}"),
        });
        return Some(format!("[{}]", items.collect::<Vec<_>>().join(", ")));
    }
    if attribute.is_a("RankedSignlessIntElementsAttr") {
        return elements(expression, attribute);
    }
    if attribute.is_a("ArrayAttrBase") || constraint == "ArrayAttr" {
        return braces(expression)?.is_empty().then(|| "[]".to_owned());
    }
    if attribute.is_a("StringBasedAttr") {
        return quoted(expression);
    }
    if attribute.is_a("DictionaryAttrBase") {
        return braces(expression)?.is_empty().then(|| "{}".to_owned());
    }
    let ty = find(TYPES, attribute.def("valueType")?.name)?;
    let number = number(expression, ty.starts_with('f'))?;
    Some(format!("{number} : {ty}"))
}

/// Returns dense elements, whose type the builder call determines.
fn elements(expression: &str, attribute: Record<'_>) -> Option<String> {
    let call = attribute.text("constBuilderCall")?;
    if call.len() > MOST_TEXT {
        return None;
    }
    let (_, shape) = call.split_once("RankedTensorType::get(")?;
    let shape = braces(shape.split_inclusive('}').next()?)?;
    let (_, width) = call.split_once("getIntegerType(")?;
    let width: u32 = width.split_once(')')?.0.parse().ok()?;
    let values = braces(expression)?;
    let first = values.first()?;
    let text = match values.iter().all(|value| value == first) {
        true => first.clone(),
        // A list of numbers expresses only one dimension.
        false if shape.len() == 1 => format!("[{}]", values.join(", ")),
        false => return None,
    };
    let shape: String = shape.iter().map(|size| format!("{size}x")).collect();
    Some(format!("dense<{text}> : tensor<{shape}i{width}>"))
}

/// Returns the content of `"text"` without escapes.
fn quoted(expression: &str) -> Option<String> {
    let inner = expression.strip_prefix('"')?.strip_suffix('"')?;
    let plain = inner
        .chars()
        .all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\');
    plain.then(|| expression.to_owned())
}

/// Returns a number without suffix.
pub(super) fn number(expression: &str, is_float: bool) -> Option<String> {
    let mut expression = expression.trim();
    if let Some((_, inner)) = expression
        .strip_prefix("static_cast<")
        .and_then(|cast| cast.split_once(">("))
    {
        expression = inner.strip_suffix(')')?.trim();
    }
    if is_float {
        let text = expression.strip_suffix(['f', 'F']).unwrap_or(expression);
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let value: f64 = text.parse().ok()?;
        return value.is_finite().then(|| format!("{value:e}")).map(|text| {
            // A float has a point.
            match text.split_once('e') {
                Some((mantissa, exponent)) if !mantissa.contains('.') => {
                    format!("{mantissa}.0e{exponent}")
                }
                _ => text,
            }
        });
    }
    match expression {
        "true" => return Some("1".to_owned()),
        "false" | "{}" => return Some("0".to_owned()),
        _ => {}
    }
    let text = expression.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok().map(|n| n.to_string());
    }
    let value: i128 = text.parse().ok()?;
    Some(value.to_string())
}

/// Returns the numbers of `{1, 2}`, after any type.
fn braces(expression: &str) -> Option<Vec<String>> {
    let (_, behind) = expression.split_once('{')?;
    let (inner, rest) = behind.split_once('}')?;
    if !rest.trim_matches([')', ' ']).is_empty() {
        return None;
    }
    let items = inner
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty());
    items
        .map(|item| match item {
            "true" | "false" => Some(item.to_owned()),
            _ => number(item, item.contains('.')),
        })
        .collect()
}

/// Returns a case of an enumeration as an attribute.
pub(super) fn enumerator(
    expression: &str,
    attribute: Record<'_>,
    enumeration: Record<'_>,
    enums: &Enums<'_>,
) -> Option<String> {
    let (keyword, value) = enums.case(expression, enumeration)?;
    let in_word = |c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c);
    if !attribute.is_a("AttrDef") {
        let width = enumeration.integer("bitwidth")?;
        return Some(format!("{value} : i{width}"));
    }
    let (dialect, mnemonic) = (
        attribute.def("dialect")?.text("name")?,
        attribute.text("mnemonic")?,
    );
    let words = [dialect, mnemonic, keyword];
    if !words
        .iter()
        .all(|word| !word.is_empty() && word.chars().all(in_word))
    {
        return None;
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match attribute.text("assemblyFormat")?.trim() {
        "$value" => write!(text, "#{dialect}<{mnemonic} {keyword}>"),
        "`<` $value `>`" => write!(text, "#{dialect}.{mnemonic}<{keyword}>"),
        _ => return None,
    };
    Some(text)
}
