//! `rmlir table`: writes modules as a table for data engines.

use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::with_files_of_folders;
use crate::load::Verifying;
use crate::output::Output;
use crate::parquet;
use crate::tables::{TableInput, TableOptions, Tables, What};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Write operations, symbols, attributes, constants or locations as a table
///
/// The table is Parquet, Arrow or CSV, for DuckDB, Polars, pandas, Spark and others. Files are read
/// one after another, and not verified; memory does not grow with their number.
#[derive(Args, Debug)]
pub struct Table {
    /// The input files; `@FILE` reads their names from a file, one a line
    ///
    /// Of a folder, all files in it and its subfolders whose names end in .mlir, .mlirbc or .rmbc,
    /// in the order of their names.
    #[arg(required = true)]
    inputs: Vec<String>,
    /// The kind of the rows
    #[arg(long, value_enum, default_value_t)]
    what: What,
    /// The output file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// The format of the table [default: by the extension of the output]
    #[arg(long, value_enum)]
    to: Option<TableFormat>,
    /// Leave out files that cannot be read, with a warning
    #[arg(long)]
    skip_errors: bool,
    /// Compute fingerprints of all operations instead of symbols only
    ///
    /// The time grows with the depth of nesting.
    #[arg(long)]
    all_fingerprints: bool,
    #[command(flatten)]
    load: Verifying,
}

/// A format of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableFormat {
    /// Apache Parquet, compressed by zstd
    Parquet,
    /// The file format of Apache Arrow (IPC, Feather 2)
    Arrow,
    /// Comma-separated values; lists and maps are JSON
    Csv,
}

impl TableFormat {
    fn of_path(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "parquet" => Some(TableFormat::Parquet),
            "arrow" | "feather" => Some(TableFormat::Arrow),
            "csv" => Some(TableFormat::Csv),
            _ => None,
        }
    }
}

impl Run for Table {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let format = self.to.or_else(|| TableFormat::of_path(&self.output));
        let format = format.ok_or_else(|| {
            Failure::Usage(format!(
                "the extension of '{}' names no format; expected .parquet, .arrow or .csv, or '--to'",
                self.output
            ))
        })?;
        let mut read = self.load.options_of_all()?;
        read.verify = false;
        let options = TableOptions {
            what: self.what,
            read,
            skip_errors: self.skip_errors,
            all_fingerprints: self.all_fingerprints,
            // A dictionary of the Arrow file format cannot change from batch to batch.
            dictionaries: format == TableFormat::Parquet,
            ..TableOptions::default()
        };
        let mut inputs = Vec::new();
        for input in &self.inputs {
            match input.strip_prefix('@') {
                Some(list) => {
                    let names = std::fs::read_to_string(list).map_err(|e| Failure::io(list, &e))?;
                    inputs.extend(
                        names
                            .lines()
                            .filter(|name| !name.is_empty())
                            .map(str::to_owned),
                    );
                }
                None => inputs.push(input.clone()),
            }
        }
        let inputs = with_files_of_folders(&inputs, &self.load)?;
        let output = Output::new(Some(&self.output));
        let lists = self
            .inputs
            .iter()
            .filter_map(|input| input.strip_prefix('@'));
        output.check_replaces_none(inputs.iter().map(String::as_str).chain(lists))?;
        self.load.check_forms(&inputs)?;
        let inputs = inputs.into_iter().map(|path| TableInput::Path(path.into()));
        let mut tables = Tables::new(inputs.collect(), options);
        if format != TableFormat::Csv {
            output.check_binary()?;
        }
        output.write(|out| match format {
            TableFormat::Parquet => write_parquet(&mut tables, out),
            TableFormat::Arrow => write_arrow(&mut tables, out),
            TableFormat::Csv => write_csv(&mut tables, out),
        })?;
        for (name, error) in tables.errors() {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let warning = format!("left out '{name}': {first}");
            self.load.diagnostic_format.show_warning(&warning);
        }
        Ok(ExitStatus::Success)
    }
}

/// Takes the bytes of a writer that must own its output; it is passed on after each batch.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn pass_on(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&bytes).map_err(|e| Failure::unwritten(&e))?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_parquet(tables: &mut Tables, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::unwritten(&error);
    let mut writer = parquet::Writer::new(out, tables.schema()).map_err(failed)?;
    for batch in tables {
        writer.write(&batch?).map_err(failed)?;
    }
    writer.close().map_err(failed)
}

fn write_arrow(tables: &mut Tables, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: ArrowError| Failure::Output(error.to_string());
    let buffer = Buffer::default();
    let mut writer = FileWriter::try_new(buffer.clone(), &tables.schema()).map_err(failed)?;
    for batch in tables {
        writer.write(&batch?).map_err(failed)?;
        buffer.pass_on(out)?;
    }
    writer.finish().map_err(failed)?;
    buffer.pass_on(out)
}

fn write_csv(tables: &mut Tables, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = String::new();
    let schema = tables.schema();
    let names: Vec<&str> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    text.push_str(&names.join(","));
    text.push('\n');
    for batch in tables {
        csv_rows(&batch?, &mut text);
        out.write_all(text.as_bytes())
            .map_err(|e| Failure::unwritten(&e))?;
        text.clear();
    }
    out.write_all(text.as_bytes())
        .map_err(|e| Failure::unwritten(&e))
}

/// Appends the rows of a batch as RFC 4180 has them. Null is an empty cell.
fn csv_rows(batch: &RecordBatch, text: &mut String) {
    for row in 0..batch.num_rows() {
        for (number, column) in batch.columns().iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            match value(column.as_ref(), row) {
                Value::Null => {}
                Value::String(word) => cell(&word, text),
                other => cell(&other.to_string(), text),
            }
        }
        text.push('\n');
    }
}

fn cell(word: &str, text: &mut String) {
    let is_plain = !word.contains([',', '"', '\n', '\r']);
    match is_plain && !word.is_empty() {
        true => text.push_str(word),
        false => {
            text.push('"');
            text.push_str(&word.replace('"', "\"\""));
            text.push('"');
        }
    }
}

/// Returns a cell as JSON. Columns have the types that `crate::tables` makes.
fn value(column: &dyn Array, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            (0..items.len())
                .map(|item| value(items.as_ref(), item))
                .collect()
        }
        DataType::Map(..) => {
            let entries = column.as_map().value(row);
            let (names, values) = (entries.column(0), entries.column(1));
            let pairs = (0..entries.len()).map(|entry| {
                let name = names.as_string::<i32>().value(entry);
                (name.to_owned(), value(values.as_ref(), entry))
            });
            Value::Object(pairs.collect::<Map<String, Value>>())
        }
        _ => Value::Null,
    }
}
