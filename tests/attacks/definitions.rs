//! Hostile dialect definitions, with a text in the dialect.

use crate::{SQUARE, assert_same, new_context, on_small_stack, parse};
use rmlir::ir::definition::DialectDefinition;
use rmlir::ir::{VerifyOptions, verify};
use rmlir::text::{PrintOptions, check_definition};
use rmlir_testing::hostile::{DEFINITIONS, Refused};
use rmlir_testing::module_to_string;
use std::sync::Arc;

/// Definitions that nobody trusts are refused, or texts are read with them, and checks find their
/// faults.
#[test]
fn definitions() {
    on_small_stack(|| {
        for (name, make, refused) in DEFINITIONS {
            let (definition, text) = make(SQUARE);
            drop(check_definition(&definition, "attack.dialect", &(), None));
            let read = DialectDefinition::parse(&definition, &());
            let definition = match (read, refused) {
                (Ok(definition), _) => definition,
                (Err(error), Refused::Definition(expected)) => {
                    assert!(error.to_string().contains(expected), "{name}: {error}");
                    continue;
                }
                (Err(error), _) => panic!("{name}: {error}"),
            };
            let definition = Arc::new(definition);
            let context = || {
                let mut context = new_context();
                context.register_dialect(Arc::clone(&definition));
                context
            };
            let mut first = context();
            match (parse(&mut first, text.as_bytes()), refused) {
                (Ok(module), Refused::Nothing) => {
                    let _ = verify(&first, &module, module.top(), &VerifyOptions::default());
                    for generic in [true, false] {
                        let mut options = PrintOptions::default();
                        options.generic = generic;
                        options.debug_info = true;
                        let text = module_to_string(&first, &module, &options);
                        let text = text.unwrap_or_else(|e| panic!("{name}: {e}"));
                        let mut other = context();
                        let again = parse(&mut other, &text);
                        let again = again.unwrap_or_else(|e| panic!("{name}: {e}"));
                        assert_same(name, (&first, &module), (&other, &again));
                    }
                }
                (Err(error), Refused::Text(expected)) => {
                    assert!(error.contains(expected), "{name}: {error}");
                }
                (Ok(_), _) => panic!("{name}: is not refused"),
                (Err(error), _) => panic!("{name}: {error}"),
            }
        }
    });
}
