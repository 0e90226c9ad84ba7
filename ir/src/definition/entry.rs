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
use crate::{Attribute, Context, DialectBody, Type};

/// An attribute or type of a dialect.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EntryDefinition {
    /// What its body starts with.
    pub mnemonic: Text,
    /// Its parameters, as they were declared.
    pub parameters: Vec<ParameterDefinition>,
    /// What follows the mnemonic.
    pub format: AssemblyFormat,
    /// The builtin type whose numbers are those of this type, as text: `i32` of `!vhlo.i32_v1`.
    pub like: Option<Text>,
    /// The constraint by which operations ask for it; empty if none does. Then their formats leave out the dialect's name
    /// and the mnemonic, unless they are `qualified`.
    pub constraint: Text,
    /// Of an attribute: what errors call it where another is there; empty for its name.
    pub summary: Text,
    /// Code that checks the parameters.
    pub hook: EntryHook,
    /// Its traits and interfaces, by name.
    pub traits: Vec<NamedTrait>,
    /// Whether MLIR's class has a verifier of its own in C++ (`genVerifyDecl`).
    pub has_cpp_verifier: bool,
    /// Its documentation, if there is some.
    pub documentation: Option<Box<Documentation>>,
    /// When it is there, by the releases of the dialect's family.
    pub releases: ReleaseRange,
}

/// Code that checks the parameters of an attribute or type, by its name.
#[derive(Clone, Debug, Default)]
pub struct EntryHook {
    /// Its name; empty if there is none.
    pub name: Text,
    /// The code, if it was found.
    pub verifier: Option<&'static dyn EntryVerifier>,
}

impl EntryHook {
    /// None.
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
    /// What it is, and how it is spelled.
    pub kind: ParameterKind,
    /// What must be of it besides, as of an inherent attribute: see [`attribute_value`](Self::attribute_value).
    pub confinements: Vec<Confinement>,
    /// What stands for it if nothing is said.
    pub absence: Absence,
    /// When it is there.
    pub releases: ReleaseRange,
}

/// What the absence of a parameter means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Absence {
    /// It must be there.
    #[default]
    Refused,
    /// It has no value: [`FieldValue::Absent`]; of a list, it is empty.
    Empty,
    /// It has this value: a number, a truth value or the value of an enumeration's member.
    Value(i64),
    /// It is this string.
    Text(Text),
    /// It is what this text says where bodies say the parameter: `i32`; of a list, in square brackets: `[1, 2]`.
    Spelled(Text),
    /// It is what another parameter, which is declared before it, is.
    Parameter {
        /// The other's name.
        name: Text,
        /// The other's place.
        place: usize,
    },
    /// It is the type of the attribute that another parameter, which is declared before it, is.
    TypeOf {
        /// The other's name.
        name: Text,
        /// The other's place.
        place: usize,
    },
}

/// What a parameter is. Its value is a [`FieldValue`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// `int`, `int8`, `int16`, `int32`: an integer with sign: [`FieldValue::Signed`].
    Integer {
        /// How many bits it has; 64 if its kind does not say that.
        width: u32,
    },
    /// `uint`, `uint8`, `uint16`, `uint32`: an integer without sign: [`FieldValue::Unsigned`].
    Unsigned {
        /// The same.
        width: u32,
    },
    /// `apint`: an integer with sign of whatever size: [`FieldValue::Integer`], as [`ApInt::from_magnitude`] makes it.
    BigInteger,
    /// `bool`: `true` or `false`, read of 1 and 0 too: [`FieldValue::Unsigned`].
    Bool,
    /// `dim`: an integer with sign, or `?` for [`DYNAMIC`](crate::DYNAMIC): [`FieldValue::Signed`].
    Dimension,
    /// `dims`: dimensions in square brackets: [`FieldValue::List`].
    Dimensions,
    /// `float`: an `f64` in decimal: [`FieldValue::Float`].
    Float,
    /// `affine_map`: an affine map as its bare text, `(d0) -> (d0)`: [`FieldValue::Attribute`].
    AffineMap,
    /// `integer_set`: an integer set as its bare text, `(d0) : (d0 == 0)`: [`FieldValue::Attribute`].
    IntegerSet,
    /// `string`: in quotes: [`FieldValue::String`].
    String,
    /// `enum<NAME>`, `enum_string<NAME>`: the keyword of a member: [`FieldValue::Unsigned`]. Of several
    /// members at once, their keywords with the separator between them.
    Enumeration {
        /// Its name; with the dialect's and a dot before it if it is another dialect's.
        name: Text,
        /// Whether what is no keyword is put in quotes.
        quoted: bool,
    },
    /// `attr`: an attribute; `attr<MNEMONIC>`: one of that mnemonic of the dialect, which goes without its
    /// name if it has no alias: [`FieldValue::Attribute`].
    Attribute {
        /// The mnemonic, if it is always the same.
        mnemonic: Option<Text>,
    },
    /// `type`, `type<MNEMONIC>`: a type: [`FieldValue::Type`].
    Type {
        /// The mnemonic, if it is always the same.
        mnemonic: Option<Text>,
    },
    /// `self`: the type of an attribute, which stands behind it and a colon and not in its format; absent if there is
    /// none: [`FieldValue::Type`].
    SelfType,
    /// `list<KIND>`: items with commas between them: [`FieldValue::List`].
    List(Box<ParameterKind>),
    /// `own`: only a hook knows.
    Own,
}

