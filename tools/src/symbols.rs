//! The symbols of a module at every depth, and how they are named on a command line.

use crate::Failure;
use rmlir::ir::{AttributeKind, Context, Identifier, Module, Operation, Visibility};
use rmlir::text::{parse_attribute, print_attribute};

/// A symbol of a module.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its names from the outermost one below the top on: `@a::@b` has two.
    pub path: Vec<Identifier>,
    /// The operation.
    pub operation: Operation,
    /// From where it may be referred to.
    pub visibility: Visibility,
}

impl Symbol {
    /// As a reference is written: `@a::@b`.
    pub fn name(&self, context: &Context) -> String {
        path_name(context, &self.path)
    }

    /// How many operations it is, with all that is in it.
    pub fn operations(&self, module: &Module) -> usize {
        module.descendants(self.operation).count()
    }
}

/// A path as a reference is written.
fn path_name(context: &Context, path: &[Identifier]) -> String {
    let mut name = String::new();
    for (number, &part) in path.iter().enumerate() {
        if number > 0 {
            name.push_str("::");
        }
        let bytes = context.bytes(part);
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_$.".contains(b);
        let starts = |b: &u8| b.is_ascii_alphabetic() || *b == b'_';
        name.push('@');
        if bytes.first().is_some_and(starts) && bytes.iter().all(plain) {
            name.push_str(&String::from_utf8_lossy(bytes));
        } else {
            name.push_str(&format!("\"{}\"", bytes.escape_ascii()));
        }
    }
    name
}

/// All symbols of a module in the order of its text. Those in symbol tables without a name can't be
/// referred to from outside and are left out. Linear in the operations.
pub fn symbols(context: &Context, module: &Module) -> Vec<Symbol> {
    let mut found = Vec::new();
    // Symbol tables whose symbols are still to be listed, the next one last.
    let mut open = vec![(module.top(), Vec::new())];
    while let Some((table, path)) = open.pop() {
        let mut inside = Vec::new();
        for region in module.regions(table) {
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    let Some(name) = module.symbol_name(context, operation) else {
                        continue;
                    };
                    let mut path = path.clone();
                    path.push(name);
                    inside.push(Symbol {
                        path,
                        operation,
                        visibility: module.symbol_visibility(context, operation),
                    });
                }
            }
        }
        for symbol in inside.iter().rev() {
            if module.is_symbol_table(context, symbol.operation) {
                open.push((symbol.operation, symbol.path.clone()));
            }
        }
        found.extend(inside);
    }
    found
}

/// The symbols that `names` name, in that order: `@a::@b`, or `a` for `@a`.
///
/// # Errors
///
/// If one is malformed or not there; the nearest name is suggested.
pub fn find(
    context: &mut Context,
    module: &Module,
    names: &[String],
) -> Result<Vec<Symbol>, Failure> {
    let all = symbols(context, module);
    let mut found = Vec::new();
    for name in names {
        let path = parse(context, name)?;
        let Some(symbol) = all.iter().find(|s| s.path == path) else {
            let nearest = all
                .iter()
                .map(|s| s.name(context))
                .min_by_key(|known| distance(known, name))
                .map(|known| format!("; did you mean '{known}'?"))
                .unwrap_or_default();
            return Err(Failure::Input(format!(
                "error: there is no symbol '{}'{nearest}",
                path_name(context, &path)
            )));
        };
        found.push(symbol.clone());
    }
    Ok(found)
}

/// The path that a name on a command line stands for.
fn parse(context: &mut Context, name: &str) -> Result<Vec<Identifier>, Failure> {
    if !name.starts_with('@') {
        return Ok(vec![context.identifier(name)]);
    }
    let attribute = parse_attribute(context, name.as_bytes())
        .map_err(|e| Failure::Usage(format!("'{name}' is no symbol: {}", e.first().message)))?;
    match context.attribute_kind(attribute) {
        AttributeKind::SymbolRef { root, nested } => {
            Ok(std::iter::once(root).chain(nested).copied().collect())
        }
        _ => {
            let mut text = Vec::new();
            // What was parsed from a command line is short.
            let _ = print_attribute(context, attribute, &Default::default(), &mut text);
            Err(Failure::Usage(format!(
                "'{}' is no symbol",
                String::from_utf8_lossy(&text)
            )))
        }
    }
}

/// How many bytes must be inserted, removed or replaced to come from one name to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.trim_start_matches('@'), b.trim_start_matches('@'));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let new = (diagonal + usize::from(x != y))
                .min(left + 1)
                .min(*cell + 1);
            diagonal = std::mem::replace(cell, new);
            left = new;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("@main", "main"), 0);
        assert_eq!(distance("main", "mian"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
