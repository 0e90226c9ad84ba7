//! Decodes operations and their templates as far as skipping them requires.

use super::operations::extensions;
use super::tables::read_string;
use super::table_views::{Block, Class, Views};
use crate::lookup::malformed;
use rmlir_format::rmbc::{block_of, form_flag as flag};
use rmlir_format::{Reader, Result};
use rmlir_ir::{Context, VisibilityRule};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// An operation signature (form), as numbers only.
pub(super) struct FormHead {
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
    /// Which of them name and visibility of a symbol are.
    symbol: [Option<usize>; 2],
    /// Whether name and visibility can be attributes of a dialect; see
    /// [`SymbolAttributes`](rmlir_ir::SymbolAttributes).
    declared: bool,
    /// How the visibility follows from its attribute.
    pub(super) rule: VisibilityRule,
    /// The range of its bytes in its block of the table.
    pub(super) range: Range<usize>,
}

/// An operation template (shape).
pub(super) struct ShapeHead {
    pub(super) form: Arc<FormHead>,
    pub(super) form_number: u64,
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
    pub(super) shape: Arc<ShapeHead>,
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

/// Which attributes hold the names of symbols.
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
    views: Arc<Views>,
    names: SymbolNames,
    forms: HashMap<u64, Vec<Arc<FormHead>>>,
    shapes: HashMap<u64, Vec<Arc<ShapeHead>>>,
    /// The number of types of each list, and its range in its block.
    lists: HashMap<u64, Vec<(u64, Range<usize>)>>,
    strings: HashMap<u64, Arc<[u8]>>,
    /// By attribute of a dialect: the string that it is.
    literals: HashMap<u64, Option<Arc<[u8]>>>,
    /// The template used last, with its number.
    last: Option<(u64, Arc<ShapeHead>)>,
}

