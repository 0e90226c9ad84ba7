//! Operations whose operands are written as initial values of the arguments of their body:
//! blocks of `kanagawa`, and pipelines.

use crate::helpers::{located_arguments, property, segment_sizes};
use crate::two_way::{
    Argument, Asm, Named, TwoWay, failure, invalid, items, other_attributes, plain_string,
    string_array,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type, Value};

/// `%argument : type = %value`. The type is that of the value.
#[derive(Default)]
struct Initializer {
    argument: Argument,
    ty: Option<Type>,
    value: Named,
}

impl Initializer {
    /// Returns the initial values of the first arguments of a body.
    fn all(module: &Module, operation: Operation, values: &[Value]) -> Vec<Self> {
        let arguments = Argument::all(module, operation, 0);
        let pairs = arguments.into_iter().zip(values);
        let pairs = pairs.map(|(argument, &value)| Initializer {
            argument,
            ty: Some(module.value_type(value)),
            value: Named::of(value),
        });
        pairs.collect()
    }

    /// `(%a : type = %x, %b : type = %y)`.
    fn list(asm: &mut Asm<'_, '_>, all: &mut Vec<Self>) -> AsmResult<()> {
        asm.list(("(", ")"), all, |asm, one| {
            asm.value(&mut one.argument.value)?;
            asm.token(":", " : ")?;
            asm.ty(&mut one.ty)?;
            asm.token("=", " = ")?;
            asm.value(&mut one.value)
        })
    }

    /// Adds the operands that were read, and returns the arguments.
    fn build(
        all: &[Self],
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        ty_of: impl Fn(&Context, Type) -> Option<Type>,
        place: Option<usize>,
    ) -> AsmResult<Vec<RegionArgument>> {
        let mut arguments = parser.argument_list();
        for one in all {
            let (Some(ty), Some(value)) = (one.ty, one.value.name) else {
                continue;
            };
            operation.operands.push(parser.resolve(value, ty)?);
            let Some(inner) = ty_of(parser.context(), ty) else {
                return Err(failure(place, "expected inputs of type dc::ValueType"));
            };
            let argument = Argument {
                ty: Some(inner),
                ..one.argument
            };
            arguments.extend(argument.parsed());
        }
        Ok(arguments)
    }
}

/// The syntax of `kanagawa.sblock` and operations like it:
/// `(%a : type = %x) -> type attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct BlockLike {
    /// The arguments have the types inside of `!dc.value`.
    pub(crate) is_flow: bool,
}

/// The text of [`BlockLike`].
#[derive(Default)]
pub(crate) struct BlockContent {
    inputs: Vec<Initializer>,
    place: Option<usize>,
    results: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl BlockLike {
    /// Returns the type of the argument for an operand of a type.
    fn argument_type(&self, context: &Context, ty: Type) -> Option<Type> {
        if !self.is_flow {
            return Some(ty);
        }
        let is_value = crate::helpers::is_of(context, ty, "dc", "value");
        let inner = context.parameter(ty, "innerType").filter(|_| is_value);
        inner?.ty()
    }
}

impl TwoWay for BlockLike {
    type Content = BlockContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<BlockContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let inputs = Initializer::all(module, operation, &operands);
        let region = module.region(operation, 0);
        let arguments = located_arguments(module, operation, 0).len();
        let is_same = |one: &Initializer| {
            let ty = one.ty.and_then(|ty| self.argument_type(context, ty));
            ty == one.argument.ty
        };
        let results = crate::helpers::result_types(module, operation);
        let is_lossless =
            crate::func::has_shape(module, operation, operands.len(), results.len(), 1)
                && crate::helpers::is_one_block(module, region)
                && inputs.len() == operands.len()
                && arguments == operands.len()
                && inputs.iter().all(is_same);
        is_lossless.then(|| BlockContent {
            inputs,
            place: None,
            results,
            attributes: module.all_attributes(context, operation).to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut BlockContent) -> AsmResult<()> {
        asm.space(" ");
        content.place = asm.place();
        Initializer::list(asm, &mut content.inputs)?;
        asm.optional_arrow_types(&mut content.results)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut BlockContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types = std::mem::take(&mut content.results);
        let ty = |context: &Context, ty| self.argument_type(context, ty);
        Initializer::build(&content.inputs, parser, operation, ty, content.place).map(Some)
    }

    fn terminator(&self) -> Option<&'static str> {
        Some("kanagawa.sblock.return")
    }

    fn shows_terminator(&self, _: &Context, _: &Module, _: Operation, _: usize) -> bool {
        true
    }
}

/// The syntax of `pipeline.scheduled` and `pipeline.unscheduled`:
/// `"name"(%a : type = %x) stall(%s) clock(%c) reset(%r) go(%g) entryEn(%e) -> (out : type) {...}`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) terminator: Option<&'static str>,
}

/// The text of a pipeline.
#[derive(Default)]
pub(crate) struct PipelineContent {
    place: Option<usize>,
    name: Option<Attribute>,
    inputs: Vec<Initializer>,
    stall: Option<Named>,
    clock: Named,
    reset: Option<Named>,
    go: Named,
    enable: Argument,
    outputs: Vec<(Vec<u8>, Option<Type>)>,
    attributes: Vec<NamedAttribute>,
}

/// The attributes that the text of a pipeline has elsewhere.
const PIPELINE: [&str; 4] = ["name", "operandSegmentSizes", "outputNames", "inputNames"];

/// `word(%value) `.
fn keyword(asm: &mut Asm<'_, '_>, word: &str, value: &mut Named) -> AsmResult<()> {
    asm.token(word, word)?;
    asm.token("(", "(")?;
    asm.value(value)?;
    asm.token(")", ") ")
}

