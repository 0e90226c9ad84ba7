//! Structured operations with a syntax of their own: `linalg.transpose`, `linalg.broadcast`,
//! `linalg.map` and `linalg.reduce`.

use super::body;
use super::inputs_outputs::{InputsOutputs, scalar_type, scalar_types};
use crate::func::has_shape;
use crate::helpers::{is_single_block, numbers, property};
use crate::two_way::{Argument, Asm, TwoWay, other_attributes};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument, ValueNames,
};
use rmlir_ir::definition::{BodyStep, LlvmFeature};
use rmlir_ir::{
    AttributeKind, Context, Module, NamedAttribute, Operation, Region, Type, TypeKind, Value,
};

/// Custom syntax of `linalg.transpose` and `linalg.broadcast`:
/// `ins(%a : type) outs(%b : type) NAME = [0, 1] {...}`. The region, which is omitted, returns its
/// first argument.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The name of the attribute with the dimensions.
    pub(crate) numbers: &'static str,
}

/// Custom syntax of `linalg.map` and `linalg.reduce`: `[{ operation {...} }] ins(...) outs(...)
/// [dimensions = [0]] {...} [(%in: type, %init: type) {...}]`.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Whether it is `linalg.reduce`, which has dimensions, and whose operation takes the output
    /// first.
    pub(crate) reduces: bool,
}

const DIMENSIONS: &str = "dimensions";
const YIELD: &str = "linalg.yield";

/// Adds the operands, and the results, whose types are those of the outputs that are tensors.
fn add(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    operands: &InputsOutputs,
) -> AsmResult<()> {
    operands.add(parser, operation)?;
    let context = parser.context();
    let is_tensor = |ty: &Type| matches!(context.type_kind(*ty), TypeKind::RankedTensor { .. });
    let types = operands.outputs.types.iter().copied();
    operation.result_types.extend(types.filter(is_tensor));
    Ok(())
}

/// Returns whether the result types are those of the outputs that are tensors.
fn results_fit(context: &Context, module: &Module, operation: Operation, outputs: usize) -> bool {
    let first = module.operand_count(operation).saturating_sub(outputs);
    let types = module.operands(operation).skip(first);
    let types = types.map(|value| module.value_type(value));
    let is_tensor = |ty: &Type| matches!(context.type_kind(*ty), TypeKind::RankedTensor { .. });
    let found = module.results(operation).map(|v| module.value_type(v));
    found.eq(types.filter(is_tensor))
}

/// Sets an array of integers.
fn set_numbers(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    numbers: &[i64],
) {
    let array = parser
        .context()
        .i64_array_attribute(numbers.iter().copied());
    property(parser, operation, name, array);
}

impl Asm<'_, '_> {
    /// ` NAME = [0, 1] `.
    fn numbers(&mut self, name: &str, numbers: &mut Vec<i64>) -> AsmResult<()> {
        self.space(" ");
        self.token(name, name)?;
        self.token("=", " = ")?;
        self.integers_between(("[", "]"), numbers)?;
        self.space(" ");
        Ok(())
    }
}

/// Returns the scalar types of operands being parsed.
fn scalars(parser: &mut dyn AsmParser, operands: &InputsOutputs) -> Vec<Type> {
    let InputsOutputs { inputs, outputs } = operands;
    let context = parser.context();
    let types = inputs.types.iter().chain(&outputs.types);
    types.map(|&ty| scalar_type(context, ty)).collect()
}

