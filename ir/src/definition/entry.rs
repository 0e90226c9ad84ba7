//! Attributes and types of a dialect: parameters, syntax, layouts in bytecode.

use super::format::{AssemblyFormat, FormatElement};
use super::hooks::HookSource;
use super::line::DefinitionError;
use super::release::ReleaseRange;
use super::traits::NamedTrait;
use super::{Documentation, Text, format};
use crate::apint::ApInt;
use crate::asm::EntryVerifier;
use crate::codec::{Codec, FieldValue, FieldValues, find};
use crate::constraint::Confinement;
use crate::sort::CompactSort as _;
use crate::{Attribute, Context, DialectBody, Type};
use std::fmt;

/// An attribute or type of a dialect.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EntryDefinition {
    /// The mnemonic that its body starts with.
    pub mnemonic: Text,
    /// Its parameters, in declaration order.
    pub parameters: Vec<ParameterDefinition>,
    /// The syntax after the mnemonic.
    pub format: AssemblyFormat,
    /// The builtin type whose values this type has, as text: `i32` for `!vhlo.i32_v1`.
    pub like: Option<Text>,
    /// The constraint by which operations require it; empty if none does. With a constraint, their
    /// formats omit the dialect's name and the mnemonic, unless they are `qualified`.
    pub constraint: Text,
    /// For an attribute: its description in errors about other attributes; empty to use its name.
    pub summary: Text,
    /// The hook that checks the parameters.
    pub hook: EntryHook,
    /// Its traits and interfaces, by name.
    pub traits: Vec<NamedTrait>,
    /// Whether it exists, but what follows the mnemonic is not described: any body with its
    /// mnemonic is kept as it is written.
    pub opaque: bool,
    /// Whether MLIR's class has a verifier of its own in C++ (`genVerifyDecl`).
    pub has_cpp_verifier: bool,
    /// For an attribute that is the encoding of tensors (`VerifiableTensorEncoding`): the list
    /// parameter that has one item for each dimension of the tensor; empty if there is none.
    pub dimensions: Text,
    /// For a type: the parameter whose string identifies it, so that a context has one body for
    /// each; empty if there is none.
    pub identity: Text,
    /// Its documentation, if it has any.
    pub documentation: Option<Box<Documentation>>,
    /// The releases of the dialect's family in which it exists.
    pub releases: ReleaseRange,
}

/// A hook that checks the parameters of an attribute or type.
#[derive(Clone, Debug, Default)]
pub struct EntryHook {
    /// Its name; empty if there is none.
    pub name: Text,
    /// The hook, if it was found.
    pub verifier: Option<&'static dyn EntryVerifier>,
}

impl EntryHook {
    /// No hook.
    const NOTHING: Self = EntryHook {
        name: Text::Borrowed(""),
        verifier: None,
    };
}

impl PartialEq for EntryHook {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A parameter of an attribute or type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterDefinition {
    /// Its name.
    pub name: Text,
    /// The kind of its value, which determines the spelling.
    pub kind: ParameterKind,
    /// Additional constraints, like those of an inherent attribute: see
    /// [`attribute_value`](Self::attribute_value).
    pub confinements: Vec<Confinement>,
    /// The value if it is omitted.
    pub absence: Absence,
    /// The releases whose texts do not omit it, although it has a default: texts of all releases
    /// show it, and only those of others are read without it.
    pub required: Option<ReleaseRange>,
    /// The releases in which it exists.
    pub releases: ReleaseRange,
}

/// The meaning of an omitted parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Absence {
    /// The parameter is required.
    #[default]
    Refused,
    /// It has no value: [`FieldValue::Absent`]; a list is empty.
    Empty,
    /// It has this value: a number, a boolean or the value of an enumeration's member.
    Value(i64),
    /// It is this string.
    Text(Text),
    /// It has the value of this text, in the syntax of bodies: `i32`; for a list, in square
    /// brackets: `[1, 2]`.
    Spelled(Text),
    /// It has the value of another parameter, which is declared before it.
    Parameter {
        /// The other's name.
        name: Text,
        /// The other's index.
        place: usize,
    },
    /// It is the type of the attribute in another parameter, which is declared before it.
    TypeOf {
        /// The other's name.
        name: Text,
        /// The other's index.
        place: usize,
    },
}

