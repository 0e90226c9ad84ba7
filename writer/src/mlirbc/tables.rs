//! Writes the sections of dialects and of attributes and types.

use super::builtin::{self, Form};
use super::entries::{AttributeEntry, Child, Detail, Entry, Layout, Table};
use super::fields::FieldWriter;
use super::numbering::Numbering;
use super::strings::Strings;
use super::target::Target;
use rmlir_format::mlirbc::{section, write_section};
use rmlir_format::prefix_varint::{write_prefix_flagged_varint, write_prefix_varint};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::builtin_codecs::attribute as code;
use rmlir_ir::codec::{Codec, FieldValues};
use rmlir_ir::definition::Family;
use rmlir_ir::{Attribute, Context, Location, ResourceKeys, Type};
use rmlir_text::{PrintError, PrintOptions, print_attribute, print_location, print_type};
use std::sync::Arc;

/// Calls `begin` with the dialect and length of each run of equal dialects, and `each` per entry.
fn groups<T, S>(
    table: &Table<T>,
    state: &mut S,
    mut begin: impl FnMut(&mut S, u32, u64),
    mut each: impl FnMut(&mut S, &Entry<T>) -> Result<()>,
) -> Result<()> {
    for (dialect, group) in table.groups() {
        begin(state, dialect, group.len() as u64);
        group
            .iter()
            .try_for_each(|&place| each(state, table.entry(place)))?;
    }
    Ok(())
}

/// Encodes the section of dialects and names of operations.
pub(super) fn dialects<'c>(
    context: &'c Context,
    numbering: &Numbering,
    strings: &mut Strings<'c>,
    target: &Target,
) -> Result<Vec<u8>> {
    let numbers = &numbering.numbers;
    let mut out = Vec::new();
    write_prefix_varint(&mut out, numbers.dialects.len() as u64);
    for &dialect in &numbers.dialects {
        let name = strings.identifier(dialect);
        if !target.version.has_dialect_versions() {
            write_prefix_varint(&mut out, name);
            continue;
        }
        let version = target.dialect_version(context, dialect);
        write_prefix_flagged_varint(&mut out, name, version.is_some());
        if let Some(version) = version {
            write_section(&mut out, 0, section::DIALECT_VERSION, &version, 1);
        }
    }
    if target.version.has_argument_flags() {
        write_prefix_varint(&mut out, numbers.names.entries.len() as u64);
    }
    groups(
        &numbers.names,
        &mut out,
        |out, dialect, len| {
            write_prefix_varint(out, dialect.into());
            write_prefix_varint(out, len);
        },
        |out, entry| {
            let full = context.operation_name_bytes(entry.handle);
            let dot = full.iter().position(|&byte| byte == b'.');
            let name = dot.and_then(|dot| full.get(dot + 1..)).unwrap_or_default();
            if dot.is_some() && name.is_empty() {
                let name = String::from_utf8_lossy(full);
                return Err(Error::new(
                    ErrorKind::InvalidRequest,
                    format!(
                        "an operation named '{name}' cannot be distinguished from one without the dot"
                    ),
                ));
            }
            let number = strings.bytes(name);
            match target.version.has_properties() {
                true => {
                    let registered = numbering.properties.is_registered(entry.handle);
                    write_prefix_flagged_varint(out, number, registered);
                }
                false => write_prefix_varint(out, number),
            }
            Ok(())
        },
    )?;
    Ok(out)
}

/// Encodes the sections of offsets and of entries.
pub(super) fn entries<'c>(
    context: &'c Context,
    numbering: &Numbering,
    keys: &Arc<ResourceKeys>,
    strings: &mut Strings<'c>,
    target: &Target,
    max_text: u64,
) -> Result<(Vec<u8>, Vec<u8>)> {
    let numbers = &numbering.numbers;
    let mut print_options = PrintOptions::default();
    print_options.resource_keys = Some(Arc::clone(keys));
    print_options.release = Some(target.release(Family::Llvm));
    let mut writer = EntryWriter {
        context,
        numbering,
        strings,
        target,
        print_options,
        text_left: max_text,
        max_text,
        offsets: Vec::with_capacity(numbers.attributes.entries.len()),
        out: Vec::with_capacity(numbers.attributes.entries.len().saturating_mul(8)),
    };
    write_prefix_varint(&mut writer.offsets, numbers.attributes.entries.len() as u64);
    write_prefix_varint(&mut writer.offsets, numbers.types.entries.len() as u64);
    groups(
        &numbers.attributes,
        &mut writer,
        EntryWriter::group,
        EntryWriter::attribute,
    )?;
    groups(
        &numbers.types,
        &mut writer,
        EntryWriter::group,
        EntryWriter::ty,
    )?;
    Ok((writer.offsets, writer.out))
}

