//! Placeholders for ranges in files, so that a result does not depend on where the input is in its
//! file.
//!
//! Each range that a unit uses has a number, in the order of first use; equal ranges share one.
//! Everything else of a location, such as names and call sites, stays and counts.
//!
//! Lines and columns of placeholders are far from those of any input, and not in the order of their
//! numbers: a tool that uses positions for anything else than locations makes different results of
//! placeholders and of positions, which is noticed when both are compared.

use rmlir::ir::{
    Block, Context, Identifier, Location, LocationKind, Module, Operation, RangeForm, WalkStep,
};
use std::collections::HashMap;

/// The reserved file name. It contains nothing that is escaped in text.
pub(crate) const FILE: &str = "rmlir-cache:location-of-input";

/// The kind of a placeholder for a position.
const POSITION: u32 = 0;
/// The kind of a placeholder for a range.
const RANGE: u32 = 1;
/// The kind of placeholders that no result of a unit may have: those of declarations.
const CONTEXT: u32 = 2;

/// The number of placeholders that one module can have.
pub(crate) const MAX_NUMBERS: u32 = 1 << 26;
/// The least line of a placeholder. Lines take four bytes in bytecode.
const FIRST_LINE: u32 = 1 << 27;
/// Numbers are multiplied by this modulo [`MAX_NUMBERS`], which scatters them. Lines of the first
/// ones descend, which those of a function seldom do.
const FACTOR: u32 = 0x01f1_35a7;
/// The inverse of [`FACTOR`].
const INVERSE: u32 = inverse(FACTOR);
/// The number of different columns of each kind. A prime, so that columns and lines differ in
/// their order.
const COLUMNS: u32 = 89;

/// Returns the inverse of an odd number modulo [`MAX_NUMBERS`], by Newton's method.
const fn inverse(factor: u32) -> u32 {
    let mut found = factor;
    let mut round = 0;
    while round < 5 {
        found = found.wrapping_mul(2u32.wrapping_sub(factor.wrapping_mul(found)));
        round += 1;
    }
    found % MAX_NUMBERS
}

/// Returns the line and column of a placeholder.
fn place(number: u32, kind: u32) -> (u32, u32) {
    let line = FIRST_LINE + (MAX_NUMBERS - 1 - number.wrapping_mul(FACTOR) % MAX_NUMBERS);
    (line, (number % COLUMNS) * 4 + kind + 1)
}

/// Returns the number and kind of the placeholder at a line and column, if there is one.
fn number_at(line: u32, column: u32) -> Option<(u32, u32)> {
    let scattered = (MAX_NUMBERS - 1).checked_sub(line.checked_sub(FIRST_LINE)?)?;
    let number = scattered.wrapping_mul(INVERSE) % MAX_NUMBERS;
    let kind = column.checked_sub(1)? % 4;
    (place(number, kind) == (line, column)).then_some((number, kind))
}

/// Kinds of locations that an input has: what is known to work for some need not work for others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features(pub(crate) u32);

impl Features {
    pub(crate) const REFERENCES: Features = Features(1);
    pub(crate) const OTHER_SYMBOLS: Features = Features(2);
    pub(crate) const PRIVATE: Features = Features(4);
    pub(crate) const POSITIONS: Features = Features(8);
    pub(crate) const RANGES: Features = Features(16);
    pub(crate) const UNKNOWN: Features = Features(32);
    pub(crate) const NESTED: Features = Features(64);
    pub(crate) const METADATA: Features = Features(128);
    pub(crate) const DIALECT: Features = Features(256);
    pub(crate) const DISTINCTS: Features = Features(512);
    pub(crate) const CONTEXT: Features = Features(1024);

    pub(crate) fn add(&mut self, other: Features) {
        self.0 |= other.0;
    }

    /// Returns those of these that are among others.
    pub(crate) fn only(self, others: &[Features]) -> Features {
        Features(others.iter().fold(0, |all, one| all | (self.0 & one.0)))
    }

    /// Returns whether all of these are among others.
    pub(crate) fn are_in(self, others: Features) -> bool {
        self.0 & !others.0 == 0
    }
}

/// A range, as a key.
type Range = (Identifier, u32, u32, u32, u32, RangeForm);

/// Returns whether a range has no extent.
fn is_position(range: &Range) -> bool {
    (range.1, range.2) == (range.3, range.4)
}

fn range_of(context: &Context, leaf: Location) -> Option<Range> {
    match context.location_kind(leaf) {
        LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
            form,
        } => Some((file, start_line, start_column, end_line, end_column, form)),
        _ => None,
    }
}

