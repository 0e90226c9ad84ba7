//! Definitions of dialects that nobody trusts.

use crate::parse::{check_place, module};
use rmlir::dialects::{BundledDialects, Hooks};
use rmlir::ir::definition::{DialectDefinition, DialectSource};
use rmlir::ir::{VerifyOptions, verify};
use rmlir::text::{PrintOptions, check_definition};
use rmlir_testing::module_to_string;
use std::sync::Arc;

/// Any bytes are a definition, a dump of TableGen's, or an error. A definition is printed as a text
/// that says it and is printed as itself; what a check finds has its place in the text.
pub fn definition(data: &[u8]) {
    if let Ok(imported) = rmlir_import::tablegen::import(&[data], &Default::default(), &Hooks) {
        fixpoint(&imported.definition);
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let bundled: Arc<dyn DialectSource> = Arc::new(BundledDialects);
    for diagnostic in check_definition(text, "fuzz", &Hooks, Some(&bundled)) {
        check_place(&diagnostic, data);
    }
    if let Ok(definition) = DialectDefinition::parse(text, &Hooks) {
        fixpoint(&definition);
    }
}

/// What is printed is read, and printed as the same text.
fn fixpoint(definition: &DialectDefinition) {
    let text = definition.to_string();
    match DialectDefinition::parse(&text, &Hooks) {
        Ok(again) => assert_eq!(text, again.to_string(), "printed otherwise"),
        Err(error) => panic!("what was printed is refused: {error}\n{text}"),
    }
}

/// What stands between a definition and a text.
const MARK: &[u8] = b"// -----";

/// A definition, and behind `// -----` a text that is read with it: whatever both say, the text is
/// a module or an error, and a module is verified and printed in custom and in generic form.
/// Generic form is read again.
pub fn definition_and_text(data: &[u8]) {
    let mark = data.windows(MARK.len()).position(|bytes| bytes == MARK);
    let Some((definition, text)) = mark.and_then(|at| data.split_at_checked(at)) else {
        return;
    };
    let Ok(definition) = std::str::from_utf8(definition) else {
        return;
    };
    let Ok(definition) = DialectDefinition::parse(definition, &Hooks) else {
        return;
    };
    let definition = Arc::new(definition);
    let context = || {
        let mut context = crate::context();
        context.register_dialect(Arc::clone(&definition));
        context
    };
    let mut first = context();
    let Some(module) = module(&mut first, text) else {
        return;
    };
    for error in verify(&first, &module, module.top(), &VerifyOptions::default())
        .err()
        .unwrap_or_default()
    {
        assert!(!error.message.to_string().is_empty());
    }
    for generic in [false, true] {
        let mut options = PrintOptions::default();
        options.generic = generic;
        options.max_output = 1 << 20;
        let Ok(printed) = module_to_string(&first, &module, &options) else {
            continue;
        };
        let again = crate::parse::module(&mut context(), &printed);
        // Formats can be ambiguous, so that what they print is something else, or nothing.
        assert!(
            again.is_some() || !generic,
            "generic form is refused: {}",
            String::from_utf8_lossy(&printed)
        );
    }
}
