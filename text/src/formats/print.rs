//! Operations to text by their formats.

use super::forms::{FixedType, Form};
use super::plan::{
    Anchor, ArgumentKind, Branch, Groups, Plan, PlannedDirective, Rule, Sizes, Step, TypesIn,
};
use super::{Syntax, plan::PlannedAttribute};
use crate::entries::{attribute_parameters, spell};
use crate::parser::parse_attribute;
use crate::printer::attribute_to_string;
use rmlir_ir::asm::{AsmPrinter, PrintStep, PrintedArgument};
use rmlir_ir::definition::{DialectDefinition, EnumDefinition, GroupKind, TypeFunction};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind, Value,
};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

impl Syntax {
    /// Prints what follows the operation's name, or what follows region number `regions - 1`.
    pub(crate) fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        match self {
            Syntax::Hook(hook) => hook.print(printer, operation, regions),
            Syntax::Format(plan) => plan.print(printer, operation, regions),
        }
    }

    /// Whether the text would say all that the operation holds.
    pub(crate) fn can_print(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> bool {
        match self {
            Syntax::Hook(hook) => hook.can_print(context, module, operation),
            Syntax::Format(plan) => View {
                plan,
                context,
                module,
                operation,
            }
            .can_print(),
        }
    }
}

/// The sizes of groups that an attribute of an operation says, if it is one of sizes; none among them for one that is
/// negative.
pub(crate) fn segment_sizes<'a>(
    context: &'a Context,
    module: &'a Module,
    operation: Operation,
    name: &str,
) -> Option<impl Iterator<Item = Option<usize>> + use<'a>> {
    sizes_of(context, module.attribute(context, operation, name)?)
}

/// The sizes that an attribute says, if it is one of sizes.
fn sizes_of(
    context: &Context,
    sizes: Attribute,
) -> Option<impl Iterator<Item = Option<usize>> + use<'_>> {
    let AttributeKind::DenseArray { element, data, .. } = context.attribute_kind(sizes) else {
        return None;
    };
    let size = |bytes: &[u8]| {
        let bits = bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        usize::try_from(bits.cast_signed()).ok()
    };
    (*element == context.i32_type()).then(|| data.chunks_exact(4).map(size))
}

/// An operation seen by its plan.
#[derive(Clone, Copy)]
struct View<'a> {
    plan: &'a Plan,
    context: &'a Context,
    module: &'a Module,
    operation: Operation,
}

