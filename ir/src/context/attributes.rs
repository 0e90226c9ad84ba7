//! The methods of a context that intern and query attributes.

use super::{Context, SHORT_DICTIONARY, remember};
use crate::affine::{AffineMap, IntegerSet};
use crate::apint::ApInt;
use crate::dense::ElementLayout;
use crate::error::Invalid;
use crate::float;
use crate::symbol_text::for_each_symbol;
use crate::{
    Attribute, AttributeKind, BodyPiece, DialectBody, Identifier, Location, NamedAttribute,
    Signedness, Type, TypeKind,
};
use std::mem::Discriminant;

impl Context {
    /// Returns the kind of an attribute.
    #[inline]
    pub fn attribute_kind(&self, attribute: Attribute) -> &AttributeKind {
        self.attributes.item(attribute.index_in(self.owner))
    }

    /// Interns an attribute after checking the rules of the builtin dialect. Equal attributes that
    /// have several representations (splats, unsorted dictionaries, equal locations) are
    /// canonicalized.
    ///
    /// # Errors
    ///
    /// Returns a message that describes the violated rule.
    pub fn try_attribute(&mut self, kind: AttributeKind) -> Result<Attribute, Invalid> {
        let kind = self.canonical_attribute(kind);
        match &kind {
            AttributeKind::String { ty: None, .. } | AttributeKind::Type(_) => {
                self.check_attribute(&kind)?;
                return Ok(self.intern_attribute(kind));
            }
            AttributeKind::Dictionary(entries) => {
                let hash = self.dictionaries.hash(entries);
                if let Some(known) = self.find_dictionary(hash, entries) {
                    return Ok(known);
                }
                self.check_attribute(&kind)?;
                return Ok(self.intern_attribute(kind));
            }
            _ => {}
        }
        let hash = self.attributes.hash(&kind);
        // Interned attributes are valid.
        let found = self.attributes.find_hashed(hash, &kind);
        Ok(Attribute::from_index(match found {
            Some(found) => found,
            None => {
                self.check_attribute(&kind)?;
                self.intern_names_of(&kind);
                self.attributes.push_hashed(hash, kind)
            }
        })
        .of(self.owner))
    }

    /// Interns an attribute that is known to be valid and canonical.
    pub(crate) fn intern_attribute(&mut self, kind: AttributeKind) -> Attribute {
        match kind {
            // These are found through their components, without hashing the attribute.
            AttributeKind::String { value, ty: None } => self.string_attribute_of(value),
            AttributeKind::Type(ty) => self.type_attribute(ty),
            AttributeKind::Dictionary(entries) => {
                let hash = self.dictionaries.hash(&entries);
                match self.find_dictionary(hash, &entries) {
                    Some(known) => known,
                    None => self.add_dictionary(hash, entries),
                }
            }
            kind => {
                self.intern_names_of(&kind);
                Attribute::from_index(self.attributes.intern(kind)).of(self.owner)
            }
        }
    }

    /// Interns the strings of a dialect attribute that may be symbol names.
    fn intern_names_of(&mut self, kind: &AttributeKind) {
        if let AttributeKind::Dialect { body, .. } = kind {
            self.intern_names(body);
        }
    }

    /// Interns the strings of a body that may be symbol names, so that code without mutable access
    /// to the context can look them up: its [string literal](DialectBody::string_literal), and the
    /// names of symbol references in its text. A symbol of that name may occur later, in another
    /// part of a file.
    pub(super) fn intern_names(&mut self, body: &DialectBody) {
        for_each_name(body, |name| {
            self.identifier(name);
        });
    }

