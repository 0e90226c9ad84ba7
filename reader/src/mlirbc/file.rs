//! Lazily read mlirbc files.

use super::events;
use super::index::{Index, Place, Scanner, Table};
use super::operations::{PathStep, read_selected};
use super::places::SizeIndexes;
use super::session::Session;
use super::session_source::{Loaded, SessionSource};
use super::{Owner, ReadOptions, read_module};
use crate::events::Visitor;
use crate::lazy::{
    Contents, LazyFile, Receiver, Survey, Symbol, SymbolPath, TableItems, Visits, no_such_place,
    only,
};
use crate::pause::{Pause, Paused, of_another_visit};
use rmlir_format::mlirbc::{Container, Sections, Version};
use rmlir_format::{Input, ReadAt, Result, ResultExt, Source, Storage, Window};
use rmlir_ir::{Context, Module, Operation, ResourceValue, extract, used_resources};
use std::collections::HashMap;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Evaluates an expression with a session of a file that is in memory or read by position.
macro_rules! in_session {
    ($file:expr, $context:expr, |$session:ident| $body:expr) => {
        match $file.storage.source() {
            Some(source) => {
                let owner: Owner = Arc::new(source.clone());
                let parts = SessionSource::whole(Container::parse(source)?, owner);
                let mut $session = Session::open($context, parts, &$file.sizes, &$file.options)?;
                $body
            }
            None => {
                let parts = $file.loaded()?.parts()?;
                let mut $session = Session::open($context, parts, &$file.sizes, &$file.options)?;
                $body
            }
        }
    };
}

/// An mlirbc file that is read lazily; see [`LazyFile`].
///
/// Undecodable content affects only what uses it: the symbols of files with private encodings can
/// be listed, and those that do not use such encodings can be read. Rules that only the eager
/// reader checks are not checked for data that is not requested.
///
/// From version 2 on, regions of isolated operations can be skipped. In files of earlier versions,
/// listing walks all operations, without decoding them.
///
/// A file that is read by position ([`open`](File::open), [`positioned`](File::positioned)) has no
/// index, so more of it is read than is requested, once: the sections of strings, dialects and
/// properties, and those that locate entries and resources. Of the entries, those that are used are
/// read, with their neighbours; of the operations, those that are not part of a loadable symbol, 4
/// KiB ahead, and the requested loadable symbols. The data of resources is read where a module uses
/// it, except for external resources. If the file became shorter, that is an error, with its
/// offset, as soon as it is detected.
///
/// `Send + Sync`. The file keeps its bytes alive, as do the returned modules that have blobs.
pub struct File {
    storage: Arc<Storage>,
    /// For a file that is read by position: the data that was read at the first request.
    loaded: OnceLock<Result<Loaded>>,
    version: Version,
    options: ReadOptions,
    /// Holds the dialect definitions, and no entries.
    definitions: Context,
    index: OnceLock<Result<Index>>,
    /// Those of the tables, from the first session on.
    sizes: SizeIndexes,
    /// The releases that may have written the file, once the whole file was searched for evidence;
    /// `None` if the file cannot be read whole.
    left: OnceLock<Option<Vec<bool>>>,
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<File>();
};

impl File {
    /// Opens a file with the dialects that `context` knows, and finds its sections. O(sections).
    ///
    /// # Errors
    /// Those of [`Container::parse`], with offset and section.
    pub fn new(context: &Context, source: Source, options: &ReadOptions) -> Result<Self> {
        let version = Container::parse(&source)?.version;
        let storage = Arc::new(Storage::memory(source));
        Ok(Self::of_storage(context, storage, version, options))
    }

    fn of_storage(
        context: &Context,
        storage: Arc<Storage>,
        version: Version,
        options: &ReadOptions,
    ) -> Self {
        let mut definitions = Context::new();
        if let Some(known) = context.dialect_source() {
            definitions.set_dialect_source(known.clone());
        }
        for dialect in context.registered_dialects() {
            definitions.register_dialect(dialect.clone());
        }
        definitions.set_release(context.release());
        File {
            storage,
            loaded: OnceLock::new(),
            version,
            options: options.clone(),
            definitions,
            sizes: SizeIndexes::default(),
            index: OnceLock::new(),
            left: OnceLock::new(),
        }
    }

