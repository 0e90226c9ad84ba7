//! Lazily read rmbc files.

use super::events::{self, EventBytes};
use super::external::Resolver;
use super::lazy_entries::LazyEntries;
use super::locations::LocationStream;
use super::operations::{Piece, Step, read_part};
use super::provenance::ProvenanceSection;
use super::scan::{Node, Scan, Spot};
use super::segments::{Item, Segments};
use super::table_views::{Class, TableViews};
use super::tables::{Blobs, Tables};
use super::templates::Templates;
use super::{ReadOptions, Table, provenance, read_module, uses};
use crate::events::Visitor;
use crate::lazy::{
    Contents, LazyFile, Receiver, Survey, Symbol, SymbolPath, TableItems, Visits, no_such_place,
    only,
};
use crate::lookup::get;
use crate::pause::{Pause, Paused, of_another_visit};
use rmlir_format::rmbc::section;
use rmlir_format::section::{ReadAt, Store};
use rmlir_format::{Reader, Result, ResultExt, Source};
use rmlir_ir::{
    Context, Fingerprint, Module, Operation, OperationName, Provenance, ResourceValue, extract,
    nested_symbols, unnamed_operations, used_resources,
};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// An rmbc file that is read lazily; see [`LazyFile`].
///
/// Opening checks the header and directory, and the bundle of small sections if there is one. A
/// page of a section is checked when it is first touched. Damage that affects no touched page is
/// not reported.
///
/// The listed size of a symbol is that of its operation in the stream of operations. Loadable
/// symbols are those that end a chunk.
///
/// `Send + Sync`. The file keeps its bytes alive, as do the returned modules that have blobs.
pub struct File {
    views: OnceLock<Result<Arc<TableViews>>>,
    /// `None` until the tables are first located.
    store: Mutex<Option<Store>>,
    len: u64,
    options: ReadOptions,
    /// Holds the dialect definitions, and no entries.
    definitions: Context,
    scan: Mutex<Option<Scan>>,
    symbols: OnceLock<Listed>,
}

/// The symbols of a file, listed at the first request.
struct Listed {
    symbols: Vec<Symbol>,
    /// The top-level operations that are not symbols.
    unnamed: Vec<Symbol>,
    /// The position of the first symbol of each path.
    by_path: OnceLock<HashMap<SymbolPath, usize>>,
}

impl Listed {
    /// Returns the first symbol with a path.
    fn find(&self, path: &SymbolPath) -> Option<&Symbol> {
        let by_path = self.by_path.get_or_init(|| {
            let mut by_path = HashMap::with_capacity(self.symbols.len());
            for (place, symbol) in self.symbols.iter().enumerate() {
                by_path.entry(symbol.path.clone()).or_insert(place);
            }
            by_path
        });
        self.symbols.get(*by_path.get(path)?)
    }
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<File>();
};

impl File {
    /// Opens a file that is in memory or mapped, with the dialects that `context` knows. O(1).
    ///
    /// # Errors
    /// Those of [`Store::new`], with offset and section.
    pub fn new(context: &Context, source: Source, options: &ReadOptions) -> Result<Self> {
        let store = Store::new(source, &options.limits, section::name)?;
        Ok(Self::of_store(context, store, options))
    }

    /// Opens the file at a path, to be read by position, as far as is needed. O(1).
    ///
    /// The file may change or become shorter; that is then an error. [`Source::map`] and
    /// [`File::new`] avoid copies.
    ///
    /// # Errors
    /// Those of [`Store::open`], with offset and section.
    pub fn open(context: &Context, path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let mut options = options.clone();
        if options.external.is_none() {
            options.external = Some(Resolver::beside(&path));
        }
        let store = Store::open(path, &options.limits, section::name)?;
        Ok(Self::of_store(context, store, &options))
    }

