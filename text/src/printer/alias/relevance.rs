//! Finds the operations and entries without aliases, which are the majority and need not be
//! visited.

use super::children::{Child, child, same_entry};
use super::stems::Stem;
use super::visit::Visitor;
use rmlir_ir::{AttributeKind, Context, Entry, IndexedMap, Module, Operation, TypeKind};

/// Whether an entry contains an alias, or a name that no alias may have.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Unknown,
    Without,
    With,
}

/// Marks what may contain aliases. Conservative: a marked entry need not contain one.
#[derive(Default)]
pub(super) struct Relevance {
    /// Empty if everything is visited.
    operations: Vec<bool>,
    attributes: IndexedMap<State>,
    types: IndexedMap<State>,
}

impl Relevance {
    /// Returns a state in which nothing is known.
    pub(super) fn new(context: &Context, module: &Module) -> Self {
        let operations = module.operation_slots();
        Relevance {
            operations: vec![false; operations],
            attributes: IndexedMap::new(context.attribute_count(), operations),
            types: IndexedMap::new(context.type_count(), operations),
        }
    }

    /// Returns the state of an entry. Locations are not examined: they always have an alias.
    fn state(&self, entry: Entry) -> State {
        match entry {
            Entry::Attribute(attribute) => self.attributes.get(attribute.index()),
            Entry::Type(ty) => self.types.get(ty.index()),
            Entry::Location(_) => State::With,
        }
    }

    fn set(&mut self, entry: Entry, state: State) {
        match entry {
            Entry::Attribute(attribute) => *self.attributes.get_mut(attribute.index()) = state,
            Entry::Type(ty) => *self.types.get_mut(ty.index()) = state,
            Entry::Location(_) => {}
        }
    }

    /// Returns whether an operation, or one in it, has to be visited.
    #[inline]
    pub(super) fn has_operation(&self, operation: Operation) -> bool {
        self.operations
            .get(operation.index())
            .is_none_or(|&marked| marked)
    }
}

