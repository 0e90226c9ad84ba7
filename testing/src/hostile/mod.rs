//! Hostile texts that are made by a rule: each takes a number, and its size is linear in it (but for those
//! of `DOUBLING`, which would print as `2^n` times as much as they take).

mod bad;
mod deep;
mod definitions;
mod doubling;
mod multiplying;
mod wide;

pub use bad::BAD;
pub use deep::DEEP;
pub use definitions::{DEFINITIONS, DefinitionRule, Refused};
pub use doubling::DOUBLING;
pub use multiplying::MULTIPLYING;
pub use wide::WIDE;

/// A rule: its name, and the text for a number.
pub type Rule = (&'static str, fn(usize) -> String);

/// A rule, and a part of the error that its texts get.
pub type BadRule = (&'static str, fn(usize) -> String, &'static str);

/// `count` times `open`, then `middle`, then as many times `close`.
fn nest(open: &str, middle: &str, close: &str, count: usize) -> String {
    [&open.repeat(count), middle, &close.repeat(count)].concat()
}

/// An operation with an attribute.
fn attribute(value: &str) -> String {
    format!("\"t.op\"() {{a = {value}}} : () -> ()\n")
}

/// An operation with a result of that type.
fn result(ty: &str) -> String {
    format!("%r = \"t.op\"() : () -> ({ty})\n")
}

/// An operation with a location.
fn location(location: &str) -> String {
    format!("\"t.op\"() : () -> () loc({location})\n")
}

/// Items with `separator` between them.
fn list(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

fn concat(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

/// Definitions of `name0` to `name{n}`, each made of the one before.
fn aliases(name: &str, first: &str, next: impl Fn(&str) -> String, n: usize) -> String {
    let mut text = format!("{name}0 = {first}\n");
    for i in 0..n {
        text += &format!("{name}{} = {}\n", i + 1, next(&format!("{name}{i}")));
    }
    text
}
