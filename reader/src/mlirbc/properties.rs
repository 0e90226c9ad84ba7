//! Reads the section of properties, and chooses the release whose layouts it has.
//!
//! Properties have no names in the file, and their layouts change between releases without a
//! version. So one release is chosen for the whole file: the writer's, if the file specifies it and
//! it is known, or the one that the caller names. Otherwise every known release is a candidate (of
//! LLVM, and of StableHLO, which LLVM's number does not determine), until something contradicts it:
//! an operation that it does not have, a blob that is not consumed exactly, an attribute of another
//! kind than its position requires. If no candidate is left, that is an error, and so it is if the
//! remaining ones denote different modules.

use super::Tables;
use super::entries::Entries;
use super::layout::Layout;
use super::symbols::{Found, SymbolKeys};
use crate::lookup::{lookup, malformed};
use rmlir_format::mlirbc::section;
use rmlir_format::{Error, ErrorKind, Input, Reader, Result, ResultExt};
use rmlir_ir::definition::{Family, Release};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{Attribute, LayoutChoice, LayoutReason, Module, Operation};

use std::collections::HashMap;
use std::fmt;

/// The name of the section of the operations.
const IR: &str = "IR";

/// The blobs, and the attributes they denote.
pub(super) struct Properties<'a> {
    blobs: Vec<Blob<'a>>,
    section: &'static str,
    candidates: Vec<Candidate>,
    /// By the number of an operation's name: the blob that it was met with last.
    last: Vec<Option<(u64, Known)>>,
    /// By the numbers of a name and a blob: the position in `values`, if the name is not the first
    /// that the blob was met with.
    pairs: HashMap<(u32, u32), u32>,
    /// The attribute that each pair of name and blob denotes, for each candidate.
    values: Vec<Option<Attribute>>,
    /// Operations whose properties depend on the candidate, the offset of their numbers, and their
    /// position in `values`.
    undecided: Vec<(Operation, u64, u32)>,
    /// The changes made by the part of a file that is being read alone.
    part: Option<Part>,
}

/// The changes to undo if a part of a file is damaged, so that other parts can be read.
struct Part {
    /// The candidates that were left before.
    left: Vec<bool>,
    /// The previous number of values.
    values: usize,
    /// The pairs of names and blobs that were first met in this part.
    met: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Blob<'a> {
    bytes: &'a [u8],
    offset: u64,
    /// The number of the first name that it was met with. Most blobs belong to one name.
    first: Option<(u32, Known)>,
}

/// The properties that a blob denotes in an operation.
#[derive(Clone, Copy)]
struct Known {
    properties: Option<Attribute>,
    /// Its position in [`Properties::values`], if candidates differ on it.
    undecided: Option<u32>,
}

/// A release that may be the writer's.
struct Candidate {
    /// One for each project of which several releases are known, LLVM first.
    releases: [Release; 2],
    /// The reason why it was eliminated.
    error: Option<Error>,
    /// The layouts by the number of the operation's name, of those that were met.
    layouts: HashMap<u32, Option<Layout>>,
}

/// Returns the releases that may have written a file.
pub(super) fn candidates(producer: &[u8], chosen: Option<Release>) -> Vec<[Release; 2]> {
    let llvm = |number| Release::new(Family::Llvm, number);
    let known = Family::Llvm.known_numbers();
    let told = Release::llvm_number_of(producer).filter(|number| known.contains(number));
    let of_llvm: Vec<Release> = match (chosen, told) {
        (Some(chosen), _) => vec![llvm(chosen.number_in(Family::Llvm))],
        (None, Some(number)) => vec![llvm(number)],
        (None, None) => known.iter().rev().copied().map(llvm).collect(),
    };
    let known = Family::StableHlo.known_numbers().iter().rev();
    let of_stablehlo: Vec<Release> = match chosen {
        Some(chosen) if chosen.family == Family::StableHlo => vec![chosen],
        _ => known
            .map(|&number| Release::new(Family::StableHlo, number))
            .collect(),
    };
    of_llvm
        .iter()
        .flat_map(|&llvm| of_stablehlo.iter().map(move |&other| [llvm, other]))
        .collect()
}