impl Visitor<'_> {
    /// Finds the operations in which an alias could occur. Not for texts with locations, where all
    /// have aliases.
    pub(super) fn find_relevant(&mut self, operation: Operation) {
        self.relevance = Relevance::new(self.context, self.module);
        let module = self.module;
        // If there are fewer entries than operations, it is faster to check first whether any entry
        // is relevant.
        let entries = self
            .context
            .attribute_count()
            .saturating_add(self.context.type_count());
        if entries < module.operation_slots() && !self.has_relevant_entry() {
            return;
        }
        let mut blocks = Vec::new();
        self.mark(operation, operation);
        blocks.extend(module.regions(operation).flat_map(|r| module.blocks(r)));
        while let Some(block) = blocks.pop() {
            for inner in module.operations(block) {
                self.mark(inner, operation);
                blocks.extend(module.regions(inner).flat_map(|r| module.blocks(r)));
            }
        }
    }

    /// Returns whether an alias could be in any entry of the context.
    fn has_relevant_entry(&mut self) -> bool {
        let context = self.context;
        context
            .all_types()
            .any(|ty| self.is_relevant(Entry::Type(ty)))
            || context
                .all_attributes()
                .any(|attribute| self.is_relevant(Entry::Attribute(attribute)))
    }

    /// Marks an operation and those around it, up to `top`, if it has an alias in it.
    #[inline]
    fn mark(&mut self, operation: Operation, top: Operation) {
        if !self.has_alias(operation) {
            return;
        }
        let mut next = Some(operation);
        while let Some(operation) = next {
            match self.relevance.operations.get_mut(operation.index()) {
                Some(marked) if !*marked => *marked = true,
                _ => return,
            }
            next = match operation == top {
                true => None,
                false => self.module.parent_operation(operation),
            };
        }
    }

    /// Returns whether an alias could be in the text of an operation itself.
    #[inline]
    fn has_alias(&mut self, operation: Operation) -> bool {
        let module = self.module;
        let attributes = [module.properties(operation), module.attributes(operation)];
        let mut attributes = attributes.into_iter().flatten();
        attributes.any(|attribute| self.is_relevant(Entry::Attribute(attribute)))
            || module
                .results(operation)
                .chain(module.operands(operation))
                .any(|value| self.is_relevant(Entry::Type(module.value_type(value))))
            || module.regions(operation).any(|region| {
                let mut arguments = module.blocks(region).flat_map(|b| module.arguments(b));
                arguments.any(|(value, _)| self.is_relevant(Entry::Type(module.value_type(value))))
            })
    }

    /// Returns whether visiting an operation without regions could find new aliases: known
    /// entries are not revisited.
    pub(super) fn has_news(&mut self, operation: Operation) -> bool {
        let (module, context) = (self.module, self.context);
        if self.relevance.operations.is_empty() || module.region_count(operation) > 0 {
            return true;
        }
        let dictionaries = [
            module.inherent_attributes(context, operation),
            module.discardable_attributes(context, operation),
        ];
        let mut values = module.results(operation).chain(module.operands(operation));
        values.any(|value| self.is_news(Entry::Type(module.value_type(value))))
            || dictionaries
                .into_iter()
                .flatten()
                .any(|&(_, value)| self.is_news(Entry::Attribute(value)))
            || module.properties(operation).is_some_and(|properties| {
                !matches!(
                    context.attribute_kind(properties),
                    AttributeKind::Dictionary(_)
                )
            })
    }

    /// Returns whether an entry has an alias in it and was not visited yet.
    #[inline]
    fn is_news(&mut self, entry: Entry) -> bool {
        let is_visited = match entry {
            Entry::Attribute(attribute) => self.attributes.get(attribute.index()) != 0,
            Entry::Type(ty) => self.types.get(ty.index()) != 0,
            Entry::Location(_) => false,
        };
        !is_visited && self.is_relevant(entry)
    }

    /// Returns whether an entry may contain an alias. Each entry is examined once.
    #[inline]
    pub(super) fn is_relevant(&mut self, entry: Entry) -> bool {
        match self.relevance.state(entry) {
            State::With => true,
            State::Without => false,
            State::Unknown => self.look_into(entry),
        }
    }

    fn look_into(&mut self, entry: Entry) -> bool {
        let context = self.context;
        let mut stack = vec![(entry, 0usize)];
        if self.is_alias(entry) {
            self.relevance.set(entry, State::With);
            return true;
        }
        while let Some((entry, part)) = stack.last_mut() {
            let next = child(context, *entry, *part);
            *part = part.saturating_add(1);
            let inner = match next {
                Child::Nothing => continue,
                Child::Entry(inner) => same_entry(context, inner),
                Child::End => {
                    self.relevance.set(*entry, State::Without);
                    stack.pop();
                    continue;
                }
            };
            match self.relevance.state(inner) {
                State::Without => {}
                State::Unknown if !self.is_alias(inner) => stack.push((inner, 0)),
                _ => {
                    // All entries that are being examined contain it.
                    self.relevance.set(inner, State::With);
                    for (outer, _) in stack {
                        self.relevance.set(outer, State::With);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether an entry itself gets an alias, or contains names that no alias may have.
    fn is_alias(&mut self, entry: Entry) -> bool {
        if self.stem(entry) != Stem::None {
            return true;
        }
        let body = match entry {
            Entry::Attribute(attribute) => match self.context.attribute_kind(attribute) {
                AttributeKind::Dialect { body, .. } => body,
                AttributeKind::Location(_) => return true,
                _ => return false,
            },
            Entry::Type(ty) => match self.context.type_kind(ty) {
                TypeKind::Dialect { body, .. } => body,
                _ => return false,
            },
            Entry::Location(_) => return true,
        };
        memchr::memchr2(b'#', b'!', body.text()).is_some()
    }
}
