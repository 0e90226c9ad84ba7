//! Operations, blocks and regions as text, with an explicit stack.

use super::alias::{AliasName, Aliases};
use super::entity::{Entity, EntityPrinter};
use super::names::{Names, ValueName};
use super::output::Output;
use super::{PrintOptions, Result, resources};
use rmlir_ir::{Attribute, AttributeKind, Block, Context, Module, Operation, Region, Value};
use std::io::Write;

/// Prints an operation with its aliases, and the module's resources if it is a whole module.
pub(super) fn print(
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &PrintOptions,
    whole: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let mut output = Output::new(out, options.max_output);
    let aliases = if options.local_scope {
        Aliases::default()
    } else {
        Aliases::new(context, module, operation, options.debug_info)
    };
    let mut printer = OperationPrinter {
        context,
        module,
        options,
        names: Names::new(module, operation, options.generic),
        aliases,
        entities: EntityPrinter::new(context, options),
        out: &mut output,
    };
    printer.alias_definitions(false)?;
    printer.operation_tree(operation)?;
    printer.out.byte(b'\n');
    printer.alias_definitions(true)?;
    if whole {
        let referenced = std::mem::take(&mut printer.entities.resources);
        resources::print(context, module, &referenced, options, printer.out)?;
    }
    output.finish()
}

/// An operation whose regions are being printed.
struct Frame {
    operation: Operation,
    /// Number of the region that is being printed.
    region: usize,
    block: Option<Block>,
    next: Option<Operation>,
    /// The predecessors of the region's blocks, by number of the block.
    predecessors: Vec<Vec<u32>>,
}

struct OperationPrinter<'a, 'w> {
    context: &'a Context,
    module: &'a Module,
    options: &'a PrintOptions,
    names: Names,
    aliases: Aliases,
    entities: EntityPrinter<'a>,
    out: &'a mut Output<'w>,
}

impl OperationPrinter<'_, '_> {
    /// `#name = ...` for each alias that is defined here.
    fn alias_definitions(&mut self, deferred: bool) -> Result<()> {
        let mut index = 0usize;
        while let Some(&alias) = self.aliases.list().get(index) {
            index = index.saturating_add(1);
            if alias.deferred != deferred {
                continue;
            }
            self.out.byte(if matches!(alias.entity, Entity::Type(_)) { b'!' } else { b'#' });
            self.out.alias(self.aliases.name(alias));
            self.out.text(" = ");
            self.entities.print_definition(alias.entity, &mut self.aliases, self.out)?;
            self.out.byte(b'\n');
        }
        Ok(())
    }

