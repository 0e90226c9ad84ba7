//! What the syntax of parameters of attributes and types is written against, where data does not
//! say it.

use super::{AsmError, AsmResult, Place};
use crate::affine::{AffineExpr, AffineMap};
use crate::codec::{FieldValue, FieldValues};
use crate::definition::Text;
use crate::{Attribute, Context, Identifier, Invalid, Type};
use std::fmt;

/// The syntax of parameters of an attribute or type, where data does not say it: `custom<Name>` in
/// its format.
pub trait EntrySyntax: fmt::Debug + Send + Sync {
    /// Prints the parameters.
    ///
    /// # Errors
    ///
    /// If the values have no text.
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid>;

    /// Reads the parameters. What is not set is absent.
    ///
    /// # Errors
    ///
    /// If the text is not of these parameters.
    fn parse(&self, parser: &mut dyn EntryParser, values: ParametersMut<'_>) -> AsmResult<()>;
}

/// What must be of the parameters of an attribute or type beyond what data says of each: `hook` in
/// its definition, as upstream's `genVerifyDecl` asks for.
pub trait EntryVerifier: fmt::Debug + Send + Sync {
    /// Checks the parameters, which are in the order of the definition, with their defaults.
    ///
    /// # Errors
    ///
    /// The rule that they break, as a sentence.
    fn verify(&self, context: &Context, values: Parameters<'_, '_>) -> Result<(), Invalid>;
}

/// The parameters that a directive has as its arguments, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'v, 'a> {
    values: &'v FieldValues<'a>,
    places: &'v [usize],
    texts: &'v [Text],
}

impl<'v, 'a> Parameters<'v, 'a> {
    /// The parameters at `places` of `values`.
    pub fn new(values: &'v FieldValues<'a>, places: &'v [usize]) -> Self {
        Parameters {
            values,
            places,
            texts: &[],
        }
    }

    /// With the texts that the directive has among its arguments.
    #[must_use]
    pub fn with_texts(self, texts: &'v [Text]) -> Self {
        Parameters { texts, ..self }
    }

    /// Text `number` of those among the arguments; empty if there is none.
    pub fn text(&self, number: usize) -> &'v str {
        self.texts.get(number).map_or("", |text| text)
    }

    /// The value of argument `number`.
    pub fn get(&self, number: usize) -> &'v FieldValue<'a> {
        let place = self.places.get(number);
        let value = place.and_then(|&place| self.values.fields.get(place));
        value.unwrap_or(&FieldValue::Absent)
    }

    /// The items of argument `number`; none if it is no list.
    pub fn list(&self, number: usize) -> &'v [FieldValue<'a>] {
        self.values.list(self.get(number))
    }

    /// Returns the items of a list in a list; none if it is not a list.
    pub fn items(&self, list: &FieldValue<'a>) -> &'v [FieldValue<'a>] {
        self.values.list(list)
    }
}

/// The same to be filled.
#[derive(Debug)]
pub struct ParametersMut<'v> {
    values: &'v mut FieldValues<'static>,
    places: &'v [usize],
    texts: &'v [Text],
}

impl<'v> ParametersMut<'v> {
    /// The parameters at `places` of `values`.
    pub fn new(values: &'v mut FieldValues<'static>, places: &'v [usize]) -> Self {
        ParametersMut {
            values,
            places,
            texts: &[],
        }
    }

    /// With the texts that the directive has among its arguments.
    #[must_use]
    pub fn with_texts(self, texts: &'v [Text]) -> Self {
        ParametersMut { texts, ..self }
    }

    /// Text `number` of those among the arguments; empty if there is none.
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

    /// The value that argument `number` has so far.
    pub fn get(&self, number: usize) -> &FieldValue<'static> {
        Parameters::new(self.values, self.places).get(number)
    }

    /// Makes a list of these items, to be an item of another list.
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

/// What a body is printed to.
pub trait EntryPrinter {
    /// The context.
    fn context(&mut self) -> &mut Context;

    /// Text as it is.
    fn text(&mut self, text: &[u8]);

    /// An attribute with all that it is called by.
    fn attribute(&mut self, attribute: Attribute);

    /// A type.
    fn ty(&mut self, ty: Type);

