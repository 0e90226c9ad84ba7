//! Equality of types, attributes, locations, resources and affine expressions across contexts.

use super::{Bijection, Meeting};
use crate::affine::{AffineExpr, AffineExprKind};
use crate::content_node::ContentNode;
use crate::resource::Resource;
use crate::{
    Attribute, AttributeKind, BodyReference, Context, DialectBody, Identifier, IndexedMap,
    Location, LocationKind, Type, TypeKind,
};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// Compares the types, attributes and locations of two contexts.
///
/// Several handles of one context can denote equal entries (locations and resources are not
/// interned), so a memo of pairs could grow to the product of both sides. Instead, entries that are
/// assumed to be equal are united in one class (Hopcroft and Karp's test for the equivalence of
/// automata). Entries of one class are not compared again, so there are fewer comparisons than
/// entries. A pair is united before its parts are compared; this is sound because the first
/// difference ends the whole comparison.
pub(super) struct Entries<'l, 'r> {
    left: &'l Context,
    right: &'r Context,
    /// For a left attribute, type or other entry, the right one to which it was last found equal.
    last_attribute: IndexedMap<u32>,
    last_type: IndexedMap<u32>,
    last: HashMap<ContentNode, ContentNode, RandomState>,
    /// The nodes of the union-find forest, by entry.
    left_nodes: HashMap<ContentNode, u32, RandomState>,
    right_nodes: HashMap<ContentNode, u32, RandomState>,
    /// The parent and the size of each node.
    forest: Vec<(u32, u32)>,
    distincts: Bijection,
    /// Whether locations count. Otherwise any two are equal.
    counts_locations: bool,
    /// Pairs to be compared.
    work: Vec<(ContentNode, ContentNode)>,
}

impl<'l, 'r> Entries<'l, 'r> {
    pub(super) fn new(left: &'l Context, right: &'r Context, counts_locations: bool) -> Self {
        Entries {
            left,
            right,
            last_attribute: IndexedMap::new(left.attribute_count(), 0),
            last_type: IndexedMap::new(left.type_count(), 0),
            last: HashMap::default(),
            left_nodes: HashMap::default(),
            right_nodes: HashMap::default(),
            forest: Vec::new(),
            distincts: Bijection::new((left.attribute_count(), right.attribute_count()), 0),
            counts_locations,
            work: Vec::new(),
        }
    }

    /// Returns whether the last comparison of `left` was with `right` and found them equal.
    pub(super) fn known(&self, left: ContentNode, right: ContentNode) -> bool {
        match (left, right) {
            (ContentNode::Attribute(l), ContentNode::Attribute(r)) => {
                self.last_attribute.position(l.index()) == Some(r.index())
            }
            (ContentNode::Type(l), ContentNode::Type(r)) => {
                self.last_type.position(l.index()) == Some(r.index())
            }
            _ => self.last.get(&left) == Some(&right),
        }
    }

    /// Returns whether two entries are equal. After a `false`, no further comparison is valid.
    pub(super) fn equal(&mut self, left: ContentNode, right: ContentNode) -> bool {
        // File locations refer to nothing and are numerous, so a memo would cost more than it
        // saves.
        if let (ContentNode::Location(l), ContentNode::Location(r)) = (left, right)
            && let LocationKind::FileLineColRange { .. } = self.left.location_kind(l)
        {
            return self.same_location(l, r);
        }
        if self.known(left, right) {
            return true;
        }
        self.work.clear();
        self.work.push((left, right));
        while let Some((l, r)) = self.work.pop() {
            if self.unite(l, r) && !self.same(l, r) {
                return false;
            }
        }
        match (left, right) {
            (ContentNode::Attribute(l), ContentNode::Attribute(r)) => {
                self.last_attribute.set_position(l.index(), r.index());
            }
            (ContentNode::Type(l), ContentNode::Type(r)) => {
                self.last_type.set_position(l.index(), r.index());
            }
            _ => drop(self.last.insert(left, right)),
        }
        true
    }

