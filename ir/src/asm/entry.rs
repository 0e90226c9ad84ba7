//! Interfaces for hooks that parse, print and verify parameters of attributes and types that data
//! cannot express.

use super::{AsmError, AsmResult, Place};
use crate::affine::{AffineExpr, AffineMap};
use crate::apint::ApInt;
use crate::codec::{FieldValue, FieldValues};
use crate::definition::Text;
use crate::{Attribute, Context, Identifier, Invalid, Type};
use std::fmt;

/// The syntax of parameters of an attribute or type: `custom<Name>` in its format.
pub trait EntrySyntax: fmt::Debug + Send + Sync {
    /// Prints the parameters.
    ///
    /// # Errors
    ///
    /// If the values have no textual form.
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid>;

    /// Parses the parameters. Those that are not set are absent.
    ///
    /// # Errors
    ///
    /// If the text does not match the syntax of these parameters.
    fn parse(&self, parser: &mut dyn EntryParser, values: ParametersMut<'_>) -> AsmResult<()>;
}

/// The rules for the parameters of an attribute or type that its definition cannot express as data:
/// `hook` in its definition, upstream's `genVerifyDecl`.
pub trait EntryVerifier: fmt::Debug + Send + Sync {
    /// Checks the parameters, given in the order of the definition and with their defaults.
    ///
    /// # Errors
    ///
    /// The violated rule, as a sentence.
    fn verify(&self, context: &Context, values: Parameters<'_, '_>) -> Result<(), Invalid>;
}

/// The parameters that are the arguments of a directive, in the directive's order.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'v, 'a> {
    values: &'v FieldValues<'a>,
    places: &'v [usize],
    texts: &'v [Text],
}

impl<'v, 'a> Parameters<'v, 'a> {
    /// Returns the parameters at the indices `places` of `values`.
    pub fn new(values: &'v FieldValues<'a>, places: &'v [usize]) -> Self {
        Parameters {
            values,
            places,
            texts: &[],
        }
    }

    /// Adds the literal texts among the directive's arguments.
    #[must_use]
    pub fn with_texts(self, texts: &'v [Text]) -> Self {
        Parameters { texts, ..self }
    }

    /// Returns literal text `number` among the arguments; empty if there is none.
    pub fn text(&self, number: usize) -> &'v str {
        self.texts.get(number).map_or("", |text| text)
    }

    /// Returns the value of argument `number`.
    pub fn get(&self, number: usize) -> &'v FieldValue<'a> {
        let place = self.places.get(number);
        let value = place.and_then(|&place| self.values.fields.get(place));
        value.unwrap_or(&FieldValue::Absent)
    }

    /// Returns the items of argument `number`; empty if it is not a list.
    pub fn list(&self, number: usize) -> &'v [FieldValue<'a>] {
        self.values.list(self.get(number))
    }

    /// Returns the items of a list nested in a list; empty if it is not a list.
    pub fn items(&self, list: &FieldValue<'a>) -> &'v [FieldValue<'a>] {
        self.values.list(list)
    }
}

/// As [`Parameters`], but mutable, to be set by a parser.
#[derive(Debug)]
pub struct ParametersMut<'v> {
    values: &'v mut FieldValues<'static>,
    places: &'v [usize],
    texts: &'v [Text],
}

impl<'v> ParametersMut<'v> {
    /// Returns the parameters at the indices `places` of `values`.
    pub fn new(values: &'v mut FieldValues<'static>, places: &'v [usize]) -> Self {
        ParametersMut {
            values,
            places,
            texts: &[],
        }
    }

    /// Adds the literal texts among the directive's arguments.
    #[must_use]
    pub fn with_texts(self, texts: &'v [Text]) -> Self {
        ParametersMut { texts, ..self }
    }

