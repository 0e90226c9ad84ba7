//! Custom syntax of `gpu.launch` and `gpu.launch_func`.

use super::{
    WORKGROUP_ATTRIBUTIONS, async_dependencies, attributions, own_type, print_attributions,
    set_workgroup_count, workgroup_count,
};
use crate::function::{Argument, entry_block, property};
use crate::helpers::{is_dialect_type, segment_sizes, sizes_of};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, OperationSyntax,
    ParseStep, ParsedArgument, ParsedOperation, PrintStep, PrintedArgument, RegionArgument,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Value};

/// Custom syntax of `gpu.launch`: `async [%t] clusters(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)
/// blocks(...) in (...) threads(...) in (...) dynamic_shared_memory_size %s module(@m) function(@f)
/// workgroup(%w : type) private(%p : type) {...} {...}`.
#[derive(Debug)]
pub(crate) struct Launch;

/// The attributes that the operation prints outside of its attribute dictionary.
const IN_HEADER: [&str; 4] = [
    "operandSegmentSizes",
    WORKGROUP_ATTRIBUTIONS,
    "module",
    "function",
];

/// The parsed `(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`: identifiers, sizes, and the values of
/// the sizes.
#[derive(Debug)]
struct Sizes {
    ids: [OperandName; 3],
    sizes: [OperandName; 3],
    values: [OperandName; 3],
}

impl Sizes {
    fn parse(parser: &mut dyn AsmParser) -> AsmResult<Self> {
        parser.expect("(")?;
        let first = parser.operand_name()?;
        let mut read = Sizes {
            ids: [first; 3],
            sizes: [first; 3],
            values: [first; 3],
        };
        for id in read.ids.iter_mut().skip(1) {
            parser.expect(",")?;
            *id = parser.operand_name()?;
        }
        parser.expect(")")?;
        parser.expect("in")?;
        parser.expect("(")?;
        let pairs = read.sizes.iter_mut().zip(&mut read.values);
        for (number, (size, value)) in pairs.enumerate() {
            if number > 0 {
                parser.expect(",")?;
            }
            *size = parser.operand_name()?;
            parser.expect("=")?;
            *value = parser.operand_name()?;
        }
        parser.expect(")")?;
        Ok(read)
    }
}

