//! Puts an output together: results of units, and everything else of the input, in its order.

use super::extract::Results;
use super::form::read_options;
use super::placeholders::{Originals, Placeholders};
use super::state::Mode;
use super::stored::Stored;
use super::units::{Granularity, Units};
use crate::pack::Place;
use rmlir::ir::{Context, ImportMap, Location, Module, Operation, Provenance};
use rmlir::reader::lazy::SymbolPath;
use rmlir::{Ir, Threads};
use std::collections::{BTreeMap, HashMap};

/// Reads the results of units from packs. Units whose results are damaged are left out.
pub(crate) fn read_results(
    input: &Ir,
    units: &Units,
    stored: &mut Stored,
    found: &[(usize, (usize, Place))],
    threads: Threads,
) -> Vec<Results> {
    let mut by_segment: BTreeMap<(usize, u16), Vec<(usize, Place)>> = BTreeMap::new();
    for &(unit, (pack, place)) in found {
        by_segment
            .entry((pack, place.segment))
            .or_default()
            .push((unit, place));
    }
    let mut all = Vec::new();
    for ((pack, segment), wanted) in by_segment {
        if let Some(ir) = stored.take(pack, segment) {
            all.extend(results_in(units, ir, &wanted));
            continue;
        }
        let packs = &stored.packs;
        let Some(bytes) = packs.segment(pack, segment) else {
            continue;
        };
        let count = packs.units_in(pack, segment);
        let results = match wanted.len().saturating_mul(4) < count {
            true => read_some(input, units, bytes, &wanted, threads),
            false => read_segment(units, bytes, &wanted, threads),
        };
        all.extend(results);
    }
    all
}

/// Reads a whole segment.
fn read_segment(
    units: &Units,
    bytes: &[u8],
    wanted: &[(usize, Place)],
    threads: Threads,
) -> Option<Results> {
    let ir = rmlir::read_with(bytes.to_vec(), &read_options("-", threads)).ok()?;
    results_in(units, ir, wanted)
}

/// Finds results in the module of a segment.
fn results_in(units: &Units, ir: Ir, wanted: &[(usize, Place)]) -> Option<Results> {
    let module = ir.parts().1;
    if units.granularity == Granularity::Module {
        let (unit, _) = *wanted.first()?;
        let top = module.top();
        return Some(Results {
            units: vec![(unit, vec![top])],
            ir,
        });
    }
    let operations: Vec<Operation> = module.operations(module.body()?).collect();
    let mut results = Vec::with_capacity(wanted.len());
    for &(unit, place) in wanted {
        let start = usize::try_from(place.first).ok()?;
        let end = start.checked_add(usize::from(place.count))?;
        let operations = operations.get(start..end)?.to_vec();
        if operations.len() != units.units.get(unit)?.len() {
            return None;
        }
        results.push((unit, operations));
    }
    Some(Results { ir, units: results })
}

/// Reads some functions of a segment.
fn read_some(
    input: &Ir,
    units: &Units,
    bytes: &[u8],
    wanted: &[(usize, Place)],
    threads: Threads,
) -> Option<Results> {
    let options = read_options("-", threads);
    let file = rmlir::File::from_bytes(bytes.to_vec(), &options).ok()?;
    let mut symbols = Vec::new();
    let mut names: Vec<(usize, Vec<Vec<u8>>)> = Vec::new();
    let from = input.context();
    for &(unit, _) in wanted {
        let mut own = Vec::new();
        for &position in units.units.get(unit)? {
            let name = from.bytes(units.name(position)?).to_vec();
            let path = SymbolPath::new([name.as_slice()]);
            symbols.push(file.as_lazy().symbol(&path).ok()??);
            own.push(name);
        }
        names.push((unit, own));
    }
    let mut context = options.context();
    let module = file.as_lazy().read_together(&mut context, &symbols).ok()?;
    let mut by_name: HashMap<Vec<u8>, Operation> = HashMap::new();
    for operation in module.operations(module.body()?) {
        if let Some(name) = module.symbol_name(&context, operation) {
            by_name.insert(context.bytes(name).to_vec(), operation);
        }
    }
    let mut results = Vec::new();
    for (unit, own) in names {
        let own = own.iter().map(|name| by_name.get(name).copied());
        results.push((unit, own.collect::<Option<Vec<Operation>>>()?));
    }
    Some(Results {
        ir: Ir::from_parts(context, module),
        units: results,
    })
}

/// Results that are put together: one module, to which those of others are copied.
pub(crate) struct Assembly {
    context: Context,
    module: Module,
    /// The operations of units. In mode [`Mode::Rebind`], the first ones have positions of the
    /// input, the others placeholders.
    of_unit: Vec<(usize, Vec<Operation>)>,
    resolved: usize,
    others: Vec<Results>,
}

impl Assembly {
    /// Creates an assembly of results. The largest module is the base, to which the others are
    /// copied.
    pub(crate) fn new(input: &Ir, mut results: Vec<Results>) -> Self {
        let largest = (0..results.len()).max_by_key(|&at| results.get(at).map(|r| r.units.len()));
        let ((context, module), of_unit) = match largest {
            Some(at) => {
                let base = results.swap_remove(at);
                (base.ir.into_parts(), base.units)
            }
            None => {
                let mut context = input.context().new_with_same_definitions();
                let module = Module::new(&mut context);
                ((context, module), Vec::new())
            }
        };
        Assembly {
            context,
            module,
            of_unit,
            resolved: 0,
            others: results,
        }
    }