    /// Unites the classes of two entries; returns whether they were different.
    fn unite(&mut self, left: ContentNode, right: ContentNode) -> bool {
        let mut node = |nodes: &mut HashMap<ContentNode, u32, RandomState>, entry| {
            *nodes.entry(entry).or_insert_with(|| {
                let new = self.forest.len() as u32;
                self.forest.push((new, 1));
                new
            })
        };
        let left = node(&mut self.left_nodes, left);
        let right = node(&mut self.right_nodes, right);
        let (mut small, mut large) = (self.root(left), self.root(right));
        if small == large {
            return false;
        }
        let size = |forest: &[(u32, u32)], node: u32| forest[node as usize].1;
        if size(&self.forest, small) > size(&self.forest, large) {
            std::mem::swap(&mut small, &mut large);
        }
        let grown = size(&self.forest, small);
        self.forest[small as usize].0 = large;
        self.forest[large as usize].1 += grown;
        true
    }

    fn root(&mut self, mut node: u32) -> u32 {
        loop {
            let parent = self.forest[node as usize].0;
            if parent == node {
                return node;
            }
            // Path halving: shortens the path for later searches.
            let grandparent = self.forest[parent as usize].0;
            self.forest[node as usize].0 = grandparent;
            node = grandparent;
        }
    }

    /// Returns whether two entries are equal apart from the entries they refer to, whose pairs are
    /// pushed to be compared.
    fn same(&mut self, left: ContentNode, right: ContentNode) -> bool {
        match (left, right) {
            (ContentNode::Type(l), ContentNode::Type(r)) => self.same_type(l, r),
            (ContentNode::Attribute(l), ContentNode::Attribute(r)) => self.same_attribute(l, r),
            (ContentNode::Location(_), ContentNode::Location(_)) if !self.counts_locations => true,
            (ContentNode::Location(l), ContentNode::Location(r)) => self.same_location(l, r),
            (ContentNode::Resource(l), ContentNode::Resource(r)) => self.same_resource(l, r),
            (ContentNode::Affine(l), ContentNode::Affine(r)) => self.same_affine(l, r),
            _ => false,
        }
    }

    fn same_type(&mut self, left: Type, right: Type) -> bool {
        use TypeKind as K;
        match (self.left.type_kind(left), self.right.type_kind(right)) {
            // Nothing in these depends on the context.
            (K::Integer { .. } | K::Float(_) | K::Index | K::None | K::Token, _) => {
                self.left.type_kind(left) == self.right.type_kind(right)
            }
            (K::Complex(l), K::Complex(r)) | (K::UnrankedTensor(l), K::UnrankedTensor(r)) => {
                self.types(&[*l], &[*r])
            }
            (K::Tuple(l), K::Tuple(r)) => self.types(l, r),
            (
                K::Function { inputs, results },
                K::Function {
                    inputs: right_inputs,
                    results: right_results,
                },
            )
            | (
                K::Graph { inputs, results },
                K::Graph {
                    inputs: right_inputs,
                    results: right_results,
                },
            ) => self.types(inputs, right_inputs) && self.types(results, right_results),
            (
                K::Vector {
                    shape,
                    scalable,
                    element,
                },
                K::Vector {
                    shape: right_shape,
                    scalable: right_scalable,
                    element: right_element,
                },
            ) => {
                shape == right_shape
                    && scalable == right_scalable
                    && self.types(&[*element], &[*right_element])
            }
            (
                K::RankedTensor {
                    shape,
                    element,
                    encoding,
                },
                K::RankedTensor {
                    shape: right_shape,
                    element: right_element,
                    encoding: right_encoding,
                },
            ) => {
                shape == right_shape
                    && self.types(&[*element], &[*right_element])
                    && self.optional_attribute(*encoding, *right_encoding)
            }
            (
                K::MemRef {
                    shape,
                    element,
                    layout,
                    memory_space,
                },
                K::MemRef {
                    shape: right_shape,
                    element: right_element,
                    layout: right_layout,
                    memory_space: right_space,
                },
            ) => {
                shape == right_shape
                    && self.types(&[*element], &[*right_element])
                    && self.optional_attribute(*layout, *right_layout)
                    && self.optional_attribute(*memory_space, *right_space)
            }
            (
                K::UnrankedMemRef {
                    element,
                    memory_space,
                },
                K::UnrankedMemRef {
                    element: right_element,
                    memory_space: right_space,
                },
            ) => {
                self.types(&[*element], &[*right_element])
                    && self.optional_attribute(*memory_space, *right_space)
            }
            (
                K::Dialect { dialect, body },
                K::Dialect {
                    dialect: right_dialect,
                    body: right_body,
                },
            ) => self.identifier(*dialect, *right_dialect) && self.body(body, right_body),
            (
                K::Complex(_)
                | K::Tuple(_)
                | K::Function { .. }
                | K::Graph { .. }
                | K::Vector { .. }
                | K::RankedTensor { .. }
                | K::UnrankedTensor(_)
                | K::MemRef { .. }
                | K::UnrankedMemRef { .. }
                | K::Dialect { .. },
                _,
            ) => false,
        }
    }

