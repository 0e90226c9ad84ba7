//! Decodes operations and their templates as far as skipping them requires.

use super::NumberMap;
use super::operations::extensions;
use super::signature::{SignatureSink, read_signature};
use super::table_views::{Block, Class, TableViews};
use super::tables::read_string;
use crate::lookup::malformed;
use rmlir_format::rmbc::schema::{SignatureField, SignatureLayout};
use rmlir_format::rmbc::{block_of, signature_flag as flag};
use rmlir_format::{Reader, Result};
use rmlir_ir::{Context, VisibilityRule};
use std::ops::Range;
use std::sync::Arc;

/// The signature of an operation, as numbers only.
pub(super) struct SignatureHead {
    /// The string of the operation's name.
    pub(super) name: u64,
    pub(super) operands: u64,
    pub(super) results: u64,
    pub(super) successors: u64,
    pub(super) regions: u64,
    pub(super) inline: bool,
    /// Whether operations have extensions.
    is_extended: bool,
    /// How many values attributes and properties have.
    values: u64,
    /// The attributes with the name and visibility of a symbol.
    symbol: [Option<usize>; 2],
    /// Whether name and visibility can be attributes of a dialect; see
    /// [`SymbolAttributes`](rmlir_ir::SymbolAttributes).
    declared: bool,
    /// How the visibility follows from its attribute.
    pub(super) rule: VisibilityRule,
    /// The range of its bytes in its block of the table.
    pub(super) range: Range<usize>,
}

/// The fields of a signature that is being read.
struct SignatureFields<'s> {
    structure: &'s mut Structure,
    keys: SymbolKeys,
    /// The string of the name.
    name: u64,
    /// The numbers of operands, results, successors and regions.
    counts: [u64; 4],
    /// The number of keys.
    values: u64,
    /// The positions of the keys that name a symbol, and state its visibility.
    symbol: [Option<usize>; 2],
}

impl SignatureSink for SignatureFields<'_> {
    fn number(
        &mut self,
        layout: &SignatureLayout,
        value: u64,
        _: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        let [operands, results, successors, regions] = &mut self.counts;
        match layout.field {
            SignatureField::Name => {
                self.name = value;
                self.keys = self.structure.symbol_keys(value)?;
            }
            SignatureField::Operands => *operands = value,
            SignatureField::Results => *results = value,
            SignatureField::Successors => *successors = value,
            SignatureField::Regions => *regions = value,
            SignatureField::Flags
            | SignatureField::AttributeKeys
            | SignatureField::PropertyKeys
            | SignatureField::Extensions => {}
        }
        Ok(())
    }

    fn key(
        &mut self,
        _: &SignatureLayout,
        string: u64,
        _: bool,
        _: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        let key = self.structure.string(string)?;
        // Properties take precedence; they come last.
        let mut known = self.keys.names.iter();
        if let Some(which) = known.position(|k| !k.is_empty() && **k == *key)
            && let Some(slot) = self.symbol.get_mut(which)
        {
            *slot = usize::try_from(self.values).ok();
        }
        self.values = self.values.saturating_add(1);
        Ok(())
    }
}

/// An operation template.
pub(super) struct TemplateHead {
    pub(super) signature: Arc<SignatureHead>,
    pub(super) signature_number: u64,
    /// Name and visibility of a symbol, if the template stores them.
    symbol: [Option<u64>; 2],
    /// The types of its results and the attributes that it stores, for
    /// [`SymbolNames::Index`] only.
    pub(super) entries: Vec<(Class, u64)>,
    /// The range of its bytes in its block of the table.
    pub(super) range: Range<usize>,
}

/// An operation up to its regions.
pub(super) struct Head {
    pub(super) template: Arc<TemplateHead>,
    /// Attributes that are name and visibility of a symbol, as far as there are such attributes.
    pub(super) symbol: [Option<u64>; 2],
    /// The attributes that the operation stores, for [`SymbolNames::Index`] only.
    pub(super) entries: Vec<(Class, u64)>,
    /// The least and the greatest number of a value that is used, counted from the first result;
    /// the greatest is that of a value defined later.
    pub(super) uses: Option<(i64, i64)>,
}

/// How many strings are kept.
const KEPT_STRINGS: usize = 1 << 14;
/// The maximum length in bytes of a string that is cached without being requested.
const KEPT_LENGTH: usize = 1 << 12;

/// The attributes that hold the names of symbols.
pub(super) enum SymbolNames {
    /// Symbols are not searched.
    Ignored,
    /// `sym_name`, as the index has them whichever dialects the writer knew.
    Index,
    /// Those that the definitions declare.
    Declared(Box<Context>),
}

/// The attributes that name an operation as a symbol; see
/// [`SymbolAttributes`](rmlir_ir::SymbolAttributes).
#[derive(Default)]
struct SymbolKeys {
    /// Those of name and visibility; empty if there is none.
    names: [Box<[u8]>; 2],
    rule: VisibilityRule,
    declared: bool,
}