/// `word(%value) `, if there is one.
fn optional(asm: &mut Asm<'_, '_>, word: &str, value: &mut Option<Named>) -> AsmResult<()> {
    match asm.is_there(word, value.is_some()) {
        true => keyword(asm, word, value.get_or_insert_default()),
        false => Ok(()),
    }
}

/// Returns whether the names are those that the text implies: numbers are not.
fn names(context: &Context, attribute: Option<Attribute>) -> Option<Vec<&[u8]>> {
    let all = items(context, attribute)?.iter();
    all.map(|&name| plain_string(context, Some(name))).collect()
}

impl TwoWay for Pipeline {
    type Content = PipelineContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<PipelineContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let sizes = crate::helpers::sizes_of(context, attribute("operandSegmentSizes")?)?;
        let &[inputs, stall, 1, reset, 1] = sizes.as_slice() else {
            return None;
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = crate::helpers::result_types(module, operation);
        let (of_inputs, rest) = operands.split_at_checked(inputs)?;
        let mut rest = rest.iter().copied().map(Named::of);
        let stall = if stall > 0 { Some(rest.next()?) } else { None };
        let clock = rest.next()?;
        let reset = if reset > 0 { Some(rest.next()?) } else { None };
        let go = rest.next()?;
        let (done, results) = results.split_last()?;
        let output_names = names(context, attribute("outputNames"))?;
        let all = Argument::all(module, operation, 0);
        let (enable, arguments) = all.split_last()?;
        let initializers = Initializer::all(module, operation, of_inputs);
        let name = attribute("name");
        let i1 = context.i1_type();
        let is_same = |one: &Initializer| one.ty == one.argument.ty;
        let is_lossless = rest.next().is_none()
            && crate::func::has_shape(module, operation, operands.len(), results.len() + 1, 1)
            && (*done, enable.ty) == (i1, Some(i1))
            && output_names.len() == results.len()
            && names(context, attribute("inputNames"))?.len() == inputs
            && arguments.len() == inputs
            && initializers.iter().all(is_same)
            && name.is_none_or(|name| crate::func::is_plain_string(context, name));
        is_lossless.then(|| PipelineContent {
            place: None,
            name,
            inputs: initializers,
            stall,
            clock,
            reset,
            go,
            enable: *enable,
            outputs: output_names
                .iter()
                .zip(results)
                .map(|(name, &ty)| (name.to_vec(), Some(ty)))
                .collect(),
            attributes: other_attributes(context, module, operation, &PIPELINE),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PipelineContent) -> AsmResult<()> {
        content.place = asm.place();
        if content.name.is_some() {
            asm.space(" ");
        }
        asm.optional_quoted(&mut content.name);
        Initializer::list(asm, &mut content.inputs)?;
        asm.space(" ");
        optional(asm, "stall", &mut content.stall)?;
        keyword(asm, "clock", &mut content.clock)?;
        optional(asm, "reset", &mut content.reset)?;
        keyword(asm, "go", &mut content.go)?;
        asm.token("entryEn", "entryEn")?;
        asm.token("(", "(")?;
        asm.argument_name(&mut content.enable)?;
        asm.token(")", ") ")?;
        asm.dictionary(&mut content.attributes)?;
        asm.token("->", " -> ")?;
        asm.list(("(", ")"), &mut content.outputs, |asm, (name, ty)| {
            asm.word(name)?;
            asm.token(":", " : ")?;
            asm.ty(ty)
        })
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut PipelineContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.place;
        operation.attributes = std::mem::take(&mut content.attributes);
        let same = |_: &Context, ty| Some(ty);
        let inputs = &content.inputs;
        let mut arguments = Initializer::build(inputs, parser, operation, same, place)?;
        let i1 = parser.context().i1_type();
        let clock = crate::helpers::dialect_type(parser.context(), "seq", "clock");
        let clock = clock.map_err(invalid(place))?;
        for (value, ty) in [
            (content.stall, i1),
            (Some(content.clock), clock),
            (content.reset, i1),
            (Some(content.go), i1),
        ] {
            if let Some(name) = value.and_then(|value| value.name) {
                operation.operands.push(parser.resolve(name, ty)?);
            }
        }
        let text = |one: &Initializer| {
            let name = one.argument.value.name;
            name.map_or_else(Vec::new, |name| {
                crate::two_way::spelled_name(parser, name).to_vec()
            })
        };
        let input_names: Vec<Vec<u8>> = inputs.iter().map(text).collect();
        let input_names: Vec<&[u8]> = input_names.iter().map(Vec::as_slice).collect();
        let output_names = content.outputs.iter().map(|one| one.0.as_slice());
        let output_names: Vec<&[u8]> = output_names.collect();
        let context = parser.context();
        let input_names = string_array(context, &input_names);
        let output_names = string_array(context, &output_names);
        let count = |one: Option<Named>| usize::from(one.is_some());
        let sizes = [
            inputs.len(),
            count(content.stall),
            1,
            count(content.reset),
            1,
        ];
        let sizes = segment_sizes(context, &sizes);
        for (name, value) in [
            ("name", content.name),
            ("inputNames", Some(input_names)),
            ("outputNames", Some(output_names)),
            ("operandSegmentSizes", sizes),
        ] {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        let types = content.outputs.iter().filter_map(|one| one.1);
        operation.result_types.extend(types.chain([i1]));
        content.enable.ty = Some(i1);
        arguments.extend(content.enable.parsed());
        Ok(Some(arguments))
    }

    fn terminator(&self) -> Option<&'static str> {
        self.terminator
    }

    fn shows_terminator(&self, _: &Context, _: &Module, _: Operation, _: usize) -> bool {
        true
    }
}
