//! Prints operations, blocks and regions, with an explicit stack.

use super::alias::Aliases;
use super::entry::EntryStackPrinter;
use super::names::Names;
use super::output::Output;
use super::parallel::{self, Arrival, Part, Printed, Work};
use super::text_memo::TextMemo;
use super::{PrintError, PrintOptions, Result, resources};
use crate::formats::{Syntax, SyntaxTable};
use crate::spans::{Span, SpanDetail, SpanKind};
use rmlir_ir::Threads;
use rmlir_ir::asm::{AsmPrinter, PrintStep};
use rmlir_ir::{
    Attribute, Block, Context, Entry, Location, Module, NamedAttribute, Operation, Region,
    ResourceKeys, Steps, Type, Value,
};
use std::io::Write;
use std::thread;

/// Prints an operation with its aliases, and the module's resources if it is a whole module.
///
/// Names are those that values have when `scope`, which is the operation or encloses it, is
/// printed.
pub(super) fn print(
    context: &Context,
    module: &Module,
    scope: Operation,
    operation: Operation,
    options: &PrintOptions,
    whole: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let mut output = Output::new(out, options);
    print_to(
        context,
        module,
        scope,
        operation,
        options,
        whole,
        &mut output,
    )?;
    output.finish()
}

/// Prints operations one after another, with the names that they have in the whole module, and
/// returns the parts of the text.
pub(super) fn print_with_spans(
    context: &Context,
    module: &Module,
    operations: &[Operation],
    detail: SpanDetail,
    options: &PrintOptions,
    out: &mut dyn Write,
) -> Result<Vec<Span>> {
    let mut output = Output::new(out, options);
    output.record_spans(detail == SpanDetail::Values);
    let (aliases, syntaxes) = match options.local_scope {
        true => Default::default(),
        false => Aliases::new(context, module, module.top(), options),
    };
    let top = module.top();
    let names = match detail {
        SpanDetail::Heads => Names::for_heads(context, module, top, operations, options),
        _ => Names::new(context, module, top, options),
    };
    let keys = ResourceKeys::new(context, module);
    // Threads that print ahead do not know the positions.
    let work = Work::new(Vec::new(), Threads::ONE);
    let shared = Shared {
        context,
        module,
        options,
        keys: &keys,
        names: &names,
        aliases: &aliases,
        work: &work,
        operations: match detail {
            SpanDetail::Heads => operations.len(),
            _ => module.operation_slots(),
        },
    };
    let mut printer = OperationPrinter::new(shared, syntaxes, &mut output);
    printer.alias_definitions(false)?;
    let mut stack = Vec::new();
    for &operation in operations {
        match detail {
            SpanDetail::Heads => printer.head(operation, &mut stack)?,
            _ => printer.operation_tree(operation)?,
        }
        printer.out.close_spans();
        printer.out.byte(b'\n');
    }
    printer.alias_definitions(true)?;
    let spans = output.take_spans();
    output.finish()?;
    Ok(spans)
}