impl<'a> View<'a> {
    fn planned(&self, attribute: usize) -> Option<&'a PlannedAttribute> {
        self.plan.attributes.get(attribute)
    }

    fn attribute(&self, attribute: usize) -> Option<Attribute> {
        let name = self.planned(attribute)?.identifier?;
        let entries = self
            .module
            .inherent_attributes(self.context, self.operation);
        entries.iter().find(|entry| entry.0 == name).map(|e| e.1)
    }

    /// Whether an attribute is there and not its default.
    fn is_said(&self, attribute: usize) -> bool {
        let Some((value, planned)) = self.attribute(attribute).zip(self.planned(attribute)) else {
            return false;
        };
        !self.is_default(planned, value)
    }

    fn is_default(&self, planned: &PlannedAttribute, value: Attribute) -> bool {
        let Some(default) = &planned.default else {
            return false;
        };
        if let Some((before, same)) = planned.compared.get()
            && before == value
        {
            return same;
        }
        let text = crate::printer::attribute_to_string(self.context, value);
        let same = text == **default;
        planned.compared.set(Some((value, same)));
        same
    }

    /// The members of a group; none if the operation does not have the group so.
    fn range(&self, groups: &Groups, count: usize, group: usize) -> Option<Range<usize>> {
        let singles = groups.len().saturating_sub(groups.variadic);
        let left = count.checked_sub(singles);
        let len = |group: usize| -> Option<usize> {
            if groups.kind(group) == GroupKind::Single {
                return Some(1);
            }
            match groups.sizes {
                Sizes::Rest if groups.variadic <= 1 => left,
                Sizes::Same => left?.checked_div(groups.variadic),
                _ => None,
            }
        };
        if groups.sizes == Sizes::Segments {
            let sizes = self.segments(groups)?;
            let mut start = 0usize;
            for (number, size) in sizes.enumerate() {
                let end = start.checked_add(size?)?;
                if number == group {
                    return Some(start..end);
                }
                start = end;
            }
            return None;
        }
        let mut start = 0usize;
        for before in 0..group {
            start = start.checked_add(len(before)?)?;
        }
        let end = start.checked_add(len(group)?)?;
        (end <= count).then_some(start..end)
    }

    /// The sizes that an attribute says, if it is one of sizes; none among them for one that is negative.
    fn segments(&self, groups: &Groups) -> Option<impl Iterator<Item = Option<usize>> + use<'a>> {
        let name = groups.identifier?;
        let (context, module) = (self.context, self.module);
        let dictionaries = [
            module.inherent_attributes(context, self.operation),
            module.discardable_attributes(context, self.operation),
        ];
        let mut entries = dictionaries.into_iter().flatten();
        let sizes = entries.find(|entry| entry.0 == name)?.1;
        sizes_of(context, sizes)
    }

    fn operands(&self, group: usize) -> Range<usize> {
        let count = self.module.operand_count(self.operation);
        self.range(&self.plan.operands, count, group)
            .unwrap_or_default()
    }

    fn results(&self, group: usize) -> Range<usize> {
        let count = self.module.result_count(self.operation);
        self.range(&self.plan.results, count, group)
            .unwrap_or_default()
    }

    fn operand_values(&self, range: Range<usize>) -> impl Iterator<Item = Value> + use<'a> {
        let (module, operation) = (self.module, self.operation);
        range.filter_map(move |number| module.operand(operation, number))
    }

    fn types(&self, of: TypesIn) -> impl Iterator<Item = Type> + use<'a> {
        let (module, operation) = (self.module, self.operation);
        let (range, results) = match of {
            TypesIn::Operands(group) => (self.operands(group), false),
            TypesIn::Results(group) => (self.results(group), true),
            TypesIn::AllOperands => (0..module.operand_count(operation), false),
            TypesIn::AllResults => (0..module.result_count(operation), true),
        };
        range.filter_map(move |number| {
            let value = match results {
                true => module.result(operation, number),
                false => module.operand(operation, number),
            };
            value.map(|value| module.value_type(value))
        })
    }

    /// The regions, or successors, of a group, of which the last can be several.
    fn members(kinds: &[GroupKind], count: usize, group: usize) -> Range<usize> {
        match kinds.get(group) {
            Some(GroupKind::Single) => group..group.saturating_add(1).min(count),
            Some(_) => {
                let behind = kinds.len().saturating_sub(group).saturating_sub(1);
                group..count.saturating_sub(behind).max(group)
            }
            None => 0..0,
        }
    }

    fn is_present(&self, anchor: Anchor) -> bool {
        match anchor {
            Anchor::Operands(group) => !self.operands(group).is_empty(),
            Anchor::Results(group) => !self.results(group).is_empty(),
            Anchor::Attribute(attribute) => self.is_said(attribute),
            Anchor::Region(group) => {
                let count = self.module.regions(self.operation).len();
                let mut members = Self::members(&self.plan.regions, count, group);
                members.any(|number| {
                    let region = self.module.region(self.operation, number);
                    region.is_some_and(|region| self.module.first_block(region).is_some())
                })
            }
            Anchor::Successors(group) => {
                let count = self.module.successors(self.operation).len();
                !Self::members(&self.plan.successors, count, group).is_empty()
            }
        }
    }

    // Whether the text says everything.

    fn can_print(&self) -> bool {
        let (module, operation) = (self.module, self.operation);
        let fits = |kinds: &[GroupKind], count: usize| {
            let singles = kinds.iter().filter(|k| **k == GroupKind::Single).count();
            match singles == kinds.len() {
                true => count == singles,
                // Several variadic groups of these cannot be told apart.
                false => count >= singles && singles.saturating_add(1) == kinds.len(),
            }
        };
        self.counts_fit(&self.plan.operands, module.operand_count(operation))
            && self.counts_fit(&self.plan.results, module.result_count(operation))
            && fits(&self.plan.regions, module.regions(operation).len())
            && fits(&self.plan.successors, module.successors(operation).len())
            && self.attributes_fit()
            && self.types_fit()
            && self.regions_fit()
            && self.says_all()
    }

    fn counts_fit(&self, groups: &Groups, count: usize) -> bool {
        if groups.variadic == 0 {
            return count == groups.len();
        }
        if self.plan.all_operands && groups.sizes == Sizes::Rest {
            return true;
        }
        let mut total = 0usize;
        if groups.sizes == Sizes::Segments {
            let known = self.segments(groups).map(|sizes| sizes.count());
            if known != Some(groups.len()) {
                return false;
            }
        }
        for group in 0..groups.len() {
            let Some(range) = self.range(groups, count, group) else {
                return false;
            };
            let fits = match groups.kind(group) {
                GroupKind::Single => range.len() == 1,
                GroupKind::Optional => range.len() <= 1,
                _ => true,
            };
            if !fits {
                return false;
            }
            total = total.saturating_add(range.len());
        }
        total == count
    }

    fn attributes_fit(&self) -> bool {
        let planned = self.plan.attributes.iter().enumerate();
        let mut said = planned.filter(|(_, planned)| planned.said || planned.required);
        said.all(|(number, planned)| match self.attribute(number) {
            Some(value) => {
                !planned.said
                    || is_of(self.context, planned, value)
                    // A property that is not set.
                    || matches!(planned.form, Form::Unit) && !self.is_said(number)
            }
            None => !planned.required,
        })
    }

    fn types_fit(&self) -> bool {
        self.plan.rules.iter().all(|&(target, rule)| {
            let mut types = self.types(target);
            match rule {
                Rule::Fixed(fixed) => {
                    types.all(|ty| fixed.is(self.context, &self.plan.own_types, ty))
                }
                Rule::Of(TypeFunction::Each, source) => types.eq(self.types(source)),
                Rule::Of(TypeFunction::I1Each, source) => {
                    let i1 = self.context.i1_type();
                    types.eq(self.types(source).map(|_| i1))
                }
                Rule::Of(function, source) => {
                    let Some(source) = self.types(source).next() else {
                        return types.next().is_none();
                    };
                    follows(self.context, function, source, types)
                }
                Rule::OfAttribute(TypeFunction::Value, number) => {
                    let value = self.attribute(number);
                    let value = value.map(|value| self.context.attribute_kind(value));
                    let ty = match value {
                        Some(AttributeKind::Type(ty)) => *ty,
                        _ => return false,
                    };
                    types.all(|found| found == ty)
                }
                Rule::OfAttribute(function, number) => {
                    let value = self.attribute(number);
                    value.is_some_and(|value| {
                        let ty = self.context.attribute_type(value);
                        follows(self.context, function, ty, types)
                    })
                }
            }
        })
    }

    /// Whether the text of regions reads back as they are.
    fn regions_fit(&self) -> bool {
        let module = self.module;
        // What is read if its optional group is there can be empty.
        let is_optional = |number: usize| {
            let mut steps = self.plan.steps.iter();
            steps.any(|step| match step {
                Step::Branch(branch) => branch.anchor.contains(&Anchor::Region(number)),
                _ => false,
            })
        };
        let mut regions = module.regions(self.operation).enumerate();
        regions.all(|(number, region)| match module.first_block(region) {
            None => !self.plan.single_block || is_optional(number),
            Some(block) => {
                self.plan.single_block
                    || module.first_operation(block).is_some()
                    || module.next_block(block).is_some()
                    || module.argument_count(block) > 0
            }
        })
    }

    /// Whether what is there and has a place in the format is printed: that of an optional group that is not
    /// there is not.
    fn says_all(&self) -> bool {
        if !self
            .plan
            .steps
            .iter()
            .any(|step| matches!(step, Step::Branch(_)))
        {
            return true;
        }
        let (mut operands, mut attributes) = (0u64, 0u64);
        let bit = |number: usize| {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            1u64.checked_shl(number).unwrap_or(0)
        };
        let mut at = 0usize;
        while let Some(step) = self.plan.steps.get(at) {
            at = at.saturating_add(1);
            match step {
                Step::Branch(branch) => match self.takes(branch) {
                    true => attributes |= branch.unit.map_or(0, bit),
                    false => at = branch.otherwise,
                },
                Step::Jump(to) => at = *to,
                Step::EndClause(end) => at = end.next,
                Step::Operand(group) => operands |= bit(*group),
                Step::Operands => operands = u64::MAX,
                Step::Attribute(number) => attributes |= bit(*number),
                Step::Custom(custom) => {
                    for argument in &custom.arguments {
                        match argument.what {
                            ArgumentKind::Operands(group) => operands |= bit(group),
                            ArgumentKind::Attribute(number) => attributes |= bit(number),
                            _ => {}
                        }
                    }
                    let arguments = self.arguments(custom);
                    let fits = custom.directive.hook.is_some_and(|hook| {
                        hook.can_print(self.context, (self.module, self.operation), &arguments)
                    });
                    if !fits {
                        return false;
                    }
                }
                _ => {}
            }
        }
        let mut groups = 0..self.plan.operands.len();
        let mut planned = self.plan.attributes.iter().enumerate();
        groups.all(|group| operands & bit(group) != 0 || self.operands(group).is_empty())
            && planned.all(|(number, planned)| {
                !planned.said || attributes & bit(number) != 0 || !self.is_said(number)
            })
    }

    /// Whether the first branch of a group is printed.
    fn takes(&self, branch: &Branch) -> bool {
        let mut anchor = branch.anchor.iter();
        anchor.any(|&anchor| self.is_present(anchor)) != branch.inverted
    }

    fn arguments(&self, custom: &PlannedDirective) -> Vec<PrintedArgument> {
        let arguments = custom.arguments.iter();
        let value = |what: &ArgumentKind| match what {
            ArgumentKind::Operands(group) => {
                PrintedArgument::Operands(self.operand_values(self.operands(*group)).collect())
            }
            ArgumentKind::Types(types) => PrintedArgument::Types(self.types(*types).collect()),
            ArgumentKind::Attribute(number) => PrintedArgument::Attribute(self.attribute(*number)),
            ArgumentKind::Successors(group) => {
                let successors = self.module.successors(self.operation);
                let range = Self::members(&self.plan.successors, successors.len(), *group);
                let blocks = successors.skip(range.start).take(range.len());
                PrintedArgument::Successors(blocks.collect())
            }
            ArgumentKind::Dictionary => PrintedArgument::Dictionary(self.dictionary().into_owned()),
            ArgumentKind::Text(text) => PrintedArgument::Text(text.to_string()),
        };
        arguments.map(|argument| value(&argument.what)).collect()
    }

    /// The properties that the format does not say.
    fn properties(&self) -> Vec<NamedAttribute> {
        let (context, module) = (self.context, self.module);
        let inherent = module.inherent_attributes(context, self.operation);
        let is_left = |entry: &&NamedAttribute| {
            let name = entry.0;
            let mut planned = self.plan.attributes.iter();
            match planned.find(|planned| planned.identifier == Some(name)) {
                Some(planned) => !planned.said && !self.is_default(planned, entry.1),
                None => {
                    let groups = [&self.plan.operands, &self.plan.results];
                    let are_sizes = |groups: &&Groups| {
                        groups.sizes == Sizes::Segments && groups.identifier == Some(name)
                    };
                    !groups.iter().any(are_sizes) || self.plan.all_operands
                }
            }
        };
        inherent.iter().filter(is_left).copied().collect()
    }

    /// The attributes that the format does not say.
    fn dictionary(&self) -> Cow<'a, [NamedAttribute]> {
        let (context, module) = (self.context, self.module);
        let discardable = module.discardable_attributes(context, self.operation);
        if self.plan.says_properties {
            return Cow::Borrowed(discardable);
        }
        let mut all = self.properties();
        if all.is_empty() {
            return Cow::Borrowed(discardable);
        }
        if !discardable.is_empty() {
            all.extend_from_slice(discardable);
            all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        }
        Cow::Owned(all)
    }
}

