//! Times the parts of rmlir on one file, text or bytecode, and prints one line for each, in
//! seconds. `scripts/bench.py` compares them with `mlir-opt`; `scripts/instructions.py` counts the
//! instructions of each part.
#![allow(clippy::print_stdout)]

use rmlir::LazyFile;
use rmlir::events::{BlockEvent, OperationEvent};
use rmlir::format::{Source, Threads};
use rmlir::ir::{Context, Module, VerifyOptions, WalkResult, verify};
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir::reader::mlirbc;
use rmlir::reader::rmbc::dump::dump;
use rmlir::reader::rmbc::{ReadOptions, read_module};
use rmlir::text::{
    ParseOptions, PrintError, PrintOptions, message_to_string, parse_module, print_module,
};
use rmlir::writer::mlirbc as written;
use rmlir::writer::rmbc::{WriteOptions, write_module};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: measure FILE[.generic].mlir [parse | THREADS], FILE.mlirbc or \
                 FILE.rmbc [events | THREADS]";
    let path = arguments.next().ok_or(usage)?;
    let argument = arguments.next();
    let only_parse = argument.as_deref() == Some("parse");
    // The number of threads for parsing, verifying, printing, and for reading and writing native
    // bytecode.
    let threads = match argument.as_deref() {
        Some(count) if !matches!(count, "parse" | "events") => Threads::new(count.parse()?),
        _ => Threads::ONE,
    };
    if path.ends_with(".mlirbc") {
        let source = Source::read(&path)?;
        let mut context = new_context();
        let module = timed("mlirbc read", || part_mlirbc_read(&mut context, &source))?;
        println!("operations\t{}", operations(&module));
        timed("mlirbc write", || part_mlirbc_write(&mut context, &module))?;
        let options = mlirbc::ReadOptions::default();
        return events(
            "mlirbc",
            &mlirbc::File::new(&new_context(), source, &options)?,
        );
    }
    if path.ends_with(".rmbc") && argument.as_deref() == Some("events") {
        return rmbc_events(&Source::read(&path)?);
    }
    if path.ends_with(".rmbc") {
        // The best of several runs; these are not compared with another program.
        let source = Source::read(&path)?;
        for _ in 0..5 {
            let mut context = new_context();
            let module = timed("rmbc read", || {
                part_rmbc_read(&mut context, &source, threads)
            })?;
            timed("rmbc write", || part_rmbc_write(&context, &module, threads))?;
            events("rmbc", &rmbc_file(&source)?)?;
        }
        return Ok(());
    }
    let text = std::fs::read(&path)?;
    let mut context = new_context();
    let module = timed("text parse", || {
        part_text_parse(&mut context, &text, threads)
    })?;
    if only_parse {
        return Ok(());
    }
    let mut options = VerifyOptions::default();
    options.threads = threads;
    timed("verify", || part_verify(&context, &module, &options))?;
    // Files are printed in the form in which they were written: custom form unless named generic.
    let mut options = match path.contains(".generic.") {
        true => PrintOptions::generic(),
        false => PrintOptions::default(),
    };
    options.debug_info = path.contains(".loc.");
    options.threads = threads;
    timed("text print", || {
        part_text_print(&context, &module, &options)
    })?;
    let bytes = timed("rmbc write", || part_rmbc_write(&context, &module, threads))?;
    println!("rmbc bytes\t{}", bytes.len());
    println!("operations\t{}", operations(&module));
    let source = Source::from(bytes);
    let mut other = new_context();
    timed("rmbc read", || part_rmbc_read(&mut other, &source, threads))?;
    timed("rmbc decode", || part_rmbc_decode(&source));
    events("rmbc", &rmbc_file(&source)?)
}

fn rmbc_file(source: &Source) -> Result<rmlir::rmbc::File, Box<dyn Error>> {
    let options = ReadOptions::default();
    Ok(rmlir::rmbc::File::new(
        &new_context(),
        source.clone(),
        &options,
    )?)
}

/// Visits a file by events: names and values alone, and everything.
fn events(form: &str, file: &dyn LazyFile) -> Result<(), Box<dyn Error>> {
    let (mut context, mut skeleton) = (new_context(), Skeleton::default());
    timed(&format!("{form} events"), || {
        part_events(file, &mut context, &mut skeleton)
    })?;
    let (mut context, mut everything) = (new_context(), Everything::default());
    timed(&format!("{form} events, all"), || {
        part_events(file, &mut context, &mut everything)
    })?;
    println!("values\t{}", skeleton.values + skeleton.operands);
    println!("entries\t{}", everything.entries);
    Ok(())
}