    /// Opens a file that is read by position from any source.
    ///
    /// # Errors
    /// Those of [`Store::positioned`], with offset and section.
    pub fn positioned(
        context: &Context,
        bytes: Arc<dyn ReadAt>,
        options: &ReadOptions,
    ) -> Result<Self> {
        let store = Store::positioned(bytes, &options.limits, section::name)?;
        Ok(Self::of_store(context, store, options))
    }

    /// Opens the file at a path, mapped into memory. O(1).
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
        let mut options = options.clone();
        if options.external.is_none() {
            options.external = Some(Resolver::beside(&path));
        }
        // SAFETY: the caller guarantees what `Source::map` requires.
        let source = unsafe { Source::map(path) }?;
        File::new(context, source, &options)
    }

    fn of_store(context: &Context, mut store: Store, options: &ReadOptions) -> Self {
        if options.trusted {
            store.trust();
        }
        if !options.locations {
            store.hide(section::LOCATIONS);
        }
        let mut definitions = Context::new();
        if let Some(known) = context.dialect_source() {
            definitions.set_dialect_source(known.clone());
        }
        for dialect in context.registered_dialects() {
            definitions.register_dialect(dialect.clone());
        }
        definitions.set_release(context.release());
        File {
            views: OnceLock::new(),
            len: store.file_len(),
            store: Mutex::new(Some(store)),
            options: options.clone(),
            definitions,
            scan: Mutex::default(),
            symbols: OnceLock::new(),
        }
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.len
    }

    /// Returns the number of bytes of the file that were touched so far.
    ///
    /// These are the bytes of checked pages, and those that were read by position.
    pub fn bytes_touched(&self) -> u64 {
        match self.views.get() {
            Some(Ok(views)) => views.store.bytes_touched(),
            _ => {
                let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
                store.as_ref().map_or(0, Store::bytes_touched)
            }
        }
    }

    /// Checks all pages of the file, and that the bytes between blobs are zero. O(bytes).
    ///
    /// # Errors
    /// Which section is damaged, and at which offset.
    pub fn verify(&self) -> Result<()> {
        let views = self.views()?;
        views.store.verify()?;
        super::blobs_of(views, None)?.check_padding()
    }

    /// Returns the fingerprint that the file stores for a symbol, without locations; `None` if
    /// absent.
    ///
    /// The value is a claim of the writer: nothing is computed or checked, and a file may store
    /// anything. Compare contents by it only if the writers of all files are trusted; otherwise
    /// compute it with a [`Fingerprinter`](rmlir_ir::Fingerprinter), or check the file with
    /// [`verify_index`](Self::verify_index).
    ///
    /// # Errors
    /// If the section is damaged, with offset and section.
    pub fn fingerprint(&self, symbol: &Symbol) -> Result<Option<Fingerprint>> {
        self.fingerprint_at(symbol.place)
    }

    /// Returns the fingerprint that the file stores for the whole module.
    ///
    /// It is a claim of the writer; see [`fingerprint`](Self::fingerprint).
    ///
    /// # Errors
    /// Those of [`fingerprint`](Self::fingerprint).
    pub fn module_fingerprint(&self) -> Result<Option<Fingerprint>> {
        self.fingerprint_at(self.views()?.totals.start)
    }

    fn fingerprint_at(&self, place: u64) -> Result<Option<Fingerprint>> {
        let views = self.views()?;
        let Some(hashes) = &views.hashes else {
            return Ok(None);
        };
        let mut found = None;
        let end = place.saturating_add(1);
        views.numbered(hashes, place..end, &mut |input, number| {
            let bytes = input.array()?;
            found = found.or(number.map(|_| Fingerprint::from_bytes(bytes)));
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the symbols that a symbol refers to: root and nested names of each, as far as they
    /// are not in nested symbols.
    ///
    /// `None` if there is no index, or it does not list the references of the symbol. The
    /// references are those of symbol reference attributes, in attributes and types at any depth.
    /// They are a claim of the writer, which [`verify_index`](Self::verify_index) checks. O(log n)
    /// and the references.
    ///
    /// # Errors
    /// If the tables are damaged, with offset and section.
    pub fn references(&self, symbol: &Symbol) -> Result<Option<Vec<SymbolPath>>> {
        let views = self.views()?;
        let Some(index) = &views.index else {
            return Ok(None);
        };
        let Some(chunk) = index.chunk_at(&views.store, symbol.place)? else {
            return Ok(None);
        };
        let Some(numbers) = index.references(&views.store, chunk, symbol.place)? else {
            return Ok(None);
        };
        let mut paths = Vec::with_capacity(numbers.len());
        // Many references may have one long name.
        let mut names: HashMap<u64, Arc<[u8]>> = HashMap::new();
        for number in numbers {
            let mut path = SymbolPath::default();
            for string in views.symbol_reference(number)? {
                let name = match names.entry(string) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(views.string(string)?.into()),
                };
                path = path.child(Arc::clone(name));
            }
            paths.push(path);
        }
        Ok(Some(paths))
    }

    /// Returns the name and content length of each section, in file order.
    ///
    /// # Errors
    /// If the tables are damaged, with offset and section.
    pub fn sections(&self) -> Result<Vec<(&'static str, u64)>> {
        let sections = self.views()?.store.sections();
        Ok(sections
            .map(|section| (section.name(), section.len()))
            .collect())
    }

    /// Passes each string that the file spells out to `each`, whether or not anything refers to it.
    ///
    /// O(bytes of strings).
    ///
    /// # Errors
    /// If the table is damaged, with offset and section.
    pub fn texts(&self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        let views = self.views()?;
        (0..views.string_count()).try_for_each(|number| {
            each(&views.string(number)?);
            Ok(())
        })
    }

    /// Returns the producer that the file names. O(its section).
    ///
    /// # Errors
    /// If the tables are damaged, with offset and section.
    pub fn producer(&self) -> Result<Option<Vec<u8>>> {
        let views = self.views()?;
        let Some(section) = views.store.section(section::PROVENANCE) else {
            return Ok(None);
        };
        let bytes = section.all()?;
        let mut input = Reader::with_base(&bytes, section.offset(), section.name());
        let number = provenance::producer(&mut input)?;
        number.map(|number| views.string(number)).transpose()
    }

    /// Returns the offset at which a section begins.
    pub(super) fn section_offset(&self, kind: u16) -> Option<u64> {
        let views = self.views().ok()?;
        Some(views.store.section(kind)?.offset())
    }

    pub(super) fn views(&self) -> Result<&Arc<TableViews>> {
        let views = self.views.get_or_init(|| {
            let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            match store.take() {
                Some(store) => TableViews::open(store).map(Arc::new),
                None => Err(super::no_operations(self.len)),
            }
        });
        views.as_ref().map_err(Clone::clone)
    }

    fn scan(&self) -> Result<MutexGuard<'_, Option<Scan>>> {
        let views = self.views()?;
        let mut scan = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
        scan.get_or_insert_with(|| {
            let limits = self.options.limits.clone();
            Scan::new(views.clone(), self.definitions.clone(), limits)
        });
        Ok(scan)
    }

    fn with_scan<T>(&self, run: impl FnOnce(&mut Scan) -> Result<T>) -> Result<T> {
        let mut guard = self.scan()?;
        match guard.as_mut() {
            Some(scan) => run(scan),
            None => Err(super::no_operations(self.len)),
        }
    }

    fn listed(&self) -> Result<&[Symbol]> {
        self.all().map(|listed| listed.symbols.as_slice())
    }

    /// Returns the number of symbols, and the number of top-level operations that are not symbols.
    fn counts(&self) -> Result<(usize, usize)> {
        let listed = self.all()?;
        Ok((listed.symbols.len(), listed.unnamed.len()))
    }

    fn all(&self) -> Result<&Listed> {
        if let Some(listed) = self.symbols.get() {
            return Ok(listed);
        }
        let (symbols, unnamed) = self.with_scan(|scan| {
            scan.all()?;
            Ok((scan.symbols(), scan.unnamed()))
        })?;
        Ok(self.symbols.get_or_init(|| Listed {
            symbols,
            unnamed,
            by_path: OnceLock::new(),
        }))
    }

    /// Returns statistics of the file, without materializing a module.
    ///
    /// Skips through all operations, and reads provenance and resources.
    ///
    /// # Errors
    /// If tables or operations are damaged, with offset and section.
    pub fn survey(&self, context: &mut Context) -> Result<Survey> {
        let views = self.views()?.clone();
        let operations = self.with_scan(Scan::count)?;
        let names: Vec<_> = operations
            .iter()
            .map(|(name, _)| context.operation_name(name))
            .collect();
        let contents = self.contents_with_names(context, &names)?;
        let totals = views.totals;
        Ok(Survey {
            operations,
            regions: totals.regions,
            blocks: totals.blocks,
            values: totals.values,
            attributes: views.attribute_count,
            types: views.type_count,
            contents,
        })
    }

    /// Returns the statistics of the file that do not count operations.
    ///
    /// Lists symbols as [`symbols`](LazyFile::symbols) does, and reads provenance and resources.
    /// The registered operations of the provenance are those that the module does not use.
    ///
    /// # Errors
    /// If tables, or operations that are looked at, are damaged, with offset and section.
    pub fn contents(&self, context: &mut Context) -> Result<Contents> {
        self.contents_with_names(context, &[])
    }

    /// Returns the contents; the provenance has these operation names first.
    fn contents_with_names(
        &self,
        context: &mut Context,
        names: &[OperationName],
    ) -> Result<Contents> {
        let (symbols, unnamed) = self.counts()?;
        let views = self.views()?.clone();
        let mut session = Session::open(context, views, &self.options)?;
        let tables = &mut session.tables;
        let provenance = session
            .said
            .provenance(names.iter().copied(), |at, number| {
                let place = Reader::with_base(&[], at, "provenance");
                tables.resource(&place, at, number).map(Some)
            })?;
        // Counts declared and undeclared resources: those that are only used are in no provenance.
        let resources = tables.resource_count()?;
        let mut blob_bytes = 0u64;
        for number in 0..resources {
            let place = Reader::with_base(&[], 0, "resources");
            let resource = tables.resource(&place, 0, number)?;
            if let Some(ResourceValue::Blob(blob)) = &tables.context.resource(resource).value {
                blob_bytes = blob_bytes.saturating_add(blob.data().len() as u64);
            }
        }
        Ok(Contents {
            symbols,
            unnamed,
            undecided: 0,
            resources,
            blob_bytes,
            provenance,
        })
    }

    /// Returns the operations to read for some symbols, in file order: the symbols, the
    /// operations that enclose them, and the terminators of these.
    ///
    /// `None` if reading takes more than the symbols themselves and the heads and terminators of
    /// the operations around them.
    fn plan(&self, nodes: &[Node]) -> Result<Option<Vec<Planned>>> {
        if nodes.is_empty() {
            return Ok(None);
        }
        self.with_scan(|scan| {
            let mut steps: BTreeMap<u64, Planned> = BTreeMap::new();
            // For each table whose steps were added: the number of tables around it.
            let mut depths: HashMap<u32, usize> = HashMap::new();
            for node in nodes {
                if !node.spot.is_closed || !node.is_contained {
                    return Ok(None);
                }
                let mut chain = Vec::new();
                let mut next = Some(node.table);
                let mut depth = 0;
                while let Some(number) = next {
                    if let Some(&known) = depths.get(&number) {
                        depth = known.saturating_add(1);
                        break;
                    }
                    chain.push(number);
                    let Some(outer) = scan.around(number)? else {
                        return Ok(None);
                    };
                    next = outer;
                }
                for &number in chain.iter().rev() {
                    let Some(table) = scan.tables.get(number as usize) else {
                        return Ok(None);
                    };
                    let spot = table.spot;
                    steps.entry(spot.point.offset).or_insert(Planned {
                        spot,
                        depth,
                        is_around: true,
                    });
                    depths.insert(number, depth);
                    depth = depth.saturating_add(1);
                    if let Some((spot, is_alone)) = scan.terminator(number) {
                        if !is_alone {
                            return Ok(None);
                        }
                        steps.entry(spot.point.offset).or_insert(Planned {
                            spot,
                            depth,
                            is_around: false,
                        });
                    }
                }
                let whole = Planned {
                    spot: node.spot,
                    depth,
                    is_around: false,
                };
                // An operation that is read whole stays so even if something inside it is requested
                // as well.
                steps.insert(node.spot.point.offset, whole);
            }
            let mut inside = None;
            let mut steps: Vec<Planned> = steps.into_values().collect();
            steps.retain(|step| {
                if inside.is_some_and(|depth| step.depth > depth) {
                    return false;
                }
                inside = (!step.is_around).then_some(step.depth);
                true
            });
            Ok(Some(steps))
        })
    }

    /// Returns the scan nodes of symbols.
    fn nodes(&self, symbols: &[Symbol]) -> Result<Vec<Node>> {
        let node = |symbol: &Symbol| {
            let node = self.with_scan(|scan| {
                let node = scan.located(symbol.place)?;
                Ok(node.filter(|node| symbol.path.name() == node.name.as_ref()))
            })?;
            node.ok_or_else(|| no_such_place(symbol))
        };
        symbols.iter().map(node).collect()
    }

    /// Reads some symbols alone, or extracts them from the whole module, which is read once.
    fn part_or_cut(
        &self,
        session: &mut Session<'_>,
        symbols: &[Symbol],
        whole: &mut Option<Result<(Module, BTreeMap<u64, Operation>)>>,
    ) -> Result<(Module, Vec<Operation>)> {
        let nodes = self.nodes(symbols)?;
        if let Some(plan) = self.plan(&nodes)? {
            let (module, operations) = session.read(&plan)?;
            let by_offset = |offset: u64| {
                plan.binary_search_by_key(&offset, |step| step.spot.point.offset)
                    .ok()
            };
            let read = nodes.iter().filter_map(|node| {
                let step = by_offset(node.spot.point.offset)?;
                operations.get(step).copied()
            });
            let read = read.collect();
            return Ok((module, read));
        }
        let whole = whole.get_or_insert_with(|| {
            let context = &mut *session.tables.context;
            let module = self.read_module(context)?;
            // The module's symbols are the same, in the same order.
            let found = nested_symbols(context, &module);
            let places = self.listed()?.iter().map(|symbol| symbol.place);
            let operations = found.iter().map(|symbol| symbol.operation);
            let mut by_place: BTreeMap<u64, Operation> = places.zip(operations).collect();
            let places = self.all()?.unnamed.iter().map(|symbol| symbol.place);
            by_place.extend(places.zip(unnamed_operations(context, &module)));
            Ok((module, by_place))
        });
        let (module, by_place) = whole.as_ref().map_err(Clone::clone)?;
        let mut module = module.clone();
        let operations: Vec<Operation> = symbols
            .iter()
            .filter_map(|symbol| by_place.get(&symbol.place).copied())
            .collect();
        extract(session.tables.context, &mut module, &operations, false);
        Ok((module, operations))
    }
}

