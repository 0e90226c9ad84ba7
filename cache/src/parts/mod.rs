//! Results of parts of a module: the tool runs on the parts without a result, and the output is
//! assembled.
//!
//! Whether that yields what the tool makes of the whole is not assumed: for each kind of input
//! (see [`placeholders::Features`]) that a stage meets first, both are computed and compared. Later
//! on, a result is stored only if the tool changed nothing else, and no trace of a placeholder is
//! in the output.

mod assemble;
mod extract;
mod form;
mod head;
mod keys;
pub(crate) mod placeholders;
mod state;
mod units;

use crate::pack::{Pack, Place};
use crate::store::stats::Counters;
use crate::{ActionKey, Cache, Digest};
use extract::{PartModule, Results};
pub(crate) use form::{OutputForm, PartOutput, has_text, read_options};
use keys::Keys;
use placeholders::Placeholders;
use rmlir::ir::{EqualityOptions, Location, semantic_eq};
use rmlir::{Ir, Threads};
use state::{Mode, State};
pub use units::Granularity;
use units::{Reached, Units};

/// How locations count in keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Locations {
    /// They are part of the key.
    Key,
    /// They do not count, and neither the tool nor the output sees any.
    Strip,
    /// Ranges in files do not count; those of the current input are put into the output.
    #[default]
    Rebind,
}

/// Options of results that are put together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartsOptions {
    pub(crate) granularity: Granularity,
    pub(crate) locations: Locations,
    /// The share of found results that are computed again and compared, in percent.
    pub(crate) check: u8,
    pub(crate) threads: Threads,
}

/// The reason why a result is not put together of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The tool failed on a part, or printed errors.
    Failed,
    /// The tool changed something other than functions, or its output is not a module that this
    /// crate would write unchanged.
    Changed,
    /// A placeholder, or the name of a temporary file, is in the output.
    Leaked,
}

/// A tool that runs on modules.
pub(crate) trait PartTool: Sync {
    /// The result of a run on the whole input.
    type Whole: Send;

    /// Runs on a part.
    fn run_part(&self, part: &mut Ir) -> Result<PartOutput, Refusal>;

    /// Runs on the input as it is.
    fn run_whole(&self) -> Self::Whole;

    /// Returns the output of a run, if it succeeded without errors being printed.
    fn output<'w>(&self, whole: &'w Self::Whole) -> Option<&'w [u8]>;

    /// Returns whether the tool and the input are still those of the key: somebody may have
    /// replaced them while the tool ran.
    fn is_unchanged(&self) -> bool;

    /// Returns the beginning of names that an output can only have from a run on a part.
    fn trace(&self) -> Option<&'static str>;
}

/// The outcome for the parts.
pub(crate) struct Outcome<W> {
    /// The output that was put together, if there is one.
    pub(crate) output: Option<Vec<u8>>,
    /// The run on the whole input, if there was one. It is the result then.
    pub(crate) whole: Option<W>,
    /// The number of units whose results were found.
    pub(crate) hits: u64,
    /// The number of the others.
    pub(crate) misses: u64,
    /// The names of some of the others.
    pub(crate) missing: Vec<String>,
    /// Remarks for people.
    pub(crate) notes: Vec<String>,
}

/// The number of names of functions that are reported.
const MAX_NAMES: usize = 20;

/// The remark on a tool or input that changed while the tool ran.
pub(crate) const CHANGED: &str = "not stored: the tool or the input changed meanwhile";

/// A run on parts.
struct Run<'a, T> {
    cache: &'a Cache,
    tool: &'a T,
    options: PartsOptions,
    domain: ActionKey,
    /// Where servers list the packs, if there are servers.
    head: Option<ActionKey>,
    mode: Mode,
    input: Ir,
    units: Units,
    reached: Vec<Reached>,
    /// The symbols that the context of the units depends on.
    around: Reached,
    tables: Vec<Vec<Location>>,
    keys: Keys,
}

/// Units that are compiled together.
struct Group {
    units: Vec<usize>,
    /// Whether the context is compiled, too, which must stay as it is.
    has_context: bool,
}

/// The number of groups in which units are compiled that may depend on each other.
const MAX_GROUPS: usize = 8;

