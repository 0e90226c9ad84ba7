//! Parameters of attributes and types of dialects.

use super::Context;
use super::scratch::Scratch;
use crate::codec::{FieldValue, FieldValues};
use crate::definition::{DialectDefinition, EntryDefinition, ParameterDefinition, ParameterKind};
use crate::error::Invalid;
use crate::late_list::LateList;
use crate::{Attribute, AttributeKind, DialectBody, Entry, Identifier, Type, TypeKind};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The parameters that were asked for.
#[derive(Default)]
pub(super) struct ParameterCache {
    state: Mutex<CacheState>,
    values: LateList<Result<Stored, ParametersError>>,
}

#[derive(Default)]
struct CacheState {
    /// Indices in the values.
    known: HashMap<Entry, usize, RandomState>,
    /// Where bodies are parsed.
    scratch: Option<Box<Scratch>>,
}

/// The parameters of one attribute or type.
struct Stored {
    dialect: Arc<DialectDefinition>,
    is_type: bool,
    /// The index in the table of the dialect.
    entry: usize,
    values: FieldValues<'static>,
}

impl ParameterCache {
    /// Keeps everybody from appending to the context through a shared reference.
    pub(super) fn pause(&self) -> impl Sized {
        self.state()
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reason why the parameters of an attribute or type are not available.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParametersError {
    /// It belongs to the Builtin dialect: see [`AttributeKind`] and [`TypeKind`]. Locations have no
    /// parameters either.
    Builtin,
    /// The context has no definition of the dialect, whose namespace this is.
    UnknownDialect(String),
    /// The definition of the dialect does not declare it, or declares it without parameters and is
    /// not complete. The name is that of the dialect, a dot and the mnemonic.
    UnknownEntry(String),
    /// The context has no parser. Call `rmlir_text::register` first.
    NoParser,
    /// The body does not match the definition, or the definition names a hook that is missing.
    Malformed(Invalid),
}

impl fmt::Display for ParametersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParametersError::Builtin => f.write_str("a builtin attribute or type has no body"),
            ParametersError::UnknownDialect(name) => {
                write!(f, "dialect '{name}' has no known definition")
            }
            ParametersError::UnknownEntry(name) => {
                write!(f, "the parameters of '{name}' are not known")
            }
            ParametersError::NoParser => {
                f.write_str("the context has no parser: call rmlir_text::register first")
            }
            ParametersError::Malformed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParametersError {}

/// The parameters of an attribute or type of a dialect.
///
/// Returned by [`Context::parameters`].
#[derive(Clone, Copy)]
pub struct EntryParameters<'c> {
    context: &'c Context,
    stored: &'c Stored,
}

/// A parameter of an attribute or type of a dialect: its definition and value.
#[derive(Clone, Copy)]
pub struct Parameter<'c> {
    context: &'c Context,
    stored: &'c Stored,
    definition: &'c ParameterDefinition,
    /// The kind of the value; of an item of a list, the kind of the items.
    kind: &'c ParameterKind,
    value: &'c FieldValue<'static>,
}

impl fmt::Debug for EntryParameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|one| (one.name(), one.value())))
            .finish()
    }
}

impl fmt::Debug for Parameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {:?}", self.name(), self.value)
    }
}

impl<'c> EntryParameters<'c> {
    /// Returns the definition of the attribute or type.
    pub fn definition(self) -> &'c EntryDefinition {
        static NOTHING: EntryDefinition = EntryDefinition::NOTHING;
        let table = match self.stored.is_type {
            true => &self.stored.dialect.types,
            false => &self.stored.dialect.attributes,
        };
        table.entries().get(self.stored.entry).unwrap_or(&NOTHING)
    }

    /// Returns the parameter of that name; `None` if the definition has none. Linear in the number
    /// of parameters.
    pub fn get(self, name: &str) -> Option<Parameter<'c>> {
        self.iter().find(|parameter| parameter.name() == name)
    }

    /// Returns all parameters, in the order of the definition.
    pub fn iter(self) -> impl Iterator<Item = Parameter<'c>> {
        let values = self.stored.values.fields.iter();
        let parameters = self.definition().parameters.iter().zip(values);
        parameters.map(move |(definition, value)| Parameter {
            context: self.context,
            stored: self.stored,
            definition,
            kind: &definition.kind,
            value,
        })
    }

    /// Returns all values, in the order of the definition.
    pub fn values(self) -> &'c FieldValues<'static> {
        &self.stored.values
    }
}

