//! What the syntax of an operation is written against, where data does not say it: the parser and
//! the printer as a hook sees them.
//!
//! A hook is called step by step and never holds the parser while a region inside of its operation
//! is read: it says that a region comes next and is called again behind it. So nesting costs no
//! stack.

mod affine;
mod directive;
mod entry;
mod integers;

pub use affine::AffineOperands;
pub use directive::{CustomArgument, DirectiveSyntax, ParsedArgument, PrintedArgument};
pub use entry::{EntryParser, EntryPrinter, EntrySyntax, EntryVerifier, Parameters, ParametersMut};

use crate::affine::{AffineExpr, AffineMap};
use crate::{
    Attribute, Block, Context, Identifier, Location, Module, NamedAttribute, Operation,
    OperationName, Region, Type, Value,
};
use std::fmt;

/// A place in a text: an offset in bytes.
pub type Place = usize;

/// What is wrong with a text, and where. One word wide.
pub struct AsmError(Box<AsmErrorData>);

struct AsmErrorData {
    place: Place,
    message: String,
    notes: Vec<(Place, String)>,
    follows: bool,
    unsupported: bool,
    plain: bool,
}

impl AsmError {
    /// An error at `place`.
    #[cold]
    #[inline(never)]
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        AsmError(Box::new(AsmErrorData {
            place,
            message: message.into(),
            notes: Vec::new(),
            follows: false,
            unsupported: false,
            plain: false,
        }))
    }

    /// The same with a note: another place of the text that has to do with it.
    #[must_use]
    pub fn note(mut self, place: Place, message: impl Into<String>) -> Self {
        self.0.notes.push((place, message.into()));
        self
    }

    /// The same, known to be caused only by an earlier error, and so not reported if that one is.
    #[must_use]
    pub fn following(mut self, follows: bool) -> Self {
        self.0.follows = follows;
        self
    }

    /// The same, known to be no fault of the text: what would read it is missing, or reads no more
    /// of its sort.
    #[must_use]
    pub fn unsupported(mut self) -> Self {
        self.0.unsupported = true;
        self
    }

    /// Whether it is [no fault of the text](Self::unsupported).
    pub fn is_unsupported(&self) -> bool {
        self.0.unsupported
    }

    /// The same, of something that an operation shares with the rest of the text, such as a type:
    /// it is shown without the operation's name. Parsers make these; what a hook finds itself is
    /// not.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.0.plain = true;
        self
    }

    /// The same with the name of the operation that it is of, as upstream shows what custom syntax
    /// finds, unless it is [plain](Self::plain) or has it already.
    #[must_use]
    pub fn of_operation(mut self, name: &str) -> Self {
        if !self.0.plain {
            self.0.message = format!("custom op '{name}' {}", self.0.message);
            self.0.plain = true;
        }
        self
    }

    /// The same in other words.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// The same elsewhere.
    #[must_use]
    pub fn moved_to(mut self, place: Place) -> Self {
        self.0.place = place;
        self
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Other places that have to do with it, and why.
    pub fn notes(&self) -> &[(Place, String)] {
        &self.0.notes
    }

    /// Whether it is caused only by an earlier error.
    pub fn follows(&self) -> bool {
        self.0.follows
    }
}

impl fmt::Debug for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at offset {})", self.message(), self.place())
    }
}

/// What hooks and parsers return.
pub type AsmResult<T> = Result<T, AsmError>;

/// The name of a value in a text, not resolved yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandName {
    /// Where it stands, `%` included.
    pub place: Place,
    /// How many bytes it takes.
    pub len: usize,
    /// The number behind `#`, else 0.
    pub number: u32,
}

/// An argument of a region's entry block, as it is declared before the region.
#[derive(Clone, Copy, Debug)]
pub struct RegionArgument {
    /// Its name.
    pub name: OperandName,
    /// Its type.
    pub ty: Type,
    /// Where it is from; none if the text does not say.
    pub location: Option<Location>,
}

/// What a hook wants next.
#[derive(Clone, Debug)]
pub enum ParseStep {
    /// The operation is read, but for its location.
    Done,
    /// A region comes, at its `{`; its entry block has these arguments.
    Region(Vec<RegionArgument>),
}

