//! Names of values of the `smt` dialect.

use rmlir_ir::asm::ValueNames;
use rmlir_ir::{Context, Module, Operation, Value};

/// Names the result by the attribute `namePrefix`.
#[derive(Debug)]
pub(crate) struct NamePrefix;

impl ValueNames for NamePrefix {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let prefix = module.attribute(context, operation, "namePrefix");
        let prefix = prefix.and_then(|prefix| context.string_value(prefix));
        if let Some((result, prefix)) = module.result(operation, 0).zip(prefix) {
            name(result, &String::from_utf8_lossy(prefix));
        }
    }
}
