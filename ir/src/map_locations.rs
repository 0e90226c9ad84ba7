//! Rewrites the locations of operations and block arguments.

use crate::error::Invalid;
use crate::{Context, Entry, Location, LocationKind, Module, Operation, WalkStep};
use foldhash::fast::RandomState;
use std::collections::HashMap;

impl Module {
    /// Rewrites the locations of an operation, of everything nested in it and of the block
    /// arguments in it, leaf by leaf.
    ///
    /// A leaf is a location without parts: a range in a file, an unknown location, or a dialect's
    /// location. `map` decides what takes a leaf's place; `None` keeps it. It is called once for
    /// each leaf that a context holds, in the order in which they are first met. Names and call
    /// sites around a leaf stay; a fused location of which a part changed is
    /// [fused](Context::fused_location) anew, so repeated and unknown parts vanish. Locations in
    /// attributes, such as a fused location's metadata, are not touched.
    ///
    /// Linear in the number of operations and block arguments and of the locations they reach.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, LocationKind, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let file = context.identifier("/home/user/a.py");
    /// let place = context.file_location(file, 3, 7);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// builder.set_location(place);
    /// let op = builder.op("test.op").build()?;
    ///
    /// let short = context.identifier("a.py");
    /// module.map_locations(&mut context, module.top(), |context, leaf| {
    ///     let (_, line, column) = context.place_in_file(leaf)?;
    ///     Some(context.file_location(short, line, column))
    /// })?;
    /// assert_eq!(context.place_in_file(module.location(op)), Some((short, 3, 7)));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    pub fn map_locations(
        &mut self,
        context: &mut Context,
        scope: Operation,
        map: impl FnMut(&mut Context, Location) -> Option<Location>,
    ) -> Result<(), Invalid> {
        let mut mapper = LocationMapper {
            map,
            memo: HashMap::default(),
        };
        let steps: Vec<WalkStep> = self.traverse(scope).collect();
        for step in steps {
            match step {
                WalkStep::EnterOperation(operation) => {
                    let old = self.location(operation);
                    let new = mapper.location(context, old);
                    if new != old {
                        self.set_location(operation, new);
                    }
                }
                WalkStep::EnterBlock(block) => {
                    let old: Vec<Location> = self.arguments(block).map(|(_, l)| l).collect();
                    for (number, old) in old.into_iter().enumerate() {
                        let new = mapper.location(context, old);
                        if new != old {
                            self.set_argument_location(block, number, new)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Maps locations, each once.
struct LocationMapper<F> {
    map: F,
    memo: HashMap<Location, Location, RandomState>,
}

impl<F: FnMut(&mut Context, Location) -> Option<Location>> LocationMapper<F> {
    fn location(&mut self, context: &mut Context, root: Location) -> Location {
        if let Some(&known) = self.memo.get(&root) {
            return known;
        }
        if let LocationKind::FileLineColRange { .. } = context.location_kind(root) {
            let new = (self.map)(context, root).unwrap_or(root);
            self.memo.insert(root, new);
            return new;
        }
        // With whether all parts are mapped.
        let mut stack = vec![(root, false)];
        while let Some((location, ready)) = stack.pop() {
            if ready {
                let new = self.rebuild(context, location);
                self.memo.insert(location, new);
                continue;
            }
            if self.memo.contains_key(&location) {
                continue;
            }
            let start = stack.len();
            stack.push((location, true));
            context.location_kind(location).for_each_child(|child| {
                if let Entry::Location(child) = child {
                    stack.push((child, false));
                }
            });
            if stack.len() == start + 1 {
                stack.pop();
                let new = (self.map)(context, location).unwrap_or(location);
                self.memo.insert(location, new);
            } else if let Some(parts) = stack.get_mut(start + 1..) {
                parts.reverse();
            }
        }
        self.mapped(root)
    }

    fn mapped(&self, location: Location) -> Location {
        self.memo.get(&location).copied().unwrap_or(location)
    }

    /// Returns a location whose parts are mapped; the location itself if none changed.
    fn rebuild(&self, context: &mut Context, location: Location) -> Location {
        let kind = context.location_kind(location);
        let mut changed = false;
        kind.for_each_child(|child| {
            if let Entry::Location(child) = child {
                changed |= self.mapped(child) != child;
            }
        });
        if !changed {
            return location;
        }
        match kind {
            LocationKind::Name { name, child } => {
                let child = self.mapped(child);
                context.location(LocationKind::Name { name, child })
            }
            LocationKind::CallSite { callee, caller } => {
                let (callee, caller) = (self.mapped(callee), self.mapped(caller));
                context.location(LocationKind::CallSite { callee, caller })
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                let parts: Vec<Location> = locations.iter().map(|&l| self.mapped(l)).collect();
                context.fused_location(&parts, metadata)
            }
            _ => location,
        }
    }
}
