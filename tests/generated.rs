//! Tests every bundled definition by example: operations, attributes and types that satisfy a
//! definition are generated at random, with fixed seeds. Each is verified, printed in custom and
//! generic form and read back, and written as rmbc and mlirbc and read back, and must be the same
//! each time.
//!
//! What is made, and why something is not, is printed and counted: there is a floor for what must
//! be covered.
//!
//! `mlir-opt-22` must agree on those of upstream's dialects: see [`upstream`].
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

#[path = "generated/upstream.rs"]
mod upstream;

use rmlir::dialects::{Hooks, register_all, texts};
use rmlir::ir::codec::{FieldValue, FieldValues};
use rmlir::ir::constraint::{AttributeIs, TypeConstraint};
use rmlir::ir::definition::{
    Absence, DialectDefinition, EntryDefinition, FormatElement, GroupDefinition, GroupKind,
    OperationDefinition, OperationTraits, ParameterDefinition, ParameterKind, Presence, Release,
};
use rmlir::ir::{
    Attribute, AttributeKind, Context, EqualityOptions, Module, Type, TypeKind, VerifyOptions,
    semantic_difference, verify,
};
use rmlir::reader::{mlirbc as mlirbc_reader, rmbc as rmbc_reader};
use rmlir::text::{
    ParseOptions, PrintOptions, attribute_to_string, entry_body, module_to_string, parse_attribute,
    parse_module, parse_type, type_to_string,
};
use rmlir::writer::{mlirbc as mlirbc_writer, rmbc as rmbc_writer};
use rmlir_testing::{Prng, corpus::for_each, remove_implied};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::Mutex;

/// The maximum number of attempts to choose operands, results and attributes that the verifier
/// accepts.
const TRIES: usize = 24;
/// The maximum number of further attempts for an operation without an example. Unoptimised builds
/// take minutes for them.
const MORE_TRIES: usize = if cfg!(debug_assertions) { 0 } else { 5000 };
/// The number of operations that are checked for each name.
const EXAMPLES: usize = 3;
/// The maximum number of operations around one.
const PARENTS: usize = 6;
/// Operations, and attributes and types, of which there must be an example.
const FLOOR: usize = if cfg!(debug_assertions) { 6526 } else { 6671 };
const ENTRY_FLOOR: usize = 939;

/// Examples that `mlir-opt-22` must accept and print as we do.
const UPSTREAM_FLOOR: usize = 6150;

/// Lines of operation, tab, why there is no example of it. `#` starts a comment.
const MISSING: &str = include_str!("generated/missing.txt");

/// Lines of operation, tab, why its examples differ from upstream's. `#` starts a comment.
const EXCEPTIONS: &str = include_str!("generated/exceptions.txt");

const TYPES: &[&str] = &[
    "i32",
    "f32",
    "index",
    "i1",
    "i64",
    "tensor<4xf32>",
    "tensor<4xi32>",
    "tensor<4xi1>",
    "tensor<?xf32>",
    "tensor<2x4xf32>",
    "tensor<f32>",
    "vector<4xf32>",
    "vector<4xi32>",
    "vector<4xi1>",
    "vector<2x4xf32>",
    "memref<4xf32>",
    "memref<2x4xf32>",
    "memref<i32>",
    "i8",
    "i16",
    "f16",
    "f64",
    "bf16",
    "ui8",
    "si32",
    "i128",
    "complex<f32>",
    "tensor<4xcomplex<f32>>",
    "(i32) -> i32",
    "none",
    "tuple<i32>",
    "vector<[4]xi32>",
    "vector<16xi8>",
    "!llvm.ptr",
    "!llvm.void",
    "tensor<*xf32>",
    "memref<*xf32>",
];

/// Types that few constraints ask for: tried where none of [`TYPES`] keeps one. `{n}` is each of
/// [`LENGTHS`], `{e}` each of [`ELEMENTS`].
const RARE_TYPES: &[&str] = &[
    "vector<{n}x{e}>",
    "vector<[{n}]x{e}>",
    "vector<[{n}]x[{n}]x{e}>",
    "memref<4x{e}>",
    "memref<?x{e}>",
    "tensor<{e}>",
    "tensor<4x{e}>",
    "tensor<1x2x4x{e}>",
    "tensor<1x1x2x4x{e}>",
    "tensor<1x1x1x1x2x4x{e}>",
    "{e}",
    "!llvm.ptr<1>",
    "!llvm.ptr<3>",
    "!llvm.ptr<4>",
    "!llvm.ptr<7>",
    "!llvm.ptr<8>",
    "!llvm.struct<(i32)>",
    "!llvm.struct<(f32, f32)>",
    "vector<4x!llvm.ptr>",
    "!pdl.type",
    "!torch.tensor",
    "!torch.vtensor<[2],f32>",
    "!torch.list<int>",
    "!torch.list<tensor>",
    "!torch.dict<str, int>",
    "!tt.ptr<f32>",
    "!tt.tensordesc<4xf32>",
    "!ttg.memdesc<4xf32, #ttg.shared, #ttg.shared_memory>",
    "!stream.resource<*>",
    "!util.list<?>",
    "!vm.ref<?>",
    "!pdl.value",
    "!pdl.range<type>",
    "!pdl.range<value>",
    "!emitc.lvalue<i32>",
    "!emitc.ptr<i32>",
    "!emitc.array<4xi32>",
    "!emitc.opaque<\"a\">",
    "!spirv.ptr<i32, StorageBuffer>",
    "!spirv.matrix<2 x vector<2xf32>>",
    "!sparse_tensor.storage_specifier<#sparse_tensor.encoding<{ map = (d0) -> (d0 : dense) }>>",
    "!amx.tile<16x64xi8>",
    "!amx.tile<16x32xbf16>",
    "!xegpu.tensor_desc<8x16xf32>",
    "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>",
    "!ptr.ptr<#ptr.generic_space>",
    "!arc.arrayref<4xi32>",
    "!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>",
    "!nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>",
    "!kanagawa.scoperef<@a>",
    "tensor<4x!nvws.token>",
    "!torch.nn.Module<\"a\">",
    "!chirrtl.cmemory<uint<8>, 4>",
    "!esi.bundle<[!esi.channel<i32> to \"a\"]>",
    "!pcf.sref<4xf32, #pcf.sequential>",
    "!wasmssa<local ref to i32>",
    "memref<4xf32, strided<[1]>>",
    "!moore.ustruct<{a: i8}>",
    "!seq.hlmem<4xi32>",
    "memref<4x!tpu.dma_semaphore>",
    "memref<4x!tpu.semaphore>",
    "!hal.buffer_view",
    "!amdgpu.tdm_base<i32>",
    "!amdgpu.tdm_gather_base<i32, i16>",
    "tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>",
    "!systemc.module<a()>",
    "!pdl.range<operation>",
    "!llvm.struct<(i32, i32)>",
    "tensor<ui32>",
    "!xegpu.mem_desc<8x16xf32>",
    "tensor<4x!tt.ptr<f32>>",
    "!rtg.isa.label",
    "tensor<4x!quant.uniform<i8:f32, 1.0>>",
    "tensor<4xf8E8M0FNU>",
];
/// Types for operations of which the others make no example.
const LAST_TYPES: &[&str] = &[
    "vector<1xf32>",
    "vector<2xf32>",
    "vector<4xf8E8M0FNU>",
    "vector<16xf6E2M3FN>",
    "vector<8xf8E8M0FNU>",
    "f8E8M0FNU",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E4M3FN",
    "memref<4xf32, strided<[1]>>",
    "tensor<1xi8>",
    "tensor<1xi32>",
    "tensor<4xui64>",
    "tensor<2xui64>",
    "tensor<1x2x4xf8E8M0FNU>",
    "tensor<2xf32>",
    "tensor<i1>",
    "complex<f64>",
    "tensor<complex<f64>>",
    "!smt.func<(!smt.int) !smt.int>",
    "!smt.bool",
    "!torch.tuple<int>",
    "!torch.int",
    "!test.cmpnd_nested_outer<i <3>>",
    "!spirv.ptr<f32, StorageBuffer>",
    "!spirv.ptr<f32, Function>",
    "!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>>",
    "!spirv.coopmatrix<16x16xi32, Subgroup, MatrixA>",
    "!sim.queue<i32, 4>",
    "!sim.dpi_functy<(in \"a\": i32)>",
];