impl<'a> Properties<'a> {
    /// Reads the section. `chosen` is the release whose layouts the caller wants.
    pub(super) fn read(
        mut input: Reader<'a>,
        producer: &[u8],
        chosen: Option<Release>,
    ) -> Result<Self> {
        let section = input.section();
        let mut blobs = Vec::new();
        if !input.is_empty() {
            let count = input.prefix_count(1)?;
            blobs.reserve_exact(count);
            for _ in 0..count {
                let len = input.prefix_varint()?;
                blobs.push(Blob {
                    offset: input.offset(),
                    bytes: input.bytes(len)?,
                    first: None,
                });
            }
        }
        input.expect_end()?;
        let candidates = candidates(producer, chosen).into_iter();
        let candidates = candidates.map(|releases| Candidate {
            releases,
            error: None,
            layouts: HashMap::new(),
        });
        Ok(Properties {
            blobs,
            section,
            candidates: candidates.collect(),
            last: Vec::new(),
            pairs: HashMap::new(),
            values: Vec::new(),
            undecided: Vec::new(),
            part: None,
        })
    }

    /// Begins a part of the file.
    pub(super) fn begin_part(&mut self) {
        self.undecided.clear();
        let mut met = self.part.take().map_or_else(Vec::new, |part| part.met);
        met.clear();
        self.part = Some(Part {
            left: self.left().collect(),
            values: self.values.len(),
            met,
        });
    }

