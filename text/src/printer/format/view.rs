//! Views an operation by its format, and determines whether the format can print all of it.

use crate::formats::forms::{FixedType, Form};
use crate::formats::grammar::{Scope, Token};
use crate::formats::items::keywords;
use crate::formats::parameter::{Inside, body_of, inside};
use crate::formats::plan::{
    Anchor, ArgumentKind, Branch, Clauses, First, Fit, Groups, Lists, Plan, PlannedAttribute,
    PlannedDirective, Rule, Sizes, Step, TypesIn,
};
use crate::formats::property_wrappers::is_wrapped;
use crate::formats::segments::sizes_of;
use crate::lexer::TokenKind;
use crate::printer::{attribute_to_string, type_to_string};
use rmlir_ir::asm::PrintedArgument;
use rmlir_ir::definition::{
    DialectDefinition, EnumDefinition, GroupKind, TypeFunction, type_parameters,
};
use rmlir_ir::{
    Attribute, AttributeKind, BodyPiece, BodyReference, Context, DialectBody, Identifier, Module,
    NamedAttribute, Operation, Type, TypeKind, Value,
};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Returns the value of an entry of a dictionary.
fn find(context: &Context, entries: &[NamedAttribute], name: Identifier) -> Option<Attribute> {
    const FEW: usize = 16;
    let found = match entries.len() {
        0..=FEW => entries.iter().find(|entry| entry.0 == name),
        // Sorted by name.
        _ => {
            let bytes = context.bytes(name);
            let at = entries.binary_search_by(|entry| context.bytes(entry.0).cmp(bytes));
            at.ok().and_then(|at| entries.get(at))
        }
    };
    found.map(|entry| entry.1)
}

/// Returns the values with these numbers.
fn members<I: Iterator<Item = Value>>(
    values: I,
    range: Range<usize>,
) -> impl Iterator<Item = Value> + use<I> {
    values.skip(range.start).take(range.len())
}

/// An operation viewed by its plan.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) plan: &'a Plan,
    pub(super) context: &'a Context,
    pub(super) module: &'a Module,
    pub(super) operation: Operation,
}

