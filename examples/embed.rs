//! embed [FILE OFFSET LENGTH]: reads a module that is part of the executable, and one that is part
//! of another file, lazily.

use rmlir::format::ReadRange;
use rmlir::ir::ResourceValue;
use rmlir::{File, ReadOptions, Source};
use std::error::Error;

/// A file in the executable. Blobs in it that are aligned stay so, and are not copied.
#[repr(C, align(4096))]
struct Aligned<T: ?Sized>(T);

static MODULE: &Aligned<[u8]> = &Aligned(*include_bytes!("embedded.mlirbc"));

/// Describes a file: its symbols, the operations of one, and the blobs of another.
pub(crate) fn describe(file: &File) -> rmlir::Result<String> {
    let mut report = String::new();
    for symbol in file.symbols()? {
        let (ir, id) = file.read_symbol(&symbol)?;
        let count = ir.get(id).descendants().count();
        report += &format!("{}: {count} operations", symbol.path);
        for resource in ir.resources() {
            if let Some(ResourceValue::Blob(blob)) = &resource.value {
                report += &format!(
                    ", a blob of {} bytes at {:p}",
                    blob.data().len(),
                    blob.data().as_ptr()
                );
            }
        }
        report.push('\n');
    }
    Ok(report)
}

/// Opens the module in the executable.
pub(crate) fn embedded() -> rmlir::Result<File> {
    File::from_bytes(Source::from_static(&MODULE.0), &ReadOptions::default())
}

/// Opens a module that is a range of another file.
pub(crate) fn part(path: &str, offset: u64, length: u64) -> Result<File, Box<dyn Error>> {
    let part = ReadRange::new(
        std::fs::File::open(path)?,
        offset..offset.saturating_add(length),
    )?;
    Ok(File::positioned(part, &ReadOptions::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    use std::io::Write;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = match &arguments[..] {
        [path, offset, length] => part(path, offset.parse()?, length.parse()?)?,
        _ => embedded()?,
    };
    std::io::stdout().write_all(describe(&file)?.as_bytes())?;
    Ok(())
}
