//! Custom syntax of `gpu.launch` and `gpu.launch_func`.

use super::{
    Attributions, Dependencies, WORKGROUP_ATTRIBUTIONS, attributions, own_type,
    set_workgroup_count, shows_no_memory, workgroup_count,
};
use crate::directive::{Printed, TwoWayDirective, TypedName};
use crate::func::is_flat_reference;
use crate::function::{is_entry, property};
use crate::helpers::{entry_arguments, is_dialect_type, segments_property, sizes_of};
use crate::two_way::signature::Parameter;
use crate::two_way::{Asm, Named, TwoWay, add_arguments, add_of_type};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Type, Value};

/// Custom syntax of `gpu.launch`: `async [%t] <%o : type> clusters(%a, %b, %c) in (%d = %x,
/// %e = %y, %f = %z) blocks(...) in (...) threads(...) in (...) dynamic_shared_memory_size %s
/// module(@m) function(@f) workgroup(%w : type) private(%p : type) {...} {...}`.
#[derive(Debug)]
pub(crate) struct Launch;

/// The attributes that the operation prints outside of its attribute dictionary.
const IN_HEADER: [&str; 4] = [
    "operandSegmentSizes",
    WORKGROUP_ATTRIBUTIONS,
    "module",
    "function",
];

/// The number of groups of operands before the object of a stream.
const GROUPS: usize = 11;

/// Returns whether the operation has the object of a stream, its last operand, in the release.
fn has_object(context: &Context) -> bool {
    let release = context.release();
    let dialect = context.dialect(b"gpu");
    dialect.is_some_and(|dialect| {
        let launch = dialect.operation(b"launch", release);
        launch.is_some_and(|launch| {
            let mut groups = launch.groups_in(&launch.operands, release);
            groups.any(|group| group.name == "asyncObject")
        })
    })
}

/// The parsed parts of [`Launch`].
#[derive(Default)]
pub(crate) struct LaunchContent {
    dependencies: Dependencies,
    /// The object of a stream, such as a pointer, and its type.
    object: Option<(Named, Option<Type>)>,
    clusters: Option<Sizes>,
    blocks: Sizes,
    threads: Sizes,
    shared_memory: Option<Named>,
    /// The symbols of the module and the function.
    symbols: [Option<Attribute>; 2],
    workgroup: Attributions,
    private: Attributions,
}

/// `(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`: identifiers, sizes, and the values of the sizes.
#[derive(Default)]
struct Sizes {
    ids: [Named; 3],
    sizes: [Named; 3],
    values: [Named; 3],
}

/// Splits three values off a list; `None` if it has fewer.
fn three(rest: &mut &[Value]) -> Option<[Named; 3]> {
    let (first, others) = rest.split_first_chunk::<3>()?;
    *rest = others;
    Some(first.map(Named::of))
}

