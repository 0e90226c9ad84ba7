//! `rmlir weights export`: writes constants and resources as NumPy or safetensors files.

use super::collect::{Wanted, Weight, collect};
use crate::Failure;
use crate::commands::{ExitStatus, Loaded, Run, print};
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::{Inputs, folders_of, no_folder};
use crate::load::Inspecting;
use crate::output::Output;
use clap::Args;
use rmlir::ir::dense::{ElementLayout, ScalarKind};
use rmlir::ir::float::FloatKind;
use rmlir::ir::sort::CompactSort as _;
use rmlir::query::Glob;
use serde_json::{Map, Value, json};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Export constants and resources
///
/// To a file that ends in .safetensors: all weights in one file. To a folder: one .npy file for
/// each weight, by its name; of several inputs, in a folder with the name of the input. To a file
/// that ends in .npy: the only weight that is selected. Data is written as it is read, without a
/// copy in memory. Weights whose type the format does not have are left out with a warning.
#[derive(Args, Debug)]
pub(super) struct Export {
    #[command(flatten)]
    inputs: Inputs,
    /// The output: a .safetensors or .npy file, or a folder, which must exist
    #[arg(short, value_name = "OUTPUT", required = true)]
    output: String,
    /// Print one JSON object per written weight (spec/json.md)
    #[arg(long)]
    json: bool,
    /// Only names that match this glob; may be repeated
    #[arg(long, value_name = "GLOB")]
    name: Vec<Glob>,
    /// The smallest size in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16)]
    min_size: u64,
    /// Include splats, with all their elements
    #[arg(long)]
    splats: bool,
    #[command(flatten)]
    load: Inspecting,
}

/// How a weight is written.
struct Tensor<'w> {
    name: &'w str,
    /// The name of the element type in the format.
    kind: &'static str,
    shape: Vec<u64>,
    data: &'w [u8],
    /// How often the data is repeated: more than once for a splat.
    times: u64,
}

impl Tensor<'_> {
    fn bytes(&self) -> u64 {
        (self.data.len() as u64).saturating_mul(self.times)
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.times == 1 {
            return out.write_all(self.data);
        }
        // Blocks of some elements.
        let each = (1usize << 16) / self.data.len().max(1);
        let block = self.data.repeat(each.max(1));
        let mut left = self.bytes();
        while left > 0 {
            let len = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            out.write_all(block.get(..len).unwrap_or_default())?;
            left -= len as u64;
        }
        Ok(())
    }
}

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Npy,
    Safetensors,
}

impl Format {
    /// Returns the name of an element type; `None` if the format does not have it.
    fn element(self, layout: ElementLayout) -> Option<&'static str> {
        // The order of bytes is little-endian, as in memory.
        let (npy, safetensors) = match (layout.scalar, layout.complex) {
            (ScalarKind::Integer { width: 1, .. }, false) => (Some("|b1"), Some("BOOL")),
            (ScalarKind::Integer { width, signed }, false) => match (width, signed) {
                (8, true) => (Some("|i1"), Some("I8")),
                (16, true) => (Some("<i2"), Some("I16")),
                (32, true) => (Some("<i4"), Some("I32")),
                (64, true) => (Some("<i8"), Some("I64")),
                (8, false) => (Some("|u1"), Some("U8")),
                (16, false) => (Some("<u2"), Some("U16")),
                (32, false) => (Some("<u4"), Some("U32")),
                (64, false) => (Some("<u8"), Some("U64")),
                _ => (None, None),
            },
            (ScalarKind::Index, false) => (Some("<i8"), Some("I64")),
            (ScalarKind::Float(FloatKind::F16), false) => (Some("<f2"), Some("F16")),
            (ScalarKind::Float(FloatKind::F32), false) => (Some("<f4"), Some("F32")),
            (ScalarKind::Float(FloatKind::F64), false) => (Some("<f8"), Some("F64")),
            (ScalarKind::Float(kind), false) => match kind.keyword() {
                "bf16" => (None, Some("BF16")),
                "f8E5M2" => (None, Some("F8_E5M2")),
                "f8E4M3FN" => (None, Some("F8_E4M3")),
                "f8E8M0FNU" => (None, Some("F8_E8M0")),
                _ => (None, None),
            },
            (ScalarKind::Float(FloatKind::F32), true) => (Some("<c8"), Some("C64")),
            (ScalarKind::Float(FloatKind::F64), true) => (Some("<c16"), None),
            _ => (None, None),
        };
        match self {
            Format::Npy => npy,
            Format::Safetensors => safetensors,
        }
    }
}

