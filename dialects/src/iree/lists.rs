//! Directives for lists of rows: each row has the same elements, each of which is the next member
//! of an argument of the directive.

use super::shaped::Parameter;
use super::values::SizedType as Sized;
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{integer_of, is_of};
use crate::two_way::{Asm, Named, items};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, OperandName, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Type, Value};
use std::slice::Iter;

/// An element of a row. Numbers are those of the directive's arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    /// A token, and how it is printed.
    Token(&'static str, &'static str),
    /// The next operand of a group.
    Operand(usize),
    /// An operand of an optional group followed by `::`, the same in all rows, and the next one of
    /// the group after that.
    Scope(usize),
    /// The next type of a group.
    Type(usize),
    /// The next type of a group, and its sizes in braces: the group of types, that of the sizes.
    SizedType(usize, usize),
    /// The next element of an array.
    Attribute(usize),
    /// The next element of an array of integers of type `index`, without its type.
    Index(usize),
    /// The next element of an array of integers of type `index` that stores the type of a result,
    /// which has no text.
    IndexType(usize),
    /// The next type of an array of types, and its sizes in braces: the array, the group of sizes.
    SizedTypeAttribute(usize, usize),
    /// The only operand of a group, the same in all rows.
    Same(usize),
    /// The only type of a group, the same in all rows.
    SameType(usize),
    /// The type of a group, without text, that is the first one of another argument.
    TypeOf(usize, usize),
    /// The next access of an array of accesses: `ro`, `wo`, `rw`.
    Access(usize),
    /// The next operands of three groups, `[%offset to %end for %length]`, if the operand of the
    /// element before is a `!stream.resource`.
    RangeOfResource([usize; 3]),
    /// The next operand of the first group; if it is a `!stream.resource`, `ro %a[%offset for
    /// %length]` with the next operands of two more groups and the next access of an array.
    Accessed([usize; 4]),
}

/// How rows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `a, b`.
    Line,
    /// A line for each row, indented by two spaces.
    Lines,
    /// As `LinesAndNext`, with a space after each comma.
    SpacedLinesAndNext,
    /// As `Lines`, and the text that follows is on a line of its own.
    LinesAndNext,
}

/// The keywords of accesses to resources; the bits that store an access are its number and 1.
const ACCESSES: [&str; 3] = ["ro", "wo", "rw"];

/// A directive for rows.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    pub(crate) layout: Layout,
    /// Whether there can be no row. It is found by the closing token, or else by the first token.
    pub(crate) can_be_empty: bool,
    pub(crate) row: &'static [Element],
    /// The argument with a member for each row.
    pub(crate) counted: usize,
}

/// An element of a row that is read or printed.
#[derive(Default)]
pub(crate) struct Cell {
    /// The offset in the text that is read.
    place: usize,
    value: Named,
    parameter: Parameter,
    sized: Sized,
    attribute: Option<Attribute>,
    access: usize,
    range: Option<[Named; 3]>,
}

impl Element {
    fn text(self, asm: &mut Asm<'_, '_>, cell: &mut Cell) -> AsmResult<()> {
        cell.place = asm.place().unwrap_or_default();
        match self {
            Element::Token(token, printed) => asm.token(token, printed),
            Element::Operand(_) | Element::Same(_) => asm.value(&mut cell.value),
            Element::Scope(_) => cell.parameter.text(asm),
            Element::Type(_) | Element::SameType(_) => asm.ty(&mut cell.sized.ty),
            Element::SizedType(..) | Element::SizedTypeAttribute(..) => {
                asm.sized_type(&mut cell.sized)
            }
            Element::Attribute(_) => asm.attribute(&mut cell.attribute),
            Element::Index(_) => {
                let index = asm.context().index_type();
                asm.attribute_of(Some(index), &mut cell.attribute)
            }
            Element::IndexType(_) | Element::TypeOf(..) => Ok(()),
            Element::Access(_) => {
                let found = asm.choice(&ACCESSES, &mut cell.access);
                asm.space(" ");
                found.map_err(|error| error.saying("expected 'ro', 'wo' or 'rw'"))
            }
            Element::RangeOfResource(_) => {
                if !asm.is_there("[", cell.range.is_some()) {
                    return Ok(());
                }
                let [offset, end, length] = cell.range.get_or_insert_default();
                asm.token("[", "[")?;
                asm.value(offset)?;
                asm.token("to", " to ")?;
                asm.value(end)?;
                asm.token("for", " for ")?;
                asm.value(length)?;
                asm.token("]", "]")
            }
            Element::Accessed(_) => {
                let mut access = cell.range.is_some().then_some(cell.access);
                asm.optional_choice(&ACCESSES, &mut access);
                asm.value(&mut cell.value)?;
                let Some(access) = access else {
                    return Ok(());
                };
                cell.access = access;
                let [offset, length, _] = cell.range.get_or_insert_default();
                asm.token("[", "[")?;
                asm.value(offset)?;
                asm.token("for", " for ")?;
                asm.value(length)?;
                asm.token("]", "]")
            }
        }
    }
}

