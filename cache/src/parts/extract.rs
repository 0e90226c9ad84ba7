//! The module that a tool runs on: units without a result, with the symbols that they depend on;
//! and the results of these units in the tool's output.

use super::Refusal;
use super::placeholders::{MAX_NUMBERS, Placeholders};
use super::state::Mode;
use super::units::{Granularity, Reached, Units};
use crate::Digest;
use crate::pack::Place;
use rmlir::ir::{
    Context, Fingerprint, FingerprintOptions, Fingerprinter, ImportMap, Location, Module,
    Operation, distinct_groups,
};
use rmlir::{Form, Ir, Threads};
use std::collections::{BTreeMap, HashMap};

/// A module with some units.
pub(crate) struct PartModule {
    pub(crate) ir: Ir,
    /// The units, ascending.
    pub(crate) units: Vec<usize>,
    /// For each unit, the number of its first placeholder.
    bases: Vec<u32>,
    /// The role of each operation directly in the module.
    items: Vec<Item>,
    granularity: Granularity,
    mode: Mode,
    /// If it is the input itself: the location of its top-level operation.
    borrowed: Option<Location>,
}

/// An operation directly in a part.
struct Item {
    /// The index into the units, or `None` for their dependencies.
    unit: Option<usize>,
    /// The name of the operation and of the symbol.
    name: (Vec<u8>, Vec<u8>),
}

/// A segment of a pack, with the places of results in it.
pub(crate) type Segment = (Vec<u8>, Vec<(Digest, Place)>);

/// Results of units, in the context of a module.
pub(crate) struct Results {
    pub(crate) ir: Ir,
    /// The operations of each unit.
    pub(crate) units: Vec<(usize, Vec<Operation>)>,
}

