//! Custom syntax and verification of the `func` dialect.

pub(crate) mod verify;

use crate::function::{Function, property};
use crate::helpers::{check_count, operand_types, result_types};
use crate::two_way::{
    Asm, Named, Syntax, TwoWay, TypedValues, add_of_types, failure, other_attributes,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type};

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
