//! Operation templates: name, counts, result types, and usually attributes.
//!
//! A signature has the name, the counts and the keys of attributes. If the attributes of a template
//! occur once in the module, they are stored with the operation instead, so that the template can
//! be shared.

use super::encoder::Encoder;
use crate::numbers::next;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rmlir_format::Result;
use rmlir_format::rmbc::references::{NO_REFERENCES, References};
use rmlir_format::rmbc::schema::{SIGNATURE, SignatureField};
use rmlir_format::rmbc::signature_flag as flag;
use rmlir_format::rmbc::table::Table;
use rmlir_format::varint::write_varint;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, IndexedMap, Module, Operation, OperationName,
    Type,
};
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::LazyLock;

/// The type of a result during collection: that of an operand (0 or 1), or a type's index plus 2.
type ResultCode = u32;

/// The shareable data of an operation, including its attributes.
///
/// It is not known yet which of these differ only in their attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Full {
    name: OperationName,
    attributes: Option<Attribute>,
    properties: Option<Attribute>,
    operands: u32,
    successors: u32,
    regions: u32,
    results: u32,
    /// The code of the first result, if there is one.
    first: ResultCode,
}

struct FullEntry {
    full: Full,
    /// The start of the codes of its results in [`Templates::codes`].
    codes: u32,
    uses: u32,
    /// Its template, once assigned.
    template: u32,
    /// The symbol name by which such an operation can be found.
    symbol: Option<Identifier>,
    /// The symbols that its attributes and result types refer to.
    references: References,
    /// The next entry with the same attributes, plus one.
    next: u32,
}

/// The data needed to write an operation.
#[derive(Clone, Copy)]
pub(super) struct Template {
    /// The number in the order of the file.
    number: u32,
    inline: bool,
}

/// A signature: name, counts and keys.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Signature {
    name: OperationName,
    /// The keys of the attributes and of the properties, if any.
    keys: [Option<Keys>; 2],
    operands: u32,
    results: u32,
    successors: u32,
    regions: u32,
    inline: bool,
}

/// A number for the keys of a dictionary; `None` for properties that are not a dictionary.
type Keys = Option<u32>;

/// The number of full templates that are cached without a full hash: a power of two.
const RECENT: usize = 1 << RECENT_LOG;
const RECENT_LOG: u32 = 14;

/// The number of full templates with the same attributes that are found through these attributes.
///
/// Others are found by a full hash. Most dictionaries occur in one operation, or in a few similar
/// ones.
const SIBLINGS: usize = 8;

/// The number of full templates for which memory is reserved: 16 MiB.
const MOST_RESERVED: usize = 1 << 18;

pub(super) struct Templates {
    /// Stores a 32-bit half of the hash beside the index of each full template.
    ///
    /// So rehashing and probing of other entries' buckets never dereference full templates, which
    /// are spread over memory.
    table: HashTable<(u32, u32)>,
    /// By the number of an attribute: the last found full template that has it, plus one.
    of_attributes: IndexedMap<u32>,
    full: Vec<FullEntry>,
    codes: Vec<ResultCode>,
    lists: TypeLists,
    /// By operation in the order of writing: its full template.
    of: Vec<u32>,
    /// By the template of a full one: the assigned template.
    found: Vec<Template>,
    signatures: Vec<(Signature, u32)>,
    templates: Vec<(u32, u32, u32)>,
    scratch: Vec<ResultCode>,
    /// Recently found full templates, by some bits of their fields.
    recent: Vec<u32>,
}

impl Templates {
    /// Creates an empty table of templates for a module with about `operations` operations.
    pub(super) fn new(context: &Context, operations: usize) -> Self {
        Templates {
            table: HashTable::new(),
            of_attributes: IndexedMap::new(context.attribute_count(), operations),
            // Growing would copy the entries; memory that is not used is not touched.
            full: Vec::with_capacity((operations / 4).min(MOST_RESERVED)),
            codes: Vec::new(),
            lists: TypeLists::default(),
            of: Vec::with_capacity(operations),
            found: Vec::new(),
            signatures: Vec::new(),
            templates: Vec::new(),
            scratch: Vec::new(),
            // Zeroed pages of the operating system: untouched ones cost nothing.
            recent: vec![0; RECENT],
        }
    }
}

