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
mod reasons;
mod state;
mod stored;
mod units;
mod whole;

use crate::command::Priority;
use crate::pack::{Pack, Place};
use crate::store::stats::Counters;
use crate::{ActionKey, Cache, Digest, FunctionKey};
use assemble::Assembly;
use extract::{PartModule, Results};
pub(crate) use form::{OutputForm, PartOutput, has_file_name, has_text, read_options};
use keys::{Keys, OwnPart};
use placeholders::Features;
pub(crate) use reasons::Ingredients;
use rmlir::ir::{Context, EqualityOptions, Location, Module, semantic_eq};
use rmlir::{Ir, Threads};
use state::Mode;
pub(crate) use state::State;
use std::sync::OnceLock;
use stored::Stored;
pub use units::Granularity;
use units::{Reached, References, Units};
use whole::{ReadOutput, WholeRun};

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

    /// Returns the input; `None` if it is not a module.
    fn input(&self) -> Option<Ir>;

    /// Returns the number of bytes of the input, if it is in bytes.
    fn input_len(&self) -> Option<usize>;

    /// Returns whether [`run_part`](Self::run_part) leaves the part as it is.
    fn keeps_parts(&self) -> bool;

    /// Runs on a part.
    fn run_part(&self, part: &mut Ir) -> Result<PartOutput, Refusal>;

    /// Runs on the input as it is.
    fn run_whole(&self, priority: Priority) -> Self::Whole;

    /// Returns the output of a run, if it succeeded without errors being printed.
    fn output<'w>(&self, whole: &'w Self::Whole) -> Option<&'w [u8]>;

    /// Stores an output of a run on the whole input, while others go on: its result is likely to be
    /// stored. Without the result, it is garbage.
    fn expect_to_store(&self, _output: &[u8]) {}

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
    /// For each of these names: why its result was not found.
    pub(crate) reasons: Vec<String>,
    /// Remarks for people.
    pub(crate) notes: Vec<String>,
}

/// The number of names of functions that are reported.
const MAX_NAMES: usize = 20;

/// The remark on a tool or input that changed while the tool ran.
pub(crate) const CHANGED: &str = "not stored: the tool or the input changed meanwhile";

/// Returns the remark on a result that cannot be stored.
pub(crate) fn not_stored(cache: &Cache, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::ReadOnlyFilesystem => "not stored: the cache is read-only".to_owned(),
        _ => format!(
            "not stored in '{}': {error}",
            cache.store().root().display()
        ),
    }
}

/// Returns the remark on a result that is not put together.
fn refused(reason: Refusal, granularity: Granularity) -> String {
    let text = match (granularity, reason) {
        (Granularity::Module, Refusal::Failed) => {
            "the program fails or prints messages: it ran on the input as it is"
        }
        (Granularity::Module, Refusal::Changed) => {
            "the output is not a module that is read and written unchanged: it is stored as bytes"
        }
        (Granularity::Module, Refusal::Leaked) => {
            "the output has positions of the input in more than its locations: they are part of \
             the key"
        }
        (_, Refusal::Failed) => {
            "the program fails on a part or prints messages: it ran on the whole"
        }
        (_, Refusal::Changed) => {
            "the tool did not keep to its part of the module: it ran on the whole"
        }
        (_, Refusal::Leaked) => {
            "the output of a part has positions in more than its locations: the program ran on the \
             whole"
        }
    };
    text.to_owned()
}

/// A run on parts.
struct Run<'a, T> {
    cache: &'a Cache,
    tool: &'a T,
    options: PartsOptions,
    domain: ActionKey,
    /// Where servers list the packs, if there are servers.
    head: Option<ActionKey>,
    /// Whether the packs of the servers were fetched.
    is_fetched: bool,
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

/// Returns the output of a stage; `None` if it cannot be put together.
pub(crate) fn run<T: PartTool>(
    cache: &Cache,
    domain: &ActionKey,
    options: PartsOptions,
    tool: &T,
) -> Option<Outcome<T::Whole>> {
    let domain = domain_of_parts(domain, options);
    std::thread::scope(|scope| {
        let mut whole = WholeRun::new(tool, scope);
        let outcome = run_with(cache, domain, options, tool, &mut whole);
        match outcome {
            Some(outcome) => Some(outcome),
            // It is the result.
            None if whole.is_started() => Some(Outcome {
                output: None,
                whole: Some(whole.finish()),
                hits: 0,
                misses: 0,
                missing: Vec::new(),
                reasons: Vec::new(),
                notes: Vec::new(),
            }),
            None => None,
        }
    })
}

