//! Declarations that operations of another name take the place of.

use super::{LinkError, Linker, Place};
use crate::symbol_table::RootUses;
use crate::{Identifier, Operation, VerifyOptions, verify};
use foldhash::fast::RandomState;
use std::collections::HashMap;

impl Linker<'_> {
    /// Checks that the users of symbols accept the definitions of another operation name that take
    /// the place of declarations: an `llvm.call` does not accept an `llvm.mlir.alias`. The result
    /// is complete.
    pub(super) fn check_replaced(&mut self) -> Result<(), LinkError> {
        if self.replaced.is_empty() {
            return Ok(());
        }
        let options = VerifyOptions {
            limit: usize::MAX,
            allow_unknown: true,
            allow_misplaced: true,
            symbols_only: true,
            ..VerifyOptions::default()
        };
        let top = self.module.top();
        let Err(errors) = verify(&self.context, &self.module, top, &options) else {
            return Ok(());
        };
        let definitions = self.replaced.iter().filter_map(|&item| {
            let operation = self.items.get(item)?.operation;
            Some((self.module.symbol_name(&self.context, operation)?, item))
        });
        let definitions: HashMap<Identifier, usize, RandomState> = definitions.collect();
        let items = self.items.iter().enumerate();
        let items = items.filter(|(_, item)| item.kept);
        let items: HashMap<Operation, usize, RandomState> = items
            .map(|(number, item)| (item.operation, number))
            .collect();
        let mut places = HashMap::default();
        let mut uses = RootUses::default();
        for error in errors {
            let mut definition = None;
            uses.restart();
            uses.each(
                &self.context,
                &self.module,
                error.operation,
                |_| {},
                |path| {
                    let found = path.first().and_then(|name| definitions.get(name));
                    definition = definition.or(found.copied());
                },
            );
            // Other errors were in the inputs.
            let Some(definition) = definition else {
                continue;
            };
            let definition = self.items.get(definition);
            let definition = definition.map(|item| (item.input, item.from));
            let user = self.place_of(error.operation, &items, &mut places);
            let note = "the definition is here";
            let clash = Self::clash_of_places(error.message.to_string(), user, definition, note);
            self.keep(Err::<(), _>(clash))?;
        }
        Ok(())
    }

    /// Returns the operation of an input that an operation of the result copies. `places` caches
    /// the items of previous calls, so that all calls together take linear time.
    fn place_of(
        &self,
        operation: Operation,
        items: &HashMap<Operation, usize, RandomState>,
        places: &mut HashMap<Operation, Place, RandomState>,
    ) -> Option<Place> {
        if let Some(&known) = places.get(&operation) {
            return Some(known);
        }
        let mut outer = Some(operation);
        let item = loop {
            match items.get(&outer?) {
                Some(&item) => break self.items.get(item)?,
                None => outer = self.module.parent_operation(outer?),
            }
        };
        let input = self.inputs.get(item.input)?;
        let copies = self.module.descendants(item.operation);
        let pairs = copies.zip(input.module.descendants(item.from));
        places.extend(pairs.map(|(copy, from)| (copy, (item.input, from))));
        let place = places.entry(operation);
        Some(*place.or_insert((item.input, item.from)))
    }
}
