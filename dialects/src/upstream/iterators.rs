//! `linalg.generic` and `vector.contract`: operations whose custom syntax starts with a dictionary
//! of indexing maps and iterator types, in which iterator types are strings.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, dialect_attribute, operand_names, operand_types, optional_arrow_types,
    print_optional_arrow_types, result_types,
};
use crate::upstream::linalg::inputs_outputs::{
    input_count, inputs_and_outputs, print_inputs_and_outputs, sizes_property,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep, ValueNames,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Region, Value,
};

const ITERATORS: &str = "iterator_types";
const GENERIC: [&str; 4] = ["doc", "indexing_maps", ITERATORS, "library_call"];
const CONTRACT: [&str; 3] = ["indexing_maps", ITERATORS, "kind"];

/// Returns the keyword of a `#dialect.iterator_type<WORD>`.
fn iterator<'c>(context: &'c Context, dialect: &str, attribute: Attribute) -> Option<&'c str> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect {
            dialect: found,
            body,
            ..
        } if context.bytes(*found) == dialect.as_bytes() => {
            let text = std::str::from_utf8(body.text()).ok()?;
            text.strip_prefix("iterator_type<")?.strip_suffix('>')
        }
        _ => None,
    }
}

/// Returns the keywords of an array of iterator types.
fn iterators(context: &Context, dialect: &str, attribute: Attribute) -> Option<Vec<String>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute) else {
        return None;
    };
    let word = |&item: &Attribute| iterator(context, dialect, item).map(str::to_owned);
    items.iter().map(word).collect()
}

/// Parses `{...}` or its alias, with iterator types as strings.
fn dictionary(parser: &mut dyn AsmParser, dialect: &str) -> AsmResult<Vec<NamedAttribute>> {
    let place = parser.place();
    let dictionary = parser.attribute()?;
    let context = parser.context();
    if !matches!(
        context.attribute_kind(dictionary),
        AttributeKind::Dictionary(_)
    ) {
        return Err(AsmError::new(place, "expected a dictionary attribute"));
    }
    let mut entries = context.dictionary_entries(dictionary).to_vec();
    let name = context.identifier(ITERATORS);
    for entry in &mut entries {
        if entry.0 != name {
            continue;
        }
        let AttributeKind::Array(items) = context.attribute_kind(entry.1).clone() else {
            return Err(AsmError::new(
                place,
                format!("expected {ITERATORS} array attribute"),
            ));
        };
        let mut kinds = Vec::new();
        for item in items {
            let Some(word) = context.string_value(item).map(<[u8]>::to_vec) else {
                kinds.push(item);
                continue;
            };
            let word = String::from_utf8_lossy(&word);
            if !["parallel", "reduction", "window"].contains(&&*word) {
                let message = format!("unexpected iterator_type ({word})");
                return Err(AsmError::new(place, message));
            }
            let text = format!("iterator_type<{word}>");
            let made = dialect_attribute(context, dialect, &text);
            kinds.push(made.map_err(|invalid| AsmError::new(place, invalid.message()))?);
        }
        entry.1 = context.array_attribute(&kinds);
    }
    Ok(entries)
}

/// Prints `{...}` with the attributes of these names.
fn print_dictionary(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    names: &[&str],
    dialect: &str,
) {
    let (context, module) = (printer.context(), printer.module());
    let attributes = module.all_attributes(context, operation);
    printer.text("{");
    let mut first = true;
    for &(name, value) in attributes.iter() {
        let name = printer.context().str(name).into_owned();
        if !names.contains(&name.as_str()) {
            continue;
        }
        printer.text(if first { "" } else { ", " });
        first = false;
        printer.text(&name);
        printer.text(" = ");
        let words = match name == ITERATORS {
            true => iterators(printer.context(), dialect, value),
            false => None,
        };
        match words {
            Some(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                printer.text(&format!("[{}]", words.join(", ")));
            }
            None => printer.attribute(value),
        }
    }
    printer.text("}");
}

