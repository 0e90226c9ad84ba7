//! The state that a parser shares with the nested parsers of bodies and defaults.

use super::ParseOptions;
use crate::parser::entries::Defaults;
use rmlir_ir::asm::{AsmError, AsmResult};
use rmlir_limits::DEFAULT_MAX_TEXT_EXPANSION;

/// The remaining expansion budget, and the memoized defaults. A nested parser or printer receives
/// it, and returns it.
pub(crate) struct SharedState {
    /// The remainder of [`ParseOptions::max_shared_entities`].
    pub(super) left: u64,
    limit: u64,
    /// Whether something was not built because of the budget; the text is then rejected.
    pub(crate) is_exceeded: bool,
    pub(crate) defaults: Defaults,
}

impl Default for SharedState {
    fn default() -> Self {
        SharedState::with_limit(DEFAULT_MAX_TEXT_EXPANSION)
    }
}

impl SharedState {
    pub(crate) fn with_limit(limit: u64) -> Self {
        SharedState {
            left: limit,
            limit,
            is_exceeded: false,
            defaults: Defaults::default(),
        }
    }

    /// That of a text.
    pub(super) fn of(source: &[u8], options: &ParseOptions) -> Self {
        Self::with_limit(
            options
                .max_shared_entities
                .saturating_add(source.len() as u64),
        )
    }

    /// Charges `count` units to the budget for text at `place`. Must be called before they are
    /// created.
    ///
    /// # Errors
    /// If fewer units remain.
    #[inline]
    pub(crate) fn spend(&mut self, place: usize, count: usize) -> AsmResult<()> {
        match self.left.checked_sub(count as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.too_much(place)),
        }
    }

    #[cold]
    pub(super) fn too_much(&mut self, place: usize) -> AsmError {
        self.left = 0;
        self.is_exceeded = true;
        let limit = self.limit;
        AsmError::new(
            place,
            format!(
                "the text makes more entities from shared ones than the limit of {limit} (ParseOptions::max_shared_entities)"
            ),
        )
    }

    /// Of how many bytes a text of this length can become.
    pub(crate) fn longest(&self, len: usize) -> usize {
        let more = usize::try_from(self.left).unwrap_or(usize::MAX);
        more.saturating_mul(BYTES_OF_A_UNIT).saturating_add(len)
    }
}

/// How much text is a unit of [`ParseOptions::max_shared_entities`].
pub(super) const BYTES_OF_A_UNIT: usize = 4;