/// The members of the arguments that are not in the text yet.
struct Members<'p> {
    arguments: &'p [PrintedArgument],
    values: Vec<std::iter::Copied<Iter<'p, Value>>>,
    types: Vec<Iter<'p, Type>>,
    attributes: Vec<Iter<'p, Attribute>>,
    /// The scope of parameters.
    scope: Option<Named>,
    /// The last operand.
    last: Option<Value>,
}

impl<'p> Members<'p> {
    fn of(context: &'p Context, arguments: &'p [PrintedArgument]) -> Option<Self> {
        let mut attributes = Vec::new();
        for argument in arguments {
            attributes.push(match argument.attribute() {
                None => [].iter(),
                array => items(context, array)?.iter(),
            });
        }
        let values = arguments.iter().map(|one| one.operands().iter().copied());
        let types = arguments.iter().map(|one| one.types().iter());
        Some(Members {
            arguments,
            values: values.collect(),
            types: types.collect(),
            attributes,
            scope: None,
            last: None,
        })
    }

    /// Takes the members that all rows share.
    fn take_shared(&mut self, row: &[Element], is_empty: bool) {
        for element in row {
            match *element {
                Element::Scope(of) => self.scope = self.value(of),
                Element::Same(of) if !is_empty => {
                    let _ = self.value(of);
                }
                Element::SameType(of) if !is_empty => {
                    let _ = self.ty(of);
                }
                Element::TypeOf(_, from) => {
                    let _ = self.ty(from);
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, of: usize) -> Option<Named> {
        self.last = Some(self.values.get_mut(of)?.next()?);
        self.last.map(Named::of)
    }

    fn ty(&mut self, of: usize) -> Option<Type> {
        self.types.get_mut(of)?.next().copied()
    }

    fn attribute(&mut self, of: usize) -> Option<Attribute> {
        self.attributes.get_mut(of)?.next().copied()
    }

    /// Returns the next access of an array, by the index of its keyword.
    fn access(&mut self, context: &Context, of: usize) -> Option<usize> {
        let bits = integer_of(context, context.i32_type(), self.attribute(of));
        let access = usize::try_from(bits?.checked_sub(1)?).ok()?;
        ACCESSES.get(access).map(|_| access)
    }

    /// Returns the next cell of an element; `None` if there is no member for it, or the text would
    /// lose something.
    fn cell(&mut self, context: &Context, module: &Module, element: Element) -> Option<Cell> {
        let mut cell = Cell::default();
        match element {
            Element::Token(..) => {}
            Element::Operand(of) => cell.value = self.value(of)?,
            Element::Scope(of) => {
                cell.parameter = Parameter::of(self.scope, self.value(of.saturating_add(1))?);
            }
            Element::Type(of) => cell.sized.ty = Some(self.ty(of)?),
            Element::SizedType(of, sizes) => {
                let ty = self.ty(of)?;
                cell.sized = Sized::next(context, ty, self.values.get_mut(sizes)?)?;
            }
            Element::Attribute(of) => cell.attribute = Some(self.attribute(of)?),
            Element::Index(of) => {
                cell.attribute = Some(self.attribute(of)?);
                integer_of(context, context.index_type(), cell.attribute)?;
            }
            Element::IndexType(of) => {
                self.ty(of).filter(|&ty| ty == context.index_type())?;
            }
            Element::SizedTypeAttribute(of, sizes) => {
                let AttributeKind::Type(ty) = *context.attribute_kind(self.attribute(of)?) else {
                    return None;
                };
                cell.sized = Sized::next(context, ty, self.values.get_mut(sizes)?)?;
            }
            Element::Same(of) => {
                cell.value = Named::of(*self.arguments.get(of)?.operands().first()?);
            }
            Element::SameType(of) => {
                cell.sized.ty = Some(*self.arguments.get(of)?.types().first()?);
            }
            Element::TypeOf(of, from) => {
                let from = self.arguments.get(from)?.types().first().copied();
                self.ty(of).filter(|&ty| Some(ty) == from)?;
            }
            Element::Access(of) => cell.access = self.access(context, of)?,
            Element::Accessed([of, offset, length, access]) => {
                cell.value = self.value(of)?;
                let ty = module.value_type(self.last?);
                if is_of(context, ty, "stream", "resource") {
                    let none = Named::default();
                    cell.range = Some([self.value(offset)?, self.value(length)?, none]);
                    cell.access = self.access(context, access)?;
                }
            }
            Element::RangeOfResource([offset, end, length]) => {
                let ty = module.value_type(self.last?);
                if is_of(context, ty, "stream", "resource") {
                    cell.range = Some([self.value(offset)?, self.value(end)?, self.value(length)?]);
                }
            }
        }
        Some(cell)
    }

    /// Returns whether the text has all members.
    fn are_all(&mut self) -> bool {
        self.values.iter_mut().all(|rest| rest.next().is_none())
            && self.types.iter_mut().all(|rest| rest.next().is_none())
            && self.attributes.iter_mut().all(|rest| rest.next().is_none())
    }
}

/// What was read for an argument.
#[derive(Default)]
struct Parsed {
    names: Vec<OperandName>,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
}

/// Returns whether two names are the same.
fn is_same(parser: &mut dyn AsmParser, a: OperandName, b: OperandName) -> bool {
    a.number == b.number && parser.operand_text(a) == parser.operand_text(b)
}

impl Cell {
    /// Adds what was read to the arguments.
    fn add(
        &self,
        parser: &mut dyn AsmParser,
        element: Element,
        is_first: bool,
        parsed: &mut [Parsed],
    ) -> AsmResult<()> {
        let wrong = |message: &str| Err(AsmError::new(self.place, message));
        match element {
            Element::Token(..) => {}
            Element::Operand(of) => add_names(parsed, of, &[self.value]),
            Element::Scope(of) => {
                let scope = self.parameter.scope().and_then(|scope| scope.name);
                let known = parsed.get(of).and_then(|one| one.names.first().copied());
                let is_known = match (known, scope) {
                    (Some(a), Some(b)) => parser.operand_text(a) == parser.operand_text(b),
                    (a, b) => is_first || a.is_none() && b.is_none(),
                };
                if !is_known {
                    return wrong("each operation must use the same scope");
                }
                if let Some(one) = parsed.get_mut(of).filter(|_| is_first) {
                    one.names.extend(scope);
                }
                add_names(parsed, of.saturating_add(1), &[self.parameter.key()]);
            }
            Element::Type(of) => add_type(parsed, of, self.sized.ty),
            Element::SizedType(of, sizes) => {
                add_type(parsed, of, self.sized.ty);
                add_names(parsed, sizes, &self.sized.sizes);
            }
            Element::Attribute(of) | Element::Index(of) => add(parsed, of, self.attribute),
            Element::IndexType(of) => add_type(parsed, of, Some(parser.context().index_type())),
            Element::SizedTypeAttribute(of, sizes) => {
                let context = parser.context();
                let ty = self.sized.ty.map(|ty| context.type_attribute(ty));
                add(parsed, of, ty);
                add_names(parsed, sizes, &self.sized.sizes);
            }
            Element::Same(of) => {
                let known = parsed.get(of).and_then(|one| one.names.first().copied());
                let pair = known.zip(self.value.name);
                if pair.is_some_and(|(known, name)| !is_same(parser, known, name)) {
                    return wrong("each operation must use the same resource");
                }
                if let Some(one) = parsed.get_mut(of) {
                    one.names = Named::names(&[self.value]);
                }
            }
            Element::SameType(of) => {
                let known = parsed.get(of).and_then(|one| one.types.first().copied());
                match known {
                    None => add_type(parsed, of, self.sized.ty),
                    known if known == self.sized.ty => {}
                    _ => return wrong("each operation must use the same type"),
                }
            }
            Element::TypeOf(of, from) => {
                let from = parsed.get(from).and_then(|one| one.types.first().copied());
                add_type(parsed, of, from);
            }
            Element::Access(of) => self.add_access(parser, of, parsed),
            Element::Accessed([of, offset, length, access]) => {
                add_names(parsed, of, &[self.value]);
                if let Some([from, size, _]) = self.range {
                    add_names(parsed, offset, &[from]);
                    add_names(parsed, length, &[size]);
                    self.add_access(parser, access, parsed);
                }
            }
            Element::RangeOfResource(groups) => {
                for (of, value) in groups.into_iter().zip(self.range.iter().flatten()) {
                    add_names(parsed, of, &[*value]);
                }
            }
        }
        Ok(())
    }

    /// Adds an access that was read to an array.
    fn add_access(&self, parser: &mut dyn AsmParser, of: usize, parsed: &mut [Parsed]) {
        let bits = i64::try_from(self.access).unwrap_or_default() + 1;
        let context = parser.context();
        let i32 = context.i32_type();
        add(parsed, of, context.integer_attribute(i32, bits).ok());
    }
}

fn add_names(parsed: &mut [Parsed], of: usize, values: &[Named]) {
    if let Some(one) = parsed.get_mut(of) {
        one.names
            .extend(values.iter().filter_map(|value| value.name));
    }
}

fn add_type(parsed: &mut [Parsed], of: usize, ty: Option<Type>) {
    if let Some(one) = parsed.get_mut(of) {
        one.types.extend(ty);
    }
}

fn add(parsed: &mut [Parsed], of: usize, attribute: Option<Attribute>) {
    if let Some(one) = parsed.get_mut(of) {
        one.attributes.extend(attribute);
    }
}

impl TwoWayDirective for Rows {
    type Content = Vec<Vec<Cell>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (context, arguments) = (printed.context, printed.arguments);
        let mut members = Members::of(context, arguments)?;
        let counted = arguments.get(self.counted)?;
        let array = members.attributes.get(self.counted)?;
        let count = counted.operands().len() + counted.types().len() + array.len();
        members.take_shared(self.row, count == 0);
        let mut rows = Vec::new();
        for _ in 0..count {
            let row = self.row.iter();
            let row = row.map(|&element| members.cell(context, printed.module, element));
            rows.push(row.collect::<Option<Vec<Cell>>>()?);
        }
        (members.are_all() && (count > 0 || self.can_be_empty)).then_some(rows)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !self.open.is_empty() {
            asm.token(self.open, self.open)?;
        }
        let has_rows = !content.is_empty();
        let is_there = match (self.close, self.row.first()) {
            ("", Some(Element::Token(token, _))) => asm.is_there(token, has_rows),
            (close, _) => !asm.is_there(close, !has_rows),
        };
        let is_there = is_there || !self.can_be_empty;
        if is_there {
            let separator = match self.layout {
                Layout::Line | Layout::SpacedLinesAndNext => ", ",
                Layout::Lines | Layout::LinesAndNext => ",",
            };
            match self.row.first() {
                // Upstream reads a comma after the last row.
                Some(Element::Token(token, _)) if self.close.is_empty() && self.can_be_empty => {
                    asm.separated_while(separator, token, content, |asm, row| {
                        self.row_text(asm, row)
                    })?;
                }
                _ => asm.separated(separator, content, |asm, row| self.row_text(asm, row))?,
            }
        }
        if matches!(
            self.layout,
            Layout::LinesAndNext | Layout::SpacedLinesAndNext
        ) {
            asm.newline();
        }
        if !self.close.is_empty() {
            asm.token(self.close, self.close)?;
        }
        Ok(is_there)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let mut parsed = Vec::new();
        for argument in &*arguments {
            let mut one = Parsed::default();
            // Those of a reference.
            if let ParsedArgument::Types(types) = argument {
                one.types.clone_from(types);
            }
            parsed.push(one);
        }
        for (number, row) in content.iter().enumerate() {
            for (cell, &element) in row.iter().zip(self.row) {
                cell.add(parser, element, number == 0, &mut parsed)?;
            }
        }
        for (argument, parsed) in arguments.iter_mut().zip(parsed) {
            match argument {
                ParsedArgument::Operands(names) => *names = parsed.names,
                ParsedArgument::Types(types) => *types = parsed.types,
                ParsedArgument::Attribute(value) => {
                    *value = Some(parser.context().array_attribute(&parsed.attributes));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Rows {
    fn row_text(&self, asm: &mut Asm<'_, '_>, row: &mut Vec<Cell>) -> AsmResult<()> {
        if self.layout != Layout::Line {
            asm.newline();
            asm.space("  ");
        }
        row.resize_with(self.row.len(), Cell::default);
        for (element, cell) in self.row.iter().zip(row) {
            element.text(asm, cell)?;
        }
        Ok(())
    }
}

use Element::{
    Access, Accessed, Attribute as A, Index, IndexType, Operand as O, RangeOfResource, Same,
    SameType, Scope, SizedType, SizedTypeAttribute, Token, Type as T, TypeOf,
};

/// `[%offset for %length], ...`.
pub(crate) const RANGES: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Line,
    can_be_empty: false,
    row: &[
        Token("[", "["),
        O(0),
        Token("for", " for "),
        O(1),
        Token("]", "]"),
    ],
    counted: 0,
};

/// `(%a[%offset to %end for %length], %b)`.
pub(crate) const DISPATCH_OPERANDS: Rows = Rows {
    open: "(",
    close: ")",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[O(0), RangeOfResource([1, 2, 3])],
    counted: 0,
};

/// `(ro %a[%offset for %length], %b)`.
pub(crate) const CALL_OPERANDS: Rows = Rows {
    open: "(",
    close: ")",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[Accessed([0, 1, 2, 3])],
    counted: 0,
};

/// Lines of `%scope::%key[%offset] : type{%size}`.
pub(crate) const PARAMETER_LOADS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Scope(0),
        Token("[", "["),
        O(2),
        Token("]", "]"),
        Token(":", " : "),
        T(3),
        Token("{", "{"),
        O(4),
        Token("}", "}"),
    ],
    counted: 1,
};

/// Lines of `type{%size} = #value`.
pub(crate) const CONSTANTS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Lines,
    can_be_empty: false,
    row: &[SizedType(0, 1), Token("=", " = "), A(2)],
    counted: 0,
};

/// Lines of `[0, 10] = %size`.
pub(crate) const PACKED: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: true,
    row: &[
        Token("[", "["),
        Index(0),
        Token(",", ", "),
        Index(0),
        Token("]", "]"),
        Token("=", " = "),
        O(1),
        IndexType(2),
    ],
    counted: 1,
};

/// `type{%size}`.
pub(crate) const SIZED_TYPE: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Line,
    can_be_empty: false,
    row: &[T(0), Token("{", "{"), O(1), Token("}", "}")],
    counted: 0,
};

/// `(types)`.
pub(crate) const TYPES: Rows = Rows {
    open: "(",
    close: ")",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[T(0)],
    counted: 0,
};

/// Lines of `ro %resource[%offset for %length] : type{%size}`.
pub(crate) const RESOURCES: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Lines,
    can_be_empty: false,
    row: &[
        Access(5),
        O(0),
        Token("[", "["),
        O(3),
        Token("for", " for "),
        O(4),
        Token("]", "]"),
        Token(":", " : "),
        SizedType(1, 2),
    ],
    counted: 0,
};

