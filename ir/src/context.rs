//! The owner of all interned data.

mod attributes;
mod bodies;
mod dictionaries;
mod entry_builder;
mod fork;
mod identities;
mod locations;
mod parameters;
mod scratch;
mod strings;
mod types;

use crate::affine::AffineArena;
use crate::apint::ApInt;
use crate::definition::{
    DialectDefinition, DialectSource, OperationDefinition, OperationTraits, PropertyLayout, Release,
};
use crate::error::Invalid;
use crate::float::FloatKind;
use crate::handle::{Owner, handle};
use crate::intern::Interner;
use crate::location::LocationArena;
use crate::location_classes::LocationClasses;
use crate::normalize::Normalizer;
use crate::resource::{Resource, ResourceEntry};
use crate::textual_form::TextualForm;
use crate::{Attribute, AttributeKind, Signedness, Type, TypeKind};
pub use bodies::{BodyChecker, EntryMark};
use dictionaries::DictionaryIndex;
pub use entry_builder::{EntryBuilder, ParameterValue};
pub use fork::{ContextFork, Translation};
use parameters::ParameterCache;
pub use parameters::{EntryParameters, Parameter, ParametersError};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;
use strings::StringTable;

handle! {
    "context",
    /// An interned byte string: a name, a key, the value of a string attribute or a file name.
    /// Upstream accepts bytes that are not UTF-8 in all of these, and so does this crate.
    Identifier
}

handle! {
    "context",
    /// The name of an operation, `dialect.mnemonic`, interned in a [`Context`].
    OperationName
}

impl OperationName {
    /// Checks that `name` is a valid operation name, as upstream's parser does.
    ///
    /// # Errors
    ///
    /// If the name is empty or contains a null character.
    pub fn check(name: &[u8]) -> Result<(), Invalid> {
        if name.is_empty() {
            return Err(Invalid::new("empty operation name is invalid"));
        }
        if name.contains(&0) {
            return Err(Invalid::new("null character not allowed in operation name"));
        }
        Ok(())
    }
}

/// Owns the strings, operation names, types, attributes, locations and resources that modules refer
/// to, and the definitions of dialects.
///
/// There is no global state: several contexts coexist, and a handle is meaningful only in the
/// context that created it. Passing a handle to another context is a programming error: in debug
/// builds it panics with a message that names both contexts; in release builds it panics or denotes
/// an unrelated entry, but it is never memory-unsafe. A clone or [fork](Self::fork) of a context
/// accepts the handles of the original. Nothing is ever removed.
pub struct Context {
    strings: StringTable,
    operation_names: Interner<Identifier>,
    operation_infos: Vec<OperationInfo>,
    types: Interner<TypeKind>,
    attributes: Interner<AttributeKind>,
    dictionaries: DictionaryIndex,
    locations: LocationArena,
    location_classes: LocationClasses,
    /// Location classes by content; present once equal locations may differ in their range forms.
    content_classes: Option<Box<LocationClasses>>,
    resources: Vec<ResourceEntry>,
    affine: AffineArena,
    dialects: Vec<Arc<DialectDefinition>>,
    dialect_source: Option<Arc<dyn DialectSource>>,
    /// Parses the defaults of definitions.
    pub(crate) textual_form: Option<&'static dyn TextualForm>,
    /// Caches the defaults of definitions as attributes, for builders.
    pub(crate) normalizer: Normalizer,
    release: Release,
    next_distinct: u32,
    common: Common,
    bodies: bodies::Bodies,
    /// Marks handles in debug builds.
    owner: Owner,
    /// Memoizes the untyped string attribute of each identifier, and the type attribute of each
    /// type.
    string_attributes: Vec<Option<Attribute>>,
    type_attributes: Vec<Option<Attribute>>,
    /// A reused buffer for the bytes of the array that is looked up.
    number_bytes: Vec<u8>,
    parameter_cache: ParameterCache,
}

