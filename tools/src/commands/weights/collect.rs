//! Finds the weights and other large attributes of a module, and its resources.

use crate::both::Both;
use crate::listed::{SharedTracker, SymbolTracker};
use crate::source_location::SourceLocation;
use crate::symbols::shown as shown_path;
use rmlir::events::{OperationEvent, Visitor, visit_module};
use rmlir::format::Result;
use rmlir::ir::dense::ElementLayout;
use rmlir::ir::{
    self, AttributeKind, Context, Identifier, Module, OperationName, Resource, ResourceValue,
    WalkResult,
};
use rmlir::query::Glob;
use rmlir::text::type_to_string;
use rmlir::{Attribute, Location, SymbolPath, Type};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A constant or resource.
pub(in crate::commands) struct Weight<'c> {
    /// A name that is unique in the module: the key of a resource, the symbol whose attribute it
    /// is, or the symbol around its first user with a number.
    pub(in crate::commands) name: String,
    pub(in crate::commands) kind: Kind,
    /// None for a resource that no attribute refers to.
    pub(in crate::commands) attribute: Option<Attribute>,
    pub(in crate::commands) resource: Option<Resource>,
    /// None for a resource that no attribute refers to.
    pub(in crate::commands) ty: Option<Type>,
    pub(in crate::commands) type_text: Option<String>,
    pub(in crate::commands) layout: Option<ElementLayout>,
    pub(in crate::commands) elements: Option<u64>,
    pub(in crate::commands) splat: bool,
    /// The stored bytes: of a splat, those of one element.
    pub(in crate::commands) data: &'c [u8],
    /// The operations that use it, at most [`MOST_USERS`].
    pub(in crate::commands) users: Vec<User>,
    pub(in crate::commands) uses: u64,
    /// The number of the group of weights of the same type and data, from 1; `None` if there is no
    /// other one.
    pub(in crate::commands) group: Option<usize>,
}

/// The kind of attribute that holds the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::commands) enum Kind {
    /// `dense<...>`.
    Constant,
    /// `dense_resource<...>`.
    Resource,
    /// Another attribute, by the name of its kind.
    Other(&'static str),
}

impl Kind {
    pub(in crate::commands) fn name(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Resource => "resource",
            Kind::Other(name) => name,
        }
    }
}

/// An operation that uses a weight.
pub(in crate::commands) struct User {
    pub(in crate::commands) symbol: Option<Arc<str>>,
    pub(in crate::commands) operation: String,
    pub(in crate::commands) place: Option<SourceLocation>,
}

/// The number of users that are listed.
pub(in crate::commands) const MOST_USERS: usize = 8;

/// The selected weights.
pub(in crate::commands) struct Wanted<'w> {
    pub(in crate::commands) min_size: u64,
    pub(in crate::commands) names: &'w [Glob],
    pub(in crate::commands) splats: bool,
    /// Whether other attributes with data are wanted too: strings, arrays, those of dialects.
    pub(in crate::commands) others: bool,
}

/// The wanted attributes that are reachable from each dictionary of operations. Shared parts of
/// the graph are walked once for each dictionary at most; the result of each attribute is memoized.
struct Reachable {
    /// The smallest size of other attributes that are wanted.
    others: Option<u64>,
    known: HashMap<Attribute, Box<[Attribute]>>,
}

/// The number of constants of one attribute that are found; more of them are a table of constants,
/// not weights.
const MOST: usize = 1 << 12;

impl Reachable {
    fn of(&mut self, context: &Context, attribute: Attribute) -> &[Attribute] {
        let mut open = vec![attribute];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            let wanted = self.is_wanted(context, top);
            if wanted && is_constant(context, top) {
                self.known.insert(top, [top].into());
                open.pop();
                continue;
            }
            let mut children = Vec::new();
            context.for_each_child(top, |child| {
                if let ir::Entry::Attribute(child) = child {
                    children.push(child);
                }
            });
            let before = open.len();
            open.extend(
                children
                    .iter()
                    .filter(|child| !self.known.contains_key(child)),
            );
            if open.len() > before {
                continue;
            }
            let mut seen = HashSet::new();
            let found = children.iter().filter_map(|child| self.known.get(child));
            let found: Vec<Attribute> = wanted
                .then_some(top)
                .into_iter()
                .chain(found.flat_map(|found| found.iter().copied()))
                .filter(|&constant| seen.insert(constant))
                .take(MOST)
                .collect();
            self.known.insert(top, found.into());
            open.pop();
        }
        self.known.get(&attribute).map_or(&[], |found| found)
    }

    fn is_wanted(&self, context: &Context, attribute: Attribute) -> bool {
        is_constant(context, attribute)
            || self.others.is_some_and(|min_size| {
                other_data(context, attribute)
                    .is_some_and(|(_, data)| data.len() as u64 >= min_size)
            })
    }
}

