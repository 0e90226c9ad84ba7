//! Everything that is printed, visited in the order of printing.

use super::children::{Child, child, is_leaf, same_entry};
use super::relevance::Relevance;
use super::stems::Stem;
use crate::formats::{Syntax, SyntaxTable};
use crate::printer::PrintOptions;
use crate::printer::operation::custom_syntax;
use rmlir_ir::asm::{AsmPrinter, PrintStep};
use rmlir_ir::definition::Text;
use rmlir_ir::{
    Attribute, AttributeKind, Block, Context, DialectDefinition, Entry, Identifier, IndexedMap,
    Location, LocationClasses, Module, NamedAttribute, Operation, Region, Type, TypeKind, Value,
};
use std::collections::HashSet;
use std::sync::Arc;

/// The collected data of a visited entry.
pub(super) struct Info {
    pub(super) entry: Entry,
    pub(super) stem: Stem,
    /// 0 if neither it nor anything in it has an alias.
    pub(super) depth: u32,
    pub(super) deferrable: bool,
    children: Box<[u32]>,
}

/// An entry whose parts are being visited.
struct Frame {
    info: u32,
    entry: Entry,
    part: usize,
    depth: u32,
    children: Vec<u32>,
}

pub(super) struct Visitor<'c> {
    pub(super) context: &'c Context,
    pub(super) module: &'c Module,
    options: &'c PrintOptions,
    pub(super) syntaxes: SyntaxTable,
    pub(super) infos: Vec<Info>,
    /// The base names from definitions and the builtin dialect.
    pub(super) stems: Vec<Text>,
    /// The dialect looked up last.
    pub(super) dialect: Option<(Identifier, Option<Arc<DialectDefinition>>)>,
    /// Position in `infos` + 1, or 0.
    pub(super) attributes: IndexedMap<u32>,
    pub(super) types: IndexedMap<u32>,
    pub(super) locations: Vec<u32>,
    pub(super) classes: LocationClasses,
    pub(super) relevance: Relevance,
    stack: Vec<Frame>,
    /// By attribute: whether the entries of this operation dictionary were visited. A second visit
    /// changes nothing.
    dictionaries: IndexedMap<bool>,
    /// Names that no alias may have.
    pub(super) reserved: HashSet<&'c [u8]>,
}

impl<'c> Visitor<'c> {
    pub(super) fn new(context: &'c Context, module: &'c Module, options: &'c PrintOptions) -> Self {
        let operations = module.operation_slots();
        Visitor {
            context,
            module,
            options,
            syntaxes: SyntaxTable::default(),
            infos: Vec::new(),
            stems: vec![Text::Borrowed("loc")],
            dialect: None,
            attributes: IndexedMap::new(context.attribute_count(), operations),
            types: IndexedMap::new(context.type_count(), operations),
            locations: Vec::new(),
            classes: LocationClasses::new(),
            relevance: Relevance::default(),
            stack: Vec::new(),
            dictionaries: IndexedMap::new(context.attribute_count(), operations),
            reserved: HashSet::new(),
        }
    }

