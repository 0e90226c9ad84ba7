//! The reasons why results of units were not found: the ingredients of a module's keys, compared
//! with those of the version of the module that was compiled before.
//!
//! The file `units/VERSIONS` is replaced by each run that stores results. It explains, and decides
//! nothing: a damaged one is the same as none.

use super::keys::Keys;
use super::units::{Reached, Units};
use crate::store::Store;
use crate::{Digest, MacKeys};
use rmlir::ir::{Context, Fingerprint};
use std::collections::HashMap;

const FIRST_LINE: &[u8] = b"rmlir-cache units 1\n";
/// The length of the last line: a check sum.
const LAST_LINE: usize = 65;
/// The number of names of changed symbols that are listed.
const MAX_NAMES: usize = 3;

/// The ingredients of the keys of a module, as hashes of 32 bits: collisions are rare enough for a
/// remark.
pub(crate) struct Ingredients {
    /// Of the module without its operations.
    top: u32,
    /// By the name of a symbol.
    symbols: HashMap<Vec<u8>, Hashes>,
}

/// The hashes of a symbol; 0 where there is none.
#[derive(Clone, Copy, Default)]
struct Hashes {
    /// Of its operations, if it has a result of its own.
    own: u32,
    /// Of its declaration, if others depend on it.
    declaration: u32,
    /// Of all of it, if others depend on that.
    whole: u32,
}

impl Ingredients {
    /// Collects the hashes of a module. Linear in the number of symbols.
    pub(super) fn new(context: &Context, units: &Units, keys: &Keys) -> Self {
        let mut symbols = HashMap::with_capacity(units.operations.len());
        for (position, unit) in units.unit_of.iter().enumerate() {
            let Some(name) = units.name(position) else {
                continue;
            };
            let own = unit.and_then(|unit| keys.own.get(unit));
            let short_of = |all: &HashMap<usize, Fingerprint>| {
                all.get(&position)
                    .map_or(0, |found| short(found.as_bytes()))
            };
            let hashes = Hashes {
                own: own.map_or(0, |hash| short(hash.as_bytes())),
                declaration: short_of(&keys.declared),
                whole: short_of(&keys.whole),
            };
            symbols.insert(context.bytes(name).to_vec(), hashes);
        }
        Ingredients {
            top: short(keys.top.as_bytes()),
            symbols,
        }
    }

    /// Returns why the result of a unit is not that of an earlier version.
    pub(super) fn reason(
        &self,
        before: &Ingredients,
        context: &Context,
        units: &Units,
        unit: usize,
        reached: &Reached,
    ) -> String {
        let name = |position: usize| Some(context.bytes(units.name(position)?).to_vec());
        let changed = |positions: &[usize], hash: fn(&Hashes) -> u32| -> Vec<Vec<u8>> {
            let names = positions.iter().filter_map(|&position| name(position));
            let hash_in = |all: &Ingredients, name: &Vec<u8>| all.symbols.get(name).map(hash);
            names
                .filter(|name| hash_in(self, name) != hash_in(before, name))
                .collect()
        };
        let members = units.units.get(unit).map(Vec::as_slice).unwrap_or_default();
        let is_known = |name: Vec<u8>| before.symbols.get(&name).is_some_and(|one| one.own != 0);
        if !members.iter().copied().filter_map(name).all(is_known) {
            return "the version before has no function of this name: it is new or renamed"
                .to_owned();
        }
        if self.top != before.top {
            return "attributes of the module changed".to_owned();
        }
        if !changed(members, |one| one.own).is_empty() {
            return "its operations changed".to_owned();
        }
        let declared = changed(&reached.declared, |one| one.declaration);
        let whole = changed(&reached.whole, |one| one.whole);
        let listed = |what: &str, names: &[Vec<u8>], verb: &str| {
            let shown = names.iter().take(MAX_NAMES);
            let shown: Vec<String> = shown
                .map(|name| format!("@{}", String::from_utf8_lossy(name)))
                .collect();
            let rest = match names.len().saturating_sub(MAX_NAMES) {
                0 => String::new(),
                rest => format!(" and {rest} more"),
            };
            format!("{what}{}{rest} {verb}", shown.join(", "))
        };
        let mut reasons = Vec::new();
        for (what, names) in [("the declaration of ", declared), ("", whole)] {
            let (changed, added): (Vec<_>, Vec<_>) = names
                .into_iter()
                .partition(|name| before.symbols.contains_key(name));
            if !changed.is_empty() {
                reasons.push(listed(what, &changed, "changed"));
            }
            if !added.is_empty() {
                reasons.push(listed("", &added, "is new or renamed"));
            }
        }
        if reasons.is_empty() {
            return "its result was not stored, or was removed".to_owned();
        }
        reasons.join("; ")
    }

