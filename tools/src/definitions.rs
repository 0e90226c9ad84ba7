//! Dialect definitions that users provide.

use crate::Failure;
use crate::input::{self, Input, Kind};
use crate::load::{LoadOptions, Piece};
use rmlir::dialects::Hooks;
use rmlir::ir::definition::DialectDefinition;
use rmlir::text::{Diagnostic, ParseOptions, Severity, SourceText, check_definition};
use rmlir_import::tablegen::{self, ImportOptions};
use rmlir_import::{ImportError, Imported};
use std::sync::{Arc, OnceLock};

/// The definitions named on the command line, read on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions(Arc<OnceLock<Vec<Arc<DialectDefinition>>>>);

impl Definitions {
    pub(crate) fn get(&self, load: &LoadOptions) -> Result<Vec<Arc<DialectDefinition>>, Failure> {
        if let Some(read) = self.0.get() {
            return Ok(read.clone());
        }
        let mut definitions = Vec::new();
        for path in &load.dialect {
            let input = load.read(path)?;
            definitions.extend(read(&input)?.into_iter().map(Arc::new));
        }
        Ok(self.0.get_or_init(|| definitions).clone())
    }
}

/// The kind of a file with a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// The text of a definition.
    Text,
    /// A TableGen dump.
    TableGen,
    /// MLIR in any form, with 'irdl.dialect'.
    Irdl,
}

impl DefinitionKind {
    /// Returns the kind of an input: a dump starts with `{`; MLIR is bytecode or has the extension
    /// `.mlir`.
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub fn of(input: &Input) -> Result<Self, Failure> {
        if input.kind() != Kind::Text || input.name.ends_with(".mlir") {
            return Ok(DefinitionKind::Irdl);
        }
        Ok(match input.source()?.trim_ascii_start().first() {
            Some(b'{') => DefinitionKind::TableGen,
            _ => DefinitionKind::Text,
        })
    }
}

/// Returns the definitions in an input. Parts of other descriptions that cannot be imported are
/// omitted silently.
///
/// # Errors
///
/// If it is malformed.
pub fn read(input: &Input) -> Result<Vec<DialectDefinition>, Failure> {
    match DefinitionKind::of(input)? {
        DefinitionKind::Text => Ok(vec![parse(input)?]),
        DefinitionKind::TableGen => {
            let imported = import_tablegen(&[input], &ImportOptions::default())?;
            Ok(vec![imported.definition])
        }
        DefinitionKind::Irdl => {
            let all = import_irdl(input)?.into_iter();
            Ok(all.map(|imported| imported.definition).collect())
        }
    }
}

/// Imports a definition from TableGen dumps.
///
/// # Errors
///
/// If they are malformed or of several dialects.
pub fn import_tablegen(inputs: &[&Input], options: &ImportOptions) -> Result<Imported, Failure> {
    let dumps = inputs.iter().map(|input| Ok(&**input.source()?));
    let dumps: Vec<&[u8]> = dumps.collect::<Result<_, Failure>>()?;
    tablegen::import(&dumps, options, &Hooks).map_err(|error| failure(inputs.first(), &error))
}

/// Imports the definitions of the dialects that operations of `irdl` describe.
///
/// # Errors
///
/// If the module cannot be read, or describes none.
pub fn import_irdl(input: &Input) -> Result<Vec<Imported>, Failure> {
    let load = LoadOptions {
        max_errors: 20,
        ..LoadOptions::default()
    };
    let (context, module) = load.load(input, &Piece::WHOLE, false)?;
    rmlir_import::irdl::import(&context, &module).map_err(|error| failure(Some(&input), &error))
}

fn failure(input: Option<&&Input>, error: &ImportError) -> Failure {
    let name = input.map_or("", |input| &input.name);
    Failure::Input(format!("{name}: error: {error}"))
}

/// Parses the text of a definition.
///
/// # Errors
///
/// If it is malformed.
pub fn parse(input: &Input) -> Result<DialectDefinition, Failure> {
    let text = text(input)?;
    // For a malformed text, the checker reports only that error.
    DialectDefinition::parse(text, &Hooks)
        .map_err(|_| Failure::Diagnostics(check_definition(text, &input.name, &Hooks, None)))
}

/// Returns the input as text.
///
/// # Errors
///
/// If it is not UTF-8.
pub fn text(input: &Input) -> Result<&str, Failure> {
    let source = input.source()?;
    std::str::from_utf8(source).map_err(|error| {
        let message = "the text is not UTF-8";
        Failure::Diagnostics(vec![at_offset(input, source, error.valid_up_to(), message)])
    })
}

fn at_offset(input: &Input, bytes: &[u8], offset: usize, message: &str) -> Diagnostic {
    let options = ParseOptions::for_file(&input.name);
    let source = SourceText {
        options: &options,
        bytes,
    };
    source.diagnostic(offset, Severity::Error, message)
}

/// Opens an input with a definition.
///
/// # Errors
///
/// If it cannot be read.
pub fn open(path: &str) -> Result<Input, Failure> {
    input::read(path, false)
}