/// What a hook prints next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintStep {
    /// The operation is printed, but for its location.
    Done,
    /// The region of that number.
    Region {
        /// Which region.
        number: usize,
        /// Whether the entry block's arguments are printed in its header.
        entry_arguments: bool,
        /// Whether the last operation of a block is printed.
        terminators: bool,
    },
    /// An operation without regions, on the same line, without the names of its results and its
    /// location. The hook is called again behind it as behind a region.
    Operation(Operation),
}

/// An operation while a hook reads it.
#[derive(Clone, Debug, Default)]
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
    /// Regions that have no text but what a hook [made](AsmParser::make_region); they come behind
    /// those that are read.
    pub regions: Vec<Region>,
    /// Regions that have no text, which come last.
    pub empty_regions: usize,
    /// By the regions in order of the text: which of the operation's each is. Empty if that is the
    /// order.
    pub region_order: Vec<usize>,
    /// Kept for the hook: operands whose types come behind a region.
    pub names: Vec<OperandName>,
    /// Kept for the hook: numbers that were read before a region.
    pub numbers: Vec<i64>,
    /// Kept for the hook: types that it looks at while it reads.
    pub types: Vec<Type>,
    /// Kept for the hook: arguments of a region that comes later.
    pub later_arguments: Vec<RegionArgument>,
    /// Where it is from, if the hook has read that.
    pub location: Option<Location>,
}

/// An operation that a text means without showing it.
#[derive(Clone, Debug, Default)]
pub struct MadeOperation<'a> {
    /// The name.
    pub name: &'a str,
    /// The operands.
    pub operands: &'a [Value],
    /// The types of the results.
    pub result_types: &'a [Type],
    /// The inherent attributes; others have their defaults.
    pub properties: &'a [NamedAttribute],
    /// The regions, which were made before.
    pub regions: &'a [Region],
    /// Where it is from; none for nowhere.
    pub location: Option<Location>,
}

/// The syntax of an operation.
pub trait OperationSyntax: fmt::Debug + Send + Sync {
    /// Reads what follows the operation's name, or, if `regions` is not 0, what follows the region
    /// that was asked for in the step before.
    ///
    /// # Errors
    ///
    /// If the text is not of this operation.
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep>;

    /// Prints what follows the operation's name, or, if `regions` is not 0, what follows the region
    /// printed last.
    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep;

    /// Whether this syntax says all that the operation holds. If not, as for an operation that does
    /// not verify, it is printed in generic form. What every definition asks for is checked
    /// already: inherent attributes are properties, and no others are.
    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let _ = (context, module, operation);
        true
    }

    /// The dialect whose prefix is left out inside of the operation's regions.
    fn default_dialect(&self) -> &'static str {
        ""
    }

    /// Whether upstream makes its parser of the operation of a format. If so, inherent attributes
    /// in the dictionary must be what the definition asks for, and count before what stands
    /// elsewhere. If not, one of another sort is passed over, and it is an error to say one twice.
    fn has_format(&self) -> bool {
        false
    }
}

/// Names of values where a text has none, as data cannot say them.
pub trait ValueNames: fmt::Debug + Send + Sync {
    /// Gives names to results that the text has no names for, as upstream's `getAsmResultNames`:
    /// `c0` for a constant. `name` is to be called in order of the results.
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let _ = (context, module, operation, name);
    }

    /// The same for the arguments of blocks, as upstream's `getAsmBlockArgumentNames`.
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

/// The parser as a hook sees it. Every method passes over what it reads.
pub trait AsmParser {
    /// The context, to make types and attributes.
    fn context(&mut self) -> &mut Context;

