//! The packs of a stage on a server: which ones there are is the value of a key, the head.
//!
//! Versions of a module have the same head, so that looking for the results of all its functions
//! takes one request, and one more for each pack. Of two writers at the same time the last one
//! wins; what the other one stored is compiled again.

use super::state::State;
use crate::{ActionKey, Cache, Digest, Entry};
use rmlir::Ir;

/// The number of packs that a head names; more are merged.
const MAX_PACKS: usize = 16;
/// The roles of the outputs of a head.
const PACK: &str = "pack";
const STATE: &str = "state";

/// Returns the key of the head for a module: the least hash of the names of its symbols. Modules
/// that have most names in common most likely have the same.
pub(super) fn key(domain: &ActionKey, input: &Ir) -> ActionKey {
    let names = input.op().children().filter_map(|op| op.symbol_name());
    let least = names.map(|name| Digest::of(name.as_bytes())).min();
    let least = least.map(|digest| digest.to_string()).unwrap_or_default();
    domain.extend().with("head", least).finish()
}

/// Copies what a server has to the directory.
pub(super) fn fetch(cache: &Cache, domain: &ActionKey, head: &ActionKey) {
    let Some(fetched) = cache.fetch(&head.digest()) else {
        return;
    };
    let store = cache.store();
    for (output, bytes) in fetched.record.outputs.iter().zip(&fetched.contents) {
        match output.role.as_str() {
            // A failure makes a miss.
            PACK => drop(store.put_pack(&domain.digest(), bytes)),
            STATE if store.state(&domain.digest()).is_none() => {
                if let Some(state) = State::parse(bytes, &domain.digest(), &store.mac) {
                    store.set_state(&domain.digest(), &state);
                }
            }
            _ => {}
        }
    }
}

/// Stores the packs of the directory, and what is known of the stage, on the servers.
pub(super) fn send(cache: &Cache, domain: &ActionKey, head: &ActionKey) {
    let store = cache.store();
    let Some(state) = store.state(&domain.digest()) else {
        return;
    };
    let mut entry = Entry::new().with_output(STATE, state.to_text(&domain.digest(), &store.mac));
    for bytes in store.pack_files(&domain.digest(), MAX_PACKS) {
        entry = entry.with_output(PACK, bytes);
    }
    let (record, contents) = cache.to_record(head, &entry);
    cache.send(&record, &contents);
}