/// What a [`Codec`] of a dialect encodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodecTarget {
    /// The place of the attribute or type in [`EntryTable::entries`].
    pub entry: usize,
    /// The parameter that each field holds, by its place.
    pub parameters: Vec<usize>,
    /// When entries are laid out so.
    pub releases: ReleaseRange,
}

/// The attributes of a dialect, or its types.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EntryTable {
    /// Sorted by mnemonic; those of one mnemonic as they were declared.
    entries: Vec<EntryDefinition>,
    /// Sorted by code; those of one code as they were declared.
    codecs: Vec<Codec>,
    /// Of each codec.
    targets: Vec<CodecTarget>,
}

impl EntryTable {
    /// A table of these entries with their codecs. A target's `entry` is the place in `entries`. O(n log n).
    pub fn new(
        entries: Vec<EntryDefinition>,
        codecs: impl IntoIterator<Item = (Codec, CodecTarget)>,
    ) -> Self {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by(|&a, &b| mnemonic(&entries, a).cmp(mnemonic(&entries, b)));
        let mut places = vec![0; entries.len()];
        for (place, &entry) in order.iter().enumerate() {
            if let Some(new) = places.get_mut(entry) {
                *new = place;
            }
        }
        let mut rows: Vec<(Codec, CodecTarget)> = codecs.into_iter().collect();
        rows.sort_by_key(|row| row.0.code);
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
        table
    }

    /// The entries, sorted by mnemonic. Several have one mnemonic where releases define it without anything
    /// in common.
    pub fn entries(&self) -> &[EntryDefinition] {
        &self.entries
    }

    /// The entry that a constraint of operations asks for, as a release of the dialect's family sees it. Linear in
    /// the entries: to be asked for once for an operation's name.
    pub fn of_constraint(&self, constraint: &str, number: u32) -> Option<&EntryDefinition> {
        let mut entries = self.entries.iter();
        entries.find(|entry| entry.constraint == constraint && entry.releases.contains(number))
    }

    /// The codecs, sorted by code.
    pub fn codecs(&self) -> &[Codec] {
        &self.codecs
    }

    /// The entry of that mnemonic as a release of the dialect's family sees it, or else the first of that
    /// mnemonic. Takes O(log n).
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

    /// The entry that a body is of, as a release of the dialect's family sees it. Takes O(log n).
    pub fn entry_of(&self, body: &DialectBody, number: u32) -> Option<&EntryDefinition> {
        let mnemonic = body.mnemonic();
        if let Some(entry) = self.entry(mnemonic, number) {
            return Some(entry);
        }
        // A format that begins without a space puts its first word right behind the mnemonic.
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

    /// The layouts of a code with what they encode, in order.
    pub fn rows(&self, code: u64) -> impl Iterator<Item = (&Codec, &CodecTarget)> {
        let rows = find(&self.codecs, code);
        let start = self.codecs.partition_point(|codec| codec.code < code);
        let targets = self.targets.get(start..).unwrap_or_default();
        rows.iter().zip(targets)
    }

    /// The layouts of an entry, in order of their codes.
    pub fn rows_of<'t>(
        &'t self,
        entry: &'t EntryDefinition,
    ) -> impl Iterator<Item = (&'t Codec, &'t CodecTarget)> + Clone {
        let same = move |target: &CodecTarget| {
            let encoded = self.entries.get(target.entry);
            encoded.is_some_and(|encoded| std::ptr::eq(encoded, entry))
        };
        let rows = self.codecs.iter().zip(&self.targets);
        rows.filter(move |row| same(row.1))
    }
}