impl Full {
    /// Returns the index in the cache of recently found templates.
    #[inline]
    fn slot(&self) -> usize {
        let bits = |attribute: Option<Attribute>| attribute.map_or(0, |a| a.index() as u64);
        let bits = self.name.index() as u64
            ^ bits(self.attributes) << 3
            ^ bits(self.properties) << 2
            ^ u64::from(self.first) << 5
            ^ u64::from(self.operands) << 8;
        // Multiplicative hashing: the upper bits of the product depend on all bits.
        (bits.wrapping_mul(MULTIPLIER) >> (u64::BITS - RECENT_LOG)) as usize
    }

    /// Returns the most distinctive attribute.
    #[inline]
    fn attribute(&self, empty: Attribute) -> Option<usize> {
        let properties = self.properties.filter(|&properties| properties != empty);
        Some(properties.or(self.attributes)?.index())
    }
}

/// Seeded at random, since modules are untrusted. The tables are never iterated, so the seed does
/// not affect the output.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

fn hash<T: std::hash::Hash>(value: &T) -> u64 {
    HASHER.hash_one(value)
}

/// Expands a half of a hash to a hash for the table.
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(MULTIPLIER)
}

/// Odd, with bits set everywhere: the upper bits of a product depend on all bits of the other
/// factor.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the positions of items, given by their numbers of uses: the most used ones first, then
/// in order.
fn most_used_first(uses: impl Iterator<Item = u32>) -> Vec<u32> {
    // Numbers are compared without dereferencing the items, which are spread over memory.
    let keys = uses.zip(0u32..);
    let mut keys: Vec<u64> = keys
        .map(|(uses, at)| u64::from(!uses) << 32 | u64::from(at))
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

fn type_code(ty: Type) -> ResultCode {
    ty.index() as u32 + 2
}

impl Templates {
    /// Finds the template of the next operation, and collects its references if it is new.
    ///
    /// `is_defined` returns whether a value has a number, `key` is the name of the attribute with
    /// its symbol name. Returns the symbol name, and the symbols that the operation refers to.
    pub(super) fn collect(
        &mut self,
        encoder: &mut Encoder<'_>,
        module: &Module,
        operation: Operation,
        is_defined: impl Fn(rmlir_ir::Value) -> bool,
        key: Option<Identifier>,
    ) -> Result<(Option<Identifier>, References)> {
        let empty = encoder.context.empty_dictionary();
        let mut full = Full {
            name: module.name(operation),
            attributes: module.attributes(operation).filter(|&a| a != empty),
            properties: module.properties(operation),
            operands: module.operand_count(operation) as u32,
            successors: module.successor_count(operation) as u32,
            regions: module.region_count(operation) as u32,
            results: module.result_count(operation) as u32,
            first: 0,
        };
        self.scratch.clear();
        if full.results > 0 {
            // The types of the first two operands, if a reader knows them here.
            let known = |number| {
                let value = module.operand(operation, number)?;
                is_defined(value).then(|| module.value_type(value))
            };
            let (left, right) = (known(0), known(1));
            for result in module.results(operation) {
                let ty = module.value_type(result);
                self.scratch.push(match Some(ty) {
                    ty if ty == left => 0,
                    ty if ty == right => 1,
                    _ => type_code(ty),
                });
            }
            full.first = self.scratch.first().copied().unwrap_or_default();
        }
        let (entries, codes, scratch) = (&mut self.full, &mut self.codes, &self.scratch);
        let same = |entry: &FullEntry| {
            entry.full == full
                && (full.results < 2
                    || codes[entry.codes as usize..][..full.results as usize] == *scratch)
        };
        let recent = &mut self.recent[full.slot()];
        if let Some(entry) = entries.get_mut(*recent as usize)
            && same(entry)
        {
            entry.uses = entry.uses.saturating_add(1);
            self.of.push(*recent);
            return Ok((entry.symbol, entry.references));
        }
        // `None` if there may be others that are found only by their hashes.
        let mut siblings = full
            .attribute(empty)
            .map(|attribute| self.of_attributes.get_mut(attribute));
        let mut found = None;
        let mut sibling = siblings.as_deref().copied().unwrap_or_default();
        let mut count = 0;
        while let Some(at) = sibling.checked_sub(1)
            && let Some(entry) = entries.get(at as usize)
        {
            if same(entry) {
                found = Some(at);
                break;
            }
            count += 1;
            sibling = entry.next;
        }
        let mut half = 0;
        if found.is_none() && (siblings.is_none() || count == SIBLINGS) {
            siblings = None;
            half = hash(&(full, scratch)) as u32;
            let is_it = |&(other, at): &(u32, u32)| other == half && same(&entries[at as usize]);
            found = self.table.find(spread(half), is_it).map(|&(_, at)| at);
        }
        if let Some(found) = found {
            let entry = &mut entries[found as usize];
            entry.uses = entry.uses.saturating_add(1);
            self.of.push(found);
            *recent = found;
            return Ok((entry.symbol, entry.references));
        }
        let at = entries.len() as u32;
        next(at)?;
        let start = codes.len() as u32;
        codes.extend_from_slice(scratch);
        entries.push(FullEntry {
            full,
            codes: start,
            uses: 1,
            template: 0,
            symbol: None,
            references: NO_REFERENCES,
            next: siblings.as_deref().copied().unwrap_or_default(),
        });
        match siblings {
            Some(first) => *first = at.saturating_add(1),
            None => {
                let rehash = |&(half, _): &(u32, u32)| spread(half);
                self.table.insert_unique(spread(half), (half, at), rehash);
            }
        }
        self.of.push(at);
        *recent = at;
        let (symbol, references) = self.collect_new(encoder, module, operation, &full, key)?;
        self.full[at as usize].symbol = symbol;
        self.full[at as usize].references = references;
        Ok((symbol, references))
    }

    fn collect_new(
        &mut self,
        encoder: &mut Encoder<'_>,
        module: &Module,
        operation: Operation,
        full: &Full,
        key: Option<Identifier>,
    ) -> Result<(Option<Identifier>, References)> {
        // An operation found by its name has no results, operands or successors.
        let key = key.filter(|_| full.operands == 0 && full.results == 0 && full.successors == 0);
        let (mut symbol, mut references) = (None, NO_REFERENCES);
        let context = encoder.context;
        encoder
            .strings
            .collect(context.operation_name_identifier(full.name));
        for (code, result) in self.scratch.iter().zip(module.results(operation)) {
            if *code > 1 {
                let ty = module.value_type(result);
                let found = encoder.collect_type(ty)?;
                references = encoder.entries.union(references, found);
            }
        }
        for (value, is_properties) in [(full.attributes, false), (full.properties, true)] {
            let Some(value) = value else { continue };
            match context.attribute_kind(value) {
                AttributeKind::Dictionary(entries) => {
                    for &(name, value) in entries {
                        encoder.strings.collect(name);
                        let found = encoder.collect_attribute(value)?;
                        references = encoder.entries.union(references, found);
                        if Some(name) == key {
                            // Properties come last and take precedence.
                            symbol = context.string_literal(value);
                        }
                    }
                }
                _ if is_properties => {
                    let found = encoder.collect_attribute(value)?;
                    references = encoder.entries.union(references, found);
                }
                _ => {
                    return Err(rmlir_format::Error::new(
                        rmlir_format::ErrorKind::InvalidRequest,
                        "the discardable attributes are not a dictionary",
                    ));
                }
            }
        }
        Ok((symbol, references))
    }

    /// Collects the types of a block's arguments, and returns the symbols that they refer to.
    pub(super) fn collect_arguments(
        &mut self,
        encoder: &mut Encoder<'_>,
        types: impl Iterator<Item = Type>,
    ) -> Result<References> {
        self.lists.collect(encoder, types)
    }

    /// Returns the names of the module's operations, in the order of their first use.
    pub(super) fn names(&self) -> Vec<OperationName> {
        let mut known = HashSet::new();
        let names = self.full.iter().map(|entry| entry.full.name);
        names.filter(|&name| known.insert(name)).collect()
    }

    /// Determines the templates of the file, and assigns their numbers.
    pub(super) fn number(&mut self, context: &Context) {
        let mut key_sets: HashTable<(u32, Vec<u32>)> = HashTable::new();
        let mut names: Vec<u32> = Vec::new();
        let mut keys = |dictionary: Option<Attribute>| -> Option<Keys> {
            let dictionary = dictionary?;
            if !matches!(
                context.attribute_kind(dictionary),
                AttributeKind::Dictionary(_)
            ) {
                return Some(None);
            }
            let entries = context.dictionary_entries(dictionary);
            names.clear();
            names.extend(entries.iter().map(|(n, _)| n.index() as u32));
            let hashed = hash(&names);
            if let Some(&(number, _)) = key_sets.find(hashed, |(_, known)| *known == names) {
                return Some(Some(number));
            }
            let next = key_sets.len() as u32;
            key_sets.insert_unique(hashed, (next, names.clone()), |(_, known)| hash(known));
            Some(Some(next))
        };
        // Signatures in order of first use.
        let mut signature_table: HashTable<u32> = HashTable::new();
        let mut template_table: HashTable<u32> = HashTable::new();
        let mut signatures: Vec<(Signature, u32, u32)> = Vec::new();
        // Signature, one full template of it, uses.
        let mut templates: Vec<(u32, u32, u32)> = Vec::new();
        for at in 0..self.full.len() {
            let FullEntry {
                full, codes, uses, ..
            } = self.full[at];
            let has_values = full.attributes.is_some() || full.properties.is_some();
            let signature = Signature {
                name: full.name,
                keys: [keys(full.attributes), keys(full.properties)],
                operands: full.operands,
                results: full.results,
                successors: full.successors,
                regions: full.regions,
                inline: uses == 1 && has_values,
            };
            let inline = signature.inline;
            let hashed = hash(&signature);
            let found = signature_table.find(hashed, |&at| signatures[at as usize].0 == signature);
            let signature = match found {
                Some(&found) => found,
                None => {
                    let new = signatures.len() as u32;
                    signatures.push((signature, at as u32, 0));
                    signature_table
                        .insert_unique(hashed, new, |&at| hash(&signatures[at as usize].0));
                    new
                }
            };
            // Without values of its own, a template is a signature and types of results.
            let codes = &self.codes[codes as usize..][..full.results as usize];
            let template = if has_values && !inline {
                None
            } else {
                let full_templates = &self.full;
                let all_codes = &self.codes;
                let codes_of = |at: u32| {
                    let entry = &full_templates[at as usize];
                    &all_codes[entry.codes as usize..][..entry.full.results as usize]
                };
                let hashed = hash(&(signature, codes));
                let found = template_table.find(hashed, |&at| {
                    let (other, full, _) = templates[at as usize];
                    other == signature && codes_of(full) == codes
                });
                match found {
                    Some(&found) => Some(found),
                    None => {
                        let new = templates.len() as u32;
                        templates.push((signature, at as u32, 0));
                        template_table.insert_unique(hashed, new, |&at| {
                            let (signature, full, _) = templates[at as usize];
                            hash(&(signature, codes_of(full)))
                        });
                        Some(new)
                    }
                }
            };
            let template = template.unwrap_or_else(|| {
                templates.push((signature, at as u32, 0));
                templates.len() as u32 - 1
            });
            templates[template as usize].2 = templates[template as usize].2.saturating_add(uses);
            self.full[at].template = template;
            self.found.push(Template {
                number: template,
                inline,
            });
        }
        // The most used ones get the smallest numbers.
        let order = most_used_first(templates.iter().map(|&(.., uses)| uses));
        let mut numbers = vec![0; templates.len()];
        for (&at, number) in order.iter().zip(0..) {
            numbers[at as usize] = number;
        }
        for template in &mut self.found {
            template.number = numbers[template.number as usize];
        }
        for &(signature, ..) in &templates {
            signatures[signature as usize].2 = signatures[signature as usize].2.saturating_add(1);
        }
        let signature_order = most_used_first(signatures.iter().map(|&(.., uses)| uses));
        let mut signature_numbers = vec![0; signatures.len()];
        for (&at, number) in signature_order.iter().zip(0..) {
            signature_numbers[at as usize] = number;
        }
        self.signatures = signature_order
            .iter()
            .map(|&at| {
                let (signature, full, _) = &signatures[at as usize];
                (signature.clone(), *full)
            })
            .collect();
        self.templates = order
            .iter()
            .map(|&at| {
                let (signature, full, uses) = templates[at as usize];
                (signature_numbers[signature as usize], full, uses)
            })
            .collect();
        self.lists.number();
    }

    /// Appends the number of the template of an operation, by its position in the order of writing.
    #[inline]
    pub(super) fn write(&self, out: &mut Vec<u8>, operation: usize) -> u32 {
        let full = self.of[operation];
        write_varint(out, self.found[full as usize].number.into());
        full
    }

    /// Appends the inline values of an operation with that full template.
    #[inline]
    pub(super) fn write_inline(&self, out: &mut Vec<u8>, encoder: &Encoder<'_>, full: u32) {
        if self.found[full as usize].inline {
            self.write_values(out, encoder, full);
        }
    }

    fn write_values(&self, out: &mut Vec<u8>, encoder: &Encoder<'_>, full: u32) {
        let full = &self.full[full as usize].full;
        for dictionary in [full.attributes, full.properties].into_iter().flatten() {
            match encoder.context.attribute_kind(dictionary) {
                AttributeKind::Dictionary(entries) => {
                    for &(_, value) in entries {
                        write_varint(out, encoder.attribute_number(value));
                    }
                }
                _ => write_varint(out, encoder.attribute_number(dictionary)),
            }
        }
    }

    /// Returns the number of the list of types of a block's arguments.
    ///
    /// Blocks must be requested in the order of writing.
    pub(super) fn arguments(&mut self) -> u64 {
        self.lists.next()
    }

    /// Encodes the section of templates.
    pub(super) fn finish(&self, encoder: &Encoder<'_>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut lists = Table::default();
        for types in self.lists.in_order() {
            let out = lists.entry();
            write_varint(out, types.len() as u64);
            for &ty in types {
                write_varint(out, encoder.type_number(ty));
            }
        }
        lists.finish(&mut out)?;
        let mut signatures = Table::default();
        for (signature, full) in &self.signatures {
            let full = &self.full[*full as usize].full;
            self.write_signature(signatures.entry(), encoder, signature, full);
        }
        signatures.finish(&mut out)?;
        let mut templates = Table::default();
        for &(signature, at, _) in &self.templates {
            let out = templates.entry();
            write_varint(out, signature.into());
            let entry = &self.full[at as usize];
            let codes = &self.codes[entry.codes as usize..][..entry.full.results as usize];
            self.write_result_types(out, encoder, codes);
            if !self.found[at as usize].inline {
                self.write_values(out, encoder, at);
            }
        }
        templates.finish(&mut out)?;
        Ok(out)
    }

    fn write_result_types(&self, out: &mut Vec<u8>, encoder: &Encoder<'_>, codes: &[ResultCode]) {
        for &code in codes {
            let number = match code {
                0 | 1 => u64::from(code),
                _ => encoder.entries.type_number_at(code as usize - 2) + 2,
            };
            write_varint(out, number);
        }
    }

    fn write_signature(
        &self,
        out: &mut Vec<u8>,
        encoder: &Encoder<'_>,
        signature: &Signature,
        full: &Full,
    ) {
        let context = encoder.context;
        let string = |string| encoder.strings.get(string);
        let [attributes, properties] = &signature.keys;
        let bit = |flag: u64, set: bool| if set { flag } else { 0 };
        let name = context.operation_name_identifier(signature.name);
        let flags = bit(flag::ATTRIBUTES, attributes.is_some())
            | bit(flag::PROPERTIES, properties.is_some())
            | bit(flag::OTHER_PROPERTIES, *properties == Some(None))
            | bit(flag::INLINE, signature.inline)
            | bit(flag::SUCCESSORS, signature.successors > 0)
            | bit(flag::REGIONS, signature.regions > 0);
        for layout in SIGNATURE.iter().filter(|layout| layout.is_present(flags)) {
            let dictionary = match layout.field {
                SignatureField::AttributeKeys => full.attributes,
                SignatureField::PropertyKeys => full.properties,
                field => {
                    write_varint(
                        out,
                        match field {
                            SignatureField::Name => string(name),
                            SignatureField::Flags => flags,
                            SignatureField::Operands => signature.operands.into(),
                            SignatureField::Results => signature.results.into(),
                            SignatureField::Successors => signature.successors.into(),
                            SignatureField::Regions => signature.regions.into(),
                            // Lists are above; no extensions are written.
                            SignatureField::AttributeKeys
                            | SignatureField::PropertyKeys
                            | SignatureField::Extensions => continue,
                        },
                    );
                    continue;
                }
            };
            let entries = dictionary.map(|dictionary| context.dictionary_entries(dictionary));
            let entries = entries.unwrap_or_default();
            write_varint(out, entries.len() as u64);
            for &(name, _) in entries {
                write_varint(out, string(name));
            }
        }
    }
}

/// Lists of the types of blocks' arguments.
#[derive(Default)]
struct TypeLists {
    table: HashTable<u32>,
    /// The end of each list in `types`, and its uses.
    lists: Vec<(u32, u32)>,
    /// By list: the symbols that its types refer to.
    references: Vec<References>,
    types: Vec<Type>,
    /// By block in the order of writing, of those that have arguments.
    of: Vec<u32>,
    numbers: Vec<u32>,
    order: Vec<u32>,
    next: usize,
}

impl TypeLists {
    fn range(lists: &[(u32, u32)], at: u32) -> std::ops::Range<usize> {
        let before = (at as usize).checked_sub(1);
        let start = before.map_or(0, |before| lists[before].0 as usize);
        start..lists[at as usize].0 as usize
    }

    fn collect(
        &mut self,
        encoder: &mut Encoder<'_>,
        types: impl Iterator<Item = Type>,
    ) -> Result<References> {
        let start = self.types.len();
        self.types.extend(types);
        let (lists, all) = (&mut self.lists, &mut self.types);
        let hashed = hash(&&all[start..]);
        let same = |&at: &u32| all[Self::range(lists, at)] == all[start..];
        if let Some(&found) = self.table.find(hashed, same) {
            all.truncate(start);
            lists[found as usize].1 = lists[found as usize].1.saturating_add(1);
            self.of.push(found);
            return Ok(self.references[found as usize]);
        }
        let mut references = NO_REFERENCES;
        for &ty in &all[start..] {
            let found = encoder.collect_type(ty)?;
            references = encoder.entries.union(references, found);
        }
        self.references.push(references);
        let new = lists.len() as u32;
        next(all.len() as u32)?;
        lists.push((all.len() as u32, 1));
        self.table
            .insert_unique(hashed, new, |&at| hash(&&all[Self::range(lists, at)]));
        self.of.push(new);
        Ok(references)
    }

    fn number(&mut self) {
        self.order = most_used_first(self.lists.iter().map(|&(_, uses)| uses));
        self.numbers = vec![0; self.lists.len()];
        for (&at, number) in self.order.iter().zip(0..) {
            self.numbers[at as usize] = number;
        }
    }

    fn next(&mut self) -> u64 {
        let at = self.of[self.next];
        self.next += 1;
        self.numbers[at as usize].into()
    }

    fn in_order(&self) -> impl Iterator<Item = &[Type]> {
        let types = |&at: &u32| &self.types[Self::range(&self.lists, at)];
        self.order.iter().map(types)
    }
}
