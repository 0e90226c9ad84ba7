//! Functions that read a module in one call.

use crate::format::Source;
use crate::{Error, Ir, ReadOptions, Result};
use std::path::Path;

/// Opens a file of any form: text, native bytecode or upstream's bytecode. The form is recognized
/// by content. The bundled dialects are registered. In an executable, an export of JAX or another
/// file that wraps a module, the module is found; see [`embedded`](crate::embedded).
///
/// The whole file is read and decoded. To look at parts of a large file, see
/// [`File`](crate::File).
///
/// # Errors
///
/// If the file cannot be read, or is not valid. Modules are not verified; see
/// [`Ir::verify`] and [`ReadOptions::verify`].
///
/// ```no_run
/// let ir = rmlir::open("model.mlirbc")?;
/// for function in ir.ops().filter(|op| op.is("func.func")) {
///     println!("@{}", function.symbol_name().unwrap_or_default());
/// }
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<Ir> {
    open_with(path, &ReadOptions::default())
}

/// Opens a file as [`open`] does, with options. The path replaces
/// [`file_name`](ReadOptions::file_name).
///
/// # Errors
///
/// Those of [`open`].
///
/// ```no_run
/// let mut options = rmlir::ReadOptions::default();
/// options.verify = true;
/// let ir = rmlir::open_with("model.mlir", &options)?;
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Ir> {
    let path = path.as_ref();
    let options = options.for_path(path);
    #[cfg(not(feature = "embed"))]
    let read = || Ir::read(Source::read(path)?, &options);
    #[cfg(feature = "embed")]
    let read = || {
        let source = crate::embedded::resolve_file(Source::read(path)?, Some(path), &options)?;
        Ir::read(source, &options.of_found())
    };
    read().map_err(|error| error.in_file(&options.file_name))
}

/// Parses text.
///
/// # Errors
///
/// If it is not valid, with the location of each error; see [`Error::diagnostics`].
///
/// ```
/// let ir = rmlir::parse("func.func private @f(i32)")?;
/// assert_eq!(ir.ops().count(), 2);
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn parse(text: impl AsRef<[u8]>) -> Result<Ir> {
    parse_with(text, &ReadOptions::default())
}

/// Parses text as [`parse`] does, with options.
///
/// # Errors
///
/// Those of [`parse`].
///
/// ```
/// let mut options = rmlir::ReadOptions::default();
/// options.allow_unknown = true;
/// let ir = rmlir::parse_with("\"arith.new\"() : () -> ()", &options)?;
/// assert_eq!(ir.ops().count(), 2);
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn parse_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Ir> {
    let text = text.as_ref();
    match crate::Form::of(text) {
        crate::Form::Text => Ir::read(Source::from(text), options),
        form => Err(Error::request(format!("expected text, found {form}"))),
    }
}

/// Reads a module of any form from bytes. The form is recognized by content.
///
/// A `Vec<u8>` or a [`Source`] is not copied: resources share its bytes.
///
/// # Errors
///
/// If the bytes are not a valid module.
///
/// ```
/// let ir = rmlir::read(&b"module {}"[..])?;
/// assert_eq!(ir.op().name(), "builtin.module");
/// assert!(rmlir::read(&b"ML\xefR\x06"[..]).unwrap_err().is_corrupt());
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn read(bytes: impl Into<Source>) -> Result<Ir> {
    read_with(bytes, &ReadOptions::default())
}

/// Reads a module as [`read`] does, with options.
///
/// # Errors
///
/// Those of [`read`].
///
/// ```
/// let mut options = rmlir::ReadOptions::default();
/// options.threads = rmlir::Threads::new(2);
/// let ir = rmlir::read_with(&b"module {}"[..], &options)?;
/// assert!(ir.op().is("builtin.module"));
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn read_with(bytes: impl Into<Source>, options: &ReadOptions) -> Result<Ir> {
    let ir = Ir::read(bytes.into(), options);
    ir.map_err(|error| match options.file_name.as_str() {
        "-" => error,
        name => error.in_file(name),
    })
}
