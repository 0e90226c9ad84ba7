//! Aliases: which entries get one, what they are called, and in which order they are defined.
//!
//! As in upstream, everything is visited in the order of printing; entries whose definition (or, for
//! dialects that nobody defined, whose source) gives a stem get an alias. Definitions are sorted by
//! how deeply aliases nest, types before attributes, then by stem; those that only operations'
//! locations need come behind the module.

use super::PrintOptions;
use super::entity::Entity;
use super::operation::custom_syntax;
use super::output::write_number;
use crate::formats::{Syntax, SyntaxTable};
use crate::lexer::{is_bare_start, is_suffix};
use rmlir_ir::asm::{AsmPrinter, PrintStep};
use rmlir_ir::definition::Text;
use rmlir_ir::{
    Attribute, AttributeKind, Block, BodyReference, Context, DialectBody, DialectDefinition,
    Identifier, Location, LocationClasses, LocationKind, Module, NamedAttribute, Operation, Type,
    TypeKind, Value,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A tuple of more elements than this gets an alias.
const LONG_TUPLE: usize = 16;

/// An alias.
#[derive(Clone, Copy)]
pub(super) struct Alias {
    pub(super) entity: Entity,
    stem: u32,
    /// 0 for the first of a stem.
    suffix: u32,
    /// Defined behind the module.
    pub(super) deferred: bool,
}

/// The name of an alias, without `#` or `!`.
#[derive(Clone, Copy)]
pub(super) struct AliasName<'a> {
    pub(super) stem: &'a [u8],
    /// 0 for the first of a stem.
    pub(super) suffix: u32,
}

/// The aliases of a text.
#[derive(Default)]
pub(super) struct Aliases {
    stems: Vec<Box<[u8]>>,
    /// In the order of definition.
    list: Vec<Alias>,
    /// By attribute, type and class of location: position in `list` + 1, or 0.
    attributes: Vec<u32>,
    types: Vec<u32>,
    locations: Vec<u32>,
    classes: LocationClasses,
    /// What was found out of the syntax of operations on the way.
    pub(super) syntaxes: SyntaxTable,
}

impl Aliases {
    /// The aliases for printing `operation`.
    pub(super) fn new(
        context: &Context,
        module: &Module,
        operation: Operation,
        options: &PrintOptions,
    ) -> Self {
        let mut visitor = Visitor::new(context, module, options);
        visitor.operations(operation);
        visitor.finish()
    }

    /// The aliases in the order of definition.
    pub(super) fn list(&self) -> &[Alias] {
        &self.list
    }

    pub(super) fn name(&self, alias: Alias) -> AliasName<'_> {
        let stem = self
            .stems
            .get(alias.stem as usize)
            .map_or(&[][..], |stem| stem);
        AliasName {
            stem,
            suffix: alias.suffix,
        }
    }

    fn by_slot(&self, slot: Option<&u32>) -> Option<AliasName<'_>> {
        let position = slot?.checked_sub(1)?;
        self.list
            .get(position as usize)
            .map(|&alias| self.name(alias))
    }

    #[inline]
    pub(super) fn attribute(&self, attribute: Attribute) -> Option<AliasName<'_>> {
        self.by_slot(self.attributes.get(attribute.index()))
    }

    #[inline]
    pub(super) fn ty(&self, ty: Type) -> Option<AliasName<'_>> {
        self.by_slot(self.types.get(ty.index()))
    }

    pub(super) fn location(
        &mut self,
        context: &Context,
        location: Location,
    ) -> Option<AliasName<'_>> {
        if let LocationKind::Dialect(attribute) = *context.location_kind(location) {
            return self.attribute(attribute);
        }
        if self.locations.is_empty() {
            return None;
        }
        let class = self.classes.class(context, location);
        self.by_slot(self.locations.get(class as usize))
    }
}

/// The stem of an entry's alias.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stem {
    /// It gets no alias.
    None,
    /// As the source text had it.
    Source(Identifier),
    /// One of the visitor's stems.
    Known(u32),
}

impl Stem {
    /// The stem of locations, the visitor's first.
    const LOCATION: Self = Stem::Known(0);
}

/// What is known of an entry that was visited.
struct Info {
    entity: Entity,
    stem: Stem,
    /// 0 if neither it nor anything in it has an alias.
    depth: u32,
    deferrable: bool,
    children: Box<[u32]>,
}

