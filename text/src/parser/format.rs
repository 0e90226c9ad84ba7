//! Operations in custom form by their formats.

use super::Parser;
use super::custom::HookParser;
use super::operation::{Operations, type_text};
use crate::diagnostic::Result;
use crate::formats::plan::{
    ArgumentKind, First, FixedType, Form, Groups, Plan, PlannedDirective, Rule, Sizes, Step,
    TypesIn,
};
use crate::lexer::TokenKind;
use rmlir_ir::asm::{AsmError, AsmParser, OperandName, ParseStep, ParsedArgument, ParsedOperation};
use rmlir_ir::definition::{EnumDefinition, GroupKind, TypeFunction, element_or_self};
use rmlir_ir::{
    Attribute, AttributeKind, Context, OperationName, Region, Type, TypeKind, apint::ApInt,
};
use std::ops::Range;

/// What was read of an operation with a format.
#[derive(Debug, Default)]
pub(super) struct FormatState {
    /// The next step.
    at: usize,
    names: Vec<OperandName>,
    types: Vec<Type>,
    /// By group: its names among `names`, and where it began in the text.
    operands: Vec<Option<(Range<usize>, usize)>>,
    operand_types: Vec<Option<Range<usize>>>,
    result_types: Vec<Option<Range<usize>>>,
    all_operands: Option<(Range<usize>, usize)>,
    all_operand_types: Option<Range<usize>>,
    all_result_types: Option<Range<usize>>,
    /// Clauses that were read, by the step behind their test.
    clauses: Vec<usize>,
    /// How many regions of the group at hand are read.
    regions: usize,
}