impl TwoWay for Launch {
    type Content = LaunchContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<LaunchContent> {
        let attribute = |name| module.attribute(context, operation, name);
        let segments = sizes_of(context, attribute("operandSegmentSizes")?)?;
        let (first, object) = segments.split_at_checked(GROUPS)?;
        let [tokens, 1, 1, 1, 1, 1, 1, a @ 0..=1, b, c, memory @ 0..=1] = *first else {
            return None;
        };
        let object = match (object, has_object(context)) {
            ([], false) => 0,
            ([object @ 0..=1], true) => *object,
            _ => return None,
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let (operands, object) = operands.split_at_checked(operands.len().checked_sub(object)?)?;
        let (tokens, sizes) = operands.split_at_checked(tokens)?;
        let (sizes, memory) = sizes.split_at_checked(sizes.len().checked_sub(memory)?)?;
        let arguments = entry_arguments(module, operation, 0);
        let count = if a == 1 { 18 } else { 12 };
        let (of_sizes, of_memory) = arguments.split_at_checked(count)?;
        let workgroup = workgroup_count(context, module, operation).unwrap_or_default();
        let (workgroup, private) = of_memory.split_at_checked(workgroup)?;
        let results: Vec<Value> = module.results(operation).collect();
        let is = |value: &Value, ty| module.value_type(*value) == ty;
        let is_token = |value: &Value| {
            is_dialect_type(context, module.value_type(*value), "gpu", "async.token")
        };
        let symbols = ["module", "function"].map(attribute);
        let is_flat = |symbol| is_flat_reference(context, symbol);
        let mut indices = sizes.iter().chain(of_sizes);
        let fits = (!workgroup.is_empty()
            || attribute(WORKGROUP_ATTRIBUTIONS).is_none()
            || shows_no_memory(context, module.name(operation)))
            && a == b
            && b == c
            && sizes.len() == count / 2
            && results.len() <= 1
            && (results.len() == 1 || tokens.is_empty())
            && results.iter().chain(tokens).all(is_token)
            && module.regions(operation).len() == 1
            && module.successors(operation).len() == 0
            && is_entry(module, operation)
            && indices.all(|value| is(value, context.index_type()))
            && memory.iter().all(|value| is(value, context.i32_type()))
            && symbols.into_iter().flatten().all(is_flat);
        if !fits {
            return None;
        }
        let (mut values, mut arguments) = (sizes, of_sizes);
        let (mut blocks, mut threads) = (Sizes::default(), Sizes::default());
        blocks.values = three(&mut values)?;
        threads.values = three(&mut values)?;
        blocks.ids = three(&mut arguments)?;
        threads.ids = three(&mut arguments)?;
        blocks.sizes = three(&mut arguments)?;
        threads.sizes = three(&mut arguments)?;
        let mut clusters = None;
        if a == 1 {
            clusters = Some(Sizes {
                ids: three(&mut arguments)?,
                sizes: three(&mut arguments)?,
                values: three(&mut values)?,
            });
        }
        Some(LaunchContent {
            dependencies: Dependencies {
                is_async: !results.is_empty(),
                tokens: Named::all(tokens.iter().copied()),
            },
            object: object
                .first()
                .map(|&value| (Named::of(value), Some(module.value_type(value)))),
            clusters,
            blocks,
            threads,
            shared_memory: memory.first().copied().map(Named::of),
            symbols,
            workgroup: attributions(context, module, None, workgroup)?,
            private: attributions(context, module, None, private)?,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut LaunchContent) -> AsmResult<()> {
        if content.dependencies.is_async {
            asm.space(" ");
        }
        asm.dependencies(&mut content.dependencies)?;
        if has_object(asm.context()) && asm.is_there("<", content.object.is_some()) {
            let (object, ty) = content.object.get_or_insert_default();
            asm.token("<", " <")?;
            asm.value(object)?;
            asm.token(":", " : ")?;
            asm.ty(ty)?;
            asm.token(">", ">")?;
        }
        if asm.is_there("clusters", content.clusters.is_some()) {
            asm.sizes("clusters", content.clusters.get_or_insert_default())?;
        }
        asm.sizes("blocks", &mut content.blocks)?;
        asm.sizes("threads", &mut content.threads)?;
        let keyword = "dynamic_shared_memory_size";
        if asm.is_there(keyword, content.shared_memory.is_some()) {
            asm.token(keyword, " dynamic_shared_memory_size ")?;
            asm.value(content.shared_memory.get_or_insert_default())?;
        }
        for (keyword, symbol) in ["module", "function"].into_iter().zip(&mut content.symbols) {
            if asm.is_there(keyword, symbol.is_some()) {
                asm.space(" ");
                asm.token(keyword, keyword)?;
                asm.token("(", "(")?;
                asm.symbol_reference(symbol, "expected valid '@'-identifier")?;
                asm.token(")", ")")?;
            }
        }
        asm.attributions("workgroup", false, &mut content.workgroup)?;
        asm.attributions("private", false, &mut content.private)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut LaunchContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let Some(token) = own_type(parser.context(), "async.token") else {
            return Err(AsmError::new(place, "expected a type"));
        };
        if content.dependencies.is_async {
            operation.result_types.push(token);
        }
        add_of_type(parser, operation, &content.dependencies.tokens, token)?;
        let index = parser.context().index_type();
        let (blocks, threads) = (&content.blocks, &content.threads);
        for sizes in [blocks, threads].into_iter().chain(&content.clusters) {
            add_of_type(parser, operation, &sizes.values, index)?;
        }
        let i32_type = parser.context().i32_type();
        add_of_type(parser, operation, &content.shared_memory, i32_type)?;
        let clusters = usize::from(content.clusters.is_some());
        let mut segments = vec![content.dependencies.tokens.len(), 1, 1, 1, 1, 1, 1];
        segments.extend([clusters; 3]);
        segments.push(usize::from(content.shared_memory.is_some()));
        if let Some((object, Some(ty))) = &content.object {
            add_of_type(parser, operation, [object], *ty)?;
        }
        if has_object(parser.context()) {
            segments.push(usize::from(content.object.is_some()));
        }
        segments_property(parser, operation, &segments);
        for (name, symbol) in ["module", "function"].into_iter().zip(content.symbols) {
            if let Some(symbol) = symbol {
                property(parser, operation, name, symbol);
            }
        }
        set_workgroup_count(parser, operation, content.workgroup.len())?;
        let mut entry = parser.argument_list();
        let names = [&blocks.ids, &threads.ids, &blocks.sizes, &threads.sizes];
        let of_clusters = content.clusters.iter();
        let of_clusters = of_clusters.flat_map(|clusters| [&clusters.ids, &clusters.sizes]);
        for names in names.into_iter().chain(of_clusters) {
            add_arguments(&mut entry, names, [index; 3]);
        }
        let memory = content.workgroup.iter().chain(&content.private);
        entry.extend(memory.filter_map(Parameter::parsed));
        Ok(Some(entry))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&IN_HEADER)
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

impl Asm<'_, '_> {
    /// ` keyword(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`.
    fn sizes(&mut self, keyword: &str, sizes: &mut Sizes) -> AsmResult<()> {
        self.space(" ");
        self.token(keyword, keyword)?;
        self.token("(", "(")?;
        for (number, id) in sizes.ids.iter_mut().enumerate() {
            if number > 0 {
                self.token(",", ", ")?;
            }
            self.value(id)?;
        }
        self.token(")", ")")?;
        self.token("in", " in ")?;
        self.token("(", "(")?;
        let pairs = sizes.sizes.iter_mut().zip(&mut sizes.values);
        for (number, (size, value)) in pairs.enumerate() {
            if number > 0 {
                self.token(",", ", ")?;
            }
            self.value(size)?;
            self.token("=", " = ")?;
            self.value(value)?;
        }
        self.token(")", ")")
    }
}

/// The directive `: type` for the type of sizes, which is omitted for `index`. Arguments: that
/// type, the first cluster size and the types of the cluster sizes.
#[derive(Debug)]
pub(crate) struct LaunchDimType;

impl TwoWayDirective for LaunchDimType {
    /// `None` for `index`.
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [size, cluster, of_clusters @ ..] = printed.arguments else {
            return None;
        };
        // Either all sizes of clusters are there, or none is.
        let types = match cluster.operands() {
            [] => &[],
            _ => size.types(),
        };
        let ty = size.types().first().copied();
        let ty = ty.filter(|&ty| ty != printed.context.index_type());
        of_clusters
            .iter()
            .all(|ty| ty.types() == types)
            .then_some(ty)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there(":", content.is_some()) {
            asm.token(":", ": ")?;
            asm.ty(content)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let ty = content.unwrap_or(parser.context().index_type());
        let [size, ParsedArgument::Operands(cluster), of_clusters @ ..] = arguments else {
            return Ok(());
        };
        *size = ParsedArgument::Types(vec![ty]);
        for of_cluster in of_clusters.iter_mut().filter(|_| !cluster.is_empty()) {
            *of_cluster = ParsedArgument::Types(vec![ty]);
        }
        Ok(())
    }
}

/// The directive `args(%a : type, ...)`; absent if there are no arguments.
#[derive(Debug)]
pub(crate) struct LaunchFuncOperands;

impl TwoWayDirective for LaunchFuncOperands {
    type Content = Vec<TypedName>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, types, ..] = printed.arguments else {
            return None;
        };
        TypedName::all(operands, types)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there("args", !content.is_empty()) {
            asm.token("args", "args")?;
            asm.list(("(", ")"), content, |asm, one| asm.typed(one, " : "))?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [operands, types, ..] = arguments {
            TypedName::set(content, operands, types);
        }
        Ok(())
    }
}
