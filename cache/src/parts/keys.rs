//! Keys of units.

use super::state::Mode;
use super::units::{Granularity, Reached, Units};
use crate::{ActionKey, Digest};
use rmlir::ir::{Context, Fingerprint, FingerprintOptions, Fingerprinter, Module};
use std::collections::HashMap;

/// Returns the key of each unit. The ranges in the operations of units are placeholders in mode
/// [`Mode::Rebind`].
pub(crate) fn unit_keys(
    context: &Context,
    module: &Module,
    units: &Units,
    reached: &[Reached],
    domain: &ActionKey,
    mode: Mode,
) -> Vec<Digest> {
    let with = FingerprintOptions { locations: true };
    // Positions of other symbols are not part of a result, or it is refused.
    let around = FingerprintOptions {
        locations: mode == Mode::Key,
    };
    let mut own = Fingerprinter::new(context, &with);
    let mut others = Fingerprinter::new(context, &around);
    let top = others.declaration_fingerprint(module, module.top());
    let mut declared: HashMap<usize, Fingerprint> = HashMap::new();
    let mut whole: HashMap<usize, Fingerprint> = HashMap::new();
    let mut keys = Vec::with_capacity(units.units.len());
    let none = Reached::default();
    for unit in 0..units.units.len() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"rmlir cache unit");
        hasher.update(domain.digest().as_bytes());
        hasher.update(&[mode as u8, units.granularity as u8]);
        hasher.update(top.as_bytes());
        let operations = units.operations_of(module, unit);
        hasher.update(&(operations.len() as u64).to_le_bytes());
        for operation in operations {
            hasher.update(own.fingerprint(module, operation).as_bytes());
        }
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
                true => &mut own,
                false => &mut others,
            };
            let fingerprint = whole
                .entry(position)
                .or_insert_with(|| fingerprinter.fingerprint(module, operation));
            hasher.update(fingerprint.as_bytes());
        }
        keys.push(Digest::from_bytes(*hasher.finalize().as_bytes()));
    }
    keys
}
