//! Parses operations in custom form by their formats.

mod attributes;
mod fixed_type;
pub(super) mod parameter;
mod resolve;

use super::Parser;
use super::custom::HookParser;
use super::operation::{Operations, ResultName, type_text};
use crate::diagnostic::Result;
use crate::formats::forms::Form;
use crate::formats::plan::{ArgumentKind, First, Lists, Plan, PlannedDirective, Step, TypesIn};
use crate::lexer::TokenKind;
use rmlir_ir::asm::{
    AsmError, AsmParser, OperandName, ParseStep, ParsedArgument, ParsedOperation, Place,
    RegionArgument,
};
use rmlir_ir::definition::GroupKind;
use rmlir_ir::{OperationName, Region, Type};
use std::ops::Range;

/// The parsed parts of an operation with a format.
#[derive(Debug, Default)]
pub(super) struct FormatState {
    /// The index of the next step.
    at: usize,
    names: Vec<OperandName>,
    types: Vec<Type>,
    /// Indexed by group: the range of its names in `names`, and its offset in the text.
    operands: Vec<Option<(Range<usize>, usize)>>,
    operand_types: Vec<Option<Range<usize>>>,
    result_types: Vec<Option<Range<usize>>>,
    all_operands: Option<(Range<usize>, usize)>,
    all_operand_types: Option<Range<usize>>,
    all_result_types: Option<Range<usize>>,
    /// The parsed clauses, by the step after their test.
    clauses: Vec<usize>,
    /// How many regions of the group at hand are read.
    regions: usize,
    /// The arguments of the region that a directive announced.
    region_arguments: Option<Vec<RegionArgument>>,
    /// The groups of the parsed regions, if each group is one region.
    region_groups: Vec<usize>,
    /// Where the dictionary of attributes begins.
    dictionary: Option<Place>,
    /// Used again and again for the arguments of directives.
    arguments: Vec<ParsedArgument>,
}

/// Replaces the content by this number of `None`.
#[inline]
fn set_none<T: Clone>(slots: &mut Vec<Option<T>>, count: usize) {
    slots.truncate(count);
    for slot in slots.iter_mut() {
        *slot = None;
    }
    if slots.len() < count {
        slots.resize(count, None);
    }
}

impl FormatState {
    fn reset(&mut self, plan: &Plan) {
        self.at = 0;
        self.names.clear();
        self.types.clear();
        self.clauses.clear();
        self.regions = 0;
        self.region_arguments = None;
        self.region_groups.clear();
        self.dictionary = None;
        let (operands, results) = (plan.operands.len(), plan.results.len());
        set_none(&mut self.operands, operands);
        set_none(&mut self.operand_types, operands);
        set_none(&mut self.result_types, results);
        (
            self.all_operands,
            self.all_operand_types,
            self.all_result_types,
        ) = (None, None, None);
    }

    /// Returns the start of the attribute dictionary, if it was searched for.
    pub(super) fn dictionary_place(&self) -> Option<Place> {
        self.dictionary
    }

    fn set_types(&mut self, of: TypesIn, range: Range<usize>) {
        let slot = match of {
            TypesIn::Operands(group) => self.operand_types.get_mut(group),
            TypesIn::Results(group) => self.result_types.get_mut(group),
            TypesIn::AllOperands => Some(&mut self.all_operand_types),
            TypesIn::AllResults => Some(&mut self.all_result_types),
        };
        if let Some(slot) = slot {
            *slot = Some(range);
        }
    }

    fn types_of(&self, of: TypesIn) -> Option<&[Type]> {
        let range = match of {
            TypesIn::Operands(group) => self.operand_types.get(group)?.clone(),
            TypesIn::Results(group) => self.result_types.get(group)?.clone(),
            TypesIn::AllOperands => self.all_operand_types.clone(),
            TypesIn::AllResults => self.all_result_types.clone(),
        };
        self.types.get(range?)
    }
}