    /// Opens the file at a path, to be read by position, as far as is needed. O(sections).
    ///
    /// The file may change or become shorter; that is then an error. [`map`](Self::map) avoids
    /// copies.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`ErrorKind::Io`](rmlir_format::ErrorKind::Io).
    pub fn open(context: &Context, path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let file = Storage::open(path)?;
        Self::of_unread(context, file, options)
            .with_context(|| format!("opening '{}'", path.display()))
    }

    /// Opens a file that is read by position from any source.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn positioned(
        context: &Context,
        bytes: Arc<dyn ReadAt>,
        options: &ReadOptions,
    ) -> Result<Self> {
        Self::of_unread(context, Storage::positioned(bytes)?, options)
    }

    /// Opens the file at a path, mapped into memory.
    ///
    /// # Safety
    /// That of [`Source::map`]: the file must not be changed while it is used.
    ///
    /// # Errors
    /// Those of [`Source::map`] and [`File::new`].
    #[allow(unsafe_code)]
    pub unsafe fn map(
        context: &Context,
        path: impl AsRef<Path>,
        options: &ReadOptions,
    ) -> Result<Self> {
        // SAFETY: the caller guarantees what `Source::map` requires.
        let source = unsafe { Source::map(path) }?;
        File::new(context, source, options)
    }

    fn of_unread(context: &Context, storage: Storage, options: &ReadOptions) -> Result<Self> {
        // The bytes read for the header are few, so they are not kept.
        let storage = Arc::new(storage);
        let version = Self::find_sections(&storage)?.version;
        Ok(Self::of_storage(context, storage, version, options))
    }

    /// Returns the bytes of the file, if they are in memory.
    pub fn source(&self) -> Option<&Source> {
        self.storage.source()
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.storage.len()
    }

    /// Returns the number of bytes that were read by position so far; 0 if the file is in memory.
    pub fn bytes_touched(&self) -> u64 {
        self.storage.bytes_touched()
    }

    /// Returns the version of the container.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the producer that the file names. O(sections).
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn producer(&self) -> Result<Vec<u8>> {
        match self.storage.source() {
            Some(source) => Ok(Container::parse(source)?.producer.to_vec()),
            None => Ok(Self::find_sections(&self.storage)?.producer.to_vec()),
        }
    }

    /// Returns the name and content length of each section, in the order of their numbers.
    ///
    /// O(sections).
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn sections(&self) -> Result<Vec<(&'static str, u64)>> {
        fn list<I: Input>(sections: &Sections<I>) -> Vec<(&'static str, u64)> {
            let sections = (0..=u8::MAX).filter_map(|id| sections.section(id));
            sections
                .map(|section| (section.section(), section.remaining()))
                .collect()
        }
        match self.storage.source() {
            Some(source) => Ok(list(&Container::parse(source)?)),
            None => Ok(list(&Self::find_sections(&self.storage)?)),
        }
    }

    /// Passes each string, and the text of each entry stored as text, to `each`.
    ///
    /// Strings that nothing refers to are included. O(bytes of these tables).
    ///
    /// # Errors
    /// If the tables are damaged, with offset and section.
    pub fn texts(&self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        let mut scratch = self.definitions.clone();
        in_session!(self, &mut scratch, |session| {
            let session = &mut session;
            session.tables.strings.all().for_each(&mut *each);
            session.entries.texts(each)
        })
    }

    pub(super) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Implements [`copy_symbols`](Self::copy_symbols).
    pub(super) fn cut(&self, symbols: &[Symbol], out: &mut dyn Write) -> Result<()> {
        let index = self.index()?;
        let mut scratch = self.definitions.clone();
        let (ir, alignment) = in_session!(self, &mut scratch, |session| {
            let ir = self.cut_operations(&mut session, index, symbols)?;
            (ir, session.blob_alignment())
        });
        match self.storage.source() {
            Some(source) => self.write_with(&Container::parse(source)?, &ir, alignment, out),
            None => self.write_with(&Self::find_sections(&self.storage)?, &ir, alignment, out),
        }
    }

    fn find_sections(storage: &Arc<Storage>) -> Result<Sections<Window>> {
        Sections::read(Window::new(storage.clone(), "header"))
    }

    fn loaded(&self) -> Result<&Loaded> {
        let loaded = self
            .loaded
            .get_or_init(|| Loaded::read(&self.storage, Self::find_sections(&self.storage)?));
        loaded.as_ref().map_err(Clone::clone)
    }

    /// Returns the number of operations at symbol level that may or may not be symbols.
    ///
    /// The layout of their properties is not known, so they are not listed.
    ///
    /// # Errors
    /// Those of [`symbols`](LazyFile::symbols).
    pub fn undecided(&self) -> Result<u64> {
        self.index().map(|index| index.undecided)
    }

    /// Returns statistics of the file, without materializing a module.
    ///
    /// Walks all operations, and decodes only the properties that indicate which release wrote the
    /// file; properties that cannot be decoded indicate nothing.
    ///
    /// # Errors
    /// If tables or operations are damaged, with offset and section.
    pub fn survey(&self, context: &mut Context) -> Result<Survey> {
        in_session!(self, context, |session| self.survey_in(&mut session))
    }

    /// Returns the statistics of the file that do not count operations; takes as long as
    /// [`survey`](Self::survey).
    ///
    /// # Errors
    /// Those of [`survey`](Self::survey).
    pub fn contents(&self, context: &mut Context) -> Result<Contents> {
        self.survey(context).map(|survey| survey.contents)
    }

    fn survey_in<I: Input>(&self, session: &mut Session<'_, '_, I>) -> Result<Survey> {
        let (mut index, blobs) = Scanner::new(session, true, &|| self.left()).survey()?;
        if index.top_is_made {
            index.count_made_top();
        }
        let Session {
            tables,
            entries,
            properties,
            ir,
            ..
        } = session;
        for blob in blobs {
            properties.begin_part();
            if properties
                .get(tables, entries, ir, ir.offset(), blob)
                .is_err()
            {
                properties.forget_part();
            }
        }
        properties.begin_part();
        let [attributes, types] = entries.counts();
        let provenance = session.provenance();
        let context = &*session.tables.context;
        let read = provenance.resources.iter();
        let read = read.map(|&resource| match &context.resource(resource).value {
            Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
            _ => 0,
        });
        let blob_bytes = read.fold(session.unread_bytes(), u64::saturating_add);
        Ok(Survey {
            operations: index.operations,
            regions: index.regions,
            blocks: index.blocks,
            values: index.values,
            attributes,
            types,
            contents: Contents {
                symbols: index.symbols.len(),
                unnamed: index.unnamed.len(),
                undecided: index.undecided,
                resources: provenance.resources.len() as u64,
                blob_bytes,
                provenance,
            },
        })
    }

    fn index(&self) -> Result<&Index> {
        let index = self.index.get_or_init(|| self.scan());
        index.as_ref().map_err(Clone::clone)
    }

    fn scan(&self) -> Result<Index> {
        let mut scratch = self.definitions.clone();
        in_session!(self, &mut scratch, |session| {
            Scanner::new(&mut session, false, &|| self.left()).scan()
        })
    }

    /// Returns the releases that may have written the file, by evidence from the whole of it.
    fn left(&self) -> Option<Vec<bool>> {
        let find = || -> Result<Vec<bool>> {
            let mut scratch = self.definitions.clone();
            in_session!(self, &mut scratch, |session| {
                session.read_operations()?;
                Ok(session.properties.left().collect())
            })
        };
        self.left.get_or_init(|| find().ok()).clone()
    }

    /// Reads some operations through an open session.
    ///
    /// Returns a module that contains them, and the operations in it, except those nested in
    /// others. `None` if more of the file must be read for them.
    fn part<I: Input>(
        &self,
        session: &mut Session<'_, '_, I>,
        index: &Index,
        places: &[&Place],
    ) -> Result<Option<(Module, Vec<Operation>)>> {
        let Some(steps) = index.steps(places) else {
            return Ok(None);
        };
        session.properties.begin_part();
        let Session {
            tables,
            entries,
            properties,
            ir,
            ..
        } = session;
        let ir = ir.clone();
        let read = read_selected(tables, entries, properties, ir, &steps, index.top_is_made);
        let read = read.and_then(|module| {
            let Some((module, operations)) = module else {
                return Ok(None);
            };
            if session.properties.is_undecided()
                && let Some(left) = self.left()
            {
                session.properties.restrict(&left);
            }
            let mut module = session.finish(module)?;
            session.read_used_blobs(&module)?;
            if !module.provenance.resources.is_empty() {
                let used = used_resources(session.tables.context, &module);
                module.provenance.resources.retain(|r| used.contains(r));
            }
            let by_start = |start| steps.binary_search_by_key(&start, |step| step.start).ok();
            let read = places.iter().filter_map(|place| {
                let step = by_start(place.start)?;
                operations.get(step).copied()
            });
            Ok(Some((module, read.collect())))
        });
        if read.is_err() {
            session.properties.forget_part();
        }
        read
    }

    /// Reads a [`part`](Self::part), or extracts it from the whole module, which is read once.
    fn part_or_cut<I: Input>(
        &self,
        session: &mut Session<'_, '_, I>,
        index: &Index,
        places: &[&Place],
        whole: &mut Option<Result<Module>>,
    ) -> Result<(Module, Vec<Operation>)> {
        if let Some(part) = self.part(session, index, places)? {
            return Ok(part);
        }
        let whole = whole.get_or_insert_with(|| {
            session.properties.begin_part();
            let read = session.read_all();
            if read.is_err() {
                session.properties.forget_part();
            }
            read
        });
        let mut module = whole.clone()?;
        let operations = index.operations(&module, places);
        extract(session.tables.context, &mut module, &operations, false);
        Ok((module, operations))
    }
}