/// Lines of `%scope::%key[%offset] -> %target[%offset to %end for %length] : type{%size}`.
pub(crate) const ASYNC_GATHER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Scope(0),
        Token("[", "["),
        O(2),
        Token("]", "]"),
        Token("->", " -> "),
        Same(3),
        Token("[", "["),
        O(6),
        Token("to", " to "),
        O(7),
        Token("for", " for "),
        O(8),
        Token("]", "]"),
        Token(":", " : "),
        SameType(4),
        Token("{", "{"),
        Same(5),
        Token("}", "}"),
    ],
    counted: 1,
};

/// Lines of `%scope::%key[%offset] -> %target[%offset for %length] : type{%size}`.
pub(crate) const COMMAND_GATHER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Scope(0),
        Token("[", "["),
        O(2),
        Token("]", "]"),
        Token("->", " -> "),
        Same(3),
        Token("[", "["),
        O(6),
        Token("for", " for "),
        O(7),
        Token("]", "]"),
        Token(":", " : "),
        SameType(4),
        Token("{", "{"),
        Same(5),
        Token("}", "}"),
    ],
    counted: 1,
};

/// Lines of `%scope::%key[%offset] -> %target[%offset for %length] : type`.
pub(crate) const GATHER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Scope(0),
        Token("[", "["),
        O(2),
        Token("]", "]"),
        Token("->", " -> "),
        Same(3),
        Token("[", "["),
        O(5),
        Token("for", " for "),
        O(6),
        Token("]", "]"),
        Token(":", " : "),
        SameType(4),
    ],
    counted: 1,
};

