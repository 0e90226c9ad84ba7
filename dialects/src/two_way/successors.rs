//! Successors with operands, and types of several forms, in syntax that is stated once.

use super::{Asm, TypedValues};
use crate::helpers::check_count;
use rmlir_ir::asm::AsmResult;
use rmlir_ir::{Block, Module, Operation, Type, Value};

impl TypedValues {
    /// Returns the operands of an operation, to be printed.
    pub(crate) fn operands(module: &Module, operation: Operation) -> Self {
        let operands: Vec<Value> = module.operands(operation).collect();
        TypedValues::of(module, &operands)
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
        self.values(&mut values.values)?;
        self.token(":", " : ")?;
        self.types(&mut values.types)?;
        self.token(close.trim(), close)?;
        match place {
            Some(place) => check_count(values.values.len(), values.types.len(), place),
            None => Ok(()),
        }
    }

    /// The name of a block; present when printing.
    pub(crate) fn block(&mut self, block: &mut Option<Block>) -> AsmResult<()> {
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
            [one] => self.context().type_kind(one).signature().is_none(),
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
