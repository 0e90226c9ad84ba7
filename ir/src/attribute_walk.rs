//! Traversal of attributes, types and locations: visits everything that one of them refers to, and
//! rebuilds one with some of its parts replaced. The term *entry* covers all three.
//!
//! Entries form an acyclic graph with much sharing. Every function here visits an entry once,
//! however many others refer to it, and keeps an explicit stack.

use crate::error::Invalid;
use crate::substitution::Substitution;
use crate::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody,
    Location, LocationKind, Module, Operation, Type, TypeKind, WalkOrder, WalkResult,
};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// An attribute, type or location of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// A location.
    Location(Location),
}

impl From<Attribute> for Entry {
    fn from(attribute: Attribute) -> Self {
        Entry::Attribute(attribute)
    }
}

impl From<Type> for Entry {
    fn from(ty: Type) -> Self {
        Entry::Type(ty)
    }
}

impl From<Location> for Entry {
    fn from(location: Location) -> Self {
        Entry::Location(location)
    }
}

impl From<BodyReference> for Entry {
    fn from(reference: BodyReference) -> Self {
        match reference {
            BodyReference::Attribute(attribute) => Entry::Attribute(attribute),
            BodyReference::Type(ty) => Entry::Type(ty),
        }
    }
}

impl Context {
    /// Calls `visit` with the entries that `entry` refers to directly, in the order of the text: a
    /// trailing type of an attribute is last, and the parts of a location are in textual order. An
    /// entry that is referred to twice is visited twice. Names and resources are not entries.
    ///
    /// ```
    /// use rmlir_ir::{Context, Entry};
    ///
    /// let mut context = Context::new();
    /// let (i32, f32) = (context.i32_type(), context.f32_type());
    /// let function = context.function_type(&[i32], &[f32]);
    /// let mut children = Vec::new();
    /// context.for_each_child(function, |child| children.push(child));
    /// assert_eq!(children, [Entry::Type(i32), Entry::Type(f32)]);
    /// ```
    pub fn for_each_child(&self, entry: impl Into<Entry>, mut visit: impl FnMut(Entry)) {
        match entry.into() {
            Entry::Attribute(attribute) => {
                attribute_children(self.attribute_kind(attribute), &mut visit);
            }
            Entry::Type(ty) => type_children(self.type_kind(ty), &mut visit),
            Entry::Location(location) => self.location_kind(location).for_each_child(visit),
        }
    }
}

impl LocationKind<'_> {
    /// Calls `visit` with each entry that the location refers to, in the order of the text.
    pub(crate) fn for_each_child(&self, mut visit: impl FnMut(Entry)) {
        match *self {
            LocationKind::Unknown | LocationKind::FileLineColRange { .. } => {}
            LocationKind::Dialect(attribute) => visit(Entry::Attribute(attribute)),
            LocationKind::Name { child, .. } => visit(Entry::Location(child)),
            LocationKind::CallSite { callee, caller } => {
                visit(Entry::Location(callee));
                visit(Entry::Location(caller));
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                metadata.iter().for_each(|&m| visit(Entry::Attribute(m)));
                locations.iter().for_each(|&l| visit(Entry::Location(l)));
            }
        }
    }
}