/// The kind of a parameter. Its value is a [`FieldValue`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// `int`, `int8`, `int16`, `int32`: a signed integer: [`FieldValue::Signed`].
    Integer {
        /// The width in bits; 64 if the kind does not specify it.
        width: u32,
    },
    /// `uint`, `uint8`, `uint16`, `uint32`: an unsigned integer; `hex`, `hex8`, `hex16`, `hex32`:
    /// one that is printed in hexadecimal: [`FieldValue::Unsigned`].
    Unsigned {
        /// The width in bits, as for a signed integer.
        width: u32,
        /// Whether it is printed in hexadecimal with `0x`.
        hex: bool,
    },
    /// `apint`: a signed integer of any size: [`FieldValue::Integer`], in the form of
    /// [`ApInt::from_magnitude`].
    BigInteger,
    /// `bool`: `true` or `false`; 1 and 0 are accepted as well: [`FieldValue::Unsigned`].
    Bool,
    /// `dim`: a signed integer, or `?` for [`DYNAMIC`](crate::DYNAMIC): [`FieldValue::Signed`].
    Dimension,
    /// `dims`: dimensions in square brackets: [`FieldValue::List`].
    Dimensions,
    /// `float`: an `f64` in decimal: [`FieldValue::Float`].
    Float,
    /// `affine_map`: an affine map as its bare text, `(d0) -> (d0)`: [`FieldValue::Attribute`].
    AffineMap,
    /// `integer_set`: an integer set as its bare text, `(d0) : (d0 == 0)`:
    /// [`FieldValue::Attribute`].
    IntegerSet,
    /// `string`: in quotes: [`FieldValue::String`].
    String,
    /// `enum<NAME>`, `enum_string<NAME>`: the keyword of a member: [`FieldValue::Unsigned`]. If
    /// several members are set, their keywords joined by the separator.
    Enumeration {
        /// Its name, preceded by the dialect's name and a dot if it belongs to another dialect.
        name: Text,
        /// Whether a text that is not a keyword is quoted.
        quoted: bool,
        /// The attribute that a member abbreviates, if it does.
        abbreviates: Option<Abbreviated>,
    },
    /// `attr`: an attribute; `attr<MNEMONIC>`: an attribute of that mnemonic of the dialect, whose
    /// name is omitted if it has no alias: [`FieldValue::Attribute`].
    Attribute {
        /// The mnemonic, if it is fixed.
        mnemonic: Option<Text>,
    },
    /// `type`, `type<MNEMONIC>`: a type: [`FieldValue::Type`].
    Type {
        /// The mnemonic, if it is fixed.
        mnemonic: Option<Text>,
    },
    /// `self`: the type of an attribute, which follows the attribute and a colon and is not part of
    /// its format; absent if there is none: [`FieldValue::Type`].
    SelfType,
    /// `list<KIND>`: comma-separated items: [`FieldValue::List`].
    List(Box<ParameterKind>),
    /// `own`: only a hook can interpret it.
    Own,
}

/// The attribute that a member of an enumeration abbreviates: `enum<NAME|MNEMONIC.PARAMETER>`.
///
/// The value is the member, or, if the attribute has other parameters too, the attribute:
/// [`FieldValue::Attribute`]. A codec whose field is an attribute encodes a member as the attribute
/// that has only this parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abbreviated {
    /// The mnemonic of the attribute, which is one of the same dialect.
    pub mnemonic: Text,
    /// The parameter of the attribute whose value the member is.
    pub parameter: Text,
}

impl ParameterKind {
    /// Returns the kind of a member of an enumeration.
    pub fn enumeration(name: impl Into<Text>) -> Self {
        ParameterKind::Enumeration {
            name: name.into(),
            quoted: false,
            abbreviates: None,
        }
    }

    /// Returns the kind of an unsigned integer of `width` bits that is printed in decimal.
    pub const fn unsigned(width: u32) -> Self {
        ParameterKind::Unsigned { width, hex: false }
    }
}

