//! Parses the statements of attributes and types.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::entry::{
    Abbreviated, Absence, CodecTarget, EntryDefinition, EntryTable, ParameterDefinition,
    ParameterKind,
};
use super::line::{DefinitionError, Line, Result};
use super::parse::Parser;
use super::release::ReleaseSet;
use super::traits::NamedTrait;
use super::{Text, format};
use crate::codec::{Codec, Field, FieldKind};
use std::borrow::Cow;
use std::collections::HashMap;

/// The maximum nesting depth of lists in a parameter.
const DEEPEST: u32 = 4;

/// The attributes and types parsed so far.
#[derive(Default)]
pub(super) struct Entries<'a> {
    /// The attributes, and the types.
    tables: [Table; 2],
    /// Whether the open entry, to which statements belong, is a type; `None` if no entry is open.
    pub(super) open: Option<bool>,
    /// The indices of the open entry's parameters by name.
    names: HashMap<&'a str, usize>,
    /// Formats by table, entry, line and column, deferred because they need all parameters.
    formats: Vec<(bool, usize, u32, u32, &'a str)>,
}

#[derive(Default)]
struct Table {
    entries: Vec<EntryDefinition>,
    /// The releases of the entries of a mnemonic.
    releases: HashMap<Text, ReleaseSet>,
    codecs: Vec<(Codec, CodecTarget)>,
}

impl Entries<'_> {
    /// Closes the open attribute or type.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    fn table(&mut self, is_type: bool) -> &mut Table {
        let [attributes, types] = &mut self.tables;
        if is_type { types } else { attributes }
    }
}