impl FormatState {
    fn reset(&mut self, plan: &Plan) {
        self.at = 0;
        self.names.clear();
        self.types.clear();
        self.clauses.clear();
        self.regions = 0;
        self.operands.clear();
        self.operands.resize(plan.operands.len(), None);
        self.operand_types.clear();
        self.operand_types.resize(plan.operands.len(), None);
        self.result_types.clear();
        self.result_types.resize(plan.results.len(), None);
        (
            self.all_operands,
            self.all_operand_types,
            self.all_result_types,
        ) = (None, None, None);
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

/// The parser, and what it reads now.
pub(super) struct FormatParser<'p, 's, 'c> {
    pub(super) parser: &'p mut Parser<'s, 'c>,
    pub(super) ops: &'p mut Operations<'s>,
    pub(super) plan: &'p Plan,
    pub(super) state: &'p mut FormatState,
    pub(super) operation: &'p mut ParsedOperation,
    /// Where the operation's name is.
    pub(super) place: usize,
    pub(super) name: OperationName,
    /// The regions that are read.
    pub(super) regions: &'p [Region],
}

impl<'p, 's, 'c> FormatParser<'p, 's, 'c> {
    /// Reads on, from the start or behind a region.
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
                    if !self.at_literal(*kind, token) {
                        return Err(self.parser.unexpected(&format!("'{token}'")));
                    }
                    self.parser.advance();
                }
                Step::Operand(group) => self.operand(*group)?,
                Step::Operands => {
                    let place = self.parser.token_place();
                    let range = self.operand_list()?;
                    self.state.all_operands = Some((range, place));
                }
                Step::Attribute(number) => self.attribute(*number)?,
                Step::Successor(group) => self.successor(*group)?,
                Step::Types(of) => self.types(*of)?,
                Step::FunctionalType(inputs, results) => self.function_type(*inputs, *results)?,
                Step::Dictionary { keyword } => {
                    if !keyword || self.parser.eat_keyword(b"attributes") {
                        if *keyword && !self.parser.at(TokenKind::LeftBrace) {
                            return Err(self.parser.unexpected("'{' in attribute dictionary"));
                        }
                        self.dictionary()?;
                    }
                }
                Step::Properties => {
                    if self.parser.eat(TokenKind::Less) {
                        let dictionary = self.parser.attribute()?;
                        self.parser
                            .expect(TokenKind::Greater, "'>' to close properties")?;
                        let entries = self.parser.context.dictionary_entries(dictionary);
                        self.operation.properties.extend_from_slice(entries);
                    }
                }
                Step::Custom(custom) => {
                    self.directive(custom)?;
                }
                Step::Branch {
                    first,
                    unit,
                    otherwise,
                    ..
                } => {
                    if self.is_next(first)? {
                        if let Some(unit) = *unit {
                            let value = self.parser.context.unit_attribute();
                            self.set(unit, value);
                        }
                    } else {
                        self.state.at = *otherwise;
                    }
                }
                Step::Jump(to) => self.state.at = *to,
                Step::Clauses { clauses, end } => {
                    let next = clauses
                        .iter()
                        .find(|clause| self.at_literal(clause.kind, &clause.token));
                    let Some(clause) = next else {
                        self.state.at = *end;
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
                Step::EndClause { clauses, .. } => self.state.at = *clauses,
                Step::Region(group) => {
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
            region: self.regions.last().copied(),
            region_place: self.place,
            place: self.place,
            name: self.name,
        }
    }

    /// Whether a group comes next.
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

    /// The directive that a group begins with.
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
                    && crate::entries::read_member(enumeration, self.parser.current()).is_some()
            }
            Some(Form::Symbol) => kind == TokenKind::AtIdentifier,
            Some(Form::Token(token)) => kind == *token,
            Some(Form::Array(_)) => kind == TokenKind::LeftSquare,
            Some(Form::Stripped(..)) => {
                matches!(kind, TokenKind::Less | TokenKind::HashIdentifier)
            }
            _ => {
                matches!(
                    kind,
                    TokenKind::Integer
                        | TokenKind::Float
                        | TokenKind::Minus
                        | TokenKind::String
                        | TokenKind::AtIdentifier
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
                if self.at_type() {
                    loop {
                        let ty = self.parser.ty()?;
                        self.state.types.push(ty);
                        if !self.parser.eat(TokenKind::Comma) {
                            break;
                        }
                    }
                }
            }
        }
        let end = self.state.types.len();
        self.state.set_types(of, start..end);
        Ok(())
    }

    fn function_type(&mut self, inputs: TypesIn, results: TypesIn) -> Result<()> {
        let start = self.state.types.len();
        let mut types = std::mem::take(&mut self.state.types);
        let place = self.parser.token_place();
        let aliased = self.parser.operand_types(&mut types);
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

    // Attributes.

    fn set(&mut self, number: usize, value: Attribute) {
        if let Some(planned) = self.plan.attributes.get(number) {
            let name = match planned.identifier {
                Some(name) => name,
                None => self.parser.context.identifier(planned.name.as_bytes()),
            };
            self.operation.properties.push((name, value));
        }
    }

    fn attribute(&mut self, number: usize) -> Result<()> {
        let plan = self.plan;
        let Some(planned) = plan.attributes.get(number) else {
            return Ok(());
        };
        let value = match &planned.form {
            // No type follows.
            Form::Token(TokenKind::String) => {
                let token = self.parser.expect(TokenKind::String, "string literal")?;
                let value = self.parser.string_identifier(token);
                self.parser.context.string_attribute_of(value)
            }
            // What the line ends with is often what another ended with.
            Form::Any if self.state.at == plan.steps.len() => {
                self.parser.attribute_to_end_of_line()?
            }
            Form::Any | Form::Token(_) | Form::Unit => self.parser.attribute()?,
            Form::Typed(fixed) => {
                let ty = fixed.get(self.parser.context, &plan.own_types);
                self.parser.attribute_of_type(ty)?
            }
            Form::Stripped(dialect, mnemonic) => {
                crate::entries::parse_stripped(self.parser, dialect, mnemonic)?
            }
            Form::Array(fixed) => self.array(*fixed)?,
            Form::Enumeration(enumeration) => self.member(enumeration, &planned.name)?,
            Form::Members(enumeration) => self.members(enumeration, &planned.name)?,
            Form::Symbol => {
                let name = self.parser.symbol_name()?;
                self.parser.context.string_attribute_of(name)
            }
        };
        self.set(number, value);
        Ok(())
    }

    fn dictionary(&mut self) -> Result<()> {
        if !self.parser.at(TokenKind::LeftBrace) {
            return Ok(());
        }
        let dictionary = self.parser.attribute()?;
        let entries = self.parser.context.dictionary_entries(dictionary);
        self.operation.attributes.extend_from_slice(entries);
        Ok(())
    }

    /// `[1, 2]`.
    fn array(&mut self, element: FixedType) -> Result<Attribute> {
        let element = element.get(self.parser.context, &[]);
        if !self.parser.at(TokenKind::LeftSquare) {
            return Err(self.parser.unexpected("'['"));
        }
        self.parser.numbers_in_brackets(element)
    }

    /// The keyword of an enumeration's member, or several in quotes.
    fn member(&mut self, enumeration: &EnumDefinition, name: &str) -> Result<Attribute> {
        let place = self.parser.token_place();
        let text: Vec<u8> = match self.parser.token.kind {
            TokenKind::BareIdentifier => self.parser.current().to_vec(),
            TokenKind::String => crate::lexer::unescape(self.parser.current()).into_owned(),
            _ => {
                let cases: Vec<&str> = enumeration.cases.iter().map(|c| &*c.keyword).collect();
                let message = format!(
                    "expected string or keyword containing one of the following enum values for attribute '{name}' [{}]",
                    cases.join(", ")
                );
                return Err(self.parser.error(message));
            }
        };
        let Some(value) = crate::entries::read_member(enumeration, &text) else {
            let text = String::from_utf8_lossy(&text).into_owned();
            return Err(AsmError::new(
                place,
                format!("invalid {name} attribute specification: \"{text}\""),
            ));
        };
        self.parser.advance();
        self.value_of_member(enumeration, value, place)
    }

    /// The keywords of an enumeration's members, with its separator between them.
    fn members(&mut self, enumeration: &EnumDefinition, name: &str) -> Result<Attribute> {
        let place = self.parser.token_place();
        let separator = enumeration.separator.as_deref().unwrap_or_default().trim();
        let mut all = 0;
        loop {
            let word = self.parser.current();
            let value = match self.parser.token.kind {
                TokenKind::BareIdentifier => crate::entries::read_member(enumeration, word),
                _ => None,
            };
            let Some(value) = value else {
                let cases: Vec<&str> = enumeration.cases.iter().map(|c| &*c.keyword).collect();
                let message = format!("expected {name} to be one of: {}", cases.join(", "));
                return Err(self.parser.error(message));
            };
            all |= value;
            self.parser.advance();
            if separator.is_empty() || !self.parser.eat_token(separator) {
                return self.value_of_member(enumeration, all, place);
            }
        }
    }

    fn value_of_member(
        &mut self,
        enumeration: &EnumDefinition,
        value: u64,
        place: usize,
    ) -> Result<Attribute> {
        let ty = self.parser.context.integer_type(enumeration.width);
        let kind = AttributeKind::Integer {
            ty,
            value: ApInt::from_u64(enumeration.width, value),
        };
        let made = self.parser.context.try_attribute(kind);
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    // Code.

    /// Calls a directive's hook; says whether anything was there.
    fn directive(&mut self, custom: &PlannedDirective) -> Result<bool> {
        let Some(hook) = custom.directive.hook else {
            return Err(self.parser.error("the hook is missing"));
        };
        let mut arguments: Vec<ParsedArgument> = custom
            .arguments
            .iter()
            .map(|argument| self.argument(&argument.what, argument.is_reference))
            .collect();
        let place = self.parser.token_place();
        let there = hook.parse(&mut self.hook(), &mut arguments)?;
        for (planned, argument) in custom.arguments.iter().zip(arguments) {
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
                (ArgumentKind::Dictionary, ParsedArgument::Dictionary(entries)) => {
                    self.operation.attributes.extend(entries);
                }
                _ => {}
            }
        }
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
            ArgumentKind::Dictionary => ParsedArgument::Dictionary(Vec::new()),
            ArgumentKind::Text(text) => ParsedArgument::Text(text.to_string()),
        }
    }

    // The end.

    /// Finds the types that the text does not say, and with them operands and results.
    fn finish(&mut self) -> Result<()> {
        let plan = self.plan;
        for &(target, rule) in &plan.rules {
            self.apply(target, rule)?;
        }
        if let Some((range, place)) = self.state.all_operands.clone() {
            match self.state.all_operand_types.clone() {
                Some(types) => self.resolve(range, types, place)?,
                None => self.resolve_all_by_group(range, place)?,
            }
        } else if let Some(types) = self.state.all_operand_types.clone() {
            let mut start = types.start;
            for group in 0..plan.operands.len() {
                let Some((names, place)) = self.state.operands.get(group).cloned().flatten() else {
                    continue;
                };
                let end = start.saturating_add(names.len());
                if group.saturating_add(1) == plan.operands.len() {
                    self.resolve(names, start..types.end, place)?;
                } else {
                    self.resolve(names, start..end.min(types.end), place)?;
                }
                start = end.min(types.end);
            }
        } else {
            for group in 0..plan.operands.len() {
                let Some((names, place)) = self.state.operands.get(group).cloned().flatten() else {
                    continue;
                };
                let types = self.state.operand_types.get(group).cloned().flatten();
                self.resolve(names, types.unwrap_or_default(), place)?;
            }
        }
        match self.state.all_result_types.clone() {
            Some(range) => {
                let types = self.state.types.get(range).unwrap_or_default();
                self.operation.result_types.extend_from_slice(types);
            }
            None => {
                for range in self.state.result_types.iter().flatten() {
                    let types = self.state.types.get(range.clone()).unwrap_or_default();
                    self.operation.result_types.extend_from_slice(types);
                }
            }
        }
        if plan.operands.sizes == Sizes::Segments && self.state.all_operands.is_none() {
            let lens: Vec<usize> = self
                .state
                .operands
                .iter()
                .map(|o| o.as_ref().map_or(0, |(range, _)| range.len()))
                .collect();
            self.segments(&plan.operands, &lens);
        }
        if plan.results.sizes == Sizes::Segments && self.state.all_result_types.is_none() {
            let lens: Vec<usize> = self
                .state
                .result_types
                .iter()
                .map(|range| range.as_ref().map_or(0, |range| range.len()))
                .collect();
            self.segments(&plan.results, &lens);
        }
        let singles = plan.regions.iter().filter(|k| **k == GroupKind::Single);
        self.operation.empty_regions = singles.count().saturating_sub(self.regions.len());
        Ok(())
    }

    /// The operands of a range of names with the types of a range of types.
    fn resolve(&mut self, names: Range<usize>, types: Range<usize>, place: usize) -> Result<()> {
        if names.len() != types.len() {
            return Err(AsmError::new(
                place,
                format!(
                    "number of operands and types do not match: got {} operands and {} types",
                    names.len(),
                    types.len()
                ),
            ));
        }
        for (name, ty) in names.zip(types) {
            let (Some(&name), Some(&ty)) = (self.state.names.get(name), self.state.types.get(ty))
            else {
                continue;
            };
            let name = self.parser.value_of(name);
            let context = &*self.parser.context;
            let value = self
                .ops
                .scopes
                .resolve(&mut self.ops.module, name, ty, |t| type_text(context, t))?;
            self.operation.operands.push(value);
        }
        Ok(())
    }

    /// All operands, where the types of groups are known.
    fn resolve_all_by_group(&mut self, names: Range<usize>, place: usize) -> Result<()> {
        let mut types = Vec::new();
        for range in self.state.operand_types.iter().flatten() {
            types.extend_from_slice(self.state.types.get(range.clone()).unwrap_or_default());
        }
        let start = self.state.types.len();
        self.state.types.extend(types);
        let end = self.state.types.len();
        self.resolve(names, start..end, place)
    }

    fn segments(&mut self, groups: &Groups, lens: &[usize]) {
        let mut data = Vec::new();
        for &len in lens {
            let len = i32::try_from(len).unwrap_or(i32::MAX);
            data.extend_from_slice(&len.to_le_bytes());
        }
        let context = &mut *self.parser.context;
        let kind = AttributeKind::DenseArray {
            element: context.i32_type(),
            length: lens.len(),
            data: data.into(),
        };
        if let Ok(sizes) = context.try_attribute(kind) {
            let name = context.identifier(groups.segments);
            self.operation.properties.push((name, sizes));
        }
    }

    /// Finds types by a rule.
    fn apply(&mut self, target: TypesIn, rule: Rule) -> Result<()> {
        // How many types there are to find; what is not named is known otherwise.
        let mut count = match target {
            TypesIn::Operands(group) => {
                let names = self.state.operands.get(group).cloned().flatten();
                match (names, &self.state.all_operands) {
                    (Some((range, _)), _) => range.len(),
                    (None, Some((range, _))) if self.plan.operands.len() == 1 => range.len(),
                    (None, Some(_)) => 1,
                    (None, None) => 0,
                }
            }
            _ => 1,
        };
        let source = match rule {
            Rule::Fixed(fixed) => Some(fixed.get(self.parser.context, &self.plan.own_types)),
            Rule::Of(_, source) => {
                let all = match source {
                    TypesIn::Operands(_) => TypesIn::AllOperands,
                    _ => TypesIn::AllResults,
                };
                let types = self
                    .state
                    .types_of(source)
                    .or_else(|| self.state.types_of(all));
                types.and_then(|types| types.first().copied())
            }
            Rule::OfAttribute(function, number) => {
                let planned = self.plan.attributes.get(number);
                let name = planned.and_then(|planned| planned.identifier);
                let mut read = self.operation.properties.iter();
                let value = read
                    .find(|entry| Some(entry.0) == name)
                    .map(|entry| entry.1);
                let context = &*self.parser.context;
                value.and_then(|value| match function {
                    TypeFunction::Value => match context.attribute_kind(value) {
                        AttributeKind::Type(ty) => Some(*ty),
                        _ => None,
                    },
                    _ => Some(context.attribute_type(value)),
                })
            }
        };
        let start = self.state.types.len();
        if let Rule::Of(function @ (TypeFunction::Each | TypeFunction::I1Each), source) = rule {
            let mut types = self.state.types_of(source).unwrap_or_default().to_vec();
            if function == TypeFunction::I1Each {
                types.fill(self.parser.context.i1_type());
            }
            self.state.types.extend(types);
            let end = self.state.types.len();
            self.state.set_types(target, start..end);
            return Ok(());
        }
        let function = match rule {
            Rule::Of(function, _) | Rule::OfAttribute(function, _) => function,
            Rule::Fixed(_) => TypeFunction::Same,
        };
        let Some(source) = source else {
            // A group that is not there says no types.
            self.state.set_types(target, start..start);
            return Ok(());
        };
        if function == TypeFunction::Elements {
            // As many operands as elements: no more types are made than operands are named.
            let context = &*self.parser.context;
            let elements = context.element_count(source).unwrap_or(0);
            if let (TypesIn::Results(_), Ok(number)) = (target, usize::try_from(elements)) {
                // Nothing but the type says how many results there are.
                self.parser.spend(self.place, number)?;
                count = number;
            } else if elements != count as u64 {
                return Err(AsmError::new(
                    self.place,
                    format!(
                        "number of operands and types do not match: got {count} operands and {elements} types"
                    ),
                ));
            }
        }
        let context = &mut *self.parser.context;
        match function {
            TypeFunction::Inputs | TypeFunction::Results => {
                let TypeKind::Function { inputs, results } = context.type_kind(source) else {
                    let place = self.place;
                    return Err(AsmError::new(place, "expected a function type"));
                };
                let types = match function {
                    TypeFunction::Inputs => inputs,
                    _ => results,
                };
                self.state.types.extend_from_slice(types);
            }
            function => {
                let ty = one_type(context, function, source);
                self.state.types.extend(std::iter::repeat_n(ty, count));
            }
        }
        let end = self.state.types.len();
        self.state.set_types(target, start..end);
        Ok(())
    }
}

