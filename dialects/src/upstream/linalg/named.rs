//! Named structured operations: `linalg.matmul`, `linalg.fill`, `linalg.elementwise` and the like.

use super::body;
use super::inputs_outputs::{
    InputsOutputs, input_count, scalar_type, scalar_types, sizes_property,
};
use crate::func::has_shape;
use crate::helpers::{property, result_types};
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::BodyStep;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, OperationName, Type,
    Value,
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

/// The parsed parts of [`Named`].
#[derive(Default)]
pub(crate) struct Content {
    name: Option<OperationName>,
    start: Option<usize>,
    kind: Option<Attribute>,
    /// The maps; `None` for the default ones.
    maps: Option<Attribute>,
    /// A dictionary of properties, which is not printed.
    properties: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    operands: InputsOutputs,
    types: Vec<Type>,
}

impl TwoWay for Named {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let name = module.name(operation);
        let attribute = |name: &str| module.attribute(context, operation, name);
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = result_types(module, operation);
        let types = scalar_types(context, module, &operands);
        let inputs = input_count(context, module, operation)?;
        let mut elided = vec!["operandSegmentSizes", MEMOIZED];
        let (mut kind, mut maps) = (None, None);
        if has(context, name, KIND) {
            kind = Some(attribute(KIND)?);
            elided.push(KIND);
        }
        if has(context, name, MAPS) {
            maps = attribute(MAPS);
            maps_of(context, maps)?;
            elided.push(MAPS);
            let default = default_of(context, module, operation);
            if default.is_some_and(|(dims, all)| are_maps(context, maps, dims, &all)) {
                maps = None;
            }
        }
        let computed = computed(context, name, &attribute)?;
        let region = module.region(operation, 0);
        let (steps, unsigned) = (&computed.steps, computed.unsigned);
        let fits = has_shape(module, operation, operands.len(), results.len(), 1)
            && computed.arguments == types.len()
            && body::is_body(context, module, region, &types, steps, unsigned);
        let operands = InputsOutputs::of(module, &operands, inputs)?;
        fits.then(|| Content {
            name: Some(name),
            start: None,
            kind,
            maps,
            properties: None,
            attributes: other_attributes(context, module, operation, &elided),
            operands,
            types: results,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.operation_name(&mut content.name);
        content.start = asm.place();
        let [has_kind, has_maps] = [KIND, MAPS].map(|attribute| {
            let mut name = content.name.into_iter();
            name.any(|name| has(asm.context(), name, attribute))
        });
        if has_kind {
            asm.token(KIND, " kind")?;
            asm.token("=", "=")?;
            let place = asm.place();
            asm.attribute(&mut content.kind)?;
            let is_kind = |kind| word(asm.context(), kind, "elementwise_kind").is_some();
            if !content.kind.is_some_and(is_kind) {
                return Err(failure(place, "expected ElementwiseKind attribute"));
            }
        }
        if has_maps && asm.is_there(MAPS, content.maps.is_some()) {
            asm.token(MAPS, " indexing_maps")?;
            asm.token("=", " = ")?;
            let place = asm.place();
            asm.attribute(&mut content.maps)?;
            if maps_of(asm.context(), content.maps).is_none() {
                let message = "element of indexing_maps array is not an affine_map";
                return Err(failure(place, message));
            }
        }
        if asm.is_there("<", content.properties.is_some()) {
            asm.token("<", "<")?;
            let place = asm.place();
            asm.attribute(&mut content.properties)?;
            asm.token(">", ">")?;
            let context = asm.context();
            let is_empty = |properties| context.dictionary_entries(properties).is_empty();
            if content.properties.is_none_or(is_empty) {
                return Err(failure(place, "expected properties"));
            }
        }
        asm.dictionary(&mut content.attributes)?;
        asm.inputs_and_outputs(&mut content.operands)?;
        asm.optional_arrow_types(&mut content.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let name = parser.operation_name();
        let start = content.start.unwrap_or_default();
        if let Some(kind) = content.kind {
            property(parser, operation, KIND, kind);
        }
        if let Some(properties) = content.properties {
            let entries = parser.context().dictionary_entries(properties);
            operation.properties.extend_from_slice(entries);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let sizes = content.operands.add(parser, operation)?;
        sizes_property(parser, operation, sizes);
        operation.result_types = std::mem::take(&mut content.types);
        let InputsOutputs { inputs, outputs } = &content.operands;
        let types: Vec<Type> = inputs.types.iter().chain(&outputs.types).copied().collect();
        let context = parser.context();
        if has(context, name, MAPS) {
            let last = types.last().copied();
            let rank = last.and_then(|ty| context.shape(ty)).map(<[i64]>::len);
            let default = || default_maps(context, name, types.len(), rank);
            let maps = match content.maps {
                Some(maps) => Some(maps),
                None => match default() {
                    Some((dims, maps)) => maps_attribute(context, dims, &maps),
                    None => None,
                },
            };
            if let Some(maps) = maps {
                property(parser, operation, MAPS, maps);
            }
        }
        let context = parser.context();
        let scalar = |&ty: &Type| (scalar_type(context, ty), None);
        let arguments: Vec<_> = types.iter().map(scalar).collect();
        let attribute = |name: &str| {
            let mut entries = operation.properties.iter().chain(&operation.attributes);
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
        let region = body::make(parser, &arguments, &steps, unsigned, (start, None))?;
        operation.regions.push(region);
        Ok(None)
    }

    fn shows_region(&self, _: &Content) -> bool {
        false
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
