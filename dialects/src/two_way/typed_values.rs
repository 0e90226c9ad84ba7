//! Operands with their types and successors in syntax that is stated once.

use super::{Asm, Named};
use crate::helpers::{add_operands, check_count, typed};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation};
use rmlir_ir::{Block, Module, Type, TypeKind, Value};

/// Values and their types, in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypedValues {
    pub(crate) names: Vec<Named>,
    pub(crate) types: Vec<Type>,
}

impl TypedValues {
    /// Returns values to be printed.
    pub(crate) fn of(module: &Module, values: impl IntoIterator<Item = Value>) -> Self {
        let names = Named::all(values);
        let types = names.iter().filter_map(|name| name.value);
        TypedValues {
            types: types.map(|value| module.value_type(value)).collect(),
            names,
        }
    }

    /// Adds the operands that were read.
    pub(crate) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<()> {
        let names = Named::names(&self.names);
        add_operands(parser, operation, typed(&names, &self.types))
    }
}

impl Asm<'_, '_> {
    /// `%a, %b : type, type` in brackets; at least one. An error about their numbers is at
    /// the first name, unless it is at another [position](Self::place).
    pub(crate) fn typed_values_between(
        &mut self,
        (open, close): (&str, &str),
        values: &mut TypedValues,
        list: Option<usize>,
    ) -> AsmResult<()> {
        self.token(open.trim(), open)?;
        let place = list.or(self.place());
        self.values(&mut values.names)?;
        self.token(":", " : ")?;
        self.types(&mut values.types)?;
        self.token(close.trim(), close)?;
        match place {
            Some(place) => check_count(values.names.len(), values.types.len(), place),
            None => Ok(()),
        }
    }

    /// The name of a block; present when printing.
    pub(crate) fn successor(&mut self, block: &mut Option<Block>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *block = Some(parser.successor()?),
            Asm::Printer(printer) => {
                if let Some(block) = *block {
                    printer.successor(block);
                }
            }
        }
        Ok(())
    }

    /// A type, or types in parentheses. One that is a function type is in parentheses, too.
    pub(crate) fn one_or_types(&mut self, types: &mut Vec<Type>) -> AsmResult<()> {
        let is_bare = match **types {
            [one] => !matches!(self.context().type_kind(one), TypeKind::Function { .. }),
            _ => false,
        };
        if self.is_there("(", !is_bare) {
            return self.types_between(("(", ")"), types);
        }
        let mut ty = types.first().copied();
        self.ty(&mut ty)?;
        *types = ty.into_iter().collect();
        Ok(())
    }
}