    /// An operation with all that is in it, without a line break behind it.
    fn operation_tree(&mut self, operation: Operation) -> Result<()> {
        let mut stack: Vec<Frame> = Vec::new();
        self.start(operation, &mut stack)?;
        while let Some(frame) = stack.last_mut() {
            if let Some(operation) = frame.next {
                frame.next = self.module.next_operation(operation);
                self.out.indent(stack.len());
                self.start(operation, &mut stack)?;
                if !stack.last().is_some_and(|frame| frame.operation == operation) {
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
                self.block_header(block, stack.len(), &stack)?;
                continue;
            }
            let depth = stack.len();
            self.out.indent(depth.saturating_sub(1));
            self.out.byte(b'}');
            let Some(frame) = stack.last_mut() else { break };
            frame.region = frame.region.saturating_add(1);
            if let Some(region) = self.module.region(frame.operation, frame.region) {
                self.out.text(", ");
                self.open_region(region, &mut stack)?;
                continue;
            }
            let operation = frame.operation;
            stack.pop();
            self.out.byte(b')');
            self.end(operation)?;
            if !stack.is_empty() {
                self.out.byte(b'\n');
            }
        }
        Ok(())
    }

    /// Prints an operation up to its regions, or whole if it has none; else it is put on the stack.
    fn start(&mut self, operation: Operation, stack: &mut Vec<Frame>) -> Result<()> {
        let (context, module) = (self.context, self.module);
        self.result_names(operation);
        self.out.quoted(context.operation_name_bytes(module.name(operation)));
        self.out.byte(b'(');
        for (i, value) in module.operands(operation).enumerate() {
            if i > 0 {
                self.out.text(", ");
            }
            self.value(value);
        }
        self.out.byte(b')');
        if module.successors(operation).len() > 0 {
            self.out.byte(b'[');
            for (i, block) in module.successors(operation).enumerate() {
                if i > 0 {
                    self.out.text(", ");
                }
                self.block_name(block);
            }
            self.out.byte(b']');
        }
        if let Some(properties) = module.properties(operation) {
            self.out.text(" <");
            self.attribute(properties)?;
            self.out.byte(b'>');
        }
        if let Some(region) = module.region(operation, 0) {
            self.out.text(" (");
            stack.push(Frame { operation, region: 0, block: None, next: None, predecessors: Vec::new() });
            return self.open_region(region, stack);
        }
        self.end(operation)
    }

    fn result_names(&mut self, operation: Operation) {
        if let Some(first) = self.module.result(operation, 0) {
            self.value_base(first);
            let count = self.module.result_count(operation);
            if count > 1 {
                self.out.byte(b':');
                self.out.number(count as u64);
            }
            self.out.text(" = ");
        }
    }

    /// Prints what follows an operation's regions.
    fn end(&mut self, operation: Operation) -> Result<()> {
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
                self.entities.has_bare_result(&types)
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
        if self.options.debug_info {
            self.out.byte(b' ');
            let location = module.location(operation);
            self.entities.print_location(location, true, &mut self.aliases, self.out)?;
        }
        self.out.checkpoint()
    }

    /// `{`, and the header of the first block if it needs one.
    fn open_region(&mut self, region: Region, stack: &mut [Frame]) -> Result<()> {
        self.out.text("{\n");
        let module = self.module;
        let Some(block) = module.first_block(region) else {
            if let Some(frame) = stack.last_mut() {
                (frame.block, frame.next) = (None, None);
            }
            return Ok(());
        };
        let predecessors = self.predecessors(region);
        if let Some(frame) = stack.last_mut() {
            frame.block = Some(block);
            frame.next = module.first_operation(block);
            frame.predecessors = predecessors;
        }
        if module.argument_count(block) > 0 || module.first_operation(block).is_none() {
            self.block_header(block, stack.len(), stack)?;
        }
        Ok(())
    }

    /// For each block of a region, the blocks from which it is reached, once for each edge.
    fn predecessors(&self, region: Region) -> Vec<Vec<u32>> {
        let module = self.module;
        let mut predecessors = Vec::new();
        for (number, block) in module.blocks(region).enumerate() {
            for operation in module.operations(block) {
                for successor in module.successors(operation) {
                    let to = self.names.block(successor) as usize;
                    if to >= predecessors.len() {
                        predecessors.resize_with(to.saturating_add(1), Vec::new);
                    }
                    if let Some(list) = predecessors.get_mut(to) {
                        list.push(number as u32);
                    }
                }
            }
        }
        predecessors
    }

    fn block_header(&mut self, block: Block, depth: usize, stack: &[Frame]) -> Result<()> {
        let module = self.module;
        self.out.indent(depth.saturating_sub(1));
        self.block_name(block);
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
                    self.entities.print_location(location, false, &mut self.aliases, self.out)?;
                }
            }
            self.out.byte(b')');
        }
        self.out.byte(b':');
        let number = self.names.block(block);
        let predecessors =
            stack.last().and_then(|f| f.predecessors.get(number as usize)).map_or(&[][..], |p| p.as_slice());
        match predecessors {
            [] if number == 0 => {}
            [] => self.out.text("  // no predecessors"),
            [one] => {
                self.out.text("  // pred: ^bb");
                self.out.number(u64::from(*one));
            }
            many => {
                self.out.text("  // ");
                self.out.number(many.len() as u64);
                self.out.text(" preds: ");
                for (i, &one) in many.iter().enumerate() {
                    self.out.text(if i > 0 { ", ^bb" } else { "^bb" });
                    self.out.number(u64::from(one));
                }
            }
        }
        self.out.byte(b'\n');
        self.out.checkpoint()
    }

    fn block_name(&mut self, block: Block) {
        self.out.text("^bb");
        self.out.number(u64::from(self.names.block(block)));
    }

    /// `%N`, without the number of the result.
    fn value_base(&mut self, value: Value) {
        match self.names.value(value) {
            ValueName::Number(number) => {
                self.out.byte(b'%');
                self.out.number(u64::from(number));
            }
            ValueName::Argument(number) => {
                self.out.text("%arg");
                self.out.number(u64::from(number));
            }
            ValueName::Unknown => self.out.text("<<UNKNOWN SSA VALUE>>"),
        }
    }

    /// `%N` or `%N#M`.
    #[inline]
    fn value(&mut self, value: Value) {
        self.value_base(value);
        if let rmlir_ir::ValueDefinition::Result(operation, number) = self.module.definition(value)
            && self.module.result_count(operation) > 1
        {
            self.out.byte(b'#');
            self.out.number(u64::from(number));
        }
    }

    #[inline]
    fn ty(&mut self, value: Value) -> Result<()> {
        let ty = self.module.value_type(value);
        self.entities.print(Entity::Type(ty), &mut self.aliases, self.out)
    }

    fn attribute(&mut self, attribute: Attribute) -> Result<()> {
        debug_assert!(!matches!(self.context.attribute_kind(attribute), AttributeKind::Location(_)));
        self.entities.print(Entity::Attribute(attribute), &mut self.aliases, self.out)
    }
}

impl Output<'_> {
    /// The name of an alias, without `#` or `!`.
    pub(super) fn alias(&mut self, name: AliasName<'_>) {
        self.text(name.stem);
        if name.suffix > 0 {
            if name.stem.last().is_some_and(u8::is_ascii_digit) {
                self.byte(b'_');
            }
            self.number(u64::from(name.suffix));
        }
    }
}