impl Run for Export {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let path = Path::new(&self.output);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = match extension {
            _ if path.is_dir() => Format::Npy,
            Some("npy") => Format::Npy,
            Some("safetensors") => Format::Safetensors,
            _ => {
                let message = format!(
                    "'{}' is neither a folder nor ends in .safetensors or .npy",
                    self.output
                );
                return Err(Failure::Usage(message));
            }
        };
        let paths = self.inputs.paths(&self.load)?;
        let outputs = folders_of(&self.output, &paths)?;
        if paths.len() > 1 && !path.is_dir() {
            return Err(no_folder(paths.len(), Some(&self.output)));
        }
        let mut failures = Vec::new();
        for (path, output) in paths.iter().zip(&outputs) {
            let input = self.load.read_among(path, paths.len());
            let several = paths.len() > 1;
            let exported = input.and_then(|input| self.export(input, format, output, several));
            if let Err(failure) = exported {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl Export {
    /// Writes the weights of an input, which may be one of several, to a file or folder.
    fn export(
        &self,
        input: Input,
        format: Format,
        output: &str,
        several: bool,
    ) -> Result<(), Failure> {
        let loaded = Loaded::from_input(&self.load, input)?;
        let wanted = Wanted {
            min_size: self.min_size,
            names: &self.name,
            splats: self.splats,
            others: false,
        };
        let weights = collect(&loaded.context, &loaded.module, &wanted);
        let mut tensors = Vec::new();
        for weight in &weights {
            let shape = weight.ty.and_then(|ty| loaded.context.shape(ty));
            match tensor(weight, shape, format) {
                Ok(tensor) => tensors.push(tensor),
                Err(reason) => self.load.diagnostic_format.show_warning(&format!(
                    "'{}' is left out: {reason}",
                    weight.name.escape_debug()
                )),
            }
        }
        if tensors.is_empty() {
            let reason = match (weights.is_empty(), self.name.is_empty()) {
                (false, _) => "none of the selected weights can be written".to_owned(),
                (true, false) => "no weight matches '--name'".to_owned(),
                (true, true) => {
                    let others = if self.splats {
                        ""
                    } else {
                        ", other than splats"
                    };
                    format!(
                        "there are no weights of at least {} bytes{others}",
                        self.min_size
                    )
                }
            };
            let name = &loaded.input.name;
            if !several {
                return Err(Failure::file(name, reason));
            }
            let warning = format!("{name}: {reason}");
            self.load.diagnostic_format.show_warning(&warning);
            return Ok(());
        }
        match format {
            Format::Safetensors => {
                safetensors(&tensors, output)?;
                for tensor in &tensors {
                    self.report(&loaded.input, tensor, output)?;
                }
            }
            Format::Npy if Path::new(&self.output).is_dir() => {
                std::fs::create_dir_all(output).map_err(|error| Failure::io(output, &error))?;
                for tensor in &tensors {
                    let file = Path::new(output).join(format!("{}.npy", file_name(tensor.name)));
                    let file = file.display().to_string();
                    npy(tensor, &file)?;
                    self.report(&loaded.input, tensor, &file)?;
                }
            }
            Format::Npy => match tensors.as_slice() {
                [one] => {
                    npy(one, output)?;
                    self.report(&loaded.input, one, output)?;
                }
                several => {
                    let message = format!(
                        "error: {} weights are selected, and an .npy file holds one; '--name' selects, \
                         a folder takes one file for each",
                        several.len()
                    );
                    return Err(Failure::Input(message));
                }
            },
        }
        Ok(())
    }

    /// Prints the line of JSON of a weight that was written.
    fn report(&self, input: &Input, tensor: &Tensor<'_>, output: &str) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let line = json!({
            "schema": "weights-export/1",
            "file": input.name,
            "name": tensor.name,
            "output": output,
            "element": tensor.kind,
            "shape": tensor.shape,
            "bytes": tensor.bytes(),
        });
        print(&format!("{line}\n"))
    }
}

/// Returns a weight as it is written, or the reason why it cannot be.
fn tensor<'w>(
    weight: &'w Weight<'_>,
    shape: Option<&[i64]>,
    format: Format,
) -> Result<Tensor<'w>, String> {
    let (Some(layout), Some(elements), Some(shape)) = (weight.layout, weight.elements, shape)
    else {
        return Err(match &weight.type_text {
            Some(ty) => format!("elements of '{ty}' have no fixed size"),
            None => "no operation refers to it, so its type is not known".to_owned(),
        });
    };
    let Some(kind) = format.element(layout) else {
        let ty = weight.type_text.as_deref().unwrap_or_default();
        let hint = match format {
            Format::Npy if Format::Safetensors.element(layout).is_some() => "; safetensors has it",
            _ => "",
        };
        return Err(format!("the format has no elements of '{ty}'{hint}"));
    };
    let times = if weight.splat { elements } else { 1 };
    let bytes = (weight.data.len() as u64).saturating_mul(times);
    let expected = elements.saturating_mul(layout.element_size() as u64);
    if bytes != expected {
        return Err(format!("{expected} bytes are needed, {bytes} are there"));
    }
    Ok(Tensor {
        name: &weight.name,
        kind,
        shape: shape
            .iter()
            .map(|&size| u64::try_from(size).unwrap_or(0))
            .collect(),
        data: weight.data,
        times,
    })
}

