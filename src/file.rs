//! [`File`]: a file of any form whose symbols are read one at a time.

use crate::format::Source;
use crate::ir::{Context, Module, Operation};
use crate::reader::lazy::{LazyFile, Symbol, SymbolPath, with_references};
use crate::text::parse_module;
use crate::{Error, Form, Ir, ReadOptions, Result, mlirbc, rmbc};
use std::fmt;
use std::path::Path;

/// A file of any form whose symbols can be listed and read one at a time.
///
/// Bytecode is read lazily: functions that are not requested cost nothing, and corruption in them
/// is not detected. Text has to be parsed as a whole when it is opened; after that,
/// each symbol is read alone as well. Each symbol becomes an [`Ir`] of its own.
///
/// ```no_run
/// let file = rmlir::File::open("model.mlirbc")?;
/// for symbol in file.symbols()? {
///     println!("{}: {} bytes", symbol.path, symbol.bytes);
/// }
/// if let Some(main) = file.symbol("@main")? {
///     let (ir, function) = file.read_symbol(&main)?;
///     println!("{} of\n{ir}", ir.get(function).name());
/// }
/// # Ok::<(), rmlir::Error>(())
/// ```
#[doc(alias = "LazyFile")]
#[doc(alias = "BytecodeReader")]
pub struct File {
    inner: Box<dyn LazyFile>,
    form: Form,
    options: ReadOptions,
}

impl File {
    /// Opens a file. Bytecode is read by position, as far as it is needed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, its tables are corrupt, or it is text that does not parse.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        File::open_with(path, &ReadOptions::default())
    }

    /// Opens a file as [`open`](Self::open) does, with options. The path replaces
    /// [`file_name`](ReadOptions::file_name).
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let options = options.for_path(path);
        let name = options.file_name.clone();
        let open = || {
            let context = options.context();
            let form = Form::of_file(path)?;
            let inner: Box<dyn LazyFile> = match form {
                Form::Text => text_file(&Source::read(path)?, &options)?,
                Form::Rmbc => Box::new(rmbc::File::open(&context, path, options.rmbc_options())?),
                Form::Mlirbc => {
                    let options = options.mlirbc_options();
                    Box::new(mlirbc::File::open(&context, path, options)?)
                }
            };
            Ok((inner, form))
        };
        let (inner, form) = open().map_err(|error: Error| error.in_file(&name))?;
        Ok(File {
            inner,
            form,
            options,
        })
    }

    /// Opens a file whose bytes are in memory. They are shared, not copied.
    ///
    /// # Errors
    ///
    /// If its tables are corrupt, or it is text that does not parse.
    ///
    /// ```
    /// let text = "func.func private @f()\nfunc.func private @g()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let g = file.symbol("@g")?.unwrap();
    /// let (ir, function) = file.read_symbol(&g)?;
    /// assert_eq!(ir.ops().count(), 2);
    /// assert_eq!(ir.get(function).name(), "func.func");
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn from_bytes(bytes: impl Into<Source>, options: &ReadOptions) -> Result<Self> {
        let source = bytes.into();
        let context = options.context();
        let form = Form::of(&source);
        let inner: Box<dyn LazyFile> = match form {
            Form::Text => text_file(&source, options)?,
            Form::Rmbc => Box::new(rmbc::File::new(&context, source, options.rmbc_options())?),
            Form::Mlirbc => {
                let options = options.mlirbc_options();
                Box::new(mlirbc::File::new(&context, source, options)?)
            }
        };
        Ok(File {
            inner,
            form,
            options: options.clone(),
        })
    }

    /// Returns the form of the file.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Lists all symbols, in the order of the file.
    ///
    /// # Errors
    ///
    /// If what has to be skipped is corrupt.
    pub fn symbols(&self) -> Result<Vec<Symbol>> {
        Ok(self.inner.symbols()?)
    }

    /// Finds a symbol by its reference: `@main`, `@module::@function`.
    ///
    /// In native bytecode with an index: O(log symbols). Otherwise the symbols are listed.
    ///
    /// # Errors
    ///
    /// If `reference` is not a symbol reference, or what has to be skipped is corrupt.
    pub fn symbol(&self, reference: &str) -> Result<Option<Symbol>> {
        Ok(self.inner.symbol(&SymbolPath::parse(reference)?)?)
    }

    /// Lists the operations directly in the top-level module that are not symbols, in the order of
    /// the file. They are read by [`read_symbol`](Self::read_symbol) as well, so that nothing of a
    /// file goes unnoticed.
    ///
    /// # Errors
    ///
    /// Those of [`symbols`](Self::symbols).
    pub fn unnamed(&self) -> Result<Vec<Symbol>> {
        Ok(self.inner.unnamed()?)
    }

    /// Reads one symbol, without those that it refers to, with the operations around it. Returns
    /// the IR, and the operation in it that is the symbol.
    ///
    /// # Errors
    ///
    /// If something that it uses is corrupt or undecodable.
    pub fn read_symbol(&self, symbol: &Symbol) -> Result<(Ir, Operation)> {
        let mut context = self.options.context();
        let (module, operation) = self.inner.read_symbol(&mut context, symbol)?;
        Ok((Ir::from_parts(context, module), operation))
    }

    /// Reads symbols and all that they refer to, directly or through others, into one module.
    ///
    /// # Errors
    ///
    /// If something that they use is corrupt or undecodable.
    pub fn read_with_references(&self, symbols: &[Symbol]) -> Result<Ir> {
        self.read(|file, context| {
            let needed = with_references(file, context, symbols)?;
            file.read_together(context, &needed)
        })
    }

    /// Reads the whole file.
    ///
    /// # Errors
    ///
    /// If it is corrupt or cannot be decoded.
    pub fn read_all(&self) -> Result<Ir> {
        self.read(|file, context| file.read_module(context))
    }

    /// Returns the interface of all lazy files, for methods that this type does not have.
    pub fn as_lazy(&self) -> &dyn LazyFile {
        self.inner.as_ref()
    }

    fn read(
        &self,
        read: impl FnOnce(&dyn LazyFile, &mut Context) -> crate::format::Result<Module>,
    ) -> Result<Ir> {
        let mut context = self.options.context();
        let module = read(self.inner.as_ref(), &mut context)?;
        Ok(Ir::from_parts(context, module))
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

/// Parses a text and stores it as native bytecode in memory, whose symbols can be read alone.
fn text_file(text: &[u8], options: &ReadOptions) -> Result<Box<dyn LazyFile>> {
    let mut context = options.context();
    let module = parse_module(&mut context, text, &options.parse_options())?;
    let mut write = rmbc::WriteOptions::default();
    write.threads = options.threads;
    let bytes = rmbc::write_module(&context, &module, &write)?;
    let file = rmbc::File::new(&context, Source::from(bytes), options.rmbc_options())?;
    Ok(Box::new(file))
}
