//! Verification of `func` operations beyond their definitions.

use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, Message, Op, Operation, OperationVerifier,
    SymbolTableCollection, Type, TypeKind, VerifyFailure, VerifyResult, Visibility,
};

/// Verifies `func.call`: the callee exists and has the types of the call.
#[derive(Debug)]
pub(crate) struct Call;

impl OperationVerifier for Call {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let Some((name, callee)) = reference(op, "callee") else {
            return Ok(());
        };
        let Some(function) = function(op, symbols, callee) else {
            return Err(VerifyFailure::op(format!(
                "'{}' does not reference a valid function",
                op.context.str(name)
            )));
        };
        // Errors of the callee itself are reported at the callee.
        let Some((inputs, results)) = signature(op, function) else {
            return Ok(());
        };
        let (module, operation) = (op.module, op.operation);
        if module.operand_count(operation) != inputs.len() {
            return Err(VerifyFailure::op("incorrect number of operands for callee"));
        }
        for (number, (value, &expected)) in module.operands(operation).zip(inputs).enumerate() {
            let provided = module.value_type(value);
            if provided != expected {
                let message = Message::from("operand type mismatch: expected operand type '")
                    .ty(expected)
                    .text("', but provided '")
                    .ty(provided)
                    .text(format_args!("' for operand number {number}"));
                return Err(VerifyFailure::op(message));
            }
        }
        if module.result_count(operation) != results.len() {
            return Err(VerifyFailure::op("incorrect number of results for callee"));
        }
        let found: Vec<Type> = module
            .results(operation)
            .map(|value| module.value_type(value))
            .collect();
        if let Some(at) = found.iter().zip(results).position(|(a, b)| a != b) {
            let location = module.location(operation);
            return Err(
                VerifyFailure::op(format!("result type mismatch at index {at}"))
                    .note(location, types("      op result types: ", &found))
                    .note(location, types("function result types: ", results)),
            );
        }
        Ok(())
    }
}

/// Verifies `func.call_indirect`: the types of the call are those of the function type.
#[derive(Debug)]
pub(crate) struct CallIndirect;

impl OperationVerifier for CallIndirect {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let (module, operation) = (op.module, op.operation);
        let mut operands = module.operands(operation).map(|v| module.value_type(v));
        let Some(TypeKind::Function { inputs, results }) =
            operands.next().map(|callee| op.context.type_kind(callee))
        else {
            return Ok(());
        };
        if !operands.eq(inputs.iter().copied()) {
            return Err(VerifyFailure::op(
                "failed to verify that callee input types match argument types",
            ));
        }
        let found = module.results(operation).map(|v| module.value_type(v));
        if !found.eq(results.iter().copied()) {
            return Err(VerifyFailure::op(
                "failed to verify that callee result types match result types",
            ));
        }
        Ok(())
    }
}

/// Verifies `func.constant`: the function exists and has the type of the result.
#[derive(Debug)]
pub(crate) struct Constant;

impl OperationVerifier for Constant {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let Some((name, value)) = reference(op, "value") else {
            return Ok(());
        };
        let Some(function) = function(op, symbols, value) else {
            return Err(VerifyFailure::op(format!(
                "reference to undefined function '{}'",
                op.context.str(name)
            )));
        };
        let result = op.module.result(op.operation, 0);
        let found = result.map(|value| op.module.value_type(value));
        if function_type(op, function).is_some_and(|ty| Some(ty) != found) {
            return Err(VerifyFailure::op(
                "reference to function with mismatched type",
            ));
        }
        Ok(())
    }
}

/// `func.func` and functions of other dialects like it: the type, and who may see a declaration.
#[derive(Debug)]
pub(crate) struct Func;

impl OperationVerifier for Func {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let (module, operation) = (op.module, op.operation);
        if signature(op, operation).is_none() {
            return Err(VerifyFailure::op(
                "attribute 'function_type' failed to satisfy constraint: type attribute of function type",
            ));
        }
        let is_declaration = module
            .region(operation, 0)
            .is_none_or(|body| module.first_block(body).is_none());
        let visibility = module.symbol_visibility(op.context, operation);
        if is_declaration && visibility == Visibility::Public {
            return Err(VerifyFailure::op(
                "symbol declaration cannot have public visibility",
            ));
        }
        Ok(())
    }
}

/// Verifies that the operands have the result types of the enclosing function.
#[derive(Debug)]
pub(crate) struct Return {
    /// What the operands are in messages.
    operand: &'static str,
    /// What the function does with them.
    verb: &'static str,
}

impl Return {
    /// `func.return`.
    pub(crate) const RETURN: Self = Return {
        operand: "return",
        verb: "returns",
    };
    /// `ml_program.output`.
    pub(crate) const OUTPUT: Self = Return {
        operand: "output",
        verb: "outputs",
    };
}

impl OperationVerifier for Return {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let (context, module, operation) = (op.context, op.module, op.operation);
        let Some(function) = module.parent_operation(operation) else {
            return Ok(());
        };
        // Errors of the function itself are reported at the function.
        let Some((_, results)) = signature(op, function) else {
            return Ok(());
        };
        let name = || {
            let name = module.symbol_name(context, function);
            name.map(|name| context.str(name)).unwrap_or_default()
        };
        let count = module.operand_count(operation);
        if count != results.len() {
            return Err(VerifyFailure::op(format!(
                "has {count} operands, but enclosing function (@{}) {} {}",
                name(),
                self.verb,
                results.len()
            )));
        }
        for (number, (value, &expected)) in module.operands(operation).zip(results).enumerate() {
            let found = module.value_type(value);
            if found != expected {
                let message =
                    Message::from(format!("type of {} operand {number} ('", self.operand))
                        .ty(found)
                        .text("') doesn't match function result type ('")
                        .ty(expected)
                        .text(format_args!("') in function @{}", name()));
                return Err(VerifyFailure::plain(message));
            }
        }
        Ok(())
    }
}

/// Returns the name that a symbol reference attribute refers to, and the attribute.
fn reference(op: Op<'_>, attribute: &str) -> Option<(Identifier, Attribute)> {
    let value = op.module.attribute(op.context, op.operation, attribute)?;
    match op.context.attribute_kind(value) {
        AttributeKind::SymbolRef { root, .. } => Some((*root, value)),
        _ => None,
    }
}

/// Looks up the `func.func` that a reference denotes.
fn function(
    op: Op<'_>,
    symbols: &mut SymbolTableCollection,
    reference: Attribute,
) -> Option<Operation> {
    let found = symbols.lookup_symbol_from(op.context, op.module, op.operation, reference)?;
    let name = op.context.operation_name_bytes(op.module.name(found));
    (name == b"func.func").then_some(found)
}

/// Returns the type of a function.
fn function_type(op: Op<'_>, function: Operation) -> Option<Type> {
    let attribute = op.module.attribute(op.context, function, "function_type")?;
    match op.context.attribute_kind(attribute) {
        AttributeKind::Type(ty) => Some(*ty),
        _ => None,
    }
}

/// Returns the inputs and results of a function.
pub(crate) fn signature<'c>(op: Op<'c>, function: Operation) -> Option<(&'c [Type], &'c [Type])> {
    let context: &'c Context = op.context;
    context.type_kind(function_type(op, function)?).signature()
}

/// Returns a message with types in quotes, separated by commas.
fn types(before: &str, types: &[Type]) -> Message {
    let mut message = Message::from(before);
    for (number, &ty) in types.iter().enumerate() {
        let separator = if number == 0 { "'" } else { ", '" };
        message = message.text(separator).ty(ty).text("'");
    }
    message
}