fn print_to(
    context: &Context,
    module: &Module,
    scope: Operation,
    operation: Operation,
    options: &PrintOptions,
    whole: bool,
    output: &mut Output<'_>,
) -> Result<()> {
    let find_aliases = || match options.local_scope {
        true => Default::default(),
        false => Aliases::new(context, module, operation, options),
    };
    let give_names = || Names::new(context, module, scope, options);
    // Printing does not depend on helper threads, so a failure to spawn one is ignored.
    let spawn = thread::Builder::new;
    let least = options.operations_per_thread.max(1);
    let is_large = !options.skip_regions
        && options.threads != Threads::ONE
        && module.operation_slots() / 4 >= least;
    let mut names = None;
    let ((aliases, syntaxes), parts) = match is_large {
        true => thread::scope(|scope| {
            let _ = spawn().spawn_scoped(scope, || names = Some(give_names()));
            (find_aliases(), parallel::parts(module, operation, least))
        }),
        false => (find_aliases(), Vec::new()),
    };
    let names = names.unwrap_or_else(give_names);
    let keys = ResourceKeys::new(context, module);
    let work = Work::new(parts, options.threads);
    let shared = Shared {
        context,
        module,
        options,
        keys: &keys,
        names: &names,
        aliases: &aliases,
        work: &work,
        operations: module.operation_slots(),
    };
    let helpers = options
        .threads
        .count()
        .min(work.parts.len())
        .saturating_sub(1);
    thread::scope(|threads| {
        // Dropped before the scope is left, whatever happens.
        let _stop = work.stop();
        for _ in 0..helpers {
            let _ = spawn().spawn_scoped(threads, || help(shared));
        }
        let mut printer = OperationPrinter::new(shared, syntaxes, output);
        printer.alias_definitions(false)?;
        if helpers > 0 {
            printer.expect_part(0);
        }
        printer.operation_tree(operation)?;
        printer.out.byte(b'\n');
        printer.alias_definitions(true)?;
        if whole {
            let referenced = std::mem::take(&mut printer.entries.resources);
            resources::print(context, module, &referenced, &keys, options, printer.out)?;
        }
        Ok::<(), PrintError>(())
    })
}

/// Prints parts that others are to take over.
fn help(shared: Shared<'_>) {
    let mut nowhere = std::io::sink();
    let mut output = Output::new(&mut nowhere, shared.options);
    let mut printer = OperationPrinter::new(shared, SyntaxTable::default(), &mut output);
    while let Some(mut claim) = shared.work.claim() {
        claim.printed = claim.part().and_then(|part| printer.part(part));
    }
}

/// An operation whose regions are being printed.
struct Frame {
    operation: Operation,
    /// Its syntax, if it is printed in custom form.
    syntax: Option<Syntax>,
    /// Whether the last operations of its blocks are omitted.
    hides_terminators: bool,
    /// Number of the region that is being printed.
    region: usize,
    block: Option<Block>,
    next: Option<Operation>,
    /// The predecessors of the region's blocks, by number of the block.
    predecessors: Vec<Vec<Block>>,
}

impl Frame {
    fn new(operation: Operation, syntax: Option<Syntax>) -> Self {
        Frame {
            operation,
            syntax,
            hides_terminators: false,
            region: 0,
            block: None,
            next: None,
            predecessors: Vec::new(),
        }
    }
}

/// Returns the syntax with which an operation is printed; `None` for generic form.
pub(super) fn custom_syntax(
    syntaxes: &mut SyntaxTable,
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &PrintOptions,
) -> Option<Syntax> {
    if options.generic {
        return None;
    }
    let prepare = |syntax: &Syntax| syntax.prepare(context, module, operation);
    syntaxes.for_printing(context, module, operation, prepare)
}

/// The state shared by all threads.
#[derive(Clone, Copy)]
struct Shared<'a> {
    context: &'a Context,
    module: &'a Module,
    options: &'a PrintOptions,
    keys: &'a ResourceKeys,
    names: &'a Names,
    aliases: &'a Aliases,
    work: &'a Work,
    /// About the number of operations that are printed.
    operations: usize,
}

pub(super) struct OperationPrinter<'a, 'w> {
    context: &'a Context,
    pub(super) module: &'a Module,
    options: &'a PrintOptions,
    pub(super) names: &'a Names,
    aliases: &'a Aliases,
    work: &'a Work,
    /// The next part, and its first operation; `None` if no parts are to be adopted.
    next_part: usize,
    next_first: Option<Operation>,
    entries: EntryStackPrinter<'a>,
    /// Names of operations in quotes.
    operation_names: TextMemo,
    /// The custom syntax of operations.
    syntaxes: SyntaxTable,
    pub(super) out: &'a mut Output<'w>,
    steps: Steps,
    /// The additional indentation that hooks have requested.
    extra_indent: usize,
    /// How many operations are around those on the stack.
    outer_depth: usize,
}