/// An operation that is read alone, or of which only the head is read.
#[derive(Clone, Copy)]
struct Planned {
    spot: Spot,
    depth: usize,
    is_around: bool,
}

/// A session that reads parts of a file, and decodes what several parts use only once.
struct Session<'c> {
    tables: Tables<'c>,
    templates: Templates,
    views: Arc<TableViews>,
    said: ProvenanceSection,
}

/// Opens tables whose entries are read when they are first used.
fn lazy_tables<'c>(
    context: &'c mut Context,
    views: &Arc<TableViews>,
    options: &ReadOptions,
) -> Tables<'c> {
    let mut tables = new_tables(context, views, Blobs::default(), options);
    tables.attribute_count = views.attribute_count;
    tables.part = Some(Box::new(LazyEntries::new(
        views.clone(),
        options.external.clone(),
    )));
    tables
}

/// Returns empty tables of a file.
fn new_tables<'c>(
    context: &'c mut Context,
    views: &TableViews,
    blobs: Blobs,
    options: &ReadOptions,
) -> Tables<'c> {
    let limits = &options.limits;
    let content = views.store.sections().map(|section| section.len());
    let budget = limits.shared_entities_of_content(content.fold(0, u64::saturating_add));
    Tables::new(
        context,
        blobs,
        limits,
        (budget, views.store.has_dictionary()),
    )
}