impl PartModule {
    /// Copies units, and what they depend on, to a module of its own. With `around`, the symbols
    /// that the context depends on, all operations of the context are in it.
    ///
    /// In the input, too, the ranges of these units are placeholders afterwards. So each unit can
    /// be wanted once.
    pub(crate) fn new(
        input: &mut Ir,
        units: &Units,
        wanted: &[usize],
        reached: &[Reached],
        around: Option<&Reached>,
        tables: &[Vec<Location>],
        mode: Mode,
    ) -> Option<Self> {
        let bases = insert_placeholders(input, units, wanted, tables, mode)?;
        let (from_context, from) = input.parts_mut();
        let mut context = from_context.new_with_same_definitions();
        if units.granularity == Granularity::Module {
            let module = from.copy_to(from_context, &mut context).ok()?;
            return Some(PartModule {
                ir: Ir::from_parts(context, module),
                units: wanted.to_vec(),
                bases,
                items: Vec::new(),
                granularity: units.granularity,
                mode,
                borrowed: None,
            });
        }
        // By position: the unit, or whether a declaration is enough.
        let mut needed: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        let mut is_declared: HashMap<usize, bool> = HashMap::new();
        for (index, &unit) in wanted.iter().enumerate() {
            for &position in units.units.get(unit)? {
                needed.insert(position, Some(index));
            }
        }
        if around.is_some() {
            for &position in &units.context {
                needed.insert(position, None);
                is_declared.insert(position, false);
            }
        }
        let own = wanted.iter().map(|&unit| reached.get(unit));
        for reached in own.chain(around.map(Some)) {
            let reached = reached?;
            for (list, declared) in [(&reached.declared, true), (&reached.whole, false)] {
                for &position in list {
                    needed.entry(position).or_insert(None);
                    let all = is_declared.entry(position).or_insert(declared);
                    *all &= declared;
                }
            }
        }
        let mut operations = Vec::with_capacity(needed.len());
        for (&position, unit) in &needed {
            let operation = *units.operations.get(position)?;
            let declared = unit.is_none() && is_declared.get(&position) == Some(&true);
            operations.push(match declared {
                true => from.create_declaration(from_context, operation).ok()??,
                false => operation,
            });
        }
        let unknown = context.unknown_location();
        let name = context.operation_name(from_context.operation_name_bytes(from.name(from.top())));
        let mut module = Module::with_top(name, unknown);
        let mut map = ImportMap::new();
        let copies = module
            .import(
                &mut context,
                (&*from_context, &*from),
                &operations,
                &mut map,
            )
            .ok()?;
        let body = module.body()?;
        for &copy in &copies {
            module.append_operation(body, copy);
        }
        let top = module.top();
        let attributes = [from.properties(from.top()), from.attributes(from.top())];
        let mut copied = [None, None];
        for (copy, attribute) in copied.iter_mut().zip(attributes) {
            if let Some(attribute) = attribute {
                let attribute = context.import_attribute(from_context, attribute, &mut map);
                *copy = Some(attribute.ok()?);
            }
        }
        let [properties, attributes] = copied;
        module.set_properties(top, properties);
        module.set_attributes(&context, top, attributes).ok()?;
        let provenance = &from.provenance;
        module.provenance.bytecode_version = provenance.bytecode_version;
        module.provenance.layouts = provenance.layouts.clone();
        let producer = provenance
            .producer
            .map(|one| from_context.bytes(one).to_vec());
        module.provenance.producer = producer.map(|one| context.identifier(one));
        super::assemble::merge_provenance(&mut context, &mut module, from_context, provenance);
        let mut placeholders = Placeholders::new(&mut context);
        match mode {
            Mode::Rebind => {
                let location = placeholders.of_context(&mut context);
                module.set_location(top, location);
            }
            _ => {
                let location = from.location(from.top());
                let location = context
                    .import_location(from_context, location, &mut map)
                    .ok()?;
                module.set_location(top, location);
            }
        }
        let mut items = Vec::with_capacity(copies.len());
        for (unit, &copy) in needed.values().zip(&copies) {
            if mode == Mode::Rebind && unit.is_none() {
                let location = placeholders.of_context(&mut context);
                module
                    .map_locations(&mut context, copy, |_, _| Some(location))
                    .ok()?;
            }
            items.push(Item {
                unit: *unit,
                name: names(&context, &module, copy),
            });
        }
        Some(PartModule {
            ir: Ir::from_parts(context, module),
            units: wanted.to_vec(),
            bases,
            items,
            granularity: units.granularity,
            mode,
            borrowed: None,
        })
    }

    /// Returns whether these units are all that the input has.
    pub(crate) fn is_whole(units: &Units, wanted: &[usize]) -> bool {
        units.granularity == Granularity::Module
            || units.context.is_empty() && wanted.len() == units.units.len()
    }

    /// Takes the input as the part with all units, until it is [given back](Self::give_back).
    pub(crate) fn whole(
        input: &mut Ir,
        units: &Units,
        wanted: &[usize],
        tables: &[Vec<Location>],
        mode: Mode,
    ) -> Option<Self> {
        let bases = insert_placeholders(input, units, wanted, tables, mode)?;
        let (context, module) = input.parts_mut();
        let top = module.top();
        let location = module.location(top);
        let mut items = Vec::new();
        if units.granularity != Granularity::Module {
            if mode == Mode::Rebind {
                let location = Placeholders::new(context).of_context(context);
                module.set_location(top, location);
            }
            let mut unit_at = vec![None; units.operations.len()];
            for (index, &unit) in wanted.iter().enumerate() {
                for &position in units.units.get(unit)? {
                    *unit_at.get_mut(position)? = Some(index);
                }
            }
            for (&operation, unit) in units.operations.iter().zip(unit_at) {
                items.push(Item {
                    unit,
                    name: names(context, module, operation),
                });
            }
        }
        Some(PartModule {
            ir: std::mem::take(input),
            units: wanted.to_vec(),
            bases,
            items,
            granularity: units.granularity,
            mode,
            borrowed: Some(location),
        })
    }

