//! The values of attributes of VHLO that StableHLO omits.

use super::entries::{Entries, dense};
use super::operation::{Draft, element_type};
use super::table::{DefaultValue, TYPED_API};
use rmlir_ir::apint::ApInt;
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::{Attribute, BodyReference};

/// The maximum number of elements of a default, which is the maximum number of dimensions.
const MOST: i64 = 1 << 16;

/// The body of an attribute `DEFAULT`.
const PRECISION: &str = "precision_v1 DEFAULT";
const ACCURACY_MODE: &str = "result_accuracy_mode_v1 DEFAULT";

impl DefaultValue {
    /// Makes the value for an operation; `None` if the attribute is missing on which it depends.
    pub(super) fn make(self, entries: &mut Entries<'_>, draft: &Draft) -> Option<Attribute> {
        match self {
            DefaultValue::Bool(true) => entries.of_text("bool_v1<true>"),
            DefaultValue::Bool(false) => entries.of_text("bool_v1<false>"),
            DefaultValue::Integer(value) => {
                let i64_type = entries.type_of_text("i64_v1")?;
                let mut values = FieldValues::default();
                values.fields.extend([
                    FieldValue::Type(i64_type),
                    FieldValue::Integer(ApInt::from_i64(64, value)),
                ]);
                entries.make("integer_v1", values)
            }
            DefaultValue::EmptyString => entries.of_text("string_v1<\"\">"),
            DefaultValue::EmptyArray => entries.of_text("array_v1<[]>"),
            DefaultValue::EmptyDictionary => entries.of_text("dict_v1<{}>"),
            DefaultValue::EmptyConfiguration => {
                let api = draft.get(entries, "api_version");
                let is_typed = api.is_some_and(|api| is_text(entries, api, TYPED_API));
                entries.of_text(if is_typed {
                    "dict_v1<{}>"
                } else {
                    "string_v1<\"\">"
                })
            }
            DefaultValue::EmptyTensor => integers(entries, &[0], 0),
            DefaultValue::Integers(value, of) => {
                let count = elements(entries, draft, of)?;
                integers(entries, &[count], value)
            }
            DefaultValue::Padding(of) => {
                let count = elements(entries, draft, of)?;
                integers(entries, &[count, 2], 0)
            }
            DefaultValue::PaddingOfOperand => {
                let spatial = draft.rank(entries)?.checked_sub(2);
                integers(entries, &[spatial.filter(|&count| count >= 0)?, 2], 0)
            }
            DefaultValue::Falses(of) => {
                let count = elements(entries, draft, of)?;
                let data = vec![0; usize::try_from(count).ok()?];
                let bool_type = entries.context.i1_type();
                let made = dense(entries.context, (&[count], bool_type), &data)?;
                entries.tensor(made)
            }
            DefaultValue::Precisions => {
                let one = entries.of_text(PRECISION)?;
                let mut values = FieldValues::default();
                values.push_list([one, one].map(FieldValue::Attribute));
                entries.make("array_v1", values)
            }
            DefaultValue::Accuracy => {
                let mode = entries.of_text(ACCURACY_MODE)?;
                let mut values = FieldValues::default();
                values.fields.extend([
                    FieldValue::Float(0),
                    FieldValue::Float(0),
                    FieldValue::Signed(0),
                    FieldValue::Attribute(mode),
                ]);
                entries.make("result_accuracy_v1", values)
            }
            DefaultValue::NoType => {
                let none = entries.type_of_text("none_v1")?;
                let mut values = FieldValues::default();
                values.fields.push(FieldValue::Type(none));
                entries.make("type_v1", values)
            }
            DefaultValue::Member(body) => entries.of_text(body),
        }
    }

