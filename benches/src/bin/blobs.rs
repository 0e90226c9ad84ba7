//! Measures access to blobs: opens a file of native bytecode with 500 MB of blobs, mapped and by
//! position, and gets one of them. Prints medians of 20 runs, the bytes of the file that were
//! touched, and whether the blob is in the map. The argument is the folder in which the file is
//! created. `scripts/bench.py` runs it.
#![allow(clippy::print_stdout)]
#![expect(unsafe_code, reason = "to map the file")]

use rmlir::format::Source;
use rmlir::ir::{Blob, Context, Module, ResourceEntry, ResourceValue};
use rmlir::reader::rmbc::{File, ReadOptions};
use rmlir::writer::rmbc::{WriteOptions, write_module_to};
use std::error::Error;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The number of blobs, and the size of each in bytes.
const BLOBS: usize = 4;
const LEN: usize = 125 << 20;
const RUNS: usize = 20;

fn write(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    for number in 0..BLOBS {
        let data: Vec<u8> = (0..LEN).map(|at| (at >> 8) as u8 ^ number as u8).collect();
        let value = ResourceValue::Blob(Blob::from_vec(data, 64));
        let (dialect, key) = (
            context.identifier("builtin"),
            context.identifier(format!("blob{number}")),
        );
        let resource = context.add_resource(ResourceEntry {
            dialect,
            key,
            value: Some(value),
        });
        module.provenance.resources.push(resource);
    }
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    write_module_to(&context, &module, &WriteOptions::default(), &mut out)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: blobs FOLDER")?;
    let path = PathBuf::from(folder).join("blobs500.rmbc");
    if !path.exists() {
        write(&path)?;
    }
    println!(
        "a file of {} bytes with {BLOBS} blobs",
        std::fs::metadata(&path)?.len()
    );
    for is_mapped in [true, false] {
        let (mut opened, mut handed) = (Vec::new(), Vec::new());
        let (mut touched, mut is_inside) = (0, true);
        for _ in 0..RUNS {
            let mut context = Context::new();
            let options = ReadOptions::default();
            let start = Instant::now();
            let (file, map) = match is_mapped {
                true => {
                    // SAFETY: nobody changes the file while it is mapped.
                    let map = unsafe { Source::map(&path) }?;
                    (File::new(&context, map.clone(), &options)?, Some(map))
                }
                false => (File::open(&context, &path, &options)?, None),
            };
            opened.push(start.elapsed());
            // By position, the blob must be read, so its access is not timed.
            if let Some(map) = map {
                let survey = file.survey(&mut context)?;
                let resource = survey.contents.provenance.resources.last();
                let value = resource.and_then(|&last| context.resource(last).value.as_ref());
                let Some(ResourceValue::Blob(blob)) = value else {
                    return Err("there is no blob".into());
                };
                handed.push(start.elapsed());
                is_inside &= map.as_ptr_range().contains(&blob.data().as_ptr());
                assert_eq!(blob.data().len(), LEN);
            }
            touched = file.bytes_touched();
        }
        opened.sort();
        handed.sort();
        let median =
            |times: &[std::time::Duration]| times.get(RUNS / 2).map(|time| time.as_micros());
        println!(
            "  {:<34} opened in {} us{}, {touched} bytes touched",
            if is_mapped { "mapped" } else { "by position" },
            median(&opened).unwrap_or_default(),
            match median(&handed) {
                Some(time) => format!(
                    ", a blob handed out in {time} us, {}",
                    if is_inside { "not copied" } else { "copied" }
                ),
                None => String::new(),
            }
        );
    }
    Ok(())
}
