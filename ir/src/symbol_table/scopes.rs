//! References to symbols of the top level, from any depth.
//!
//! A name denotes the symbol of the innermost symbol table around that has it. Upstream looks in
//! the nearest symbol table alone, but dialects look further out on their own. Where the nearest
//! table has the name, both agree; where it has not, a reference may be one of either kind, and it
//! does no harm to follow it or to rename it.

use super::symbols_in;
use super::uses::{Renamer, SeenEntries, UseFinder};
use crate::error::Invalid;
use crate::symbol_text::for_each_symbol_in_strings;
use crate::{
    AttributeKind, Context, Entry, EntryWalker, Identifier, Module, Operation, Traversal, Type,
    TypeKind, WalkOrder, WalkResult, WalkStep,
};
use foldhash::fast::RandomState;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A step through an operation and what is nested in it.
enum ScopeStep {
    /// An operation.
    Operation(Operation),
    /// The symbols of a nested symbol table hide those outside.
    Enter(Vec<Identifier>),
    /// They do no longer.
    Leave(Vec<Identifier>),
}

/// Iterates over the steps through an operation directly in the top-level one.
struct ScopeSteps<'a> {
    context: &'a Context,
    module: &'a Module,
    steps: Traversal<'a>,
    /// The symbol tables with symbols around the next operation, with the names of these.
    open: Vec<(Operation, Vec<Identifier>)>,
    /// The symbols of the operation that was the last step.
    entered: Option<Vec<Identifier>>,
}

impl<'a> ScopeSteps<'a> {
    fn new(context: &'a Context, module: &'a Module, root: Operation) -> Self {
        ScopeSteps {
            context,
            module,
            steps: module.traverse(root),
            open: Vec::new(),
            entered: None,
        }
    }

    /// Returns the symbols of an operation that is a symbol table, unless there are none.
    fn symbols_of(&self, operation: Operation) -> Option<Vec<Identifier>> {
        let (context, module) = (self.context, self.module);
        if module.regions(operation).len() == 0 || !module.is_symbol_table(context, operation) {
            return None;
        }
        let symbols = symbols_in(module, operation);
        let names = symbols.filter_map(|symbol| module.symbol_name(context, symbol));
        let names: Vec<Identifier> = names.collect();
        (!names.is_empty()).then_some(names)
    }
}

impl Iterator for ScopeSteps<'_> {
    type Item = ScopeStep;

    fn next(&mut self) -> Option<ScopeStep> {
        if let Some(names) = self.entered.take() {
            return Some(ScopeStep::Enter(names));
        }
        loop {
            match self.steps.next()? {
                WalkStep::EnterOperation(operation) => {
                    self.entered = self.symbols_of(operation);
                    if let Some(names) = &self.entered {
                        self.open.push((operation, names.clone()));
                    }
                    return Some(ScopeStep::Operation(operation));
                }
                WalkStep::LeaveOperation(operation) => {
                    let left = self.open.pop_if(|(open, _)| *open == operation);
                    if let Some((_, names)) = left {
                        return Some(ScopeStep::Leave(names));
                    }
                }
                _ => {}
            }
        }
    }
}

/// How many symbol tables around hide a name.
#[derive(Default)]
struct Hidden(HashMap<Identifier, u32, RandomState>);

impl Hidden {
    fn enter(&mut self, names: &[Identifier]) {
        for &name in names {
            let count = self.0.entry(name).or_default();
            *count = count.saturating_add(1);
        }
    }

    fn leave(&mut self, names: &[Identifier]) {
        for name in names {
            if let Some(count) = self.0.get_mut(name) {
                *count = count.saturating_sub(1);
            }
        }
    }

    fn hides(&self, name: Identifier) -> bool {
        self.0.get(&name).is_some_and(|&count| count != 0)
    }
}

/// Finds references to symbols of the top level.
#[derive(Default)]
pub(crate) struct RootUses {
    finder: UseFinder,
    /// The symbols that were visited, for each enclosing scope; attributes and types, and
    /// attributes whose strings are names.
    seen: Vec<[SeenEntries; 2]>,
}

impl RootUses {
    /// Forgets what was looked at, so that the following references are found again.
    pub(crate) fn restart(&mut self) {
        self.seen.clear();
    }

    /// Calls `each` with the paths of references in the attributes of an operation.
    pub(crate) fn of_attributes(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        mut each: impl FnMut(&[Identifier]),
    ) {
        let [mut seen, mut strings] = <[SeenEntries; 2]>::default();
        let roots = [module.properties(operation), module.attributes(operation)];
        for root in roots.into_iter().flatten() {
            self.finder.each_path(context, root, &mut seen, &mut each);
        }
        let finder = &mut self.finder;
        finder.each_declared(context, module, operation, &mut strings, |name| {
            each(&[name])
        });
    }

