//! Finds the known name nearest to a misspelled one, for errors.

/// Names longer than this are not compared.
const LONGEST: usize = 64;

/// Returns the candidate that differs least from a word, if the number of edits is at most a third
/// of the longer one's length; the first of several. An edit adds, removes or changes a byte, or
/// swaps two adjacent ones. Takes time proportional to the total length of the candidates times
/// that of the word.
///
/// ```
/// use rmlir_ir::nearest_name;
///
/// assert_eq!(nearest_name(b"addii", ["addf", "addi", "subi"]), Some("addi"));
/// assert_eq!(nearest_name(b"frobnicate", ["addf", "addi", "subi"]), None);
/// ```
pub fn nearest_name<'n>(
    word: &[u8],
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    if word.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    let mut rows = [Vec::new(), Vec::new(), Vec::new()];
    for candidate in candidates {
        let longest = word.len().max(candidate.len());
        let limit = match best {
            Some((distance, _)) => distance.saturating_sub(1),
            None => longest / 3,
        };
        if candidate.len() > LONGEST || word.len().abs_diff(candidate.len()) > limit {
            continue;
        }
        let distance = distance(word, candidate.as_bytes(), &mut rows);
        if distance <= limit && distance <= longest / 3 {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the number of bytes to add, remove, change or swap with their neighbour to turn one word
/// into the other (optimal string alignment distance). `rows` is scratch space.
fn distance(a: &[u8], b: &[u8], rows: &mut [Vec<usize>; 3]) -> usize {
    let [older, before, row] = rows;
    before.clear();
    before.extend(0..=b.len());
    let mut last_of_a = None;
    for (i, &x) in a.iter().enumerate() {
        row.clear();
        let mut left = i.saturating_add(1);
        row.push(left);
        let mut last_of_b = None;
        // The cell two columns to the left, two rows up.
        let mut swapped = None;
        for ((pair, &y), column) in before.windows(2).zip(b).zip(0usize..) {
            let &[diagonal, above] = pair else { continue };
            let change = diagonal.saturating_add(usize::from(x != y));
            left = change
                .min(above.saturating_add(1))
                .min(left.saturating_add(1));
            if let Some(swapped) = swapped
                && last_of_a == Some(y)
                && last_of_b == Some(x)
            {
                left = left.min(usize::saturating_add(swapped, 1));
            }
            row.push(left);
            last_of_b = Some(y);
            swapped = older.get(column).copied().filter(|_| i > 0);
        }
        last_of_a = Some(x);
        std::mem::swap(older, before);
        std::mem::swap(before, row);
    }
    before.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest_name};

    #[test]
    fn distances() {
        let distance = |a: &str, b: &str| {
            let there = distance(a.as_bytes(), b.as_bytes(), &mut Default::default());
            let back = distance(b.as_bytes(), a.as_bytes(), &mut Default::default());
            assert_eq!(there, back, "{a} {b}");
            there
        };
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        // Neighbours exchanged.
        assert_eq!(distance("main", "mian"), 1);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("abcd", "badc"), 2);
        assert_eq!(distance("ca", "abc"), 3);
    }

    #[test]
    fn names_that_were_not_meant() {
        let near = |word: &str, known| nearest_name(word.as_bytes(), [known]);
        assert_eq!(near("mian", "main"), Some("main"));
        assert_eq!(near("mani", "main"), Some("main"));
        assert_eq!(near("nosuch", "main"), None);
        assert_eq!(near("nosym", "add"), None);
        assert_eq!(near("f", "g"), None);
        assert_eq!(near("maim", "mean"), None);
    }
}
