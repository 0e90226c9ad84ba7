//! Items of parameters that are lists: those that were read, or those of the parameters that are
//! printed, which are not copied.

use super::Field;
use crate::two_way::Sequence;
use rmlir_ir::Invalid;
use rmlir_ir::asm::{Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;

/// The items of a list.
pub(crate) struct List<'v, T> {
    read: Vec<T>,
    printed: &'v [FieldValue<'v>],
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        List {
            read: Vec::new(),
            printed: &[],
        }
    }
}

impl<'v, T: Field> List<'v, T> {
    /// Returns the items of argument `number`, to be printed. One that is of another kind is the
    /// error `wrong`.
    pub(crate) fn of(
        values: Parameters<'v, 'v>,
        number: usize,
        wrong: &str,
    ) -> Result<Self, Invalid> {
        List::of_items(values.list(number), wrong)
    }

    /// Returns items to be printed. One that is of another kind is the error `wrong`.
    pub(crate) fn of_items(printed: &'v [FieldValue<'v>], wrong: &str) -> Result<Self, Invalid> {
        let read = Vec::new();
        match printed.iter().all(|value| T::of(value).is_there()) {
            true => Ok(List { read, printed }),
            false => Err(Invalid::new(wrong)),
        }
    }

    /// Returns whether the items to be printed are all valid.
    pub(crate) fn all(&self, is_valid: impl Fn(T) -> bool) -> bool {
        self.printed.iter().all(|value| is_valid(T::of(value)))
    }

    /// Returns the items that were read.
    pub(crate) fn read(&self) -> &[T] {
        &self.read
    }

    /// Returns the items that were read, to sort or change them.
    pub(crate) fn read_mut(&mut self) -> &mut Vec<T> {
        &mut self.read
    }

    /// Creates a list of the items that were read, to be an item of another list.
    pub(crate) fn make(self, values: &mut ParametersMut<'_>) -> FieldValue<'static> {
        values.make_list(self.read.into_iter().map(T::value))
    }

    /// Sets argument `number` to the items that were read.
    pub(crate) fn set(self, values: &mut ParametersMut<'_>, number: usize) {
        values.set_list(number, self.read.into_iter().map(T::value));
    }
}

impl<T: Field> Sequence for List<'_, T> {
    type Item = T;

    fn assign(&mut self, items: Vec<T>) {
        self.read = items;
    }

    fn push(&mut self, item: T) {
        self.read.push(item);
    }

    fn len(&self) -> usize {
        self.read.len().max(self.printed.len())
    }

    fn with<R>(&mut self, number: usize, print: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut item = T::of(self.printed.get(number)?);
        Some(print(&mut item))
    }
}

/// Returns a row of parameters that are printed.
pub(crate) type RowOf<'v, T> = fn(Parameters<'v, 'v>, usize) -> Result<T, Invalid>;

/// The rows of a table: items that several lists have parts of.
pub(crate) struct Rows<'v, T> {
    pub(crate) read: Vec<T>,
    printed: Option<(Parameters<'v, 'v>, usize, RowOf<'v, T>)>,
}

impl<T> Default for Rows<'_, T> {
    fn default() -> Self {
        Rows {
            read: Vec::new(),
            printed: None,
        }
    }
}

impl<'v, T> Rows<'v, T> {
    /// Returns `count` rows, to be printed.
    pub(crate) fn of(
        values: Parameters<'v, 'v>,
        count: usize,
        row: RowOf<'v, T>,
    ) -> Result<Self, Invalid> {
        (0..count).try_for_each(|at| row(values, at).map(drop))?;
        Ok(Rows {
            read: Vec::new(),
            printed: Some((values, count, row)),
        })
    }

    /// Sets argument `number` to a part of each row that was read.
    pub(crate) fn set<F: Field>(
        &self,
        values: &mut ParametersMut<'_>,
        number: usize,
        part: impl Fn(&T) -> F,
    ) {
        values.set_list(number, self.read.iter().map(|row| part(row).value()));
    }
}

impl<T: Default> Sequence for Rows<'_, T> {
    type Item = T;

    fn assign(&mut self, items: Vec<T>) {
        self.read = items;
    }

    fn push(&mut self, item: T) {
        self.read.push(item);
    }

    fn len(&self) -> usize {
        let printed = self.printed.map_or(0, |printed| printed.1);
        self.read.len().max(printed)
    }

    fn with<R>(&mut self, number: usize, print: impl FnOnce(&mut T) -> R) -> Option<R> {
        let (values, _, row) = self.printed?;
        let mut item = row(values, number).ok()?;
        Some(print(&mut item))
    }
}
