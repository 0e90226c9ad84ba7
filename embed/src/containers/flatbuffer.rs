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

/// A file that ends too early is recognized as long as it has the first bytes of a module.
pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let starts_module = |exported: Table<'_>| {
        let module = follow(bytes, exported.field(field::MLIR_MODULE_SERIALIZED)?)?;
        bytecode_magic(bytes.get(module.checked_add(4)?..)?)
    };
    Table::root(bytes)?.field(field::FUNCTION_NAME)?;
    exported(bytes)
        .any(|exported| starts_module(exported).is_some())
        .then_some("jax.export")
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut members = Vec::new();
    let mut suffix = String::new();
    let mut is_damaged = false;
    for (order, exported) in exported(bytes).enumerate() {
        let name = exported.bytes(field::FUNCTION_NAME);
        let module = exported.bytes(field::MLIR_MODULE_SERIALIZED);
        // The name is the last object in the file.
        is_damaged |= !exported.is_whole()
            || [
                (field::FUNCTION_NAME, name.is_some()),
                (field::MLIR_MODULE_SERIALIZED, module.is_some()),
                (field::VJP, exported.table(field::VJP).is_some()),
            ]
            .iter()
            .any(|&(number, is_there)| !is_there && exported.field(number).is_some());
        if let Some(module) = module {
            let name = name.and_then(|name| bytes.get(name)).map(shown);
            members.push(Member {
                part: Part::Range(module),
                name: format!("{}{suffix}", name.unwrap_or_default()),
                is_text: true,
                order,
                is_damaged: false,
            });
        }
        suffix.push_str(".vjp");
    }
    if is_damaged {
        let reason = "it is cut off, or its offsets are invalid";
        members.push(Member::damaged(0..bytes.len(), reason));
    }
    Some(members)
}

/// Returns the tables of an exported function and its derivatives.
fn exported(bytes: &[u8]) -> impl Iterator<Item = Table<'_>> {
    std::iter::successors(Table::root(bytes), |exported| exported.table(field::VJP)).take(MAX_ORDER)
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

    /// Returns the offset of the table of field offsets, its length, and that of this table.
    fn vtable(self) -> Option<(usize, u16, u16)> {
        let distance = i32::from_le_bytes(*chunk(self.bytes, self.at)?);
        let vtable = i64::try_from(self.at).ok()?.checked_sub(distance.into())?;
        let vtable = usize::try_from(vtable).ok()?;
        let len = u16::from_le_bytes(*chunk(self.bytes, vtable)?);
        let table = u16::from_le_bytes(*chunk(self.bytes, vtable.checked_add(2)?)?);
        Some((vtable, len, table))
    }

    /// Returns whether the table and the offsets of its fields are within the bytes.
    fn is_whole(self) -> bool {
        self.vtable().is_some_and(|(vtable, len, table)| {
            range_in(self.bytes, vtable as u64, len.into()).is_some()
                && range_in(self.bytes, self.at as u64, table.into()).is_some()
        })
    }

    /// Returns the offset of a field; `None` if the table does not have it.
    fn field(self, number: usize) -> Option<usize> {
        let (vtable, len, _) = self.vtable()?;
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
        (at < self.bytes.len()).then_some(Table {
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
