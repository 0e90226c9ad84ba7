//! [`Stored`]: the results of a stage in the directory.

use super::form::read_options;
use crate::Digest;
use crate::pack::Packs;
use crate::store::Store;
use rmlir::{Ir, Threads};

/// The packs of a stage, with a module that was read ahead.
pub(super) struct Stored {
    pub(super) packs: Packs,
    /// The numbers of a pack and of a segment, and the module in it.
    ahead: Option<((usize, u16), Ir)>,
}

impl Stored {
    /// Reads the packs of a domain. With the size of an input, the largest segment that is not
    /// larger is read ahead: an input of which little changed needs most of the results there.
    pub(super) fn read(store: &Store, domain: &Digest, input_len: Option<usize>) -> Self {
        let packs = store.packs(domain);
        let largest = input_len.and_then(|most| packs.largest_segment(most));
        let ahead = largest.and_then(|(pack, segment)| {
            let bytes = packs.segment(pack, segment)?.to_vec();
            let options = read_options("-", Threads::ONE);
            Some(((pack, segment), rmlir::read_with(bytes, &options).ok()?))
        });
        Stored { packs, ahead }
    }

    /// Returns the module of a segment, if it was read ahead.
    pub(super) fn take(&mut self, pack: usize, segment: u16) -> Option<Ir> {
        let ahead = self.ahead.take_if(|(place, _)| *place == (pack, segment));
        ahead.map(|(_, ir)| ir)
    }
}