/// Calls `visit` with each entry that an attribute of that kind refers to, in the order of the
/// text.
pub(crate) fn attribute_children(kind: &AttributeKind, visit: &mut impl FnMut(Entry)) {
    match kind {
        AttributeKind::Integer { ty, .. }
        | AttributeKind::Float { ty, .. }
        | AttributeKind::Type(ty)
        | AttributeKind::DenseElements { ty, .. }
        | AttributeKind::DenseStrings { ty, .. }
        | AttributeKind::DenseText { ty, .. }
        | AttributeKind::DenseArray { element: ty, .. }
        | AttributeKind::DenseResource { ty, .. } => visit(Entry::Type(*ty)),
        AttributeKind::String { ty, .. } => ty.iter().for_each(|&t| visit(Entry::Type(t))),
        AttributeKind::Array(elements) => {
            elements.iter().for_each(|&e| visit(Entry::Attribute(e)));
        }
        AttributeKind::Dictionary(entries) => {
            entries
                .iter()
                .for_each(|&(_, value)| visit(Entry::Attribute(value)));
        }
        AttributeKind::Sparse {
            ty,
            indices,
            values,
        } => {
            visit(Entry::Attribute(*indices));
            visit(Entry::Attribute(*values));
            visit(Entry::Type(*ty));
        }
        AttributeKind::Distinct { referenced, .. } => visit(Entry::Attribute(*referenced)),
        AttributeKind::Location(location) => visit(Entry::Location(*location)),
        AttributeKind::Dialect { body, ty, .. } => {
            body.references().iter().for_each(|&(_, r)| visit(r.into()));
            ty.iter().for_each(|&t| visit(Entry::Type(t)));
        }
        AttributeKind::Unit
        | AttributeKind::SymbolRef { .. }
        | AttributeKind::AffineMap(_)
        | AttributeKind::IntegerSet(_)
        | AttributeKind::StridedLayout { .. } => {}
    }
}

/// Calls `visit` with each entry that a type of that kind refers to, in the order of the text.
pub(crate) fn type_children(kind: &TypeKind, visit: &mut impl FnMut(Entry)) {
    match kind {
        TypeKind::Complex(element)
        | TypeKind::Vector { element, .. }
        | TypeKind::UnrankedTensor(element) => visit(Entry::Type(*element)),
        TypeKind::Tuple(types) => types.iter().for_each(|&t| visit(Entry::Type(t))),
        TypeKind::Function { inputs, results } | TypeKind::Graph { inputs, results } => {
            inputs
                .iter()
                .chain(results.iter())
                .for_each(|&t| visit(Entry::Type(t)));
        }
        TypeKind::RankedTensor {
            element, encoding, ..
        } => {
            visit(Entry::Type(*element));
            encoding.iter().for_each(|&a| visit(Entry::Attribute(a)));
        }
        TypeKind::MemRef {
            element,
            layout,
            memory_space,
            ..
        } => {
            visit(Entry::Type(*element));
            layout.iter().for_each(|&a| visit(Entry::Attribute(a)));
            memory_space
                .iter()
                .for_each(|&a| visit(Entry::Attribute(a)));
        }
        TypeKind::UnrankedMemRef {
            element,
            memory_space,
        } => {
            visit(Entry::Type(*element));
            memory_space
                .iter()
                .for_each(|&a| visit(Entry::Attribute(a)));
        }
        TypeKind::Dialect { body, .. } => {
            body.references().iter().for_each(|&(_, r)| visit(r.into()));
        }
        TypeKind::Integer { .. }
        | TypeKind::Float(_)
        | TypeKind::Index
        | TypeKind::None
        | TypeKind::Token => {}
    }
}

/// Visits entries and everything they refer to, each once over all calls of [`walk`](Self::walk).
/// Visiting everything that a module refers to is therefore linear in the number of entries, not of
/// their uses.
///
/// ```
/// use rmlir_ir::{Context, Entry, EntryWalker, WalkOrder, WalkResult};
///
/// let mut context = Context::new();
/// let one = context.string_attribute("one");
/// let pair = context.array_attribute(&[one, one]);
/// let nested = context.array_attribute(&[pair, one]);
/// let mut order = Vec::new();
/// EntryWalker::new().walk(&context, nested, WalkOrder::PostOrder, |entry| {
///     order.push(entry);
///     WalkResult::Advance
/// });
/// assert_eq!(order, [one, pair, nested].map(Entry::Attribute));
/// ```
#[derive(Clone, Default, Debug)]
pub struct EntryWalker {
    seen: HashSet<Entry, RandomState>,
}

