//! `rmlir dialect list` and `show`: print bundled definitions, and those in files.

use crate::Failure;
use crate::commands::{ExitStatus, Run, print, table};
use crate::diagnostics::DiagnosticFormat;
use crate::input;
use clap::Args;
use rmlir::dialects::{BundledDialects, read_definitions};
use rmlir::ir::definition::{
    CodecTarget, DialectDefinition, DialectSource, EntryDefinition, EntryTable, EnumDefinition,
    OperationDefinition, ParameterKind,
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
    /// A dialect, or an operation, attribute or type with its dialect's name: `arith`, `arith.addi`
    name: String,
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
        let (dialect, mnemonic) = match self.name.split_once('.') {
            Some((dialect, mnemonic)) => (dialect, Some(mnemonic)),
            None => (&*self.name, None),
        };
        let definition = self.definition(dialect)?;
        let Some(mnemonic) = mnemonic else {
            print(&definition.to_string())?;
            return Ok(ExitStatus::Success);
        };
        match part(&definition, mnemonic) {
            Some(found) => print(&found.to_string())?,
            None => {
                let names = definition.operations().iter().map(|op| &*op.mnemonic);
                let meant = rmlir::ir::nearest_name(mnemonic.as_bytes(), names);
                let meant = meant.map(|meant| format!("; did you mean '{dialect}.{meant}'?"));
                return Err(Failure::Input(format!(
                    "error: dialect '{dialect}' has no operation '{mnemonic}'{}",
                    meant.unwrap_or_default()
                )));
            }
        }
        Ok(ExitStatus::Success)
    }
}

/// Returns the operations, attributes and types of a name in a definition, with the enumerations
/// that they refer to.
fn part(definition: &DialectDefinition, mnemonic: &str) -> Option<DialectDefinition> {
    let all = definition.operations().iter();
    let operations: Vec<&OperationDefinition> = all
        .map(|operation| &**operation)
        .filter(|operation| operation.mnemonic == mnemonic)
        .collect();
    let mut found = DialectDefinition::new(definition.name.clone());
    found.family = definition.family;
    found.attributes = entries(&definition.attributes, mnemonic);
    found.types = entries(&definition.types, mnemonic);
    let tables = [&found.attributes, &found.types];
    let entries = tables.into_iter().flat_map(|table| table.entries());
    if operations.is_empty() && entries.clone().next().is_none() {
        return None;
    }
    let attributes = operations.iter().flat_map(|op| op.attributes());
    let properties = operations.iter().flat_map(|op| &op.properties);
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
    let enums = names
        .iter()
        .filter_map(|name| enumeration(definition, name));
    found.enums = enums.collect();
    Some(found.with_operations(operations.into_iter().cloned()))
}

/// Returns the attributes or types of a mnemonic, with their layouts in bytecode.
fn entries(table: &EntryTable, mnemonic: &str) -> EntryTable {
    let all = table.entries().iter();
    let named: Vec<&EntryDefinition> = all.filter(|entry| entry.mnemonic == mnemonic).collect();
    let codecs = named.iter().enumerate().flat_map(|(at, entry)| {
        table.rows_of(entry).map(move |(codec, target)| {
            let entry = at;
            let target = target.clone();
            (codec.clone(), CodecTarget { entry, ..target })
        })
    });
    let codecs: Vec<_> = codecs.collect();
    EntryTable::new(named.into_iter().cloned().collect(), codecs)
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