    /// Gives the input back, if this part is the input. The part is of no use to a tool then.
    pub(crate) fn give_back(&mut self, input: &mut Ir) {
        let Some(location) = self.borrowed.take() else {
            return;
        };
        *input = std::mem::take(&mut self.ir);
        if self.granularity != Granularity::Module {
            let module = input.parts_mut().1;
            let top = module.top();
            module.set_location(top, location);
        }
    }

    /// Returns fingerprints of the content that a tool must not change: the module's own
    /// attributes, and each operation that is not a unit.
    pub(crate) fn context_fingerprints(&self, locations: bool) -> Vec<Fingerprint> {
        let (context, module) = self.ir.parts();
        fingerprints(context, module, &self.items, self.granularity, locations)
    }

    /// Finds the results in the output of a tool.
    pub(crate) fn results(
        &self,
        mut output: Ir,
        around: &[Fingerprint],
        locations: bool,
        tables: &[Vec<Location>],
    ) -> Result<Results, Refusal> {
        let units = match self.granularity {
            Granularity::Module => {
                let unit = *self.units.first().ok_or(Refusal::Changed)?;
                vec![(unit, vec![output.op().id()])]
            }
            _ => self
                .units_of(&mut output, around, locations)
                .ok_or(Refusal::Changed)?,
        };
        let mut results = Results { ir: output, units };
        self.lower(&mut results, tables).ok_or(Refusal::Leaked)?;
        Ok(results)
    }

    /// Returns the operations of each unit. `None` if the tool did anything else than to change
    /// units.
    fn units_of(
        &self,
        output: &mut Ir,
        around: &[Fingerprint],
        locations: bool,
    ) -> Option<Vec<(usize, Vec<Operation>)>> {
        let (context, module) = output.parts();
        let operations: Vec<Operation> = module.operations(module.body()?).collect();
        let is_same = operations.len() == self.items.len()
            && self
                .items
                .iter()
                .zip(&operations)
                .all(|(item, &operation)| names(context, module, operation) == item.name);
        if !is_same
            || fingerprints(context, module, &self.items, self.granularity, locations) != around
        {
            return None;
        }
        let mut units: Vec<(usize, Vec<Operation>)> =
            self.units.iter().map(|&unit| (unit, Vec::new())).collect();
        let mut owners = Vec::new();
        let mut functions = Vec::new();
        for (item, &operation) in self.items.iter().zip(&operations) {
            if let Some(index) = item.unit {
                units.get_mut(index)?.1.push(operation);
                owners.push(index);
                functions.push(operation);
            }
        }
        // A distinct attribute that two results share would become two.
        let groups = distinct_groups(context, module, &functions);
        let mut pairs = groups.iter().zip(&owners);
        if !pairs.all(|(&group, owner)| owners.get(group) == Some(owner)) {
            return None;
        }
        // Operations that are not results are not stored in the pack.
        let module = output.parts_mut().1;
        for (item, &operation) in self.items.iter().zip(&operations) {
            if item.unit.is_none() {
                module.detach_operation(operation);
            }
        }
        Some(units)
    }

    /// Numbers the placeholders of each unit from 0 again.
    fn lower(&self, results: &mut Results, tables: &[Vec<Location>]) -> Option<()> {
        if self.mode != Mode::Rebind {
            return Some(());
        }
        let (context, module) = results.ir.parts_mut();
        let mut placeholders = Placeholders::new(context);
        for ((unit, operations), &base) in results.units.iter().zip(&self.bases) {
            let count = tables.get(*unit)?.len();
            for &operation in operations {
                placeholders.lower(context, module, operation, base, count)?;
            }
        }
        Some(())
    }
}