/// Returns the name of a file for a weight: other characters than letters, digits and `._-` are
/// replaced.
fn file_name(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name
        .chars()
        .map(|c| if keep(c) { c } else { '_' })
        .take(200)
        .collect();
    // A name must not denote a folder or a hidden file.
    match name.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

/// Writes a file in NumPy's format, version 1.0 (numpy.lib.format).
fn npy(tensor: &Tensor<'_>, path: &str) -> Result<(), Failure> {
    let sizes: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
    let shape = match sizes.as_slice() {
        [one] => format!("({one},)"),
        sizes => format!("({})", sizes.join(", ")),
    };
    let mut header = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}",
        tensor.kind
    );
    // Magic, version and length take 10 bytes; the data is aligned to 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let Ok(len) = u16::try_from(header.len()) else {
        return Err(Failure::file(path, "the shape is too long"));
    };
    Output::new(Some(path)).write(|out| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let write = || {
            out.write_all(b"\x93NUMPY\x01\x00")?;
            out.write_all(&len.to_le_bytes())?;
            out.write_all(header.as_bytes())?;
            tensor.write(&mut out)?;
            out.flush()
        };
        write_with(write)
    })
}

fn write_with(mut write: impl FnMut() -> std::io::Result<()>) -> Result<(), Failure> {
    write().map_err(|e| Failure::unwritten(&e))
}

/// Writes a file in the format of safetensors: the length of the header, the header as JSON,
/// the data.
fn safetensors(tensors: &[Tensor<'_>], output: &str) -> Result<(), Failure> {
    // Larger elements first, so that all of them are aligned.
    let mut order: Vec<&Tensor<'_>> = tensors.iter().collect();
    let size = |tensor: &Tensor<'_>| {
        let count: u64 = tensor.shape.iter().product();
        tensor.bytes().checked_div(count).unwrap_or(0)
    };
    order.compact_sort_by_key(|tensor| std::cmp::Reverse(size(tensor)));
    let mut entries: Map<String, Value> = Map::new();
    let mut offset = 0u64;
    for tensor in &order {
        let end = offset.saturating_add(tensor.bytes());
        let entry = json!({
            "dtype": tensor.kind,
            "shape": tensor.shape,
            "data_offsets": [offset, end],
        });
        entries.insert(tensor.name.to_owned(), entry);
        offset = end;
    }
    let mut header = Value::Object(entries).to_string();
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    Output::new(Some(output)).write(|out| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let write = || {
            out.write_all(&(header.len() as u64).to_le_bytes())?;
            out.write_all(header.as_bytes())?;
            for tensor in &order {
                tensor.write(&mut out)?;
            }
            out.flush()
        };
        write_with(write)
    })
}