    fn same_attribute(&mut self, left: Attribute, right: Attribute) -> bool {
        use AttributeKind as K;
        match (
            self.left.attribute_kind(left),
            self.right.attribute_kind(right),
        ) {
            (K::Unit, K::Unit) => true,
            (
                K::Integer { ty, value },
                K::Integer {
                    ty: right_ty,
                    value: right_value,
                },
            ) => value == right_value && self.types(&[*ty], &[*right_ty]),
            (
                K::Float { ty, bits },
                K::Float {
                    ty: right_ty,
                    bits: right_bits,
                },
            ) => bits == right_bits && self.types(&[*ty], &[*right_ty]),
            (
                K::String { value, ty },
                K::String {
                    value: right_value,
                    ty: right_ty,
                },
            ) => self.identifier(*value, *right_value) && self.optional_type(*ty, *right_ty),
            (
                K::SymbolRef { root, nested },
                K::SymbolRef {
                    root: right_root,
                    nested: right_nested,
                },
            ) => self.identifier(*root, *right_root) && self.identifiers(nested, right_nested),
            (K::Type(l), K::Type(r)) => self.types(&[*l], &[*r]),
            (K::Array(l), K::Array(r)) => {
                l.len() == r.len() && l.iter().zip(r).all(|(&l, &r)| self.later(l, r))
            }
            (K::Dictionary(l), K::Dictionary(r)) => {
                l.len() == r.len()
                    && l.iter()
                        .zip(r)
                        .all(|(&l, &r)| self.identifier(l.0, r.0) && self.later(l.1, r.1))
            }
            (
                K::DenseElements { ty, splat, data },
                K::DenseElements {
                    ty: right_ty,
                    splat: right_splat,
                    data: right_data,
                },
            ) => splat == right_splat && data == right_data && self.types(&[*ty], &[*right_ty]),
            (
                K::DenseStrings { ty, splat, values },
                K::DenseStrings {
                    ty: right_ty,
                    splat: right_splat,
                    values: right_values,
                },
            ) => {
                splat == right_splat
                    && self.identifiers(values, right_values)
                    && self.types(&[*ty], &[*right_ty])
            }
            (
                K::DenseText { ty, literal },
                K::DenseText {
                    ty: right_ty,
                    literal: right_literal,
                },
            ) => self.identifier(*literal, *right_literal) && self.types(&[*ty], &[*right_ty]),
            (
                K::DenseArray {
                    element,
                    length,
                    data,
                },
                K::DenseArray {
                    element: right_element,
                    length: right_length,
                    data: right_data,
                },
            ) => {
                length == right_length
                    && data == right_data
                    && self.types(&[*element], &[*right_element])
            }
            (
                K::DenseResource { ty, resource },
                K::DenseResource {
                    ty: right_ty,
                    resource: right_resource,
                },
            ) => {
                self.work.push((
                    ContentNode::Resource(*resource),
                    ContentNode::Resource(*right_resource),
                ));
                self.types(&[*ty], &[*right_ty])
            }
            (
                K::Sparse {
                    ty,
                    indices,
                    values,
                },
                K::Sparse {
                    ty: right_ty,
                    indices: right_indices,
                    values: right_values,
                },
            ) => {
                self.later(*indices, *right_indices)
                    && self.later(*values, *right_values)
                    && self.types(&[*ty], &[*right_ty])
            }
            (K::AffineMap(l), K::AffineMap(r)) => {
                (l.num_dims, l.num_symbols) == (r.num_dims, r.num_symbols)
                    && l.results.len() == r.results.len()
                    && l.results
                        .iter()
                        .zip(&r.results)
                        .all(|(&l, &r)| self.later_affine(l, r))
            }
            (K::IntegerSet(l), K::IntegerSet(r)) => {
                (l.num_dims, l.num_symbols) == (r.num_dims, r.num_symbols)
                    && l.constraints.len() == r.constraints.len()
                    && l.constraints
                        .iter()
                        .zip(&r.constraints)
                        .all(|(&l, &r)| l.1 == r.1 && self.later_affine(l.0, r.0))
            }
            (
                K::StridedLayout { offset, strides },
                K::StridedLayout {
                    offset: right_offset,
                    strides: right_strides,
                },
            ) => offset == right_offset && strides == right_strides,
            (
                K::Distinct { referenced, .. },
                K::Distinct {
                    referenced: right_referenced,
                    ..
                },
            ) => {
                // The identity of a distinct attribute is its handle.
                !matches!(
                    self.distincts.meet(left.index(), right.index()),
                    Meeting::Other
                ) && self.later(*referenced, *right_referenced)
            }
            (K::Location(l), K::Location(r)) => {
                self.work
                    .push((ContentNode::Location(*l), ContentNode::Location(*r)));
                true
            }
            (
                K::Dialect { dialect, body, ty },
                K::Dialect {
                    dialect: right_dialect,
                    body: right_body,
                    ty: right_ty,
                },
            ) => {
                self.identifier(*dialect, *right_dialect)
                    && self.body(body, right_body)
                    && self.optional_type(*ty, *right_ty)
            }
            (
                K::Unit
                | K::Integer { .. }
                | K::Float { .. }
                | K::String { .. }
                | K::SymbolRef { .. }
                | K::Type(_)
                | K::Array(_)
                | K::Dictionary(_)
                | K::DenseElements { .. }
                | K::DenseStrings { .. }
                | K::DenseText { .. }
                | K::DenseArray { .. }
                | K::DenseResource { .. }
                | K::Sparse { .. }
                | K::AffineMap(_)
                | K::IntegerSet(_)
                | K::StridedLayout { .. }
                | K::Distinct { .. }
                | K::Location(_)
                | K::Dialect { .. },
                _,
            ) => false,
        }
    }

