//! Flatbuffers: the serialized form of `jax.export`.
//!
//! The root is a table `Exported`, whose fields are numbered in the order of JAX's schema
//! (`jax/_src/export/serialization.fbs`). The numbers do not change: later versions append fields.

use super::{Member, Part, range_in};
use crate::module::{bytecode_magic, shown};
use crate::unwrap::Search;
use std::ops::Range;

/// Fields of `Exported`.
mod field {
    /// A string.
    pub(super) const FUNCTION_NAME: usize = 1;
    /// A vector of bytes.
    pub(super) const MLIR_MODULE_SERIALIZED: usize = 13;
    /// A table `Exported`: the function's derivative.
    pub(super) const VJP: usize = 17;
}

/// The maximum number of derivatives of derivatives.
const MAX_ORDER: usize = 64;

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let root = Table::root(bytes)?;
    let module = root.bytes(field::MLIR_MODULE_SERIALIZED)?;
    root.bytes(field::FUNCTION_NAME)?;
    bytecode_magic(bytes.get(module)?).map(|_| "jax.export")
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut members = Vec::new();
    let mut table = Table::root(bytes);
    let mut suffix = String::new();
    while let Some(exported) = table
        && members.len() < MAX_ORDER
    {
        if let Some(module) = exported.bytes(field::MLIR_MODULE_SERIALIZED) {
            let name = exported.bytes(field::FUNCTION_NAME);
            let name = name.and_then(|name| bytes.get(name)).map(shown);
            members.push(Member {
                part: Part::Range(module),
                name: format!("{}{suffix}", name.unwrap_or_default()),
                is_text: true,
                order: members.len(),
                is_damaged: false,
            });
        }
        suffix.push_str(".vjp");
        table = exported.table(field::VJP);
    }
    Some(members)
}

/// A table.
#[derive(Clone, Copy)]
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Table<'a> {
    fn root(bytes: &'a [u8]) -> Option<Self> {
        let at = follow(bytes, 0)?;
        // An offset of zero would be a table on the offset itself.
        (at >= 4).then_some(Table { bytes, at })
    }

    /// Returns the offset of a field; `None` if the table does not have it.
    fn field(self, number: usize) -> Option<usize> {
        let distance = i32::from_le_bytes(*chunk(self.bytes, self.at)?);
        let vtable = i64::try_from(self.at).ok()?.checked_sub(distance.into())?;
        let vtable = usize::try_from(vtable).ok()?;
        let len = u16::from_le_bytes(*chunk(self.bytes, vtable)?);
        let entry = number.checked_mul(2)?.checked_add(4)?;
        if entry.checked_add(2)? > usize::from(len) {
            return None;
        }
        let offset = u16::from_le_bytes(*chunk(self.bytes, vtable.checked_add(entry)?)?);
        match offset {
            0 => None,
            offset => self.at.checked_add(offset.into()),
        }
    }

    /// Returns the range of a string or a vector of bytes.
    fn bytes(self, number: usize) -> Option<Range<usize>> {
        let at = follow(self.bytes, self.field(number)?)?;
        let len = u32::from_le_bytes(*chunk(self.bytes, at)?);
        range_in(self.bytes, at.checked_add(4)? as u64, len.into())
    }

    fn table(self, number: usize) -> Option<Self> {
        let at = follow(self.bytes, self.field(number)?)?;
        Some(Table {
            bytes: self.bytes,
            at,
        })
    }
}

/// Returns where the offset at a position leads: forwards, so that there are no cycles.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    let offset = u32::from_le_bytes(*chunk(bytes, at)?);
    at.checked_add(usize::try_from(offset).ok()?)
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk()
}
