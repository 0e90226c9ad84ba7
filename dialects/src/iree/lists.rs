//! Directives for lists of rows: each row has the same elements, each of which is the next member
//! of an argument of the directive. One statement of the elements serves the parser, the printer
//! and the check that nothing is lost.

use super::values::{parse_sizes, print_sizes};
use crate::helpers::{integer_of, is_of};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, Value};

/// An element of a row. Numbers are those of the directive's arguments.
#[derive(Debug)]
pub(crate) enum Element {
    /// A token, and how it is printed.
    Token(&'static str, &'static str),
    /// The next operand of a group.
    Operand(usize),
    /// An operand of an optional group followed by `::`, the same in all rows.
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
    /// Elements that are there if the operand before them is a `!stream.resource`: the first is a
    /// token, by which they are found.
    OfResource(&'static [Element]),
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

/// The keywords of accesses to resources, and the bits that store them.
const ACCESSES: [(&str, i64); 3] = [("ro", 1), ("wo", 2), ("rw", 3)];

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

#[derive(Default, Debug)]
struct Parsed {
    names: Vec<OperandName>,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
}

impl Rows {
    fn parse_elements(
        parser: &mut dyn AsmParser,
        elements: &[Element],
        is_first: bool,
        parsed: &mut [Parsed],
    ) -> AsmResult<()> {
        for element in elements {
            match *element {
                Element::Token(token, _) => parser.expect(token)?,
                Element::Operand(of) => {
                    let name = parser.operand_name()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.names.push(name);
                    }
                }
                Element::Scope(_) => Self::parse_scope(parser, element, is_first, parsed)?,
                Element::Type(of) => {
                    let ty = parser.ty()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.types.push(ty);
                    }
                }
                Element::SizedType(of, sizes) => {
                    let ty = parser.ty()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.types.push(ty);
                    }
                    if let Some(parsed) = parsed.get_mut(sizes) {
                        parse_sizes(parser, ty, &mut parsed.names)?;
                    }
                }
                Element::Attribute(of) => {
                    let value = parser.attribute()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.attributes.push(value);
                    }
                }
                Element::Index(of) => {
                    let index = parser.context().index_type();
                    let value = parser.attribute_of_type(index)?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.attributes.push(value);
                    }
                }
                Element::IndexType(of) => {
                    let index = parser.context().index_type();
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.types.push(index);
                    }
                }
                Element::SizedTypeAttribute(of, sizes) => {
                    let ty = parser.ty()?;
                    let value = parser.context().type_attribute(ty);
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.attributes.push(value);
                    }
                    if let Some(parsed) = parsed.get_mut(sizes) {
                        parse_sizes(parser, ty, &mut parsed.names)?;
                    }
                }
                Element::Same(of) => {
                    let name = parser.operand_name()?;
                    let known = parsed.get(of).and_then(|parsed| parsed.names.first());
                    let is_same = known.is_none_or(|&known| {
                        known.number == name.number
                            && parser.operand_text(known) == parser.operand_text(name)
                    });
                    if !is_same {
                        let message = "each operation must use the same resource";
                        return Err(AsmError::new(name.place, message));
                    }
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.names = vec![name];
                    }
                }
                Element::SameType(of) => {
                    let place = parser.place();
                    let ty = parser.ty()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        if parsed.types.first().is_some_and(|&known| known != ty) {
                            let message = "each operation must use the same type";
                            return Err(AsmError::new(place, message));
                        }
                        parsed.types = vec![ty];
                    }
                }
                Element::TypeOf(of, from) => {
                    let ty = parsed
                        .get(from)
                        .and_then(|from| from.types.first().copied());
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.types.extend(ty);
                    }
                }
                Element::Access(of) => {
                    let found = ACCESSES.iter().find(|access| parser.eat(access.0));
                    let Some(&(_, bits)) = found else {
                        let message = "expected 'ro', 'wo' or 'rw'";
                        return Err(AsmError::new(parser.place(), message));
                    };
                    let context = parser.context();
                    let i32 = context.i32_type();
                    let value = context.integer_attribute(i32, bits);
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.attributes.extend(value.ok());
                    }
                }
                Element::OfResource(elements) => {
                    if let Some((Element::Token(token, _), rest)) = elements.split_first()
                        && parser.eat(token)
                    {
                        for element in rest {
                            let one = std::slice::from_ref(element);
                            Self::parse_plain(parser, one, parsed)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Parses elements that are tokens and operands.
    fn parse_plain(
        parser: &mut dyn AsmParser,
        elements: &[Element],
        parsed: &mut [Parsed],
    ) -> AsmResult<()> {
        for element in elements {
            match *element {
                Element::Token(token, _) => parser.expect(token)?,
                Element::Operand(of) => {
                    let name = parser.operand_name()?;
                    if let Some(parsed) = parsed.get_mut(of) {
                        parsed.names.push(name);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Parses `%scope::%key` or `%key`; the key belongs to the argument after that of the scope.
    fn parse_scope(
        parser: &mut dyn AsmParser,
        element: &Element,
        is_first: bool,
        parsed: &mut [Parsed],
    ) -> AsmResult<()> {
        let Element::Scope(of) = *element else {
            return Ok(());
        };
        let place = parser.place();
        let first = parser.operand_name()?;
        let scope = if parser.eat("::") { Some(first) } else { None };
        let key = match scope {
            Some(_) => parser.operand_name()?,
            None => first,
        };
        let known = parsed
            .get(of)
            .and_then(|parsed| parsed.names.first())
            .copied();
        let is_same = match (known, scope) {
            (Some(a), Some(b)) => parser.operand_text(a) == parser.operand_text(b),
            (a, b) => is_first || a.is_none() && b.is_none(),
        };
        if !is_same {
            let message = "each operation must use the same scope";
            return Err(AsmError::new(place, message));
        }
        if let Some(parsed) = parsed.get_mut(of)
            && is_first
        {
            parsed.names.extend(scope);
        }
        if let Some(parsed) = parsed.get_mut(of.saturating_add(1)) {
            parsed.names.push(key);
        }
        Ok(())
    }

    /// Walks the text of the rows, and prints it if there is a printer. Returns whether the text
    /// has all members of all arguments, each once.
    fn walk(
        &self,
        context: &Context,
        module: &Module,
        mut printer: Option<&mut (dyn AsmPrinter<'_> + '_)>,
        arguments: &[PrintedArgument],
    ) -> bool {
        let mut values: Vec<std::vec::IntoIter<Value>> = Vec::new();
        let mut types: Vec<std::vec::IntoIter<Type>> = Vec::new();
        let mut attributes: Vec<std::vec::IntoIter<Attribute>> = Vec::new();
        let mut count = 0;
        for (number, argument) in arguments.iter().enumerate() {
            let items = match argument.attribute().map(|a| context.attribute_kind(a)) {
                Some(AttributeKind::Array(items)) => items.to_vec(),
                Some(_) => return false,
                None => Vec::new(),
            };
            if number == self.counted {
                count = argument.operands().len() + argument.types().len() + items.len();
            }
            values.push(argument.operands().to_vec().into_iter());
            types.push(argument.types().to_vec().into_iter());
            attributes.push(items.into_iter());
        }
        // The types of operands that are an argument themselves, not of the rows.
        let scopes: Vec<usize> = (self.row.iter())
            .filter_map(|e| match e {
                Element::Scope(of) => Some(*of),
                _ => None,
            })
            .collect();
        let scope = scopes.first().and_then(|&of| values.get_mut(of)?.next());
        let say = |printer: &mut Option<&mut (dyn AsmPrinter<'_> + '_)>, text: &str| {
            if let Some(printer) = printer.as_deref_mut() {
                printer.text(text);
            }
        };
        say(&mut printer, self.open);
        let lines = self.layout != Layout::Line;
        let separator = match self.layout {
            Layout::Line | Layout::SpacedLinesAndNext => ", ",
            Layout::Lines | Layout::LinesAndNext => ",",
        };
        for element in self.row {
            // Members that all rows share are taken once.
            match *element {
                Element::Same(of) if count > 0 => {
                    let _ = values.get_mut(of).and_then(Iterator::next);
                }
                Element::SameType(of) if count > 0 => {
                    let _ = types.get_mut(of).and_then(Iterator::next);
                }
                Element::TypeOf(_, from) => {
                    let _ = types.get_mut(from).and_then(Iterator::next);
                }
                _ => {}
            }
        }
        for number in 0..count {
            if number > 0 {
                say(&mut printer, separator);
            }
            if let Some(printer) = printer.as_deref_mut()
                && lines
            {
                printer.newline();
                printer.text("  ");
            }
            let mut resource = false;
            let mut pending: Vec<&Element> = self.row.iter().rev().collect();
            while let Some(element) = pending.pop() {
                match *element {
                    Element::Token(_, text) => say(&mut printer, text),
                    Element::Operand(of) => {
                        let Some(value) = values.get_mut(of).and_then(Iterator::next) else {
                            return false;
                        };
                        resource = is_of(context, module.value_type(value), "stream", "resource");
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.operand(value);
                        }
                    }
                    Element::Scope(of) => {
                        if let Some((scope, printer)) = scope.zip(printer.as_deref_mut()) {
                            printer.operand(scope);
                            printer.text("::");
                        }
                        let key = values.get_mut(of + 1).and_then(Iterator::next);
                        let Some(key) = key else { return false };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.operand(key);
                        }
                    }
                    Element::Type(of) => {
                        let Some(ty) = types.get_mut(of).and_then(Iterator::next) else {
                            return false;
                        };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.ty(ty);
                        }
                    }
                    Element::SizedType(of, sizes) => {
                        let Some(ty) = types.get_mut(of).and_then(Iterator::next) else {
                            return false;
                        };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.ty(ty);
                        }
                        let Some(sizes) = values.get_mut(sizes) else {
                            return false;
                        };
                        if !print_sizes(context, printer.as_deref_mut(), ty, sizes) {
                            return false;
                        }
                    }
                    Element::Attribute(of) | Element::Index(of) => {
                        let next = attributes.get_mut(of).and_then(Iterator::next);
                        let Some(value) = next else { return false };
                        let bare = matches!(element, Element::Index(_));
                        if bare && integer_of(context, context.index_type(), Some(value)).is_none()
                        {
                            return false;
                        }
                        match printer.as_deref_mut() {
                            Some(printer) if bare => printer.attribute_without_type(value),
                            Some(printer) => printer.attribute(value),
                            None => {}
                        }
                    }
                    Element::IndexType(of) => {
                        let next = types.get_mut(of).and_then(Iterator::next);
                        if next != Some(context.index_type()) {
                            return false;
                        }
                    }
                    Element::SizedTypeAttribute(of, sizes) => {
                        let next = attributes.get_mut(of).and_then(Iterator::next);
                        let ty = match next.map(|next| context.attribute_kind(next)) {
                            Some(&AttributeKind::Type(ty)) => ty,
                            _ => return false,
                        };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.ty(ty);
                        }
                        let Some(sizes) = values.get_mut(sizes) else {
                            return false;
                        };
                        if !print_sizes(context, printer.as_deref_mut(), ty, sizes) {
                            return false;
                        }
                    }
                    Element::Same(of) => {
                        let value = arguments.get(of).and_then(|of| of.operands().first());
                        let Some(&value) = value else { return false };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.operand(value);
                        }
                    }
                    Element::SameType(of) => {
                        let ty = arguments.get(of).and_then(|of| of.types().first());
                        let Some(&ty) = ty else { return false };
                        if let Some(printer) = printer.as_deref_mut() {
                            printer.ty(ty);
                        }
                    }
                    Element::TypeOf(of, from) => {
                        let next = types.get_mut(of).and_then(Iterator::next);
                        let from = arguments.get(from).and_then(|from| from.types().first());
                        if next.is_none() || next != from.copied() {
                            return false;
                        }
                    }
                    Element::Access(of) => {
                        let next = attributes.get_mut(of).and_then(Iterator::next);
                        let bits = integer_of(context, context.i32_type(), next);
                        let mut accesses = ACCESSES.iter();
                        let Some(access) = accesses.find(|access| Some(access.1) == bits) else {
                            return false;
                        };
                        say(&mut printer, access.0);
                        say(&mut printer, " ");
                    }
                    Element::OfResource(elements) => {
                        if resource {
                            pending.extend(elements.iter().rev());
                        }
                    }
                }
            }
        }
        if let Some(printer) = printer.as_deref_mut()
            && matches!(
                self.layout,
                Layout::LinesAndNext | Layout::SpacedLinesAndNext
            )
        {
            printer.newline();
        }
        say(&mut printer, self.close);
        (count > 0 || self.can_be_empty)
            && values.iter_mut().all(|rest| rest.next().is_none())
            && types.iter_mut().all(|rest| rest.next().is_none())
            && attributes.iter_mut().all(|rest| rest.next().is_none())
    }
}

impl DirectiveSyntax for Rows {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut parsed: Vec<Parsed> = arguments
            .iter()
            .map(|argument| Parsed {
                // Those of a reference.
                types: match argument {
                    ParsedArgument::Types(types) => types.clone(),
                    _ => Vec::new(),
                },
                ..Parsed::default()
            })
            .collect();
        if !self.open.is_empty() {
            parser.expect(self.open)?;
        }
        let first = match self.row.first() {
            Some(Element::Token(token, _)) => token,
            _ => "",
        };
        let is_empty = self.can_be_empty
            && match self.close {
                "" => !parser.at(first),
                close => parser.at(close),
            };
        if !is_empty {
            let mut is_first = true;
            loop {
                Self::parse_elements(parser, self.row, is_first, &mut parsed)?;
                is_first = false;
                if !parser.eat(",") {
                    break;
                }
            }
        }
        if !self.close.is_empty() {
            parser.expect(self.close)?;
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
        Ok(!is_empty)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let (context, module) = (printer.context(), printer.module());
        self.walk(context, module, Some(printer), arguments);
    }

    fn can_print(
        &self,
        context: &Context,
        (module, _): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        self.walk(context, module, None, arguments)
    }
}

use Element::{
    Access, Attribute as A, Index, IndexType, OfResource, Operand as O, Same, SameType, Scope,
    SizedType, SizedTypeAttribute, Token, Type as T, TypeOf,
};

/// `[%offset for %length], ...`.
pub(crate) static RANGES: Rows = Rows {
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
pub(crate) static DISPATCH_OPERANDS: Rows = Rows {
    open: "(",
    close: ")",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[
        O(0),
        OfResource(&[
            Token("[", "["),
            O(1),
            Token("to", " to "),
            O(2),
            Token("for", " for "),
            O(3),
            Token("]", "]"),
        ]),
    ],
    counted: 0,
};

/// Lines of `%scope::%key[%offset] : type{%size}`.
pub(crate) static PARAMETER_LOADS: Rows = Rows {
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
pub(crate) static CONSTANTS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Lines,
    can_be_empty: false,
    row: &[SizedType(0, 1), Token("=", " = "), A(2)],
    counted: 0,
};

/// Lines of `[0, 10] = %size`.
pub(crate) static PACKED: Rows = Rows {
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
pub(crate) static SIZED_TYPE: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Line,
    can_be_empty: false,
    row: &[T(0), Token("{", "{"), O(1), Token("}", "}")],
    counted: 0,
};

/// `(types)`.
pub(crate) static TYPES: Rows = Rows {
    open: "(",
    close: ")",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[T(0)],
    counted: 0,
};

/// Lines of `ro %resource[%offset for %length] : type{%size}`.
pub(crate) static RESOURCES: Rows = Rows {
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
pub(crate) static ASYNC_GATHER: Rows = Rows {
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
pub(crate) static COMMAND_GATHER: Rows = Rows {
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
pub(crate) static GATHER: Rows = Rows {
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
pub(crate) static ASYNC_SCATTER: Rows = Rows {
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
pub(crate) static COMMAND_SCATTER: Rows = Rows {
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
pub(crate) static SCATTER: Rows = Rows {
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
pub(crate) static BINDINGS: Rows = Rows {
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
pub(crate) static DEVICES: Rows = Rows {
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
pub(crate) static VALUES: Rows = Rows {
    open: "[",
    close: "]",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[O(1), TypeOf(2, 0)],
    counted: 1,
};

/// `[%a : type, %b : type]`.
pub(crate) static TYPED_VALUES: Rows = Rows {
    open: "[",
    close: "]",
    layout: Layout::Line,
    can_be_empty: true,
    row: &[O(0), Token(":", " : "), T(1)],
    counted: 0,
};

/// `%a : type{%size}, %b : type`.
pub(crate) static SHAPED_OPERANDS: Rows = Rows {
    open: "",
    close: "",
    layout: Layout::Line,
    can_be_empty: false,
    row: &[O(0), Token(":", " : "), SizedType(1, 2)],
    counted: 0,
};

/// Lines of `%a : encoding{%dim} in type{%size}`.
pub(crate) static ENCODED_OPERANDS: Rows = Rows {
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
