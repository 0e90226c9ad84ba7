//! The types of values, each once, so that another context can take them over in a time that does
//! not depend on the number of values.

use rmlir::ir::{
    AttributeKind, Context, Entry, EntryWalker, ImportMap, Invalid, Type, WalkOrder, WalkResult,
};

/// Types by number, with the number of their uses.
#[derive(Default)]
pub(super) struct TypeTable {
    entries: Vec<Counted>,
    /// Entries that can be used again.
    free: Vec<u32>,
    /// For each type of the context its number plus 1, or 0.
    numbers: Vec<u32>,
}

struct Counted {
    ty: Type,
    uses: u32,
}

impl TypeTable {
    /// Adds a use of a type, and returns its number.
    #[inline]
    pub(super) fn add(&mut self, ty: Type) -> u32 {
        let known = self.numbers.get(ty.index()).copied().unwrap_or(0);
        let number = known.checked_sub(1);
        let number = number.unwrap_or_else(|| self.insert(ty));
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.uses = entry.uses.saturating_add(1);
        }
        number
    }

    #[cold]
    fn insert(&mut self, ty: Type) -> u32 {
        let entry = Counted { ty, uses: 0 };
        let number = match self.free.pop() {
            Some(number) => {
                if let Some(free) = self.entries.get_mut(number as usize) {
                    *free = entry;
                }
                number
            }
            None => {
                self.entries.push(entry);
                // There are fewer than 2^32 types.
                u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX)
            }
        };
        set_number(&mut self.numbers, ty, number);
        number
    }

    /// Removes a use of a type.
    #[inline]
    pub(super) fn remove(&mut self, number: u32) {
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.uses = entry.uses.saturating_sub(1);
        }
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<Type> {
        self.entries.get(number as usize).map(|entry| entry.ty)
    }

    /// Returns whether a type refers to a distinct attribute, which another context would not have.
    pub(super) fn has_distincts(&self, context: &Context) -> bool {
        if !context.has_distincts() {
            return false;
        }
        let mut walker = EntryWalker::new();
        let mut is_distinct = |entry| match entry {
            Entry::Attribute(one)
                if matches!(context.attribute_kind(one), AttributeKind::Distinct { .. }) =>
            {
                WalkResult::Interrupt
            }
            _ => WalkResult::Advance,
        };
        self.entries
            .iter()
            .filter(|entry| entry.uses > 0)
            .any(|entry| {
                let walk = walker.walk(context, entry.ty, WalkOrder::PreOrder, &mut is_distinct);
                walk == WalkResult::Interrupt
            })
    }

    /// Copies the types to another context, which is theirs from now on.
    ///
    /// # Errors
    ///
    /// Those of [`Context::import_type`].
    pub(super) fn change_context(
        &mut self,
        from: &Context,
        to: &mut Context,
    ) -> Result<(), Invalid> {
        let mut map = ImportMap::new();
        for entry in self.entries.iter_mut().filter(|entry| entry.uses > 0) {
            entry.ty = to.import_type(from, entry.ty, &mut map)?;
        }
        self.numbers = Vec::new();
        self.free.clear();
        for (entry, number) in self.entries.iter().zip(0u32..) {
            if entry.uses == 0 {
                self.free.push(number);
                continue;
            }
            set_number(&mut self.numbers, entry.ty, number);
        }
        Ok(())
    }
}

fn set_number(numbers: &mut Vec<u32>, ty: Type, number: u32) {
    let len = ty.index().saturating_add(1);
    if numbers.len() < len {
        numbers.resize(len.next_power_of_two(), 0);
    }
    if let Some(place) = numbers.get_mut(ty.index()) {
        *place = number.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_taken_over() {
        let (mut from, mut to) = (Context::new(), Context::new());
        let mut table = TypeTable::default();
        let i7 = from.integer_type(7);
        let (index, i8) = (from.index_type(), from.integer_type(8));
        let numbers = [i7, index, i7, i8].map(|ty| table.add(ty));
        assert_eq!(numbers, [0, 1, 0, 2]);
        table.remove(0);
        table.remove(1);
        table.change_context(&from, &mut to).unwrap();
        let i7 = to.integer_type(7);
        let i8 = to.integer_type(8);
        assert_eq!((table.get(0), table.get(2)), (Some(i7), Some(i8)));
        assert_eq!((table.add(i8), table.add(i7)), (2, 0));
        // That of `index` is used again.
        let i9 = to.integer_type(9);
        assert_eq!(table.add(i9), 1);
        assert_eq!(table.get(1), Some(i9));
        assert!(!table.has_distincts(&to));
    }
}