impl Index {
    /// Returns the places of symbols.
    pub(super) fn places(&self, symbols: &[Symbol]) -> Result<Vec<&Place>> {
        symbols.iter().map(|symbol| self.place(symbol)).collect()
    }

    /// Returns the place of a symbol.
    fn place(&self, symbol: &Symbol) -> Result<&Place> {
        let place = usize::try_from(symbol.place).ok();
        let node = place.and_then(|place| self.nodes.get(place));
        match node.filter(|node| symbol.path.name() == node.name.as_ref()) {
            Some(node) => Ok(&node.place),
            None => Err(no_such_place(symbol)),
        }
    }

    /// Returns what must be read for some operations.
    ///
    /// `None` if that does not suffice, or if more than the operations themselves and terminators
    /// must be read.
    pub(super) fn steps(&self, places: &[&Place]) -> Option<Vec<PathStep>> {
        let mut steps = Vec::new();
        // For each table whose steps were added: the depth of its contents.
        let mut depths: HashMap<u32, u32> = HashMap::new();
        if places.is_empty() && !self.tables.is_empty() {
            // The attributes of the top-level operation are part of the file.
            return None;
        }
        for place in places {
            if !place.is_closed {
                return None;
            }
            let mut depth = u32::from(!self.top_is_made);
            let mut chain = Vec::new();
            for (number, table) in self.around(place) {
                if let Some(&known) = depths.get(&number) {
                    depth = known;
                    break;
                }
                if !table.is_simple {
                    return None;
                }
                chain.push((number, table));
            }
            for &(number, table) in chain.iter().rev() {
                if table.place.is_some() {
                    depth = depth.saturating_add(1);
                }
                depths.insert(number, depth);
                if let Some(outer) = depth.checked_sub(1) {
                    steps.push(PathStep {
                        start: table.start,
                        depth: outer,
                        is_around: true,
                    });
                }
                steps.extend(table.terminators.iter().map(|&start| PathStep {
                    start,
                    depth,
                    is_around: false,
                }));
            }
            steps.push(PathStep {
                start: place.start,
                depth,
                is_around: false,
            });
        }
        // Of the steps at one offset, the one that is read whole comes first, and contains the
        // others.
        steps.sort_unstable_by_key(|step| (step.start, step.is_around));
        let mut inside = None;
        steps.dedup_by_key(|step| step.start);
        steps.retain(|step| {
            if inside.is_some_and(|depth| step.depth > depth) {
                return false;
            }
            inside = (!step.is_around).then_some(step.depth);
            true
        });
        Some(steps)
    }

