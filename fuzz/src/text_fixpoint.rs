//! Fuzzes the round-trip from text to memory and back.

use crate::upstream_text::{
    has_equal_aliases, is_left_out, is_read_otherwise, may_be_printed_otherwise,
};
use crate::{assert_equal, context, parse, round_trip};
use rmlir::Threads;
use rmlir::ir::{Context, Module};
use rmlir::text::{PrintError, PrintOptions, print_module};
use rmlir_testing::module_to_string;

/// Checks that a text that parses prints as a text with the same content, which prints the same
/// again, in generic and custom form, with and without aliases.
pub fn text_fixpoint(data: &[u8]) {
    if may_be_printed_otherwise(data) {
        return;
    }
    let mut first = context();
    let Some(module) = parse::module(&mut first, data) else {
        return;
    };
    // Starting threads takes time, so only some inputs are printed on several.
    if data.len().is_multiple_of(8) {
        for options in [PrintOptions::default(), PrintOptions::generic()] {
            printed_on_threads(&first, &module, options);
        }
    }
    round_trip(&mut first, &module);
}

/// Checks that several threads print the same as one.
fn printed_on_threads(context: &Context, module: &Module, mut options: PrintOptions) {
    // Not much longer than a part can be.
    options.max_output = 1 << 23;
    options.operations_per_thread = 1;
    let [one, several] = [1, 3].map(|threads| {
        options.threads = Threads::new(threads);
        let mut out = Vec::new();
        let result = print_module(context, module, &options, &mut out);
        (result.map_err(|error| error.to_string()), out)
    });
    assert!(one == several, "{}\n{}", show(&one.1), show(&several.1));
}

/// Checks that a module round-trips through text.
pub(crate) fn check(context_of: &mut Context, module: &Module, options: &PrintOptions) {
    let text = match module_to_string(context_of, module, options) {
        Ok(text) => text,
        Err(PrintError::TooLarge(_)) => return,
        Err(error) => panic!("{error}"),
    };
    let mut second = context();
    let Some(again) = parse::module(&mut second, &text) else {
        let error = rmlir::text::parse_module(&mut context(), &text, &parse::options());
        panic!(
            "what was printed is rejected: {:?}\n{}",
            error.err(),
            show(&text)
        );
    };
    if is_read_otherwise(&text) {
        return;
    }
    if !options.generic && is_left_out(context_of, module) {
        return;
    }
    // Custom form omits the locations of implicit terminators and of some arguments. They change in
    // the round-trip, and with them the end of the text.
    let locations = options.generic;
    match options.generic {
        true => assert_equal(context_of, module, &second, &again, locations, || {
            show(&text)
        }),
        false => {
            // Custom form of functions omits lists of empty dictionaries.
            let without = |context: &Context, module: &Module| {
                let (mut context, mut module) = (context.clone(), module.clone());
                module.remove_empty_argument_attributes(&mut context);
                (context, module)
            };
            let (before_context, before) = without(context_of, module);
            let (after_context, after) = without(&second, &again);
            assert_equal(
                &before_context,
                &before,
                &after_context,
                &after,
                locations,
                || show(&text),
            );
        }
    }
    if options.debug_info && !options.generic {
        return;
    }
    if has_equal_aliases(&text) {
        return;
    }
    let text_again = module_to_string(&second, &again, options);
    let text_again = text_again.unwrap_or_else(|error| panic!("{error}\n{}", show(&text)));
    for (before, after) in text
        .split(|&b| b == b'\n')
        .zip(text_again.split(|&b| b == b'\n'))
    {
        assert!(
            before == after,
            "prints differently the second time\n  {}\n  {}\n{}",
            show(before),
            show(after),
            show(&text)
        );
    }
    assert_eq!(text.len(), text_again.len(), "{}", show(&text));
}

fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