    fn to_bytes(&self, versions: &Digest, keys: &MacKeys) -> Vec<u8> {
        let mut bytes = FIRST_LINE.to_vec();
        bytes.extend(self.top.to_le_bytes());
        let mut names: Vec<&Vec<u8>> = self.symbols.keys().collect();
        names.sort_unstable();
        for name in names {
            let (Ok(len), Some(hashes)) = (u32::try_from(name.len()), self.symbols.get(name))
            else {
                continue;
            };
            bytes.extend(len.to_le_bytes());
            bytes.extend(name);
            for hash in [hashes.own, hashes.declaration, hashes.whole] {
                bytes.extend(hash.to_le_bytes());
            }
        }
        bytes.push(b'\n');
        let sum = keys.check_sum(&summed(versions, &bytes));
        bytes.extend(format!("{sum}\n").as_bytes());
        bytes
    }

    pub(crate) fn parse(bytes: &[u8], versions: &Digest, keys: &MacKeys) -> Option<Self> {
        let start = bytes.len().checked_sub(LAST_LINE)?;
        let (content, last) = bytes.split_at_checked(start)?;
        let sum = Digest::parse(std::str::from_utf8(last).ok()?.strip_suffix('\n')?)?;
        keys.is_check_sum(&summed(versions, content), &sum)
            .then_some(())?;
        let mut rest = content.strip_prefix(FIRST_LINE)?.strip_suffix(b"\n")?;
        let top = number(&mut rest)?;
        let mut symbols = HashMap::new();
        while !rest.is_empty() {
            let len = usize::try_from(number(&mut rest)?).ok()?;
            let (name, after) = rest.split_at_checked(len)?;
            rest = after;
            let hashes = Hashes {
                own: number(&mut rest)?,
                declaration: number(&mut rest)?,
                whole: number(&mut rest)?,
            };
            symbols.insert(name.to_vec(), hashes);
        }
        Some(Ingredients { top, symbols })
    }
}

/// Returns the input of the check sum: the name and the content of the file.
fn summed(versions: &Digest, content: &[u8]) -> Vec<u8> {
    [versions.as_bytes(), content].concat()
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_le_bytes(*number))
}

/// Returns the beginning of a hash, not 0.
fn short(hash: &[u8; 32]) -> u32 {
    let first = hash
        .first_chunk()
        .map_or(0, |first| u32::from_le_bytes(*first));
    first.max(1)
}

impl Store {
    /// Returns the hashes of the version of a module that was compiled last.
    pub(super) fn ingredients(&self, versions: &Digest) -> Option<Ingredients> {
        let path = self.root().join("units").join(versions.to_string());
        let found = Ingredients::parse(&self.read(&path).ok()?, versions, &self.mac)?;
        self.used(&path);
        Some(found)
    }

    /// Replaces the hashes of the version of a module that was compiled last.
    pub(super) fn set_ingredients(&self, versions: &Digest, ingredients: &Ingredients) {
        let path = self.root().join("units").join(versions.to_string());
        // A failure leaves a miss unexplained.
        let _ = self.publish(&path, &[&ingredients.to_bytes(versions, &self.mac)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_found() {
        let keys = MacKeys::default();
        let (name, other) = (Digest::of(b"one"), Digest::of(b"other"));
        let hashes = Hashes {
            own: 1,
            declaration: 0,
            whole: 7,
        };
        let symbols = HashMap::from([(b"f".to_vec(), hashes), (Vec::new(), Hashes::default())]);
        let bytes = Ingredients { top: 5, symbols }.to_bytes(&name, &keys);
        let read = Ingredients::parse(&bytes, &name, &keys).unwrap();
        assert_eq!((read.top, read.symbols.len()), (5, 2));
        assert_eq!(read.symbols[b"f".as_slice()].whole, 7);
        assert!(Ingredients::parse(&bytes, &other, &keys).is_none());
        for at in 0..bytes.len() {
            assert!(Ingredients::parse(&bytes[..at], &name, &keys).is_none());
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Ingredients::parse(&damaged, &name, &keys).is_none());
        }
    }
}