impl Clone for Context {
    /// Copies everything but the cached parameters.
    fn clone(&self) -> Self {
        // An entry and those that it refers to are copied together.
        let _paused = self.parameter_cache.pause();
        Context {
            strings: self.strings.clone(),
            operation_names: self.operation_names.clone(),
            operation_infos: self.operation_infos.clone(),
            types: self.types.clone(),
            attributes: self.attributes.clone(),
            dictionaries: self.dictionaries.clone(),
            locations: self.locations.clone(),
            location_classes: self.location_classes.clone(),
            content_classes: self.content_classes.clone(),
            resources: self.resources.clone(),
            affine: self.affine.clone(),
            dialects: self.dialects.clone(),
            dialect_source: self.dialect_source.clone(),
            textual_form: self.textual_form,
            normalizer: self.normalizer.clone(),
            release: self.release,
            next_distinct: self.next_distinct,
            common: self.common,
            bodies: self.bodies.clone(),
            owner: self.owner,
            string_attributes: self.string_attributes.clone(),
            type_attributes: self.type_attributes.clone(),
            number_bytes: Vec::new(),
            parameter_cache: ParameterCache::default(),
        }
    }
}

/// The data that the context stores for an operation name.
#[derive(Clone)]
struct OperationInfo {
    dialect: Identifier,
    definition: Option<Arc<OperationDefinition>>,
    /// The traits of the definition in the context's release.
    traits: OperationTraits,
    /// Whether the definition has a `symbol` or a `references` statement.
    names_symbols: bool,
}

/// The maximum number of entries of a dictionary that is searched linearly.
const SHORT_DICTIONARY: usize = 8;

/// Attributes, types and names that nearly every module uses.
#[derive(Clone, Copy)]
struct Common {
    unit: Attribute,
    empty_dictionary: Attribute,
    true_: Attribute,
    false_: Attribute,
    i1: Type,
    i32: Type,
    i64: Type,
    index: Type,
    none: Type,
    f32: Type,
    f64: Type,
    builtin: Identifier,
    /// The discriminants of the kinds that are looked up without constructing them.
    dense_array: Discriminant<AttributeKind>,
    function: Discriminant<TypeKind>,
}

/// Sets element `index` of a table, which grows if necessary.
fn remember(table: &mut Vec<Option<Attribute>>, index: usize, value: Attribute) {
    if index >= table.len() {
        table.resize(index.saturating_add(1), None);
    }
    if let Some(slot) = table.get_mut(index) {
        *slot = Some(value);
    }
}

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

impl Context {
    /// Creates a context that knows the builtin dialect's types and attributes, but no dialect
    /// definitions.
    pub fn new() -> Self {
        Self::with_owner(Owner::new())
    }

