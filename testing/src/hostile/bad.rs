//! Inputs that must be rejected.

use super::{BadRule, attribute, concat, list, location, result};

/// Bad texts of size `n`, and a part of the error that they get.
pub const BAD: &[BadRule] = &[
    (
        "names that are not defined",
        |n| concat(n, |i| format!("\"t.u\"(%{i}) : (i32) -> ()\n")),
        "use of undeclared SSA value name",
    ),
    (
        "blocks that are not defined",
        |n| {
            format!(
                "\"t.r\"() ({{\n{}}}) : () -> ()\n",
                concat(n, |i| format!("^b{i}:\n  \"t.b\"()[^c{i}] : () -> ()\n"))
            )
        },
        "reference to an undefined block",
    ),
    (
        "locations that are not defined",
        |n| concat(n, |i| location(&format!("#loc{i}"))),
        "operation location alias was never defined",
    ),
    (
        "an error at the end of a long line",
        |n| "\"t.op\"() : () -> () ".repeat(n) + "?",
        "expected operation name in quotes",
    ),
    (
        "an error behind many lines",
        |n| "\"t.op\"() : () -> ()\n".repeat(n) + "?",
        "expected operation name in quotes",
    ),
    (
        "a string without an end",
        |n| attribute(&format!("\"{}", "x".repeat(n))),
        "expected '\"' in string literal",
    ),
    (
        "strings without an end",
        |n| "\"\n".repeat(n),
        "expected '\"' in string literal",
    ),
    (
        "regions without an end",
        |n| "\"t.r\"() ({\n".repeat(n),
        "expected operation name in quotes",
    ),
    (
        "arrays without an end",
        |n| attribute(&"[".repeat(n)),
        "expected attribute value",
    ),
    (
        "tuples without an end",
        |n| result(&"tuple<".repeat(n)),
        "expected non-function type",
    ),
    (
        "functions without an end",
        |n| result(&"(".repeat(n)),
        "expected",
    ),
    (
        "bodies without an end",
        |n| attribute(&"#d.a<".repeat(n)),
        "character in pretty dialect name",
    ),
    (
        "brackets without an end",
        |n| attribute(&format!("#d.a<{}", "[(".repeat(n))),
        "character in pretty dialect name",
    ),
    (
        "brackets of an affine map without an end",
        |n| attribute(&format!("affine_map<(d0) -> ({}", "(".repeat(n))),
        "expected",
    ),
    (
        "call sites without an end",
        |n| location(&"callsite(".repeat(n)),
        "expected",
    ),
    (
        "dense elements without an end",
        |n| attribute(&format!("dense<{}", "[".repeat(n))),
        "expected",
    ),
    (
        "the same key",
        |n| attribute(&format!("{{{}}}", list(n, ", ", |_| "k".into()))),
        "duplicate key",
    ),
    (
        "symbols of a map that has none",
        |n| {
            attribute(&format!(
                "affine_map<() -> ({})>",
                list(n, ", ", |i| format!("s{i}"))
            ))
        },
        "use of undeclared identifier",
    ),
    (
        "more results than there are",
        |n| format!("%0:{n} = \"t.op\"() : () -> ()\n"),
        "cannot name an operation with no results",
    ),
    (
        "a hundred million results",
        |_| "%0:100000000 = \"t.op\"() : () -> (i1)\n".into(),
        "operation defines 1 results but was provided 100000000 to bind",
    ),
    (
        "four thousand million results",
        |_| "%0:4000000000 = \"t.op\"() : () -> (i1)\n".into(),
        "operation defines 1 results but was provided 4000000000 to bind",
    ),
];
