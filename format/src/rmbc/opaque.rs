//! Opaque entries of kinds that later versions define. In memory they are preserved as types and
//! attributes of a dialect of their own.

use super::tag;
use std::fmt::Write;

/// The dialect of preserved entries.
pub const DIALECT: &str = "rmbc";

/// Returns the beginning of the body of such a type or attribute: its kind and data.
///
/// References follow, each after `, `, and a final `>`.
pub fn head(tag: u8, data: &[u8]) -> String {
    let mut text = format!("entry<{tag}, \"");
    for byte in data {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02X}");
    }
    text.push('"');
    text
}

/// Parses the kind and data of a body with the text `text`, whose references are at these offsets.
///
/// Returns `None` if the spelling differs from that of [`head`], or the kind is known.
pub fn parse(text: &[u8], references: impl ExactSizeIterator<Item = u32>) -> Option<(u8, Vec<u8>)> {
    let count = references.len();
    let rest = str::from_utf8(text).ok()?.strip_prefix("entry<")?;
    let (tag, rest) = rest.split_once(", \"")?;
    let (digits, rest) = rest.split_once('"')?;
    let tag: u8 = tag.parse().ok()?;
    let mut data = Vec::with_capacity(digits.len() / 2);
    for pair in digits.as_bytes().chunks(2) {
        let pair = str::from_utf8(pair).ok()?;
        data.push(u8::from_str_radix(pair, 16).ok()?);
    }
    let head = head(tag, &data);
    let places = (1..).map(|number: usize| head.len().checked_add(number.checked_mul(2)?));
    let is_canonical = rest.strip_suffix('>') == Some(", ".repeat(count).as_str())
        && text.starts_with(head.as_bytes())
        && references
            .zip(places)
            .all(|(place, expected)| usize::try_from(place).ok() == expected);
    (is_canonical && tag::is_opaque(tag)).then_some((tag, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_spelling() {
        let bare = head(60, &[0, 0xab]) + ">";
        assert_eq!(bare, "entry<60, \"00AB\">");
        assert_eq!(
            parse(bare.as_bytes(), [].into_iter()),
            Some((60, vec![0, 0xab]))
        );
        let two = head(16, &[]) + ", , >";
        assert_eq!(two, "entry<16, \"\", , >");
        assert_eq!(parse(two.as_bytes(), [13, 15].into_iter()), None);
        assert_eq!(
            parse(two.as_bytes(), [14, 16].into_iter()),
            Some((16, vec![]))
        );
        for other in [
            "entry<060, \"00AB\">",
            "entry<60, \"00ab\">",
            "entry<60, \"0\">",
            "entry<60, \"\" >",
            "entry<33, \"\">",
            "entry<128, \"\">",
            "x",
        ] {
            assert_eq!(parse(other.as_bytes(), [].into_iter()), None, "{other}");
        }
    }
}