struct EntryWriter<'w, 'c> {
    context: &'c Context,
    numbering: &'w Numbering,
    strings: &'w mut Strings<'c>,
    target: &'w Target,
    print_options: PrintOptions,
    /// The remaining budget of text, in bytes.
    text_left: u64,
    max_text: u64,
    offsets: Vec<u8>,
    out: Vec<u8>,
}

impl<'c> EntryWriter<'_, 'c> {
    fn group(&mut self, dialect: u32, len: u64) {
        write_prefix_varint(&mut self.offsets, dialect.into());
        write_prefix_varint(&mut self.offsets, len);
    }

    fn attribute(&mut self, entry: &Entry<AttributeEntry>) -> Result<()> {
        let detail = self.numbering.numbers.attributes.detail(entry);
        if let (AttributeEntry::Location(location), Layout::InFile(file)) =
            (entry.handle, &detail.layout)
        {
            return self.in_file(location, *file);
        }
        let form = match detail.layout {
            Layout::Builtin => builtin::entry(self.context, entry.handle, self.target)?,
            _ => None,
        };
        let print = |context: &Context, options: &PrintOptions, out: &mut Vec<u8>| match entry
            .handle
        {
            AttributeEntry::Attribute(attribute) => {
                print_attribute(context, attribute, options, out)
            }
            AttributeEntry::Location(location) => print_location(context, location, options, out),
        };
        self.entry(detail, form, print)
    }

    /// Writes a position or range in a file; fast path, since they are numerous.
    fn in_file(&mut self, location: Location, name: Attribute) -> Result<()> {
        let start = self.out.len();
        let file = self.numbering.numbers.attribute(name)?;
        if let Some((_, line, column)) = self.context.place_in_file(location) {
            for number in [code::FILE_LINE_COL_LOC, file, line.into(), column.into()] {
                write_prefix_varint(&mut self.out, number);
            }
        } else {
            let kind = self.context.location_kind(location);
            let Some(form) = builtin::location(kind, self.target)? else {
                return Ok(());
            };
            write_prefix_varint(&mut self.out, form.codec.code);
            FieldWriter {
                context: self.context,
                numbers: &self.numbering.numbers,
                strings: self.strings,
                out: &mut self.out,
                children: [Child::Attribute(name)].iter(),
            }
            .write(form.codec, &form.values)?;
        }
        let len = (self.out.len() - start) as u64;
        write_prefix_flagged_varint(&mut self.offsets, len, true);
        Ok(())
    }

    fn ty(&mut self, entry: &Entry<Type>) -> Result<()> {
        let detail = self.numbering.numbers.types.detail(entry);
        let form = match detail.layout {
            Layout::Builtin => builtin::ty(self.context, entry.handle, self.target),
            _ => None,
        };
        let print = |context: &Context, options: &PrintOptions, out: &mut Vec<u8>| {
            print_type(context, entry.handle, options, out)
        };
        self.entry(detail, form, print)
    }

    fn entry(
        &mut self,
        detail: &Detail,
        form: Option<Form<'c>>,
        print: impl FnOnce(&Context, &PrintOptions, &mut Vec<u8>) -> std::result::Result<(), PrintError>,
    ) -> Result<()> {
        let start = self.out.len();
        let is_private = match (&detail.layout, form) {
            (&Layout::Encoded(number), _) => {
                let encoded = &self.numbering.encoded[number as usize];
                self.fields(detail, &encoded.codec, &encoded.values)?;
                true
            }
            (Layout::Builtin, Some(form)) => {
                self.fields(detail, form.codec, &form.values)?;
                true
            }
            _ => {
                self.print_options.max_output = self.text_left;
                print(self.context, &self.print_options, &mut self.out).map_err(|error| {
                    let message = match error {
                        PrintError::TooLarge(_) => format!(
                            "the text of attributes and types is longer than the limit of {} bytes (mlirbc::WriteOptions::max_text)",
                            self.max_text
                        ),
                        error => format!("an attribute or type as text: {error}"),
                    };
                    Error::new(ErrorKind::Limit, message)
                })?;
                let len = (self.out.len() - start) as u64;
                self.text_left = self.text_left.saturating_sub(len);
                self.out.push(0);
                false
            }
        };
        let len = (self.out.len() - start) as u64;
        write_prefix_flagged_varint(&mut self.offsets, len, is_private);
        Ok(())
    }

    fn fields(&mut self, detail: &Detail, codec: &Codec, values: &FieldValues<'_>) -> Result<()> {
        let children = detail.children.start as usize..detail.children.end as usize;
        write_prefix_varint(&mut self.out, codec.code);
        FieldWriter {
            context: self.context,
            numbers: &self.numbering.numbers,
            strings: self.strings,
            out: &mut self.out,
            children: self.numbering.children[children].iter(),
        }
        .write(codec, values)
    }
}
