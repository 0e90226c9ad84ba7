//! The tables of a file while it is written.

use super::entries::Entries;
use super::locations::Locations;
use super::numbers::{Numbers, next};
use super::table;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use rmlir_format::rmbc::{affine, resource};
use rmlir_format::varint::{write_signed_varint, write_varint};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::affine::{AffineExpr, AffineExprKind};
use rmlir_ir::{Blob, Context, Identifier, OperationName, Resource, ResourceValue};
use std::borrow::Cow;

/// A table of what a handle stands for.
pub(super) struct Table {
    numbers: Numbers,
    count: u32,
    out: Vec<u8>,
}

impl Table {
    fn new() -> Self {
        Table {
            numbers: Numbers::default(),
            count: 0,
            out: Vec::new(),
        }
    }

    fn add(&mut self, index: usize) -> Result<u32> {
        let number = self.count;
        self.count = next(number)?;
        self.numbers.set(index, number);
        Ok(number)
    }

    pub(super) fn finish(self) -> Vec<u8> {
        table(self.count, self.out)
    }
}

/// The table of affine expressions.
#[derive(Default)]
pub(super) struct AffineTable {
    numbers: HashMap<AffineExpr, u32, RandomState>,
    out: Vec<u8>,
}

impl AffineTable {
    pub(super) fn finish(self) -> Vec<u8> {
        table(self.numbers.len() as u32, self.out)
    }
}

/// All tables. Each method that takes a handle returns its number, and adds it to its table first if it is
/// new.
pub(super) struct Encoder<'c> {
    pub(super) context: &'c Context,
    pub(super) strings: Table,
    pub(super) names: Table,
    pub(super) affine: AffineTable,
    pub(super) resources: Table,
    pub(super) entries: Entries,
    pub(super) locations: Locations,
    blobs: Vec<&'c Blob>,
}

impl<'c> Encoder<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Encoder {
            context,
            strings: Table::new(),
            names: Table::new(),
            affine: AffineTable::default(),
            resources: Table::new(),
            entries: Entries::new(context),
            locations: Locations::default(),
            blobs: Vec::new(),
        }
    }

    pub(super) fn string(&mut self, string: Identifier) -> Result<u64> {
        if let Some(number) = self.strings.numbers.get(string.index()) {
            return Ok(number.into());
        }
        write_bytes(&mut self.strings.out, self.context.bytes(string));
        Ok(self.strings.add(string.index())?.into())
    }

    pub(super) fn operation_name(&mut self, name: OperationName) -> Result<u64> {
        if let Some(number) = self.names.numbers.get(name.index()) {
            return Ok(number.into());
        }
        let string = self.string(self.context.operation_name_identifier(name))?;
        write_varint(&mut self.names.out, string);
        Ok(self.names.add(name.index())?.into())
    }

    /// Operands of an expression come before it.
    pub(super) fn affine(&mut self, expr: AffineExpr) -> Result<u64> {
        let AffineTable { numbers, out } = &mut self.affine;
        let mut stack = vec![expr];
        let mut last = 0;
        while let Some(&top) = stack.last() {
            if let Some(&number) = numbers.get(&top) {
                last = number;
                stack.pop();
                continue;
            }
            let kind = self.context.affine().kind(top).ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidRequest,
                    "an affine expression is not of the module's context",
                )
            })?;
            let count = numbers.len() as u32;
            let operands = match kind.operands() {
                None => None,
                Some((left, right)) => match (numbers.get(&left), numbers.get(&right)) {
                    (Some(left), Some(right)) => Some((count - left, count - right)),
                    (left_known, right_known) => {
                        stack.extend(right_known.is_none().then_some(right));
                        stack.extend(left_known.is_none().then_some(left));
                        continue;
                    }
                },
            };
            next(count)?;
            out.push(affine_tag(kind));
            match kind {
                AffineExprKind::Constant(value) => write_signed_varint(out, value),
                AffineExprKind::Dim(position) | AffineExprKind::Symbol(position) => {
                    write_varint(out, position.into());
                }
                _ => {}
            }
            if let Some((left, right)) = operands {
                write_varint(out, left.into());
                write_varint(out, right.into());
            }
            numbers.insert(top, count);
        }
        Ok(last.into())
    }

    pub(super) fn resource(&mut self, resource: Resource) -> Result<u64> {
        if let Some(number) = self.resources.numbers.get(resource.index()) {
            return Ok(number.into());
        }
        let entry = self.context.resource(resource);
        let (dialect, key) = (self.string(entry.dialect)?, self.string(entry.key)?);
        let mut out = std::mem::take(&mut self.resources.out);
        write_varint(&mut out, dialect);
        write_varint(&mut out, key);
        match &entry.value {
            Some(value) => {
                let is_blob = matches!(value, ResourceValue::Blob(_));
                if entry.dialect == self.context.builtin_namespace() && !is_blob {
                    return Err(Error::new(
                        ErrorKind::InvalidRequest,
                        "a resource of the builtin dialect is no blob",
                    ));
                }
                self.resource_value(&mut out, value)?;
            }
            None => out.push(resource::NONE),
        }
        self.resources.out = out;
        Ok(self.resources.add(resource.index())?.into())
    }

    pub(super) fn resource_value(
        &mut self,
        out: &mut Vec<u8>,
        value: &'c ResourceValue,
    ) -> Result<()> {
        match value {
            ResourceValue::Blob(blob) => {
                // Neither text nor the reader takes another.
                let alignment = blob.alignment();
                if alignment != 0 && !alignment.is_power_of_two() {
                    return Err(Error::new(
                        ErrorKind::InvalidRequest,
                        format!("the alignment {alignment} of a blob is no power of two"),
                    ));
                }
                out.push(resource::BLOB);
                self.blobs.push(blob);
            }
            ResourceValue::String(text) => {
                out.push(resource::STRING);
                write_bytes(out, text);
            }
            ResourceValue::Bool(false) => out.push(resource::FALSE),
            ResourceValue::Bool(true) => out.push(resource::TRUE),
        }
        Ok(())
    }

    /// The section of blobs.
    pub(super) fn blobs(&self) -> Cow<'c, [u8]> {
        if self.blobs.is_empty() {
            return Cow::Borrowed(&[]);
        }
        let mut out = Vec::new();
        write_varint(&mut out, self.blobs.len() as u64);
        for blob in &self.blobs {
            write_varint(&mut out, blob.alignment().into());
            write_varint(&mut out, blob.data().len() as u64);
        }
        out.reserve_exact(self.blobs.iter().map(|blob| blob.data().len()).sum());
        for blob in &self.blobs {
            out.extend_from_slice(blob.data());
        }
        Cow::Owned(out)
    }
}

fn affine_tag(kind: AffineExprKind) -> u8 {
    match kind {
        AffineExprKind::Constant(_) => affine::CONSTANT,
        AffineExprKind::Dim(_) => affine::DIM,
        AffineExprKind::Symbol(_) => affine::SYMBOL,
        AffineExprKind::Add(..) => affine::ADD,
        AffineExprKind::Mul(..) => affine::MUL,
        AffineExprKind::Mod(..) => affine::MOD,
        AffineExprKind::FloorDiv(..) => affine::FLOOR_DIV,
        AffineExprKind::CeilDiv(..) => affine::CEIL_DIV,
    }
}

/// Length and bytes.
pub(super) fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// 0 for nothing, else the number plus one.
pub(super) fn write_option(out: &mut Vec<u8>, number: Option<u64>) {
    write_varint(out, number.map_or(0, |number| number + 1));
}
