//! The names of values and blocks: `%0`, `%arg0`, `^bb1`, or those of the source.

use super::PrintOptions;
use super::location_names::LocationNames;
use super::output::{Output, write_number};
use crate::formats::segments::segment_sizes;
use crate::lexer::is_suffix;
use foldhash::HashMap;
use rmlir_ir::definition::{GroupKind, OperationDefinition, RESULT_SEGMENT_SIZES};
use rmlir_ir::{
    Block, Context, Identifier, Module, Operation, OperationTraits, Region, Value, ValueDefinition,
};
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The bits that encode the kind of a name. If none is set, it is a number.
const KIND: u32 = 3 << 30;
/// The kind of arguments of entry blocks, which are called `%argN`.
const ARGUMENT: u32 = 2 << 30;
/// The kind of values with a name of their own, the rest being its number in `Names::kept`.
const KEPT: u32 = 1 << 30;
/// The kind of numbers that several results share.
const SHARED: u32 = 3 << 30;
/// A value without a name, which is not part of the printed text.
const UNNAMED: u32 = u32::MAX;

/// A name of the source or of a definition.
type Name = Arc<[u8]>;

/// The names of all values and blocks in an operation.
pub(super) struct Names {
    /// The names by value.
    values: Vec<u32>,
    /// The number of each block in its region.
    blocks: Vec<u32>,
    next_value: u32,
    next_argument: u32,
    /// Names from the source or definitions, each with whether its value is one of several results.
    kept: Vec<(Name, bool)>,
    kept_blocks: HashMap<Block, Name>,
    /// For results of operations whose results have several names: the number in the group that has
    /// one name, and how many the group has.
    groups: HashMap<Value, (u32, u32)>,
    /// Kept names in use here, in the order of their claims, so that those of a region can be
    /// released.
    used: UsedNames,
    order: Vec<ClaimedName>,
    /// By name of the source: the first suffix number that was not tried.
    tried: HashMap<Name, u64>,
    /// Whether operations are printed in custom form.
    custom: bool,
    /// Whether definitions provide names.
    suggests: bool,
    /// By operation name: whether its definition provides names for results.
    suggesting: Vec<Option<bool>>,
    /// The suffix number for the next name from a definition or location that is taken.
    next_conflict: u64,
    /// The numbers of operations without results, if they have numbers.
    operations: Option<HashMap<Operation, u32>>,
    /// The names in locations, if they name values.
    locations: Option<LocationNames>,
}

/// The names in use at a position.
#[derive(Default)]
struct UsedNames {
    /// Includes names formerly in use, so that recurring ones, such as `c0`, are allocated once.
    names: HashMap<Name, (Name, bool)>,
}

/// The maximum number of memoized names that are not in use.
const MOST_UNUSED: usize = 1 << 14;

impl UsedNames {
    /// Takes a name if it is free.
    fn take(&mut self, name: &[u8]) -> Option<Name> {
        if let Some((name, used)) = self.names.get_mut(name) {
            return match std::mem::replace(used, true) {
                true => None,
                false => Some(name.clone()),
            };
        }
        let name: Name = name.into();
        self.names.insert(name.clone(), (name.clone(), true));
        Some(name)
    }

    /// Releases a name.
    fn give_back(&mut self, name: &[u8]) {
        if self.names.len() > MOST_UNUSED {
            self.names.remove(name);
        } else if let Some((_, used)) = self.names.get_mut(name) {
            *used = false;
        }
    }
}

/// The sources of names.
#[derive(Clone, Copy)]
struct Naming<'c> {
    context: &'c Context,
    /// Whether names of the source are kept.
    keep: bool,
}

/// A kept name that is in use.
struct ClaimedName {
    name: Name,
    /// For a name with a number appended: the name of the source, and its previous entry in
    /// `Names::tried`.
    source: Option<(Name, u64)>,
}

/// A region to be numbered, and the state with which its own numbers start.
struct Pending {
    region: Region,
    next_value: u32,
    next_argument: u32,
    next_conflict: u64,
    /// The number of kept names in use around it.
    used: usize,
}

/// Regions in which names are assigned, with all regions around them.
#[derive(Default)]
struct Regions {
    /// Those of the top-level operation.
    outermost: Vec<Region>,
    /// Those directly in each of these regions.
    inner: HashMap<Region, Vec<Region>>,
}

