//! Bodies to parameters.

use super::print::missing_hook;
use crate::diagnostic::Result;
use crate::lexer::TokenKind;
use crate::parser::Parser;
use rmlir_ir::affine::{AffineExpr, AffineMap};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, ParametersMut, Place};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, EntryTable, EnumDefinition, FormatElement, OptionalGroup,
    ParameterKind,
};
use rmlir_ir::float::{FloatKind, parse_decimal, parse_hex};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Identifier, Type, TypeKind};

/// Entries inside of entries without their names that are read at most; deeper ones are not taken apart.
const DEEPEST: u32 = 32;

pub(super) struct BodyParser<'p, 's, 'c> {
    parser: &'p mut Parser<'s, 'c>,
    dialect: &'p DialectDefinition,
    depth: u32,
}

type Values = FieldValues<'static>;

impl<'p, 's, 'c> BodyParser<'p, 's, 'c> {
    pub(super) fn new(parser: &'p mut Parser<'s, 'c>, dialect: &'p DialectDefinition) -> Self {
        BodyParser {
            parser,
            dialect,
            depth: 0,
        }
    }

    /// The parameters of a whole body.
    pub(super) fn body(mut self, entry: &EntryDefinition, ty: Option<Type>) -> Result<Values> {
        // The mnemonic, which was looked at already.
        self.parser.reset_to(entry.mnemonic.len());
        let values = self.entry(entry, ty)?;
        self.parser.expect_end()?;
        Ok(values)
    }

    /// The parameters of an entry, which has this type if it is an attribute with one.
    fn entry(&mut self, entry: &EntryDefinition, ty: Option<Type>) -> Result<Values> {
        let start = self.parser.token_place();
        let mut values = FieldValues::default();
        for parameter in &entry.parameters {
            values.fields.push(match parameter.kind {
                ParameterKind::SelfType => ty.map_or(FieldValue::Absent, FieldValue::Type),
                _ => parameter.default_value(self.parser.context_mut()),
            });
        }
        self.elements(entry, &entry.format.elements, &mut values)?;
        for (parameter, value) in entry.parameters.iter().zip(&mut values.fields) {
            match (&parameter.kind, &*value) {
                (ParameterKind::List(_), FieldValue::Absent) if parameter.is_required() => {
                    *value = FieldValue::List(0..0);
                }
                (_, FieldValue::Absent) if parameter.is_required() => {
                    let message = format!("parameter '{}' is missing", parameter.name);
                    return Err(AsmError::new(start, message));
                }
                _ => {}
            }
        }
        Ok(values)
    }

