//! Text to memory and back.

use crate::{assert_equal, context, parse, round_trip};
use rmlir::ir::definition::Presence;
use rmlir::ir::{Context, Module};
use rmlir::text::{PrintError, PrintOptions, attribute_to_string, module_to_string};
use std::collections::HashSet;

/// What parses, prints, parses again to the same content and prints the same again, in generic and in
/// custom form, with aliases and without.
pub fn text_fixpoint(data: &[u8]) {
    // Upstream prints digits of these that it does not read back, and so do we.
    let has = |word: &[u8]| data.windows(word.len()).any(|w| w == word);
    if has(b"f80") || has(b"f128") {
        return;
    }
    // It does not print what an operation remembers, true or not, and so do we.
    if has(b"memoized_indexing_maps") {
        return;
    }
    let mut first = context();
    let Some(module) = parse::module(&mut first, data) else {
        return;
    };
    round_trip(&mut first, &module);
}

/// The way through text keeps a module as it is.
pub(crate) fn check(context_of: &mut Context, module: &Module, options: &PrintOptions) {
    let text = match module_to_string(context_of, module, options) {
        Ok(text) => text,
        Err(PrintError::TooLarge(_)) => return,
        Err(error) => panic!("{error}"),
    };
    // A value that is used outside of its region has no name there, as upstream's: its verifier refuses it.
    let unknown = b"<<UNKNOWN SSA VALUE>>";
    if text.windows(unknown.len()).any(|w| w == unknown) {
        return;
    }
    let mut second = context();
    let Some(again) = parse::module(&mut second, &text) else {
        let error = rmlir::text::parse_module(&mut context(), &text, &Default::default());
        panic!(
            "what was printed is rejected: {:?}\n{}",
            error.err(),
            show(&text)
        );
    };
    if is_read_otherwise(&text) {
        return;
    }
    // As upstream's, custom form leaves out an optional attribute that has its default, and one that is absent means the same.
    if !options.generic
        && (has_said_defaults(context_of, module) || has_kind_of_nothing(context_of, module))
    {
        return;
    }
    // Custom form does not show the locations of implicit terminators and of some arguments: they are other ones
    // when it is read, and so is what stands at the end of the text.
    let locations = options.generic;
    assert_equal(context_of, module, &second, &again, locations, || {
        show(&text)
    });
    if options.debug_info && !options.generic {
        return;
    }
    // Upstream gives places that are said in different forms an alias each, and so do we, which are the same when they are read.
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

/// Whether a product says how it is added to what it does not have: upstream prints no attributes of such a product, and so do we.
fn has_kind_of_nothing(context: &Context, module: &Module) -> bool {
    module.descendants(module.top()).any(|operation| {
        let name = context.operation_name_bytes(module.name(operation));
        let kind = module.attribute(context, operation, "kind");
        let is_usual =
            kind.is_none_or(|a| *attribute_to_string(context, a) == *"#vector.kind<add>");
        let is_bare = module
            .attributes(operation)
            .is_none_or(|a| a == context.empty_dictionary());
        name == b"vector.outerproduct"
            && module.operand_count(operation) < 3
            && !(is_usual && is_bare)
    })
}

/// Whether an operation has an optional attribute whose value is what its absence means.
fn has_said_defaults(context: &Context, module: &Module) -> bool {
    module.descendants(module.top()).any(|operation| {
        let definition = context.operation_definition(module.name(operation));
        let attributes = definition
            .iter()
            .flat_map(|d| d.attributes_in(context.release()));
        let mut optional = attributes.filter(|a| a.presence == Presence::Optional);
        optional.any(|attribute| {
            let value = module.attribute(context, operation, &*attribute.name);
            let default = attribute.default.as_deref();
            value.is_some_and(|value| default == Some(&*attribute_to_string(context, value)))
        })
    })
}

/// Whether text, as upstream prints it, may be read as something else. What is grouped in another way may be put in another order
/// as well.
pub(crate) fn is_read_otherwise(text: &[u8]) -> bool {
    may_regroup(text) || has_bits_of_complex_numbers(text)
}

/// Whether a number of `#complex.number` is shown as its bits: upstream reads them as those of an `f64`, whatever the type is, and so
/// do we.
fn has_bits_of_complex_numbers(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        has(b"#complex.number<") && has(b"0x")
    })
}

/// Whether an affine map or set adds three things or more: upstream prints `a + (b + c)` without the parentheses, so that it is
/// read as `(a + b) + c`, and so do we.
fn may_regroup(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        let adds = line.windows(3).filter(|w| *w == b" + " || *w == b" - ");
        (has(b"affine_") || has(b"#map") || has(b"#set")) && adds.count() >= 2
    })
}

/// Whether two aliases of locations stand for the same text.
fn has_equal_aliases(text: &[u8]) -> bool {
    let mut seen = HashSet::new();
    let mut lines = text.split(|&b| b == b'\n');
    lines.any(|line| {
        let define = |window: &[u8]| window == b" = loc(";
        let start = line.windows(7).position(define);
        let is_alias = line.first() == Some(&b'#');
        start.is_some_and(|start| is_alias && !seen.insert(&line[start..]))
    })
}

fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
