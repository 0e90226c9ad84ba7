//! Text to memory and back.

use crate::{assert_equal, context, parse};
use rmlir::ir::{Context, Module};
use rmlir::text::{PrintError, PrintOptions, module_to_string};

/// What parses, prints, parses again to the same content and prints the same again, in generic and in
/// custom form, with aliases and without.
pub fn text_fixpoint(data: &[u8]) {
    let mut first = context();
    let Some(module) = parse::module(&mut first, data) else {
        return;
    };
    for (generic, local_scope) in [(true, false), (false, false), (true, true)] {
        let mut options = PrintOptions::default();
        options.debug_info = true;
        options.generic = generic;
        options.local_scope = local_scope;
        options.max_output = 1 << 20;
        check(&mut first, &module, &options);
    }
}

/// The way through text keeps a module as it is.
pub(crate) fn check(context_of: &mut Context, module: &Module, options: &PrintOptions) {
    let text = match module_to_string(context_of, module, options) {
        Ok(text) => text,
        Err(PrintError::TooLarge(_)) => return,
        Err(error) => panic!("{error}"),
    };
    let mut second = context();
    let Some(again) = parse::module(&mut second, &text) else {
        let error = rmlir::text::parse_module(&mut context(), &text, &Default::default());
        panic!(
            "what was printed is rejected: {:?}\n{}",
            error.err(),
            show(&text)
        );
    };
    assert_equal(context_of, module, &mut second, &again, || show(&text));
    let text_again = module_to_string(&second, &again, options);
    let text_again = text_again.unwrap_or_else(|error| panic!("{error}\n{}", show(&text)));
    assert!(
        text == text_again,
        "prints differently the second time\n{}\n{}",
        show(&text),
        show(&text_again)
    );
}

fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
