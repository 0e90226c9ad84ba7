//! x
use rmlir_ir::{Context, Type};
/// x
pub fn type_to_string(_context: &Context, ty: Type) -> String { format!("{ty:?}") }
