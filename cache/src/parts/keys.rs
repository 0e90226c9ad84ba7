//! Keys of units.

use super::placeholders::{self, Features};
use super::state::Mode;
use super::units::{Granularity, Reached, Units};
use crate::{ActionKey, Digest};
use rmlir::ir::{
    Context, Fingerprint, FingerprintOptions, Fingerprinter, Location, Module, Operation,
    RangeTable, Use, Value,
};
use std::collections::HashMap;
use std::ops::Range;

/// The keys of a module.
pub(crate) struct Keys {
    /// Of each unit.
    pub(crate) units: Vec<Digest>,
    /// Of the operations around the units, if there are any: it is stored if the tool left them as
    /// they are.
    pub(crate) context: Option<Digest>,
    /// Of the module without its operations.
    pub(crate) top: Fingerprint,
    /// Of the operations of each unit.
    pub(crate) own: Vec<blake3::Hash>,
    /// Of the declarations that units depend on, by position.
    pub(crate) declared: HashMap<usize, Fingerprint>,
    /// Of the symbols that units depend on as a whole, by position.
    pub(crate) whole: HashMap<usize, Fingerprint>,
}

/// What the key of a unit takes from its own operations.
pub(crate) struct OwnPart {
    hash: blake3::Hash,
    /// The ranges that placeholders take the place of, by number.
    pub(crate) table: Vec<Location>,
}

/// Returns the parts of some units, and the kinds of locations that they have. In mode
/// [`Mode::Rebind`], ranges count by their numbers in the unit.
pub(crate) fn own_parts(
    context: &Context,
    module: &Module,
    units: &Units,
    chosen: Range<usize>,
    mode: Mode,
) -> (Vec<OwnPart>, Features) {
    let mut fingerprinter = Fingerprinter::new(context, &FingerprintOptions { locations: true });
    let mut orders = UseOrders::new(module);
    let mut ranges = RangeTable::default();
    let mut features = Features::default();
    let mut parts = Vec::with_capacity(chosen.len());
    for unit in chosen {
        let mut hasher = blake3::Hasher::new();
        let operations = units.operations_of(module, unit);
        hasher.update(&(operations.len() as u64).to_le_bytes());
        for operation in operations {
            let hash = match mode {
                Mode::Rebind => {
                    features.add(placeholders::features_of(context, module, operation));
                    fingerprinter.fingerprint_with_ranges(module, operation, &mut ranges)
                }
                _ => fingerprinter.fingerprint(module, operation),
            };
            hasher.update(hash.as_bytes());
            orders.add(module, operation, &mut hasher);
        }
        parts.push(OwnPart {
            hash: hasher.finalize(),
            table: ranges.take(),
        });
    }
    (parts, features)
}