/// Returns the key of everything but the input, for results of parts.
fn domain_of_parts(domain: &ActionKey, options: PartsOptions) -> ActionKey {
    let granularity = format!("{:?} {:?}", options.granularity, options.locations);
    domain.extend().with("parts", granularity).finish()
}

/// Returns how locations count for a stage of which this is known.
fn mode_of(options: PartsOptions, state: Option<&State>) -> Mode {
    match (options.granularity, options.locations) {
        // The numbers of placeholders would have to be those of each closure.
        (Granularity::Closure, _) | (_, Locations::Key) => Mode::Key,
        _ => match state.map(|state| state.mode) {
            Some(Mode::Key) => Mode::Key,
            _ => Mode::Rebind,
        },
    }
}

/// Returns the functions of the input, with the keys of their results. `None` if there are no
/// results of functions.
pub(crate) fn function_keys<T: PartTool>(
    cache: &Cache,
    domain: &ActionKey,
    options: PartsOptions,
    tool: &T,
) -> Option<Vec<FunctionKey>> {
    let domain = domain_of_parts(domain, options);
    let store = cache.store();
    let state = store.state(&domain.digest());
    if state.as_ref().is_some_and(|one| one.mode == Mode::Whole) {
        return None;
    }
    let mode = mode_of(options, state.as_ref());
    let packs = store.packs(&domain.digest());
    let run = Run::new(cache, domain, tool.input()?, options, tool, mode)?;
    let is_verified = run.is_verified(state.as_ref());
    let mut found = Vec::with_capacity(run.keys.units.len());
    for (members, key) in run.units.units.iter().zip(&run.keys.units) {
        let is_stored = is_verified && packs.find(key).is_some();
        for name in members.iter().filter_map(|&at| run.units.name(at)) {
            found.push(FunctionKey {
                name: run.input.context().str(name).into_owned(),
                key: *key,
                is_stored,
            });
        }
    }
    Some(found)
}

fn run_with<T: PartTool>(
    cache: &Cache,
    domain: ActionKey,
    options: PartsOptions,
    tool: &T,
    whole: &mut WholeRun<'_, '_, T>,
) -> Option<Outcome<T::Whole>> {
    let store = cache.store();
    let mut state = store.state(&domain.digest());
    if state
        .as_ref()
        .is_some_and(|state| state.mode == Mode::Whole)
    {
        return None;
    }
    // What is not known of the tool yet takes a run on the whole input.
    if state.is_none() && !cache.has_levels() {
        whole.start();
    }
    let is_parallel = state.is_some() && options.threads.count() > 1;
    let (input, stored) = std::thread::scope(|scope| {
        let read = || Stored::read(store, &domain.digest(), tool.input_len());
        let stored = is_parallel.then(|| scope.spawn(read));
        (tool.input(), stored.and_then(|stored| stored.join().ok()))
    });
    let input = input?;
    let head = cache.has_levels().then(|| head::key(&domain, &input));
    let mut is_fetched = false;
    if state.is_none()
        && let Some(head) = &head
    {
        head::fetch(cache, &domain, head);
        state = store.state(&domain.digest());
        is_fetched = true;
    }
    match state.as_ref().map(|state| state.mode) {
        Some(Mode::Whole) => return None,
        Some(_) => {}
        None => whole.start(),
    }
    let mode = mode_of(options, state.as_ref());
    let mut run = Run::new(cache, domain, input, options, tool, mode)?;
    run.head = head;
    run.is_fetched = is_fetched;
    run.run(state.filter(|state| state.mode == mode), stored, whole)
}

