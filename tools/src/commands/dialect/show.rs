//! `rmlir dialect list` and `show`: the bundled definitions.

use crate::Failure;
use crate::commands::{ExitStatus, Run, print, table};
use crate::definitions;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use rmlir::dialects::BundledDialects;
use rmlir::ir::definition::{DialectDefinition, DialectSource, EnumDefinition};
use std::sync::Arc;

/// List the bundled definitions, or those in files, with how much they have.
#[derive(Args, Debug)]
pub struct List {
    /// Files with definitions; none for those that are bundled
    inputs: Vec<String>,
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
            let read = definitions::read(&definitions::open(path)?)?;
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

/// The enumeration of a name as an operation of a dialect refers to it, under that name.
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

/// Print a bundled definition, or one operation of it with the enumerations of its attributes, as canonical text.
#[derive(Args, Debug)]
pub struct Show {
    /// A dialect, or an operation with its dialect's name: `arith`, `arith.addi`
    name: String,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
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
        let Some(definition) = BundledDialects.dialect(dialect.as_bytes()) else {
            let names = BundledDialects.namespaces();
            let names = names.iter().map(|name| &**name);
            let meant = rmlir::ir::nearest_name(dialect.as_bytes(), names);
            let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
            return Err(Failure::Input(format!(
                "error: there is no bundled definition of '{dialect}'{}",
                meant.unwrap_or_default()
            )));
        };
        let Some(mnemonic) = mnemonic else {
            print(&definition.to_string())?;
            return Ok(ExitStatus::Success);
        };
        let all = definition.operations().iter();
        let found: Vec<_> = all.filter(|op| op.mnemonic == mnemonic).cloned().collect();
        if found.is_empty() {
            let names = definition.operations().iter().map(|op| &*op.mnemonic);
            let meant = rmlir::ir::nearest_name(mnemonic.as_bytes(), names);
            let meant = meant.map(|meant| format!("; did you mean '{dialect}.{meant}'?"));
            return Err(Failure::Input(format!(
                "error: dialect '{dialect}' has no operation '{mnemonic}'{}",
                meant.unwrap_or_default()
            )));
        }
        let mut one = DialectDefinition::new(definition.name.clone());
        one.family = definition.family;
        let attributes = found.iter().flat_map(|op| op.attributes());
        let properties = found.iter().flat_map(|op| op.properties.iter());
        let names = attributes.map(|attribute| &*attribute.enumeration);
        let mut names: Vec<&str> = names
            .chain(properties.map(|property| &*property.enumeration))
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        names.dedup();
        one.enums = names
            .iter()
            .filter_map(|name| enumeration(&definition, name))
            .collect();
        let found = found
            .iter()
            .map(|op| rmlir::ir::OperationDefinition::clone(op));
        print(&one.with_operations(found).to_string())?;
        Ok(ExitStatus::Success)
    }
}
