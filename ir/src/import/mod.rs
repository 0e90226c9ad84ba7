//! Copies operations between modules of unrelated contexts.

mod entries;
mod resources;

use crate::error::Invalid;
use crate::module::{Copier, CopyMap};
use crate::{Attribute, Block, Context, Entry, Location, Module, Operation, Resource, Type, Value};
pub(crate) use entries::EntryImporter;
use entries::EntryMap;
pub(crate) use resources::ResourceTable;
use std::collections::HashSet;
use std::fmt;

/// Maps what was imported from a module to its copies.
///
/// One map serves for all calls of [`Module::import`] with the same two modules: a later call finds
/// the copies of an earlier one. So a distinct attribute, a resource or a value that operations of
/// several calls share stays shared. [`for_module`](Self::for_module) goes on with another module
/// of the source context.
#[derive(Clone, Default)]
pub struct ImportMap {
    pub(crate) entries: EntryMap,
    pub(crate) copies: CopyMap,
}

impl ImportMap {
    /// Creates an empty map.
    pub fn new() -> Self {
        ImportMap::default()
    }

    /// Returns the map with the copies of attributes, types, locations and resources, and without
    /// those of operations, blocks and values: for another module of the same source context.
    #[must_use]
    pub fn for_module(mut self) -> Self {
        self.copies = CopyMap::default();
        self
    }

    /// Forgets the copies of operations, as [`for_module`](Self::for_module) does, and takes over
    /// what another map knows of the target's resources. Each operation is copied once from now on.
    pub(crate) fn restart(&mut self, resources: &mut ResourceTable) {
        self.copies = CopyMap::for_single_copies();
        self.entries.table = std::mem::take(resources);
    }

    /// Gives away what the map knows of the target's resources.
    pub(crate) fn take_resources(&mut self) -> ResourceTable {
        std::mem::take(&mut self.entries.table)
    }

    /// Maps a value of the source to one of the target: copied operations that use it use that one.
    pub fn map_value(&mut self, from: Value, to: Value) {
        self.copies.values.set_position(from.index(), to.index());
    }

    /// Maps a block of the source to one of the target, as a successor of copied operations.
    pub fn map_block(&mut self, from: Block, to: Block) {
        self.copies.blocks.set_position(from.index(), to.index());
    }

    /// Returns the copy of an operation.
    pub fn operation(&self, from: Operation) -> Option<Operation> {
        let copy = self.copies.operations.position(from.index())?;
        Some(Operation::from_index(copy).of(self.copies.owner))
    }

    /// Returns the copy of a block, or the block it is mapped to.
    pub fn block(&self, from: Block) -> Option<Block> {
        let copy = self.copies.blocks.position(from.index())?;
        Some(Block::from_index(copy).of(self.copies.owner))
    }

    /// Returns the copy of a value, or the value it is mapped to.
    pub fn value(&self, from: Value) -> Option<Value> {
        let copy = self.copies.values.position(from.index())?;
        Some(Value::from_index(copy).of(self.copies.owner))
    }

    /// Returns the copy of an attribute, type or location, if there is one. A location that is a
    /// position in a file may have several copies, of which at most one is found.
    pub fn entry(&self, from: impl Into<Entry>) -> Option<Entry> {
        self.entries.get(from.into())
    }
}

impl fmt::Debug for ImportMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImportMap").finish_non_exhaustive()
    }
}

