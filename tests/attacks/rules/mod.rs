//! Hostile texts that are made by a rule: each takes a number, and its size is linear in it (but
//! for those of `DOUBLING`, which would print as `2^n` times as much as they take).

mod bad;
mod deep;
mod doubling;
mod multiplying;
mod wide;

pub(crate) use bad::BAD;
pub(crate) use deep::DEEP;
pub(crate) use doubling::DOUBLING;
pub(crate) use multiplying::MULTIPLYING;
pub(crate) use wide::WIDE;

/// A rule: its name, and the text for a number.
pub(crate) type Rule = (&'static str, fn(usize) -> String);

/// A rule, and a part of the error that its texts get.
pub(crate) type BadRule = (&'static str, fn(usize) -> String, &'static str);

/// `count` times `open`, then `middle`, then as many times `close`.
pub(crate) fn nest(open: &str, middle: &str, close: &str, count: usize) -> String {
    [&open.repeat(count), middle, &close.repeat(count)].concat()
}

/// Returns an operation with an attribute.
pub(crate) fn attribute(value: &str) -> String {
    format!("\"t.op\"() {{a = {value}}} : () -> ()\n")
}

/// Returns an operation with a result of that type.
fn result(ty: &str) -> String {
    format!("%r = \"t.op\"() : () -> ({ty})\n")
}

/// Returns an operation with a location.
fn location(location: &str) -> String {
    format!("\"t.op\"() : () -> () loc({location})\n")
}

/// Items with `separator` between them.
pub(crate) fn list(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

pub(crate) fn concat(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

/// Definitions of `name0` to `name{n}`, each made of the one before.
pub(crate) fn aliases(name: &str, first: &str, next: impl Fn(&str) -> String, n: usize) -> String {
    let mut text = format!("{name}0 = {first}\n");
    for i in 0..n {
        text += &format!("{name}{} = {}\n", i + 1, next(&format!("{name}{i}")));
    }
    text
}