fn is_constant(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::DenseElements { .. } | AttributeKind::DenseResource { .. }
    )
}

/// Returns the kind and the data of an attribute that is not a weight, if it has data.
fn other_data(context: &Context, attribute: Attribute) -> Option<(&'static str, &[u8])> {
    let kind = context.attribute_kind(attribute);
    let data = match kind {
        AttributeKind::String { value, .. } => context.bytes(*value),
        AttributeKind::DenseText { literal, .. } => context.bytes(*literal),
        AttributeKind::DenseArray { data, .. } => data,
        AttributeKind::Dialect { body, .. } => body.text(),
        _ => return None,
    };
    Some((kind.name(), data))
}

/// An operation that uses an attribute.
struct UserAt {
    /// The number of the innermost symbol that it is or is in.
    symbol: Option<usize>,
    name: OperationName,
    location: Location,
}

/// The users of an attribute.
struct Users {
    uses: u64,
    /// The name of the first user as a symbol, or that of its first result.
    name: Option<Identifier>,
    /// At most [`MOST_USERS`].
    list: Vec<UserAt>,
}

/// A visitor that finds the wanted attributes and their users. It follows a tracker of symbols in
/// the same visit.
pub(in crate::commands) struct Collector<'w> {
    wanted: &'w Wanted<'w>,
    tracker: &'w RefCell<SymbolTracker>,
    reachable: Reachable,
    /// In the order of their first users.
    order: Vec<Attribute>,
    users: HashMap<Attribute, Users>,
}

impl Visitor for Collector<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let (attributes, properties) = event.dictionaries()?;
        for dictionary in [properties, attributes].into_iter().flatten() {
            for &constant in self.reachable.of(event.context(), dictionary) {
                let users = match self.users.entry(constant) {
                    Entry::Occupied(users) => users.into_mut(),
                    Entry::Vacant(users) => {
                        self.order.push(constant);
                        users.insert(Users {
                            uses: 0,
                            name: match event.symbol_name()? {
                                Some(name) => Some(name),
                                None => event.result_names()?.first().copied().flatten(),
                            },
                            list: Vec::new(),
                        })
                    }
                };
                users.uses += 1;
                if users.list.len() < MOST_USERS {
                    users.list.push(UserAt {
                        symbol: self.tracker.borrow().innermost(),
                        name: event.name(),
                        location: event.location()?,
                    });
                }
            }
        }
        Ok(WalkResult::Advance)
    }
}

/// Returns the weights of a module in the order of their first users, then the resources without
/// users.
pub(in crate::commands) fn collect<'c>(
    context: &'c Context,
    module: &Module,
    wanted: &Wanted<'_>,
) -> Vec<Weight<'c>> {
    let tracker = RefCell::default();
    let mut collector = Collector::new(wanted, &tracker);
    let mut tracked = SharedTracker(&tracker);
    let visited = visit_module(context, module, &mut Both(&mut tracked, &mut collector));
    debug_assert!(visited.is_ok(), "a module in memory is not damaged");
    let paths = tracker.borrow().paths(context);
    let resources = &module.provenance.resources;
    collector.finish(context, &paths, resources)
}

impl<'w> Collector<'w> {
    pub(in crate::commands) fn new(
        wanted: &'w Wanted<'w>,
        tracker: &'w RefCell<SymbolTracker>,
    ) -> Self {
        Collector {
            wanted,
            tracker,
            reachable: Reachable {
                others: wanted.others.then_some(wanted.min_size),
                known: HashMap::new(),
            },
            order: Vec::new(),
            users: HashMap::new(),
        }
    }

