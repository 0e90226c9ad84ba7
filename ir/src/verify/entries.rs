//! Checks of attributes, types and locations. Each one that the operations refer to, directly or
//! through others, is checked once: against the rules of the Builtin dialect, which
//! [`Context::check_type`] and [`Context::check_attribute`] state, and for the result of the check
//! of its body.

use super::VerifyOptions;
use super::bits::BitSet;
use super::symbols::{has_symbol_users, refers_to_symbols};
use crate::attribute_walk::Entry;
use crate::{
    Attribute, AttributeKind, Context, Identifier, Invalid, Location, LocationKind, Module,
    Operation, Type,
};
use std::collections::HashMap;

/// Attributes and types whose bodies do not follow the definitions of their dialects, with the
/// reasons.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusedEntries {
    refused: HashMap<Entry, Invalid>,
}

impl RefusedEntries {
    pub(crate) fn insert(&mut self, entry: Entry, why: Invalid) {
        self.refused.insert(entry, why);
    }

    #[inline]
    fn check(&self, entry: Entry) -> Result<(), Invalid> {
        match self.refused.is_empty() {
            true => Ok(()),
            false => self.refused.get(&entry).cloned().map_or(Ok(()), Err),
        }
    }
}

/// The attributes, types and locations that are checked already.
pub(super) struct Entries<'a> {
    attributes: BitSet,
    types: BitSet,
    locations: BitSet,
    stack: Vec<Entry>,
    /// Whether attributes and types that their dialects do not declare are accepted.
    allow_unknown: bool,
    refused: &'a RefusedEntries,
    /// Whether an attribute that was checked refers to symbols.
    pub(super) refer_to_symbols: bool,
    /// The last dialect whose attributes do not.
    without_symbols: Option<Identifier>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(
        context: &Context,
        options: &VerifyOptions,
        refused: &'a RefusedEntries,
    ) -> Self {
        Entries {
            attributes: BitSet::with_size(context.attribute_count()),
            types: BitSet::with_size(context.type_count()),
            locations: BitSet::with_size(context.location_count()),
            stack: Vec::new(),
            allow_unknown: options.allow_unknown,
            refused,
            refer_to_symbols: false,
            without_symbols: None,
        }
    }

    /// Checks the attributes, result types and location of an operation. Operand types need no
    /// check: each is the type of a result or block argument.
    #[inline]
    pub(super) fn check(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Result<(), Invalid> {
        if let Some(attributes) = module.attributes(operation)
            && self.attributes.insert(attributes.index())
        {
            let kind = context.attribute_kind(attributes);
            if !matches!(kind, AttributeKind::Dictionary(_)) {
                return Err(Invalid::new("discardable attributes are not a dictionary"));
            }
            self.walk(context, Entry::Attribute(attributes))?;
        }
        if let Some(properties) = module.properties(operation) {
            self.check_attribute(context, properties)?;
        }
        for value in module.results(operation) {
            self.check_type(context, module.value_type(value))?;
        }
        self.check_location(context, module.location(operation))
    }

    /// Checks the type and location of a block argument.
    pub(super) fn check_argument(
        &mut self,
        context: &Context,
        ty: Type,
        location: Location,
    ) -> Result<(), Invalid> {
        self.check_type(context, ty)?;
        self.check_location(context, location)
    }

    #[inline]
    fn check_attribute(&mut self, context: &Context, attribute: Attribute) -> Result<(), Invalid> {
        if self.attributes.insert(attribute.index()) {
            self.walk(context, Entry::Attribute(attribute))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn check_type(&mut self, context: &Context, ty: Type) -> Result<(), Invalid> {
        if self.types.insert(ty.index()) {
            self.walk(context, Entry::Type(ty))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn check_location(&mut self, context: &Context, location: Location) -> Result<(), Invalid> {
        // Nearly all locations are file locations, which refer to nothing that needs a check.
        let kind = context.location_kind(location);
        if matches!(
            kind,
            LocationKind::FileLineColRange { .. } | LocationKind::Unknown
        ) || !self.locations.insert(location.index())
        {
            return Ok(());
        }
        self.walk(context, Entry::Location(location))
    }

    /// Checks an attribute, type or location that is marked as visited, and everything unmarked
    /// that it refers to.
    #[cold]
    #[inline(never)]
    fn walk(&mut self, context: &Context, entry: Entry) -> Result<(), Invalid> {
        let Entries {
            attributes,
            types,
            locations,
            stack,
            allow_unknown,
            refused,
            refer_to_symbols,
            without_symbols,
        } = self;
        stack.clear();
        stack.push(entry);
        let mut result = Ok(());
        while let Some(entry) = stack.pop() {
            let checked = match entry {
                Entry::Attribute(attribute) => {
                    let kind = context.attribute_kind(attribute);
                    if let AttributeKind::Dialect { dialect, .. } = kind
                        && *without_symbols != Some(*dialect)
                    {
                        match has_symbol_users(context, *dialect) {
                            true => *refer_to_symbols |= refers_to_symbols(context, attribute),
                            false => *without_symbols = Some(*dialect),
                        }
                    }
                    context.check_attribute(kind)
                }
                Entry::Type(ty) => context.check_type(context.type_kind(ty)),
                Entry::Location(_) => Ok(()),
            };
            let checked = match allow_unknown {
                true => checked,
                false => checked
                    .and_then(|()| context.check_is_known(entry))
                    .and_then(|()| refused.check(entry)),
            };
            // The children are marked here, so they must be checked even after an error.
            result = result.and(checked);
            context.for_each_child(entry, |child| {
                let is_new = match child {
                    Entry::Attribute(attribute) => attributes.insert(attribute.index()),
                    Entry::Type(ty) => types.insert(ty.index()),
                    Entry::Location(location) => locations.insert(location.index()),
                };
                if is_new {
                    stack.push(child);
                }
            });
        }
        result
    }
}