/// An entry whose parts are being visited.
struct Frame {
    info: u32,
    entity: Entity,
    part: usize,
    depth: u32,
    children: Vec<u32>,
}

struct Visitor<'c> {
    context: &'c Context,
    module: &'c Module,
    options: &'c PrintOptions,
    syntaxes: SyntaxTable,
    infos: Vec<Info>,
    /// The stems that definitions and the builtin dialect give.
    stems: Vec<Text>,
    /// The dialect that was asked for last.
    dialect: Option<(Identifier, Option<Arc<DialectDefinition>>)>,
    /// Position in `infos` + 1, or 0.
    attributes: Vec<u32>,
    types: Vec<u32>,
    locations: Vec<u32>,
    classes: LocationClasses,
    stack: Vec<Frame>,
    /// By attribute: the dictionaries of operations whose entries were visited. A second visit changes nothing.
    dictionaries: Vec<bool>,
    /// Names that no alias may have.
    reserved: HashSet<&'c [u8]>,
}

impl<'c> Visitor<'c> {
    fn new(context: &'c Context, module: &'c Module, options: &'c PrintOptions) -> Self {
        Visitor {
            context,
            module,
            options,
            syntaxes: SyntaxTable::default(),
            infos: Vec::new(),
            stems: vec![Text::Borrowed("loc")],
            dialect: None,
            attributes: vec![0; context.attribute_count()],
            types: vec![0; context.type_count()],
            locations: Vec::new(),
            classes: LocationClasses::new(),
            stack: Vec::new(),
            dictionaries: vec![false; context.attribute_count()],
            reserved: HashSet::new(),
        }
    }