impl<'c> Session<'c> {
    fn open(
        context: &'c mut Context,
        views: Arc<TableViews>,
        options: &ReadOptions,
    ) -> Result<Self> {
        let mut tables = lazy_tables(context, &views, options);
        let mut said = ProvenanceSection::default();
        if let Some(section) = views.store.section(section::PROVENANCE) {
            let bytes = section.all()?;
            let input = Reader::with_base(&bytes, section.offset(), section.name());
            said = provenance::read(&mut tables, input)?;
        }
        Ok(Session {
            tables,
            templates: Templates::default(),
            views,
            said,
        })
    }

    /// Reads the module, and returns it with the operations of the plan in it.
    fn read(&mut self, plan: &[Planned]) -> Result<(Module, Vec<Operation>)> {
        let views = self.views.clone();
        let operations = views.store.section(section::OPERATIONS);
        let locations = views.store.section(section::LOCATIONS);
        let Some(operations) = operations else {
            return Err(super::no_operations(views.store.file_len()));
        };
        let mut bytes: Vec<(Source, Option<Source>)> = Vec::with_capacity(plan.len());
        for step in plan {
            let spot = &step.spot;
            let location = match &locations {
                Some(section) => Some(section.range(spot.point.location..spot.location_end)?),
                None => None,
            };
            bytes.push((operations.range(spot.point.offset..spot.end)?, location));
        }
        let steps = plan.iter().zip(&bytes).map(|(step, (bytes, location))| {
            let point = &step.spot.point;
            let base = operations.offset().saturating_add(point.offset);
            let stream = locations.as_ref().zip(location.as_ref());
            let stream = stream.map(|(section, bytes)| {
                let base = section.offset().saturating_add(point.location);
                Reader::with_base(bytes, base, section.name())
            });
            Step {
                depth: step.depth,
                is_around: step.is_around,
                input: Reader::with_base(bytes, base, operations.name()),
                locations: LocationStream::from_state(stream, point.state),
                segments: Segments::new(point.segment, point.values, point.blocks),
            }
        });
        let (mut module, pieces) =
            read_part(&mut self.tables, &mut self.templates, steps, &views.totals)?;
        let operations = pieces.iter().map(|piece| piece.operation).collect();
        self.finish(&mut module, &pieces)?;
        Ok((module, operations))
    }

