//! The syntax of `vm.call.variadic`, `vm.cond_fail`, `util.hoistable_conversion` and of blocks of
//! `hal.executable`.

use crate::func::has_shape;
use crate::function::{is_body, is_entry, types_of};
use crate::helpers::{
    add_operands, check_count, dense_integers, entry_arguments, is_single_block, operand_types,
    property, region_arguments, result_types, typed,
};
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{Asm, Named, TwoWay, failure, items, other_attributes, plain_string};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Signedness, Type,
    TypeKind, Value,
};

/// The syntax of `vm.call.variadic`: `@f(%a, [%b, %c], [(%d, %e)]) : (i32, i32 ..., tuple<i32,
/// i32> ...) -> i32`.
#[derive(Debug)]
pub(crate) struct CallVariadic;

/// The parsed parts of [`CallVariadic`].
#[derive(Default)]
pub(crate) struct CallContent {
    callee: Option<Attribute>,
    /// The offset of the segments.
    place: usize,
    segments: Vec<Segment>,
    attributes: Vec<NamedAttribute>,
    types: Vec<SegmentType>,
    results: Vec<Type>,
}

/// An argument of a call: an operand, or a list of them or of tuples.
#[derive(Default)]
struct Segment {
    operand: Named,
    list: Option<Vec<Element>>,
}

/// An element of a list in a call: an operand, or a tuple of them.
#[derive(Default)]
struct Element {
    operand: Named,
    tuple: Option<Vec<Named>>,
}

/// The type of a segment, and whether it is a list.
#[derive(Default)]
struct SegmentType {
    ty: Option<Type>,
    several: bool,
}

impl Segment {
    /// Returns a segment to be printed, with the operands that it takes.
    fn of(context: &Context, (size, ty): (i64, Type), own: &[Named]) -> Self {
        if size < 0 {
            return Segment {
                operand: own.first().copied().unwrap_or_default(),
                list: None,
            };
        }
        let list = match context.type_kind(ty) {
            TypeKind::Tuple(types) => own
                .chunks(types.len().max(1))
                .map(|tuple| Element {
                    operand: Named::default(),
                    tuple: Some(tuple.to_vec()),
                })
                .collect(),
            _ => own
                .iter()
                .map(|&operand| Element {
                    operand,
                    tuple: None,
                })
                .collect(),
        };
        Segment {
            operand: Named::default(),
            list: Some(list),
        }
    }

    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if !asm.is_there("[", self.list.is_some()) {
            return asm.value(&mut self.operand);
        }
        let list = self.list.get_or_insert_default();
        asm.list(("[", "]"), list, |asm, element| {
            match asm.is_there("(", element.tuple.is_some()) {
                true => asm.values_between(("(", ")"), element.tuple.get_or_insert_default()),
                false => asm.value(&mut element.operand),
            }
        })
    }

    /// Returns the number of elements; -1 for an operand.
    fn size(&self) -> i64 {
        let size = self.list.as_ref().map(Vec::len);
        size.map_or(-1, |size| i64::try_from(size).unwrap_or(i64::MAX))
    }

    /// Returns the operands that were read.
    fn operands(&self) -> Vec<Named> {
        let Some(list) = &self.list else {
            return vec![self.operand];
        };
        let each = |element: &Element| match &element.tuple {
            Some(tuple) => tuple.clone(),
            None => vec![element.operand],
        };
        list.iter().flat_map(each).collect()
    }
}

/// The segments of a call: their sizes and types.
fn segments(context: &Context, module: &Module, operation: Operation) -> Option<Vec<(i64, Type)>> {
    let sizes = module.attribute(context, operation, "segment_sizes")?;
    let types = items(
        context,
        module.attribute(context, operation, "segment_types"),
    )?;
    let AttributeKind::DenseElements { ty, .. } = context.attribute_kind(sizes) else {
        return None;
    };
    let TypeKind::Vector { element, shape, .. } = context.type_kind(*ty) else {
        return None;
    };
    if !matches!(
        context.type_kind(*element),
        TypeKind::Integer { width: 16, .. }
    ) || shape.len() != 1
    {
        return None;
    }
    let sizes = context.dense_integers(sizes)?;
    let types = types.iter().map(|&ty| match context.attribute_kind(ty) {
        AttributeKind::Type(ty) => Some(*ty),
        _ => None,
    });
    let types: Vec<Type> = types.collect::<Option<_>>()?;
    (sizes.len() == types.len()).then(|| sizes.into_iter().zip(types).collect())
}

/// Returns the types of the operands of a segment.
fn types_of_segment(context: &Context, (size, ty): (i64, Type)) -> Option<Vec<Type>> {
    let Ok(count) = usize::try_from(size) else {
        return Some(vec![ty]);
    };
    let each = match context.type_kind(ty) {
        TypeKind::Tuple(types) => types.to_vec(),
        _ => vec![ty],
    };
    // A size that no operation has is not expanded.
    (count <= usize::from(u16::MAX)).then(|| each.repeat(count))
}

