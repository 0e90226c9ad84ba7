//! `rmlir dialect list` and `show`: print bundled definitions, and those in files.

use crate::Failure;
use crate::commands::{ExitStatus, Run, print, table};
use crate::diagnostics::DiagnosticFormat;
use crate::input;
use clap::Args;
use rmlir::dialects::{BundledDialects, read_definitions};
use rmlir::ir::definition::{
    CodecTarget, DialectDefinition, DialectSource, Documentation, EntryDefinition, EntryTable,
    EnumDefinition, OperationDefinition, ParameterKind,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// List dialect definitions with their numbers of operations, attributes and types
#[derive(Args, Debug)]
pub(super) struct List {
    /// Files with definitions; none for the bundled ones
    inputs: Vec<String>,
    /// Print one JSON object per dialect (spec/json.md)
    #[arg(long)]
    json: bool,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Run for List {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut all: Vec<Arc<DialectDefinition>> = Vec::new();
        for path in &self.inputs {
            let read = input::read(path, false)?;
            let read = read_definitions(read.source()?, &read.name)?;
            all.extend(read.into_iter().map(Arc::new));
        }
        if self.inputs.is_empty() {
            let names = BundledDialects.namespaces();
            all.extend(
                names
                    .iter()
                    .filter_map(|name| BundledDialects.dialect(name.as_bytes())),
            );
        }
        if self.json {
            let line = |dialect: &Arc<DialectDefinition>| {
                let operations = dialect.operations();
                let line = json!({
                    "schema": "dialect/1",
                    "dialect": dialect.name,
                    "family": dialect.family.name(),
                    "operations": operations.len(),
                    "operations_with_syntax": operations.iter().filter(|op| has_syntax(op)).count(),
                    "attributes": dialect.attributes.entries().len(),
                    "types": dialect.types.entries().len(),
                });
                format!("{line}\n")
            };
            print(&all.iter().map(line).collect::<String>())?;
            return Ok(ExitStatus::Success);
        }
        let header = [
            "dialect",
            "family",
            "operations",
            "with syntax",
            "attributes",
            "types",
        ];
        let right = [false, false, true, true, true, true];
        let rows: Vec<Vec<String>> = all
            .iter()
            .map(|dialect| {
                let operations = dialect.operations();
                let with_syntax = |op: &&Arc<_>| has_syntax(op);
                vec![
                    dialect.name.to_string(),
                    dialect.family.name().to_owned(),
                    operations.len().to_string(),
                    operations.iter().filter(with_syntax).count().to_string(),
                    dialect.attributes.entries().len().to_string(),
                    dialect.types.entries().len().to_string(),
                ]
            })
            .collect();
        print(&table(&header, &right, &rows))?;
        Ok(ExitStatus::Success)
    }
}

fn has_syntax(operation: &rmlir::ir::OperationDefinition) -> bool {
    operation.syntax.is_some() || !operation.formats.is_empty()
}

/// Print a definition, or one operation, attribute or type of it
///
/// The text is canonical and has the documentation; that of an operation has the enumerations of
/// its attributes.
#[derive(Args, Debug)]
pub(super) struct Show {
    /// Dialects, or operations, attributes or types with their dialect's name: `arith`,
    /// `arith.addi`, `!llvm.ptr`
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// Print one JSON object per operation, attribute and type (spec/json.md)
    #[arg(long)]
    json: bool,
    /// A file with definitions that replace bundled ones; may be repeated
    #[arg(long = "dialect", value_name = "FILE")]
    files: Vec<String>,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Show {
    fn definition(&self, dialect: &str) -> Result<Arc<DialectDefinition>, Failure> {
        let mut names = BundledDialects.namespaces();
        for path in &self.files {
            let read = input::read(path, false)?;
            for definition in read_definitions(read.source()?, &read.name)? {
                if definition.name == dialect {
                    return Ok(Arc::new(definition));
                }
                names.push(definition.name);
            }
        }
        BundledDialects.dialect(dialect.as_bytes()).ok_or_else(|| {
            let names = names.iter().map(|name| &**name);
            let meant = rmlir::ir::nearest_name(dialect.as_bytes(), names);
            let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
            let meant = meant.unwrap_or_default();
            let bundled = if self.files.is_empty() {
                "bundled "
            } else {
                ""
            };
            Failure::Input(format!(
                "error: there is no {bundled}definition of '{dialect}'{meant}"
            ))
        })
    }
}

impl Run for Show {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        for name in &self.names {
            self.show(name)?;
        }
        Ok(ExitStatus::Success)
    }
}

impl Show {
    fn show(&self, name: &str) -> Result<(), Failure> {
        // As types and attributes are written.
        let name = name.strip_prefix(['!', '#']).unwrap_or(name);
        let (dialect, mnemonic) = match name.split_once('.') {
            Some((dialect, mnemonic)) => (dialect, Some(mnemonic)),
            None => (name, None),
        };
        let definition = self.definition(dialect)?;
        let Some(mnemonic) = mnemonic else {
            return match self.json {
                true => print(&lines(&definition)),
                false => print(&definition.to_string()),
            };
        };
        let part = Part::named(&definition, mnemonic);
        if !part.is_empty() {
            let found = part.definition(&definition);
            return match self.json {
                true => print(&lines(&found)),
                false => print(&found.to_string()),
            };
        }
        let names = definition.operations().iter().map(|op| &*op.mnemonic);
        let attributes = definition.attributes.entries().iter();
        let names = names.chain(attributes.map(|attribute| &*attribute.mnemonic));
        let types = definition.types.entries().iter();
        let names = names.chain(types.map(|ty| &*ty.mnemonic));
        let meant = rmlir::ir::nearest_name(mnemonic.as_bytes(), names);
        let meant = meant.map(|meant| format!("; did you mean '{dialect}.{meant}'?"));
        Err(Failure::Input(format!(
            "error: dialect '{dialect}' has no operation, attribute or type '{mnemonic}'{}",
            meant.unwrap_or_default()
        )))
    }
}

/// The lines of JSON of a definition's operations, attributes and types.
fn lines(definition: &DialectDefinition) -> String {
    let line = |kind: &str, name: &str, documentation: Option<&Documentation>, part: Part<'_>| {
        let line = json!({
            "schema": "definition/1",
            "dialect": definition.name,
            "kind": kind,
            "name": format!("{}.{name}", definition.name),
            "summary": documentation.map(|found| &*found.summary),
            "description": documentation.map(Documentation::description),
            "definition": part.definition(definition).to_string(),
        });
        format!("{line}\n")
    };
    let mut text = String::new();
    for operation in definition.operations() {
        let mut part = Part::default();
        part.operations.push(operation);
        let documentation = operation.documentation.as_deref();
        text.push_str(&line("operation", &operation.mnemonic, documentation, part));
    }
    for attribute in definition.attributes.entries() {
        let mut part = Part::default();
        part.attributes.push(attribute);
        let documentation = attribute.documentation.as_deref();
        text.push_str(&line("attribute", &attribute.mnemonic, documentation, part));
    }
    for ty in definition.types.entries() {
        let mut part = Part::default();
        part.types.push(ty);
        let documentation = ty.documentation.as_deref();
        text.push_str(&line("type", &ty.mnemonic, documentation, part));
    }
    text
}