    /// Undoes the effects of the part begun last, which is damaged.
    ///
    /// Takes time linear in the size of the part.
    pub(super) fn forget_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        for (candidate, left) in self.candidates.iter_mut().zip(part.left) {
            if left {
                candidate.error = None;
            }
        }
        self.values.truncate(part.values);
        for (name, number) in part.met {
            self.pairs.remove(&(name, number));
            if let Some(blob) = self.blobs.get_mut(number as usize)
                && blob.first.is_some_and(|(first, _)| first == name)
            {
                blob.first = None;
            }
            if let Some(last) = self.last.get_mut(name as usize)
                && last.is_some_and(|(last, _)| last == u64::from(number))
            {
                *last = None;
            }
        }
    }

    /// Returns which candidates are left.
    pub(super) fn left(&self) -> impl Iterator<Item = bool> {
        self.candidates
            .iter()
            .map(|candidate| candidate.error.is_none())
    }

    /// Returns whether there are operations whose properties the remaining candidates interpret
    /// differently.
    pub(super) fn is_undecided(&self) -> bool {
        let mut places = self.undecided.iter().map(|&(_, _, place)| place);
        places.any(|place| !self.value(place).1)
    }

    /// Drops the candidates that `left` excludes, unless that would leave none.
    ///
    /// `left` comes from another reading of the same file.
    pub(super) fn restrict(&mut self, left: &[bool]) {
        let both = |candidate: &Candidate, left: bool| left && candidate.error.is_none();
        let mut candidates = self.candidates.iter().zip(left);
        if !candidates.any(|(candidate, &left)| both(candidate, left)) {
            return;
        }
        for (candidate, &left) in self.candidates.iter_mut().zip(left) {
            if !left && candidate.error.is_none() {
                let message = "another part of the file contradicts it";
                candidate.error = Some(Error::new(ErrorKind::Malformed, message));
            }
        }
    }

    /// Returns name and visibility of a symbol from its properties, as the remaining candidates see
    /// them.
    ///
    /// The operation has the blob `number`, and its name is entry `name`. There is one result,
    /// unless the candidates differ. Candidates that cannot be right are dropped as long as others
    /// are left. None if the layout is not known.
    pub(super) fn find_symbol(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        (name, number): (u32, u64),
        keys: &SymbolKeys,
    ) -> Result<Vec<[Found; 2]>> {
        let slot = usize::try_from(number).ok();
        let Some(blob) = slot.and_then(|number| self.blobs.get(number)) else {
            return Ok(Vec::new());
        };
        let mut input = Reader::with_base(blob.bytes, blob.offset, self.section);
        let entry = tables.names.get(name as usize).copied();
        if entry.is_none_or(|entry| entry.registered != Some(true)) {
            let at = input.offset();
            let number = input.prefix_varint()?;
            let dictionary = entries.attribute_entry(&input, at, number)?;
            return Ok(vec![entries.find_symbol(tables, dictionary, keys)?]);
        }
        // If there was only one candidate from the start, damage does not indicate another layout.
        let is_only = self.candidates.len() == 1;
        let mut strings: Vec<[Found; 2]> = Vec::new();
        let mut wrong = Vec::new();
        for (place, candidate) in self.candidates.iter_mut().enumerate() {
            if candidate.error.is_some() {
                continue;
            }
            let layout = candidate.layout(tables, name);
            let numbers = match layout.map(|layout| layout.find(input.clone(), keys.identifiers)) {
                Some(Ok(numbers)) => numbers,
                Some(Err(error)) => {
                    wrong.push((place, error));
                    continue;
                }
                // Without a layout there is nothing to misread.
                None if input.is_empty() => [None, None],
                None => {
                    let message = "the layout is not known";
                    wrong.push((place, input.error(ErrorKind::Unsupported, message)));
                    continue;
                }
            };
            let read = |number: Option<u64>| -> Result<Found> {
                let Some(number) = number else {
                    return Ok(None);
                };
                let entry = entries.attribute_entry(&input, input.offset(), number)?;
                Ok(Some(entries.symbol_string(tables, entry, keys)?))
            };
            let [of_name, of_visibility] = numbers.map(read);
            match of_name.and_then(|name| Ok([name, of_visibility?])) {
                Ok(pair) => strings.push(pair),
                Err(error) if !is_only && error.kind() == ErrorKind::Malformed => {
                    wrong.push((place, error));
                }
                Err(error) => return Err(error),
            }
        }
        if !strings.is_empty() {
            for (place, error) in wrong {
                if let Some(candidate) = self.candidates.get_mut(place) {
                    candidate.error = Some(error);
                }
            }
        }
        strings.dedup();
        Ok(strings)
    }

    /// Returns the releases that may have written the file, as far as it was read.
    pub(super) fn choice(&self, asked: Option<Release>) -> LayoutChoice {
        let mut releases: Vec<Release> = Vec::new();
        for candidate in self.candidates.iter().filter(|c| c.error.is_none()) {
            for release in candidate.releases {
                if !releases.contains(&release) {
                    releases.push(release);
                }
            }
        }
        releases.compact_sort_by(Ord::cmp);
        let reason = match (asked, self.release()) {
            (Some(_), _) => LayoutReason::Asked,
            (None, Some(_)) => LayoutReason::Producer,
            (None, None) => LayoutReason::Fit,
        };
        LayoutChoice { releases, reason }
    }

    /// Returns the writer's release of LLVM, if it is known from the start.
    pub(super) fn release(&self) -> Option<Release> {
        let mut releases = self
            .candidates
            .iter()
            .map(|candidate| candidate.releases[0]);
        let first = releases.next()?;
        releases.all(|release| release == first).then_some(first)
    }

    /// Returns the attribute that blob `number` denotes in an operation whose name is entry `name`.
    ///
    /// `at` is the offset of the number. If the result is not certain yet, it comes with a position
    /// in the list of pairs; see [`undecided`](Self::undecided).
    #[inline]
    pub(super) fn get(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        input: &impl Input,
        at: u64,
        (name, number): (u32, u64),
    ) -> Result<(Option<Attribute>, Option<u32>)> {
        if let Some(&Some((last, known))) = self.last.get(name as usize)
            && last == number
        {
            return Ok((known.properties, known.undecided));
        }
        let slot = usize::try_from(number).ok();
        let known = match slot.and_then(|number| self.blobs.get(number)) {
            Some(&Blob {
                first: Some((first, known)),
                ..
            }) if first == name => known,
            _ => self.get_slowly(tables, entries, input, at, (name, number))?,
        };
        if self.last.len() <= name as usize {
            self.last.resize(tables.names.len(), None);
        }
        if let Some(last) = self.last.get_mut(name as usize) {
            *last = Some((number, known));
        }
        Ok((known.properties, known.undecided))
    }

    /// [`get`](Self::get) after candidates were dropped.
    pub(super) fn get_again(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        input: &impl Input,
        at: u64,
        (name, number): (u32, u64),
    ) -> Result<(Option<Attribute>, Option<u32>)> {
        let (properties, undecided) = self.get(tables, entries, input, at, (name, number))?;
        Ok(match undecided {
            None => (properties, None),
            Some(place) => {
                let (properties, sure) = self.value(place);
                (properties, (!sure).then_some(place))
            }
        })
    }

    #[cold]
    fn get_slowly(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        input: &impl Input,
        at: u64,
        (name, number): (u32, u64),
    ) -> Result<Known> {
        let blob = lookup(input, at, "blob of properties", &self.blobs, number)?;
        // There are fewer than 2^32 of them, since each has a handle.
        let key = (name, u32::try_from(number).unwrap_or(u32::MAX));
        let place = match self.pairs.get(&key) {
            Some(&place) => place,
            None => {
                let place = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
                self.decode(tables, entries, blob, name)?;
                place
            }
        };
        let (properties, sure) = self.value(place);
        let known = Known {
            properties,
            undecided: (!sure).then_some(place),
        };
        let slot = usize::try_from(number).ok();
        if let Some(part) = &mut self.part {
            part.met.push(key);
        }
        match slot.and_then(|number| self.blobs.get_mut(number)) {
            Some(slot) if slot.first.is_none() => slot.first = Some((name, known)),
            _ => drop(self.pairs.insert(key, place)),
        }
        Ok(known)
    }

    /// Returns the attribute that the pair at `place` denotes in the first remaining candidate, and
    /// whether it is the same in all candidates.
    fn value(&self, place: u32) -> (Option<Attribute>, bool) {
        let values = self.values.get(place as usize..).unwrap_or_default();
        let mut left = self
            .candidates
            .iter()
            .zip(values)
            .filter(|(candidate, _)| candidate.error.is_none())
            .map(|(_, value)| *value);
        let first = left.next().flatten();
        (first, left.all(|value| value == first))
    }

    /// Decodes a blob for each candidate, and drops the candidates that it contradicts.
    fn decode(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        blob: Blob<'a>,
        name: u32,
    ) -> Result<()> {
        let input = Reader::with_base(blob.bytes, blob.offset, self.section);
        let entry = tables.names.get(name as usize).copied();
        if entry.is_none_or(|entry| entry.registered != Some(true)) {
            let value =
                unregistered(tables, entries, input).with_context(|| operation(tables, name))?;
            let values = self.candidates.iter().map(|_| value);
            self.values.extend(values);
            return Ok(());
        }
        for candidate in &mut self.candidates {
            let mut value = None;
            if candidate.error.is_none() {
                match candidate.read(tables, entries, input.clone(), name) {
                    Ok(read) => value = read,
                    Err(error) => {
                        candidate.error = Some(error.context(operation(tables, name)));
                    }
                }
            }
            self.values.push(value);
        }
        self.check_left()
    }

    /// Returns the error when no candidate is left: the reason why one was eliminated.
    fn check_left(&self) -> Result<()> {
        if self.candidates.iter().any(|c| c.error.is_none()) {
            return Ok(());
        }
        // Unknown content does not contradict a layout, but prevents decoding: entries do so with
        // any layout.
        let weight = |error: &Error| match error.kind() {
            ErrorKind::Unsupported if error.section() == section::name(section::ENTRIES) => 0,
            ErrorKind::Unsupported => 1,
            _ => 2,
        };
        let all = self.candidates.iter();
        let all = all.filter_map(|candidate| Some((candidate, candidate.error.as_ref()?)));
        let Some((candidate, error)) = all.min_by_key(|(_, error)| weight(error)) else {
            return Ok(());
        };
        let weight = weight(error);
        if weight == 0 {
            return Err(error.clone());
        }
        let mut message = format!("using the layouts of {candidate}");
        if self.candidates.len() > 1 && weight > 1 {
            message.push_str("; no known release has the layouts of this file");
        }
        Err(error.clone().context(message))
    }

    /// Records an operation whose properties depend on the candidate.
    pub(super) fn undecided(&mut self, operation: Operation, at: u64, place: u32) {
        self.undecided.push((operation, at, place));
    }

    /// Decides the undecided layouts after the whole file was read.
    pub(super) fn finish(
        &mut self,
        tables: &mut Tables<'_, '_>,
        module: &mut Module,
    ) -> Result<()> {
        for (operation, at, place) in std::mem::take(&mut self.undecided) {
            let (value, sure) = self.value(place);
            if !sure {
                let name = tables.context.operation_name_bytes(module.name(operation));
                let left = self.candidates.iter().filter(|c| c.error.is_none());
                let left: Vec<String> = left.map(Candidate::to_string).collect();
                let message = format!(
                    "the properties of '{}' have different meanings in {}; specify the release that wrote the file",
                    String::from_utf8_lossy(name),
                    left.join(" and in ")
                );
                let error = Error::at(ErrorKind::Unsupported, at, message);
                return Err(error.with_section(IR));
            }
            let (_, value) = tables
                .normalized(module.name(operation), None, value)
                .map_err(|invalid| {
                    let message = invalid.message().to_owned();
                    Error::at(ErrorKind::Malformed, at, message).with_section(IR)
                })?;
            module.set_properties(operation, value);
        }
        Ok(())
    }
}

