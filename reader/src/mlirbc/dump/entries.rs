//! Describes attributes and types, field by field, by their codecs.

use super::{DumpPart, Dumper, FieldContent};
use crate::mlirbc::dialect_codecs::DialectCodecs;
use rmlir_format::{ErrorKind, Reader, Result};
use rmlir_ir::codec::{Codec, FieldKind};

impl<'a> Dumper<'_, 'a> {
    pub(super) fn entries(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let (mut attribute, mut ty) = (0u64, 0u64);
        for number in 0..self.names.entries.len() {
            let Some(&(dialect, size, private)) = self.names.entries.get(number) else {
                break;
            };
            let mut data = input.sub_reader(size, input.section())?;
            let is_attribute = number < self.names.attributes;
            let family = match private {
                true => self.family(dialect),
                false => None,
            };
            let code = data.clone().prefix_varint().unwrap_or_default();
            let rows = || (0..).map_while(|n| family.as_ref()?.row(!is_attribute, code, n));
            // Of several layouts, the newest that fits the entry exactly applies.
            let codec = rows()
                .find(|row| self.fits(row.0, data.clone()))
                .or_else(|| rows().next())
                .map(|row| row.0);
            let name = match (private, codec) {
                (false, _) => "assembly",
                (true, Some(codec)) => &codec.name,
                (true, None) => "",
            };
            let part = match is_attribute {
                true => DumpPart::Attribute {
                    number: attribute,
                    dialect,
                    codec: name,
                },
                false => DumpPart::Type {
                    number: ty,
                    dialect,
                    codec: name,
                },
            };
            match is_attribute {
                true => attribute = attribute.saturating_add(1),
                false => ty = ty.saturating_add(1),
            }
            self.enter(data.offset(), part);
            match codec {
                _ if !private => {
                    let start = data.offset();
                    let bytes = data.rest();
                    let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
                    self.field(&data, start, "text", FieldContent::Text(text));
                }
                Some(codec) => {
                    let depth = self.depth;
                    if let Err(error) = self.entry(codec, &mut data) {
                        self.damage(&mut data, depth, error);
                    }
                }
                None => {
                    self.bytes(&mut data, "private encoding", u64::MAX)?;
                }
            }
            if !data.is_empty() {
                let depth = self.depth;
                let error = data.error(ErrorKind::Malformed, "bytes are left over in an entry");
                self.damage(&mut data, depth, error);
            }
            self.leave(data.offset());
        }
        Ok(())
    }

    /// Returns the known encodings of a dialect.
    fn family(&self, dialect: &[u8]) -> Option<DialectCodecs> {
        DialectCodecs::of(self.context, dialect, None)
    }

    /// Returns whether a layout fits an entry exactly.
    fn fits(&self, codec: &Codec, mut data: Reader<'a>) -> bool {
        struct Silent;
        impl super::Visitor for Silent {
            fn enter(&mut self, _: u64, _: DumpPart<'_>) {}
            fn field(&mut self, _: std::ops::Range<u64>, _: &str, _: FieldContent<'_>) {}
            fn leave(&mut self, _: u64) {}
        }
        let mut silent = Dumper {
            context: self.context,
            visitor: &mut Silent,
            names: Default::default(),
            version: self.version,
            depth: 0,
            errors: Vec::new(),
            bytes: &[],
            told: 0,
            layouts: Default::default(),
        };
        silent.entry(codec, &mut data).is_ok() && data.is_empty()
    }

    fn entry(&mut self, codec: &Codec, data: &mut Reader<'a>) -> Result<()> {
        self.varint(data, "code")?;
        for field in codec.fields.iter() {
            match field.kind {
                FieldKind::List(item) => self.items(data, &field.name, &[*item])?,
                FieldKind::Pairs(items) => self.items(data, &field.name, items)?,
                FieldKind::FlaggedList(item) => {
                    if self.byte(data, &field.name)? != 0 {
                        self.items(data, &field.name, &[*item])?;
                    }
                }
                FieldKind::FlaggedAttribute => {
                    if self.byte(data, &field.name)? != 0 {
                        self.reference(data, &field.name, "attribute")?;
                    }
                }
                FieldKind::NumberFlaggedAttribute => {
                    if self.varint(data, &field.name)? != 0 {
                        self.reference(data, &field.name, "attribute")?;
                    }
                }
                FieldKind::Strings => {
                    while !data.is_empty() {
                        self.string(data, &field.name)?;
                    }
                }
                kind => self.scalar(data, &field.name, kind)?,
            }
        }
        Ok(())
    }

    fn items(&mut self, data: &mut Reader<'a>, name: &str, kinds: &[FieldKind]) -> Result<()> {
        for _ in 0..self.count(data, name)? {
            for kind in kinds {
                self.scalar(data, name, *kind)?;
            }
        }
        Ok(())
    }

    fn scalar(&mut self, data: &mut Reader<'a>, name: &str, kind: FieldKind) -> Result<()> {
        match kind {
            FieldKind::Attribute
            | FieldKind::StringAttribute
            | FieldKind::SymbolReference
            | FieldKind::Location => self.reference(data, name, "attribute"),
            FieldKind::Type => self.reference(data, name, "type"),
            FieldKind::Resource => self.reference(data, name, "resource"),
            FieldKind::String => self.string(data, name).map(drop),
            FieldKind::OptionalAttribute | FieldKind::OptionalVarint => {
                self.flagged(data, name).map(drop)
            }
            FieldKind::Varint => self.varint(data, name).map(drop),
            FieldKind::SignedVarint | FieldKind::Float64 => {
                let start = data.offset();
                let value = data.prefix_signed_varint()?;
                self.field(data, start, name, FieldContent::Signed(value));
                Ok(())
            }
            FieldKind::Byte | FieldKind::Bool => self.byte(data, name).map(drop),
            FieldKind::Blob => {
                let len = self.varint(data, name)?;
                let start = data.offset();
                let bytes = data.bytes(len)?;
                self.field(data, start, name, FieldContent::Bytes(bytes));
                Ok(())
            }
            // Their length depends on the meaning of other fields. They come last, so they extend
            // to the end.
            _ => self.bytes(data, name, u64::MAX).map(drop),
        }
    }
}