/// The parser, and the state of the operation being parsed.
pub(super) struct FormatParser<'p, 's, 'c> {
    pub(super) parser: &'p mut Parser<'s, 'c>,
    pub(super) ops: &'p mut Operations<'s>,
    pub(super) plan: &'p Plan,
    pub(super) state: &'p mut FormatState,
    pub(super) operation: &'p mut ParsedOperation,
    /// Where the operation's name is.
    pub(super) place: usize,
    pub(super) name: OperationName,
    /// The names of the results.
    pub(super) results: &'p [ResultName<'s>],
    /// The parsed regions.
    pub(super) regions: &'p [Region],
}

impl<'p, 's, 'c> FormatParser<'p, 's, 'c> {
    /// Continues parsing, from the start or after a region.
    pub(super) fn run(&mut self, regions: usize) -> Result<ParseStep> {
        if regions == 0 {
            self.state.reset(self.plan);
        } else if let Some(terminator) = &self.plan.terminator {
            let terminator = terminator.clone();
            self.hook().ensure_terminator(&terminator)?;
        }
        let plan = self.plan;
        while let Some(step) = plan.steps.get(self.state.at) {
            self.state.at = self.state.at.saturating_add(1);
            match step {
                Step::Space | Step::Newline => {}
                Step::Literal { kind, token, .. } => {
                    // For punctuation, the token kind determines the text.
                    let there = self.parser.at(*kind)
                        && (*kind != TokenKind::BareIdentifier
                            || self.parser.current() == plan.literal(*token).as_bytes());
                    if !there {
                        let error = self.parser.missing(plan.literal(*token));
                        return Err(match kind {
                            TokenKind::BareIdentifier => self.parser.of_operation(error, self.name),
                            _ => error,
                        });
                    }
                    self.parser.advance();
                }
                Step::Operand(group) => self.operand(*group)?,
                Step::OperandLists(lists) => self.operand_lists(lists)?,
                Step::TypeLists(lists) => self.type_lists(lists.of)?,
                Step::Operands => {
                    let place = self.parser.token_place();
                    let range = self.operand_list()?;
                    self.state.all_operands = Some((range, place));
                }
                Step::Attribute(number) => self.attribute(*number)?,
                Step::Successor(group) => self.successor(*group)?,
                Step::Types(of) => self.types(*of)?,
                Step::StrippedType(stripped) => self.stripped_type(stripped.0, stripped.1)?,
                Step::FunctionalType(types) => self.function_type(types.0, types.1)?,
                Step::Dictionary { keyword } => {
                    if !keyword || self.parser.eat_keyword(b"attributes") {
                        if *keyword && !self.parser.at(TokenKind::LeftBrace) {
                            return Err(self.parser.unexpected("'{' in attribute dictionary"));
                        }
                        self.dictionary()?;
                    }
                }
                Step::Properties { .. } => {
                    if self.parser.eat(TokenKind::Less) {
                        self.properties()?;
                    }
                }
                Step::Custom(custom) => {
                    self.directive(custom)?;
                }
                Step::Branch(branch) => {
                    if self.is_next(&branch.first)? {
                        if let Some(unit) = branch.unit {
                            let value = self.parser.context.unit_attribute();
                            self.set(unit, value);
                        }
                    } else {
                        self.state.at = branch.otherwise;
                    }
                }
                Step::Jump(to) => self.state.at = *to,
                Step::Clauses(all) => {
                    let next = all
                        .clauses
                        .iter()
                        .find(|clause| self.at_literal(clause.kind, &clause.token));
                    let Some(clause) = next else {
                        self.state.at = all.end;
                        continue;
                    };
                    if self.state.clauses.contains(&clause.start) {
                        let message = format!(
                            "`{}` clause can appear at most once in the expansion of the oilist directive",
                            clause.token
                        );
                        return Err(self.parser.error(message));
                    }
                    self.state.clauses.push(clause.start);
                    if let Some(unit) = clause.unit {
                        let value = self.parser.context.unit_attribute();
                        self.set(unit, value);
                    }
                    self.state.at = clause.start.saturating_add(1);
                }
                Step::EndClause(end) => self.state.at = end.clauses,
                Step::Region(group) => {
                    if plan.regions_of_directives.get(*group) == Some(&true) {
                        let Some(arguments) = self.state.region_arguments.take() else {
                            continue;
                        };
                        self.state.region_groups.push(*group);
                        return Ok(ParseStep::Region(arguments));
                    }
                    let kind = plan.regions.get(*group).copied().unwrap_or_default();
                    let several = kind != GroupKind::Single;
                    let more = match self.state.regions {
                        0 => !several || self.parser.at(TokenKind::LeftBrace),
                        _ => several && self.parser.eat(TokenKind::Comma),
                    };
                    if !more {
                        self.state.regions = 0;
                        continue;
                    }
                    self.state.regions = self.state.regions.saturating_add(1);
                    self.state.region_groups.push(*group);
                    // Comes back to this step.
                    self.state.at = self.state.at.saturating_sub(1);
                    return Ok(ParseStep::Region(Vec::new()));
                }
            }
        }
        self.finish()?;
        Ok(ParseStep::Done)
    }

