//! Named structured operations: `linalg.matmul`, `linalg.fill`, `linalg.elementwise` and the like.

use super::body;
use super::inputs_outputs::{
    input_count, inputs_and_outputs, print_inputs_and_outputs, scalar_type, scalar_types,
    sizes_property,
};
use crate::func::has_shape;
use crate::helpers::{optional_arrow_types, print_optional_arrow_types, property, result_types};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::definition::BodyStep;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, OperationName, Value,
};

const MAPS: &str = "indexing_maps";
/// The attribute in which upstream's verifier caches the maps; custom form never prints it.
const MEMOIZED: &str = "linalg.memoized_indexing_maps";
const CAST: &str = "cast";
const KIND: &str = "kind";

/// Custom syntax of the named operations: `[kind=#kind] [indexing_maps = [...]] {...} ins(...)
/// outs(...) -> types`. The definition or the kind determines the computation of the region.
#[derive(Debug)]
pub(crate) struct Named;

/// The indexing maps of an operation whose text has none: the number of dimensions, and the
/// dimensions that index each operand.
type DefaultMaps = (u32, [&'static [u32]; 3]);

static DEFAULT_MAPS: &[(&str, DefaultMaps)] = &[
    (
        "linalg.batch_matmul",
        (4, [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]]),
    ),
    (
        "linalg.batch_reduce_matmul",
        (4, [&[0, 1, 3], &[0, 3, 2], &[1, 2]]),
    ),
    ("linalg.matmul", (3, [&[0, 2], &[2, 1], &[0, 1]])),
];

/// Returns the default maps of an operation. For an elementwise one, the number of dimensions is
/// the rank of its output.
fn default_maps(
    context: &Context,
    name: OperationName,
    operands: usize,
    rank: Option<usize>,
) -> Option<(u32, Vec<Vec<u32>>)> {
    if has(context, name, KIND) {
        let rank = u32::try_from(rank?).ok()?;
        return Some((rank, vec![(0..rank).collect(); operands]));
    }
    let name = context.operation_name_bytes(name);
    let mut rows = DEFAULT_MAPS.iter();
    let (_, (dims, maps)) = rows.find(|row| row.0.as_bytes() == name)?;
    Some((*dims, maps.iter().map(|map| map.to_vec()).collect()))
}

/// Returns maps as an attribute.
fn maps_attribute(context: &mut Context, dims: u32, maps: &[Vec<u32>]) -> Option<Attribute> {
    let mut items = Vec::new();
    for map in maps {
        let mut results = Vec::new();
        for &dim in map {
            results.push(context.affine_mut().dim(dim).ok()?);
        }
        items.push(context.affine_map_attribute(AffineMap {
            num_dims: dims,
            num_symbols: 0,
            results: results.into(),
        }));
    }
    Some(context.array_attribute(&items))
}

/// Returns the maps of an attribute.
fn maps_of(context: &Context, attribute: Option<Attribute>) -> Option<Vec<&AffineMap>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute?) else {
        return None;
    };
    let map = |&item: &Attribute| match context.attribute_kind(item) {
        AttributeKind::AffineMap(map) => Some(map),
        _ => None,
    };
    items.iter().map(map).collect()
}

/// Returns whether an attribute holds exactly these maps.
fn are_maps(context: &Context, attribute: Option<Attribute>, dims: u32, maps: &[Vec<u32>]) -> bool {
    let same = |found: &AffineMap, map: &[u32]| {
        let is_dim = |(&found, &dim): (&_, &u32)| {
            context.affine().kind(found) == Some(AffineExprKind::Dim(dim))
        };
        found.num_dims == dims
            && found.num_symbols == 0
            && found.results.len() == map.len()
            && found.results.iter().zip(map).all(is_dim)
    };
    maps_of(context, attribute).is_some_and(|found| {
        found.len() == maps.len() && found.iter().zip(maps).all(|(found, map)| same(found, map))
    })
}

