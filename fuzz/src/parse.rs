//! Fuzzes the text parser.

use crate::context;
use rmlir::Threads;
use rmlir::ir::{Context, Module};
use rmlir::text::{
    Diagnostic, Edition, ParseOptions, PrintOptions, parse_attribute, parse_module, parse_type,
    print_module,
};

/// Checks that any bytes are a module or an error with an offset in them, with and without
/// definitions, on one thread and on several, in each edition, and as an attribute or a type.
pub fn parse(data: &[u8]) {
    drop(module(&mut context(), data));
    drop(module(&mut Context::new(), data));
    for &edition in Edition::ALL {
        let mut options = ParseOptions::default();
        options.edition = edition;
        drop(parse_module(&mut context(), data, &options));
    }
    assert_eq!(on_threads(data, 1), on_threads(data, 3));
    drop(parse_attribute(&mut context(), data));
    drop(parse_type(&mut context(), data));
}

/// Returns the observable content of a text, or its errors, parsed on this number of threads.
pub fn on_threads(data: &[u8], threads: usize) -> Result<Vec<u8>, String> {
    let mut options = options();
    options.threads = Threads::new(threads);
    options.bytes_per_thread = 16;
    let mut context = context();
    let module = parse_module(&mut context, data, &options).map_err(|error| error.to_string())?;
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    options.keep_names = true;
    let mut out = Vec::new();
    print_module(&context, &module, &options, &mut out).map_err(|error| error.to_string())?;
    Ok(out)
}

/// Returns the options for parsing texts whose modules need not be valid.
pub fn options() -> ParseOptions {
    let mut options = ParseOptions::default();
    options.keep_names = true;
    options.check_properties = false;
    options.check_entries = false;
    options
}

/// Returns the module that the bytes denote, if they parse.
pub fn module(context: &mut Context, data: &[u8]) -> Option<Module> {
    parse_module(context, data, &options())
        .map_err(|error| {
            // Displaying an error reads the source again.
            assert!(!error.to_string().is_empty());
            for diagnostic in error.iter() {
                check_place(diagnostic, data);
                diagnostic.notes.iter().for_each(|n| check_place(n, data));
            }
        })
        .ok()
}

/// Checks that the offset is in the text, and that line and column agree with it.
pub(crate) fn check_place(diagnostic: &Diagnostic, data: &[u8]) {
    let offset = diagnostic.offset.unwrap_or(usize::MAX);
    let before = match data.get(..offset) {
        Some(before) => before,
        None => panic!("the place is behind the text: {diagnostic:?}"),
    };
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |n| n + 1);
    assert_eq!(
        (diagnostic.line, diagnostic.column),
        (line, offset - start + 1),
        "{diagnostic:?}"
    );
    assert!(offset + diagnostic.length <= data.len(), "{diagnostic:?}");
}