impl EntryWalker {
    /// Returns a walker that has visited nothing.
    pub fn new() -> Self {
        EntryWalker::default()
    }

    /// Visits `entry` and everything it refers to directly or indirectly, except for entries that
    /// this walker has visited before. In post-order, every entry follows those that it refers to.
    ///
    /// [`WalkResult::Skip`] skips what the visited entry refers to (in pre-order only; another path
    /// may still reach it). [`WalkResult::Interrupt`] ends the walk and is returned.
    pub fn walk(
        &mut self,
        context: &Context,
        entry: impl Into<Entry>,
        order: WalkOrder,
        mut visit: impl FnMut(Entry) -> WalkResult,
    ) -> WalkResult {
        let entry = entry.into();
        if self.seen.contains(&entry) {
            return WalkResult::Advance;
        }
        // Whether all that the entry refers to was visited.
        let mut stack = vec![(entry, false)];
        while let Some((entry, done)) = stack.pop() {
            if !done && !self.seen.insert(entry) {
                continue;
            }
            let result = match order {
                WalkOrder::PostOrder if !done => WalkResult::Advance,
                _ => visit(entry),
            };
            match result {
                WalkResult::Interrupt => return WalkResult::Interrupt,
                WalkResult::Skip => continue,
                WalkResult::Advance if done => continue,
                WalkResult::Advance => {}
            }
            if order == WalkOrder::PostOrder {
                stack.push((entry, true));
            }
            push_children(context, entry, &mut stack, false);
        }
        WalkResult::Advance
    }
}

/// Pushes the children with `with` so that the first one is popped first.
pub(crate) fn push_children<T: Copy>(
    context: &Context,
    entry: Entry,
    stack: &mut Vec<(Entry, T)>,
    with: T,
) {
    let start = stack.len();
    context.for_each_child(entry, |child| stack.push((child, with)));
    stack
        .get_mut(start..)
        .into_iter()
        .for_each(|children| children.reverse());
}

/// The action of an [`EntryReplacer`] for an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// Keep the entry, and replace within it.
    Keep,
    /// Replace the entry by this one, which is not changed further.
    Replace(Entry),
    /// Replace the entry by this one, and replace within the latter.
    ReplaceAndEnter(Entry),
}

impl From<Option<Entry>> for Replacement {
    /// [`Keep`](Self::Keep) for `None`, else [`Replace`](Self::Replace).
    fn from(entry: Option<Entry>) -> Self {
        entry.map_or(Replacement::Keep, Replacement::Replace)
    }
}

/// Rebuilds attributes, types and locations with some of their parts replaced.
///
/// The function maps an entry to its [`Replacement`], or to an `Option` of an entry. It is called
/// once for each entry, outer ones first, and the results are memoized for the lifetime of the
/// replacer, so time is linear in the number of entries, not of their uses. Use one replacer for
/// everything that belongs together: a `distinct` attribute with a replaced part becomes a new one,
/// which is the same wherever this replacer encounters the old one.
///
/// ```
/// use rmlir_ir::{Context, Entry, EntryReplacer};
///
/// let mut context = Context::new();
/// let (i32, i64) = (context.i32_type(), context.i64_type());
/// let narrow = context.function_type(&[i32], &[i32]);
/// let wide = context.function_type(&[i64], &[i64]);
/// let mut replacer = EntryReplacer::new(|_: &mut Context, entry| {
///     (entry == Entry::Type(i32)).then_some(Entry::Type(i64))
/// });
/// assert_eq!(replacer.ty(&mut context, narrow)?, wide);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub struct EntryReplacer<F> {
    replace: F,
    memo: HashMap<Entry, Entry, RandomState>,
}

impl<F> fmt::Debug for EntryReplacer<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntryReplacer({} entries)", self.memo.len())
    }
}

