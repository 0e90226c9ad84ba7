//! Stages of pipelines: directives of `pipeline.stage`, and the names that stages give.

use super::firrtl::flat;
use crate::directive::{Printed, TwoWayDirective, TypedName};
use crate::helpers::integer_of;
use crate::two_way::{Asm, Named, failure, invalid, items, operands, plain_string, string_array};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ValueNames};
use rmlir_ir::{Attribute, Block, Context, Module, Operation, Region, Value, ValueDefinition};
use std::collections::HashMap;

/// The directive of values that go to the next stage:
/// `regs("a" = %a : type gated by [%g], %b : type)`. Arguments: the values, their types, their
/// names; for registers also the gates, and the number of gates of each.
#[derive(Debug)]
pub(crate) struct StageValues {
    pub(crate) word: &'static str,
}

/// A value that goes to the next stage.
#[derive(Default)]
pub(crate) struct StageValue {
    has_name: bool,
    name: Vec<u8>,
    value: TypedName,
    is_gated: bool,
    gates: Vec<Named>,
}

impl StageValue {
    fn text(&mut self, asm: &mut Asm<'_, '_>, is_register: bool) -> AsmResult<()> {
        let place = asm.place();
        self.has_name = !asm.is_value_there(!self.has_name);
        if self.has_name {
            asm.string(&mut self.name)?;
            if place.is_some() && self.name.is_empty() {
                return Err(failure(place, "name cannot be empty"));
            }
            asm.token("=", " = ")?;
        }
        asm.typed(&mut self.value, " : ")?;
        if is_register {
            asm.optional("gated", " gated by ", &mut self.is_gated);
        }
        if self.is_gated {
            asm.token("by", "")?;
            asm.values_between(("[", "]"), &mut self.gates)?;
        }
        Ok(())
    }
}

impl TwoWayDirective for StageValues {
    type Content = Vec<StageValue>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types, names, gating @ ..] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let values = TypedName::all(values, types)?;
        let count = values.len();
        let names = match names.attribute() {
            // A list of empty names is what a text without names means.
            None if count > 0 => return None,
            None => &[],
            names => items(context, names).filter(|names| names.len() == count && count > 0)?,
        };
        let mut all = Vec::new();
        for (&name, value) in names.iter().zip(values) {
            let name = plain_string(context, Some(name))?;
            all.push(StageValue {
                has_name: !name.is_empty(),
                name: name.to_vec(),
                value,
                ..StageValue::default()
            });
        }
        let [gates, counts] = gating else {
            return Some(all);
        };
        let mut gates = gates.operands().iter();
        let counts = items(context, counts.attribute())?;
        if counts.len() != count {
            return None;
        }
        for (one, &number) in all.iter_mut().zip(counts) {
            let number = integer_of(context, context.i64_type(), Some(number))?;
            let number = usize::try_from(number).ok()?;
            one.gates = Named::all(gates.by_ref().take(number).copied());
            one.is_gated = number > 0;
            (one.gates.len() == number).then_some(())?;
        }
        gates.next().is_none().then_some(all)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there(self.word, !content.is_empty()) {
            return Ok(false);
        }
        asm.token(self.word, self.word)?;
        let is_register = self.word == "regs";
        asm.list(("(", ")"), content, |asm, one| one.text(asm, is_register))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = Some(parser.place());
        let context = parser.context();
        if let [_, _, _, to_gates, to_counts] = arguments {
            let gates = content.iter().flat_map(|one| one.gates.iter().copied());
            *to_gates = operands(&gates.collect::<Vec<Named>>());
            let i64 = context.i64_type();
            let mut counts: Vec<Attribute> = Vec::new();
            for one in &content {
                let count = i64::try_from(one.gates.len()).unwrap_or(i64::MAX);
                let count = context.integer_attribute(i64, count);
                counts.push(count.map_err(invalid(place))?);
            }
            *to_counts = ParsedArgument::Attribute(Some(context.array_attribute(&counts)));
        }
        if let [to_values, to_types, to_names, ..] = arguments {
            let names: Vec<&[u8]> = content.iter().map(|one| one.name.as_slice()).collect();
            let names = (!names.is_empty()).then(|| string_array(context, &names));
            *to_names = ParsedArgument::Attribute(names);
            TypedName::set(
                content.into_iter().map(|one| one.value),
                to_values,
                to_types,
            );
        }
        Ok(())
    }
}

/// Names the results of a pipeline after its outputs, and the arguments of its blocks after its
/// inputs, and after what the stage before gives.
#[derive(Debug)]
pub(crate) struct PipelineNames;

/// Returns the strings of an array.
fn strings(context: &Context, attribute: Option<Attribute>) -> Vec<String> {
    let all = items(context, attribute).unwrap_or_default().iter();
    let text = |&name| context.string_value(name).unwrap_or_default();
    all.map(|name| String::from_utf8_lossy(text(name)).into_owned())
        .collect()
}

/// Returns the stage before each block that has one predecessor.
fn stages(module: &Module, region: Region) -> HashMap<Block, Option<Operation>> {
    let mut stages = HashMap::new();
    for block in module.blocks(region) {
        let Some(last) = module.last_operation(block) else {
            continue;
        };
        for next in module.successors(last) {
            stages
                .entry(next)
                .and_modify(|stage| *stage = None)
                .or_insert(Some(last));
        }
    }
    stages
}

impl ValueNames for PipelineNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let names = strings(context, module.attribute(context, operation, "outputNames"));
        let names = names.iter().map(String::as_str).chain(["done"]);
        for (result, text) in module.results(operation).zip(names) {
            name(result, text);
        }
    }

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
        let stages = stages(module, region);
        for (number, block) in module.blocks(region).enumerate() {
            let arguments: Vec<Value> = module.arguments(block).map(|one| one.0).collect();
            let Some((&enable, rest)) = arguments.split_last() else {
                continue;
            };
            let names = match stages.get(&block) {
                Some(&Some(stage)) => stage_names(context, module, stage, number),
                _ => strings(context, module.attribute(context, operation, "inputNames")),
            };
            for (&argument, text) in rest.iter().zip(names) {
                name(argument, &text);
            }
            name(enable, &format!("s{number}_enable"));
        }
    }
}

/// Returns the names of what a stage gives to block `number`.
fn stage_names(context: &Context, module: &Module, stage: Operation, number: usize) -> Vec<String> {
    let sizes = module.attribute(context, stage, "operandSegmentSizes");
    let sizes = sizes.and_then(|sizes| crate::helpers::sizes_of(context, sizes));
    let &[registers, passed, _] = sizes.as_deref().unwrap_or_default() else {
        return Vec::new();
    };
    let count = module.operand_count(stage);
    let mut all = Vec::new();
    for (attribute, word, of) in [
        ("registerNames", "reg", registers),
        ("passthroughNames", "pass", passed),
    ] {
        let names = strings(context, module.attribute(context, stage, attribute));
        for at in 0..of.min(count) {
            all.push(match names.get(at) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => format!("s{number}_{word}{at}"),
            });
        }
    }
    all
}

/// Returns the name of the memory that is read, followed by `_rdata`.
pub(crate) fn read_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<std::borrow::Cow<'static, str>> {
    let memory = module.operands(operation).next()?;
    let ValueDefinition::Result(memory, _) = module.definition(memory) else {
        return None;
    };
    let name = module.attribute(context, memory, "name")?;
    let name = flat(context, Some(name)).or_else(|| context.string_value(name))?;
    Some(format!("{}_rdata", String::from_utf8_lossy(name)).into())
}