impl<'a, 'w> OperationPrinter<'a, 'w> {
    fn new(shared: Shared<'a>, syntaxes: SyntaxTable, out: &'a mut Output<'w>) -> Self {
        let (context, options) = (shared.context, shared.options);
        let operations = shared.operations;
        let entries = EntryStackPrinter::new(context, options, shared.keys);
        OperationPrinter {
            context,
            module: shared.module,
            options,
            names: shared.names,
            aliases: shared.aliases,
            work: shared.work,
            next_part: 0,
            next_first: None,
            entries: entries.with_texts(operations),
            operation_names: TextMemo::new(context.operation_name_count(), operations),
            syntaxes,
            out,
            steps: options.progress.steps(),
            extra_indent: 0,
            outer_depth: 0,
        }
    }
}

impl OperationPrinter<'_, '_> {
    /// Prints the indentation of a line at a depth.
    pub(super) fn indent(&mut self, depth: usize) {
        let depth = depth.saturating_add(self.outer_depth);
        self.out.indent(depth.saturating_add(self.extra_indent));
    }

    /// Prints a part ahead of the current position; `None` if its text is too long or cannot be
    /// known yet.
    fn part(&mut self, part: &Part) -> Option<Printed> {
        let (context, module) = (self.context, self.module);
        let syntaxes = &mut self.syntaxes;
        let syntax = custom_syntax(syntaxes, context, module, part.parent, self.options);
        let mut parent = Frame::new(part.parent, syntax);
        parent.next = Some(part.first);
        let mut stack = vec![parent];
        let output = self.out.suspend(parallel::MOST_TEXT);
        let before = self.entries.begin_part();
        let next_first = self.next_first.take();
        let extra_indent = std::mem::take(&mut self.extra_indent);
        let outer_depth = part.depth.saturating_sub(1);
        let outer_depth = std::mem::replace(&mut self.outer_depth, outer_depth);
        let result = self.operations(&mut stack, Some(part.end));
        self.outer_depth = outer_depth;
        self.extra_indent = extra_indent;
        self.next_first = next_first;
        let resources = self.entries.end_part(before);
        let text = self.out.resume(output)?;
        result.ok()?;
        Some(Printed { text, resources })
    }

    /// Sets the next part.
    fn expect_part(&mut self, number: usize) {
        self.next_part = number;
        self.next_first = self.work.parts.get(number).map(|part| part.first);
    }

    /// Adopts the next part, which begins with an operation that comes next, at a depth.
    ///
    /// Returns the operation after the part; `None` if the part is to be printed.
    #[cold]
    fn take_part(&mut self, depth: usize) -> Result<Option<Operation>> {
        let (work, number) = (self.work, self.next_part);
        let Some(part) = work.parts.get(number) else {
            return Ok(None);
        };
        self.expect_part(number.saturating_add(1));
        loop {
            match work.arrive(number) {
                Arrival::Help(mut claim) => {
                    claim.printed = claim.part().and_then(|part| self.part(part));
                }
                Arrival::Take(printed) if self.extra_indent == 0 && depth == part.depth => {
                    self.out.part(&printed.text)?;
                    for resource in printed.resources {
                        self.entries.refer_to(resource);
                    }
                    return Ok(Some(part.end));
                }
                Arrival::Take(_) | Arrival::Print => return Ok(None),
            }
        }
    }

    /// `#name = ...` for each alias that is defined here.
    fn alias_definitions(&mut self, deferred: bool) -> Result<()> {
        let mut index = 0usize;
        while let Some(&alias) = self.aliases.list().get(index) {
            index = index.saturating_add(1);
            if alias.deferred != deferred {
                continue;
            }
            self.out.byte(if matches!(alias.entry, Entry::Type(_)) {
                b'!'
            } else {
                b'#'
            });
            self.out.alias(self.aliases.name(alias));
            self.out.text(" = ");
            self.entries
                .print_definition(alias.entry, self.aliases, self.out)?;
            self.out.byte(b'\n');
        }
        Ok(())
    }

    /// Prints an operation with everything nested in it, without a trailing line break.
    fn operation_tree(&mut self, operation: Operation) -> Result<()> {
        let mut stack: Vec<Frame> = Vec::new();
        self.start(operation, &mut stack)?;
        self.operations(&mut stack, None)
    }

