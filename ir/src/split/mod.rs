//! Takes a module apart: one module for each symbol, or for symbols that belong together.

mod distincts;
mod groups;

pub use distincts::distinct_groups;

use crate::declaration::SymbolRules;
use crate::error::Invalid;
use crate::extract::used_resources;
use crate::hash::Hasher;
use crate::link::{PART_ATTRIBUTE, PartAttribute, body};
use crate::module::{Copier, CopyMap, SameContext};
use crate::provenance::ProvenanceMap;
use crate::sort::CompactSort as _;
use crate::symbol_table::RootUses;
use crate::{
    Attribute, AttributeKind, Context, Entry, EntryWalker, Fingerprint, FingerprintOptions,
    Fingerprinter, Identifier, Module, Operation, OperationName, Resource, Threads, Type,
    WalkOrder, WalkResult, declaration_fingerprint,
};
use foldhash::fast::RandomState;
use groups::Units;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The form in which a part of a module contains the symbols that it refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum References {
    /// Their declarations. A symbol whose definition does not state how it is declared is copied,
    /// with declarations of the symbols that it refers to; so is one that must be a definition
    /// there, such as the resolver of an `llvm.mlir.ifunc`, or a symbol inside which something is
    /// referred to, such as `@m` of `#hw.innerNameRef<@m::@wire>`.
    #[default]
    Declarations,
    /// Copies, with all that they refer to.
    Bodies,
    /// Nothing: references stay open.
    Open,
}

/// The grouping of symbols into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SplitBy {
    /// Each symbol is in a part of its own.
    #[default]
    Symbol,
    /// Symbols that refer to each other, directly or through others, and symbols that share a
    /// distinct attribute, are in one part.
    Group,
}

/// Options of [`split`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SplitOptions {
    /// The grouping of symbols into parts.
    pub by: SplitBy,
    /// The form of the symbols that a part refers to.
    pub references: References,
    /// The number of parts, if there are more symbols or groups: consecutive ones are joined, so
    /// that parts have about the same number of operations. Default: unlimited.
    pub max_parts: Option<usize>,
    /// The number of threads that read and copy operations. The result does not depend on it.
    /// Default: one.
    pub threads: Threads,
}

/// A part of a module that was split.
#[derive(Clone, Debug)]
pub struct SplitPart {
    /// The part, in the context of the module that was split.
    pub module: Module,
    /// The operations of the part that no other part has, in order.
    pub operations: Vec<Operation>,
}