/// The spelling of definitions, such as `list<type>`.
impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::print::parameter_kind(self))
    }
}

/// The attribute or type that a [`Codec`] of a dialect encodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodecTarget {
    /// The index of the attribute or type in [`EntryTable::entries`].
    pub entry: usize,
    /// The index of the parameter that each field holds.
    pub parameters: Vec<usize>,
    /// The releases in which the layout applies.
    pub releases: ReleaseRange,
}

/// The attributes of a dialect, or its types.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EntryTable {
    /// Sorted by mnemonic; those of the same mnemonic in declaration order.
    entries: Vec<EntryDefinition>,
    /// Sorted by code; those of the same code in declaration order.
    codecs: Vec<Codec>,
    /// The target of each codec.
    targets: Vec<CodecTarget>,
    /// The indices of the codecs, sorted by the index of their entry.
    codecs_of: Vec<usize>,
    /// The indices of the entries that have a constraint, sorted by its name.
    constrained: Vec<usize>,
}

impl EntryTable {
    /// Creates a table of these entries with their codecs. A target's `entry` is an index into
    /// `entries`. O(n log n).
    pub fn new(
        entries: Vec<EntryDefinition>,
        codecs: impl IntoIterator<Item = (Codec, CodecTarget)>,
    ) -> Self {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.compact_sort_by(|&a, &b| mnemonic(&entries, a).cmp(mnemonic(&entries, b)));
        let mut places = vec![0; entries.len()];
        for (place, &entry) in order.iter().enumerate() {
            if let Some(new) = places.get_mut(entry) {
                *new = place;
            }
        }
        let mut rows: Vec<(Codec, CodecTarget)> = codecs.into_iter().collect();
        rows.compact_sort_by_key(|row| row.0.code);
        let mut table = EntryTable::default();
        for (codec, mut target) in rows {
            target.entry = places.get(target.entry).copied().unwrap_or(usize::MAX);
            table.codecs.push(codec);
            table.targets.push(target);
        }
        let mut entries: Vec<Option<EntryDefinition>> = entries.into_iter().map(Some).collect();
        let sorted = order
            .into_iter()
            .filter_map(|at| entries.get_mut(at)?.take());
        table.entries = sorted.collect();
        let targets = &table.targets;
        table.codecs_of = (0..targets.len()).collect();
        table
            .codecs_of
            .compact_sort_by_key(|&at| targets.get(at).map(|target| target.entry));
        let constraint = |at: &usize| table.entries.get(*at).map_or("", |e| &e.constraint);
        let mut constrained: Vec<usize> = (0..table.entries.len()).collect();
        constrained.retain(|at| !constraint(at).is_empty());
        constrained.compact_sort_by(|a, b| constraint(a).cmp(constraint(b)));
        table.constrained = constrained;
        table
    }

    /// Returns the entries, sorted by mnemonic. Several have the same mnemonic if releases define
    /// it with nothing in common.
    pub fn entries(&self) -> &[EntryDefinition] {
        &self.entries
    }

    /// Returns the entry that a constraint of operations requires, in a release of the dialect's
    /// family. Takes O(log n), and time in the number of entries with this constraint.
    pub fn of_constraint(&self, constraint: &str, number: u32) -> Option<&EntryDefinition> {
        let entry = |at: &usize| self.entries.get(*at);
        let less = |at: &usize| entry(at).is_some_and(|entry| *entry.constraint < *constraint);
        let start = self.constrained.partition_point(less);
        let same = self.constrained.get(start..)?.iter().filter_map(entry);
        let mut same = same.take_while(|entry| entry.constraint == constraint);
        same.find(|entry| entry.releases.contains(number))
    }

    /// Returns the codecs, sorted by code.
    pub fn codecs(&self) -> &[Codec] {
        &self.codecs
    }

