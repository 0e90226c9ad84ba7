//! Prints a module as text without handles: equal modules have equal texts. Nothing recurses.

use rmlir_ir::affine::{AffineExpr, AffineExprKind};
use rmlir_ir::{
    Attribute, AttributeKind, Block, BodyPiece, BodyReference, Context, DialectBody, Identifier,
    Location, LocationClasses, LocationKind, Module, Operation, Region, Resource, ResourceValue,
    Type, TypeKind, Value,
};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Type(Type),
    Attribute(Attribute),
    /// By class.
    Location(u32),
    Resource(Resource),
    Affine(AffineExpr),
}

struct Dumper<'c> {
    context: &'c Context,
    module: &'c Module,
    numbers: HashMap<Item, usize>,
    queue: VecDeque<Item>,
    classes: LocationClasses,
    locations: HashMap<u32, Location>,
    values: HashMap<Value, usize>,
    blocks: HashMap<Block, usize>,
    out: String,
}

enum Step {
    Operation(Operation),
    Region(Region),
    Block(Block),
}

/// Returns the text of a module.
pub(crate) fn dump(context: &Context, module: &Module) -> String {
    let mut dumper = Dumper {
        context,
        module,
        numbers: HashMap::new(),
        queue: VecDeque::new(),
        classes: LocationClasses::new(),
        locations: HashMap::new(),
        values: HashMap::new(),
        blocks: HashMap::new(),
        out: String::new(),
    };
    let steps = steps(module);
    for step in &steps {
        match step {
            Step::Operation(operation) => {
                for value in module.results(*operation) {
                    dumper.values.insert(value, dumper.values.len());
                }
            }
            Step::Block(block) => {
                dumper.blocks.insert(*block, dumper.blocks.len());
                for (value, _) in module.arguments(*block) {
                    dumper.values.insert(value, dumper.values.len());
                }
            }
            Step::Region(_) => {}
        }
    }
    for step in &steps {
        dumper.step(step);
    }
    dumper.provenance();
    dumper.uses();
    while let Some(item) = dumper.queue.pop_front() {
        dumper.item(item);
    }
    dumper.out
}

/// Pre-order.
fn steps(module: &Module) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut stack = vec![Step::Operation(module.top())];
    while let Some(step) = stack.pop() {
        let before = stack.len();
        match step {
            Step::Operation(op) => stack.extend(module.regions(op).map(Step::Region)),
            Step::Region(region) => stack.extend(module.blocks(region).map(Step::Block)),
            Step::Block(block) => stack.extend(module.operations(block).map(Step::Operation)),
        }
        stack[before..].reverse();
        steps.push(step);
    }
    steps
}