impl Structure {
    pub(super) fn new(views: Arc<Views>, names: SymbolNames) -> Self {
        Structure {
            views,
            names,
            literals: HashMap::new(),
            forms: HashMap::new(),
            shapes: HashMap::new(),
            lists: HashMap::new(),
            strings: HashMap::new(),
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

    pub(super) fn form(&mut self, number: u64) -> Result<Arc<FormHead>> {
        let (key, place) = block_of(number);
        if let Some(form) = self.forms.get(&key).and_then(|forms| forms.get(place)) {
            return Ok(form.clone());
        }
        let views = self.views.clone();
        let block = views.forms.block(&views.store, number)?;
        let mut forms = Vec::new();
        let mut input = block.reader();
        for _ in 0..block.count {
            forms.push(Arc::new(self.read_form(&mut input)?));
        }
        input.expect_end()?;
        let form = forms.get(place).cloned();
        self.forms.insert(key, forms);
        form.ok_or_else(|| super::lazy_entries::inconsistent(&input))
    }

    fn read_form(&mut self, input: &mut Reader<'_>) -> Result<FormHead> {
        let start = input.position();
        let (name, flags) = (input.varint()?, input.varint()?);
        let (operands, results) = (input.varint()?, input.varint()?);
        let mut when = |there: u64| match flags & there {
            0 => Ok(0),
            _ => input.varint(),
        };
        let (successors, regions) = (when(flag::SUCCESSORS)?, when(flag::REGIONS)?);
        let other = flags & flag::OTHER_PROPERTIES != 0;
        let mut values = 0u64;
        let mut symbol = [None; 2];
        let SymbolKeys {
            names,
            rule,
            declared,
        } = self.symbol_keys(name)?;
        for there in [
            flags & flag::ATTRIBUTES != 0,
            flags & flag::PROPERTIES != 0 && !other,
        ] {
            if !there {
                continue;
            }
            for _ in 0..input.count(1)? {
                let key = self.string(input.varint()?)?;
                // Properties take precedence; they come last.
                let mut known = names.iter();
                if let Some(which) = known.position(|k| !k.is_empty() && **k == *key)
                    && let Some(slot) = symbol.get_mut(which)
                {
                    *slot = usize::try_from(values).ok();
                }
                values = values.saturating_add(1);
            }
        }
        if flags & flag::EXTENDED != 0 {
            extensions(input, "a signature")?;
        }
        Ok(FormHead {
            is_extended: flags & flag::EXTENDED_OPERATIONS != 0,
            name,
            operands,
            results,
            successors,
            regions,
            inline: flags & flag::INLINE != 0,
            values: values.saturating_add(other.into()),
            symbol,
            declared,
            rule,
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

    pub(super) fn shape(&mut self, number: u64) -> Result<Arc<ShapeHead>> {
        if let Some((last, shape)) = &self.last
            && *last == number
        {
            return Ok(shape.clone());
        }
        let (key, place) = block_of(number);
        let found = self.shapes.get(&key).and_then(|shapes| shapes.get(place));
        let shape = match found {
            Some(shape) => shape.clone(),
            None => {
                let views = self.views.clone();
                let block = views.shapes.block(&views.store, number)?;
                let shapes = self.read_shapes(&block)?;
                let shape = shapes.get(place).cloned();
                self.shapes.insert(key, shapes);
                shape.ok_or_else(|| super::lazy_entries::inconsistent(&block.reader()))?
            }
        };
        self.last = Some((number, shape.clone()));
        Ok(shape)
    }

    fn read_shapes(&mut self, block: &Block) -> Result<Vec<Arc<ShapeHead>>> {
        let mut shapes = Vec::new();
        let mut input = block.reader();
        for _ in 0..block.count {
            let start = input.position();
            let at = input.offset();
            let form_number = input.varint()?;
            if form_number >= self.views.forms.count {
                let message = format!("form #{form_number} is not there");
                return Err(malformed(&input, at, message));
            }
            let form = self.form(form_number)?;
            let is_index = matches!(self.names, SymbolNames::Index);
            let mut entries = Vec::new();
            for _ in 0..form.results {
                let ty = input.varint()?.checked_sub(2).filter(|_| is_index);
                entries.extend(ty.map(|ty| (Class::Type, ty)));
            }
            let mut symbol = [None; 2];
            if !form.inline {
                let stored = is_index.then_some(&mut entries);
                symbol = values(&mut input, &form, stored)?;
            }
            shapes.push(Arc::new(ShapeHead {
                entries,
                form,
                form_number,
                symbol,
                range: start..input.position(),
            }));
        }
        input.expect_end()?;
        Ok(shapes)
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

    /// Passes over an operation up to its regions.
    pub(super) fn head(&mut self, input: &mut Reader<'_>) -> Result<Head> {
        let at = input.offset();
        let number = input.varint()?;
        if number >= self.views.shapes.count {
            let message = format!("shape #{number} is not there");
            return Err(malformed(input, at, message));
        }
        let shape = self.shape(number)?;
        let form = &shape.form;
        let mut uses: Option<(i64, i64)> = None;
        for _ in 0..form.operands {
            let back = input.varint()?;
            let number = match back {
                0 => i64::try_from(input.varint()?).unwrap_or(i64::MAX),
                back => i64::try_from(back).unwrap_or(i64::MAX).saturating_neg(),
            };
            let (least, most) = uses.unwrap_or((number, number));
            uses = Some((least.min(number), most.max(number)));
        }
        let (mut symbol, mut entries) = (shape.symbol, Vec::new());
        if form.inline {
            let is_index = matches!(self.names, SymbolNames::Index);
            symbol = values(input, form, is_index.then_some(&mut entries))?;
        }
        for _ in 0..form.successors {
            input.varint()?;
        }
        if form.is_extended {
            extensions(input, "an operation")?;
        }
        Ok(Head {
            symbol,
            entries,
            uses,
            shape: shape.clone(),
        })
    }

    /// Returns the string that is the name or visibility of a symbol; `None` if the attribute is
    /// not a string.
    pub(super) fn symbol_string(
        &mut self,
        form: &FormHead,
        number: u64,
    ) -> Result<Option<Arc<[u8]>>> {
        if let Some(string) = number.checked_sub(self.views.attribute_count) {
            return self.string(string).map(Some);
        }
        if let Some(string) = self.views.typed_string(number)? {
            return self.string(string).map(Some);
        }
        if !form.declared {
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

/// Passes over the values of a form; finds name and visibility of a symbol. Adds the attributes to
/// `entries`.
fn values(
    input: &mut Reader<'_>,
    form: &FormHead,
    mut entries: Option<&mut Vec<(Class, u64)>>,
) -> Result<[Option<u64>; 2]> {
    let mut found = [None; 2];
    for place in 0..form.values {
        let value = input.varint()?;
        if let Some(entries) = &mut entries {
            entries.push((Class::Attribute, value));
        }
        for (slot, wanted) in found.iter_mut().zip(form.symbol) {
            if wanted.is_some_and(|wanted| wanted as u64 == place) {
                *slot = Some(value);
            }
        }
    }
    Ok(found)
}