impl<'a> Parser<'a, '_> {
    /// Parses `mnemonic [releases]`.
    pub(super) fn start_entry(&mut self, line: &mut Line<'a>, is_type: bool) -> Result<()> {
        let start = line.place();
        let mnemonic = (self.own)(line.name()?);
        let releases = line.releases()?;
        self.entries.open = Some(is_type);
        self.entries.names.clear();
        let table = self.entries.table(is_type);
        let same = table.releases.entry(mnemonic.clone()).or_default();
        if !same.insert(releases) {
            let message = format!("'{mnemonic}' is defined twice for one release");
            return Err(line.error_at(start, message));
        }
        table.entries.push(EntryDefinition {
            mnemonic,
            releases,
            ..EntryDefinition::default()
        });
        Ok(())
    }

    /// Returns the attribute or type whose statements are being parsed.
    pub(super) fn current_entry(&mut self, line: &Line<'a>) -> Result<&mut EntryDefinition> {
        let open = self.entries.open;
        open.and_then(|is_type| self.entries.table(is_type).entries.last_mut())
            .ok_or_else(|| {
                line.error_at(
                    0,
                    "this is valid after an 'attribute' or 'type' statement only",
                )
            })
    }

    /// Parses `Trait [releases], ...` of an attribute or type.
    pub(super) fn entry_traits(&mut self, line: &mut Line<'a>, is_interface: bool) -> Result<()> {
        loop {
            let name = (self.own)(line.name()?);
            let releases = line.releases()?;
            self.current_entry(line)?.traits.push(NamedTrait {
                name,
                is_interface,
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `names: kind[(confinements)] [optional | = default] [releases], ...`.
    pub(super) fn parameters(&mut self, line: &mut Line<'a>) -> Result<()> {
        let mut names = Vec::new();
        loop {
            names.push((line.place(), line.name()?));
            if line.eat(':') {
                let kind = self.parameter_kind(line)?;
                let confinements = self.confinements(line)?;
                let mut absence = Absence::Refused;
                if line.eat_word("optional") {
                    absence = Absence::Empty;
                }
                let required = match line.eat_word("required") {
                    true => Some(line.releases()?),
                    false => None,
                };
                let releases = line.releases()?;
                if line.eat('=') {
                    absence = self.parameter_default(line, &kind)?;
                }
                for (place, name) in names.drain(..) {
                    let number = self.current_entry(line)?.parameters.len();
                    if self.entries.names.insert(name, number).is_some() {
                        let message = format!("parameter '{name}' is there already");
                        return Err(line.error_at(place, message));
                    }
                    let name = (self.own)(name);
                    self.current_entry(line)?
                        .parameters
                        .push(ParameterDefinition {
                            name,
                            kind: kind.clone(),
                            confinements: confinements.clone(),
                            absence: absence.clone(),
                            required,
                            releases,
                        });
                }
            }
            if !line.eat(',') {
                break;
            }
        }
        match names.is_empty() {
            true => Ok(()),
            false => Err(line.error("expected ':' and a kind")),
        }
    }

    /// Parses the text after the equals sign.
    fn parameter_default(&mut self, line: &mut Line<'a>, kind: &ParameterKind) -> Result<Absence> {
        let start = line.place();
        if line.eat('$') {
            let (name, place, before) = self.parameter_before(line)?;
            return match before == *kind {
                true => Ok(Absence::Parameter { name, place }),
                false => Err(line.error_at(start, "it is of another kind")),
            };
        }
        if matches!(kind, ParameterKind::Type { .. }) && line.eat_word("type") {
            line.expect('(')?;
            line.expect('$')?;
            let (name, place, before) = self.parameter_before(line)?;
            line.expect(')')?;
            return match before {
                ParameterKind::Attribute { .. } => Ok(Absence::TypeOf { name, place }),
                _ => Err(line.error_at(start, "only attributes have types")),
            };
        }
        Ok(match kind {
            ParameterKind::String => Absence::Text((self.own)(line.string()?)),
            ParameterKind::SelfType
            | ParameterKind::Own
            | ParameterKind::AffineMap
            | ParameterKind::IntegerSet => {
                return Err(line.error_at(start, "parameters of this kind have no default"));
            }
            ParameterKind::Attribute { .. }
            | ParameterKind::Type { .. }
            | ParameterKind::List(_)
            | ParameterKind::Dimensions => Absence::Spelled((self.own)(line.item()?)),
            ParameterKind::Float | ParameterKind::BigInteger | ParameterKind::Dimension => {
                let text = line.item()?;
                match text.parse() {
                    Ok(value) => Absence::Value(value),
                    Err(_) => Absence::Spelled((self.own)(text)),
                }
            }
            _ => Absence::Value(self.number(line, kind)?),
        })
    }

    /// Parses the name of a parameter that is already declared, and returns its kind too.
    fn parameter_before(&mut self, line: &mut Line<'a>) -> Result<(Text, usize, ParameterKind)> {
        let start = line.place();
        let name = line.name()?;
        let place = self.entries.names.get(name).copied();
        let entry = self.current_entry(line)?;
        let found = place.and_then(|place| Some((place, entry.parameters.get(place)?)));
        match found.map(|(place, before)| (place, before.kind.clone())) {
            Some((place, kind)) => Ok(((self.own)(name), place, kind)),
            None => Err(line.error_at(start, format!("there is no parameter '{name}' before"))),
        }
    }

    /// Parses a word as the number of a value of a kind.
    fn number(&mut self, line: &mut Line<'a>, kind: &ParameterKind) -> Result<i64> {
        let start = line.place();
        match kind {
            ParameterKind::Bool => match line.name()? {
                "false" => Ok(0),
                "true" => Ok(1),
                _ => Err(line.error_at(start, "expected 'false' or 'true'")),
            },
            ParameterKind::Enumeration { name, .. } => {
                let text = match line.starts_with('"') {
                    true => line.string()?,
                    false => line.name()?,
                };
                if let Ok(value) = text.parse() {
                    return Ok(value);
                }
                let found = self
                    .dialect
                    .enumeration(name)
                    .and_then(|e| e.value_of(text));
                found.ok_or_else(|| line.error_at(start, "no member of the enumeration"))
            }
            _ => line.integer(),
        }
    }

    fn parameter_kind(&mut self, line: &mut Line<'a>) -> Result<ParameterKind> {
        let start = line.place();
        let mut rest = line.name()?;
        let mut lists = 0u32;
        while let Some(inner) = rest
            .strip_prefix("list<")
            .and_then(|inner| inner.strip_suffix('>'))
            && lists < DEEPEST
        {
            rest = inner;
            lists = lists.saturating_add(1);
        }
        let inner = |head: &str| {
            let inner = rest.strip_prefix(head)?.strip_prefix('<')?;
            inner.strip_suffix('>')
        };
        let own = self.own;
        let mut kind = match rest {
            "int" => ParameterKind::Integer { width: 64 },
            "int8" => ParameterKind::Integer { width: 8 },
            "int16" => ParameterKind::Integer { width: 16 },
            "int32" => ParameterKind::Integer { width: 32 },
            "uint" => ParameterKind::unsigned(64),
            "uint8" => ParameterKind::unsigned(8),
            "uint16" => ParameterKind::unsigned(16),
            "uint32" => ParameterKind::unsigned(32),
            "hex" => ParameterKind::Unsigned {
                width: 64,
                hex: true,
            },
            "hex8" => ParameterKind::Unsigned {
                width: 8,
                hex: true,
            },
            "hex16" => ParameterKind::Unsigned {
                width: 16,
                hex: true,
            },
            "hex32" => ParameterKind::Unsigned {
                width: 32,
                hex: true,
            },
            "apint" => ParameterKind::BigInteger,
            "bool" => ParameterKind::Bool,
            "dim" => ParameterKind::Dimension,
            "dims" => ParameterKind::Dimensions,
            "float" => ParameterKind::Float,
            "string" => ParameterKind::String,
            "attr" => ParameterKind::Attribute { mnemonic: None },
            "type" => ParameterKind::Type { mnemonic: None },
            "self" => ParameterKind::SelfType,
            "affine_map" => ParameterKind::AffineMap,
            "integer_set" => ParameterKind::IntegerSet,
            "own" => ParameterKind::Own,
            _ => {
                let abbreviated = |attribute: &'a str| {
                    let (mnemonic, parameter) = attribute.split_once('.').ok_or_else(|| {
                        line.error_at(start, "expected a mnemonic, '.' and a parameter after '|'")
                    })?;
                    Ok(Abbreviated {
                        mnemonic: own(mnemonic),
                        parameter: own(parameter),
                    })
                };
                let named = |quoted, name: &'a str| {
                    let (name, abbreviates) = match name.split_once('|') {
                        Some((name, attribute)) => (name, Some(abbreviated(attribute)?)),
                        None => (name, None),
                    };
                    Ok(ParameterKind::Enumeration {
                        name: own(name),
                        quoted,
                        abbreviates,
                    })
                };
                if let Some(name) = inner("attr") {
                    ParameterKind::Attribute {
                        mnemonic: Some(own(name)),
                    }
                } else if let Some(name) = inner("type") {
                    ParameterKind::Type {
                        mnemonic: Some(own(name)),
                    }
                } else if let Some(name) = inner("enum") {
                    named(false, name)?
                } else if let Some(name) = inner("enum_string") {
                    named(true, name)?
                } else {
                    return Err(line.error_at(start, "unknown kind of parameter"));
                }
            }
        };
        for _ in 0..lists {
            kind = ParameterKind::List(Box::new(kind));
        }
        Ok(kind)
    }

    /// Defers the rest of the line, which is a format.
    pub(super) fn format(&mut self, line: &mut Line<'a>) -> Result<()> {
        let column = line.place();
        self.current_entry(line)?;
        let is_type = self.entries.open.unwrap_or_default();
        let entry = self.entries.table(is_type).entries.len().saturating_sub(1);
        let text = line.rest();
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        let format = (is_type, entry, line.number, column, text);
        self.entries.formats.push(format);
        Ok(())
    }

    /// Parses `CODE [releases] [= parameter: kind, ...]`. The kinds `apint` and `apfloat` name the
    /// preceding parameter that holds the type: `apint<type>`.
    pub(super) fn codec(&mut self, line: &mut Line<'a>) -> Result<()> {
        let code = line.integer()?.unsigned_abs();
        let releases = line.releases()?;
        let mnemonic = self.current_entry(line)?.mnemonic.clone();
        let is_type = self.entries.open.unwrap_or_default();
        let mut fields: Vec<Field> = Vec::new();
        let mut parameters = Vec::new();
        if line.eat('=') {
            let mut waiting = 0usize;
            loop {
                let start = line.place();
                let name = line.name()?;
                self.current_entry(line)?;
                let Some(&parameter) = self.entries.names.get(name) else {
                    let message = format!("there is no parameter '{name}'");
                    return Err(line.error_at(start, message));
                };
                parameters.push(parameter);
                fields.push(Field {
                    name: (self.own)(name),
                    kind: FieldKind::Byte,
                });
                waiting = waiting.saturating_add(1);
                if line.eat(':') {
                    let start = line.place();
                    let word = line.name()?;
                    let Some(kind) = field_kind(word, &fields) else {
                        return Err(line.error_at(start, "unknown kind of field"));
                    };
                    for field in fields.iter_mut().rev().take(waiting) {
                        field.kind = kind;
                    }
                    waiting = 0;
                }
                if !line.eat(',') {
                    break;
                }
            }
            if waiting > 0 {
                return Err(line.error("expected ':' and a kind"));
            }
        }
        let table = self.entries.table(is_type);
        let target = CodecTarget {
            entry: table.entries.len().saturating_sub(1),
            parameters,
            releases,
        };
        let codec = Codec {
            code,
            name: mnemonic,
            fields: Cow::Owned(fields),
        };
        table.codecs.push((codec, target));
        Ok(())
    }

    /// Parses the formats and builds the tables.
    pub(super) fn finish_entries(&mut self) -> Result<()> {
        let formats = std::mem::take(&mut self.entries.formats);
        for (is_type, entry, line, column, text) in formats {
            let (own, hooks) = (self.own, self.hooks);
            let dialect: Text = self.dialect.name.clone();
            let Some(entry) = self.entries.table(is_type).entries.get_mut(entry) else {
                continue;
            };
            let read = format::parse(text, &entry.parameters, &dialect, hooks, own);
            entry.format = read.map_err(|(at, message)| {
                let at = u32::try_from(at).unwrap_or(u32::MAX);
                let column = column.saturating_add(at).saturating_add(1);
                DefinitionError::new(line, column, message)
            })?;
        }
        let [attributes, types] = std::mem::take(&mut self.entries.tables);
        self.dialect.attributes = EntryTable::new(attributes.entries, attributes.codecs);
        self.dialect.types = EntryTable::new(types.entries, types.codecs);
        Ok(())
    }
}

fn field_kind(word: &str, fields: &[Field]) -> Option<FieldKind> {
    let of_type = |head: &str| {
        let name = word.strip_prefix(head)?.strip_prefix('<')?;
        let name = name.strip_suffix('>')?;
        // A place is stored in a byte.
        let place = fields
            .iter()
            .take(256)
            .position(|f| f.name == name && f.kind == FieldKind::Type)?;
        u8::try_from(place).ok()
    };
    FieldKind::from_name(word)
        .or_else(|| of_type("apint").map(FieldKind::ApInt))
        .or_else(|| of_type("apfloat").map(FieldKind::ApFloat))
}
