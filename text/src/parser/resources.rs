//! Parses `{-# dialect_resources: ..., external_resources: ... #-}`.

use super::Parser;
use crate::diagnostic::Result;
use crate::lexer::{Token, TokenKind, unescape};
use rmlir_ir::asm::AsmError;
use rmlir_ir::{
    Blob, ExternalResources, Identifier, Provenance, Resource, ResourceEntry, ResourceValue,
};

impl<'s> Parser<'s, '_> {
    /// Parses the key of a resource, by which attributes refer to it.
    pub(super) fn resource_handle(&mut self, dialect: Identifier) -> Result<Resource> {
        let key = self.resource_key()?;
        Ok(self.resource(dialect, key))
    }

    /// Returns the resource with that key in this file.
    fn resource(&mut self, dialect: Identifier, key: Identifier) -> Resource {
        let context = &mut *self.context;
        *self.resources.entry((dialect, key)).or_insert_with(|| {
            context.add_resource(ResourceEntry {
                dialect,
                key,
                value: None,
            })
        })
    }

    /// `name` or `"name"`.
    fn resource_key(&mut self) -> Result<Identifier> {
        let token = match self.token.kind {
            TokenKind::BareIdentifier | TokenKind::String => self.advance(),
            TokenKind::Error(error) => return Err(self.error(error.message())),
            _ => return Err(self.error("expected identifier key for 'resource' entry")),
        };
        Ok(self.string_identifier(token))
    }

    /// Parses the file metadata, whose `{-#` is the current token.
    pub(super) fn file_metadata(&mut self, provenance: &mut Provenance) -> Result<()> {
        self.advance();
        self.comma_list(TokenKind::MetadataEnd, "'#-}'", |parser| {
            let key = parser.token;
            let name = parser.resource_key()?;
            parser.expect(TokenKind::Colon, "':'")?;
            match parser.context.bytes(name) {
                b"dialect_resources" => parser.dialect_resources(provenance),
                b"external_resources" => parser.external_resources(provenance),
                other => {
                    let message = format!(
                        "unknown key '{}' in file metadata dictionary",
                        other.escape_ascii()
                    );
                    Err(AsmError::new(key.start, message))
                }
            }
        })
    }

    fn dialect_resources(&mut self, provenance: &mut Provenance) -> Result<()> {
        self.braced_list(|parser| {
            let dialect = parser.resource_key()?;
            parser.expect(TokenKind::Colon, "':'")?;
            parser.braced_list(|parser| {
                let start = parser.token.start;
                let key = parser.resource_key()?;
                parser.expect(TokenKind::Colon, "':'")?;
                let place = parser.token.start;
                let value = parser.resource_value()?;
                let is_blob = matches!(value, ResourceValue::Blob(_));
                if dialect == parser.context.builtin_namespace() && !is_blob {
                    return Err(AsmError::new(place, "expected hex string blob"));
                }
                let resource = parser.resource(dialect, key);
                let entry = parser.context.resource_mut(resource);
                if entry.value.replace(value).is_some() {
                    // Upstream takes the last value, and so gives operations the data of others.
                    let message = format!(
                        "resource '{}' is already defined: a file has one value for a key",
                        parser.context.bytes(key).escape_ascii()
                    );
                    return Err(AsmError::new(start, message));
                }
                provenance.resources.push(resource);
                Ok(())
            })
        })
    }

    fn external_resources(&mut self, provenance: &mut Provenance) -> Result<()> {
        self.braced_list(|parser| {
            let group = parser.resource_key()?;
            parser.expect(TokenKind::Colon, "':'")?;
            let mut entries = Vec::new();
            parser.braced_list(|parser| {
                let key = parser.resource_key()?;
                parser.expect(TokenKind::Colon, "':'")?;
                entries.push((key, parser.resource_value()?));
                Ok(())
            })?;
            provenance
                .external_resources
                .push(ExternalResources { group, entries });
            Ok(())
        })
    }

    fn braced_list(&mut self, item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.expect(TokenKind::LeftBrace, "'{'")?;
        self.comma_list(TokenKind::RightBrace, "'}'", item)
    }

    /// Parses items separated by commas, up to `end`. The nesting is fixed, so this does not
    /// recurse on the input.
    fn comma_list(
        &mut self,
        end: TokenKind,
        what: &str,
        mut item: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if self.eat(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.eat(TokenKind::Comma) {
                self.expect(end, what)?;
                return Ok(());
            }
        }
    }

    fn resource_value(&mut self) -> Result<ResourceValue> {
        match self.token.kind {
            TokenKind::BareIdentifier if matches!(self.current(), b"true" | b"false") => {
                let value = self.current() == b"true";
                self.advance();
                Ok(ResourceValue::Bool(value))
            }
            TokenKind::String => {
                let token = self.advance();
                let text = unescape(self.text(token));
                if text.starts_with(b"0x") {
                    return self.blob(&text, token);
                }
                Ok(ResourceValue::String(text.into()))
            }
            _ => Err(self.unexpected("'true', 'false' or a string as the value of a resource")),
        }
    }

    /// Returns a blob as hex digits: four bytes of alignment, little-endian, then the data.
    fn blob(&self, text: &[u8], token: Token) -> Result<ResourceValue> {
        let bytes = decode_hex(text.get(2..).unwrap_or_default())
            .ok_or_else(|| AsmError::new(token.start, "expected an even number of hex digits"))?;
        let Some((alignment, data)) = bytes.split_first_chunk::<4>() else {
            return Err(AsmError::new(
                token.start,
                "expected hex string blob to start with its alignment",
            ));
        };
        let alignment = u32::from_le_bytes(*alignment);
        if alignment != 0 && !alignment.is_power_of_two() {
            return Err(AsmError::new(
                token.start,
                "expected the alignment of a hex string blob to be a power of two",
            ));
        }
        Ok(ResourceValue::Blob(Blob::from_vec(
            data.to_vec(),
            alignment,
        )))
    }
}

/// Decodes hexadecimal digits to bytes.
pub(super) fn decode_hex(digits: &[u8]) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    for pair in digits.chunks_exact(2) {
        let [high, low] = *pair else { return None };
        bytes.push(hex_digit(high)? << 4 | hex_digit(low)?);
    }
    Some(bytes)
}

#[inline]
fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte.wrapping_sub(b'0')),
        b'a'..=b'f' => Some(byte.wrapping_sub(b'a').wrapping_add(10)),
        b'A'..=b'F' => Some(byte.wrapping_sub(b'A').wrapping_add(10)),
        _ => None,
    }
}
