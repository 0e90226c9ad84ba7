//! Custom syntax and verification of the `func` dialect.

pub(crate) mod verify;

use crate::function::{Function, property};
use crate::helpers::{
    check_count, comma_separated_types, operand_names, operand_types, result_types, typed,
};
use crate::two_way::{
    Asm, Named, Syntax, TwoWay, TypedValues, add_of_types, failure, other_attributes,
};
use rmlir_ir::asm::{AsmParser, AsmPrinter, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, Value};

/// Custom syntax of `func.func`.
pub(crate) static FUNC: Syntax<Function> = Syntax(Function::new("func.func", "func"));

/// Custom syntax of `emitc.func`.
pub(crate) static EMITC: Syntax<Function> = Syntax(Function::new("emitc.func", "emitc"));

/// Custom syntax of functions of other dialects, whose bodies show the names of dialects.
pub(crate) static PLAIN: Syntax<Function> = Syntax(Function::new("", ""));

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
    let place = parser.place();
    let names = operand_names(parser)?;
    parser.expect(":")?;
    let types = comma_separated_types(parser)?;
    check_count(names.len(), types.len(), place)?;
    typed(&names, &types)
        .map(|(name, ty)| parser.resolve(name, ty))
        .collect()
}

/// Prints `%a, %b : i32, i64`.
pub(crate) fn print_typed_operands(printer: &mut dyn AsmPrinter, operands: &[Value]) {
    let module = printer.module();
    printer.operands(operands.iter().copied());
    printer.text(" : ");
    printer.types(operands.iter().map(|&v| module.value_type(v)));
}

/// Returns whether an attribute is a reference to a symbol that is not nested.
pub(crate) fn is_flat_reference(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
    )
}

/// Custom syntax of `func.return`: `return {...} %a, %b : i32, i64`.
#[derive(Debug)]
pub(crate) struct Return;

/// The parsed parts of [`Return`].
#[derive(Default)]
pub(crate) struct ReturnContent {
    attributes: Vec<NamedAttribute>,
    values: TypedValues,
}

impl TwoWay for Return {
    type Content = ReturnContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ReturnContent> {
        let fits = has_shape(module, operation, module.operand_count(operation), 0, 0);
        fits.then(|| ReturnContent {
            attributes: other_attributes(context, module, operation, &[]),
            values: TypedValues {
                values: Named::all(module.operands(operation)),
                types: operand_types(module, operation, 0),
            },
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ReturnContent) -> AsmResult<()> {
        asm.dictionary(&mut content.attributes)?;
        if asm.is_value_there(!content.values.is_empty()) {
            asm.space(" ");
            asm.typed_values(&mut content.values)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ReturnContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        content.values.add(parser, operation)?;
        Ok(None)
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// Custom syntax of `func.call`: `call @callee(%a) {...} : (i32) -> i32`.
#[derive(Debug)]
pub(crate) struct Call;

/// The parsed parts of [`Call`].
#[derive(Default)]
pub(crate) struct CallContent {
    callee: Option<Attribute>,
    arguments: Vec<Named>,
    attributes: Vec<NamedAttribute>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl TwoWay for Call {
    type Content = CallContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CallContent> {
        let callee = module.attribute(context, operation, "callee")?;
        let inputs = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let fits = has_shape(module, operation, inputs.len(), results.len(), 0)
            && is_flat_reference(context, callee);
        fits.then(|| CallContent {
            callee: Some(callee),
            arguments: Named::all(module.operands(operation)),
            attributes: other_attributes(context, module, operation, &["callee"]),
            inputs,
            results,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CallContent) -> AsmResult<()> {
        asm.space(" ");
        let place = asm.place();
        asm.attribute(&mut content.callee)?;
        if !content
            .callee
            .is_some_and(|callee| is_flat_reference(asm.context(), callee))
        {
            let message = "invalid kind of attribute specified: expected a flat symbol reference";
            return Err(failure(place, message));
        }
        asm.values_between(("(", ")"), &mut content.arguments)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        let place = asm.place();
        if !asm.function_type(&mut content.inputs, &mut content.results)? {
            return Err(failure(place, "expected function type"));
        }
        let (arguments, inputs) = (content.arguments.len(), content.inputs.len());
        check_count(arguments, inputs, place.unwrap_or_default())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CallContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(callee) = content.callee {
            property(parser, operation, "callee", callee);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        add_of_types(parser, operation, &content.arguments, &content.inputs)?;
        operation.result_types = std::mem::take(&mut content.results);
        Ok(None)
    }

    fn has_format(&self) -> bool {
        true
    }
}
