//! Fuzzes the reader of the native bytecode.

use crate::{context, parse};
use rmlir::format::section::{MAGIC, repair};
use rmlir::ir::{Context, Module, VerifyOptions, verify};
use rmlir::reader::rmbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{PrintOptions, parse_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::module_to_string;
use std::sync::OnceLock;

/// Checks that any bytes are rejected or are a module that round-trips through the native bytecode;
/// if it is valid, its text can be parsed too.
pub fn rmbc_bytes(data: &[u8]) {
    let mut first = context();
    let Ok(module) = read(&mut first, data) else {
        return;
    };
    rmbc_round_trip(&first, &module);
    if verify(&first, &module, module.top(), &VerifyOptions::default()).is_err() {
        return;
    }
    let mut options = PrintOptions::default();
    options.debug_info = true;
    options.keep_names = true;
    options.max_output = 1 << 20;
    let Ok(text) = module_to_string(&first, &module, &options) else {
        return;
    };
    // As upstream does, the printer prints a constant that does not parse.
    let least = b"-9223372036854775808";
    if text.windows(least.len()).any(|w| w == least) {
        return;
    }
    if let Err(error) = parse_module(&mut context(), &text, &parse::options()) {
        let text = String::from_utf8_lossy(&text);
        panic!("the text is rejected: {error}\n{text}");
    }
}

/// Mutates the bytecode of a module: the first byte selects the module, and each three bytes an
/// offset and the byte to be written there. Input that is bytecode already is used directly.
/// Checksums are repaired, so that the mutations reach the reader.
pub fn rmbc_repaired(data: &[u8]) {
    const SEEDS: [&[u8]; 5] = [
        include_bytes!("../seeds/attributes.mlir"),
        include_bytes!("../seeds/functions.mlir"),
        include_bytes!("../seeds/not_custom.mlir"),
        include_bytes!("../seeds/operations.mlir"),
        include_bytes!("../seeds/types.mlir"),
    ];
    if data.starts_with(&MAGIC) {
        // The input is bytecode already, such as a fuzzer's seed.
        let mut bytes = data.to_vec();
        repair(&mut bytes);
        return rmbc_bytes(&bytes);
    }
    let Some((&seed, patches)) = data.split_first() else {
        return;
    };
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let file = |seed: &&[u8]| {
            let mut context = context();
            let module = parse::module(&mut context, seed)?;
            write_module(&context, &module, &WriteOptions::default()).ok()
        };
        SEEDS.iter().filter_map(file).collect()
    });
    let Some(mut bytes) = files.get(usize::from(seed) % SEEDS.len()).cloned() else {
        return;
    };
    for patch in patches.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([patch[0], patch[1]])) % bytes.len();
        bytes[at] = patch[2];
    }
    repair(&mut bytes);
    rmbc_bytes(&bytes);
}

fn read(context: &mut Context, bytes: &[u8]) -> rmlir::format::Result<Module> {
    let options = ReadOptions::default();
    read_module_from_slice(context, bytes, &options).inspect_err(|error| {
        assert!(!error.to_string().is_empty());
    })
}

/// Checks that a module round-trips through the native bytecode, with the same bytes again.
pub(crate) fn rmbc_round_trip(context_of: &Context, module: &Module) {
    let options = WriteOptions::default();
    let Ok(bytes) = write_module(context_of, module, &options) else {
        return;
    };
    let mut second = context();
    let again = match read(&mut second, &bytes) {
        Ok(again) => again,
        Err(error) => panic!("what was written is refused: {error}"),
    };
    let text = |context: &Context, module: &Module| {
        let mut options = PrintOptions::generic();
        options.debug_info = true;
        options.max_output = 1 << 20;
        module_to_string(context, module, &options).ok()
    };
    let (before, after) = (text(context_of, module), text(&second, &again));
    assert!(
        before == after,
        "{}\n{}",
        String::from_utf8_lossy(&before.unwrap_or_default()),
        String::from_utf8_lossy(&after.unwrap_or_default())
    );
    let bytes_again = write_module(&second, &again, &options).unwrap_or_default();
    assert!(bytes == bytes_again, "the bytes differ the second time");
}