    /// Adds results.
    pub(crate) fn extend(&mut self, results: Vec<Results>) {
        self.others.extend(results);
    }

    /// Puts positions of the input in place of the placeholders of the results that are in the
    /// module so far. This takes long, and needs no results that are still computed.
    pub(crate) fn resolve(&mut self, input: &Ir, tables: &[Vec<Location>]) -> Option<()> {
        let placeholders = Placeholders::new(&mut self.context);
        let mut originals = Originals::new(input.context());
        for (unit, operations) in self.of_unit.get(self.resolved..)? {
            let table = tables.get(*unit)?;
            let (context, module) = (&mut self.context, &mut self.module);
            placeholders.resolve(context, module, operations, &mut originals, table)?;
        }
        self.resolved = self.of_unit.len();
        Some(())
    }

    /// Copies the other results to the module.
    fn join(&mut self) -> Option<()> {
        for other in std::mem::take(&mut self.others) {
            let (from_context, from) = other.ir.parts();
            let operations: Vec<Operation> = other
                .units
                .iter()
                .flat_map(|(_, operations)| operations.clone())
                .collect();
            let mut map = ImportMap::new();
            let from = (from_context, from);
            let copies = self
                .module
                .import(&mut self.context, from, &operations, &mut map)
                .ok()?;
            let mut copies = copies.into_iter();
            for (unit, operations) in &other.units {
                let copies = copies.by_ref().take(operations.len()).collect();
                self.of_unit.push((*unit, copies));
            }
            let provenance = &from.1.provenance;
            merge_provenance(
                &mut self.context,
                &mut self.module,
                from_context,
                provenance,
            );
        }
        Some(())
    }
}

/// Puts a module together of the input and the results of all of its units.
pub(crate) fn assemble(
    input: &Ir,
    units: &Units,
    mut assembly: Assembly,
    tables: &[Vec<Location>],
    mode: Mode,
    locations: bool,
) -> Option<Ir> {
    assembly.join()?;
    if mode == Mode::Rebind && locations {
        assembly.resolve(input, tables)?;
    }
    let Assembly {
        mut context,
        mut module,
        of_unit,
        ..
    } = assembly;
    let (from_context, from) = input.parts();
    if units.granularity == Granularity::Module {
        return Some(Ir::from_parts(context, module));
    }
    let mut map = ImportMap::new();
    let around: Vec<Operation> = units
        .operations
        .iter()
        .zip(&units.unit_of)
        .filter_map(|(&operation, unit)| unit.is_none().then_some(operation))
        .collect();
    let copies = module
        .import(&mut context, (from_context, from), &around, &mut map)
        .ok()?;
    let mut copies = copies.into_iter();
    let body = module.body()?;
    let old: Vec<Operation> = module.operations(body).collect();
    for operation in old {
        module.detach_operation(operation);
    }
    let mut functions: Vec<std::vec::IntoIter<Operation>> = Vec::new();
    functions.resize_with(units.units.len(), || Vec::new().into_iter());
    for (unit, operations) in of_unit {
        *functions.get_mut(unit)? = operations.into_iter();
    }
    for unit in &units.unit_of {
        let operation = match unit {
            Some(unit) => functions.get_mut(*unit)?.next()?,
            None => copies.next()?,
        };
        module.append_operation(body, operation);
    }
    let top = module.top();
    let mut copied = [None, None];
    let attributes = [from.properties(from.top()), from.attributes(from.top())];
    for (copy, attribute) in copied.iter_mut().zip(attributes) {
        if let Some(attribute) = attribute {
            let attribute = context.import_attribute(from_context, attribute, &mut map);
            *copy = Some(attribute.ok()?);
        }
    }
    let [properties, attributes] = copied;
    module.set_properties(top, properties);
    module.set_attributes(&context, top, attributes).ok()?;
    let location = from.location(from.top());
    let location = context
        .import_location(from_context, location, &mut map)
        .ok()?;
    module.set_location(top, location);
    Some(Ir::from_parts(context, module))
}

/// Adds what another output of the same tool tells of dialects and operations.
pub(super) fn merge_provenance(
    context: &mut Context,
    module: &mut Module,
    from: &Context,
    other: &Provenance,
) {
    let known = module
        .provenance
        .registered_operations
        .iter()
        .map(|(name, _)| *name);
    let mut known: std::collections::HashSet<_> = known.collect();
    for &(name, is_registered) in &other.registered_operations {
        let name = context.operation_name(from.operation_name_bytes(name));
        if known.insert(name) {
            module
                .provenance
                .registered_operations
                .push((name, is_registered));
        }
    }
    for &dialect in &other.encoded_dialects {
        let dialect = context.identifier(from.bytes(dialect));
        if !module.provenance.encoded_dialects.contains(&dialect) {
            module.provenance.encoded_dialects.push(dialect);
        }
    }
    for (dialect, version) in &other.dialect_versions {
        let dialect = context.identifier(from.bytes(*dialect));
        let mut own = module.provenance.dialect_versions.iter();
        if !own.any(|(own, _)| *own == dialect) {
            module
                .provenance
                .dialect_versions
                .push((dialect, version.clone()));
        }
    }
}