    /// Returns the string of a string attribute, or of a dialect attribute whose body is a mnemonic
    /// followed by one string literal in angle brackets, as in `#vhlo.string_v1<"main">`. Returns
    /// `None` for any other attribute, and for a string attribute with a type. Dialects spell
    /// symbol names in this way. Linear in the length of the string.
    pub fn string_literal(&self, attribute: Attribute) -> Option<Identifier> {
        match self.attribute_kind(attribute) {
            AttributeKind::String { value, ty: None } => Some(*value),
            AttributeKind::Dialect { body, ty: None, .. } => {
                self.find_identifier(body.string_literal()?)
            }
            _ => None,
        }
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

    /// Sorts the entries by the bytes of their names.
    fn sort_entries(&self, entries: &mut [NamedAttribute]) {
        if !entries.is_sorted_by(|a, b| self.bytes(a.0) <= self.bytes(b.0)) {
            entries.sort_by(|a, b| self.bytes(a.0).cmp(self.bytes(b.0)));
        }
    }

    /// Returns `unit`.
    pub fn unit_attribute(&self) -> Attribute {
        self.common.unit
    }

    /// Returns `true` or `false`.
    pub fn bool_attribute(&self, value: bool) -> Attribute {
        if value {
            self.common.true_
        } else {
            self.common.false_
        }
    }

    /// Returns `value : ty`. `ty` must be an integer type or `index`.
    ///
    /// # Errors
    ///
    /// If `ty` is neither an integer type nor `index`, or the value is out of range: a signless
    /// type accepts values from the least signed to the greatest unsigned number of its width.
    /// [`wrapping_integer_attribute`](Self::wrapping_integer_attribute) truncates instead.
    ///
    /// ```
    /// let mut context = rmlir_ir::Context::new();
    /// let i8 = context.integer_type(8);
    /// assert_eq!(context.integer_attribute(i8, 255)?, context.integer_attribute(i8, -1)?);
    /// assert!(context.integer_attribute(i8, 300).is_err());
    /// let wrapped = context.wrapping_integer_attribute(i8, 300)?;
    /// assert_eq!(wrapped, context.integer_attribute(i8, 44)?);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn integer_attribute(&mut self, ty: Type, value: i64) -> Result<Attribute, Invalid> {
        let bits = ApInt::from_i64(self.integer_width(ty)?, value);
        let signed = bits.to_i64() == Some(value);
        let unsigned = u64::try_from(value).is_ok_and(|value| bits.to_u64() == Some(value));
        let (fits, kind) = match self.type_kind(ty) {
            TypeKind::Integer { signedness, .. } => match signedness {
                Signedness::Signless => (signed || unsigned, "signless"),
                Signedness::Signed => (signed, "signed"),
                Signedness::Unsigned => (unsigned, "unsigned"),
            },
            _ => (true, "index"),
        };
        if !fits {
            return Err(Invalid::new(format!(
                "integer {value} is out of range for a {kind} type of {} bits",
                bits.width()
            )));
        }
        Ok(self.intern_attribute(AttributeKind::Integer { ty, value: bits }))
    }

    /// Returns `value : ty`, the value truncated to the type's width. `ty` must be an integer type
    /// or `index`.
    ///
    /// # Errors
    ///
    /// If `ty` is neither an integer type nor `index`.
    pub fn wrapping_integer_attribute(
        &mut self,
        ty: Type,
        value: i64,
    ) -> Result<Attribute, Invalid> {
        let value = ApInt::from_i64(self.integer_width(ty)?, value);
        Ok(self.intern_attribute(AttributeKind::Integer { ty, value }))
    }

    fn integer_width(&self, ty: Type) -> Result<u32, Invalid> {
        match self.type_kind(ty) {
            TypeKind::Integer { width, .. } => Ok(*width),
            TypeKind::Index => Ok(64),
            _ => Err(Invalid::new(
                "an integer attribute needs an integer or index type",
            )),
        }
    }

    /// Returns `value : ty`, rounded to the type. `ty` must be a float type.
    ///
    /// # Errors
    ///
    /// If `ty` is not a float type.
    pub fn float_attribute(&mut self, ty: Type, value: f64) -> Result<Attribute, Invalid> {
        let TypeKind::Float(kind) = *self.type_kind(ty) else {
            return Err(Invalid::new("a float attribute needs a float type"));
        };
        Ok(self.intern_attribute(AttributeKind::Float {
            ty,
            bits: float::from_f64(kind, value),
        }))
    }

    /// Returns a string attribute without a type.
    pub fn string_attribute(&mut self, value: impl AsRef<[u8]>) -> Attribute {
        let value = self.identifier(value);
        self.string_attribute_of(value)
    }

