//! Parses the bodies of attributes and types to parameters.

use super::print::missing_hook;
use super::{defaults, is_of};
use crate::diagnostic::Result;
use crate::entry_format::bare_members;
use crate::lexer::TokenKind;
use crate::parser::Parser;
use rmlir_ir::affine::{AffineExpr, AffineMap};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, Parameters, ParametersMut, Place};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::constraint::AttributeIs;
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, EntryTable, EnumDefinition, FormatElement, OptionalGroup,
    ParameterDefinition, ParameterKind,
};
use rmlir_ir::float::{FloatKind, parse_decimal, parse_hex};
use rmlir_ir::{
    Attribute, AttributeKind, BodyReference, Context, DialectBody, Identifier, Type, TypeKind,
};

/// The maximum depth of nested entries without their names; deeper ones are not decomposed.
const DEEPEST: u32 = 32;

pub(super) struct BodyParser<'p, 's, 'c> {
    parser: &'p mut Parser<'s, 'c>,
    dialect: &'p DialectDefinition,
    depth: u32,
    /// Whether a parameter of a `struct` is being parsed, after which another can follow.
    in_struct: bool,
}

type Values = FieldValues<'static>;

impl<'p, 's, 'c> BodyParser<'p, 's, 'c> {
    pub(super) fn new(parser: &'p mut Parser<'s, 'c>, dialect: &'p DialectDefinition) -> Self {
        BodyParser {
            parser,
            dialect,
            depth: 0,
            in_struct: false,
        }
    }

    /// Returns the parameters of a whole body.
    pub(super) fn body(mut self, entry: &EntryDefinition, ty: Option<Type>) -> Result<Values> {
        // The caller has examined the mnemonic already.
        self.parser.reset_to(entry.mnemonic.len());
        let values = match bare_members(entry) {
            // As newer releases write them.
            Some(place) if self.parser.token_kind() == TokenKind::Less => {
                let [open, close] = ["<", ">"].map(|text| FormatElement::Literal(text.into()));
                let enclosed = [open, FormatElement::Parameter(place), close];
                self.entry_as(entry, &enclosed, ty)?
            }
            _ => self.entry(entry, ty)?,
        };
        self.parser.expect_end()?;
        Ok(values)
    }

