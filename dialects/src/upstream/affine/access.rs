//! Custom syntax of loads, stores and prefetches whose subscripts are affine expressions.

use super::maps::{Expressions, map_of};
use crate::func::has_shape;
use crate::helpers::{integer_of, property, result_types};
use crate::two_way::{Asm, Named, Syntax, TwoWay, add_of_type, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type, Value};

/// The access that an operation performs at the subscripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Loads a value from the memref; the value is the result.
    Load,
    /// Stores a value, the first operand, to the memref.
    Store,
    /// Prefetches; hints follow the subscripts: `, read|write, locality<n>, data|instr`.
    Prefetch,
}

/// Custom syntax of `affine.load`, `affine.store`, `affine.prefetch`, and, if `vector`, of
/// `affine.vector_load` and `affine.vector_store`: `[%value, ]%memref[subscripts][hints] {...} :
/// memref type[, vector type]`.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) action: Action,
    pub(crate) vector: bool,
}

impl Access {
    pub(crate) const fn new(action: Action, vector: bool) -> Syntax<Self> {
        Syntax(Access { action, vector })
    }
}

/// The attributes of a prefetch that its hints print.
pub(crate) const PREFETCH: [&str; 3] = ["isWrite", "localityHint", "isDataCache"];

/// The hints of a prefetch.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hints {
    /// 1 for a write.
    write: usize,
    locality: Option<Attribute>,
    /// 1 for the data cache.
    data: usize,
}

impl Hints {
    /// Returns the hints of an operation; `None` if one is absent or has another type.
    pub(crate) fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        let [write, locality, data] =
            PREFETCH.map(|name| module.attribute(context, operation, name));
        let flag = |value| {
            let value = integer_of(context, context.i1_type(), value)?;
            Some(usize::from(value != 0))
        };
        integer_of(context, context.i32_type(), locality)?;
        Some(Hints {
            write: flag(write)?,
            locality,
            data: flag(data)?,
        })
    }

    /// Sets the attributes.
    pub(crate) fn build(&self, parser: &mut dyn AsmParser, operation: &mut ParsedOperation) {
        let [write, data] =
            [self.write, self.data].map(|value| parser.context().bool_attribute(value == 1));
        let values = [Some(write), self.locality, Some(data)];
        for (name, value) in PREFETCH.into_iter().zip(values) {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
    }
}

impl Asm<'_, '_> {
    /// `, read, locality<3>, data`.
    pub(crate) fn prefetch_hints(&mut self, hints: &mut Hints) -> AsmResult<()> {
        self.token(",", ", ")?;
        let found = self.choice(&["read", "write"], &mut hints.write);
        found.map_err(|error| error.saying("rw specifier has to be 'read' or 'write'"))?;
        self.token(",", ", ")?;
        self.token("locality", "locality")?;
        self.token("<", "<")?;
        let ty = self.context().i32_type();
        self.attribute_of(Some(ty), &mut hints.locality)?;
        self.token(">", ">")?;
        self.token(",", ", ")?;
        let found = self.choice(&["instr", "data"], &mut hints.data);
        found.map_err(|error| error.saying("cache type has to be 'data' or 'instr'"))
    }
}

/// The parsed parts of [`Access`].
#[derive(Default)]
pub(crate) struct Content {
    /// The value that is stored.
    value: Named,
    memref: Named,
    subscripts: Expressions,
    hints: Hints,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
    /// The vector type.
    vector: Option<Type>,
}

impl TwoWay for Access {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let map = map_of(context, module.attribute(context, operation, "map"))?;
        let operands: Vec<Value> = module.operands(operation).collect();
        let before = usize::from(self.action == Action::Store);
        let (value, places) = operands.split_at_checked(before)?;
        let (&memref, indices) = places.split_first()?;
        let ty = module.value_type(memref);
        let element = context.element_type(ty)?;
        let results = result_types(module, operation);
        let mut hints = Hints::default();
        let mut elided = vec!["map"];
        let value_type = match self.action {
            Action::Load => results.first().copied(),
            Action::Store => value.first().map(|&value| module.value_type(value)),
            Action::Prefetch => {
                elided.extend(PREFETCH);
                hints = Hints::of(context, module, operation)?;
                None
            }
        };
        let count = usize::from(self.action == Action::Load);
        let has_type = value_type == Some(element) || self.action == Action::Prefetch;
        let fits =
            has_shape(module, operation, operands.len(), count, 0) && (self.vector || has_type);
        let groups = [map.results.len()];
        let subscripts = Expressions::of(context, module, map, indices, &groups)?;
        fits.then(|| Content {
            value: value.first().copied().map(Named::of).unwrap_or_default(),
            memref: Named::of(memref),
            subscripts,
            hints,
            attributes: other_attributes(context, module, operation, &elided),
            ty: Some(ty),
            vector: value_type,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        if self.action == Action::Store {
            asm.value(&mut content.value)?;
            asm.token(",", ", ")?;
        }
        asm.value(&mut content.memref)?;
        asm.subscripts(&mut content.subscripts)?;
        if self.action == Action::Prefetch {
            asm.prefetch_hints(&mut content.hints)?;
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        let place = asm.place();
        asm.ty(&mut content.ty)?;
        let element = content.ty.and_then(|ty| asm.context().element_type(ty));
        if element.is_none() {
            let message = "invalid kind of type specified: expected builtin.memref";
            return Err(failure(place, message));
        }
        if self.vector {
            asm.token(",", ", ")?;
            asm.ty(&mut content.vector)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let map = content.subscripts.map(parser.context());
        property(parser, operation, "map", map);
        if self.action == Action::Prefetch {
            content.hints.build(parser, operation);
        }
        let element = content.ty.and_then(|ty| parser.context().element_type(ty));
        let value_type = content.vector.or(element);
        if let Some((ty, value_type)) = content.ty.zip(value_type) {
            add_of_type(parser, operation, &[content.value], value_type)?;
            add_of_type(parser, operation, &[content.memref], ty)?;
            if self.action == Action::Load {
                operation.result_types.push(value_type);
            }
        }
        content.subscripts.add(parser, operation)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }
}
