//! Prints affine expressions, maps and sets as MLIR does.

use super::{AffineArena, AffineError, AffineExpr, AffineExprKind as Kind, AffineMap, IntegerSet};
use core::fmt;

/// An item of the work list of the printer.
enum Item {
    /// An expression, in parentheses if it is an operation and the flag (MLIR's strong binding) is
    /// set.
    Expr(AffineExpr, bool),
    Text(&'static str),
    Number(i64),
}

/// The output of the printer.
struct Sink<'a> {
    out: &'a mut dyn fmt::Write,
    /// The limit to report if `out` accepts no more.
    max_len: usize,
}

impl Sink<'_> {
    fn text(&mut self, text: &str) -> Result<(), AffineError> {
        let too_long = AffineError::TextTooLong(self.max_len);
        self.out.write_str(text).map_err(|_| too_long)
    }

    fn put(&mut self, text: fmt::Arguments<'_>) -> Result<(), AffineError> {
        let too_long = AffineError::TextTooLong(self.max_len);
        self.out.write_fmt(text).map_err(|_| too_long)
    }
}

/// A byte buffer with a maximum length.
struct Bounded<'a> {
    out: &'a mut Vec<u8>,
    end: usize,
}

impl fmt::Write for Bounded<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.out.len().saturating_add(text.len()) > self.end {
            return Err(fmt::Error);
        }
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl AffineArena {
    /// Appends `expr` to `out` as MLIR prints it: `d0 + s0 * 4 - 3`.
    ///
    /// # Errors
    ///
    /// [`AffineError::TextTooLong`] if the text is longer than `max_len` bytes (an expression can
    /// be exponentially longer than its arena), and [`AffineError::UnknownExpr`] if `expr` does not
    /// belong to this arena. On error, `out` is unchanged.
    pub fn print_expr(
        &self,
        expr: AffineExpr,
        max_len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), AffineError> {
        within(max_len, out, |sink| self.expr(expr, sink))
    }

    /// Appends `map` to `out` as MLIR prints it between `affine_map<` and `>`:
    /// `(d0, d1)[s0] -> (d0 + s0, d1)`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::print_expr`].
    pub fn print_map(
        &self,
        map: &AffineMap,
        max_len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), AffineError> {
        within(max_len, out, |sink| self.map(map, sink))
    }

    /// Writes the text of [`print_map`](Self::print_map) piece by piece.
    ///
    /// # Errors
    ///
    /// [`AffineError::TextTooLong`] if `out` accepts no more, and [`AffineError::UnknownExpr`].
    pub fn write_map(&self, map: &AffineMap, out: &mut dyn fmt::Write) -> Result<(), AffineError> {
        let max_len = usize::MAX;
        self.map(map, &mut Sink { out, max_len })
    }

    /// Writes the text of [`print_set`](Self::print_set) piece by piece.
    ///
    /// # Errors
    ///
    /// As for [`write_map`](Self::write_map).
    pub fn write_set(&self, set: &IntegerSet, out: &mut dyn fmt::Write) -> Result<(), AffineError> {
        let max_len = usize::MAX;
        self.set(set, &mut Sink { out, max_len })
    }

    fn map(&self, map: &AffineMap, sink: &mut Sink<'_>) -> Result<(), AffineError> {
        declare(map.num_dims, map.num_symbols, sink)?;
        sink.text(" -> (")?;
        for (index, &expr) in map.results.iter().enumerate() {
            if index > 0 {
                sink.text(", ")?;
            }
            self.expr(expr, sink)?;
        }
        sink.text(")")
    }

    /// Appends `set` to `out` as MLIR prints it between `affine_set<` and `>`:
    /// `(d0)[s0] : (d0 - 2 >= 0, d0 - s0 == 0)`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::print_expr`].
    pub fn print_set(
        &self,
        set: &IntegerSet,
        max_len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), AffineError> {
        within(max_len, out, |sink| self.set(set, sink))
    }

    fn set(&self, set: &IntegerSet, sink: &mut Sink<'_>) -> Result<(), AffineError> {
        declare(set.num_dims, set.num_symbols, sink)?;
        sink.text(" : (")?;
        for (index, &(expr, is_eq)) in set.constraints.iter().enumerate() {
            if index > 0 {
                sink.text(", ")?;
            }
            self.expr(expr, sink)?;
            sink.text(if is_eq { " == 0" } else { " >= 0" })?;
        }
        sink.text(")")
    }

    fn expr(&self, expr: AffineExpr, sink: &mut Sink<'_>) -> Result<(), AffineError> {
        let mut items = vec![Item::Expr(expr, false)];
        while let Some(item) = items.pop() {
            match item {
                Item::Text(text) => sink.text(text)?,
                Item::Number(value) => sink.put(format_args!("{value}"))?,
                Item::Expr(expr, strong) => match self.expect_node(expr)?.kind {
                    Kind::Constant(value) => sink.put(format_args!("{value}"))?,
                    Kind::Dim(position) => sink.put(format_args!("d{position}"))?,
                    Kind::Symbol(position) => sink.put(format_args!("s{position}"))?,
                    operation => {
                        if strong {
                            sink.text("(")?;
                            items.push(Item::Text(")"));
                        }
                        self.operation(operation, &mut items)?;
                    }
                },
            }
        }
        Ok(())
    }

    /// Pushes the parts of an operation on `items`, the last part first.
    fn operation(&self, kind: Kind, items: &mut Vec<Item>) -> Result<(), AffineError> {
        let (l, spelling, r) = match kind {
            Kind::Add(l, r) => return self.sum(l, r, items),
            Kind::Mul(l, r) => {
                if self.expect_node(r)?.kind == Kind::Constant(-1) {
                    items.extend([Item::Expr(l, true), Item::Text("-")]);
                    return Ok(());
                }
                (l, " * ", r)
            }
            Kind::Mod(l, r) => (l, " mod ", r),
            Kind::FloorDiv(l, r) => (l, " floordiv ", r),
            Kind::CeilDiv(l, r) => (l, " ceildiv ", r),
            Kind::Constant(_) | Kind::Dim(_) | Kind::Symbol(_) => return Ok(()),
        };
        items.extend([
            Item::Expr(r, true),
            Item::Text(spelling),
            Item::Expr(l, true),
        ]);
        Ok(())
    }

    /// Pushes the parts of a sum, or of a difference if the right operand is negative.
    fn sum(&self, l: AffineExpr, r: AffineExpr, items: &mut Vec<Item>) -> Result<(), AffineError> {
        let r_kind = self.expect_node(r)?.kind;
        let coefficient = match r_kind {
            Kind::Mul(_, last) => self.expect_node(last)?.kind,
            _ => r_kind,
        };
        match (r_kind, coefficient) {
            (Kind::Mul(e, _), Kind::Constant(-1)) => {
                // After a minus, a sum needs parentheses and a product does not.
                let strong = matches!(self.expect_node(e)?.kind, Kind::Add(..));
                items.extend([Item::Expr(e, strong), Item::Text(" - ")]);
            }
            // Wrapping: for the least i64, MLIR prints `- -9223372036854775808`.
            (Kind::Mul(e, _), Kind::Constant(value)) if value < -1 => items.extend([
                Item::Number(value.wrapping_neg()),
                Item::Text(" * "),
                Item::Expr(e, true),
                Item::Text(" - "),
            ]),
            (Kind::Constant(value), _) if value < 0 => {
                items.extend([Item::Number(value.wrapping_neg()), Item::Text(" - ")]);
            }
            _ => items.extend([Item::Expr(r, false), Item::Text(" + ")]),
        }
        items.push(Item::Expr(l, false));
        Ok(())
    }
}

/// Runs `print` with a limit, and truncates `out` to its former length on error.
fn within(
    max_len: usize,
    out: &mut Vec<u8>,
    print: impl FnOnce(&mut Sink<'_>) -> Result<(), AffineError>,
) -> Result<(), AffineError> {
    let start = out.len();
    let end = start.saturating_add(max_len);
    let result = print(&mut Sink {
        out: &mut Bounded { out, end },
        max_len,
    });
    if result.is_err() {
        out.truncate(start);
    }
    result
}

/// Prints the declared dimensions and symbols: `(d0, d1)[s0]`.
fn declare(num_dims: u32, num_symbols: u32, sink: &mut Sink<'_>) -> Result<(), AffineError> {
    sink.text("(")?;
    for position in 0..num_dims {
        sink.put(format_args!(
            "{}d{position}",
            if position > 0 { ", " } else { "" }
        ))?;
    }
    sink.text(")")?;
    for position in 0..num_symbols {
        sink.put(format_args!(
            "{}s{position}",
            if position > 0 { ", " } else { "[" }
        ))?;
    }
    if num_symbols > 0 {
        sink.text("]")
    } else {
        Ok(())
    }
}
