//! The owner of everything that is interned.

use crate::affine::{AffineArena, AffineMap, IntegerSet};
use crate::apint::ApInt;
use crate::definition::{
    DialectDefinition, DialectSource, OperationDefinition, OperationTraits, PropertyLayout, Release,
};
use crate::dense::ElementLayout;
use crate::error::Invalid;
use crate::float::{self, FloatKind};
use crate::handle::handle;
use crate::intern::Interner;
use crate::location::LocationKind;
use crate::location_classes::LocationClasses;
use crate::resource::{Resource, ResourceEntry};
use crate::{Attribute, AttributeKind, Location, NamedAttribute, Signedness, Type, TypeKind};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

handle! {
    /// An interned string of bytes: names, keys, string attributes, file names. Upstream accepts
    /// bytes that are not UTF-8 in all of these, and so does this.
    Identifier
}

handle! {
    /// The name of an operation, `dialect.mnemonic`, interned in a [`Context`].
    OperationName
}

impl OperationName {
    /// Checks that `name` can be the name of an operation, as upstream's parser does.
    ///
    /// # Errors
    ///
    /// If it is empty or has a null character.
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
/// There is no global state: several contexts live side by side, and a handle means something only
/// in the context that made it. Passing a handle to another context is a programming error: it
/// panics or names something else, but is never memory-unsafe. Nothing is ever removed.
#[derive(Clone)]
pub struct Context {
    strings: Interner<Box<[u8]>>,
    operation_names: Interner<Identifier>,
    operation_infos: Vec<OperationInfo>,
    types: Interner<TypeKind>,
    attributes: Interner<AttributeKind>,
    locations: Vec<LocationKind>,
    location_classes: LocationClasses,
    resources: Vec<ResourceEntry>,
    affine: AffineArena,
    dialects: Vec<Arc<DialectDefinition>>,
    dialect_source: Option<Arc<dyn DialectSource>>,
    release: Release,
    next_distinct: u32,
    common: Common,
    /// By identifier and by type: the string and the type attribute of it, if there is one.
    string_attributes: Vec<Option<Attribute>>,
    type_attributes: Vec<Option<Attribute>>,
}

/// What the context knows of an operation name.
#[derive(Clone)]
struct OperationInfo {
    dialect: Identifier,
    definition: Option<Arc<OperationDefinition>>,
    /// Those of the definition in the context's release.
    traits: OperationTraits,
}

/// How many entries a dictionary has at most to be searched from its beginning.
const SHORT_DICTIONARY: usize = 8;

/// Entries that nearly every module uses.
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
}

