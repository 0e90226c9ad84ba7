//! Operations in custom form: the parser as hooks see it.

use super::Parser;
use super::operation::{OpenOperation, Operations, type_text};
use super::scope::ValueName;
use crate::diagnostic::Result;
use crate::lexer::TokenKind;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, OperandName, OperationSyntax, ParseStep, ParsedOperation, Place,
};
use rmlir_ir::{
    Attribute, Context, Identifier, Location, NamedAttribute, OperationName, OperationState, Type,
    Value,
};

/// The syntax of an operation and what it has read so far.
pub(super) struct Custom {
    pub(super) syntax: &'static dyn OperationSyntax,
    parsed: ParsedOperation,
}

impl<'s> Parser<'s, '_> {
    /// The operation's name at the current token, its dialect's prefix added if it may be left out.
    pub(super) fn custom_name(&mut self, ops: &Operations<'s>) -> Result<OperationName> {
        let token = self.advance();
        let text = self.text(token);
        if text.contains(&b'.') {
            let known = self.context.find_operation_name(text);
            return known.ok_or_else(|| unknown(token.start, text, None));
        }
        let full = [ops.default_dialect().as_bytes(), b".", text].concat();
        let known = self.context.find_operation_name(&full);
        known.ok_or_else(|| unknown(token.start, text, Some(&full)))
    }

    /// Begins an operation in custom form, behind its name.
    pub(super) fn start_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        let definition = self.context.operation_definition(operation.name);
        let Some(syntax) = definition.and_then(|definition| definition.syntax) else {
            let name = self
                .context
                .operation_name_bytes(operation.name)
                .escape_ascii();
            return Err(AsmError::new(
                operation.place,
                format!("the custom syntax of '{name}' is not known; its generic form is"),
            ));
        };
        operation.custom = Some(Box::new(Custom {
            syntax,
            parsed: ParsedOperation::default(),
        }));
        self.step_custom(ops, operation)
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
        let empty = operation
            .regions
            .last()
            .is_some_and(|&r| ops.module.first_block(r).is_none());
        let mut hook = HookParser {
            parser: self,
            ops,
            region_is_empty: empty,
            region_place: operation.region_place,
        };
        match custom
            .syntax
            .parse(&mut hook, &mut custom.parsed, regions)?
        {
            ParseStep::Region(arguments) => {
                operation.custom = Some(custom);
                self.open_region(ops, operation, &arguments)
            }
            ParseStep::Done => self.finish_custom(ops, operation, custom.parsed),
        }
    }

    fn finish_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
        parsed: ParsedOperation,
    ) -> Result<()> {
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
        self.place_operation(ops, new, &operation)
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
fn unknown(place: Place, name: &[u8], tried: Option<&[u8]>) -> AsmError {
    let tried = tried
        .map(|t| format!(" (tried '{}' as well)", t.escape_ascii()))
        .unwrap_or_default();
    AsmError::new(
        place,
        format!("custom op '{}' is unknown{tried}", name.escape_ascii()),
    )
}

/// The parser while a hook has it.
struct HookParser<'p, 's, 'c> {
    parser: &'p mut Parser<'s, 'c>,
    ops: &'p mut Operations<'s>,
    region_is_empty: bool,
    region_place: Place,
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

    fn region_is_empty(&self) -> bool {
        self.region_is_empty
    }

    fn region_place(&self) -> Place {
        self.region_place
    }
}
