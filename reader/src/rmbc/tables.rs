//! The tables that operations refer to, but for types and attributes.

use super::entries::Entry;
use crate::place::{get, lookup, malformed};
use rmlir_format::rmbc::{affine, resource};
use rmlir_format::{Budget, ErrorKind, Limits, Reader, Result};
use rmlir_ir::affine::{AffineExpr, AffineExprKind};
use rmlir_ir::{
    Blob, Context, Identifier, Location, OperationName, Resource, ResourceEntry, ResourceValue,
};
use std::ops::Range;
use std::sync::Arc;

/// Room that is reserved at once for what is only announced.
const MOST_RESERVED: usize = 1 << 16;

/// What the numbers in a file stand for.
pub(super) struct Tables<'c> {
    pub(super) context: &'c mut Context,
    pub(super) strings: Vec<Identifier>,
    pub(super) names: Vec<OperationName>,
    pub(super) affine: Vec<AffineExpr>,
    pub(super) resources: Vec<Resource>,
    pub(super) entries: Vec<Entry>,
    pub(super) locations: Vec<Location>,
    blobs: Blobs,
    /// Levels of nesting, by entry and by location.
    pub(super) entry_depths: Vec<u32>,
    pub(super) location_depths: Vec<u32>,
    pub(super) max_depth: u64,
    /// For work that a small entry causes on a large one.
    pub(super) budget: Budget,
}

impl<'c> Tables<'c> {
    pub(super) fn new(
        context: &'c mut Context,
        blobs: Blobs,
        limits: &Limits,
        budget: Budget,
    ) -> Self {
        Tables {
            context,
            strings: Vec::new(),
            names: Vec::new(),
            affine: Vec::new(),
            resources: Vec::new(),
            entries: Vec::new(),
            locations: Vec::new(),
            blobs,
            entry_depths: Vec::new(),
            location_depths: Vec::new(),
            max_depth: limits.max_depth,
            budget,
        }
    }

    pub(super) fn read_strings(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.count(1)?;
        self.strings = Vec::with_capacity(count.min(MOST_RESERVED));
        for _ in 0..count {
            let bytes = bytes(&mut input)?;
            self.strings.push(self.context.identifier(bytes));
        }
        input.expect_end()
    }

    pub(super) fn read_operation_names(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.count(1)?;
        self.names = Vec::with_capacity(count.min(MOST_RESERVED));
        // Each takes time in its length, hence no string twice.
        let mut used = vec![false; self.strings.len()];
        for _ in 0..count {
            let at = input.offset();
            let number = input.varint()?;
            let name = lookup(&input, at, "string", &self.strings, number)?;
            let used = usize::try_from(number).ok().and_then(|n| used.get_mut(n));
            if used.is_none_or(|used| std::mem::replace(used, true)) {
                return Err(malformed(
                    &input,
                    at,
                    format!("string #{number} is the name of two operations"),
                ));
            }
            let name = self.context.bytes(name).to_vec();
            OperationName::check(&name)
                .map_err(|invalid| malformed(&input, at, invalid.message().to_owned()))?;
            self.names.push(self.context.operation_name(name));
        }
        input.expect_end()
    }

    pub(super) fn read_affine(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.count(2)?;
        self.affine = Vec::with_capacity(count.min(MOST_RESERVED));
        for _ in 0..count {
            let at = input.offset();
            let kind = self.affine_kind(&mut input)?;
            let expr = self.context.affine_mut().intern(kind);
            self.affine
                .push(expr.map_err(|error| malformed(&input, at, error.to_string()))?);
        }
        input.expect_end()
    }

    fn affine_kind(&self, input: &mut Reader<'_>) -> Result<AffineExprKind> {
        let at = input.offset();
        let make: fn(AffineExpr, AffineExpr) -> AffineExprKind = match input.u8()? {
            affine::CONSTANT => return Ok(AffineExprKind::Constant(input.signed_varint()?)),
            affine::DIM => return Ok(AffineExprKind::Dim(input.varint_u32()?)),
            affine::SYMBOL => return Ok(AffineExprKind::Symbol(input.varint_u32()?)),
            affine::ADD => AffineExprKind::Add,
            affine::MUL => AffineExprKind::Mul,
            affine::MOD => AffineExprKind::Mod,
            affine::FLOOR_DIV => AffineExprKind::FloorDiv,
            affine::CEIL_DIV => AffineExprKind::CeilDiv,
            tag => {
                let message = format!("no affine expression begins with the byte {tag}");
                return Err(malformed(input, at, message));
            }
        };
        let mut operand = || {
            let at = input.offset();
            let back = input.varint()?;
            let number = (self.affine.len() as u64).checked_sub(back);
            let expr = number.and_then(|number| get(&self.affine, number));
            expr.ok_or_else(|| {
                let message = format!("the affine expression {back} before this one is not there");
                malformed(input, at, message)
            })
        };
        Ok(make(operand()?, operand()?))
    }