/// Splits a module into parts, which [`link`](crate::link()) joins again.
///
/// Each part is a module of its own, in the same context: some of the operations directly in the
/// top-level operation, and declarations or copies of the symbols that they refer to. The order is
/// that of the first symbol of each part. Operations that are not symbols, and symbols that use
/// their values, are in one part.
///
/// The top-level operations have the name, the location and the attributes of that of `module`, and
/// the discardable attribute `rmlir.part`. It identifies the module by a hash of its content, and
/// has the positions of the part's symbols; by it `link` knows that a declaration refers to a
/// private symbol of another part, which no other module can define, and restores the order.
/// Linking all parts yields a module that
/// is semantically equal, with locations.
///
/// Definitions keep their visibility and linkage. A private symbol that only other parts refer to
/// is unused in its part, and passes that erase unused private symbols, such as `symbol-dce`, would
/// erase it.
///
/// A distinct attribute that several parts contain has a number in `rmlir.part`, by which `link`
/// makes it one again. Symbols to which attributes of the top-level operation refer are declared or
/// copied in all parts. Producer, versions and layouts are those of the module, base
/// names of aliases those of the attributes and types that the part has, and orders of uses are
/// kept. External resources, and resources that nothing refers to, are in the first part. No part
/// has sections of unknown kinds: they may refer to symbols elsewhere.
///
/// Linear in the size of the module and of the parts.
///
/// # Errors
///
/// If the top-level operation has not one region of one block, or the module is such a part itself.
///
/// ```
/// use rmlir_ir::{Builder, Context, LinkOptions, Module, SplitOptions, link, split};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// for name in ["a", "b", "c"] {
///     let name = context.string_attribute(name);
///     let mut builder = Builder::new(&mut context, &mut module);
///     builder.op("test.symbol").attribute("sym_name", name).build()?;
/// }
/// let parts = split(&mut context, &module, &SplitOptions::default())?;
/// assert_eq!(parts.len(), 3);
///
/// let inputs: Vec<_> = parts.iter().rev().map(|part| (&context, &part.module).into()).collect();
/// let linked = link(&inputs, &LinkOptions::default())?;
/// let options = rmlir_ir::EqualityOptions { locations: true };
/// let linked = (&linked.context, &linked.module);
/// assert!(rmlir_ir::semantic_eq((&context, &module), linked, &options));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split(
    context: &mut Context,
    module: &Module,
    options: &SplitOptions,
) -> Result<Vec<SplitPart>, Invalid> {
    body(module).map_err(Invalid::new)?;
    let attributes = module.attributes(module.top());
    if attributes.is_some_and(|all| {
        context
            .dictionary_get(all, PART_ATTRIBUTE.as_bytes())
            .is_some()
    }) {
        return Err(Invalid::new(
            "the module is a part of another one: link the parts first",
        ));
    }
    let units = Units::new(context, module, options.threads);
    let id = identity(context, module, &units, options.threads);
    let id = context.identifier(id.to_string());
    let groups = units.groups(context, module, options);
    let maps = Mutex::new(Vec::new());
    let copied = options.threads.map(groups.len(), |number| {
        let group = groups.get(number).map_or(&[][..], Vec::as_slice);
        // A map as large as the module, which a thread uses for one part after another.
        let map = unlocked(&maps).pop();
        let mut map = map.unwrap_or_else(CopyMap::for_single_copies);
        let part = NewPart::of(module, &units, group, &mut map);
        unlocked(&maps).push(map);
        part
    });
    let mut splitter = Splitter {
        context,
        module,
        options,
        units,
        id,
        rules: SymbolRules::default(),
        uses: RootUses::default(),
        map: CopyMap::default(),
    };
    let mut parts = Vec::with_capacity(groups.len());
    let mut attributes = Vec::with_capacity(groups.len());
    for (group, copied) in groups.iter().zip(copied) {
        let (part, mut attribute) = splitter.part(group, copied?)?;
        attribute.parts = number(groups.len());
        attribute.numbers = vec![number(parts.len())];
        parts.push(part);
        attributes.push(attribute);
    }
    distincts::number_shared(splitter.context, module, &parts, &mut attributes);
    let name = splitter.context.identifier(PART_ATTRIBUTE);
    for (part, attribute) in parts.iter_mut().zip(attributes) {
        let value = attribute.attribute(splitter.context);
        let module = &mut part.module;
        let top = module.top();
        module.set_discardable_attribute(splitter.context, top, name, value)?;
        splitter.set_provenance(module);
    }
    if let Some(first) = parts.first_mut() {
        let provenance = &mut first.module.provenance;
        provenance.external_resources = module.provenance.external_resources.clone();
        let declared = &module.provenance.resources;
        if !declared.is_empty() {
            let used = used_resources(context, module);
            let unused = declared.iter().filter(|resource| !used.contains(resource));
            provenance.resources.extend(unused);
        }
    }
    Ok(parts)
}

/// Returns a hash of the content of a module: of the fingerprints of consecutive operations, which
/// several threads compute.
fn identity(context: &Context, module: &Module, units: &Units, threads: Threads) -> Fingerprint {
    /// The minimum number of operations for which a fingerprinter is created.
    const CHUNK: usize = 4096;
    let options = FingerprintOptions::default();
    let of_chunk = |chunk: usize| {
        let mut fingerprinter = Fingerprinter::new(context, &options);
        let start = chunk.saturating_mul(CHUNK);
        let operations = start..units.len().min(start.saturating_add(CHUNK));
        let operations = operations.filter_map(|position| units.operation(position));
        fingerprinter.fingerprint_of_list(module, operations)
    };
    let chunks = threads.map(units.len().div_ceil(CHUNK), of_chunk);
    let top = declaration_fingerprint(context, module, module.top(), &options);
    let mut hasher = Hasher::new();
    hasher.update(top.as_bytes());
    for print in &chunks {
        hasher.update(print.as_bytes());
    }
    Fingerprint::from_bytes(hasher.finalize())
}

fn number(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

fn unlocked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Splitter<'a> {
    context: &'a mut Context,
    module: &'a Module,
    options: &'a SplitOptions,
    units: Units,
    id: Identifier,
    rules: SymbolRules,
    uses: RootUses,
    /// The copies of symbols of other parts. Those of earlier parts are in it too, which is no
    /// harm: such a symbol uses no values of others.
    map: CopyMap,
}

/// A part that is being made.
struct NewPart {
    module: Module,
    /// The operations, each with its position in the module that is split.
    operations: Vec<(usize, Operation)>,
    /// The positions that it has.
    present: HashSet<usize, RandomState>,
    /// The declarations, by position.
    declared: HashMap<usize, Operation, RandomState>,
}

