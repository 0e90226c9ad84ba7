//! State shared by the rules of all operations: interned attribute names, looked up once, and
//! caches of the dictionaries that are known to be valid.

use super::signature::GoodDictionaries;
use crate::definition::{Family, OPERAND_SEGMENT_SIZES, RESULT_SEGMENT_SIZES, Release};
use crate::{Context, Identifier, Module};

/// Caches of the dictionaries whose names were accepted for an operation name.
pub(super) struct Placed {
    pub(super) properties: GoodDictionaries,
    pub(super) attributes: GoodDictionaries,
}

/// The identifiers of the attribute names that rules refer to. A name that the context has not
/// interned is `None`: no operation can have an attribute of that name.
pub(super) struct Names {
    pub(super) sym_name: Option<Identifier>,
    pub(super) sym_visibility: Option<Identifier>,
    pub(super) function_type: Option<Identifier>,
    pub(super) arg_attrs: Option<Identifier>,
    pub(super) res_attrs: Option<Identifier>,
    pub(super) operand_segment_sizes: Option<Identifier>,
    pub(super) result_segment_sizes: Option<Identifier>,
    pub(super) good: GoodDictionaries,
    pub(super) placed: Placed,
    /// The release by whose definitions the module was normalized.
    pub(super) release: Release,
}

impl Names {
    pub(super) fn new(context: &Context, module: &Module) -> Self {
        Names {
            sym_name: context.find_identifier("sym_name"),
            sym_visibility: context.find_identifier("sym_visibility"),
            function_type: context.find_identifier("function_type"),
            arg_attrs: context.find_identifier("arg_attrs"),
            res_attrs: context.find_identifier("res_attrs"),
            operand_segment_sizes: context.find_identifier(OPERAND_SEGMENT_SIZES),
            result_segment_sizes: context.find_identifier(RESULT_SEGMENT_SIZES),
            good: GoodDictionaries::new(context),
            placed: Placed {
                properties: GoodDictionaries::new(context),
                attributes: GoodDictionaries::new(context),
            },
            release: release_of(context, module),
        }
    }
}

/// Returns the release that wrote the bytecode of a module; the context's release if the module
/// does not come from bytecode or the producer is unknown.
fn release_of(context: &Context, module: &Module) -> Release {
    let producer = module.provenance.producer;
    let number = producer.and_then(|name| Release::llvm_number_of(context.bytes(name)));
    number.map_or(context.release(), |number| Release {
        family: Family::Llvm,
        number,
    })
}
