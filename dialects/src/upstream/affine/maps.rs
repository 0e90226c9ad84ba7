//! Parsing and printing of affine maps and expressions of operands, for several operations.

use crate::helpers::operand_names;
use rmlir_ir::affine::{AffineExpr, AffineMap};
use rmlir_ir::asm::{AffineOperands, AsmError, AsmParser, AsmPrinter, AsmResult, OperandName};
use rmlir_ir::{Attribute, AttributeKind, Context, Type, Value};

/// The maximum length in bytes of a printed expression of operands; an operation with a longer one
/// is printed in generic form.
const LONGEST: usize = 1 << 20;

/// Returns the numbers of dimensions and symbols of a map or set.
pub(super) fn inputs(context: &Context, map: Attribute) -> Option<(usize, usize)> {
    match context.attribute_kind(map) {
        AttributeKind::AffineMap(map) => Some((map.num_dims as usize, map.num_symbols as usize)),
        AttributeKind::IntegerSet(set) => Some((set.num_dims as usize, set.num_symbols as usize)),
        _ => None,
    }
}

/// Returns the map of an affine map attribute.
pub(super) fn map_of(context: &Context, attribute: Option<Attribute>) -> Option<&AffineMap> {
    match context.attribute_kind(attribute?) {
        AttributeKind::AffineMap(map) => Some(map),
        _ => None,
    }
}

/// Parses names in brackets; returns none if the opening bracket is not next.
fn list(parser: &mut dyn AsmParser, open: &str, close: &str) -> AsmResult<Vec<OperandName>> {
    if !parser.eat(open) || parser.eat(close) {
        return Ok(Vec::new());
    }
    let names = operand_names(parser)?;
    parser.expect(close)?;
    Ok(names)
}

/// The construct that takes the operands, which determines the wording of errors.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// A map that is applied to its operands: `map(%i)[%n]`.
    Applied,
    /// A map that is a bound.
    Map,
    /// A set.
    Set,
}

impl Given {
    /// Returns the error for a wrong number of dimensions, or else of symbols.
    fn mismatch(self, of_dims: bool) -> String {
        let kind = if of_dims { "dim" } else { "symbol" };
        let what = match self {
            Given::Applied => return "dimension or symbol index mismatch".to_owned(),
            Given::Map => "affine map",
            Given::Set => "integer set",
        };
        format!("{kind} operand count and {what} {kind} count must match")
    }
}

/// Parses `(%dims)[%symbols]` for a map or set with these numbers of inputs.
pub(super) fn operand_lists(
    parser: &mut dyn AsmParser,
    (dims, symbols): (usize, usize),
    given: Given,
) -> AsmResult<Vec<OperandName>> {
    let place = parser.place();
    if !parser.at("(") {
        parser.expect("(")?;
    }
    let mut names = list(parser, "(", ")")?;
    let second = list(parser, "[", "]")?;
    if (names.len(), second.len()) != (dims, symbols) {
        let of_dims = names.len() != dims;
        return Err(AsmError::new(place, given.mismatch(of_dims)));
    }
    names.extend(second);
    Ok(names)
}

/// Prints `(%dims)[%symbols]`; the first `dims` of `operands` are dimensions.
pub(super) fn print_operand_lists(printer: &mut dyn AsmPrinter, operands: &[Value], dims: usize) {
    let (dims, symbols) = operands.split_at_checked(dims).unwrap_or_default();
    printer.text("(");
    printer.operands(dims.iter().copied());
    printer.text(")");
    if !symbols.is_empty() {
        printer.text("[");
        printer.operands(symbols.iter().copied());
        printer.text("]");
    }
}

/// Parses expressions of operands up to the closing bracket, `%i + 1, symbol(%n)]`; the opening
/// bracket is already consumed.
pub(super) fn expressions(
    parser: &mut dyn AsmParser,
    operands: &mut AffineOperands,
    close: &str,
) -> AsmResult<Vec<AffineExpr>> {
    crate::helpers::until(parser, close, |parser| parser.affine_expression(operands))
}

