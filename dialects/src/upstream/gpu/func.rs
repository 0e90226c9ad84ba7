//! Custom syntax of `gpu.func`.

use super::{
    Attributions, WORKGROUP_ATTRIBUTIONS, attributions, set_attribution_attributes,
    set_workgroup_count, shows_no_memory, workgroup_count,
};
use crate::func::{has_shape, is_plain_string};
use crate::function::{is_entry, is_inherent, property, types_of};
use crate::helpers::{entry_arguments, is_unit};
use crate::two_way::signature::{FunctionSignature, Parameter};
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, OperationName};

/// The unit attribute of functions that can be launched from the host, where it is inherent, and
/// where it is not.
const KERNEL: [&str; 2] = ["kernel", "gpu.kernel"];

/// Returns the name of the unit attribute in the release.
fn kernel(context: &Context, operation: OperationName) -> &'static str {
    let [inherent, discardable] = KERNEL;
    match is_inherent(context, operation, inherent) {
        true => inherent,
        false => discardable,
    }
}

/// The attributes, besides the one of kernels, that the operation prints outside of its attribute
/// dictionary.
const IN_SIGNATURE: [&str; 7] = [
    "sym_name",
    WORKGROUP_ATTRIBUTIONS,
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

/// The parsed parts of [`Func`].
#[derive(Default)]
pub(crate) struct Content {
    name: Option<Attribute>,
    signature: FunctionSignature,
    workgroup: Attributions,
    private: Attributions,
    is_kernel: bool,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Func {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        let kernel_name = kernel(context, module.name(operation));
        let in_signature = [&IN_SIGNATURE[..], &[kernel_name]].concat();
        let (name, kernel) = (attribute("sym_name")?, attribute(kernel_name));
        let arguments = entry_arguments(module, operation, 0);
        let (of_inputs, memory) = arguments.split_at_checked(inputs.len())?;
        let count = workgroup_count(context, module, operation).unwrap_or_default();
        let (workgroup, private) = memory.split_at_checked(count)?;
        let of_inputs = of_inputs.iter().map(|&value| module.value_type(value));
        let fits = is_plain_string(context, name)
            && (count > 0
                || attribute(WORKGROUP_ATTRIBUTIONS).is_none()
                || shows_no_memory(context, module.name(operation)))
            && is_unit(context, kernel)
            && has_shape(module, operation, 0, 0, 1)
            && is_entry(module, operation)
            && of_inputs.eq(inputs.iter().copied());
        let inputs = inputs.iter().copied().map(Some);
        let results = results.iter().copied().map(Some);
        let signature = FunctionSignature::of(context, module, operation, inputs, results)?;
        let memory = |list, values| attributions(context, module, attribute(list), values);
        let workgroup = memory("workgroup_attrib_attrs", workgroup)?;
        let private = memory("private_attrib_attrs", private)?;
        fits.then(|| Content {
            name: Some(name),
            signature,
            workgroup,
            private,
            is_kernel: kernel.is_some(),
            attributes: other_attributes(context, module, operation, &in_signature),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol(&mut content.name)?;
        let place = asm.place();
        asm.signature(&mut content.signature, false)?;
        let parameters = &content.signature.parameters;
        if place.is_some() && parameters.iter().any(|one| one.value.name.is_none()) {
            return Err(failure(place, "gpu.func requires named arguments"));
        }
        asm.attributions("workgroup", true, &mut content.workgroup)?;
        asm.attributions("private", true, &mut content.private)?;
        asm.optional("kernel", " kernel", &mut content.is_kernel);
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(name) = content.name {
            let key = parser.context().identifier("sym_name");
            operation.attributes.push((key, name));
        }
        let function_type = content.signature.function_type(parser.context());
        property(parser, operation, "function_type", function_type);
        content.signature.set_attributes(parser, operation)?;
        let Content {
            workgroup, private, ..
        } = content;
        set_attribution_attributes(parser, operation, "workgroup_attrib_attrs", workgroup)?;
        let name = parser.operation_name();
        set_workgroup_count(parser, operation, workgroup.len())?;
        set_attribution_attributes(parser, operation, "private_attrib_attrs", private)?;
        if content.is_kernel {
            let context = parser.context();
            let key = kernel(context, name);
            let (key, unit) = (context.identifier(key), context.unit_attribute());
            operation.attributes.push((key, unit));
        }
        operation.attributes.append(&mut content.attributes);
        let mut entry = content.signature.entry_arguments(parser);
        let memory = content.workgroup.iter().chain(&content.private);
        entry.extend(memory.filter_map(Parameter::parsed));
        Ok(Some(entry))
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}
