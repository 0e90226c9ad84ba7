//! Affine maps and expressions of operands, in the syntax of several operations.

use crate::two_way::{Asm, Named, add_of_type, failure};
use rmlir_ir::affine::{AffineExpr, AffineMap};
use rmlir_ir::asm::{AffineOperands, AsmParser, AsmResult, OperandName, ParsedOperation};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Value};

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

/// Returns whether all values have type `index`.
pub(super) fn are_indices(context: &Context, module: &Module, values: &[Value]) -> bool {
    let index = context.index_type();
    values
        .iter()
        .all(|&value| module.value_type(value) == index)
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

/// A map or set with its operands.
#[derive(Default)]
pub(super) struct Applied {
    pub(super) map: Option<Attribute>,
    dims: Vec<Named>,
    symbols: Vec<Named>,
}

impl Applied {
    /// Returns a map or set with its operands; `None` if the number of these does not match.
    pub(super) fn of(context: &Context, map: Attribute, operands: &[Value]) -> Option<Self> {
        let (dims, symbols) = inputs(context, map)?;
        let (first, second) = operands.split_at_checked(dims)?;
        (second.len() == symbols).then(|| Applied {
            map: Some(map),
            dims: Named::all(first.iter().copied()),
            symbols: Named::all(second.iter().copied()),
        })
    }

    /// Adds the operands, which have type `index`; returns their number.
    pub(super) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<usize> {
        let index = parser.context().index_type();
        add_of_type(
            parser,
            operation,
            self.dims.iter().chain(&self.symbols),
            index,
        )?;
        Ok(self.dims.len().saturating_add(self.symbols.len()))
    }
}

/// An affine expression of operands.
#[derive(Default)]
pub(super) struct Expression {
    read: Option<AffineExpr>,
    /// The text to be printed, with `d0` and `s0` for the operands.
    text: String,
}

/// The operands of affine expressions.
#[derive(Default)]
pub(super) struct Operands {
    read: AffineOperands,
    /// The values to be printed, dimensions first.
    values: Vec<Value>,
    dims: usize,
}

/// Affine expressions that are the results of a map, with the operands of the map.
#[derive(Default)]
pub(super) struct Expressions {
    /// The expressions, in groups.
    pub(super) groups: Vec<Vec<Expression>>,
    pub(super) operands: Operands,
}

impl Expressions {
    /// Returns the expressions of a map, in groups of these sizes; `None` if the number of operands
    /// does not match, an operand does not have type `index`, or a text is too long.
    pub(super) fn of(
        context: &Context,
        module: &Module,
        map: &AffineMap,
        values: &[Value],
        groups: &[usize],
    ) -> Option<Self> {
        let inputs = (map.num_dims as usize).checked_add(map.num_symbols as usize);
        if inputs != Some(values.len()) || !are_indices(context, module, values) {
            return None;
        }
        let expression = |&expression: &AffineExpr| {
            let mut text = Vec::new();
            let arena = context.affine();
            arena.print_expr(expression, LONGEST, &mut text).ok()?;
            Some(Expression {
                read: None,
                text: String::from_utf8(text).ok()?,
            })
        };
        let mut rest = &*map.results;
        let mut all = Vec::new();
        for &size in groups {
            let (group, others) = rest.split_at_checked(size)?;
            all.push(group.iter().map(expression).collect::<Option<_>>()?);
            rest = others;
        }
        rest.is_empty().then(|| Expressions {
            groups: all,
            operands: Operands {
                read: AffineOperands::default(),
                values: values.to_vec(),
                dims: map.num_dims as usize,
            },
        })
    }

    /// Returns the map of expressions that were read.
    pub(super) fn map(&self, context: &mut Context) -> Attribute {
        let count = |names: &[OperandName]| u32::try_from(names.len()).unwrap_or(u32::MAX);
        let results = self.groups.iter().flatten();
        context.affine_map_attribute(AffineMap {
            num_dims: count(self.operands.read.dims()),
            num_symbols: count(self.operands.read.symbols()),
            results: results.filter_map(|result| result.read).collect(),
        })
    }

    /// Adds the operands that were read, which have type `index`.
    pub(super) fn add(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<()> {
        let index = parser.context().index_type();
        for name in self.operands.read.names() {
            operation.operands.push(parser.resolve(name, index)?);
        }
        Ok(())
    }
}

impl Operands {
    /// Starts a new group of expressions, as [`AffineOperands::separate`].
    pub(super) fn separate(&mut self) {
        self.read.separate();
    }

    /// Returns the operand that a word of an expression denotes, and whether it is a symbol.
    fn denoted(&self, word: &str) -> Option<(Value, bool)> {
        let (position, is_symbol) = match word.strip_prefix('d') {
            Some(position) => (position.parse().ok()?, false),
            None => {
                let position: usize = word.strip_prefix('s')?.parse().ok()?;
                (self.dims.saturating_add(position), true)
            }
        };
        let value = self.values.get(position).copied()?;
        Some((value, is_symbol))
    }
}

impl Asm<'_, '_> {
    /// `(%dims)[%symbols]`, the operands of a map or set.
    pub(super) fn applied(&mut self, applied: &mut Applied, given: Given) -> AsmResult<()> {
        let place = self.place();
        self.values_between(("(", ")"), &mut applied.dims)?;
        self.optional_list(("[", "]"), &mut applied.symbols, |asm, value| {
            asm.value(value)
        })?;
        let inputs = applied.map.and_then(|map| inputs(self.context(), map));
        let (dims, symbols) = inputs.unwrap_or_default();
        if (applied.dims.len(), applied.symbols.len()) != (dims, symbols) {
            return Err(failure(place, given.mismatch(applied.dims.len() != dims)));
        }
        Ok(())
    }

    /// An affine expression of operands: `%i + symbol(%n) * 4`.
    pub(super) fn affine_expression(
        &mut self,
        expression: &mut Expression,
        operands: &mut Operands,
    ) -> AsmResult<()> {
        let printer = match self {
            Asm::Parser(parser) => {
                expression.read = Some(parser.affine_expression(&mut operands.read)?);
                return Ok(());
            }
            Asm::Printer(printer) => printer,
        };
        let mut rest = expression.text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
            let len = end.unwrap_or(rest.len()).max(1);
            let (word, others) = rest.split_at_checked(len).unwrap_or((rest, ""));
            rest = others;
            match operands.denoted(word) {
                Some((value, false)) => printer.operand(value),
                Some((value, true)) => {
                    printer.text("symbol(");
                    printer.operand(value);
                    printer.text(")");
                }
                None => printer.text(word),
            }
        }
        Ok(())
    }

    /// `[%i + 1, symbol(%n)]`: the expressions, as one group.
    pub(super) fn subscripts(&mut self, expressions: &mut Expressions) -> AsmResult<()> {
        expressions.groups.resize_with(1, Vec::new);
        for group in &mut expressions.groups {
            self.list(("[", "]"), group, |asm, expression| {
                asm.affine_expression(expression, &mut expressions.operands)
            })?;
        }
        Ok(())
    }
}