/// Some operations, attributes and types of a definition.
#[derive(Default)]
struct Part<'d> {
    operations: Vec<&'d OperationDefinition>,
    attributes: Vec<&'d EntryDefinition>,
    types: Vec<&'d EntryDefinition>,
}

impl<'d> Part<'d> {
    /// Those of a name.
    fn named(definition: &'d DialectDefinition, mnemonic: &str) -> Self {
        let operations = definition.operations().iter().map(|operation| &**operation);
        let entries = |table: &'d EntryTable| {
            let all = table.entries().iter();
            all.filter(|entry| entry.mnemonic == mnemonic).collect()
        };
        Part {
            operations: operations.filter(|op| op.mnemonic == mnemonic).collect(),
            attributes: entries(&definition.attributes),
            types: entries(&definition.types),
        }
    }

    fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.attributes.is_empty() && self.types.is_empty()
    }

    /// Returns the definition of this part alone, with the enumerations that it refers to.
    fn definition(&self, whole: &DialectDefinition) -> DialectDefinition {
        let mut found = DialectDefinition::new(whole.name.clone());
        found.family = whole.family;
        found.attributes = table_of(&whole.attributes, &self.attributes);
        found.types = table_of(&whole.types, &self.types);
        let attributes = self.operations.iter().flat_map(|op| op.attributes());
        let properties = self.operations.iter().flat_map(|op| &op.properties);
        let entries = self.attributes.iter().chain(&self.types);
        let parameters = entries.flat_map(|entry| &entry.parameters);
        let parameters = parameters.filter_map(|parameter| match &parameter.kind {
            ParameterKind::Enumeration { name, .. } => Some(&**name),
            _ => None,
        });
        let names: BTreeSet<String> = attributes
            .map(|attribute| &*attribute.enumeration)
            .chain(properties.map(|property| &*property.enumeration))
            .chain(parameters)
            .map(str::to_owned)
            .collect();
        let enums = names.iter().filter_map(|name| enumeration(whole, name));
        found.enums = enums.collect();
        let operations = self.operations.iter().copied();
        found.with_operations(operations.cloned())
    }
}

/// Returns a table of some of the attributes or types of a definition, with their layouts in
/// bytecode.
fn table_of(table: &EntryTable, entries: &[&EntryDefinition]) -> EntryTable {
    let codecs = entries.iter().enumerate().flat_map(|(entry, definition)| {
        table.rows_of(definition).map(move |(codec, target)| {
            let target = target.clone();
            (codec.clone(), CodecTarget { entry, ..target })
        })
    });
    let codecs: Vec<_> = codecs.collect();
    let entries = entries.iter().map(|&entry| entry.clone());
    EntryTable::new(entries.collect(), codecs)
}

/// Returns an enumeration by the name with which operations of a dialect refer to it, renamed to
/// that name.
fn enumeration(definition: &DialectDefinition, name: &str) -> Option<EnumDefinition> {
    let mut found = match name.split_once('.') {
        None => definition.enumeration(name)?.clone(),
        Some((dialect, name)) => BundledDialects
            .dialect(dialect.as_bytes())?
            .enumeration(name)?
            .clone(),
    };
    found.name = name.to_owned().into();
    Some(found)
}