impl TwoWay for CallVariadic {
    type Content = CallContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CallContent> {
        let callee = module.attribute(context, operation, "callee")?;
        let AttributeKind::SymbolRef { nested, .. } = context.attribute_kind(callee) else {
            return None;
        };
        let mut content = CallContent {
            callee: Some(callee),
            results: result_types(module, operation),
            attributes: other_attributes(
                context,
                module,
                operation,
                &["callee", "segment_sizes", "segment_types"],
            ),
            ..CallContent::default()
        };
        let mut operands = module.operands(operation);
        let mut types = Vec::new();
        for segment in segments(context, module, operation)? {
            // Empty tuples leave no trace of their number.
            let is_empty =
                matches!(context.type_kind(segment.1), TypeKind::Tuple(t) if t.is_empty());
            if segment.0 < -1 || is_empty && segment.0 >= 0 {
                return None;
            }
            let own = types_of_segment(context, segment)?;
            let values = Named::all(operands.by_ref().take(own.len()));
            types.extend(own);
            content
                .segments
                .push(Segment::of(context, segment, &values));
            content.types.push(SegmentType {
                ty: Some(segment.1),
                several: segment.0 >= 0,
            });
        }
        (nested.is_empty()
            && types == operand_types(module, operation, 0)
            && has_shape(module, operation, types.len(), content.results.len(), 0))
        .then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CallContent) -> AsmResult<()> {
        asm.space(" ");
        asm.attribute(&mut content.callee)?;
        content.place = asm.place().unwrap_or_default();
        asm.list(("(", ")"), &mut content.segments, |asm, segment| {
            segment.text(asm)
        })?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.list(("(", ")"), &mut content.types, |asm, one| {
            asm.ty(&mut one.ty)?;
            asm.optional("...", " ...", &mut one.several);
            Ok(())
        })?;
        asm.optional_arrow_types(&mut content.results)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CallContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (segments, place) = (&content.segments, content.place);
        if let Some(callee) = content.callee {
            property(parser, operation, "callee", callee);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        check_count(segments.len(), content.types.len(), place)?;
        let (mut sizes, mut types) = (Vec::new(), Vec::new());
        for (segment, of) in segments.iter().zip(&content.types) {
            let (size, several) = (segment.size(), of.several);
            let Some(ty) = of.ty.filter(|_| several == (size >= 0)) else {
                return Err(AsmError::new(place, "expected a list for a variadic type"));
            };
            let own = types_of_segment(parser.context(), (size, ty)).unwrap_or_default();
            let names = Named::names(&segment.operands());
            check_count(names.len(), own.len(), place)?;
            add_operands(parser, operation, typed(&names, &own))?;
            sizes.push(size);
            types.push(parser.context().type_attribute(ty));
        }
        operation.result_types = std::mem::take(&mut content.results);
        let context = parser.context();
        let types = context.array_attribute(&types);
        let i16 = context.try_type(TypeKind::Integer {
            width: 16,
            signedness: Signedness::Signless,
        });
        let sizes = i16
            .ok()
            .and_then(|i16| dense_integers(context, i16, &sizes, true));
        property(parser, operation, "segment_types", types);
        if let Some(sizes) = sizes {
            property(parser, operation, "segment_sizes", sizes);
        }
        Ok(None)
    }
}

/// The syntax of `vm.cond_fail`: `%status, "message"`, `%condition, %status`.
#[derive(Debug)]
pub(crate) struct CondFail;

/// The parsed parts of [`CondFail`].
#[derive(Default)]
pub(crate) struct Failure {
    condition: Named,
    /// The status, unless it is the condition.
    status: Option<Named>,
    message: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for CondFail {
    type Content = Failure;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Failure> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let [condition, status] = *operands else {
            return None;
        };
        let message = module.attribute(context, operation, "message");
        let i32 = context.i32_type();
        let is_string =
            message.is_none_or(|message| plain_string(context, Some(message)).is_some());
        (is_string
            && has_shape(module, operation, 2, 0, 0)
            && module.value_type(condition) == i32
            && module.value_type(status) == i32)
            .then(|| Failure {
                condition: Named::of(condition),
                status: (status != condition).then(|| Named::of(status)),
                message,
                attributes: other_attributes(context, module, operation, &["message"]),
            })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Failure) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.condition)?;
        let mut more = content.status.is_some() || content.message.is_some();
        asm.optional(",", ", ", &mut more);
        if more && asm.is_value_there(content.status.is_some()) {
            asm.value(content.status.get_or_insert_default())?;
            more = content.message.is_some();
            asm.optional(",", ", ", &mut more);
        }
        if more {
            asm.attribute(&mut content.message)?;
        }
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Failure,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(message) = content.message {
            property(parser, operation, "message", message);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let i32 = parser.context().i32_type();
        let status = content.status.unwrap_or(content.condition);
        let names = Named::names(&[content.condition, status]);
        add_operands(parser, operation, typed(&names, &[i32, i32]))?;
        Ok(None)
    }
}