    /// Prints the remainder of the operations on the stack, or up to `end`.
    fn operations(&mut self, stack: &mut Vec<Frame>, end: Option<Operation>) -> Result<()> {
        loop {
            let depth = stack.len();
            let Some(frame) = stack.last_mut() else { break };
            if let Some(operation) = frame.next {
                if frame.next == end {
                    break;
                }
                if frame.next == self.next_first
                    && let Some(behind) = self.take_part(depth)?
                {
                    frame.next = Some(behind);
                    continue;
                }
                frame.next = self.module.next_operation(operation);
                if frame.next.is_none() && frame.hides_terminators {
                    continue;
                }
                self.indent(stack.len());
                self.start(operation, stack)?;
                if stack
                    .last()
                    .is_none_or(|frame| frame.operation != operation)
                {
                    self.out.close_span();
                    self.out.byte(b'\n');
                }
                continue;
            }
            let next = match frame.block {
                Some(block) => self.module.next_block(block),
                None => None,
            };
            if let Some(block) = next {
                frame.block = Some(block);
                frame.next = self.module.first_operation(block);
                self.block_header(block, stack.len(), stack)?;
                if self.options.value_users {
                    self.argument_users(block, stack.len())?;
                }
                continue;
            }
            let depth = stack.len();
            if !self.options.skip_regions {
                self.indent(depth.saturating_sub(1));
            }
            self.out.byte(b'}');
            let Some(frame) = stack.last_mut() else { break };
            frame.region = frame.region.saturating_add(1);
            if let Some(syntax) = frame.syntax.clone() {
                let (operation, done) = (frame.operation, frame.region);
                let open = self.step_custom(operation, &syntax, done, stack)?;
                if !open {
                    stack.pop();
                    self.out.close_span();
                    if !stack.is_empty() {
                        self.out.byte(b'\n');
                    }
                }
                continue;
            }
            if let Some(region) = self.module.region(frame.operation, frame.region) {
                self.out.text(", ");
                self.open_region(region, true, true, stack)?;
                continue;
            }
            let operation = frame.operation;
            stack.pop();
            self.out.byte(b')');
            self.end(operation)?;
            self.out.close_span();
            if !stack.is_empty() {
                self.out.byte(b'\n');
            }
        }
        Ok(())
    }

    /// Prints an operation up to its regions, or whole if it has none; else it is put on the stack.
    fn start(&mut self, operation: Operation, stack: &mut Vec<Frame>) -> Result<()> {
        let (context, module) = (self.context, self.module);
        self.steps.step();
        self.out.open_span(SpanKind::Operation(operation));
        self.names.print_results(module, operation, self.out);
        let syntaxes = &mut self.syntaxes;
        if let Some(syntax) = custom_syntax(syntaxes, context, module, operation, self.options) {
            return self.start_custom(operation, syntax, stack);
        }
        self.generic_head(operation)?;
        if let Some(region) = self.module.region(operation, 0) {
            self.out.text(" (");
            stack.push(Frame::new(operation, None));
            return self.open_region(region, true, true, stack);
        }
        self.end(operation)
    }

    /// Prints an operation up to its first region, as in the text of the operation around it, on
    /// which the prefix of its name depends.
    fn head(&mut self, operation: Operation, stack: &mut Vec<Frame>) -> Result<()> {
        let (context, module) = (self.context, self.module);
        stack.clear();
        if let Some(parent) = module.parent_operation(operation) {
            let syntaxes = &mut self.syntaxes;
            let syntax = custom_syntax(syntaxes, context, module, parent, self.options);
            stack.push(Frame::new(parent, syntax));
        }
        self.start(operation, stack)
    }

