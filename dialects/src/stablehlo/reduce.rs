//! The syntax of `stablehlo.reduce`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, check_count, is_single_block, operand_types, property, result_types, typed,
};
use crate::two_way::{Argument, Asm, Named, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Context, Module, NamedAttribute, Operation, OperationTraits, Type, TypeKind, Value,
};

/// The syntax of `stablehlo.reduce`: `(%a init: %b) [applies OPERATION] across dimensions = [0]
/// {...} : types [reducer(%x: type, %y: type) {...}]`.
#[derive(Debug)]
pub(crate) struct Reduce {
    /// The prefix of operations that the short form can denote.
    prefix: &'static str,
    /// The terminator of the body.
    end: &'static str,
    /// Whether the dimensions are stored as dense elements instead of a dense array.
    elements: bool,
}

/// The syntax of `stablehlo.reduce`.
pub(crate) const REDUCE: Reduce = Reduce {
    prefix: "stablehlo.",
    end: "stablehlo.return",
    elements: false,
};

/// The syntax of `mhlo.reduce`.
pub(crate) const MHLO: Reduce = Reduce {
    prefix: "mhlo.",
    end: "mhlo.return",
    elements: true,
};

impl Reduce {
    /// Returns the dimensions, if they are stored as this operation stores them.
    fn dimensions(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Vec<i64>> {
        let dimensions = module.attribute(context, operation, "dimensions");
        if !self.elements {
            return crate::helpers::numbers(context, dimensions);
        }
        let rmlir_ir::AttributeKind::DenseElements { ty, .. } = context.attribute_kind(dimensions?)
        else {
            return None;
        };
        match context.type_kind(*ty) {
            TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            } if shape.len() == 1 && *element == context.i64_type() => {
                context.dense_integers(dimensions?)
            }
            _ => None,
        }
    }
}

/// The parsed parts of [`Reduce`].
#[derive(Default)]
pub(crate) struct Reduction {
    /// The offset of the text.
    place: usize,
    /// Inputs and initial values.
    pairs: Vec<(Named, Named)>,
    applied: Option<Applied>,
    dimensions: Vec<i64>,
    attributes: Vec<NamedAttribute>,
    /// The offset of the types.
    type_place: Option<usize>,
    types: Vec<Type>,
    results: Vec<Type>,
    /// The arguments of the body: elements and accumulators.
    arguments: Vec<(Argument, Argument)>,
}

/// The name of the only operation of the body.
#[derive(Default)]
struct Applied {
    place: Option<usize>,
    name: Vec<u8>,
}

impl Applied {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        self.place = asm.place();
        asm.bare_keyword(&mut self.name, "expected operation name")
    }
}

/// Returns the rank-0 tensor type with a shaped type's element type.
fn scalar(context: &mut Context, ty: Type) -> Option<Type> {
    let kind = TypeKind::RankedTensor {
        shape: Box::default(),
        element: context.element_type(ty)?,
        encoding: None,
    };
    context.try_type(kind).ok()
}

/// Returns the only operation of the body, if the short form can denote it by its name.
fn applied(
    syntax: &Reduce,
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<Operation> {
    let region = module.region(operation, 0)?;
    let block = module.first_block(region)?;
    let arguments: Vec<Value> = module.arguments(block).map(|(value, _)| value).collect();
    let inner = module.first_operation(block)?;
    let last = module.next_operation(inner)?;
    let result = module.result(inner, 0)?;
    let ty = module.value_type(result);
    let input = module.value_type(module.operand(operation, 0)?);
    let is_scalar = matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { shape, element, encoding: None }
            if shape.is_empty() && context.element_type(input) == Some(*element)
    );
    let name = context.operation_name_bytes(module.name(inner));
    let traits = context.operation_traits(module.name(inner))?;
    let plain = |operation| {
        module.inherent_attributes(context, operation).is_empty()
            && module.discardable_attributes(context, operation).is_empty()
    };
    let fits = name.starts_with(syntax.prefix.as_bytes())
        && traits.contains(OperationTraits::COMMUTATIVE)
        && arguments.len() == 2
        && module.next_block(block).is_none()
        && module.next_operation(last).is_none()
        && context.operation_name_bytes(module.name(last)) == syntax.end.as_bytes()
        && has_shape(module, inner, 2, 1, 0)
        && has_shape(module, last, 1, 0, 0)
        && module.operands(inner).eq(arguments.iter().copied())
        && module.operand(last, 0) == Some(result)
        && arguments
            .iter()
            .all(|&value| module.value_type(value) == ty)
        && is_scalar
        && plain(inner)
        && plain(last);
    fits.then_some(inner)
}

