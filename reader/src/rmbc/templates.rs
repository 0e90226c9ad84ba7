//! Reads operation templates: the common parts of operations of one kind.

use super::entry_source::Dictionaries;
use super::signature::{SignatureSink, read_signature};
use super::tables::{Tables, table};
use crate::lookup::{malformed, placed};
use rmlir_format::rmbc::schema::{SignatureField, SignatureLayout};
use rmlir_format::rmbc::signature_flag as flag;
use rmlir_format::{Reader, Result, check_limit};
use rmlir_ir::{Attribute, Identifier, OperationName, Type};
use std::collections::HashMap;
use std::ops::Range;

/// An operation signature: name, counts and keys.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) name: OperationName,
    flags: u64,
    pub(super) operands: u32,
    pub(super) results: u32,
    pub(super) successors: u32,
    pub(super) regions: u32,
    /// The range in [`Templates::keys`].
    attributes: Range<usize>,
    properties: Range<usize>,
}

impl Signature {
    /// Returns whether values are stored with each operation.
    pub(super) fn is_inline(&self) -> bool {
        self.flags & flag::INLINE != 0
    }

    /// Returns whether operations have extensions.
    pub(super) fn is_extended(&self) -> bool {
        self.flags & flag::EXTENDED_OPERATIONS != 0
    }
}

/// The fields of a signature that is being read.
struct SignatureFields<'s, 'c> {
    tables: &'s mut Tables<'c>,
    /// Those of all signatures.
    keys: &'s mut Vec<Identifier>,
    name: Option<OperationName>,
    /// The numbers of operands, results, successors and regions.
    counts: [u32; 4],
    /// Where the keys of properties begin.
    properties: usize,
}

impl SignatureSink for SignatureFields<'_, '_> {
    fn number(
        &mut self,
        layout: &SignatureLayout,
        value: u64,
        before: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        let [operands, results, successors, regions] = &mut self.counts;
        let count = match layout.field {
            SignatureField::Name => {
                let name = self.tables.operation_name(before, before.offset(), value)?;
                self.name = Some(name);
                return Ok(());
            }
            SignatureField::Operands => operands,
            SignatureField::Results => results,
            SignatureField::Successors => successors,
            SignatureField::Regions => regions,
            SignatureField::Flags
            | SignatureField::AttributeKeys
            | SignatureField::PropertyKeys
            | SignatureField::Extensions => return Ok(()),
        };
        let within = check_limit(layout.name, value, self.tables.max_values);
        placed(before, before.offset(), within)?;
        let Ok(value) = u32::try_from(value) else {
            let message = format!("{value} {} are 2^32 or more", layout.name);
            return Err(malformed(before, before.offset(), message));
        };
        *count = value;
        Ok(())
    }

    fn key(
        &mut self,
        layout: &SignatureLayout,
        string: u64,
        is_first: bool,
        before: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        let at = before.offset();
        let name = self.tables.string_at(before, at, string)?;
        if let Some(&last) = self.keys.last()
            && !is_first
        {
            self.tables.check_ascending(before, at, last, name)?;
        }
        self.keys.push(name);
        if layout.field == SignatureField::AttributeKeys {
            self.properties = self.keys.len();
        }
        Ok(())
    }
}

/// The type of a result.
#[derive(Clone, Copy)]
pub(super) enum ResultType {
    /// The type of an operand.
    Operand(usize),
    Type(Type),
}

/// An operation template, prepared for building operations.
#[derive(Clone)]
pub(super) struct Template {
    pub(super) name: OperationName,
    pub(super) operands: u32,
    pub(super) successors: u32,
    pub(super) regions: u32,
    /// Whether operations have extensions.
    pub(super) is_extended: bool,
    /// The number of the signature, if values are stored with the operation.
    pub(super) inline: Option<u32>,
    pub(super) attributes: Option<Attribute>,
    pub(super) properties: Option<Attribute>,
    /// The range in [`Templates::results`].
    pub(super) results: Range<u32>,
}

