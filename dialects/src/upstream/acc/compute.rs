//! The region of `acc.compute_region`, whose arguments are the values that it captures, and the
//! attributes after it.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::{check_count, entry_arguments, region_arguments};
use crate::two_way::{Asm, Named, failure, operands};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Type};

/// The directive ` launch(%x = %a) ins(%y = %b) : (type) -> type` and of the region, of which each
/// part can be absent. Its arguments are the region, the operands of `launch`, those of `ins` with
/// their types, and the types of results.
#[derive(Debug)]
pub(crate) struct ComputeRegion;

/// The parsed parts of [`ComputeRegion`].
#[derive(Default)]
pub(crate) struct Content {
    launch: Vec<(Named, Named)>,
    inputs: Vec<(Named, Named)>,
    types: Vec<Type>,
    results: Vec<Type>,
}

/// Returns the operands of pairs of an argument and an operand.
fn sources(pairs: &[(Named, Named)]) -> ParsedArgument {
    let sources: Vec<Named> = pairs.iter().map(|pair| pair.1).collect();
    operands(&sources)
}

impl TwoWayDirective for ComputeRegion {
    type Content = Content;

    const OMITS_EMPTY_REGION: bool = false;

    fn shows_terminators(&self) -> bool {
        true
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let [
            PrintedArgument::Region { number, .. },
            launch,
            inputs,
            types,
            results,
        ] = printed.arguments
        else {
            return None;
        };
        let (launch, inputs) = (launch.operands(), inputs.operands());
        let captured = entry_arguments(printed.module, printed.operation, *number);
        let of_launch = vec![printed.context.index_type(); launch.len()];
        let expected = of_launch.iter().chain(types.types()).copied();
        let found = captured
            .iter()
            .map(|&value| printed.module.value_type(value));
        let fits = types.types().len() == inputs.len() && found.eq(expected);
        let mut captured = Named::all(captured).into_iter();
        let mut pairs = |sources: &[_]| {
            let sources = Named::all(sources.iter().copied());
            captured.by_ref().zip(sources).collect()
        };
        fits.then(|| Content {
            launch: pairs(launch),
            inputs: pairs(inputs),
            types: types.types().to_vec(),
            results: results.types().to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        if asm.is_there("launch", !content.launch.is_empty()) {
            asm.token("launch", " launch")?;
            asm.assignments(&mut content.launch)?;
        }
        if asm.is_there("ins", !content.inputs.is_empty()) {
            asm.token("ins", " ins")?;
            let place = asm.place();
            asm.assignments(&mut content.inputs)?;
            asm.token(":", " : ")?;
            asm.types_between(("(", ")"), &mut content.types)?;
            if let Some(place) = place {
                check_count(content.inputs.len(), content.types.len(), place)?;
            }
        }
        asm.optional_arrow_types(&mut content.results)?;
        asm.space(" ");
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [
            ParsedArgument::Region { arguments, .. },
            launch,
            inputs,
            types,
            results,
        ] = arguments
        else {
            return Err(other_arguments(parser));
        };
        let index = parser.context().index_type();
        let pairs = content.launch.iter().chain(&content.inputs);
        let names: Vec<_> = pairs.filter_map(|pair| pair.0.name).collect();
        let of_launch = std::iter::repeat_n(index, content.launch.len());
        let all: Vec<Type> = of_launch.chain(content.types.iter().copied()).collect();
        *arguments = Some(region_arguments(&names, &all));
        *launch = sources(&content.launch);
        *inputs = sources(&content.inputs);
        *types = ParsedArgument::Types(content.types);
        *results = ParsedArgument::Types(content.results);
        Ok(())
    }
}

/// The directive `<{name = value, ...}>` for the attributes of `acc.compute_region`, which are its
/// arguments in the order of [`NAMES`].
#[derive(Debug)]
pub(crate) struct Properties;

/// The names of the attributes, sorted.
const NAMES: [&str; 3] = ["kernel_func_name", "kernel_module_name", "origin"];

impl TwoWayDirective for Properties {
    /// The numbers of names, with the attributes.
    type Content = Vec<(usize, Option<Attribute>)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attributes = printed.arguments.iter().map(PrintedArgument::attribute);
        let mut all: Self::Content = attributes.enumerate().collect();
        all.retain(|(_, attribute)| attribute.is_some());
        (!all.is_empty()).then_some(all)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.token("<", "<")?;
        asm.token("{", "{")?;
        let mut seen = [false; NAMES.len()];
        asm.items(content, |asm, (number, attribute)| {
            let place = asm.place();
            asm.choice(&NAMES, number)?;
            if let Some(seen) = seen.get_mut(*number)
                && std::mem::replace(seen, true)
            {
                let name = NAMES.get(*number).copied().unwrap_or_default();
                return Err(failure(place, format!("duplicate key '{name}'")));
            }
            asm.token("=", " = ")?;
            asm.attribute(attribute)
        })?;
        asm.token("}", "}")?;
        asm.token(">", ">")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for (number, attribute) in content {
            if let Some(argument) = arguments.get_mut(number) {
                *argument = ParsedArgument::Attribute(attribute);
            }
        }
        Ok(())
    }
}
