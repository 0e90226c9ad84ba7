//! bulk FILE...: a table of the operations in many files, as comma-separated values: file,
//! function, operation, element type of the first result, count.

use rmlir::text::type_to_string;
use rmlir::{Ir, Op, Threads, Type};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

/// Returns the element type of a shaped type, of any dialect.
fn element(ir: &Ir, mut ty: Type) -> String {
    let inner = |ty| {
        ir.context()
            .element_type(ty)
            .or_else(|| ir.parameter(ty, "element")?.ty())
    };
    while let Some(element) = inner(ty) {
        ty = element;
    }
    type_to_string(ir.context(), ty)
}

/// Returns the name of a symbol; that of a VHLO function is a dialect's attribute.
fn name(ir: &Ir, op: Op<'_>) -> Option<String> {
    let portable = || ir.parameter(op.attr("sym_name")?, "value")?.str();
    Some(op.symbol_name().or_else(portable)?.into_owned())
}

/// Returns the lines of a file.
pub(crate) fn table(path: &str) -> rmlir::Result<String> {
    let ir = rmlir::open(path)?;
    let mut counts: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    for op in ir.ops() {
        let mut around: Vec<String> = op
            .ancestors()
            .filter_map(|outer| name(&ir, outer))
            .collect();
        around.reverse();
        around.extend(name(&ir, op));
        let result = op.result_types().next().map(|ty| element(&ir, ty));
        let row = (
            around.join("::"),
            op.name().into_owned(),
            result.unwrap_or_default(),
        );
        *counts.entry(row).or_default() += 1;
    }
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let lines = counts.iter().map(|((function, op, element), count)| {
        let cells = [path, function, op, element].map(quoted);
        format!("{},{count}\n", cells.join(","))
    });
    Ok(lines.collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "file,function,operation,element,count")?;
    for lines in Threads::available().map(files.len(), |number| table(&files[number])) {
        match lines {
            Ok(lines) => out.write_all(lines.as_bytes())?,
            Err(error) => writeln!(std::io::stderr(), "{error}")?,
        }
    }
    Ok(())
}