/// Returns the output of a stage for an input that was read; `None` if it cannot be put together.
pub(crate) fn run<T: PartTool>(
    cache: &Cache,
    domain: &ActionKey,
    input: Ir,
    options: PartsOptions,
    tool: &T,
) -> Option<Outcome<T::Whole>> {
    let granularity = format!("{:?} {:?}", options.granularity, options.locations);
    let domain = domain.extend().with("parts", granularity).finish();
    let head = cache.has_levels().then(|| head::key(&domain, &input));
    let mut state = cache.store().state(&domain.digest());
    let mut is_fetched = false;
    if state.is_none()
        && let Some(head) = &head
    {
        head::fetch(cache, &domain, head);
        state = cache.store().state(&domain.digest());
        is_fetched = true;
    }
    let mut mode = match options.locations {
        Locations::Key => Mode::Key,
        Locations::Strip | Locations::Rebind => Mode::Rebind,
    };
    // The numbers of placeholders would have to be those of each closure.
    if options.granularity == Granularity::Closure {
        mode = Mode::Key;
    }
    if let Some(state) = &state {
        match state.mode {
            Mode::Whole => return None,
            Mode::Key => mode = Mode::Key,
            Mode::Rebind => {}
        }
    }
    let mut run = Run::new(cache, domain, input, options, tool, mode)?;
    run.head = head;
    run.run(state.filter(|state| state.mode == mode), is_fetched)
}

impl<'a, T: PartTool> Run<'a, T> {
    fn new(
        cache: &'a Cache,
        domain: ActionKey,
        mut input: Ir,
        options: PartsOptions,
        tool: &'a T,
        mode: Mode,
    ) -> Option<Self> {
        // An input that has the reserved name, such as an output of a bug, has no placeholders.
        if input
            .context()
            .find_identifier(placeholders::FILE)
            .is_some()
        {
            return None;
        }
        let (context, module) = input.parts_mut();
        let mut units = Units::new(context, module, options.granularity)?;
        if units.units.is_empty() {
            return None;
        }
        let (mut reached, mut around) = units.reached()?;
        if options.granularity == Granularity::Closure && units.join_recursive(&reached) {
            (reached, around) = units.reached()?;
        }
        let nested = placeholders::nested_features(context, module);
        units.features.add(nested);
        let mut tables = Vec::new();
        if mode == Mode::Rebind {
            let mut placeholders = Placeholders::new(context);
            for unit in 0..units.units.len() {
                let operations = units.operations_of(module, unit);
                let features = &mut units.features;
                tables.push(placeholders.insert(context, module, &operations, features)?);
            }
        }
        let keys = keys::keys(context, module, &units, &reached, &domain, mode);
        Some(Run {
            cache,
            tool,
            options,
            domain,
            head: None,
            mode,
            input,
            units,
            reached,
            around,
            tables,
            keys,
        })
    }

