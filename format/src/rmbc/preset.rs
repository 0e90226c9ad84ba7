//! Preset strings: strings that files need not spell out.

/// One string a line, in byte order. Lines never change: see [`dictionary`](super::dictionary).
const LIST: &str = include_str!("strings.txt");

/// The number of strings.
#[allow(
    clippy::indexing_slicing,
    reason = "what is out of bounds at compile time does not compile"
)]
const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < LIST.len() {
        count += (LIST.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
};

/// A string: its first bytes, and where it is in the list.
#[derive(Clone, Copy)]
struct Line {
    first: u64,
    start: u32,
    end: u32,
}

/// All strings, by number. Computed at compile time, which saves more than a small file takes.
#[allow(
    clippy::indexing_slicing,
    reason = "what is out of bounds at compile time does not compile"
)]
static LINES: [Line; COUNT] = {
    let mut lines = [Line {
        first: 0,
        start: 0,
        end: 0,
    }; COUNT];
    let bytes = LIST.as_bytes();
    let (mut number, mut start, mut at, mut first) = (0, 0, 0, 0);
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            lines[number] = Line {
                first,
                start: start as u32,
                end: at as u32,
            };
            number += 1;
            start = at + 1;
            first = 0;
        } else if at - start < 8 {
            first |= (bytes[at] as u64) << (56 - 8 * (at - start));
        }
        at += 1;
    }
    lines
};

impl Line {
    fn text(self) -> &'static str {
        LIST.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// Returns the first eight bytes of a string, padded with zeros, as a number.
///
/// The numbers order strings by their bytes, except for those with equal beginnings. O(1).
#[inline]
pub fn first_bytes(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    for (to, from) in first.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_be_bytes(first)
}

/// Returns the number of a preset string. O(log n).
pub fn find(bytes: &[u8]) -> Option<u32> {
    let first = first_bytes(bytes);
    let found = LINES.binary_search_by(|line| {
        let order = line.first.cmp(&first);
        order.then_with(|| line.text().as_bytes().cmp(bytes))
    });
    found.ok().and_then(|number| u32::try_from(number).ok())
}

/// Returns the number of preset strings.
pub fn count() -> usize {
    COUNT
}

/// Returns the string of a number. O(1).
pub fn get(number: u64) -> Option<&'static str> {
    let number = usize::try_from(number).ok()?;
    LINES.get(number).map(|line| line.text())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_sorted() {
        let texts = || super::LINES.iter().map(|line| line.text());
        assert!(texts().eq(super::LIST.lines()));
        assert!(texts().is_sorted_by(|a, b| a < b));
        assert!(texts().all(|text| !text.is_empty()));
        let mut lines = super::LINES.iter();
        assert!(lines.all(|line| line.first == super::first_bytes(line.text().as_bytes())));
        let number = super::find(b"sym_name").unwrap();
        assert_eq!(super::get(number.into()), Some("sym_name"));
    }
}
