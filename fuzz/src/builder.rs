//! Fuzzes modules that are built through the API instead of parsed.

use crate::{context, round_trip};
use rmlir::ir::apint::ApInt;
use rmlir::ir::float::FloatKind;
use rmlir::ir::{
    Attribute, AttributeKind, Block, Builder, Context, DYNAMIC, DialectBody, Location,
    LocationKind, Module, NamedAttribute, RangeForm, Signedness, Type, TypeKind, Value,
};

/// Builds a module from the bytes, and checks that it round-trips through text and bytecode.
pub fn builder(data: &[u8]) {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let mut generator = Generator {
        data,
        types: Vec::new(),
        attributes: Vec::new(),
        locations: Vec::new(),
        operations: 0,
    };
    generator.entries(&mut context);
    let mut builder = Builder::new(&mut context, &mut module);
    let Some(body) = builder.module.body() else {
        return;
    };
    let mut values = Vec::new();
    generator.block(&mut builder, body, &[body], &mut values, 0);
    round_trip(&mut context, &module);
}

/// Names with a meaning, and some that must be quoted.
const NAMES: [&[u8]; 12] = [
    b"t.a",
    b"t.b",
    b"plain",
    b"odd \"name\"\n",
    b"\xff\x01",
    b"func.func",
    b"func.return",
    b"func.call",
    b"builtin.module",
    b"builtin.unrealized_conversion_cast",
    b"arith.constant",
    b"a.b.c",
];

const KEYS: [&[u8]; 10] = [
    b"a",
    b"b.c",
    b"needs quotes",
    b"sym_name",
    b"function_type",
    b"callee",
    b"arg_attrs",
    b"sym_visibility",
    b"\xfe",
    b"loc",
];

/// Without `f80` and `f128`: as upstream, the printer prints digits of them that do not read back.
const FLOATS: [&str; 6] = ["f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN"];

struct Generator<'d> {
    data: &'d [u8],
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    locations: Vec<Location>,
    operations: usize,
}