    fn run(&mut self, state: Option<State>, is_fetched: bool) -> Option<Outcome<T::Whole>> {
        let mut packs = self.cache.store().packs(&self.domain.digest());
        // What was never compared is not used.
        let is_verified = state.as_ref().is_some_and(|state| {
            self.units.features.are_in(state.verified) && !state.form.is_empty()
        });
        if is_verified
            && !is_fetched
            && let Some(head) = &self.head
            && self.keys().any(|key| packs.find(key).is_none())
        {
            head::fetch(self.cache, &self.domain, head);
            packs = self.cache.store().packs(&self.domain.digest());
        }
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for (unit, key) in self.keys.units.iter().enumerate() {
            match packs.find(key).filter(|_| is_verified) {
                Some(place) => found.push((unit, place)),
                None => missing.push(unit),
            }
        }
        let is_context_known = match &self.keys.context {
            Some(key) => is_verified && packs.find(key).is_some(),
            None => true,
        };
        self.cache.store().used_packs(&packs, &found);
        let threads = self.options.threads;
        let mut results = assemble::read_results(&self.input, &self.units, &packs, &found, threads);
        drop(packs);
        let read: std::collections::HashSet<usize> = results
            .iter()
            .flat_map(|one| one.units.iter().map(|(unit, _)| *unit))
            .collect();
        if read.len() != found.len() {
            let lost = found.iter().map(|(unit, _)| *unit);
            missing.extend(lost.filter(|unit| !read.contains(unit)));
            missing.sort_unstable();
        }
        let mut outcome = Outcome {
            output: None,
            whole: None,
            hits: read.len() as u64,
            misses: missing.len() as u64,
            missing: self.names(&missing),
            notes: Vec::new(),
        };
        let stats = &self.cache.store().stats;
        Counters::count(&stats.function_hits, outcome.hits);
        Counters::count(&stats.function_misses, outcome.misses);
        let mut form = state
            .as_ref()
            .and_then(|state| OutputForm::parse_word(&state.form));
        let mut pack = None;
        let mut refusal = None;
        let groups = self.groups(missing, is_verified, is_context_known);
        if !groups.is_empty() {
            let mut parts = Vec::with_capacity(groups.len());
            for group in &groups {
                parts.push(self.part(group)?);
            }
            let known = form.as_ref().filter(|_| is_verified);
            let (fresh, whole) = match is_verified {
                true => (self.compile(parts, known), None),
                // The tool runs on parts and on the whole input at once.
                false => std::thread::scope(|scope| {
                    let whole = scope.spawn(|| self.tool.run_whole());
                    let fresh = self.compile(parts, known);
                    (fresh, whole.join().ok())
                }),
            };
            outcome.whole = whole;
            match fresh {
                Ok((mut fresh, fresh_form)) => {
                    pack = self.pack(&mut fresh);
                    form = Some(fresh_form);
                    results.extend(fresh.into_iter().filter(|one| !one.units.is_empty()));
                }
                Err(reason) => refusal = Some(reason),
            }
        }
        if refusal.is_none()
            && self.options.check > 0
            && !found.is_empty()
            && outcome.whole.is_none()
        {
            let checked: Vec<usize> = found.iter().map(|(unit, _)| *unit).collect();
            match self.check(&checked, &mut results, form.as_ref()) {
                Ok(0) => {}
                Ok(count) => {
                    let note = format!("{count} stored results differ from new ones");
                    outcome.notes.push(note);
                    Counters::count(&stats.check_failures, count as u64);
                    self.downgrade(Mode::Whole);
                    refusal = Some(Refusal::Changed);
                }
                Err(reason) => refusal = Some(reason),
            }
        }
        let locations = form.as_ref().is_some_and(OutputForm::has_locations);
        let assembled = match (refusal, &form) {
            (None, Some(form)) => self.assemble(results, form, locations),
            (reason, _) => Err(reason.unwrap_or(Refusal::Changed)),
        };
        let (mut assembled, bytes) = match assembled {
            Ok(assembled) => assembled,
            Err(reason) => {
                Counters::count(&stats.discarded, 1);
                outcome.notes.push(
                    "the tool did not keep to its part of the module: it ran on the whole"
                        .to_owned(),
                );
                let whole = outcome.whole.get_or_insert_with(|| self.tool.run_whole());
                let is_success = self.tool.output(whole).is_some();
                // A tool that fails on the whole input tells nothing of parts.
                if reason == Refusal::Leaked || (is_success && !is_verified) {
                    self.downgrade(self.next_mode());
                }
                return Some(outcome);
            }
        };
        let Some(form) = form else {
            return Some(outcome);
        };
        if (pack.is_some() || outcome.whole.is_some()) && !self.tool.is_unchanged() {
            outcome.notes.push(CHANGED.to_owned());
            outcome.whole.get_or_insert_with(|| self.tool.run_whole());
            return Some(outcome);
        }
        if let Some(whole) = &outcome.whole {
            match self.tool.output(whole) {
                Some(output) if self.is_same(&mut assembled, &bytes, output, &form) => {
                    let mut verified = self.units.features;
                    verified.add(state.map(|state| state.verified).unwrap_or_default());
                    let state = State {
                        mode: self.mode,
                        verified,
                        form: form.to_word(),
                    };
                    self.cache.store().set_state(&self.domain.digest(), &state);
                }
                Some(_) => {
                    Counters::count(&stats.discarded, 1);
                    outcome
                        .notes
                        .push("the parts are not what the tool makes of the whole".to_owned());
                    self.downgrade(self.next_mode());
                    return Some(outcome);
                }
                None => return Some(outcome),
            }
        }
        if let Some(pack) = pack {
            let stored = self.cache.store().put_pack(&self.domain.digest(), &pack);
            if let (Ok(()), Some(head)) = (stored, &self.head) {
                head::send(self.cache, &self.domain, head);
            }
        }
        outcome.output = Some(bytes);
        Some(outcome)
    }

