//! Definitions of one name that add up to one.

use super::symbols::{Kind, Symbols};
use super::{LinkError, Linker};
use crate::error::Invalid;
use crate::{Context, Identifier, Module, Operation};
use std::fmt;

/// Joins definitions of one name into one that has the content of all of them, such as LLVM's
/// arrays of linkage `appending`.
///
/// The definition of an operation states by `appends` which of its operations are such definitions.
pub trait DefinitionAppender: fmt::Debug + Send + Sync {
    /// Checks that the content of `other` can be appended to that of `first`. They are of one
    /// operation name.
    ///
    /// # Errors
    ///
    /// The reason why it cannot.
    fn check(
        &self,
        context: &Context,
        module: &Module,
        first: Operation,
        other: Operation,
    ) -> Result<(), Invalid>;

    /// Appends the content of all definitions after the first to the first, in order. Each was
    /// [checked](Self::check). The operations in the others may be moved; these are erased later.
    ///
    /// # Errors
    ///
    /// If the result is too large.
    fn append(
        &self,
        context: &mut Context,
        module: &mut Module,
        definitions: &[Operation],
    ) -> Result<(), Invalid>;
}

impl Linker<'_> {
    /// Returns how the definitions of a symbol add up, if they do.
    fn appender(&mut self, operation: Operation) -> Option<&'static dyn DefinitionAppender> {
        let (rules, context) = (&mut self.rules, &mut self.context);
        if !rules.appends(context, &self.module, operation) {
            return None;
        }
        let definition = self
            .context
            .operation_definition(self.module.name(operation))?;
        definition.appender
    }

    /// Returns whether the definitions of a symbol add up.
    pub(super) fn is_appended(&mut self, operation: Operation) -> bool {
        self.appender(operation).is_some()
    }

    /// Checks definitions of one name of which one adds up with others; returns false if none does.
    /// They are joined when names have changed: each refers to symbols of its own module.
    pub(super) fn appends(
        &mut self,
        symbols: &Symbols,
        name: Identifier,
        definitions: &[usize],
    ) -> Result<bool, LinkError> {
        let items = definitions.iter();
        let items: Vec<usize> = items
            .filter_map(|&symbol| symbols.all.get(symbol))
            .filter(|symbol| symbol.kind == Kind::Public)
            .map(|symbol| symbol.item)
            .collect();
        let operation = |&item: &usize| self.items.get(item).map(|item| item.operation);
        let operations: Vec<Option<Operation>> = items.iter().map(operation).collect();
        let operations = operations.into_iter();
        let is_appended = operations.map(|one| one.is_some_and(|one| self.is_appended(one)));
        let is_appended: Vec<bool> = is_appended.collect();
        let Some(at) = is_appended.iter().position(|&appended| appended) else {
            return Ok(false);
        };
        let Some(&first) = items.get(at) else {
            return Ok(false);
        };
        let mut kept = vec![first];
        for (&item, appended) in items.iter().zip(is_appended) {
            if item == first {
                continue;
            }
            let checked = match appended {
                true => self.check_appended(name, first, item),
                false => Err(self.not_appended(name, item, first)),
            };
            if self.keep(checked)?.is_some() {
                kept.push(item);
            }
        }
        self.appended.push(kept);
        Ok(true)
    }

    fn check_appended(
        &mut self,
        name: Identifier,
        first: usize,
        other: usize,
    ) -> Result<(), LinkError> {
        let operation = |item: usize| self.items.get(item).map(|item| item.operation);
        let (Some(a), Some(b)) = (operation(first), operation(other)) else {
            return Ok(());
        };
        if self.module.name(a) != self.module.name(b) {
            return Err(self.not_appended(name, other, first));
        }
        let Some(appender) = self.appender(a) else {
            return Ok(());
        };
        appender
            .check(&self.context, &self.module, a, b)
            .map_err(|error| self.not_fitting(name, &error, other, first))
    }

    #[cold]
    fn not_appended(&self, name: Identifier, at: usize, other: usize) -> LinkError {
        let message = format!(
            "symbol '{}' is of a linkage whose definitions are appended to each other elsewhere, but \
             not here",
            self.context.str(name)
        );
        self.clash(message, at, other, "the other definition is here")
    }

    #[cold]
    fn not_fitting(&self, name: Identifier, error: &Invalid, at: usize, other: usize) -> LinkError {
        let message = format!(
            "definition of symbol '{}' cannot be appended to the other: {}",
            self.context.str(name),
            error.message()
        );
        self.clash(message, at, other, "the other definition is here")
    }

    /// Joins the definitions that add up.
    pub(super) fn append_definitions(&mut self) -> Result<(), LinkError> {
        for items in std::mem::take(&mut self.appended) {
            let Some((&first, others)) = items.split_first() else {
                continue;
            };
            let operations = items.iter().filter_map(|&item| self.items.get(item));
            let operations: Vec<Operation> = operations.map(|item| item.operation).collect();
            let appender = operations.first().and_then(|&one| self.appender(one));
            let Some(appender) = appender.filter(|_| !others.is_empty()) else {
                continue;
            };
            let appended = appender.append(&mut self.context, &mut self.module, &operations);
            if let Err(error) = appended {
                let name = self.items.get(first).and_then(|item| item.name);
                let name = name.unwrap_or_else(|| self.context.identifier(""));
                let last = others.last().copied().unwrap_or(first);
                return Err(self.not_fitting(name, &error, last, first));
            }
            for &other in others {
                self.drop_item(other);
            }
        }
        Ok(())
    }
}