/// Caches of decoded templates and lists.
pub(super) struct Structure {
    views: Arc<TableViews>,
    names: SymbolNames,
    signatures: NumberMap<u64, Vec<Arc<SignatureHead>>>,
    templates: NumberMap<u64, Vec<Arc<TemplateHead>>>,
    /// The number of types of each list, and its range in its block.
    lists: NumberMap<u64, Vec<(u64, Range<usize>)>>,
    strings: NumberMap<u64, Arc<[u8]>>,
    /// By attribute of a dialect: the string that it is.
    literals: NumberMap<u64, Option<Arc<[u8]>>>,
    /// The template used last, with its number.
    last: Option<(u64, Arc<TemplateHead>)>,
}

impl Structure {
    pub(super) fn new(views: Arc<TableViews>, names: SymbolNames) -> Self {
        Structure {
            views,
            names,
            literals: NumberMap::default(),
            signatures: NumberMap::default(),
            templates: NumberMap::default(),
            lists: NumberMap::default(),
            strings: NumberMap::default(),
            last: None,
        }
    }

    /// Returns the context that knows dialects, if one was given.
    pub(super) fn definitions(&mut self) -> Option<&mut Context> {
        match &mut self.names {
            SymbolNames::Declared(definitions) => Some(definitions),
            SymbolNames::Index | SymbolNames::Ignored => None,
        }
    }

    /// Returns a string by its number.
    pub(super) fn string(&mut self, number: u64) -> Result<Arc<[u8]>> {
        if let Some(string) = self.strings.get(&number) {
            return Ok(string.clone());
        }
        if self.strings.len() > KEPT_STRINGS {
            self.strings.clear();
        }
        if let Some(block) = self.views.string_block(number)? {
            // Those beside it are likely to be used.
            let mut input = block.reader();
            let mut string = Vec::new();
            for beside in block.first..block.first.saturating_add(block.count) {
                read_string(&mut input, &mut string)?;
                if beside == number || string.len() <= KEPT_LENGTH {
                    self.strings.insert(beside, string.as_slice().into());
                }
            }
        } else {
            let string = self.views.string(number)?;
            self.strings.insert(number, string.into());
        }
        Ok(self.strings.get(&number).cloned().unwrap_or_default())
    }

    pub(super) fn signature(&mut self, number: u64) -> Result<Arc<SignatureHead>> {
        let (key, place) = block_of(number);
        if let Some(signature) = self
            .signatures
            .get(&key)
            .and_then(|signatures| signatures.get(place))
        {
            return Ok(signature.clone());
        }
        let views = self.views.clone();
        let block = views.signatures.block(&views.store, number)?;
        let mut signatures = Vec::new();
        let mut input = block.reader();
        for _ in 0..block.count {
            signatures.push(Arc::new(self.read_signature(&mut input)?));
        }
        input.expect_end()?;
        let signature = signatures.get(place).cloned();
        self.signatures.insert(key, signatures);
        signature.ok_or_else(|| super::lazy_entries::inconsistent(&input))
    }

    fn read_signature(&mut self, input: &mut Reader<'_>) -> Result<SignatureHead> {
        let start = input.position();
        let mut fields = SignatureFields {
            structure: self,
            keys: SymbolKeys::default(),
            name: 0,
            counts: [0; 4],
            values: 0,
            symbol: [None; 2],
        };
        let flags = read_signature(input, &mut fields)?;
        let [operands, results, successors, regions] = fields.counts;
        let other = flags & flag::OTHER_PROPERTIES != 0;
        Ok(SignatureHead {
            is_extended: flags & flag::EXTENDED_OPERATIONS != 0,
            name: fields.name,
            operands,
            results,
            successors,
            regions,
            inline: flags & flag::INLINE != 0,
            values: fields.values.saturating_add(other.into()),
            symbol: fields.symbol,
            declared: fields.keys.declared,
            rule: fields.keys.rule,
            range: start..input.position(),
        })
    }

    /// Returns the attributes that name operations with that name as symbols.
    fn symbol_keys(&mut self, name: u64) -> Result<SymbolKeys> {
        if let SymbolNames::Index = self.names {
            return Ok(SymbolKeys {
                names: [b"sym_name"[..].into(), Box::default()],
                declared: true,
                ..SymbolKeys::default()
            });
        }
        let name = self.string(name)?;
        let Some(definitions) = self.definitions() else {
            return Ok(SymbolKeys::default());
        };
        let name = definitions.operation_name(&name);
        let of = definitions.symbol_attributes(name);
        Ok(SymbolKeys {
            names: [of.name, of.visibility].map(|key| key.as_bytes().into()),
            rule: of.rule,
            declared: of.declared,
        })
    }

    pub(super) fn template(&mut self, number: u64) -> Result<Arc<TemplateHead>> {
        if let Some((last, template)) = &self.last
            && *last == number
        {
            return Ok(template.clone());
        }
        let (key, place) = block_of(number);
        let found = self
            .templates
            .get(&key)
            .and_then(|templates| templates.get(place));
        let template = match found {
            Some(template) => template.clone(),
            None => {
                let views = self.views.clone();
                let block = views.templates.block(&views.store, number)?;
                let templates = self.read_templates(&block)?;
                let template = templates.get(place).cloned();
                self.templates.insert(key, templates);
                template.ok_or_else(|| super::lazy_entries::inconsistent(&block.reader()))?
            }
        };
        self.last = Some((number, template.clone()));
        Ok(template)
    }

