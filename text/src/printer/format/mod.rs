//! Prints operations by their formats.

mod view;

use crate::formats::Syntax;
use crate::formats::forms::Form;
use crate::formats::plan::{Plan, PlannedAttribute, Step};
use crate::formats::property_wrappers::print_wrapped;
use rmlir_ir::asm::{AsmPrinter, PrintStep};
use rmlir_ir::{Attribute, Context, Module, Operation};
use std::any::Any;
use view::{View, is_mixed, is_word, member};

impl Syntax {
    /// Prints what follows the operation's name, or what follows region number `regions - 1`.
    ///
    /// `prepared` is what [`prepare`](Self::prepare) returned, if the operation begins and that is
    /// still there.
    pub(crate) fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
        prepared: Option<Box<dyn Any>>,
    ) -> PrintStep {
        match (self, prepared) {
            (Syntax::Hook(hook), Some(prepared)) if regions == 0 => {
                hook.print_prepared(printer, operation, prepared)
            }
            (Syntax::Hook(hook), _) => hook.print(printer, operation, regions),
            (Syntax::Format(plan), _) => plan.print(printer, operation, regions),
        }
    }

    /// Returns what printing can use, if the text would preserve everything that the operation
    /// holds.
    pub(crate) fn prepare(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Box<dyn Any>> {
        match self {
            Syntax::Hook(hook) => hook.prepare(context, module, operation),
            Syntax::Format(plan) => {
                let view = View {
                    plan,
                    context,
                    module,
                    operation,
                };
                view.can_print().then(|| Box::new(()) as Box<dyn Any>)
            }
        }
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
            let count = printer.module().region_count(operation);
            // Only the last group can have another number of regions than one.
            let group = last.min(self.regions.len().saturating_sub(1));
            let found = Some(group)
                .filter(|&group| View::members(&self.regions, count, group).contains(&last));
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
                Step::OperandLists(lists) => {
                    for (number, range) in view.lists(lists).into_iter().flatten().enumerate() {
                        printer.text(if number > 0 { ", (" } else { "(" });
                        printer.operands(view.operand_values(range));
                        printer.text(")");
                    }
                }
                Step::TypeLists(lists) => {
                    let mut types = view.types(lists.of);
                    for (number, length) in view
                        .lengths(lists.lengths)
                        .into_iter()
                        .flatten()
                        .enumerate()
                    {
                        printer.text(if number > 0 { ", (" } else { "(" });
                        printer.types(types.by_ref().take(length));
                        printer.text(")");
                    }
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
                    let Some((dialect, mnemonic)) = self.stripped.get(*number) else {
                        continue;
                    };
                    for ty in view.types(*types) {
                        match mnemonic.is_empty() {
                            true => printer.bare_type(ty, &dialect.name),
                            false => printer.stripped_type(ty, mnemonic),
                        }
                    }
                }
                Step::FunctionalType(types) => {
                    let (inputs, results) = &**types;
                    let mut outputs = view.types(*results);
                    let bare = match (outputs.next(), outputs.next()) {
                        (Some(one), None) => view.context.type_kind(one).signature().is_none(),
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
                Step::Properties { bare: true } => self.print_properties(printer, &view),
                Step::Properties { bare: false } => {
                    let properties = view.properties();
                    // As upstream, the space is printed even if there are no properties.
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
                    let count = view.module.region_count(operation);
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
                    let of_directive = self.regions_of_directives.get(*group) == Some(&true);
                    let is_omitted = self.omitted_regions.get(*group) == Some(&true);
                    if is_omitted && is_empty_region(&view, number) {
                        continue;
                    }
                    let terminators = self.shown_terminators.get(*group) == Some(&true)
                        || self.shows_terminator(&view, number);
                    if is_later {
                        printer.text(", ");
                    }
                    return PrintStep::Region {
                        number,
                        entry_arguments: !of_directive,
                        terminators,
                    };
                }
            }
        }
        PrintStep::Done
    }

    /// Prints ` <name = value>` in order of their declaration; nothing if there are none.
    fn print_properties(&self, printer: &mut dyn AsmPrinter, view: &View<'_>) {
        let properties = view.properties();
        let name = view.module.name(view.operation);
        let definition = view.context.operation_definition(name);
        let position = |planned: &&PlannedAttribute| {
            let declared = definition.and_then(|definition| {
                let mut attributes = definition.attributes_in(view.context.release());
                attributes.find(|attribute| attribute.name == planned.name)
            });
            declared.map_or(u32::MAX, |attribute| attribute.position)
        };
        let mut attributes: Vec<&PlannedAttribute> = self.attributes.iter().collect();
        attributes.sort_by_key(position);
        let mut opened = false;
        for planned in attributes {
            let found = properties
                .iter()
                .find(|entry| Some(entry.0) == planned.identifier);
            let Some(&(_, value)) = found else { continue };
            printer.text(if opened { ", " } else { " <" });
            opened = true;
            printer.text(&planned.name);
            if !matches!(planned.form, Form::Unit) {
                printer.text(" = ");
                print_attribute(printer, &planned.form, value);
            }
        }
        if opened {
            printer.text(">");
        }
    }

    /// Returns whether the terminator of a region has content, so that it must be printed.
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

/// Returns whether a region has no blocks.
fn is_empty_region(view: &View<'_>, number: usize) -> bool {
    let region = view.module.region(view.operation, number);
    region.is_none_or(|region| view.module.first_block(region).is_none())
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
                match is_word(&text) && !is_mixed(printer.context(), enumeration, value) {
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
        Form::Wrapped(kind) => print_wrapped(printer, &kind.wrappers, kind.base, value),
    }
}
