//! Upstream's bytecode, `mlirbc`, versions 0 to 6: reading, lazy reading and writing with all
//! options.
//!
//! To read or write a file without a choice of options, see [`open`](crate::open) and
//! [`Ir::save`](crate::Ir::save).

pub use rmlir_reader::mlirbc::*;
pub use rmlir_writer::mlirbc::*;
