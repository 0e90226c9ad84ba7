//! Custom syntax of `affine.dma_start` and `affine.dma_wait`.

use super::maps::{Expressions, are_indices, map_of};
use crate::func::has_shape;
use crate::two_way::{Asm, Named, Syntax, TwoWay, add_of_type, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind, Value};

/// Custom syntax of `affine.dma_start` and `affine.dma_wait`:
/// `%a[%i], %b[%j], %n, %stride, %elements : types`. It starts with one or more memrefs with
/// subscripts, whose maps are attributes, and the number of elements. If `strides`, a stride and
/// the number of elements per stride may follow.
#[derive(Debug)]
pub(crate) struct Transfer {
    /// The names of the attributes that hold the maps, in order of the memrefs.
    pub(crate) maps: &'static [&'static str],
    /// Whether a stride may follow.
    pub(crate) strides: bool,
}

/// Custom syntax of `affine.dma_start`.
pub(crate) static START: Syntax<Transfer> = Syntax(Transfer {
    maps: &["src_map", "dst_map", "tag_map"],
    strides: true,
});

/// Custom syntax of `affine.dma_wait`.
pub(crate) static WAIT: Syntax<Transfer> = Syntax(Transfer {
    maps: &["tag_map"],
    strides: false,
});

/// A memref with its subscripts.
#[derive(Default)]
pub(crate) struct Place {
    memref: Named,
    subscripts: Expressions,
    ty: Option<Type>,
}

/// The parsed parts of [`Transfer`].
#[derive(Default)]
pub(crate) struct Content {
    places: Vec<Place>,
    /// The number of elements, a stride and the number of elements per stride.
    rest: Vec<Named>,
}

impl Transfer {
    /// Returns whether so many operands can follow the memrefs.
    fn fits(&self, rest: usize) -> bool {
        rest == 1 || self.strides && rest == 3
    }
}

impl TwoWay for Transfer {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let mut rest = operands.as_slice();
        let mut places = Vec::new();
        for name in self.maps {
            let map = map_of(context, module.attribute(context, operation, name))?;
            let count = (map.num_dims as usize).checked_add(map.num_symbols as usize)?;
            let (&memref, others) = rest.split_first()?;
            let (indices, others) = others.split_at_checked(count)?;
            rest = others;
            let ty = module.value_type(memref);
            if !matches!(context.type_kind(ty), TypeKind::MemRef { .. }) {
                return None;
            }
            let groups = [map.results.len()];
            places.push(Place {
                memref: Named::of(memref),
                subscripts: Expressions::of(context, module, map, indices, &groups)?,
                ty: Some(ty),
            });
        }
        let fits = self.fits(rest.len())
            && has_shape(module, operation, operands.len(), 0, 0)
            && module.all_attributes(context, operation).len() == self.maps.len()
            && are_indices(context, module, rest);
        fits.then(|| Content {
            places,
            rest: Named::all(rest.iter().copied()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        content.places.resize_with(self.maps.len(), Place::default);
        asm.space(" ");
        for place in &mut content.places {
            asm.value(&mut place.memref)?;
            asm.subscripts(&mut place.subscripts)?;
            asm.token(",", ", ")?;
        }
        asm.values(&mut content.rest)?;
        if !self.fits(content.rest.len()) {
            let message = match self.strides {
                true => "expected stride and number of elements per stride",
                false => "expected number of elements",
            };
            return Err(failure(asm.place(), message));
        }
        asm.token(":", " : ")?;
        for (number, place) in content.places.iter_mut().enumerate() {
            if number > 0 {
                asm.token(",", ", ")?;
            }
            asm.ty(&mut place.ty)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        for (name, place) in self.maps.iter().zip(&content.places) {
            // If the definition does not declare such an inherent attribute, it is a discardable
            // one.
            let map = place.subscripts.map(parser.context());
            let name = parser.context().identifier(name);
            operation.attributes.push((name, map));
            if let Some(ty) = place.ty {
                add_of_type(parser, operation, &[place.memref], ty)?;
            }
            place.subscripts.add(parser, operation)?;
        }
        let index = parser.context().index_type();
        add_of_type(parser, operation, &content.rest, index)?;
        Ok(None)
    }
}