/// Attributes whose parameters are texts of a language of their own, with their dialect.
const SEEDS: &[(&str, &str)] = &[(
    "sparse_tensor",
    "#sparse_tensor.encoding<{ map = (d0) -> (d0 : dense) }>",
)];
const LENGTHS: &[&str] = &["2", "3", "4", "6", "8", "16", "32"];
const ELEMENTS: &[&str] = &[
    "i1", "i4", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "f8E5M2",
    "f8E4M3FN", "f4E2M1FN",
];

const ATTRIBUTES: &[&str] = &[
    "1 : i32",
    "0 : i64",
    "2 : i32",
    "1 : i64",
    "8 : i64",
    "unit",
    "\"text\"",
    "\"a \\22b\\0A\"",
    "@symbol",
    "@outer::@inner",
    "true",
    "false",
    "1 : i8",
    "1 : i16",
    "1 : index",
    "4 : ui32",
    "1 : si32",
    "1.5 : f32",
    "2.0 : f64",
    "[]",
    "[1, 2]",
    "[0 : i32]",
    "[\"a\", \"b\"]",
    "[@symbol]",
    "[i32]",
    "[true]",
    "[[1]]",
    "{}",
    "{a = 1 : i32}",
    "i32",
    "f32",
    "tensor<4xf32>",
    "(i32) -> i32",
    "() -> ()",
    "array<i1: true>",
    "array<i8: 1>",
    "array<i16: 1>",
    "array<i32>",
    "array<i32: 1>",
    "array<i64>",
    "array<i64: 0>",
    "array<i64: 1, 2>",
    "array<f32: 1.0>",
    "array<f64: 1.0>",
    "dense<1> : tensor<4xi32>",
    "dense<1.0> : tensor<4xf32>",
    "dense<[0, 1]> : tensor<2xi64>",
    "dense<true> : tensor<4xi1>",
    "affine_map<(d0) -> (d0)>",
    "[affine_map<(d0) -> (d0)>]",
    "affine_set<(d0) : (d0 >= 0)>",
    "memref<4xf32>",
    "vector<4xf32>",
    "!llvm.func<void ()>",
    "{a = \"text\"}",
    "[[\"a\"]]",
    "[{a = 1 : i32}]",
    "[1 : i32, 2 : i32, 4 : i32]",
    "[\"parallel\"]",
    "256 : i32",
    "16 : i32",
    "32 : i32",
    "64 : i32",
    "4 : i32",
];

/// Attributes that few constraints ask for: tried where none of [`ATTRIBUTES`] keeps one.
const RARE_ATTRIBUTES: &[&str] = &[
    "#sdy.sharding<@mesh, [{}]>",
    "array<i64: 1, 1, 1>",
    "array<i64: 1, 1, 1, 1>",
    "array<i64: 1, 1, 1, 1, 1>",
    "array<i64: 1, 1, 1, 1, 1, 1>",
    "array<i32: 1, 1>",
    "array<i32: 1, 1, 1>",
    "array<i1: true, false>",
    "array<i16: 0, 1>",
    "dense<1> : tensor<1xindex>",
    "dense<1> : tensor<4xindex>",
    "dense<1> : tensor<2xi64>",
    "dense<0> : tensor<2x2xi64>",
    "dense<1> : vector<4xi32>",
    "dense<1.0> : vector<4xf32>",
    "dense<1.0> : tensor<f32>",
    "[array<i16: 0>]",
    "[array<i32: 0>]",
    "[#shard<axisarray[[0]]>]",
    "1 : ui64",
    "1 : ui8",
    "1 : ui16",
    "1 : si64",
    "1 : si8",
    "1 : i2",
    "1 : i4",
    "1 : i1",
    "-1 : i8",
    "1.5 : f16",
    "1.5 : bf16",
    "[1.5 : f32]",
    "[1 : index]",
    "[unit]",
    "[{}]",
    "[[0, 1], [2]]",
    "[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]",
    "affine_map<(d0, d1) -> (d0, d1)>",
    "affine_map<() -> (0)>",
    "distinct[0]<unit>",
];

/// Attributes for operations of which the others make no example.
const LAST_ATTRIBUTES: &[&str] = &[
    "0 : i32",
    "0 : i16",
    "0 : index",
    "array<i64: 0, 1>",
    "array<i64: 1, 0>",
    "array<i64: 0, 1, 2>",
    "array<i64: 1, 1>",
    "array<i64: 4>",
    "array<i64: 1>",
    "array<i64: 0, 0>",
    "array<i64: 2, 2>",
    "array<i64: 0, 0, 0, 0>",
    "array<i32: 0>",
    "[#gpu.object<#nvvm.target, \"a\">]",
    "#shard<axisarray[[0]]>",
    "#spirv.storage_class<Function>",
    "#spirv.selection_control<None>",
    "#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>",
    "#firrtl<name_kind droppable_name>",
    "#firrtl<ruwbehavior Undefined>",
    "128 : i32",
    "#smt.bv<1> : !smt.bv<4>",
    "dense<\"a\"> : tensor<1x!unknown<\"a\">>",
    "dense<1> : tensor<4x8xi64>",
    "dense<1> : vector<2xi32>",
];

/// Operations that others refer to, for the module around an operation of which there is no
/// example without them. Their symbol is `@symbol`, as in [`ATTRIBUTES`].
const SYMBOLS: &[&str] = &[
    "",
    "\"func.func\"() <{function_type = (i32) -> i32, sym_name = \"symbol\", sym_visibility = \"private\"}> ({}) : () -> ()\n",
    "\"shard.grid\"() <{shape = array<i64: 2, 2>, sym_name = \"symbol\"}> : () -> ()\n",
];

/// What became of one dialect.
#[derive(Default)]
struct Coverage {
    operations: usize,
    covered: usize,
    entries: usize,
    entries_covered: usize,
    examples: usize,
    custom: usize,
    /// The reasons why items could not be generated, with the items.
    reasons: BTreeMap<String, Vec<String>>,
    failures: Vec<String>,
    /// Operations without examples, with the most frequent reasons.
    missing: BTreeMap<String, String>,
    /// Attributes and types that are printed in another way than they are read.
    respelled: BTreeMap<String, String>,
    /// What `mlir-opt-22` is to agree on.
    for_upstream: Vec<upstream::Example>,
}

/// Generates items that satisfy the definitions of a dialect.
struct Generator {
    random: Prng,
    dialect: Arc<DialectDefinition>,
    context: Context,
    /// Generated types and attributes of the dialect.
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    /// Types that few constraints ask for, and [`LAST_TYPES`] at the end.
    all_rare: Vec<Type>,
    /// The last constraint on types that no type keeps.
    unkept: String,
    /// The type of each constraint in the current operation, which most relations between types
    /// ask for.
    chosen: BTreeMap<String, Type>,
    /// The number of operations that were spelled.
    level: u32,
    /// Whether simpler choices led to no example of the current operation.
    is_thorough: bool,
    /// The length that lists have where possible.
    length: usize,
    /// Operations of the dialect that can end a block of any other.
    terminators: Vec<String>,
}

/// The texts of [`RARE_TYPES`].
fn rare_types() -> Vec<String> {
    let mut texts = Vec::new();
    for text in RARE_TYPES {
        let lengths = if text.contains("{n}") { LENGTHS } else { &[""] };
        for length in lengths {
            let elements = if text.contains("{e}") {
                ELEMENTS
            } else {
                &[""]
            };
            for element in elements {
                texts.push(text.replace("{e}", element).replace("{n}", length));
            }
        }
    }
    texts
}