/// Sets entry `index` of a table that grows.
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
    /// A context that knows the builtin dialect's types and attributes, and no dialect definitions.
    pub fn new() -> Self {
        let mut strings = Interner::default();
        let builtin = Identifier::from_index(
            strings.intern_with(&b"builtin"[..], || (&b"builtin"[..]).into()),
        );
        let mut types = Interner::default();
        let mut ty = |kind: TypeKind| Type::from_index(types.intern(kind));
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
        let mut attr = |kind: AttributeKind| Attribute::from_index(attributes.intern(kind));
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
        };
        Context {
            strings,
            operation_names: Interner::default(),
            operation_infos: Vec::new(),
            types,
            attributes,
            locations: vec![LocationKind::Unknown],
            location_classes: LocationClasses::default(),
            resources: Vec::new(),
            affine: AffineArena::default(),
            dialects: Vec::new(),
            dialect_source: None,
            release: Release::default(),
            next_distinct: 0,
            string_attributes: Vec::new(),
            type_attributes: Vec::new(),
            common,
        }
    }

    // Strings and names.

    /// Interns a string of bytes.
    pub fn identifier(&mut self, bytes: impl AsRef<[u8]>) -> Identifier {
        let bytes = bytes.as_ref();
        Identifier::from_index(self.strings.intern_with(bytes, || bytes.into()))
    }

    /// The identifier of `bytes`, if there is one already.
    pub fn find_identifier(&self, bytes: impl AsRef<[u8]>) -> Option<Identifier> {
        self.strings.get(bytes.as_ref()).map(Identifier::from_index)
    }

    /// The bytes of an identifier.
    #[inline]
    pub fn bytes(&self, identifier: Identifier) -> &[u8] {
        self.strings.item(identifier.index())
    }

    /// The text of an identifier, with U+FFFD where it is not UTF-8.
    pub fn str(&self, identifier: Identifier) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(identifier))
    }

    /// Interns an operation name such as `arith.addi`. Not every name can be that of an operation; see
    /// [`OperationName::check`].
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
        OperationName::from_index(index)
    }

    /// The operation names that were interned.
    pub(crate) fn operation_names(&self) -> impl Iterator<Item = OperationName> + use<> {
        (0..self.operation_infos.len()).map(OperationName::from_index)
    }

    /// The full name, `dialect.mnemonic`.
    #[inline]
    pub fn operation_name_identifier(&self, name: OperationName) -> Identifier {
        *self.operation_names.item(name.index())
    }

    /// The bytes of the full name.
    #[inline]
    pub fn operation_name_bytes(&self, name: OperationName) -> &[u8] {
        self.bytes(self.operation_name_identifier(name))
    }

    /// The part before the first dot; empty if there is none.
    pub fn operation_dialect(&self, name: OperationName) -> Identifier {
        self.operation_infos[name.index()].dialect
    }

    /// The traits that the operation's definition gives it; `None` if no definition is known.
    #[inline]
    pub fn operation_traits(&self, name: OperationName) -> Option<OperationTraits> {
        let info = &self.operation_infos[name.index()];
        info.definition.is_some().then_some(info.traits)
    }

    /// The operation's definition, if its dialect is known and has it. Takes O(1): it was looked up when
    /// the name was interned.
    #[inline]
    pub fn operation_definition(&self, name: OperationName) -> Option<&Arc<OperationDefinition>> {
        self.operation_infos[name.index()].definition.as_ref()
    }

    /// The order of an operation's properties in a release's bytecode; none if no definition of it is
    /// known for that release. To be asked for once for a file.
    pub fn operation_layout(
        &self,
        name: OperationName,
        release: Release,
    ) -> Option<PropertyLayout> {
        self.operation_definition_in(name, release)?.layout(release)
    }

    /// The operation's definition in a release that may be another than the context's. Takes O(log n): to be
    /// asked for once for a name.
    pub fn operation_definition_in(
        &self,
        name: OperationName,
        release: Release,
    ) -> Option<Arc<OperationDefinition>> {
        self.find_definition(self.operation_name_identifier(name), release)
    }

    /// Whether an attribute of that name is inherent; `None` if no definition of the operation is
    /// known.
    pub fn is_inherent_attribute(&self, name: OperationName, attribute: &[u8]) -> Option<bool> {
        let definition = self.operation_definition(name)?;
        Some(definition.is_inherent(attribute, self.release))
    }

    /// The name of an operation that a known dialect defines.
    pub fn find_operation_name(&mut self, name: &[u8]) -> Option<OperationName> {
        // Most names were met before, and need not be taken apart.
        if let Some(known) = self.find_identifier(name)
            && let Some(index) = self.operation_names.get(&known)
        {
            let name = OperationName::from_index(index);
            return self.operation_definition(name).map(|_| name);
        }
        let dot = name.iter().position(|&b| b == b'.')?;
        let (namespace, mnemonic) = (name.get(..dot)?, name.get(dot + 1..)?);
        let release = self.release;
        self.dialect(namespace)?.operation(mnemonic, release)?;
        Some(self.operation_name(name))
    }

    // Dialect definitions.

    /// Makes a dialect's definition known. A later one of the same name takes the place of an
    /// earlier one, and of what a [`DialectSource`] has.
    pub fn register_dialect(&mut self, definition: impl Into<Arc<DialectDefinition>>) {
        let definition = definition.into();
        self.dialects.retain(|d| d.name != definition.name);
        self.dialects.push(definition);
        self.look_up_again();
    }

    /// Says where definitions are found that were not registered one by one. It is asked when an
    /// operation of a dialect is first met, so that nothing is loaded but what is used.
    pub fn set_dialect_source(&mut self, source: Arc<dyn DialectSource>) {
        self.dialect_source = Some(source);
        self.look_up_again();
    }

    /// Where definitions are found that were not registered one by one.
    pub fn dialect_source(&self) -> Option<&Arc<dyn DialectSource>> {
        self.dialect_source.as_ref()
    }

    /// The release whose definitions hold: traits, inherent attributes and defaults are as in it.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Says which release's definitions hold; [`Release::LLVM_22`] unless this is said. What modules hold
    /// does not change with it. To be called before anything is parsed.
    pub fn set_release(&mut self, release: Release) {
        self.release = release;
        self.look_up_again();
    }

    /// The definition of a dialect by its namespace, if it was registered or the source has it.
    pub fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let mut registered = self.dialects.iter();
        match registered.find(|d| d.name.as_bytes() == namespace) {
            Some(definition) => Some(Arc::clone(definition)),
            None => self.dialect_source.as_ref()?.dialect(namespace),
        }
    }

    /// The definitions that were registered one by one, in that order.
    pub fn registered_dialects(&self) -> &[Arc<DialectDefinition>] {
        &self.dialects
    }

    fn look_up_again(&mut self) {
        for index in 0..self.operation_infos.len() {
            let dialect = self.operation_infos[index].dialect;
            let name = *self.operation_names.item(index);
            self.operation_infos[index] = self.operation_info(name, dialect);
        }
    }

    fn operation_info(&self, name: Identifier, dialect: Identifier) -> OperationInfo {
        let definition = self.find_definition(name, self.release);
        let traits = definition.as_ref().map(|d| d.traits(self.release));
        OperationInfo {
            dialect,
            definition,
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

    // Types.

    /// What a type is.
    #[inline]
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.item(ty.index())
    }

    /// Interns a type after checking the rules of the builtin dialect; equal types that can be said
    /// in several ways (an identity layout, memory space 0) get one form.
    ///
    /// # Errors
    ///
    /// The rule that is broken, as a sentence.
    pub fn try_type(&mut self, kind: TypeKind) -> Result<Type, Invalid> {
        let kind = self.canonical_type(kind);
        self.check_type(&kind)?;
        Ok(self.intern_type(kind))
    }

    /// Interns a type that is known to be valid and canonical.
    pub(crate) fn intern_type(&mut self, kind: TypeKind) -> Type {
        Type::from_index(self.types.intern(kind))
    }

    fn canonical_type(&self, mut kind: TypeKind) -> TypeKind {
        match &mut kind {
            TypeKind::MemRef {
                shape,
                layout,
                memory_space,
                ..
            } => {
                if let Some(attribute) = *layout
                    && let AttributeKind::AffineMap(map) = self.attribute_kind(attribute)
                    && map.num_dims as usize == shape.len()
                    && map.is_identity(&self.affine)
                {
                    *layout = None;
                }
                self.drop_default_memory_space(memory_space);
                // Whether a dialect's attribute is a layout only the dialect knows: one that stands alone
                // is held as the memory space, which prints the same.
                if memory_space.is_none()
                    && layout.is_some_and(|l| {
                        matches!(self.attribute_kind(l), AttributeKind::Dialect { .. })
                    })
                {
                    *memory_space = layout.take();
                }
            }
            TypeKind::UnrankedMemRef { memory_space, .. } => {
                self.drop_default_memory_space(memory_space)
            }
            _ => {}
        }
        kind
    }

    fn drop_default_memory_space(&self, memory_space: &mut Option<Attribute>) {
        if let Some(attribute) = *memory_space
            && let AttributeKind::Integer { value, .. } = self.attribute_kind(attribute)
            && value.is_zero()
        {
            *memory_space = None;
        }
    }

    /// A signless integer type of `width` bits, cut to the largest width that MLIR has.
    pub fn integer_type(&mut self, width: u32) -> Type {
        match width {
            1 => self.common.i1,
            32 => self.common.i32,
            64 => self.common.i64,
            _ => self.intern_type(TypeKind::Integer {
                width: width.min(crate::MAX_INTEGER_WIDTH),
                signedness: Signedness::Signless,
            }),
        }
    }

    /// A float type.
    pub fn float_type(&mut self, kind: FloatKind) -> Type {
        self.intern_type(TypeKind::Float(kind))
    }

    /// `index`.
    pub fn index_type(&self) -> Type {
        self.common.index
    }

    /// `none`.
    pub fn none_type(&self) -> Type {
        self.common.none
    }

    /// `i1`.
    pub fn i1_type(&self) -> Type {
        self.common.i1
    }

    /// `i32`.
    pub fn i32_type(&self) -> Type {
        self.common.i32
    }

    /// `i64`.
    pub fn i64_type(&self) -> Type {
        self.common.i64
    }

    /// `f32`.
    pub fn f32_type(&self) -> Type {
        self.common.f32
    }

    /// `f64`.
    pub fn f64_type(&self) -> Type {
        self.common.f64
    }

    /// `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) -> Type {
        /// Hashes as the kind does.
        #[derive(Hash)]
        struct Parts<'t>(Discriminant<TypeKind>, &'t [Type], &'t [Type]);
        let empty = TypeKind::Function {
            inputs: Box::default(),
            results: Box::default(),
        };
        Type::from_index(self.types.intern_parts(
            Parts(discriminant(&empty), inputs, results),
            |kind| {
                matches!(kind, TypeKind::Function { inputs: i, results: r } if **i == *inputs && **r == *results)
            },
            || TypeKind::Function {
                inputs: inputs.into(),
                results: results.into(),
            },
        ))
    }

    /// `tuple<types>`.
    pub fn tuple_type(&mut self, types: &[Type]) -> Type {
        self.intern_type(TypeKind::Tuple(types.into()))
    }

    // Attributes.

    /// What an attribute is.
    #[inline]
    pub fn attribute_kind(&self, attribute: Attribute) -> &AttributeKind {
        self.attributes.item(attribute.index())
    }

    /// Interns an attribute after checking the rules of the builtin dialect; equal attributes that
    /// can be said in several ways (splats, unsorted dictionaries, equal locations) get one form.
    ///
    /// # Errors
    ///
    /// The rule that is broken, as a sentence.
    pub fn try_attribute(&mut self, kind: AttributeKind) -> Result<Attribute, Invalid> {
        let kind = self.canonical_attribute(kind);
        self.check_attribute(&kind)?;
        Ok(self.intern_attribute(kind))
    }

    /// Interns an attribute that is known to be valid and canonical.
    pub(crate) fn intern_attribute(&mut self, kind: AttributeKind) -> Attribute {
        Attribute::from_index(self.attributes.intern(kind))
    }

    fn canonical_attribute(&mut self, mut kind: AttributeKind) -> AttributeKind {
        match &mut kind {
            AttributeKind::Dictionary(entries) => self.sort_entries(entries),
            AttributeKind::DenseElements { ty, splat, data } if !*splat => {
                if let Some(layout) = self
                    .element_type(*ty)
                    .and_then(|e| ElementLayout::of(self, e))
                    && let Some(one) = layout.find_splat(data)
                {
                    *data = one.into();
                    *splat = true;
                }
            }
            AttributeKind::DenseStrings { splat, values, .. } if !*splat => {
                if let Some((&first, rest)) = values.split_first()
                    && rest.iter().all(|&v| v == first)
                {
                    *values = [first].into();
                    *splat = true;
                }
            }
            AttributeKind::String { ty, .. } | AttributeKind::Dialect { ty, .. }
                if *ty == Some(self.common.none) =>
            {
                *ty = None;
            }
            AttributeKind::Location(location) => *location = self.representative(*location),
            _ => {}
        }
        kind
    }

    /// Sorts by the bytes of the names.
    fn sort_entries(&self, entries: &mut [NamedAttribute]) {
        if !entries.is_sorted_by(|a, b| self.bytes(a.0) <= self.bytes(b.0)) {
            entries.sort_by(|a, b| self.bytes(a.0).cmp(self.bytes(b.0)));
        }
    }

    /// `unit`.
    pub fn unit_attribute(&self) -> Attribute {
        self.common.unit
    }

    /// `true` or `false`.
    pub fn bool_attribute(&self, value: bool) -> Attribute {
        if value {
            self.common.true_
        } else {
            self.common.false_
        }
    }

    /// `value : ty`, the value cut to the type's width. `ty` must be an integer type or `index`.
    ///
    /// # Errors
    ///
    /// If `ty` is neither.
    pub fn integer_attribute(&mut self, ty: Type, value: i64) -> Result<Attribute, Invalid> {
        let width = match self.type_kind(ty) {
            TypeKind::Integer { width, .. } => *width,
            TypeKind::Index => 64,
            _ => {
                return Err(Invalid::new(
                    "an integer attribute needs an integer or index type",
                ));
            }
        };
        Ok(self.intern_attribute(AttributeKind::Integer {
            ty,
            value: ApInt::from_i64(width, value),
        }))
    }

    /// `value : ty`, rounded to the type. `ty` must be a float type.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn float_attribute(&mut self, ty: Type, value: f64) -> Result<Attribute, Invalid> {
        let TypeKind::Float(kind) = *self.type_kind(ty) else {
            return Err(Invalid::new("a float attribute needs a float type"));
        };
        Ok(self.intern_attribute(AttributeKind::Float {
            ty,
            bits: float::from_f64(kind, value),
        }))
    }

    /// A string attribute without a type.
    pub fn string_attribute(&mut self, value: impl AsRef<[u8]>) -> Attribute {
        let value = self.identifier(value);
        self.intern_attribute(AttributeKind::String { value, ty: None })
    }

    /// The string attribute, without a type, of an identifier.
    pub fn string_attribute_of(&mut self, value: Identifier) -> Attribute {
        if let Some(Some(known)) = self.string_attributes.get(value.index()) {
            return *known;
        }
        let new = self.intern_attribute(AttributeKind::String { value, ty: None });
        remember(&mut self.string_attributes, value.index(), new);
        new
    }

    /// A type as an attribute.
    pub fn type_attribute(&mut self, ty: Type) -> Attribute {
        if let Some(Some(known)) = self.type_attributes.get(ty.index()) {
            return *known;
        }
        let new = self.intern_attribute(AttributeKind::Type(ty));
        remember(&mut self.type_attributes, ty.index(), new);
        new
    }

    /// `@name`.
    pub fn symbol_ref_attribute(&mut self, name: impl AsRef<[u8]>) -> Attribute {
        let root = self.identifier(name);
        self.intern_attribute(AttributeKind::SymbolRef {
            root,
            nested: Box::default(),
        })
    }

    /// `[elements]`.
    pub fn array_attribute(&mut self, elements: &[Attribute]) -> Attribute {
        self.intern_attribute(AttributeKind::Array(elements.into()))
    }

    /// `{entries}`, sorted by name here.
    ///
    /// # Errors
    ///
    /// If a name occurs twice.
    pub fn dictionary_attribute(
        &mut self,
        entries: &[NamedAttribute],
    ) -> Result<Attribute, Invalid> {
        if entries.is_empty() {
            return Ok(self.common.empty_dictionary);
        }
        let ascends = |pair: &[NamedAttribute]| match pair {
            [a, b] => self.bytes(a.0) < self.bytes(b.0),
            _ => true,
        };
        let is_named = |entry: &NamedAttribute| !self.bytes(entry.0).is_empty();
        if !entries.windows(2).all(ascends) || !entries.first().is_some_and(is_named) {
            // To be sorted, or wrong.
            return self.try_attribute(AttributeKind::Dictionary(entries.into()));
        }
        Ok(self.sorted_dictionary_of(entries))
    }

    /// The same as [`sorted_dictionary`](Self::sorted_dictionary), found without being made if it is there.
    pub fn sorted_dictionary_of(&mut self, entries: &[NamedAttribute]) -> Attribute {
        /// Hashes as the kind does.
        #[derive(Hash)]
        struct Parts<'e>(Discriminant<AttributeKind>, &'e [NamedAttribute]);
        let empty = AttributeKind::Dictionary(Box::default());
        Attribute::from_index(self.attributes.intern_parts(
            Parts(discriminant(&empty), entries),
            |kind| matches!(kind, AttributeKind::Dictionary(e) if **e == *entries),
            || AttributeKind::Dictionary(entries.into()),
        ))
    }

    /// `{entries}`, whose names are known to ascend as bytes, as those of another dictionary do. Nothing is compared:
    /// with other names, what looks an entry up may not find it.
    pub fn sorted_dictionary(&mut self, entries: Box<[NamedAttribute]>) -> Attribute {
        match entries.is_empty() {
            true => self.common.empty_dictionary,
            false => self.intern_attribute(AttributeKind::Dictionary(entries)),
        }
    }

    /// `{}`.
    pub fn empty_dictionary(&self) -> Attribute {
        self.common.empty_dictionary
    }

    /// The entries of a dictionary attribute; none of any other.
    #[inline]
    pub fn dictionary_entries(&self, attribute: Attribute) -> &[NamedAttribute] {
        match self.attribute_kind(attribute) {
            AttributeKind::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    /// The value of `name` in a dictionary attribute. Takes O(log n).
    pub fn dictionary_get(&self, dictionary: Attribute, name: &[u8]) -> Option<Attribute> {
        let entries = self.dictionary_entries(dictionary);
        if entries.len() <= SHORT_DICTIONARY {
            // Names that differ mostly differ in length.
            let found = entries.iter().find(|entry| {
                let bytes = self.bytes(entry.0);
                bytes.len() == name.len() && bytes == name
            });
            return found.map(|&(_, value)| value);
        }
        let at = entries
            .binary_search_by(|&(n, _)| self.bytes(n).cmp(name))
            .ok()?;
        entries.get(at).map(|&(_, value)| value)
    }

    /// As [`dictionary_get`](Self::dictionary_get), for a name that is interned.
    pub(crate) fn dictionary_get_identifier(
        &self,
        dictionary: Attribute,
        name: Identifier,
    ) -> Option<Attribute> {
        // Comparing numbers is faster than a search by bytes where there are few.
        const FEW: usize = 16;
        let entries = self.dictionary_entries(dictionary);
        if entries.len() > FEW {
            return self.dictionary_get(dictionary, self.bytes(name));
        }
        let found = entries.iter().find(|entry| entry.0 == name);
        found.map(|entry| entry.1)
    }

    /// A distinct attribute around `referenced`, different from all others.
    pub fn distinct_attribute(&mut self, referenced: Attribute) -> Attribute {
        let id = self.next_distinct;
        self.next_distinct = self.next_distinct.wrapping_add(1);
        self.intern_attribute(AttributeKind::Distinct { id, referenced })
    }

    /// `affine_map<...>`.
    pub fn affine_map_attribute(&mut self, map: AffineMap) -> Attribute {
        self.intern_attribute(AttributeKind::AffineMap(map))
    }

    /// `affine_set<...>`.
    pub fn integer_set_attribute(&mut self, set: IntegerSet) -> Attribute {
        self.intern_attribute(AttributeKind::IntegerSet(set))
    }

    /// `loc(...)` as an attribute.
    pub fn location_attribute(&mut self, location: Location) -> Attribute {
        let location = self.representative(location);
        self.intern_attribute(AttributeKind::Location(location))
    }

    /// The string value of a string attribute.
    pub fn string_value(&self, attribute: Attribute) -> Option<&[u8]> {
        match self.attribute_kind(attribute) {
            AttributeKind::String { value, .. } => Some(self.bytes(*value)),
            _ => None,
        }
    }

    /// The type of an attribute (upstream's `TypedAttr`); `none` for one that has no type.
    pub fn attribute_type(&self, attribute: Attribute) -> Type {
        match *self.attribute_kind(attribute) {
            AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::DenseElements { ty, .. }
            | AttributeKind::DenseStrings { ty, .. }
            | AttributeKind::DenseText { ty, .. }
            | AttributeKind::DenseResource { ty, .. }
            | AttributeKind::Sparse { ty, .. } => ty,
            AttributeKind::String { ty, .. } | AttributeKind::Dialect { ty, .. } => {
                ty.unwrap_or(self.none_type())
            }
            _ => self.none_type(),
        }
    }

    /// The element type of a shaped type: vector, tensor, memref.
    pub fn element_type(&self, ty: Type) -> Option<Type> {
        match *self.type_kind(ty) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::UnrankedTensor(element)
            | TypeKind::MemRef { element, .. }
            | TypeKind::UnrankedMemRef { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The shape of a ranked shaped type; sizes may be [`DYNAMIC`](crate::DYNAMIC).
    pub fn shape(&self, ty: Type) -> Option<&[i64]> {
        match self.type_kind(ty) {
            TypeKind::Vector { shape, .. }
            | TypeKind::RankedTensor { shape, .. }
            | TypeKind::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The number of elements of a shaped type of static shape, if it fits an `i64`.
    pub fn element_count(&self, ty: Type) -> Option<u64> {
        let shape = self.shape(ty)?;
        if shape.contains(&0) {
            return Some(0);
        }
        let count = shape
            .iter()
            .try_fold(1i64, |n, &d| if d < 0 { None } else { n.checked_mul(d) })?;
        u64::try_from(count).ok()
    }

    // Affine expressions.

    /// The affine expressions that maps and sets of this context refer to.
    pub fn affine(&self) -> &AffineArena {
        &self.affine
    }

    /// The affine expressions, to add to.
    pub fn affine_mut(&mut self) -> &mut AffineArena {
        &mut self.affine
    }

    // Locations.

    /// `loc(unknown)`.
    #[inline]
    pub fn unknown_location(&self) -> Location {
        Location::from_index(0)
    }

    /// What a location is.
    #[inline]
    pub fn location_kind(&self, location: Location) -> &LocationKind {
        &self.locations[location.index()]
    }

    /// Appends a location.
    pub fn location(&mut self, kind: LocationKind) -> Location {
        if kind == LocationKind::Unknown {
            return self.unknown_location();
        }
        let location = Location::from_index(self.locations.len());
        self.locations.push(kind);
        location
    }

    /// Makes room for so many more locations at once.
    pub fn reserve_locations(&mut self, count: usize) {
        self.locations.reserve(count);
    }

    /// Makes room for a location that is not known yet, as parsers need for aliases that are used
    /// before they are defined. Until [`define_location`](Self::define_location) it is unknown.
    pub fn reserve_location(&mut self) -> Location {
        let location = Location::from_index(self.locations.len());
        self.locations.push(LocationKind::Unknown);
        location
    }

    /// Says what a reserved location is. It must not have been compared or used as an attribute
    /// before.
    pub fn define_location(&mut self, reserved: Location, kind: LocationKind) {
        self.locations[reserved.index()] = kind;
    }

    /// `loc("file":line:column)`.
    pub fn file_location(&mut self, file: Identifier, line: u32, column: u32) -> Location {
        self.location(LocationKind::FileLineColRange {
            file,
            start_line: line,
            start_column: column,
            end_line: line,
            end_column: column,
        })
    }

    /// `loc(fused<metadata>[locations])`, as upstream builds it: unknown locations and repetitions
    /// are dropped, fused locations of the same metadata are flattened, and one that is left stands
    /// for itself if there is no metadata.
    pub fn fused_location(
        &mut self,
        locations: &[Location],
        metadata: Option<Attribute>,
    ) -> Location {
        let mut kept: Vec<Location> = Vec::with_capacity(locations.len());
        let mut seen = std::collections::HashSet::new();
        let mut classes = std::mem::take(&mut self.location_classes);
        let mut keep = |context: &Context, location: Location| {
            if seen.insert(classes.class(context, location)) {
                kept.push(location);
            }
        };
        for &location in locations {
            match self.location_kind(location) {
                LocationKind::Unknown => {}
                LocationKind::Fused {
                    locations,
                    metadata: m,
                } if *m == metadata => {
                    // One with metadata may consist of an unknown location, which upstream keeps here,
                    // and drops when it reads what it printed.
                    for &location in locations {
                        if !matches!(self.location_kind(location), LocationKind::Unknown) {
                            keep(self, location);
                        }
                    }
                }
                _ => keep(self, location),
            }
        }
        self.location_classes = classes;
        match (kept.as_slice(), metadata) {
            ([], None) => self.unknown_location(),
            ([one], None) => *one,
            ([], Some(_)) => {
                let locations = [self.unknown_location()].into();
                self.location(LocationKind::Fused {
                    locations,
                    metadata,
                })
            }
            _ => self.location(LocationKind::Fused {
                locations: kept.into(),
                metadata,
            }),
        }
    }

    /// How many locations there are.
    pub(crate) fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// Whether two locations are equal in structure. Linear in the entries that they reach, at their
    /// first comparison.
    pub fn locations_equal(&mut self, a: Location, b: Location) -> bool {
        a == b || self.representative(a) == self.representative(b)
    }

    /// The first of the locations equal to `location` that was asked for.
    fn representative(&mut self, location: Location) -> Location {
        let mut classes = std::mem::take(&mut self.location_classes);
        let representative = classes.representative(self, location);
        self.location_classes = classes;
        representative
    }

    // Resources.

    /// Adds a resource.
    pub fn add_resource(&mut self, entry: ResourceEntry) -> Resource {
        let resource = Resource::from_index(self.resources.len());
        self.resources.push(entry);
        resource
    }

    /// A resource's entry.
    pub fn resource(&self, resource: Resource) -> &ResourceEntry {
        &self.resources[resource.index()]
    }

    /// A resource's entry, to fill in its value.
    pub fn resource_mut(&mut self, resource: Resource) -> &mut ResourceEntry {
        &mut self.resources[resource.index()]
    }

    // Sizes, for those who keep tables beside the context's.

    /// How many types there are; handles' indices are below it.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// How many operation names there are; handles' indices are below it.
    pub fn operation_name_count(&self) -> usize {
        self.operation_names.len()
    }

    /// How many attributes there are; handles' indices are below it.
    pub fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    /// All types there are, in the order in which they were made.
    pub fn all_types(&self) -> impl Iterator<Item = Type> + use<> {
        (0..self.types.len()).map(Type::from_index)
    }

    /// All attributes there are, in the order in which they were made.
    pub fn all_attributes(&self) -> impl Iterator<Item = Attribute> + use<> {
        (0..self.attributes.len()).map(Attribute::from_index)
    }

    /// The identifier `builtin`.
    pub fn builtin_namespace(&self) -> Identifier {
        self.common.builtin
    }
}