    /// The identifier of a name that is part of the program. Found again without a look at its
    /// bytes.
    fn name(&mut self, name: &'static str) -> Identifier;

    /// The attribute that `make` makes, which is called no more once it has made one for `key`: a
    /// text of the program that stands for no other attribute.
    fn constant(
        &mut self,
        key: &'static str,
        make: &dyn Fn(&mut Context) -> Option<Attribute>,
    ) -> Option<Attribute>;

    /// The type that `make` makes of a list of types, which is called no more once it has made one
    /// of the same list for `key`: a text of the program that no other way to make a type has.
    fn type_of_types(
        &mut self,
        key: &'static str,
        types: &[Type],
        make: &dyn Fn(&mut Context, &[Type]) -> Option<Type>,
    ) -> Option<Type>;

    /// An empty list for the arguments of a [region](ParseStep::Region), which has the room of one
    /// that was used before.
    fn argument_list(&mut self) -> Vec<RegionArgument>;

    /// The next token's place.
    fn place(&self) -> Place;

    /// Passes over punctuation or a keyword if it is next.
    fn eat(&mut self, token: &str) -> bool;

    /// Passes over punctuation or a keyword that must be next.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn expect(&mut self, token: &str) -> AsmResult<()>;

    /// Whether punctuation or a keyword is next.
    fn at(&self, token: &str) -> bool;

    /// Whether a keyword is next.
    fn at_keyword(&self) -> bool;

    /// Whether an operand's name is next.
    fn at_operand(&self) -> bool;

    /// `@name`, if it is next.
    ///
    /// # Errors
    ///
    /// If the name is malformed.
    fn symbol_name(&mut self) -> AsmResult<Option<Identifier>>;

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

    /// `{...}`, if it is next; else no attributes.
    ///
    /// # Errors
    ///
    /// If the dictionary is malformed.
    fn attribute_dictionary(&mut self) -> AsmResult<Vec<NamedAttribute>>;

    /// `loc(...)`, if it is next.
    ///
    /// # Errors
    ///
    /// If the location is malformed.
    fn location(&mut self) -> AsmResult<Option<Location>>;

    /// `%name`.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn operand_name(&mut self) -> AsmResult<OperandName>;

    /// The value that a name stands for, of a type.
    ///
    /// # Errors
    ///
    /// If the value has another type.
    fn resolve(&mut self, name: OperandName, ty: Type) -> AsmResult<Value>;

    /// An attribute of a type that the text does not say: a number that has none is of it.
    ///
    /// # Errors
    ///
    /// If there is none, or a number does not fit the type.
    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;

    /// An attribute of the operation's dialect with that mnemonic, without the dialect's name and
    /// the mnemonic or by its alias.
    ///
    /// # Errors
    ///
    /// If there is none, or the dialect has no attribute of that mnemonic.
    fn stripped_attribute(&mut self, mnemonic: &str) -> AsmResult<Attribute>;

    /// `#dialect.mnemonic<word>`, which the text does not say so. Found again without being made.
    ///
    /// # Errors
    ///
    /// If that is no attribute.
    fn attribute_of_word(
        &mut self,
        dialect: &str,
        mnemonic: &str,
        word: &str,
    ) -> AsmResult<Attribute>;

    /// Sizes with an `x` between them, as in `4x?x8`, [`DYNAMIC`](crate::DYNAMIC) for `?`; none if
    /// no size is next.
    ///
    /// # Errors
    ///
    /// If a size does not fit 64 bits, or there is none behind an `x`.
    fn dimension_list(&mut self) -> AsmResult<Vec<i64>>;

    /// An integer with its sign, if one is next; as upstream, `true` is -1, and `false` 0.
    ///
    /// # Errors
    ///
    /// If it does not fit 64 bits.
    fn optional_integer(&mut self) -> AsmResult<Option<i64>>;

    /// Elements whose shaped type the text does not say: `dense<...>`, `dense_resource<...>`, or
    /// any other attribute.
    ///
    /// # Errors
    ///
    /// If there are none, or they do not fit the type.
    fn elements_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;

    /// A keyword, if one is next.
    fn optional_keyword(&mut self) -> Option<Identifier>;

    /// An affine expression of operands: `%i + symbol(%n) * 4`. Those that are not in `operands`
    /// yet are added.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn affine_expression(&mut self, operands: &mut AffineOperands) -> AsmResult<AffineExpr>;

    /// An affine map without `affine_map` and brackets: `(d0, d1) -> (d1, d0)`.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn affine_map(&mut self) -> AsmResult<AffineMap>;

    /// `^name`.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn successor(&mut self) -> AsmResult<Block>;

    /// Ends the region that was read last with an operation of that name, without operands, if its
    /// block has no terminator.
    ///
    /// # Errors
    ///
    /// If that operation is not known.
    fn ensure_terminator(&mut self, name: &str) -> AsmResult<()>;

    /// The type that is the only parameter of a dialect's type: `f32` of `!async.value<f32>`.
    fn parameter_of(&mut self, ty: Type) -> Option<Type>;

    /// The name of the operation that is read.
    fn operation_name(&self) -> OperationName;

    /// The module, to look at what is made.
    fn module(&self) -> &Module;

    /// Where the operation that is read is in the text.
    fn source_location(&mut self) -> Location;

    /// Makes a region of one block with arguments of these types, each from a place or from
    /// nowhere.
    fn make_region(&mut self, arguments: &[(Type, Option<Location>)]) -> Region;

    /// Appends an operation to the block of a region that was made.
    ///
    /// # Errors
    ///
    /// If that operation is not known, or its properties are not its own.
    fn make_operation(&mut self, region: Region, new: &MadeOperation<'_>) -> AsmResult<Operation>;

    /// Gives the region that was read last a block if it has none.
    fn ensure_block(&mut self);

    /// The region that was read last.
    fn region(&self) -> Option<Region>;

    /// Whether the last block of the region that was read last does not end with a terminator. As
    /// upstream, an operation that is not known is taken for none.
    fn lacks_terminator(&self) -> bool;

    /// Whether the region that was read last has no blocks.
    fn region_is_empty(&self) -> bool;

    /// Where the region that was read last begins.
    fn region_place(&self) -> Place;
}

/// The printer as a hook sees it. It prints, or, when aliases are being found, only visits: a hook
/// does the same for both. What is printed, of lifetime `'a`, can be looked at while printing.
pub trait AsmPrinter<'a> {
    /// The context.
    fn context(&self) -> &'a Context;

    /// The module of what is printed.
    fn module(&self) -> &'a Module;

    /// Text as it is.
    fn text(&mut self, text: &str);

    /// `@name`.
    fn symbol_name(&mut self, name: &[u8]);

    /// A string in quotes.
    fn string(&mut self, string: &[u8]);

    /// A type.
    fn ty(&mut self, ty: Type);

    /// An attribute.
    fn attribute(&mut self, attribute: Attribute);

    /// The name of a value.
    fn operand(&mut self, value: Value);

    /// The name of a block.
    fn successor(&mut self, block: Block);

    /// An attribute without the type that a number has behind it.
    fn attribute_without_type(&mut self, attribute: Attribute);

    /// An attribute of a dialect without the dialect's name and the mnemonic, or its alias if it
    /// has one.
    fn stripped_attribute(&mut self, attribute: Attribute, mnemonic: &str);

    /// A type of a dialect without the dialect's name and the mnemonic, or its alias if it has one.
    /// Any other type, and one whose parameters are in no angle brackets, is printed with all of
    /// it.
    fn stripped_type(&mut self, ty: Type, mnemonic: &str);

    /// A line break, and white space up to where operations of the block begin.
    fn newline(&mut self);

    /// Moves what begins a line from here on to the right by so many steps, or, if they are
    /// negative, to the left. A hook takes back what it has added.
    fn indent(&mut self, steps: isize);

    /// ` {...}` with the attributes whose names are not in `elided`; nothing if there are none.
    fn attribute_dictionary(&mut self, attributes: &[NamedAttribute], elided: &[&str]);

    /// `<{...}>` with properties; nothing if there are none.
    fn property_dictionary(&mut self, properties: &[NamedAttribute]);

    /// `%name loc(...)`: an argument of a region whose type the text does not say.
    fn region_argument_name(&mut self, argument: Value, location: Location);

    /// `%name: type {...} loc(...)`.
    fn region_argument(
        &mut self,
        argument: Value,
        location: Location,
        attributes: &[NamedAttribute],
    );
}

impl dyn AsmParser + '_ {
    /// `attributes {...}`; nothing if the keyword is not next.
    ///
    /// # Errors
    ///
    /// If no dictionary is behind the keyword, or it is malformed.
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
    /// Types with commas between them.
    pub fn types(&mut self, types: impl Iterator<Item = Type>) {
        for (i, ty) in types.enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.ty(ty);
        }
    }

    /// Names of values with commas between them.
    pub fn operands(&mut self, values: impl Iterator<Item = Value>) {
        for (i, value) in values.enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.operand(value);
        }
    }

    /// ` attributes {...}` with the attributes whose names are not in `elided`; nothing if there
    /// are none.
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
