//! Loops, and operations whose body has arguments of known types: `loopschedule.pipeline`,
//! `sv.for`, `sv.generate.for`, `arc.sim.instantiate`, `msft.systolic.array`.

use super::firrtl::flat;
use super::infer::array;
use crate::func::has_shape;
use crate::helpers::{entry_arguments, integer_of, is_single_block, property};
use crate::two_way::{
    Argument, Asm, Named, TwoWay, add_of_type, add_of_types, failure, invalid, other_attributes,
    plain_string,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Region, Type, Value};

/// Returns whether a region has one block, which can be empty, with arguments of these types.
pub(super) fn is_body(
    module: &Module,
    operation: Operation,
    number: usize,
    types: &[Type],
) -> bool {
    let region = module.region(operation, number);
    let block = region.and_then(|region| module.first_block(region));
    block.is_some_and(|block| {
        let found = module.arguments(block);
        module.next_block(block).is_none()
            && found
                .map(|one| module.value_type(one.0))
                .eq(types.iter().copied())
    })
}

/// The syntax of `loopschedule.pipeline`:
/// `II = 1 trip_count = 2 iter_args(%a = %x) : (type) -> type {...} do {...}`.
#[derive(Debug)]
pub(crate) struct ScheduledLoop;

/// The text of [`ScheduledLoop`] before a region.
#[derive(Default)]
pub(crate) struct ScheduledContent {
    interval: Option<Attribute>,
    has_count: bool,
    count: Option<Attribute>,
    place: Option<usize>,
    pairs: Vec<(Named, Named)>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

/// An integer, which is printed without its type.
fn untyped(asm: &mut Asm<'_, '_>, attribute: &mut Option<Attribute>) -> AsmResult<()> {
    match asm {
        Asm::Parser(_) => asm.attribute(attribute),
        Asm::Printer(_) => asm.attribute_of(None, attribute),
    }
}

impl ScheduledContent {
    /// Returns the arguments of a region.
    fn arguments(&self) -> Vec<RegionArgument> {
        let mut arguments = Vec::new();
        let names = self.pairs.iter().map(|pair| &pair.0);
        crate::two_way::add_arguments(&mut arguments, names, self.inputs.iter().copied());
        arguments
    }
}

impl TwoWay for ScheduledLoop {
    type Content = ScheduledContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ScheduledContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let operands: Vec<Value> = module.operands(operation).collect();
        let inputs = crate::helpers::operand_types(module, operation, 0);
        let results = crate::helpers::result_types(module, operation);
        let arguments = entry_arguments(module, operation, 1);
        let (interval, count) = (attribute("II"), attribute("tripCount"));
        let is_number = |one| integer_of(context, context.i64_type(), one).is_some();
        let is_body = |number| is_single_block(module, module.region(operation, number), &inputs);
        let is_lossless = has_shape(module, operation, inputs.len(), results.len(), 2)
            && is_number(interval)
            && (count.is_none() || is_number(count))
            && other_attributes(context, module, operation, &["II", "tripCount"]).is_empty()
            && is_body(0)
            && is_body(1);
        is_lossless.then(|| ScheduledContent {
            interval,
            has_count: count.is_some(),
            count,
            place: None,
            pairs: Named::all(arguments)
                .into_iter()
                .zip(Named::all(operands))
                .collect(),
            inputs,
            results,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ScheduledContent) -> AsmResult<()> {
        asm.token("II", " II")?;
        asm.token("=", " =  ")?;
        untyped(asm, &mut content.interval)?;
        asm.optional("trip_count", " trip_count", &mut content.has_count);
        if content.has_count {
            asm.token("=", " =  ")?;
            untyped(asm, &mut content.count)?;
        }
        if asm.is_there("iter_args", true) {
            asm.token("iter_args", " iter_args")?;
            asm.assignments(&mut content.pairs)?;
        }
        asm.token(":", " : ")?;
        content.place = asm.place();
        match asm.function_type(&mut content.inputs, &mut content.results)? {
            true => Ok(()),
            false => Err(failure(content.place, "expected function type")),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ScheduledContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.pairs.len() != content.inputs.len() {
            let message = "expected a type for each of the loop's arguments";
            return Err(failure(content.place, message));
        }
        for (name, value) in [("II", content.interval), ("tripCount", content.count)] {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        operation.result_types.append(&mut content.results);
        let values = content.pairs.iter().map(|pair| &pair.1);
        add_of_types(parser, operation, values, &content.inputs)?;
        Ok(Some(content.arguments()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn content_after(
        &self,
        _: &Context,
        _: &Module,
        _: Operation,
        _: usize,
    ) -> Option<ScheduledContent> {
        Some(ScheduledContent::default())
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        _: &mut ScheduledContent,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions == 1 {
            asm.token("do", " do")?;
        }
        Ok(regions == 1)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        content: &mut ScheduledContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        Ok(content.arguments())
    }
}

/// The syntax of `sv.for`, `%i = %a to %b step %c : type {...} {...}`, and of `sv.generate.for`,
/// `%i : type = 0 to 8 step 1 name "n" {...} {...}`.
#[derive(Debug)]
pub(crate) struct For {
    /// The bounds are attributes.
    pub(crate) is_generate: bool,
}

/// The text of [`For`].
#[derive(Default)]
pub(crate) struct ForContent {
    argument: Named,
    ty: Option<Type>,
    values: [Named; 3],
    bounds: [Option<Attribute>; 3],
    name: Option<Attribute>,
}

/// The attributes of the bounds.
const BOUNDS: [&str; 3] = ["lowerBound", "upperBound", "step"];

/// The words before the bounds.
const WORDS: [(&str, &str); 3] = [("=", " = "), ("to", " to "), ("step", " step ")];

/// A value of a type, which may follow it.
fn bound(
    asm: &mut Asm<'_, '_>,
    ty: Option<Type>,
    attribute: &mut Option<Attribute>,
) -> AsmResult<()> {
    if let Asm::Printer(_) = asm {
        return asm.attribute(attribute);
    }
    let place = asm.place();
    asm.attribute_of(ty, attribute)?;
    let mut has_type = false;
    asm.optional(":", "", &mut has_type);
    let mut found = ty;
    if has_type {
        asm.ty(&mut found)?;
    }
    let of = attribute.and_then(|one| super::literals::type_of(asm.context(), one));
    match of == ty && found == ty {
        true => Ok(()),
        false => Err(failure(
            place,
            "expected an attribute of the variable's type",
        )),
    }
}

impl TwoWay for For {
    type Content = ForContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ForContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let argument = *entry_arguments(module, operation, 0).first()?;
        let ty = module.value_type(argument);
        let mut content = ForContent {
            argument: Named::of(argument),
            ty: Some(ty),
            name: attribute("genBlockName"),
            ..ForContent::default()
        };
        let count = if self.is_generate { 0 } else { BOUNDS.len() };
        if !has_shape(module, operation, count, 0, 1) || !is_body(module, operation, 0, &[ty]) {
            return None;
        }
        let name = attribute("inductionVarName");
        if name.is_some() || self.is_generate {
            plain_string(context, name)?;
        }
        if self.is_generate {
            plain_string(context, content.name)?;
            for (bound, name) in content.bounds.iter_mut().zip(BOUNDS) {
                *bound = attribute(name);
                let of = super::literals::type_of(context, (*bound)?);
                (of == Some(ty)).then_some(())?;
            }
        }
        for (value, operand) in content.values.iter_mut().zip(module.operands(operation)) {
            *value = Named::of(operand);
            (module.value_type(operand) == ty).then_some(())?;
        }
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ForContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.argument)?;
        if self.is_generate {
            asm.token(":", " : ")?;
            asm.ty(&mut content.ty)?;
        }
        let values = content.values.iter_mut().zip(&mut content.bounds);
        for ((word, printed), (value, attribute)) in WORDS.iter().zip(values) {
            asm.token(word, printed)?;
            match self.is_generate {
                true => bound(asm, content.ty, attribute)?,
                false => asm.value(value)?,
            }
        }
        if self.is_generate {
            asm.token("name", " name ")?;
            return asm.string_as_attribute(&mut content.name);
        }
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ForContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let Some(ty) = content.ty else {
            return Ok(None);
        };
        if !self.is_generate {
            add_of_type(parser, operation, &content.values, ty)?;
        }
        for (name, value) in BOUNDS.into_iter().zip(content.bounds) {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        if let Some(name) = content.name {
            property(parser, operation, "genBlockName", name);
        }
        let argument = content.argument;
        let spelled = argument
            .name
            .map(|name| crate::two_way::spelled_name(parser, name).to_vec());
        let text = spelled.as_deref().unwrap_or_default();
        let is_number = text.first().is_some_and(u8::is_ascii_digit);
        if self.is_generate || !is_number {
            let name = parser.context().string_attribute(text);
            property(parser, operation, "inductionVarName", name);
        }
        let mut arguments = parser.argument_list();
        crate::two_way::add_arguments(&mut arguments, [&argument], [ty]);
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[
            "inductionVarName",
            "lowerBound",
            "upperBound",
            "step",
            "genBlockName",
        ])
    }
}

/// Names the argument of the body after the attribute `inductionVarName`.
#[derive(Debug)]
pub(crate) struct VariableName;

impl ValueNames for VariableName {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(operation), Some(block)) =
            (module.region_parent(region), module.first_block(region))
        else {
            return;
        };
        let found = module.attribute(context, operation, "inductionVarName");
        let text = found.and_then(|found| context.string_value(found));
        if let (Some(text), Some((argument, _))) = (text, module.arguments(block).next()) {
            name(argument, &String::from_utf8_lossy(text));
        }
    }
}

/// The syntax of `arc.sim.instantiate`: `@model as %a runtime @r("...") attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Instantiate;

/// The text of [`Instantiate`].
#[derive(Default)]
pub(crate) struct InstantiateContent {
    place: Option<usize>,
    model: Vec<u8>,
    argument: Argument,
    has_runtime: bool,
    runtime: Option<Attribute>,
    options: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Instantiate {
    type Content = InstantiateContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<InstantiateContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let arguments = Argument::all(module, operation, 0);
        let [argument] = *arguments else { return None };
        let ty = argument.ty?;
        let model = context.parameter(ty, "model")?.attribute();
        let is_model = crate::helpers::is_of(context, ty, "arc", "sim.instance");
        let (runtime, options) = (attribute("runtimeModel"), attribute("runtimeArgs"));
        let is_lossless = is_model
            && (runtime.is_none() || flat(context, runtime).is_some())
            && has_shape(module, operation, 0, 0, 1)
            && is_body(module, operation, 0, &[ty])
            && options.is_none_or(|options| crate::func::is_plain_string(context, options));
        is_lossless.then_some(())?;
        let elided = ["runtimeModel", "runtimeArgs"];
        Some(InstantiateContent {
            place: None,
            model: flat(context, model)?.to_vec(),
            argument,
            has_runtime: runtime.is_some() || options.is_some(),
            runtime,
            options,
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InstantiateContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.model)?;
        asm.token("as", " as ")?;
        content.place = asm.place();
        asm.argument_name(&mut content.argument)?;
        asm.optional("runtime", " runtime ", &mut content.has_runtime);
        if content.has_runtime {
            if !asm.is_there("(", content.runtime.is_none()) {
                asm.symbol_reference(&mut content.runtime, "expected '('")?;
            }
            asm.token("(", "(")?;
            asm.optional_quoted(&mut content.options);
            asm.token(")", ")")?;
        }
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut InstantiateContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        for (name, value) in [
            ("runtimeModel", content.runtime),
            ("runtimeArgs", content.options),
        ] {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        let context = parser.context();
        let model = context.symbol_ref_attribute(&content.model);
        let builder = context.build_type("arc.sim.instance");
        let ty = builder.with("model", model).build();
        content.argument.ty = Some(ty.map_err(invalid(content.place))?);
        Ok(Some(content.argument.parsed().into_iter().collect()))
    }
}

/// The syntax of `msft.systolic.array`:
/// `[%rows : 4 x type] [%columns : 4 x type] pe (%a, %b) -> (type) {...}`.
#[derive(Debug)]
pub(crate) struct SystolicArray;

/// The text of [`SystolicArray`].
#[derive(Default)]
pub(crate) struct SystolicContent {
    place: Option<usize>,
    /// The rows and the columns: values, their number, and their type.
    inputs: [(Named, i64, Option<Type>); 2],
    arguments: [Named; 2],
    result: Option<Type>,
}

impl TwoWay for SystolicArray {
    type Content = SystolicContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SystolicContent> {
        let mut content = SystolicContent::default();
        for (input, value) in content.inputs.iter_mut().zip(module.operands(operation)) {
            let (count, ty) = array(context, module.value_type(value))?;
            *input = (Named::of(value), count, Some(ty));
        }
        let &[rows, columns] = &content.inputs;
        let arguments = entry_arguments(module, operation, 0);
        let result = module.value_type(module.result(operation, 0)?);
        let (of_rows, row) = array(context, result)?;
        let (of_columns, result) = array(context, row)?;
        let types = [rows.2?, columns.2?];
        let is_lossless = has_shape(module, operation, 2, 1, 1)
            && (of_rows, of_columns) == (rows.1, columns.1)
            && is_single_block(module, module.region(operation, 0), &types)
            && module.all_attributes(context, operation).is_empty();
        is_lossless.then_some(())?;
        for (argument, value) in content.arguments.iter_mut().zip(arguments) {
            *argument = Named::of(value);
        }
        content.result = Some(result);
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SystolicContent) -> AsmResult<()> {
        content.place = asm.place();
        for (value, count, ty) in &mut content.inputs {
            asm.token("[", " [")?;
            asm.value(value)?;
            asm.token(":", " : ")?;
            asm.integer(count)?;
            asm.token("x", " x ")?;
            asm.ty(ty)?;
            asm.token("]", "]")?;
        }
        let [first, second] = &mut content.arguments;
        asm.token("pe", " pe ")?;
        asm.token("(", "(")?;
        asm.value(first)?;
        asm.token(",", ", ")?;
        asm.value(second)?;
        asm.token(")", ")")?;
        asm.token("->", " -> ")?;
        asm.token("(", "(")?;
        asm.ty(&mut content.result)?;
        asm.token(")", ")")
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SystolicContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.place;
        let mut arguments = parser.argument_list();
        let mut result = content.result;
        for ((value, count, ty), argument) in content.inputs.iter().zip(&content.arguments) {
            let (Some(ty), Some(name)) = (*ty, value.name) else {
                continue;
            };
            let all = super::arrays::array_type(parser.context(), *count, ty);
            let all = all.map_err(invalid(place))?;
            operation.operands.push(parser.resolve(name, all)?);
            crate::two_way::add_arguments(&mut arguments, [argument], [ty]);
        }
        // An array of columns for each row.
        for (_, count, _) in content.inputs.iter().rev() {
            if let Some(ty) = result {
                let made = super::arrays::array_type(parser.context(), *count, ty);
                result = Some(made.map_err(invalid(place))?);
            }
        }
        operation.result_types.extend(result);
        Ok(Some(arguments))
    }
}
