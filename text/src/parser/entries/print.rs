//! Prints the parameters of attributes and types as bodies.

use super::defaults::is_left_out;
use super::grammar::said;
use super::is_of;
use crate::parser::SharedState;
use crate::printer::{body_pieces, is_body_reference, quoted};
use rmlir_ir::asm::{EntryPrinter, Parameters};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, Family, FormatElement, OptionalGroup, ParameterKind, Text,
};
use rmlir_ir::float::{FloatKind, write_float};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Entry,
    Identifier, Invalid, Signedness, Type, TypeKind,
};
use std::collections::BTreeSet;

pub(super) struct BodyPrinter<'c> {
    context: &'c mut Context,
    shared: &'c mut SharedState,
    dialect: &'c DialectDefinition,
    out: BodyBuilder,
    /// Whether a space comes before the next element, unless it is punctuation that takes none.
    space: bool,
    /// Whether the last element was punctuation.
    punctuation: bool,
    /// How long the body may be.
    longest: usize,
    is_too_long: bool,
    /// The tokens that the parser would take for a part of the previous element, or for an absent
    /// group.
    pending: Vec<Pending>,
    /// The error for a value that has no text or too long a text.
    error: Option<Invalid>,
}

/// A token that must not come next.
enum Pending {
    /// This keyword or punctuation.
    Token(Text),
    /// Any but one that ends something.
    UnlessEnd,
}

impl Pending {
    /// Returns whether a text begins with it.
    fn begins(&self, text: &[u8]) -> bool {
        let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
        match self {
            Pending::Token(token) => text.strip_prefix(token.as_bytes()).is_some_and(|rest| {
                let is_word = token.bytes().next().is_some_and(in_word);
                !is_word || !rest.first().copied().is_some_and(in_word)
            }),
            Pending::UnlessEnd => !text.first().is_some_and(|byte| b",>)]}".contains(byte)),
        }
    }
}

type Result<T = ()> = std::result::Result<T, Invalid>;

impl<'c> BodyPrinter<'c> {
    pub(super) fn new(
        (context, shared): (&'c mut Context, &'c mut SharedState),
        dialect: &'c DialectDefinition,
        longest: usize,
    ) -> Self {
        BodyPrinter {
            context,
            shared,
            dialect,
            out: BodyBuilder::new(),
            space: true,
            punctuation: false,
            longest,
            is_too_long: false,
            pending: Vec::new(),
            error: None,
        }
    }