    #[inline]
    fn at_literal(&self, kind: TokenKind, token: &str) -> bool {
        self.parser.token.kind == kind
            && (kind != TokenKind::BareIdentifier || self.parser.current() == token.as_bytes())
    }

    fn hook(&mut self) -> HookParser<'_, 's, 'c> {
        HookParser {
            parser: self.parser,
            ops: self.ops,
            results: self.results,
            region: self.regions.last().copied(),
            region_place: self.place,
            place: self.place,
            name: self.name,
        }
    }

    /// Returns whether a group comes next.
    fn is_next(&mut self, first: &First) -> Result<bool> {
        Ok(match first {
            First::Literal(kind, token) => self.at_literal(*kind, token),
            First::Operand => self.parser.at(TokenKind::PercentIdentifier),
            First::Region => self.parser.at(TokenKind::LeftBrace),
            First::Successor => self.parser.at(TokenKind::CaretIdentifier),
            First::Type => self.at_type(),
            First::Attribute(number) => self.at_attribute(*number),
            First::Custom => {
                let Some(Step::Custom(custom)) = self.custom_step() else {
                    return Ok(false);
                };
                let there = self.directive(custom)?;
                // It is read already.
                if there {
                    while matches!(self.plan.steps.get(self.state.at), Some(Step::Space)) {
                        self.state.at = self.state.at.saturating_add(1);
                    }
                    self.state.at = self.state.at.saturating_add(1);
                }
                there
            }
            First::Not(first) => match &**first {
                First::Not(_) => false,
                first => !self.is_next(first)?,
            },
        })
    }

    /// Returns the directive that a group begins with.
    fn custom_step(&self) -> Option<&'p Step> {
        let steps = self.plan.steps.get(self.state.at..)?;
        steps.iter().find(|step| !matches!(step, Step::Space))
    }

    fn at_type(&self) -> bool {
        match self.parser.token.kind {
            TokenKind::ExclamationIdentifier | TokenKind::LeftParen => true,
            TokenKind::BareIdentifier => self.parser.is_type_word(),
            _ => false,
        }
    }

    fn at_attribute(&self, number: usize) -> bool {
        let form = self
            .plan
            .attributes
            .get(number)
            .map(|planned| &planned.form);
        let kind = self.parser.token.kind;
        match form {
            Some(Form::Enumeration(enumeration)) => match kind {
                TokenKind::BareIdentifier => {
                    let word = self.parser.current();
                    let mut cases = enumeration.cases.iter();
                    cases.any(|case| case.keyword.as_bytes() == word)
                }
                kind => kind == TokenKind::String,
            },
            Some(Form::Members(enumeration)) => {
                kind == TokenKind::BareIdentifier
                    && crate::parser::entries::read_member(enumeration, self.parser.current())
                        .is_some()
            }
            Some(Form::Symbol) => kind == TokenKind::AtIdentifier,
            Some(Form::Token(token)) => kind == *token,
            Some(Form::Array(_)) => kind == TokenKind::LeftSquare,
            Some(Form::Stripped(..)) => {
                matches!(kind, TokenKind::Less | TokenKind::HashIdentifier)
            }
            Some(Form::Unit) => {
                kind == TokenKind::BareIdentifier && self.parser.current() == b"unit"
            }
            // A brace begins the dictionary of other attributes.
            Some(Form::Typed(_) | Form::Wrapped(_)) if kind == TokenKind::LeftBrace => false,
            _ => {
                matches!(
                    kind,
                    TokenKind::Integer
                        | TokenKind::Float
                        | TokenKind::Minus
                        | TokenKind::String
                        | TokenKind::AtIdentifier
                        | TokenKind::LeftParen
                        | TokenKind::LeftSquare
                        | TokenKind::LeftBrace
                        | TokenKind::HashIdentifier
                        | TokenKind::ExclamationIdentifier
                ) || kind == TokenKind::BareIdentifier
                    && (self.parser.is_type_word()
                        || matches!(
                            self.parser.current(),
                            b"true"
                                | b"false"
                                | b"unit"
                                | b"dense"
                                | b"sparse"
                                | b"array"
                                | b"affine_map"
                                | b"affine_set"
                                | b"strided"
                                | b"distinct"
                                | b"dense_resource"
                                | b"loc"
                        ))
            }
        }
    }

    // Operands.

    fn operand(&mut self, group: usize) -> Result<()> {
        let place = self.parser.token_place();
        let start = self.state.names.len();
        let at_name = self.parser.at(TokenKind::PercentIdentifier);
        match self.plan.operands.kind(group) {
            GroupKind::Single => self.operand_name()?,
            GroupKind::Optional if at_name => self.operand_name()?,
            GroupKind::Optional => {}
            GroupKind::Variadic | GroupKind::VariadicOfVariadic => {
                self.operand_list()?;
            }
        }
        let range = start..self.state.names.len();
        if let Some(slot) = self.state.operands.get_mut(group) {
            *slot = Some((range, place));
        }
        Ok(())
    }

    fn operand_name(&mut self) -> Result<()> {
        let name = self.parser.value_name()?;
        self.state.names.push(OperandName {
            place: name.place,
            len: name.name.len(),
            number: name.number,
        });
        Ok(())
    }

    fn operand_list(&mut self) -> Result<Range<usize>> {
        let start = self.state.names.len();
        if self.parser.at(TokenKind::PercentIdentifier) {
            loop {
                self.operand_name()?;
                if !self.parser.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        Ok(start..self.state.names.len())
    }

    /// `(%a, %b), (), (%c)`.
    fn operand_lists(&mut self, lists: &Lists<usize>) -> Result<()> {
        let place = self.parser.token_place();
        let start = self.state.names.len();
        let mut lengths = Vec::new();
        while self.parser.eat(TokenKind::LeftParen) {
            let list = self.operand_list()?;
            self.parser.expect_token(")")?;
            lengths.push(i32::try_from(list.len()).unwrap_or(i32::MAX));
            if !self.parser.eat(TokenKind::Comma) {
                break;
            }
        }
        let range = start..self.state.names.len();
        if let Some(slot) = self.state.operands.get_mut(lists.of) {
            *slot = Some((range, place));
        }
        let lengths = self.parser.context.i32_array_attribute(lengths);
        self.set(lists.lengths, lengths);
        Ok(())
    }

    fn successor(&mut self, group: usize) -> Result<()> {
        let kind = self.plan.successors.get(group).copied().unwrap_or_default();
        if kind != GroupKind::Single && !self.parser.at(TokenKind::CaretIdentifier) {
            return Ok(());
        }
        loop {
            let block = self.parser.successor(self.ops)?;
            self.operation.successors.push(block);
            if kind == GroupKind::Single || !self.parser.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    // Types.

    fn stripped_type(&mut self, of: TypesIn, number: usize) -> Result<()> {
        let Some((dialect, mnemonic)) = self.plan.stripped.get(number) else {
            return self.types(of);
        };
        let start = self.state.types.len();
        let ty = match mnemonic.is_empty() {
            true => crate::parser::entries::parse_bare_type(self.parser, dialect)?,
            false => crate::parser::entries::parse_stripped_type(self.parser, dialect, mnemonic)?,
        };
        self.state.types.push(ty);
        self.state.set_types(of, start..start.saturating_add(1));
        Ok(())
    }

    fn types(&mut self, of: TypesIn) -> Result<()> {
        let start = self.state.types.len();
        let kind = match of {
            TypesIn::Operands(group) => self.plan.operands.kind(group),
            TypesIn::Results(group) => self.plan.results.kind(group),
            TypesIn::AllOperands | TypesIn::AllResults => GroupKind::Variadic,
        };
        match kind {
            GroupKind::Single => {
                let place = self.parser.token_place();
                let ty = self.parser.ty()?;
                let context = &*self.parser.context;
                let mut kinds = self.plan.builtin_kinds.iter();
                if let Some(&(_, kind)) = kinds.find(|(group, _)| *group == of)
                    && !kind.is(context, ty)
                {
                    let message = format!(
                        "invalid kind of type specified: expected {}, but found '{}'",
                        kind.name(),
                        type_text(context, ty)
                    );
                    return Err(AsmError::new(place, message));
                }
                self.state.types.push(ty);
            }
            GroupKind::Optional if !self.at_type() => {}
            GroupKind::Optional => {
                let ty = self.parser.ty()?;
                self.state.types.push(ty);
            }
            GroupKind::Variadic | GroupKind::VariadicOfVariadic => {
                // As upstream, the list has at least one type.
                loop {
                    let ty = self.parser.ty()?;
                    self.state.types.push(ty);
                    if !self.parser.eat(TokenKind::Comma) {
                        break;
                    }
                }
            }
        }
        let end = self.state.types.len();
        self.state.set_types(of, start..end);
        Ok(())
    }

    /// `(i32, i32), (), (f32)`.
    fn type_lists(&mut self, of: TypesIn) -> Result<()> {
        let start = self.state.types.len();
        while self.parser.eat(TokenKind::LeftParen) {
            while !self.parser.at(TokenKind::RightParen) {
                let ty = self.parser.ty()?;
                self.state.types.push(ty);
                if !self.parser.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.parser.expect_token(")")?;
            if !self.parser.eat(TokenKind::Comma) {
                break;
            }
        }
        let end = self.state.types.len();
        self.state.set_types(of, start..end);
        Ok(())
    }

    /// Parses the inputs of a function type. If the type is an alias, returns its numbers of inputs
    /// and results.
    fn signature_operands(&mut self, types: &mut Vec<Type>) -> Result<Option<(usize, usize)>> {
        let is_function = self.parser.at(TokenKind::LeftParen)
            || self.parser.at(TokenKind::ExclamationIdentifier);
        if is_function {
            return self.parser.operand_types(types);
        }
        let place = self.parser.token_place();
        let ty = self.parser.ty()?;
        let found = type_text(self.parser.context, ty);
        let message = format!(
            "invalid kind of type specified: expected builtin.function, but found '{found}'"
        );
        let error = AsmError::new(place, message);
        Err(self.parser.of_operation(error, self.name))
    }

    fn function_type(&mut self, inputs: TypesIn, results: TypesIn) -> Result<()> {
        let start = self.state.types.len();
        let mut types = std::mem::take(&mut self.state.types);
        let place = self.parser.token_place();
        let aliased = self.signature_operands(&mut types);
        let read = aliased.and_then(|aliased| match aliased {
            Some((inputs, results)) => {
                self.parser.spend(place, results)?;
                Ok(start.saturating_add(inputs))
            }
            None => {
                let middle = types.len();
                self.parser.result_types(&mut types)?;
                Ok(middle)
            }
        });
        self.state.types = types;
        let middle = read?;
        let end = self.state.types.len();
        self.state.set_types(inputs, start..middle);
        self.state.set_types(results, middle..end);
        Ok(())
    }

    // Code.

    /// Calls a directive's hook; returns whether anything was present.
    fn directive(&mut self, custom: &PlannedDirective) -> Result<bool> {
        let Some(hook) = custom.directive.hook else {
            return Err(self.parser.error("the hook is missing"));
        };
        let mut arguments = std::mem::take(&mut self.state.arguments);
        arguments.clear();
        let planned = custom.arguments.iter();
        arguments.extend(planned.map(|a| self.argument(&a.what, a.is_reference)));
        let place = self.parser.token_place();
        let there = hook.parse(&mut self.hook(), &mut arguments);
        let there = there.map_err(|error| self.parser.of_operation(error, self.name))?;
        for (planned, argument) in custom.arguments.iter().zip(arguments.drain(..)) {
            if planned.is_reference {
                continue;
            }
            match (&planned.what, argument) {
                (ArgumentKind::Operands(group), ParsedArgument::Operands(names)) => {
                    let start = self.state.names.len();
                    self.state.names.extend(names);
                    let range = start..self.state.names.len();
                    if let Some(slot) = self.state.operands.get_mut(*group) {
                        *slot = Some((range, place));
                    }
                }
                (ArgumentKind::Types(of), ParsedArgument::Types(types)) => {
                    let start = self.state.types.len();
                    self.state.types.extend(types);
                    let end = self.state.types.len();
                    self.state.set_types(*of, start..end);
                }
                (ArgumentKind::Attribute(number), ParsedArgument::Attribute(Some(value))) => {
                    self.set(*number, value);
                }
                (ArgumentKind::Successors(_), ParsedArgument::Successors(blocks)) => {
                    self.operation.successors.extend(blocks);
                }
                (ArgumentKind::Region(_), ParsedArgument::Region { arguments, .. }) => {
                    self.state.region_arguments = arguments;
                }
                (ArgumentKind::Dictionary, ParsedArgument::Dictionary(entries)) => {
                    self.operation.attributes.extend(entries);
                }
                _ => {}
            }
        }
        self.state.arguments = arguments;
        Ok(there)
    }

    fn argument(&self, what: &ArgumentKind, is_reference: bool) -> ParsedArgument {
        match what {
            ArgumentKind::Operands(group) => {
                let range = self.state.operands.get(*group).cloned().flatten();
                let names = range.filter(|_| is_reference).map(|(range, _)| range);
                let names = names.and_then(|range| self.state.names.get(range));
                ParsedArgument::Operands(names.unwrap_or_default().to_vec())
            }
            ArgumentKind::Types(of) => {
                let types = self.state.types_of(*of).filter(|_| is_reference);
                ParsedArgument::Types(types.unwrap_or_default().to_vec())
            }
            ArgumentKind::Attribute(number) => {
                let planned = self.plan.attributes.get(*number);
                let name = planned.and_then(|planned| planned.identifier);
                let mut read = self.operation.properties.iter();
                let found = read.find(|entry| Some(entry.0) == name && is_reference);
                ParsedArgument::Attribute(found.map(|entry| entry.1))
            }
            ArgumentKind::Successors(_) => ParsedArgument::Successors(Vec::new()),
            ArgumentKind::Region(group) => ParsedArgument::Region {
                number: *group,
                arguments: None,
            },
            ArgumentKind::Dictionary => ParsedArgument::Dictionary(Vec::new()),
            ArgumentKind::Text(text) => ParsedArgument::Text(text.to_string()),
        }
    }
}
