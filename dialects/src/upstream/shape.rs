//! Custom syntax of the `shape` dialect: constants, assuming regions, reductions, functions and
//! function libraries.

use crate::func::{has_shape, print_symbol_name};
use crate::function::{Function, property, symbol_name};
use crate::helpers::{
    add_operands, bracketed, check_count, dense_integers, indices_of_dense, names_between,
    operand_types, optional_arrow_types, print_optional_arrow_types, print_region, result_types,
    typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Value};
use std::collections::HashSet;

/// Custom syntax of `shape.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("shape.func", "shape"));

/// Custom syntax of `shape.const_shape`: `{...} [1, 2] : type`.
#[derive(Debug)]
pub(crate) struct ConstShape;

const SHAPE: &str = "shape";

/// Returns the sizes of a constant shape.
fn extents(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    indices_of_dense(context, attribute?)
}

impl OperationSyntax for ConstShape {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        operation.attributes = parser.attribute_dictionary()?;
        let place = parser.place();
        let sizes = bracketed(parser)?;
        let index = parser.context().index_type();
        let Some(shape) = dense_integers(parser.context(), index, &sizes, false) else {
            return Err(AsmError::new(place, "expected a list of sizes"));
        };
        property(parser, operation, SHAPE, shape);
        parser.expect(":")?;
        operation.result_types.push(parser.ty()?);
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
        let sizes = extents(context, module.attribute(context, operation, SHAPE));
        let sizes: Vec<String> = sizes
            .unwrap_or_default()
            .iter()
            .map(i64::to_string)
            .collect();
        let types = result_types(module, operation);
        printer.text(" ");
        printer.attribute_dictionary(&attributes, &[SHAPE]);
        printer.text(&format!("[{}] : ", sizes.join(", ")));
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let shape = module.attribute(context, operation, SHAPE);
        has_shape(module, operation, 0, 1, 0) && extents(context, shape).is_some()
    }
}

/// Custom syntax of `shape.reduce`: `(%shape, %initial) : type -> types {...} {...}`.
#[derive(Debug)]
pub(crate) struct Reduce;

impl OperationSyntax for Reduce {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let names = names_between(parser, "(", ")")?;
        parser.expect(":")?;
        let shape = parser.ty()?;
        let types = optional_arrow_types(parser)?;
        let Some((&name, initial)) = names.split_first() else {
            return Err(AsmError::new(place, "expected a shape"));
        };
        check_count(initial.len(), types.len(), place)?;
        operation.operands.push(parser.resolve(name, shape)?);
        add_operands(parser, operation, typed(initial, &types))?;
        operation.result_types = types;
        Ok(ParseStep::Region(Vec::new()))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, &[]);
            return PrintStep::Done;
        }
        let operands: Vec<Value> = module.operands(operation).collect();
        let shape = operand_types(module, operation, 0).first().copied();
        let types = result_types(module, operation);
        printer.text("(");
        printer.operands(operands.into_iter());
        printer.text(") : ");
        printer.types(shape.into_iter());
        print_optional_arrow_types(printer, &types);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators: true,
        }
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        let types = result_types(module, operation);
        let operands = operand_types(module, operation, 0);
        let region = module.region(operation, 0);
        has_shape(module, operation, operands.len(), types.len(), 1)
            && operands.get(1..) == Some(&types)
            && region.is_some_and(|region| module.first_block(region).is_some())
    }
}

/// Custom syntax of `shape.function_library`:
/// `[private] @name attributes {...} {...} mapping {...}`.
#[derive(Debug)]
pub(crate) struct FunctionLibrary;

/// The attributes that a library prints outside of its attribute dictionary.
const OF_LIBRARIES: [&str; 2] = ["sym_name", "mapping"];

/// Parses `{test.op = @function, ...}`.
fn mapping(parser: &mut dyn AsmParser) -> AsmResult<Vec<NamedAttribute>> {
    let mut entries: Vec<NamedAttribute> = Vec::new();
    parser.expect("{")?;
    if parser.eat("}") {
        return Ok(entries);
    }
    let mut seen = HashSet::new();
    loop {
        let place = parser.place();
        let key = match parser.optional_keyword() {
            Some(key) => key,
            None => {
                let key = parser.attribute()?;
                let context = parser.context();
                match context.attribute_kind(key) {
                    AttributeKind::String { value, ty: None } => *value,
                    _ => return Err(AsmError::new(place, "expected attribute name")),
                }
            }
        };
        if !seen.insert(key) {
            let key = parser.context().str(key).into_owned();
            let message = format!("duplicate key '{key}' in dictionary attribute");
            return Err(AsmError::new(place, message));
        }
        let value = match parser.eat("=") {
            true => parser.attribute()?,
            false => parser.context().unit_attribute(),
        };
        entries.push((key, value));
        if !parser.eat(",") {
            parser.expect("}")?;
            return Ok(entries);
        }
    }
}

impl OperationSyntax for FunctionLibrary {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.expect("mapping")?;
            let place = parser.place();
            let mapping = mapping(parser)?;
            let mapping = parser.context().dictionary_attribute(&mapping);
            let mapping = mapping.map_err(|invalid| AsmError::new(place, invalid.message()))?;
            property(parser, operation, "mapping", mapping);
            return Ok(ParseStep::Done);
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        Ok(ParseStep::Region(Vec::new()))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let mapping = module.attribute(context, operation, "mapping");
            printer.text(" mapping ");
            if let Some(mapping) = mapping {
                printer.attribute(mapping);
            }
            return PrintStep::Done;
        }
        let attributes = module.all_attributes(context, operation);
        print_symbol_name(printer, operation, " ");
        printer.attribute_dictionary_with_keyword(&attributes, &OF_LIBRARIES);
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name| module.attribute(context, operation, name);
        let block = module
            .region(operation, 0)
            .and_then(|region| module.first_block(region));
        has_shape(module, operation, 0, 0, 1)
            && attribute("sym_name").is_some_and(|a| crate::func::is_plain_string(context, a))
            && attribute("mapping")
                .is_some_and(|a| matches!(context.attribute_kind(a), AttributeKind::Dictionary(_)))
            && block.is_some_and(|block| {
                module.argument_count(block) == 0 && module.next_block(block).is_none()
            })
    }

    fn default_dialect(&self) -> &'static str {
        SHAPE
    }
}