    /// Returns the string attribute, without a type, of an identifier.
    pub fn string_attribute_of(&mut self, value: Identifier) -> Attribute {
        if let Some(Some(known)) = self.string_attributes.get(value.index()) {
            return *known;
        }
        let kind = AttributeKind::String { value, ty: None };
        let index = match self.attributes.find_late(|| kind.clone()) {
            Some(found) => found,
            None => self.attributes.push_unsought(kind),
        };
        let new = Attribute::from_index(index).of(self.owner);
        remember(&mut self.string_attributes, value.index(), new);
        new
    }

    /// Returns a type attribute.
    pub fn type_attribute(&mut self, ty: Type) -> Attribute {
        if let Some(Some(known)) = self.type_attributes.get(ty.index()) {
            return *known;
        }
        let kind = AttributeKind::Type(ty);
        let index = match self.attributes.find_late(|| kind.clone()) {
            Some(found) => found,
            None => self.attributes.push_unsought(kind),
        };
        let new = Attribute::from_index(index).of(self.owner);
        remember(&mut self.type_attributes, ty.index(), new);
        new
    }

    /// Returns `@name`.
    pub fn symbol_ref_attribute(&mut self, name: impl AsRef<[u8]>) -> Attribute {
        let root = self.identifier(name);
        self.intern_attribute(AttributeKind::SymbolRef {
            root,
            nested: Box::default(),
        })
    }

    /// Returns `[elements]`.
    pub fn array_attribute(&mut self, elements: &[Attribute]) -> Attribute {
        self.intern_attribute(AttributeKind::Array(elements.into()))
    }

    /// Returns `array<i32: values>`. An existing attribute is found without constructing a new one.
    pub fn i32_array_attribute(&mut self, values: impl IntoIterator<Item = i32>) -> Attribute {
        let values = values.into_iter().map(i32::to_le_bytes);
        self.array_of_numbers(self.common.i32, values)
    }

    /// Returns `array<i64: values>`. An existing attribute is found without constructing a new one.
    pub fn i64_array_attribute(&mut self, values: impl IntoIterator<Item = i64>) -> Attribute {
        let values = values.into_iter().map(i64::to_le_bytes);
        self.array_of_numbers(self.common.i64, values)
    }

    /// Returns the numbers of `array<i32: ...>`; `None` for any other attribute.
    pub fn i32_array(&self, attribute: Attribute) -> Option<impl ExactSizeIterator<Item = i32>> {
        let (element, numbers) = self.integer_array(attribute)?;
        // The numbers have 32 bits, so the cast is lossless.
        (element == self.i32_type()).then(|| numbers.map(|number| number as i32))
    }

    /// Returns the numbers of `array<i64: ...>`; `None` for any other attribute.
    pub fn i64_array(&self, attribute: Attribute) -> Option<impl ExactSizeIterator<Item = i64>> {
        let (element, numbers) = self.integer_array(attribute)?;
        (element == self.i64_type()).then_some(numbers)
    }

    /// Returns the element type and the sign-extended numbers of a dense array of integers of 8,
    /// 16, 32 or 64 bits; `None` for any other attribute.
    pub fn integer_array(
        &self,
        attribute: Attribute,
    ) -> Option<(Type, impl ExactSizeIterator<Item = i64>)> {
        let AttributeKind::DenseArray { element, data, .. } = self.attribute_kind(attribute) else {
            return None;
        };
        let size = match self.type_kind(*element) {
            TypeKind::Integer { width, .. } if matches!(width, 8 | 16 | 32 | 64) => *width / 8,
            _ => return None,
        };
        let number = |bytes: &[u8]| match *bytes {
            [a] => i64::from(a.cast_signed()),
            [a, b] => i64::from(i16::from_le_bytes([a, b])),
            [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
            _ => bytes.try_into().map_or(0, i64::from_le_bytes),
        };
        Some((*element, data.chunks_exact(size as usize).map(number)))
    }

    /// Returns a dense array of numbers whose size is that of the element type.
    fn array_of_numbers<const SIZE: usize>(
        &mut self,
        element: Type,
        values: impl Iterator<Item = [u8; SIZE]>,
    ) -> Attribute {
        /// Hashes like the attribute's kind.
        #[derive(Hash)]
        struct Parts<'d>(Discriminant<AttributeKind>, Type, usize, &'d [u8]);
        let mut numbers = std::mem::take(&mut self.number_bytes);
        numbers.clear();
        numbers.extend(values.flatten());
        let length = numbers.len() / SIZE.max(1);
        let found = self.attributes.intern_parts(
            Parts(self.common.dense_array, element, length, &numbers),
            |kind| {
                matches!(kind, AttributeKind::DenseArray { element: e, length: l, data }
                    if *e == element && *l == length && **data == *numbers)
            },
            || AttributeKind::DenseArray {
                element,
                length,
                data: numbers.as_slice().into(),
            },
        );
        self.number_bytes = numbers;
        Attribute::from_index(found).of(self.owner)
    }

