//! Operations in custom form: the parser as hooks see it.

use super::Parser;
use super::format::{FormatParser, FormatState};
use super::operation::{OpenOperation, Operations, type_text};
use super::scope::ValueName;
use crate::diagnostic::Result;
use crate::formats::Syntax;
use crate::lexer::TokenKind;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, OperandName, ParseStep, ParsedOperation, Place,
};
use rmlir_ir::{
    Attribute, Block, Context, Identifier, Location, NamedAttribute, OperationName, OperationState,
    OperationTraits, Region, Type, Value,
};
use std::rc::Rc;

/// The syntax of an operation and what it has read so far.
pub(super) struct Custom {
    pub(super) syntax: Syntax,
    parsed: ParsedOperation,
    /// Of a format.
    state: FormatState,
}

impl Custom {
    /// Forgets what was read, but keeps the lists.
    fn reset(&mut self, syntax: Syntax) {
        self.syntax = syntax;
        let parsed = &mut self.parsed;
        parsed.operands.clear();
        parsed.result_types.clear();
        parsed.properties.clear();
        parsed.attributes.clear();
        parsed.successors.clear();
        parsed.empty_regions = 0;
    }
}

impl<'s> Parser<'s, '_> {
    /// The operation's name at the current token, its dialect's prefix added if it may be left out.
    pub(super) fn custom_name(&mut self, ops: &Operations<'s>) -> Result<OperationName> {
        let token = self.advance();
        let text = self.text(token);
        if text.contains(&b'.') {
            let known = self.context.find_operation_name(text);
            return known.ok_or_else(|| unknown(self.context, token.start, text, None));
        }
        let full = [ops.default_dialect().as_bytes(), b".", text].concat();
        let known = self.context.find_operation_name(&full);
        known.ok_or_else(|| unknown(self.context, token.start, text, Some(&full)))
    }

    /// Begins an operation in custom form, behind its name.
    pub(super) fn start_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        if !self.syntaxes.knows(operation.name) {
            self.intern_attribute_names(operation.name);
        }
        let syntax = match self.syntaxes.get(self.context, operation.name) {
            Ok(syntax) => syntax,
            Err(reason) => return Err(self.no_syntax(&operation, &reason)),
        };
        operation.custom = Some(match ops.spare_custom.pop() {
            Some(mut custom) => {
                custom.reset(syntax);
                custom
            }
            None => Box::new(Custom {
                syntax,
                parsed: ParsedOperation::default(),
                state: FormatState::default(),
            }),
        });
        self.step_custom(ops, operation)
    }

    /// Makes the names of an operation's attributes known to the context, so that its plan has them.
    #[cold]
    fn intern_attribute_names(&mut self, name: OperationName) {
        let release = self.context.release();
        let Some(definition) = self.context.operation_definition(name).cloned() else {
            return;
        };
        for attribute in definition.attributes_in(release) {
            self.context.identifier(attribute.name.as_bytes());
        }
        for property in definition.properties_in(release) {
            self.context.identifier(property.name.as_bytes());
        }
    }

    #[cold]
    fn no_syntax(&self, operation: &OpenOperation<'s>, reason: &str) -> AsmError {
        let name = self.context.operation_name_bytes(operation.name);
        let mut message = format!(
            "the custom syntax of '{}' is not known; its generic form is",
            name.escape_ascii()
        );
        if !reason.is_empty() {
            message.push_str(": ");
            message.push_str(reason);
        }
        AsmError::new(operation.place, message)
    }

    /// Calls the operation's hook, at first or behind a region.
    pub(super) fn step_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        let Some(mut custom) = operation.custom.take() else {
            return Ok(());
        };
        let regions = operation.regions.len();
        let step = match &custom.syntax {
            Syntax::Hook(hook) => {
                let mut parser = HookParser {
                    parser: self,
                    ops,
                    region: operation.regions.last().copied(),
                    region_place: operation.region_place,
                    place: operation.place,
                };
                hook.parse(&mut parser, &mut custom.parsed, regions)?
            }
            Syntax::Format(plan) => {
                let plan = Rc::clone(plan);
                let mut parser = FormatParser {
                    parser: self,
                    ops,
                    plan: &plan,
                    state: &mut custom.state,
                    operation: &mut custom.parsed,
                    place: operation.place,
                    regions: &operation.regions,
                };
                parser.run(regions)?
            }
        };
        match step {
            ParseStep::Region(arguments) => {
                operation.custom = Some(custom);
                self.open_region(ops, operation, &arguments)
            }
            ParseStep::Done => self.finish_custom(ops, operation, custom),
        }
    }

    fn finish_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
        custom: Box<Custom>,
    ) -> Result<()> {
        let parsed = &custom.parsed;
        let attributes = self.dictionary(&parsed.attributes)?;
        let properties = self.dictionary(&parsed.properties)?;
        let (attributes, properties) =
            self.normal_form(operation.place, operation.name, attributes, properties)?;
        operation
            .regions
            .extend((0..parsed.empty_regions).map(|_| ops.module.create_region()));
        let location = match self.trailing_location()? {
            Some(location) => location,
            None => self.source_location(operation.place),
        };
        // Their types can be those of an alias.
        self.spend(operation.place, parsed.result_types.len())?;
        let state = OperationState {
            name: operation.name,
            location,
            operands: &parsed.operands,
            result_types: &parsed.result_types,
            attributes,
            properties,
            successors: &parsed.successors,
            regions: &operation.regions,
        };
        let new = ops.module.create_operation(&state);
        self.place_operation(ops, new, &operation)?;
        ops.spare_custom.push(custom);
        ops.recycle(operation);
        Ok(())
    }

    fn dictionary(&mut self, entries: &[NamedAttribute]) -> Result<Option<Attribute>> {
        if entries.is_empty() {
            return Ok(None);
        }
        let place = self.token.start;
        let new = self.context.dictionary_attribute(entries);
        new.map(Some).map_err(|e| AsmError::new(place, e.message()))
    }

    /// A name that a hook holds, as the parser knows it.
    pub(super) fn value_of(&self, name: OperandName) -> ValueName<'s> {
        let end = name.place.saturating_add(name.len);
        let text = self.source.get(name.place..end).unwrap_or_default();
        ValueName {
            name: text,
            number: name.number,
            place: name.place,
        }
    }
}

