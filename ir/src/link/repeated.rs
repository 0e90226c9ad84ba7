//! Parts of one module, or of equal ones, that have operations in common.

use super::{LinkError, Linker, Place};
use crate::Identifier;
use crate::sort::CompactSort as _;
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// An operation of a module that was split, which two inputs have.
struct Repeated {
    input: usize,
    other: usize,
    /// Its position in the module that was split.
    position: i64,
    /// Its name, if it is a symbol.
    name: Option<Identifier>,
}

/// Items, by input and position in the module that was split.
type Unnamed = HashMap<(usize, i64), usize, RandomState>;

impl Linker<'_> {
    /// Checks that the parts of one module agree on the number of its operations. Numbers of parts
    /// can differ: a module can be split in several ways.
    pub(super) fn check_agreeing_parts(&self) -> Result<(), LinkError> {
        for parts in self.split_modules() {
            let Some(&(first, of)) = parts.first() else {
                continue;
            };
            let mut others = parts.iter();
            let other = others.find(|(_, part)| part.operations != of.operations);
            if let Some(&(other, _)) = other {
                let message = "the attributes 'rmlir.part' of two parts of one module contradict \
                               each other";
                return Err(self.at_tops(message.to_owned(), other, first));
            }
        }
        Ok(())
    }

    /// Checks that no two inputs have the same operation of a module that was split. With
    /// [`dedupe`](super::LinkOptions::dedupe), drops those without names if they are equal; symbols
    /// are compared as other definitions are.
    pub(super) fn check_repeated_parts(&mut self) -> Result<(), LinkError> {
        let repeated = self.repeated();
        if repeated.is_empty() {
            return Ok(());
        }
        let items = self.item_ranges();
        let unnamed = self.unnamed_items();
        let mut reported: HashSet<(usize, usize), RandomState> = HashSet::default();
        for one in &repeated {
            let checked = match (self.options.dedupe, one.name) {
                (true, Some(_)) => Ok(()),
                (true, None) => self.drop_repeated(&unnamed, one),
                // One error for two inputs, not one for each operation.
                (false, _) if !reported.insert((one.input, one.other)) => Ok(()),
                (false, _) => Err(self.in_two_parts(&items, one)),
            };
            self.keep(checked)?;
        }
        Ok(())
    }

    /// Returns the operations that two inputs have, in the order of the inputs and positions.
    fn repeated(&self) -> Vec<Repeated> {
        let mut repeated = Vec::new();
        for parts in self.split_modules() {
            let mut known: HashMap<i64, usize, RandomState> = HashMap::default();
            for (input, part) in parts {
                let names = part.symbols.iter();
                let names = names.map(|(&name, &position)| (position, Some(name)));
                let others = part.others.iter().map(|&position| (position, None));
                let mut positions: Vec<(i64, Option<Identifier>)> = names.chain(others).collect();
                positions.compact_sort_by_key(|&(position, _)| position);
                for (position, name) in positions {
                    let other = *known.entry(position).or_insert(input);
                    if other != input {
                        repeated.push(Repeated {
                            input,
                            other,
                            position,
                            name,
                        });
                    }
                }
            }
        }
        repeated
    }

    /// Returns the items of each input.
    fn item_ranges(&self) -> Vec<Range<usize>> {
        let mut ranges = vec![0..0; self.inputs.len()];
        for (number, item) in self.items.iter().enumerate() {
            if let Some(range) = ranges.get_mut(item.input) {
                if range.end == 0 {
                    range.start = number;
                }
                range.end = number.saturating_add(1);
            }
        }
        ranges
    }

    #[cold]
    fn in_two_parts(&self, items: &[Range<usize>], one: &Repeated) -> LinkError {
        let place = |input: usize| -> Option<Place> {
            let range = items.get(input).cloned().unwrap_or_default();
            let mut items = self.items.get(range).unwrap_or_default().iter();
            let named = items.find(|item| one.name.is_some() && item.name == one.name);
            let named = named.map(|item| (input, item.from));
            named.or_else(|| self.top_of(input))
        };
        let what = match one.name {
            Some(name) => format!("symbol '{}'", self.context.str(name)),
            None => "an operation without a name".to_owned(),
        };
        let message = format!(
            "{what} is in two inputs that are parts of one module, or of equal modules: each part \
             can be linked once"
        );
        let (at, other) = (place(one.input), place(one.other));
        Self::clash_of_places(message, at, other, "the other part is here")
    }

    /// Drops an operation without a name that another part has too.
    fn drop_repeated(&mut self, unnamed: &Unnamed, one: &Repeated) -> Result<(), LinkError> {
        let at = |input: usize| unnamed.get(&(input, one.position)).copied();
        let found = [one.input, one.other].map(at);
        if let [Some(item), Some(other)] = found
            && let [Some(a), Some(b)] = [item, other].map(|item| self.items.get(item))
            && self.is_equal(a.operation, b.operation)
        {
            self.drop_item(item);
            return Ok(());
        }
        let message = "an operation without a name is in two inputs that are parts of one module, \
                       or of equal modules, and differs";
        let place = |input: usize, item: Option<usize>| {
            let item = item.and_then(|item| self.items.get(item));
            let place = item.map(|item| (item.input, item.from));
            place.or_else(|| self.top_of(input))
        };
        let [item, other] = found;
        let (at, other) = (place(one.input, item), place(one.other, other));
        let note = "the other part is here";
        Err(Self::clash_of_places(message.to_owned(), at, other, note))
    }

    /// Returns the items without names of the parts, by input and position in the module that was
    /// split. It has none of a part that was changed so that it is not known which they are.
    fn unnamed_items(&self) -> Unnamed {
        let mut unnamed = Unnamed::default();
        for (input, range) in self.item_ranges().into_iter().enumerate() {
            let Some(Some(part)) = self.parts.get(input) else {
                continue;
            };
            let is_unnamed = |&item: &usize| self.items.get(item).is_some_and(|i| i.name.is_none());
            let items: Vec<usize> = range.filter(is_unnamed).collect();
            if items.len() == part.others.len() {
                let positions = part.others.iter().map(|&position| (input, position));
                unnamed.extend(positions.zip(items));
            }
        }
        unnamed
    }
}