    /// The body of an entry of that mnemonic that is spelled without it.
    fn stripped_body(&mut self, table: &EntryTable, mnemonic: &str) -> Result<DialectBody> {
        let place = self.parser.token_place();
        let dialect = self.dialect;
        let number = self.parser.context().release().number_in(dialect.family);
        let Some(entry) = table.entry(mnemonic.as_bytes(), number) else {
            let message = format!("no definition of '{mnemonic}' is known");
            return Err(AsmError::new(place, message));
        };
        if self.depth >= DEEPEST {
            return Err(AsmError::new(place, "entries are nested too deeply"));
        }
        self.depth = self.depth.saturating_add(1);
        let values = self.entry(entry, None);
        self.depth = self.depth.saturating_sub(1);
        let context = self.parser.context_mut();
        let body = super::entry_body(context, dialect, entry, &values?, usize::MAX);
        body.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    /// A type of that mnemonic that is spelled without it.
    pub(super) fn stripped_type(&mut self, mnemonic: &str) -> Result<Type> {
        let place = self.parser.token_place();
        let body = self.stripped_body(&self.dialect.types, mnemonic)?;
        let context = self.parser.context_mut();
        let dialect = context.identifier(&*self.dialect.name);
        let made = context.try_type(TypeKind::Dialect { dialect, body });
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    /// Recurses on groups of the definition, which are few.
    fn elements(
        &mut self,
        entry: &EntryDefinition,
        elements: &[FormatElement],
        values: &mut Values,
    ) -> Result<()> {
        for element in elements {
            match element {
                FormatElement::Literal(text) => EntryParser::expect(self, text)?,
                FormatElement::Space(_) => {}
                FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                    self.parameter(entry, *place, values)?;
                }
                FormatElement::Parameters(places) => {
                    let mut first = true;
                    for &place in places {
                        let more = match first {
                            true => !self.at_end(),
                            false => EntryParser::eat(self, ","),
                        };
                        if !more {
                            break;
                        }
                        first = false;
                        self.parameter(entry, place, values)?;
                    }
                }
                FormatElement::Struct(places) => self.named(entry, places, values)?,
                FormatElement::Custom(custom) => {
                    let Some(hook) = custom.hook else {
                        let missing = missing_hook(self.dialect, &custom.name);
                        return Err(AsmError::new(self.parser.token_place(), missing.message()));
                    };
                    hook.parse(self, ParametersMut::new(values, &custom.parameters))?;
                }
                FormatElement::Group(group) => {
                    let branch = match self.is_present(group) {
                        true => &group.then,
                        false => &group.otherwise,
                    };
                    self.elements(entry, branch, values)?;
                }
                FormatElement::Operation(_) => return missing(self, "an element of entries"),
            }
        }
        Ok(())
    }

    /// Whether the first branch of a group comes next.
    fn is_present(&self, group: &OptionalGroup) -> bool {
        let starts = |elements: &[FormatElement]| {
            let mut elements = elements.iter();
            let first = elements.find(|element| !matches!(element, FormatElement::Space(_)));
            match first {
                Some(FormatElement::Literal(text)) => Some(EntryParser::at(self, text)),
                Some(_) => Some(!self.at_end()),
                None => None,
            }
        };
        match (starts(&group.then), starts(&group.otherwise)) {
            (Some(then), _) => then,
            (None, Some(otherwise)) => !otherwise,
            (None, None) => true,
        }
    }

    /// Whether something ends here.
    fn at_end(&self) -> bool {
        matches!(
            self.parser.token_kind(),
            TokenKind::Eof
                | TokenKind::Comma
                | TokenKind::Greater
                | TokenKind::RightParen
                | TokenKind::RightSquare
                | TokenKind::RightBrace
        )
    }

    /// `name = value` in any order, with commas between them.
    fn named(
        &mut self,
        entry: &EntryDefinition,
        places: &[usize],
        values: &mut Values,
    ) -> Result<()> {
        if self.at_end() {
            return Ok(());
        }
        let mut seen = vec![false; entry.parameters.len()];
        loop {
            let start = self.parser.token_place();
            let Some(name) = EntryParser::optional_keyword(self) else {
                return missing(self, "parameter name");
            };
            let bytes = self.parser.context().bytes(name);
            let named = |&&place: &&usize| {
                let parameter = entry.parameters.get(place);
                parameter.is_some_and(|parameter| parameter.name.as_bytes() == bytes)
            };
            let Some(&place) = places.iter().find(named) else {
                return Err(AsmError::new(start, "unknown parameter name"));
            };
            if let Some(seen) = seen.get_mut(place)
                && std::mem::replace(seen, true)
            {
                return Err(AsmError::new(start, "duplicate parameter name"));
            }
            EntryParser::expect(self, "=")?;
            self.parameter(entry, place, values)?;
            // StableHLO's attributes may have a comma behind the last.
            if !EntryParser::eat(self, ",") || self.at_end() {
                return Ok(());
            }
        }
    }

    fn parameter(
        &mut self,
        entry: &EntryDefinition,
        place: usize,
        values: &mut Values,
    ) -> Result<()> {
        let Some(parameter) = entry.parameters.get(place) else {
            return Ok(());
        };
        let value = self.value(&parameter.kind, values)?;
        if let Some(field) = values.fields.get_mut(place) {
            *field = value;
        }
        Ok(())
    }

    /// Recurses on lists in lists of the definition, which are few.
    fn value(&mut self, kind: &ParameterKind, values: &mut Values) -> Result<FieldValue<'static>> {
        let place = self.parser.token_place();
        Ok(match kind {
            ParameterKind::Integer => {
                let value = self.integer()?;
                let value = i64::try_from(value);
                FieldValue::Signed(value.map_err(|_| too_large(place))?)
            }
            ParameterKind::Dimension => {
                let parser: &mut dyn EntryParser = self;
                FieldValue::Signed(parser.dimension()?)
            }
            ParameterKind::Dimensions => {
                let parser: &mut dyn EntryParser = self;
                parser.expect("[")?;
                let sizes = parser.separated("]", |parser| parser.dimension())?;
                values.make_list(sizes.into_iter().map(FieldValue::Signed))
            }
            ParameterKind::Unsigned => {
                let value = self.integer()?;
                let value = u64::try_from(value);
                FieldValue::Unsigned(value.map_err(|_| too_large(place))?)
            }
            ParameterKind::Bool => {
                if EntryParser::eat(self, "true") {
                    FieldValue::Unsigned(1)
                } else {
                    EntryParser::expect(self, "false")?;
                    FieldValue::Unsigned(0)
                }
            }
            ParameterKind::Float => FieldValue::Float(EntryParser::float(self)?.into()),
            ParameterKind::String => match EntryParser::optional_string(self) {
                Some(string) => FieldValue::String(string),
                None => return missing(self, "string"),
            },
            ParameterKind::Enumeration { name, .. } => {
                FieldValue::Unsigned(self.enumeration(name)?)
            }
            ParameterKind::Attribute { mnemonic } => FieldValue::Attribute(match mnemonic {
                Some(mnemonic) => EntryParser::stripped(self, mnemonic)?,
                None => self.parser.attribute()?,
            }),
            ParameterKind::Type { .. } | ParameterKind::SelfType => {
                FieldValue::Type(self.parser.ty()?)
            }
            ParameterKind::List(kind) => {
                let mut items = Vec::new();
                if !self.at_end() {
                    loop {
                        items.push(self.value(kind, values)?);
                        if !EntryParser::eat(self, ",") {
                            break;
                        }
                    }
                }
                values.make_list(items)
            }
            ParameterKind::Own => return missing(self, "a hook"),
        })
    }

