//! Casts between values of VHLO and of other dialects.

use super::Mismatch;
use rmlir_ir::{
    Builder, Context, InsertionPoint, Invalid, Module, Operation, Value, ValueDefinition,
};
use std::collections::HashMap;

const CAST: &str = "builtin.unrealized_conversion_cast";

/// Inserts a cast for each value that an operation expects with another type, after its
/// definition.
///
/// # Errors
///
/// Does not fail in a module that keeps its invariants.
pub(super) fn insert(
    context: &mut Context,
    module: &mut Module,
    mismatches: &[Mismatch],
) -> Result<(), Invalid> {
    let mut casts: HashMap<Value, Value> = HashMap::new();
    for mismatch in mismatches {
        let cast = match casts.get(&mismatch.value) {
            Some(&cast) => cast,
            None => {
                let cast = insert_one(context, module, mismatch)?;
                casts.insert(mismatch.value, cast);
                cast
            }
        };
        module.set_operand(mismatch.user, mismatch.operand, cast)?;
    }
    Ok(())
}

fn insert_one(
    context: &mut Context,
    module: &mut Module,
    mismatch: &Mismatch,
) -> Result<Value, Invalid> {
    let Mismatch {
        user,
        value,
        expected,
        to_vhlo,
        ..
    } = *mismatch;
    let (point, location) = match module.definition(value) {
        ValueDefinition::Result(operation, _) => {
            let location = module.location(operation);
            (InsertionPoint::after(module, operation)?, location)
        }
        ValueDefinition::Argument(block, _) => {
            let location = module.value_location(value);
            let location = location.unwrap_or_else(|| module.location(user));
            (InsertionPoint::at_start(module, block), location)
        }
        ValueDefinition::Placeholder => {
            return Err(Invalid::new("a value is used and not defined"));
        }
    };
    // As upstream: a cast to VHLO has the location of the first operation that needs it.
    let location = match to_vhlo {
        true => module.location(user),
        false => location,
    };
    let mut builder = Builder::new(context, module);
    builder.set_insertion_point(Some(point));
    builder.set_location(location);
    builder
        .op(CAST)
        .operand(value)
        .result(expected)
        .build_value()
}

/// Removes the casts whose operands and results have the same types.
pub(super) fn remove(context: &mut Context, module: &mut Module) {
    let Some(cast) = context.find_operation_name(CAST.as_bytes()) else {
        return;
    };
    let all: Vec<Operation> = module.descendants(module.top()).collect();
    for operation in all {
        if module.name(operation) != cast {
            continue;
        }
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operands.iter().map(|&value| module.value_type(value));
        let results = module
            .results(operation)
            .map(|value| module.value_type(value));
        if types.eq(results) {
            // It stays if it uses itself.
            drop(module.replace_operation(operation, &operands));
        }
    }
}
