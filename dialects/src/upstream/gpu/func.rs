//! Custom syntax of `gpu.func`.

use super::{
    WORKGROUP_ATTRIBUTIONS, attributions, has_attribution_attributes, print_attributions,
    set_attribution_attributes, set_workgroup_count, workgroup_count,
};
use crate::func::{has_shape, is_plain_string, print_symbol_name};
use crate::function::{
    Signature, dictionaries, entry_block, function_types, has_lists, is_entry, print_signature,
    property, symbol_name, types_of,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Value};

/// The unit attribute of functions that can be launched from the host.
const KERNEL: &str = "gpu.kernel";

/// The attributes that the operation prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 8] = [
    "sym_name",
    WORKGROUP_ATTRIBUTIONS,
    KERNEL,
    "function_type",
    "arg_attrs",
    "res_attrs",
    "workgroup_attrib_attrs",
    "private_attrib_attrs",
];

/// Custom syntax of `gpu.func`: `@name(%a: i32) -> i32 workgroup(%b : type) private(%c : type)
/// kernel attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Func;

impl OperationSyntax for Func {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let name = symbol_name(parser)?;
        let key = parser.context().identifier("sym_name");
        operation.attributes.push((key, name));
        let place = parser.place();
        let signature = Signature::parse(parser, false)?;
        if signature.arguments.iter().any(|a| a.name.is_none()) {
            let message = "gpu.func requires named arguments";
            return Err(AsmError::new(place, message));
        }
        let function_type = signature.function_type(parser, operation);
        property(parser, operation, "function_type", function_type);
        signature.set_attributes(parser, operation)?;
        let mut entry = signature.entry_arguments(parser);
        let workgroup = attributions(parser, "workgroup", true)?;
        set_attribution_attributes(parser, operation, "workgroup_attrib_attrs", &workgroup)?;
        set_workgroup_count(parser, operation, workgroup.len())?;
        let private = attributions(parser, "private", true)?;
        set_attribution_attributes(parser, operation, "private_attrib_attrs", &private)?;
        entry.extend(
            workgroup
                .iter()
                .filter_map(crate::function::Argument::of_region),
        );
        entry.extend(
            private
                .iter()
                .filter_map(crate::function::Argument::of_region),
        );
        if parser.eat("kernel") {
            let context = parser.context();
            let (key, unit) = (context.identifier(KERNEL), context.unit_attribute());
            operation.attributes.push((key, unit));
        }
        let read = parser.attribute_dictionary_with_keyword()?;
        operation.attributes.extend(read);
        Ok(ParseStep::Region(entry))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let attribute = |name| module.attribute(context, operation, name);
        let workgroup_attributes = dictionaries(context, attribute("workgroup_attrib_attrs"));
        let private_attributes = dictionaries(context, attribute("private_attrib_attrs"));
        let is_kernel = attribute(KERNEL).is_some();
        let attributes = module.all_attributes(context, operation);
        let (inputs, outputs) = function_types(printer, operation);
        let (workgroup, private) = attribution_values(context, module, operation, inputs.len());
        print_symbol_name(printer, operation, " ");
        print_signature(printer, operation, inputs, outputs);
        print_attributions(printer, "workgroup", &workgroup, &workgroup_attributes);
        print_attributions(printer, "private", &private, &private_attributes);
        if is_kernel {
            printer.text(" kernel");
        }
        printer.attribute_dictionary_with_keyword(&attributes, &IN_SIGNATURE);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name| module.attribute(context, operation, name);
        let Some((inputs, results)) = types_of(context, attribute("function_type")) else {
            return false;
        };
        let entry = entry_block(module, operation);
        let fits = entry.is_some_and(|entry| {
            let types = module.arguments(entry).map(|(v, _)| module.value_type(v));
            let arguments = module.argument_count(entry);
            let workgroup = workgroup_count(context, module, operation).unwrap_or_default();
            let private = arguments
                .checked_sub(inputs.len())
                .and_then(|left| left.checked_sub(workgroup));
            let here = (module, operation);
            types.take(inputs.len()).eq(inputs.iter().copied())
                && private.is_some_and(|private| {
                    has_attribution_attributes(context, here, "workgroup_attrib_attrs", workgroup)
                        && has_attribution_attributes(
                            context,
                            here,
                            "private_attrib_attrs",
                            private,
                        )
                })
        });
        attribute("sym_name").is_some_and(|name| is_plain_string(context, name))
            && attribute(KERNEL).is_none_or(|kernel| kernel == context.unit_attribute())
            && has_lists(context, module, operation, inputs.len(), results.len())
            && has_shape(module, operation, 0, 0, 1)
            && is_entry(module, operation)
            && fits
    }
}

/// Returns the body arguments that are not inputs: workgroup and private memory attributions.
fn attribution_values(
    context: &Context,
    module: &Module,
    operation: Operation,
    inputs: usize,
) -> (Vec<Value>, Vec<Value>) {
    let count = workgroup_count(context, module, operation).unwrap_or_default();
    let entry = entry_block(module, operation);
    let values = entry.map(|entry| module.arguments(entry).map(|(value, _)| value));
    let mut values = values.into_iter().flatten().skip(inputs);
    let workgroup = values.by_ref().take(count).collect();
    (workgroup, values.collect())
}