/// The syntax of `util.hoistable_conversion`: `"tag" inverts("other") (%a = %b) : (i32) -> i64
/// {...} {...}`.
#[derive(Debug)]
pub(crate) struct Conversion;

/// The parsed parts of [`Conversion`].
#[derive(Default)]
pub(crate) struct ConversionContent {
    tags: [Option<Attribute>; 2],
    /// The offset of the pairs.
    place: usize,
    /// The arguments of the region, and the operands.
    pairs: Vec<(Named, Named)>,
    types: Vec<Type>,
    results: Vec<Type>,
}

const TAGS: [&str; 2] = ["tag", "inverseTag"];

impl TwoWay for Conversion {
    type Content = ConversionContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ConversionContent> {
        let types = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let tags = TAGS.map(|name| module.attribute(context, operation, name));
        let are_strings = tags.iter().all(|&tag| plain_string(context, tag).is_some());
        let arguments = Named::all(entry_arguments(module, operation, 0));
        let operands = Named::all(module.operands(operation));
        (are_strings
            && has_shape(module, operation, types.len(), results.len(), 1)
            && is_single_block(module, module.region(operation, 0), &types))
        .then(|| ConversionContent {
            tags,
            place: 0,
            pairs: arguments.into_iter().zip(operands).collect(),
            types,
            results,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ConversionContent) -> AsmResult<()> {
        let [tag, inverse] = &mut content.tags;
        asm.space(" ");
        asm.attribute(tag)?;
        asm.token("inverts", " inverts")?;
        asm.token("(", "(")?;
        asm.attribute(inverse)?;
        asm.token(")", ")")?;
        asm.space(" ");
        content.place = asm.place().unwrap_or_default();
        asm.assignments(&mut content.pairs)?;
        asm.token(":", " : ")?;
        let place = asm.place();
        if !asm.function_type(&mut content.types, &mut content.results)? {
            return Err(failure(place, "expected function type"));
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ConversionContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        for (name, value) in TAGS.into_iter().zip(content.tags) {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        let types = &content.types;
        let (arguments, operands): (Vec<Named>, Vec<Named>) = content.pairs.iter().copied().unzip();
        check_count(operands.len(), types.len(), content.place)?;
        add_operands(parser, operation, typed(&Named::names(&operands), types))?;
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Some(region_arguments(&Named::names(&arguments), types)))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&TAGS)
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// The syntax of `hal.executable.constant.block`, `(%a: type) -> (i32, i32) as ("a", "b")
/// attributes {...} {...}`, or without `keys` of `hal.executable.condition`, `(%a: type) -> i1
/// {...} attributes {...}`.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) keys: bool,
}

/// The parsed parts of [`Block`].
#[derive(Default)]
pub(crate) struct BlockContent {
    /// The offset of the text.
    place: usize,
    signature: FunctionSignature,
    keys: Vec<Option<Attribute>>,
    attributes: Vec<NamedAttribute>,
}

/// The attributes that the text has outside of the dictionary.
const OF_BLOCK: [&str; 4] = ["function_type", "keys", "arg_attrs", "res_attrs"];

impl TwoWay for Block {
    type Content = BlockContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<BlockContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, outputs) = types_of(context, attribute("function_type"))?;
        let fits = has_shape(module, operation, 0, 0, 1)
            && is_body(module, operation, inputs)
            && is_entry(module, operation);
        if !fits {
            return None;
        }
        let keys = match self.keys {
            true => items(context, attribute("keys")).filter(|keys| keys.len() == outputs.len())?,
            false => &[],
        };
        let some = |types: &[Type]| types.iter().copied().map(Some).collect::<Vec<_>>();
        let (inputs, outputs) = (some(inputs), some(outputs));
        Some(BlockContent {
            place: 0,
            signature: FunctionSignature::of(context, module, operation, inputs, outputs)?,
            keys: keys.iter().copied().map(Some).collect(),
            attributes: other_attributes(context, module, operation, &OF_BLOCK),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut BlockContent) -> AsmResult<()> {
        content.place = asm.place().unwrap_or_default();
        asm.signature(&mut content.signature, false)?;
        if !self.keys {
            return Ok(());
        }
        asm.token("as", " as ")?;
        asm.one_or_list(("(", ")"), &mut content.keys, Asm::attribute)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut BlockContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (signature, keys) = (&content.signature, &content.keys);
        let function_type = signature.function_type(parser.context());
        property(parser, operation, "function_type", function_type);
        if self.keys {
            check_count(signature.results.len(), keys.len(), content.place)?;
            let keys: Vec<Attribute> = keys.iter().copied().flatten().collect();
            let keys = parser.context().array_attribute(&keys);
            property(parser, operation, "keys", keys);
            operation.attributes = std::mem::take(&mut content.attributes);
        }
        signature.set_attributes(parser, operation)?;
        Ok(Some(signature.entry_arguments(parser)))
    }

    fn continues(&self) -> bool {
        !self.keys
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut BlockContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.dictionary_with_keyword(&mut content.attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut BlockContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}
