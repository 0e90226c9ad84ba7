//! Fuzzes untrusted dialect definitions.

use crate::parse::{check_place, module};
use rmlir::dialects::{BundledDialects, Hooks};
use rmlir::ir::definition::{DialectDefinition, DialectSource};
use rmlir::ir::{VerifyOptions, verify};
use rmlir::text::{PrintOptions, check_definition};
use rmlir_testing::module_to_string;
use std::sync::Arc;

/// Checks that any bytes are a definition, a TableGen dump or an error. A definition is printed as
/// a text that parses and prints as itself, and the findings of its check have offsets in the text.
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

/// Checks that a printed definition parses and prints as the same text.
fn fixpoint(definition: &DialectDefinition) {
    let text = definition.to_string();
    match DialectDefinition::parse(&text, &Hooks) {
        Ok(again) => assert_eq!(text, again.to_string(), "printed otherwise"),
        Err(error) => panic!("what was printed is refused: {error}\n{text}"),
    }
}

/// The separator between a definition and a text.
const MARK: &[u8] = b"// -----";

/// Parses a text with a definition, separated by `// -----`. Whatever both contain, the text is a
/// module or an error; a module can be verified and printed in custom and generic form, and generic
/// form parses again.
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
        // Custom form may not parse: the definition's formats can be ambiguous.
        assert!(
            again.is_some() || !generic,
            "generic form is refused: {}",
            String::from_utf8_lossy(&printed)
        );
    }
}
