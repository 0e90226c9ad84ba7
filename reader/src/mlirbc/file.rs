//! Files that are read as far as is asked for.

use super::index::{Index, Place, Scanner, Table};
use super::operations::{Step, read_part};
use super::session::Session;
use super::{Owner, ReadOptions, read_module};
use crate::lazy::{LazyFile, Receiver, Symbol, SymbolPath, no_such_place};
use rmlir_format::mlirbc::{Container, Version};
use rmlir_format::{Result, ResultExt, Source};
use rmlir_ir::{Context, Module, Operation, Provenance, extract, used_resources};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A file of which only that is read which is asked for; see [`LazyFile`].
///
/// Nothing that can't be decoded stands in the way of what does not use it: symbols of files with private encodings can be
/// listed, and those can be read that do without. What the reader of the whole checks and nobody asks for is not
/// checked.
///
/// Regions of isolated operations can be passed over from version 2 on; in files of the versions before, listing passes
/// through all operations, without decoding them.
///
/// `Send + Sync`; keeps its bytes alive, as do the modules that it hands out where they have blobs.
pub struct File {
    source: Source,
    options: ReadOptions,
    /// Definitions, and no entries.
    definitions: Context,
    index: OnceLock<Result<Index>>,
    /// Which releases may have written the file, when that was looked for in the whole of it; none if it can't be read
    /// whole.
    left: OnceLock<Option<Vec<bool>>>,
}

/// What a file has; see [`File::survey`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Survey {
    /// Operations by name, in the order of the file's table of names. The module that stands around top-level operations
    /// is not in the file if it has several, or one that is no `builtin.module`.
    pub operations: Vec<(Arc<[u8]>, u64)>,
    /// Regions.
    pub regions: u64,
    /// Blocks, but for that of the top-level operations.
    pub blocks: u64,
    /// Results and arguments.
    pub values: u64,
    /// Attributes and locations in the file's table.
    pub attributes: u64,
    /// Types in the file's table.
    pub types: u64,
    /// Symbols that are listed.
    pub symbols: usize,
    /// See [`File::unnamed`].
    pub unnamed: u64,
    /// The provenance of the whole.
    pub provenance: Provenance,
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<File>();
};

impl File {
    /// A file whose dialects are those that `context` knows. Finds its sections; takes time in their number.
    ///
    /// # Errors
    /// Those of [`Container::parse`], with offset and section.
    pub fn new(context: &Context, source: Source, options: ReadOptions) -> Result<Self> {
        Container::parse(&source)?;
        let mut definitions = Context::new();
        if let Some(known) = context.dialect_source() {
            definitions.set_dialect_source(known.clone());
        }
        for dialect in context.registered_dialects() {
            definitions.register_dialect(dialect.clone());
        }
        definitions.set_release(context.release());
        Ok(File {
            source,
            options,
            definitions,
            index: OnceLock::new(),
            left: OnceLock::new(),
        })
    }

    /// [`new`](Self::new) for the file at a path, which is read into memory. [`Source::map`] is the way to read no more of
    /// it than what is asked for.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`ErrorKind::Io`](rmlir_format::ErrorKind::Io).
    pub fn open(context: &Context, path: impl AsRef<Path>, options: ReadOptions) -> Result<Self> {
        File::new(context, Source::read(path)?, options)
    }

    /// The bytes of the file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The version of the container. O(sections).
    pub fn version(&self) -> Version {
        // It was parsed before.
        Container::parse(&self.source).map_or(Version::NEWEST, |container| container.version)
    }

    /// How many operations at the level of symbols have properties whose layout is not known, so that it can't be said
    /// whether they are symbols. They are not listed.
    ///
    /// # Errors
    /// Those of [`symbols`](LazyFile::symbols).
    pub fn unnamed(&self) -> Result<u64> {
        self.index().map(|index| index.unnamed)
    }

    /// What can be said of the file without making a module. Passes through all operations, and decodes no more than the
    /// properties that tell which release wrote the file; those that can't be decoded tell nothing.
    ///
    /// # Errors
    /// If tables or operations are damaged, with offset and section.
    pub fn survey(&self, context: &mut Context) -> Result<Survey> {
        let container = Container::parse(&self.source)?;
        let mut session = Session::open(context, &container, &self.owner(), &self.options)?;
        let (index, blobs) = Scanner::new(&mut session, true, &|| self.left()).survey()?;
        let Session {
            tables,
            entries,
            properties,
            ir,
            ..
        } = &mut session;
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
        Ok(Survey {
            operations: index.operations,
            regions: index.regions,
            blocks: index.blocks,
            values: index.values,
            attributes,
            types,
            symbols: index.symbols.len(),
            unnamed: index.unnamed,
            provenance: session.provenance(),
        })
    }

    fn index(&self) -> Result<&Index> {
        let index = self.index.get_or_init(|| self.scan());
        index.as_ref().map_err(Clone::clone)
    }

    fn scan(&self) -> Result<Index> {
        let mut scratch = self.definitions.clone();
        let container = Container::parse(&self.source)?;
        let mut session = Session::open(&mut scratch, &container, &self.owner(), &self.options)?;
        Scanner::new(&mut session, false, &|| self.left()).scan()
    }

    fn owner(&self) -> Owner {
        Arc::new(self.source.clone())
    }

    /// Which releases may have written the file, by what all of it says.
    fn left(&self) -> Option<Vec<bool>> {
        let find = || {
            let mut scratch = self.definitions.clone();
            let container = Container::parse(&self.source).ok()?;
            let owner = self.owner();
            let mut session =
                Session::open(&mut scratch, &container, &owner, &self.options).ok()?;
            session.read_all().ok()?;
            Some(session.properties.left().collect())
        };
        self.left.get_or_init(find).clone()
    }

