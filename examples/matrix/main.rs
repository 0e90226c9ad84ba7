//! matrix FILE: a dialect of matrices, with rules that its definition cannot express as data, and a
//! round trip through both kinds of bytecode.

use rmlir::ir::asm::*;
use rmlir::ir::codec::FieldValue;
use rmlir::ir::definition::HookTable;
use rmlir::ir::*;
use rmlir::{Form, ReadOptions, WriteOptions};
use std::error::Error;
use std::process::{Command, Stdio};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// The parameters of the type: `3x4xf32`. There are two sizes.
#[derive(Debug)]
struct Shape;

impl EntrySyntax for Shape {
    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let sizes = parser.dimensions()?;
        values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
        values.set(1, FieldValue::Type(parser.ty()?));
        Ok(())
    }

    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for size in values.list(0) {
            if let FieldValue::Signed(size) = size {
                printer.dimension(*size);
                printer.text(b"x");
            }
        }
        if let FieldValue::Type(ty) = values.get(1) {
            printer.ty(*ty);
        }
        Ok(())
    }
}

impl EntryVerifier for Shape {
    fn verify(&self, _: &Context, values: Parameters<'_, '_>) -> Result<(), Invalid> {
        match values.list(0).len() {
            2 => Ok(()),
            count => Err(Invalid::new(format!(
                "a matrix has 2 dimensions, not {count}"
            ))),
        }
    }
}

/// The sizes of operands and result of a product.
#[derive(Debug)]
struct Mul;

impl OperationVerifier for Mul {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let sizes = |value: Option<Value>| -> Option<Vec<String>> {
            let shape = op.parameter(op.module.value_type(value?), "shape")?;
            Some(shape.items().map(|size| shown(size.integer())).collect())
        };
        let values = [op.named_operand("a"), op.named_operand("b"), op.result(0)];
        let [Some(a), Some(b), Some(product)] = values.map(sizes) else {
            return Err("needs matrices".into());
        };
        let ([m, k], [l, n], [p, q]) = (&a[..], &b[..], &product[..]) else {
            return Err("needs two sizes".into());
        };
        if k != l {
            return Err(format!("multiplies {k} columns with {l} rows").into());
        }
        if (m, n) != (p, q) {
            return Err(format!("must give {m}x{n}, not {p}x{q}").into());
        }
        Ok(())
    }
}

/// Returns a size as it is written.
fn shown(size: Option<i64>) -> String {
    let known = size.filter(|size| *size >= 0);
    known.map_or("?".to_owned(), |size| size.to_string())
}

/// The kernel that is applied exists.
#[derive(Debug)]
struct Apply;

impl OperationVerifier for Apply {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let Some(kernel) = op.attr("kernel") else {
            return Ok(());
        };
        let found = symbols.lookup_symbol_from(op.context, op.module, op.id(), kernel);
        let Some(found) = found.map(|found| op.with_id(found)) else {
            return Err(Message::from("knows no kernel ").attribute(kernel).into());
        };
        if found.is("matrix.kernel") {
            return Ok(());
        }
        let message = Message::from("needs a kernel, not ").attribute(kernel);
        Err(VerifyFailure::op(message).note(found.location(), "which is this"))
    }
}

/// Returns how files with this dialect are read: they are verified.
fn options(file: &str) -> Result<ReadOptions> {
    let mut hooks = HookTable::default();
    hooks.entry_syntax = &[("matrix.Shape", &Shape)];
    hooks.entry_verifiers = &[("matrix.mat", &Shape)];
    hooks.verifiers = &[("matrix.mul", &Mul), ("matrix.apply", &Apply)];
    let definition = DialectDefinition::parse_static(include_str!("matrix.dialect"), &hooks)?;
    let mut options = ReadOptions::default();
    options.dialects.push(definition.into());
    options.file_name = file.to_owned();
    options.verify = true;
    Ok(options)
}

/// Parses and verifies a text, and stores it as bytecode of both kinds, which is read again.
/// Returns the text in custom and in generic form.
pub(crate) fn run(file: &str, text: &str) -> Result<(String, String)> {
    let options = options(file)?;
    let mut ir = rmlir::parse_with(text, &options)?;
    for form in [Form::Rmbc, Form::Mlirbc] {
        let bytes = ir.to_bytes(form, &WriteOptions::default())?;
        let read = rmlir::read_with(bytes, &options)?;
        assert!(read.semantic_eq(&ir), "{form} changes the module");
    }
    let mut generic = WriteOptions::default();
    generic.text.generic = true;
    Ok((ir.to_string(), ir.to_text(&generic)?))
}

/// Lets upstream, which does not know the dialect, read and print a text in generic form. Returns
/// it in custom form.
pub(crate) fn through_upstream(generic: &str) -> Result<String> {
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "--mlir-print-op-generic"]);
    let mut tool = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = tool.stdin.take() {
        std::io::Write::write_all(&mut input, generic.as_bytes())?;
    }
    let printed = tool.wait_with_output()?;
    Ok(rmlir::parse_with(printed.stdout, &options("upstream")?)?.to_string())
}

fn main() -> Result<()> {
    use std::io::Write;
    let file = std::env::args().nth(1).ok_or("usage: matrix FILE")?;
    let (text, generic) = run(&file, &std::fs::read_to_string(&file)?)?;
    assert_eq!(through_upstream(&generic)?, text);
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
