//! Predicates in the syntax of definitions, and as descriptions in error messages.

use super::{LONGEST_SUMMARY, Names, Node, SHAPED, Shaped, TypePredicate, WIDTHS, WORDS};
use crate::float::FloatKind;
use std::fmt::{self, Display, Formatter};

impl TypePredicate {
    /// Returns upstream's description of the types, truncated if it is very long.
    pub fn summary(&self) -> String {
        let mut words = self.words();
        if words.len() > LONGEST_SUMMARY {
            let ends = words.char_indices().map(|(at, _)| at);
            let end = ends.take_while(|&at| at <= LONGEST_SUMMARY).last();
            words.truncate(end.unwrap_or(0));
            words.push_str("...");
        }
        words
    }

    fn words(&self) -> String {
        match &self.node {
            Node::Integer {
                signedness,
                width: Some(width),
            } => {
                let found = WIDTHS.iter().find(|row| row.1 == *signedness);
                format!("{width}-bit {}", found.map_or("integer", |row| row.2))
            }
            Node::Float(Some(kind)) => match kind {
                FloatKind::F16
                | FloatKind::F32
                | FloatKind::F64
                | FloatKind::F80
                | FloatKind::F128 => format!("{}-bit float", kind.width()),
                FloatKind::BF16 => "bfloat16 type".to_owned(),
                _ => format!("{} type", kind.keyword()),
            },
            Node::Complex(Some(element)) => {
                format!("complex type with {} elements", element.words())
            }
            Node::Shaped(sort, element) => {
                let found = SHAPED.iter().find(|row| row.1 == *sort);
                let element = element.as_ref().map(|element| element.words());
                let element = element.as_deref().unwrap_or("any type");
                format!("{} of {element} values", found.map_or("", |row| row.2))
            }
            Node::Rank(ranks) => {
                let ranks: Vec<String> = ranks.iter().map(|rank| format!("{rank}D")).collect();
                ranks.join("/")
            }
            Node::MinRank(rank) => format!("rank of at least {rank}"),
            Node::Length(lengths) => {
                format!("of length {}", joined(lengths))
            }
            Node::Shape(_) => format!("of shape {}", self.parameters()),
            Node::MinSize(least) => format!("of sizes of at least {least}"),
            Node::Sizes(all) => format!("of sizes {all}"),
            Node::Named(text, _) => text.to_string(),
            Node::Not(predicate) => format!("no {}", predicate.words()),
            Node::All(predicates) => {
                let is_vector = predicates.iter().any(|p| {
                    let vectors = [Shaped::Vector, Shaped::FixedVector, Shaped::ScalableVector];
                    matches!(&p.node, Node::Shaped(sort, _) if vectors.contains(sort))
                });
                // The rank of a vector follows its name; that of another type precedes it. A rank
                // of at least 1 is implied by `vector`, so it is omitted.
                let stated = predicates.iter().filter(|p| {
                    !(is_vector && matches!(p.node, Node::MinRank(1)) || p.node == Node::Unknown)
                });
                let (before, behind): (Vec<_>, Vec<_>) = stated.partition(|p| match p.node {
                    Node::Rank(_) => !is_vector,
                    Node::Static => true,
                    _ => false,
                });
                let all = before.into_iter().chain(behind).map(|p| match &p.node {
                    Node::Rank(ranks) if is_vector => format!("of ranks {}", joined(ranks)),
                    _ => p.words(),
                });
                all.collect::<Vec<_>>().join(" ")
            }
            Node::OneOf(predicates) => {
                let all: Vec<String> = predicates.iter().map(TypePredicate::words).collect();
                all.join(" or ")
            }
            Node::Constraint(constraint) => constraint.summary.to_string(),
            node => {
                let found = WORDS.iter().find(|row| row.1 == *node);
                found.map_or(String::new(), |row| row.2.to_owned())
            }
        }
    }

    /// Returns the numbers in parentheses.
    fn parameters(&self) -> String {
        let numbers: Vec<String> = match &self.node {
            Node::Rank(ranks) => ranks.iter().map(ToString::to_string).collect(),
            Node::MinRank(rank) => vec![rank.to_string()],
            Node::Length(lengths) => lengths.iter().map(ToString::to_string).collect(),
            Node::MinSize(size) | Node::Sizes(size) => vec![size.to_string()],
            Node::Shape(sizes) => sizes
                .iter()
                .map(|(size, scalable)| match scalable {
                    true => format!("[{size}]"),
                    false => size.to_string(),
                })
                .collect(),
            _ => Vec::new(),
        };
        numbers.join(", ")
    }
}

/// Joins numbers as in `4/8`.
fn joined<N: ToString>(numbers: &[N]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join("/")
}

/// Formats the predicate in the syntax that [`new`](TypePredicate::new) parses.
impl Display for TypePredicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.node {
            Node::Integer {
                signedness,
                width: Some(width),
            } => {
                let found = WIDTHS.iter().find(|row| row.1 == *signedness);
                write!(f, "{}{width}", found.map_or("", |row| row.0))
            }
            Node::Float(Some(kind)) => f.write_str(kind.keyword()),
            Node::Complex(Some(element)) => write!(f, "complex<{element}>"),
            Node::Shaped(sort, element) => {
                let found = SHAPED.iter().find(|row| row.1 == *sort);
                f.write_str(found.map_or("", |row| row.0))?;
                match element {
                    Some(element) => write!(f, "<{element}>"),
                    None => Ok(()),
                }
            }
            Node::Rank(_) => write!(f, "rank({})", self.parameters()),
            Node::MinRank(_) => write!(f, "min_rank({})", self.parameters()),
            Node::Length(_) => write!(f, "length({})", self.parameters()),
            Node::Shape(_) => write!(f, "shape({})", self.parameters()),
            Node::MinSize(_) => write!(f, "min_size({})", self.parameters()),
            Node::Sizes(_) => write!(f, "sizes({})", self.parameters()),
            Node::Named(text, names) => match names {
                Names::Exactly => f.write_str(text),
                Names::Mnemonic => write!(f, "{text}<_>"),
                Names::Dialect => write!(f, "{text}._"),
            },
            Node::Not(predicate) => match predicate.node {
                Node::All(_) | Node::OneOf(_) => write!(f, "not ({predicate})"),
                _ => write!(f, "not {predicate}"),
            },
            Node::All(predicates) => {
                list(f, predicates, " & ", |p| matches!(p.node, Node::OneOf(_)))
            }
            Node::OneOf(predicates) => list(f, predicates, " | ", |_| false),
            Node::Constraint(constraint) => f.write_str(&constraint.name),
            node => {
                let found = WORDS.iter().find(|row| row.1 == *node);
                f.write_str(found.map_or("", |row| row.0))
            }
        }
    }
}

fn list(
    f: &mut Formatter<'_>,
    predicates: &[TypePredicate],
    separator: &str,
    in_parentheses: fn(&TypePredicate) -> bool,
) -> fmt::Result {
    for (number, predicate) in predicates.iter().enumerate() {
        if number != 0 {
            f.write_str(separator)?;
        }
        match in_parentheses(predicate) {
            true => write!(f, "({predicate})")?,
            false => write!(f, "{predicate}")?,
        }
    }
    Ok(())
}