    /// Visits an operation and all in it, in the order of printing.
    pub(super) fn operations(&mut self, operation: Operation) {
        let module = self.module;
        if !self.options.debug_info {
            self.find_relevant(operation);
            if !self.relevance.has_operation(operation) {
                return;
            }
        }
        let mut steps = vec![Step::Enter(operation)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(operation) => {
                    if self.options.debug_info {
                        self.visit(Entry::Location(module.location(operation)), true);
                    }
                    let syntaxes = &mut self.syntaxes;
                    if let Some(syntax) =
                        custom_syntax(syntaxes, self.context, module, operation, self.options)
                    {
                        steps.push(Step::Custom(operation, syntax, 0));
                        continue;
                    }
                    steps.push(Step::Leave(operation));
                    for region in module.regions(operation).rev() {
                        if let Some(block) = self.first_block(region) {
                            steps.push(Step::Block(block, true, true));
                        }
                    }
                }
                Step::Leave(operation) => self.operation(operation),
                Step::Custom(operation, syntax, regions) => {
                    let prepared = self.syntaxes.take_prepared(operation);
                    let hook = &mut HookVisitor { visitor: self };
                    let step = syntax.print(hook, operation, regions, prepared);
                    let (region, number, entry_arguments, terminators) = match step {
                        PrintStep::Region {
                            number,
                            entry_arguments,
                            terminators,
                        } => {
                            let region = module.region(operation, number);
                            (region, number, entry_arguments, terminators)
                        }
                        PrintStep::RegionInside {
                            region,
                            number,
                            entry_arguments,
                        } => (Some(region), number, entry_arguments, true),
                        PrintStep::Operation(inner) | PrintStep::GenericOperation(inner) => {
                            steps.push(Step::Custom(operation, syntax, regions.saturating_add(1)));
                            if module.region_count(inner) == 0 {
                                steps.push(match step {
                                    PrintStep::Operation(_) => Step::Enter(inner),
                                    _ => Step::Leave(inner),
                                });
                            }
                            continue;
                        }
                        PrintStep::Done => continue,
                    };
                    steps.push(Step::Custom(operation, syntax, number.saturating_add(1)));
                    if let Some(block) = region.and_then(|region| self.first_block(region)) {
                        steps.push(Step::Block(block, entry_arguments, terminators));
                    }
                }
                Step::Block(block, arguments, terminators) => {
                    if arguments {
                        for (argument, location) in module.arguments(block) {
                            self.argument(argument, location);
                        }
                    }
                    if let Some(next) = module.next_block(block) {
                        steps.push(Step::Block(next, true, terminators));
                    }
                    if let Some(first) = module.first_operation(block) {
                        steps.push(Step::Next(first, terminators));
                    }
                }
                Step::Next(operation, terminators) => {
                    let mut next = Some(operation);
                    while let Some(operation) = next
                        && !(self.relevance.has_operation(operation) && self.has_news(operation))
                    {
                        next = module.next_operation(operation);
                    }
                    let Some(operation) = next else { continue };
                    if let Some(next) = module.next_operation(operation) {
                        steps.push(Step::Next(next, terminators));
                    } else if !terminators {
                        continue;
                    }
                    steps.push(Step::Enter(operation));
                }
            }
        }
    }

    /// Returns the first block of a region that is printed.
    fn first_block(&self, region: Region) -> Option<Block> {
        let block = self.module.first_block(region);
        block.filter(|_| !self.options.skip_regions)
    }

    fn argument(&mut self, argument: Value, location: Location) {
        self.visit(Entry::Type(self.module.value_type(argument)), false);
        if self.options.debug_info {
            self.visit(Entry::Location(location), false);
        }
    }

    /// Visits what an operation prints after its regions.
    fn operation(&mut self, operation: Operation) {
        let (module, context) = (self.module, self.context);
        for value in module.operands(operation) {
            self.visit(Entry::Type(module.value_type(value)), false);
        }
        for value in module.results(operation) {
            self.visit(Entry::Type(module.value_type(value)), false);
        }
        let (properties, attributes) = (module.properties(operation), module.attributes(operation));
        let visited = [properties, attributes].map(|d| self.is_visited(d));
        if visited == [true; 2] {
            return;
        }
        let inherent = module.inherent_attributes(context, operation);
        let discardable = module.discardable_attributes(context, operation);
        if inherent.is_empty() || discardable.is_empty() {
            for &(_, value) in inherent.iter().chain(discardable) {
                self.visit(Entry::Attribute(value), false);
            }
        } else {
            for &(_, value) in module.all_attributes(context, operation).iter() {
                self.visit(Entry::Attribute(value), false);
            }
        }
        if let Some(properties) = properties
            && !matches!(
                context.attribute_kind(properties),
                AttributeKind::Dictionary(_)
            )
        {
            self.visit(Entry::Attribute(properties), false);
        }
    }

    /// Returns whether the entries of an operation's dictionary were visited before, and marks them
    /// as visited.
    #[inline]
    fn is_visited(&mut self, dictionary: Option<Attribute>) -> bool {
        match dictionary {
            Some(dictionary) => {
                std::mem::replace(self.dictionaries.get_mut(dictionary.index()), true)
            }
            None => true,
        }
    }

    /// Visits an entry. `deferrable` allows its definition after the module.
    #[inline]
    fn visit(&mut self, entry: Entry, deferrable: bool) {
        if !self.options.debug_info && !self.is_relevant(entry) {
            return;
        }
        let (info, new) = self.slot(entry, deferrable);
        if new {
            self.visit_parts(info, deferrable);
        } else if !deferrable {
            self.forbid_deferring(info);
        }
    }

    /// Returns the index of the entry's info, and whether it is new.
    #[inline]
    fn slot(&mut self, entry: Entry, deferrable: bool) -> (u32, bool) {
        let entry = same_entry(self.context, entry);
        let slot = match entry {
            Entry::Attribute(attribute) => self.attributes.get_mut(attribute.index()),
            Entry::Type(ty) => self.types.get_mut(ty.index()),
            Entry::Location(location) => {
                let class = self.classes.class(self.context, location) as usize;
                if class >= self.locations.len() {
                    self.locations.resize(class.saturating_add(1), 0);
                }
                let Some(slot) = self.locations.get_mut(class) else {
                    return (0, false);
                };
                slot
            }
        };
        if let Some(info) = slot.checked_sub(1) {
            return (info, false);
        }
        let info = self.infos.len() as u32;
        *slot = info.wrapping_add(1);
        let stem = self.stem(entry);
        let context = self.context;
        match entry {
            Entry::Attribute(attribute) => {
                if let AttributeKind::Dialect { body, .. } = context.attribute_kind(attribute) {
                    self.reserve(body);
                }
            }
            Entry::Type(ty) => {
                if let TypeKind::Dialect { body, .. } = context.type_kind(ty) {
                    self.reserve(body);
                }
            }
            Entry::Location(_) => {}
        }
        let depth = u32::from(stem != Stem::None);
        self.infos.push(Info {
            entry,
            stem,
            depth,
            deferrable,
            children: Box::default(),
        });
        (info, true)
    }

    /// Visits the parts of a new entry, with an explicit stack, and computes its depth.
    fn visit_parts(&mut self, info: u32, deferrable: bool) {
        let Some(entry) = self.infos.get(info as usize).map(|i| i.entry) else {
            return;
        };
        if is_leaf(self.context, entry) {
            return;
        }
        self.stack.push(Frame {
            info,
            entry,
            part: 0,
            depth: 0,
            children: Vec::new(),
        });
        while let Some(frame) = self.stack.last_mut() {
            let part = frame.part;
            frame.part = part.saturating_add(1);
            let child = match child(self.context, frame.entry, part) {
                Child::Entry(child) => child,
                Child::Nothing => continue,
                Child::End => {
                    self.leave();
                    continue;
                }
            };
            let (info, new) = self.slot(child, deferrable);
            let Some(entry) = self.infos.get(info as usize).map(|i| i.entry) else {
                continue;
            };
            if new && !is_leaf(self.context, entry) {
                self.stack.push(Frame {
                    info,
                    entry,
                    part: 0,
                    depth: 0,
                    children: Vec::new(),
                });
                continue;
            }
            if !new && !deferrable {
                self.forbid_deferring(info);
            }
            self.record(info);
        }
    }

    /// Leaves the top entry, whose parts are all visited.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        if let Some(info) = self.infos.get_mut(frame.info as usize) {
            info.children = frame.children.into();
            if frame.depth > 0 {
                info.depth = frame.depth.saturating_add(1);
            }
        }
        self.record(frame.info);
    }

    /// Records a part of the entry that is being visited.
    fn record(&mut self, part: u32) {
        let depth = self.infos.get(part as usize).map_or(0, |i| i.depth);
        if let Some(frame) = self.stack.last_mut() {
            frame.children.push(part);
            frame.depth = frame.depth.max(depth);
        }
    }

    /// Requires the definition of the entry, and everything in it, to precede the module.
    fn forbid_deferring(&mut self, info: u32) {
        let is_deferrable = |info: &Info| info.deferrable;
        if !self.infos.get(info as usize).is_some_and(is_deferrable) {
            return;
        }
        let mut work = vec![info];
        while let Some(info) = work.pop() {
            let Some(info) = self.infos.get_mut(info as usize) else {
                continue;
            };
            if std::mem::replace(&mut info.deferrable, false) {
                work.extend_from_slice(&info.children);
            }
        }
    }
}