    /// Returns `{entries}`, after sorting the entries by name.
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
            // The entries are unsorted, or a name is repeated.
            return self.try_attribute(AttributeKind::Dictionary(entries.into()));
        }
        Ok(self.sorted_dictionary_of(entries))
    }

    /// Like [`sorted_dictionary`](Self::sorted_dictionary), but finds an existing attribute without
    /// constructing a new one.
    pub fn sorted_dictionary_of(&mut self, entries: &[NamedAttribute]) -> Attribute {
        let hash = self.dictionaries.hash(entries);
        match self.find_dictionary(hash, entries) {
            Some(known) => known,
            None => self.add_dictionary(hash, entries.into()),
        }
    }

    /// Returns the dictionary of these entries, whose hash is given, if it exists.
    #[inline]
    pub(super) fn find_dictionary(
        &self,
        hash: u32,
        entries: &[NamedAttribute],
    ) -> Option<Attribute> {
        let found = self.dictionaries.find(hash, entries)?;
        Some(found.of(self.owner))
    }

    /// Adds a dictionary that does not exist yet, with its precomputed hash.
    fn add_dictionary(&mut self, hash: u32, entries: Box<[NamedAttribute]>) -> Attribute {
        if entries.is_empty() {
            return self.common.empty_dictionary;
        }
        let kind = || AttributeKind::Dictionary(entries.clone());
        let known = self.attributes.find_late(kind);
        let index = known.unwrap_or_else(|| self.attributes.len());
        let new = Attribute::from_index(index).of(self.owner);
        self.dictionaries.insert(hash, &entries, new);
        if known.is_none() {
            self.attributes
                .push_unsought(AttributeKind::Dictionary(entries));
        }
        new
    }

    /// Returns `{entries}`. The names must be in ascending order as bytes, like those of an
    /// existing dictionary. The order is not checked; if it is wrong, lookups may miss entries.
    pub fn sorted_dictionary(&mut self, entries: Box<[NamedAttribute]>) -> Attribute {
        match entries.is_empty() {
            true => self.common.empty_dictionary,
            false => self.intern_attribute(AttributeKind::Dictionary(entries)),
        }
    }

    /// Returns `{}`.
    pub fn empty_dictionary(&self) -> Attribute {
        self.common.empty_dictionary
    }

    /// Returns the entries of a dictionary attribute; `None` for any other attribute.
    #[inline]
    pub fn dictionary_entries(&self, attribute: Attribute) -> &[NamedAttribute] {
        match self.attribute_kind(attribute) {
            AttributeKind::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the value of `name` in a dictionary attribute. Takes O(log n).
    pub fn dictionary_get(&self, dictionary: Attribute, name: &[u8]) -> Option<Attribute> {
        let entries = self.dictionary_entries(dictionary);
        if entries.len() <= SHORT_DICTIONARY {
            // Different names mostly differ in length.
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

    /// Like [`dictionary_get`](Self::dictionary_get), for an interned name.
    pub(crate) fn dictionary_get_identifier(
        &self,
        dictionary: Attribute,
        name: Identifier,
    ) -> Option<Attribute> {
        // In a short dictionary, comparing identifiers is faster than a binary search by bytes.
        let entries = self.dictionary_entries(dictionary);
        if entries.len() > SHORT_DICTIONARY {
            return self.dictionary_get(dictionary, self.bytes(name));
        }
        let found = entries.iter().find(|entry| entry.0 == name);
        found.map(|entry| entry.1)
    }

    /// Returns a distinct attribute around `referenced`, different from all others.
    pub fn distinct_attribute(&mut self, referenced: Attribute) -> Attribute {
        let id = self.next_distinct;
        self.next_distinct = self.next_distinct.wrapping_add(1);
        self.intern_attribute(AttributeKind::Distinct { id, referenced })
    }

    /// Returns whether the context has distinct attributes.
    pub fn has_distincts(&self) -> bool {
        self.next_distinct != 0
    }

    /// Returns `affine_map<...>`.
    pub fn affine_map_attribute(&mut self, map: AffineMap) -> Attribute {
        self.intern_attribute(AttributeKind::AffineMap(map))
    }

    /// Returns `affine_set<...>`.
    pub fn integer_set_attribute(&mut self, set: IntegerSet) -> Attribute {
        self.intern_attribute(AttributeKind::IntegerSet(set))
    }

    /// Returns `loc(...)` as an attribute.
    pub fn location_attribute(&mut self, location: Location) -> Attribute {
        let location = self.representative(location);
        self.intern_attribute(AttributeKind::Location(location))
    }

    /// Returns the string value of a string attribute.
    pub fn string_value(&self, attribute: Attribute) -> Option<&[u8]> {
        match self.attribute_kind(attribute) {
            AttributeKind::String { value, .. } => Some(self.bytes(*value)),
            _ => None,
        }
    }

    /// Returns the type of an attribute (upstream's `TypedAttr`); `none` for one that has no type.
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

    /// Returns the element type of a shaped type: vector, tensor, memref.
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

    /// Returns the shape of a ranked shaped type; sizes may be [`DYNAMIC`](crate::DYNAMIC).
    pub fn shape(&self, ty: Type) -> Option<&[i64]> {
        match self.type_kind(ty) {
            TypeKind::Vector { shape, .. }
            | TypeKind::RankedTensor { shape, .. }
            | TypeKind::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// Returns the number of elements of a shaped type of static shape, if it fits an `i64`.
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

    /// Returns the integers of one-dimensional dense elements, sign-extended; `None` for any other
    /// attribute, and if the element type is neither `index` nor an integer of 1 to 64 bits. A
    /// splat may have at most 65,536 elements. Linear in the number of elements.
    pub fn dense_integers(&self, attribute: Attribute) -> Option<Vec<i64>> {
        /// The limit for splats, whose size is not bounded by their data.
        const MOST: usize = 1 << 16;
        let AttributeKind::DenseElements { ty, splat, data } = self.attribute_kind(attribute)
        else {
            return None;
        };
        let &[len] = self.shape(*ty)? else {
            return None;
        };
        let len = usize::try_from(len).ok()?;
        let width = match self.type_kind(self.element_type(*ty)?) {
            TypeKind::Integer { width, .. } => *width,
            TypeKind::Index => 64,
            _ => return None,
        };
        let size = usize::try_from(width.div_ceil(8)).ok()?;
        if width == 0 || width > 64 {
            return None;
        }
        let unused = 64u32.saturating_sub(width);
        let value = |bytes: &[u8]| {
            let bits = bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
            let high = bits.checked_shl(unused).unwrap_or(0).cast_signed();
            high.checked_shr(unused).unwrap_or(0)
        };
        let held: Vec<i64> = data.chunks_exact(size).map(value).collect();
        match (splat, held.as_slice()) {
            (true, &[one]) => (len <= MOST).then(|| vec![one; len]),
            _ => (held.len() == len).then_some(held),
        }
    }
}

/// Calls `visit` with the strings of a body that may be symbol names; see
/// [`Context::intern_names`].
pub(super) fn for_each_name(body: &DialectBody, mut visit: impl FnMut(&[u8])) {
    if let Some(string) = body.string_literal() {
        visit(&string);
        return;
    }
    if !body.text().contains(&b'@') {
        return;
    }
    for piece in body.pieces() {
        if let BodyPiece::Text(text) = piece {
            for_each_symbol(text, |names| {
                for (_, name) in names {
                    visit(name);
                }
            });
        }
    }
}