    fn integer(&mut self) -> Result<i128> {
        match EntryParser::optional_integer(self)? {
            Some(value) => Ok(value),
            None => missing(self, "integer value"),
        }
    }

    /// A member, or several with the separator between them, in quotes or not.
    fn enumeration(&mut self, name: &str) -> Result<u64> {
        let place = self.parser.token_place();
        let mut text = Vec::new();
        if let Some(string) = EntryParser::optional_string(self) {
            text.extend_from_slice(self.parser.context().bytes(string));
        } else {
            let Some(keyword) = EntryParser::optional_keyword(self) else {
                return missing(self, "keyword");
            };
            text.extend_from_slice(self.parser.context().bytes(keyword));
            let separator = self
                .dialect
                .find_enumeration(self.parser.context(), name, |e| {
                    e.separator.as_ref().map(|s| s.trim().to_owned())
                });
            if let Some(separator) = separator {
                while EntryParser::eat(self, &separator) {
                    let Some(keyword) = EntryParser::optional_keyword(self) else {
                        return missing(self, "keyword");
                    };
                    text.extend_from_slice(separator.as_bytes());
                    text.extend_from_slice(self.parser.context().bytes(keyword));
                }
            }
        }
        let found = self
            .dialect
            .find_enumeration(self.parser.context(), name, |enumeration| {
                Some(read(enumeration, &text))
            });
        found
            .flatten()
            .ok_or_else(|| AsmError::new(place, "no member of the enumeration"))
    }
}

#[cold]
fn too_large(place: Place) -> AsmError {
    AsmError::new(place, "integer value too large")
}

/// The value of an enumeration's text.
pub(crate) fn read(enumeration: &EnumDefinition, text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let case = |word: &str| {
        let mut cases = enumeration.cases.iter();
        let found = cases.find(|case| case.keyword == word);
        found.map(|case| case.value.cast_unsigned())
    };
    match enumeration.separator.as_deref().map(str::trim) {
        Some(separator) if !separator.is_empty() => text
            .split(separator)
            .try_fold(0, |bits, word| Some(bits | case(word.trim())?)),
        _ => case(text),
    }
}

#[cold]
fn missing<T>(parser: &BodyParser<'_, '_, '_>, what: &str) -> Result<T> {
    let parser: &dyn EntryParser = parser;
    parser.expected(what)
}

