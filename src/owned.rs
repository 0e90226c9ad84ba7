//! [`Ir`]: a module with the context that it belongs to.

use crate::error::{Error, Result};
use crate::format::{Source, write_atomically};
use crate::ir::{
    Builder, Context, Entry, EntryParameters, EqualityOptions, Fingerprint, FingerprintOptions,
    Module, Operation, Parameter, ParametersError, Resource, ResourceEntry, VerifyOptions,
    fingerprint, semantic_eq, verify,
};
use crate::text::{Diagnostics, ParseOptions, SourceText, parse_module, print_module};
use crate::{Edit, Form, Op, ReadOptions, WriteOptions, mlirbc, rmbc};
use std::fmt;
use std::path::Path;

/// A module and the context that owns its types, attributes and strings.
///
/// [`ops`](Self::ops) and [`op`](Self::op) look at it, [`edit`](Self::edit) changes it,
/// [`save`](Self::save) writes it. Code that needs both parts apart, such as passes written for
/// [`rmlir::ir`](crate::ir), borrows them with [`parts`](Self::parts) and
/// [`parts_mut`](Self::parts_mut).
///
/// ```
/// let ir = rmlir::parse("func.func @f(%x: i32) -> i32 { return %x : i32 }")?;
/// let function = ir.ops().find(|op| op.is("func.func")).unwrap();
/// assert_eq!(function.symbol_name().unwrap(), "f");
/// assert_eq!(ir.to_string(), "module {
///   func.func @f(%arg0: i32) -> i32 {
///     return %arg0 : i32
///   }
/// }
/// ");
/// # Ok::<(), rmlir::Error>(())
/// ```
pub struct Ir {
    context: Context,
    module: Module,
    /// The text that the module was parsed from, which diagnostics quote.
    text: Option<Box<Text>>,
}

/// A text with its name.
struct Text {
    bytes: Source,
    options: ParseOptions,
}

impl Ir {
    /// Returns an empty `builtin.module`. The bundled dialects are registered.
    ///
    /// ```
    /// assert_eq!(rmlir::Ir::new().to_string(), "module {\n}\n");
    /// ```
    pub fn new() -> Self {
        Ir::with_context(ReadOptions::default().context())
    }

    /// Returns an empty `builtin.module` in a context of the caller's.
    ///
    /// ```
    /// let mut context = rmlir::ir::Context::new();
    /// rmlir::dialects::register_all(&mut context);
    /// let ir = rmlir::Ir::with_context(context);
    /// assert_eq!(ir.to_string(), "module {\n}\n");
    /// ```
    pub fn with_context(mut context: Context) -> Self {
        let module = Module::new(&mut context);
        Ir::from_parts(context, module)
    }