impl Module {
    /// Copies operations of a module of another context, with everything that they need, and
    /// returns the copies, which are detached.
    ///
    /// * Attributes, types, locations and affine expressions are those of `context`, equal in
    ///   content. Text in them, such as bodies of dialect attributes, is copied as it is.
    /// * A distinct attribute is a new one, the same one wherever `map` meets it.
    /// * A resource is one of the same dialect, key and value in `context`, if there is one, else a
    ///   new one, appended to the module's [declared resources](crate::Provenance::resources). If
    ///   keys clash, files get [unique ones](crate::ResourceKeys).
    /// * Names of values and blocks, and the base names of aliases, are kept; a base name that
    ///   `self` has for an attribute or type stays. An order of uses that was
    ///   [set](Self::reorder_uses), such as by a file, is kept for values whose users are all
    ///   copied by the same call. No other [provenance](crate::Provenance) is
    ///   copied: producer, dialect versions and external resources describe a file.
    /// * Definitions of dialects are not copied. Content is copied as it is held, without
    ///   normalization.
    /// * Symbols keep their names: see [`link`](crate::link()) and
    ///   [`SymbolTable::insert`](crate::SymbolTable::insert).
    ///
    /// Values and blocks outside of the copied operations must be in `map`. Linear in the number of
    /// copied operations, attributes, types and locations, and of the base names of aliases of the
    /// source. Nesting of any depth takes no stack.
    ///
    /// # Errors
    ///
    /// If an operation uses a value or branches to a block that is neither copied nor in `map`, or
    /// `context` cannot hold more affine expressions. Copies made so far stay detached in the
    /// module.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, ImportMap, Module};
    ///
    /// let (mut ours, mut theirs) = (Context::new(), Context::new());
    /// let mut module = Module::new(&mut ours);
    /// let mut other = Module::new(&mut theirs);
    /// let op = Builder::new(&mut theirs, &mut other).op("test.op").build()?;
    ///
    /// let mut map = ImportMap::new();
    /// let copies = module.import(&mut ours, (&theirs, &other), &[op], &mut map)?;
    /// assert_eq!(ours.operation_name_bytes(module.name(copies[0])), b"test.op");
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn import(
        &mut self,
        context: &mut Context,
        from: (&Context, &Module),
        operations: &[Operation],
        map: &mut ImportMap,
    ) -> Result<Vec<Operation>, Invalid> {
        let copied = self.import_with(context, from, operations, map)?;
        let mut declared: HashSet<Resource> = self.provenance.resources.iter().copied().collect();
        let added = map.entries.new_resources.drain(..);
        let added = added.filter(|&resource| declared.insert(resource));
        self.provenance.resources.extend(added);
        Ok(copied)
    }

    /// Returns a copy of the whole module in another context, with its
    /// [provenance](crate::Provenance); see [`import`](Self::import).
    ///
    /// # Errors
    ///
    /// If `to` cannot hold more affine expressions.
    pub fn copy_to(&self, from: &Context, to: &mut Context) -> Result<Module, Invalid> {
        let unknown = to.unknown_location();
        let name = to.operation_name(from.operation_name_bytes(self.name(self.top())));
        let mut copy = Module::with_top(name, unknown);
        let mut map = ImportMap::new();
        map.copies = CopyMap::for_single_copies();
        let tops = copy.import_with(to, (from, self), &[self.top()], &mut map)?;
        if let Some(&top) = tops.first() {
            copy.set_top(top);
        }
        to.importer(from, &mut map)
            .copy_file(&self.provenance, &mut copy.provenance);
        // They refer to nothing in a context, and the content of the module is the same.
        copy.provenance
            .sections
            .clone_from(&self.provenance.sections);
        Ok(copy)
    }

    /// [`import`](Self::import), except for the declared resources.
    pub(crate) fn import_with(
        &mut self,
        context: &mut Context,
        from: (&Context, &Module),
        operations: &[Operation],
        map: &mut ImportMap,
    ) -> Result<Vec<Operation>, Invalid> {
        map.entries.reserve(from.0, map.copies.expected(from.1));
        let mut importer = EntryImporter {
            from: from.0,
            to: context,
            map: &mut map.entries,
        };
        let mut copier = Copier::new(from.1, self, &mut map.copies, &mut importer);
        let copied = operations.iter().map(|&one| copier.copy(one, true));
        let copied = copied.collect::<Result<Vec<_>, _>>()?;
        copier.finish()?;
        self.provenance
            .copy_alias_names(&from.1.provenance, &mut importer);
        Ok(copied)
    }
}

impl Context {
    /// Returns the copies of an attribute of another context; see [`Module::import`].
    ///
    /// # Errors
    ///
    /// If this context cannot hold more affine expressions.
    pub fn import_attribute(
        &mut self,
        from: &Context,
        attribute: Attribute,
        map: &mut ImportMap,
    ) -> Result<Attribute, Invalid> {
        self.importer(from, map).copy_attribute(attribute)
    }

    /// Returns the copy of a type of another context; see [`Module::import`].
    ///
    /// # Errors
    ///
    /// Those of [`import_attribute`](Self::import_attribute).
    pub fn import_type(
        &mut self,
        from: &Context,
        ty: Type,
        map: &mut ImportMap,
    ) -> Result<Type, Invalid> {
        self.importer(from, map).copy_type(ty)
    }

    /// Returns the copy of a location of another context; see [`Module::import`].
    ///
    /// # Errors
    ///
    /// Those of [`import_attribute`](Self::import_attribute).
    pub fn import_location(
        &mut self,
        from: &Context,
        location: Location,
        map: &mut ImportMap,
    ) -> Result<Location, Invalid> {
        self.importer(from, map).copy_location(location)
    }

    pub(crate) fn importer<'a>(
        &'a mut self,
        from: &'a Context,
        map: &'a mut ImportMap,
    ) -> EntryImporter<'a> {
        EntryImporter {
            from,
            to: self,
            map: &mut map.entries,
        }
    }
}