fn iterators_fit(context: &Context, module: &Module, operation: Operation, dialect: &str) -> bool {
    let attribute = module.attribute(context, operation, ITERATORS);
    attribute.is_some_and(|attribute| iterators(context, dialect, attribute).is_some())
        && module
            .attribute(context, operation, "indexing_maps")
            .is_some()
}

/// Custom syntax of `vector.contract`: `{...} %a, %b, %c {...} : types into type`.
#[derive(Debug)]
pub(crate) struct Contract;

impl OperationSyntax for Contract {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        operation.attributes = dictionary(parser, "vector")?;
        let place = parser.place();
        let names = operand_names(parser)?;
        let [left, right, acc] = *names.as_slice() else {
            return Err(AsmError::new(place, "expected 3 operands"));
        };
        operation.attributes.extend(parser.attribute_dictionary()?);
        parser.expect(":")?;
        let left_type = parser.ty()?;
        parser.expect(",")?;
        let right_type = parser.ty()?;
        parser.expect("into")?;
        let result = parser.ty()?;
        add_operands(
            parser,
            operation,
            [(left, left_type), (right, right_type), (acc, result)],
        )?;
        operation.result_types.push(result);
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
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operand_types(module, operation, 0);
        printer.text(" ");
        print_dictionary(printer, operation, &CONTRACT, "vector");
        printer.text(" ");
        printer.operands(operands.into_iter());
        printer.attribute_dictionary(&attributes, &CONTRACT);
        printer.text(" : ");
        if let [left, right, acc] = *types.as_slice() {
            printer.types([left, right].into_iter());
            printer.text(" into ");
            printer.ty(acc);
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 2);
        has_shape(module, operation, 3, 1, 0)
            && result_types(module, operation) == types
            && iterators_fit(context, module, operation, "vector")
    }
}

/// Custom syntax of `linalg.generic`: `{...} ins(%a : type) outs(%b : type) attrs = {...} {...} ->
/// types`.
#[derive(Debug)]
pub(crate) struct Generic;

impl OperationSyntax for Generic {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.result_types = optional_arrow_types(parser)?;
            return Ok(ParseStep::Done);
        }
        operation.attributes = dictionary(parser, "linalg")?;
        let sizes = inputs_and_outputs(parser, operation)?;
        sizes_property(parser, operation, sizes);
        if parser.eat("attrs") {
            parser.expect("=")?;
            operation.attributes.extend(parser.attribute_dictionary()?);
        }
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
            let types = result_types(module, operation);
            print_optional_arrow_types(printer, &types);
            return PrintStep::Done;
        }
        let attributes = module.all_attributes(context, operation);
        let operands: Vec<Value> = module.operands(operation).collect();
        let inputs = input_count(context, module, operation).unwrap_or_default();
        let (inputs, outputs) = operands.split_at_checked(inputs).unwrap_or_default();
        let elided: Vec<&str> = GENERIC.into_iter().chain(["operandSegmentSizes"]).collect();
        let is_extra = |entry: &NamedAttribute| {
            let name = context.bytes(entry.0);
            !elided.iter().any(|elided| elided.as_bytes() == name)
        };
        let extra = attributes.iter().any(is_extra);
        printer.text(" ");
        print_dictionary(printer, operation, &GENERIC, "linalg");
        print_inputs_and_outputs(printer, inputs, outputs);
        if extra {
            printer.text(" attrs = ");
            printer.attribute_dictionary(&attributes, &elided);
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        let body = block.is_some_and(|block| {
            module.next_block(block).is_none() && module.first_operation(block).is_some()
        });
        has_shape(module, operation, operands, results, 1)
            && body
            && input_count(context, module, operation).is_some()
            && iterators_fit(context, module, operation, "linalg")
    }

    fn has_format(&self) -> bool {
        // Upstream's hand-written parser checks attributes as a generated one does.
        true
    }
}

/// Names the arguments of the region `%in` and `%out`.
impl ValueNames for Generic {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let inputs = input_count(context, module, operation).unwrap_or_default();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "in" } else { "out" });
        }
    }
}
