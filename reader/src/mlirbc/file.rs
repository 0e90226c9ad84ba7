//! Files that are read as far as is asked for.

use super::index::{Counts, Index, Place, Scanner, Table};
use super::operations::{Way, read_part};
use super::session::Session;
use super::{Owner, ReadOptions, read_module};
use crate::lazy::{LazyFile, Receiver, Symbol, SymbolPath, no_such_place};
use rmlir_format::mlirbc::{Container, Version};
use rmlir_format::{Result, Source};
use rmlir_ir::{Context, Module, Operation, extract, used_resources};
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

    /// How many operations, regions, blocks and values there are. Passes through all operations, and decodes nothing.
    ///
    /// # Errors
    /// If the operations are damaged, with offset and section.
    pub fn count(&self) -> Result<Counts> {
        self.scan(true).map(|index| index.counts)
    }

    fn index(&self) -> Result<&Index> {
        let index = self.index.get_or_init(|| self.scan(false));
        index.as_ref().map_err(Clone::clone)
    }

    fn scan(&self, is_whole: bool) -> Result<Index> {
        let mut scratch = self.definitions.clone();
        let container = Container::parse(&self.source)?;
        let mut session = Session::open(&mut scratch, &container, &self.owner(), &self.options)?;
        Scanner::new(&mut session, is_whole, &|| self.left()).scan()
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

    /// One symbol through an open session. None if more of the file must be read for it.
    fn part(&self, session: &mut Session<'_, '_>, way: &Way<'_>) -> Result<Option<Module>> {
        session.properties.begin_part();
        let Session {
            tables,
            entries,
            properties,
            ir,
            ..
        } = session;
        let read = read_part(tables, entries, properties, ir.clone(), way).and_then(|module| {
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
}

impl Index {
    /// The way to an operation; none if it can't be read with nothing else of the blocks around it.
    fn way(&self, place: &Place) -> Option<Way<'_>> {
        let mut way = Way {
            target: place.start,
            around: Vec::new(),
            kept: Vec::new(),
            top_is_made: self.top_is_made,
        };
        for table in self.around(place) {
            if !table.is_simple {
                return None;
            }
            way.kept.push(&table.terminators);
            if table.place.is_some() || !self.top_is_made {
                way.around.push(table.start);
            }
        }
        way.around.reverse();
        way.kept.reverse();
        place.is_closed.then_some(way)
    }

    /// The tables around an operation, innermost first.
    fn around(&self, place: &Place) -> impl Iterator<Item = &Table> {
        let get = |place: &Place| self.tables.get(place.table as usize);
        std::iter::successors(get(place), move |table| get(table.place.as_ref()?))
    }

    /// The operation at a place in the whole module.
    fn operation(&self, module: &Module, place: &Place) -> Option<Operation> {
        let inner = self.around(place).filter_map(|table| table.place.as_ref());
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
        let container = Container::parse(&self.source)?;
        let owner = self.owner();
        let mut session = Session::open(context, &container, &owner, &self.options)?;
        // When it had to be read.
        let mut whole: Option<Result<Module>> = None;
        for symbol in symbols {
            let place = usize::try_from(symbol.place).ok();
            let node = place.and_then(|place| index.nodes.get(place));
            let Some(node) = node.filter(|node| symbol.path.names().last() == Some(&node.name))
            else {
                return Err(no_such_place(symbol));
            };
            let mut read = match index.way(&node.place) {
                Some(way) => self.part(&mut session, &way),
                None => Ok(None),
            };
            if let Ok(None) = read {
                let whole = whole.get_or_insert_with(|| {
                    session.properties.begin_part();
                    let read = session.read_all();
                    if read.is_err() {
                        session.properties.forget_part();
                    }
                    read
                });
                read = whole.clone().map(|mut module| {
                    let operation = index.operation(&module, &node.place)?;
                    extract(session.tables.context, &mut module, &[operation], false);
                    Some(module)
                });
            }
            let read = match read {
                Ok(Some(module)) => Ok(module),
                Ok(None) => Err(no_such_place(symbol)),
                Err(error) => Err(error.context(format!("reading {}", symbol.path))),
            };
            if each(session.tables.context, symbol, read).is_break() {
                break;
            }
        }
        Ok(())
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
