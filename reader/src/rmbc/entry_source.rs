//! Supplies what operations need from the context: locations, and the dictionaries of inline
//! signatures.
//!
//! Either one thread creates them as they are needed, or the thread that owns the context creates
//! them for another one, which meanwhile builds the module.

use super::locations::LocationStream;
use super::operations::Chunks;
use super::tables::Tables;
use super::templates::{Template, Templates};
use rmlir_format::{Budget, Error, ErrorKind, Reader, Result};
use rmlir_ir::{Attribute, Location, Module, Operation};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Attributes and properties of an operation.
pub(super) type Dictionaries = (Option<Attribute>, Option<Attribute>);

/// Supplies the reader of operations with data of the context.
pub(super) trait EntrySource {
    fn templates(&self) -> &Templates;

    fn budget(&mut self) -> &mut Budget;

    /// Returns the next location of the stream.
    fn location(&mut self) -> Result<Location>;

    /// Begins a chunk. Returns the position in the stream of locations, if locations are read and
    /// it is known.
    fn restart(&mut self) -> Result<Option<u64>>;

    /// Reads the dictionaries of an operation of an inline signature, or returns placeholders for
    /// them.
    fn inline(&mut self, input: &mut Reader<'_>, signature: u32) -> Result<Dictionaries>;

    /// Called when the operation was created for which dictionaries were requested last.
    fn made(&mut self, operation: Operation);

    fn missing_template(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Template>;

    fn missing_list(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Range<usize>>;

    /// Checks that all locations were read.
    fn expect_end(&mut self) -> Result<()>;
}

/// The supply that creates everything at once.
pub(super) struct Direct<'t, 'c, 'a> {
    pub(super) tables: &'t mut Tables<'c>,
    pub(super) templates: &'t mut Templates,
    pub(super) locations: LocationStream<'a>,
}

impl EntrySource for Direct<'_, '_, '_> {
    #[inline]
    fn templates(&self) -> &Templates {
        self.templates
    }

    #[inline]
    fn budget(&mut self) -> &mut Budget {
        &mut self.tables.budget
    }

    #[inline]
    fn location(&mut self) -> Result<Location> {
        self.locations.next(self.tables)
    }

    fn restart(&mut self) -> Result<Option<u64>> {
        self.locations.restart()
    }

    fn inline(&mut self, input: &mut Reader<'_>, signature: u32) -> Result<Dictionaries> {
        self.templates.inline(self.tables, input, signature)
    }

    #[inline]
    fn made(&mut self, _: Operation) {}

    fn missing_template(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Template> {
        self.templates
            .missing_template(self.tables, input, at, number)
    }

    fn missing_list(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Range<usize>> {
        self.templates.missing_list(self.tables, input, at, number)
    }

    fn expect_end(&mut self) -> Result<()> {
        self.locations.expect_end()
    }
}

/// The number of locations, or numbers of attributes, passed between threads at a time.
const BATCH: usize = 1 << 13;

/// The channels of the thread that has the context.
pub(super) struct Maker {
    locations: Sender<Vec<Location>>,
    /// For each operation of an inline signature, its number and those of its attributes.
    asked: Receiver<Vec<u32>>,
}

/// The supply of a thread that builds the module and receives everything from another thread. Its
/// errors are placeholders: reading on one thread determines the real one.
pub(super) struct Deferred<'t> {
    templates: &'t Templates,
    budget: Budget,
    /// The location to use if no locations are read.
    unknown: Option<Location>,
    locations: std::vec::IntoIter<Location>,
    more: Receiver<Vec<Location>>,
    asked: Vec<u32>,
    ask: Sender<Vec<u32>>,
    /// The operations that get dictionaries later.
    waiting: Vec<Operation>,
    /// The number of locations taken, and the number before each chunk.
    taken: u64,
    begun: Vec<u64>,
}

/// Creates the two ends of the channels between the threads. `unknown` is the location of
/// everything, if no locations are read.
pub(super) fn pair(
    templates: &Templates,
    budget: Budget,
    unknown: Option<Location>,
) -> (Maker, Deferred<'_>) {
    let (give, more) = channel();
    let (ask, asked) = channel();
    let maker = Maker {
        locations: give,
        asked,
    };
    let deferred = Deferred {
        templates,
        budget,
        unknown,
        locations: Vec::new().into_iter(),
        more,
        asked: Vec::with_capacity(BATCH),
        ask,
        waiting: Vec::new(),
        taken: 0,
        begun: Vec::new(),
    };
    (maker, deferred)
}

impl Maker {
    /// Creates everything that is requested, until no more requests come.
    pub(super) fn make(
        self,
        tables: &mut Tables<'_>,
        templates: &Templates,
        mut locations: LocationStream<'_>,
    ) -> Result<(Vec<Dictionaries>, Vec<Restart>)> {
        let mut restarts = Vec::new();
        let mut count = 0u64;
        locations.record_restarts();
        // All locations first: the other thread then does not wait for long, and no request is
        // lost.
        while locations.remaining() > 0 {
            let mut batch = Vec::with_capacity(BATCH.min(locations.remaining()));
            while batch.len() < BATCH && locations.remaining() > 0 {
                batch.push(locations.next(tables)?);
                if let Some(offset) = locations.restarted() {
                    restarts.push(Restart {
                        before: count.saturating_add(batch.len() as u64).saturating_sub(1),
                        offset,
                    });
                }
            }
            count = count.saturating_add(batch.len() as u64);
            if self.locations.send(batch).is_err() {
                return Err(failed());
            }
        }
        drop(self.locations);
        let mut made = Vec::new();
        for asked in self.asked {
            let mut numbers = asked.into_iter();
            while let Some(signature) = numbers.next() {
                made.push(templates.asked(tables, signature, &mut numbers)?);
            }
        }
        Ok((made, restarts))
    }
}

impl Deferred<'_> {
    /// Returns the operations that wait, in order, the remaining budget, and the number of
    /// locations before each chunk.
    pub(super) fn finish(mut self) -> (Vec<Operation>, Budget, Vec<u64>) {
        self.hand_over();
        (self.waiting, self.budget, self.begun)
    }

    fn hand_over(&mut self) {
        let asked = std::mem::replace(&mut self.asked, Vec::with_capacity(BATCH));
        // If it fails, so will the other thread.
        let _ = self.ask.send(asked);
    }

    #[cold]
    fn next_locations(&mut self) -> Result<Location> {
        if let Some(unknown) = self.unknown {
            return Ok(unknown);
        }
        self.locations = self.more.recv().map_err(|_| failed())?.into_iter();
        self.locations.next().ok_or_else(failed)
    }
}

impl EntrySource for Deferred<'_> {
    #[inline]
    fn templates(&self) -> &Templates {
        self.templates
    }