impl Regions {
    /// Returns the regions of operations in `top`, and those around them. Linear in their number.
    fn around(module: &Module, top: Operation, operations: &[Operation]) -> Self {
        let mut regions = Regions::default();
        for &operation in operations {
            for region in module.regions(operation) {
                regions.add(module, top, region);
            }
            if operation != top
                && let Some(region) = region_around(module, operation)
            {
                regions.add(module, top, region);
            }
        }
        regions
    }

    /// Adds a region, and those around it.
    fn add(&mut self, module: &Module, top: Operation, mut region: Region) {
        // The regions around a known one are known.
        if self.inner.contains_key(&region) {
            return;
        }
        self.inner.insert(region, Vec::new());
        loop {
            let parent = module.region_parent(region).filter(|&parent| parent != top);
            let Some(outer) = parent.and_then(|parent| region_around(module, parent)) else {
                return self.outermost.push(region);
            };
            match self.inner.entry(outer) {
                Entry::Occupied(mut known) => return known.get_mut().push(region),
                Entry::Vacant(new) => new.insert(vec![region]),
            };
            region = outer;
        }
    }
}

/// Returns the region that an operation is in.
fn region_around(module: &Module, operation: Operation) -> Option<Region> {
    module.block_region(module.parent_block(operation)?)
}

/// Returns the values whose names the arguments of a region have.
fn shadowed(naming: Naming<'_>, module: &Module, region: Region) -> Vec<Value> {
    let around = module.region_parent(region);
    let definition =
        around.and_then(|around| naming.context.operation_definition(module.name(around)));
    match definition.and_then(|definition| definition.names) {
        Some(names) => names.shadowed(naming.context, module, region),
        None => Vec::new(),
    }
}

impl Names {
    /// Assigns names to everything in `operation`.
    ///
    /// The order is upstream's: a region is numbered with its operations' results but without their
    /// regions, which come later, the last first. In custom form each region continues the numbers
    /// of the region around it, unless numbers are unique; in generic form they always are. If the
    /// options keep source names, those that the module preserves are used where they do not
    /// collide.
    pub(super) fn new(
        context: &Context,
        module: &Module,
        operation: Operation,
        options: &PrintOptions,
    ) -> Self {
        Self::in_regions(context, module, operation, None, options)
    }

    /// Assigns names to what the heads of operations in `top` can contain: the values and blocks in
    /// their own regions, in the regions that they are in, and in those around these. The names are
    /// those that [`new`](Self::new) assigns. Linear in the operations directly in these regions,
    /// unless numbers are unique: these depend on all regions.
    pub(super) fn for_heads(
        context: &Context,
        module: &Module,
        top: Operation,
        operations: &[Operation],
        options: &PrintOptions,
    ) -> Self {
        let depends_on_all = options.generic || options.unique_numbers || options.value_users;
        let named = (!depends_on_all).then(|| Regions::around(module, top, operations));
        Self::in_regions(context, module, top, named.as_ref(), options)
    }

