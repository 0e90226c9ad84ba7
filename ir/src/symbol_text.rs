//! References to symbols in the text of dialect attributes and types: `@name`, `@"name"`, `@a::@b`.

use std::borrow::Cow;
use std::ops::Range;

/// Returns a symbol name as it is written after `@`.
pub(crate) fn spelled(name: &[u8]) -> Cow<'_, [u8]> {
    let is_bare = name.first().is_some_and(|&b| starts_name(b)) && name.iter().all(|&b| in_name(b));
    if is_bare {
        return name.into();
    }
    quoted(name).into()
}

/// Returns a string literal.
pub(crate) fn quoted(string: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for &byte in string {
        match byte {
            b'\\' => quoted.extend(b"\\\\"),
            b'"' => quoted.extend(b"\\22"),
            b' '..=b'~' => quoted.push(byte),
            _ => quoted.extend(format!("\\{byte:02X}").as_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Calls `found` for each symbol reference in the text of a body.
///
/// It is given the names of the reference, each with its position (without `@`).
pub(crate) fn for_each_symbol(
    text: &[u8],
    mut found: impl FnMut(&[(Range<usize>, Cow<'_, [u8]>)]),
) {
    let at = |index: usize| text.get(index).copied();
    let mut index = 0;
    while let Some(byte) = at(index) {
        match byte {
            b'"' => index = string_end(text, index),
            b'@' => {
                let mut names = Vec::new();
                let mut start = index;
                while at(start) == Some(b'@')
                    && let Some((end, name)) = name_at(text, start + 1)
                {
                    names.push((start + 1..end, name));
                    index = end;
                    if at(end) != Some(b':') || at(end + 1) != Some(b':') {
                        break;
                    }
                    start = end + 2;
                }
                if names.is_empty() {
                    index += 1;
                } else {
                    found(&names);
                }
            }
            _ => index += 1,
        }
    }
}

/// Calls `found` for each symbol name in the string literals of a text.
pub(crate) fn for_each_symbol_in_strings(text: &[u8], mut found: impl FnMut(&[u8])) {
    let mut index = 0;
    while let Some(&byte) = text.get(index) {
        if byte != b'"' {
            index += 1;
            continue;
        }
        let end = string_end(text, index);
        let literal = text.get(index + 1..end).unwrap_or_default();
        if literal.contains(&b'@') {
            for_each_symbol(&unescaped(literal), |names| {
                names.iter().for_each(|(_, name)| found(name));
            });
        }
        index = end;
    }
}

/// Returns the end of the string literal that starts at `start`.
fn string_end(text: &[u8], start: usize) -> usize {
    let mut index = start + 1;
    loop {
        match text.get(index) {
            None => return text.len(),
            Some(b'"') => return index + 1,
            Some(b'\\') => index += 2,
            Some(_) => index += 1,
        }
    }
}

/// Returns the name at `start`, bare or as a string literal, and its end.
fn name_at(text: &[u8], start: usize) -> Option<(usize, Cow<'_, [u8]>)> {
    let rest = text.get(start..)?;
    match rest.first()? {
        b'"' => {
            let end = string_end(text, start);
            let inner = text.get(start + 1..end)?.strip_suffix(b"\"")?;
            Some((end, unescaped(inner)))
        }
        &first if starts_name(first) => {
            let len = rest.iter().position(|&b| !in_name(b)).unwrap_or(rest.len());
            Some((start + len, rest.get(..len)?.into()))
        }
        _ => None,
    }
}

/// Returns the bytes of a string literal, given without its quotation marks.
pub(crate) fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let hex = |b: u8| char::from(b).to_digit(16);
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(high) => match (hex(high), rest.clone().next().and_then(hex)) {
                (Some(h), Some(l)) => {
                    rest.next();
                    bytes.push((h * 16 + l) as u8);
                }
                _ => bytes.push(high),
            },
            None => {}
        }
    }
    bytes.into()
}
