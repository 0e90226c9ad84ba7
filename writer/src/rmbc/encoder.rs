//! The tables of a file that is being written.

use super::WriteOptions;
use super::entries::Entries;
use super::strings::Strings;
use crate::numbers::{Numbers, next};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use rmlir_format::rmbc::table::Table;
use rmlir_format::rmbc::{APART, BlobCode, affine, blob_alignment, is_external_path, resource};
use rmlir_format::section::MAX_ALIGNMENT_LOG;
use rmlir_format::varint::{write_signed_varint, write_varint};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::affine::{AffineExpr, AffineExprKind};
use rmlir_ir::{Context, Identifier, Module, Resource, ResourceValue};
use std::borrow::Cow;

/// The table of affine expressions.
#[derive(Default)]
pub(super) struct AffineTable {
    numbers: HashMap<AffineExpr, u32, RandomState>,
    table: Table,
}

impl AffineTable {
    /// Encodes the section; no bytes if there are no expressions.
    pub(super) fn finish(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if !self.numbers.is_empty() {
            self.table.finish(&mut out)?;
        }
        Ok(out)
    }
}

/// All tables. References are collected first, then numbered, then written.
pub(super) struct Encoder<'c> {
    pub(super) context: &'c Context,
    pub(super) strings: Strings,
    pub(super) affine: AffineTable,
    pub(super) entries: Entries,
    /// Whether strings and entries have their numbers.
    pub(super) numbered: bool,
    resource_numbers: Numbers,
    resources: Vec<Resource>,
    blobs: Vec<NewBlob<'c>>,
    /// Whether bodies have fragments.
    pub(super) has_fragments: bool,
    /// The minimum length of data of elements that is stored in a blob.
    pub(super) apart: usize,
}

/// The data of a blob to be written.
struct NewBlob<'c> {
    /// The requested alignment, or 0.
    alignment: u32,
    data: Cow<'c, [u8]>,
    /// Whether it may be stored in another file: it is the value of a resource.
    is_movable: bool,
}

impl<'c> Encoder<'c> {
    pub(super) fn new(context: &'c Context, module: &Module) -> Self {
        let operations = module.operation_slots();
        Encoder {
            context,
            strings: Strings::new(context, operations),
            affine: AffineTable::default(),
            entries: Entries::new(context, operations),
            numbered: false,
            resource_numbers: Numbers::default(),
            resources: Vec::new(),
            blobs: Vec::new(),
            has_fragments: false,
            apart: APART,
        }
    }

    /// Returns the number of a string; while strings are collected, a placeholder unique to it.
    pub(super) fn string(&mut self, string: Identifier) -> u64 {
        if self.numbered {
            return self.strings.get(string);
        }
        self.strings.collect(string);
        string.index() as u64
    }

