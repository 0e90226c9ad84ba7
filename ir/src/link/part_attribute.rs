//! The attribute that identifies a part of a split module.

use crate::{Attribute, AttributeKind, Context, Identifier, Module};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// The discardable attribute of the top-level operation of a part.
pub(crate) const PART_ATTRIBUTE: &str = "rmlir.part";

/// The identification of a part of a split module.
///
/// It is stored as `rmlir.part = {of = "...", operations = N, symbols = ["a"], positions =
/// array<i64: 0>, references = ["b"], reference_positions = array<i64: 1>, others = array<i64:
/// 2>}`.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartAttribute {
    /// Identifies the module that was split: a hash of its content.
    pub(crate) of: Option<Identifier>,
    /// The number of operations of the module that was split.
    pub(crate) operations: i64,
    /// The symbols that the part defines, with their positions in that module.
    pub(crate) symbols: HashMap<Identifier, i64, RandomState>,
    /// The symbols of other parts to which it refers, and of which it may have a declaration or a
    /// copy.
    pub(crate) references: HashMap<Identifier, i64, RandomState>,
    /// The positions of operations that are not symbols.
    pub(crate) others: Vec<i64>,
}

impl PartAttribute {
    /// Returns the attribute of a module; `None` if it has none, an error if it is malformed.
    pub(crate) fn of(context: &Context, module: &Module) -> Result<Option<Self>, ()> {
        let attributes = module.attributes(module.top());
        let found =
            attributes.and_then(|all| context.dictionary_get(all, PART_ATTRIBUTE.as_bytes()));
        match found {
            Some(attribute) => PartAttribute::read(context, attribute).map(Some).ok_or(()),
            None => Ok(None),
        }
    }

    fn read(context: &Context, attribute: Attribute) -> Option<Self> {
        let get = |name: &str| context.dictionary_get(attribute, name.as_bytes());
        let numbers = |name: &str| Some(context.i64_array(get(name)?)?.collect::<Vec<i64>>());
        let names = |name: &str, positions: &str| {
            let AttributeKind::Array(elements) = context.attribute_kind(get(name)?) else {
                return None;
            };
            let names = elements.iter().map(|&e| context.string_literal(e));
            let names = names.collect::<Option<Vec<Identifier>>>()?;
            let positions = numbers(positions)?;
            (names.len() == positions.len()).then(|| names.into_iter().zip(positions).collect())
        };
        Some(PartAttribute {
            of: Some(context.string_literal(get("of")?)?),
            operations: context.integer_value(get("operations")?)?,
            symbols: names("symbols", "positions")?,
            references: names("references", "reference_positions")?,
            others: numbers("others")?,
        })
    }

    /// Returns the attribute.
    pub(crate) fn attribute(&self, context: &mut Context) -> Option<Attribute> {
        let mut entries = Vec::new();
        let of = context.string_attribute_of(self.of?);
        let i64 = context.i64_type();
        let operations = context.integer_attribute(i64, self.operations).ok()?;
        entries.extend([("of", of), ("operations", operations)]);
        let lists = [
            ("symbols", "positions", &self.symbols),
            ("references", "reference_positions", &self.references),
        ];
        for (key, positions, names) in lists {
            // By position, so that the attribute does not depend on the order of the table.
            let mut sorted: Vec<(i64, Identifier)> = names.iter().map(|(&n, &p)| (p, n)).collect();
            sorted
                .sort_unstable_by(|a, b| (a.0, context.bytes(a.1)).cmp(&(b.0, context.bytes(b.1))));
            let strings = sorted.iter().map(|s| context.string_attribute_of(s.1));
            let strings: Vec<Attribute> = strings.collect();
            entries.push((key, context.array_attribute(&strings)));
            let numbers = context.i64_array_attribute(sorted.iter().map(|s| s.0));
            entries.push((positions, numbers));
        }
        entries.push((
            "others",
            context.i64_array_attribute(self.others.iter().copied()),
        ));
        let entries = entries
            .into_iter()
            .map(|(name, value)| (context.identifier(name), value));
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        context.dictionary_attribute(&entries).ok()
    }

    /// Returns whether parts have all operations of the module that was split.
    pub(crate) fn is_complete(parts: &[&PartAttribute]) -> bool {
        let Some(operations) = parts.first().map(|part| part.operations) else {
            return false;
        };
        let mut positions: HashSet<i64, RandomState> = HashSet::default();
        for part in parts {
            positions.extend(part.symbols.values());
            positions.extend(&part.others);
        }
        positions.retain(|&position| (0..operations).contains(&position));
        i64::try_from(positions.len()) == Ok(operations)
    }
}