    #[inline]
    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    #[inline]
    fn location(&mut self) -> Result<Location> {
        self.taken = self.taken.saturating_add(1);
        match self.locations.next() {
            Some(location) => Ok(location),
            None => self.next_locations(),
        }
    }

    fn restart(&mut self) -> Result<Option<u64>> {
        if self.unknown.is_none() {
            self.begun.push(self.taken);
        }
        Ok(None)
    }

    fn inline(&mut self, input: &mut Reader<'_>, signature: u32) -> Result<Dictionaries> {
        self.asked.push(signature);
        for _ in 0..self.templates.inline_len(signature) {
            let number = input.varint()?;
            self.asked
                .push(u32::try_from(number).map_err(|_| failed())?);
        }
        if self.asked.len() >= BATCH {
            self.hand_over();
        }
        Ok((None, None))
    }

    #[inline]
    fn made(&mut self, operation: Operation) {
        self.waiting.push(operation);
    }

    fn missing_template(&mut self, _: &Reader<'_>, _: u64, _: u64) -> Result<Template> {
        Err(failed())
    }

    fn missing_list(&mut self, _: &Reader<'_>, _: u64, _: u64) -> Result<Range<usize>> {
        Err(failed())
    }

    fn expect_end(&mut self) -> Result<()> {
        match self.locations.next().is_some() || self.more.recv().is_ok() {
            true => Err(failed()),
            false => Ok(()),
        }
    }
}

/// A restart of the stream of locations: the number of locations before it, and its offset.
pub(super) struct Restart {
    before: u64,
    offset: u64,
}

/// Sets the positions of chunks in the stream of locations, which must restart exactly there.
/// `begun` is the number of locations before each chunk.
pub(super) fn set_restarts(
    chunks: &mut Chunks,
    begun: &[u64],
    restarts: Vec<Restart>,
) -> Result<()> {
    if begun.len() != restarts.len() {
        return Err(failed());
    }
    chunks.has_locations = !begun.is_empty();
    for ((chunk, begun), restart) in chunks.list.iter_mut().zip(begun).zip(restarts) {
        if *begun != restart.before {
            return Err(failed());
        }
        chunk.location = restart.offset;
    }
    Ok(())
}

/// Sets the dictionaries that were created for operations.
pub(super) fn set(
    module: &mut Module,
    tables: &Tables<'_>,
    waiting: Vec<Operation>,
    made: Vec<Dictionaries>,
) -> Result<()> {
    for (operation, (attributes, properties)) in waiting.into_iter().zip(made) {
        if attributes.is_some() {
            let set = module.set_attributes(tables.context, operation, attributes);
            set.map_err(|_| failed())?;
        }
        module.set_properties(operation, properties);
    }
    Ok(())
}

/// Returns the error that something is wrong; reading on one thread determines what.
#[cold]
pub(super) fn failed() -> Error {
    Error::new(ErrorKind::Malformed, "the bytes are malformed")
}