/// Makes placeholders in a context.
pub(crate) struct Placeholders {
    file: Identifier,
    positions: Vec<Location>,
}

impl Placeholders {
    pub(crate) fn new(context: &mut Context) -> Self {
        Placeholders {
            file: context.identifier(FILE),
            positions: Vec::new(),
        }
    }

    /// Returns a placeholder. Those of small numbers of positions are shared.
    fn get(&mut self, context: &mut Context, number: u32, kind: u32) -> Location {
        /// Numbers that many units use.
        const SHARED: usize = 4096;
        let (line, column) = place(number, kind);
        if kind != POSITION || number as usize >= SHARED {
            return context.location(LocationKind::place(self.file, line, column));
        }
        while self.positions.len() <= number as usize {
            let next = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
            let (line, column) = place(next, POSITION);
            let location = context.location(LocationKind::place(self.file, line, column));
            self.positions.push(location);
        }
        let shared = self.positions.get(number as usize).copied();
        shared.unwrap_or_else(|| context.unknown_location())
    }

    /// Returns the number and kind of a placeholder.
    fn number(&self, context: &Context, leaf: Location) -> Option<(u32, u32)> {
        let (file, line, column) = context.place_in_file(leaf)?;
        (file == self.file)
            .then(|| number_at(line, column))
            .flatten()
    }

    /// Returns the location of declarations.
    pub(crate) fn of_context(&mut self, context: &mut Context) -> Location {
        self.get(context, 0, CONTEXT)
    }

    /// Replaces the ranges in a unit by placeholders, whose numbers are those of `table`, from
    /// `base` on.
    pub(crate) fn insert(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operations: &[Operation],
        table: &[Location],
        base: u32,
    ) -> Option<()> {
        let ranges: Vec<Option<Range>> = table.iter().map(|&l| range_of(context, l)).collect();
        let mut numbers = None;
        let mut next = 0;
        // Nearly all ranges come in the order of their numbers.
        let mut number_of = |range: Range| {
            let range = Some(range);
            if ranges.get(next) == Some(&range) {
                next += 1;
                return u32::try_from(next - 1).ok()?.checked_add(base);
            }
            let numbers: &mut HashMap<Option<Range>, u32> =
                numbers.get_or_insert_with(|| ranges.iter().copied().zip(base..).collect());
            numbers.get(&range).copied()
        };
        let mut is_sound = true;
        for &operation in operations {
            let replaced = module.map_locations(context, operation, |context, leaf| {
                let range = range_of(context, leaf)?;
                let Some(number) = number_of(range) else {
                    is_sound = false;
                    return None;
                };
                let kind = if is_position(&range) { POSITION } else { RANGE };
                Some(self.get(context, number, kind))
            });
            replaced.ok()?;
        }
        is_sound.then_some(())
    }

    /// Undoes the addition of `base` by [`insert`](Self::insert).
    /// `None` if there is a placeholder of another unit.
    pub(crate) fn lower(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
        base: u32,
        count: usize,
    ) -> Option<()> {
        let mut is_sound = true;
        let lowered = module.map_locations(context, operation, |context, leaf| {
            let (number, kind) = self.number(context, leaf)?;
            match number.checked_sub(base) {
                Some(own) if (own as usize) < count && kind != CONTEXT => {
                    Some(self.get(context, own, kind))
                }
                _ => {
                    is_sound = false;
                    None
                }
            }
        });
        lowered.ok()?;
        is_sound.then_some(())
    }

