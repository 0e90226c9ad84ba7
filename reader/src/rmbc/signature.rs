//! Walks over the signatures of operations by their layout, which
//! [`schema`](rmlir_format::rmbc::schema) states.

use super::operations::extensions;
use crate::lookup::malformed;
use rmlir_format::rmbc::schema::{FieldEncoding, SIGNATURE, SignatureField, SignatureLayout};
use rmlir_format::rmbc::signature_flag as flag;
use rmlir_format::{Reader, Result};

/// A consumer of the fields of a signature. `before` is at the start of a number, `after` at its
/// end.
pub(super) trait SignatureSink {
    /// Receives a number, which is the count of a list.
    fn number(
        &mut self,
        layout: &SignatureLayout,
        value: u64,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()>;

    /// Receives the name of an attribute or property. `is_first` of its list.
    fn key(
        &mut self,
        layout: &SignatureLayout,
        string: u64,
        is_first: bool,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()>;

    /// Reads extensions.
    fn extensions(&mut self, input: &mut Reader<'_>) -> Result<()> {
        extensions(input, "a signature")
    }
}

/// Reads a signature. Returns its flags.
pub(super) fn read_signature(
    input: &mut Reader<'_>,
    sink: &mut (impl SignatureSink + ?Sized),
) -> Result<u64> {
    let mut flags = 0;
    for layout in SIGNATURE.iter() {
        if !layout.is_present(flags) {
            continue;
        }
        let before = input.clone();
        match layout.encoding {
            None => sink.extensions(input)?,
            Some(FieldEncoding::List(_)) => {
                let count = input.count(1)?;
                // The signature of an operation without attributes does not have the flag.
                if count == 0 && layout.field == SignatureField::AttributeKeys {
                    let message = "a signature has attributes and no keys";
                    return Err(malformed(&before, before.offset(), message));
                }
                sink.number(layout, count as u64, &before, input)?;
                for number in 0..count {
                    let before = input.clone();
                    let string = input.varint()?;
                    sink.key(layout, string, number == 0, &before, input)?;
                }
            }
            Some(_) => {
                let value = input.varint()?;
                if layout.field == SignatureField::Flags {
                    check_flags(value, &before)?;
                    flags = value;
                }
                sink.number(layout, value, &before, input)?;
            }
        }
    }
    Ok(flags)
}

fn check_flags(flags: u64, before: &Reader<'_>) -> Result<()> {
    if flags > flag::ALL
        || flags & (flag::OTHER_PROPERTIES | flag::PROPERTIES) == flag::OTHER_PROPERTIES
    {
        let message = format!("the flags {flags:#x} of a signature contradict each other");
        return Err(malformed(before, before.offset(), message));
    }
    Ok(())
}