impl<'a> View<'a> {
    fn planned(&self, attribute: usize) -> Option<&'a PlannedAttribute> {
        self.plan.attributes.get(attribute)
    }

    pub(super) fn attribute(&self, attribute: usize) -> Option<Attribute> {
        let name = self.planned(attribute)?.identifier?;
        let entries = self
            .module
            .inherent_attributes(self.context, self.operation);
        find(self.context, entries, name)
    }

    /// Returns whether an attribute is present and differs from its default.
    fn is_said(&self, attribute: usize) -> bool {
        let Some((value, planned)) = self.attribute(attribute).zip(self.planned(attribute)) else {
            return false;
        };
        !self.is_default(planned, value)
    }

    /// Returns whether a type is the one with this number among those that the definition spells.
    fn is_own_type(&self, number: usize, ty: Type) -> bool {
        let Some(own) = self.plan.own_types.get(number) else {
            return false;
        };
        if let Some(found) = own.found.get() {
            return found == ty;
        }
        let same = type_to_string(self.context, ty) == *own.text;
        if same {
            own.found.set(Some(ty));
        }
        same
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
        let text = attribute_to_string(self.context, value);
        let same = text == **default;
        planned.compared.set(Some((value, same)));
        same
    }

    /// Returns the members of a group; `None` if the operation does not have the group in this way.
    fn range(&self, groups: &Groups, count: usize, group: usize) -> Option<Range<usize>> {
        if groups.sizes == Sizes::Segments {
            let sizes = self.segments(groups)?;
            return groups.segment(self.context, sizes, group);
        }
        if groups.variadic == 0 {
            return (group < count).then(|| group..group.saturating_add(1));
        }
        let singles = groups.len().saturating_sub(groups.variadic);
        let left = count.checked_sub(singles);
        let len_of_variadic = || match groups.sizes {
            Sizes::Rest if groups.variadic <= 1 => left,
            Sizes::Same => left?.checked_div(groups.variadic),
            _ => None,
        };
        let variadic = groups.variadic_before(group);
        let singles = group.saturating_sub(variadic);
        let start = match variadic {
            0 => singles,
            variadic => len_of_variadic()?
                .checked_mul(variadic)?
                .checked_add(singles)?,
        };
        let len = match groups.kind(group) {
            GroupKind::Single => 1,
            _ => len_of_variadic()?,
        };
        let end = start.checked_add(len)?;
        (end <= count).then_some(start..end)
    }

    /// Returns the attribute that encodes the sizes of groups.
    fn segments(&self, groups: &Groups) -> Option<Attribute> {
        let name = groups.identifier?;
        let (context, module) = (self.context, self.module);
        let inherent = module.inherent_attributes(context, self.operation);
        let discardable = || module.discardable_attributes(context, self.operation);
        find(context, inherent, name).or_else(|| find(context, discardable(), name))
    }

    pub(super) fn operands(&self, group: usize) -> Range<usize> {
        let count = self.module.operand_count(self.operation);
        self.range(&self.plan.operands, count, group)
            .unwrap_or_default()
    }

    /// Returns the lengths of lists that an attribute encodes.
    pub(super) fn lengths(&self, attribute: usize) -> Option<Vec<usize>> {
        sizes_of(self.context, self.attribute(attribute)?)?.collect()
    }

    /// Returns the operands of each list of a group; `None` if they are not all operands of the
    /// group.
    pub(super) fn lists(&self, lists: &Lists<usize>) -> Option<Vec<Range<usize>>> {
        let all = self.operands(lists.of);
        let mut start = all.start;
        let mut ranges = Vec::new();
        for length in self.lengths(lists.lengths)? {
            let end = start.checked_add(length)?;
            ranges.push(start..end);
            start = end;
        }
        (start == all.end).then_some(ranges)
    }

    fn results(&self, group: usize) -> Range<usize> {
        let count = self.module.result_count(self.operation);
        self.range(&self.plan.results, count, group)
            .unwrap_or_default()
    }

    pub(super) fn operand_values(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = Value> + use<'a> {
        members(self.module.operands(self.operation), range)
    }

    pub(super) fn types(&self, of: TypesIn) -> impl Iterator<Item = Type> + use<'a> {
        let (module, operation) = (self.module, self.operation);
        let (operands, results) = match of {
            TypesIn::Operands(group) => (self.operands(group), 0..0),
            TypesIn::Results(group) => (0..0, self.results(group)),
            TypesIn::AllOperands => (0..module.operand_count(operation), 0..0),
            TypesIn::AllResults => (0..0, 0..module.result_count(operation)),
        };
        let operands = members(module.operands(operation), operands);
        let results = members(module.results(operation), results);
        operands
            .chain(results)
            .map(|value| module.value_type(value))
    }

    /// Returns the type of a group that always has one value; `None` if it can have another number,
    /// or has none.
    #[inline]
    fn only_type(&self, of: TypesIn) -> Option<Type> {
        let value = match of {
            TypesIn::Operands(group) if self.plan.operands.variadic == 0 => {
                self.module.operand(self.operation, group)
            }
            TypesIn::Results(group) if self.plan.results.variadic == 0 => {
                self.module.result(self.operation, group)
            }
            _ => None,
        };
        value.map(|value| self.module.value_type(value))
    }

    #[inline]
    fn first_type(&self, of: TypesIn) -> Option<Type> {
        self.only_type(of).or_else(|| self.types(of).next())
    }

    /// Returns the regions, or successors, of a group; the last group can have several.
    pub(super) fn members(kinds: &[GroupKind], count: usize, group: usize) -> Range<usize> {
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
                let count = self.module.region_count(self.operation);
                let mut members = Self::members(&self.plan.regions, count, group);
                // A single region counts as present if it is not empty; of several, those that
                // exist do.
                match self.plan.regions.get(group) {
                    Some(GroupKind::Single) => members.any(|number| {
                        let region = self.module.region(self.operation, number);
                        region.is_some_and(|region| self.module.first_block(region).is_some())
                    }),
                    _ => !members.is_empty(),
                }
            }
            Anchor::Successors(group) => {
                let count = self.module.successor_count(self.operation);
                !Self::members(&self.plan.successors, count, group).is_empty()
            }
        }
    }

    // Whether the text covers everything.

    pub(super) fn can_print(&self) -> bool {
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
            && fits(&self.plan.regions, module.region_count(operation))
            && fits(&self.plan.successors, module.successor_count(operation))
            && self.fit().fits
            && self.types_fit()
            && (!self.plan.has_lists || self.lists_fit())
            && self.regions_fit()
            && self.type_lists_fit()
            && self.says_all()
            && (!self.plan.is_ambiguous() || self.reads_back())
    }

    fn is_of_dialect(&self, ty: Type, name: &str) -> bool {
        matches!(
            self.context.type_kind(ty),
            TypeKind::Dialect { dialect, .. } if self.context.bytes(*dialect) == name.as_bytes()
        )
    }

    /// Returns whether types are a list, of which the parser requires at least one.
    fn is_type_list(&self, types: TypesIn) -> bool {
        match types {
            TypesIn::Operands(group) => self.plan.operands.kind(group).is_list(),
            TypesIn::Results(group) => self.plan.results.kind(group).is_list(),
            TypesIn::AllOperands | TypesIn::AllResults => true,
        }
    }

    /// Returns whether lists of types that are printed unconditionally have a type.
    fn type_lists_fit(&self) -> bool {
        let mut lists = self.plan.type_lists.iter();
        // For lists printed by a branch, `says_all` determines it.
        self.plan.has_choices || lists.all(|types| self.first_type(*types).is_some())
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
            let sizes = self.segments(groups);
            let known = sizes.and_then(|sizes| Some(sizes_of(self.context, sizes)?.count()));
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

    /// Returns the properties' fit to the plan, memoized because many operations of a name have
    /// equal properties.
    fn fit(&self) -> Fit {
        let properties = self.module.properties(self.operation);
        if let Some(fit) = self.plan.fit.get()
            && fit.properties == properties
        {
            return fit;
        }
        let fit = Fit {
            properties,
            fits: self.attributes_fit(),
            has_others: !self.properties().is_empty(),
        };
        self.plan.fit.set(Some(fit));
        fit
    }

    fn attributes_fit(&self) -> bool {
        let planned = self.plan.attributes.iter().enumerate();
        let mut said = planned.filter(|(_, planned)| planned.said || planned.required);
        said.all(|(number, planned)| match self.attribute(number) {
            Some(value) => {
                !planned.said
                    || is_of(self.context, planned, value)
                    // An unset property.
                    || matches!(planned.form, Form::Unit) && !self.is_said(number)
            }
            // Nothing would be printed where the parser requires text.
            None => !planned.required && self.plan.has_choices,
        })
    }

    /// Returns whether the lists in which groups are printed have all their operands.
    fn lists_fit(&self) -> bool {
        self.plan.steps.iter().all(|step| match step {
            Step::OperandLists(lists) => self.lists(lists).is_some(),
            Step::TypeLists(lists) => {
                let lengths = self.lengths(lists.lengths);
                let sum = lengths
                    .and_then(|lengths| lengths.into_iter().try_fold(0usize, usize::checked_add));
                sum == Some(self.types(lists.of).count())
            }
            _ => true,
        })
    }

    fn types_fit(&self) -> bool {
        self.plan.rules.iter().all(|&(target, rule)| {
            // The most frequent rule: two values have the same type.
            if let Rule::Of(TypeFunction::Same, source) = rule
                && let Some(ty) = self.only_type(target)
                && let Some(source) = self.only_type(source)
            {
                return ty == source;
            }
            let mut types = self.types(target);
            match rule {
                Rule::Fixed(fixed) => types
                    .all(|ty| fixed.is(self.context, ty, |number| self.is_own_type(number, ty))),
                Rule::Of(TypeFunction::Each, source) => types.eq(self.types(source)),
                Rule::Of(TypeFunction::I1Each, source) => {
                    let i1 = self.context.i1_type();
                    types.eq(self.types(source).map(|_| i1))
                }
                Rule::Of(function, source) => {
                    let Some(source) = self.first_type(source) else {
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

    /// Returns whether the text of regions round-trips.
    fn regions_fit(&self) -> bool {
        let module = self.module;
        if module.region_count(self.operation) == 0 {
            return true;
        }
        let mut regions = module.regions(self.operation).enumerate();
        regions.all(|(number, region)| match module.first_block(region) {
            // `says_all` determines it for a region of a group.
            None => self.may_be_empty(number) || self.plan.has_choices,
            Some(block) => {
                self.plan.single_block
                    || module.first_operation(block).is_some()
                    || module.next_block(block).is_some()
                    || module.argument_count(block) > 0
            }
        })
    }

    /// Returns whether a region that is printed can have no blocks.
    fn may_be_empty(&self, number: usize) -> bool {
        // A single region that is parsed if its optional group is present can be empty; each of a
        // list gets a block.
        let is_in = |regions: &[bool]| regions.get(number) == Some(&true);
        !self.plan.single_block
            || self.plan.regions.get(number) == Some(&GroupKind::Single)
                && (is_in(&self.plan.regions_of_directives) || is_in(&self.plan.anchor_regions))
    }

    /// Returns whether a group of regions has one without blocks.
    fn has_empty_region(&self, group: usize) -> bool {
        let is_single = self.plan.regions.get(group) == Some(&GroupKind::Single);
        let mut regions = self.module.regions(self.operation).enumerate();
        regions.any(|(number, region)| {
            (number == group || !is_single)
                && self.module.first_block(region).is_none()
                && !self.may_be_empty(number)
        })
    }

    /// Returns whether everything present that has a position in the format is printed: an element
    /// of an absent optional group is not.
    fn says_all(&self) -> bool {
        if !self.plan.has_choices {
            return self.plan.says_others || self.dictionary().is_empty();
        }
        let mut says_others = false;
        let (mut operands, mut attributes) = (0u64, 0u64);
        let (mut regions, mut successors) = (0u64, 0u64);
        let (mut operand_types, mut result_types) = (0u64, 0u64);
        let bit = |number: usize| {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            1u64.checked_shl(number).unwrap_or(0)
        };
        let mut typed = |types: TypesIn| match types {
            TypesIn::Operands(group) => operand_types |= bit(group),
            TypesIn::Results(group) => result_types |= bit(group),
            TypesIn::AllOperands => operand_types = u64::MAX,
            TypesIn::AllResults => result_types = u64::MAX,
        };
        let mut at = 0usize;
        while let Some(step) = self.plan.steps.get(at) {
            at = at.saturating_add(1);
            match step {
                Step::Types(types) => {
                    if self.is_type_list(*types) && self.first_type(*types).is_none() {
                        return false;
                    }
                    typed(*types);
                }
                Step::StrippedType(stripped) => {
                    let (types, number) = **stripped;
                    let bare = self.plan.stripped.get(number);
                    let bare = bare.filter(|(_, mnemonic)| mnemonic.is_empty());
                    let is_read = |ty| bare.is_none_or(|bare| self.is_of_dialect(ty, &bare.0.name));
                    if !self.types(types).all(is_read) {
                        return false;
                    }
                    typed(types);
                }
                Step::TypeLists(lists) => typed(lists.of),
                Step::FunctionalType(types) => {
                    typed(types.0);
                    typed(types.1);
                }
                Step::Branch(branch) => match self.takes(branch) {
                    true => attributes |= branch.unit.map_or(0, bit),
                    false => at = branch.otherwise,
                },
                Step::Jump(to) => at = *to,
                Step::EndClause(end) => at = end.next,
                Step::Operand(group) => operands |= bit(*group),
                Step::OperandLists(lists) => {
                    operands |= bit(lists.of);
                    attributes |= bit(lists.lengths);
                }
                Step::Operands => operands = u64::MAX,
                Step::Dictionary { .. } => says_others = true,
                Step::Attribute(number) => {
                    if self.attribute(*number).is_none() {
                        return false;
                    }
                    attributes |= bit(*number);
                }
                Step::Region(group) => {
                    if self.has_empty_region(*group) {
                        return false;
                    }
                    regions |= bit(*group);
                }
                Step::Successor(group) => successors |= bit(*group),
                Step::Custom(custom) => {
                    for argument in &custom.arguments {
                        match argument.what {
                            ArgumentKind::Operands(group) => operands |= bit(group),
                            ArgumentKind::Attribute(number) => attributes |= bit(number),
                            ArgumentKind::Successors(group) => successors |= bit(group),
                            ArgumentKind::Region(group) => regions |= bit(group),
                            ArgumentKind::Types(types) => typed(types),
                            ArgumentKind::Dictionary => says_others = true,
                            ArgumentKind::Text(_) => {}
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
        let said = [
            (
                regions,
                &self.plan.regions,
                Anchor::Region as fn(usize) -> Anchor,
            ),
            (successors, &self.plan.successors, Anchor::Successors),
        ];
        let is_said = |(said, groups, anchor): (u64, &Vec<GroupKind>, fn(usize) -> Anchor)| {
            (0..groups.len()).all(|group| said & bit(group) != 0 || !self.is_present(anchor(group)))
        };
        if !said.into_iter().all(is_said) {
            return false;
        }
        // The types of a group that only an absent branch covers.
        let is_typed = |types: &TypesIn| match *types {
            TypesIn::Operands(group) => operand_types & bit(group) != 0,
            TypesIn::Results(group) => result_types & bit(group) != 0,
            TypesIn::AllOperands => operand_types == u64::MAX,
            TypesIn::AllResults => result_types == u64::MAX,
        };
        let mut said_types = self.plan.said_types.iter();
        if !said_types.all(|types| is_typed(types) || self.types(*types).next().is_none()) {
            return false;
        }
        let mut groups = 0..self.plan.operands.len();
        let mut planned = self.plan.attributes.iter().enumerate();
        (says_others || self.dictionary().is_empty())
            && groups.all(|group| operands & bit(group) != 0 || self.operands(group).is_empty())
            && planned.all(|(number, planned)| {
                !planned.said
                    || attributes & bit(number) != 0
                    || !self.is_said(number)
                    || self.plan.lengths.contains(&number)
                        && self
                            .lengths(number)
                            .is_some_and(|lengths| lengths.is_empty())
            })
    }

    /// Returns whether parsing the output yields the operation as it is: no next token would begin
    /// an absent group, or continue the preceding element.
    fn reads_back(&self) -> bool {
        let mut pending = Scope::new();
        let mut open: Option<&Clauses> = None;
        let mut at = 0usize;
        loop {
            if let Some(clauses) = open.take_if(|clauses| clauses.end <= at) {
                for clause in &clauses.clauses {
                    pending.insert(Token::Text(&clause.token));
                }
            }
            let Some(step) = self.plan.steps.get(at) else {
                break;
            };
            at = at.saturating_add(1);
            let (first, is_empty, more) = match step {
                Step::Space | Step::Newline => continue,
                Step::Jump(to) => {
                    at = *to;
                    continue;
                }
                Step::EndClause(end) => {
                    at = end.next;
                    continue;
                }
                Step::Clauses(clauses) => {
                    open = Some(clauses);
                    continue;
                }
                Step::Branch(branch) => {
                    let takes = self.takes(branch);
                    if !takes {
                        at = branch.otherwise;
                    }
                    let is_not = matches!(branch.first, First::Not(_));
                    if takes == is_not && open.is_none() {
                        for token in self.plan.test(&branch.first) {
                            pending.insert(token);
                        }
                    }
                    continue;
                }
                Step::Custom(_) => {
                    // Code knows.
                    pending = Scope::new();
                    continue;
                }
                Step::Literal { token, .. } => {
                    (vec![Token::Text(self.plan.literal(*token))], false, None)
                }
                Step::Operand(group) => {
                    let more = self.plan.operands.kind(*group).is_list().then_some(",");
                    (vec![Token::Value], self.operands(*group).is_empty(), more)
                }
                Step::Operands => {
                    let count = self.module.operand_count(self.operation);
                    (vec![Token::Value], count == 0, Some(","))
                }
                Step::OperandLists(lists) => {
                    let is_empty = self.lists(lists).is_none_or(|lists| lists.is_empty());
                    (vec![Token::Text("(")], is_empty, Some(","))
                }
                Step::TypeLists(lists) => {
                    let lengths = self.lengths(lists.lengths);
                    let is_empty = lengths.is_none_or(|lengths| lengths.is_empty());
                    (vec![Token::Text("(")], is_empty, Some(","))
                }
                Step::Types(types) => {
                    let is_list = self.is_type_list(*types);
                    let is_empty = self.types(*types).next().is_none();
                    (Token::TYPES.to_vec(), is_empty, is_list.then_some(","))
                }
                Step::StrippedType(_) => {
                    let mut tokens = Token::TYPES.to_vec();
                    tokens.push(Token::Text("<"));
                    (tokens, false, None)
                }
                Step::FunctionalType(_) => (vec![Token::Text("(")], false, None),
                Step::Attribute(number) => match self.attribute(*number) {
                    Some(value) => self.tokens_of(*number, value),
                    None => return false,
                },
                Step::Region(group) => {
                    let kinds = &self.plan.regions;
                    let count = self.module.region_count(self.operation);
                    let is_empty = Self::members(kinds, count, *group).is_empty();
                    let is_list = kinds.get(*group).is_some_and(|kind| kind.is_list());
                    (vec![Token::Text("{")], is_empty, is_list.then_some(","))
                }
                Step::Successor(group) => {
                    let kinds = &self.plan.successors;
                    let count = self.module.successor_count(self.operation);
                    let is_empty = Self::members(kinds, count, *group).is_empty();
                    let is_list = kinds.get(*group).is_some_and(|kind| kind.is_list());
                    (vec![Token::Block], is_empty, is_list.then_some(","))
                }
                Step::Dictionary { keyword } => {
                    let token = if *keyword { "attributes" } else { "{" };
                    (vec![Token::Text(token)], self.dictionary().is_empty(), None)
                }
                Step::Properties { .. } => {
                    (vec![Token::Text("<")], self.properties().is_empty(), None)
                }
            };
            if is_empty {
                first.into_iter().for_each(|token| pending.insert(token));
                continue;
            }
            if !pending.is_empty() {
                if first.into_iter().any(|token| pending.find(token).is_some()) {
                    return false;
                }
                pending = Scope::new();
            }
            if let Some(more) = more {
                pending.insert(Token::Text(more));
            }
            if matches!(step, Step::Operand(_) | Step::Operands) {
                // `%0 #name` is read as the number of a result.
                pending.insert(Token::Attribute);
            }
        }
        if pending.is_empty() {
            return true;
        }
        // The tokens that follow the operation.
        let next = self.module.next_operation(self.operation);
        match next {
            Some(next) => {
                self.module.result_count(next) == 0 || pending.find(Token::Value).is_none()
            }
            None => pending.find(Token::Block).is_none(),
        }
    }

    /// Returns the token with which an attribute starts where the format prints it, and the one
    /// that would continue it.
    fn tokens_of(
        &self,
        number: usize,
        value: Attribute,
    ) -> (Vec<Token<'a>>, bool, Option<&'a str>) {
        let Some(planned) = self.planned(number) else {
            return (Vec::new(), false, None);
        };
        let mut more = None;
        let first = match (&planned.form, self.context.attribute_kind(value)) {
            (Form::Members(enumeration), _) => {
                more = enumeration.separator.as_deref().map(str::trim);
                keywords(enumeration)
            }
            (Form::Any | Form::Token(_), kind) => {
                more = match kind {
                    AttributeKind::String { ty: None, .. }
                    | AttributeKind::Dialect { ty: None, .. }
                        if matches!(planned.form, Form::Any) =>
                    {
                        Some(":")
                    }
                    AttributeKind::SymbolRef { .. } => Some("::"),
                    _ => None,
                };
                match kind {
                    AttributeKind::Dictionary(_) => vec![Token::Text("{")],
                    AttributeKind::Array(_) => vec![Token::Text("[")],
                    AttributeKind::String { .. } => vec![Token::String],
                    kind => {
                        let mut tokens = Token::ATTRIBUTES.to_vec();
                        let is_other = |token: &Token<'_>| *token != Token::Attribute;
                        tokens.retain(|token| has_hash(kind) || is_other(token));
                        tokens
                    }
                }
            }
            (Form::Enumeration(enumeration), _) => match member(self.context, enumeration, value) {
                Some(Cow::Borrowed(word))
                    if is_word(word) && !is_mixed(self.context, enumeration, value) =>
                {
                    vec![Token::Text(word)]
                }
                _ => vec![Token::String],
            },
            (Form::Stripped(home, mnemonic), _) => {
                let names = &self.module.provenance.attribute_alias_names;
                let is_aliased = home.attribute_alias(mnemonic.as_bytes()).is_some()
                    || !home.aliases_complete && names.contains_key(&value);
                match is_aliased {
                    true => vec![Token::Attribute],
                    false => vec![Token::Text("<")],
                }
            }
            _ => self.plan.attribute_tokens(number),
        };
        (first, false, more)
    }

    /// Returns whether the first branch of a group is printed.
    pub(super) fn takes(&self, branch: &Branch) -> bool {
        let mut anchor = branch.anchor.iter();
        anchor.any(|&anchor| self.is_present(anchor)) != branch.inverted
    }

    pub(super) fn arguments(&self, custom: &PlannedDirective) -> Vec<PrintedArgument> {
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
            ArgumentKind::Region(group) => PrintedArgument::Region {
                number: *group,
                arguments: None,
            },
            ArgumentKind::Dictionary => PrintedArgument::Dictionary(self.dictionary().into_owned()),
            ArgumentKind::Text(text) => PrintedArgument::Text(text.to_string()),
        };
        arguments.map(|argument| value(&argument.what)).collect()
    }

    /// Returns the properties that the format does not cover.
    pub(super) fn properties(&self) -> Vec<NamedAttribute> {
        let (context, module) = (self.context, self.module);
        let inherent = module.inherent_attributes(context, self.operation);
        let is_left = |entry: &&NamedAttribute| {
            let name = entry.0;
            match self.plan.attribute_of(name) {
                Some(planned) => {
                    let is_kept = self.plan.keeps_defaults && !planned.is_native;
                    !planned.said && (is_kept || !self.is_default(planned, entry.1))
                }
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

    /// Returns the attributes that the format does not cover.
    pub(super) fn dictionary(&self) -> Cow<'a, [NamedAttribute]> {
        let (context, module) = (self.context, self.module);
        let discardable = module.discardable_attributes(context, self.operation);
        if self.plan.says_properties || !self.fit().has_others {
            return Cow::Borrowed(discardable);
        }
        let mut all = self.properties();
        if !discardable.is_empty() {
            all.extend_from_slice(discardable);
            all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        }
        Cow::Owned(all)
    }
}

/// Returns whether the text of an enumeration's member is printed without quotes.
pub(super) fn is_word(text: &str) -> bool {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
    text.bytes().all(in_word)
}

/// Returns whether an attribute holds members of which several can be set at once, and not one bit:
/// none or several. Upstream prints these in quotes.
pub(super) fn is_mixed(context: &Context, enumeration: &EnumDefinition, value: Attribute) -> bool {
    let AttributeKind::Integer { value, .. } = context.attribute_kind(value) else {
        return false;
    };
    let bits = value.to_i64().map(i64::cast_unsigned);
    enumeration.separator.is_some() && bits.is_some_and(|bits| bits.count_ones() != 1)
}

/// Returns whether the text of an attribute begins with `#`, or does so if it has an alias.
fn has_hash(kind: &AttributeKind) -> bool {
    !matches!(
        kind,
        AttributeKind::Integer { .. }
            | AttributeKind::Float { .. }
            | AttributeKind::Type(_)
            | AttributeKind::Unit
            | AttributeKind::SymbolRef { .. }
            | AttributeKind::DenseArray { .. }
    )
}

/// Returns the text of an enumeration's value.
pub(super) fn member<'e>(
    context: &Context,
    enumeration: &'e EnumDefinition,
    value: Attribute,
) -> Option<Cow<'e, str>> {
    let AttributeKind::Integer { ty, value } = context.attribute_kind(value) else {
        return None;
    };
    if !FixedType::Integer(enumeration.width).is(context, *ty, |_| false) {
        return None;
    }
    let value = value.to_i64()?;
    // Bits beyond the width do not count.
    let mask = u64::MAX
        .checked_shr(64u32.saturating_sub(enumeration.width))
        .unwrap_or(0);
    let alone = |case: &rmlir_ir::definition::EnumCase| {
        (case.value.cast_unsigned() ^ value.cast_unsigned()) & mask == 0 && !case.hidden
    };
    if !enumeration.every_member
        && let Some(case) = enumeration.cases.iter().find(|case| alone(case))
    {
        return Some(Cow::Borrowed(&*case.keyword));
    }
    let bits = value.cast_unsigned() & mask;
    enumeration.text_of(bits.cast_signed()).map(Cow::Owned)
}

/// Returns whether a dialect's attribute matches its definition, and is not just kept as spelled.
fn reads_back(context: &Context, home: &Arc<DialectDefinition>, value: Attribute) -> bool {
    let mut other = Context::new();
    other.set_release(context.release());
    if let Some(source) = context.dialect_source() {
        other.set_dialect_source(Arc::clone(source));
    }
    other.register_dialect(Arc::clone(home));
    // Without a parser nothing is certain, and the generic form is printed.
    let Some(form) = context.textual_form() else {
        return false;
    };
    other.set_textual_form(form);
    let text = attribute_to_string(context, value);
    let read = form.parse_attribute(&mut other, &text).ok();
    read.is_some_and(|read| form.parameters(&mut other, read.into()).is_ok())
}

/// Returns whether the text of a dialect's attribute, without its mnemonic, may begin with `#`: the
/// parser would take the inner attribute for the whole.
fn begins_with_attribute(context: &Context, body: &DialectBody, mnemonic: &str) -> bool {
    let Some(Some(BodyPiece::Text(text))) = body.piece(0) else {
        return false;
    };
    let rest = text.get(mnemonic.len()..).unwrap_or_default();
    match body.piece(1) {
        Some(Some(BodyPiece::Reference(BodyReference::Attribute(first)))) => {
            let never_aliased = matches!(
                context.attribute_kind(first),
                AttributeKind::SymbolRef { .. }
                    | AttributeKind::String { .. }
                    | AttributeKind::Integer { .. }
                    | AttributeKind::Float { .. }
                    | AttributeKind::Type(_)
                    | AttributeKind::Unit
            );
            rest.trim_ascii().is_empty() && !never_aliased
        }
        _ => rest.trim_ascii_start().starts_with(b"#"),
    }
}

/// Returns whether an attribute has a text in a form.
fn is_of(context: &Context, planned: &PlannedAttribute, value: Attribute) -> bool {
    match (&planned.form, context.attribute_kind(value)) {
        (Form::Any | Form::Token(_), kind) => {
            let is = planned.is.as_ref();
            let begins = match (&planned.form, kind) {
                (Form::Token(TokenKind::LeftSquare), kind) => {
                    matches!(kind, AttributeKind::Array(_))
                }
                (Form::Token(TokenKind::AtIdentifier), kind) => {
                    matches!(kind, AttributeKind::SymbolRef { .. })
                }
                (Form::Token(TokenKind::String), kind) => {
                    matches!(kind, AttributeKind::String { .. })
                }
                _ => true,
            };
            begins && is.is_none_or(|is| is.stores(context, value))
        }
        (Form::Unit, AttributeKind::Unit) => true,
        (
            Form::Typed(fixed),
            AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. },
        ) => fixed.is(context, *ty, |_| false),
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
                && !begins_with_attribute(context, body, mnemonic)
                && *planned
                    .reads_back
                    .borrow_mut()
                    .entry(value)
                    .or_insert_with(|| reads_back(context, home, value))
        }
        (Form::Array(fixed), AttributeKind::DenseArray { element, .. }) => {
            fixed.is(context, *element, |_| false)
        }
        (Form::Enumeration(enumeration) | Form::Members(enumeration), _) => {
            member(context, enumeration, value).is_some()
        }
        (Form::Symbol, AttributeKind::String { ty: None, .. }) => true,
        (Form::Wrapped(kind), _) => is_wrapped(context, &kind.wrappers, kind.base, value),
        _ => false,
    }
}

/// Returns whether types are those that follow from another.
fn follows(
    context: &Context,
    function: TypeFunction,
    source: Type,
    mut types: impl Iterator<Item = Type>,
) -> bool {
    match function {
        TypeFunction::Parameter => types.all(|ty| is_parameter(context, source, ty)),
        _ => function.holds(context, source, types) == Some(true),
    }
}

/// Returns whether a type is the parameter of another.
fn is_parameter(context: &Context, ty: Type, parameter: Type) -> bool {
    match (context.type_kind(ty), context.type_kind(parameter)) {
        (
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            },
            TypeKind::RankedTensor {
                shape: other,
                element: of,
                encoding: with,
            },
        ) => shape == other && encoding == with && is_of_dialect(context, *element, *of),
        _ => is_of_dialect(context, ty, parameter),
    }
}

fn is_of_dialect(context: &Context, ty: Type, parameter: Type) -> bool {
    match body_of(context, ty).and_then(inside) {
        Some(Inside::Type(ty)) => ty == parameter,
        Some(Inside::Text(text)) if type_to_string(context, parameter).as_bytes() == text => true,
        _ => type_parameters(context, ty).next() == Some(parameter),
    }
}
