//! Upstream's bytecode.

use crate::rmbc::rmbc_round_trip;
use crate::{assert_equal, context};
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module, VerifyOptions, verify};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{PrintOptions, module_to_string};
use rmlir::writer::mlirbc::{WriteOptions, write_module};

/// Any bytes are refused with a section, or a module, which is printed and survives the way through the native
/// bytecode and through upstream's.
///
/// Not through text: bodies of dialects that their writer did not know are kept as they are written, and upstream
/// keeps names of aliases in them, which mean something else in another text.
pub fn mlirbc_bytes(data: &[u8]) {
    let mut context = context();
    match read_module_from_slice(&mut context, data, &ReadOptions::default()) {
        Ok(module) => {
            rmbc_round_trip(&context, &module);
            through_mlirbc(&mut context, &module, &WriteOptions::default(), true);
        }
        Err(error) => assert!(error.section().is_some(), "{error}"),
    }
}

/// A module that keeps the rules comes back from upstream's bytecode for LLVM 22 as it was.
pub(crate) fn mlirbc_round_trip(context: &mut Context, module: &Module) {
    if verify(context, module, module.top(), &VerifyOptions::default()).is_err() {
        // It may be refused, or not be read.
        let _ = write_module(context, module, &WriteOptions::default());
        return;
    }
    let mut options = WriteOptions::default();
    options.target = Some(Release::LLVM_22);
    // What is absent stays absent.
    through_mlirbc(context, module, &options, false);
}

/// What is written is read as the same module, and gives the same bytes again.
fn through_mlirbc(context: &mut Context, module: &Module, options: &WriteOptions, normalize: bool) {
    let Ok(bytes) = write_module(context, module, options) else {
        return;
    };
    let mut second = self::context();
    let mut read = ReadOptions::default();
    read.normalize = normalize;
    let again = match read_module_from_slice(&mut second, &bytes, &read) {
        Ok(again) => again,
        Err(error) => panic!("what was written is refused: {error}"),
    };
    assert_equal(context, module, &second, &again, || {
        let mut options = PrintOptions::generic();
        options.debug_info = true;
        options.max_output = 1 << 20;
        let text = |context: &Context, module: &Module| {
            let text = module_to_string(context, module, &options).unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        };
        format!("{}\n{}", text(context, module), text(&second, &again))
    });
    let bytes_again = write_module(&mut second, &again, &WriteOptions::default());
    assert!(
        bytes_again.is_ok_and(|again| again == bytes),
        "the bytes differ the second time"
    );
}
