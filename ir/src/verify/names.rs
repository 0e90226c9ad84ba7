//! What the rules of all operations share: names of attributes that they speak of, looked up once, and which properties are known
//! to be good.

use super::signature::GoodProperties;
use crate::definition::{OPERAND_SEGMENT_SIZES, RESULT_SEGMENT_SIZES};
use crate::{Context, Identifier};

/// The identifiers of names; none of a name that nothing in the context has.
pub(super) struct Names {
    pub(super) sym_name: Option<Identifier>,
    pub(super) sym_visibility: Option<Identifier>,
    pub(super) function_type: Option<Identifier>,
    pub(super) arg_attrs: Option<Identifier>,
    pub(super) res_attrs: Option<Identifier>,
    pub(super) operand_segment_sizes: Option<Identifier>,
    pub(super) result_segment_sizes: Option<Identifier>,
    pub(super) good: GoodProperties,
}

impl Names {
    pub(super) fn new(context: &Context) -> Self {
        Names {
            sym_name: context.find_identifier("sym_name"),
            sym_visibility: context.find_identifier("sym_visibility"),
            function_type: context.find_identifier("function_type"),
            arg_attrs: context.find_identifier("arg_attrs"),
            res_attrs: context.find_identifier("res_attrs"),
            operand_segment_sizes: context.find_identifier(OPERAND_SEGMENT_SIZES),
            result_segment_sizes: context.find_identifier(RESULT_SEGMENT_SIZES),
            good: GoodProperties::new(context),
        }
    }
}
