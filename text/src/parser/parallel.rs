//! Parses large texts on several threads.
//!
//! The calling thread parses the text from its start to its end. When it reaches a long run of
//! operations, helper threads start to parse *parts* of the run far ahead, with copies of the
//! definitions known by then. When the calling thread reaches the first operation of a successfully
//! parsed part, it adopts the part, provided that nothing parsed in the meantime could have made a
//! difference; otherwise it parses the part again. The result, including the errors, therefore
//! depends neither on helpers nor on the assumed beginnings of parts.
//!
//! The meaning of an operation in a list depends on the context of the list, on aliases, and on
//! names of values. Hence a part consists only of operations that define and use no names beyond
//! themselves, and it is adopted only if neither aliases nor names of values have been defined
//! since it was begun.

use super::lines::Lines;
use super::operation::Operations;
use super::{AttributeAlias, ParseOptions, Parser};
use crate::lexer::TokenKind;
use rmlir_ir::{
    Attribute, Block, ContextFork, Identifier, Location, Module, Resource, Stretch, Type,
};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

#[cfg(test)]
mod tests;

/// The context of a text has at most one entry per this many bytes; copying more takes too long.
const BYTES_PER_ENTRY: usize = 256;

/// A context with fewer entries is always copied fast enough.
const FEW_ENTRIES: usize = 1 << 12;

/// The text before a list of operations is at most the text's size divided by this: each helper
/// copies the entries parsed from it.
const MOST_BEFORE: usize = 8;

/// The maximum number of lists of operations in which parts are searched.
const ATTEMPTS: u32 = 4;

/// The calling thread's view of the helpers.
pub(super) struct ReadAhead<'s> {
    /// The helpers that are idle.
    idle: Vec<Sender<Job<'s>>>,
    /// The parts that are being parsed, in the order of the text.
    parts: VecDeque<Pending<'s>>,
    /// The minimum size of a part in bytes.
    bytes_per_helper: usize,
    /// The number of further lists of operations in which parts are searched.
    attempts: u32,
    /// The number of parts that were adopted.
    taken: usize,
}

/// A part that a helper parses.
struct Pending<'s> {
    start: usize,
    /// The number of regions around it.
    depth: usize,
    /// The number of aliases at that time.
    aliases: usize,
    part: Receiver<Box<Part<'s>>>,
    given_up: Arc<AtomicBool>,
}

/// A part for a helper to parse.
struct Job<'s> {
    start: usize,
    end: usize,
    known: Arc<Known<'s>>,
    part: Sender<Box<Part<'s>>>,
    given_up: Arc<AtomicBool>,
}

/// The state known where a list of operations begins.
///
/// Each helper makes its copy itself: allocators make threads wait for each other if one enlarges
/// what another one allocated.
struct Known<'s> {
    fork: ContextFork,
    attribute_aliases: HashMap<&'s [u8], AttributeAlias>,
    type_aliases: HashMap<&'s [u8], Type>,
    distincts: HashMap<&'s [u8], Attribute>,
    resources: HashMap<(Identifier, Identifier), Resource>,
    default_dialect: Option<Identifier>,
    shared_left: u64,
}

/// The result of parsing a part.
struct Part<'s> {
    start: usize,
    /// The offset of the token that follows it, and the end of the token before that.
    end: usize,
    previous_end: usize,
    fork: ContextFork,
    module: Module,
    forward_locations: HashMap<&'s [u8], (Location, usize)>,
    lines: Lines,
    shared: u64,
}

impl Drop for ReadAhead<'_> {
    /// Parts that are not adopted need not be parsed to their end.
    fn drop(&mut self) {
        for part in &self.parts {
            part.given_up.store(true, Ordering::Relaxed);
        }
    }
}