impl TwoWay for Reduce {
    type Content = Reduction;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Reduction> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = result_types(module, operation);
        let arguments = Argument::all(module, operation, 0);
        let types: Vec<Type> = arguments
            .iter()
            .filter_map(|argument| argument.ty)
            .collect();
        let dimensions = self.dimensions(context, module, operation)?;
        let fits = !operands.is_empty()
            && operands.len().is_multiple_of(2)
            && arguments.len() == operands.len()
            && has_shape(module, operation, operands.len(), results.len(), 1)
            && is_single_block(module, module.region(operation, 0), &types);
        if !fits {
            return None;
        }
        let half = operands.len().checked_div(2)?;
        let (inputs, initial) = operands.split_at_checked(half)?;
        let (elements, accumulated) = arguments.split_at_checked(half)?;
        let pairs = inputs.iter().zip(initial);
        let inner = applied(self, context, module, operation);
        Some(Reduction {
            pairs: pairs.map(|(&a, &b)| (Named::of(a), Named::of(b))).collect(),
            applied: inner.map(|inner| Applied {
                place: None,
                name: context.operation_name_bytes(module.name(inner)).to_vec(),
            }),
            dimensions,
            attributes: other_attributes(context, module, operation, &["dimensions"]),
            types: operand_types(module, operation, 0),
            results,
            arguments: elements
                .iter()
                .copied()
                .zip(accumulated.iter().copied())
                .collect(),
            ..Reduction::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Reduction) -> AsmResult<()> {
        content.place = asm.place().unwrap_or_default();
        asm.items(&mut content.pairs, |asm, (input, initial)| {
            asm.token("(", "(")?;
            asm.value(input)?;
            asm.token("init", " init")?;
            asm.token(":", ": ")?;
            asm.value(initial)?;
            asm.token(")", ")")
        })?;
        if asm.is_there("applies", content.applied.is_some()) {
            asm.token("applies", " applies ")?;
            content.applied.get_or_insert_default().text(asm)?;
        }
        asm.token("across", " across")?;
        asm.token("dimensions", " dimensions")?;
        asm.token("=", " = ")?;
        asm.integers_between(("[", "]"), &mut content.dimensions)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        if !asm.function_type(&mut content.types, &mut content.results)? {
            return Err(failure(content.type_place, "expected function type"));
        }
        if content.applied.is_some() {
            return Ok(());
        }
        asm.newline();
        asm.token("reducer", " reducer")?;
        asm.repeated(
            "(",
            &mut content.arguments,
            |asm, (element, accumulated)| {
                asm.token("(", "(")?;
                asm.argument(element)?;
                asm.token(",", ", ")?;
                asm.argument(accumulated)?;
                asm.token(")", ") ")
            },
        )
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Reduction,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let context = parser.context();
        let i64 = context.i64_type();
        let dimensions = match self.elements {
            true => crate::helpers::dense_integers(context, i64, &content.dimensions, false),
            false => Some(context.i64_array_attribute(content.dimensions.iter().copied())),
        };
        if let Some(dimensions) = dimensions {
            property(parser, operation, "dimensions", dimensions);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let (mut names, initial): (Vec<Named>, Vec<Named>) = content.pairs.iter().copied().unzip();
        names.extend(initial);
        check_count(names.len(), content.types.len(), content.place)?;
        let operands = typed(&Named::names(&names), &content.types).collect::<Vec<_>>();
        add_operands(parser, operation, operands)?;
        operation.result_types = std::mem::take(&mut content.results);
        if let Some(applied) = &content.applied {
            self.make_body(parser, operation, content, applied)?;
            return Ok(None);
        }
        let elements = content.arguments.iter().filter_map(|pair| pair.0.parsed());
        let accumulated = content.arguments.iter().filter_map(|pair| pair.1.parsed());
        Ok(Some(elements.chain(accumulated).collect()))
    }

    fn shows_region(&self, content: &Reduction) -> bool {
        content.applied.is_none()
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

impl Reduce {
    /// Makes the body of the short form.
    fn make_body(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &Reduction,
        applied: &Applied,
    ) -> AsmResult<()> {
        operation.location = parser.location()?;
        let first = content.types.first().copied();
        let Some(ty) = first.and_then(|ty| scalar(parser.context(), ty)) else {
            return Err(failure(content.type_place, "expected shaped types"));
        };
        let location = operation.location;
        let location = Some(location.unwrap_or_else(|| parser.source_location()));
        let region = parser.make_region(&[(ty, location), (ty, location)]);
        let module = parser.module();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let arguments: Vec<Value> = arguments.map(|(value, _)| value).collect();
        let new = MadeOperation {
            name: &String::from_utf8_lossy(&applied.name),
            operands: &arguments,
            result_types: &[ty],
            location,
            ..MadeOperation::default()
        };
        let made = parser.make_operation(region, &new);
        let made = made.map_err(|error| failure(applied.place, error.message()))?;
        let result = parser.module().result(made, 0);
        let result: Vec<Value> = result.into_iter().collect();
        let last = MadeOperation {
            name: self.end,
            operands: &result,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(region, &last)?;
        operation.regions.push(region);
        Ok(())
    }
}