    /// Calls `each` with the paths of references in an operation directly in the top-level one, and
    /// in everything nested in it, that are not to symbols of nested symbol tables. Each attribute
    /// and type is looked at once since the [restart](Self::restart), but for each nested symbol
    /// table. `nested` gets the names of all symbols of nested symbol tables. Returns the number of
    /// operations.
    ///
    /// Linear in the number of operations, values and references, and of attributes and types.
    pub(crate) fn each(
        &mut self,
        context: &Context,
        module: &Module,
        root: Operation,
        mut nested: impl FnMut(Identifier),
        mut each: impl FnMut(&[Identifier]),
    ) -> usize {
        let mut count = 0usize;
        let mut hidden = Hidden::default();
        self.seen.truncate(1);
        if self.seen.is_empty() {
            self.seen.push(Default::default());
        }
        for step in ScopeSteps::new(context, module, root) {
            match step {
                ScopeStep::Enter(names) => {
                    hidden.enter(&names);
                    names.into_iter().for_each(&mut nested);
                    self.seen.push(Default::default());
                }
                ScopeStep::Leave(names) => {
                    hidden.leave(&names);
                    self.seen.pop();
                }
                ScopeStep::Operation(operation) => {
                    count = count.saturating_add(1);
                    let Some([seen, strings]) = self.seen.last_mut() else {
                        continue;
                    };
                    let mut visible = |path: &[Identifier]| {
                        if path.first().is_some_and(|&name| !hidden.hides(name)) {
                            each(path);
                        }
                    };
                    let finder = &mut self.finder;
                    let roots = [module.properties(operation), module.attributes(operation)];
                    for root in roots.into_iter().flatten() {
                        finder.each_path(context, root, seen, &mut visible);
                    }
                    each_type(module, operation, |ty| {
                        finder.each_path(context, ty, seen, &mut visible);
                    });
                    finder.each_declared(context, module, operation, strings, |name| {
                        visible(&[name]);
                    });
                }
            }
        }
        count
    }
}

/// Calls `each` with the types of an operation's results and block arguments.
fn each_type(module: &Module, operation: Operation, mut each: impl FnMut(Type)) {
    for value in module.results(operation) {
        each(module.value_type(value));
    }
    for region in module.regions(operation) {
        for block in module.blocks(region) {
            for (argument, _) in module.arguments(block) {
                each(module.value_type(argument));
            }
        }
    }
}

/// Renames symbols of the top level in references of operations directly in the top-level one, and
/// in everything nested in these. The names of the symbols themselves do not change.
///
/// Linear in the number of operations, values and references, and of the attributes and types of
/// each symbol table that hides names.
///
/// # Errors
///
/// Does not fail in a module that keeps its invariants.
pub(crate) fn rename_roots(
    context: &mut Context,
    module: &mut Module,
    operations: &[Operation],
    names: &HashMap<Identifier, Identifier, RandomState>,
) -> Result<(), Invalid> {
    let hidden = Rc::new(RefCell::new(Hidden::default()));
    let rename = {
        let hidden = Rc::clone(&hidden);
        Rc::new(move |path: &[Identifier]| {
            let root = *path.first()?;
            let new = *names.get(&root)?;
            (!hidden.borrow().hides(root)).then_some((0, new))
        })
    };
    // One for each symbol table around that hides names which are to change.
    let mut renamers = vec![Renamer::shared(Rc::clone(&rename))];
    for &root in operations {
        let steps: Vec<ScopeStep> = ScopeSteps::new(context, module, root).collect();
        for step in steps {
            match step {
                ScopeStep::Enter(mut hides) => {
                    hides.retain(|name| names.contains_key(name));
                    if !hides.is_empty() {
                        hidden.borrow_mut().enter(&hides);
                        renamers.push(Renamer::shared(Rc::clone(&rename)));
                    }
                }
                ScopeStep::Leave(mut hides) => {
                    hides.retain(|name| names.contains_key(name));
                    if !hides.is_empty() {
                        hidden.borrow_mut().leave(&hides);
                        renamers.pop();
                    }
                }
                ScopeStep::Operation(operation) => {
                    if let Some(renamer) = renamers.last_mut() {
                        renamer.attributes_of(context, module, operation)?;
                        renamer.types_of(context, module, operation)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Returns the first operation with a body of an attribute or type that mentions a name, as `@name`
/// or `@"name"`, in a string: there it may be a reference, and cannot be replaced. Linear in the
/// number of operations and of the attributes and types that they reach.
pub(crate) fn mentioned_in_strings(
    context: &Context,
    module: &Module,
    operations: &[Operation],
    is_wanted: impl Fn(&[u8]) -> bool,
) -> Option<(Operation, Vec<u8>)> {
    let mut walker = EntryWalker::new();
    let mut found = None;
    for operation in operations.iter().flat_map(|&root| module.descendants(root)) {
        let mut look_at = |root: Entry| {
            if found.is_some() {
                return;
            }
            walker.walk(context, root, WalkOrder::PreOrder, |entry| {
                let text = match entry {
                    Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
                        AttributeKind::Dialect { body, .. } => body.text(),
                        AttributeKind::DenseText { literal, .. } => context.bytes(*literal),
                        _ => return WalkResult::Advance,
                    },
                    Entry::Type(ty) => match context.type_kind(ty) {
                        TypeKind::Dialect { body, .. } => body.text(),
                        _ => return WalkResult::Advance,
                    },
                    Entry::Location(_) => return WalkResult::Advance,
                };
                for_each_symbol_in_strings(text, |name| {
                    if found.is_none() && is_wanted(name) {
                        found = Some(name.to_vec());
                    }
                });
                match found {
                    Some(_) => WalkResult::Interrupt,
                    None => WalkResult::Advance,
                }
            });
        };
        let roots = [module.properties(operation), module.attributes(operation)];
        roots
            .into_iter()
            .flatten()
            .for_each(|root| look_at(root.into()));
        each_type(module, operation, |ty| look_at(ty.into()));
        if let Some(name) = found.take() {
            return Some((operation, name));
        }
    }
    None
}