impl<'s> ReadAhead<'s> {
    /// Starts helper threads: at most the number that the options allow, and that the size of the
    /// text and context justify.
    ///
    /// They end when the result is dropped.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        source: &'s [u8],
        options: &'scope ParseOptions,
        entries: usize,
    ) -> Option<Self>
    where
        's: 'scope,
    {
        let is_small = entries <= FEW_ENTRIES.max(source.len() / BYTES_PER_ENTRY);
        let bytes_per_helper = options.bytes_per_thread.max(1);
        let helpers = options.threads.count().saturating_sub(1);
        let helpers = helpers.min(source.len().div_euclid(bytes_per_helper));
        if helpers == 0 || !is_small {
            return None;
        }
        let mut idle = Vec::new();
        for _ in 0..helpers {
            let (sender, jobs) = channel::<Job<'s>>();
            let help = move || {
                for job in jobs {
                    let part = job.part.clone();
                    if let Some(read) = Part::read(job, source, options) {
                        // The receiver may be gone.
                        let _ = part.send(Box::new(read));
                    }
                }
            };
            // If the system cannot create a thread, parsing proceeds without it.
            if thread::Builder::new().spawn_scoped(scope, help).is_ok() {
                idle.push(sender);
            }
        }
        Some(ReadAhead {
            idle,
            parts: VecDeque::new(),
            bytes_per_helper,
            attempts: ATTEMPTS,
            taken: 0,
        })
    }

    /// Returns the number of parts that were adopted.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Returns where the next part begins.
    fn next_start(&self) -> usize {
        self.parts.front().map_or(usize::MAX, |part| part.start)
    }
}

impl<'s> Part<'s> {
    /// Parses a part; `None` if something in it is wrong or cannot be parsed without what precedes
    /// it.
    fn read(job: Job<'s>, source: &'s [u8], options: &ParseOptions) -> Option<Self> {
        let known = job.known;
        let mut fork = known.fork.clone();
        let mut parser = Parser::new(&mut fork.context, source, options);
        parser.attribute_aliases = known.attribute_aliases.clone();
        parser.type_aliases = known.type_aliases.clone();
        parser.resources = known.resources.clone();
        parser.distincts = known.distincts.clone();
        parser.shared.left = known.shared_left;
        parser.recovery.max_errors = 1;
        // The enclosing parser counts this part.
        parser.progress = Stretch::default();
        parser.lines = Lines::from(source, job.start);
        parser.reset_to(job.start);
        let name = parser.context.operation_name("builtin.module");
        let mut module = Module::with_top(name, parser.context.unknown_location());
        let top = module.body()?;
        let bytes = job.end.min(source.len()).saturating_sub(job.start);
        parser.reserve(&mut module, bytes);
        let mut ops = Operations::new(module, top, known.default_dialect);
        while parser.token.start < job.end
            && !matches!(parser.token.kind, TokenKind::RightBrace | TokenKind::Eof)
        {
            if job.given_up.load(Ordering::Relaxed) {
                return None;
            }
            parser.top_level_operation(&mut ops).ok()?;
            // A distinct attribute may be one that was defined before the part.
            if !ops.scopes.is_empty() || parser.distincts.len() != known.distincts.len() {
                return None;
            }
        }
        Some(Part {
            start: job.start,
            end: parser.token.start,
            previous_end: parser.previous_end,
            module: ops.module,
            forward_locations: std::mem::take(&mut parser.forward_locations),
            lines: std::mem::take(&mut parser.lines),
            shared: known.shared_left.saturating_sub(parser.shared.left),
            fork,
        })
    }
}