fn new_context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context.set_release(Release::LLVM_22);
    context
}

impl Generator {
    fn new(dialect: &DialectDefinition) -> Self {
        let mut context = new_context();
        let known = context.dialect(dialect.name.as_bytes());
        let types = TYPES.iter();
        let types = types.map(|text| parse_type(&mut context, text.as_bytes()).unwrap());
        let types = types.collect();
        let attributes = ATTRIBUTES.iter();
        let attributes =
            attributes.map(|text| parse_attribute(&mut context, text.as_bytes()).unwrap());
        let mut attributes: Vec<Attribute> = attributes.collect();
        let seeds = SEEDS.iter().filter(|seed| seed.0 == &*dialect.name);
        attributes
            .extend(seeds.map(|seed| parse_attribute(&mut context, seed.1.as_bytes()).unwrap()));
        let mut rare = rare_types();
        rare.extend(LAST_TYPES.iter().map(|text| (*text).to_owned()));
        let rare = rare.iter();
        let rare = rare.map(|text| parse_type(&mut context, text.as_bytes()).expect(text));
        let all_rare = rare.collect();
        let ends_any = |operation: &&OperationDefinition| {
            let release = Release::LLVM_22;
            operation.number(release).is_some()
                && operation
                    .traits(release)
                    .contains(OperationTraits::TERMINATOR)
                && operation
                    .groups_in(&operation.successors, release)
                    .next()
                    .is_none()
                && operation
                    .attributes_in(release)
                    .all(|attribute| attribute.presence != Presence::Required)
        };
        let terminators = dialect.operations().iter().map(|one| &**one);
        let terminators = terminators.filter(ends_any);
        let terminators = terminators.map(|one| format!("{}.{}", dialect.name, one.mnemonic));
        let terminators = terminators.collect();
        Generator {
            random: Prng::new(0x5eed),
            dialect: known.unwrap(),
            context,
            types,
            attributes,
            all_rare,
            unkept: String::new(),
            chosen: BTreeMap::new(),
            level: 0,
            is_thorough: false,
            length: 0,
            terminators,
        }
    }

    fn rare(&self) -> &[Type] {
        let simple = self.all_rare.len() - LAST_TYPES.len();
        match self.is_thorough {
            true => &self.all_rare,
            false => &self.all_rare[..simple],
        }
    }

    fn number(&self) -> u32 {
        Release::LLVM_22.number_in(self.dialect.family)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        match all.len() {
            0 => None,
            len => all.get(self.random.below(len)).copied(),
        }
    }