    /// An attribute of the same dialect with that mnemonic: by its alias if such have aliases, else
    /// without the dialect's name and the mnemonic. Any other is an error of the whole body.
    fn stripped(&mut self, attribute: Attribute, mnemonic: &str);

    /// A string in quotes.
    fn string(&mut self, string: Identifier);

    /// The bits of an `f64` in decimal.
    fn float(&mut self, bits: u64);
}

impl dyn EntryPrinter + '_ {
    /// An integer in decimal.
    pub fn integer(&mut self, value: impl fmt::Display) {
        self.text(value.to_string().as_bytes());
    }

    /// A size of a shape, `?` if it is dynamic.
    pub fn dimension(&mut self, size: i64) {
        match size {
            crate::DYNAMIC => self.text(b"?"),
            size => self.integer(size),
        }
    }

    /// Items with commas between them.
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

/// The text of a body as a hook sees it. Every method passes over what it reads.
pub trait EntryParser {
    /// The context.
    fn context(&mut self) -> &mut Context;

    /// The next token's place.
    fn place(&self) -> Place;

    /// Whether punctuation or a keyword is next.
    fn at(&self, token: &str) -> bool;

    /// Passes over punctuation or a keyword if it is next.
    fn eat(&mut self, token: &str) -> bool;

    /// Passes over punctuation or a keyword that must be next.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn expect(&mut self, token: &str) -> AsmResult<()>;

    /// An integer, if one is next, with its sign.
    ///
    /// # Errors
    ///
    /// If it does not fit 128 bits.
    fn optional_integer(&mut self) -> AsmResult<Option<i128>>;

    /// A number as the bits of an `f64`.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn float(&mut self) -> AsmResult<u64>;

    /// A literal of an integer or float, if one is next: whether a minus was before it, and its
    /// text.
    fn number(&mut self) -> Option<(bool, Vec<u8>)>;

    /// A string in quotes, if one is next.
    fn optional_string(&mut self) -> Option<Identifier>;

    /// A keyword, if one is next.
    fn optional_keyword(&mut self) -> Option<Identifier>;

    /// Sizes, each with an `x` behind it: `2x?x`.
    ///
    /// # Errors
    ///
    /// If one is malformed.
    fn dimensions(&mut self) -> AsmResult<Vec<i64>>;

    /// An attribute.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn attribute(&mut self) -> AsmResult<Attribute>;

    /// A type.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn ty(&mut self) -> AsmResult<Type>;

    /// An attribute of the same dialect with that mnemonic, which can go without it.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no attribute of that mnemonic.
    fn stripped(&mut self, mnemonic: &str) -> AsmResult<Attribute>;

    /// What stands behind the mnemonic of a type of the same dialect, as that type.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no type of that mnemonic.
    fn stripped_type(&mut self, mnemonic: &str) -> AsmResult<Type>;

    /// An affine expression of names that mean dimensions and symbols by their places in the lists.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn affine_expression(
        &mut self,
        dims: &[Identifier],
        symbols: &[Identifier],
    ) -> AsmResult<AffineExpr>;

    /// An affine map without `affine_map` and brackets: `(d0, d1) -> (d1, d0)`.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn affine_map(&mut self) -> AsmResult<AffineMap>;

    /// What an attribute of a dialect says, in the order of its definition; none if it is none, or
    /// nothing is known of it. Not to be called for what is inside of what it gives: each level
    /// takes stack.
    ///
    /// # Errors
    ///
    /// If it is not as its definition says.
    fn parameters_of(&mut self, attribute: Attribute) -> AsmResult<Option<FieldValues<'static>>>;
}

impl dyn EntryParser + '_ {
    /// An error at the next token: `what` is missing.
    #[cold]
    pub fn expected<T>(&self, what: &str) -> AsmResult<T> {
        Err(AsmError::new(self.place(), format!("expected {what}")))
    }

    /// An integer, or `?` for [`DYNAMIC`](crate::DYNAMIC).
    ///
    /// # Errors
    ///
    /// If there is neither.
    pub fn dimension(&mut self) -> AsmResult<i64> {
        match self.eat("?") {
            true => Ok(crate::DYNAMIC),
            false => self.integer(),
        }
    }

    /// Items with commas between them, up to the token `end`, which is passed over.
    ///
    /// # Errors
    ///
    /// If an item is none, or neither comma nor end follow it.
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