    /// Returns whether an attribute of VHLO has this value. As upstream, this recognizes more than
    /// is made: zeros of any integer type, and any tensor that repeats a number.
    pub(super) fn is(self, entries: &Entries<'_>, attribute: Attribute) -> bool {
        let is_body = |body: &str| is_text(entries, attribute, body);
        match self {
            DefaultValue::Bool(true) => is_body("bool_v1<true>"),
            DefaultValue::Bool(false) => is_body("bool_v1<false>"),
            DefaultValue::Integer(value) => entries.integer(attribute) == Some(value),
            DefaultValue::EmptyString => is_body("string_v1<\"\">"),
            DefaultValue::EmptyArray => is_body("array_v1<[]>"),
            DefaultValue::EmptyDictionary => is_body("dict_v1<{}>"),
            DefaultValue::EmptyConfiguration => {
                is_body("string_v1<\"\">") || is_body("dict_v1<{}>")
            }
            DefaultValue::EmptyTensor => {
                let parts = entries.tensor_parts(attribute);
                parts.is_some_and(|(_, data)| data.is_empty())
            }
            DefaultValue::Integers(value, _) => repeats(entries, attribute, value),
            DefaultValue::Padding(_) | DefaultValue::PaddingOfOperand | DefaultValue::Falses(_) => {
                repeats(entries, attribute, 0)
            }
            DefaultValue::Precisions => {
                let Some(body) = entries.vhlo_body(attribute) else {
                    return false;
                };
                let is_default = |&(_, reference): &(u32, BodyReference)| match reference {
                    BodyReference::Attribute(one) => is_text(entries, one, PRECISION),
                    BodyReference::Type(_) => false,
                };
                body.mnemonic() == b"array_v1" && body.references().iter().all(is_default)
            }
            DefaultValue::Accuracy => {
                let Ok(parameters) = entries.context.parameters(attribute) else {
                    return false;
                };
                let number = |name| parameters.get(name).and_then(|found| found.float());
                let ulps = parameters.get("ulps").and_then(|found| found.integer());
                let mode = parameters.get("mode").and_then(|found| found.attribute());
                number("atol") == Some(0.0)
                    && number("rtol") == Some(0.0)
                    && ulps == Some(0)
                    && mode.is_some_and(|mode| is_text(entries, mode, ACCURACY_MODE))
            }
            DefaultValue::NoType => {
                let body = entries.vhlo_body(attribute);
                match body.map(|body| (body.mnemonic(), body.references())) {
                    Some((b"type_v1", &[(_, BodyReference::Type(ty))])) => {
                        let body = entries.vhlo_type_body(ty);
                        body.is_some_and(|body| body.mnemonic() == b"none_v1")
                    }
                    _ => false,
                }
            }
            DefaultValue::Member(body) => is_body(body),
        }
    }
}

/// Returns whether an attribute of VHLO has a body of text alone.
pub(super) fn is_text(entries: &Entries<'_>, attribute: Attribute, text: &str) -> bool {
    let body = entries.vhlo_body(attribute);
    body.is_some_and(|body| body.references().is_empty() && body.text() == text.as_bytes())
}

/// Returns whether a tensor of VHLO has elements, all equal to an integer.
fn repeats(entries: &Entries<'_>, attribute: Attribute, value: i64) -> bool {
    let Some((ty, data)) = entries.tensor_parts(attribute) else {
        return false;
    };
    let element = element_type(entries, ty).and_then(|element| entries.vhlo_type_body(element));
    let width = match element.map(|body| body.text()) {
        // Eight elements to a byte.
        Some(b"bool_v1") if value == 0 => 1,
        Some(b"i64_v1") => 8,
        _ => return false,
    };
    let wanted = value.to_le_bytes();
    let mut elements = data.chunks(width);
    elements.len() > 0 && elements.all(|one| wanted.starts_with(one))
}

/// Returns a tensor that repeats an integer.
fn integers(entries: &mut Entries<'_>, shape: &[i64], value: i64) -> Option<Attribute> {
    let i64_type = entries.context.i64_type();
    let count = shape
        .iter()
        .try_fold(1i64, |count, size| count.checked_mul(*size))?;
    let data = value.to_le_bytes().repeat(usize::try_from(count).ok()?);
    let made = dense(entries.context, (shape, i64_type), &data)?;
    entries.tensor(made)
}

/// Returns the number of elements of another attribute of the operation, a one-dimensional tensor.
fn elements(entries: &Entries<'_>, draft: &Draft, of: &str) -> Option<i64> {
    let (ty, _) = entries.tensor_parts(draft.get(entries, of)?)?;
    let parameters = entries.context.parameters(ty).ok()?;
    let values = parameters.values();
    match values.list(parameters.get("shape")?.value()) {
        &[FieldValue::Signed(count)] => (0..=MOST).contains(&count).then_some(count),
        _ => None,
    }
}
