//! `vector.outerproduct` and `vector.shuffle`: operations whose result type several operand types
//! determine.

use crate::func::has_shape;
use crate::helpers::{add_operands, check_count, integer_of, numbers, property};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure, items, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type, TypeKind};

/// Custom syntax of `vector.outerproduct`: `%a, %b[, %acc] {...} : type, type`.
#[derive(Debug)]
pub(crate) struct OuterProduct;

/// Returns the type of an outer product: a matrix for two vectors, the vector's type for a vector
/// and a scalar.
fn product(context: &Context, left: Type, right: Type) -> Option<TypeKind> {
    let TypeKind::Vector {
        shape,
        scalable,
        element,
    } = context.type_kind(left)
    else {
        return None;
    };
    let (mut shape, mut scalable) = (shape.to_vec(), scalable.to_vec());
    if let TypeKind::Vector {
        shape: other,
        scalable: other_scalable,
        ..
    } = context.type_kind(right)
    {
        shape.extend_from_slice(other);
        scalable.extend_from_slice(other_scalable);
    }
    Some(TypeKind::Vector {
        shape: shape.into(),
        scalable: scalable.into(),
        element: *element,
    })
}

/// As [`product`], interned.
fn product_type(context: &mut Context, left: Type, right: Type) -> Option<Type> {
    let kind = product(context, left, right)?;
    context.try_type(kind).ok()
}

/// The parsed parts of [`OuterProduct`].
#[derive(Default)]
pub(crate) struct ProductContent {
    operands: Vec<Named>,
    attributes: Vec<NamedAttribute>,
    type_place: Option<usize>,
    left: Option<Type>,
    right: Option<Type>,
}

impl TwoWay for OuterProduct {
    type Content = ProductContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ProductContent> {
        let operands = TypedValues::operands(module, operation);
        let [left, right, ref rest @ ..] = operands.types[..] else {
            return None;
        };
        let result = module.value_type(module.result(operation, 0)?);
        let fits = has_shape(module, operation, operands.values.len(), 1, 0)
            && (rest.is_empty() || rest == [result])
            && product(context, left, right).as_ref() == Some(context.type_kind(result));
        // Without a third operand, the kind has no effect and is omitted.
        let elided: &[&str] = if rest.is_empty() { &["kind"] } else { &[] };
        fits.then(|| ProductContent {
            operands: operands.values,
            attributes: other_attributes(context, module, operation, elided),
            type_place: None,
            left: Some(left),
            right: Some(right),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ProductContent) -> AsmResult<()> {
        asm.space(" ");
        let place = asm.place();
        asm.values(&mut content.operands)?;
        if content.operands.len() < 2 {
            return Err(failure(place, "expected at least 2 operands"));
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.ty(&mut content.left)?;
        let mut follows = true;
        asm.optional(",", ", ", &mut follows);
        if !follows {
            return Err(failure(content.type_place, "expected 2 types"));
        }
        asm.ty(&mut content.right)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ProductContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let pair = content.left.zip(content.right);
        let result = pair.and_then(|(left, right)| product_type(parser.context(), left, right));
        let message = "expected vector type for operand #1";
        let result = result.ok_or_else(|| failure(content.type_place, message))?;
        let types = pair
            .into_iter()
            .flat_map(|(left, right)| [left, right, result]);
        let names = Named::names(&content.operands);
        add_operands(parser, operation, names.into_iter().zip(types))?;
        operation.result_types.push(result);
        Ok(None)
    }
}

/// Custom syntax of `vector.shuffle`: `%a, %b [0, 1] {...} : type, type`.
#[derive(Debug)]
pub(crate) struct Shuffle;

/// Returns the type of a shuffle: one element for each number of the mask, with all dimensions but
/// the first.
fn shuffled(context: &Context, first: Type, count: usize) -> Option<TypeKind> {
    let TypeKind::Vector { shape, element, .. } = context.type_kind(first) else {
        return None;
    };
    let mut sizes = vec![i64::try_from(count).ok()?];
    sizes.extend(shape.iter().skip(1));
    Some(TypeKind::Vector {
        scalable: vec![false; sizes.len()].into(),
        shape: sizes.into(),
        element: *element,
    })
}

/// The parsed parts of [`Shuffle`].
#[derive(Default)]
pub(crate) struct ShuffleContent {
    place: Option<usize>,
    operands: TypedValues,
    mask: Vec<i64>,
    attributes: Vec<NamedAttribute>,
    type_place: Option<usize>,
}

impl TwoWay for Shuffle {
    type Content = ShuffleContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ShuffleContent> {
        let operands = TypedValues::operands(module, operation);
        let mask = module.attribute(context, operation, "mask");
        let mask = match context.release().has(LlvmFeature::DenseMasks) {
            true => numbers(context, mask)?,
            false => {
                let ty = context.i64_type();
                let numbers = items(context, mask)?.iter();
                let numbers = numbers.map(|&number| integer_of(context, ty, Some(number)));
                numbers.collect::<Option<_>>()?
            }
        };
        let kind = shuffled(context, *operands.types.first()?, mask.len())?;
        let result = module.value_type(module.result(operation, 0)?);
        let fits = has_shape(module, operation, 2, 1, 0) && *context.type_kind(result) == kind;
        fits.then(|| ShuffleContent {
            operands,
            mask,
            attributes: other_attributes(context, module, operation, &["mask"]),
            ..ShuffleContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ShuffleContent) -> AsmResult<()> {
        asm.space(" ");
        content.place = asm.place();
        asm.values(&mut content.operands.values)?;
        asm.integers_between((" [", "]"), &mut content.mask)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.types(&mut content.operands.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ShuffleContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (names, types) = (&content.operands.values, &content.operands.types);
        let context = parser.context();
        let mask = match context.release().has(LlvmFeature::DenseMasks) {
            true => context.i64_array_attribute(content.mask.iter().copied()),
            false => {
                let ty = context.i64_type();
                let numbers = content.mask.iter();
                let numbers = numbers.filter_map(|&at| context.integer_attribute(ty, at).ok());
                let numbers: Vec<Attribute> = numbers.collect();
                context.array_attribute(&numbers)
            }
        };
        property(parser, operation, "mask", mask);
        operation.attributes = std::mem::take(&mut content.attributes);
        check_count(names.len(), types.len(), content.place.unwrap_or_default())?;
        let context = parser.context();
        let first = types.first();
        let kind = first.and_then(|&first| shuffled(context, first, content.mask.len()));
        let result = kind.and_then(|kind| context.try_type(kind).ok());
        let result = result.ok_or_else(|| failure(content.type_place, "expected vector types"))?;
        content.operands.add(parser, operation)?;
        operation.result_types.push(result);
        Ok(None)
    }

    fn has_format(&self) -> bool {
        true
    }
}