    /// Returns the tables around an operation, innermost first.
    fn around(&self, place: &Place) -> impl Iterator<Item = (u32, &Table)> {
        let get = |place: &Place| Some((place.table, self.tables.get(place.table as usize)?));
        std::iter::successors(get(place), move |(_, table)| get(table.place.as_ref()?))
    }

    /// Returns the operations of the whole module that are at the given places.
    ///
    /// Linear in the places, and in the operations directly in the enclosing symbol tables.
    fn operations(&self, module: &Module, places: &[&Place]) -> Vec<Operation> {
        let mut inside: HashMap<u32, HashMap<[u32; 3], Operation>> = HashMap::new();
        let mut found = Vec::new();
        for place in places {
            // The enclosing tables that were not visited yet, innermost first.
            let mut chain = Vec::new();
            for (number, table) in self.around(place) {
                if inside.contains_key(&number) {
                    break;
                }
                chain.push((number, table));
            }
            for (number, table) in chain.into_iter().rev() {
                let operation = match &table.place {
                    None => Some(module.top()),
                    Some(at) => at.find_in(&inside),
                };
                inside.insert(number, numbered(module, operation));
            }
            found.extend(place.find_in(&inside));
        }
        found
    }
}

impl Place {
    /// Returns the operation at this place.
    ///
    /// `tables` has the operations of each table by region, block and number.
    fn find_in(&self, tables: &HashMap<u32, HashMap<[u32; 3], Operation>>) -> Option<Operation> {
        let key = [self.region, self.block, self.number];
        tables.get(&self.table)?.get(&key).copied()
    }
}