    /// Returns the weights in the order of their first users, then those of `resources` without
    /// users. `paths` has the paths of the symbols.
    pub(in crate::commands) fn finish<'c>(
        mut self,
        context: &'c Context,
        paths: &[SymbolPath],
        resources: &[Resource],
    ) -> Vec<Weight<'c>> {
        let wanted = self.wanted;
        let mut shown_paths: HashMap<usize, Arc<str>> = HashMap::new();
        let mut weights = Vec::new();
        let mut used: HashSet<Resource> = HashSet::new();
        for attribute in self.order {
            if let AttributeKind::DenseResource { resource, .. } = context.attribute_kind(attribute)
            {
                used.insert(*resource);
            }
            let Some(mut weight) = weight(context, attribute) else {
                continue;
            };
            let Some(users) = self.users.remove(&attribute) else {
                continue;
            };
            let is_large = weight.data.len() as u64 >= wanted.min_size;
            if !is_large || (weight.splat && !wanted.splats) {
                continue;
            }
            weight.uses = users.uses;
            let mut path = |symbol: usize| {
                let path = paths.get(symbol)?;
                let shown = shown_paths.entry(symbol);
                Some(Arc::clone(shown.or_insert_with(|| shown_path(path).into())))
            };
            let list = users.list.iter().map(|user| User {
                symbol: user.symbol.and_then(&mut path),
                operation: context
                    .operation_name_bytes(user.name)
                    .escape_ascii()
                    .to_string(),
                place: SourceLocation::of(context, user.location),
            });
            weight.users = list.collect();
            if weight.name.is_empty() {
                let name = users.name.map(|name| context.str(name).into_owned());
                let named = || weight.users.first()?.place.as_ref()?.name.clone();
                let around = || Some(weight.users.first()?.symbol.as_ref()?.replace('@', ""));
                weight.name = name
                    .or_else(named)
                    .or_else(around)
                    .unwrap_or_else(|| "constant".to_owned());
            }
            weights.push(weight);
        }
        add_resources(context, resources, wanted.min_size, &mut used, &mut weights);
        make_unique(&mut weights);
        if !wanted.names.is_empty() {
            weights.retain(|weight| wanted.names.iter().any(|glob| glob.matches(&weight.name)));
        }
        find_groups(&mut weights);
        weights
    }
}

/// Adds the resources that are not used.
fn add_resources<'c>(
    context: &'c Context,
    resources: &[Resource],
    min_size: u64,
    used: &mut HashSet<Resource>,
    weights: &mut Vec<Weight<'c>>,
) {
    for &resource in resources {
        if !used.insert(resource) {
            continue;
        }
        let entry = context.resource(resource);
        if let Some(ResourceValue::Blob(blob)) = &entry.value
            && blob.data().len() as u64 >= min_size
        {
            weights.push(Weight {
                name: context.str(entry.key).into_owned(),
                kind: Kind::Resource,
                attribute: None,
                resource: Some(resource),
                ty: None,
                type_text: None,
                layout: None,
                elements: None,
                splat: false,
                data: blob.data(),
                users: Vec::new(),
                uses: 0,
                group: None,
            });
        }
    }
}

fn weight(context: &Context, attribute: Attribute) -> Option<Weight<'_>> {
    let mut of = None;
    let (name, kind, ty, splat, data) = match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, splat, data } => {
            (String::new(), Kind::Constant, *ty, *splat, &**data)
        }
        AttributeKind::DenseResource { ty, resource } => {
            of = Some(*resource);
            let entry = context.resource(*resource);
            let data = match &entry.value {
                Some(ResourceValue::Blob(blob)) => blob.data(),
                _ => &[],
            };
            let key = context.str(entry.key).into_owned();
            (key, Kind::Resource, *ty, false, data)
        }
        _ => {
            let (kind, data) = other_data(context, attribute)?;
            return Some(Weight {
                name: String::new(),
                kind: Kind::Other(kind),
                attribute: Some(attribute),
                resource: None,
                ty: None,
                type_text: None,
                layout: None,
                elements: None,
                splat: false,
                data,
                users: Vec::new(),
                uses: 0,
                group: None,
            });
        }
    };
    let element = context.element_type(ty);
    Some(Weight {
        name,
        kind,
        attribute: Some(attribute),
        resource: of,
        ty: Some(ty),
        type_text: Some(type_to_string(context, ty)),
        layout: element.and_then(|element| ElementLayout::of(context, element)),
        elements: context.element_count(ty),
        splat,
        data,
        users: Vec::new(),
        uses: 0,
        group: None,
    })
}

/// Appends numbers to names that occur several times.
fn make_unique(weights: &mut [Weight<'_>]) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for weight in weights {
        if taken.insert(weight.name.clone()) {
            continue;
        }
        let count = counts.entry(weight.name.clone()).or_default();
        loop {
            *count += 1;
            let name = format!("{}_{count}", weight.name);
            if taken.insert(name.clone()) {
                weight.name = name;
                break;
            }
        }
    }
}

/// Numbers the groups of weights with the same type and data.
fn find_groups(weights: &mut [Weight<'_>]) {
    let mut groups: HashMap<(Option<Type>, &[u8]), Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (number, weight) in weights.iter().enumerate() {
        let key = (weight.ty, weight.data);
        let group = groups.entry(key).or_insert_with(|| {
            order.push(key);
            Vec::new()
        });
        group.push(number);
    }
    let several = order.iter().filter_map(|key| groups.remove(key));
    let several: Vec<Vec<usize>> = several.filter(|group| group.len() > 1).collect();
    for (number, group) in several.into_iter().enumerate() {
        for weight in group {
            if let Some(weight) = weights.get_mut(weight) {
                weight.group = Some(number + 1);
            }
        }
    }
}
