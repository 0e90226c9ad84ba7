//! Parses the attributes and enumeration cases of a format.

use super::FormatParser;
use crate::diagnostic::Result;
use crate::formats::forms::{FixedType, Form};
use crate::formats::property_wrappers::is_in_some;
use crate::lexer::TokenKind;
use rmlir_ir::asm::AsmError;
use rmlir_ir::definition::{EnumDefinition, PropertyBase, PropertyWrapper};
use rmlir_ir::{Attribute, AttributeKind, apint::ApInt};

impl FormatParser<'_, '_, '_> {
    pub(super) fn set(&mut self, number: usize, value: Attribute) {
        if let Some(planned) = self.plan.attributes.get(number) {
            let name = match planned.identifier {
                Some(name) => name,
                None => self.parser.context.identifier(planned.name.as_bytes()),
            };
            self.operation.properties.push((name, value));
        }
    }

    pub(super) fn attribute(&mut self, number: usize) -> Result<()> {
        let plan = self.plan;
        let Some(planned) = plan.attributes.get(number) else {
            return Ok(());
        };
        let place = self.parser.token_place();
        let value = match &planned.form {
            // No type follows.
            Form::Token(TokenKind::String) => {
                let token = self.parser.expect(TokenKind::String, "string literal")?;
                let value = self.parser.string_identifier(token);
                self.parser.context.string_attribute_of(value)
            }
            // The text at the end of a line often recurs, so it is looked up in the cache.
            Form::Any if self.state.at == plan.steps.len() => {
                self.parser.attribute_to_end_of_line()?
            }
            Form::Any | Form::Token(_) | Form::Unit => self.parser.attribute()?,
            Form::Typed(fixed) => {
                let ty = fixed.get(self.parser.context, &plan.own_types);
                self.parser.attribute_of_type(ty)?
            }
            Form::Stripped(dialect, mnemonic) => {
                let of = (self.name, number);
                self.parser.stripped_attribute(of, dialect, mnemonic)?
            }
            Form::Array(fixed) => self.array(*fixed)?,
            Form::Enumeration(enumeration) => self.member(enumeration, &planned.name)?,
            Form::Members(enumeration) => self.members(enumeration, &planned.name)?,
            Form::Symbol => {
                let name = self.parser.symbol_name();
                let name = name.map_err(|error| self.parser.of_operation(error, self.name))?;
                self.parser.context.string_attribute_of(name)
            }
            Form::Wrapped(kind) => self.wrapped(&kind.wrappers, kind.base)?,
        };
        if let Some(is) = &planned.is
            && !is.stores(self.parser.context, value)
        {
            let error = AsmError::new(place, "invalid kind of attribute specified");
            return Err(self.parser.of_operation(error, self.name));
        }
        self.set(number, value);
        Ok(())
    }

    pub(super) fn dictionary(&mut self) -> Result<()> {
        self.state.dictionary = Some(self.parser.token_place());
        if !self.parser.at(TokenKind::LeftBrace) {
            return Ok(());
        }
        let dictionary = self.parser.attribute()?;
        let entries = self.parser.context.dictionary_entries(dictionary);
        self.operation.attributes.extend_from_slice(entries);
        Ok(())
    }

    /// Parses properties after the `<`: `{...}>`, or `name = value, name>`.
    pub(super) fn properties(&mut self) -> Result<()> {
        if self.parser.at(TokenKind::LeftBrace) {
            let dictionary = self.parser.attribute()?;
            let entries = self.parser.context.dictionary_entries(dictionary);
            self.operation.properties.extend_from_slice(entries);
        } else {
            let mut found: Vec<usize> = Vec::new();
            loop {
                let place = self.parser.token.start;
                let name = self.parser.current();
                let mut attributes = self.plan.attributes.iter();
                let number = attributes.position(|planned| planned.name.as_bytes() == name);
                let Some(number) = number.filter(|_| self.parser.at(TokenKind::BareIdentifier))
                else {
                    return Err(self.parser.unexpected("name of a property"));
                };
                if found.contains(&number) {
                    return Err(AsmError::new(place, "duplicate property"));
                }
                found.push(number);
                self.parser.advance();
                if self.parser.eat(TokenKind::Equal) {
                    self.attribute(number)?;
                } else {
                    let value = self.parser.context.unit_attribute();
                    self.set(number, value);
                }
                if !self.parser.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.parser
            .expect(TokenKind::Greater, "'>' to close properties")?;
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

    /// Parses a native property in its wrappers. Recurses on the wrappers, which are few.
    fn wrapped(&mut self, wrappers: &[PropertyWrapper], base: PropertyBase) -> Result<Attribute> {
        let Some((wrapper, inner)) = wrappers.split_first() else {
            return self.unwrapped(base);
        };
        match (wrapper, inner, base) {
            (PropertyWrapper::Optional, ..) => {
                if self.parser.eat_token("none") {
                    return Ok(self.parser.context.array_attribute(&[]));
                }
                let in_some = is_in_some(inner, base);
                if in_some {
                    if !self.parser.eat_token("some") {
                        return Err(self.parser.error("expected 'none' or 'some<prop>'"));
                    }
                    self.parser.expect_token("<")?;
                }
                let value = self.wrapped(inner, base)?;
                if in_some {
                    self.parser.expect_token(">")?;
                }
                Ok(self.parser.context.array_attribute(&[value]))
            }
            (PropertyWrapper::DenseArray, [], PropertyBase::Integer { width }) => {
                self.array(FixedType::Integer(width))
            }
            (PropertyWrapper::Array | PropertyWrapper::DenseArray, ..) => {
                self.parser.expect_token("[")?;
                let mut items = Vec::new();
                if !self.parser.eat_token("]") {
                    loop {
                        items.push(self.wrapped(inner, base)?);
                        if !self.parser.eat_token(",") {
                            break;
                        }
                    }
                    self.parser.expect_token("]")?;
                }
                Ok(self.parser.context.array_attribute(&items))
            }
        }
    }

    fn unwrapped(&mut self, base: PropertyBase) -> Result<Attribute> {
        match base {
            PropertyBase::Integer { width } => {
                let ty = self.parser.context.integer_type(width);
                self.parser.attribute_of_type(ty)
            }
            PropertyBase::String => {
                let token = self.parser.expect(TokenKind::String, "string")?;
                let value = self.parser.string_identifier(token);
                Ok(self.parser.context.string_attribute_of(value))
            }
            PropertyBase::Unit => {
                let there = self.parser.eat_token("unit");
                if !there && !self.parser.eat_token("unit_absent") {
                    return Err(self.parser.error("expected 'unit' or 'unit_absent'"));
                }
                let context = &mut self.parser.context;
                Ok(match there {
                    true => context.unit_attribute(),
                    false => context.bool_attribute(false),
                })
            }
            PropertyBase::Bool | PropertyBase::Attribute | PropertyBase::Own => {
                self.parser.attribute()
            }
        }
    }

    /// Parses the keyword of an enumeration's case, or several in quotes.
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
        let Some(value) = crate::parser::entries::read_member(enumeration, &text) else {
            let text = String::from_utf8_lossy(&text).into_owned();
            return Err(AsmError::new(
                place,
                format!("invalid {name} attribute specification: \"{text}\""),
            ));
        };
        self.parser.advance();
        self.value_of_member(enumeration, value, place)
    }

    /// Parses the keywords of an enumeration's cases, with its separator between them.
    fn members(&mut self, enumeration: &EnumDefinition, name: &str) -> Result<Attribute> {
        let place = self.parser.token_place();
        let separator = enumeration.separator.as_deref().unwrap_or_default().trim();
        let mut all = 0;
        loop {
            let word = self.parser.current();
            let value = match self.parser.token.kind {
                TokenKind::BareIdentifier => crate::parser::entries::read_member(enumeration, word),
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
}