/// Returns the operations directly in an operation, by the numbers of region, block and operation.
fn numbered(module: &Module, around: Option<Operation>) -> HashMap<[u32; 3], Operation> {
    let mut found = HashMap::new();
    let regions = around.into_iter().flat_map(|around| module.regions(around));
    for (region, at) in regions.zip(0u32..) {
        for (block, in_region) in module.blocks(region).zip(0u32..) {
            let operations = module.operations(block).zip(0u32..);
            found.extend(operations.map(|(op, number)| ([at, in_region, number], op)));
        }
    }
    found
}

impl LazyFile for File {
    /// Decodes only names. O(bytes) of tables, and of operations outside of loadable symbols.
    fn symbols(&self) -> Result<Vec<Symbol>> {
        self.index().map(|index| index.symbols.clone())
    }

    fn unnamed(&self) -> Result<Vec<Symbol>> {
        self.index().map(|index| index.unnamed.clone())
    }

    fn symbol(&self, path: &SymbolPath) -> Result<Option<Symbol>> {
        let mut symbols = self.index()?.symbols.iter();
        Ok(symbols.find(|symbol| symbol.path == *path).cloned())
    }

    /// Reads a symbol alone if possible.
    ///
    /// A symbol that uses values of others, or is in an operation of more than one block, cannot be
    /// read alone: it is extracted from the whole module.
    fn read_symbols(
        &self,
        context: &mut Context,
        symbols: &mut dyn Iterator<Item = Symbol>,
        each: &mut Receiver<'_>,
    ) -> Result<()> {
        let index = self.index()?;
        in_session!(self, context, |session| {
            let mut whole = None;
            for symbol in symbols {
                let place = index.place(&symbol)?;
                let read = self
                    .part_or_cut(&mut session, index, &[place], &mut whole)
                    .and_then(|part| only(part, &symbol))
                    .with_context(|| format!("reading {symbol}"));
                if each(session.tables.context, &symbol, read).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn read_together(&self, context: &mut Context, symbols: &[Symbol]) -> Result<Module> {
        let index = self.index()?;
        let places = index.places(symbols)?;
        in_session!(self, context, |session| {
            let part = self.part_or_cut(&mut session, index, &places, &mut None);
            part.map(|(module, _)| module)
        })
    }

    /// Skips bodies of loadable symbols in O(1). A file that is read by position reads all its
    /// blobs when an attribute is requested.
    fn visit_repeatedly(&self, context: &mut Context, visits: &mut Visits<'_>) -> Result<()> {
        in_session!(self, context, |session| visits(&mut |visitor, from| {
            let from = match from.map(|pause| pause.0) {
                None | Some(Paused::Start) => None,
                Some(Paused::Mlirbc(paused)) => Some(*paused),
                Some(Paused::Rmbc(_)) => return Err(of_another_visit()),
            };
            let paused = events::visit(&mut session, &|| self.left(), from, visitor)?;
            Ok(paused.map(Pause))
        }))
    }

    fn read_module(&self, context: &mut Context) -> Result<Module> {
        read_module(context, &self.storage.read_all()?, &self.options)
    }

    fn visit_with_tables(
        &self,
        context: &mut Context,
        visitor: &mut dyn Visitor,
    ) -> Result<TableItems> {
        in_session!(self, context, |session| {
            session.entries.decode_all(&mut session.tables)?;
            events::visit(&mut session, &|| self.left(), None, visitor)?;
            session.read_all_blobs()?;
            Ok(session.table_items())
        })
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("storage", &self.storage)
            .finish_non_exhaustive()
    }
}