impl EntryParser for BodyParser<'_, '_, '_> {
    fn context(&mut self) -> &mut Context {
        self.parser.context_mut()
    }

    fn place(&self) -> Place {
        self.parser.token_place()
    }

    fn at(&self, token: &str) -> bool {
        self.parser.at_token(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        self.parser.eat_token(token)
    }

    fn expect(&mut self, token: &str) -> AsmResult<()> {
        self.parser.expect_token(token)
    }

    fn optional_integer(&mut self) -> AsmResult<Option<i128>> {
        let negative = self.parser.token_kind() == TokenKind::Minus;
        let place = self.parser.token_place();
        if negative {
            self.parser.advance();
        }
        if self.parser.token_kind() != TokenKind::Integer {
            return match negative {
                true => missing(self, "integer value"),
                false => Ok(None),
            };
        }
        let token = self.parser.advance();
        let text = std::str::from_utf8(self.parser.text(token)).unwrap_or_default();
        let value = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => text.parse::<i128>(),
        };
        let value = value.map_err(|_| too_large(place))?;
        Ok(Some(if negative {
            value.wrapping_neg()
        } else {
            value
        }))
    }

    fn float(&mut self) -> AsmResult<u64> {
        let place = self.parser.token_place();
        let Some((negative, text)) = EntryParser::number(self) else {
            return missing(self, "floating point literal");
        };
        let bits = match text.strip_prefix(b"0x") {
            Some(digits) => parse_hex(FloatKind::F64, digits),
            None => parse_decimal(FloatKind::F64, &text),
        };
        let Some(bits) = bits else {
            return Err(AsmError::new(place, "malformed floating point literal"));
        };
        let bits = bits as u64;
        Ok(if negative { bits ^ 1 << 63 } else { bits })
    }

    fn number(&mut self) -> Option<(bool, Vec<u8>)> {
        let negative = EntryParser::eat(self, "-");
        let kind = self.parser.token_kind();
        if !matches!(kind, TokenKind::Integer | TokenKind::Float) {
            return None;
        }
        let token = self.parser.advance();
        Some((negative, self.parser.text(token).to_vec()))
    }

    fn optional_string(&mut self) -> Option<Identifier> {
        if self.parser.token_kind() != TokenKind::String {
            return None;
        }
        let token = self.parser.advance();
        Some(self.parser.string_identifier(token))
    }

    fn optional_keyword(&mut self) -> Option<Identifier> {
        if self.parser.token_kind() != TokenKind::BareIdentifier {
            return None;
        }
        let token = self.parser.advance();
        let text = self.parser.text(token);
        Some(self.parser.context_mut().identifier(text))
    }

    fn dimensions(&mut self) -> AsmResult<Vec<i64>> {
        self.parser.plain_dimensions()
    }

    fn attribute(&mut self) -> AsmResult<Attribute> {
        self.parser.attribute()
    }

    fn ty(&mut self) -> AsmResult<Type> {
        self.parser.ty()
    }

    fn affine_expression(
        &mut self,
        dims: &[Identifier],
        symbols: &[Identifier],
    ) -> AsmResult<AffineExpr> {
        self.parser.affine_expr_with(dims, symbols)
    }

    fn affine_map(&mut self) -> AsmResult<AffineMap> {
        self.parser.affine_map()
    }

    fn parameters_of(&mut self, attribute: Attribute) -> AsmResult<Option<Values>> {
        let place = self.parser.token_place();
        let found = super::attribute_parameters(self.parser.context_mut(), attribute);
        match found {
            Ok(found) => Ok(found.map(|parameters| parameters.values().clone())),
            Err(error) => Err(AsmError::new(place, error.message())),
        }
    }

    fn stripped(&mut self, mnemonic: &str) -> AsmResult<Attribute> {
        if self.parser.token_kind() == TokenKind::HashIdentifier {
            return self.parser.attribute();
        }
        let place = self.parser.token_place();
        let body = self.stripped_body(&self.dialect.attributes, mnemonic)?;
        let context = self.parser.context_mut();
        let kind = AttributeKind::Dialect {
            dialect: context.identifier(&*self.dialect.name),
            body,
            ty: None,
        };
        let made = context.try_attribute(kind);
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }
}