impl<'a, T: PartTool> Run<'a, T> {
    fn new(
        cache: &'a Cache,
        domain: ActionKey,
        input: Ir,
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
        let (context, module) = input.parts();
        // Programs may read them, such as the pipeline of a reproducer, and keys do not have them.
        if !module.provenance.external_resources.is_empty() {
            return None;
        }
        let mut units = Units::new(context, module, options.granularity)?;
        if units.units.is_empty() {
            return None;
        }
        let is_closure = options.granularity == Granularity::Closure;
        if is_closure {
            units.set_references(units.find_references(context, module));
            let (reached, _) = units.reached()?;
            units.join_recursive(&reached);
        }
        let (own, references) = own_parts(context, module, &units, mode, options.threads);
        if !is_closure {
            units.set_references(references);
        }
        let mut tables = Vec::with_capacity(own.len());
        let (reached, around) = units.reached()?;
        for (_, features) in &own {
            units.features.add(*features);
        }
        units.features.add(nested_features(context, module, &units));
        let own: Vec<OwnPart> = own.into_iter().flat_map(|(parts, _)| parts).collect();
        let keys = keys::keys(context, module, &units, &own, &reached, &domain, mode);
        for part in own {
            if part.table.len() >= placeholders::MAX_NUMBERS as usize {
                return None;
            }
            tables.push(part.table);
        }
        Some(Run {
            cache,
            tool,
            options,
            domain,
            head: None,
            is_fetched: false,
            mode,
            input,
            units,
            reached,
            around,
            tables,
            keys,
        })
    }