/// The type that follows from another.
fn one_type(context: &mut Context, function: TypeFunction, source: Type) -> Type {
    match function {
        TypeFunction::Element | TypeFunction::Elements => element_or_self(context, source),
        TypeFunction::I1Like => {
            let i1 = context.i1_type();
            let kind = match context.type_kind(source).clone() {
                TypeKind::RankedTensor {
                    shape, encoding, ..
                } => TypeKind::RankedTensor {
                    shape,
                    encoding,
                    element: i1,
                },
                TypeKind::UnrankedTensor(_) => TypeKind::UnrankedTensor(i1),
                TypeKind::Vector {
                    shape, scalable, ..
                } => TypeKind::Vector {
                    shape,
                    scalable,
                    element: i1,
                },
                _ => return i1,
            };
            context.try_type(kind).unwrap_or(i1)
        }
        TypeFunction::Tensor => {
            let kind = match context.type_kind(source).clone() {
                TypeKind::MemRef { shape, element, .. } => TypeKind::RankedTensor {
                    shape,
                    element,
                    encoding: None,
                },
                TypeKind::UnrankedMemRef { element, .. } => TypeKind::UnrankedTensor(element),
                _ => return source,
            };
            context.try_type(kind).unwrap_or(source)
        }
        TypeFunction::Parameter => crate::formats::parameter::of(context, source).unwrap_or(source),
        _ => source,
    }
}
