//! Custom syntax of loads, stores and prefetches whose subscripts are affine expressions.

use super::maps::{can_print_map, map_of, print_subscripts, subscripts};
use crate::func::has_shape;
use crate::helpers::{integer, integer_of, property, result_types};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Type, Value};

/// The access that an operation performs at the subscripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Loads a value from the memref; the value is the result.
    Load,
    /// Stores a value, the first operand, to the memref.
    Store,
    /// Prefetches; hints follow the subscripts: `, read|write, locality<n>, data|instr`.
    Prefetch,
}

/// Custom syntax of `affine.load`, `affine.store`, `affine.prefetch`, and, if `vector`, of
/// `affine.vector_load` and `affine.vector_store`: `[%value, ]%memref[subscripts][hints] {...} :
/// memref type[, vector type]`.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) action: Action,
    pub(crate) vector: bool,
}

impl Access {
    pub(crate) const fn new(action: Action, vector: bool) -> Self {
        Access { action, vector }
    }

    /// Returns the number of operands that precede the memref.
    fn before(&self) -> usize {
        usize::from(self.action == Action::Store)
    }

    /// Returns the type of the value that is loaded or stored.
    fn value_type(&self, module: &Module, operation: Operation) -> Option<Type> {
        match self.action {
            Action::Load => result_types(module, operation).first().copied(),
            Action::Store => operand_type(module, operation, 0),
            Action::Prefetch => None,
        }
    }
}

/// Parses the types: that of the memref, and that of the value, which is the vector type in the
/// text or the memref's element type.
fn types(parser: &mut dyn AsmParser, vector: bool) -> AsmResult<(Type, Type)> {
    parser.expect(":")?;
    let place = parser.place();
    let memref = parser.ty()?;
    let Some(element) = parser.context().element_type(memref) else {
        return Err(AsmError::new(
            place,
            "invalid kind of type specified: expected builtin.memref",
        ));
    };
    if !vector {
        return Ok((memref, element));
    }
    parser.expect(",")?;
    Ok((memref, parser.ty()?))
}

fn print_types(printer: &mut dyn AsmPrinter, memref: Option<Type>, vector: Option<Type>) {
    printer.text(" : ");
    printer.types(memref.into_iter().chain(vector));
}

/// Returns whether the map has one input for each operand after the first `before`, and these have
/// type `index`.
fn map_fits(context: &Context, module: &Module, operation: Operation, before: usize) -> bool {
    let map = map_of(context, module.attribute(context, operation, "map"));
    let operands = module.operand_count(operation).checked_sub(before);
    let index = context.index_type();
    let indices = module.operands(operation).skip(before);
    map.zip(operands)
        .is_some_and(|(map, operands)| can_print_map(context, map, operands))
        && indices.map(|v| module.value_type(v)).all(|ty| ty == index)
}

/// Returns whether the text determines the type of a loaded or stored value.
fn value_fits(context: &Context, vector: bool, memref: Option<Type>, value: Option<Type>) -> bool {
    let element = memref.and_then(|ty| context.element_type(ty));
    element.is_some() && (vector || element == value)
}

fn operand_type(module: &Module, operation: Operation, number: usize) -> Option<Type> {
    let value = module.operand(operation, number);
    value.map(|value| module.value_type(value))
}

/// The attributes of a prefetch that its hints print.
pub(crate) const PREFETCH: [&str; 3] = ["isWrite", "localityHint", "isDataCache"];

