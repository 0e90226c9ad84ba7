//! What the verifier checks of `builtin` operations beyond their definitions.

use rmlir_ir::{Op, OperationVerifier, VerifyFailure, VerifyResult};

/// `builtin.module`: names of its attributes.
///
/// `mlir-opt` also says of two `#dlti.dl_spec` attributes that there should be one at most, but
/// takes the module nevertheless: that is no error here.
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

/// `builtin.unrealized_conversion_cast`.
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