    fn with_owner(owner: Owner) -> Self {
        let mut strings = StringTable::default();
        let builtin = Identifier::from_index(strings.intern(b"builtin")).of(owner);
        let mut types = Interner::default();
        let mut ty = |kind: TypeKind| Type::from_index(types.intern(kind)).of(owner);
        let integer = |width| TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        };
        let (i1, i32, i64) = (ty(integer(1)), ty(integer(32)), ty(integer(64)));
        let (index, none) = (ty(TypeKind::Index), ty(TypeKind::None));
        let (f32, f64) = (
            ty(TypeKind::Float(FloatKind::F32)),
            ty(TypeKind::Float(FloatKind::F64)),
        );
        let mut attributes = Interner::default();
        let mut attr =
            |kind: AttributeKind| Attribute::from_index(attributes.intern(kind)).of(owner);
        let common = Common {
            unit: attr(AttributeKind::Unit),
            empty_dictionary: attr(AttributeKind::Dictionary(Box::default())),
            false_: attr(AttributeKind::Integer {
                ty: i1,
                value: ApInt::from_u64(1, 0),
            }),
            true_: attr(AttributeKind::Integer {
                ty: i1,
                value: ApInt::from_u64(1, 1),
            }),
            i1,
            i32,
            i64,
            index,
            none,
            f32,
            f64,
            builtin,
            dense_array: discriminant(&AttributeKind::DenseArray {
                element: i32,
                length: 0,
                data: Box::default(),
            }),
            function: discriminant(&TypeKind::Function {
                inputs: Box::default(),
                results: Box::default(),
            }),
        };
        Context {
            strings,
            operation_names: Interner::default(),
            operation_infos: Vec::new(),
            types,
            attributes,
            dictionaries: DictionaryIndex::default(),
            locations: LocationArena::new(owner),
            location_classes: LocationClasses::default(),
            content_classes: None,
            resources: Vec::new(),
            affine: AffineArena::default(),
            dialects: Vec::new(),
            dialect_source: None,
            textual_form: None,
            normalizer: Normalizer::new(),
            release: Release::default(),
            next_distinct: 0,
            string_attributes: Vec::new(),
            type_attributes: Vec::new(),
            number_bytes: Vec::new(),
            bodies: bodies::Bodies::default(),
            parameter_cache: ParameterCache::default(),
            owner,
            common,
        }
    }

    // Strings and names.

    /// Reserves capacity for `count` more strings.
    pub fn reserve_identifiers(&mut self, count: usize) {
        self.strings.reserve(count);
    }

    /// Interns a byte string.
    pub fn identifier(&mut self, bytes: impl AsRef<[u8]>) -> Identifier {
        Identifier::from_index(self.strings.intern(bytes.as_ref())).of(self.owner)
    }

    /// Returns the identifier of `bytes`, if it is interned.
    pub fn find_identifier(&self, bytes: impl AsRef<[u8]>) -> Option<Identifier> {
        let index = self.strings.get(bytes.as_ref())?;
        Some(Identifier::from_index(index).of(self.owner))
    }

    /// Returns the bytes of an identifier.
    #[inline]
    pub fn bytes(&self, identifier: Identifier) -> &[u8] {
        self.strings.item(identifier.index_in(self.owner))
    }

    /// Returns the text of an identifier, with U+FFFD in place of bytes that are not UTF-8.
    pub fn str(&self, identifier: Identifier) -> std::borrow::Cow<'_, str> {
        let bytes = self.bytes(identifier);
        // Faster than the other function, which looks at one character after the other.
        match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(bytes),
        }
    }

    /// Interns an operation name such as `arith.addi`. Not every string is a valid operation name;
    /// see [`OperationName::check`].
    pub fn operation_name(&mut self, name: impl AsRef<[u8]>) -> OperationName {
        let name = self.identifier(name);
        let index = self.operation_names.intern(name);
        if index == self.operation_infos.len() {
            let bytes = self.bytes(name);
            let dot = bytes.iter().position(|&b| b == b'.').unwrap_or(0);
            let dialect = bytes.get(..dot).unwrap_or_default().to_vec();
            let dialect = self.identifier(dialect);
            let info = self.operation_info(name, dialect);
            self.operation_infos.push(info);
        }
        OperationName::from_index(index).of(self.owner)
    }

    /// Returns all interned operation names.
    pub(crate) fn operation_names(&self) -> impl Iterator<Item = OperationName> + use<> {
        (0..self.operation_infos.len()).map(OperationName::from_index)
    }

    /// Returns the full name, `dialect.mnemonic`.
    #[inline]
    pub fn operation_name_identifier(&self, name: OperationName) -> Identifier {
        *self.operation_names.item(name.index_in(self.owner))
    }

    /// Returns the bytes of the full name.
    #[inline]
    pub fn operation_name_bytes(&self, name: OperationName) -> &[u8] {
        self.bytes(self.operation_name_identifier(name))
    }

    /// Returns the part before the first dot; it is empty if there is none.
    pub fn operation_dialect(&self, name: OperationName) -> Identifier {
        self.operation_infos[name.index_in(self.owner)].dialect
    }

    /// Returns the traits that the operation's definition declares; `None` if no definition is
    /// known.
    #[inline]
    pub fn operation_traits(&self, name: OperationName) -> Option<OperationTraits> {
        let info = &self.operation_infos[name.index_in(self.owner)];
        info.definition.is_some().then_some(info.traits)
    }

    /// Returns the operation's definition, if its dialect is known and declares it. Takes O(1): the
    /// definition was looked up when the name was interned.
    #[inline]
    pub fn operation_definition(&self, name: OperationName) -> Option<&Arc<OperationDefinition>> {
        self.operation_infos[name.index_in(self.owner)]
            .definition
            .as_ref()
    }

    /// Returns the operation's definition if it has a `symbol` or a `references` statement. O(1).
    #[inline]
    pub(crate) fn symbol_naming(&self, name: OperationName) -> Option<&OperationDefinition> {
        let info = &self.operation_infos[name.index()];
        match info.names_symbols {
            true => info.definition.as_deref(),
            false => None,
        }
    }

    /// Returns the order of an operation's properties in a release's bytecode; `None` if no
    /// definition of the operation is known for that release. Call this once per file.
    pub fn operation_layout(
        &self,
        name: OperationName,
        release: Release,
    ) -> Option<PropertyLayout> {
        self.operation_definition_in(name, release)?.layout(release)
    }

    /// Returns the operation's definition in a release, which may differ from the context's. Takes
    /// O(log n): call this once per name.
    pub fn operation_definition_in(
        &self,
        name: OperationName,
        release: Release,
    ) -> Option<Arc<OperationDefinition>> {
        self.find_definition(self.operation_name_identifier(name), release)
    }

    /// Returns whether an attribute of that name is inherent; `None` if no definition of the
    /// operation is known.
    pub fn is_inherent_attribute(&self, name: OperationName, attribute: &[u8]) -> Option<bool> {
        let definition = self.operation_definition(name)?;
        Some(definition.is_inherent(attribute, self.release))
    }

    /// Returns the name of an operation that a known dialect defines.
    pub fn find_operation_name(&mut self, name: &[u8]) -> Option<OperationName> {
        // Most names are already interned and need not be split.
        if let Some(known) = self.find_identifier(name)
            && let Some(index) = self.operation_names.get(&known)
        {
            let name = OperationName::from_index(index).of(self.owner);
            return self.operation_definition(name).map(|_| name);
        }
        let dot = name.iter().position(|&b| b == b'.')?;
        let (namespace, mnemonic) = (name.get(..dot)?, name.get(dot + 1..)?);
        let release = self.release;
        self.dialect(namespace)?.operation(mnemonic, release)?;
        Some(self.operation_name(name))
    }

    // Dialect definitions.

    /// Registers a dialect's definition. It replaces an earlier definition of the same name, and
    /// takes precedence over that of a [`DialectSource`].
    pub fn register_dialect(&mut self, definition: impl Into<Arc<DialectDefinition>>) {
        let definition = definition.into();
        self.dialects.retain(|d| d.name != definition.name);
        self.dialects.push(definition);
        self.look_up_again();
    }

    /// Sets the source of definitions that are not registered individually. It is queried lazily,
    /// when an operation of a dialect first occurs, so only the definitions in use are loaded.
    pub fn set_dialect_source(&mut self, source: Arc<dyn DialectSource>) {
        self.dialect_source = Some(source);
        self.look_up_again();
    }

    /// Returns the source of definitions that are not registered individually.
    pub fn dialect_source(&self) -> Option<&Arc<dyn DialectSource>> {
        self.dialect_source.as_ref()
    }

    /// Returns the release whose definitions apply: it determines traits, inherent attributes and
    /// defaults.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Sets the release whose definitions apply. The default is [`Release::LLVM_22`]. This does not
    /// change the content of existing modules; call it before anything is parsed.
    pub fn set_release(&mut self, release: Release) {
        self.release = release;
        self.look_up_again();
    }

    /// Returns the definition of a dialect by its namespace, if it is registered or the source has
    /// it.
    pub fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let mut registered = self.dialects.iter();
        match registered.find(|d| d.name.as_bytes() == namespace) {
            Some(definition) => Some(Arc::clone(definition)),
            None => self.dialect_source.as_ref()?.dialect(namespace),
        }
    }

    /// Returns the individually registered definitions, in the order of registration.
    pub fn registered_dialects(&self) -> &[Arc<DialectDefinition>] {
        &self.dialects
    }

    fn look_up_again(&mut self) {
        self.bodies.forget();
        self.parameter_cache = ParameterCache::default();
        self.normalizer = Normalizer::new();
        for index in 0..self.operation_infos.len() {
            let dialect = self.operation_infos[index].dialect;
            let name = *self.operation_names.item(index);
            self.operation_infos[index] = self.operation_info(name, dialect);
        }
    }

    fn operation_info(&self, name: Identifier, dialect: Identifier) -> OperationInfo {
        let definition = self.find_definition(name, self.release);
        let traits = definition.as_ref().map(|d| d.traits(self.release));
        let names_symbols = definition
            .as_ref()
            .is_some_and(|d| !d.symbols.is_empty() || !d.symbol_references.is_empty());
        OperationInfo {
            dialect,
            definition,
            names_symbols,
            traits: traits.unwrap_or_default(),
        }
    }

    fn find_definition(
        &self,
        name: Identifier,
        release: Release,
    ) -> Option<Arc<OperationDefinition>> {
        let bytes = self.bytes(name);
        let dot = bytes.iter().position(|&b| b == b'.')?;
        let (namespace, mnemonic) = (bytes.get(..dot)?, bytes.get(dot + 1..)?);
        let dialect = self.dialect(namespace)?;
        dialect.operation(mnemonic, release).map(Arc::clone)
    }

    // Affine expressions.

    /// Returns the affine expressions that the maps and sets of this context refer to.
    pub fn affine(&self) -> &AffineArena {
        &self.affine
    }

    /// Returns the affine expressions mutably, to add some.
    pub fn affine_mut(&mut self) -> &mut AffineArena {
        &mut self.affine
    }

    // Resources.

    /// Adds a resource.
    pub fn add_resource(&mut self, entry: ResourceEntry) -> Resource {
        let resource = Resource::from_index(self.resources.len()).of(self.owner);
        self.resources.push(entry);
        resource
    }

    /// Returns all resources, in the order in which they were added.
    pub fn all_resources(&self) -> impl Iterator<Item = Resource> {
        let owner = self.owner;
        (0..self.resources.len()).map(move |index| Resource::from_index(index).of(owner))
    }

    /// Returns the mark of its handles in debug builds.
    pub(crate) fn owner(&self) -> Owner {
        self.owner
    }

    /// Returns the number of resources; the indices of their handles are less than this.
    pub(crate) fn resource_count(&self) -> usize {
        self.resources.len()
    }

    /// Returns a resource's entry.
    pub fn resource(&self, resource: Resource) -> &ResourceEntry {
        &self.resources[resource.index_in(self.owner)]
    }

    /// Returns a resource's entry mutably, to fill in its value.
    pub fn resource_mut(&mut self, resource: Resource) -> &mut ResourceEntry {
        &mut self.resources[resource.index_in(self.owner)]
    }

    // Sizes, for users that keep tables indexed by handles.

    /// Returns the number of strings; the indices of their handles are less than this.
    pub fn identifier_count(&self) -> usize {
        self.strings.len()
    }

    /// Returns the number of types; the indices of their handles are less than this.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// Returns the number of operation names; the indices of their handles are less than this.
    pub fn operation_name_count(&self) -> usize {
        self.operation_names.len()
    }

    /// Returns the number of attributes; the indices of their handles are less than this.
    pub fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    /// Returns all types, in the order in which they were created.
    pub fn all_types(&self) -> impl Iterator<Item = Type> + use<> {
        let owner = self.owner;
        (0..self.types.len()).map(move |index| Type::from_index(index).of(owner))
    }

    /// Returns all attributes, in the order in which they were created.
    pub fn all_attributes(&self) -> impl Iterator<Item = Attribute> + use<> {
        self.attributes_after(0)
    }

    /// Returns the attributes that were added after the first `count`. O(those).
    pub fn attributes_after(&self, count: usize) -> impl Iterator<Item = Attribute> + use<> {
        let owner = self.owner;
        (count..self.attributes.len()).map(move |index| Attribute::from_index(index).of(owner))
    }

    /// Returns the identifier `builtin`.
    pub fn builtin_namespace(&self) -> Identifier {
        self.common.builtin
    }
}