impl Dumper<'_> {
    fn number(&mut self, item: Item) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(item).or_insert_with(|| {
            self.queue.push_back(item);
            next
        })
    }

    fn ty(&mut self, ty: Type) -> String {
        format!("!{} ", self.number(Item::Type(ty)))
    }

    fn attr(&mut self, attribute: Attribute) -> String {
        format!("#{} ", self.number(Item::Attribute(attribute)))
    }

    fn types(&mut self, types: &[Type]) -> String {
        types.iter().map(|&ty| self.ty(ty)).collect()
    }

    fn optional(&mut self, attribute: Option<Attribute>) -> String {
        attribute.map_or("-".into(), |a| self.attr(a))
    }

    fn optional_type(&mut self, ty: Option<Type>) -> String {
        ty.map_or("-".into(), |ty| self.ty(ty))
    }

    fn text(&self, identifier: Identifier) -> String {
        format!("'{}' ", self.context.bytes(identifier).escape_ascii())
    }

    fn texts(&self, identifiers: &[Identifier]) -> String {
        identifiers.iter().map(|&i| self.text(i)).collect()
    }

    fn location(&mut self, location: Location) -> String {
        let class = self.classes.class(self.context, location);
        self.locations.entry(class).or_insert(location);
        format!("@{} ", self.number(Item::Location(class)))
    }

    fn affine(&mut self, exprs: impl IntoIterator<Item = AffineExpr>) -> String {
        exprs
            .into_iter()
            .map(|e| format!("~{} ", self.number(Item::Affine(e))))
            .collect()
    }

    fn resource(&mut self, resource: Resource) -> String {
        format!("${} ", self.number(Item::Resource(resource)))
    }

    fn body(&mut self, body: &DialectBody) -> String {
        body.pieces()
            .map(|piece| match piece {
                BodyPiece::Text(text) => format!("'{}' ", text.escape_ascii()),
                BodyPiece::Reference(BodyReference::Type(ty)) => self.ty(ty),
                BodyPiece::Reference(BodyReference::Attribute(a)) => self.attr(a),
            })
            .collect()
    }

    fn step(&mut self, step: &Step) {
        let module = self.module;
        let line = match step {
            Step::Operation(op) => {
                let name = self.text(self.context.operation_name_identifier(module.name(*op)));
                let operands: Vec<usize> = module
                    .operands(*op)
                    .map(|value| self.values[&value])
                    .collect();
                let types: Vec<Type> = module.results(*op).map(|v| module.value_type(v)).collect();
                let types = self.types(&types);
                let attributes = self.optional(module.attributes(*op));
                let properties = self.optional(module.properties(*op));
                let successors: Vec<usize> = module
                    .successors(*op)
                    .map(|block| self.blocks[&block])
                    .collect();
                let location = self.location(module.location(*op));
                let regions = module.regions(*op).len();
                // Also checks that handles refer to each other consistently.
                for region in module.regions(*op) {
                    assert_eq!(module.region_parent(region), Some(*op));
                }
                format!(
                    "{name}{operands:?} {types} {attributes} {properties} {successors:?} {regions} {location}"
                )
            }
            Step::Region(region) => format!("region {}", module.blocks(*region).count()),
            Step::Block(block) => {
                let mut line = format!("block {}: ", module.operations(*block).count());
                for (value, location) in module.arguments(*block) {
                    line += &self.ty(module.value_type(value));
                    line += &self.location(location);
                }
                for op in module.operations(*block) {
                    assert_eq!(module.parent_block(op), Some(*block));
                }
                line
            }
        };
        writeln!(self.out, "{line}").unwrap();
    }

    /// Prints the uses of each value, in list order.
    fn uses(&mut self) {
        let mut values: Vec<(usize, Value)> = self.values.iter().map(|(&v, &n)| (n, v)).collect();
        values.sort_unstable();
        let operations: HashMap<Operation, usize> = steps(self.module)
            .into_iter()
            .filter_map(|step| match step {
                Step::Operation(operation) => Some(operation),
                _ => None,
            })
            .zip(0..)
            .collect();
        for (number, value) in values {
            let uses = self.module.uses(value).map(|used| self.module.user(used));
            let uses: Vec<(usize, usize)> = uses.map(|(op, at)| (operations[&op], at)).collect();
            writeln!(self.out, "uses of {number}: {uses:?}").unwrap();
        }
    }

    fn provenance(&mut self) {
        let provenance = &self.module.provenance;
        let producer = provenance.producer.map(|p| self.text(p));
        let resources: String = provenance
            .resources
            .iter()
            .map(|&r| self.resource(r))
            .collect();
        writeln!(self.out, "{producer:?} {resources}").unwrap();
        let versions = provenance.dialect_versions.iter();
        let versions: Vec<_> = versions.map(|(d, v)| (self.text(*d), v)).collect();
        let version = provenance.bytecode_version;
        let line = format!("{version:?} {versions:?} {:?}", provenance.layouts);
        writeln!(self.out, "{line}").unwrap();
        // The order of these is not preserved.
        let said = provenance
            .registered_operations
            .iter()
            .map(|&(name, said)| {
                let name = self.context.operation_name_bytes(name).escape_ascii();
                (name.to_string(), said)
            });
        let said: std::collections::BTreeMap<String, bool> = said.collect();
        let encoded = provenance.encoded_dialects.iter();
        let encoded: Vec<_> = encoded.map(|&dialect| self.text(dialect)).collect();
        writeln!(self.out, "{said:?} {encoded:?}").unwrap();
        for external in &provenance.external_resources {
            let group = self.text(external.group);
            writeln!(self.out, "external {group}").unwrap();
            for (key, value) in &external.entries {
                let line = format!("{}{}", self.text(*key), resource_text(Some(value)));
                writeln!(self.out, "{line}").unwrap();
            }
        }
        let mut names: Vec<(usize, String)> = Vec::new();
        for (value, name) in provenance.value_names.iter() {
            names.push((self.values[&value], self.text(name)));
        }
        for (block, name) in provenance.block_names.iter() {
            names.push((self.blocks[&block], self.text(name)));
        }
        names.sort();
        writeln!(self.out, "{names:?}").unwrap();
    }

    fn item(&mut self, item: Item) {
        let context = self.context;
        let stems = &self.module.provenance;
        let line = match item {
            Item::Type(ty) => {
                let stem = stems.type_alias_names.get(&ty).map(|&stem| self.text(stem));
                let kind = self.type_text(context.type_kind(ty));
                format!("type {kind} {stem:?}")
            }
            Item::Attribute(attribute) => {
                let stem = stems
                    .attribute_alias_names
                    .get(&attribute)
                    .map(|&stem| self.text(stem));
                let kind = self.attribute_text(context.attribute_kind(attribute));
                format!("attribute {kind} {stem:?}")
            }
            Item::Location(class) => {
                let location = self.locations[&class];
                match context.location_kind(location) {
                    LocationKind::Unknown => "unknown".into(),
                    LocationKind::FileLineColRange {
                        file,
                        start_line,
                        start_column,
                        end_line,
                        end_column,
                        ..
                    } => format!(
                        "file {} {start_line}:{start_column}-{end_line}:{end_column}",
                        self.text(file)
                    ),
                    LocationKind::Name { name, child } => {
                        format!("name {}{}", self.text(name), self.location(child))
                    }
                    LocationKind::CallSite { callee, caller } => {
                        format!("call {}{}", self.location(callee), self.location(caller))
                    }
                    LocationKind::Fused {
                        locations,
                        metadata,
                    } => {
                        let metadata = self.optional(metadata);
                        let locations: String =
                            locations.iter().map(|&l| self.location(l)).collect();
                        format!("fused {metadata}{locations}")
                    }
                    LocationKind::Dialect(attribute) => {
                        format!("attribute {}", self.optional(Some(attribute)))
                    }
                }
            }
            Item::Resource(resource) => {
                let entry = context.resource(resource);
                let (dialect, key) = (self.text(entry.dialect), self.text(entry.key));
                format!(
                    "resource {dialect}{key}{}",
                    resource_text(entry.value.as_ref())
                )
            }
            Item::Affine(expr) => {
                let kind = context.affine().kind(expr).unwrap();
                match kind {
                    AffineExprKind::Constant(_)
                    | AffineExprKind::Dim(_)
                    | AffineExprKind::Symbol(_) => {
                        format!("{kind:?}")
                    }
                    _ => {
                        let (left, right) = kind.operands().unwrap();
                        let name = format!("{kind:?}");
                        let name = name.split('(').next().unwrap().to_owned();
                        format!("{name} {}", self.affine([left, right]))
                    }
                }
            }
        };
        writeln!(self.out, "{line}").unwrap();
    }

    fn type_text(&mut self, kind: &TypeKind) -> String {
        match kind {
            TypeKind::Integer { .. }
            | TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::None
            | TypeKind::Token => {
                format!("{kind:?}")
            }
            TypeKind::Complex(element) => format!("complex {}", self.ty(*element)),
            TypeKind::Tuple(types) => format!("tuple {}", self.types(types)),
            TypeKind::Function { inputs, results } => {
                format!("{} -> {}", self.types(inputs), self.types(results))
            }
            TypeKind::Graph { inputs, results } => {
                format!("graph {} -> {}", self.types(inputs), self.types(results))
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                format!("vector {shape:?} {scalable:?} {}", self.ty(*element))
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => format!(
                "tensor {shape:?} {} {}",
                self.ty(*element),
                self.optional(*encoding)
            ),
            TypeKind::UnrankedTensor(element) => format!("tensor * {}", self.ty(*element)),
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => format!(
                "memref {shape:?} {} {} {}",
                self.ty(*element),
                self.optional(*layout),
                self.optional(*memory_space)
            ),
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                format!(
                    "memref * {} {}",
                    self.ty(*element),
                    self.optional(*memory_space)
                )
            }
            TypeKind::Dialect { dialect, body } => {
                format!("{}{}", self.text(*dialect), self.body(body))
            }
        }
    }

    fn attribute_text(&mut self, kind: &AttributeKind) -> String {
        match kind {
            AttributeKind::Unit => "unit".into(),
            AttributeKind::Integer { ty, value } => format!("{value:?} {}", self.ty(*ty)),
            AttributeKind::Float { ty, bits } => format!("{bits:#x} {}", self.ty(*ty)),
            AttributeKind::String { value, ty } => {
                format!("{}{}", self.text(*value), self.optional_type(*ty))
            }
            AttributeKind::SymbolRef { root, nested } => {
                format!("symbol {}{}", self.text(*root), self.texts(nested))
            }
            AttributeKind::Type(ty) => format!("type {}", self.ty(*ty)),
            AttributeKind::Array(elements) => {
                let elements: String = elements.iter().map(|&e| self.attr(e)).collect();
                format!("array {elements}")
            }
            AttributeKind::Dictionary(entries) => {
                let entries: String = entries
                    .iter()
                    .map(|&(name, value)| format!("{}{}", self.text(name), self.attr(value)))
                    .collect();
                format!("dictionary {entries}")
            }
            AttributeKind::DenseElements { ty, splat, data } => {
                format!("dense {splat} {data:?} {}", self.ty(*ty))
            }
            AttributeKind::DenseStrings { ty, splat, values } => {
                format!("strings {splat} {}{}", self.texts(values), self.ty(*ty))
            }
            AttributeKind::DenseArray {
                element,
                length,
                data,
            } => {
                format!("dense array {length} {data:?} {}", self.ty(*element))
            }
            AttributeKind::DenseResource { ty, resource } => {
                format!("resource {}{}", self.ty(*ty), self.resource(*resource))
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => format!(
                "sparse {}{}{}",
                self.ty(*ty),
                self.attr(*indices),
                self.attr(*values)
            ),
            AttributeKind::AffineMap(map) => format!(
                "map {} {} {}",
                map.num_dims,
                map.num_symbols,
                self.affine(map.results.iter().copied())
            ),
            AttributeKind::IntegerSet(set) => format!(
                "set {} {} {} {:?}",
                set.num_dims,
                set.num_symbols,
                self.affine(set.constraints.iter().map(|&(e, _)| e)),
                set.constraints
                    .iter()
                    .map(|&(_, eq)| eq)
                    .collect::<Vec<_>>()
            ),
            AttributeKind::StridedLayout { offset, strides } => {
                format!("strided {offset} {strides:?}")
            }
            // Without the ID: distinct attributes are numbered in order of occurrence.
            AttributeKind::Distinct { referenced, .. } => {
                format!("distinct {}", self.attr(*referenced))
            }
            AttributeKind::Location(location) => format!("location {}", self.location(*location)),
            AttributeKind::Dialect { dialect, body, ty } => format!(
                "{}{}{}",
                self.text(*dialect),
                self.body(body),
                self.optional_type(*ty)
            ),
            other => panic!("{other:?}"),
        }
    }
}

fn resource_text(value: Option<&ResourceValue>) -> String {
    match value {
        None => "none".into(),
        Some(ResourceValue::Blob(blob)) => format!("blob {} {:?}", blob.alignment(), blob.data()),
        Some(ResourceValue::String(text)) => format!("string '{}'", text.escape_ascii()),
        Some(ResourceValue::Bool(value)) => format!("{value}"),
    }
}