/// The parsed parts of [`Moved`].
#[derive(Default)]
pub(crate) struct MovedContent {
    place: Option<usize>,
    operands: InputsOutputs,
    numbers: Vec<i64>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Moved {
    type Content = MovedContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<MovedContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = scalar_types(context, module, &operands);
        let region = module.region(operation, 0);
        let steps = [BodyStep::Argument(0)];
        let numbers = numbers(context, module.attribute(context, operation, self.numbers))?;
        let fits = has_shape(module, operation, 2, module.result_count(operation), 1)
            && results_fit(context, module, operation, 1)
            && body::is_body(context, module, region, &types, &steps, false);
        let operands = InputsOutputs::of(module, &operands, 1)?;
        fits.then(|| MovedContent {
            place: None,
            operands,
            numbers,
            attributes: other_attributes(context, module, operation, &[self.numbers]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MovedContent) -> AsmResult<()> {
        content.place = asm.place();
        asm.inputs_and_outputs(&mut content.operands)?;
        asm.numbers(self.numbers, &mut content.numbers)?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut MovedContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.place.unwrap_or_default();
        add(parser, operation, &content.operands)?;
        set_numbers(parser, operation, self.numbers, &content.numbers);
        operation.attributes = std::mem::take(&mut content.attributes);
        let types = scalars(parser, &content.operands);
        if types.is_empty() {
            return Err(AsmError::new(place, "expected operands"));
        }
        let location = Some(parser.source_location());
        let steps = [BodyStep::Argument(0)];
        let from = operation
            .operands
            .iter()
            .map(|&value| parser.module().value_location(value));
        let arguments: Vec<_> = types.into_iter().zip(from).collect();
        let region = body::make(parser, &arguments, &steps, false, (place, location))?;
        operation.regions.push(region);
        Ok(None)
    }

    fn shows_region(&self, _: &MovedContent) -> bool {
        false
    }
}

impl Applied {
    /// Returns the number of operands that are outputs.
    fn outputs(&self, operands: usize) -> usize {
        match self.reduces {
            true => operands.checked_div(2).unwrap_or(0),
            false => usize::from(operands > 0),
        }
    }

    /// Returns whether the region has an argument for the output.
    fn has_output(&self, context: &Context) -> bool {
        self.reduces || context.release().has(LlvmFeature::MappedOutput)
    }

    /// Returns the arguments that the operation of the short form takes, in order.
    fn taken(&self, context: &Context, mut arguments: Vec<Value>) -> Vec<Value> {
        if !self.has_output(context) {
            return arguments;
        }
        let last = arguments.pop();
        if let (true, Some(last)) = (self.reduces, last) {
            arguments.insert(0, last);
        }
        arguments
    }

    /// Returns the only operation of the region, if the short form can denote it by its name.
    fn payload(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        let region = module.region(operation, 0)?;
        let block = module.first_block(region)?;
        let payload = module.first_operation(block)?;
        let last = module.next_operation(payload)?;
        let arguments: Vec<Value> = module.arguments(block).map(|(value, _)| value).collect();
        let output = match self.has_output(context) {
            true => module.value_type(*arguments.last()?),
            false => scalar_type(
                context,
                module.value_type(module.operands(operation).last()?),
            ),
        };
        let taken = self.taken(context, arguments);
        let plain = module.inherent_attributes(context, last).is_empty()
            && module.discardable_attributes(context, last).is_empty();
        let result = module.result(payload, 0)?;
        let fits = !taken.is_empty()
            && module.operands(payload).eq(taken.iter().copied())
            && module.next_operation(last).is_none()
            && module.next_block(block).is_none()
            && has_shape(module, payload, taken.len(), 1, 0)
            && has_shape(module, last, 1, 0, 0)
            && context.operation_name_bytes(module.name(last)) == YIELD.as_bytes()
            && module.operand(last, 0) == Some(result)
            && module.value_type(result) == output
            && plain;
        fits.then_some(payload)
    }
}

/// Returns whether an attribute is `#arith.fastmath<none>`, which the short form omits.
fn is_no_fastmath(context: &Context, attribute: &NamedAttribute) -> bool {
    match context.attribute_kind(attribute.1) {
        AttributeKind::Dialect { dialect, body, .. } => {
            context.bytes(*dialect) == b"arith" && body.text() == b"fastmath<none>"
        }
        _ => false,
    }
}

impl Applied {
    /// Creates the region of the short form.
    fn make(
        &self,
        parser: &mut dyn AsmParser,
        operands: &InputsOutputs,
        payload: &Payload,
    ) -> AsmResult<Region> {
        let place = payload.place.unwrap_or_default();
        let name = String::from_utf8_lossy(&payload.name);
        let mut types = scalars(parser, operands);
        let output = types.last().copied();
        if !self.has_output(parser.context()) {
            types.pop();
        }
        let location = Some(parser.source_location());
        let arguments: Vec<_> = types.iter().map(|&ty| (ty, None)).collect();
        let region = parser.make_region(&arguments);
        let module = parser.module();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let arguments: Vec<Value> = arguments.map(|(value, _)| value).collect();
        let result_types: Vec<Type> = output.into_iter().collect();
        let taken = self.taken(parser.context(), arguments);
        let new = MadeOperation {
            name: &name,
            operands: &taken,
            result_types: &result_types,
            properties: &payload.attributes,
            location,
            ..MadeOperation::default()
        };
        let made = parser.make_operation(region, &new);
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        let results: Vec<Value> = parser.module().results(made).collect();
        let last = MadeOperation {
            name: YIELD,
            operands: &results,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(region, &last)?;
        Ok(region)
    }
}

/// The operation of the short form: its name and its attributes.
#[derive(Default)]
struct Payload {
    place: Option<usize>,
    name: Vec<u8>,
    attributes: Vec<NamedAttribute>,
}

/// The parsed parts of [`Applied`].
#[derive(Default)]
pub(crate) struct AppliedContent {
    short: Option<Payload>,
    operands: InputsOutputs,
    dimensions: Vec<i64>,
    attributes: Vec<NamedAttribute>,
    /// The arguments of the region.
    arguments: Vec<Argument>,
}

impl TwoWay for Applied {
    type Content = AppliedContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<AppliedContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = module.result_count(operation);
        let arguments = Argument::all(module, operation, 0);
        let types: Vec<Type> = arguments
            .iter()
            .filter_map(|argument| argument.ty)
            .collect();
        let outputs = self.outputs(operands.len());
        let dimensions = match self.reduces {
            true => numbers(context, module.attribute(context, operation, DIMENSIONS))?,
            false => Vec::new(),
        };
        let fits = has_shape(module, operation, operands.len(), results, 1)
            && !operands.is_empty()
            && (!self.reduces || operands.len().is_multiple_of(2))
            && results_fit(context, module, operation, outputs)
            && is_single_block(module, module.region(operation, 0), &types);
        let payload = self.payload(context, module, operation).map(|payload| {
            let name = context.operation_name_bytes(module.name(payload));
            let mut attributes = module.all_attributes(context, payload).to_vec();
            let none = attributes.iter().position(|a| is_no_fastmath(context, a));
            if let Some(none) = none {
                attributes.remove(none);
            }
            Payload {
                place: None,
                name: name.to_vec(),
                attributes,
            }
        });
        let inputs = operands.len().saturating_sub(outputs);
        let operands = InputsOutputs::of(module, &operands, inputs)?;
        let elided: &[&str] = if self.reduces { &[DIMENSIONS] } else { &[] };
        fits.then(|| AppliedContent {
            short: payload,
            operands,
            dimensions,
            attributes: other_attributes(context, module, operation, elided),
            arguments,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AppliedContent) -> AsmResult<()> {
        if asm.is_there("{", content.short.is_some()) {
            let payload = content.short.get_or_insert_default();
            asm.token("{", " { ")?;
            payload.place = asm.place();
            asm.bare_keyword(&mut payload.name, "expected operation name")?;
            asm.dictionary(&mut payload.attributes)?;
            asm.token("}", " }")?;
        }
        asm.inputs_and_outputs(&mut content.operands)?;
        if self.reduces {
            asm.numbers(DIMENSIONS, &mut content.dimensions)?;
        }
        asm.dictionary(&mut content.attributes)?;
        if content.short.is_some() {
            return Ok(());
        }
        asm.indent(1);
        asm.newline();
        asm.arguments(&mut content.arguments)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut AppliedContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        add(parser, operation, &content.operands)?;
        if self.reduces {
            set_numbers(parser, operation, DIMENSIONS, &content.dimensions);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let Some(payload) = &content.short else {
            let arguments = content.arguments.iter();
            return Ok(Some(arguments.filter_map(Argument::parsed).collect()));
        };
        let region = self.make(parser, &content.operands, payload)?;
        operation.regions.push(region);
        Ok(None)
    }

    fn shows_region(&self, content: &AppliedContent) -> bool {
        content.short.is_none()
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        _: &mut AppliedContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.indent(-1);
        Ok(false)
    }
}

impl ValueNames for Applied {
    fn result_names(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if let Some(result) = module.result(operation, 0) {
            name(result, if self.reduces { "reduced" } else { "mapped" });
        }
    }

    /// Names the arguments of the region `%in` and `%init`.
    fn argument_names(
        &self,
        _: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let operands = module.operand_count(operation);
        let inputs = operands.saturating_sub(self.outputs(operands));
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "in" } else { "init" });
        }
    }
}