/// Parses `, read, locality<3>, data`.
pub(crate) fn prefetch_hints(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
) -> AsmResult<()> {
    parser.expect(",")?;
    let place = parser.place();
    let write = parser.eat("write");
    if !write && !parser.eat("read") {
        return Err(AsmError::new(
            place,
            "rw specifier has to be 'read' or 'write'",
        ));
    }
    parser.expect(",")?;
    parser.expect("locality")?;
    parser.expect("<")?;
    let i32_type = parser.context().i32_type();
    let hint = parser.attribute_of_type(i32_type)?;
    parser.expect(">")?;
    parser.expect(",")?;
    let place = parser.place();
    let data = parser.eat("data");
    if !data && !parser.eat("instr") {
        return Err(AsmError::new(
            place,
            "cache type has to be 'data' or 'instr'",
        ));
    }
    let [write, data] = [write, data].map(|value| parser.context().bool_attribute(value));
    for (name, value) in PREFETCH.into_iter().zip([write, hint, data]) {
        property(parser, operation, name, value);
    }
    Ok(())
}

/// Prints the hints that [`prefetch_hints`] parses.
pub(crate) fn print_prefetch_hints(printer: &mut dyn AsmPrinter, operation: Operation) {
    let (context, module) = (printer.context(), printer.module());
    let value = |name: &str| integer(context, module.attribute(context, operation, name));
    let is_set = |name: &str| value(name).is_some_and(|value| value != 0);
    let write = if is_set("isWrite") { "write" } else { "read" };
    let cache = if is_set("isDataCache") {
        "data"
    } else {
        "instr"
    };
    let hint = value("localityHint").unwrap_or_default();
    printer.text(&format!(", {write}, locality<{hint}>, {cache}"));
}

/// Returns whether all hints are present and have the right types.
pub(crate) fn has_prefetch_hints(context: &Context, module: &Module, operation: Operation) -> bool {
    let value = |name: &str| module.attribute(context, operation, name);
    let is_of = |name: &str, ty| integer_of(context, ty, value(name)).is_some();
    let [write, hint, data] = PREFETCH;
    is_of(write, context.i1_type())
        && is_of(data, context.i1_type())
        && is_of(hint, context.i32_type())
}

impl OperationSyntax for Access {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let mut value = None;
        if self.action == Action::Store {
            value = Some(parser.operand_name()?);
            parser.expect(",")?;
        }
        let memref = parser.operand_name()?;
        let (map, indices) = subscripts(parser)?;
        property(parser, operation, "map", map);
        if self.action == Action::Prefetch {
            prefetch_hints(parser, operation)?;
        }
        operation.attributes = parser.attribute_dictionary()?;
        let (memref_type, value_type) = types(parser, self.vector)?;
        if let Some(value) = value {
            operation.operands.push(parser.resolve(value, value_type)?);
        }
        operation
            .operands
            .push(parser.resolve(memref, memref_type)?);
        operation.operands.extend(indices);
        if self.action == Action::Load {
            operation.result_types.push(value_type);
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let map = module.attribute(context, operation, "map");
        let operands: Vec<Value> = module.operands(operation).collect();
        let memref_type = operand_type(module, operation, self.before());
        let value_type = self.value_type(module, operation);
        let (values, places) = operands.split_at_checked(self.before()).unwrap_or_default();
        let Some((&memref, indices)) = places.split_first() else {
            return PrintStep::Done;
        };
        printer.text(" ");
        for &value in values {
            printer.operand(value);
            printer.text(", ");
        }
        printer.operand(memref);
        print_subscripts(printer, map, indices);
        let mut elided = vec!["map"];
        if self.action == Action::Prefetch {
            print_prefetch_hints(printer, operation);
            elided.extend(PREFETCH);
        }
        printer.attribute_dictionary(&attributes, &elided);
        print_types(printer, memref_type, value_type.filter(|_| self.vector));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let results = usize::from(self.action == Action::Load);
        let memref = operand_type(module, operation, self.before());
        let value = self.value_type(module, operation);
        let says_all = match self.action {
            Action::Prefetch => {
                memref.is_some_and(|ty| context.element_type(ty).is_some())
                    && has_prefetch_hints(context, module, operation)
            }
            Action::Load | Action::Store => value_fits(context, self.vector, memref, value),
        };
        has_shape(module, operation, operands, results, 0)
            && says_all
            && map_fits(context, module, operation, self.before().saturating_add(1))
    }
}