    /// Returns the number of an expression, which is added if new. Its operands come before it.
    pub(super) fn affine(&mut self, expr: AffineExpr) -> Result<u64> {
        let AffineTable { numbers, table } = &mut self.affine;
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
            let out = table.entry();
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

    /// Returns the number of a resource; a new resource is collected.
    pub(super) fn resource(&mut self, resource: Resource) -> Result<u64> {
        if let Some(number) = self.resource_numbers.get(resource.index()) {
            return Ok(number.into());
        }
        let entry = self.context.resource(resource);
        self.strings.collect(entry.dialect);
        self.strings.collect(entry.key);
        if let Some(value) = &entry.value {
            let is_blob = matches!(value, ResourceValue::Blob(_));
            if entry.dialect == self.context.builtin_namespace() && !is_blob {
                return Err(Error::new(
                    ErrorKind::InvalidRequest,
                    "a resource of the builtin dialect is not a blob",
                ));
            }
            check_value(value)?;
        }
        let number = self.resources.len() as u32;
        next(number)?;
        self.resources.push(resource);
        self.resource_numbers.set(resource.index(), number);
        Ok(number.into())
    }

    /// Encodes the section of resources; no bytes if there are none.
    pub(super) fn finish_resources(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.resources.is_empty() {
            return out;
        }
        write_varint(&mut out, self.resources.len() as u64);
        for resource in std::mem::take(&mut self.resources) {
            let entry = self.context.resource(resource);
            write_varint(&mut out, self.strings.get(entry.dialect));
            write_varint(&mut out, self.strings.get(entry.key));
            match &entry.value {
                Some(value) => self.resource_value(&mut out, value),
                None => out.push(resource::NONE),
            }
        }
        out
    }

    /// Appends the value of a resource, which was checked.
    pub(super) fn resource_value(&mut self, out: &mut Vec<u8>, value: &'c ResourceValue) {
        match value {
            ResourceValue::Blob(blob) => {
                out.push(resource::BLOB);
                write_varint(out, self.blobs.len() as u64);
                self.blobs.push(NewBlob {
                    alignment: blob.alignment(),
                    data: Cow::Borrowed(blob.data()),
                    is_movable: true,
                });
            }
            ResourceValue::String(text) => {
                out.push(resource::STRING);
                write_bytes(out, text);
            }
            ResourceValue::Bool(false) => out.push(resource::FALSE),
            ResourceValue::Bool(true) => out.push(resource::TRUE),
        }
    }

    /// Adds a blob for the data of large elements, and returns its number.
    pub(super) fn elements_blob(&mut self, data: Cow<'c, [u8]>) -> u64 {
        self.blobs.push(NewBlob {
            alignment: 0,
            data,
            is_movable: false,
        });
        self.blobs.len() as u64 - 1
    }

    /// Lays the blobs out without copying.
    pub(super) fn blobs(&mut self, options: &WriteOptions) -> Result<BlobSections<'c>> {
        let mut sections = BlobSections::default();
        let least = options.blob_alignment;
        if !least.is_power_of_two() || least > 1 << MAX_ALIGNMENT_LOG {
            let message = format!("blobs can't be aligned to {least}");
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        }
        let external = options.external_blobs.as_ref();
        let path = external.map_or("", |external| &external.path);
        if external.is_some() && !is_external_path(path.as_bytes()) {
            let message = format!("'{path}' is not a path of names relative to the file");
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        }
        let BlobSections {
            list,
            inside,
            outside,
            alignment,
        } = &mut sections;
        if !self.blobs.is_empty() {
            write_varint(list, self.blobs.len() as u64);
        }
        for blob in std::mem::take(&mut self.blobs) {
            let len = blob.data.len() as u64;
            let own = blob_alignment(blob.alignment, len);
            let is_external =
                blob.is_movable && external.is_some_and(|external| len >= external.above);
            let has_least = least > own && !is_external;
            let code = BlobCode {
                asked: blob.alignment,
                is_external,
                least_log: if has_least { least.trailing_zeros() } else { 0 },
            };
            let aligned = code.alignment(len);
            write_varint(list, code.code());
            match is_external {
                false => {
                    write_varint(list, len);
                    inside.push(blob.data, aligned);
                    *alignment = (*alignment).max(aligned);
                }
                true => {
                    write_varint(list, len);
                    write_bytes(list, path.as_bytes());
                    let hash = rmlir_ir::hash::hash(&blob.data);
                    write_varint(list, outside.push(blob.data, aligned));
                    list.extend_from_slice(&hash);
                }
            }
        }
        Ok(sections)
    }
}

/// Consecutive blobs with the padding between them.
#[derive(Default)]
pub(super) struct Pieces<'c> {
    pub(super) pieces: Vec<Cow<'c, [u8]>>,
    pub(super) len: u64,
}

impl<'c> Pieces<'c> {
    /// Appends a blob and returns its offset.
    fn push(&mut self, data: Cow<'c, [u8]>, alignment: u32) -> u64 {
        const ZEROS: [u8; 1 << MAX_ALIGNMENT_LOG] = [0; 1 << MAX_ALIGNMENT_LOG];
        let start = self.len.next_multiple_of(alignment.into());
        let padding = (start - self.len) as usize;
        self.pieces.push(Cow::Borrowed(&ZEROS[..padding]));
        self.len = start + data.len() as u64;
        self.pieces.push(data);
        start
    }
}

/// The blobs of a file.
#[derive(Default)]
pub(super) struct BlobSections<'c> {
    /// The list of blobs; no bytes if there are none.
    pub(super) list: Vec<u8>,
    pub(super) inside: Pieces<'c>,
    /// The blobs to be stored in another file.
    pub(super) outside: Pieces<'c>,
    /// The alignment of the section.
    pub(super) alignment: u32,
}

/// Checks the value of a resource: text and reader accept powers of two only as alignments.
pub(super) fn check_value(value: &ResourceValue) -> Result<()> {
    if let ResourceValue::Blob(blob) = value
        && blob.alignment() != 0
        && !blob.alignment().is_power_of_two()
    {
        return Err(Error::new(
            ErrorKind::InvalidRequest,
            format!(
                "the alignment {} of a blob is not a power of two",
                blob.alignment()
            ),
        ));
    }
    Ok(())
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

/// Appends the length and the bytes.
pub(super) fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends 0 for `None`, else the number plus one.
pub(super) fn write_option(out: &mut Vec<u8>, number: Option<u64>) {
    write_varint(out, number.map_or(0, |number| number + 1));
}