/// Returns whether operations of a name have an inherent attribute of that name.
fn has(context: &Context, name: OperationName, attribute: &str) -> bool {
    let definition = context.operation_definition(name);
    definition.is_some_and(|d| d.attribute(attribute, context.release()).is_some())
}

/// Returns the keyword of a `#linalg.MNEMONIC<WORD>`.
fn word(context: &Context, attribute: Attribute, mnemonic: &str) -> Option<String> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inside = text.strip_prefix(mnemonic)?.strip_prefix('<')?;
    let inside = inside.strip_suffix('>')?;
    (context.bytes(*dialect) == b"linalg").then(|| inside.to_owned())
}

/// The computation of a region.
struct Computed {
    steps: Vec<BodyStep>,
    /// The number of its arguments.
    arguments: usize,
    /// Whether its casts are unsigned.
    unsigned: bool,
}

/// Returns the computation of an operation's region: that of its kind, or that of the definition.
fn computed(
    context: &Context,
    name: OperationName,
    attribute: &dyn Fn(&str) -> Option<Attribute>,
) -> Option<Computed> {
    if let Some(kind) = attribute(KIND).filter(|_| has(context, name, KIND)) {
        let function = word(context, kind, "elementwise_kind")?;
        let arguments = arity(&function)?;
        let mut steps: Vec<BodyStep> = (0..arguments).map(BodyStep::Argument).collect();
        steps.push(BodyStep::Apply {
            function: function.into(),
            arguments,
        });
        return Some(Computed {
            steps,
            arguments: arguments.saturating_add(1),
            unsigned: false,
        });
    }
    let definition = context.operation_definition(name)?;
    let body = definition.body(context.release())?;
    let cast = attribute(CAST).filter(|_| has(context, name, CAST));
    let unsigned = match cast {
        None => false,
        Some(cast) => word(context, cast, "type_fn")? == "cast_unsigned",
    };
    Some(Computed {
        steps: body.steps.clone(),
        arguments: body.arguments,
        unsigned,
    })
}

/// Returns the number of operands of an elementwise function.
fn arity(function: &str) -> Option<usize> {
    const UNARY: [&str; 13] = [
        "abs",
        "ceil",
        "erf",
        "exp",
        "floor",
        "log",
        "negf",
        "reciprocal",
        "round",
        "rsqrt",
        "sqrt",
        "square",
        "tanh",
    ];
    match function {
        "select" => Some(3),
        _ if UNARY.contains(&function) => Some(1),
        _ => Some(2),
    }
}

/// Parses `= [#map, #map1]`.
fn maps(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
    parser.expect("=")?;
    let place = parser.place();
    let array = parser.attribute()?;
    match maps_of(parser.context(), Some(array)) {
        Some(_) => Ok(array),
        None => Err(AsmError::new(
            place,
            "element of indexing_maps array is not an affine_map",
        )),
    }
}