    /// Returns a value of a parameter; `None` if none can be generated.
    fn value(
        &mut self,
        kind: &ParameterKind,
        values: &mut FieldValues<'static>,
    ) -> Option<FieldValue<'static>> {
        Some(match kind {
            ParameterKind::Integer { .. } => FieldValue::Signed(self.pick(&[1, 2, 4, 0, -1, 8])?),
            ParameterKind::Unsigned { .. } => FieldValue::Unsigned(self.pick(&[1, 2, 4, 0, 8])?),
            ParameterKind::BigInteger => kind.number(self.pick(&[1, 0, -3, i64::MAX])?),
            ParameterKind::Bool => FieldValue::Unsigned(self.pick(&[0, 1])?),
            ParameterKind::Dimension => FieldValue::Signed(self.pick(&[1, 4, i64::MIN])?),
            ParameterKind::Dimensions => {
                let sizes: &[&[i64]] = &[&[4], &[2, 4], &[i64::MIN], &[]];
                let sizes = self.pick(sizes)?;
                values.make_list(sizes.iter().map(|size| FieldValue::Signed(*size)))
            }
            ParameterKind::Float => {
                FieldValue::Float(self.pick(&[0.5f64, -1.0, 1e30])?.to_bits().into())
            }
            ParameterKind::String => {
                let text = self.pick(&["a", "b c", "q\"\n", ""])?;
                FieldValue::String(self.context.identifier(text))
            }
            ParameterKind::Enumeration { name, quoted } => {
                let dialect = Arc::clone(&self.dialect);
                // Upstream prints other members, and does not read them.
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_$.".contains(&b);
                let is_read = |keyword: &str| *quoted || keyword.bytes().all(is_word);
                let number = self.number();
                let cases = dialect.find_enumeration(&self.context, name, |found| {
                    let cases = found
                        .cases
                        .iter()
                        .filter(|case| !case.hidden && case.releases.contains(number))
                        .filter(|case| is_read(&case.keyword));
                    Some(cases.map(|case| case.value).collect::<Vec<_>>())
                })?;
                FieldValue::Unsigned(self.pick(&cases)?.cast_unsigned())
            }
            ParameterKind::Attribute { mnemonic } => {
                let attributes = self.attributes_of(mnemonic.as_deref());
                FieldValue::Attribute(self.pick(&attributes)?)
            }
            ParameterKind::Type { mnemonic } => {
                let types = self.types_of(mnemonic.as_deref());
                FieldValue::Type(self.pick(&types)?)
            }
            ParameterKind::SelfType => FieldValue::Type(self.pick(&self.types.clone())?),
            ParameterKind::List(item) => {
                let len = self.random.below(3);
                let items = (0..len).map(|_| self.value(item, values));
                let items: Option<Vec<_>> = items.collect();
                values.make_list(items?)
            }
            ParameterKind::AffineMap => FieldValue::Attribute(
                parse_attribute(&mut self.context, b"affine_map<(d0)[s0] -> (d0 + s0)>").ok()?,
            ),
            ParameterKind::IntegerSet => FieldValue::Attribute(
                parse_attribute(&mut self.context, b"affine_set<(d0) : (d0 == 0)>").ok()?,
            ),
            ParameterKind::Own => return None,
        })
    }

    /// Returns attributes that few constraints ask for, and that satisfy one: types, and texts of
    /// [`RARE_ATTRIBUTES`].
    fn special_attributes(&mut self, is: Option<&AttributeIs>) -> Vec<Attribute> {
        let Some(is) = is else {
            return Vec::new();
        };
        let types: Vec<Type> = match self.is_thorough && self.random.below(2) == 0 {
            true => self.all_rare[self.all_rare.len() - LAST_TYPES.len()..].to_vec(),
            false => self.types.iter().chain(self.rare()).copied().collect(),
        };
        let types = types.into_iter().map(|ty| self.context.type_attribute(ty));
        let mut all: Vec<Attribute> = types.collect();
        let last = if self.is_thorough {
            LAST_ATTRIBUTES
        } else {
            &[]
        };
        all.extend(
            RARE_ATTRIBUTES
                .iter()
                .chain(last)
                .map(|text| parse_attribute(&mut self.context, text.as_bytes()).expect(text)),
        );
        all.retain(|&value| is.accepts(&self.context, value));
        all
    }

    fn types_of(&self, mnemonic: Option<&str>) -> Vec<Type> {
        let all = self.types.iter().copied();
        let is = |ty: &Type| match (mnemonic, self.context.type_kind(*ty)) {
            (None, _) => true,
            (Some(mnemonic), TypeKind::Dialect { dialect, body }) => {
                self.context.bytes(*dialect) == self.dialect.name.as_bytes()
                    && self
                        .dialect
                        .types
                        .entry_of(body, self.number())
                        .is_some_and(|e| e.mnemonic == mnemonic)
            }
            _ => false,
        };
        all.filter(is).collect()
    }

    fn attributes_of(&self, mnemonic: Option<&str>) -> Vec<Attribute> {
        let all = self.attributes.iter().copied();
        let is = |attribute: &Attribute| match (mnemonic, self.context.attribute_kind(*attribute)) {
            (None, _) => true,
            (Some(mnemonic), AttributeKind::Dialect { dialect, body, .. }) => {
                self.context.bytes(*dialect) == self.dialect.name.as_bytes()
                    && self
                        .dialect
                        .attributes
                        .entry_of(body, self.number())
                        .is_some_and(|e| e.mnemonic == mnemonic)
            }
            _ => false,
        };
        all.filter(is).collect()
    }

    /// Returns the text of an attribute or type of the dialect with random parameters.
    fn entry(&mut self, entry: &EntryDefinition, is_type: bool) -> Result<String, String> {
        let mut values = FieldValues::default();
        for parameter in &entry.parameters {
            let is_absent = !parameter.is_required() && self.random.below(2) == 0;
            let value = match (is_absent, &parameter.absence) {
                (true, Absence::Refused | Absence::Empty) => match parameter.kind {
                    ParameterKind::List(_) => values.make_list([]),
                    _ => FieldValue::Absent,
                },
                (true, Absence::Value(value)) => parameter.kind.number(*value),
                (true, Absence::Text(text)) => FieldValue::String(self.context.identifier(&**text)),
                _ => match self.value(&parameter.kind, &mut values) {
                    Some(value) => value,
                    None => return Err(format!("no value of kind {:?}", parameter.kind)),
                },
            };
            values.fields.push(value);
        }
        let dialect = Arc::clone(&self.dialect);
        let body = entry_body(&mut self.context, &dialect, entry, &values, 1 << 16);
        let body = body.map_err(|error| format!("no text: {}", generic_reason(error.message())))?;
        let name = self.context.identifier(&*dialect.name);
        let text = match is_type {
            true => {
                let kind = TypeKind::Dialect {
                    dialect: name,
                    body,
                };
                let ty = self
                    .context
                    .try_type(kind)
                    .map_err(|e| e.message().to_owned())?;
                type_to_string(&self.context, ty)
            }
            false => {
                let ty = entry.self_type(&values);
                let kind = AttributeKind::Dialect {
                    dialect: name,
                    body,
                    ty,
                };
                let made = self.context.try_attribute(kind);
                attribute_to_string(&self.context, made.map_err(|e| e.message().to_owned())?)
            }
        };
        Ok(text)
    }

    /// Checks attributes and types of the dialect, and keeps them as parts of others.
    fn entries(&mut self, coverage: &mut Coverage) {
        let dialect = Arc::clone(&self.dialect);
        // Twice: in the second round they can be nested.
        for round in 0..2 {
            for is_type in [true, false] {
                let table = if is_type {
                    &dialect.types
                } else {
                    &dialect.attributes
                };
                for entry in table.entries() {
                    if !entry.releases.contains(self.number()) {
                        continue;
                    }
                    let mut reason = String::new();
                    let mut found = 0;
                    let is_enumeration = |p: &ParameterDefinition| {
                        matches!(p.kind, ParameterKind::Enumeration { .. })
                    };
                    // Rules of operations ask for members.
                    let enough = match entry.parameters.iter().any(is_enumeration) {
                        true => TRIES,
                        false => EXAMPLES,
                    };
                    for _ in 0..TRIES {
                        if found == enough {
                            break;
                        }
                        let made = self.entry(entry, is_type);
                        let checked = made
                            .and_then(|text| self.check_entry(&text, (entry, is_type), coverage));
                        match checked {
                            Ok(()) => found += 1,
                            Err(error) => reason = error,
                        }
                    }
                    if round == 1 {
                        coverage.entries += 1;
                        coverage.entries_covered += usize::from(found > 0);
                        if found == 0 {
                            let name = format!("{}.{}", dialect.name, entry.mnemonic);
                            let reason = coverage.reasons.entry(format!("entry: {reason}"));
                            reason.or_default().push(name);
                        }
                    }
                }
            }
        }
    }

    /// Parses a printed attribute or type, and checks that it prints identically.
    fn check_entry(
        &mut self,
        text: &str,
        (entry, is_type): (&EntryDefinition, bool),
        coverage: &mut Coverage,
    ) -> Result<(), String> {
        let module = format!("\"t.x\"() {{a = {text}}} : () -> ()\n");
        let read = parse_module(
            &mut self.context,
            module.as_bytes(),
            &ParseOptions::default(),
        );
        // Values that violate a confinement are not a defect of the text.
        if let Err(errors) = read {
            let message = generic_reason(&errors.first().message);
            let is_rule = message.starts_with("failed to verify") || has_code(entry);
            if !is_rule {
                coverage
                    .failures
                    .push(format!("{text} is not read: {}", errors.first().message));
            }
            return Err(message);
        }
        let text = text.as_bytes();
        let again = match is_type {
            true => {
                let ty =
                    parse_type(&mut self.context, text).map_err(|e| e.first().message.clone())?;
                if !self.types.contains(&ty) && self.types.len() < 400 {
                    self.types.push(ty);
                }
                type_to_string(&self.context, ty)
            }
            false => {
                let made = parse_attribute(&mut self.context, text);
                let made = made.map_err(|e| e.first().message.clone())?;
                if !self.attributes.contains(&made) && self.attributes.len() < 400 {
                    self.attributes.push(made);
                }
                attribute_to_string(&self.context, made)
            }
        };
        if again.as_bytes() == text {
            return Ok(());
        }
        let text = String::from_utf8_lossy(text);
        // Code may leave out what means the same as its absence. Upstream must agree.
        let is_normalized = has_code(entry) && self.reads_back(&again, is_type);
        if is_normalized || self.differs_in_type(text.as_bytes(), &again) {
            coverage.respelled.insert(text.into_owned(), again);
        } else {
            coverage
                .failures
                .push(format!("{text} is printed as {again}"));
        }
        Ok(())
    }

    /// Returns whether an attribute or type is read and printed again as its text.
    fn reads_back(&mut self, text: &str, is_type: bool) -> bool {
        let printed = match is_type {
            true => parse_type(&mut self.context, text.as_bytes())
                .map(|ty| type_to_string(&self.context, ty)),
            false => parse_attribute(&mut self.context, text.as_bytes())
                .map(|attribute| attribute_to_string(&self.context, attribute)),
        };
        printed.is_ok_and(|printed| printed == text)
    }

    /// Returns whether two texts of attributes of the dialect differ in the type after them alone,
    /// which code may determine.
    fn differs_in_type(&mut self, one: &[u8], other: &str) -> bool {
        let Ok(attribute) = parse_attribute(&mut self.context, one) else {
            return false;
        };
        let AttributeKind::Dialect { dialect, body, .. } =
            self.context.attribute_kind(attribute).clone()
        else {
            return false;
        };
        let untyped = AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        };
        let untyped = self.context.try_attribute(untyped).ok();
        let bare = untyped.map(|bare| attribute_to_string(&self.context, bare));
        bare.is_some_and(|bare| {
            let is_bare = |text: &[u8]| {
                let rest = text.strip_prefix(bare.as_bytes());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b" : "))
            };
            is_bare(one) && is_bare(other.as_bytes())
        })
    }

    /// Returns a type that satisfies a constraint: `preferred` if it does, else often the one that
    /// was chosen for that constraint before.
    fn type_of(&mut self, constraint: &str, preferred: Type) -> Option<Type> {
        let found = self
            .context
            .type_constraint(self.dialect.name.as_bytes(), constraint);
        let Some(found) = found else {
            return Some(preferred);
        };
        let preference = if self.is_thorough { 2 } else { 6 };
        if found.predicate.holds(&self.context, preferred) == Some(true)
            && self.random.below(preference) > 0
        {
            return Some(preferred);
        }
        if let Some(&chosen) = self.chosen.get(constraint)
            && self.random.below(4) > 0
        {
            return Some(chosen);
        }
        let chosen = self.type_by(&found, preferred);
        match chosen {
            Some(ty) => drop(self.chosen.insert(constraint.to_owned(), ty)),
            None => constraint.clone_into(&mut self.unkept),
        }
        chosen
    }

    fn type_by(&mut self, found: &TypeConstraint, preferred: Type) -> Option<Type> {
        if let Some(text) = found.predicate.single_type() {
            return parse_type(&mut self.context, text.as_bytes()).ok();
        }
        let is_it = |context: &Context, ty: Type| found.predicate.holds(context, ty) == Some(true);
        if self.random.below(2) == 0 {
            // A constraint that is partly unknown accepts all that it does not refuse.
            let thorough = self.is_thorough;
            let accepts = |context: &Context, ty: Type| match thorough {
                true => found.accepts(context, ty),
                false => is_it(context, ty),
            };
            let related = self.related(preferred).into_iter();
            let related: Vec<Type> = related.filter(|&ty| accepts(&self.context, ty)).collect();
            // The first is the element type, if there is one.
            let first = related.first().copied();
            if let Some(ty) = first.filter(|_| self.random.below(2) == 0) {
                return Some(ty);
            }
            if let Some(ty) = self.pick(&related) {
                return Some(ty);
            }
        }
        let with_rare = self.is_thorough && self.random.below(2) == 0;
        let rare = if with_rare { self.rare() } else { &[] };
        let keep = self.types.iter().chain(rare).copied();
        let keep: Vec<Type> = keep.filter(|&ty| is_it(&self.context, ty)).collect();
        if !keep.is_empty() {
            // The first satisfies most relations between types.
            return match self.random.below(2) {
                0 => keep.first().copied(),
                _ => self.pick(&keep),
            };
        }
        let (context, own) = (&self.context, self.dialect.name.as_bytes());
        let mut rare = self.rare().iter().copied();
        if let Some(rare) = rare.find(|&ty| is_it(context, ty)) {
            return Some(rare);
        }
        // A part of the constraint is unknown: a type of the dialect is the best guess.
        let all = self.rare().iter().chain(&self.types).copied();
        let accepted: Vec<Type> = all.filter(|&ty| found.accepts(context, ty)).collect();
        let is_own = |ty: &&Type| {
            matches!(context.type_kind(**ty), TypeKind::Dialect { dialect, .. }
                if context.bytes(*dialect) == own)
        };
        let own = accepted.iter().find(is_own).copied();
        let preferred = Some(preferred).filter(|&ty| found.accepts(context, ty));
        own.or(preferred).or(accepted.first().copied())
    }

    /// Returns the types with the sizes of a type and other elements, its element type, and types
    /// with it as the element type.
    fn related(&mut self, ty: Type) -> Vec<Type> {
        let kind = self.context.type_kind(ty).clone();
        let element = match kind {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } => element,
            _ => {
                let text = type_to_string(&self.context, ty);
                let mut related = self.type_parameters(ty);
                let shaped = ["vector<4x", "tensor<4x", "memref<4x"].into_iter();
                related.extend(shaped.filter_map(|start| {
                    let text = format!("{start}{text}>");
                    parse_type(&mut self.context, text.as_bytes()).ok()
                }));
                return related;
            }
        };
        let mut related = vec![element];
        for text in ELEMENTS {
            let Ok(other) = parse_type(&mut self.context, text.as_bytes()) else {
                continue;
            };
            let mut kind = kind.clone();
            if let TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } = &mut kind
            {
                *element = other;
            }
            related.extend(self.context.try_type(kind).ok());
        }
        related
    }

    /// Returns the parameters of a type of a dialect that are types.
    fn type_parameters(&self, ty: Type) -> Vec<Type> {
        let TypeKind::Dialect { dialect, body } = self.context.type_kind(ty) else {
            return Vec::new();
        };
        let dialect = self.context.dialect(self.context.bytes(*dialect));
        let entry = dialect.as_ref().and_then(|dialect| {
            let number = Release::LLVM_22.number_in(dialect.family);
            dialect.types.entry_of(body, number)
        });
        let parameters = entry.into_iter().flat_map(|entry| &entry.parameters);
        let types = parameters.filter_map(|p| self.context.parameter(ty, &p.name)?.ty());
        types.collect()
    }

    /// Returns a type for as much as possible of an operation: any, or one that satisfies a
    /// constraint of a group.
    fn preferred(&mut self, groups: &[&GroupDefinition]) -> Option<Type> {
        if self.random.below(3) > 0
            && let Some(group) = self.pick(groups)
        {
            let name = self.dialect.name.clone();
            let found = self
                .context
                .type_constraint(name.as_bytes(), &group.constraint);
            if let Some(found) = found {
                let all = self.types.iter().chain(self.rare()).copied();
                let all = all.filter(|&ty| found.predicate.holds(&self.context, ty) == Some(true));
                let mut all: Vec<Type> = all.collect();
                if self.is_thorough && self.random.below(2) == 0 {
                    let last = &self.all_rare[self.all_rare.len() - LAST_TYPES.len()..];
                    let is_last = |ty: &Type| last.contains(ty);
                    if all.iter().any(is_last) {
                        all.retain(is_last);
                    }
                }
                if let Some(ty) = self.pick(&all) {
                    return Some(ty);
                }
            }
        }
        self.pick(&self.types.clone())
    }

    /// Returns a length for lists of the next operation.
    fn random_length(&mut self) -> usize {
        match self.is_thorough {
            true => self.random.below(4),
            false => 0,
        }
    }

    /// Returns the types of groups, and the length of each.
    fn groups(
        &mut self,
        groups: &[&GroupDefinition],
        same: bool,
        preferred: Type,
    ) -> Option<(Vec<Type>, Vec<usize>)> {
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        let all = self.random.below(3);
        let same = same || self.is_thorough && self.random.below(2) == 0;
        let all = match self.is_thorough && self.random.below(2) == 0 {
            true => self.length,
            false => all,
        };
        for group in groups {
            let size = match group.kind {
                GroupKind::Single => 1,
                GroupKind::Optional if same => all.min(1),
                GroupKind::Optional => self.random.below(2),
                GroupKind::Variadic if same => all,
                GroupKind::Variadic => self.random.below(3),
                GroupKind::VariadicOfVariadic => 0,
            };
            for _ in 0..size {
                types.push(self.type_of(&group.constraint, preferred)?);
            }
            sizes.push(size);
        }
        Some((types, sizes))
    }

    /// Returns the text of a module with an operation in generic form, in the operations that it
    /// must be in.
    fn operation(&mut self, operation: &OperationDefinition) -> Result<String, String> {
        let name = format!("{}.{}", self.dialect.name, operation.mnemonic);
        let mut text = self.spelled(operation, &name, None)?;
        let mut inner = operation.clone();
        for _ in 0..PARENTS {
            let parents: Vec<&str> = inner.parents_in(Release::LLVM_22).collect();
            let Some(parent) = self.pick(&parents).map(str::to_owned) else {
                break;
            };
            let name = self.context.operation_name(&*parent);
            let Some(outer) = self.context.operation_definition(name).cloned() else {
                break;
            };
            // Constraints have the names that they have in the parent's dialect.
            let of_parent = parent.split('.').next().unwrap_or_default();
            let of_parent = self.context.dialect(of_parent.as_bytes());
            let own = std::mem::replace(&mut self.dialect, of_parent.ok_or("no dialect")?);
            let around = self.spelled(&outer, &parent, Some(&text));
            self.dialect = own;
            text = around?;
            inner = OperationDefinition::clone(&outer);
        }
        let symbol = match self.is_thorough {
            true => self.pick(SYMBOLS).unwrap_or_default(),
            false => "",
        };
        Ok(format!(
            "{symbol}\"t.around\"() ({{\n{text}}}) : () -> ()\n"
        ))
    }

    /// Returns the text of an operation with the operations that it uses, and an operation that
    /// ends its block, if it does not. `content` is the text in one of its regions.
    fn spelled(
        &mut self,
        operation: &OperationDefinition,
        full_name: &str,
        content: Option<&str>,
    ) -> Result<String, String> {
        let release = Release::LLVM_22;
        let traits = operation.traits(release);
        self.chosen.clear();
        self.length = self.random_length();
        // Names of values must differ from those of the content.
        self.level = self.level.wrapping_add(1);
        let level = self.level;
        let operands: Vec<_> = operation.groups_in(&operation.operands, release).collect();
        let results: Vec<_> = operation.groups_in(&operation.results, release).collect();
        let regions: Vec<_> = operation.groups_in(&operation.regions, release).collect();
        let successors: Vec<_> = operation
            .groups_in(&operation.successors, release)
            .collect();
        let types: Vec<&GroupDefinition> = operands.iter().chain(&results).copied().collect();
        let preferred = self.preferred(&types).ok_or("no type")?;
        let same = traits.contains(OperationTraits::SAME_VARIADIC_OPERAND_SIZE);
        let made = self.groups(&operands, same, preferred);
        let (operand_types, operand_sizes) =
            made.ok_or_else(|| format!("no type is '{}'", self.unkept))?;
        let same = traits.contains(OperationTraits::SAME_VARIADIC_RESULT_SIZE);
        let made = self.groups(&results, same, preferred);
        let (mut result_types, result_sizes) =
            made.ok_or_else(|| format!("no type is '{}'", self.unkept))?;
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            && let Some(first) = operand_types.first()
        {
            result_types.iter_mut().for_each(|ty| *ty = *first);
        }
        let mut properties = Vec::new();
        let dialect = Arc::clone(&self.dialect);
        for attribute in operation.attributes_in(release) {
            if attribute.presence != Presence::Required && self.random.below(2) == 0 {
                continue;
            }
            if let (Some(default), 0) = (&attribute.default, self.random.below(2)) {
                properties.push(format!("{} = {default}", quoted(&attribute.name)));
                continue;
            }
            let is = AttributeIs::of(&self.context, &dialect, attribute);
            let keep = self.attributes.iter().copied();
            let keep: Vec<Attribute> = match &is {
                Some(is) => keep
                    .filter(|value| is.accepts(&self.context, *value))
                    .collect(),
                None => keep.collect(),
            };
            // The value of a constant has its type.
            let result = result_types.first();
            let is_typed =
                |value: &&Attribute| Some(&self.context.attribute_type(**value)) == result;
            let typed: Vec<Attribute> = keep.iter().filter(is_typed).copied().collect();
            let keep = match typed.is_empty() || self.random.below(2) == 0 {
                true => keep,
                false => typed,
            };
            let mut keep = keep;
            if keep.is_empty() || self.is_thorough {
                keep.extend(self.special_attributes(is.as_ref()));
            }
            if self.is_thorough && self.random.below(4) > 0 {
                let fits = |value: &Attribute| {
                    let text = attribute_to_string(&self.context, *value);
                    list_length(&text).is_none_or(|length| length == self.length)
                };
                let fitting: Vec<Attribute> = keep.iter().copied().filter(fits).collect();
                if !fitting.is_empty() {
                    keep = fitting;
                }
            }
            match self.pick(&keep) {
                Some(value) => {
                    let value = attribute_to_string(&self.context, value);
                    properties.push(format!("{} = {value}", quoted(&attribute.name)));
                }
                None if attribute.presence != Presence::Required => {}
                None => return Err(format!("no attribute is '{}'", attribute.constraint)),
            }
        }
        for (bit, name, sizes) in [
            (
                OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
                "operandSegmentSizes",
                operand_sizes,
            ),
            (
                OperationTraits::ATTRIBUTE_SIZED_RESULTS,
                "resultSegmentSizes",
                result_sizes,
            ),
        ] {
            if traits.contains(bit) {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                properties.push(format!("{name} = array<i32: {}>", sizes.join(", ")));
            }
        }
        let mut text = String::new();
        let mut names = Vec::new();
        for (number, ty) in operand_types.iter().enumerate() {
            let ty = type_to_string(&self.context, *ty);
            writeln!(text, "  %v{level}_{number} = \"t.v\"() : () -> ({ty})").unwrap();
            names.push(format!("%v{level}_{number}"));
        }
        write!(text, "  ").unwrap();
        if !result_types.is_empty() {
            write!(text, "%r{level}:{} = ", result_types.len()).unwrap();
        }
        write!(text, "\"{full_name}\"({})", names.join(", ")).unwrap();
        if !successors.is_empty() {
            let blocks = vec!["^next"; successors.len()];
            write!(text, "[{}]", blocks.join(", ")).unwrap();
        }
        if !properties.is_empty() {
            write!(text, " <{{{}}}>", properties.join(", ")).unwrap();
        }
        if !regions.is_empty() {
            let terminator = operation.implicit_terminator(release);
            let mut bodies = Vec::new();
            let with_content = self.random.below(regions.len());
            for (at, region) in regions.iter().enumerate() {
                let mut body = String::new();
                let mut all = Vec::new();
                if let Some(arguments) = &region.arguments {
                    for constraint in arguments.iter() {
                        all.push(self.type_of(constraint, preferred).ok_or("no argument")?);
                    }
                } else if content.is_none() {
                    // Often an index, the operands, or both.
                    all.extend((0..self.random.below(3)).map(|_| self.context.index_type()));
                    if self.random.below(2) == 0 {
                        let count = self.random.below(operand_types.len() + 1);
                        all.extend(operand_types.iter().rev().take(count).rev());
                    }
                    if self.random.below(2) == 0 {
                        all.clear();
                    }
                    if self.is_thorough && self.random.below(2) == 0 {
                        let types = operand_types.iter().chain(&result_types);
                        all = types.map(|&ty| self.element_of(ty)).collect();
                    }
                }
                let all = all.iter().enumerate().map(|(number, &ty)| {
                    format!("%a{level}_{number}: {}", type_to_string(&self.context, ty))
                });
                let all: Vec<String> = all.collect();
                if !all.is_empty() {
                    write!(body, "\n  ^bb0({}):", all.join(", ")).unwrap();
                }
                if at == with_content
                    && let Some(content) = content
                {
                    bodies.push(format!("{{{body}\n{content}}}"));
                    continue;
                }
                if self.is_thorough {
                    let operands = (&operand_types[..], &result_types[..], preferred);
                    let body =
                        body + &self.end_of_body(full_name, (level, at), terminator, operands);
                    bodies.push(format!("{{{body}}}"));
                    continue;
                }
                match (terminator, self.random.below(3)) {
                    (Some(name), 0 | 1) => write!(body, "\"{name}\"() : () -> ()").unwrap(),
                    (None, 0 | 1) => write!(body, "\"t.end\"() : () -> ()").unwrap(),
                    _ => body.clear(),
                }
                bodies.push(format!("{{{body}}}"));
            }
            write!(text, " ({})", bodies.join(", ")).unwrap();
        } else if content.is_some() {
            return Err(format!("'{full_name}' has no region"));
        }
        if self.random.below(4) == 0 {
            write!(text, " {{t.extra = 1 : i32}}").unwrap();
        }
        let list = |types: &[Type]| {
            let types = types.iter().map(|ty| type_to_string(&self.context, *ty));
            types.collect::<Vec<_>>().join(", ")
        };
        writeln!(
            text,
            " : ({}) -> ({})",
            list(&operand_types),
            list(&result_types)
        )
        .unwrap();
        let is_terminator = traits.contains(OperationTraits::TERMINATOR);
        let behind = match (is_terminator, successors.is_empty()) {
            (true, true) => String::new(),
            (_, false) => "^next:\n  \"t.end\"() : () -> ()\n".to_owned(),
            (false, true) => {
                // What ends the block that its parent must have.
                let parent = operation.parents_in(release).next();
                let name = parent.map(|parent| self.context.operation_name(parent));
                let parent = name.and_then(|name| self.context.operation_definition(name));
                let ends = parent.and_then(|parent| parent.implicit_terminator(release));
                match ends {
                    Some(name) => format!("  \"{name}\"() : () -> ()\n"),
                    None => format!("  %x{level} = \"t.v\"() : () -> i32\n"),
                }
            }
        };
        Ok(text + &behind)
    }

    /// Returns the element type of a shaped type, or the type itself.
    fn element_of(&self, ty: Type) -> Type {
        match *self.context.type_kind(ty) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } => element,
            _ => ty,
        }
    }

    /// Returns the text that ends the block of a region: a terminator with operands that regions
    /// often pass, and sometimes another block.
    fn end_of_body(
        &mut self,
        of: &str,
        (level, region): (u32, usize),
        terminator: Option<&str>,
        (operands, results, preferred): (&[Type], &[Type], Type),
    ) -> String {
        let passed: Vec<Type> = match self.random.below(7) {
            0 => results.to_vec(),
            1 => results.iter().map(|&ty| self.element_of(ty)).collect(),
            2 => operands.to_vec(),
            3 => vec![preferred],
            4 => vec![self.element_of(preferred)],
            5 => {
                let text = self.pick(&["i1", "tensor<i1>", "!smt.bool"]);
                let text = text.unwrap_or("i1").as_bytes();
                parse_type(&mut self.context, text).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let mut text = "\n".to_owned();
        let mut names = Vec::new();
        let mut types = Vec::new();
        for (number, ty) in passed.into_iter().enumerate() {
            let ty = type_to_string(&self.context, ty);
            let name = format!("%y{level}_{region}_{number}");
            writeln!(text, "    {name} = \"t.v\"() : () -> ({ty})").unwrap();
            names.push(name);
            types.push(ty);
        }
        let own = self.terminators.len();
        let name = match (terminator, self.random.below(4)) {
            (Some(name), 0 | 1) => name.to_owned(),
            (_, 0..3) if own > 0 => {
                // Often that of the parent: `a.reduce.return` in `a.reduce`.
                let inner = self.terminators.iter().filter(|name| name.starts_with(of));
                let inner: Vec<&String> = inner.collect();
                match inner.is_empty() {
                    true => self.terminators[self.random.below(own)].clone(),
                    false => inner[self.random.below(inner.len())].clone(),
                }
            }
            _ => "t.end".to_owned(),
        };
        let (names, types) = (names.join(", "), types.join(", "));
        writeln!(text, "    \"{name}\"({names}) : ({types}) -> ()").unwrap();
        if self.random.below(8) == 0 {
            writeln!(
                text,
                "  ^other{level}_{region}:\n    \"t.end\"() : () -> ()"
            )
            .unwrap();
        }
        text
    }

    fn operations(&mut self, coverage: &mut Coverage) {
        let dialect = Arc::clone(&self.dialect);
        for operation in dialect.operations() {
            if operation.family != dialect.family || operation.number(Release::LLVM_22).is_none() {
                continue;
            }
            coverage.operations += 1;
            let mut found = 0;
            let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
            let mut simple = None;
            for tries in 0..TRIES + MORE_TRIES {
                if found == EXAMPLES || tries >= TRIES && found > 0 {
                    break;
                }
                if tries == TRIES {
                    // The choices for the next operation do not depend on these.
                    simple = Some(std::mem::replace(&mut self.random, Prng::new(0x5eed)));
                    self.is_thorough = true;
                }
                let checked = match self.operation(operation) {
                    Ok(text) => {
                        let name = format!("{}.{}", dialect.name, operation.mnemonic);
                        check_module(&text, &name, coverage)
                    }
                    Err(error) => Err(error),
                };
                match checked {
                    Ok(()) => found += 1,
                    Err(error) => *reasons.entry(error).or_default() += 1,
                }
            }
            if let Some(simple) = simple {
                self.random = simple;
                self.is_thorough = false;
            }
            coverage.examples += found;
            coverage.covered += usize::from(found > 0);
            if found == 0 {
                let name = format!("{}.{}", dialect.name, operation.mnemonic);
                let mut all: Vec<_> = reasons.into_iter().collect();
                all.sort_by_key(|reason| std::cmp::Reverse(reason.1));
                let most = all.into_iter().take(3);
                let most = most.map(|(reason, count)| format!("{count} x {reason}"));
                let most = most.collect::<Vec<_>>().join("; ");
                coverage.missing.insert(name, most);
            }
        }
    }
}

/// Returns the length of a list of an attribute's text; `None` if it is no list.
fn list_length(text: &str) -> Option<usize> {
    let items = match text.strip_prefix('[') {
        Some(items) => items.strip_suffix(']')?,
        None => {
            let typed = text.strip_prefix("array<")?.strip_suffix('>')?;
            typed.split_once(':').map_or("", |typed| typed.1)
        }
    };
    let (mut depth, mut commas) = (0usize, 0usize);
    for byte in items.bytes() {
        match byte {
            b'[' | b'(' | b'{' | b'<' => depth += 1,
            b']' | b')' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    Some(if items.trim().is_empty() {
        0
    } else {
        commas + 1
    })
}

/// Returns whether code decides which parameters an attribute or type may have.
fn has_code(entry: &EntryDefinition) -> bool {
    let mut stack: Vec<&FormatElement> = entry.format.elements.iter().collect();
    while let Some(element) = stack.pop() {
        match element {
            FormatElement::Custom(_) => return true,
            FormatElement::Group(group) => stack.extend(group.then.iter().chain(&group.otherwise)),
            _ => {}
        }
    }
    // The same applies to its parameters.
    let is_of_dialect = |kind: &ParameterKind| {
        matches!(
            kind,
            ParameterKind::Attribute { .. } | ParameterKind::Type { .. } | ParameterKind::List(_)
        )
    };
    entry.hook.verifier.is_some() || entry.parameters.iter().any(|p| is_of_dialect(&p.kind))
}

/// Returns a name as a dictionary key.
fn quoted(name: &str) -> String {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
    match name.bytes().all(in_word) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}

/// Returns a message without the quoted parts.
fn generic_reason(message: &str) -> String {
    let parts = message.split('\'').step_by(2);
    let text = parts.collect::<Vec<_>>().join("'_'");
    text.chars().take(90).collect()
}

/// Checks that a valid module is the same after round-trips through text and bytecode; the error is
/// the reason why it is invalid.
fn check_module(text: &str, name: &str, coverage: &mut Coverage) -> Result<(), String> {
    let mut context = new_context();
    let read = |context: &mut Context, text: &[u8]| {
        parse_module(context, text, &ParseOptions::default())
            .map_err(|errors| errors.first().message.clone())
    };
    let module = read(&mut context, text.as_bytes()).map_err(|e| generic_reason(&e))?;
    let verified = verify(&context, &module, module.top(), &VerifyOptions::default());
    verified.map_err(|errors| generic_reason(&errors[0].message.to_string()))?;
    let mut failures = Vec::new();
    // Custom form does not keep what means the same as its absence.
    let mut kept_context = new_context();
    let mut kept = read(&mut kept_context, text.as_bytes()).expect("it was read");
    remove_implied(&mut kept_context, &mut kept);
    let mut shown = Vec::new();
    for generic in [false, true] {
        let mut print = PrintOptions::default();
        print.generic = generic;
        let printed = module_to_string(&context, &module, &print).expect("it is printed");
        let text = String::from_utf8_lossy(&printed).into_owned();
        coverage.custom += usize::from(!generic && !text.contains(&format!("\"{name}\"")));
        let mut other = new_context();
        match read(&mut other, &printed) {
            Ok(mut again) => {
                let expected = match generic {
                    true => (&context, &module),
                    false => (&kept_context, &kept),
                };
                if !generic {
                    remove_implied(&mut other, &mut again);
                }
                let found = difference("text", expected, (&other, &again));
                failures.extend(found.map(|found| format!("{found}\n{text}")));
            }
            Err(error) => failures.push(format!("text is not read: {error}\n{text}")),
        }
        shown.push(text);
    }
    let kept = module_to_string(&kept_context, &kept, &PrintOptions::generic());
    if let (Ok(kept), [custom, generic]) = (kept, &shown[..]) {
        coverage.for_upstream.push(upstream::Example {
            name: name.to_owned(),
            generic: generic.clone(),
            custom: custom.clone(),
            kept: String::from_utf8_lossy(&kept).into_owned(),
        });
    }
    let bytes = rmbc_writer::write_module(&context, &module, &rmbc_writer::WriteOptions::default());
    let bytes = bytes.expect("rmbc is written");
    let mut other = new_context();
    match rmbc_reader::read_module_from_slice(
        &mut other,
        &bytes,
        &rmbc_reader::ReadOptions::default(),
    ) {
        Ok(again) => failures.extend(difference("rmbc", (&context, &module), (&other, &again))),
        Err(error) => failures.push(format!("rmbc is not read: {error}")),
    }
    match mlirbc_writer::write_module(
        &mut context,
        &module,
        &mlirbc_writer::WriteOptions::default(),
    ) {
        Ok(bytes) => {
            let mut other = new_context();
            let options = mlirbc_reader::ReadOptions::default();
            match mlirbc_reader::read_module_from_slice(&mut other, &bytes, &options) {
                Ok(again) => {
                    failures.extend(difference("mlirbc", (&context, &module), (&other, &again)))
                }
                Err(error) => failures.push(format!("mlirbc is not read: {error}")),
            }
        }
        // Content that the release cannot represent is rejected.
        Err(error) => {
            let reason = format!("mlirbc: {}", generic_reason(&error.to_string()));
            let names = coverage.reasons.entry(reason).or_default();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    let failures = failures.into_iter();
    coverage
        .failures
        .extend(failures.map(|failure| format!("{failure}\n{text}")));
    Ok(())
}

/// Returns how a module that was read back differs from the written one.
fn difference(
    what: &str,
    original: (&Context, &Module),
    again: (&Context, &Module),
) -> Option<String> {
    let difference = semantic_difference(
        (original.0, original.1, original.1.top()),
        (again.0, again.1, again.1.top()),
        &EqualityOptions::default(),
    );
    difference.map(|found| format!("{what}: {found}"))
}

fn check_dialect(text: &'static str) -> (String, Coverage) {
    let definition = DialectDefinition::parse_static(text, &Hooks).unwrap();
    let name = definition.name.to_string();
    let mut coverage = Coverage::default();
    let mut generator = Generator::new(&definition);
    generator.entries(&mut coverage);
    generator.operations(&mut coverage);
    (name, coverage)
}

/// Has `mlir-opt-22` agree on examples.
fn with_upstream(examples: Vec<upstream::Example>, whole: bool) {
    let Some(outcome) = upstream::compare(examples) else {
        println!("SKIPPED: the comparison with upstream: there is no mlir-opt-22");
        return;
    };
    let rejected: usize = outcome.rejected.values().map(|found| found.0).sum();
    println!(
        "mlir-opt-22 accepts {} examples and rejects {rejected}; {} have the same custom text",
        outcome.accepted, outcome.same
    );
    println!("printed in generic form here: {:?}", outcome.generic);
    println!(
        "upstream does not read its custom text of {:?}",
        outcome.unreadable
    );
    let mut reasons: Vec<_> = outcome.rejected.iter().collect();
    reasons.sort_by_key(|(_, found)| std::cmp::Reverse(found.0));
    for (reason, (count, names)) in reasons.iter().take(60) {
        let most = if reason.contains("crashes") {
            usize::MAX
        } else {
            3
        };
        let names: Vec<&str> = names.iter().take(most).map(|name| &**name).collect();
        println!("{count:5} {reason} ({})", names.join(", "));
    }
    let mut different = outcome.different;
    let listed = EXCEPTIONS.lines().filter_map(|line| line.split_once('\t'));
    let listed: BTreeMap<&str, &str> = listed.collect();
    let mut unused = listed.clone();
    different.retain(|(name, _)| {
        unused.remove(&**name);
        !listed.contains_key(&**name)
    });
    for (name, how) in &different {
        println!("DIFFERENT {name}: {how}");
    }
    assert_eq!(different.len(), 0, "examples that differ from upstream");
    if whole && !cfg!(debug_assertions) {
        assert!(unused.is_empty(), "listed, but not different: {unused:?}");
        assert!(outcome.same >= UPSTREAM_FLOOR, "too few examples are alike");
    }
}

#[test]
fn what_keeps_a_definition_is_the_same_after_each_form() {
    let only = std::env::var("RMLIR_DIALECT").ok();
    let all: Vec<&'static str> = texts()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
        .map(|(_, text)| text)
        .collect();
    let results: Mutex<BTreeMap<String, Coverage>> = Mutex::default();
    for_each(&all, |text| {
        let (name, coverage) = check_dialect(text);
        results.lock().unwrap().insert(name, coverage);
    });
    let results = results.into_inner().unwrap();
    let mut total = Coverage::default();
    for (name, coverage) in results {
        println!(
            "{name}: {} of {} operations ({} examples, {} in custom form), {} of {} attributes and types",
            coverage.covered,
            coverage.operations,
            coverage.examples,
            coverage.custom,
            coverage.entries_covered,
            coverage.entries
        );
        total.operations += coverage.operations;
        total.covered += coverage.covered;
        total.entries += coverage.entries;
        total.entries_covered += coverage.entries_covered;
        total.examples += coverage.examples;
        total.custom += coverage.custom;
        total.failures.extend(coverage.failures);
        total.missing.extend(coverage.missing);
        total.respelled.extend(coverage.respelled);
        total.for_upstream.extend(coverage.for_upstream);
        for (reason, names) in coverage.reasons {
            total.reasons.entry(reason).or_default().extend(names);
        }
    }
    println!(
        "{} of {} operations ({} examples, {} in custom form), {} of {} attributes and types",
        total.covered,
        total.operations,
        total.examples,
        total.custom,
        total.entries_covered,
        total.entries
    );
    let mut reasons: Vec<_> = total.reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    println!("not made, by the last reason:");
    for (reason, names) in &reasons {
        println!("{:5} {reason} ({})", names.len(), names.join(", "));
    }
    for (name, reasons) in &total.missing {
        println!("MISSING {name}: {reasons}");
    }
    for failure in total.failures.iter().take(60) {
        println!("FAILED {failure}");
    }
    assert_eq!(total.failures.len(), 0, "examples that are not the same");
    with_upstream(std::mem::take(&mut total.for_upstream), only.is_none());
    let respelled = upstream::compare_respelled(&total.respelled);
    println!(
        "{} of {} attributes and types that are printed in another way are of dialects of mlir-opt-22, which accepts {}",
        respelled.known,
        total.respelled.len(),
        respelled.accepted
    );
    for (text, ours, theirs) in &respelled.different {
        println!("RESPELLED {text}: {ours}, by upstream {theirs}");
    }
    assert_eq!(
        respelled.different.len(),
        0,
        "attributes and types that upstream prints in another way"
    );
    if only.is_none() && !cfg!(debug_assertions) {
        let listed = MISSING.lines().filter_map(|line| line.split_once('\t'));
        let listed: Vec<&str> = listed.map(|(name, _)| name).collect();
        let missing: Vec<&str> = total.missing.keys().map(|name| &**name).collect();
        assert_eq!(
            missing, listed,
            "operations without an example, and those listed"
        );
    }
    if only.is_none() {
        assert!(total.covered >= FLOOR, "too few operations are covered");
        assert!(
            total.entries_covered >= ENTRY_FLOOR,
            "too few attributes and types are covered"
        );
    }
}