    /// Returns literal text `number` among the arguments; empty if there is none.
    pub fn text(&self, number: usize) -> &'v str {
        self.texts.get(number).map_or("", |text| text)
    }

    /// Sets argument `number`.
    pub fn set(&mut self, number: usize, value: FieldValue<'static>) {
        let place = self.places.get(number);
        if let Some(field) = place.and_then(|&place| self.values.fields.get_mut(place)) {
            *field = value;
        }
    }

    /// Returns the current value of argument `number`.
    pub fn get(&self, number: usize) -> &FieldValue<'static> {
        Parameters::new(self.values, self.places).get(number)
    }

    /// Returns the items of argument `number`; empty if it is not a list.
    pub fn list(&self, number: usize) -> &[FieldValue<'static>] {
        Parameters::new(self.values, self.places).list(number)
    }

    /// Creates a list of these items, to be an item of another list.
    pub fn make_list(
        &mut self,
        items: impl IntoIterator<Item = FieldValue<'static>>,
    ) -> FieldValue<'static> {
        self.values.make_list(items)
    }

    /// Sets argument `number` to a list of these items.
    pub fn set_list(
        &mut self,
        number: usize,
        items: impl IntoIterator<Item = FieldValue<'static>>,
    ) {
        let list = self.values.make_list(items);
        self.set(number, list);
    }
}

/// The interface of the printer of attribute and type bodies for hooks.
pub trait EntryPrinter {
    /// Returns the context.
    fn context(&mut self) -> &mut Context;

    /// Prints a text verbatim.
    fn text(&mut self, text: &[u8]);

    /// Prints an attribute in full.
    fn attribute(&mut self, attribute: Attribute);

    /// Prints an attribute without the trailing type of a number, string or attribute of a dialect.
    fn attribute_without_type(&mut self, attribute: Attribute);

    /// Prints a type.
    fn ty(&mut self, ty: Type);

    /// Prints a type of a dialect without the dialect's name, and any other type in full.
    fn bare_type(&mut self, ty: Type, dialect: &str);

    /// Prints an attribute of the same dialect with the given mnemonic: its alias if it has one,
    /// else without the dialect's name and the mnemonic. Any other attribute makes the whole body
    /// an error.
    fn stripped(&mut self, attribute: Attribute, mnemonic: &str);

    /// Prints a quoted string.
    fn string(&mut self, string: Identifier);

    /// Prints the bits of an `f64` in decimal.
    fn float(&mut self, bits: u64);

    /// The parameters of another attribute; none of one whose definition is not known.
    ///
    /// # Errors
    ///
    /// If it does not match its definition.
    fn parameters_of(
        &mut self,
        attribute: Attribute,
    ) -> Result<Option<FieldValues<'static>>, Invalid>;
}

impl dyn EntryPrinter + '_ {
    /// Prints an integer in decimal.
    pub fn integer(&mut self, value: impl fmt::Display) {
        self.text(value.to_string().as_bytes());
    }

    /// Prints a size of a shape; `?` if it is dynamic.
    pub fn dimension(&mut self, size: i64) {
        match size {
            crate::DYNAMIC => self.text(b"?"),
            size => self.integer(size),
        }
    }

    /// Prints items separated by commas.
    pub fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Self, T),
    ) {
        for (number, item) in items.into_iter().enumerate() {
            if number > 0 {
                self.text(b", ");
            }
            print(self, item);
        }
    }
}

/// The interface of the parser of attribute and type bodies for hooks. Methods consume what they
/// parse.
pub trait EntryParser {
    /// Returns the context.
    fn context(&mut self) -> &mut Context;

    /// Returns the offset of the next token.
    fn place(&self) -> Place;

    /// Returns whether a punctuation or keyword token is next.
    fn at(&self, token: &str) -> bool;

    /// Consumes a punctuation or keyword token if it is next, and returns whether it was.
    fn eat(&mut self, token: &str) -> bool;

    /// Consumes a punctuation or keyword token.
    ///
    /// # Errors
    ///
    /// If another token is next.
    fn expect(&mut self, token: &str) -> AsmResult<()>;

    /// Parses an integer with its sign, if one is next.
    ///
    /// # Errors
    ///
    /// If it does not fit 128 bits.
    fn optional_integer(&mut self) -> AsmResult<Option<i128>>;

    /// Parses an integer of any size with its sign, if one is next, to one bit more than its
    /// magnitude needs.
    ///
    /// # Errors
    ///
    /// If a minus sign precedes something else, or the integer has too many digits for
    /// [`ApInt`].
    fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>>;

    /// Parses a number; returns the bits of an `f64`.
    ///
    /// # Errors
    ///
    /// If the next token is not a number.
    fn float(&mut self) -> AsmResult<u64>;