impl OperationSyntax for Named {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let name = parser.operation_name();
        let start = parser.place();
        if has(parser.context(), name, KIND) {
            parser.expect(KIND)?;
            parser.expect("=")?;
            let place = parser.place();
            let kind = parser.attribute()?;
            if word(parser.context(), kind, "elementwise_kind").is_none() {
                return Err(AsmError::new(place, "expected ElementwiseKind attribute"));
            }
            property(parser, operation, KIND, kind);
        }
        let mut said = None;
        if has(parser.context(), name, MAPS) && parser.eat(MAPS) {
            said = Some(maps(parser)?);
        }
        if parser.eat("<") {
            let place = parser.place();
            let properties = parser.attribute()?;
            parser.expect(">")?;
            let entries = parser.context().dictionary_entries(properties).to_vec();
            if entries.is_empty() {
                return Err(AsmError::new(place, "expected properties"));
            }
            operation.properties.extend(entries);
        }
        operation.attributes = parser.attribute_dictionary()?;
        let sizes = inputs_and_outputs(parser, operation)?;
        sizes_property(parser, operation, sizes);
        operation.result_types = optional_arrow_types(parser)?;
        if has(parser.context(), name, MAPS) {
            let last = operation.operands.last().copied();
            let last = last.map(|value| parser.module().value_type(value));
            let operands = operation.operands.len();
            let context = parser.context();
            let rank = last.and_then(|ty| context.shape(ty)).map(<[i64]>::len);
            if let (None, Some((dims, maps))) = (said, default_maps(context, name, operands, rank))
            {
                said = maps_attribute(context, dims, &maps);
            }
            if let Some(maps) = said {
                property(parser, operation, MAPS, maps);
            }
        }
        let operands = operation.operands.clone();
        let element_types: Vec<_> = operands
            .iter()
            .map(|&value| parser.module().value_type(value))
            .collect();
        let context = parser.context();
        let types: Vec<_> = element_types
            .iter()
            .map(|&ty| (scalar_type(context, ty), None))
            .collect();
        let entries: Vec<NamedAttribute> = [&*operation.properties, &operation.attributes].concat();
        let attribute = |name: &str| {
            let mut entries = entries.iter();
            let found = entries.find(|entry| context.bytes(entry.0) == name.as_bytes());
            found.map(|entry| entry.1)
        };
        let Some(computed) = computed(context, name, &attribute) else {
            return Err(AsmError::new(
                start,
                "what this operation computes is not known",
            ));
        };
        let needed = computed.arguments;
        if types.len() != needed {
            let message = format!(
                "[parseNamedStructuredOpRegion] ods-gen generated region expects {needed} args, got {}",
                types.len()
            );
            return Err(AsmError::new(start, message));
        }
        let Computed {
            steps, unsigned, ..
        } = computed;
        let region = body::make(parser, &types, &steps, unsigned, (start, None))?;
        operation.regions.push(region);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let name = module.name(operation);
        let attributes = module.all_attributes(context, operation);
        let kind = module.attribute(context, operation, KIND);
        let kind = kind.filter(|_| has(context, name, KIND));
        let maps = module.attribute(context, operation, MAPS);
        let maps = maps.filter(|_| has(context, name, MAPS));
        let operands: Vec<Value> = module.operands(operation).collect();
        let inputs = input_count(context, module, operation).unwrap_or_default();
        let (inputs, outputs) = operands.split_at_checked(inputs).unwrap_or_default();
        let types = result_types(module, operation);
        let is_default = default_of(context, module, operation)
            .is_some_and(|(dims, default)| are_maps(context, maps, dims, &default));
        let mut elided = vec!["operandSegmentSizes", MEMOIZED];
        if let Some(kind) = kind {
            elided.push(KIND);
            printer.text(" kind=");
            printer.attribute(kind);
        }
        if let Some(maps) = maps {
            elided.push(MAPS);
            if !is_default {
                printer.text(" indexing_maps = ");
                printer.attribute(maps);
            }
        }
        printer.attribute_dictionary(&attributes, &elided);
        print_inputs_and_outputs(printer, inputs, outputs);
        print_optional_arrow_types(printer, &types);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let name = module.name(operation);
        let attribute = |name: &str| module.attribute(context, operation, name);
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = module.result_count(operation);
        let types = scalar_types(context, module, &operands);
        let is_body = |computed: Computed| {
            let region = module.region(operation, 0);
            let Computed {
                steps, unsigned, ..
            } = &computed;
            computed.arguments == types.len()
                && body::is_body(context, module, region, &types, steps, *unsigned)
        };
        has_shape(module, operation, operands.len(), results, 1)
            && input_count(context, module, operation).is_some()
            && (!has(context, name, MAPS) || maps_of(context, attribute(MAPS)).is_some())
            && computed(context, name, &attribute).is_some_and(is_body)
    }
}

/// Returns the maps that the operation would have if its text had none.
fn default_of(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<(u32, Vec<Vec<u32>>)> {
    let operands = module.operand_count(operation);
    let last = module.operand(operation, operands.checked_sub(1)?)?;
    let rank = context.shape(module.value_type(last)).map(<[i64]>::len);
    default_maps(context, module.name(operation), operands, rank)
}