impl Plan {
    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let mut at = 0usize;
        let mut behind = None;
        if let Some(last) = regions.checked_sub(1) {
            let count = printer.module().regions(operation).len();
            let mut groups = 0..self.regions.len();
            let found = groups.find(|&g| View::members(&self.regions, count, g).contains(&last));
            let step = found.and_then(|group| self.region_steps.get(group));
            at = step.copied().unwrap_or(usize::MAX);
            behind = Some(last);
        }
        let view = View {
            plan: self,
            context: printer.context(),
            module: printer.module(),
            operation,
        };
        while let Some(step) = self.steps.get(at) {
            at = at.saturating_add(1);
            match step {
                Step::Space => printer.text(" "),
                Step::Newline => printer.newline(),
                Step::Literal { token, space, .. } => {
                    if *space {
                        printer.text(" ");
                    }
                    printer.text(self.literal(*token));
                }
                Step::Operand(group) => {
                    printer.operands(view.operand_values(view.operands(*group)));
                }
                Step::Operands => {
                    printer.operands(view.module.operands(operation));
                }
                Step::Attribute(number) => {
                    let value = view.attribute(*number);
                    if let Some((planned, value)) = self.attributes.get(*number).zip(value) {
                        print_attribute(printer, &planned.form, value);
                    }
                }
                Step::Successor(group) => {
                    let successors = view.module.successors(operation);
                    let range = View::members(&self.successors, successors.len(), *group);
                    let blocks = successors.skip(range.start).take(range.len());
                    for (number, block) in blocks.enumerate() {
                        if number > 0 {
                            printer.text(", ");
                        }
                        printer.successor(block);
                    }
                }
                Step::Types(types) => printer.types(view.types(*types)),
                Step::StrippedType(stripped) => {
                    let (types, number) = &**stripped;
                    let mnemonic = self.stripped.get(*number).map_or("", |found| &*found.1);
                    for ty in view.types(*types) {
                        printer.stripped_type(ty, mnemonic);
                    }
                }
                Step::FunctionalType(types) => {
                    let (inputs, results) = &**types;
                    let mut outputs = view.types(*results);
                    let bare = match (outputs.next(), outputs.next()) {
                        (Some(one), None) => {
                            !matches!(view.context.type_kind(one), TypeKind::Function { .. })
                        }
                        _ => false,
                    };
                    printer.text("(");
                    printer.types(view.types(*inputs));
                    printer.text(if bare { ") -> " } else { ") -> (" });
                    printer.types(view.types(*results));
                    if !bare {
                        printer.text(")");
                    }
                }
                Step::Dictionary { keyword } => {
                    let attributes = view.dictionary();
                    if !attributes.is_empty() {
                        match keyword {
                            true => printer.attribute_dictionary_with_keyword(&attributes, &[]),
                            false => printer.attribute_dictionary(&attributes, &[]),
                        }
                    }
                }
                Step::Properties => {
                    let properties = view.properties();
                    // As upstream, the space is there even without properties.
                    printer.text(" ");
                    printer.property_dictionary(&properties);
                }
                Step::Custom(custom) => {
                    let arguments = view.arguments(custom);
                    if let Some(hook) = custom.directive.hook {
                        hook.print(printer, operation, &arguments);
                    }
                }
                Step::Branch(branch) => {
                    if !view.takes(branch) {
                        at = branch.otherwise;
                    }
                }
                Step::Jump(to) => at = *to,
                Step::Clauses(_) => {}
                Step::EndClause(end) => at = end.next,
                Step::Region(group) => {
                    let count = view.module.regions(operation).len();
                    let mut members = View::members(&self.regions, count, *group);
                    let is_later = behind.is_some();
                    let next = match behind.take() {
                        Some(last) => {
                            let next = last.saturating_add(1);
                            members.contains(&next).then_some(next)
                        }
                        None => members.next(),
                    };
                    let Some(number) = next else { continue };
                    let terminators = self.shows_terminator(&view, number);
                    if is_later {
                        printer.text(", ");
                    }
                    return PrintStep::Region {
                        number,
                        entry_arguments: true,
                        terminators,
                    };
                }
            }
        }
        PrintStep::Done
    }

    /// Whether the terminator of a region says more than that it is there.
    fn shows_terminator(&self, view: &View<'_>, number: usize) -> bool {
        if self.terminator.is_none() {
            return true;
        }
        let module = view.module;
        let region = module.region(view.operation, number);
        let block = region.and_then(|region| module.first_block(region));
        let last = block.and_then(|block| module.last_operation(block));
        last.is_none_or(|last| {
            let attributes = [
                module.inherent_attributes(view.context, last),
                module.discardable_attributes(view.context, last),
            ];
            module.operand_count(last) > 0
                || module.result_count(last) > 0
                || attributes.iter().any(|list| !list.is_empty())
        })
    }
}

