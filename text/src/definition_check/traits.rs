//! Finds misspelled names of traits.

use super::Checker;
use crate::diagnostic::Severity;
use rmlir_ir::definition::{OperationDefinition, OperationTraits};
use rmlir_ir::nearest_name;
use std::ops::Range;

impl Checker<'_> {
    /// Checks that traits without a meaning are not misspellings of traits that have one. Linear in
    /// the traits of the operation.
    pub(super) fn traits(&mut self, operation: &OperationDefinition, block: &Range<usize>) {
        for named in &operation.named_traits {
            let known = OperationTraits::known_names();
            let Some(meant) = nearest_name(named.name.as_bytes(), known) else {
                continue;
            };
            let keyword = match named.is_interface {
                true => "interfaces",
                false => "traits",
            };
            let place = self.places.statement(block.clone(), keyword, &named.name);
            let message = format!(
                "'{}' has no meaning beyond its name; did you mean '{meant}'?",
                named.name
            );
            self.say(place, Severity::Remark, message);
        }
    }
}