impl OperationSyntax for Launch {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            let read = parser.attribute_dictionary()?;
            operation.attributes.extend(read);
            return Ok(ParseStep::Done);
        }
        let (is_async, tokens) = async_dependencies(parser)?;
        let place = parser.place();
        let Some(token) = own_type(parser.context(), "async.token") else {
            return Err(AsmError::new(place, "expected a type"));
        };
        if is_async {
            operation.result_types.push(token);
        }
        for &name in &tokens {
            operation.operands.push(parser.resolve(name, token)?);
        }
        let clusters = match parser.eat("clusters") {
            true => Some(Sizes::parse(parser)?),
            false => None,
        };
        parser.expect("blocks")?;
        let blocks = Sizes::parse(parser)?;
        parser.expect("threads")?;
        let threads = Sizes::parse(parser)?;
        let index = parser.context().index_type();
        for sizes in [Some(&blocks), Some(&threads), clusters.as_ref()] {
            for &name in sizes.iter().flat_map(|sizes| &sizes.values) {
                operation.operands.push(parser.resolve(name, index)?);
            }
        }
        let mut segments = vec![tokens.len(), 1, 1, 1, 1, 1, 1];
        segments.extend([usize::from(clusters.is_some()); 3]);
        segments.push(0);
        if parser.eat("dynamic_shared_memory_size") {
            let name = parser.operand_name()?;
            let i32_type = parser.context().i32_type();
            operation.operands.push(parser.resolve(name, i32_type)?);
            segments.pop();
            segments.push(1);
        }
        for keyword in ["module", "function"] {
            if parser.eat(keyword) {
                parser.expect("(")?;
                let place = parser.place();
                let name = parser.symbol_name()?;
                let name =
                    name.ok_or_else(|| AsmError::new(place, "expected valid '@'-identifier"))?;
                let name = parser.context().bytes(name).to_vec();
                let name = parser.context().symbol_ref_attribute(name);
                property(parser, operation, keyword, name);
                parser.expect(")")?;
            }
        }
        let workgroup = attributions(parser, "workgroup", false)?;
        set_workgroup_count(parser, operation, workgroup.len())?;
        let private = attributions(parser, "private", false)?;
        if let Some(sizes) = segment_sizes(parser.context(), &segments) {
            property(parser, operation, "operandSegmentSizes", sizes);
        }
        let names = [blocks.ids, threads.ids, blocks.sizes, threads.sizes];
        let of_clusters = clusters.map(|clusters| [clusters.ids, clusters.sizes]);
        let names = names.iter().chain(of_clusters.iter().flatten()).flatten();
        let mut entry: Vec<RegionArgument> = names
            .map(|&name| RegionArgument {
                name,
                ty: index,
                location: None,
            })
            .collect();
        entry.extend(
            workgroup
                .iter()
                .chain(&private)
                .filter_map(Argument::of_region),
        );
        Ok(ParseStep::Region(entry))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, &IN_HEADER);
            return PrintStep::Done;
        }
        let Some(parts) = Parts::of(context, module, operation) else {
            return PrintStep::Done;
        };
        let symbols =
            ["module", "function"].map(|name| (name, module.attribute(context, operation, name)));
        let workgroup = workgroup_count(context, module, operation).unwrap_or_default();
        if module.result_count(operation) > 0 {
            printer.text(" async");
            if !parts.tokens.is_empty() {
                printer.text(" [");
                printer.operands(parts.tokens.iter().copied());
                printer.text("]");
            }
        }
        for (keyword, ids, sizes, values) in &parts.dimensions {
            print_sizes(printer, keyword, [ids, sizes, values]);
        }
        if let Some(size) = parts.shared_memory {
            printer.text(" dynamic_shared_memory_size ");
            printer.operand(size);
        }
        for (keyword, symbol) in symbols {
            if let Some(symbol) = symbol {
                printer.text(&format!(" {keyword}("));
                printer.attribute(symbol);
                printer.text(")");
            }
        }
        let memory = parts.attributions.split_at_checked(workgroup);
        let (workgroup, private) = memory.unwrap_or_default();
        print_attributions(printer, "workgroup", workgroup, &[]);
        print_attributions(printer, "private", private, &[]);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some(parts) = Parts::of(context, module, operation) else {
            return false;
        };
        let is_flat = |name| {
            let symbol = module.attribute(context, operation, name);
            symbol.is_none_or(|symbol| {
                matches!(
                    context.attribute_kind(symbol),
                    AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
                )
            })
        };
        let index = context.index_type();
        let values = parts
            .dimensions
            .iter()
            .flat_map(|(_, ids, sizes, values)| ids.iter().chain(sizes).chain(values).copied());
        let is_token = |value: &Value| {
            is_dialect_type(context, module.value_type(*value), "gpu", "async.token")
        };
        let results: Vec<Value> = module.results(operation).collect();
        let workgroup = workgroup_count(context, module, operation).unwrap_or_default();
        results.len() <= 1
            && (results.len() == 1 || parts.tokens.is_empty())
            && results.iter().chain(&parts.tokens).all(is_token)
            && module.regions(operation).len() == 1
            && module.successors(operation).len() == 0
            && crate::function::is_entry(module, operation)
            && values
                .into_iter()
                .all(|value| module.value_type(value) == index)
            && parts
                .shared_memory
                .is_none_or(|size| module.value_type(size) == context.i32_type())
            && workgroup <= parts.attributions.len()
            && is_flat("module")
            && is_flat("function")
    }
}

/// Prints ` keyword(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`.
fn print_sizes(printer: &mut dyn AsmPrinter, keyword: &str, [ids, sizes, values]: [&[Value]; 3]) {
    printer.text(&format!(" {keyword}("));
    printer.operands(ids.iter().copied());
    printer.text(") in (");
    for (number, (&size, &value)) in sizes.iter().zip(values).enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        printer.operand(size);
        printer.text(" = ");
        printer.operand(value);
    }
    printer.text(")");
}