/// Symbols that a part refers to, by position, each with whether it must be a definition.
#[derive(Default)]
struct OpenReferences(Vec<(usize, bool)>);

impl OpenReferences {
    fn extend(&mut self, positions: &[usize], whole: bool) {
        self.0
            .extend(positions.iter().map(|&position| (position, whole)));
    }
}

impl NewPart {
    /// Copies the operations at some positions, which ascend: all whose values they use are among
    /// them. Entries of other parts in `map` do no harm: the operations use no values of these.
    fn of(
        from: &Module,
        units: &Units,
        group: &[usize],
        map: &mut CopyMap,
    ) -> Result<Self, Invalid> {
        let mut module = Module::with_top(from.name(from.top()), from.location(from.top()));
        module.set_properties(module.top(), from.properties(from.top()));
        // Of operations, exactly; of values, about as many as the whole module has for each.
        let operations = group.iter().map(|&position| units.size(position));
        let operations = operations.fold(0usize, usize::saturating_add);
        let values = from.value_slots() / from.operation_slots().max(1);
        let values = operations.saturating_mul(values.saturating_add(1));
        module.reserve(operations, values, values);
        let mut same = SameContext;
        let mut copier = Copier::new(from, &mut module, map, &mut same);
        let mut operations = Vec::with_capacity(group.len());
        for &position in group {
            if let Some(operation) = units.operation(position) {
                operations.push((position, copier.copy(operation, true)?));
            }
        }
        copier.finish()?;
        Ok(NewPart {
            module,
            operations,
            present: group.iter().copied().collect(),
            declared: HashMap::default(),
        })
    }
}

impl Splitter<'_> {
    /// Completes the part that has the operations at some positions, which ascend, but for the
    /// attribute that identifies it, which is returned.
    fn part(
        &mut self,
        group: &[usize],
        mut part: NewPart,
    ) -> Result<(SplitPart, PartAttribute), Invalid> {
        let mut open = OpenReferences::default();
        open.0.extend(self.units.references_of_top());
        for &position in group {
            open.extend(self.units.references(position), false);
            open.extend(self.units.definitions(position), true);
        }
        let mut referred = Vec::new();
        while let Some((position, whole)) = open.0.pop() {
            let is_new = part.present.insert(position);
            if is_new {
                referred.push(position);
            }
            let declared = match whole {
                true => part.declared.remove(&position),
                false => None,
            };
            if let Some(declared) = declared {
                let erased = part.module.erase_operation(declared);
                erased.map_err(|_| Invalid::new("a value of a declaration is used"))?;
            }
            if (is_new || declared.is_some()) && self.options.references != References::Open {
                self.add_reference(&mut part, position, whole, &mut open)?;
            }
        }
        part.operations.extend(part.declared.drain());
        let mut same = SameContext;
        Copier::new(self.module, &mut part.module, &mut self.map, &mut same).finish()?;
        part.operations
            .compact_sort_by_key(|&(position, _)| position);
        let NewPart {
            mut module,
            operations,
            ..
        } = part;
        let block = body(&module).map_err(Invalid::new)?;
        for &(_, operation) in &operations {
            module.append_operation(block, operation);
        }
        let attributes = self.module.attributes(self.module.top());
        module.set_attributes(self.context, module.top(), attributes)?;
        let attribute = self.attribute(group, &referred);
        let own: HashSet<usize, RandomState> = group.iter().copied().collect();
        let operations = operations.into_iter();
        let operations = operations.filter(|(position, _)| own.contains(position));
        let part = SplitPart {
            module,
            operations: operations.map(|(_, operation)| operation).collect(),
        };
        Ok((part, attribute))
    }

    fn copy(
        &mut self,
        part: &mut NewPart,
        operation: Operation,
        content: bool,
    ) -> Result<Operation, Invalid> {
        let mut same = SameContext;
        let mut copier = Copier::new(self.module, &mut part.module, &mut self.map, &mut same);
        copier.copy(operation, content)
    }

    /// Adds a symbol of another part that the part refers to, and finds those that it refers to.
    fn add_reference(
        &mut self,
        part: &mut NewPart,
        position: usize,
        whole: bool,
        open: &mut OpenReferences,
    ) -> Result<(), Invalid> {
        let Some(operation) = self.units.operation(position) else {
            return Ok(());
        };
        let declares = !whole
            && self.options.references == References::Declarations
            && self.rules.can_declare(self.context, self.module, operation);
        if !declares {
            let copy = self.copy(part, operation, true)?;
            part.operations.push((position, copy));
            open.extend(self.units.references(position), false);
            open.extend(self.units.definitions(position), true);
            return Ok(());
        }
        let copy = self.copy(part, operation, false)?;
        part.declared.insert(position, copy);
        if !self.module.is_declaration(self.context, operation) {
            self.rules.declare(self.context, &mut part.module, copy)?;
        }
        let (units, uses) = (&self.units, &mut self.uses);
        uses.restart();
        uses.each(
            self.context,
            &part.module,
            copy,
            |_| {},
            |path| {
                let found = path.first().and_then(|&name| units.position(name));
                open.0
                    .extend(found.map(|position| (position, path.len() > 1)));
            },
        );
        Ok(())
    }

    /// Returns the attribute that identifies a part, without its number and distinct attributes.
    fn attribute(&mut self, group: &[usize], referred: &[usize]) -> PartAttribute {
        let mut part = PartAttribute {
            of: Some(self.id),
            operations: number(self.units.len()),
            ..PartAttribute::default()
        };
        for &position in group {
            match self.units.name(position) {
                Some(name) => drop(part.symbols.insert(name, number(position))),
                None => part.others.push(number(position)),
            }
        }
        for &position in referred {
            let unit = self
                .units
                .name(position)
                .zip(self.units.operation(position));
            if let Some((name, operation)) = unit {
                part.references.insert(name, number(position));
                let rules = &mut self.rules;
                if rules.is_local_definition(self.context, self.module, operation) {
                    part.local.insert(name);
                }
            }
        }
        part
    }

    /// Copies what describes the file, and what concerns the attributes that the part has. Names of
    /// values and blocks were copied with these.
    fn set_provenance(&self, module: &mut Module) {
        let from = &self.module.provenance;
        let is_of_entries = !from.resources.is_empty()
            || !from.attribute_alias_names.is_empty()
            || !from.type_alias_names.is_empty();
        let mut used = match is_of_entries {
            true => UsedEntries::new(self.context, module, &[module.top()]),
            false => UsedEntries::default(),
        };
        let provenance = &mut module.provenance;
        provenance.copy_container(from, &mut used);
        provenance.copy_resources(from, &mut used);
        provenance.copy_alias_names(from, &mut used);
    }
}

