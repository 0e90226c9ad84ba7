//! [`File`]: a file of any form whose symbols are read one at a time.

use crate::events::Visitor;
use crate::format::{ReadAt, Source, Storage};
use crate::ir::{Context, Module, Operation};
use crate::reader::lazy::{Contents, LazyFile, Survey, Symbol, SymbolPath, with_references};
use crate::text::parse_module;
use crate::{Form, Ir, ReadOptions, Result, mlirbc, rmbc};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

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
    inner: Inner,
    form: Form,
    options: ReadOptions,
}

/// The file as the reader of its bytecode opened it.
enum Inner {
    /// Native bytecode: of the file, or in memory if the file is text.
    Rmbc(Box<rmbc::File>),
    /// Upstream's bytecode.
    Mlirbc(Box<mlirbc::File>),
}

impl File {
    /// Opens a file. Bytecode is read by position, as far as it is needed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, its tables are corrupt, or it is text that does not parse.
    ///
    /// ```no_run
    /// let file = rmlir::File::open("model.rmbc")?;
    /// for symbol in file.symbols()? {
    ///     println!("{} is {} bytes", symbol.path, symbol.bytes);
    /// }
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        File::open_with(path, &ReadOptions::default())
    }

    /// Opens a file as [`open`](Self::open) does, with options. The path replaces
    /// [`file_name`](ReadOptions::file_name).
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    ///
    /// ```no_run
    /// let mut options = rmlir::ReadOptions::default();
    /// options.threads = rmlir::Threads::available();
    /// let file = rmlir::File::open_with("model.mlirbc", &options)?;
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let options = options.for_path(path);
        let name = options.file_name.clone();
        #[cfg(feature = "embed")]
        if options.select.is_some() || Form::of_file(path)? == Form::Text {
            let read = || {
                let source =
                    crate::embedded::resolve_file(Source::read(path)?, Some(path), &options)?;
                File::from_bytes(source, &options.of_found())
            };
            return read().map_err(|error: crate::Error| error.in_file(&name));
        }
        let open = || -> Result<_> {
            let context = options.context();
            let form = Form::of_file(path)?;
            let inner = match form {
                Form::Text => text_file(&Source::read(path)?, &options)?,
                Form::Rmbc => rmbc::File::open(&context, path, &options.rmbc_options())?.into(),
                Form::Mlirbc => {
                    mlirbc::File::open(&context, path, &options.mlirbc_options())?.into()
                }
            };
            Ok((inner, form))
        };
        let (inner, form) = match open() {
            Ok(opened) => opened,
            Err(error) => {
                // Bytecode that other bytes follow is found in the whole file alone.
                #[cfg(feature = "embed")]
                if let Ok(source) = Source::read(path)
                    && crate::embedded::is_wrapped(&source)
                {
                    return File::from_bytes(source, &options)
                        .map_err(|error| error.in_file(&name));
                }
                return Err(error.in_file(&name));
            }
        };
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
        #[cfg(feature = "embed")]
        let source = crate::embedded::resolve(source, options)?;
        let context = options.context();
        let form = Form::of(&source);
        let inner = match form {
            Form::Text => text_file(&source, options)?,
            Form::Rmbc => rmbc::File::new(&context, source, &options.rmbc_options())?.into(),
            Form::Mlirbc => mlirbc::File::new(&context, source, &options.mlirbc_options())?.into(),
        };
        Ok(File {
            inner,
            form,
            options: options.clone(),
        })
    }

    /// Opens a file whose bytes are read by position from any source: an object in a store, or with
    /// [`ReadRange`](crate::format::ReadRange) a part of another file.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    ///
    /// ```
    /// use rmlir::format::ReadRange;
    ///
    /// let text = b"-- func.func private @f() --".to_vec();
    /// let part = ReadRange::new(text, 3..25)?;
    /// let file = rmlir::File::positioned(part, &rmlir::ReadOptions::default())?;
    /// assert!(file.symbol("@f")?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positioned(bytes: impl ReadAt + 'static, options: &ReadOptions) -> Result<Self> {
        let bytes: Arc<dyn ReadAt> = Arc::new(bytes);
        let storage = Storage::positioned(Arc::clone(&bytes))?;
        let context = options.context();
        let form = Form::of(&storage.bytes(0..storage.len().min(8), "header")?);
        let inner = match form {
            Form::Text => text_file(&storage.read_all()?, options)?,
            Form::Rmbc => rmbc::File::positioned(&context, bytes, &options.rmbc_options())?.into(),
            Form::Mlirbc => {
                mlirbc::File::positioned(&context, bytes, &options.mlirbc_options())?.into()
            }
        };
        Ok(File {
            inner,
            form,
            options: options.clone(),
        })
    }

    /// Returns the form of the file.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert_eq!(file.form(), rmlir::Form::Text);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn form(&self) -> Form {
        self.form
    }

    /// Lists all symbols, in the order of the file.
    ///
    /// # Errors
    ///
    /// If a part of the file that has to be skipped is corrupt.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let names: Vec<String> = file.symbols()?.iter().map(|symbol| symbol.path.to_string()).collect();
    /// assert_eq!(names, ["@f", "@g"]);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn symbols(&self) -> Result<Vec<Symbol>> {
        Ok(self.as_lazy().symbols()?)
    }

    /// Finds a symbol by its reference: `@main`, `@module::@function`.
    ///
    /// In native bytecode with an index: O(log symbols). Otherwise the symbols are listed.
    ///
    /// # Errors
    ///
    /// If `reference` is not a symbol reference, or a part of the file that has to be skipped is
    /// corrupt.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert!(file.symbol("@g")?.is_some());
    /// assert!(file.symbol("@h")?.is_none());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn symbol(&self, reference: &str) -> Result<Option<Symbol>> {
        Ok(self.as_lazy().symbol(&SymbolPath::parse(reference)?)?)
    }

    /// Lists the operations directly in the top-level module that are not symbols, in the order of
    /// the file. They are read by [`read_symbol`](Self::read_symbol) as well, so that nothing of a
    /// file goes unnoticed.
    ///
    /// # Errors
    ///
    /// Those of [`symbols`](Self::symbols).
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert!(file.unnamed()?.is_empty());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn unnamed(&self) -> Result<Vec<Symbol>> {
        Ok(self.as_lazy().unnamed()?)
    }

    /// Reads one symbol, without those that it refers to, with the operations around it. Returns
    /// the IR, and the operation in it that is the symbol.
    ///
    /// # Errors
    ///
    /// If content that it uses is corrupt or cannot be decoded.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let g = file.symbol("@g")?.unwrap();
    /// let (ir, function) = file.read_symbol(&g)?;
    /// assert_eq!(ir.get(function).symbol_name().as_deref(), Some("g"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn read_symbol(&self, symbol: &Symbol) -> Result<(Ir, Operation)> {
        let mut context = self.options.context();
        let (module, operation) = self.as_lazy().read_symbol(&mut context, symbol)?;
        Ok((Ir::from_parts(context, module), operation))
    }

    /// Reads symbols, without those that they refer to, with the operations around them, into one
    /// module. Without symbols, it has only the attributes of the file's module.
    ///
    /// # Errors
    ///
    /// If content that they use is corrupt or cannot be decoded.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let g = file.symbol("@g")?.unwrap();
    /// assert!(file.read_symbols(&[g])?.symbol("f").is_none());
    /// assert_eq!(file.read_symbols(&[])?.ops().count(), 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn read_symbols(&self, symbols: &[Symbol]) -> Result<Ir> {
        self.read(|file, context| file.read_together(context, symbols))
    }

    /// Reads symbols and all that they refer to, directly or through others, into one module.
    ///
    /// # Errors
    ///
    /// If content that they use is corrupt or cannot be decoded.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let g = file.symbol("@g")?.unwrap();
    /// let ir = file.read_with_references(&[g])?;
    /// assert!(ir.symbol("f").is_some());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn read_with_references(&self, symbols: &[Symbol]) -> Result<Ir> {
        self.read(|file, context| {
            let needed = with_references(file, context, symbols)?;
            file.read_together(context, &needed)
        })
    }

    /// Visits all operations in the order of the file, without building a module; see
    /// [`events`](crate::events). Types, attributes and locations that the visitor requests are
    /// added to `context`, which must know the same dialects: that of
    /// [`ReadOptions::context`] does.
    ///
    /// # Errors
    ///
    /// If operations, or what is requested, are corrupt or cannot be decoded, and those of the
    /// visitor.
    ///
    /// ```
    /// use rmlir::events::{OperationEvent, Visitor};
    /// use rmlir::ir::WalkResult;
    ///
    /// struct Calls(usize);
    ///
    /// impl Visitor for Calls {
    ///     fn operation(&mut self, op: &mut OperationEvent<'_>) -> rmlir::format::Result<WalkResult> {
    ///         let name = op.context().operation_name_bytes(op.name());
    ///         self.0 += usize::from(name == b"func.call");
    ///         Ok(WalkResult::Advance)
    ///     }
    /// }
    ///
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let options = rmlir::ReadOptions::default();
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &options)?;
    /// let mut calls = Calls(0);
    /// file.visit(&mut options.context(), &mut calls)?;
    /// assert_eq!(calls.0, 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn visit(&self, context: &mut Context, visitor: &mut dyn Visitor) -> Result<()> {
        Ok(self.as_lazy().visit(context, visitor)?)
    }

    /// Reads the whole file.
    ///
    /// # Errors
    ///
    /// If it is corrupt or cannot be decoded.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert_eq!(file.read_all()?.ops().filter(|op| op.is("func.func")).count(), 2);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn read_all(&self) -> Result<Ir> {
        self.read(|file, context| file.read_module(context))
    }

    /// Returns the interface of all lazy files, which has further methods.
    ///
    /// ```
    /// # let text = "func.func private @f()\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}";
    /// # let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let lazy: &dyn rmlir::LazyFile = file.as_lazy();
    /// assert_eq!(lazy.symbols()?.len(), 2);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn as_lazy(&self) -> &dyn LazyFile {
        match &self.inner {
            Inner::Rmbc(file) => file.as_ref(),
            Inner::Mlirbc(file) => file.as_ref(),
        }
    }

    /// Returns the file as native bytecode, if it is stored so.
    ///
    /// ```
    /// # let text = "func.func private @f()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert!(file.as_rmbc().is_none());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn as_rmbc(&self) -> Option<&rmbc::File> {
        match &self.inner {
            Inner::Rmbc(file) if self.form == Form::Rmbc => Some(file),
            _ => None,
        }
    }

    /// Returns the file as upstream's bytecode, if it is stored so.
    ///
    /// ```no_run
    /// let file = rmlir::File::open("model.mlirbc")?;
    /// if let Some(file) = file.as_mlirbc() {
    ///     println!("{} undecided operations", file.undecided()?);
    /// }
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn as_mlirbc(&self) -> Option<&mlirbc::File> {
        match &self.inner {
            Inner::Mlirbc(file) => Some(file),
            Inner::Rmbc(_) => None,
        }
    }

    /// Passes every string in the tables of a bytecode file to `each`, whether or not anything
    /// refers to it: names, paths and texts that a file leaks. Of a text, those of its module.
    ///
    /// # Errors
    ///
    /// If the tables are corrupt.
    ///
    /// ```
    /// # let text = "func.func private @f()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let mut found = false;
    /// file.texts(&mut |text| found |= text == b"f")?;
    /// assert!(found);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn texts(&self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        match &self.inner {
            Inner::Rmbc(file) => file.texts(each)?,
            Inner::Mlirbc(file) => file.texts(each)?,
        }
        Ok(())
    }

    /// Returns the number of operations of which it is unknown whether they are symbols: those of
    /// upstream's bytecode whose property layout is unknown.
    ///
    /// # Errors
    ///
    /// Those of [`symbols`](Self::symbols).
    ///
    /// ```
    /// # let text = "func.func private @f()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// assert_eq!(file.undecided()?, 0);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn undecided(&self) -> Result<u64> {
        match &self.inner {
            Inner::Rmbc(_) => Ok(0),
            Inner::Mlirbc(file) => Ok(file.undecided()?),
        }
    }

    /// Counts operations, attributes and types without reading more than the tables of the file and
    /// the skeletons of operations. Names, producer and resources are interned in `context`. Of a
    /// text, the tables are those of its module as native bytecode.
    ///
    /// # Errors
    ///
    /// If the file is corrupt.
    ///
    /// ```
    /// # let text = "func.func private @f()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let mut context = rmlir::ir::Context::new();
    /// let survey = file.survey(&mut context)?;
    /// assert_eq!(survey.contents.symbols, 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn survey(&self, context: &mut Context) -> Result<Survey> {
        Ok(match &self.inner {
            Inner::Rmbc(file) => file.survey(context)?,
            Inner::Mlirbc(file) => file.survey(context)?,
        })
    }

    /// Returns the part of the [`survey`](Self::survey) that does not count operations: numbers of
    /// symbols and resources, and the provenance. Takes less time for native bytecode.
    ///
    /// # Errors
    ///
    /// If the file is corrupt.
    ///
    /// ```
    /// # let text = "func.func private @f()";
    /// let file = rmlir::File::from_bytes(text.as_bytes(), &rmlir::ReadOptions::default())?;
    /// let mut context = rmlir::ir::Context::new();
    /// assert_eq!(file.contents(&mut context)?.symbols, 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn contents(&self, context: &mut Context) -> Result<Contents> {
        Ok(match &self.inner {
            Inner::Rmbc(file) => file.contents(context)?,
            Inner::Mlirbc(file) => file.contents(context)?,
        })
    }

    /// Returns the program that wrote a bytecode file, if the file names it; `None` for text. Bytes
    /// that are not UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// If the file is corrupt.
    ///
    /// ```no_run
    /// let file = rmlir::File::open("model.mlirbc")?;
    /// println!("{}", file.producer()?.unwrap_or_default());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn producer(&self) -> Result<Option<String>> {
        let producer = match &self.inner {
            Inner::Rmbc(file) => file.producer()?,
            Inner::Mlirbc(file) => Some(file.producer()?),
        };
        Ok(producer.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Returns the names of the sections of a bytecode file, with their sizes in bytes; none for
    /// text.
    ///
    /// # Errors
    ///
    /// If the file is corrupt.
    ///
    /// ```no_run
    /// let file = rmlir::File::open("model.mlirbc")?;
    /// for (name, bytes) in file.sections()? {
    ///     println!("{name}: {bytes}");
    /// }
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn sections(&self) -> Result<Vec<(&'static str, u64)>> {
        match &self.inner {
            Inner::Rmbc(_) if self.form == Form::Text => Ok(Vec::new()),
            Inner::Rmbc(file) => Ok(file.sections()?),
            Inner::Mlirbc(file) => Ok(file.sections()?),
        }
    }

    fn read(
        &self,
        read: impl FnOnce(&dyn LazyFile, &mut Context) -> crate::format::Result<Module>,
    ) -> Result<Ir> {
        let mut context = self.options.context();
        let module = read(self.as_lazy(), &mut context)?;
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
fn text_file(text: &[u8], options: &ReadOptions) -> Result<Inner> {
    let mut context = options.context();
    let module = parse_module(&mut context, text, &options.parse_options())?;
    let mut write = rmbc::WriteOptions::default();
    write.threads = options.threads;
    let bytes = rmbc::write_module(&context, &module, &write)?;
    let mut read = options.rmbc_options();
    // Bytecode may share as much as the parser was allowed to.
    let shared = &mut read.limits.max_shared_entities;
    *shared = options.max_text_expansion.max(*shared);
    let file = rmbc::File::new(&context, Source::from(bytes), &read)?;
    Ok(file.into())
}

impl From<rmbc::File> for Inner {
    fn from(file: rmbc::File) -> Self {
        Inner::Rmbc(Box::new(file))
    }
}

impl From<mlirbc::File> for Inner {
    fn from(file: mlirbc::File) -> Self {
        Inner::Mlirbc(Box::new(file))
    }
}