/// Visits a file several times by events that request nothing.
fn rmbc_events(source: &Source) -> Result<(), Box<dyn Error>> {
    for _ in 0..10 {
        let file = rmbc_file(source)?;
        let (mut context, mut skeleton) = (new_context(), Skeleton::default());
        timed("rmbc events", || {
            part_events(&file, &mut context, &mut skeleton)
        })?;
    }
    Ok(())
}

/// Requests names and values.
#[derive(Default)]
struct Skeleton {
    values: u64,
    operands: u64,
    names: u64,
}

impl rmlir::events::Visitor for Skeleton {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir::format::Result<WalkResult> {
        self.names = self.names.wrapping_add(event.name().index() as u64);
        self.values += event.result_count() as u64;
        self.operands += event.operands().len() as u64;
        Ok(WalkResult::Advance)
    }
}

/// Requests everything.
#[derive(Default)]
struct Everything {
    entries: u64,
}

impl rmlir::events::Visitor for Everything {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir::format::Result<WalkResult> {
        let dictionaries = [event.attributes()?, event.properties()?];
        self.entries += dictionaries.iter().flatten().count() as u64;
        self.entries += event.result_types()?.len() as u64;
        let _ = event.location()?;
        Ok(WalkResult::Advance)
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> rmlir::format::Result<()> {
        self.entries += event.argument_types()?.len() as u64;
        self.entries += event.argument_locations()?.len() as u64;
        Ok(())
    }
}

#[inline(never)]
fn part_events(
    file: &dyn LazyFile,
    context: &mut Context,
    visitor: &mut dyn rmlir::events::Visitor,
) -> rmlir::format::Result<()> {
    file.visit(context, visitor)
}

// Each part is a separate function that is called once, so that a profile shows it.

#[inline(never)]
fn part_text_parse(
    context: &mut Context,
    text: &[u8],
    threads: Threads,
) -> Result<Module, impl Error + use<>> {
    let mut options = ParseOptions::for_file("input.mlir");
    options.threads = threads;
    parse_module(context, text, &options)
}

#[inline(never)]
fn part_verify(context: &Context, module: &Module, options: &VerifyOptions) -> Result<(), String> {
    verify(context, module, module.top(), options)
        .map_err(|errors| message_to_string(context, module, &errors[0].message))
}

#[inline(never)]
fn part_text_print(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
) -> Result<(), PrintError> {
    print_module(context, module, options, &mut std::io::sink())
}

#[inline(never)]
fn part_rmbc_write(
    context: &Context,
    module: &Module,
    threads: Threads,
) -> Result<Vec<u8>, impl Error + use<>> {
    let mut options = WriteOptions::default();
    options.threads = threads;
    write_module(context, module, &options)
}

#[inline(never)]
fn part_rmbc_read(
    context: &mut Context,
    source: &Source,
    threads: Threads,
) -> Result<Module, impl Error + use<>> {
    let mut options = ReadOptions::default();
    options.threads = threads;
    read_module(context, source, &options)
}

/// Decodes every field and computes checksums, but builds no IR.
#[inline(never)]
fn part_rmbc_decode(source: &Source) -> usize {
    struct Nobody;
    impl Visitor for Nobody {
        fn enter(&mut self, _: u64, _: DumpPart<'_>) {}
        fn field(&mut self, _: std::ops::Range<u64>, _: &str, _: FieldContent<'_>) {}
        fn leave(&mut self, _: u64) {}
    }
    dump(source, &mut Nobody).len()
}

#[inline(never)]
fn part_mlirbc_read(context: &mut Context, source: &Source) -> Result<Module, impl Error + use<>> {
    mlirbc::read_module(context, source, &mlirbc::ReadOptions::default())
}

#[inline(never)]
fn part_mlirbc_write(context: &mut Context, module: &Module) -> Result<(), impl Error + use<>> {
    // Writes to a sink, as for text.
    let options = written::WriteOptions::default();
    written::write_module_to(context, module, &options, &mut std::io::sink())
}

fn new_context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn operations(module: &Module) -> usize {
    module.descendants(module.top()).count()
}

/// Prints the time that something takes; with `RMLIR_CPU_TIME`, the time that this thread was
/// running, which other programs on the machine hardly change.
fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let (start, running) = (Instant::now(), running());
    let result = run();
    let seconds = match (running, self::running()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed().as_secs_f64(),
    };
    println!("{what}\t{seconds:.6}");
    result
}

/// Returns for how many seconds this thread was running; `None` where that is not asked for or not
/// known.
fn running() -> Option<f64> {
    std::env::var_os("RMLIR_CPU_TIME")?;
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = times.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