    fn run(
        &mut self,
        state: Option<State>,
        stored: Option<Stored>,
        whole_run: &mut WholeRun<'_, '_, T>,
    ) -> Option<Outcome<T::Whole>> {
        let whole = &mut *whole_run;
        let store = self.cache.store();
        let domain = self.domain.digest();
        let mut stored = stored.unwrap_or_else(|| Stored::read(store, &domain, None));
        // What was never compared is not used.
        let is_verified = self.is_verified(state.as_ref());
        if is_verified
            && !self.is_fetched
            && let Some(head) = &self.head
            && self.keys().any(|key| stored.packs.find(key).is_none())
        {
            head::fetch(self.cache, &self.domain, head);
            stored = Stored::read(store, &domain, None);
        }
        let packs = &stored.packs;
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
        store.used_packs(packs, &found);
        let threads = self.options.threads;
        let mut results =
            assemble::read_results(&self.input, &self.units, &mut stored, &found, threads);
        drop(stored);
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
            missing: Vec::new(),
            reasons: Vec::new(),
            notes: Vec::new(),
        };
        let ingredients = self.explain(&missing, &mut outcome);
        let stats = &self.cache.store().stats;
        if self.options.granularity != Granularity::Module {
            Counters::count(&stats.function_hits, outcome.hits);
            Counters::count(&stats.function_misses, outcome.misses);
        }
        let mut form = state
            .as_ref()
            .and_then(|state| OutputForm::parse_word(&state.form));
        let mut pack = None;
        let mut refusal = None;
        // The found results are put together while the tool runs.
        let mut assembly = None;
        let mut is_resolved = true;
        let groups = self.groups(missing, is_verified, is_context_known);
        if !groups.is_empty() {
            let mut parts = Vec::with_capacity(groups.len());
            for group in &groups {
                parts.push(self.part(group, self.tool.keeps_parts())?);
            }
            let known = form.as_ref().filter(|_| is_verified);
            if !is_verified {
                // The tool runs on parts and on the whole input at once.
                whole.start();
            }
            let resolves_ahead =
                threads.count() > 1 && self.options.check == 0 && self.mode == Mode::Rebind;
            if resolves_ahead && !results.is_empty() && known.is_some_and(OutputForm::has_locations)
            {
                assembly = Some(Assembly::new(&self.input, std::mem::take(&mut results)));
            }
            let compiled = std::thread::scope(|scope| {
                if let Some(assembly) = &mut assembly {
                    let (input, tables) = (&self.input, &self.tables);
                    scope.spawn(|| is_resolved = assembly.resolve(input, tables).is_some());
                }
                self.compile(&mut parts, known)
            });
            for part in &mut parts {
                part.give_back(&mut self.input);
            }
            match compiled {
                Ok((mut fresh, fresh_form)) => {
                    pack = self.pack(&mut fresh);
                    form = Some(fresh_form);
                    fresh.retain(|one| !one.units.is_empty());
                    match &mut assembly {
                        Some(assembly) => assembly.extend(fresh),
                        None => results.extend(fresh),
                    }
                }
                Err(reason) => refusal = Some(reason),
            }
        }
        if refusal.is_none() && self.options.check > 0 && !found.is_empty() && !whole.is_started() {
            let checked: Vec<usize> = found.iter().map(|(unit, _)| *unit).collect();
            match self.check(&checked, &mut results, form.as_ref()) {
                Ok(0) => {}
                Ok(count) => {
                    let note = match count {
                        1 => "a stored result differs from a new one".to_owned(),
                        _ => format!("{count} stored results differ from new ones"),
                    };
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
            (None, Some(form)) if is_resolved => {
                let assembly = assembly.unwrap_or_else(|| Assembly::new(&self.input, results));
                // Modules are compared by content.
                let is_written = !whole.is_started() || form.is_text();
                self.assemble(assembly, form, locations, is_written)
            }
            (None, Some(_)) => Err(Refusal::Leaked),
            (reason, _) => Err(reason.unwrap_or(Refusal::Changed)),
        };
        let (assembled, bytes) = match assembled {
            Ok(assembled) => assembled,
            Err(reason) => {
                Counters::count(&stats.discarded, 1);
                outcome
                    .notes
                    .push(refused(reason, self.options.granularity));
                let ran = outcome.whole.insert(whole.finish());
                let is_success = self.tool.output(ran).is_some();
                // A tool that fails on the whole input tells nothing of parts.
                if reason == Refusal::Leaked || (is_success && !is_verified) {
                    self.downgrade(self.next_mode());
                }
                return Some(outcome);
            }
        };
        let Some(form) = form else {
            // `assemble` needs it.
            return None;
        };
        if whole.is_started() {
            outcome.whole = Some(whole.finish());
        }
        if (pack.is_some() || outcome.whole.is_some()) && !self.tool.is_unchanged() {
            outcome.notes.push(CHANGED.to_owned());
            outcome.whole.get_or_insert_with(|| whole.finish());
            return Some(outcome);
        }
        if let Some(whole) = &outcome.whole {
            match self.tool.output(whole) {
                Some(output)
                    if self.is_same(
                        &assembled,
                        bytes.as_deref(),
                        output,
                        &form,
                        whole_run.take_output(),
                    ) =>
                {
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
                    let note = match self.options.granularity {
                        Granularity::Module => {
                            "the result depends on positions of the input: they are part of the key"
                        }
                        _ => "the parts are not what the tool makes of the whole",
                    };
                    outcome.notes.push(note.to_owned());
                    self.downgrade(self.next_mode());
                    return Some(outcome);
                }
                None => return Some(outcome),
            }
        }
        if let Some(pack) = pack {
            let stored = self.cache.store().put_pack(&self.domain.digest(), &pack);
            if let Err(error) = &stored {
                outcome.notes.push(not_stored(self.cache, error));
            }
            if let (Ok(()), Some((versions, ingredients))) = (&stored, &ingredients) {
                self.cache.store().set_ingredients(versions, ingredients);
            }
            if let (Ok(()), Some(head)) = (stored, &self.head) {
                head::send(self.cache, &self.domain, head);
            }
        }
        outcome.output = Some(bytes.unwrap_or_default());
        Some(outcome)
    }

    /// Returns whether the tool was seen to make the same of parts as of the whole for inputs of
    /// this kind.
    fn is_verified(&self, state: Option<&State>) -> bool {
        state.is_some_and(|state| {
            state.mode == self.mode
                && self.units.features.are_in(state.verified)
                && !state.form.is_empty()
        })
    }

    /// Reports the missing results with their reasons. Returns the ingredients of the keys, with
    /// which the next version of the module is compared.
    fn explain<W>(
        &self,
        missing: &[usize],
        outcome: &mut Outcome<W>,
    ) -> Option<(Digest, Ingredients)> {
        if missing.is_empty() || self.options.granularity == Granularity::Module {
            return None;
        }
        let context = self.input.context();
        let versions = head::key(&self.domain, &self.input).digest();
        let before = self.cache.store().ingredients(&versions);
        let ingredients = Ingredients::new(context, &self.units, &self.keys);
        let none = Reached::default();
        for &unit in missing {
            if outcome.missing.len() >= MAX_NAMES {
                break;
            }
            let reached = self.reached.get(unit).unwrap_or(&none);
            let reason = match &before {
                Some(before) => ingredients.reason(before, context, &self.units, unit, reached),
                None => "no version of this module is known".to_owned(),
            };
            for &position in self.units.units.get(unit).into_iter().flatten() {
                if let Some(name) = self.units.name(position) {
                    outcome.missing.push(format!("@{}", context.str(name)));
                    outcome.reasons.push(reason.clone());
                }
            }
        }
        outcome.missing.truncate(MAX_NAMES);
        outcome.reasons.truncate(MAX_NAMES);
        Some((versions, ingredients))
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

    /// Returns a part with some units. The tool may get the input itself if it leaves it as it is.
    fn part(&mut self, group: &Group, may_borrow: bool) -> Option<PartModule> {
        let (units, tables) = (&self.units, &self.tables);
        if may_borrow && PartModule::is_whole(units, &group.units) {
            return PartModule::whole(&mut self.input, units, &group.units, tables, self.mode);
        }
        PartModule::new(
            &mut self.input,
            units,
            &group.units,
            &self.reached,
            group.has_context.then_some(&self.around),
            tables,
            self.mode,
        )
    }

    /// Runs the tool on parts, and returns the results.
    fn compile(
        &self,
        parts: &mut [PartModule],
        known: Option<&OutputForm>,
    ) -> Result<(Vec<Results>, OutputForm), Refusal> {
        let mut outputs = Vec::with_capacity(parts.len());
        for part in &mut *parts {
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

    /// Puts the output together, and writes it if asked to. The input is not needed afterwards, and
    /// removed.
    fn assemble(
        &mut self,
        assembly: Assembly,
        form: &OutputForm,
        locations: bool,
        is_written: bool,
    ) -> Result<(Ir, Option<Vec<u8>>), Refusal> {
        let (input, units, tables) = (&self.input, &self.units, &self.tables);
        let ir = assemble::assemble(input, units, assembly, tables, self.mode, locations);
        let mut ir = ir.ok_or(Refusal::Leaked)?;
        let input = std::mem::take(&mut self.input);
        if !is_written {
            drop(input);
            return Ok((ir, None));
        }
        let bytes = std::thread::scope(|scope| {
            // Freeing a module takes a tenth of the time of writing it.
            scope.spawn(move || drop(input));
            form.write(&mut ir, self.options.threads)
        });
        let bytes = bytes.ok_or(Refusal::Changed)?;
        let mut traces = [Some(placeholders::FILE), self.tool.trace()].into_iter();
        match traces.any(|trace| trace.is_some_and(|trace| form::has_text(&bytes, trace))) {
            true => Err(Refusal::Leaked),
            false => Ok((ir, Some(bytes))),
        }
    }

    /// Returns whether an output that was put together is that of the tool on the whole input: as
    /// bytes, or as a module with locations in bytecode of the same form.
    fn is_same(
        &self,
        assembled: &Ir,
        bytes: Option<&[u8]>,
        whole: &[u8],
        form: &OutputForm,
        read: ReadOutput,
    ) -> bool {
        if bytes == Some(whole) {
            return true;
        }
        if form.is_text() {
            return false;
        }
        let read = read.or_else(|| OutputForm::read(whole.to_vec(), self.options.threads));
        let Some((ir, whole_form)) = read else {
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
        let mut part = self.part(&group, false).ok_or(Refusal::Changed)?;
        let (fresh, _) = self.compile(std::slice::from_mut(&mut part), form)?;
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

/// Returns what the keys of units take from their own operations, in order, and the references
/// between the operations of the module, which are found at the same time.
fn own_parts(
    context: &Context,
    module: &Module,
    units: &Units,
    mode: Mode,
    threads: Threads,
) -> (Vec<(Vec<OwnPart>, Features)>, References) {
    /// Units take different time, so there are more shares than threads.
    const SHARES: usize = 4;
    let count = units.units.len();
    let shares = match threads.count() {
        1 => 1,
        threads => threads.saturating_mul(SHARES).min(count),
    };
    let start = |share: usize| count * share / shares;
    let references = OnceLock::new();
    let own = threads.map(shares + 1, |number| match number.checked_sub(1) {
        None => {
            let _ = references.set(units.find_references(context, module));
            Default::default()
        }
        Some(share) => {
            let chosen = start(share)..start(share + 1);
            keys::own_parts(context, module, units, chosen, mode)
        }
    });
    (own, references.into_inner().unwrap_or_default())
}

/// Returns the kinds of nested locations of the operations around the units.
fn nested_features(context: &Context, module: &Module, units: &Units) -> Features {
    let mut features = Features::default();
    for operation in units
        .context
        .iter()
        .filter_map(|&at| units.operations.get(at))
    {
        features.add(placeholders::features_of(context, module, *operation));
    }
    features.only(&[Features::NESTED, Features::METADATA])
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
