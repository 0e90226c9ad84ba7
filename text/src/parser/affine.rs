//! Parses affine maps and integer sets.

use super::Parser;
use crate::diagnostic::Result;
use crate::lexer::{Token, TokenKind};
use crate::parser::older::Construct;
use rmlir_ir::affine::{AffineError, AffineExpr, AffineMap, IntegerSet};
use rmlir_ir::asm::{AffineOperands, AsmError, OperandName};
use rmlir_ir::{Context, Identifier};
use std::collections::HashMap;

/// The names of dimensions and symbols in scope.
#[derive(Default)]
struct Names<'s> {
    exprs: HashMap<&'s [u8], AffineExpr>,
    dims: u32,
    symbols: u32,
    /// The operands, if the names denote operands.
    operands: Option<AffineOperands>,
}

/// Binary operators by how tightly they bind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
}

/// A pending operation that waits for an operand.
#[derive(Clone, Copy)]
enum Pending {
    /// `(`.
    Paren,
    /// A minus sign before an operand, which binds as tightly as a product.
    Negate,
    /// A left operand and an operator with its offset.
    Binary(AffineExpr, Operator, usize),
    /// The opening parenthesis of `floordiv(a, b)`, with the operator's offset.
    Call(Operator, usize),
    /// The comma in `floordiv(a, b)`, with the left operand.
    CallComma(AffineExpr, Operator, usize),
}

/// Returns an error in an expression, which a pending negation lacks.
#[cold]
fn after_negation(error: AsmError, pending: &[Pending]) -> AsmError {
    // Upstream reports it for each negation; their number is that of the minus signs in the text.
    match pending
        .iter()
        .any(|pending| matches!(pending, Pending::Negate))
    {
        true => error.consequence("missing operand of negation"),
        false => error,
    }
}