    /// Returns the entry of that mnemonic in a release of the dialect's family, or else the first
    /// of that mnemonic. Takes O(log n).
    pub fn entry(&self, mnemonic: &[u8], number: u32) -> Option<&EntryDefinition> {
        let start = self
            .entries
            .partition_point(|entry| entry.mnemonic.as_bytes() < mnemonic);
        let rest = self.entries.get(start..)?;
        let len = rest.partition_point(|entry| entry.mnemonic.as_bytes() == mnemonic);
        let found = rest.get(..len)?;
        let exists = |entry: &&EntryDefinition| entry.releases.contains(number);
        found.iter().find(exists).or_else(|| found.first())
    }

    /// Returns the entry of a body, in a release of the dialect's family. Takes O(log n).
    pub fn entry_of(&self, body: &DialectBody, number: u32) -> Option<&EntryDefinition> {
        let mnemonic = body.mnemonic();
        if let Some(entry) = self.entry(mnemonic, number) {
            return Some(entry);
        }
        // If a format begins without a space, its first word directly follows the mnemonic.
        let entries = self.entries();
        let behind = entries.partition_point(|entry| entry.mnemonic.as_bytes() < mnemonic);
        let before = entries.get(behind.checked_sub(1)?)?;
        let glued = mnemonic.starts_with(before.mnemonic.as_bytes())
            && matches!(
                before.format.elements.first(),
                Some(FormatElement::Space(false))
            );
        match glued {
            true => self.entry(before.mnemonic.as_bytes(), number),
            false => None,
        }
    }

    /// Returns the layouts of a code with their targets, in order.
    pub fn rows(&self, code: u64) -> impl Iterator<Item = (&Codec, &CodecTarget)> {
        let rows = find(&self.codecs, code);
        let start = self.codecs.partition_point(|codec| codec.code < code);
        let targets = self.targets.get(start..).unwrap_or_default();
        rows.iter().zip(targets)
    }

    /// Returns the layouts of an entry, in order of their codes.
    pub fn rows_of<'t>(
        &'t self,
        entry: &'t EntryDefinition,
    ) -> impl Iterator<Item = (&'t Codec, &'t CodecTarget)> + Clone {
        let mnemonic = &entry.mnemonic;
        let start = self.entries.partition_point(|e| e.mnemonic < *mnemonic);
        let same = self.entries.get(start..).unwrap_or_default().iter();
        let mut same = same.take_while(|e| e.mnemonic == *mnemonic);
        let place = same.position(|e| std::ptr::eq(e, entry));
        // Of an entry of another table there are none.
        let place = place.map_or(usize::MAX, |at| start.saturating_add(at));
        let target = |at: &usize| self.targets.get(*at).map_or(usize::MAX, |t| t.entry);
        let start = self.codecs_of.partition_point(|at| target(at) < place);
        let rows = self.codecs_of.get(start..).unwrap_or_default().iter();
        let rows = rows.take_while(move |at| place != usize::MAX && target(at) == place);
        rows.filter_map(|at| Some((self.codecs.get(*at)?, self.targets.get(*at)?)))
    }
}

fn mnemonic(entries: &[EntryDefinition], at: usize) -> &str {
    entries.get(at).map_or("", |entry| &entry.mnemonic)
}

impl EntryDefinition {
    /// Returns the type of an attribute with these parameters, if one of them specifies it.
    pub fn self_type(&self, parameters: &FieldValues<'_>) -> Option<Type> {
        let mut all = self.parameters.iter().zip(&parameters.fields);
        all.find_map(|(parameter, value)| match (&parameter.kind, value) {
            (ParameterKind::SelfType, &FieldValue::Type(ty)) => Some(ty),
            _ => None,
        })
    }

    /// An entry without a name or any other data.
    pub const NOTHING: Self = EntryDefinition {
        mnemonic: Text::Borrowed(""),
        parameters: Vec::new(),
        format: AssemblyFormat {
            elements: Vec::new(),
        },
        like: None,
        constraint: Text::Borrowed(""),
        summary: Text::Borrowed(""),
        hook: EntryHook::NOTHING,
        traits: Vec::new(),
        opaque: false,
        has_cpp_verifier: false,
        dimensions: Text::Borrowed(""),
        identity: Text::Borrowed(""),
        documentation: None,
        releases: ReleaseRange::ALL,
    };

