//! Interfaces for hooks that parse and print operations whose syntax data cannot express.
//!
//! A hook is called step by step. It never holds the parser while a region of its operation is
//! read: it returns the request for a region and is called again after the region. So nested
//! regions take no stack.

mod affine;
mod directive;
mod entry;
mod integers;

pub use affine::AffineOperands;
pub use directive::{CustomArgument, DirectiveSyntax, ParsedArgument, PrintedArgument};
pub use entry::{EntryParser, EntryPrinter, EntrySyntax, EntryVerifier, Parameters, ParametersMut};

use crate::affine::{AffineExpr, AffineMap};
use crate::apint::ApInt;
use crate::{
    Attribute, Block, Context, Identifier, Location, Module, NamedAttribute, Operation,
    OperationName, Region, Type, Value,
};
use std::any::Any;
use std::fmt;

/// A byte offset in a text.
pub type Place = usize;

/// A syntax error with its position. One word in size.
pub struct AsmError(Box<AsmErrorData>);

struct AsmErrorData {
    place: Place,
    message: String,
    notes: Vec<(Place, String)>,
    consequences: Vec<String>,
    follows: bool,
    unsupported: bool,
    plain: bool,
}

impl AsmError {
    /// Returns an error at `place`.
    #[cold]
    #[inline(never)]
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        AsmError(Box::new(AsmErrorData {
            place,
            message: message.into(),
            notes: Vec::new(),
            consequences: Vec::new(),
            follows: false,
            unsupported: false,
            plain: false,
        }))
    }

    /// Adds a note about another position in the text.
    #[must_use]
    pub fn note(mut self, place: Place, message: impl Into<String>) -> Self {
        self.0.notes.push((place, message.into()));
        self
    }

    /// Adds an error about the enclosing construct, whose parsing this error ends. It is reported
    /// after this error and at its position.
    #[must_use]
    pub fn consequence(mut self, message: impl Into<String>) -> Self {
        self.0.consequences.push(message.into());
        self
    }

    /// If `follows`, marks the error as a mere consequence of an earlier one, after which it is not
    /// reported.
    #[must_use]
    pub fn following(mut self, follows: bool) -> Self {
        self.0.follows = follows;
        self
    }

    /// Marks the error as a limitation of this program: the code that would parse the text is
    /// missing, or has reached a limit.
    #[must_use]
    pub fn unsupported(mut self) -> Self {
        self.0.unsupported = true;
        self
    }

    /// Returns whether the error is a [limitation of this program](Self::unsupported).
    pub fn is_unsupported(&self) -> bool {
        self.0.unsupported
    }

    /// Marks the error as one of a part that is not specific to the operation, such as a type: it
    /// is reported without the operation's name. Parsers create such errors; errors that a hook
    /// finds itself are not plain.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.0.plain = true;
        self
    }

    /// Adds the name of the operation to the message, as upstream does for errors in custom syntax,
    /// unless the error is [plain](Self::plain) or has the name already.
    #[must_use]
    pub fn of_operation(mut self, name: &str) -> Self {
        if !self.0.plain {
            self.0.message = format!("custom op '{name}' {}", self.0.message);
            self.0.plain = true;
        }
        self
    }

    /// Replaces the message.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Moves the error to another position.
    #[must_use]
    pub fn moved_to(mut self, place: Place) -> Self {
        self.0.place = place;
        self
    }

    /// Returns the position of the error.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// Returns the error message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the notes with their positions.
    pub fn notes(&self) -> &[(Place, String)] {
        &self.0.notes
    }

    /// Returns the messages of the errors about enclosing constructs, the innermost one first.
    pub fn consequences(&self) -> &[String] {
        &self.0.consequences
    }

    /// Returns whether the error is a mere consequence of an earlier one.
    pub fn follows(&self) -> bool {
        self.0.follows
    }
}

impl fmt::Debug for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at offset {})", self.message(), self.place())
    }
}

/// The result of hooks and parsers.
pub type AsmResult<T> = Result<T, AsmError>;

/// The name of a value in a text, not resolved yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandName {
    /// The offset of the `%`.
    pub place: Place,
    /// The length in bytes.
    pub len: usize,
    /// The number after `#`, else 0.
    pub number: u32,
}

/// An argument of a region's entry block, declared before the region.
#[derive(Clone, Copy, Debug)]
pub struct RegionArgument {
    /// The name.
    pub name: OperandName,
    /// The type.
    pub ty: Type,
    /// The location; `None` if the text has none.
    pub location: Option<Location>,
}