impl<'s> Parser<'s, '_> {
    /// `(d0, d1)[s0] -> (results)`.
    pub(crate) fn affine_map(&mut self) -> Result<AffineMap> {
        let mut names = self.affine_names()?;
        self.expect(TokenKind::Arrow, "'->' or ':'")?;
        let mut results = Vec::new();
        self.expect(TokenKind::LeftParen, "'(' in affine map range")?;
        if !self.eat(TokenKind::RightParen) {
            loop {
                results.push(self.affine_expr(&mut names)?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "')' in affine map range")?;
        }
        Ok(AffineMap {
            num_dims: names.dims,
            num_symbols: names.symbols,
            results: results.into(),
        })
    }

    /// `(d0)[s0] : (constraints)`.
    pub(crate) fn integer_set(&mut self) -> Result<IntegerSet> {
        let mut names = self.affine_names()?;
        self.expect(TokenKind::Colon, "'->' or ':'")?;
        let mut constraints = Vec::new();
        if !self.at(TokenKind::LeftParen) && self.has(Construct::BareMap) {
            // The constraints of an alias need no parentheses.
            loop {
                constraints.push(self.affine_constraint(&mut names)?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            return Ok(IntegerSet {
                num_dims: names.dims,
                num_symbols: names.symbols,
                constraints: constraints.into(),
            });
        }
        self.expect(TokenKind::LeftParen, "'(' in integer set constraint list")?;
        if !self.eat(TokenKind::RightParen) {
            loop {
                constraints.push(self.affine_constraint(&mut names)?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "')' in integer set constraint list")?;
        }
        if constraints.is_empty() {
            // Upstream's empty set of constraints is one that always holds.
            let zero = self.affine_result(|arena| arena.constant(0), 0)?;
            constraints.push((zero, true));
        }
        Ok(IntegerSet {
            num_dims: names.dims,
            num_symbols: names.symbols,
            constraints: constraints.into(),
        })
    }

    /// Parses an expression of operands, which are added to `operands`.
    pub(super) fn affine_expr_of(&mut self, operands: &mut AffineOperands) -> Result<AffineExpr> {
        let mut names = Names {
            operands: Some(std::mem::take(operands)),
            ..Names::default()
        };
        let read = self.affine_expr(&mut names);
        *operands = names.operands.unwrap_or_default();
        read
    }

    /// Parses an expression whose names denote dimensions and symbols by their index in the lists.
    pub(crate) fn affine_expr_with(
        &mut self,
        dims: &[Identifier],
        symbols: &[Identifier],
    ) -> Result<AffineExpr> {
        let spelled = |names: &[Identifier], context: &Context| -> Vec<Vec<u8>> {
            names
                .iter()
                .map(|&name| context.bytes(name).to_vec())
                .collect()
        };
        let [dims, symbols] = [dims, symbols].map(|names| spelled(names, self.context));
        let mut names = Names::default();
        let at = self.token.start;
        for (list, is_dim) in [(&symbols, false), (&dims, true)] {
            for (position, name) in (0u32..).zip(list) {
                let expr = self.affine_result(
                    |arena| match is_dim {
                        true => arena.dim(position),
                        false => arena.symbol(position),
                    },
                    at,
                )?;
                names.exprs.insert(name, expr);
            }
        }
        self.affine_expr(&mut names)
    }

    /// `%name` as a dimension or a symbol.
    fn affine_value(&mut self, names: &mut Names<'_>, symbol: bool) -> Result<AffineExpr> {
        let name = self.value_name()?;
        let known = names.operands.as_ref();
        if let Some(known) = known.and_then(|known| known.get(name.name, name.number, symbol)) {
            return Ok(known);
        }
        let operands = names.operands.get_or_insert_default();
        let count = match symbol {
            true => operands.symbols().len(),
            false => operands.dims().len(),
        };
        let position = u32::try_from(count).unwrap_or(u32::MAX);
        let value = self.affine_result(
            |arena| match symbol {
                true => arena.symbol(position),
                false => arena.dim(position),
            },
            name.place,
        )?;
        let operand = OperandName {
            place: name.place,
            len: name.name.len(),
            number: name.number,
        };
        let operands = names.operands.get_or_insert_default();
        operands.insert(name.name, operand, symbol, value);
        Ok(value)
    }

    fn affine_names(&mut self) -> Result<Names<'s>> {
        let mut names = Names::default();
        self.expect(TokenKind::LeftParen, "'(' in dimensional identifier list")?;
        let end = "')' in dimensional identifier list";
        self.affine_name_list(&mut names, TokenKind::RightParen, end, true)?;
        if self.eat(TokenKind::LeftSquare) {
            let end = "']' in symbol list";
            self.affine_name_list(&mut names, TokenKind::RightSquare, end, false)?;
        }
        Ok(names)
    }

    fn affine_name_list(
        &mut self,
        names: &mut Names<'s>,
        end: TokenKind,
        what: &str,
        dims: bool,
    ) -> Result<()> {
        if self.eat(end) {
            return Ok(());
        }
        loop {
            let token = self.expect(TokenKind::BareIdentifier, "bare identifier")?;
            let count = if dims {
                &mut names.dims
            } else {
                &mut names.symbols
            };
            let position = *count;
            *count = position.saturating_add(1);
            let expr = self.affine_result(
                |arena| {
                    if dims {
                        arena.dim(position)
                    } else {
                        arena.symbol(position)
                    }
                },
                token.start,
            )?;
            if names.exprs.insert(self.text(token), expr).is_some() {
                let name = String::from_utf8_lossy(self.text(token)).into_owned();
                return Err(AsmError::new(
                    token.start,
                    format!("redefinition of identifier '{name}'"),
                ));
            }
            if !self.eat(TokenKind::Comma) {
                self.expect(end, what)?;
                return Ok(());
            }
        }
    }

    pub(super) fn affine_result(
        &mut self,
        make: impl FnOnce(
            &mut rmlir_ir::affine::AffineArena,
        ) -> std::result::Result<AffineExpr, AffineError>,
        place: usize,
    ) -> Result<AffineExpr> {
        let arena = self.context.affine_mut();
        let before = arena.steps();
        let result = make(arena).map_err(|e| AsmError::new(place, e.to_string()))?;
        let steps = arena.steps().wrapping_sub(before);
        let units = usize::try_from(steps)
            .unwrap_or(usize::MAX)
            .saturating_sub(1);
        self.spend(place, units.saturating_mul(4))?;
        Ok(result)
    }

    /// Parses `expr >= expr`, `expr <= expr` or `expr == expr`, normalized to `left - right >= 0`
    /// or `== 0`.
    fn affine_constraint(&mut self, names: &mut Names<'_>) -> Result<(AffineExpr, bool)> {
        let left = self.affine_expr(names)?;
        let place = self.token.start;
        let operator = self.advance().kind;
        if !matches!(
            operator,
            TokenKind::Greater | TokenKind::Less | TokenKind::Equal
        ) || !self.eat(TokenKind::Equal)
        {
            return Err(AsmError::new(
                place,
                "expected '== affine-expr' or '>= affine-expr' at end of affine constraint",
            ));
        }
        let right = self.affine_expr(names)?;
        let (a, b) = if operator == TokenKind::Less {
            (right, left)
        } else {
            (left, right)
        };
        let difference = self.affine_result(|arena| arena.sub(a, b), place)?;
        Ok((difference, operator == TokenKind::Equal))
    }

    /// Parses an expression by precedence climbing with an explicit stack.
    fn affine_expr(&mut self, names: &mut Names<'_>) -> Result<AffineExpr> {
        let mut stack: Vec<Pending> = Vec::new();
        loop {
            // An operand is expected.
            match self.token.kind {
                TokenKind::LeftParen => {
                    self.advance();
                    if self.at(TokenKind::RightParen) {
                        let error = self.error("no expression inside parentheses");
                        return Err(after_negation(error, &stack));
                    }
                    stack.push(Pending::Paren);
                    continue;
                }
                TokenKind::Minus => {
                    self.advance();
                    stack.push(Pending::Negate);
                    continue;
                }
                _ => {}
            }
            let after_operator = matches!(stack.last(), Some(Pending::Binary(..)));
            let mut value = match self.affine_operand(names, after_operator) {
                Ok(value) => value,
                Err(error) => {
                    let older = self.older_division();
                    stack.push(older.ok_or_else(|| after_negation(error, &stack))?);
                    continue;
                }
            };
            // An operator or the end is expected.
            loop {
                let operator = self.affine_operator();
                value = self.affine_reduce(&mut stack, value, operator)?;
                if let Some(operator) = operator {
                    let place = self.advance().start;
                    stack.push(Pending::Binary(value, operator, place));
                    break;
                }
                match stack.pop() {
                    None => return Ok(value),
                    Some(Pending::Paren) => {
                        self.expect(TokenKind::RightParen, "')'")?;
                    }
                    Some(Pending::Call(operator, place)) => {
                        self.expect(TokenKind::Comma, "','")?;
                        stack.push(Pending::CallComma(value, operator, place));
                        break;
                    }
                    Some(Pending::CallComma(left, operator, place)) => {
                        self.expect(TokenKind::RightParen, "')'")?;
                        value = self.affine_binary(left, operator, value, place)?;
                    }
                    Some(_) => return Err(self.unexpected("affine expression")),
                }
            }
        }
    }

    /// Consumes `floordiv(` or `ceildiv(`, as older editions have them before the operands.
    #[cold]
    fn older_division(&mut self) -> Option<Pending> {
        let operator = self.affine_operator()?;
        if !matches!(operator, Operator::FloorDiv | Operator::CeilDiv)
            || !self.has(Construct::DivisionCall)
        {
            return None;
        }
        let token = self.token;
        let place = self.advance().start;
        if !self.eat(TokenKind::LeftParen) {
            self.reset_to(token.start);
            return None;
        }
        Some(Pending::Call(operator, place))
    }

    /// Applies the pending operators that bind at least as tightly as `next`.
    fn affine_reduce(
        &mut self,
        stack: &mut Vec<Pending>,
        mut value: AffineExpr,
        next: Option<Operator>,
    ) -> Result<AffineExpr> {
        let weak = |op: Operator| matches!(op, Operator::Add | Operator::Sub);
        while let Some(&top) = stack.last() {
            match top {
                Pending::Paren | Pending::Call(..) | Pending::CallComma(..) => break,
                Pending::Negate => {
                    value = self.affine_result(|arena| arena.neg(value), 0)?;
                }
                Pending::Binary(left, operator, place) => {
                    if weak(operator) && next.is_some_and(|next| !weak(next)) {
                        break;
                    }
                    value = self.affine_binary(left, operator, value, place)?;
                }
            }
            stack.pop();
        }
        Ok(value)
    }

    fn affine_operator(&self) -> Option<Operator> {
        match self.token.kind {
            TokenKind::Plus => Some(Operator::Add),
            TokenKind::Minus => Some(Operator::Sub),
            TokenKind::Star => Some(Operator::Mul),
            TokenKind::BareIdentifier => match self.current() {
                b"floordiv" => Some(Operator::FloorDiv),
                b"ceildiv" => Some(Operator::CeilDiv),
                b"mod" => Some(Operator::Mod),
                _ => None,
            },
            _ => None,
        }
    }

    fn affine_binary(
        &mut self,
        l: AffineExpr,
        operator: Operator,
        r: AffineExpr,
        place: usize,
    ) -> Result<AffineExpr> {
        let arena = self.context.affine();
        let non_affine = match operator {
            Operator::Mul if !arena.can_multiply(l, r) => Some(
                "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic",
            ),
            Operator::FloorDiv if !arena.can_divide_by(r) => Some(
                "non-affine expression: right operand of floordiv has to be either a constant or symbolic",
            ),
            Operator::CeilDiv if !arena.can_divide_by(r) => Some(
                "non-affine expression: right operand of ceildiv has to be either a constant or symbolic",
            ),
            Operator::Mod if !arena.can_divide_by(r) => Some(
                "non-affine expression: right operand of mod has to be either a constant or symbolic",
            ),
            _ => None,
        };
        if let Some(message) = non_affine {
            return Err(AsmError::new(place, message));
        }
        self.affine_result(
            |arena| match operator {
                Operator::Add => arena.add(l, r),
                Operator::Sub => arena.sub(l, r),
                Operator::Mul => arena.mul(l, r),
                Operator::FloorDiv => arena.floor_div(l, r),
                Operator::CeilDiv => arena.ceil_div(l, r),
                Operator::Mod => arena.modulo(l, r),
            },
            place,
        )
    }

    /// Parses a name, an integer, or `symbol(name)`.
    fn affine_operand(
        &mut self,
        names: &mut Names<'_>,
        after_operator: bool,
    ) -> Result<AffineExpr> {
        let token: Token = self.token;
        match token.kind {
            TokenKind::Integer => {
                self.advance();
                let value = i64::try_from(self.unsigned(token, "constant")?)
                    .map_err(|_| AsmError::new(token.start, "constant too large for index"))?;
                self.affine_result(|arena| arena.constant(value), token.start)
            }
            TokenKind::PercentIdentifier if names.operands.is_some() => {
                self.affine_value(names, false)
            }
            TokenKind::BareIdentifier
                if names.operands.is_some() && self.text(token) == b"symbol" =>
            {
                self.advance();
                self.expect(TokenKind::LeftParen, "'(' at start of SSA symbol")?;
                let value = self.affine_value(names, true)?;
                self.expect(TokenKind::RightParen, "')' at end of SSA symbol")?;
                Ok(value)
            }
            TokenKind::BareIdentifier => {
                let name = self.text(token);
                let Some(&expression) = names.exprs.get(name) else {
                    return Err(AsmError::new(
                        self.unexpected_place(),
                        "use of undeclared identifier",
                    ));
                };
                self.advance();
                Ok(expression)
            }
            _ if after_operator => Err(self.error("missing right operand of binary operator")),
            TokenKind::Plus | TokenKind::Star => {
                Err(self.error("missing left operand of binary operator"))
            }
            TokenKind::Error(error) => Err(self.error(error.message())),
            _ => Err(self.error("expected affine expression")),
        }
    }
}