impl<'s> Parser<'s, '_> {
    /// Lets idle helpers parse parts of the list of operations that begins at the current token, if
    /// that is worthwhile.
    #[inline]
    pub(super) fn read_ahead(&mut self, ops: &Operations<'s>) {
        let tries = self.ahead.as_ref().is_some_and(|ahead| ahead.attempts > 0);
        if tries && ops.scopes.is_empty() && ops.open_block().is_some() {
            self.begin_ahead(ops);
        }
    }

    #[cold]
    fn begin_ahead(&mut self, ops: &Operations<'s>) {
        let aliases = self.alias_count();
        let Some(ahead) = &mut self.ahead else {
            return;
        };
        ahead.attempts = ahead.attempts.saturating_sub(1);
        let least = ahead.bytes_per_helper;
        let starts = starts(self.source, self.token.start, ahead.idle.len(), least);
        if starts.is_empty() {
            return;
        }
        let known = Arc::new(Known {
            fork: self.context.fork(),
            attribute_aliases: self.attribute_aliases.clone(),
            type_aliases: self.type_aliases.clone(),
            distincts: self.distincts.clone(),
            resources: self.resources.clone(),
            default_dialect: ops.default_dialect(),
            shared_left: self.shared.left,
        });
        let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
        for (&start, end) in starts.iter().zip(ends) {
            let Some(helper) = ahead.idle.pop() else {
                break;
            };
            let (sender, part) = channel();
            let given_up = Arc::new(AtomicBool::new(false));
            let job = Job {
                start,
                end,
                known: Arc::clone(&known),
                part: sender,
                given_up: Arc::clone(&given_up),
            };
            if helper.send(job).is_ok() {
                ahead.parts.push_back(Pending {
                    start,
                    depth: ops.depth(),
                    aliases,
                    part,
                    given_up,
                });
            }
        }
        self.next_part = ahead.next_start();
        if ahead.idle.is_empty() {
            ahead.attempts = 0;
        }
    }

    /// At or after the first operation of a part that helpers parse: adopts it, if possible.
    #[cold]
    pub(super) fn take_part(&mut self, ops: &mut Operations<'s>) {
        let pending = self.ahead.as_mut().and_then(|a| a.parts.pop_front());
        self.next_part = self
            .ahead
            .as_ref()
            .map_or(usize::MAX, ReadAhead::next_start);
        let Some(pending) = pending else {
            return;
        };
        let aliases = self.alias_count();
        let block = ops.open_block();
        let is_wanted = pending.start == self.token.start
            && pending.depth == ops.depth()
            && pending.aliases == aliases
            && self.recovery.errors.is_empty()
            && ops.scopes.is_empty();
        match block {
            Some(block) if is_wanted => {
                if let Ok(part) = pending.part.recv() {
                    self.take_over(ops, block, *part);
                }
            }
            _ => pending.given_up.store(true, Ordering::Relaxed),
        }
    }

    fn alias_count(&self) -> usize {
        let types = self.type_aliases.len();
        self.attribute_aliases.len().saturating_add(types)
    }

    fn take_over(&mut self, ops: &mut Operations<'s>, block: Block, part: Part<'s>) {
        let Some(shared_left) = self.shared.left.checked_sub(part.shared) else {
            return;
        };
        let resources = &mut self.resources;
        let joined = self.context.join(part.fork, |context, resource| {
            *resources
                .entry((resource.dialect, resource.key))
                .or_insert_with(|| context.add_resource(resource))
        });
        // It is parsed again.
        let Ok(translation) = joined else {
            return;
        };
        self.shared.left = shared_left;
        ops.module.append_body(block, part.module, &translation);
        let forward = part.forward_locations.into_iter();
        // Each entry concerns one name: their order makes no difference.
        forward.for_each(|(name, (location, place))| {
            let location = translation.location(location);
            match self.forward_locations.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert((location, place))),
                Entry::Occupied(_) => self.same_locations.entry(name).or_default().push(location),
            }
        });
        self.lines.go_on_with(self.source, part.start, part.lines);
        self.reset_to(part.end);
        self.previous_end = part.previous_end;
        if let Some(ahead) = &mut self.ahead {
            ahead.taken = ahead.taken.saturating_add(1);
        }
    }
}

/// Returns the offsets where parts of a text may begin.
///
/// There are up to `count` parts of `least` bytes, at about equal distances. They begin at the
/// starts of lines that are indented as far as that of the operation at `first`, and on which an
/// operation could begin.
fn starts(source: &[u8], first: usize, count: usize, least: usize) -> Vec<usize> {
    let mut starts = Vec::new();
    let before = source.get(..first).unwrap_or_default();
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline.saturating_add(1));
    let indentation = source.get(line..first).unwrap_or_default();
    let rest = source.len().saturating_sub(first);
    if rest < least
        || first > source.len() / MOST_BEFORE
        || indentation.iter().any(|&byte| byte != b' ')
    {
        return starts;
    }
    let count = count.min(rest.div_euclid(least.max(1)));
    let size = rest.div_euclid(count.saturating_add(1));
    for number in 1..=count {
        let from = first.saturating_add(size.saturating_mul(number));
        let to = source.len().min(from.saturating_add(size));
        let Some(searched) = source.get(from..to) else {
            break;
        };
        let found = memchr::memchr_iter(b'\n', searched).find_map(|newline| {
            let line = from.saturating_add(newline).saturating_add(1);
            let behind = source.get(line..)?.strip_prefix(indentation)?;
            match behind.first()? {
                b'"' | b'%' => {}
                byte if byte.is_ascii_alphabetic() => {}
                _ => return None,
            }
            Some(line.saturating_add(indentation.len()))
        });
        starts.extend(found);
    }
    starts
}