    /// Creates an attribute or type without parameters.
    pub fn new(mnemonic: impl Into<Text>) -> Self {
        EntryDefinition {
            mnemonic: mnemonic.into(),
            ..EntryDefinition::default()
        }
    }

    /// Sets the hook that checks the parameters.
    #[must_use]
    pub fn with_hook(mut self, name: impl Into<Text>, hooks: &dyn HookSource) -> Self {
        let name = name.into();
        let verifier = hooks.entry_verifier(&name);
        self.hook = EntryHook { name, verifier };
        self
    }

    /// Adds a parameter after the existing ones. It is ignored if there is one of its name.
    #[must_use]
    pub fn with_parameter(mut self, parameter: ParameterDefinition) -> Self {
        if self.parameter(&parameter.name).is_none() {
            self.parameters.push(parameter);
        }
        self
    }

    /// Sets the format after the mnemonic, in the language of definitions. Call this after all
    /// parameters are added. `dialect` is for the names of hooks.
    ///
    /// # Errors
    ///
    /// The error in the text, with its position.
    pub fn set_format(
        &mut self,
        text: &str,
        dialect: &str,
        hooks: &dyn HookSource,
    ) -> Result<(), DefinitionError> {
        let own = |text: &str| Text::Owned(text.to_owned());
        let read = format::parse(text, &self.parameters, dialect, hooks, own);
        self.format = read.map_err(|(at, message)| DefinitionError::in_text(text, at, message))?;
        Ok(())
    }

    /// Returns whether its syntax is completely known: it is not opaque, and no hook is missing.
    /// Linear in the format.
    pub fn is_known(&self) -> bool {
        if self.opaque {
            return false;
        }
        let mut stack: Vec<&FormatElement> = self.format.elements.iter().collect();
        while let Some(element) = stack.pop() {
            let own = |place: &usize| {
                let parameter = self.parameters.get(*place);
                parameter.is_none_or(|parameter| parameter.kind == ParameterKind::Own)
            };
            let is_known = match element {
                FormatElement::Literal(_) | FormatElement::Space(_) => true,
                FormatElement::Parameter(place) | FormatElement::Qualified(place) => !own(place),
                FormatElement::Parameters(places) | FormatElement::Struct(places) => {
                    !places.iter().any(own)
                }
                FormatElement::Custom(custom) => custom.hook.is_some(),
                FormatElement::Group(group) => {
                    stack.extend(group.then.iter().chain(&group.otherwise));
                    true
                }
                FormatElement::Operation(_) => false,
            };
            if !is_known {
                return false;
            }
        }
        true
    }

    /// Returns whether it has the trait or interface of that name in any release. Linear in its
    /// traits.
    pub fn has_trait_named(&self, name: &str) -> bool {
        self.traits.iter().any(|one| one.name == name)
    }

    /// Returns the names of its interfaces in any release.
    pub fn interfaces(&self) -> impl Iterator<Item = &str> {
        let interfaces = self.traits.iter().filter(|one| one.is_interface);
        interfaces.map(|one| &*one.name)
    }

    /// Returns whether its parameters and format describe its bodies. One without parameters may be
    /// incomplete, unless the definition declares all attributes or types of the dialect.
    pub fn is_described(&self, is_complete: bool) -> bool {
        !self.opaque && (is_complete || !self.parameters.is_empty())
    }

    /// Returns the index of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.name == name)
    }
}

impl ParameterDefinition {
    /// Creates a required parameter of all releases.
    pub fn new(name: impl Into<Text>, kind: ParameterKind) -> Self {
        ParameterDefinition {
            name: name.into(),
            kind,
            confinements: Vec::new(),
            absence: Absence::Refused,
            required: None,
            releases: ReleaseRange::ALL,
        }
    }

    /// Sets the meaning of its absence.
    #[must_use]
    pub fn absent(mut self, absence: Absence) -> Self {
        self.absence = absence;
        self
    }

    /// Adds a constraint on the value.
    #[must_use]
    pub fn confined(mut self, confinement: Confinement) -> Self {
        self.confinements.push(confinement);
        self
    }

