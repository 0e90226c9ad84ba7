//! Syntax of the inputs and outputs of structured operations: `ins(...) outs(...)`.

use crate::helpers::{segment_sizes, sizes_of};
use crate::two_way::{Asm, TypedValues};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind, Value};

/// Sets the segment sizes of inputs and outputs as a property.
pub(crate) fn sizes_property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    sizes: [usize; 2],
) {
    if let Some(sizes) = segment_sizes(parser.context(), &sizes) {
        crate::helpers::property(parser, operation, "operandSegmentSizes", sizes);
    }
}

/// The inputs and outputs of an operation.
#[derive(Default)]
pub(crate) struct InputsOutputs {
    pub(crate) inputs: TypedValues,
    pub(crate) outputs: TypedValues,
}

impl InputsOutputs {
    /// Returns operands to be printed, the first of which are inputs.
    pub(crate) fn of(module: &Module, operands: &[Value], inputs: usize) -> Option<Self> {
        let (inputs, outputs) = operands.split_at_checked(inputs)?;
        Some(InputsOutputs {
            inputs: TypedValues::of(module, inputs),
            outputs: TypedValues::of(module, outputs),
        })
    }

    /// Adds the operands; returns their numbers.
    ///
    /// # Errors
    ///
    /// If a value has another type.
    pub(crate) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<[usize; 2]> {
        self.inputs.add(parser, operation)?;
        self.outputs.add(parser, operation)?;
        Ok([self.inputs.values.len(), self.outputs.values.len()])
    }
}

impl Asm<'_, '_> {
    /// ` ins(%a : type) outs(%b : type)`, each if it is there.
    pub(crate) fn inputs_and_outputs(&mut self, all: &mut InputsOutputs) -> AsmResult<()> {
        let groups = [
            ("ins", " ins", &mut all.inputs),
            ("outs", " outs", &mut all.outputs),
        ];
        for (keyword, printed, values) in groups {
            if self.is_there(keyword, !values.is_empty()) {
                self.token(keyword, printed)?;
                self.token("(", "(")?;
                if !self.is_there(")", values.is_empty()) {
                    self.typed_values(values)?;
                }
                self.token(")", ")")?;
            }
        }
        Ok(())
    }
}

/// Returns the number of inputs, from the segment sizes.
pub(crate) fn input_count(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<usize> {
    let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
    match *sizes_of(context, sizes)?.as_slice() {
        [inputs, outputs] => {
            let all = inputs.checked_add(outputs)?;
            (all == module.operand_count(operation)).then_some(inputs)
        }
        _ => None,
    }
}

/// Returns the types of the arguments of a structured operation's region: element types of shaped
/// operands, the types of others.
pub(super) fn scalar_types(context: &Context, module: &Module, operands: &[Value]) -> Vec<Type> {
    let types = operands.iter().map(|&value| module.value_type(value));
    types.map(|ty| scalar_type(context, ty)).collect()
}

/// Returns the type of the region's argument for an operand: the element type of a tensor or
/// memref, else the operand's type.
pub(super) fn scalar_type(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { .. } | TypeKind::MemRef { .. } => {
            context.element_type(ty).unwrap_or(ty)
        }
        _ => ty,
    }
}
