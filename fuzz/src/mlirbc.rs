//! Upstream's bytecode.

use crate::context;
use crate::rmbc::rmbc_round_trip;
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};

/// Any bytes are refused with a section, or a module, which is printed and survives the way through the native
/// bytecode.
///
/// Not through text: bodies of dialects that their writer did not know are kept as they are written, and upstream
/// keeps names of aliases in them, which mean something else in another text.
pub fn mlirbc_bytes(data: &[u8]) {
    let mut context = context();
    match read_module_from_slice(&mut context, data, &ReadOptions::default()) {
        Ok(module) => rmbc_round_trip(&context, &module),
        Err(error) => assert!(error.section().is_some(), "{error}"),
    }
}