    /// Prints what precedes the regions in generic form, without the names of results.
    fn generic_head(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        self.operation_name(operation);
        self.out.byte(b'(');
        for (i, value) in module.operands(operation).enumerate() {
            if i > 0 {
                self.out.text(", ");
            }
            self.value(value);
        }
        self.out.byte(b')');
        if module.successor_count(operation) > 0 {
            self.out.byte(b'[');
            for (i, block) in module.successors(operation).enumerate() {
                if i > 0 {
                    self.out.text(", ");
                }
                self.names.print_block(block, self.out);
            }
            self.out.byte(b']');
        }
        if let Some(properties) = module.properties(operation) {
            self.out.text(" <");
            self.attribute(properties)?;
            self.out.byte(b'>');
        }
        Ok(())
    }

    /// Prints an operation without regions inside the text of the one on top of the stack: without
    /// the names of its results, and without its location.
    fn inline(&mut self, operation: Operation, stack: &[Frame]) -> Result<()> {
        let (context, module) = (self.context, self.module);
        if module.region_count(operation) > 0 {
            return Ok(());
        }
        let syntaxes = &mut self.syntaxes;
        let Some(syntax) = custom_syntax(syntaxes, context, module, operation, self.options) else {
            return self.inline_generic(operation);
        };
        self.custom_name(operation, stack);
        let prepared = self.syntaxes.take_prepared(operation);
        let mut hook = HookPrinter {
            printer: self,
            depth: stack.len().saturating_sub(1),
            error: None,
        };
        syntax.print(&mut hook, operation, 0, prepared);
        hook.error.map_or(Ok(()), Err)
    }

    /// As [`inline`](Self::inline), in generic form.
    fn inline_generic(&mut self, operation: Operation) -> Result<()> {
        if self.module.region_count(operation) > 0 {
            return Ok(());
        }
        self.generic_head(operation)?;
        self.generic_end(operation)
    }

    /// Prints the name of an operation in quotes.
    #[inline]
    fn operation_name(&mut self, operation: Operation) {
        let name = self.module.name(operation);
        if let Some(text) = self.operation_names.get(name.index()) {
            return self.out.text(text);
        }
        let start = self.out.position();
        self.out.quoted(self.context.operation_name_bytes(name));
        if let Some(text) = self.out.since(start) {
            self.operation_names.keep(name.index(), text);
        }
    }

    /// Prints an operation in custom form up to its first region, or whole.
    fn start_custom(
        &mut self,
        operation: Operation,
        syntax: Syntax,
        stack: &mut Vec<Frame>,
    ) -> Result<()> {
        self.custom_name(operation, stack);
        if self.module.region_count(operation) == 0 {
            // Nothing of it will be on the stack.
            let prepared = self.syntaxes.take_prepared(operation);
            let mut hook = HookPrinter {
                printer: self,
                depth: stack.len(),
                error: None,
            };
            syntax.print(&mut hook, operation, 0, prepared);
            if let Some(error) = hook.error {
                return Err(error);
            }
            return self.location(operation);
        }
        stack.push(Frame::new(operation, Some(syntax.clone())));
        if !self.step_custom(operation, &syntax, 0, stack)? {
            stack.pop();
        }
        Ok(())
    }

    /// Prints the name of an operation, without its dialect's prefix if that can be omitted.
    fn custom_name(&mut self, operation: Operation, stack: &[Frame]) {
        let (context, name) = (self.context, self.module.name(operation));
        let default = match stack.last() {
            Some(frame) if frame.syntax.is_some() => {
                let outer = self.module.name(frame.operation);
                self.syntaxes.default_dialect(outer)
            }
            Some(_) => None,
            None => context.find_identifier("builtin"),
        };
        let prefix = self.syntaxes.prefix(context, name, default);
        let name = context.operation_name_bytes(name);
        self.out.text(name.get(prefix..).unwrap_or(name));
    }