    /// Adds the data that is not in the stream of operations.
    fn finish(&mut self, module: &mut Module, pieces: &[Piece]) -> Result<()> {
        let views = self.views.clone();
        let tables = &mut self.tables;
        let context = &*tables.context;
        let mut known = BTreeSet::new();
        let mut names = Vec::new();
        for operation in module.descendants(module.top()) {
            let name = module.name(operation);
            if known.insert(name) {
                names.push(name);
            }
        }
        let used = used_resources(context, module);
        let part = tables.part.as_ref();
        let mut provenance = self.said.provenance(names.into_iter(), |_, number| {
            let resource = part.and_then(|part| part.known_resource(number));
            Ok(resource.filter(|resource| used.contains(resource)))
        })?;
        if let Some([types, attributes]) = &views.stems {
            self.stems(types, Class::Type, &mut provenance)?;
            self.stems(attributes, Class::Attribute, &mut provenance)?;
        }
        let tables = &mut self.tables;
        for piece in pieces {
            for segment in piece.segments.numbers() {
                Self::finish_segment(tables, &views, module, piece, segment, &mut provenance)?;
            }
        }
        module.provenance = provenance;
        Ok(())
    }

    /// Adds names and use-list orders of the values and blocks of a segment.
    fn finish_segment(
        tables: &mut Tables<'_>,
        views: &TableViews,
        module: &mut Module,
        piece: &Piece,
        segment: u64,
        provenance: &mut Provenance,
    ) -> Result<()> {
        let segments = &piece.segments;
        let position = |item, number, count| {
            let position = segments.position(item, (segment, number?), count)?;
            Some(position)
        };
        let (values, blocks) = (piece.values.as_slice(), piece.blocks.as_slice());
        let value = |number: Option<u64>| {
            let position = position(Item::Value, number, values.len());
            position.and_then(|position| get(values, position))
        };
        let block = |number: Option<u64>| {
            let position = position(Item::Block, number, blocks.len());
            position.and_then(|position| get(blocks, position))
        };
        let value_range = segments.range(Item::Value, segment, values.len());
        let block_range = segments.range(Item::Block, segment, blocks.len());
        let (Some(value_range), Some(block_range)) = (value_range, block_range) else {
            return Ok(());
        };
        if let Some([value_names, block_names]) = &views.names {
            views.numbered_in(value_names, segment, &value_range, &mut |input, number| {
                let name = input.varint()?;
                if let Some(value) = value(number) {
                    let name = tables.string_at(input, input.offset(), name)?;
                    provenance.value_names.insert(value, name);
                }
                Ok(())
            })?;
            views.numbered_in(block_names, segment, &block_range, &mut |input, number| {
                let name = input.varint()?;
                if let Some(block) = block(number) {
                    let name = tables.string_at(input, input.offset(), name)?;
                    provenance.block_names.insert(block, name);
                }
                Ok(())
            })?;
        }
        if let Some(orders) = &views.uses {
            views.numbered_in(orders, segment, &value_range, &mut |input, number| {
                let at = input.offset();
                match value(number) {
                    Some(value) => uses::apply(input, at, module, value),
                    None => uses::skip(input),
                }
            })?;
        }
        Ok(())
    }