    /// Joins a module with the context that it was built in.
    ///
    /// ```
    /// let (context, module) = rmlir::parse("module {}")?.into_parts();
    /// let ir = rmlir::Ir::from_parts(context, module);
    /// assert_eq!(ir.ops().count(), 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn from_parts(context: Context, module: Module) -> Self {
        Ir {
            context,
            module,
            text: None,
        }
    }

    /// Reads a module of any form from bytes.
    pub(crate) fn read(source: Source, options: &ReadOptions) -> Result<Self> {
        #[cfg(feature = "embed")]
        let source = crate::embedded::resolve(source, options)?;
        let mut context = options.context();
        let (module, text) = match Form::of(&source) {
            Form::Text => {
                let parse_options = options.parse_options();
                let module = parse_module(&mut context, &source, &parse_options)?;
                let text = Text {
                    bytes: source,
                    options: parse_options,
                };
                (module, Some(Box::new(text)))
            }
            Form::Rmbc => {
                let options = options.rmbc_options();
                (rmbc::read_module(&mut context, &source, &options)?, None)
            }
            Form::Mlirbc => {
                let options = options.mlirbc_options();
                (mlirbc::read_module(&mut context, &source, &options)?, None)
            }
        };
        let mut ir = Ir {
            context,
            module,
            text,
        };
        if options.verify {
            ir.verify_with(&options.verify_options())?;
        }
        Ok(ir)
    }

    /// Returns the top-level operation, usually a `builtin.module`.
    ///
    /// ```
    /// assert!(rmlir::Ir::new().op().is("builtin.module"));
    /// ```
    pub fn op(&self) -> Op<'_> {
        self.get(self.module.top())
    }

    /// Returns the view of an operation of this module.
    ///
    /// ```
    /// let ir = rmlir::Ir::new();
    /// let id = ir.op().id(); // 4 bytes, `Copy`, borrows nothing
    /// assert_eq!(ir.get(id).name(), "builtin.module");
    /// ```
    ///
    /// # Panics
    ///
    /// If the handle belongs to another module, or to an operation that was erased.
    #[track_caller]
    pub fn get(&self, operation: Operation) -> Op<'_> {
        Op::from((&self.context, &self.module, operation))
    }

    /// Returns all operations in the order in which they are written, the top-level one first.
    ///
    /// ```
    /// let ir = rmlir::parse("func.func private @f()")?;
    /// let names: Vec<_> = ir.ops().map(|op| op.name()).collect();
    /// assert_eq!(names, ["builtin.module", "func.func"]);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "walk")]
    pub fn ops(&self) -> impl Iterator<Item = Op<'_>> {
        self.op().descendants()
    }

    /// Returns the operation of a symbol at the top level, by its name without `@`.
    ///
    /// Takes time in the number of operations at the top level.
    ///
    /// ```
    /// let ir = rmlir::parse("func.func private @f()")?;
    /// assert!(ir.symbol("f").unwrap().is("func.func"));
    /// assert!(ir.symbol("g").is_none());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "lookupSymbol")]
    pub fn symbol(&self, name: &str) -> Option<Op<'_>> {
        let named = |op: &Op<'_>| {
            let own = self.module.symbol_name(&self.context, op.id());
            own.is_some_and(|own| self.context.bytes(own) == name.as_bytes())
        };
        self.op().children().find(named)
    }

    /// Returns the resources that operations refer to, such as the blobs of `dense_resource`
    /// attributes, in the order in which they were read. Linear in the size of the module.
    ///
    /// ```
    /// let ir = rmlir::parse("
    ///     module attributes {a.weights = dense_resource<w> : tensor<1xi32>} {}
    ///     {-# dialect_resources: { builtin: { w: \"0x0400000001000000\" } } #-}")?;
    /// let keys: Vec<_> = ir.resources().map(|resource| ir.context().str(resource.key)).collect();
    /// assert_eq!(keys, ["w"]);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn resources(&self) -> impl Iterator<Item = &ResourceEntry> {
        let used = crate::ir::used_resources(&self.context, &self.module);
        let mut used: Vec<Resource> = used.into_iter().collect();
        used.sort_unstable();
        used.into_iter()
            .map(|resource| self.context.resource(resource))
    }

    /// Starts an edit, which borrows the module and the context until it is dropped.
    ///
    /// ```
    /// let mut ir = rmlir::parse("func.func private @f()")?;
    /// let function = ir.symbol("f").unwrap().id();
    /// ir.edit().set_attr(function, "my.note", "hot")?;
    /// assert!(ir.to_string().contains("my.note = \"hot\""));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn edit(&mut self) -> Edit<'_> {
        Edit::new(&mut self.context, &mut self.module)
    }

    /// Returns a builder at the end of the body of the top-level operation.
    ///
    /// ```
    /// let mut ir = rmlir::Ir::new();
    /// ir.builder().op("arith.constant").attr("value", "1 : i32").build()?;
    /// assert!(ir.to_string().contains("arith.constant 1 : i32"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "OpBuilder")]
    pub fn builder(&mut self) -> Builder<'_> {
        Builder::new(&mut self.context, &mut self.module)
    }

    /// Returns the context: types, attributes, strings and dialect definitions.
    ///
    /// ```
    /// let ir = rmlir::Ir::new();
    /// assert!(ir.context().dialect(b"func").is_some());
    /// ```
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the parameters of an attribute or type of a dialect, by the names in its definition.
    /// See [`Context::parameters`].
    ///
    /// # Errors
    ///
    /// If nothing is known of the parameters, or the body does not match its definition.
    ///
    /// ```
    /// let ir = rmlir::parse("
    ///     func.func @f(%m: !gpu.mma_matrix<16x8xf16, \"AOp\">) {
    ///       return
    ///     }")?;
    /// let function = ir.symbol("f").unwrap();
    /// let argument = function.body_arguments().next().unwrap();
    /// let matrix = ir.parameters(function.module.value_type(argument))?;
    /// let shape = matrix.get("shape").unwrap().items();
    /// assert_eq!(shape.filter_map(|size| size.integer()).collect::<Vec<_>>(), [16, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameters(
        &self,
        entry: impl Into<Entry>,
    ) -> std::result::Result<EntryParameters<'_>, ParametersError> {
        self.context.parameters(entry)
    }

    /// Returns a parameter of an attribute or type of a dialect; `None` if nothing is known of it.
    ///
    /// ```
    /// let ir = rmlir::parse("module attributes {a.b = #dlti.dl_entry<\"stack\", 8>} {}")?;
    /// let entry = ir.op().attr("a.b").unwrap();
    /// assert_eq!(ir.parameter(entry, "value").unwrap().integer(), Some(8));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn parameter(&self, entry: impl Into<Entry>, name: &str) -> Option<Parameter<'_>> {
        self.context.parameter(entry, name)
    }

    /// Returns the context and the module.
    ///
    /// ```
    /// let ir = rmlir::Ir::new();
    /// let (context, module) = ir.parts();
    /// assert!(rmlir::text::module_to_string(context, module, &Default::default()).is_ok());
    /// ```
    pub fn parts(&self) -> (&Context, &Module) {
        (&self.context, &self.module)
    }

    /// Returns the context and the module for changes. They belong together: a module that replaces
    /// this one must have been built in this context.
    ///
    /// ```
    /// let mut ir = rmlir::Ir::new();
    /// let (context, module) = ir.parts_mut();
    /// let note = context.string_attribute("b");
    /// let top = module.top();
    /// module.set_attribute(context, top, "my.note", note)?;
    /// assert!(ir.op().attr("my.note").is_some());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn parts_mut(&mut self) -> (&mut Context, &mut Module) {
        (&mut self.context, &mut self.module)
    }

    /// Splits into the context and the module.
    ///
    /// ```
    /// let (context, module) = rmlir::parse("module {}")?.into_parts();
    /// assert_eq!(module.descendants(module.top()).count(), 1);
    /// # drop(context);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn into_parts(self) -> (Context, Module) {
        (self.context, self.module)
    }

    /// Returns the text that the module was parsed from, for diagnostics.
    pub(crate) fn source_text(&self) -> Option<SourceText<'_>> {
        self.text.as_ref().map(|text| SourceText {
            options: &text.options,
            bytes: &text.bytes,
        })
    }

    /// Verifies the module: the rules of the IR, those of its operations' definitions, and the
    /// parameters of attributes and types. [`ir::verify`](crate::ir::verify()) documents the
    /// checks.
    ///
    /// # Errors
    ///
    /// An error that [is invalid](Error::is_invalid), with up to 20 diagnostics. Each has its
    /// notes; where the module was parsed from text, they quote its lines.
    ///
    /// ```
    /// let mut ir = rmlir::parse("func.func @f(%x: i32) -> i64 {\n  \"func.return\"(%x) : (i32) -> ()\n}")?;
    /// let error = ir.verify().unwrap_err();
    /// let report = error.to_string();
    /// assert!(report.contains("2:3: error: "), "{report}");
    /// assert!(report.contains("\n  \"func.return\"(%x) : (i32) -> ()\n  ^"), "{report}");
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn verify(&mut self) -> Result<()> {
        self.verify_with(&VerifyOptions::default())
    }

    /// Verifies the module as [`verify`](Self::verify) does, with options.
    ///
    /// # Errors
    ///
    /// Those of [`verify`](Self::verify).
    ///
    /// ```
    /// let mut options = rmlir::ir::VerifyOptions::default();
    /// options.threads = rmlir::Threads::new(2);
    /// rmlir::parse("module {}")?.verify_with(&options)?;
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn verify_with(&mut self, options: &VerifyOptions) -> Result<()> {
        if options.check_bodies && !options.allow_unknown && !options.symbols_only {
            self.context.check_bodies();
        }
        let (context, module) = (&self.context, &self.module);
        let Err(errors) = verify(context, module, module.top(), options) else {
            return Ok(());
        };
        let source = self.source_text();
        match Diagnostics::of_verify_errors(context, module, &errors, source) {
            Some(diagnostics) => Err(Error::verification(diagnostics)),
            None => Ok(()),
        }
    }

    /// Returns the module as text.
    ///
    /// # Errors
    ///
    /// If the text exceeds the limit in `options.text`. Bytes of strings that are not UTF-8 are
    /// escaped, so that all text is.
    ///
    /// ```
    /// let ir = rmlir::parse("func.func private @f()")?;
    /// let mut options = rmlir::WriteOptions::default();
    /// options.text.generic = true;
    /// assert!(ir.to_text(&options)?.starts_with("\"builtin.module\"()"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn to_text(&self, options: &WriteOptions) -> Result<String> {
        let mut out = Vec::new();
        print_module(&self.context, &self.module, &options.text, &mut out)?;
        String::from_utf8(out).map_err(|_| Error::request("the text is not UTF-8"))
    }

    /// Returns the module as bytes of a form.
    ///
    /// # Errors
    ///
    /// If the form cannot hold the module, such as upstream's bytecode an attribute that the target
    /// release does not have, or a limit is exceeded.
    ///
    /// ```
    /// use rmlir::{Form, WriteOptions};
    ///
    /// let mut ir = rmlir::parse("func.func private @f()")?;
    /// let bytes = ir.to_bytes(Form::Rmbc, &WriteOptions::default())?;
    /// assert!(rmlir::read(bytes)?.semantic_eq(&ir));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn to_bytes(&mut self, form: Form, options: &WriteOptions) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.write(form, options, &mut out)?;
        Ok(out)
    }

    /// Saves the module in the form that the extension names: `.mlir`, `.rmbc` or `.mlirbc`.
    ///
    /// The file is replaced as a whole or not at all.
    ///
    /// # Errors
    ///
    /// If the extension is another, the form cannot hold the module, or the file cannot be written.
    ///
    /// ```no_run
    /// rmlir::open("model.mlir")?.save("model.mlirbc")?;
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, &WriteOptions::default())
    }

    /// Saves the module as [`save`](Self::save) does, with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save).
    ///
    /// ```no_run
    /// let mut options = rmlir::WriteOptions::default();
    /// options.form = Some(rmlir::Form::Rmbc);
    /// rmlir::open("model.mlir")?.save_with("model.bin", &options)?;
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn save_with(&mut self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        let form = options.form.or_else(|| Form::of_path(path));
        let form = form.ok_or_else(|| {
            Error::request(format!(
                "the extension of '{}' names no form; expected .mlir, .rmbc or .mlirbc",
                path.display()
            ))
        })?;
        // The error of the printer or writer, which may be of another type than that of the file.
        let mut failed = Ok(());
        let written = write_atomically(path, |out| {
            failed = self.write(form, options, out);
            match failed {
                Ok(()) => Ok(()),
                Err(_) => Err(std::io::Error::other("not written").into()),
            }
        });
        let saved = failed.and_then(|()| Ok(written?));
        saved.map_err(|error| error.in_file(&path.display().to_string()))
    }

    fn write(
        &mut self,
        form: Form,
        options: &WriteOptions,
        out: &mut dyn std::io::Write,
    ) -> Result<()> {
        match form {
            Form::Text => print_module(&self.context, &self.module, &options.text, out)?,
            Form::Rmbc => rmbc::write_module_to(&self.context, &self.module, &options.rmbc, out)?,
            Form::Mlirbc => {
                mlirbc::write_module_to(&mut self.context, &self.module, &options.mlirbc, out)?;
            }
        }
        Ok(())
    }

    /// Returns whether two modules have the same content: names of values, aliases, locations and
    /// the order of tables do not count. [`semantic_eq`](crate::ir::semantic_eq) documents the
    /// rules.
    ///
    /// ```
    /// let one = rmlir::parse("func.func @f(%x: i32) { return }")?;
    /// let two = rmlir::parse("func.func @f(%renamed: i32) {\n  return\n}")?;
    /// assert!(one.semantic_eq(&two));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn semantic_eq(&self, other: &Ir) -> bool {
        semantic_eq(self.parts(), other.parts(), &EqualityOptions::default())
    }

    /// Returns the fingerprint of the module's content. Modules that are
    /// [semantically equal](Self::semantic_eq) have the same; `spec/fingerprint.md` defines it.
    ///
    /// ```
    /// let ir = rmlir::parse("func.func private @f()")?;
    /// let same = rmlir::parse("module { func.func private @f() -> () }")?;
    /// assert_eq!(ir.fingerprint(), same.fingerprint());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "hash")]
    pub fn fingerprint(&self) -> Fingerprint {
        let options = FingerprintOptions { locations: false };
        fingerprint(&self.context, &self.module, self.module.top(), &options)
    }
}

impl Default for Ir {
    fn default() -> Self {
        Ir::new()
    }
}

impl fmt::Display for Ir {
    /// Prints the module in custom form with the default [`WriteOptions`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_text(&WriteOptions::default());
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Ir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ir")
            .field("operations", &self.module.operation_slots())
            .finish_non_exhaustive()
    }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Ir>();
};