/// Returns the keys of a module, whose units have these own parts.
pub(crate) fn keys(
    context: &Context,
    module: &Module,
    units: &Units,
    own: &[OwnPart],
    reached: &[Reached],
    domain: &ActionKey,
    mode: Mode,
) -> Keys {
    let with = FingerprintOptions { locations: true };
    // Positions of other symbols are not part of a result, or it is refused.
    let around = FingerprintOptions {
        locations: mode == Mode::Key,
    };
    let mut bodies = Fingerprinter::new(context, &with);
    let mut others = Fingerprinter::new(context, &around).with_locations_in_attributes();
    let top = others.declaration_fingerprint(module, module.top());
    let mut declared: HashMap<usize, Fingerprint> = HashMap::new();
    let mut whole: HashMap<usize, Fingerprint> = HashMap::new();
    let mut keys = Vec::with_capacity(units.units.len());
    let mut orders: Option<UseOrders> = None;
    let none = Reached::default();
    for (unit, own) in own.iter().enumerate() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"rmlir cache unit 2");
        hasher.update(domain.digest().as_bytes());
        hasher.update(&[mode as u8, units.granularity as u8]);
        hasher.update(top.as_bytes());
        hasher.update(own.hash.as_bytes());
        let reached = reached.get(unit).unwrap_or(&none);
        hasher.update(&(reached.declared.len() as u64).to_le_bytes());
        for &position in &reached.declared {
            let Some(&operation) = units.operations.get(position) else {
                continue;
            };
            let fingerprint = declared
                .entry(position)
                .or_insert_with(|| others.declaration_fingerprint(module, operation));
            hasher.update(fingerprint.as_bytes());
        }
        hasher.update(&(reached.whole.len() as u64).to_le_bytes());
        for &position in &reached.whole {
            let Some(&operation) = units.operations.get(position) else {
                continue;
            };
            // Bodies of functions may become part of a result, with their locations.
            let fingerprinter = match units.granularity == Granularity::Closure {
                true => &mut bodies,
                false => &mut others,
            };
            let fingerprint = whole
                .entry(position)
                .or_insert_with(|| fingerprinter.fingerprint(module, operation));
            hasher.update(fingerprint.as_bytes());
            if units.granularity == Granularity::Closure {
                let orders = orders.get_or_insert_with(|| UseOrders::new(module));
                orders.add(module, operation, &mut hasher);
            }
        }
        keys.push(Digest::from_bytes(*hasher.finalize().as_bytes()));
    }
    let context = (!units.context.is_empty()).then(|| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"rmlir cache context");
        hasher.update(domain.digest().as_bytes());
        hasher.update(&[mode as u8, units.granularity as u8]);
        hasher.update(top.as_bytes());
        for &position in &units.context {
            let Some(&operation) = units.operations.get(position) else {
                continue;
            };
            let fingerprint = whole
                .entry(position)
                .or_insert_with(|| others.fingerprint(module, operation));
            hasher.update(fingerprint.as_bytes());
        }
        Digest::from_bytes(*hasher.finalize().as_bytes())
    });
    Keys {
        units: keys,
        context,
        top,
        own: own.iter().map(|part| part.hash).collect(),
        declared,
        whole,
    }
}

/// Orders of uses, which fingerprints do not contain, but passes may follow: a result depends on
/// those that are not the default, the last use first.
struct UseOrders {
    /// By value: the use that was visited last.
    last: Vec<Option<Use>>,
    /// By operation: the hash of the orders in it, if there are any.
    known: HashMap<Operation, Option<blake3::Hash>>,
}

impl UseOrders {
    fn new(module: &Module) -> Self {
        UseOrders {
            last: vec![None; module.value_slots()],
            known: HashMap::new(),
        }
    }

    /// Adds the orders in an operation to a hash.
    fn add(&mut self, module: &Module, operation: Operation, hasher: &mut blake3::Hasher) {
        let found = match self.known.get(&operation) {
            Some(known) => *known,
            None => {
                let found = self.find(module, operation);
                self.known.insert(operation, found);
                found
            }
        };
        if let Some(hash) = found {
            hasher.update(b"uses");
            hasher.update(hash.as_bytes());
        }
    }

    fn find(&mut self, module: &Module, operation: Operation) -> Option<blake3::Hash> {
        let mut unusual: Vec<Value> = Vec::new();
        for operation in module.descendants(operation) {
            for (operand, value) in module.operand_uses(operation) {
                let last = self.last.get_mut(value.index())?;
                if *last != module.next_use(operand) {
                    unusual.push(value);
                }
                *last = Some(operand);
            }
        }
        if unusual.is_empty() {
            return None;
        }
        let operations = module.descendants(operation);
        let operands = operations.flat_map(|operation| module.operand_uses(operation));
        let numbers: HashMap<Use, u64> = operands.map(|(operand, _)| operand).zip(0..).collect();
        let mut hasher = blake3::Hasher::new();
        let mut seen = std::collections::HashSet::new();
        unusual.retain(|value| seen.insert(*value));
        for value in unusual {
            hasher.update(b"value");
            for one in module.uses(value) {
                let number = numbers.get(&one).copied().unwrap_or(u64::MAX);
                hasher.update(&number.to_le_bytes());
            }
        }
        Some(hasher.finalize())
    }
}
