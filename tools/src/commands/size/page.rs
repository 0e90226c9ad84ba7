//! An HTML page with maps of sizes, in which the area of each part is proportional to its size, and
//! tables of symbols and constants. Of two files, the page compares them.

use super::measure::{ConstantSize, Measured};
use super::owners::SymbolSize;
use rmlir::ir::sort::CompactSort as _;
use serde_json::{Value, json};

/// The page without its data.
const PAGE: &str = include_str!("page.html");
/// The number of bytes of names and sizes of symbols that a page has; the smallest symbols beyond
/// are left out, and summed with what is not listed.
const MOST_SYMBOLS: usize = 1_400_000;
/// The same for two files.
const MOST_OF_TWO: usize = MOST_SYMBOLS / 2;
/// The number of constants that a page lists.
const MOST_CONSTANTS: usize = 1000;

/// Returns the page, which is self-contained.
pub(super) fn page(files: &[&Measured]) -> String {
    let most = match files {
        [_] => MOST_SYMBOLS,
        _ => MOST_OF_TWO,
    };
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let mut title = String::new();
    for c in names.join(" and ").chars() {
        match c {
            '<' => title.push_str("&lt;"),
            '&' => title.push_str("&amp;"),
            c => title.push(c),
        }
    }
    let files: Vec<Value> = files.iter().map(|file| file_data(file, most)).collect();
    // Within a script element, only `<` could end it.
    let data = json!({"files": files}).to_string().replace('<', "\\u003c");
    PAGE.replace("{{title}}", &title).replace("{{data}}", &data)
}

fn file_data(file: &Measured, most: usize) -> Value {
    let (names, sizes) = encoded(&file.owners.symbols, most);
    let constants = file.constants.iter().take(MOST_CONSTANTS);
    json!({
        "name": file.name,
        "form": file.form,
        "uncompressed": file.uncompressed,
        "tree": file.sizes.root.to_json(&file.name),
        "symbols": {"names": names, "sizes": sizes},
        "constants": constants.map(constant).collect::<Vec<_>>(),
        "shared": file.owners.shared,
        "unreferenced": file.owners.unreferenced,
    })
}

fn constant(constant: &ConstantSize) -> Value {
    json!({
        "name": constant.name,
        "size": constant.bytes,
        "type": constant.type_text,
        "content": constant.content,
        "owner": constant.owner(),
        "user": constant.first_user(),
    })
}

/// Returns the names and sizes of symbols, as many of the largest as fit into `most` bytes.
fn encoded(symbols: &[SymbolSize], most: usize) -> (String, String) {
    let mut listed: Vec<&SymbolSize> = symbols.iter().collect();
    listed.compact_sort_by_key(|symbol| std::cmp::Reverse(symbol.size()));
    loop {
        let (names, sizes) = encoded_all(&listed);
        let len = names.len() + sizes.len();
        if len <= most {
            return (names, sizes);
        }
        // Each round leaves out at least a tenth.
        let fitting = (listed.len() as u64).saturating_mul(most as u64) / (len as u64);
        let shorter = (listed.len() / 10).saturating_mul(9);
        listed.truncate(usize::try_from(fitting).unwrap_or(0).min(shorter));
    }
}

/// Returns the names by name, each as the number of bytes that it shares with the one before and
/// the rest, and the sizes in this order: own bytes, and retained bytes if they are more. Numbers
/// are in base 36.
fn encoded_all(symbols: &[&SymbolSize]) -> (String, String) {
    let mut symbols = symbols.to_vec();
    symbols.compact_sort_by(|a, b| a.path.cmp(&b.path));
    let (mut names, mut sizes) = (String::new(), String::new());
    let mut before: Vec<u16> = Vec::new();
    for symbol in symbols {
        if !names.is_empty() {
            names.push('\n');
            sizes.push(' ');
        }
        // JavaScript counts units of UTF-16.
        let units: Vec<u16> = symbol.path.encode_utf16().collect();
        let pairs = units.iter().zip(&before);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        base_36(shared as u64, &mut names);
        names.push(' ');
        let rest = units.get(shared..).unwrap_or_default();
        names.push_str(&String::from_utf16_lossy(rest));
        before = units;
        base_36(symbol.bytes, &mut sizes);
        if symbol.size() != symbol.bytes {
            sizes.push(',');
            base_36(symbol.size(), &mut sizes);
        }
    }
    (names, sizes)
}

fn base_36(mut number: u64, out: &mut String) {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % 36).unwrap_or(0);
        digits.extend(char::from_digit(digit, 36));
        number /= 36;
        if number == 0 {
            break;
        }
    }
    out.extend(digits.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(path: String, bytes: u64, retained: u64) -> SymbolSize {
        SymbolSize {
            path,
            operation: "func.func".to_owned(),
            bytes,
            retained: Some(retained),
        }
    }

    #[test]
    fn names_share_what_precedes() {
        let symbols = [
            symbol("@b".to_owned(), 36, 36),
            symbol("@abd".to_owned(), 35, 71),
            symbol("@abc".to_owned(), 1, 1),
        ];
        let (names, sizes) = encoded(&symbols, 1000);
        assert_eq!(names, "0 @abc\n3 d\n1 b");
        assert_eq!(sizes, "1 z,1z 10");
    }

    #[test]
    fn the_largest_symbols_are_kept() {
        let symbols: Vec<SymbolSize> = (0..10_000)
            .map(|n| symbol(format!("@f{n}"), n, n))
            .collect();
        let (names, sizes) = encoded(&symbols, 10_000);
        assert!(names.len() + sizes.len() <= 10_000);
        let kept = names.lines().count();
        assert!((500..5000).contains(&kept), "{kept}");
        assert!(
            sizes
                .split(' ')
                .all(|size| u64::from_str_radix(size, 36).unwrap() > 4000)
        );
    }
}