    /// Assigns names in all regions of `operation`, or in those given.
    fn in_regions(
        context: &Context,
        module: &Module,
        operation: Operation,
        named: Option<&Regions>,
        options: &PrintOptions,
    ) -> Self {
        let source_names = options.keep_names;
        let unique = options.generic || options.unique_numbers;
        let mut names = Names {
            values: vec![UNNAMED; module.value_slots()],
            blocks: vec![0; module.block_slots()],
            next_value: 0,
            next_argument: 0,
            kept: Vec::new(),
            kept_blocks: HashMap::default(),
            groups: HashMap::default(),
            used: UsedNames::default(),
            order: Vec::new(),
            tried: HashMap::default(),
            custom: !options.generic,
            suggests: !options.generic && !source_names,
            suggesting: vec![None; context.operation_name_count()],
            next_conflict: 0,
            operations: options.value_users.then(HashMap::default),
            locations: options.names_of_locations.then(LocationNames::default),
        };
        let context = Naming {
            context,
            keep: source_names,
        };
        names.results(context, module, operation);
        if !unique && module.result_count(operation) == 0 {
            // A number of the operation itself is used again in its regions.
            names.next_value = 0;
        }
        let mut stack: Vec<Pending> = Vec::new();
        let pending = |names: &Names, region| Pending {
            region,
            next_value: names.next_value,
            next_argument: names.next_argument,
            next_conflict: names.next_conflict,
            used: names.order.len(),
        };
        match named {
            Some(named) => stack.extend(named.outermost.iter().map(|&r| pending(&names, r))),
            None => stack.extend(module.regions(operation).map(|r| pending(&names, r))),
        }
        while let Some(next) = stack.pop() {
            let region = next.region;
            if !unique {
                names.next_value = next.next_value;
                names.next_argument = next.next_argument;
                names.next_conflict = next.next_conflict;
            }
            while names.order.len() > next.used {
                names.release();
            }
            names.region(context, module, region);
            if let Some(named) = named {
                let inner = named.inner.get(&region).into_iter().flatten();
                stack.extend(inner.map(|&r| pending(&names, r)));
                continue;
            }
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    stack.extend(module.regions(operation).map(|r| pending(&names, r)));
                }
            }
        }
        names
    }

    fn region(&mut self, naming: Naming<'_>, module: &Module, region: Region) {
        let shadowed = match self.custom {
            true => shadowed(naming, module, region),
            false => Vec::new(),
        };
        if self.suggests {
            self.suggest_arguments(naming, module, region);
        }
        let mut block_names = UsedNames::default();
        let mut tried: HashMap<&[u8], u64> = HashMap::default();
        for (number, block) in module.blocks(region).enumerate() {
            if let Some(slot) = self.blocks.get_mut(block.index()) {
                *slot = number as u32;
            }
            let context = naming.context;
            if naming.keep
                && let Some(name) = module.provenance.block_names.get(block)
                && is_name(context.bytes(name))
                && !is_generated(context.bytes(name), b"bb")
            {
                let name = context.bytes(name);
                let name = block_names.take(name).unwrap_or_else(|| {
                    let tried = tried.entry(name).or_insert(0);
                    unique(name, tried, |name| block_names.take(name))
                });
                self.kept_blocks.insert(block, name);
            }
            for (argument, _) in module.arguments(block) {
                if self.keep(naming, module, argument) || self.get(argument) != UNNAMED {
                    continue;
                }
                let number = (number == 0).then(|| {
                    let number = self.next_argument;
                    self.next_argument = number.wrapping_add(1);
                    number
                });
                if self.locations.is_some() && self.name_by_location(naming, module, argument) {
                    continue;
                }
                let name = number.map_or_else(|| self.next(), |number| number | ARGUMENT);
                self.set(argument, name);
            }
            if number == 0 && !shadowed.is_empty() {
                for (&value, (argument, _)) in shadowed.iter().zip(module.arguments(block)) {
                    self.set(argument, self.get(value));
                }
            }
            for operation in module.operations(block) {
                self.results(naming, module, operation);
            }
        }
    }

    /// Applies the names that the operation around a region provides for its arguments.
    fn suggest_arguments(&mut self, naming: Naming<'_>, module: &Module, region: Region) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let definition = naming.context.operation_definition(module.name(operation));
        let Some(names) = definition.and_then(|definition| definition.names) else {
            return;
        };
        names.argument_names(naming.context, module, region, &mut |value, name| {
            self.suggest(naming, module, value, name);
        });
    }

    /// Returns whether operations with an operation's name could name their results. Memoized by
    /// name.
    #[inline]
    fn is_suggesting(&mut self, naming: Naming<'_>, module: &Module, operation: Operation) -> bool {
        let name = module.name(operation);
        if let Some(Some(known)) = self.suggesting.get(name.index()) {
            return *known;
        }
        let release = naming.context.release();
        let definition = naming.context.operation_definition(name);
        let suggesting = definition.is_some_and(|definition| {
            definition.names.is_some()
                || !definition.result_names.is_empty()
                || definition.groups_in(&definition.results, release).count() > 1
        });
        if let Some(slot) = self.suggesting.get_mut(name.index()) {
            *slot = Some(suggesting);
        }
        suggesting
    }

    /// Applies the names that an operation provides for its results.
    fn suggest_results(&mut self, naming: Naming<'_>, module: &Module, operation: Operation) {
        let name = module.name(operation);
        let Some(definition) = naming.context.operation_definition(name) else {
            return;
        };
        if let Some(names) = definition.names {
            names.result_names(naming.context, module, operation, &mut |value, name| {
                self.suggest(naming, module, value, name);
            });
        } else if !definition.result_names.is_empty() {
            let named = module.results(operation).zip(&definition.result_names);
            for (result, name) in named {
                self.suggest(naming, module, result, name);
            }
        } else {
            self.suggest_groups(naming, module, operation, definition);
        }
    }

    /// If there are several groups of results, the first result of each gets the group's name.
    fn suggest_groups(
        &mut self,
        naming: Naming<'_>,
        module: &Module,
        operation: Operation,
        definition: &OperationDefinition,
    ) {
        let release = naming.context.release();
        let groups = || definition.groups_in(&definition.results, release);
        let (count, all) = (groups().count(), module.result_count(operation));
        let traits = definition.traits(release);
        if count <= 1 {
            return;
        }
        let segments = match traits.contains(OperationTraits::ATTRIBUTE_SIZED_RESULTS) {
            true => {
                let sizes = segment_sizes(naming.context, module, operation, RESULT_SEGMENT_SIZES);
                let sizes: Option<Vec<usize>> = sizes.and_then(Iterator::collect);
                let Some(sizes) = sizes else { return };
                Some(sizes)
            }
            false => None,
        };
        let variadic = groups().filter(|g| g.kind != GroupKind::Single).count();
        let singles = count.saturating_sub(variadic);
        let Some(left) = all.checked_sub(singles) else {
            return;
        };
        let each = left.checked_div(variadic).unwrap_or(0);
        let mut start = 0usize;
        for (number, group) in groups().enumerate() {
            let len = match (&segments, group.kind) {
                (Some(segments), _) => segments.get(number).copied().unwrap_or(0),
                (None, GroupKind::Single) => 1,
                (None, _) => each,
            };
            if len > 0
                && !group.name.is_empty()
                && let Some(first) = module.result(operation, start)
            {
                self.suggest(naming, module, first, &group.name);
            }
            start = start.saturating_add(len);
        }
    }

    /// Returns the name in the location of a value, if such names are used.
    fn name_in_location(
        &mut self,
        naming: Naming<'_>,
        module: &Module,
        value: Value,
    ) -> Option<Identifier> {
        let names = self.locations.as_mut()?;
        names.first(naming.context, module.value_location(value)?)
    }

    /// Gives a value the name in its location. Returns whether it has one; an empty name denotes a
    /// number.
    fn name_by_location(&mut self, naming: Naming<'_>, module: &Module, value: Value) -> bool {
        let Some(name) = self.name_in_location(naming, module, value) else {
            return false;
        };
        self.suggest_bytes(module, value, naming.context.bytes(name));
        true
    }

    /// Gives a value the name in its location, or else the name that a definition provides.
    fn suggest(&mut self, naming: Naming<'_>, module: &Module, value: Value, name: &str) {
        if self.locations.is_some() && self.name_by_location(naming, module, value) {
            return;
        }
        self.suggest_bytes(module, value, name.as_bytes());
    }

    /// Gives a value a name, with a number appended if it is taken.
    fn suggest_bytes(&mut self, module: &Module, value: Value, name: &[u8]) {
        if name.is_empty() {
            let shared = match module.definition(value) {
                ValueDefinition::Result(operation, _) if module.result_count(operation) > 1 => {
                    SHARED
                }
                _ => 0,
            };
            let number = self.next() | shared;
            return self.set(value, number);
        }
        let mut text = Cow::Borrowed(name);
        if text.first().is_none_or(u8::is_ascii_digit) {
            text.to_mut().insert(0, b'_');
        }
        if !text.iter().all(|&byte| is_suffix(byte)) {
            text = Cow::Owned(escaped(&text));
        }
        let name = self
            .used
            .take(&text)
            .unwrap_or_else(|| unique(&text, &mut self.next_conflict, |name| self.used.take(name)));
        self.order.push(ClaimedName {
            name: name.clone(),
            source: None,
        });
        self.set_kept(module, value, name);
    }

    /// Gives a value a name of its own.
    fn set_kept(&mut self, module: &Module, value: Value, name: Name) {
        let in_group = match module.definition(value) {
            ValueDefinition::Result(operation, _) => module.result_count(operation) > 1,
            _ => false,
        };
        self.set(value, (self.kept.len() as u32) | KEPT);
        self.kept.push((name, in_group));
    }

    /// Assigns one number to all results of an operation, unless the source named groups of them.
    fn results(&mut self, naming: Naming<'_>, module: &Module, operation: Operation) {
        let mut name = None;
        let mut groups = 0usize;
        let count_of_results = module.result_count(operation);
        if count_of_results == 0 && self.operations.is_some() {
            let number = self.next();
            if let Some(operations) = &mut self.operations {
                operations.insert(operation, number);
            }
        }
        let kind = match count_of_results {
            0 | 1 => 0,
            _ => SHARED,
        };
        if self.suggests && count_of_results > 0 && self.is_suggesting(naming, module, operation) {
            self.suggest_results(naming, module, operation);
        }
        let mut suggests = self.suggests;
        if self.locations.is_some()
            && let Some(first) = module.result(operation, 0)
        {
            suggests = true;
            let has_name = self.get(first) != UNNAMED || self.keep(naming, module, first);
            if !has_name {
                self.name_by_location(naming, module, first);
            }
        }
        for result in module.results(operation) {
            let suggested = suggests && self.get(result) != UNNAMED;
            if suggested || self.keep(naming, module, result) {
                name = self.values.get(result.index()).copied();
                groups = groups.saturating_add(1);
                continue;
            }
            let name = *name.get_or_insert_with(|| {
                groups = groups.saturating_add(1);
                self.next() | kind
            });
            self.set(result, name);
        }
        if groups > 1 {
            self.remember_groups(module, operation);
        }
    }

    /// Records the position of each result of an operation in its group.
    fn remember_groups(&mut self, module: &Module, operation: Operation) {
        let mut results = module.results(operation).peekable();
        let mut group = Vec::new();
        while let Some(first) = results.next() {
            group.clear();
            group.push(first);
            while let Some(next) = results.next_if(|&v| self.get(v) == self.get(first)) {
                group.push(next);
            }
            let count = group.len() as u32;
            self.groups.extend(
                group
                    .iter()
                    .enumerate()
                    .map(|(i, &v)| (v, (i as u32, count))),
            );
        }
    }

    /// Gives a value the name that it has in the source, if that is to be kept.
    fn keep(&mut self, naming: Naming<'_>, module: &Module, value: Value) -> bool {
        if !naming.keep {
            return false;
        }
        let context = naming.context;
        let Some(name) = module.provenance.value_names.get(value) else {
            return false;
        };
        let name = context.bytes(name);
        if !is_name(name) || is_generated(name, b"") || is_generated(name, b"arg") {
            return false;
        }
        let name = self.claim(name);
        self.set_kept(module, value, name);
        true
    }

    /// Claims a name of the source, or the first free one of that name with `_0`, `_1` and so on
    /// appended.
    ///
    /// Candidates tried before are not tried again: many values can have one name in the source.
    fn claim(&mut self, name: &[u8]) -> Name {
        let mut source = None;
        let taken = match self.used.take(name) {
            Some(taken) => taken,
            None => {
                let tried = self.tried.entry(name.into()).or_insert(0);
                source = Some((name.into(), *tried));
                unique(name, tried, |name| self.used.take(name))
            }
        };
        let entry = ClaimedName {
            name: taken,
            source,
        };
        let name = entry.name.clone();
        self.order.push(entry);
        name
    }

    /// Releases the name that was claimed last.
    fn release(&mut self) {
        let Some(last) = self.order.pop() else { return };
        self.used.give_back(&last.name);
        if let Some((source, tried)) = last.source {
            self.tried.insert(source, tried);
        }
    }

    fn next(&mut self) -> u32 {
        let name = self.next_value;
        self.next_value = name.wrapping_add(1);
        name
    }

    fn set(&mut self, value: Value, name: u32) {
        if let Some(slot) = self.values.get_mut(value.index()) {
            *slot = name;
        }
    }

    fn get(&self, value: Value) -> u32 {
        self.values.get(value.index()).copied().unwrap_or(UNNAMED)
    }

    /// Returns the number of a block in its region.
    pub(super) fn block(&self, block: Block) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or(0)
    }

    /// Prints the number of an operation without results, if it has one.
    pub(super) fn print_operation(&self, operation: Operation, out: &mut Output<'_>) {
        let operations = self.operations.as_ref();
        if let Some(&number) = operations.and_then(|operations| operations.get(&operation)) {
            out.byte(b'%');
            out.number(u64::from(number));
        }
    }

    /// Prints `^bbN` or the block's own name.
    pub(super) fn print_block(&self, block: Block, out: &mut Output<'_>) {
        match self.kept_blocks.get(&block) {
            Some(name) => {
                out.byte(b'^');
                out.text(name);
            }
            None => {
                out.text("^bb");
                out.number(u64::from(self.block(block)));
            }
        }
    }

    /// Prints the name of a value, without the number of a result in its group.
    #[inline]
    fn print_base(&self, name: u32, out: &mut Output<'_>) {
        let number = name & !KIND;
        match name & KIND {
            _ if name == UNNAMED => out.text("<<UNKNOWN SSA VALUE>>"),
            ARGUMENT => {
                out.text("%arg");
                out.number(u64::from(number));
            }
            KEPT => {
                out.byte(b'%');
                let kept = self.kept.get(number as usize);
                out.text(kept.map_or(&[][..], |(name, _)| name));
            }
            _ => {
                out.byte(b'%');
                out.number(u64::from(number));
            }
        }
    }

    /// Prints `%N` or `%N#M`.
    #[inline]
    pub(super) fn print_value(&self, module: &Module, value: Value, out: &mut Output<'_>) {
        let name = self.get(value);
        out.open_value(value);
        self.print_base(name, out);
        let in_group = match name & KIND {
            KEPT => self
                .kept
                .get((name & !KIND) as usize)
                .is_none_or(|kept| kept.1),
            kind => kind == SHARED,
        };
        if in_group {
            self.print_number(module, value, out);
        }
        out.close_value();
    }

    /// Returns the name of a value without its `%`: `N` or `N#M`.
    pub(super) fn value_name(&self, module: &Module, value: Value) -> Vec<u8> {
        let mut text = Vec::new();
        let mut out = Output::new(&mut text, &PrintOptions::default());
        self.print_value(module, value, &mut out);
        match out.finish() {
            Ok(()) => text.get(1..).unwrap_or_default().to_vec(),
            Err(_) => Vec::new(),
        }
    }

    /// Prints `#M` if the value is one of several of its name.
    fn print_number(&self, module: &Module, value: Value, out: &mut Output<'_>) {
        if let ValueDefinition::Result(operation, number) = module.definition(value) {
            let (number, count) = match self.groups.get(&value) {
                Some(&group) => group,
                None => (number, module.result_count(operation) as u32),
            };
            if count > 1 {
                out.byte(b'#');
                out.number(u64::from(number));
            }
        }
    }

    /// Prints `%a, %b:2 = ` for the results of an operation; nothing if there are none.
    pub(super) fn print_results(
        &self,
        module: &Module,
        operation: Operation,
        out: &mut Output<'_>,
    ) {
        let mut results = module.results(operation).peekable();
        if results.peek().is_none() {
            return;
        }
        let mut first = true;
        while let Some(result) = results.next() {
            if !first {
                out.text(", ");
            }
            first = false;
            let name = self.get(result);
            out.open_value(result);
            self.print_base(name, out);
            out.close_value();
            let mut count = 1u64;
            while results.next_if(|&v| self.get(v) == name).is_some() {
                count = count.saturating_add(1);
            }
            if count > 1 {
                out.byte(b':');
                out.number(count);
            }
        }
        out.text(" = ");
    }
}

