//! Verification of `builtin` operations beyond their definitions.

use rmlir_ir::{Op, OperationVerifier, VerifyFailure, VerifyResult};

/// Verifies `builtin.module`: the names of its attributes.
///
/// If there are two `#dlti.dl_spec` attributes, `mlir-opt` reports that there should be at most
/// one, but accepts the module. That is not an error here.
#[derive(Debug)]
pub(crate) struct Module;

impl OperationVerifier for Module {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let Op {
            context,
            module,
            operation,
        } = op;
        for &(name, _) in module.discardable_attributes(context, operation) {
            if !context.bytes(name).contains(&b'.') {
                return Err(VerifyFailure::op(format!(
                    "can only contain attributes with dialect-prefixed names, found: '{}'",
                    context.str(name)
                )));
            }
        }
        Ok(())
    }
}

/// Verifies `builtin.unrealized_conversion_cast`: it must have results.
#[derive(Debug)]
pub(crate) struct UnrealizedConversionCast;

impl OperationVerifier for UnrealizedConversionCast {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        if op.module.result_count(op.operation) == 0 {
            return Err(VerifyFailure::op(
                "expected at least one result for cast operation",
            ));
        }
        Ok(())
    }
}