/// Lines of `%source[%offset to %end for %length] : type{%size} -> %scope::%key[%offset]`.
pub(crate) const ASYNC_SCATTER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Same(0),
        Token("[", "["),
        O(3),
        Token("to", " to "),
        O(4),
        Token("for", " for "),
        O(5),
        Token("]", "]"),
        Token(":", " : "),
        SameType(1),
        Token("{", "{"),
        Same(2),
        Token("}", "}"),
        Token("->", " -> "),
        Scope(6),
        Token("[", "["),
        O(8),
        Token("]", "]"),
    ],
    counted: 7,
};

/// Lines of `%source[%offset for %length] : type{%size} -> %scope::%key[%offset]`.
pub(crate) const COMMAND_SCATTER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Same(0),
        Token("[", "["),
        O(3),
        Token("for", " for "),
        O(4),
        Token("]", "]"),
        Token(":", " : "),
        SameType(1),
        Token("{", "{"),
        Same(2),
        Token("}", "}"),
        Token("->", " -> "),
        Scope(5),
        Token("[", "["),
        O(7),
        Token("]", "]"),
    ],
    counted: 6,
};

/// Lines of `%source[%offset for %length] : type -> %scope::%key[%offset]`.
pub(crate) const SCATTER: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        Same(0),
        Token("[", "["),
        O(2),
        Token("for", " for "),
        O(3),
        Token("]", "]"),
        Token(":", " : "),
        SameType(1),
        Token("->", " -> "),
        Scope(4),
        Token("[", "["),
        O(6),
        Token("]", "]"),
    ],
    counted: 5,
};