/// The next step after a call of a hook that parses.
#[derive(Clone, Debug)]
pub enum ParseStep {
    /// The operation is complete, except for its location.
    Done,
    /// Parse a region, which starts at the next `{`; its entry block has these arguments.
    Region(Vec<RegionArgument>),
    /// Parse an operation in generic form, which is the only one of a region without `{` and `}`.
    Operation,
}

/// The next step after a call of a hook that prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintStep {
    /// The operation is complete, except for its location.
    Done,
    /// Print a region.
    Region {
        /// The index of the region.
        number: usize,
        /// Whether to print the entry block's arguments in its header.
        entry_arguments: bool,
        /// Whether to print the terminators of the blocks.
        terminators: bool,
    },
    /// Print an operation without regions on the same line, without result names and location. The
    /// hook is called again after it, as after a region.
    Operation(Operation),
    /// As [`Operation`](Self::Operation), in generic form.
    GenericOperation(Operation),
    /// Print a region of an operation inside, whose text is part of this one. The hook is called
    /// again after it, as after a region of its own of that number.
    RegionInside {
        /// The region.
        region: Region,
        /// The number of regions that the text has before it.
        number: usize,
        /// Whether to print the entry block's arguments in its header.
        entry_arguments: bool,
    },
}

/// An operation that a hook is parsing.
#[derive(Debug, Default)]
pub struct ParsedOperation {
    /// The operands.
    pub operands: Vec<Value>,
    /// The types of the results.
    pub result_types: Vec<Type>,
    /// The inherent attributes.
    pub properties: Vec<NamedAttribute>,
    /// The discardable attributes.
    pub attributes: Vec<NamedAttribute>,
    /// The successors.
    pub successors: Vec<Block>,
    /// Regions that a hook [made](AsmParser::make_region); they follow the parsed ones.
    pub regions: Vec<Region>,
    /// The number of empty regions to append after all others.
    pub empty_regions: usize,
    /// How many of the regions parsed last are those of an operation that a hook
    /// [made](AsmParser::make_operation).
    pub regions_inside: usize,
    /// For each region in order of the text, its index in the operation. Empty if the orders are
    /// equal.
    pub region_order: Vec<usize>,
    /// The location, if the hook has parsed it.
    pub location: Option<Location>,
    /// What the hook keeps until it is called again after a region.
    pub state: Option<Box<dyn Any + Send>>,
}

/// An operation that a text implies without printing it.
#[derive(Clone, Debug, Default)]
pub struct MadeOperation<'a> {
    /// The name.
    pub name: &'a str,
    /// The operands.
    pub operands: &'a [Value],
    /// The types of the results.
    pub result_types: &'a [Type],
    /// The inherent attributes; absent ones get their defaults.
    pub properties: &'a [NamedAttribute],
    /// The regions, which exist already.
    pub regions: &'a [Region],
    /// The location; `None` for the unknown location.
    pub location: Option<Location>,
}

/// The custom syntax of an operation, as code.
pub trait OperationSyntax: fmt::Debug + Send + Sync {
    /// Parses what follows the operation's name; or, if `regions` is not 0, what follows the region
    /// requested by the previous step.
    ///
    /// # Errors
    ///
    /// If the text does not match the operation's syntax.
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep>;

    /// Prints what follows the operation's name; or, if `regions` is not 0, what follows the region
    /// printed last.
    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep;

    /// Returns whether the syntax preserves everything that the operation holds. If not, as for an
    /// operation that does not verify, the generic form is printed. The caller has checked already
    /// that all inherent attributes are properties and that the properties are declared.
    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let _ = (context, module, operation);
        true
    }

    /// Returns what [`print_prepared`](Self::print_prepared) takes, if the operation
    /// [can be printed](Self::can_print). A hook that collects the content of an operation to
    /// determine that need not collect it again to print it.
    fn prepare(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Box<dyn Any>> {
        let can_print = self.can_print(context, module, operation);
        can_print.then(|| Box::new(()) as Box<dyn Any>)
    }

    /// Prints what follows the operation's name, as [`print`](Self::print) does, with what
    /// [`prepare`](Self::prepare) returned for the operation.
    fn print_prepared(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        prepared: Box<dyn Any>,
    ) -> PrintStep {
        let _ = prepared;
        self.print(printer, operation, 0)
    }

    /// Returns the dialect whose prefix is omitted within the operation's regions; empty for none.
    fn default_dialect(&self) -> &'static str {
        ""
    }

    /// Returns whether the arguments of the regions can have the names of values around the
    /// operation, as those of upstream's `parseRegion` with `enableNameShadowing` can.
    fn shadows_names(&self) -> bool {
        false
    }

    /// Returns whether upstream's parser of the operation is generated from a declarative format.
    /// If so, inherent attributes in the dictionary must satisfy the definition, and take
    /// precedence over those elsewhere in the text. If not, an attribute of another sort is
    /// ignored, and a duplicate is an error.
    fn has_format(&self) -> bool {
        false
    }
}

