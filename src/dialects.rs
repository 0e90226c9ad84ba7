//! Dialect definitions: the bundled ones, and those in files.

use crate::format::Source;
use crate::ir::definition::DialectDefinition;
use crate::text::{Diagnostics, ParseOptions, Severity, SourceText, check_definition};
use crate::{Error, Form, Result};
use std::path::Path;

pub use rmlir_dialects::*;

/// Makes all bundled definitions known to a context, and how text spells attributes: defaults
/// are parsed, and the verifier checks parameters. A definition is parsed when the context first
/// meets its dialect.
///
/// ```
/// let mut context = rmlir::ir::Context::new();
/// rmlir::dialects::register_all(&mut context);
/// let name = context.operation_name("arith.addi");
/// assert!(context.operation_definition(name).is_some());
/// ```
pub fn register_all(context: &mut rmlir_ir::Context) {
    rmlir_dialects::register_all(context);
    rmlir_text::register(context);
}

/// A form that dialect definitions are stored in.
///
/// ```
/// use rmlir::dialects::DefinitionForm;
///
/// let form = DefinitionForm::of("toy.dialect", b"dialect toy");
/// assert_eq!(form, DefinitionForm::Text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DefinitionForm {
    /// The text of a definition, as `spec/dialect-definitions.md` specifies it.
    Text,
    /// JSON that `llvm-tblgen --dump-json` printed.
    TableGen,
    /// MLIR in any form, with operations of the dialect `irdl`.
    Irdl,
}

impl DefinitionForm {
    /// Recognizes the form: bytecode and files with the extension `.mlir` are IRDL, text that
    /// begins with `{` is a TableGen dump.
    ///
    /// ```
    /// use rmlir::dialects::DefinitionForm;
    ///
    /// assert_eq!(DefinitionForm::of("toy.dialect", b"dialect toy"), DefinitionForm::Text);
    /// assert_eq!(DefinitionForm::of("toy.json", b" {\"!instanceof\": {}}"), DefinitionForm::TableGen);
    /// assert_eq!(DefinitionForm::of("toy.mlir", b"irdl.dialect @toy {}"), DefinitionForm::Irdl);
    /// ```
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        if Form::of(bytes) != Form::Text || Form::of_path(name) == Some(Form::Text) {
            return DefinitionForm::Irdl;
        }
        match bytes.trim_ascii_start().first() {
            Some(b'{') => DefinitionForm::TableGen,
            _ => DefinitionForm::Text,
        }
    }
}

/// Reads the definitions in a file of any [form](DefinitionForm).
///
/// # Errors
///
/// If the file cannot be read; and those of [`read_definitions`].
///
/// ```no_run
/// let mut options = rmlir::ReadOptions::default();
/// for definition in rmlir::dialects::open_definitions("toy.dialect")? {
///     options.dialects.push(definition.into());
/// }
/// let ir = rmlir::open_with("program.mlir", &options)?;
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn open_definitions(path: impl AsRef<Path>) -> Result<Vec<DialectDefinition>> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let source = Source::read(path).map_err(|error| Error::from(error).in_file(&name))?;
    read_definitions(&source, &name)
}

/// Reads the definitions in a source of any [form](DefinitionForm). `name` is the file's name, for
/// errors. Facts of a dump or of IRDL that a definition cannot hold are dropped.
///
/// # Errors
///
/// If the source is malformed. For a TableGen dump or IRDL: if this crate was built without the
/// feature `import`.
///
/// ```
/// let text = "dialect toy\nop answer() -> I32\n";
/// let definitions = rmlir::dialects::read_definitions(&text.as_bytes().into(), "toy.dialect")?;
/// assert_eq!(definitions[0].name, "toy");
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn read_definitions(source: &Source, name: &str) -> Result<Vec<DialectDefinition>> {
    match DefinitionForm::of(name, source) {
        DefinitionForm::Text => Ok(vec![parse_definition(source, name)?]),
        form => imported(form, source, name).map_err(|error| error.in_file(name)),
    }
}

#[cfg(feature = "import")]
fn imported(form: DefinitionForm, source: &Source, name: &str) -> Result<Vec<DialectDefinition>> {
    use crate::import::{irdl, tablegen};
    if form == DefinitionForm::TableGen {
        let options = tablegen::ImportOptions::default();
        let imported = tablegen::import(&[source], &options, &Hooks)?;
        return Ok(vec![imported.definition]);
    }
    let mut options = crate::ReadOptions::default().for_path(Path::new(name));
    options.verify = true;
    let ir = crate::read_with(source.clone(), &options)?;
    let (context, module) = ir.parts();
    let all = irdl::import(context, module)?.into_iter();
    Ok(all.map(|imported| imported.definition).collect())
}

#[cfg(not(feature = "import"))]
fn imported(_: DefinitionForm, _: &Source, _: &str) -> Result<Vec<DialectDefinition>> {
    Err(Error::request(
        "definitions in TableGen dumps and IRDL need the feature 'import' of the crate 'rmlir'",
    ))
}

/// Parses the text of a definition, which may name the bundled [hooks](Hooks). `name` is the file's
/// name, for errors.
///
/// # Errors
///
/// If the text is malformed, with the location of each error.
///
/// ```
/// let error = rmlir::dialects::parse_definition(b"dialect toy\nopp x\n", "toy.dialect");
/// assert!(error.unwrap_err().to_string().starts_with("toy.dialect:2:"));
/// ```
pub fn parse_definition(text: &[u8], name: &str) -> Result<DialectDefinition> {
    let text = definition_text(text, name)?;
    DialectDefinition::parse(text, &Hooks).map_err(|error| {
        // The check reports a malformed text with its error alone, and where it is.
        match Diagnostics::from_vec(check_definition(text, name, &Hooks, None)) {
            Some(diagnostics) => diagnostics.into(),
            None => Error::from(error).in_file(name),
        }
    })
}

/// Returns the bytes of a definition as text. `name` is the file's name, for errors.
///
/// # Errors
///
/// If they are not UTF-8, with the location of the first byte that is not.
///
/// ```
/// let error = rmlir::dialects::definition_text(b"dialect \xff", "toy.dialect").unwrap_err();
/// assert!(error.to_string().contains("not UTF-8"));
/// ```
pub fn definition_text<'t>(bytes: &'t [u8], name: &str) -> Result<&'t str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let options = ParseOptions::for_file(name);
        let source = SourceText {
            options: &options,
            bytes,
        };
        let offset = error.valid_up_to();
        let diagnostic = source.diagnostic(offset, Severity::Error, "the text is not UTF-8");
        Diagnostics::from(diagnostic).into()
    })
}