    /// Parses an integer or float literal, if one is next; returns whether it has a minus sign, and
    /// its text without it.
    fn number(&mut self) -> Option<(bool, Vec<u8>)>;

    /// Parses a quoted string, if one is next.
    fn optional_string(&mut self) -> Option<Identifier>;

    /// Parses a keyword, if one is next.
    fn optional_keyword(&mut self) -> Option<Identifier>;

    /// Parses sizes, each followed by an `x`: `2x?x`.
    ///
    /// # Errors
    ///
    /// If a size is malformed.
    fn dimensions(&mut self) -> AsmResult<Vec<i64>>;

    /// Parses sizes separated by `x`: `2x?`; returns none if no size is next.
    ///
    /// # Errors
    ///
    /// If a size does not fit 64 bits, or none follows an `x`.
    fn dimension_list(&mut self) -> AsmResult<Vec<i64>>;

    /// Consumes the `x` that separates a size from the following text, as in `xi8`.
    ///
    /// # Errors
    ///
    /// If the next token does not start with `x`.
    fn expect_times(&mut self) -> AsmResult<()>;

    /// Parses an attribute.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid attribute.
    fn attribute(&mut self) -> AsmResult<Attribute>;

    /// Parses an attribute whose type is implied: a number without a type gets this type.
    ///
    /// # Errors
    ///
    /// If there is none, or a number does not fit the type.
    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;

    /// Parses a type.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid type.
    fn ty(&mut self) -> AsmResult<Type>;

    /// Parses a type of the same dialect that is written without the dialect's name.
    ///
    /// # Errors
    ///
    /// If the next token is not the mnemonic of such a type.
    fn bare_type(&mut self) -> AsmResult<Type>;

    /// Parses an attribute of the same dialect with the given mnemonic, which may be written
    /// without dialect and mnemonic.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no attribute of that mnemonic.
    fn stripped(&mut self, mnemonic: &str) -> AsmResult<Attribute>;

    /// Parses what follows the mnemonic of a type of the same dialect, and returns that type.
    ///
    /// # Errors
    ///
    /// If there is no type, or the dialect has no type of that mnemonic.
    fn stripped_type(&mut self, mnemonic: &str) -> AsmResult<Type>;

    /// Parses an affine expression whose names denote dimensions and symbols by their index in the
    /// lists.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid affine expression.
    fn affine_expression(
        &mut self,
        dims: &[Identifier],
        symbols: &[Identifier],
    ) -> AsmResult<AffineExpr>;

    /// Parses an affine map without `affine_map` and brackets: `(d0, d1) -> (d1, d0)`.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid affine map.
    fn affine_map(&mut self) -> AsmResult<AffineMap>;

    /// Decodes the parameters of a dialect's attribute, in the order of its definition; `None` if
    /// it is not a dialect's attribute or has no known definition. Must not be called on its own
    /// result: each level takes stack.
    ///
    /// # Errors
    ///
    /// If the attribute does not match its definition.
    fn parameters_of(&mut self, attribute: Attribute) -> AsmResult<Option<FieldValues<'static>>>;
}

impl dyn EntryParser + '_ {
    /// Returns the error "expected `what`" at the next token.
    #[cold]
    pub fn expected<T>(&self, what: &str) -> AsmResult<T> {
        Err(AsmError::new(self.place(), format!("expected {what}")))
    }

    /// Parses an integer, or `?` for [`DYNAMIC`](crate::DYNAMIC).
    ///
    /// # Errors
    ///
    /// If the next token is neither, or the integer does not fit 64 bits.
    pub fn dimension(&mut self) -> AsmResult<i64> {
        match self.eat("?") {
            true => Ok(crate::DYNAMIC),
            false => self.integer(),
        }
    }

    /// Parses items separated by commas up to the token `end`, which it consumes.
    ///
    /// # Errors
    ///
    /// If an item is malformed, or is followed by neither a comma nor `end`.
    pub fn separated<T>(
        &mut self,
        end: &str,
        mut parse: impl FnMut(&mut Self) -> AsmResult<T>,
    ) -> AsmResult<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(parse(self)?);
            if !self.eat(",") {
                self.expect(end)?;
                return Ok(items);
            }
        }
    }
}
