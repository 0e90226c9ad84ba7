//! Whether two modules have the same content, for tests that count failures by reason.

use rmlir_ir::{Context, EqualityOptions, Module, semantic_difference};

/// Compares two modules without locations.
///
/// # Errors
///
/// If they differ: a short reason without digits, by which differences can be counted, and the
/// whole difference.
pub fn has_content(
    module: (&Context, &Module),
    expected: (&Context, &Module),
) -> Result<(), (String, String)> {
    let equality = EqualityOptions { locations: false };
    let Some(difference) = semantic_difference(module, expected, &equality) else {
        return Ok(());
    };
    let text = difference.to_string();
    let short = text.chars().filter(|c| !c.is_ascii_digit());
    let short: String = short.take(90).collect();
    Err((format!("differs: {short}"), text))
}