    /// Calls the syntax of the operation on top of the stack to print its next part. Returns
    /// whether a region was opened; if not, the operation is printed to its end.
    fn step_custom(
        &mut self,
        operation: Operation,
        syntax: &Syntax,
        mut regions: usize,
        stack: &mut [Frame],
    ) -> Result<bool> {
        let step = loop {
            let prepared = self.syntaxes.take_prepared(operation);
            let mut hook = HookPrinter {
                printer: self,
                // The operation itself is on the stack.
                depth: stack.len().saturating_sub(1),
                error: None,
            };
            let step = syntax.print(&mut hook, operation, regions, prepared);
            if let Some(error) = hook.error {
                return Err(error);
            }
            match step {
                PrintStep::Operation(inner) => self.inline(inner, stack)?,
                PrintStep::GenericOperation(inner) => self.inline_generic(inner)?,
                step => break step,
            }
            regions = regions.saturating_add(1);
        };
        let (region, number, entry_arguments, terminators) = match step {
            PrintStep::Region {
                number,
                entry_arguments,
                terminators,
            } => {
                let region = self.module.region(operation, number);
                (region, number, entry_arguments, terminators)
            }
            PrintStep::RegionInside {
                region,
                number,
                entry_arguments,
            } => (Some(region), number, entry_arguments, true),
            _ => (None, 0, false, true),
        };
        if let Some(region) = region {
            if let Some(frame) = stack.last_mut() {
                frame.region = number;
                frame.hides_terminators = !terminators;
            }
            self.open_region(region, entry_arguments, false, stack)?;
            return Ok(true);
        }
        self.location(operation)?;
        Ok(false)
    }

    /// Prints what follows an operation's regions.
    fn end(&mut self, operation: Operation) -> Result<()> {
        self.generic_end(operation)?;
        self.location(operation)
    }

    /// As [`end`](Self::end), without the location.
    fn generic_end(&mut self, operation: Operation) -> Result<()> {
        let (context, module) = (self.context, self.module);
        if let Some(attributes) = module.attributes(operation)
            && !context.dictionary_entries(attributes).is_empty()
        {
            // The dictionary itself has no alias.
            self.out.byte(b' ');
            self.attribute(attributes)?;
        }
        self.out.text(" : (");
        for (i, value) in module.operands(operation).enumerate() {
            if i > 0 {
                self.out.text(", ");
            }
            self.ty(value)?;
        }
        self.out.text(") -> ");
        let types: [_; 1];
        let single = module.result_count(operation) == 1;
        let bare = match module.result(operation, 0) {
            Some(result) if single => {
                types = [module.value_type(result)];
                self.entries.has_bare_result(&types)
            }
            _ => false,
        };
        if !bare {
            self.out.byte(b'(');
        }
        for (i, value) in module.results(operation).enumerate() {
            if i > 0 {
                self.out.text(", ");
            }
            self.ty(value)?;
        }
        if !bare {
            self.out.byte(b')');
        }
        Ok(())
    }

    /// Prints `loc(...)` after an operation, if locations are printed, and then its users, if these
    /// are printed.
    fn location(&mut self, operation: Operation) -> Result<()> {
        if self.options.debug_info {
            self.out.byte(b' ');
            let location = self.module.location(operation);
            self.entries
                .print_location(location, true, self.aliases, self.out)?;
        }
        if self.options.value_users {
            self.users_comment(operation)?;
        }
        self.out.checkpoint()
    }

    /// Prints `{`, and the header of the first block if it needs one: to show its arguments, or, in
    /// generic form, that the block exists.
    fn open_region(
        &mut self,
        region: Region,
        entry_arguments: bool,
        empty_block: bool,
        stack: &mut [Frame],
    ) -> Result<()> {
        let skips = self.options.skip_regions;
        self.out.text(if skips { "{..." } else { "{\n" });
        let module = self.module;
        let Some(block) = module.first_block(region).filter(|_| !skips) else {
            if let Some(frame) = stack.last_mut() {
                (frame.block, frame.next) = (None, None);
            }
            return Ok(());
        };
        let predecessors = self.predecessors(region);
        // An entry block that is a successor is invalid, but is printed with its label so that
        // nothing is lost.
        let number = self.names.block(block) as usize;
        let is_reached = predecessors
            .get(number)
            .is_some_and(|list| !list.is_empty());
        if let Some(frame) = stack.last_mut() {
            frame.block = Some(block);
            frame.next = module.first_operation(block);
            frame.predecessors = predecessors;
        }
        let shows_arguments = entry_arguments && module.argument_count(block) > 0;
        let shows_block = empty_block && module.first_operation(block).is_none();
        if shows_arguments || shows_block || is_reached {
            self.block_header(block, stack.len(), stack)?;
        }
        if self.options.value_users {
            self.argument_users(block, stack.len())?;
        }
        Ok(())
    }

