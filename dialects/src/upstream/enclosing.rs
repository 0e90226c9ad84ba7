//! [`enclosing`]: the operation around another one on which its rules depend.

use rmlir_ir::{Op, VerifyFailure};

/// The number of operations around an operation that are looked at. Without a limit, many
/// operations in deep nesting would take quadratic time.
const MAX_DEPTH: usize = 4096;

/// Returns the innermost operation around `op` that satisfies `is_it`.
///
/// # Errors
///
/// If none of the innermost 4,096 does, and there are more.
pub(super) fn enclosing<'a>(
    op: Op<'a>,
    is_it: impl Fn(Op<'a>) -> bool,
) -> Result<Option<Op<'a>>, Box<VerifyFailure>> {
    for (depth, around) in op.ancestors().enumerate() {
        if depth >= MAX_DEPTH {
            return Err(VerifyFailure::op(format!(
                "is nested too deep: more than {MAX_DEPTH} operations are around it"
            )));
        }
        if is_it(around) {
            return Ok(Some(around));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmlir_ir::{Context, Module, OperationState};

    #[test]
    fn depth_is_limited() {
        let mut context = Context::new();
        let mut module = Module::new(&mut context);
        let name = context.operation_name("test.op");
        let location = context.unknown_location();
        let mut block = module.body().expect("a module has a body");
        let mut all = Vec::new();
        for _ in 0..MAX_DEPTH + 1 {
            let region = module.create_region();
            let operation = module.create_operation(&OperationState {
                regions: &[region],
                ..OperationState::new(name, location)
            });
            module.append_operation(block, operation);
            block = module.append_block(region);
            all.push(operation);
        }
        let find = |number: usize| {
            let op = Op::from((&context, &module, all[number]));
            enclosing(op, |around| around.is("builtin.module"))
        };
        assert!(matches!(find(MAX_DEPTH - 1), Ok(Some(_))));
        assert!(find(MAX_DEPTH).is_err());
        let op = Op::from((&context, &module, all[10]));
        assert!(matches!(enclosing(op, |_| false), Ok(None)));
    }
}
