//! Finds names and visibilities of symbols without decoding other entries, which may be undecodable
//! or large.

use super::Tables;
use super::dialect_codecs::DialectCodecs;
use super::entries::{Entries, Slot};
use rmlir_format::{ErrorKind, Reader, Result};
use rmlir_ir::builtin_codecs::attribute as code;
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier, OperationName, VisibilityRule};

/// The attributes that hold a symbol's name and visibility; see
/// [`SymbolAttributes`](rmlir_ir::SymbolAttributes).
#[derive(Debug)]
pub(super) struct SymbolKeys {
    names: [Box<[u8]>; 2],
    pub(super) identifiers: [Identifier; 2],
    /// How the visibility follows from its attribute.
    pub(super) rule: VisibilityRule,
    /// Whether the definition declares them, so that they can be attributes of a dialect.
    declared: bool,
}

impl SymbolKeys {
    /// Those of an operation.
    pub(super) fn new(context: &mut Context, operation: OperationName) -> Self {
        let of = context.symbol_attributes(operation);
        let (rule, declared) = (of.rule, of.declared);
        let names: [Box<[u8]>; 2] = [of.name, of.visibility].map(|name| name.as_bytes().into());
        SymbolKeys {
            identifiers: names.each_ref().map(|name| context.identifier(name)),
            names,
            rule,
            declared,
        }
    }

    /// The one with that name.
    fn position(&self, name: &[u8]) -> Option<usize> {
        let names = &mut self.names.iter();
        names.position(|known| **known == *name && !name.is_empty())
    }
}

/// The result of searching an attribute: it is present, and it may be a string.
pub(super) type Found = Option<Option<Identifier>>;

/// Returns the string that an attribute is.
fn string_of(context: &Context, attribute: Attribute) -> Option<Identifier> {
    match *context.attribute_kind(attribute) {
        AttributeKind::String { value, .. } => Some(value),
        _ => None,
    }
}

impl<'a> Entries<'a> {
    /// Returns name and visibility of a symbol in a dictionary, which is an entry.
    ///
    /// The first request takes time in the dictionary's length.
    pub(super) fn find_symbol(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        dictionary: u32,
        keys: &SymbolKeys,
    ) -> Result<[Found; 2]> {
        // Definitions that declare the attributes are rare, so only the common case is memoized.
        if let Some(&found) = self.symbols.get(&dictionary).filter(|_| !keys.declared) {
            return Ok(found);
        }
        let mut found = [None; 2];
        if let Some(mut input) = self.builtin(tables, dictionary, code::DICTIONARY)? {
            for _ in 0..input.prefix_count(2)? {
                let at = input.offset();
                let key = input.prefix_varint()?;
                let key = self.attribute_entry(&input, at, key)?;
                let at = input.offset();
                let value = input.prefix_varint()?;
                let key = match self.string_bytes(tables, key)? {
                    Some(bytes) => bytes,
                    None => match self.string(tables, key)? {
                        Some(key) => tables.context.bytes(key),
                        None => continue,
                    },
                };
                if let Some(place) = keys.position(key)
                    && let Some(found) = found.get_mut(place)
                {
                    let value = self.attribute_entry(&input, at, value)?;
                    *found = Some(self.symbol_string(tables, value, keys)?);
                }
            }
        } else if self.input(dictionary)?.1.is_none()
            && let Slot::Attribute(attribute) = self.decoded(tables, dictionary)?
        {
            let context = &*tables.context;
            found = keys.names.each_ref().map(|name| {
                let name = Some(name).filter(|name| !name.is_empty());
                let value = context.dictionary_get(attribute, name?)?;
                let string = string_of(context, value);
                Some(string.or_else(|| context.string_literal(value).filter(|_| keys.declared)))
            });
        }
        if !keys.declared {
            self.symbols.insert(dictionary, found);
        }
        Ok(found)
    }

    /// Returns the string that is the name or visibility of a symbol. An entry in an unknown
    /// encoding is not a string.
    pub(super) fn symbol_string(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
        keys: &SymbolKeys,
    ) -> Result<Option<Identifier>> {
        let string = self.string(tables, entry)?;
        if string.is_some() || !keys.declared {
            return Ok(string);
        }
        match self.decoded(tables, entry) {
            Ok(Slot::Attribute(attribute)) => Ok(tables.context.string_literal(attribute)),
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
            _ => Ok(None),
        }
    }

    /// Returns the bytes of a string attribute; `None` if the entry is not one.
    pub(super) fn string_bytes(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
    ) -> Result<Option<&'a [u8]>> {
        for code in [code::STRING, code::STRING_WITH_TYPE] {
            if let Some(mut input) = self.builtin(tables, entry, code)? {
                let number = input.prefix_varint()?;
                return Ok(tables.strings.bytes(number));
            }
        }
        Ok(None)
    }

    /// Returns the string of a string attribute, in whatever encoding the entry has.
    pub(super) fn string(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
    ) -> Result<Option<Identifier>> {
        if let Some(bytes) = self.string_bytes(tables, entry)? {
            return Ok(Some(tables.context.identifier(bytes)));
        }
        if self.input(entry)?.1.is_some() {
            return Ok(None);
        }
        Ok(match self.decoded(tables, entry)? {
            Slot::Attribute(attribute) => string_of(tables.context, attribute),
            _ => None,
        })
    }

    /// Returns the bytes after the code of an attribute that the builtin dialect encodes with that
    /// code.
    fn builtin(
        &mut self,
        tables: &Tables<'_, 'a>,
        entry: u32,
        code: u64,
    ) -> Result<Option<Reader<'a>>> {
        let (mut input, encoding) = self.input(entry)?;
        let family = encoding.and_then(|dialect| tables.families.get(dialect as usize));
        if !matches!(family, Some(Some(DialectCodecs::Builtin))) {
            return Ok(None);
        }
        Ok((input.prefix_varint()? == code).then_some(input))
    }
}