    fn same_location(&mut self, left: Location, right: Location) -> bool {
        use LocationKind as K;
        match (
            self.left.location_kind(left),
            self.right.location_kind(right),
        ) {
            (K::Unknown, K::Unknown) => true,
            (
                K::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form: _,
                },
                K::FileLineColRange {
                    file: right_file,
                    start_line: right_start_line,
                    start_column: right_start_column,
                    end_line: right_end_line,
                    end_column: right_end_column,
                    form: _,
                },
            ) => {
                self.identifier(file, right_file)
                    && (start_line, start_column) == (right_start_line, right_start_column)
                    && (end_line, end_column) == (right_end_line, right_end_column)
            }
            (
                K::Name { name, child },
                K::Name {
                    name: right_name,
                    child: right_child,
                },
            ) => {
                self.identifier(name, right_name) && self.later_locations(&[child], &[right_child])
            }
            (K::Dialect(attribute), K::Dialect(right_attribute)) => {
                self.later(attribute, right_attribute)
            }
            (
                K::CallSite { callee, caller },
                K::CallSite {
                    callee: right_callee,
                    caller: right_caller,
                },
            ) => self.later_locations(&[callee, caller], &[right_callee, right_caller]),
            (
                K::Fused {
                    locations,
                    metadata,
                },
                K::Fused {
                    locations: right_locations,
                    metadata: right_metadata,
                },
            ) => {
                self.optional_attribute(metadata, right_metadata)
                    && self.later_locations(locations, right_locations)
            }
            (
                K::Unknown
                | K::FileLineColRange { .. }
                | K::Name { .. }
                | K::CallSite { .. }
                | K::Dialect(_)
                | K::Fused { .. },
                _,
            ) => false,
        }
    }

    fn same_resource(&self, left: Resource, right: Resource) -> bool {
        let (l, r) = (self.left.resource(left), self.right.resource(right));
        match (&l.value, &r.value) {
            (None, None) => self.identifier(l.dialect, r.dialect) && self.identifier(l.key, r.key),
            (l, r) => l == r,
        }
    }

    fn same_affine(&mut self, left: AffineExpr, right: AffineExpr) -> bool {
        use AffineExprKind as K;
        let kinds = (
            self.left.affine().kind(left),
            self.right.affine().kind(right),
        );
        match kinds {
            (Some(K::Add(l, m)), Some(K::Add(r, s)))
            | (Some(K::Mul(l, m)), Some(K::Mul(r, s)))
            | (Some(K::Mod(l, m)), Some(K::Mod(r, s)))
            | (Some(K::FloorDiv(l, m)), Some(K::FloorDiv(r, s)))
            | (Some(K::CeilDiv(l, m)), Some(K::CeilDiv(r, s))) => {
                self.later_affine(l, r) && self.later_affine(m, s)
            }
            (Some(K::Add(..) | K::Mul(..) | K::Mod(..) | K::FloorDiv(..) | K::CeilDiv(..)), _) => {
                false
            }
            // Constants, dimensions and symbols do not depend on the arena.
            (l @ (Some(K::Constant(_) | K::Dim(_) | K::Symbol(_)) | None), r) => l == r,
        }
    }

    fn body(&mut self, left: &DialectBody, right: &DialectBody) -> bool {
        let (l, r) = (left.references(), right.references());
        if left.text() != right.text() || l.len() != r.len() {
            return false;
        }
        l.iter().zip(r).all(|(&(at, l), &(right_at, r))| {
            at == right_at
                && match (l, r) {
                    (BodyReference::Attribute(l), BodyReference::Attribute(r)) => self.later(l, r),
                    (BodyReference::Type(l), BodyReference::Type(r)) => self.types(&[l], &[r]),
                    _ => false,
                }
        })
    }

    fn identifier(&self, left: Identifier, right: Identifier) -> bool {
        self.left.bytes(left) == self.right.bytes(right)
    }

    fn identifiers(&self, left: &[Identifier], right: &[Identifier]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(&l, &r)| self.identifier(l, r))
    }

    // The following methods push pairs; they return false only if the numbers differ.

    fn types(&mut self, left: &[Type], right: &[Type]) -> bool {
        let pairs = left.iter().zip(right);
        self.work
            .extend(pairs.map(|(&l, &r)| (ContentNode::Type(l), ContentNode::Type(r))));
        left.len() == right.len()
    }

    fn later(&mut self, left: Attribute, right: Attribute) -> bool {
        self.work
            .push((ContentNode::Attribute(left), ContentNode::Attribute(right)));
        true
    }

    fn later_affine(&mut self, left: AffineExpr, right: AffineExpr) -> bool {
        self.work
            .push((ContentNode::Affine(left), ContentNode::Affine(right)));
        true
    }

    fn later_locations(&mut self, left: &[Location], right: &[Location]) -> bool {
        let pairs = left.iter().zip(right);
        self.work
            .extend(pairs.map(|(&l, &r)| (ContentNode::Location(l), ContentNode::Location(r))));
        left.len() == right.len()
    }

    fn optional_attribute(&mut self, left: Option<Attribute>, right: Option<Attribute>) -> bool {
        match (left, right) {
            (Some(l), Some(r)) => self.later(l, r),
            (l, r) => l.is_none() && r.is_none(),
        }
    }

    fn optional_type(&mut self, left: Option<Type>, right: Option<Type>) -> bool {
        match (left, right) {
            (Some(l), Some(r)) => self.types(&[l], &[r]),
            (l, r) => l.is_none() && r.is_none(),
        }
    }
}