impl Generator<'_> {
    /// Returns the next byte; 0 after the end.
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.data.split_first().unwrap_or((&0, &[]));
        self.data = rest;
        *first
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit.max(1)
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(6)).map(|_| self.byte()).collect()
    }

    fn number(&mut self) -> i64 {
        match self.below(4) {
            0 => i64::from(self.byte()),
            1 => -i64::from(self.byte()),
            2 => DYNAMIC,
            _ => (0..8).fold(0, |n, _| n << 8 | i64::from(self.byte())),
        }
    }

    fn pick<T: Copy>(&mut self, items: impl Fn(&Self) -> &[T], otherwise: T) -> T {
        let len = items(self).len();
        let at = self.below(len);
        items(self).get(at).copied().unwrap_or(otherwise)
    }

    fn ty(&mut self, context: &Context) -> Type {
        self.pick(|g| &g.types, context.i32_type())
    }

    fn attribute(&mut self, context: &Context) -> Attribute {
        self.pick(|g| &g.attributes, context.unit_attribute())
    }

    fn location(&mut self, context: &Context) -> Location {
        self.pick(|g| &g.locations, context.unknown_location())
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| item(self)).collect()
    }

    fn shape(&mut self) -> Box<[i64]> {
        self.list(|g| match g.below(4) {
            0 => DYNAMIC,
            n => n as i64,
        })
        .into()
    }

    /// Creates types, attributes and locations, each from earlier ones.
    fn entries(&mut self, context: &mut Context) {
        for _ in 0..self.below(40) {
            // Entries that the context rejects are skipped.
            match self.below(3) {
                0 => {
                    let kind = self.type_kind(context);
                    self.types.extend(context.try_type(kind));
                }
                1 => {
                    let kind = self.attribute_kind(context);
                    self.attributes.extend(context.try_attribute(kind));
                }
                _ => {
                    let location = self.new_location(context);
                    self.locations.push(location);
                }
            }
        }
    }

    fn type_kind(&mut self, context: &mut Context) -> TypeKind {
        match self.below(12) {
            0 => TypeKind::Integer {
                width: u32::from(self.byte()),
                signedness: [
                    Signedness::Signless,
                    Signedness::Signed,
                    Signedness::Unsigned,
                ][self.below(3)],
            },
            1 => FloatKind::from_keyword(FLOATS[self.below(6)].as_bytes())
                .map_or(TypeKind::None, TypeKind::Float),
            2 => TypeKind::Index,
            3 => TypeKind::Complex(self.ty(context)),
            4 => TypeKind::Tuple(self.list(|g| g.ty(context)).into()),
            5 => TypeKind::Function {
                inputs: self.list(|g| g.ty(context)).into(),
                results: self.list(|g| g.ty(context)).into(),
            },
            6 => {
                let shape = self.shape();
                TypeKind::Vector {
                    scalable: shape.iter().map(|_| self.below(2) == 1).collect(),
                    shape,
                    element: self.ty(context),
                }
            }
            7 => TypeKind::RankedTensor {
                shape: self.shape(),
                element: self.ty(context),
                encoding: (self.below(2) == 1).then(|| self.attribute(context)),
            },
            8 => TypeKind::UnrankedTensor(self.ty(context)),
            9 => TypeKind::MemRef {
                shape: self.shape(),
                element: self.ty(context),
                layout: (self.below(2) == 1).then(|| self.attribute(context)),
                memory_space: (self.below(2) == 1).then(|| self.attribute(context)),
            },
            10 => TypeKind::UnrankedMemRef {
                element: self.ty(context),
                memory_space: (self.below(2) == 1).then(|| self.attribute(context)),
            },
            _ => TypeKind::Dialect {
                dialect: context.identifier("d"),
                body: self.body(),
            },
        }
    }

    fn body(&mut self) -> DialectBody {
        let texts: [&[u8]; 6] = [
            b"a",
            b"a<b>",
            b"\"raw \\22\"",
            b"a<[(x -> y)]>",
            b"a<b>c<d>",
            b"1 + 2",
        ];
        DialectBody::from_text(texts[self.below(texts.len())])
    }

    fn attribute_kind(&mut self, context: &mut Context) -> AttributeKind {
        match self.below(14) {
            0 => AttributeKind::Integer {
                ty: self.ty(context),
                value: ApInt::from_i64(64, self.number()),
            },
            1 => {
                let kind = FloatKind::from_keyword(FLOATS[self.below(6)].as_bytes());
                let kind = kind.unwrap_or(FloatKind::F32);
                let bits = (self.number() as u128) << (self.below(2) * 64);
                let mask = (1 << kind.width()) - 1;
                AttributeKind::Float {
                    ty: context.float_type(kind),
                    bits: bits & mask,
                }
            }
            2 => AttributeKind::String {
                value: context.identifier(self.bytes()),
                ty: (self.below(3) == 2).then(|| self.ty(context)),
            },
            3 => AttributeKind::SymbolRef {
                root: context.identifier([&self.bytes()[..], b"r"].concat()),
                nested: self
                    .list(|g| context.identifier([&g.bytes()[..], b"n"].concat()))
                    .into(),
            },
            4 => AttributeKind::Type(self.ty(context)),
            5 => AttributeKind::Array(self.list(|g| g.attribute(context)).into()),
            6 => {
                let entries = self.named(context);
                let new = context.dictionary_attribute(&entries);
                AttributeKind::Array(new.into_iter().collect())
            }
            7 => {
                let len = [0, 1, 2, 4, 8, 16][self.below(6)];
                AttributeKind::DenseElements {
                    ty: self.ty(context),
                    splat: self.below(2) == 1,
                    data: (0..len).map(|_| self.byte()).collect(),
                }
            }
            8 => AttributeKind::DenseStrings {
                ty: self.ty(context),
                splat: self.below(2) == 1,
                values: self.list(|g| context.identifier(g.bytes())).into(),
            },
            9 => {
                let length = self.below(4);
                AttributeKind::DenseArray {
                    element: self.ty(context),
                    length,
                    data: (0..length * [1, 2, 4, 8][self.below(4)])
                        .map(|_| self.byte())
                        .collect(),
                }
            }
            10 => AttributeKind::StridedLayout {
                offset: self.number(),
                strides: self.list(Self::number).into(),
            },
            11 => AttributeKind::Location(self.location(context)),
            12 => AttributeKind::Distinct {
                id: u32::from(self.byte() % 4),
                referenced: self.attribute(context),
            },
            _ => AttributeKind::Dialect {
                dialect: context.identifier("d"),
                body: self.body(),
                ty: (self.below(2) == 1).then(|| self.ty(context)),
            },
        }
    }

    fn new_location(&mut self, context: &mut Context) -> Location {
        let kind = match self.below(5) {
            0 => LocationKind::FileLineColRange {
                file: context.identifier(self.bytes()),
                start_line: self.number() as u32,
                start_column: u32::from(self.byte()),
                end_line: self.number() as u32,
                end_column: u32::from(self.byte()),
                form: match self.below(4) {
                    0 => RangeForm::File,
                    1 => RangeForm::Line,
                    2 => RangeForm::Range,
                    _ => RangeForm::Full,
                },
            },
            1 => LocationKind::Name {
                name: context.identifier(self.bytes()),
                child: self.location(context),
            },
            2 => LocationKind::CallSite {
                callee: self.location(context),
                caller: self.location(context),
            },
            3 => {
                let locations = self.list(|g| g.location(context));
                let metadata = (self.below(2) == 1).then(|| self.attribute(context));
                return context.fused_location(&locations, metadata);
            }
            _ => LocationKind::Unknown,
        };
        context.location(kind)
    }

    fn named(&mut self, context: &mut Context) -> Vec<NamedAttribute> {
        let mut entries: Vec<NamedAttribute> = self.list(|g| {
            let name = context.identifier(KEYS[g.below(KEYS.len())]);
            (name, g.attribute(context))
        });
        let mut seen = Vec::new();
        entries.retain(|entry| {
            let new = !seen.contains(&entry.0);
            seen.push(entry.0);
            new
        });
        entries
    }

    /// Fills a block. `values` are visible in it; `blocks` are those of its region.
    fn block(
        &mut self,
        builder: &mut Builder<'_>,
        block: Block,
        blocks: &[Block],
        values: &mut Vec<Value>,
        depth: usize,
    ) {
        for _ in 0..self.below(5) {
            self.operations += 1;
            if self.operations > 100 {
                return;
            }
            let name = NAMES[self.below(NAMES.len())];
            // Values from outside are not visible in isolated operations.
            let isolated = matches!(name, b"func.func" | b"builtin.module");
            let mut regions = Vec::new();
            if depth < 5 {
                for _ in 0..self.below(3) {
                    let from = if isolated { values.len() } else { 0 };
                    let mut inner = values.get(from..).unwrap_or_default().to_vec();
                    regions.push(self.region(builder, &mut inner, depth + 1));
                }
            }
            builder.set_insertion_point_to_end(block);
            let operands: Vec<Value> = self
                .list(|g| values.get(g.below(values.len())).copied())
                .into_iter()
                .flatten()
                .collect();
            let results = self.list(|g| g.ty(builder.context));
            let location = self.location(builder.context);
            let (mut properties, mut attributes) =
                (self.named(builder.context), self.named(builder.context));
            // As after normalization, properties are the inherent attributes, and no others are.
            let known = builder.context.operation_name(name);
            if builder.context.operation_definition(known).is_some() {
                let is_inherent = |entry: &NamedAttribute| {
                    let name = builder.context.bytes(entry.0);
                    builder.context.is_inherent_attribute(known, name) == Some(true)
                };
                properties.retain(is_inherent);
                attributes.retain(|entry| !is_inherent(entry));
            }
            // Operations of the top-level region have no successors.
            let successors = self.list(|g| blocks[g.below(blocks.len())]);
            let successors = if depth == 0 { Vec::new() } else { successors };
            let new = builder
                .op(name)
                .operands(operands)
                .results(results)
                .location(location)
                .regions(regions)
                .successors(successors)
                .properties(properties)
                .attributes(attributes);
            if let Ok(operation) = new.build() {
                values.extend(builder.module.results(operation));
            }
        }
    }

    fn region(
        &mut self,
        builder: &mut Builder<'_>,
        values: &mut Vec<Value>,
        depth: usize,
    ) -> rmlir::ir::Region {
        let region = builder.create_region();
        let mut blocks = Vec::new();
        for _ in 0..self.below(4) {
            let types = self.list(|g| g.ty(builder.context));
            let location = self.location(builder.context);
            builder.set_location(location);
            let block = builder.create_block(region, &types);
            values.extend(builder.module.arguments(block).map(|(value, _)| value));
            blocks.push(block);
        }
        for &block in &blocks {
            self.block(builder, block, &blocks, values, depth);
        }
        region
    }
}