    /// Some operations through an open session. None if more of the file must be read for them.
    fn part(
        &self,
        session: &mut Session<'_, '_>,
        index: &Index,
        places: &[&Place],
    ) -> Result<Option<Module>> {
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
        let read = read_part(tables, entries, properties, ir, &steps, index.top_is_made);
        let read = read.and_then(|module| {
            let Some(module) = module else {
                return Ok(None);
            };
            if session.properties.is_undecided()
                && let Some(left) = self.left()
            {
                session.properties.restrict(&left);
            }
            let mut module = session.finish(module)?;
            if !module.provenance.resources.is_empty() {
                let used = used_resources(session.tables.context, &module);
                module.provenance.resources.retain(|r| used.contains(r));
            }
            Ok(Some(module))
        });
        if read.is_err() {
            session.properties.forget_part();
        }
        read
    }

    /// [`part`](Self::part), or what is left of the whole, which is read once.
    fn part_or_cut(
        &self,
        session: &mut Session<'_, '_>,
        index: &Index,
        places: &[&Place],
        whole: &mut Option<Result<Module>>,
    ) -> Result<Module> {
        if let Some(module) = self.part(session, index, places)? {
            return Ok(module);
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
        let operations = places
            .iter()
            .filter_map(|place| index.operation(&module, place));
        let operations: Vec<Operation> = operations.collect();
        extract(session.tables.context, &mut module, &operations, false);
        Ok(module)
    }
}

impl Index {
    /// The places of symbols.
    fn places(&self, symbols: &[Symbol]) -> Result<Vec<&Place>> {
        let place = |symbol: &Symbol| {
            let place = usize::try_from(symbol.place).ok();
            let node = place.and_then(|place| self.nodes.get(place));
            match node.filter(|node| symbol.path.names().last() == Some(&node.name)) {
                Some(node) => Ok(&node.place),
                None => Err(no_such_place(symbol)),
            }
        };
        symbols.iter().map(place).collect()
    }

    /// What must be read for some operations; none if that is not all, or if it is more than they and terminators.
    fn steps(&self, places: &[&Place]) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut tables = HashSet::new();
        if places.is_empty() && !self.tables.is_empty() {
            // The top has its own attributes.
            return None;
        }
        for place in places {
            if !place.is_closed {
                return None;
            }
            let around = self.around(place).collect::<Vec<(u32, &Table)>>();
            let mut depth = u32::from(!self.top_is_made);
            for &(number, table) in around.iter().rev() {
                if !table.is_simple {
                    return None;
                }
                if table.place.is_some() {
                    depth = depth.saturating_add(1);
                }
                if !tables.insert(number) {
                    continue;
                }
                if let Some(outer) = depth.checked_sub(1) {
                    steps.push(Step {
                        start: table.start,
                        depth: outer,
                        is_around: true,
                    });
                }
                steps.extend(table.terminators.iter().map(|&start| Step {
                    start,
                    depth,
                    is_around: false,
                }));
            }
            steps.push(Step {
                start: place.start,
                depth,
                is_around: false,
            });
        }
        // What is read whole comes first of those at one offset, and has all in it.
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

    /// The tables around an operation, innermost first.
    fn around(&self, place: &Place) -> impl Iterator<Item = (u32, &Table)> {
        let get = |place: &Place| Some((place.table, self.tables.get(place.table as usize)?));
        std::iter::successors(get(place), move |(_, table)| get(table.place.as_ref()?))
    }

    /// The operation at a place in the whole module.
    fn operation(&self, module: &Module, place: &Place) -> Option<Operation> {
        let inner = self
            .around(place)
            .filter_map(|(_, table)| table.place.as_ref());
        let mut path: Vec<&Place> = std::iter::once(place).chain(inner).collect();
        path.reverse();
        path.into_iter().try_fold(module.top(), |around, place| {
            let region = module.region(around, place.region as usize)?;
            let block = module.blocks(region).nth(place.block as usize)?;
            module.operations(block).nth(place.number as usize)
        })
    }
}

impl LazyFile for File {
    /// Decodes names alone. O(bytes) of tables, and of operations outside of units.
    fn symbols(&self) -> Result<Vec<Symbol>> {
        self.index().map(|index| index.symbols.clone())
    }

    fn symbol(&self, path: &SymbolPath) -> Result<Option<Symbol>> {
        let mut symbols = self.index()?.symbols.iter();
        Ok(symbols.find(|symbol| symbol.path == *path).cloned())
    }

    /// A symbol that can't be read alone, as it uses values of others or stands in an operation of more than one block,
    /// is cut out of the whole module.
    fn read_symbols(
        &self,
        context: &mut Context,
        symbols: &[Symbol],
        each: &mut Receiver<'_>,
    ) -> Result<()> {
        let index = self.index()?;
        let places = index.places(symbols)?;
        let container = Container::parse(&self.source)?;
        let owner = self.owner();
        let mut session = Session::open(context, &container, &owner, &self.options)?;
        let mut whole = None;
        for (symbol, place) in symbols.iter().zip(places) {
            let read = self
                .part_or_cut(&mut session, index, &[place], &mut whole)
                .with_context(|| format!("reading {}", symbol.path));
            if each(session.tables.context, symbol, read).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_together(&self, context: &mut Context, symbols: &[Symbol]) -> Result<Module> {
        let index = self.index()?;
        let places = index.places(symbols)?;
        let container = Container::parse(&self.source)?;
        let owner = self.owner();
        let mut session = Session::open(context, &container, &owner, &self.options)?;
        self.part_or_cut(&mut session, index, &places, &mut None)
    }

    fn read_module(&self, context: &mut Context) -> Result<Module> {
        read_module(context, &self.source, &self.options)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}