impl<'c> Parameter<'c> {
    /// Returns the name.
    pub fn name(self) -> &'c str {
        &self.definition.name
    }

    /// Returns the definition.
    pub fn definition(self) -> &'c ParameterDefinition {
        self.definition
    }

    /// Returns the value, which is the default if the body omits it.
    pub fn value(self) -> &'c FieldValue<'static> {
        self.value
    }

    /// Returns whether an optional parameter has no value.
    pub fn is_absent(self) -> bool {
        *self.value == FieldValue::Absent
    }

    /// Returns the value of an attribute parameter.
    pub fn attribute(self) -> Option<Attribute> {
        match *self.value {
            FieldValue::Attribute(attribute) => Some(attribute),
            _ => None,
        }
    }

    /// Returns the value of a type parameter.
    pub fn ty(self) -> Option<Type> {
        match *self.value {
            FieldValue::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns the value of a parameter that is an integer, a boolean or an enumeration; the value
    /// of an integer attribute. `None` if it does not fit.
    pub fn integer(self) -> Option<i64> {
        match self.value {
            FieldValue::Signed(value) => Some(*value),
            FieldValue::Unsigned(value) => i64::try_from(*value).ok(),
            FieldValue::Integer(value) => value.to_i64(),
            FieldValue::Attribute(attribute) => self.context.integer_value(*attribute),
            _ => None,
        }
    }

    /// Returns the value of a boolean parameter.
    pub fn bool(self) -> Option<bool> {
        match (self.kind, self.value) {
            (ParameterKind::Bool, FieldValue::Unsigned(value)) => Some(*value != 0),
            _ => None,
        }
    }

    /// Returns the value of a floating-point parameter.
    pub fn float(self) -> Option<f64> {
        match *self.value {
            FieldValue::Float(bits) => Some(f64::from_bits(bits as u64)),
            _ => None,
        }
    }

    /// Returns the value of a parameter that is a string, bytes or a string attribute.
    pub fn bytes(self) -> Option<&'c [u8]> {
        match self.value {
            FieldValue::String(string) => Some(self.context.bytes(*string)),
            FieldValue::Bytes(bytes) => Some(bytes),
            FieldValue::Attribute(attribute) => self.context.string_value(*attribute),
            _ => None,
        }
    }

    /// Returns the [bytes](Self::bytes) as text, or the keyword of an enumeration's member. Bytes
    /// that are not UTF-8 are replaced.
    pub fn str(self) -> Option<Cow<'c, str>> {
        if let ParameterKind::Enumeration { name, .. } = self.kind {
            let value = self.integer()?;
            let dialect = &self.stored.dialect;
            let keyword =
                dialect.find_enumeration(self.context, name, |found| found.text_of(value));
            return keyword.map(Cow::Owned);
        }
        self.bytes().map(String::from_utf8_lossy)
    }

    /// Returns the items of a list; none if the value is not a list.
    pub fn items(self) -> impl ExactSizeIterator<Item = Parameter<'c>> {
        let kind = match self.kind {
            ParameterKind::List(kind) => kind,
            ParameterKind::Dimensions => &ParameterKind::Dimension,
            kind => kind,
        };
        let items = self.stored.values.list(self.value).iter();
        items.map(move |value| Parameter {
            kind,
            value,
            ..self
        })
    }
}

impl Context {
    /// Returns the parameters of an attribute or type of a dialect, by the names in its definition.
    ///
    /// The body is parsed when its parameters are first asked for, which takes time linear in its
    /// length; later calls take constant time. Attributes, types and strings that occur only inside
    /// the body, and not in the context, are added to the context.
    ///
    /// # Errors
    ///
    /// If nothing is known of the parameters, or the body does not match its definition.
    pub fn parameters(
        &self,
        entry: impl Into<Entry>,
    ) -> Result<EntryParameters<'_>, ParametersError> {
        let stored = self.stored_parameters(entry.into());
        let stored = stored.as_ref().map_err(Clone::clone)?;
        Ok(EntryParameters {
            context: self,
            stored,
        })
    }

    /// Returns a parameter of an attribute or type of a dialect; `None` if nothing is known of its
    /// parameters, or it has none of that name. See [`parameters`](Self::parameters).
    pub fn parameter(&self, entry: impl Into<Entry>, name: &str) -> Option<Parameter<'_>> {
        self.parameters(entry).ok()?.get(name)
    }

    fn stored_parameters(&self, entry: Entry) -> &Result<Stored, ParametersError> {
        static LOST: Result<Stored, ParametersError> = Err(ParametersError::Builtin);
        let cache = &self.parameter_cache;
        let index = {
            let mut state = cache.state();
            match state.known.get(&entry) {
                Some(&index) => index,
                None => {
                    let parsed = self.parse_parameters(&mut state.scratch, entry);
                    let index = cache.values.push(parsed);
                    state.known.insert(entry, index);
                    index
                }
            }
        };
        let stored = cache.values.get(index);
        debug_assert!(stored.is_some());
        stored.unwrap_or(&LOST)
    }

    fn parse_parameters(
        &self,
        scratch: &mut Option<Box<Scratch>>,
        entry: Entry,
    ) -> Result<Stored, ParametersError> {
        let (dialect, body) = self.dialect_body(entry).ok_or(ParametersError::Builtin)?;
        let namespace = self.str(dialect);
        let unknown = || ParametersError::UnknownDialect(namespace.clone().into_owned());
        let dialect = self.dialect(namespace.as_bytes()).ok_or_else(unknown)?;
        let form = self.textual_form.ok_or(ParametersError::NoParser)?;
        let scratch = scratch.get_or_insert_with(|| Box::new(Scratch::new(self)));
        let malformed = ParametersError::Malformed;
        let copy = scratch.copy(self, entry).map_err(malformed)?;
        let parsed = form.parameters(&mut scratch.context, copy);
        let Some((index, mut values)) = parsed.map_err(malformed)? else {
            let mnemonic = String::from_utf8_lossy(body.mnemonic());
            return Err(ParametersError::UnknownEntry(format!(
                "{namespace}.{mnemonic}"
            )));
        };
        scratch.give_back(self, &mut values).map_err(malformed)?;
        Ok(Stored {
            is_type: matches!(entry, Entry::Type(_)),
            entry: index,
            dialect,
            values,
        })
    }

    /// Returns the dialect and body of an attribute or type that is not builtin.
    pub(crate) fn dialect_body(&self, entry: Entry) -> Option<(Identifier, &DialectBody)> {
        match entry {
            Entry::Attribute(attribute) => match self.attribute_kind(attribute) {
                AttributeKind::Dialect { dialect, body, .. } => Some((*dialect, body)),
                _ => None,
            },
            Entry::Type(ty) => match self.type_kind(ty) {
                TypeKind::Dialect { dialect, body } => Some((*dialect, body)),
                _ => None,
            },
            Entry::Location(_) => None,
        }
    }
}