    /// Replaces placeholders by locations of another context. `None` if there is one without a
    /// location.
    pub(crate) fn resolve(
        &self,
        context: &mut Context,
        module: &mut Module,
        operations: &[Operation],
        table: &mut Originals<'_>,
        of_unit: &[Location],
    ) -> Option<()> {
        table.begin(of_unit.len());
        let mut has_nested = false;
        for &operation in operations {
            // Nearly all locations are placeholders themselves.
            for step in module.traverse(operation) {
                match step {
                    WalkStep::EnterOperation(operation) => {
                        let old = module.location(operation);
                        match self.number(context, old) {
                            Some(number) => {
                                let new = table.original(context, number, of_unit)?;
                                table.operations.push((operation, new));
                            }
                            None => has_nested |= old != context.unknown_location(),
                        }
                    }
                    WalkStep::EnterBlock(block) => {
                        for (number, (_, old)) in module.arguments(block).enumerate() {
                            match self.number(context, old) {
                                Some(place) => {
                                    let new = table.original(context, place, of_unit)?;
                                    table.arguments.push((block, number, new));
                                }
                                None => has_nested |= old != context.unknown_location(),
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        for (operation, new) in table.operations.drain(..) {
            module.set_location(operation, new);
        }
        for (block, number, new) in table.arguments.drain(..) {
            module.set_argument_location(block, number, new).ok()?;
        }
        if !has_nested {
            return Some(());
        }
        let mut is_sound = true;
        for &operation in operations {
            let resolved = module.map_locations(context, operation, |context, leaf| {
                let number = self.number(context, leaf)?;
                let original = table.original(context, number, of_unit);
                is_sound &= original.is_some();
                original
            });
            resolved.ok()?;
        }
        is_sound.then_some(())
    }
}

/// Copies ranges from the context of the input.
pub(crate) struct Originals<'c> {
    from: &'c Context,
    files: HashMap<Identifier, Identifier>,
    /// The copies of a unit's ranges, by number.
    copies: Vec<Option<Location>>,
    /// The changes of a unit.
    operations: Vec<(Operation, Location)>,
    arguments: Vec<(Block, usize, Location)>,
}

impl<'c> Originals<'c> {
    pub(crate) fn new(from: &'c Context) -> Self {
        Originals {
            from,
            files: HashMap::new(),
            copies: Vec::new(),
            operations: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// Starts a unit with this number of ranges.
    fn begin(&mut self, count: usize) {
        self.copies.clear();
        self.copies.resize(count, None);
        self.operations.clear();
        self.arguments.clear();
    }

    /// Returns the copy of the range that a placeholder, by number and kind, takes the place of.
    fn original(
        &mut self,
        to: &mut Context,
        (number, kind): (u32, u32),
        of_unit: &[Location],
    ) -> Option<Location> {
        if kind == CONTEXT {
            return None;
        }
        let number = number as usize;
        if let Some(&Some(copy)) = self.copies.get(number) {
            return Some(copy);
        }
        let copy = self.copy(to, *of_unit.get(number)?)?;
        *self.copies.get_mut(number)? = Some(copy);
        Some(copy)
    }

    fn copy(&mut self, to: &mut Context, original: Location) -> Option<Location> {
        let (file, start_line, start_column, end_line, end_column, form) =
            range_of(self.from, original)?;
        let from = self.from;
        let name = self.files.entry(file);
        let file = *name.or_insert_with(|| to.identifier(from.bytes(file)));
        Some(to.location(LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
            form,
        }))
    }
}

/// Returns the kinds of locations that operations and block arguments of a unit have.
pub(crate) fn features_of(context: &Context, module: &Module, operation: Operation) -> Features {
    let mut features = Features::default();
    let mut open: Vec<Location> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for step in module.traverse(operation) {
        match step {
            WalkStep::EnterOperation(operation) => open.push(module.location(operation)),
            WalkStep::EnterBlock(block) => open.extend(module.arguments(block).map(|(_, l)| l)),
            _ => {}
        }
        while let Some(location) = open.pop() {
            if context.place_in_file(location).is_some() {
                features.add(Features::POSITIONS);
                continue;
            }
            let kind = context.location_kind(location);
            features.add(match kind {
                LocationKind::Unknown => Features::UNKNOWN,
                LocationKind::Dialect(_) => Features::DIALECT,
                LocationKind::FileLineColRange { .. } => match range_of(context, location) {
                    Some(range) if !is_position(&range) => Features::RANGES,
                    _ => Features::POSITIONS,
                },
                _ if !seen.insert(location) => continue,
                LocationKind::Fused {
                    metadata: Some(_), ..
                } => Features::METADATA,
                _ => Features::NESTED,
            });
            match kind {
                LocationKind::Name { child, .. } => open.push(child),
                LocationKind::CallSite { callee, caller } => open.extend([callee, caller]),
                LocationKind::Fused { locations, .. } => open.extend_from_slice(locations),
                _ => {}
            }
        }
    }
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_tell_numbers() {
        let numbers = (0..5000).chain([MAX_NUMBERS - 1, MAX_NUMBERS / 2, 12_345_678]);
        for number in numbers {
            for kind in [POSITION, RANGE, CONTEXT] {
                let (line, column) = place(number, kind);
                assert_eq!(number_at(line, column), Some((number, kind)));
                assert_eq!(number_at(line, column + 4), None);
                assert_ne!(number_at(line + 1, column), Some((number, kind)));
            }
        }
        for (line, column) in [(0, 0), (1, 1), (FIRST_LINE, 0), (u32::MAX, 1)] {
            assert_eq!(number_at(line, column), None);
        }
    }
}