    /// Visits an operation and all in it, in the order of printing.
    fn operations(&mut self, operation: Operation) {
        let module = self.module;
        let mut steps = vec![Step::Enter(operation)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(operation) => {
                    if self.options.debug_info {
                        self.visit(Entity::Location(module.location(operation)), true);
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
                        if let Some(block) = module.first_block(region) {
                            steps.push(Step::Block(block, true, true));
                        }
                    }
                }
                Step::Leave(operation) => self.operation(operation),
                Step::Custom(operation, syntax, regions) => {
                    let step = syntax.print(&mut HookVisitor { visitor: self }, operation, regions);
                    let (number, entry_arguments, terminators) = match step {
                        PrintStep::Region {
                            number,
                            entry_arguments,
                            terminators,
                        } => (number, entry_arguments, terminators),
                        PrintStep::Operation(inner) => {
                            steps.push(Step::Custom(operation, syntax, regions.saturating_add(1)));
                            if module.regions(inner).len() == 0 {
                                steps.push(Step::Enter(inner));
                            }
                            continue;
                        }
                        PrintStep::Done => continue,
                    };
                    steps.push(Step::Custom(operation, syntax, number.saturating_add(1)));
                    let region = module.region(operation, number);
                    if let Some(block) = region.and_then(|region| module.first_block(region)) {
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

    fn argument(&mut self, argument: Value, location: Location) {
        self.visit(Entity::Type(self.module.value_type(argument)), false);
        if self.options.debug_info {
            self.visit(Entity::Location(location), false);
        }
    }

    /// Visits what an operation prints behind its regions.
    fn operation(&mut self, operation: Operation) {
        let (module, context) = (self.module, self.context);
        for value in module.operands(operation) {
            self.visit(Entity::Type(module.value_type(value)), false);
        }
        for value in module.results(operation) {
            self.visit(Entity::Type(module.value_type(value)), false);
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
                self.visit(Entity::Attribute(value), false);
            }
        } else {
            for (_, value) in module.all_attributes(context, operation) {
                self.visit(Entity::Attribute(value), false);
            }
        }
        if let Some(properties) = properties
            && !matches!(
                context.attribute_kind(properties),
                AttributeKind::Dictionary(_)
            )
        {
            self.visit(Entity::Attribute(properties), false);
        }
    }

    /// Whether the entries of an operation's dictionary were visited before, and notes that they are.
    #[inline]
    fn is_visited(&mut self, dictionary: Option<Attribute>) -> bool {
        match dictionary {
            Some(dictionary) => match self.dictionaries.get_mut(dictionary.index()) {
                Some(visited) => std::mem::replace(visited, true),
                None => false,
            },
            None => true,
        }
    }

    /// Visits an entry. `deferrable` says that it may be defined behind the module.
    #[inline]
    fn visit(&mut self, entity: Entity, deferrable: bool) {
        let (info, new) = self.slot(entity, deferrable);
        if new {
            self.visit_parts(info, deferrable);
        } else if !deferrable {
            self.forbid_deferring(info);
        }
    }

    /// The entry's place among the infos, and whether it is new.
    #[inline]
    fn slot(&mut self, entity: Entity, deferrable: bool) -> (u32, bool) {
        let entity = same_entity(self.context, entity);
        let slot = match entity {
            Entity::Attribute(attribute) => self.attributes.get_mut(attribute.index()),
            Entity::Type(ty) => self.types.get_mut(ty.index()),
            Entity::Location(location) => {
                let class = self.classes.class(self.context, location) as usize;
                if class >= self.locations.len() {
                    self.locations.resize(class.saturating_add(1), 0);
                }
                self.locations.get_mut(class)
            }
        };
        let Some(slot) = slot else { return (0, false) };
        if let Some(info) = slot.checked_sub(1) {
            return (info, false);
        }
        let info = self.infos.len() as u32;
        *slot = info.wrapping_add(1);
        let stem = self.stem(entity);
        let context = self.context;
        match entity {
            Entity::Attribute(attribute) => {
                if let AttributeKind::Dialect { body, .. } = context.attribute_kind(attribute) {
                    self.reserve(body);
                }
            }
            Entity::Type(ty) => {
                if let TypeKind::Dialect { body, .. } = context.type_kind(ty) {
                    self.reserve(body);
                }
            }
            Entity::Location(_) => {}
        }
        let depth = u32::from(stem != Stem::None);
        self.infos.push(Info {
            entity,
            stem,
            depth,
            deferrable,
            children: Box::default(),
        });
        (info, true)
    }

    /// The stem of the alias that an entry gets, if it gets one.
    fn stem(&mut self, entity: Entity) -> Stem {
        let stems = &self.module.provenance;
        match entity {
            Entity::Location(_) => Stem::LOCATION,
            Entity::Attribute(attribute) => match self.context.attribute_kind(attribute) {
                AttributeKind::AffineMap(_) => self.known_stem(&Text::Borrowed("map")),
                AttributeKind::IntegerSet(_) => self.known_stem(&Text::Borrowed("set")),
                AttributeKind::Distinct { referenced, .. }
                    if *referenced != self.context.unit_attribute() =>
                {
                    self.known_stem(&Text::Borrowed("distinct"))
                }
                AttributeKind::Dialect { dialect, body, .. } => {
                    let source = stems.attribute_stems.get(&attribute).copied();
                    self.dialect_stem(*dialect, source, |d| d.attribute_alias(mnemonic(body)))
                }
                _ => Stem::None,
            },
            Entity::Type(ty) => match self.context.type_kind(ty) {
                TypeKind::Tuple(types) if types.len() > LONG_TUPLE => {
                    self.known_stem(&Text::Borrowed("tuple"))
                }
                TypeKind::Dialect { dialect, body } => {
                    let source = stems.type_stems.get(&ty).copied();
                    self.dialect_stem(*dialect, source, |d| d.type_alias(mnemonic(body)))
                }
                _ => Stem::None,
            },
        }
    }

    /// The stem that a dialect's definition gives, or, if it does not know all aliases, the source text.
    fn dialect_stem(
        &mut self,
        dialect: Identifier,
        source: Option<Identifier>,
        find: impl FnOnce(&DialectDefinition) -> Option<&Text>,
    ) -> Stem {
        if self.dialect.as_ref().is_none_or(|d| d.0 != dialect) {
            let definition = self.context.dialect(self.context.bytes(dialect));
            self.dialect = Some((dialect, definition));
        }
        let definition = self.dialect.as_ref().and_then(|d| d.1.clone());
        let stem = definition.as_deref().and_then(find);
        match (stem, source) {
            (Some(stem), _) => self.known_stem(stem),
            (None, Some(source)) if definition.as_ref().is_none_or(|d| !d.aliases_complete) => {
                self.kept(source).map_or(Stem::None, Stem::Source)
            }
            _ => Stem::None,
        }
    }

    /// The place of a stem among the visitor's, of which there are few.
    fn known_stem(&mut self, stem: &Text) -> Stem {
        let found = self.stems.iter().position(|s| s == stem);
        let index = found.unwrap_or_else(|| {
            self.stems.push(stem.clone());
            self.stems.len().saturating_sub(1)
        });
        Stem::Known(index as u32)
    }

    /// A stem of the source, if it can be that of an alias: what a module remembers need not be of a text.
    fn kept(&self, stem: Identifier) -> Option<Identifier> {
        let bytes = self.context.bytes(stem);
        let starts = bytes.first().is_some_and(|&b| is_bare_start(b));
        (starts && bytes.iter().all(|&b| is_suffix(b) && b != b'.')).then_some(stem)
    }

    /// Takes note of what looks like an alias in a body's text and is none: no alias may get its name.
    fn reserve(&mut self, body: &'c DialectBody) {
        let mut rest = body.text();
        while let Some(at) = memchr::memchr2(b'#', b'!', rest) {
            rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
            let len = rest.iter().position(|&b| !is_suffix(b));
            let (name, behind) = rest
                .split_at_checked(len.unwrap_or(rest.len()))
                .unwrap_or((rest, &[]));
            if !name.is_empty() {
                self.reserved.insert(name);
            }
            rest = behind;
        }
    }

    /// Visits the parts of a new entry, with a stack, and finds out its depth.
    fn visit_parts(&mut self, info: u32, deferrable: bool) {
        let Some(entity) = self.infos.get(info as usize).map(|i| i.entity) else {
            return;
        };
        if is_leaf(self.context, entity) {
            return;
        }
        self.stack.push(Frame {
            info,
            entity,
            part: 0,
            depth: 0,
            children: Vec::new(),
        });
        while let Some(frame) = self.stack.last_mut() {
            let part = frame.part;
            frame.part = part.saturating_add(1);
            let child = match child(self.context, frame.entity, part) {
                Child::Entity(child) => child,
                Child::Nothing => continue,
                Child::End => {
                    self.leave();
                    continue;
                }
            };
            let (info, new) = self.slot(child, deferrable);
            let Some(entity) = self.infos.get(info as usize).map(|i| i.entity) else {
                continue;
            };
            if new && !is_leaf(self.context, entity) {
                self.stack.push(Frame {
                    info,
                    entity,
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

    /// The parts of the top entry are all visited.
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

    /// Tells the entry that is being visited of one of its parts.
    fn record(&mut self, part: u32) {
        let depth = self.infos.get(part as usize).map_or(0, |i| i.depth);
        if let Some(frame) = self.stack.last_mut() {
            frame.children.push(part);
            frame.depth = frame.depth.max(depth);
        }
    }

    /// The entry and what is in it must be defined before the module.
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

    /// Sorts the entries that have a stem and numbers them.
    fn finish(self) -> Aliases {
        let stem_of = |info: &Info| -> Option<&[u8]> {
            match info.stem {
                Stem::Source(stem) => Some(self.context.bytes(stem)),
                Stem::Known(index) => self.stems.get(index as usize).map(|s| s.as_bytes()),
                Stem::None => None,
            }
        };
        let mut order: Vec<(&Info, &[u8])> = self
            .infos
            .iter()
            .filter_map(|info| stem_of(info).map(|stem| (info, stem)))
            .collect();
        let is_attribute = |info: &Info| !matches!(info.entity, Entity::Type(_));
        order.sort_by(|(a, s), (b, t)| {
            (a.depth, is_attribute(a), s).cmp(&(b.depth, is_attribute(b), t))
        });
        let mut aliases = Aliases {
            attributes: vec![0; self.context.attribute_count()],
            types: vec![0; self.context.type_count()],
            locations: vec![0; self.locations.len()],
            ..Aliases::default()
        };
        let mut stems: HashMap<&[u8], (u32, u32)> = HashMap::new();
        let mut used = UsedNames::new(order.iter().map(|&(_, stem)| stem), &self.reserved);
        for (info, text) in order {
            let next = stems.len() as u32;
            let (stem, count) = stems.entry(text).or_insert_with(|| {
                aliases.stems.push(text.into());
                (next, 0)
            });
            while !used.take(AliasName {
                stem: text,
                suffix: *count,
            }) {
                *count = count.saturating_add(1);
            }
            let (stem, suffix) = (*stem, *count);
            *count = suffix.saturating_add(1);
            aliases.list.push(Alias {
                entity: info.entity,
                stem,
                suffix,
                deferred: info.deferrable,
            });
            let position = aliases.list.len() as u32;
            let slot = match info.entity {
                Entity::Attribute(attribute) => aliases.attributes.get_mut(attribute.index()),
                Entity::Type(ty) => aliases.types.get_mut(ty.index()),
                Entity::Location(location) => {
                    let class = self.classes.known(location).unwrap_or(u32::MAX);
                    aliases.locations.get_mut(class as usize)
                }
            };
            if let Some(slot) = slot {
                *slot = position;
            }
        }
        aliases.classes = self.classes;
        aliases.syntaxes = self.syntaxes;
        aliases
    }
}

/// The names that are given out, so that `a` and its suffix 1 do not meet `a1`.
struct UsedNames {
    /// None if no stem starts with another, so that no two names can meet.
    names: Option<HashSet<Vec<u8>>>,
}

impl UsedNames {
    fn new<'a>(stems: impl Iterator<Item = &'a [u8]>, reserved: &HashSet<&[u8]>) -> Self {
        let mut stems: Vec<&[u8]> = stems.collect();
        stems.sort_unstable();
        stems.dedup();
        let meet = stems
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if b.starts_with(a)));
        let reserved: HashSet<Vec<u8>> = reserved.iter().map(|name| name.to_vec()).collect();
        UsedNames {
            names: (meet || !reserved.is_empty()).then_some(reserved),
        }
    }

    /// Takes a name if it is free.
    fn take(&mut self, name: AliasName<'_>) -> bool {
        self.names.as_mut().is_none_or(|names| {
            let mut text = Vec::new();
            name.write(&mut text);
            names.insert(text)
        })
    }
}

impl AliasName<'_> {
    /// Appends the name, without `#` or `!`.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.stem);
        if self.suffix > 0 {
            if self.stem.last().is_some_and(u8::is_ascii_digit) {
                out.push(b'_');
            }
            write_number(u64::from(self.suffix), out);
        }
    }
}

/// What is left to visit, the next on top of the stack.
enum Step {
    Enter(Operation),
    /// What an operation in generic form prints behind its regions.
    Leave(Operation),
    /// An operation in custom form, after so many regions.
    Custom(Operation, Syntax, usize),
    /// A block, with its arguments or without, with its last operation or without, and those behind it.
    Block(Block, bool, bool),
    /// An operation, and those behind it, with the last or without.
    Next(Operation, bool),
}

/// The visitor as a hook sees it: a printer that prints nothing.
struct HookVisitor<'v, 'c> {
    visitor: &'v mut Visitor<'c>,
}

impl AsmPrinter for HookVisitor<'_, '_> {
    fn context(&self) -> &Context {
        self.visitor.context
    }

    fn module(&self) -> &Module {
        self.visitor.module
    }

    fn text(&mut self, _text: &str) {}

    fn symbol_name(&mut self, _name: &[u8]) {}

    fn ty(&mut self, ty: Type) {
        self.visitor.visit(Entity::Type(ty), false);
    }

    fn attribute(&mut self, attribute: Attribute) {
        self.visitor.visit(Entity::Attribute(attribute), false);
    }

    fn operand(&mut self, _value: Value) {}

    fn successor(&mut self, _block: Block) {}

    fn attribute_without_type(&mut self, attribute: Attribute) {
        self.attribute(attribute);
    }

    fn stripped_attribute(&mut self, attribute: Attribute, _mnemonic: &str) {
        self.attribute(attribute);
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

    fn region_argument_name(&mut self, argument: Value, location: Location) {
        self.visitor.argument(argument, location);
    }

    /// As upstream does, this passes over the attributes.
    fn region_argument(
        &mut self,
        argument: Value,
        location: Location,
        _attributes: &[NamedAttribute],
    ) {
        self.visitor.argument(argument, location);
    }
}

/// A location as an attribute is that location, and a dialect's location is that attribute.
fn same_entity(context: &Context, entity: Entity) -> Entity {
    match entity {
        Entity::Attribute(attribute) => match *context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Entity::Location(location),
            _ => entity,
        },
        Entity::Location(location) => match *context.location_kind(location) {
            LocationKind::Dialect(attribute) => Entity::Attribute(attribute),
            _ => entity,
        },
        Entity::Type(_) => entity,
    }
}

/// The word that a dialect's body starts with.
fn mnemonic(body: &DialectBody) -> &[u8] {
    let text = body.text();
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_')));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

enum Child {
    Entity(Entity),
    /// This part is no entity.
    Nothing,
    End,
}

impl From<Option<Entity>> for Child {
    fn from(entity: Option<Entity>) -> Self {
        entity.map_or(Child::End, Child::Entity)
    }
}

/// Whether an entry has no parts that could have aliases.
#[inline]
fn is_leaf(context: &Context, entity: Entity) -> bool {
    match entity {
        Entity::Type(ty) => matches!(
            context.type_kind(ty),
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None
        ),
        Entity::Attribute(attribute) => matches!(
            context.attribute_kind(attribute),
            AttributeKind::Unit
                | AttributeKind::Integer { .. }
                | AttributeKind::Float { .. }
                | AttributeKind::String { ty: None, .. }
                | AttributeKind::SymbolRef { .. }
                | AttributeKind::DenseArray { .. }
                | AttributeKind::AffineMap(_)
                | AttributeKind::IntegerSet(_)
                | AttributeKind::StridedLayout { .. }
        ),
        Entity::Location(location) => {
            matches!(
                context.location_kind(location),
                LocationKind::Unknown | LocationKind::FileLineColRange { .. }
            )
        }
    }
}

/// Part number `part` of an entry, in the order in which upstream visits them.
fn child(context: &Context, entity: Entity, part: usize) -> Child {
    let attribute = |a: Option<Attribute>| a.map(Entity::Attribute);
    let ty = |t: Option<Type>| t.map(Entity::Type);
    let only = |e: Option<Entity>| {
        if part == 0 {
            Child::from(e)
        } else {
            Child::End
        }
    };
    match entity {
        Entity::Attribute(a) => match context.attribute_kind(a) {
            AttributeKind::String { ty: t, .. } => only(ty(*t)),
            AttributeKind::Type(t) => only(ty(Some(*t))),
            AttributeKind::Array(items) => attribute(items.get(part).copied()).into(),
            AttributeKind::Dictionary(entries) => attribute(entries.get(part).map(|e| e.1)).into(),
            AttributeKind::DenseElements { ty: t, .. }
            | AttributeKind::DenseStrings { ty: t, .. }
            | AttributeKind::DenseText { ty: t, .. }
            | AttributeKind::DenseResource { ty: t, .. }
            | AttributeKind::Sparse { ty: t, .. } => only(ty(Some(*t))),
            AttributeKind::Distinct { referenced, .. } => only(attribute(Some(*referenced))),
            AttributeKind::Dialect { body, ty: t, .. } => match body.references().get(part) {
                Some(&(_, reference)) => Child::Entity(referenced(reference)),
                None if part == body.references().len() => ty(*t).into(),
                None => Child::End,
            },
            _ => Child::End,
        },
        Entity::Type(t) => match context.type_kind(t) {
            TypeKind::Complex(element)
            | TypeKind::UnrankedTensor(element)
            | TypeKind::Vector { element, .. } => only(ty(Some(*element))),
            TypeKind::Tuple(types) => ty(types.get(part).copied()).into(),
            TypeKind::Function { inputs, results } => {
                ty(inputs.iter().chain(results).nth(part).copied()).into()
            }
            TypeKind::RankedTensor {
                element, encoding, ..
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*encoding).into(),
                _ => Child::End,
            },
            TypeKind::MemRef {
                element,
                layout,
                memory_space,
                ..
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*layout).map_or(Child::Nothing, Child::Entity),
                2 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::Dialect { body, .. } => match body.references().get(part) {
                Some(&(_, reference)) => Child::Entity(referenced(reference)),
                None => Child::End,
            },
            _ => Child::End,
        },
        Entity::Location(l) => match context.location_kind(l) {
            LocationKind::Name { child, .. } => match context.location_kind(*child) {
                LocationKind::Unknown => Child::End,
                _ => only(Some(Entity::Location(*child))),
            },
            LocationKind::CallSite { callee, caller } => match part {
                0 => Child::Entity(Entity::Location(*callee)),
                1 => Child::Entity(Entity::Location(*caller)),
                _ => Child::End,
            },
            LocationKind::Dialect(location) => only(attribute(Some(*location))),
            LocationKind::Fused {
                locations,
                metadata,
            } => match part.checked_sub(1) {
                None => attribute(*metadata).map_or(Child::Nothing, Child::Entity),
                Some(part) => locations.get(part).copied().map(Entity::Location).into(),
            },
            _ => Child::End,
        },
    }
}

fn referenced(reference: BodyReference) -> Entity {
    match reference {
        BodyReference::Attribute(attribute) => Entity::Attribute(attribute),
        BodyReference::Type(ty) => Entity::Type(ty),
    }
}