/// Puts placeholders in place of the ranges of units. Returns the number of the first one of each.
fn insert_placeholders(
    input: &mut Ir,
    units: &Units,
    wanted: &[usize],
    tables: &[Vec<Location>],
    mode: Mode,
) -> Option<Vec<u32>> {
    let (context, module) = input.parts_mut();
    let mut bases = Vec::with_capacity(wanted.len());
    let mut base = 0u32;
    for &unit in wanted {
        bases.push(base);
        let len = tables.get(unit).map_or(0, Vec::len);
        base = base.checked_add(u32::try_from(len).ok()?)?;
        if base >= MAX_NUMBERS {
            return None;
        }
    }
    if mode == Mode::Rebind {
        let mut placeholders = Placeholders::new(context);
        for (&unit, &base) in wanted.iter().zip(&bases) {
            let (operations, table) = (units.operations_of(module, unit), tables.get(unit)?);
            placeholders.insert(context, module, &operations, table, base)?;
        }
    }
    Some(bases)
}

impl Results {
    /// Returns the results as a segment of a pack, with the place of each in segment `number`.
    pub(crate) fn segment(
        &mut self,
        keys: &[Digest],
        number: u16,
        granularity: Granularity,
        threads: Threads,
    ) -> Option<Segment> {
        let mut entries = Vec::with_capacity(self.units.len());
        let module = self.ir.parts_mut().1;
        if granularity == Granularity::Module {
            let place = Place {
                segment: number,
                first: 0,
                count: 0,
            };
            entries.push((*keys.get(self.units.first()?.0)?, place));
        } else {
            let body = module.body()?;
            let mut first = 0u32;
            for (unit, operations) in &self.units {
                let count = u16::try_from(operations.len()).ok()?;
                for &operation in operations {
                    module.detach_operation(operation);
                    module.append_operation(body, operation);
                }
                let place = Place {
                    segment: number,
                    first,
                    count,
                };
                entries.push((*keys.get(*unit)?, place));
                first = first.checked_add(u32::from(count))?;
            }
            let (context, module) = self.ir.parts_mut();
            let top = module.top();
            let unknown = context.unknown_location();
            module.set_location(top, unknown);
            module.set_attributes(context, top, None).ok()?;
        }
        let mut options = rmlir::WriteOptions::default();
        options.rmbc.threads = threads;
        options.rmbc.hashes = false;
        options.rmbc.compression = Some(COMPRESSION);
        options.rmbc.index = granularity != Granularity::Module;
        let bytes = self.ir.to_bytes(Form::Rmbc, &options).ok()?;
        Some((bytes, entries))
    }
}

/// The level of zstd for results: placeholders repeat.
const COMPRESSION: i32 = 3;

fn names(context: &Context, module: &Module, operation: Operation) -> (Vec<u8>, Vec<u8>) {
    let name = context
        .operation_name_bytes(module.name(operation))
        .to_vec();
    let symbol = module.symbol_name(context, operation);
    (
        name,
        symbol
            .map(|symbol| context.bytes(symbol).to_vec())
            .unwrap_or_default(),
    )
}

fn fingerprints(
    context: &Context,
    module: &Module,
    items: &[Item],
    granularity: Granularity,
    locations: bool,
) -> Vec<Fingerprint> {
    let options = FingerprintOptions { locations };
    let mut fingerprinter = Fingerprinter::new(context, &options).with_locations_in_attributes();
    let mut found = vec![fingerprinter.declaration_fingerprint(module, module.top())];
    let operations = module
        .body()
        .into_iter()
        .flat_map(|body| module.operations(body));
    for (item, operation) in items.iter().zip(operations) {
        if item.unit.is_some() {
            continue;
        }
        // With bodies around, the tool changes those of functions as well; they are not used.
        let has_body = granularity == Granularity::Closure
            && module
                .regions(operation)
                .any(|region| module.first_block(region).is_some());
        found.push(match has_body {
            true => fingerprinter.declaration_fingerprint(module, operation),
            false => fingerprinter.fingerprint(module, operation),
        });
    }
    found
}