    fn names(&self, units: &[usize]) -> Vec<String> {
        let context = self.input.context();
        let units = units.iter().filter_map(|&unit| self.units.units.get(unit));
        let names = units
            .flatten()
            .filter_map(|&position| self.units.name(position));
        names
            .take(MAX_NAMES)
            .map(|name| format!("@{}", context.str(name)))
            .collect()
    }

    /// Returns all keys.
    fn keys(&self) -> impl Iterator<Item = &Digest> {
        self.keys.units.iter().chain(&self.keys.context)
    }

    /// Returns what is compiled. What a tool was not seen to do yet is done apart: to the context
    /// alone, and to units without the bodies of those that they refer to, or that refer to them.
    /// A tool that removes unused symbols, or takes from other functions, makes a different result
    /// of them than of the whole.
    fn groups(&self, missing: Vec<usize>, is_verified: bool, is_context_known: bool) -> Vec<Group> {
        if is_verified || self.options.granularity == Granularity::Module {
            let group = Group {
                units: missing,
                has_context: !is_context_known,
            };
            let is_needed = !group.units.is_empty() || group.has_context;
            return is_needed.then_some(group).into_iter().collect();
        }
        let groups = self.units.separate(&self.reached, MAX_GROUPS);
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|units| Group {
                units,
                has_context: false,
            })
            .collect();
        if !is_context_known {
            groups.push(Group {
                units: Vec::new(),
                has_context: true,
            });
        }
        groups
    }

    fn part(&mut self, group: &Group) -> Option<PartModule> {
        PartModule::new(
            &mut self.input,
            &self.units,
            &group.units,
            &self.reached,
            group.has_context.then_some(&self.around),
            &self.tables,
            self.mode,
        )
    }

    /// Runs the tool on parts, and returns the results.
    fn compile(
        &self,
        mut parts: Vec<PartModule>,
        known: Option<&OutputForm>,
    ) -> Result<(Vec<Results>, OutputForm), Refusal> {
        let mut outputs = Vec::with_capacity(parts.len());
        for part in &mut parts {
            outputs.push(self.tool.run_part(&mut part.ir)?);
        }
        let read = OutputForm::read_all(outputs, known, self.options.threads);
        let (irs, form) = read.ok_or(Refusal::Changed)?;
        let locations = form.has_locations();
        let mut results = Vec::with_capacity(parts.len());
        for (part, output) in parts.iter().zip(irs) {
            let around = part.context_fingerprints(locations);
            results.push(part.results(output, &around, locations, &self.tables)?);
        }
        Ok((results, form))
    }

    /// Returns results as a pack.
    fn pack(&self, results: &mut [Results]) -> Option<Vec<u8>> {
        let (granularity, threads) = (self.options.granularity, self.options.threads);
        let mut entries = Vec::new();
        let mut segments = Vec::with_capacity(results.len());
        for one in results.iter_mut().filter(|one| !one.units.is_empty()) {
            let number = u16::try_from(segments.len()).ok()?;
            let (segment, places) = one.segment(&self.keys.units, number, granularity, threads)?;
            segments.push(segment);
            entries.extend(places);
        }
        entries.extend(self.keys.context.map(|key| (key, Place::NONE)));
        let segments: Vec<&[u8]> = segments.iter().map(Vec::as_slice).collect();
        Some(Pack::encode(&segments, &entries))
    }

    fn assemble(
        &self,
        results: Vec<Results>,
        form: &OutputForm,
        locations: bool,
    ) -> Result<(Ir, Vec<u8>), Refusal> {
        let (input, units, tables) = (&self.input, &self.units, &self.tables);
        let ir = assemble::assemble(input, units, results, tables, self.mode, locations);
        let mut ir = ir.ok_or(Refusal::Leaked)?;
        let bytes = form.write(&mut ir, self.options.threads);
        let bytes = bytes.ok_or(Refusal::Changed)?;
        let mut traces = [Some(placeholders::FILE), self.tool.trace()].into_iter();
        match traces.any(|trace| trace.is_some_and(|trace| form::has_text(&bytes, trace))) {
            true => Err(Refusal::Leaked),
            false => Ok((ir, bytes)),
        }
    }

    /// Returns whether an output that was put together is that of the tool on the whole input.
    fn is_same(&self, assembled: &mut Ir, bytes: &[u8], whole: &[u8], form: &OutputForm) -> bool {
        if bytes == whole {
            return true;
        }
        if form.is_text() {
            return false;
        }
        let Some((ir, whole_form)) = OutputForm::read(whole.to_vec(), self.options.threads) else {
            return false;
        };
        let options = EqualityOptions { locations: true };
        whole_form == *form && semantic_eq(assembled.parts(), ir.parts(), &options)
    }

    /// Computes some of the results that were found again. Returns how many differ.
    fn check(
        &mut self,
        found: &[usize],
        results: &mut [Results],
        form: Option<&OutputForm>,
    ) -> Result<usize, Refusal> {
        let mut chance = Chance::new();
        let percent = self.options.check;
        let chosen = found.iter().copied();
        let chosen: Vec<usize> = chosen.filter(|_| chance.is_below(percent)).collect();
        if chosen.is_empty() {
            return Ok(0);
        }
        let group = Group {
            units: chosen,
            has_context: false,
        };
        let part = self.part(&group).ok_or(Refusal::Changed)?;
        let (fresh, _) = self.compile(vec![part], form)?;
        let fresh = fresh.first().ok_or(Refusal::Changed)?;
        let stored: std::collections::HashMap<usize, (usize, &[rmlir::ir::Operation])> = results
            .iter()
            .enumerate()
            .flat_map(|(at, one)| {
                one.units
                    .iter()
                    .map(move |(unit, ops)| (*unit, (at, ops.as_slice())))
            })
            .collect();
        let options = rmlir::ir::FingerprintOptions { locations: true };
        let (context, module) = fresh.ir.parts();
        let mut ours = rmlir::ir::Fingerprinter::new(context, &options);
        let mut theirs: Vec<_> = results
            .iter()
            .map(|one| rmlir::ir::Fingerprinter::new(one.ir.context(), &options))
            .collect();
        let mut different = 0;
        for (unit, operations) in &fresh.units {
            let (at, stored) = stored.get(unit).ok_or(Refusal::Changed)?;
            let other = results.get(*at).ok_or(Refusal::Changed)?.ir.parts().1;
            let is_same = operations.len() == stored.len()
                && operations
                    .iter()
                    .zip(stored.iter())
                    .all(|(&own, &other_operation)| {
                        let own = ours.fingerprint(module, own);
                        theirs
                            .get_mut(*at)
                            .map(|one| one.fingerprint(other, other_operation))
                            == Some(own)
                    });
            different += usize::from(!is_same);
        }
        Ok(different)
    }

    /// The mode after this one fails.
    fn next_mode(&self) -> Mode {
        match self.mode {
            Mode::Rebind => Mode::Key,
            _ => Mode::Whole,
        }
    }

    fn downgrade(&self, mode: Mode) {
        self.cache
            .store()
            .set_state(&self.domain.digest(), &State::new(mode));
    }
}

/// Returns whether a result is chosen for a check, of which there are this many in a hundred.
pub(crate) fn is_chosen(percent: u8) -> bool {
    Chance::new().is_below(percent)
}

/// Numbers that differ from run to run (xorshift, G. Marsaglia).
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let text = format!("{now} {}", std::process::id());
        let hash = *Digest::of(text.as_bytes()).as_bytes();
        let start = hash
            .first_chunk()
            .map_or(1, |bytes| u64::from_le_bytes(*bytes));
        Chance(start | 1)
    }

    fn is_below(&mut self, percent: u8) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % 100 < u64::from(percent)
    }
}
