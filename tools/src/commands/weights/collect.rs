//! Finds the weights of a module: elements attributes and resources.

use crate::source_location::SourceLocation;
use crate::symbols::symbol_paths;
use rmlir::ir::dense::ElementLayout;
use rmlir::ir::{AttributeKind, Context, Entry, Module, Operation, Resource, ResourceValue};
use rmlir::query::Glob;
use rmlir::text::type_to_string;
use rmlir::{Attribute, Type};
use std::collections::{HashMap, HashSet};

/// A constant or resource.
pub(super) struct Weight<'c> {
    /// A name that is unique in the module: the key of a resource, the symbol whose attribute it
    /// is, or the symbol around its first user with a number.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// None for a resource that no attribute refers to.
    pub(super) ty: Option<Type>,
    pub(super) type_text: Option<String>,
    pub(super) layout: Option<ElementLayout>,
    pub(super) elements: Option<u64>,
    pub(super) splat: bool,
    /// The stored bytes: of a splat, those of one element.
    pub(super) data: &'c [u8],
    /// The operations that use it, at most [`MOST_USERS`].
    pub(super) users: Vec<User>,
    pub(super) uses: u64,
    /// The number of the group of weights of the same type and data, from 1; `None` if there is no
    /// other one.
    pub(super) group: Option<usize>,
}

/// The kind of attribute that holds the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `dense<...>`.
    Constant,
    /// `dense_resource<...>`.
    Resource,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Resource => "resource",
        }
    }
}

/// An operation that uses a weight.
pub(super) struct User {
    pub(super) symbol: Option<String>,
    pub(super) operation: String,
    pub(super) place: Option<SourceLocation>,
}

/// The number of users that are listed.
pub(super) const MOST_USERS: usize = 8;

/// The selected weights.
pub(super) struct Wanted<'w> {
    pub(super) min_size: u64,
    pub(super) names: &'w [Glob],
    pub(super) splats: bool,
}

/// The elements attributes that are reachable from each dictionary of operations. Shared parts of
/// the graph are walked once for each dictionary at most; the result of each attribute is memoized.
struct Reachable<'c> {
    context: &'c Context,
    known: HashMap<Attribute, Box<[Attribute]>>,
}

/// The number of constants of one attribute that are found; more of them are a table of constants,
/// not weights.
const MOST: usize = 1 << 12;

impl Reachable<'_> {
    fn of(&mut self, attribute: Attribute) -> &[Attribute] {
        let mut open = vec![attribute];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            if is_constant(self.context, top) {
                self.known.insert(top, [top].into());
                open.pop();
                continue;
            }
            let mut children = Vec::new();
            self.context.for_each_child(top, |child| {
                if let Entry::Attribute(child) = child {
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
            let found: Vec<Attribute> = found
                .flat_map(|found| found.iter().copied())
                .filter(|&constant| seen.insert(constant))
                .take(MOST)
                .collect();
            self.known.insert(top, found.into());
            open.pop();
        }
        self.known.get(&attribute).map_or(&[], |found| found)
    }
}

fn is_constant(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::DenseElements { .. } | AttributeKind::DenseResource { .. }
    )
}

/// Returns the weights in the order of their first users, then the resources without users.
pub(super) fn collect<'c>(
    context: &'c Context,
    module: &Module,
    wanted: &Wanted<'_>,
) -> Vec<Weight<'c>> {
    let mut reachable = Reachable {
        context,
        known: HashMap::new(),
    };
    let mut order: Vec<Attribute> = Vec::new();
    let mut users: HashMap<Attribute, (u64, Vec<Operation>)> = HashMap::new();
    for operation in module.descendants(module.top()) {
        let dictionaries = [module.properties(operation), module.attributes(operation)];
        for dictionary in dictionaries.into_iter().flatten() {
            for &constant in reachable.of(dictionary) {
                let (uses, users) = users.entry(constant).or_insert_with(|| {
                    order.push(constant);
                    (0, Vec::new())
                });
                *uses += 1;
                if users.len() < MOST_USERS {
                    users.push(operation);
                }
            }
        }
    }
    let all: Vec<Operation> = order
        .iter()
        .filter_map(|constant| users.get(constant))
        .flat_map(|(_, operations)| operations.iter().copied())
        .collect();
    let paths: HashMap<Operation, Option<String>> = all
        .iter()
        .copied()
        .zip(symbol_paths(context, module, &all))
        .collect();
    let mut weights = Vec::new();
    let mut used: HashSet<Resource> = HashSet::new();
    for attribute in order {
        if let AttributeKind::DenseResource { resource, .. } = context.attribute_kind(attribute) {
            used.insert(*resource);
        }
        let Some(mut weight) = weight(context, attribute) else {
            continue;
        };
        let (uses, operations) = users.remove(&attribute).unwrap_or_default();
        let is_large = weight.data.len() as u64 >= wanted.min_size;
        if !is_large || (weight.splat && !wanted.splats) {
            continue;
        }
        weight.uses = uses;
        weight.users = operations
            .iter()
            .map(|&operation| {
                let symbol = paths.get(&operation).cloned().flatten();
                let name = context.operation_name_bytes(module.name(operation));
                User {
                    symbol,
                    operation: name.escape_ascii().to_string(),
                    place: SourceLocation::of(context, module.location(operation)),
                }
            })
            .collect();
        if weight.name.is_empty()
            && let Some(&operation) = operations.first()
        {
            let symbol = module.symbol_name(context, operation);
            let result = module.result(operation, 0);
            let kept = result.and_then(|result| module.provenance.value_names.get(&result));
            let name = symbol.or(kept.copied());
            let name = name.map(|name| context.str(name).into_owned());
            let named = || weight.users.first()?.place.as_ref()?.name.clone();
            let around = || Some(weight.users.first()?.symbol.as_ref()?.replace('@', ""));
            weight.name = name
                .or_else(named)
                .or_else(around)
                .unwrap_or_else(|| "constant".to_owned());
        }
        weights.push(weight);
    }
    for &resource in &module.provenance.resources {
        if !used.insert(resource) {
            continue;
        }
        let entry = context.resource(resource);
        if let Some(ResourceValue::Blob(blob)) = &entry.value
            && blob.data().len() as u64 >= wanted.min_size
        {
            weights.push(Weight {
                name: context.str(entry.key).into_owned(),
                kind: Kind::Resource,
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
    make_unique(&mut weights);
    if !wanted.names.is_empty() {
        weights.retain(|weight| wanted.names.iter().any(|glob| glob.matches(&weight.name)));
    }
    find_groups(&mut weights);
    weights
}

fn weight(context: &Context, attribute: Attribute) -> Option<Weight<'_>> {
    let (name, kind, ty, splat, data) = match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, splat, data } => {
            (String::new(), Kind::Constant, *ty, *splat, &**data)
        }
        AttributeKind::DenseResource { ty, resource } => {
            let entry = context.resource(*resource);
            let data = match &entry.value {
                Some(ResourceValue::Blob(blob)) => blob.data(),
                _ => &[],
            };
            let key = context.str(entry.key).into_owned();
            (key, Kind::Resource, *ty, false, data)
        }
        _ => return None,
    };
    let element = context.element_type(ty);
    Some(Weight {
        name,
        kind,
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