fn mnemonic(entries: &[EntryDefinition], at: usize) -> &str {
    entries.get(at).map_or("", |entry| &entry.mnemonic)
}

impl EntryDefinition {
    /// The type of an attribute with these parameters, if one of them says it.
    pub fn self_type(&self, parameters: &FieldValues<'_>) -> Option<Type> {
        let mut all = self.parameters.iter().zip(&parameters.fields);
        all.find_map(|(parameter, value)| match (&parameter.kind, value) {
            (ParameterKind::SelfType, &FieldValue::Type(ty)) => Some(ty),
            _ => None,
        })
    }

    /// One without a name that says nothing.
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
        has_cpp_verifier: false,
        documentation: None,
        releases: ReleaseRange::ALL,
    };

    /// An attribute or type without parameters.
    pub fn new(mnemonic: impl Into<Text>) -> Self {
        EntryDefinition {
            mnemonic: mnemonic.into(),
            ..EntryDefinition::default()
        }
    }

    /// With the code of that name that checks the parameters.
    #[must_use]
    pub fn with_hook(mut self, name: impl Into<Text>, hooks: &dyn HookSource) -> Self {
        let name = name.into();
        let verifier = hooks.entry_verifier(&name);
        self.hook = EntryHook { name, verifier };
        self
    }

    /// With a parameter more, behind those that are there. It is ignored if there is one of its name.
    #[must_use]
    pub fn with_parameter(mut self, parameter: ParameterDefinition) -> Self {
        if self.parameter(&parameter.name).is_none() {
            self.parameters.push(parameter);
        }
        self
    }

    /// Says what follows the mnemonic, in the language of definitions. To be called when all parameters are there.
    /// `dialect` is for the names of hooks.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, and where.
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

    /// Whether all of its syntax is said, and nothing is code that was not found. Linear in the format.
    pub fn is_known(&self) -> bool {
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

    /// Whether it has the trait or the interface of that name in any release. Linear in its traits.
    pub fn has_trait_named(&self, name: &str) -> bool {
        self.traits.iter().any(|one| one.name == name)
    }

    /// The names of its interfaces in any release.
    pub fn interfaces(&self) -> impl Iterator<Item = &str> {
        let interfaces = self.traits.iter().filter(|one| one.is_interface);
        interfaces.map(|one| &*one.name)
    }

    /// The place of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.name == name)
    }
}

impl ParameterDefinition {
    /// A parameter of all releases that must be there.
    pub fn new(name: impl Into<Text>, kind: ParameterKind) -> Self {
        ParameterDefinition {
            name: name.into(),
            kind,
            confinements: Vec::new(),
            absence: Absence::Refused,
            releases: ReleaseRange::ALL,
        }
    }

    /// With what its absence means.
    #[must_use]
    pub fn absent(mut self, absence: Absence) -> Self {
        self.absence = absence;
        self
    }

    /// With one thing more that must be of it.
    #[must_use]
    pub fn confined(mut self, confinement: Confinement) -> Self {
        self.confinements.push(confinement);
        self
    }

    /// The attribute that keeps the [`confinements`](Self::confinements) in place of a value: a number is one of `i64`, a
    /// list of numbers a dense array of them, another list an array, a type a type attribute. None if there is no such
    /// attribute, and nothing to be kept. Linear in the value.
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

    /// Whether something must be said.
    pub fn is_required(&self) -> bool {
        self.absence == Absence::Refused && self.kind != ParameterKind::SelfType
    }

    /// The value that stands for the parameter if nothing is said; [`FieldValue::Absent`] if that is nothing, it must be
    /// there, or whoever reads text finds it, as [`Absence::Spelled`].
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

    /// Whether a value need not be said. Of what whoever reads text finds, as [`Absence::Spelled`], it must.
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
    /// A number as a value of this kind.
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