    fn read_templates(&mut self, block: &Block) -> Result<Vec<Arc<TemplateHead>>> {
        let mut templates = Vec::new();
        let mut input = block.reader();
        for _ in 0..block.count {
            let start = input.position();
            let at = input.offset();
            let signature_number = input.varint()?;
            if signature_number >= self.views.signatures.count {
                let message = format!("signature #{signature_number} is not there");
                return Err(malformed(&input, at, message));
            }
            let signature = self.signature(signature_number)?;
            let is_index = matches!(self.names, SymbolNames::Index);
            let mut entries = Vec::new();
            for _ in 0..signature.results {
                let ty = input.varint()?.checked_sub(2).filter(|_| is_index);
                entries.extend(ty.map(|ty| (Class::Type, ty)));
            }
            let mut symbol = [None; 2];
            if !signature.inline {
                let stored = is_index.then_some(&mut entries);
                symbol = values(&mut input, &signature, stored)?;
            }
            templates.push(Arc::new(TemplateHead {
                entries,
                signature,
                signature_number,
                symbol,
                range: start..input.position(),
            }));
        }
        input.expect_end()?;
        Ok(templates)
    }

    /// Returns the number of types of a list, and its range in its block.
    pub(super) fn list(&mut self, number: u64) -> Result<(u64, Range<usize>)> {
        let (key, place) = block_of(number);
        if let Some(list) = self.lists.get(&key).and_then(|lists| lists.get(place)) {
            return Ok(list.clone());
        }
        let block = self.views.lists.block(&self.views.store, number)?;
        let mut lists = Vec::new();
        let mut input = block.reader();
        for _ in 0..block.count {
            let start = input.position();
            let count = input.count(1)?;
            for _ in 0..count {
                input.varint()?;
            }
            lists.push((count as u64, start..input.position()));
        }
        input.expect_end()?;
        let list = lists.get(place).cloned();
        self.lists.insert(key, lists);
        list.ok_or_else(|| super::lazy_entries::inconsistent(&input))
    }

    /// Skips an operation up to its regions.
    pub(super) fn head(&mut self, input: &mut Reader<'_>) -> Result<Head> {
        let at = input.offset();
        let number = input.varint()?;
        if number >= self.views.templates.count {
            let message = format!("template #{number} is not there");
            return Err(malformed(input, at, message));
        }
        let template = self.template(number)?;
        let signature = &template.signature;
        let mut uses: Option<(i64, i64)> = None;
        for _ in 0..signature.operands {
            let back = input.varint()?;
            let number = match back {
                0 => i64::try_from(input.varint()?).unwrap_or(i64::MAX),
                back => i64::try_from(back).unwrap_or(i64::MAX).saturating_neg(),
            };
            let (least, most) = uses.unwrap_or((number, number));
            uses = Some((least.min(number), most.max(number)));
        }
        let (mut symbol, mut entries) = (template.symbol, Vec::new());
        if signature.inline {
            let is_index = matches!(self.names, SymbolNames::Index);
            symbol = values(input, signature, is_index.then_some(&mut entries))?;
        }
        for _ in 0..signature.successors {
            input.varint()?;
        }
        if signature.is_extended {
            extensions(input, "an operation")?;
        }
        Ok(Head {
            symbol,
            entries,
            uses,
            template: template.clone(),
        })
    }

    /// Returns the string that is the name or visibility of a symbol; `None` if the attribute is
    /// not a string.
    pub(super) fn symbol_string(
        &mut self,
        signature: &SignatureHead,
        number: u64,
    ) -> Result<Option<Arc<[u8]>>> {
        if let Some(string) = number.checked_sub(self.views.attribute_count) {
            return self.string(string).map(Some);
        }
        if let Some(string) = self.views.typed_string(number)? {
            return self.string(string).map(Some);
        }
        if !signature.declared {
            return Ok(None);
        }
        if let Some(known) = self.literals.get(&number) {
            return Ok(known.clone());
        }
        if self.literals.len() > KEPT_STRINGS {
            self.literals.clear();
        }
        let literal: Option<Arc<[u8]>> = self.views.string_literal(number)?.map(Into::into);
        self.literals.insert(number, literal.clone());
        Ok(literal)
    }
}

/// Skips the values of a signature; finds name and visibility of a symbol. Adds the attributes
/// to `entries`.
fn values(
    input: &mut Reader<'_>,
    signature: &SignatureHead,
    mut entries: Option<&mut Vec<(Class, u64)>>,
) -> Result<[Option<u64>; 2]> {
    let mut found = [None; 2];
    for place in 0..signature.values {
        let value = input.varint()?;
        if let Some(entries) = &mut entries {
            entries.push((Class::Attribute, value));
        }
        for (slot, wanted) in found.iter_mut().zip(signature.symbol) {
            if wanted.is_some_and(|wanted| wanted as u64 == place) {
                *slot = Some(value);
            }
        }
    }
    Ok(found)
}