    pub(super) fn read_resources(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.count(3)?;
        self.resources = Vec::with_capacity(count.min(MOST_RESERVED));
        for _ in 0..count {
            let (dialect, key) = (self.string(&mut input)?, self.string(&mut input)?);
            let at = input.offset();
            let value = self.resource_value(&mut input)?;
            let is_blob = matches!(value, None | Some(ResourceValue::Blob(_)));
            if dialect == self.context.builtin_namespace() && !is_blob {
                let message = "a resource of the builtin dialect is no blob";
                return Err(malformed(&input, at, message));
            }
            let entry = ResourceEntry {
                dialect,
                key,
                value,
            };
            self.resources.push(self.context.add_resource(entry));
        }
        input.expect_end()
    }

    /// What a resource holds. A string is spelled out and never shared, so that it is paid for.
    pub(super) fn resource_value(
        &mut self,
        input: &mut Reader<'_>,
    ) -> Result<Option<ResourceValue>> {
        let at = input.offset();
        Ok(Some(match input.u8()? {
            resource::NONE => return Ok(None),
            resource::BLOB => match self.blobs.next() {
                Some(blob) => ResourceValue::Blob(blob),
                None => return Err(malformed(input, at, "there is no blob for this resource")),
            },
            resource::STRING => ResourceValue::String(bytes(input)?.into()),
            resource::FALSE => ResourceValue::Bool(false),
            resource::TRUE => ResourceValue::Bool(true),
            tag => {
                let message = format!("no value of a resource begins with the byte {tag}");
                return Err(malformed(input, at, message));
            }
        }))
    }

    /// The string of a number that is read.
    #[inline]
    pub(super) fn string(&self, input: &mut Reader<'_>) -> Result<Identifier> {
        let at = input.offset();
        let number = input.varint()?;
        lookup(input, at, "string", &self.strings, number)
    }
}

/// Where the blobs of a file are.
#[derive(Default)]
pub(super) struct Blobs {
    blobs: std::vec::IntoIter<Blob>,
}

impl Blobs {
    /// Reads the table of blobs. `owner` holds the bytes of the file from `base` on.
    pub(super) fn read(
        mut input: Reader<'_>,
        owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
        base: u64,
    ) -> Result<Self> {
        let count = input.count(2)?;
        let mut sizes: Vec<(u32, u64)> = Vec::with_capacity(count.min(MOST_RESERVED));
        for _ in 0..count {
            let at = input.offset();
            let alignment = input.varint_u32()?;
            if alignment != 0 && !alignment.is_power_of_two() {
                let message = format!("the alignment {alignment} is no power of two");
                return Err(malformed(&input, at, message));
            }
            sizes.push((alignment, input.varint()?));
        }
        let mut blobs = Vec::with_capacity(sizes.len());
        for (alignment, len) in sizes {
            let start = input.offset().saturating_sub(base);
            input.skip(len)?;
            let end = input.offset().saturating_sub(base);
            // Both lie in the slice that is read.
            let (Ok(start), Ok(end)) = (usize::try_from(start), usize::try_from(end)) else {
                return Err(input.error(ErrorKind::Limit, "the blob is too far from the start"));
            };
            let range: Range<usize> = start..end;
            blobs.push(Blob::new(owner.clone(), range, alignment));
        }
        input.expect_end()?;
        Ok(Blobs {
            blobs: blobs.into_iter(),
        })
    }

    fn next(&mut self) -> Option<Blob> {
        self.blobs.next()
    }
}

/// Length and bytes.
#[inline]
pub(super) fn bytes<'a>(input: &mut Reader<'a>) -> Result<&'a [u8]> {
    let len = input.varint()?;
    input.bytes(len)
}