    /// For each block of a region, the blocks from which it is reached, once for each edge.
    fn predecessors(&self, region: Region) -> Vec<Vec<Block>> {
        let module = self.module;
        let mut predecessors = Vec::new();
        if !module
            .blocks(region)
            .any(|block| module.was_successor(block))
        {
            return predecessors;
        }
        for block in module.blocks(region) {
            for operation in module.operations(block) {
                for successor in module.successors(operation) {
                    let to = self.names.block(successor) as usize;
                    if to >= predecessors.len() {
                        predecessors.resize_with(to.saturating_add(1), Vec::new);
                    }
                    if let Some(list) = predecessors.get_mut(to) {
                        list.push(block);
                    }
                }
            }
        }
        predecessors
    }

    fn block_header(&mut self, block: Block, depth: usize, stack: &[Frame]) -> Result<()> {
        let module = self.module;
        self.indent(depth.saturating_sub(1));
        self.out.open_span(SpanKind::BlockHeader(block));
        self.names.print_block(block, self.out);
        if module.argument_count(block) > 0 {
            self.out.byte(b'(');
            for (i, (argument, location)) in module.arguments(block).enumerate() {
                if i > 0 {
                    self.out.text(", ");
                }
                self.value(argument);
                self.out.text(": ");
                self.ty(argument)?;
                if self.options.debug_info {
                    self.out.byte(b' ');
                    self.entries
                        .print_location(location, false, self.aliases, self.out)?;
                }
            }
            self.out.byte(b')');
        }
        self.out.byte(b':');
        let number = self.names.block(block);
        let predecessors = stack
            .last()
            .and_then(|f| f.predecessors.get(number as usize))
            .map_or(&[][..], |p| p.as_slice());
        match predecessors {
            [] if number == 0 => {}
            [] => self.out.text("  // no predecessors"),
            [one] => {
                self.out.text("  // pred: ");
                self.names.print_block(*one, self.out);
            }
            many => {
                self.out.text("  // ");
                self.out.number(many.len() as u64);
                self.out.text(" preds: ");
                for (i, &one) in many.iter().enumerate() {
                    if i > 0 {
                        self.out.text(", ");
                    }
                    self.names.print_block(one, self.out);
                }
            }
        }
        self.out.close_span();
        self.out.byte(b'\n');
        self.out.checkpoint()
    }

    #[inline]
    pub(super) fn value(&mut self, value: Value) {
        self.names.print_value(self.module, value, self.out);
    }

    #[inline]
    fn ty(&mut self, value: Value) -> Result<()> {
        let ty = self.module.value_type(value);
        self.entries.print(Entry::Type(ty), self.aliases, self.out)
    }

    fn attribute(&mut self, attribute: Attribute) -> Result<()> {
        self.entries
            .print(Entry::Attribute(attribute), self.aliases, self.out)
    }
}

/// The printer as it is passed to a hook.
struct HookPrinter<'p, 'a, 'w> {
    printer: &'p mut OperationPrinter<'a, 'w>,
    /// How many operations are open, this one included.
    depth: usize,
    /// The first error. Hooks are infallible, so it is reported after the hook returns.
    error: Option<PrintError>,
}

