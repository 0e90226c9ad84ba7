//! The length of a bytecode file that other bytes follow.

use rmlir_format::{Error, ErrorKind, Result, mlirbc, section};

/// Returns the length in bytes of the bytecode file, of either format, that `bytes` begin with.
///
/// Any bytes may follow it, so files that were padded or concatenated can be separated.
/// O(sections): no section is read.
///
/// # Errors
/// [`ErrorKind::NotThisFormat`] if `bytes` begin with the magic of neither format; otherwise those
/// of [`section::length`] for rmbc and [`mlirbc::length`] for upstream's bytecode.
///
/// ```
/// use rmlir_ir::{Context, Module};
/// use rmlir_writer::rmbc::{WriteOptions, write_module};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let file = write_module(&context, &module, &WriteOptions::default())?;
/// let two = [file.as_slice(), &[0; 64], &file].concat();
/// assert_eq!(rmlir_reader::length(&two)?, file.len() as u64);
/// # Ok(()) }
/// ```
pub fn length(bytes: &[u8]) -> Result<u64> {
    if bytes.starts_with(&section::MAGIC) {
        section::length(bytes)
    } else if bytes.starts_with(&mlirbc::MAGIC) {
        mlirbc::length(bytes)
    } else {
        let message = "the first bytes are those of neither rmbc nor MLIR bytecode";
        Err(Error::at(ErrorKind::NotThisFormat, 0, message).with_section("header"))
    }
}
