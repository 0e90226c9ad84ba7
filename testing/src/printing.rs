//! Printing with output buffers of several sizes.

use rmlir_ir::{Context, Module};
use rmlir_text::{PrintError, PrintOptions};

/// Sizes, in bytes, that make the printer write out its buffer in the middle of tokens.
const BUFFER_SIZES: [usize; 3] = [1, 2, 7];

/// Prints with the buffer of `options` and with small ones, which must not change the text.
///
/// # Errors
///
/// Those of `print` with the buffer of `options`.
///
/// # Panics
///
/// If the text depends on the size of the buffer.
pub fn print_with_buffers(
    options: &PrintOptions,
    print: impl Fn(&PrintOptions, &mut Vec<u8>) -> Result<(), PrintError>,
) -> Result<Vec<u8>, PrintError> {
    let mut expected = Vec::new();
    print(options, &mut expected)?;
    for buffer_size in BUFFER_SIZES {
        let mut options = options.clone();
        options.buffer_size = buffer_size;
        let mut text = Vec::new();
        let result = print(&options, &mut text);
        assert!(
            result.is_ok() && text == expected,
            "with a buffer of {buffer_size} bytes the text differs"
        );
    }
    Ok(expected)
}

/// As [`rmlir_text::module_to_string`], with buffers of several sizes.
///
/// # Errors
///
/// As [`rmlir_text::module_to_string`].
///
/// # Panics
///
/// As [`print_with_buffers`].
pub fn module_to_string(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
) -> Result<Vec<u8>, PrintError> {
    print_with_buffers(options, |options, out| {
        rmlir_text::print_module(context, module, options, out)
    })
}