    /// Converts a value to the attribute that its [`confinements`](Self::confinements) apply to.
    ///
    /// A number becomes an `i64`, a list of numbers a dense array of them, any other list an array,
    /// and a type a type attribute. Returns `None` if there is no such attribute; then the
    /// confinements do not apply. Linear in the value.
    pub fn attribute_value(
        context: &mut Context,
        value: &FieldValue<'_>,
        values: &FieldValues<'_>,
    ) -> Option<Attribute> {
        let number = |value: &FieldValue<'_>| match value {
            FieldValue::Signed(value) => Some(*value),
            FieldValue::Unsigned(value) => Some(i64::try_from(*value).unwrap_or(i64::MAX)),
            FieldValue::Integer(value) => {
                Some(value.to_i64().unwrap_or(match value.is_negative() {
                    true => i64::MIN,
                    false => i64::MAX,
                }))
            }
            _ => None,
        };
        if let Some(value) = number(value) {
            let ty = context.integer_type(64);
            return context.integer_attribute(ty, value).ok();
        }
        Some(match value {
            FieldValue::Attribute(attribute) => *attribute,
            FieldValue::Type(ty) => context.type_attribute(*ty),
            FieldValue::String(string) => context.string_attribute_of(*string),
            FieldValue::Float(bits) => {
                let ty = context.f64_type();
                let value = f64::from_bits(*bits as u64);
                return context.float_attribute(ty, value).ok();
            }
            FieldValue::List(_) => {
                let items = values.list(value);
                let numbers: Option<Vec<i64>> = items.iter().map(number).collect();
                match numbers {
                    Some(numbers) => context.i64_array_attribute(numbers),
                    None => {
                        let items = items
                            .iter()
                            .map(|item| Self::attribute_value(context, item, values));
                        let items: Option<Vec<Attribute>> = items.collect();
                        context.array_attribute(&items?)
                    }
                }
            }
            _ => return None,
        })
    }

    /// Returns whether the parameter is required.
    pub fn is_required(&self) -> bool {
        self.absence == Absence::Refused && self.kind != ParameterKind::SelfType
    }

    /// Returns the value of an omitted parameter. It is [`FieldValue::Absent`] if there is none, if
    /// the parameter is required, or if the text reader determines it, as for [`Absence::Spelled`].
    pub fn default_value(&self, context: &mut Context) -> FieldValue<'static> {
        match &self.absence {
            Absence::Refused
            | Absence::Empty
            | Absence::Spelled(_)
            | Absence::Parameter { .. }
            | Absence::TypeOf { .. } => FieldValue::Absent,
            Absence::Value(value) => self.kind.number(*value),
            Absence::Text(text) => FieldValue::String(context.identifier(&**text)),
        }
    }

    /// Returns whether a value can be omitted. A value that the text reader determines, as for
    /// [`Absence::Spelled`], cannot be.
    pub fn is_default(&self, context: &Context, value: &FieldValue<'_>) -> bool {
        match (&self.absence, value) {
            (_, FieldValue::Absent) => !self.is_required(),
            (Absence::Refused, _) => false,
            (Absence::Empty, FieldValue::List(items)) => items.is_empty(),
            (Absence::Empty, _) => false,
            (Absence::Value(default), value) => *value == self.kind.number(*default),
            (Absence::Text(text), FieldValue::String(string)) => {
                context.bytes(*string) == text.as_bytes()
            }
            (Absence::Text(_), _) => false,
            (Absence::Spelled(_) | Absence::Parameter { .. } | Absence::TypeOf { .. }, _) => false,
        }
    }
}

impl ParameterKind {
    /// Returns a number as a value of this kind.
    pub fn number(&self, value: i64) -> FieldValue<'static> {
        match self {
            ParameterKind::Integer { .. } | ParameterKind::Dimension => FieldValue::Signed(value),
            ParameterKind::Float => FieldValue::Float((value as f64).to_bits().into()),
            ParameterKind::BigInteger => {
                let magnitude = ApInt::from_u64(64, value.unsigned_abs());
                FieldValue::Integer(ApInt::from_magnitude(value < 0, &magnitude))
            }
            _ => FieldValue::Unsigned(value.cast_unsigned()),
        }
    }
}
