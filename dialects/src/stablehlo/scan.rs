//! The syntax of `chlo.scan`.

use crate::func::has_shape;
use crate::function::{entry_block, property};
use crate::helpers::{
    add_operands, check_count, integer_of, operand_types, result_types, segment_sizes,
    segments_property, sizes_of, typed,
};
use crate::two_way::{Asm, Named, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Region, Type, Value};

/// The syntax of `chlo.scan`: `(%inputs) inits (%inits) dimension=0 attributes {...} {...} :
/// (types) -> (types)`.
#[derive(Debug)]
pub(crate) struct Scan;

/// The parsed parts of [`Scan`].
#[derive(Default)]
pub(crate) struct ScanContent {
    inputs: Vec<Named>,
    inits: Vec<Named>,
    dimension: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    /// The offset of the types.
    place: Option<usize>,
    types: Vec<Type>,
    results: Vec<Type>,
}

/// The attributes that the operation prints outside of its attribute dictionary.
const ELSEWHERE: [&str; 3] = ["dimension", "operandSegmentSizes", "resultSegmentSizes"];

/// Returns the numbers of inputs and initial values, or of the corresponding results.
fn sizes(
    context: &Context,
    module: &Module,
    operation: Operation,
    name: &str,
    count: usize,
) -> Option<[usize; 2]> {
    let sizes = module.attribute(context, operation, name)?;
    let [first, second] = *sizes_of(context, sizes)?.as_slice() else {
        return None;
    };
    (first.checked_add(second) == Some(count)).then_some([first, second])
}

impl Scan {
    /// Returns the numbers of inputs and initial values.
    fn inputs(context: &Context, module: &Module, operation: Operation) -> Option<[usize; 2]> {
        let count = module.operand_count(operation);
        sizes(context, module, operation, "operandSegmentSizes", count)
    }
}

impl Asm<'_, '_> {
    /// A function type, whose results are printed in parentheses. Returns whether what was read is
    /// a function type.
    fn scan_types(&mut self, inputs: &mut Vec<Type>, results: &mut Vec<Type>) -> AsmResult<bool> {
        if let Asm::Parser(_) = self {
            return self.function_type(inputs, results);
        }
        self.types_between(("(", ")"), inputs)?;
        self.space(" -> ");
        self.types_between(("(", ")"), results)?;
        Ok(true)
    }
}

impl TwoWay for Scan {
    type Content = ScanContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ScanContent> {
        let results = result_types(module, operation);
        let dimension = module.attribute(context, operation, "dimension");
        let [inputs, inits] = Self::inputs(context, module, operation)?;
        let name = "resultSegmentSizes";
        let [_, carried] = sizes(context, module, operation, name, results.len())?;
        integer_of(context, context.i64_type(), dimension)?;
        entry_block(module, operation)?;
        let mut operands = module.operands(operation);
        (inits == carried && has_shape(module, operation, inputs + inits, results.len(), 1)).then(
            || ScanContent {
                inputs: Named::all(operands.by_ref().take(inputs)),
                inits: Named::all(operands),
                dimension,
                attributes: other_attributes(context, module, operation, &ELSEWHERE),
                place: None,
                types: operand_types(module, operation, 0),
                results,
            },
        )
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ScanContent) -> AsmResult<()> {
        asm.values_between(("(", ")"), &mut content.inputs)?;
        asm.token("inits", " inits ")?;
        asm.values_between(("(", ")"), &mut content.inits)?;
        asm.token("dimension", " dimension")?;
        asm.token("=", "=")?;
        let i64_type = asm.context().i64_type();
        asm.attribute_of(Some(i64_type), &mut content.dimension)?;
        asm.space(" ");
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ScanContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let groups = [content.inputs.len(), content.inits.len()];
        segments_property(parser, operation, &groups);
        if let Some(dimension) = content.dimension {
            property(parser, operation, "dimension", dimension);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut ScanContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.token(":", " : ")?;
        content.place = asm.place();
        if !asm.scan_types(&mut content.types, &mut content.results)? {
            return Err(failure(content.place, "expected function type"));
        }
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ScanContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let (types, place) = (&content.types, content.place);
        let mut names = Named::names(&content.inputs);
        names.extend(Named::names(&content.inits));
        check_count(names.len(), types.len(), place.unwrap_or_default())?;
        add_operands(parser, operation, typed(&names, types))?;
        // There is one carried result for each initial value.
        let carried = content.inits.len();
        let Some(outputs) = content.results.len().checked_sub(carried) else {
            return Err(failure(place, "expected a result for each initial value"));
        };
        if let Some(sizes) = segment_sizes(parser.context(), &[outputs, carried]) {
            property(parser, operation, "resultSegmentSizes", sizes);
        }
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Vec::new())
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Names the arguments of the region `%input` and `%carry`.
impl ValueNames for Scan {
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
        let [inputs, _] = Self::inputs(context, module, operation).unwrap_or_default();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "input" } else { "carry" });
        }
    }
}
