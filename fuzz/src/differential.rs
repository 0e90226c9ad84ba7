//! Compares how rmlir and `mlir-opt-22` read upstream's bytecode.

use crate::{context, parse};
use rmlir::ir::{Context, EqualityOptions, Module, VerifyOptions, semantic_difference, verify};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{PrintOptions, parse_module};
use rmlir_testing::module_to_string;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The result of comparing two readers on a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Comparison {
    /// Both read the same module.
    Same,
    /// Both reject it.
    BothRefuse,
    /// rmlir rejects a file that `mlir-opt` reads: upstream's reader accepts much malformed input.
    WeRefuse,
    /// `mlir-opt` rejects a file that rmlir reads: it checks the rules of each operation, and has
    /// code for each dialect.
    TheyRefuse,
    /// `mlir-opt` crashes, or exceeds five seconds or 4 GB.
    TheyFail,
    /// `mlir-opt` prints text that it does not read.
    TheyContradict,
    /// The text of `mlir-opt` denotes another module than rmlir's, possibly only because it defines
    /// aliases whose names occur in bodies.
    Uncertain,
}

/// Returns whether `mlir-opt-22` is installed.
fn is_installed() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| {
        let version = Command::new("mlir-opt-22").arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    })
}

/// Checks that `mlir-opt-22` and rmlir read the same module from bytes that both accept. Does
/// nothing if `mlir-opt-22` is not installed.
pub fn mlirbc_differential(data: &[u8]) {
    if let Some(Err(difference)) = compare_with_mlir_opt(data) {
        panic!("{difference}");
    }
}

/// Reads bytes with rmlir and with `mlir-opt-22`; `None` if the latter is not installed.
///
/// # Errors
///
/// If both read the bytes, and the modules differ.
pub fn compare_with_mlir_opt(data: &[u8]) -> Option<Result<Comparison, String>> {
    if !is_installed() {
        return None;
    }
    let mut context = context();
    let ours = read(&mut context, data);
    let theirs = mlir_opt(data, false);
    Some(Ok(match (ours, theirs) {
        (_, Theirs::Failed) => Comparison::TheyFail,
        (None, Theirs::Refused) => Comparison::BothRefuse,
        (None, Theirs::Printed(_)) => Comparison::WeRefuse,
        (Some(_), Theirs::Refused) => Comparison::TheyRefuse,
        (Some(module), Theirs::Printed(text)) => match same(&context, &module, &text) {
            Ok(comparison) => comparison,
            Err(difference) => {
                // Bodies of dialects unknown to `mlir-opt` contain alias names as they were
                // written, and its text may define these names. Without aliases it defines none,
                // but then it has no resources either.
                let without_aliases = match mlir_opt(data, true) {
                    Theirs::Printed(text) => same(&context, &module, &text).is_ok(),
                    _ => false,
                };
                match (without_aliases, module.provenance.resources.is_empty()) {
                    (true, _) => Comparison::Same,
                    (false, true) => return Some(Err(difference)),
                    (false, false) => Comparison::Uncertain,
                }
            }
        },
    }))
}

fn read(context: &mut Context, data: &[u8]) -> Option<Module> {
    let module = read_module_from_slice(context, data, &ReadOptions::default()).ok()?;
    let good = verify(context, &module, module.top(), &VerifyOptions::default());
    good.is_ok().then_some(module)
}

/// Compares a text with a module.
fn same(context: &Context, module: &Module, text: &[u8]) -> Result<Comparison, String> {
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let mut own = module_to_string(context, module, &options).unwrap_or_default();
    own.push(b'\n');
    if own == text {
        return Ok(Comparison::Same);
    }
    let mut other = self::context();
    let Ok(parsed) = parse_module(&mut other, text, &parse::options()) else {
        return match mlir_opt(text, false) {
            Theirs::Printed(_) => Err(format!(
                "the text of mlir-opt is refused:\n{}",
                String::from_utf8_lossy(text)
            )),
            _ => Ok(Comparison::TheyContradict),
        };
    };
    let equality = EqualityOptions { locations: true };
    match semantic_difference((context, module), (&other, &parsed), &equality) {
        None => Ok(Comparison::Same),
        Some(difference) => Err(format!(
            "{difference}\nours:\n{}\ntheirs:\n{}",
            String::from_utf8_lossy(&own),
            String::from_utf8_lossy(text)
        )),
    }
}

enum Theirs {
    Printed(Vec<u8>),
    Refused,
    Failed,
}

fn mlir_opt(input: &[u8], local_scope: bool) -> Theirs {
    let call = "ulimit -v 4000000; ulimit -c 0; exec timeout 5 mlir-opt-22 --allow-unregistered-dialect \
                --mlir-disable-threading --mlir-print-op-generic --mlir-print-debuginfo $0 -";
    let scope = format!("--mlir-print-local-scope={local_scope}");
    let child = Command::new("sh")
        .args(["-c", call, &scope])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Theirs::Failed;
    };
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // The tool may stop reading before the end.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    });
    match output {
        Ok(output) if output.status.success() => Theirs::Printed(output.stdout),
        Ok(output) if output.status.code() == Some(1) => Theirs::Refused,
        _ => Theirs::Failed,
    }
}