/// Names for unnamed values, where data cannot express them.
pub trait ValueNames: fmt::Debug + Send + Sync {
    /// Suggests names for results, as upstream's `getAsmResultNames`: `c0` for a constant. Call
    /// `name` in order of the results.
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let _ = (context, module, operation, name);
    }

    /// Returns the values whose names the arguments of a region's entry block have in custom form,
    /// as upstream's `shadowRegionArgs`; empty if these have names of their own.
    fn shadowed(&self, context: &Context, module: &Module, region: Region) -> Vec<Value> {
        let _ = (context, module, region);
        Vec::new()
    }

    /// Suggests names for block arguments, as upstream's `getAsmBlockArgumentNames`.
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let _ = (context, module, region, name);
    }
}

/// The interface of the operation parser for hooks. Methods consume the tokens that they parse.
pub trait AsmParser {
    /// Returns the context, to build types and attributes.
    fn context(&mut self) -> &mut Context;

    /// Interns a static name. Memoized by address, so that later calls do not hash the bytes.
    fn name(&mut self, name: &'static str) -> Identifier;

    /// Returns the attribute that `make` builds, memoized by `key`: a static text that no other
    /// attribute uses.
    fn constant(
        &mut self,
        key: &'static str,
        make: &dyn Fn(&mut Context) -> Option<Attribute>,
    ) -> Option<Attribute>;

    /// Returns the type that `make` builds from a list of types, memoized by `key` and the list.
    /// `key` is a static text that no other construction uses.
    fn type_of_types(
        &mut self,
        key: &'static str,
        types: &[Type],
        make: &dyn Fn(&mut Context, &[Type]) -> Option<Type>,
    ) -> Option<Type>;

    /// Returns the name that the text gives to a result of the operation, without its `%`, and the
    /// number of the result among those that share this name; `None` if the result has no name.
    fn result_name(&self, number: usize) -> Option<(&[u8], u32)>;

    /// Returns an empty list for the arguments of a [region](ParseStep::Region), with the capacity
    /// of a list used before.
    fn argument_list(&mut self) -> Vec<RegionArgument>;

    /// Returns the offset of the next token.
    fn place(&self) -> Place;

    /// Consumes a punctuation or keyword token if it is next, and returns whether it was.
    fn eat(&mut self, token: &str) -> bool;

    /// Consumes a punctuation or keyword token.
    ///
    /// # Errors
    ///
    /// If another token is next.
    fn expect(&mut self, token: &str) -> AsmResult<()>;

    /// Returns whether a punctuation or keyword token is next.
    fn at(&self, token: &str) -> bool;

    /// Returns whether any keyword is next.
    fn at_keyword(&self) -> bool;

    /// Returns whether an operand name is next.
    fn at_operand(&self) -> bool;

    /// Parses `@name`, if it is next.
    ///
    /// # Errors
    ///
    /// If the name is malformed.
    fn symbol_name(&mut self) -> AsmResult<Option<Identifier>>;

    /// Parses an attribute.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid attribute.
    fn attribute(&mut self) -> AsmResult<Attribute>;

    /// Parses a type.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid type.
    fn ty(&mut self) -> AsmResult<Type>;

    /// Parses `{...}` if it is next; else returns no attributes.
    ///
    /// # Errors
    ///
    /// If the dictionary is malformed.
    fn attribute_dictionary(&mut self) -> AsmResult<Vec<NamedAttribute>>;

    /// Parses `loc(...)`, if it is next.
    ///
    /// # Errors
    ///
    /// If the location is malformed.
    fn location(&mut self) -> AsmResult<Option<Location>>;

    /// Parses `%name`.
    ///
    /// # Errors
    ///
    /// If the next token is not a value name.
    fn operand_name(&mut self) -> AsmResult<OperandName>;

    /// Returns the text of a value's name, with its `%`; without the number after `#`.
    fn operand_text(&self, name: OperandName) -> &[u8];

    /// Resolves a name to a value of the given type.
    ///
    /// # Errors
    ///
    /// If the value has another type.
    fn resolve(&mut self, name: OperandName, ty: Type) -> AsmResult<Value>;

    /// Parses an attribute whose type is implied: a number without a type gets this type.
    ///
    /// # Errors
    ///
    /// If there is none, or a number does not fit the type.
    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;

    /// Parses an attribute of the operation's dialect with the given mnemonic, written as an alias
    /// or without the dialect's name and the mnemonic.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no attribute of that mnemonic.
    fn stripped_attribute(&mut self, mnemonic: &str) -> AsmResult<Attribute>;

    /// Parses a type of that dialect, written with or without the dialect's name.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no type of that name.
    fn bare_type(&mut self, dialect: &str) -> AsmResult<Type>;

    /// As [`stripped_attribute`](Self::stripped_attribute), for an attribute of that dialect.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no attribute of that mnemonic.
    fn stripped_attribute_of(&mut self, dialect: &str, mnemonic: &str) -> AsmResult<Attribute>;

    /// Returns the attribute `#dialect.mnemonic<word>`, for a text that implies it by a keyword.
    /// Memoized.
    ///
    /// # Errors
    ///
    /// If that is not an attribute.
    fn attribute_of_word(
        &mut self,
        dialect: &str,
        mnemonic: &str,
        word: &str,
    ) -> AsmResult<Attribute>;

    /// Parses sizes separated by `x`, as in `4x?x8`, with [`DYNAMIC`](crate::DYNAMIC) for `?`;
    /// returns none if no size is next.
    ///
    /// # Errors
    ///
    /// If a size does not fit 64 bits, or none follows an `x`.
    fn dimension_list(&mut self) -> AsmResult<Vec<i64>>;

    /// Parses an integer with its sign, if one is next. As upstream, `true` is -1 and `false` is 0.
    ///
    /// # Errors
    ///
    /// If it does not fit 64 bits.
    fn optional_integer(&mut self) -> AsmResult<Option<i64>>;

    /// Parses an integer of any size with its sign, if one is next, to one bit more than its
    /// magnitude needs.
    ///
    /// # Errors
    ///
    /// If a minus sign precedes something else, or the integer has too many digits for
    /// [`ApInt`].
    fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>>;

    /// Parses elements whose shaped type is implied: `dense<...>`, `dense_resource<...>`, or any
    /// other attribute.
    ///
    /// # Errors
    ///
    /// If there are none, or they do not fit the type.
    fn elements_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;

    /// Parses a keyword, if one is next.
    fn optional_keyword(&mut self) -> Option<Identifier>;

    /// Parses a quoted string, if one is next.
    fn optional_string(&mut self) -> Option<Identifier>;

    /// Parses an affine expression of operands: `%i + symbol(%n) * 4`. Adds operands that are not
    /// in `operands` yet.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid affine expression.
    fn affine_expression(&mut self, operands: &mut AffineOperands) -> AsmResult<AffineExpr>;

    /// Parses an affine map without `affine_map` and brackets: `(d0, d1) -> (d1, d0)`.
    ///
    /// # Errors
    ///
    /// If the next token does not start a valid affine map.
    fn affine_map(&mut self) -> AsmResult<AffineMap>;

    /// Parses `^name`.
    ///
    /// # Errors
    ///
    /// If the next token is not a block name.
    fn successor(&mut self) -> AsmResult<Block>;

    /// Appends an operation of that name, without operands, to the region parsed last if its block
    /// has no terminator.
    ///
    /// # Errors
    ///
    /// If that operation is not known.
    fn ensure_terminator(&mut self, name: &str) -> AsmResult<()>;

    /// Returns the type that is the only parameter of a dialect's type: `f32` of
    /// `!async.value<f32>`.
    fn parameter_of(&mut self, ty: Type) -> Option<Type>;

    /// Returns the name of the operation being parsed.
    fn operation_name(&self) -> OperationName;

    /// Returns the module, to inspect what is built.
    fn module(&self) -> &Module;

    /// Returns the source location of the operation being parsed.
    fn source_location(&mut self) -> Location;

    /// Returns the source location of an offset in the text.
    fn location_at(&mut self, place: Place) -> Location;

    /// Creates a region of one block with arguments of these types, each at an offset in the text
    /// or with the unknown location.
    fn make_region(&mut self, arguments: &[(Type, Option<Location>)]) -> Region;

    /// Appends an operation to the block of a region created by [`make_region`](Self::make_region).
    ///
    /// # Errors
    ///
    /// If that operation is not known, or does not have these properties.
    fn make_operation(&mut self, region: Region, new: &MadeOperation<'_>) -> AsmResult<Operation>;

    /// Adds a block to the region parsed last if it has none.
    fn ensure_block(&mut self);

    /// Returns the region parsed last.
    fn region(&self) -> Option<Region>;

    /// Returns whether the last block of the region parsed last lacks a terminator. As upstream, an
    /// unknown operation does not count as a terminator.
    fn lacks_terminator(&self) -> bool;

    /// Returns whether the region parsed last has no blocks.
    fn region_is_empty(&self) -> bool;

    /// Returns the offset at which the region parsed last begins.
    fn region_place(&self) -> Place;
}

/// The interface of the operation printer for hooks. While aliases are collected, it only visits
/// what it would print; a hook behaves the same in both passes. References of lifetime `'a` to the
/// module and context stay valid while printing.
pub trait AsmPrinter<'a> {
    /// Returns the context.
    fn context(&self) -> &'a Context;

    /// Returns the module that is printed.
    fn module(&self) -> &'a Module;

    /// Prints a text verbatim.
    fn text(&mut self, text: &str);

    /// Prints `@name`.
    fn symbol_name(&mut self, name: &[u8]);

    /// Prints a quoted string.
    fn string(&mut self, string: &[u8]);

    /// Prints a type.
    fn ty(&mut self, ty: Type);

    /// Prints an attribute.
    fn attribute(&mut self, attribute: Attribute);

    /// Prints the name of a value.
    fn operand(&mut self, value: Value);

    /// Returns the name of a value as it is printed, without its `%`; empty while aliases are
    /// collected.
    fn value_name(&self, value: Value) -> Vec<u8>;

    /// Prints the name of a block.
    fn successor(&mut self, block: Block);

    /// Prints an attribute without the trailing type of a number.
    fn attribute_without_type(&mut self, attribute: Attribute);

    /// Prints an attribute of a dialect without the dialect's name and the mnemonic; its alias if
    /// it has one.
    fn stripped_attribute(&mut self, attribute: Attribute, mnemonic: &str);

    /// Prints a type of a dialect without the dialect's name and the mnemonic; its alias if it has
    /// one. Any other type, and one whose parameters are not in angle brackets, is printed in full.
    fn stripped_type(&mut self, ty: Type, mnemonic: &str);

    /// Prints a type of that dialect without the dialect's name; its alias if it has one. Any other
    /// type is printed in full.
    fn bare_type(&mut self, ty: Type, dialect: &str);

    /// Prints a line break and the indentation of the block's operations.
    fn newline(&mut self);

    /// Increases the indentation of the following lines by `steps`, which can be negative. A hook
    /// must undo its changes.
    fn indent(&mut self, steps: isize);

    /// Prints ` {...}` with the attributes whose names are not in `elided`; nothing if there are
    /// none.
    fn attribute_dictionary(&mut self, attributes: &[NamedAttribute], elided: &[&str]);

    /// Prints `<{...}>` with properties; nothing if there are none.
    fn property_dictionary(&mut self, properties: &[NamedAttribute]);

    /// Prints ` loc(...)` if locations are printed.
    fn location(&mut self, location: Location);

    /// Prints `%name loc(...)`: an argument of a region whose type is implied.
    fn region_argument_name(&mut self, argument: Value, location: Location);

    /// Prints `%name: type {...} loc(...)`: an argument of a region.
    fn region_argument(
        &mut self,
        argument: Value,
        location: Location,
        attributes: &[NamedAttribute],
    );
}

impl dyn AsmParser + '_ {
    /// Parses `attributes {...}`; returns no attributes if the keyword is not next.
    ///
    /// # Errors
    ///
    /// If no dictionary follows the keyword, or it is malformed.
    pub fn attribute_dictionary_with_keyword(&mut self) -> AsmResult<Vec<NamedAttribute>> {
        if !self.eat("attributes") {
            return Ok(Vec::new());
        }
        if !self.at("{") {
            let missing = self.expect("{");
            missing.map_err(|error| error.saying("expected '{' in attribute dictionary"))?;
        }
        self.attribute_dictionary()
    }
}

impl<'a> dyn AsmPrinter<'a> + '_ {
    /// Prints types separated by commas.
    pub fn types(&mut self, types: impl Iterator<Item = Type>) {
        for (i, ty) in types.enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.ty(ty);
        }
    }

    /// Prints names of values separated by commas.
    pub fn operands(&mut self, values: impl Iterator<Item = Value>) {
        for (i, value) in values.enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.operand(value);
        }
    }

    /// Prints ` attributes {...}` with the attributes whose names are not in `elided`; nothing if
    /// there are none.
    pub fn attribute_dictionary_with_keyword(
        &mut self,
        attributes: &[NamedAttribute],
        elided: &[&str],
    ) {
        let left = |a: &NamedAttribute| {
            !elided
                .iter()
                .any(|e| e.as_bytes() == self.context().bytes(a.0))
        };
        if attributes.iter().any(left) {
            self.text(" attributes");
            self.attribute_dictionary(attributes, elided);
        }
    }
}
