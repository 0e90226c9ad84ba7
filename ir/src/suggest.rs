//! Names that were meant.

/// Names longer than this are not compared.
const LONGEST: usize = 64;

/// The candidate that differs least from a word, if it differs so little that it may have been meant: in a third of its
/// bytes at most. Of several the first. Takes time in the lengths of the candidates, times that of the word.
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
    let mut rows = (Vec::new(), Vec::new());
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

/// How many bytes must be added, removed or changed.
fn distance(a: &[u8], b: &[u8], (before, row): &mut (Vec<usize>, Vec<usize>)) -> usize {
    before.clear();
    before.extend(0..=b.len());
    for (i, x) in a.iter().enumerate() {
        row.clear();
        let mut left = i.saturating_add(1);
        row.push(left);
        for (pair, y) in before.windows(2).zip(b) {
            let &[diagonal, above] = pair else { continue };
            let change = diagonal.saturating_add(usize::from(x != y));
            left = change
                .min(above.saturating_add(1))
                .min(left.saturating_add(1));
            row.push(left);
        }
        std::mem::swap(before, row);
    }
    before.last().copied().unwrap_or_default()
}
