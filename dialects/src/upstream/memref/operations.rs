//! Custom syntax of `memref.transpose`, `memref.generic_atomic_rmw` and `memref.prefetch`.

use crate::func::has_shape;
use crate::helpers::{is_single_block, property, result_types};
use crate::two_way::{Asm, Named, TwoWay, add_of_type, failure, other_attributes};
use crate::upstream::affine::access::Hints;
use rmlir_ir::affine::AffineExprKind;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind, Value,
};

/// Custom syntax of `memref.transpose`: `%in (d0, d1) -> (d1, d0) {...} : type to type`.
#[derive(Debug)]
pub(crate) struct Transpose;

/// The parsed parts of [`Transpose`].
#[derive(Default)]
pub(crate) struct TransposeContent {
    value: Named,
    map: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
    result: Option<Type>,
}

/// Returns whether an attribute is a map without symbols whose results are dimensions.
fn is_permutation(context: &Context, attribute: Attribute) -> bool {
    let AttributeKind::AffineMap(map) = context.attribute_kind(attribute) else {
        return false;
    };
    let is_dim = |&result| {
        let kind = context.affine().kind(result);
        matches!(kind, Some(AffineExprKind::Dim(_)))
    };
    map.num_symbols == 0 && map.results.iter().all(is_dim)
}

impl TwoWay for Transpose {
    type Content = TransposeContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<TransposeContent> {
        let map = module.attribute(context, operation, "permutation")?;
        let value = module.operand(operation, 0)?;
        let result = module.result(operation, 0)?;
        let fits = has_shape(module, operation, 1, 1, 0) && is_permutation(context, map);
        fits.then(|| TransposeContent {
            value: Named::of(value),
            map: Some(map),
            attributes: other_attributes(context, module, operation, &["permutation"]),
            ty: Some(module.value_type(value)),
            result: Some(module.value_type(result)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut TransposeContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.value)?;
        asm.space(" ");
        asm.affine_map(&mut content.map)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        asm.token("to", " to ")?;
        asm.ty(&mut content.result)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut TransposeContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some((map, ty)) = content.map.zip(content.ty) {
            property(parser, operation, "permutation", map);
            add_of_type(parser, operation, &[content.value], ty)?;
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.extend(content.result);
        Ok(None)
    }
}

/// An element of a memref: `%memref[%i, %j]`.
#[derive(Default)]
pub(super) struct Place {
    memref: Named,
    indices: Vec<Named>,
    pub(super) ty: Option<Type>,
}

impl Place {
    /// Returns the element that the operands denote; `None` if an index does not have type `index`.
    pub(super) fn of(context: &Context, module: &Module, operands: &[Value]) -> Option<Self> {
        let (&memref, indices) = operands.split_first()?;
        let index = context.index_type();
        let fits = indices
            .iter()
            .all(|&value| module.value_type(value) == index);
        fits.then(|| Place {
            memref: Named::of(memref),
            indices: Named::all(indices.iter().copied()),
            ty: Some(module.value_type(memref)),
        })
    }

    /// Adds the operands.
    pub(super) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<()> {
        if let Some(ty) = self.ty {
            add_of_type(parser, operation, &[self.memref], ty)?;
        }
        let index = parser.context().index_type();
        add_of_type(parser, operation, &self.indices, index)
    }
}

impl Asm<'_, '_> {
    /// `%memref[%i, %j]`, without the type.
    pub(super) fn element(&mut self, place: &mut Place) -> AsmResult<()> {
        self.value(&mut place.memref)?;
        self.values_between(("[", "]"), &mut place.indices)
    }
}

/// Custom syntax of `memref.generic_atomic_rmw`: `%memref[%i] : type {...} {...}`.
#[derive(Debug)]
pub(crate) struct GenericAtomic;

/// The parsed parts of [`GenericAtomic`] and [`Prefetch`].
#[derive(Default)]
pub(crate) struct AccessContent {
    place: Place,
    hints: Hints,
    attributes: Vec<NamedAttribute>,
}

/// Returns the type of the elements of a memref.
fn memref_element(context: &Context, ty: Option<Type>) -> Option<Type> {
    match context.type_kind(ty?) {
        TypeKind::MemRef { element, .. } => Some(*element),
        _ => None,
    }
}

impl TwoWay for GenericAtomic {
    type Content = AccessContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<AccessContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let place = Place::of(context, module, &operands)?;
        let element = memref_element(context, place.ty)?;
        let fits = has_shape(module, operation, operands.len(), 1, 1)
            && result_types(module, operation) == [element]
            && is_single_block(module, module.region(operation, 0), &[element]);
        fits.then(|| AccessContent {
            place,
            hints: Hints::default(),
            attributes: Vec::new(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AccessContent) -> AsmResult<()> {
        asm.space(" ");
        asm.element(&mut content.place)?;
        asm.token(":", " : ")?;
        let place = asm.place();
        asm.ty(&mut content.place.ty)?;
        match memref_element(asm.context(), content.place.ty) {
            Some(_) => Ok(()),
            None => Err(failure(place, "expected a memref")),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut AccessContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.place.add(parser, operation)?;
        let element = memref_element(parser.context(), content.place.ty);
        operation.result_types.extend(element);
        Ok(Some(Vec::new()))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Custom syntax of `memref.prefetch`: `%memref[%i], read, locality<3>, data {...} : type`.
#[derive(Debug)]
pub(crate) struct Prefetch;

impl TwoWay for Prefetch {
    type Content = AccessContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<AccessContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let fits = has_shape(module, operation, operands.len(), 0, 0)
            // Upstream prints other attributes, and does not read them.
            && module.discardable_attributes(context, operation).is_empty();
        let place = Place::of(context, module, &operands)?;
        let hints = Hints::of(context, module, operation)?;
        fits.then(|| AccessContent {
            place,
            hints,
            attributes: Vec::new(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AccessContent) -> AsmResult<()> {
        asm.space(" ");
        asm.element(&mut content.place)?;
        asm.prefetch_hints(&mut content.hints)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.place.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut AccessContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.hints.build(parser, operation);
        content.place.add(parser, operation)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }
}