    pub(super) fn body(
        &mut self,
        entry: &EntryDefinition,
        values: &FieldValues<'_>,
    ) -> Result<DialectBody> {
        self.write(entry.mnemonic.as_bytes());
        self.elements(entry, &entry.format.elements, values)?;
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut self.out).finish()),
        }
    }

    /// Returns whether the body would be longer than it may be.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Recurses on groups of the definition, which are few.
    fn elements(
        &mut self,
        entry: &EntryDefinition,
        elements: &[FormatElement],
        values: &FieldValues<'_>,
    ) -> Result {
        for element in elements {
            match element {
                FormatElement::Literal(text) => self.literal(text.as_bytes()),
                FormatElement::Space(space) => {
                    if *space {
                        self.write(b" ");
                    }
                    self.space = false;
                    self.punctuation = true;
                }
                FormatElement::Parameter(place) => {
                    self.before_value();
                    self.parameter(entry, *place, values, false)?;
                }
                FormatElement::Qualified(place) => {
                    self.before_value();
                    self.parameter(entry, *place, values, true)?;
                }
                FormatElement::Parameters(places) => self.list(entry, places, values, false)?,
                FormatElement::Struct(places) => self.list(entry, places, values, true)?,
                FormatElement::Custom(custom) => {
                    let Some(hook) = custom.hook else {
                        return Err(missing_hook(self.dialect, &custom.name));
                    };
                    let arguments = Parameters::new(values, &custom.parameters);
                    hook.print(self, arguments.with_texts(&custom.texts))?;
                    self.space = true;
                    self.punctuation = false;
                }
                FormatElement::Group(group) => {
                    let is_then = self.is_present(entry, group, values);
                    let branch = match is_then {
                        true => &group.then,
                        false => &group.otherwise,
                    };
                    self.nothing_is_lost(entry, group, is_then, values)?;
                    self.not_taken(group, is_then);
                    self.elements(entry, branch, values)?;
                }
                FormatElement::Operation(_) => {
                    return Err(Invalid::new("the format is one of operations"));
                }
            }
        }
        Ok(())
    }

    /// Upstream's rules of spaces around punctuation.
    fn literal(&mut self, text: &[u8]) {
        let first = text.first().copied().unwrap_or(b' ');
        let single = text.len() == 1;
        let takes_space = if !single && text != b"->" {
            true
        } else if self.punctuation {
            !b">)}],".contains(&first)
        } else {
            !b"<>(){}[],".contains(&first)
        };
        if self.space && takes_space {
            self.write(b" ");
        }
        self.write(text);
        self.space = !single || !b"<({[".contains(&first);
        self.punctuation = first != b'_' && !first.is_ascii_alphabetic();
    }

    fn before_value(&mut self) {
        if self.space || !self.punctuation {
            self.write(b" ");
        }
        self.space = true;
        self.punctuation = false;
    }

    /// `a, b` or `a = ..., b = ...` of those that are not left out.
    fn list(
        &mut self,
        entry: &EntryDefinition,
        places: &[usize],
        values: &FieldValues<'_>,
        named: bool,
    ) -> Result {
        let mut first = true;
        // Without names, omitted parameters must be the last ones.
        let last = match named {
            true => None,
            false => {
                let mut places = places.iter().rev();
                places.find(|&&place| !self.is_left_out(entry, place, values))
            }
        };
        let mut is_behind_last = last.is_none();
        for &place in places {
            if is_behind_last && self.is_left_out(entry, place, values) {
                continue;
            }
            is_behind_last |= last == Some(&place);
            if first {
                self.before_value();
            } else {
                if named {
                    // The name of the next parameter tells the parser that a list has ended.
                    self.pending.clear();
                }
                self.write(b", ");
            }
            first = false;
            if let Some(parameter) = entry.parameters.get(place)
                && named
            {
                self.write(parameter.name.as_bytes());
                self.write(b" = ");
            }
            self.parameter(entry, place, values, false)?;
        }
        Ok(())
    }

    fn parameter(
        &mut self,
        entry: &EntryDefinition,
        place: usize,
        values: &FieldValues<'_>,
        qualified: bool,
    ) -> Result {
        let Some((parameter, value)) = entry.parameters.get(place).zip(values.fields.get(place))
        else {
            return Err(Invalid::new(format!(
                "'{}' has a parameter too few",
                entry.mnemonic
            )));
        };
        let printed = self.value(&parameter.kind, value, values, qualified)?;
        match printed {
            true => Ok(()),
            false => Err(Invalid::new(format!(
                "parameter '{}' of '{}' is not of its kind",
                parameter.name, entry.mnemonic
            ))),
        }
    }

    /// Prints a value if it is of the kind. Recurses on nested lists of the definition, which are
    /// few.
    fn value(
        &mut self,
        kind: &ParameterKind,
        value: &FieldValue<'_>,
        values: &FieldValues<'_>,
        qualified: bool,
    ) -> Result<bool> {
        match (kind, value) {
            (ParameterKind::Integer { .. }, FieldValue::Signed(value)) => {
                self.write(value.to_string().as_bytes());
            }
            (ParameterKind::Dimension, FieldValue::Signed(size)) => {
                let printer: &mut dyn EntryPrinter = self;
                printer.dimension(*size);
            }
            (ParameterKind::Dimensions, FieldValue::List(_) | FieldValue::Absent) => {
                self.write(b"[");
                let list = values.list(value);
                let printer: &mut dyn EntryPrinter = self;
                printer.separated(list, |printer, size| {
                    if let FieldValue::Signed(size) = size {
                        printer.dimension(*size);
                    }
                });
                self.write(b"]");
            }
            (ParameterKind::Unsigned { hex, .. }, FieldValue::Unsigned(value)) => {
                let text = match hex {
                    true => format!("{value:#x}"),
                    false => value.to_string(),
                };
                self.write(text.as_bytes());
            }
            (ParameterKind::BigInteger, FieldValue::Integer(value)) => {
                self.write(value.to_decimal_string(true).as_bytes());
            }
            (ParameterKind::Bool, FieldValue::Unsigned(value @ 0..=1)) => {
                let word: &[u8] = if *value == 1 { b"true" } else { b"false" };
                self.write(word);
            }
            (ParameterKind::Float, FieldValue::Float(bits)) => {
                EntryPrinter::float(self, *bits as u64);
            }
            (ParameterKind::AffineMap | ParameterKind::IntegerSet, FieldValue::Attribute(held)) => {
                return self.affine(kind, *held);
            }
            (ParameterKind::String, FieldValue::String(string)) => {
                EntryPrinter::string(self, *string);
            }
            (ParameterKind::Enumeration { name, quoted, .. }, FieldValue::Unsigned(value)) => {
                return self.enumeration(name, *value, *quoted);
            }
            (
                ParameterKind::Enumeration {
                    abbreviates: Some(of),
                    ..
                },
                FieldValue::Attribute(attribute),
            ) => {
                let attribute = BodyReference::Attribute(*attribute);
                return Ok(self.named(attribute, Some(&*of.mnemonic), true));
            }
            (ParameterKind::Attribute { mnemonic }, FieldValue::Attribute(attribute)) => {
                return Ok(self.named(
                    BodyReference::Attribute(*attribute),
                    mnemonic.as_deref(),
                    qualified,
                ));
            }
            (ParameterKind::Type { mnemonic }, FieldValue::Type(ty)) => {
                return Ok(self.named(BodyReference::Type(*ty), mnemonic.as_deref(), qualified));
            }
            (ParameterKind::SelfType, FieldValue::Type(ty)) => EntryPrinter::ty(self, *ty),
            (ParameterKind::List(kind), FieldValue::List(_) | FieldValue::Absent) => {
                for (number, item) in values.list(value).iter().enumerate() {
                    if number > 0 {
                        self.write(b", ");
                    }
                    if !self.value(kind, item, values, qualified)? {
                        return Ok(false);
                    }
                }
                self.pending.push(match values.list(value).is_empty() {
                    true => Pending::UnlessEnd,
                    false => Pending::Token(Text::Borrowed(",")),
                });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Prints an affine map or an integer set without its keyword and brackets. Whether it is one.
    fn affine(&mut self, kind: &ParameterKind, held: Attribute) -> Result<bool> {
        let affine = self.context.affine();
        let room = self.longest.saturating_sub(self.out.len());
        let mut text = Vec::new();
        let printed = match (kind, self.context.attribute_kind(held)) {
            (ParameterKind::AffineMap, AttributeKind::AffineMap(map)) => {
                affine.print_map(map, room, &mut text)
            }
            (ParameterKind::IntegerSet, AttributeKind::IntegerSet(set)) => {
                affine.print_set(set, room, &mut text)
            }
            _ => return Ok(false),
        };
        if printed.is_err() {
            self.too_long();
            return Ok(true);
        }
        self.write(&text);
        Ok(true)
    }

    /// Prints the keyword of a member, or those of the members that are set; with `quoted_if` in
    /// quotes if no single member has the value.
    fn enumeration(&mut self, name: &str, value: u64, quoted_if: bool) -> Result<bool> {
        let found = self
            .dialect
            .find_enumeration(self.context, name, |enumeration| {
                enumeration.text_of(value.cast_signed())
            });
        let Some(text) = found else {
            return Ok(false);
        };
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_$.".contains(&b);
        let is_keyword =
            text.bytes().all(is_word) && text.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        match quoted_if && !is_keyword {
            true => self.write(&quoted(text.as_bytes())),
            false => self.write(text.as_bytes()),
        }
        Ok(true)
    }

    /// Prints an attribute or type, omitting its mnemonic if it is `mnemonic` and not `qualified`.
    ///
    /// Returns false, and prints nothing, if it does not have that mnemonic.
    fn named(&mut self, entry: BodyReference, mnemonic: Option<&str>, qualified: bool) -> bool {
        let Some(mnemonic) = mnemonic else {
            self.entry(entry);
            return true;
        };
        if !is_of(self.context, self.dialect, entry, mnemonic) {
            return false;
        }
        match qualified {
            true => self.entry(entry),
            false => self.without_name(entry, mnemonic),
        }
        true
    }

    /// Prints an attribute or type with that mnemonic of the dialect: by its alias if such have
    /// aliases, otherwise without the dialect's name and the mnemonic. If its hook is missing, both
    /// are kept: it is found only by them.
    fn without_name(&mut self, entry: BodyReference, mnemonic: &str) {
        let (alias, body) = match entry {
            BodyReference::Attribute(attribute) => {
                let AttributeKind::Dialect { body, .. } = self.context.attribute_kind(attribute)
                else {
                    return;
                };
                (self.dialect.attribute_alias(mnemonic.as_bytes()), body)
            }
            BodyReference::Type(ty) => {
                let TypeKind::Dialect { body, .. } = self.context.type_kind(ty) else {
                    return;
                };
                (self.dialect.type_alias(mnemonic.as_bytes()), body)
            }
        };
        let table = match entry {
            BodyReference::Attribute(_) => &self.dialect.attributes,
            BodyReference::Type(_) => &self.dialect.types,
        };
        let number = self.context.release().number_in(self.dialect.family);
        let found = table.entry(mnemonic.as_bytes(), number);
        if alias.is_some() || found.is_none_or(|found| !found.is_known()) {
            return self.entry(entry);
        }
        let mut skip = mnemonic.len();
        // Up to LLVM 22, upstream printed the space behind the mnemonic besides that of the format.
        // A body is the same for all releases of LLVM, so it has both; other projects have one.
        let is_upstream = self.dialect.family.numbering() == Family::Llvm;
        if !is_upstream && body.text().get(skip) == Some(&b' ') {
            skip = skip.saturating_add(1);
        }
        let room = self.longest.saturating_sub(self.out.len());
        let len = body.text().len().saturating_sub(skip);
        let len = len.saturating_add(body.references().len());
        if room < len {
            self.too_long();
            return;
        }
        let body = body.clone();
        for piece in body.pieces() {
            match piece {
                BodyPiece::Text(text) => {
                    // The mnemonic is in the first piece.
                    self.write(text.get(skip..).unwrap_or_default());
                    skip = 0;
                }
                BodyPiece::Reference(reference) => self.refer(reference),
            }
        }
    }

    /// Returns whether the first branch of a group is present.
    fn is_present(
        &mut self,
        entry: &EntryDefinition,
        group: &OptionalGroup,
        values: &FieldValues<'_>,
    ) -> bool {
        let mut anchor = group.anchor.iter();
        let said = anchor.any(|&place| !self.is_left_out(entry, place, values));
        said != group.inverted
    }

    fn is_left_out(
        &mut self,
        entry: &EntryDefinition,
        place: usize,
        values: &FieldValues<'_>,
    ) -> bool {
        let with = (&mut *self.context, &mut *self.shared);
        is_left_out(with, self.dialect, entry, place, values)
    }

    /// Appends an entry of the builtin dialect as text, another one as a reference.
    fn entry(&mut self, reference: BodyReference) {
        if is_body_reference(self.context, reference) {
            self.refer(reference);
            return;
        }
        let entry = match reference {
            BodyReference::Attribute(attribute) => Entry::Attribute(attribute),
            BodyReference::Type(ty) => Entry::Type(ty),
        };
        let room = self.longest.saturating_sub(self.out.len());
        match body_pieces(self.context, entry, room) {
            Some(pieces) if self.has_room(pieces.len()) => {
                if !self.pending.is_empty() {
                    let first = pieces.first_text();
                    self.check_next(if first.is_empty() { b"#" } else { first });
                }
                self.out.append(pieces);
            }
            Some(_) => {}
            None => self.too_long(),
        }
    }

    fn write(&mut self, text: &[u8]) {
        if !self.pending.is_empty() {
            self.check_next(text);
        }
        if self.has_room(text.len()) {
            self.out.text(text);
        }
    }

    /// Records an error if the parser would not end the preceding text where this text starts.
    #[cold]
    fn check_next(&mut self, text: &[u8]) {
        let text = text.trim_ascii_start();
        if text.is_empty() {
            return;
        }
        if self.pending.iter().any(|pending| pending.begins(text)) && self.error.is_none() {
            let end = text.len().min(16);
            let next = text.get(..end).unwrap_or_default().escape_ascii();
            self.error = Some(Invalid::new(format!(
                "the parameters have no text that can be read again: what comes before '{next}' has no end"
            )));
        }
        self.pending.clear();
    }

    /// Notes by which tokens the parser would take the other branch of a group.
    fn not_taken(&mut self, group: &OptionalGroup, is_then: bool) {
        let first = |elements: &[FormatElement]| {
            let mut elements = elements.iter();
            let first = elements.find(|element| !matches!(element, FormatElement::Space(_)));
            first.map(|element| match element {
                FormatElement::Literal(text) => Pending::Token(text.clone()),
                _ => Pending::UnlessEnd,
            })
        };
        let other = match (first(&group.then), is_then) {
            (Some(then), false) => Some(then),
            // If the first branch is empty, the parser looks for the second.
            (None, true) => first(&group.otherwise),
            _ => None,
        };
        self.pending.extend(other);
    }

    /// Rejects parameters with a value that only the absent branch of a group covers.
    fn nothing_is_lost(
        &mut self,
        entry: &EntryDefinition,
        group: &OptionalGroup,
        is_then: bool,
        values: &FieldValues<'_>,
    ) -> Result {
        let (there, other) = match is_then {
            true => (&group.then, &group.otherwise),
            false => (&group.otherwise, &group.then),
        };
        let mut lost = BTreeSet::new();
        said(other, &mut lost);
        if lost.is_empty() {
            return Ok(());
        }
        let mut found = BTreeSet::new();
        said(there, &mut found);
        let anchor: BTreeSet<usize> = group.anchor.iter().copied().collect();
        for &place in lost.difference(&found) {
            // If the anchor is absent, so is its branch.
            let is_absent = is_then == group.inverted && anchor.contains(&place);
            if !is_absent && !self.is_left_out(entry, place, values) {
                let name = entry.parameters.get(place).map_or("", |found| &*found.name);
                return Err(Invalid::new(format!(
                    "the parameters have no text: '{name}' of '{}' is only in an optional group that is absent",
                    entry.mnemonic
                )));
            }
        }
        Ok(())
    }

    fn refer(&mut self, reference: BodyReference) {
        if !self.pending.is_empty() {
            self.check_next(b"#");
        }
        if self.has_room(1) {
            self.out.reference(self.context, reference);
        }
    }

    /// Returns whether so much can be appended; if not, the body is none.
    fn has_room(&mut self, len: usize) -> bool {
        let room = self.longest.saturating_sub(self.out.len());
        if room < len {
            self.too_long();
        }
        room >= len
    }

    #[cold]
    fn too_long(&mut self) {
        self.is_too_long = true;
        self.error = Some(Invalid::new("the text of the parameters is too long"));
    }
}

#[cold]
pub(super) fn missing_hook(dialect: &DialectDefinition, name: &str) -> Invalid {
    Invalid::new(format!(
        "the syntax '{}.{name}' is code that this build does not have",
        dialect.name
    ))
}

impl EntryPrinter for BodyPrinter<'_> {
    fn context(&mut self) -> &mut Context {
        self.context
    }

    fn parameters_of(
        &mut self,
        attribute: Attribute,
    ) -> std::result::Result<Option<FieldValues<'static>>, Invalid> {
        match super::values_of(self.context, attribute.into()) {
            Ok(found) => Ok(found.map(|(_, values)| values)),
            Err(error) => Err(Invalid::new(error.message().to_owned())),
        }
    }

    fn text(&mut self, text: &[u8]) {
        self.write(text);
    }

    fn attribute(&mut self, attribute: Attribute) {
        self.entry(BodyReference::Attribute(attribute));
    }

    fn attribute_without_type(&mut self, attribute: Attribute) {
        let kind = self.context.attribute_kind(attribute).clone();
        match kind {
            AttributeKind::Integer { ty, value } => {
                let (width, unsigned) = match *self.context.type_kind(ty) {
                    TypeKind::Integer { width, signedness } => {
                        (width, signedness == Signedness::Unsigned)
                    }
                    _ => (64, false),
                };
                if width == 1 && !unsigned {
                    self.write(if value.is_zero() { b"false" } else { b"true" });
                    return;
                }
                let mut text = Vec::new();
                value.write_decimal(!unsigned, &mut text);
                self.write(&text);
            }
            AttributeKind::String { value, ty: Some(_) } => {
                self.write(&quoted(self.context.bytes(value)));
            }
            AttributeKind::Float { ty, bits } => {
                let TypeKind::Float(kind) = *self.context.type_kind(ty) else {
                    return self.entry(BodyReference::Attribute(attribute));
                };
                let mut text = Vec::new();
                write_float(kind, bits, &mut text);
                self.write(&text);
            }
            AttributeKind::Dialect {
                dialect,
                body,
                ty: Some(_),
            } => {
                let kind = AttributeKind::Dialect {
                    dialect,
                    body,
                    ty: None,
                };
                match self.context.try_attribute(kind) {
                    Ok(bare) => self.entry(BodyReference::Attribute(bare)),
                    Err(error) => self.error = Some(error),
                }
            }
            _ => self.entry(BodyReference::Attribute(attribute)),
        }
    }

    fn ty(&mut self, ty: Type) {
        self.entry(BodyReference::Type(ty));
    }

    fn bare_type(&mut self, ty: Type, dialect: &str) {
        let TypeKind::Dialect {
            dialect: found,
            body,
        } = self.context.type_kind(ty)
        else {
            return self.entry(BodyReference::Type(ty));
        };
        if self.context.bytes(*found) != dialect.as_bytes() {
            return self.entry(BodyReference::Type(ty));
        }
        let body = body.clone();
        for piece in body.pieces() {
            match piece {
                BodyPiece::Text(text) => self.write(text),
                BodyPiece::Reference(reference) => self.refer(reference),
            }
        }
    }

    fn stripped(&mut self, attribute: Attribute, mnemonic: &str) {
        if !self.named(BodyReference::Attribute(attribute), Some(mnemonic), false) {
            self.error = Some(Invalid::new(format!("expected '{mnemonic}'")));
        }
    }

    fn string(&mut self, string: Identifier) {
        self.write(&quoted(self.context.bytes(string)));
    }

    fn float(&mut self, bits: u64) {
        let mut out = Vec::new();
        write_float(FloatKind::F64, bits.into(), &mut out);
        self.write(&out);
    }
}
