//! Values with types in syntax that is stated once.

use super::{Asm, Named, add_of_types};
use crate::helpers::check_count;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation};
use rmlir_ir::{Module, Type, Value};

/// Values and their types.
#[derive(Debug, Default)]
pub(crate) struct TypedValues {
    pub(crate) values: Vec<Named>,
    pub(crate) types: Vec<Type>,
}

impl TypedValues {
    /// Returns values to be printed.
    pub(crate) fn of(module: &Module, values: &[Value]) -> Self {
        TypedValues {
            values: Named::all(values.iter().copied()),
            types: values
                .iter()
                .map(|&value| module.value_type(value))
                .collect(),
        }
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds the operands that were read.
    ///
    /// # Errors
    ///
    /// If a value has another type.
    pub(crate) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<()> {
        add_of_types(parser, operation, &self.values, &self.types)
    }
}

impl Asm<'_, '_> {
    /// `%a, %b : i32, i64`; at least one value.
    pub(crate) fn typed_values(&mut self, typed: &mut TypedValues) -> AsmResult<()> {
        let place = self.place();
        self.values(&mut typed.values)?;
        self.token(":", " : ")?;
        self.types(&mut typed.types)?;
        let (values, types) = (typed.values.len(), typed.types.len());
        check_count(values, types, place.unwrap_or_default())
    }
}