/// Lines of `(%buffer : type)[%offset, %length]`.
pub(crate) const BINDINGS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::SpacedLinesAndNext,
    can_be_empty: true,
    row: &[
        Token("(", "("),
        O(0),
        Token(":", " : "),
        T(1),
        Token(")", ")"),
        Token("[", "["),
        O(2),
        Token(",", ", "),
        O(3),
        Token("]", "]"),
    ],
    counted: 0,
};

/// Lines of `(%device, %affinity : type, i64)` in brackets.
pub(crate) const DEVICES: Rows = Rows {
    open: "[",
    close: "]",
    layout: Layout::LinesAndNext,
    can_be_empty: true,
    row: &[
        Token("(", "("),
        O(0),
        Token(",", ", "),
        O(2),
        Token(":", " : "),
        T(1),
        Token(",", ", "),
        Token("i64", "i64"),
        Token(")", ")"),
    ],
    counted: 0,
};

/// `[%a, %b]` of the type in the first argument.
pub(crate) const VALUES: Rows = Rows {
    open: "[",
    close: "]",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[O(1), TypeOf(2, 0)],
    counted: 1,
};

/// `[%a : type, %b : type]`.
pub(crate) const TYPED_VALUES: Rows = Rows {
    open: "[",
    close: "]",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[O(0), Token(":", " : "), T(1)],
    counted: 0,
};

/// `%a : type{%size}, %b : type`.
pub(crate) const SHAPED_OPERANDS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Line,
    can_be_empty: false,
    row: &[O(0), Token(":", " : "), SizedType(1, 2)],
    counted: 0,
};

/// Lines of `%a : encoding{%dim} in type{%size}`.
pub(crate) const ENCODED_OPERANDS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::LinesAndNext,
    can_be_empty: false,
    row: &[
        O(0),
        Token(":", " : "),
        SizedTypeAttribute(3, 4),
        Token("in", " in "),
        SizedType(1, 2),
    ],
    counted: 0,
};
