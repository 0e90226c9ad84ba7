//! Custom syntax and rules of `memref.dma_start`.

use crate::func::has_shape;
use crate::helpers::{names_between, operand_names};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{
    Context, Module, Op, Operation, OperationVerifier, Type, TypeKind, Value, VerifyFailure,
    VerifyResult,
};

/// Custom syntax of `memref.dma_start`: `%source[%i], %destination[%j], %count, %tag[%k] [,
/// %stride, %elements] : types of the memrefs`.
#[derive(Debug)]
pub(crate) struct Start;

/// Parses `%memref[%i]`.
fn place(parser: &mut dyn AsmParser) -> AsmResult<(OperandName, Vec<OperandName>)> {
    let memref = parser.operand_name()?;
    Ok((memref, names_between(parser, "[", "]")?))
}

/// The operands by role: source, destination, number of elements, tag, and the strides.
struct Parts {
    /// Source, destination and tag with their indices.
    places: [(Value, Vec<Value>); 3],
    count: Value,
    strides: Vec<Value>,
}

/// Takes the next operand, a memref, and one index for each of its dimensions; `None` if the
/// operands do not match.
fn take_place(
    context: &Context,
    module: &Module,
    operands: &mut impl Iterator<Item = Value>,
) -> Option<(Value, Vec<Value>)> {
    let memref = operands.next()?;
    let TypeKind::MemRef { shape, .. } = context.type_kind(module.value_type(memref)) else {
        return None;
    };
    let rank = shape.len();
    let indices: Vec<Value> = operands.take(rank).collect();
    (indices.len() == rank).then_some((memref, indices))
}

impl Parts {
    /// Splits the operands by the ranks of the memrefs; `None` if the numbers do not match.
    fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        let mut operands = module.operands(operation);
        let source = take_place(context, module, &mut operands)?;
        let destination = take_place(context, module, &mut operands)?;
        let count = operands.next()?;
        let tag = take_place(context, module, &mut operands)?;
        let strides: Vec<Value> = operands.collect();
        let fits = strides.is_empty() || strides.len() == 2;
        fits.then_some(Parts {
            places: [source, destination, tag],
            count,
            strides,
        })
    }
}

impl OperationSyntax for Start {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let source = place(parser)?;
        parser.expect(",")?;
        let destination = place(parser)?;
        parser.expect(",")?;
        let count = parser.operand_name()?;
        parser.expect(",")?;
        let tag = place(parser)?;
        let strides = match parser.eat(",") {
            true => operand_names(parser)?,
            false => Vec::new(),
        };
        if !matches!(strides.len(), 0 | 2) {
            return Err(AsmError::new(
                parser.place(),
                "expected two stride related operands",
            ));
        }
        parser.expect(":")?;
        let index = parser.context().index_type();
        for (number, (memref, indices)) in [source, destination, tag].into_iter().enumerate() {
            if number > 0 {
                parser.expect(",")?;
            }
            if number == 2 {
                operation.operands.push(parser.resolve(count, index)?);
            }
            let ty = parser.ty()?;
            operation.operands.push(parser.resolve(memref, ty)?);
            for name in indices {
                operation.operands.push(parser.resolve(name, index)?);
            }
        }
        for name in strides {
            operation.operands.push(parser.resolve(name, index)?);
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let Some(parts) = Parts::of(context, module, operation) else {
            return PrintStep::Done;
        };
        let types: Vec<Type> = parts
            .places
            .iter()
            .map(|place| module.value_type(place.0))
            .collect();
        for (number, (memref, indices)) in parts.places.into_iter().enumerate() {
            printer.text(if number > 0 { ", " } else { " " });
            if number == 2 {
                printer.operand(parts.count);
                printer.text(", ");
            }
            printer.operand(memref);
            printer.text("[");
            printer.operands(indices.into_iter());
            printer.text("]");
        }
        for stride in parts.strides {
            printer.text(", ");
            printer.operand(stride);
        }
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let index = context.index_type();
        let is_index = |value: &Value| module.value_type(*value) == index;
        has_shape(module, operation, module.operand_count(operation), 0, 0)
            // Upstream prints other attributes, but does not parse them.
            && module.all_attributes(context, operation).is_empty()
            && Parts::of(context, module, operation).is_some_and(|parts| {
                is_index(&parts.count)
                    && parts.strides.iter().all(is_index)
                    && parts.places.iter().all(|place| place.1.iter().all(is_index))
            })
    }
}

/// Verifies `memref.dma_start`: how many operands there are follows from the ranks of the memrefs.
#[derive(Debug)]
pub(crate) struct Operands;

impl OperationVerifier for Operands {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let fail = |message: String| Err(VerifyFailure::op(message));
        let types: Vec<Type> = op.operand_types().collect();
        let index = op.context.index_type();
        let are_indices = |types: &[Type]| types.iter().all(|&ty| ty == index);
        if types.len() < 4 {
            return fail("expected at least 4 operands".to_owned());
        }
        let (mut rest, mut expected) = (types.as_slice(), 4usize);
        for what in ["source", "destination", "tag"] {
            if what == "tag" {
                let (count, after) = rest.split_at(rest.len().min(1));
                if !are_indices(count) {
                    return fail("expected num elements to be of index type".to_owned());
                }
                rest = after;
            }
            let memref = rest.first().map(|&ty| op.context.type_kind(ty));
            let Some(TypeKind::MemRef { shape, .. }) = memref else {
                return fail(format!("expected {what} to be of memref type"));
            };
            expected = expected.saturating_add(shape.len());
            if types.len() < expected {
                return fail(format!("expected at least {expected} operands"));
            }
            let after = rest.get(1..).unwrap_or_default();
            let (places, after) = after.split_at(shape.len().min(after.len()));
            if !are_indices(places) {
                return fail(format!("expected {what} indices to be of index type"));
            }
            rest = after;
        }
        if !matches!(rest.len(), 0 | 2) {
            return fail("incorrect number of operands".to_owned());
        }
        match are_indices(rest) {
            true => Ok(()),
            false => {
                fail("expected stride and num elements per stride to be of type index".to_owned())
            }
        }
    }
}
