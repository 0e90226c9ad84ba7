//! Names of values in custom form.

use rmlir_ir::asm::ValueNames;
use rmlir_ir::{Context, Module, Operation, Value};
use std::borrow::Cow;

/// Names the first result by a function of the operation and that result. `None` leaves it without
/// a name.
#[derive(Debug)]
pub(crate) struct FirstResult(
    pub(crate) fn(&Context, &Module, Operation, Value) -> Option<Cow<'static, str>>,
);

impl ValueNames for FirstResult {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if let Some(result) = module.result(operation, 0)
            && let Some(text) = (self.0)(context, module, operation, result)
        {
            name(result, &text);
        }
    }
}
