//! Lists of values, types and integers in syntax that is stated once.

use super::{Asm, Named};
use rmlir_ir::asm::{AsmResult, OperandName, RegionArgument};
use rmlir_ir::{Location, Module, Operation, Type, TypeKind, Value};

/// An argument of a region's entry block that the text declares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Argument {
    pub(crate) value: Named,
    pub(crate) ty: Option<Type>,
    pub(crate) location: Option<Location>,
}

impl Argument {
    /// Returns the arguments of the entry block of a region, to be printed.
    pub(crate) fn all(module: &Module, operation: Operation, number: usize) -> Vec<Self> {
        let arguments = crate::helpers::located_arguments(module, operation, number);
        let argument = |(value, location): (Value, Location)| Argument {
            value: Named::of(value),
            ty: Some(module.value_type(value)),
            location: Some(location),
        };
        arguments.into_iter().map(argument).collect()
    }

    /// Returns the argument that was read; `None` if it has no name or type.
    pub(crate) fn parsed(&self) -> Option<RegionArgument> {
        Some(RegionArgument {
            name: self.value.name?,
            ty: self.ty?,
            location: self.location,
        })
    }
}

impl Named {
    /// Returns values to be printed.
    pub(crate) fn all(values: impl IntoIterator<Item = Value>) -> Vec<Self> {
        values.into_iter().map(Named::of).collect()
    }

    /// Returns values by the names that a text has elsewhere.
    pub(crate) fn read(names: &[OperandName]) -> Vec<Self> {
        let named = names.iter().map(|&name| Named {
            name: Some(name),
            value: None,
        });
        named.collect()
    }

    /// Returns the names that were read.
    pub(crate) fn names(values: &[Self]) -> Vec<OperandName> {
        values.iter().filter_map(|value| value.name).collect()
    }
}

impl Asm<'_, '_> {
    /// Values separated by commas; at least one.
    pub(crate) fn values(&mut self, values: &mut Vec<Named>) -> AsmResult<()> {
        self.items(values, |asm, value| asm.value(value))
    }

    /// Values separated by commas in brackets.
    pub(crate) fn values_between(
        &mut self,
        brackets: (&str, &str),
        values: &mut Vec<Named>,
    ) -> AsmResult<()> {
        self.list(brackets, values, |asm, value| asm.value(value))
    }

    /// Types separated by commas; at least one.
    pub(crate) fn types(&mut self, types: &mut Vec<Type>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *types = crate::helpers::comma_separated_types(&mut **parser)?,
            Asm::Printer(printer) => printer.types(types.iter().copied()),
        }
        Ok(())
    }

    /// Types separated by commas in brackets.
    pub(crate) fn types_between(
        &mut self,
        (open, close): (&str, &str),
        types: &mut Vec<Type>,
    ) -> AsmResult<()> {
        self.token(open.trim(), open)?;
        if let Asm::Parser(parser) = self {
            *types = crate::helpers::until(&mut **parser, close.trim(), |parser| parser.ty())?;
            return Ok(());
        }
        self.types(types)?;
        self.token(close.trim(), close)
    }

    /// ` -> type` or ` -> (types)`; nothing if there are no types.
    pub(crate) fn optional_arrow_types(&mut self, types: &mut Vec<Type>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *types = crate::helpers::optional_arrow_types(&mut **parser)?,
            Asm::Printer(printer) => {
                crate::helpers::print_optional_arrow_types(&mut **printer, types);
            }
        }
        Ok(())
    }

    /// A function type, `(types) -> types`, whose result is in parentheses unless it is one type
    /// that is not a function type itself. Returns whether what was read is a function type.
    pub(crate) fn function_type(
        &mut self,
        inputs: &mut Vec<Type>,
        results: &mut Vec<Type>,
    ) -> AsmResult<bool> {
        match self {
            Asm::Parser(parser) => {
                let ty = parser.ty()?;
                let TypeKind::Function {
                    inputs: read_inputs,
                    results: read_results,
                } = parser.context().type_kind(ty)
                else {
                    return Ok(false);
                };
                (*inputs, *results) = (read_inputs.to_vec(), read_results.to_vec());
            }
            Asm::Printer(printer) => {
                printer.text("(");
                printer.types(inputs.iter().copied());
                printer.text(")");
                match results.is_empty() {
                    true => printer.text(" -> ()"),
                    false => crate::helpers::print_optional_arrow_types(&mut **printer, results),
                }
            }
        }
        Ok(true)
    }

    /// Integers separated by commas in brackets.
    pub(crate) fn integers_between(
        &mut self,
        brackets: (&str, &str),
        integers: &mut Vec<i64>,
    ) -> AsmResult<()> {
        self.list(brackets, integers, |asm, integer| asm.integer(integer))
    }

    /// `(%a = %x, %b = %y)`: arguments of a region, and their initial values.
    pub(crate) fn assignments(&mut self, pairs: &mut Vec<(Named, Named)>) -> AsmResult<()> {
        self.list(("(", ")"), pairs, |asm, (argument, initial)| {
            asm.value(argument)?;
            asm.token("=", " = ")?;
            asm.value(initial)
        })
    }

    /// `%a: type loc(...)`: an argument of the region that follows.
    pub(crate) fn argument(&mut self, argument: &mut Argument) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                argument.value.name = Some(parser.operand_name()?);
                parser.expect(":")?;
                argument.ty = Some(parser.ty()?);
                argument.location = parser.location()?;
            }
            Asm::Printer(printer) => {
                if let (Some(value), Some(location)) = (argument.value.value, argument.location) {
                    printer.region_argument(value, location, &[]);
                }
            }
        }
        Ok(())
    }

    /// `%a loc(...)`: an argument of the region that follows, whose type is implied.
    pub(crate) fn argument_name(&mut self, argument: &mut Argument) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                argument.value.name = Some(parser.operand_name()?);
                argument.location = parser.location()?;
            }
            Asm::Printer(printer) => {
                if let (Some(value), Some(location)) = (argument.value.value, argument.location) {
                    printer.region_argument_name(value, location);
                }
            }
        }
        Ok(())
    }

    /// `(%a: type, %b: type)`: the arguments of the region that follows.
    pub(crate) fn arguments(&mut self, arguments: &mut Vec<Argument>) -> AsmResult<()> {
        self.list(("(", ")"), arguments, |asm, argument| {
            asm.argument(argument)
        })
    }
}