/// Returns whether bytes are valid after `%` and `^`: names that a module preserves need not come
/// from a text.
fn is_name(name: &[u8]) -> bool {
    name.first().is_some_and(|b| !b.is_ascii_digit()) && name.iter().all(|&b| is_suffix(b))
}

/// Returns whether a name has the form of those that the printer assigns itself: `prefix` and
/// digits.
fn is_generated(name: &[u8], prefix: &[u8]) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
}

/// Returns the first of `name_0`, `name_1` and so on, from number `from` on, that `take` accepts,
/// and sets `from` to the following number.
fn unique(name: &[u8], from: &mut u64, mut take: impl FnMut(&[u8]) -> Option<Name>) -> Name {
    let mut text = name.to_vec();
    loop {
        text.truncate(name.len());
        text.push(b'_');
        write_number(*from, &mut text);
        *from = from.saturating_add(1);
        if let Some(name) = take(&text) {
            return name;
        }
    }
}

/// Returns a name with other characters than those of values replaced as upstream does: blanks by
/// `_`, others by the hexadecimal digits of their bytes.
fn escaped(name: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(name.len().saturating_add(8));
    for &byte in name {
        match byte {
            _ if is_suffix(byte) => text.push(byte),
            b' ' => text.push(b'_'),
            _ => text.extend_from_slice(format!("{byte:X}").as_bytes()),
        }
    }
    text
}
