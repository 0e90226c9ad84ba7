//! Custom syntax and verification of the `func` dialect.

pub(crate) mod verify;

use crate::function::{Function, property};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, TypeKind, Value};

/// Custom syntax of `func.func`.
pub(crate) static FUNC: Function = Function::new("func.func", "func");

/// Custom syntax of `emitc.func`.
pub(crate) static EMITC: Function = Function::new("emitc.func", "emitc");

/// Custom syntax of functions of other dialects, whose bodies show the names of dialects.
pub(crate) static PLAIN: Function = Function::new("", "");

/// Returns whether an attribute is a string without a type.
pub(crate) fn is_plain_string(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::String { ty: None, .. }
    )
}

/// Returns whether an operation has these numbers of operands, results and regions, and no
/// successors.
pub(crate) fn has_shape(
    module: &Module,
    operation: Operation,
    operands: usize,
    results: usize,
    regions: usize,
) -> bool {
    module.operand_count(operation) == operands
        && module.result_count(operation) == results
        && module.regions(operation).len() == regions
        && module.successors(operation).len() == 0
}

/// Prints `before` and `@name` for an operation that has a `sym_name`.
pub(crate) fn print_symbol_name(printer: &mut dyn AsmPrinter, operation: Operation, before: &str) {
    let context = printer.context();
    let name = printer.module().attribute(context, operation, "sym_name");
    if let Some(name) = name.and_then(|a| context.string_value(a)) {
        printer.text(before);
        printer.symbol_name(name);
    }
}

/// Parses `%a, %b : i32, i64`.
pub(crate) fn typed_operands(parser: &mut dyn AsmParser) -> AsmResult<Vec<Value>> {
    let mut values = Vec::new();
    read_typed_operands(parser, &mut Vec::new(), &mut values)?;
    Ok(values)
}

/// As [`typed_operands`], appending to lists that may have capacity already.
fn read_typed_operands(
    parser: &mut dyn AsmParser,
    names: &mut Vec<OperandName>,
    values: &mut Vec<Value>,
) -> AsmResult<()> {
    let place = parser.place();
    loop {
        names.push(parser.operand_name()?);
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(":")?;
    let mut count = 0usize;
    loop {
        let ty = parser.ty()?;
        if let Some(&name) = names.get(count) {
            values.push(parser.resolve(name, ty)?);
        }
        count += 1;
        if !parser.eat(",") {
            break;
        }
    }
    if count != names.len() {
        let message = format!(
            "number of operands and types do not match: got {} operands and {count} types",
            names.len()
        );
        return Err(AsmError::new(place, message));
    }
    Ok(())
}

/// Prints `%a, %b : i32, i64`.
pub(crate) fn print_typed_operands(printer: &mut dyn AsmPrinter, operands: &[Value]) {
    let module = printer.module();
    printer.operands(operands.iter().copied());
    printer.text(" : ");
    printer.types(operands.iter().map(|&v| module.value_type(v)));
}

/// Custom syntax of `func.return`: `return {...} %a, %b : i32, i64`.
#[derive(Debug)]
pub(crate) struct Return;

impl OperationSyntax for Return {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        operation.attributes = parser.attribute_dictionary()?;
        if parser.at_operand() {
            read_typed_operands(parser, &mut operation.names, &mut operation.operands)?;
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let module = printer.module();
        let attributes = module.all_attributes(printer.context(), operation);
        if !attributes.is_empty() {
            printer.attribute_dictionary(&attributes, &[]);
        }
        if module.operand_count(operation) > 0 {
            printer.text(" ");
            printer.operands(module.operands(operation));
            printer.text(" : ");
            printer.types(module.operands(operation).map(|v| module.value_type(v)));
        }
        PrintStep::Done
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        has_shape(module, operation, module.operand_count(operation), 0, 0)
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// Custom syntax of `func.call`: `call @callee(%a) {...} : (i32) -> i32`.
#[derive(Debug)]
pub(crate) struct Call;

impl OperationSyntax for Call {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let callee = parser.attribute()?;
        let flat = matches!(
            parser.context().attribute_kind(callee),
            AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
        );
        if !flat {
            return Err(AsmError::new(
                place,
                "invalid kind of attribute specified: expected a flat symbol reference",
            ));
        }
        property(parser, operation, "callee", callee);
        parser.expect("(")?;
        if !parser.eat(")") {
            loop {
                operation.names.push(parser.operand_name()?);
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect(")")?;
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function { inputs, results } = parser.context().type_kind(ty) else {
            return Err(AsmError::new(place, "expected function type"));
        };
        let names = &operation.names;
        if inputs.len() != names.len() {
            let message = format!(
                "number of operands and types do not match: got {} operands and {} types",
                names.len(),
                inputs.len()
            );
            return Err(AsmError::new(place, message));
        }
        operation.types.extend_from_slice(inputs);
        operation.result_types.extend_from_slice(results);
        for (&name, &ty) in names.iter().zip(&operation.types) {
            let value = parser.resolve(name, ty)?;
            operation.operands.push(value);
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        printer.text(" ");
        let (context, module) = (printer.context(), printer.module());
        let callee = module.attribute(context, operation, "callee");
        let attributes = module.all_attributes(context, operation);
        let types = || module.results(operation).map(|v| module.value_type(v));
        let bare = types().len() == 1
            && types().all(|one| !matches!(context.type_kind(one), TypeKind::Function { .. }));
        if let Some(callee) = callee {
            printer.attribute(callee);
        }
        printer.text("(");
        printer.operands(module.operands(operation));
        printer.text(")");
        printer.attribute_dictionary(&attributes, &["callee"]);
        printer.text(" : (");
        printer.types(module.operands(operation).map(|v| module.value_type(v)));
        printer.text(if bare { ") -> " } else { ") -> (" });
        printer.types(types());
        if !bare {
            printer.text(")");
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let callee = module.attribute(context, operation, "callee");
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        has_shape(module, operation, operands, results, 0)
            && callee.is_some_and(|a| {
                matches!(
                    context.attribute_kind(a),
                    AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
                )
            })
    }

    fn has_format(&self) -> bool {
        true
    }
}