/// A keyword with its identifiers, sizes and the values of the sizes.
type Dimensions = (&'static str, Vec<Value>, Vec<Value>, Vec<Value>);

/// The operands and body arguments of `gpu.launch`, by role.
struct Parts {
    tokens: Vec<Value>,
    dimensions: Vec<Dimensions>,
    shared_memory: Option<Value>,
    attributions: Vec<Value>,
}

impl Parts {
    fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        let segments = module.attribute(context, operation, "operandSegmentSizes")?;
        let segments = sizes_of(context, segments)?;
        let [tokens, 1, 1, 1, 1, 1, 1, a, b, c, memory] = *segments else {
            return None;
        };
        if a > 1 || a != b || b != c || memory > 1 {
            return None;
        }
        let mut operands = module.operands(operation);
        let mut take = |count: usize| -> Option<Vec<Value>> {
            let taken: Vec<Value> = operands.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let entry = entry_block(module, operation)?;
        let mut arguments = module.arguments(entry).map(|(value, _)| value);
        let mut three = || -> Option<Vec<Value>> {
            let taken: Vec<Value> = arguments.by_ref().take(3).collect();
            (taken.len() == 3).then_some(taken)
        };
        let tokens = take(tokens)?;
        let (block_values, thread_values) = (take(3)?, take(3)?);
        let cluster_values = take(a.checked_mul(3)?)?;
        let shared_memory = take(memory)?.first().copied();
        let (block_ids, thread_ids) = (three()?, three()?);
        let (block_sizes, thread_sizes) = (three()?, three()?);
        let mut dimensions = Vec::new();
        if a == 1 {
            dimensions.push(("clusters", three()?, three()?, cluster_values));
        }
        dimensions.push(("blocks", block_ids, block_sizes, block_values));
        dimensions.push(("threads", thread_ids, thread_sizes, thread_values));
        let parts = Parts {
            tokens,
            dimensions,
            shared_memory,
            attributions: arguments.collect(),
        };
        operands.next().is_none().then_some(parts)
    }
}

/// The directive `: type` for the type of sizes, which is omitted for `index`. Arguments: that
/// type, the first cluster size and the types of the cluster sizes.
#[derive(Debug)]
pub(crate) struct LaunchDimType;

impl DirectiveSyntax for LaunchDimType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = match parser.eat(":") {
            true => parser.ty()?,
            false => parser.context().index_type(),
        };
        let [size, ParsedArgument::Operands(cluster), of_clusters @ ..] = arguments else {
            return Ok(false);
        };
        *size = ParsedArgument::Types(vec![ty]);
        for of_cluster in of_clusters.iter_mut().filter(|_| !cluster.is_empty()) {
            *of_cluster = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let ty = arguments
            .first()
            .and_then(|size| size.types().first().copied());
        if let Some(ty) = ty.filter(|&ty| ty != printer.context().index_type()) {
            printer.text(": ");
            printer.ty(ty);
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [size, cluster, of_clusters @ ..] = arguments else {
            return false;
        };
        // Either all sizes of clusters are there, or none is.
        let types = match cluster.operands() {
            [] => &[],
            _ => size.types(),
        };
        of_clusters.iter().all(|ty| ty.types() == types)
    }
}

/// The directive `args(%a : type, ...)`; absent if there are no arguments.
#[derive(Debug)]
pub(crate) struct LaunchFuncOperands;

impl DirectiveSyntax for LaunchFuncOperands {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut names, mut types) = (Vec::new(), Vec::new());
        if parser.eat("args") {
            parser.expect("(")?;
            while !parser.eat(")") {
                if !names.is_empty() {
                    parser.expect(",")?;
                }
                names.push(parser.operand_name()?);
                parser.expect(":")?;
                types.push(parser.ty()?);
            }
        }
        if let [of_names, of_types, ..] = arguments {
            *of_names = ParsedArgument::Operands(names);
            *of_types = ParsedArgument::Types(types);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operands, types, ..] = arguments else {
            return;
        };
        if operands.operands().is_empty() {
            return;
        }
        printer.text("args(");
        let pairs = operands.operands().iter().zip(types.types());
        for (number, (&value, &ty)) in pairs.enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.operand(value);
            printer.text(" : ");
            printer.ty(ty);
        }
        printer.text(")");
    }
}