    /// Parses a complete text as a value in the syntax of bodies. The items of lists are appended
    /// to `values`.
    pub(super) fn alone(
        mut self,
        kind: &ParameterKind,
        values: &mut Values,
    ) -> Result<FieldValue<'static>> {
        let value = self.value(kind, values)?;
        self.parser.expect_end()?;
        Ok(value)
    }

    /// Parses the parameters of an attribute or type. `ty` is the type of an attribute that has
    /// one.
    fn entry(&mut self, entry: &EntryDefinition, ty: Option<Type>) -> Result<Values> {
        self.entry_as(entry, &entry.format.elements, ty)
    }

    /// Parses the parameters of an attribute or type in this format.
    fn entry_as(
        &mut self,
        entry: &EntryDefinition,
        elements: &[FormatElement],
        ty: Option<Type>,
    ) -> Result<Values> {
        let start = self.parser.token_place();
        let mut values = FieldValues::default();
        for parameter in &entry.parameters {
            values.fields.push(match parameter.kind {
                ParameterKind::SelfType => ty.map_or(FieldValue::Absent, FieldValue::Type),
                _ => parameter.default_value(self.parser.context_mut()),
            });
        }
        self.elements(entry, elements, &mut values)?;
        let with = self.parser.context_and_shared();
        defaults::fill(with, self.dialect, entry, &mut values).map_err(|error| {
            // Once, however deep it is.
            let message = error.message().trim_start_matches("in a default: ");
            AsmError::new(start, format!("in a default: {message}"))
        })?;
        let number = self.release();
        for (parameter, value) in entry.parameters.iter().zip(&mut values.fields) {
            match (&parameter.kind, &*value) {
                (ParameterKind::List(_), FieldValue::Absent) if parameter.is_required() => {
                    *value = FieldValue::List(0..0);
                }
                (_, FieldValue::Absent)
                    if parameter.is_required() && parameter.releases.contains(number) =>
                {
                    let message = format!("parameter '{}' is missing", parameter.name);
                    return Err(AsmError::new(start, message));
                }
                _ => {}
            }
        }
        if let Some(verifier) = entry.hook.verifier {
            let places: Vec<usize> = (0..entry.parameters.len()).collect();
            let verified =
                verifier.verify(self.parser.context(), Parameters::new(&values, &places));
            verified.map_err(|invalid| AsmError::new(start, invalid.message()))?;
        }
        Ok(values)
    }

    /// Parses the body of an attribute or type with that mnemonic, written without dialect and
    /// mnemonic.
    fn stripped_body(&mut self, table: &EntryTable, mnemonic: &str) -> Result<DialectBody> {
        let place = self.parser.token_place();
        let dialect = self.dialect;
        let number = self.parser.context().release().number_in(dialect.family);
        let entry = table.entry(mnemonic.as_bytes(), number);
        let Some(entry) = entry.filter(|entry| !entry.opaque) else {
            let message = format!("no definition of '{mnemonic}' is known");
            return Err(AsmError::new(place, message).unsupported());
        };
        if self.depth >= DEEPEST {
            return Err(AsmError::new(place, "entries are nested too deeply").unsupported());
        }
        self.depth = self.depth.saturating_add(1);
        let in_struct = std::mem::take(&mut self.in_struct);
        let values = self.entry(entry, None);
        self.in_struct = in_struct;
        self.depth = self.depth.saturating_sub(1);
        // The text pays for its parts, unless they were shared.
        let len = self.parser.token_place().saturating_sub(place);
        let with = self.parser.context_and_shared();
        let body = super::shared_body(with, dialect, (entry, &values?), len);
        let body = body.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        let more = super::length(&body).saturating_sub(len);
        self.parser.spend_bytes(place, more)?;
        Ok(body)
    }

    /// Parses a type with that mnemonic, written without dialect and mnemonic.
    pub(super) fn stripped_type(&mut self, mnemonic: &str) -> Result<Type> {
        let place = self.parser.token_place();
        let body = self.stripped_body(&self.dialect.types, mnemonic)?;
        let context = self.parser.context_mut();
        let dialect = context.identifier(&*self.dialect.name);
        let made = context.try_type(TypeKind::Dialect { dialect, body });
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    /// Parses a type of the dialect, written with or without the dialect's name. A word without a
    /// definition is a type, unless all types of the dialect have definitions.
    pub(super) fn bare_type(&mut self) -> Result<Type> {
        let place = self.parser.token_place();
        if self.parser.token_kind() == TokenKind::ExclamationIdentifier {
            let ty = self.parser.ty()?;
            let context = self.parser.context();
            return match context.type_kind(ty) {
                TypeKind::Dialect { dialect, .. }
                    if context.bytes(*dialect) == self.dialect.name.as_bytes() =>
                {
                    Ok(ty)
                }
                _ => Err(AsmError::new(place, "invalid kind of type specified")),
            };
        }
        if self.parser.token_kind() != TokenKind::BareIdentifier {
            return missing(self, "a type");
        }
        let token = self.parser.advance();
        let word = String::from_utf8_lossy(self.parser.text(token)).into_owned();
        let number = self
            .parser
            .context()
            .release()
            .number_in(self.dialect.family);
        let entry = self.dialect.types.entry(word.as_bytes(), number);
        let is_described = match entry {
            Some(entry) => !entry.opaque,
            None => self.dialect.types_complete,
        };
        if is_described {
            return self.stripped_type(&word);
        }
        let context = self.parser.context_mut();
        let dialect = context.identifier(&*self.dialect.name);
        let body = DialectBody::from_text(word.as_bytes());
        let made = context.try_type(TypeKind::Dialect { dialect, body });
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    /// Parses a type of the dialect with that mnemonic, written with or without dialect and
    /// mnemonic.
    fn type_of(&mut self, mnemonic: &str) -> Result<Type> {
        if self.parser.token_kind() != TokenKind::ExclamationIdentifier {
            return self.stripped_type(mnemonic);
        }
        let place = self.parser.token_place();
        let ty = self.parser.ty()?;
        match is_of(
            self.parser.context(),
            self.dialect,
            BodyReference::Type(ty),
            mnemonic,
        ) {
            true => Ok(ty),
            false => Err(AsmError::new(place, "invalid kind of type specified")),
        }
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
                        let place = self.parser.token_place();
                        return Err(AsmError::new(place, missing.message()).unsupported());
                    };
                    let start = self.parser.token_place();
                    let arguments = ParametersMut::new(values, &custom.parameters);
                    hook.parse(self, arguments.with_texts(&custom.texts))?;
                    for &place in &custom.bound {
                        self.check(entry, place, values, start)?;
                    }
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

    /// Returns whether the first branch of a group is next.
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

    /// Returns whether something ends here.
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
        let mut seen = vec![false; entry.parameters.len()];
        if self.at_end() {
            return self.all_are_there(entry, places, (&seen, values));
        }
        loop {
            let start = self.parser.token_place();
            let Some(name) = EntryParser::optional_keyword(self) else {
                let error = AsmError::new(start, "expected valid keyword");
                return Err(error.consequence("expected a parameter name in struct"));
            };
            let bytes = self.parser.context().bytes(name);
            let named = |&&place: &&usize| {
                let parameter = entry.parameters.get(place);
                parameter.is_some_and(|parameter| parameter.name.as_bytes() == bytes)
            };
            let place = places.iter().copied().find(|place| named(&place));
            let new = place.filter(|&place| {
                let seen = seen.get_mut(place);
                seen.is_some_and(|seen| !std::mem::replace(seen, true))
            });
            let Some(place) = new else {
                let name = self.parser.context().bytes(name).escape_ascii();
                let message = format!("duplicate or unknown struct parameter name: {name}");
                return Err(AsmError::new(start, message));
            };
            EntryParser::expect(self, "=")?;
            let outer = std::mem::replace(&mut self.in_struct, true);
            let read = self.parameter(entry, place, values);
            self.in_struct = outer;
            read?;
            // StableHLO's attributes may have a trailing comma.
            if !EntryParser::eat(self, ",") || self.at_end() {
                break;
            }
        }
        self.all_are_there(entry, places, (&seen, values))
    }

    /// Returns the number of the release whose rules apply.
    fn release(&self) -> u32 {
        let release = self.parser.context().release();
        release.number_in(self.dialect.family)
    }

    /// Checks that the required parameters of a `struct` are present.
    fn all_are_there(
        &self,
        entry: &EntryDefinition,
        places: &[usize],
        (seen, values): (&[bool], &Values),
    ) -> Result<()> {
        let number = self.release();
        let absent = |place: &&usize| {
            let value = values.fields.get(**place);
            let parameter = entry.parameters.get(**place);
            let parameter = parameter.filter(|parameter| parameter.releases.contains(number));
            let required = parameter.and_then(|parameter| parameter.required);
            if required.is_some_and(|releases| releases.contains(number)) {
                return seen.get(**place) != Some(&true);
            }
            value.is_some_and(|value| matches!(value, FieldValue::Absent))
                && parameter.is_some_and(|parameter| {
                    parameter.is_required() && !matches!(parameter.kind, ParameterKind::List(_))
                })
        };
        let found = places.iter().find(absent);
        match found.and_then(|place| entry.parameters.get(*place)) {
            Some(parameter) => {
                let message = format!("struct is missing required parameter: {}", parameter.name);
                Err(AsmError::new(self.parser.token_place(), message))
            }
            None => Ok(()),
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
        let start = self.parser.token_place();
        let value = self.value(&parameter.kind, values);
        let value = value.map_err(|error| match &*entry.constraint {
            "" => error,
            name => {
                let parameter = &parameter.name;
                error.consequence(format!("failed to parse {name} parameter '{parameter}'"))
            }
        })?;
        if let Some(field) = values.fields.get_mut(place) {
            *field = value;
        }
        self.check(entry, place, values, start)
    }

    /// Checks a parameter, at `start`, against the definition's requirements beyond its kind.
    fn check(
        &mut self,
        entry: &EntryDefinition,
        place: usize,
        values: &Values,
        start: Place,
    ) -> Result<()> {
        let found = entry.parameters.get(place).zip(values.fields.get(place));
        let Some((parameter, value)) = found.filter(|found| !found.0.confinements.is_empty())
        else {
            return Ok(());
        };
        let context = self.parser.context_mut();
        let Some(dialect) = context.dialect(self.dialect.name.as_bytes()) else {
            return Ok(());
        };
        let Some(is) = AttributeIs::of_parameter(context, &dialect, parameter) else {
            return Ok(());
        };
        let value = ParameterDefinition::attribute_value(context, value, values);
        let Some(value) = value.filter(|&value| !is.accepts(context, value)) else {
            return Ok(());
        };
        let message = match is.message(context, value) {
            Some(message) => message.to_owned(),
            None => format!("failed to verify '{}': {}", parameter.name, is.words()),
        };
        Err(AsmError::new(start, message))
    }

    /// Recurses on lists in lists of the definition, which are few.
    fn value(&mut self, kind: &ParameterKind, values: &mut Values) -> Result<FieldValue<'static>> {
        let place = self.parser.token_place();
        Ok(match kind {
            ParameterKind::Integer { width } => {
                let parser: &mut dyn EntryParser = self;
                FieldValue::Signed(parser.signed(*width)?)
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
            ParameterKind::Unsigned { width, .. } => {
                let parser: &mut dyn EntryParser = self;
                FieldValue::Unsigned(parser.unsigned(*width)?)
            }
            ParameterKind::BigInteger => {
                let Some((negative, digits)) = EntryParser::number(self) else {
                    return missing(self, "integer value");
                };
                let magnitude = match digits.strip_prefix(b"0x") {
                    Some(digits) => ApInt::parse_digits(digits, 16),
                    None => ApInt::parse_digits(&digits, 10),
                };
                match magnitude {
                    Some(magnitude) => {
                        FieldValue::Integer(ApInt::from_magnitude(negative, &magnitude))
                    }
                    None => return Err(AsmError::new(place, "expected integer value")),
                }
            }
            ParameterKind::Bool => {
                let parser: &mut dyn EntryParser = self;
                FieldValue::Unsigned(parser.boolean()?.into())
            }
            ParameterKind::Float => FieldValue::Float(EntryParser::float(self)?.into()),
            ParameterKind::AffineMap => {
                let map = self.parser.affine_map()?;
                FieldValue::Attribute(self.made(place, AttributeKind::AffineMap(map))?)
            }
            ParameterKind::IntegerSet => {
                let set = self.parser.integer_set()?;
                FieldValue::Attribute(self.made(place, AttributeKind::IntegerSet(set))?)
            }
            ParameterKind::String => match EntryParser::optional_string(self) {
                Some(string) => FieldValue::String(string),
                None => return missing(self, "string"),
            },
            ParameterKind::Enumeration {
                abbreviates: Some(of),
                ..
            } if self.parser.token_kind() == TokenKind::HashIdentifier => {
                let attribute = EntryParser::stripped(self, &of.mnemonic)?;
                let context = self.parser.context_mut();
                super::abbreviated(context, self.dialect, of, attribute)
            }
            ParameterKind::Enumeration { name, .. } => {
                FieldValue::Unsigned(self.enumeration(name)?)
            }
            ParameterKind::Attribute { mnemonic } => FieldValue::Attribute(match mnemonic {
                Some(mnemonic) => EntryParser::stripped(self, mnemonic)?,
                None => self.parser.attribute()?,
            }),
            ParameterKind::Type {
                mnemonic: Some(mnemonic),
            } => FieldValue::Type(self.type_of(mnemonic)?),
            ParameterKind::Type { mnemonic: None } | ParameterKind::SelfType => {
                FieldValue::Type(self.parser.ty()?)
            }
            ParameterKind::List(kind) => {
                let mut items = Vec::new();
                if !self.at_end() {
                    loop {
                        items.push(self.value(kind, values)?);
                        // The next parameter of a `struct` is not an item. MLIR reads no parameter
                        // after a list.
                        if self.in_struct && self.parser.at_comma_and_name() {
                            break;
                        }
                        if !EntryParser::eat(self, ",") {
                            break;
                        }
                    }
                }
                values.make_list(items)
            }
            ParameterKind::Own => {
                return Err(AsmError::new(place, "expected a hook").unsupported());
            }
        })
    }

    fn made(&mut self, place: Place, kind: AttributeKind) -> Result<Attribute> {
        let made = self.parser.context_mut().try_attribute(kind);
        made.map_err(|invalid| AsmError::new(place, invalid.message()))
    }

    #[cold]
    fn no_member(&self, place: Place, name: &str) -> AsmError {
        let context = self.parser.context();
        let members = self
            .dialect
            .find_enumeration(context, name, |found| Some(keywords(found)));
        let members = members.unwrap_or_default();
        AsmError::new(place, format!("expected {name} to be one of: {members}"))
    }

    /// Parses the keyword of a case, or several with the separator between them, quoted or not.
    fn enumeration(&mut self, name: &str) -> Result<u64> {
        let place = self.parser.token_place();
        let mut text = Vec::new();
        if let Some(string) = EntryParser::optional_string(self) {
            text.extend_from_slice(self.parser.context().bytes(string));
        } else {
            let Some(keyword) = EntryParser::optional_keyword(self) else {
                return missing(self, "valid keyword");
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
                        return missing(self, "valid keyword");
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
        match found.flatten() {
            Some(value) => Ok(value),
            None => Err(self.no_member(place, name)),
        }
    }
}

/// Returns the keywords of an enumeration's members, as errors list them.
fn keywords(enumeration: &EnumDefinition) -> String {
    let shown = enumeration.cases.iter().filter(|case| !case.hidden);
    let words: Vec<&str> = shown.map(|case| &*case.keyword).collect();
    words.join(", ")
}

#[cold]
fn too_large(place: Place) -> AsmError {
    AsmError::new(place, "integer value too large")
}

/// Returns the value of an enumeration's text.
pub(crate) fn read(enumeration: &EnumDefinition, text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    enumeration.value_of(text).map(i64::cast_unsigned)
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

    fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>> {
        self.parser.optional_big_integer()
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

    fn dimension_list(&mut self) -> AsmResult<Vec<i64>> {
        self.parser.dimension_list()
    }

    fn expect_times(&mut self) -> AsmResult<()> {
        self.parser.expect_times()
    }

    fn attribute(&mut self) -> AsmResult<Attribute> {
        self.parser.attribute()
    }

    fn ty(&mut self) -> AsmResult<Type> {
        self.parser.ty()
    }

    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
        self.parser.attribute_of_type(ty)
    }

    fn bare_type(&mut self) -> AsmResult<Type> {
        BodyParser::bare_type(self)
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
        match super::values_of(self.parser.context_mut(), attribute.into()) {
            Ok(found) => Ok(found.map(|(_, values)| values)),
            Err(error) => Err(AsmError::new(place, error.message())),
        }
    }

    fn stripped_type(&mut self, mnemonic: &str) -> AsmResult<Type> {
        BodyParser::stripped_type(self, mnemonic)
    }

    fn stripped(&mut self, mnemonic: &str) -> AsmResult<Attribute> {
        let place = self.parser.token_place();
        if self.parser.token_kind() == TokenKind::HashIdentifier {
            let attribute = self.parser.attribute()?;
            return match is_of(
                self.parser.context(),
                self.dialect,
                BodyReference::Attribute(attribute),
                mnemonic,
            ) {
                true => Ok(attribute),
                false => Err(AsmError::new(place, "invalid kind of attribute specified")),
            };
        }
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