/// A pending step; the next one is on top of the stack.
enum Step {
    Enter(Operation),
    /// The parts that an operation in generic form prints after its regions.
    Leave(Operation),
    /// An operation in custom form, after this number of regions.
    Custom(Operation, Syntax, usize),
    /// A block and those after it, with flags for including its arguments and its last operation.
    Block(Block, bool, bool),
    /// An operation and those after it, with a flag for including the last one.
    Next(Operation, bool),
}

/// The visitor as it is passed to a hook: a printer that prints nothing.
struct HookVisitor<'v, 'c> {
    visitor: &'v mut Visitor<'c>,
}

impl<'c> AsmPrinter<'c> for HookVisitor<'_, 'c> {
    fn context(&self) -> &'c Context {
        self.visitor.context
    }

    fn module(&self) -> &'c Module {
        self.visitor.module
    }

    fn text(&mut self, _text: &str) {}

    fn symbol_name(&mut self, _name: &[u8]) {}

    fn ty(&mut self, ty: Type) {
        self.visitor.visit(Entry::Type(ty), false);
    }

    fn attribute(&mut self, attribute: Attribute) {
        self.visitor.visit(Entry::Attribute(attribute), false);
    }

    fn operand(&mut self, _value: Value) {}

    fn value_name(&self, _value: Value) -> Vec<u8> {
        Vec::new()
    }

    fn successor(&mut self, _block: Block) {}

    fn attribute_without_type(&mut self, attribute: Attribute) {
        self.attribute(attribute);
    }

    fn stripped_attribute(&mut self, attribute: Attribute, _mnemonic: &str) {
        self.attribute(attribute);
    }

    fn stripped_type(&mut self, ty: Type, _mnemonic: &str) {
        self.ty(ty);
    }

    fn bare_type(&mut self, ty: Type, _dialect: &str) {
        self.ty(ty);
    }

    fn newline(&mut self) {}

    fn string(&mut self, _: &[u8]) {}

    fn indent(&mut self, _steps: isize) {}

    fn attribute_dictionary(&mut self, attributes: &[NamedAttribute], elided: &[&str]) {
        for &(name, value) in attributes {
            let name = self.visitor.context.bytes(name);
            if !elided.iter().any(|e| e.as_bytes() == name) {
                self.attribute(value);
            }
        }
    }

    fn property_dictionary(&mut self, properties: &[NamedAttribute]) {
        self.attribute_dictionary(properties, &[]);
    }

    fn location(&mut self, location: Location) {
        if self.visitor.options.debug_info {
            self.visitor.visit(Entry::Location(location), false);
        }
    }

    fn region_argument_name(&mut self, argument: Value, location: Location) {
        self.visitor.argument(argument, location);
    }

    /// As upstream does, this ignores the attributes.
    fn region_argument(
        &mut self,
        argument: Value,
        location: Location,
        _attributes: &[NamedAttribute],
    ) {
        self.visitor.argument(argument, location);
    }
}