impl HookPrinter<'_, '_, '_> {
    /// Prints the entries of a dictionary after `open`, except those whose names are in `elided`;
    /// returns whether there were any.
    fn entries(&mut self, open: &str, attributes: &[NamedAttribute], elided: &[&str]) -> bool {
        let context = self.printer.context;
        let mut opened = false;
        for &(name, value) in attributes {
            let name = context.bytes(name);
            if elided.iter().any(|e| e.as_bytes() == name) {
                continue;
            }
            self.printer.out.text(if opened { ", " } else { open });
            opened = true;
            self.printer.out.keyword_or_string(name);
            if value != context.unit_attribute() {
                self.printer.out.text(" = ");
                self.entry(Entry::Attribute(value));
            }
        }
        opened
    }

    /// ` loc(...)` of an argument, if locations are printed.
    fn argument_location(&mut self, location: Location) {
        let printer = &mut *self.printer;
        if printer.options.debug_info {
            printer.out.byte(b' ');
            let result =
                printer
                    .entries
                    .print_location(location, false, printer.aliases, printer.out);
            self.keep(result);
        }
    }

    fn keep(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    fn entry(&mut self, entry: Entry) {
        let printer = &mut *self.printer;
        let result = printer.entries.print(entry, printer.aliases, printer.out);
        self.keep(result);
    }
}

impl<'a> AsmPrinter<'a> for HookPrinter<'_, 'a, '_> {
    fn context(&self) -> &'a Context {
        self.printer.context
    }

    fn module(&self) -> &'a Module {
        self.printer.module
    }

    fn text(&mut self, text: &str) {
        self.printer.out.text(text);
    }

    fn symbol_name(&mut self, name: &[u8]) {
        self.printer.out.symbol(name);
    }

    fn ty(&mut self, ty: Type) {
        self.entry(Entry::Type(ty));
    }

    fn attribute(&mut self, attribute: Attribute) {
        self.entry(Entry::Attribute(attribute));
    }

    fn operand(&mut self, value: Value) {
        self.printer.value(value);
    }

    fn value_name(&self, value: Value) -> Vec<u8> {
        let printer = &*self.printer;
        printer.names.value_name(printer.module, value)
    }

    fn successor(&mut self, block: Block) {
        self.printer.names.print_block(block, self.printer.out);
    }

    fn attribute_without_type(&mut self, attribute: Attribute) {
        let printer = &mut *self.printer;
        let result = printer
            .entries
            .print_without_type(attribute, printer.aliases, printer.out);
        self.keep(result);
    }

    fn stripped_attribute(&mut self, attribute: Attribute, mnemonic: &str) {
        let printer = &mut *self.printer;
        let result =
            printer
                .entries
                .print_stripped(attribute, mnemonic.len(), printer.aliases, printer.out);
        self.keep(result);
    }

    fn stripped_type(&mut self, ty: Type, mnemonic: &str) {
        let printer = &mut *self.printer;
        let result =
            printer
                .entries
                .print_stripped_type(ty, mnemonic, printer.aliases, printer.out);
        self.keep(result);
    }

    fn bare_type(&mut self, ty: Type, dialect: &str) {
        let printer = &mut *self.printer;
        let result = printer
            .entries
            .print_bare_type(ty, dialect, printer.aliases, printer.out);
        self.keep(result);
    }

    fn string(&mut self, string: &[u8]) {
        self.printer.out.quoted(string);
    }

    fn newline(&mut self) {
        self.printer.out.byte(b'\n');
        self.printer.indent(self.depth);
    }

    fn indent(&mut self, steps: isize) {
        let extra = &mut self.printer.extra_indent;
        *extra = extra.saturating_add_signed(steps);
    }

    fn attribute_dictionary(&mut self, attributes: &[NamedAttribute], elided: &[&str]) {
        if self.entries(" {", attributes, elided) {
            self.printer.out.byte(b'}');
        }
    }

    fn property_dictionary(&mut self, properties: &[NamedAttribute]) {
        if self.entries("<{", properties, &[]) {
            self.printer.out.text("}>");
        }
    }

    fn region_argument(
        &mut self,
        argument: Value,
        location: Location,
        attributes: &[NamedAttribute],
    ) {
        self.printer.value(argument);
        self.printer.out.text(": ");
        self.ty(self.printer.module.value_type(argument));
        self.attribute_dictionary(attributes, &[]);
        self.argument_location(location);
    }

    fn location(&mut self, location: Location) {
        self.argument_location(location);
    }

    fn region_argument_name(&mut self, argument: Value, location: Location) {
        self.printer.value(argument);
        self.argument_location(location);
    }
}