impl<F, R> EntryReplacer<F>
where
    F: FnMut(&mut Context, Entry) -> R,
    R: Into<Replacement>,
{
    /// Returns a replacer with the mapping `replace`.
    pub fn new(replace: F) -> Self {
        EntryReplacer::with_memo(replace, HashMap::default())
    }

    /// A replacer that continues with the replacements of another one of the same function.
    pub(crate) fn with_memo(replace: F, memo: HashMap<Entry, Entry, RandomState>) -> Self {
        EntryReplacer { replace, memo }
    }

    /// Returns what was replaced.
    pub(crate) fn into_memo(self) -> HashMap<Entry, Entry, RandomState> {
        self.memo
    }

    /// Returns an attribute with its parts replaced.
    ///
    /// # Errors
    ///
    /// If the function replaces an entry by one of another sort, or an entry with replaced parts
    /// violates a rule of the builtin dialect. The memo is then incomplete, so the replacer must
    /// not be used further.
    pub fn attribute(
        &mut self,
        context: &mut Context,
        attribute: Attribute,
    ) -> Result<Attribute, Invalid> {
        match self.entry(context, attribute.into())? {
            Entry::Attribute(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    /// Returns a type with its parts replaced.
    ///
    /// # Errors
    ///
    /// As for [`attribute`](Self::attribute).
    pub fn ty(&mut self, context: &mut Context, ty: Type) -> Result<Type, Invalid> {
        match self.entry(context, ty.into())? {
            Entry::Type(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    /// Returns a location with its parts replaced.
    ///
    /// # Errors
    ///
    /// As for [`attribute`](Self::attribute).
    pub fn location(
        &mut self,
        context: &mut Context,
        location: Location,
    ) -> Result<Location, Invalid> {
        match self.entry(context, location.into())? {
            Entry::Location(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    /// Replaces in the inherent and discardable attributes of one operation. Returns whether
    /// anything changed.
    ///
    /// # Errors
    ///
    /// As for [`attribute`](Self::attribute), or if the dictionary of discardable attributes is
    /// replaced by an attribute that is not a dictionary. The operation is then unchanged.
    pub fn attributes_of(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
    ) -> Result<bool, Invalid> {
        let (attributes, properties) = (module.attributes(operation), module.properties(operation));
        let new_attributes = match attributes {
            Some(old) => Some(self.attribute(context, old)?),
            None => None,
        };
        let new_properties = match properties {
            Some(old) => Some(self.attribute(context, old)?),
            None => None,
        };
        if new_attributes != attributes {
            module.set_attributes(context, operation, new_attributes)?;
        }
        if new_properties != properties {
            module.set_properties(operation, new_properties);
        }
        Ok((new_attributes, new_properties) != (attributes, properties))
    }

    /// Replaces the types of the results of one operation, and of the arguments of the blocks
    /// directly in its regions. Returns whether anything changed.
    ///
    /// # Errors
    ///
    /// As for [`attribute`](Self::attribute). Types that precede the failing one are then changed.
    pub fn types_of(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
    ) -> Result<bool, Invalid> {
        let arguments = module
            .regions(operation)
            .flat_map(|region| module.blocks(region))
            .flat_map(|block| module.arguments(block).map(|(value, _)| value));
        let values: Vec<_> = module.results(operation).chain(arguments).collect();
        let mut changed = false;
        for value in values {
            let old = module.value_type(value);
            let new = self.ty(context, old)?;
            if new != old {
                module.set_value_type(value, new);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Replaces the location of one operation and of the arguments of the blocks directly in its
    /// regions. Returns whether anything changed.
    ///
    /// # Errors
    ///
    /// As for [`attribute`](Self::attribute). Locations that precede the failing one are then
    /// changed.
    pub fn locations_of(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
    ) -> Result<bool, Invalid> {
        let old = module.location(operation);
        let new = self.location(context, old)?;
        let mut changed = new != old;
        module.set_location(operation, new);
        let blocks: Vec<_> = module
            .regions(operation)
            .flat_map(|region| module.blocks(region))
            .collect();
        for block in blocks {
            let arguments: Vec<_> = module.arguments(block).map(|(_, old)| old).collect();
            for (number, old) in arguments.into_iter().enumerate() {
                let new = self.location(context, old)?;
                if new != old {
                    module.set_argument_location(block, number, new)?;
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// Returns the replacement of an entry.
    fn entry(&mut self, context: &mut Context, entry: Entry) -> Result<Entry, Invalid> {
        // A `Some` marks an entry whose children are done: it is rebuilt from the second and
        // replaces the first.
        let mut stack = vec![(entry, None)];
        while let Some((entry, current)) = stack.pop() {
            if let Some(current) = current {
                let new = self.rebuild(context, current)?;
                self.memo.insert(entry, new);
                continue;
            }
            if self.memo.contains_key(&entry) {
                continue;
            }
            let (new, enter) = match (self.replace)(context, entry).into() {
                Replacement::Keep => (entry, true),
                Replacement::Replace(new) => (new, false),
                Replacement::ReplaceAndEnter(new) => (new, true),
            };
            self.memo.insert(entry, new);
            if enter {
                stack.push((entry, Some(new)));
                push_children(context, new, &mut stack, None);
            }
        }
        Ok(self.known(context).entry(entry))
    }

    fn known<'a>(&'a self, context: &'a Context) -> Known<'a> {
        Known {
            memo: &self.memo,
            context,
        }
    }

    /// Rebuilds an entry with the replacements of its children, which are all memoized.
    fn rebuild(&self, context: &mut Context, entry: Entry) -> Result<Entry, Invalid> {
        let mut known = self.known(context);
        let mut changed = false;
        context.for_each_child(entry, |child| changed |= known.entry(child) != child);
        if !changed {
            return Ok(entry);
        }
        match entry {
            Entry::Attribute(attribute) => {
                if let AttributeKind::Distinct { referenced, .. } =
                    *context.attribute_kind(attribute)
                {
                    let referenced = known.attribute(referenced)?;
                    return Ok(context.distinct_attribute(referenced).into());
                }
                let mut kind = context.attribute_kind(attribute).clone();
                known.in_attribute(&mut kind)?;
                Ok(context.try_attribute(kind)?.into())
            }
            Entry::Type(ty) => {
                let mut kind = context.type_kind(ty).clone();
                known.in_type(&mut kind)?;
                Ok(context.try_type(kind)?.into())
            }
            Entry::Location(location) => {
                let mut parts = Vec::new();
                let kind = known.in_location(context.location_kind(location), &mut parts)?;
                Ok(context.location(kind).into())
            }
        }
    }
}

/// The memoized replacements.
struct Known<'a> {
    memo: &'a HashMap<Entry, Entry, RandomState>,
    context: &'a Context,
}

impl Known<'_> {
    fn entry(&self, entry: Entry) -> Entry {
        self.memo.get(&entry).copied().unwrap_or(entry)
    }
}

impl Substitution for Known<'_> {
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        match self.entry(attribute.into()) {
            Entry::Attribute(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        match self.entry(ty.into()) {
            Entry::Type(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        match self.entry(location.into()) {
            Entry::Location(new) => Ok(new),
            _ => Err(other_sort()),
        }
    }

    /// The replacement of a reference may be an entry that a body spells out.
    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid> {
        let mut builder = BodyBuilder::new();
        for piece in body.pieces() {
            match piece {
                BodyPiece::Text(text) => builder.text(text),
                BodyPiece::Reference(reference) => {
                    let reference = self.reference(reference)?;
                    builder.reference(self.context, reference);
                }
            }
        }
        *body = builder.finish();
        Ok(())
    }
}

#[cold]
fn other_sort() -> Invalid {
    Invalid::new("an attribute, type or location can only be replaced by one of its sort")
}