/// The section of templates.
#[derive(Default)]
pub(super) struct Templates {
    pub(super) signatures: Vec<Signature>,
    keys: Vec<Identifier>,
    pub(super) results: Vec<ResultType>,
    pub(super) templates: Vec<Template>,
    /// The range of the types of each list in `types`.
    pub(super) lists: Vec<Range<usize>>,
    pub(super) types: Vec<Type>,
    /// The templates, signatures and lists that were read of a file that is not read whole, by
    /// number.
    pub(super) some: HashMap<u64, Template>,
    pub(super) some_signatures: HashMap<u64, usize>,
    pub(super) some_lists: HashMap<u64, Range<usize>>,
}

impl Templates {
    /// Reads type lists, signatures and templates.
    pub(super) fn read(tables: &mut Tables<'_>, mut input: Reader<'_>) -> Result<Self> {
        let mut templates = Templates::default();
        let (count, mut data, mut offsets) = table(&mut input)?;
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let start = templates.types.len();
            templates.list(tables, &mut data)?;
            templates.lists.push(start..templates.types.len());
        }
        data.expect_end()?;
        let (count, mut data, mut offsets) = table(&mut input)?;
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let signature = templates.signature(tables, &mut data)?;
            templates.signatures.push(signature);
        }
        data.expect_end()?;
        let (count, mut data, mut offsets) = table(&mut input)?;
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let template = templates.template(tables, &mut data)?;
            templates.templates.push(template);
        }
        data.expect_end()?;
        input.expect_end()?;
        Ok(templates)
    }

    /// Returns the names of operations that may occur, in the order of their signatures.
    pub(super) fn names(&self) -> impl Iterator<Item = OperationName> {
        self.signatures.iter().map(|signature| signature.name)
    }

    /// Reads a type list.
    pub(super) fn list(&mut self, tables: &mut Tables<'_>, data: &mut Reader<'_>) -> Result<()> {
        for _ in 0..data.count(1)? {
            let at = data.offset();
            let number = data.varint()?;
            self.types.push(tables.ty(data, at, number)?);
        }
        Ok(())
    }

    pub(super) fn signature(
        &mut self,
        tables: &mut Tables<'_>,
        data: &mut Reader<'_>,
    ) -> Result<Signature> {
        let keys = self.keys.len();
        let mut fields = SignatureFields {
            tables,
            keys: &mut self.keys,
            name: None,
            counts: [0; 4],
            properties: keys,
        };
        let flags = read_signature(data, &mut fields)?;
        let SignatureFields {
            name,
            counts: [operands, results, successors, regions],
            properties,
            ..
        } = fields;
        let Some(name) = name else {
            return Err(malformed(data, data.offset(), "a signature has no name"));
        };
        Ok(Signature {
            name,
            flags,
            operands,
            results,
            successors,
            regions,
            attributes: keys..properties,
            properties: properties..self.keys.len(),
        })
    }

    pub(super) fn template(
        &mut self,
        tables: &mut Tables<'_>,
        data: &mut Reader<'_>,
    ) -> Result<Template> {
        let at = data.offset();
        let number = data.varint()?;
        let index = match &tables.part {
            None => usize::try_from(number).ok(),
            Some(_) => self.some_signatures.get(&number).copied(),
        };
        let index = index.unwrap_or(usize::MAX);
        let Some(signature) = self.signatures.get(index).cloned() else {
            let message = format!(
                "signature #{number} is not there: there are {}",
                self.signatures.len()
            );
            return Err(malformed(data, at, message));
        };
        let start = self.results.len() as u32;
        for _ in 0..signature.results {
            let at = data.offset();
            let result = match data.varint()? {
                operand @ 0..2 if operand < u64::from(signature.operands) => {
                    ResultType::Operand(operand as usize)
                }
                operand @ 0..2 => {
                    let message = format!(
                        "a result has the type of operand {operand} of {}",
                        signature.operands
                    );
                    return Err(malformed(data, at, message));
                }
                ty => ResultType::Type(tables.ty(data, at, ty.wrapping_sub(2))?),
            };
            self.results.push(result);
        }
        let inline = signature.is_inline();
        let (attributes, properties) = match inline {
            true => (None, None),
            false => self.values(tables, data, &signature)?,
        };
        Ok(Template {
            name: signature.name,
            operands: signature.operands,
            successors: signature.successors,
            regions: signature.regions,
            is_extended: signature.is_extended(),
            inline: inline.then_some(index as u32),
            attributes,
            properties,
            results: start..self.results.len() as u32,
        })
    }

    /// Reads the attributes and properties of an operation or template of a signature.
    pub(super) fn inline(
        &self,
        tables: &mut Tables<'_>,
        input: &mut Reader<'_>,
        signature: u32,
    ) -> Result<Dictionaries> {
        match self.signatures.get(signature as usize) {
            Some(signature) => self.values(tables, input, signature),
            None => Ok((None, None)),
        }
    }

    /// Returns how many numbers of attributes are stored with an operation or template of a
    /// signature.
    #[inline]
    pub(super) fn inline_len(&self, signature: u32) -> usize {
        self.signatures
            .get(signature as usize)
            .map_or(0, |signature| {
                let properties = match signature.flags & flag::OTHER_PROPERTIES {
                    0 => signature.properties.len(),
                    _ => 1,
                };
                signature.attributes.len().saturating_add(properties)
            })
    }

    fn values(
        &self,
        tables: &mut Tables<'_>,
        input: &mut Reader<'_>,
        signature: &Signature,
    ) -> Result<Dictionaries> {
        self.dictionaries(signature, tables, |tables| {
            let at = input.offset();
            let number = input.varint()?;
            tables.attribute(input, at, number)
        })
    }

    /// Like [`inline`](Self::inline), from numbers that were read before; errors have no position.
    pub(super) fn asked(
        &self,
        tables: &mut Tables<'_>,
        signature: u32,
        numbers: &mut impl Iterator<Item = u32>,
    ) -> Result<Dictionaries> {
        let nowhere = Reader::new(&[], "operations");
        match self.signatures.get(signature as usize) {
            Some(signature) => self.dictionaries(signature, tables, |tables| {
                let number = numbers.next().unwrap_or(u32::MAX);
                tables.attribute(&nowhere, 0, number.into())
            }),
            None => Ok((None, None)),
        }
    }

    /// Builds the dictionaries of a signature, whose attributes are supplied one by one.
    fn dictionaries<'c>(
        &self,
        signature: &Signature,
        tables: &mut Tables<'c>,
        mut next: impl FnMut(&mut Tables<'c>) -> Result<Attribute>,
    ) -> Result<Dictionaries> {
        let attributes = match signature.flags & flag::ATTRIBUTES {
            0 => None,
            _ => Some(self.dictionary(tables, &signature.attributes, &mut next)?),
        };
        let properties = if signature.flags & flag::OTHER_PROPERTIES != 0 {
            Some(next(tables)?)
        } else if signature.flags & flag::PROPERTIES != 0 {
            Some(self.dictionary(tables, &signature.properties, &mut next)?)
        } else {
            None
        };
        Ok((attributes, properties))
    }

    /// Builds a dictionary with the keys of a signature. Its names are not compared: that was done
    /// once.
    fn dictionary<'c>(
        &self,
        tables: &mut Tables<'c>,
        keys: &Range<usize>,
        next: &mut impl FnMut(&mut Tables<'c>) -> Result<Attribute>,
    ) -> Result<Attribute> {
        let mut entries = std::mem::take(&mut tables.entries);
        entries.clear();
        for &key in self.keys.get(keys.clone()).unwrap_or_default() {
            entries.push((key, next(tables)?));
        }
        let dictionary = match entries.is_empty() {
            true => tables.context.empty_dictionary(),
            false => tables.context.sorted_dictionary_of(&entries),
        };
        tables.entries = entries;
        Ok(dictionary)
    }
}