    /// Adds the alias base names of the entries used by this module or by one read before.
    fn stems(
        &mut self,
        view: &super::table_views::TableView,
        class: Class,
        provenance: &mut Provenance,
    ) -> Result<()> {
        let views = self.views.clone();
        let numbers: BTreeSet<u64> = match class {
            Class::Type => self
                .tables
                .types
                .known()
                .map(|(number, _)| number)
                .collect(),
            _ => self
                .tables
                .attributes
                .known()
                .map(|(number, _)| number)
                .collect(),
        };
        for number in numbers {
            let tables = &mut self.tables;
            let end = number.saturating_add(1);
            views.numbered(view, number..end, &mut |input, found| {
                let stem = input.varint()?;
                if found.is_none() {
                    return Ok(());
                }
                let stem = tables.string_at(input, input.offset(), stem)?;
                if class == Class::Type {
                    let ty = tables.types.get(number);
                    provenance.type_alias_names.extend(ty.map(|ty| (ty, stem)));
                } else {
                    let attribute = tables.attributes.get(number);
                    let named = attribute.map(|attribute| (attribute, stem));
                    provenance.attribute_alias_names.extend(named);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl LazyFile for File {
    /// Walks at most 1,024 operations for each chunk, and skips everything after the head of a
    /// large body.
    fn symbols(&self) -> Result<Vec<Symbol>> {
        self.listed().map(<[Symbol]>::to_vec)
    }

    fn unnamed(&self) -> Result<Vec<Symbol>> {
        self.all().map(|listed| listed.unnamed.clone())
    }

    fn is_indexed(&self) -> bool {
        matches!(self.views(), Ok(views) if views.index.is_some())
    }

    /// Takes time logarithmic in the number of symbols, if the index has the symbol.
    fn symbol(&self, path: &SymbolPath) -> Result<Option<Symbol>> {
        if self.symbols.get().is_none()
            && let Some(found) = self.with_scan(|scan| scan.find(path))?
        {
            return Ok(Some(found));
        }
        Ok(self.all()?.find(path).cloned())
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
        let views = self.views()?.clone();
        let mut session = Session::open(context, views, &self.options)?;
        let mut whole = None;
        for symbol in symbols {
            let list = std::slice::from_ref(&symbol);
            let read = self
                .part_or_cut(&mut session, list, &mut whole)
                .and_then(|part| only(part, &symbol))
                .with_context(|| format!("reading {symbol}"));
            if each(session.tables.context, &symbol, read).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_together(&self, context: &mut Context, symbols: &[Symbol]) -> Result<Module> {
        let views = self.views()?.clone();
        let mut session = Session::open(context, views, &self.options)?;
        let part = self.part_or_cut(&mut session, symbols, &mut None);
        part.map(|(module, _)| module)
    }

    /// Decodes templates first. Skipping a body still decodes its operations, as numbers.
    fn visit_repeatedly(&self, context: &mut Context, visits: &mut Visits<'_>) -> Result<()> {
        let views = self.views()?;
        let mut tables = lazy_tables(context, views, &self.options);
        let progress = &self.options.progress;
        // Read once, also if sections are compressed.
        let mut read: Option<Rc<EventBytes>> = None;
        visits(&mut |visitor, from| {
            let from = match from.map(|pause| pause.0) {
                None | Some(Paused::Start) => None,
                Some(Paused::Rmbc(paused)) => Some(*paused),
                Some(Paused::Mlirbc(_)) => return Err(of_another_visit()),
            };
            let bytes = match (&from, &read) {
                (Some(from), _) => Rc::clone(&from.bytes),
                (None, Some(bytes)) => Rc::clone(bytes),
                (None, None) => Rc::new(EventBytes::read(views)?),
            };
            read = Some(Rc::clone(&bytes));
            let paused = events::visit(views, &mut tables, &bytes, progress, from, visitor)?;
            Ok(paused.map(|paused| Pause(Paused::Rmbc(Box::new(paused)))))
        })
    }

    /// Reads all bytes of the file first, if they are not in memory.
    fn read_module(&self, context: &mut Context) -> Result<Module> {
        read_module(context, &self.views()?.store.read_all()?, &self.options)
    }

    fn visit_with_tables(
        &self,
        context: &mut Context,
        visitor: &mut dyn Visitor,
    ) -> Result<TableItems> {
        let views = self.views()?;
        let blobs = super::blobs_of(views, self.options.external.clone())?;
        let mut tables = new_tables(context, views, blobs, &self.options);
        let entries = super::read_tables(&mut tables, |kind| Table::of_store(views, kind))?;
        let mut items = match &entries {
            Some(entries) => tables.items(entries.reader())?,
            None => TableItems::default(),
        };
        drop(entries);
        let bytes = Rc::new(EventBytes::read(views)?);
        let progress = &self.options.progress;
        events::visit(views, &mut tables, &bytes, progress, None, visitor)?;
        if let Some(table) = Table::of_store(views, section::PROVENANCE)? {
            let said = provenance::read(&mut tables, table.reader())?;
            let resource = |at, number| tables.resource(&table.reader(), at, number).map(Some);
            items.resources = said.provenance([].into_iter(), resource)?.resources;
        }
        Ok(items)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("bytes", &self.len)
            .finish_non_exhaustive()
    }
}