impl Candidate {
    fn layout(&mut self, tables: &mut Tables<'_, '_>, name: u32) -> Option<&Layout> {
        let releases = self.releases;
        self.layouts
            .entry(name)
            .or_insert_with(|| {
                let entry = tables.names.get(name as usize)?;
                let versions = (tables.version.number(), &tables.dialect_versions);
                Layout::of(tables.context, entry.name, &releases, versions)
            })
            .as_ref()
    }

    fn read<'a>(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        input: Reader<'a>,
        name: u32,
    ) -> Result<Option<Attribute>> {
        match self.layout(tables, name) {
            Some(layout) if !layout.is_empty() => layout.read(tables, entries, input),
            // Without a layout there is nothing to misread.
            _ if input.is_empty() => Ok(None),
            Some(_) => Err(input.error(
                ErrorKind::Malformed,
                "the operation has no properties in this release",
            )),
            None => Err(input.error(
                ErrorKind::Unsupported,
                "the layout of the operation's properties is not known: a definition of the operation is needed",
            )),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [llvm, stablehlo] = self.releases;
        write!(f, "{llvm} with {stablehlo}")
    }
}

/// Reads the properties of an operation that its writer did not know: an attribute.
fn unregistered<'a>(
    tables: &mut Tables<'_, 'a>,
    entries: &mut Entries<'a>,
    mut input: Reader<'a>,
) -> Result<Option<Attribute>> {
    let at = input.offset();
    let number = input.prefix_varint()?;
    let attribute = entries.attribute(tables, &input, at, number)?;
    if !input.is_empty() {
        let message =
            "the properties of an operation that its writer did not know are one attribute";
        return Err(malformed(&input, input.offset(), message));
    }
    Ok(Some(attribute))
}

#[cold]
fn operation(tables: &Tables<'_, '_>, name: u32) -> String {
    let name = tables.names.get(name as usize).map(|entry| entry.name);
    let name = name.map(|name| tables.context.operation_name_bytes(name));
    format!(
        "reading the properties of '{}'",
        String::from_utf8_lossy(name.unwrap_or_default())
    )
}