#[cold]
fn unknown(context: &Context, place: Place, name: &[u8], tried: Option<&[u8]>) -> AsmError {
    let meant = context.suggest_operation(tried.unwrap_or(name));
    let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
    let tried = tried
        .map(|t| format!(" (tried '{}' as well)", t.escape_ascii()))
        .unwrap_or_default();
    let message = format!(
        "custom op '{}' is unknown{tried}{}",
        name.escape_ascii(),
        meant.unwrap_or_default()
    );
    AsmError::new(place, message)
}

/// The parser while a hook has it.
pub(super) struct HookParser<'p, 's, 'c> {
    pub(super) parser: &'p mut Parser<'s, 'c>,
    pub(super) ops: &'p mut Operations<'s>,
    /// The region that was read last, and where it begins.
    pub(super) region: Option<Region>,
    pub(super) region_place: Place,
    /// Where the operation's name is.
    pub(super) place: Place,
}

impl AsmParser for HookParser<'_, '_, '_> {
    fn context(&mut self) -> &mut Context {
        self.parser.context
    }

    fn place(&self) -> Place {
        self.parser.token.start
    }

    fn eat(&mut self, token: &str) -> bool {
        self.parser.eat_token(token)
    }

    fn expect(&mut self, token: &str) -> AsmResult<()> {
        self.parser.expect_token(token)
    }

    fn at(&self, token: &str) -> bool {
        self.parser.at_token(token)
    }

    fn at_operand(&self) -> bool {
        self.parser.at(TokenKind::PercentIdentifier)
    }

    fn symbol_name(&mut self) -> AsmResult<Option<Identifier>> {
        if self.parser.at(TokenKind::AtIdentifier) {
            self.parser.symbol_name().map(Some)
        } else {
            Ok(None)
        }
    }

    fn attribute(&mut self) -> AsmResult<Attribute> {
        self.parser.attribute()
    }

    fn ty(&mut self) -> AsmResult<Type> {
        self.parser.ty()
    }

    fn attribute_dictionary(&mut self) -> AsmResult<Vec<NamedAttribute>> {
        if !self.parser.at(TokenKind::LeftBrace) {
            return Ok(Vec::new());
        }
        let dictionary = self.parser.attribute()?;
        Ok(self.parser.context.dictionary_entries(dictionary).to_vec())
    }

    fn location(&mut self) -> AsmResult<Option<Location>> {
        self.parser.trailing_location()
    }

    fn operand_name(&mut self) -> AsmResult<OperandName> {
        let name = self.parser.value_name()?;
        Ok(OperandName {
            place: name.place,
            len: name.name.len(),
            number: name.number,
        })
    }

    fn resolve(&mut self, name: OperandName, ty: Type) -> AsmResult<Value> {
        let name = self.parser.value_of(name);
        let context = &*self.parser.context;
        self.ops
            .scopes
            .resolve(&mut self.ops.module, name, ty, |t| type_text(context, t))
    }

    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
        self.parser.attribute_of_type(ty)
    }

    fn optional_integer(&mut self) -> AsmResult<Option<i64>> {
        let negative = self.parser.at(TokenKind::Minus);
        if !negative && !self.parser.at(TokenKind::Integer) {
            return Ok(None);
        }
        if negative {
            self.parser.advance();
        }
        let token = self.parser.expect(TokenKind::Integer, "integer value")?;
        let value = i128::from(self.parser.unsigned(token, "integer value")?);
        let value = if negative {
            value.saturating_neg()
        } else {
            value
        };
        let value = i64::try_from(value);
        value
            .map(Some)
            .map_err(|_| AsmError::new(token.start, "integer value too large"))
    }

    fn elements_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
        self.parser.elements_of_type(ty)
    }

    fn optional_keyword(&mut self) -> Option<Identifier> {
        if !self.parser.at(TokenKind::BareIdentifier) {
            return None;
        }
        let token = self.parser.advance();
        let text = self.parser.text(token);
        Some(self.parser.context.identifier(text))
    }

    fn successor(&mut self) -> AsmResult<Block> {
        self.parser.successor(self.ops)
    }

    fn ensure_terminator(&mut self, name: &str) -> AsmResult<()> {
        let Some(region) = self.region else {
            return Ok(());
        };
        let module = &mut self.ops.module;
        let block = match module.last_block(region) {
            Some(block) => block,
            None => module.append_block(region),
        };
        if let Some(last) = module.last_operation(block) {
            let name = module.name(last);
            let traits = self.parser.context.operation_traits(name);
            // As upstream, what is not known is taken for none.
            if traits.is_some_and(|traits| traits.contains(OperationTraits::TERMINATOR)) {
                return Ok(());
            }
        }
        let Some(name) = self.parser.context.find_operation_name(name.as_bytes()) else {
            let context = &*self.parser.context;
            return Err(unknown(context, self.place, name.as_bytes(), None));
        };
        let normal = self.parser.normal_form(self.place, name, None, None)?;
        let location = self.parser.source_location(self.place);
        let state = OperationState {
            name,
            location,
            operands: &[],
            result_types: &[],
            attributes: normal.0,
            properties: normal.1,
            successors: &[],
            regions: &[],
        };
        let module = &mut self.ops.module;
        let new = module.create_operation(&state);
        module.append_operation(block, new);
        Ok(())
    }

    fn parameter_of(&mut self, ty: Type) -> Option<Type> {
        crate::formats::parameter::of(self.parser.context, ty)
    }

    fn region_is_empty(&self) -> bool {
        self.region
            .is_some_and(|region| self.ops.module.first_block(region).is_none())
    }

    fn region_place(&self) -> Place {
        self.region_place
    }
}