fn print_attribute(printer: &mut dyn AsmPrinter, form: &Form, value: Attribute) {
    match form {
        Form::Any | Form::Token(_) => printer.attribute(value),
        Form::Typed(_) => printer.attribute_without_type(value),
        Form::Stripped(_, mnemonic) => printer.stripped_attribute(value, mnemonic),
        Form::Array(_) => printer.stripped_attribute(value, ""),
        Form::Members(enumeration) => {
            if let Some(text) = member(printer.context(), enumeration, value) {
                printer.text(&text);
            }
        }
        Form::Enumeration(enumeration) => {
            if let Some(text) = member(printer.context(), enumeration, value) {
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_$.".contains(&b);
                match text.bytes().all(is_word) {
                    true => printer.text(&text),
                    false => printer.text(&format!("\"{text}\"")),
                }
            }
        }
        Form::Symbol => {
            if let Some(name) = printer.context().string_value(value) {
                printer.symbol_name(name);
            }
        }
        Form::Unit => printer.text("unit"),
    }
}

/// The text of an enumeration's value.
fn member<'e>(
    context: &Context,
    enumeration: &'e EnumDefinition,
    value: Attribute,
) -> Option<Cow<'e, str>> {
    let AttributeKind::Integer { ty, value } = context.attribute_kind(value) else {
        return None;
    };
    if !FixedType::Integer(enumeration.width).is(context, &[], *ty) {
        return None;
    }
    let value = value.to_i64()?;
    // Bits beyond the width are none.
    let mask = u64::MAX
        .checked_shr(64u32.saturating_sub(enumeration.width))
        .unwrap_or(0);
    let alone = |case: &rmlir_ir::definition::EnumCase| {
        (case.value.cast_unsigned() ^ value.cast_unsigned()) & mask == 0 && !case.hidden
    };
    if let Some(case) = enumeration.cases.iter().find(|case| alone(case)) {
        return Some(Cow::Borrowed(&*case.keyword));
    }
    spell(enumeration, value.cast_unsigned() & mask).map(Cow::Owned)
}

