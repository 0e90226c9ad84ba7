//! The native bytecode, `rmbc`: reading, lazy reading and writing with all options.
//!
//! `spec/rmbc.md` defines the format. To read or write a file without a choice of options, see
//! [`open`](crate::open) and [`Ir::save`](crate::Ir::save).

pub use rmlir_reader::rmbc::*;
pub use rmlir_writer::rmbc::*;