/// Returns a map attribute with these results.
pub(super) fn map_attribute(
    context: &mut Context,
    operands: &AffineOperands,
    results: Vec<AffineExpr>,
) -> Attribute {
    let count = |names: &[OperandName]| u32::try_from(names.len()).unwrap_or(u32::MAX);
    context.affine_map_attribute(AffineMap {
        num_dims: count(operands.dims()),
        num_symbols: count(operands.symbols()),
        results: results.into(),
    })
}

/// Parses `[%i + 1, symbol(%n)]`; returns the map and its operands, which have type `index`.
pub(super) fn subscripts(parser: &mut dyn AsmParser) -> AsmResult<(Attribute, Vec<Value>)> {
    let mut operands = AffineOperands::default();
    parser.expect("[")?;
    let results = expressions(parser, &mut operands, "]")?;
    let index = parser.context().index_type();
    let map = map_attribute(parser.context(), &operands, results);
    let values = resolve_all(parser, operands.names(), index)?;
    Ok((map, values))
}

/// Resolves names to values of one type.
pub(super) fn resolve_all(
    parser: &mut dyn AsmParser,
    names: impl Iterator<Item = OperandName>,
    ty: Type,
) -> AsmResult<Vec<Value>> {
    names.map(|name| parser.resolve(name, ty)).collect()
}

/// Returns the text of an expression with `d0` and `s0` for the operands; `None` if it is too long.
fn text(context: &Context, expression: AffineExpr) -> Option<String> {
    let mut text = Vec::new();
    let arena = context.affine();
    arena.print_expr(expression, LONGEST, &mut text).ok()?;
    String::from_utf8(text).ok()
}

/// Returns whether the map has `operands` inputs and [`print_expression`] can print all its
/// results.
pub(super) fn can_print_map(context: &Context, map: &AffineMap, operands: usize) -> bool {
    let inputs = (map.num_dims as usize).checked_add(map.num_symbols as usize);
    inputs == Some(operands) && map.results.iter().all(|&e| text(context, e).is_some())
}

/// Prints an expression of operands; the first `dims` of them are dimensions.
pub(super) fn print_expression(
    printer: &mut dyn AsmPrinter,
    expression: AffineExpr,
    operands: &[Value],
    dims: usize,
) {
    let text = text(printer.context(), expression).unwrap_or_default();
    let in_word = |c: char| c.is_ascii_alphanumeric();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len()).max(1);
        let (word, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        rest = behind;
        let position = |text: &str| text.parse::<usize>().ok();
        let dim = word.strip_prefix('d').and_then(position);
        let symbol = word.strip_prefix('s').and_then(position);
        match (dim, symbol) {
            (Some(position), _) => {
                if let Some(&value) = operands.get(position) {
                    printer.operand(value);
                }
            }
            (_, Some(position)) => {
                if let Some(&value) = operands.get(dims.saturating_add(position)) {
                    printer.text("symbol(");
                    printer.operand(value);
                    printer.text(")");
                }
            }
            _ => printer.text(word),
        }
    }
}

/// Prints the results of a map, separated by commas.
pub(super) fn print_expressions(
    printer: &mut dyn AsmPrinter,
    results: &[AffineExpr],
    operands: &[Value],
    dims: usize,
) {
    for (number, &result) in results.iter().enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        print_expression(printer, result, operands, dims);
    }
}

/// Prints a map attribute with its operands as `[%i + 1, symbol(%n)]`.
pub(super) fn print_subscripts(
    printer: &mut dyn AsmPrinter,
    map: Option<Attribute>,
    operands: &[Value],
) {
    printer.text("[");
    if let Some(map) = map_of(printer.context(), map).cloned() {
        print_expressions(printer, &map.results, operands, map.num_dims as usize);
    }
    printer.text("]");
}