/// The attributes, types and resources that operations reach.
#[derive(Default)]
struct UsedEntries {
    attributes: HashSet<Attribute, RandomState>,
    types: HashSet<Type, RandomState>,
    resources: HashSet<Resource, RandomState>,
}

impl UsedEntries {
    fn new(context: &Context, module: &Module, roots: &[Operation]) -> Self {
        let mut used = UsedEntries::default();
        let mut walker = EntryWalker::new();
        for operation in roots.iter().flat_map(|&root| module.descendants(root)) {
            for_each_root(module, operation, |root| {
                walker.walk(context, root, WalkOrder::PreOrder, |entry| {
                    match entry {
                        Entry::Attribute(attribute) => {
                            used.attributes.insert(attribute);
                            if let AttributeKind::DenseResource { resource, .. } =
                                context.attribute_kind(attribute)
                            {
                                used.resources.insert(*resource);
                            }
                        }
                        Entry::Type(ty) => drop(used.types.insert(ty)),
                        Entry::Location(_) => {}
                    }
                    WalkResult::Advance
                });
            });
        }
        used
    }
}

/// The same entries, if operations reach them.
impl ProvenanceMap for UsedEntries {
    fn attribute_in_copy(&mut self, attribute: Attribute) -> Option<Attribute> {
        self.attributes.contains(&attribute).then_some(attribute)
    }

    fn type_in_copy(&mut self, ty: Type) -> Option<Type> {
        self.types.contains(&ty).then_some(ty)
    }

    fn identifier_in_copy(&mut self, identifier: Identifier) -> Identifier {
        identifier
    }

    fn operation_name_in_copy(&mut self, name: OperationName) -> OperationName {
        name
    }

    fn resource_in_copy(&mut self, resource: Resource) -> Option<Resource> {
        self.resources.contains(&resource).then_some(resource)
    }
}

/// Calls `each` with the attributes, types and locations that an operation and the arguments of its
/// blocks have.
fn for_each_root(module: &Module, operation: Operation, mut each: impl FnMut(Entry)) {
    let attributes = [module.properties(operation), module.attributes(operation)];
    for attribute in attributes.into_iter().flatten() {
        each(attribute.into());
    }
    each(module.location(operation).into());
    for value in module.results(operation) {
        each(module.value_type(value).into());
    }
    for region in module.regions(operation) {
        for (value, location) in module.blocks(region).flat_map(|b| module.arguments(b)) {
            each(module.value_type(value).into());
            each(location.into());
        }
    }
}