/// Whether a dialect's attribute is as its definition says, and not just kept as it is written.
fn reads_back(context: &Context, home: &Arc<DialectDefinition>, value: Attribute) -> bool {
    let mut other = Context::new();
    other.set_release(context.release());
    if let Some(source) = context.dialect_source() {
        other.set_dialect_source(Arc::clone(source));
    }
    other.register_dialect(Arc::clone(home));
    let text = attribute_to_string(context, value);
    let read = parse_attribute(&mut other, text.as_bytes()).ok();
    read.is_some_and(|read| attribute_parameters(&mut other, read).is_ok())
}

/// Whether an attribute has a text in a form.
fn is_of(context: &Context, planned: &PlannedAttribute, value: Attribute) -> bool {
    match (&planned.form, context.attribute_kind(value)) {
        (Form::Any | Form::Token(_), _) | (Form::Unit, AttributeKind::Unit) => true,
        (
            Form::Typed(fixed),
            AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. },
        ) => fixed.is(context, &[], *ty),
        (
            Form::Stripped(home, mnemonic),
            AttributeKind::Dialect {
                dialect,
                body,
                ty: None,
            },
        ) => {
            context.bytes(*dialect) == home.name.as_bytes()
                && body.text().starts_with(mnemonic.as_bytes())
                && *planned
                    .reads_back
                    .borrow_mut()
                    .entry(value)
                    .or_insert_with(|| reads_back(context, home, value))
        }
        (Form::Array(fixed), AttributeKind::DenseArray { element, .. }) => {
            fixed.is(context, &[], *element)
        }
        (Form::Enumeration(enumeration) | Form::Members(enumeration), _) => {
            member(context, enumeration, value).is_some()
        }
        (Form::Symbol, AttributeKind::String { ty: None, .. }) => true,
        _ => false,
    }
}

/// Whether types are those that follow from another.
fn follows(
    context: &Context,
    function: TypeFunction,
    source: Type,
    mut types: impl Iterator<Item = Type>,
) -> bool {
    match function {
        TypeFunction::Parameter => types.all(|ty| super::parameter::is(context, source, ty)),
        _ => function.holds(context, source, types) == Some(true),
    }
}
