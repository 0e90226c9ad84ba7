//! The values of attributes of VHLO that StableHLO omits.

use super::entries::{Entries, dense};
use super::operation::Draft;
use super::table::{DefaultValue, TYPED_API};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::{Attribute, AttributeKind, BodyReference, TypeKind};

/// The number of elements of a default: dimensions are no more.
const MOST: u64 = 1 << 16;

/// The body of an attribute `DEFAULT`.
const PRECISION: &str = "precision_v1 DEFAULT";
const ACCURACY_MODE: &str = "result_accuracy_mode_v1 DEFAULT";

impl DefaultValue {
    /// Makes the value for an operation; `None` if the attribute is missing on which it depends.
    pub(super) fn make(self, entries: &mut Entries<'_>, draft: &Draft) -> Option<Attribute> {
        let i64_type = entries.context.i64_type();
        match self {
            DefaultValue::Bool(true) => entries.of_text("bool_v1<true>"),
            DefaultValue::Bool(false) => entries.of_text("bool_v1<false>"),
            DefaultValue::Integer(value) => {
                let value = entries.context.integer_attribute(i64_type, value).ok()?;
                entries.attribute(value).ok()
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
                let none = entries.context.none_type();
                let none = entries.context.type_attribute(none);
                let none = entries.attribute(none);
                none.ok()
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
            DefaultValue::Integer(value) => {
                let found = entries.reference_of(attribute, "integer_v1");
                let found = found.map(|found| entries.context.attribute_kind(found));
                match found {
                    Some(AttributeKind::Integer { value: found, .. }) => {
                        found.to_i64() == Some(value)
                    }
                    _ => false,
                }
            }
            DefaultValue::EmptyString => is_body("string_v1<\"\">"),
            DefaultValue::EmptyArray => is_body("array_v1<[]>"),
            DefaultValue::EmptyDictionary => is_body("dict_v1<{}>"),
            DefaultValue::EmptyConfiguration => {
                is_body("string_v1<\"\">") || is_body("dict_v1<{}>")
            }
            DefaultValue::EmptyTensor => data_of(entries, attribute).is_some_and(<[u8]>::is_empty),
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

/// Returns the data of an attribute `tensor_v1`.
fn data_of<'e>(entries: &'e Entries<'_>, attribute: Attribute) -> Option<&'e [u8]> {
    match entries.context.attribute_kind(entries.dense_of(attribute)?) {
        AttributeKind::DenseElements { data, .. } => Some(data),
        _ => None,
    }
}

/// Returns whether a tensor of VHLO repeats an integer.
fn repeats(entries: &Entries<'_>, attribute: Attribute, value: i64) -> bool {
    let found = entries.dense_of(attribute);
    let Some(AttributeKind::DenseElements { ty, data, .. }) =
        found.map(|found| entries.context.attribute_kind(found))
    else {
        return false;
    };
    let element = entries.context.element_type(*ty);
    let width = match element.map(|element| entries.context.type_kind(element)) {
        Some(TypeKind::Integer { width: 1, .. }) => 1,
        Some(TypeKind::Integer { width: 64, .. }) => 8,
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

/// Returns the number of elements of another attribute of the operation.
fn elements(entries: &Entries<'_>, draft: &Draft, of: &str) -> Option<i64> {
    let tensor = entries.dense_of(draft.get(entries, of)?)?;
    let ty = entries.context.attribute_type(tensor);
    let count = entries
        .context
        .element_count(ty)
        .filter(|&count| count <= MOST)?;
    i64::try_from(count).ok()
}
