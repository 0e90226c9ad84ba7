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

use crate::store::stats::Counters;
use crate::{ActionKey, Cache, Digest};
use extract::{PartModule, Results};
pub(crate) use form::{OutputForm, read_options};
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

/// A tool that runs on modules.
pub(crate) trait PartTool: Sync {
    /// The result of a run on the whole input.
    type Whole: Send;

    /// Runs on a part; `None` if it fails, prints errors, or writes no module.
    fn run_part(&self, part: &mut Ir) -> Option<(Ir, OutputForm)>;

    /// Runs on the input as it is.
    fn run_whole(&self) -> Self::Whole;

    /// Returns the output of a run, if it succeeded without errors being printed.
    fn output<'w>(&self, whole: &'w Self::Whole) -> Option<&'w [u8]>;

    /// Returns whether the tool and the input are still those of the key: somebody may have
    /// replaced them while the tool ran.
    fn is_unchanged(&self) -> bool;

    /// Returns whether an output contains something that it can only have from a run on a part.
    fn is_tainted(&self, output: &[u8]) -> bool;
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
    tables: Vec<Vec<Location>>,
    keys: Vec<Digest>,
}

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
        let reached = units.reached()?;
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
        let keys = keys::unit_keys(context, module, &units, &reached, &domain, mode);
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
            && self.keys.iter().any(|key| packs.find(key).is_none())
        {
            head::fetch(self.cache, &self.domain, head);
            packs = self.cache.store().packs(&self.domain.digest());
        }
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for (unit, key) in self.keys.iter().enumerate() {
            match packs.find(key).filter(|_| is_verified) {
                Some(place) => found.push((unit, place)),
                None => missing.push(unit),
            }
        }
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
        let mut is_discarded = false;
        if !missing.is_empty() {
            let part = self.part(&missing)?;
            let (fresh, whole) = match is_verified {
                true => (self.compile(part), None),
                // The tool runs on the part and on the whole input at once.
                false => std::thread::scope(|scope| {
                    let whole = scope.spawn(|| self.tool.run_whole());
                    let fresh = self.compile(part);
                    (fresh, whole.join().ok())
                }),
            };
            outcome.whole = whole;
            match fresh {
                Some((mut fresh, fresh_form)) => {
                    if is_verified && form.as_ref() != Some(&fresh_form) {
                        is_discarded = true;
                    }
                    pack = fresh.pack(&self.keys, self.options.granularity, threads);
                    form = Some(fresh_form);
                    results.push(fresh);
                }
                None => is_discarded = true,
            }
        }
        if !is_discarded && self.options.check > 0 && !found.is_empty() && outcome.whole.is_none() {
            let checked: Vec<usize> = found.iter().map(|(unit, _)| *unit).collect();
            match self.check(&checked, &mut results) {
                Some(0) => {}
                Some(count) => {
                    let note = format!("{count} stored results differ from new ones");
                    outcome.notes.push(note);
                    self.downgrade(Mode::Whole);
                    is_discarded = true;
                }
                None => is_discarded = true,
            }
        }
        let locations = form.as_ref().is_some_and(OutputForm::has_locations);
        let assembled = match (is_discarded, &form) {
            (false, Some(form)) => self.assemble(results, form, locations),
            _ => None,
        };
        let Some((mut assembled, bytes)) = assembled else {
            Counters::count(&stats.discarded, 1);
            outcome.notes.push(
                "the tool did not keep to its part of the module: it ran on the whole".to_owned(),
            );
            let whole = outcome.whole.get_or_insert_with(|| self.tool.run_whole());
            // A tool that fails on the whole input tells nothing of parts.
            if self.tool.output(whole).is_some() && !is_verified {
                self.downgrade(self.next_mode());
            }
            return Some(outcome);
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

    fn part(&mut self, wanted: &[usize]) -> Option<PartModule> {
        PartModule::new(
            &mut self.input,
            &self.units,
            wanted,
            &self.reached,
            &self.tables,
            self.mode,
        )
    }

    /// Runs the tool on units, and returns their results.
    fn compile(&self, mut part: PartModule) -> Option<(Results, OutputForm)> {
        let (output, form) = self.tool.run_part(&mut part.ir)?;
        let locations = form.has_locations();
        let around = part.context_fingerprints(locations);
        let results = part.results(output, &around, locations, &self.tables)?;
        Some((results, form))
    }

    fn assemble(
        &self,
        results: Vec<Results>,
        form: &OutputForm,
        locations: bool,
    ) -> Option<(Ir, Vec<u8>)> {
        let (input, units, tables) = (&self.input, &self.units, &self.tables);
        let mut ir = assemble::assemble(input, units, results, tables, self.mode, locations)?;
        let bytes = form.write(&mut ir, self.options.threads)?;
        let name = placeholders::FILE.as_bytes();
        let is_tainted = memchr::memmem::find(&bytes, name).is_some()
            || self.tool.is_tainted(&bytes)
            || (*form == OutputForm::Rmbc && has_text(&bytes, name));
        (!is_tainted).then_some((ir, bytes))
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
    fn check(&mut self, found: &[usize], results: &mut [Results]) -> Option<usize> {
        let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let mut seed = seed.unwrap_or_default().as_nanos() as u64 | 1;
        let chosen = found.iter().copied().filter(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % 100 < u64::from(self.options.check)
        });
        let chosen: Vec<usize> = chosen.collect();
        if chosen.is_empty() {
            return Some(0);
        }
        let part = self.part(&chosen)?;
        let (fresh, _) = self.compile(part)?;
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
            let (at, stored) = stored.get(unit)?;
            let other = results.get(*at)?.ir.parts().1;
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
        Some(different)
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

/// Returns whether a file of native bytecode contains a text.
fn has_text(bytes: &[u8], name: &[u8]) -> bool {
    let options = read_options("-", Threads::ONE);
    let Ok(file) = rmlir::File::from_bytes(bytes.to_vec(), &options) else {
        return true;
    };
    let mut found = false;
    let read = file.texts(&mut |text| found |= memchr::memmem::find(text, name).is_some());
    found || read.is_err()
}
