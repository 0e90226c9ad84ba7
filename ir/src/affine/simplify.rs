//! The simplifying builders.
//!
//! They return what MLIR 22's operators on affine expressions return, oddities included, because
//! printed text depends on it. The rules apply each other (a quotient of a sum is a sum of
//! quotients, and so on down the sum), so the continuations are kept in a list of [`Pending`] items
//! instead of on the call stack.

use super::{AffineArena, AffineError, AffineExpr, AffineExprKind as Kind};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// An operation to build.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Add,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
}

/// The result of one rule on an operation.
enum Step {
    /// The operation equals this expression.
    Value(AffineExpr),
    /// No rule applies: the operation is interned unchanged.
    Keep,
    /// The operation equals another one, which is to be built instead.
    Instead(Op, AffineExpr, AffineExpr),
    /// The operation is to be built on the first two operands; its result is then the left operand,
    /// and the last expression the right one, of the same operation.
    Before(Op, AffineExpr, AffineExpr, AffineExpr),
    /// The quotient of a sum by a constant, to be distributed: left, right, divisor.
    Distribute(AffineExpr, AffineExpr, AffineExpr),
}

/// A continuation: how to use the next result.
enum Pending {
    /// The result is the left operand of this operation, with this right operand.
    OnLeft(Op, AffineExpr),
    /// The result is the left quotient of a sum; the right one is to be built from these operands.
    RightQuotient(AffineExpr, AffineExpr),
    /// The result is to be added to this expression, on the right.
    AddTo(AffineExpr),
    /// The result is the quotient of this sum; memoize it.
    Remember(AffineExpr),
}

impl AffineArena {
    /// Returns the constant `value`.
    ///
    /// # Errors
    ///
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn constant(&mut self, value: i64) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Constant(value))
    }

    /// Returns the dimension of a position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`AffineError::PositionTooLarge`] for `u32::MAX`, [`AffineError::TooManyExprs`] if the arena
    /// is full.
    pub fn dim(&mut self, position: u32) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Dim(position))
    }

    /// Returns the symbol of a position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`AffineError::PositionTooLarge`] for `u32::MAX`, [`AffineError::TooManyExprs`] if the arena
    /// is full.
    pub fn symbol(&mut self, position: u32) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Symbol(position))
    }

    /// Returns `l + r`, simplified as MLIR does:
    ///
    /// - constants add up, unless the sum overflows;
    /// - a constant, or the only symbolic operand, goes to the right; of two
    ///   dimensions or two symbols, the one of the larger position does;
    /// - `e + 0` is `e`; `(e + c1) + c2` is `e + (c1 + c2)`, wrapping;
    /// - `e * c1 + e * c2` is `e * (c1 + c2)`, wrapping, also where a factor is
    ///   an unwritten 1;
    /// - `(e + c) + r` is `(e + r) + c`;
    /// - `e + (e floordiv c) * -c` is `e mod c` for a positive constant `c`;
    /// - `(a + b) + (e floordiv q) * k`: the rules are applied to `b + (e floordiv q) * k`; if one
    ///   applies, the result is added to `a`. So `(d0 + s0) + (d1 floordiv 2) * 2` becomes
    ///   `d0 + ((d1 floordiv 2) * 2 + s0)`;
    /// - `e + (e floordiv q) * q * -1` is `e mod q`. MLIR does not check which operation has the -1
    ///   as its right operand, so `e + ((e floordiv q) * q - 1)` becomes `e mod q` as well, also
    ///   here.
    ///
    /// # Errors
    ///
    /// [`AffineError::UnknownExpr`] if an operand is not of this arena,
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn add(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::Add, l, r)
    }

    /// Returns `l - r`, which is `l + r * -1`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn sub(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        // Checked before `r` is negated, so that an invalid `l` does not change the arena.
        self.expect_node(l)?;
        let negated = self.neg(r)?;
        self.add(l, negated)
    }

    /// Returns `-expr`, which is `expr * -1`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn neg(&mut self, expr: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.expect_node(expr)?;
        let minus_one = self.constant(-1)?;
        self.mul(expr, minus_one)
    }

    /// Returns `l * r`, simplified as MLIR does:
    ///
    /// - constants multiply, unless the product overflows;
    /// - a constant, or the only symbolic operand, goes to the right; of two
    ///   symbols, the one of the larger position does;
    /// - `e * 1` is `e` and `e * 0` is `0`; `(e * c1) * c2` is `e * (c1 * c2)`,
    ///   wrapping; `(e * c) * r` is `(e * r) * c`.
    ///
    /// A product of two expressions that both use dimensions is not affine; it is built without
    /// simplification (see [`AffineArena::can_multiply`]).
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn mul(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::Mul, l, r)
    }

    /// Returns `l floordiv r`, simplified as MLIR does if `r` is a constant `c` other than 0,
    /// negative ones included:
    ///
    /// - constants divide, unless the quotient overflows; `e floordiv 1` is `e`;
    /// - `(e * k) floordiv c` is `e * (k / c)` if `c` divides `k`;
    /// - `(a + b) floordiv c` is `a floordiv c + b floordiv c` if `c` divides
    ///   the largest known divisor of either.
    ///
    /// If the arithmetic would trap in MLIR (the least `i64` divided by -1), the expression is not
    /// simplified.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn floor_div(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::FloorDiv, l, r)
    }

    /// Returns `l ceildiv r`, simplified as [`AffineArena::floor_div`], except that sums are not
    /// distributed.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn ceil_div(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::CeilDiv, l, r)
    }

    /// Returns `l mod r`, simplified as MLIR does if `r` is a positive constant `c`:
    ///
    /// - of a constant it is computed;
    /// - it is 0 if `c` divides the largest known divisor of `l`;
    /// - `(a + b) mod c` drops the operand whose largest known divisor `c`
    ///   divides, trying `a` first;
    /// - `(e mod k) mod c` is `e mod c` if `k` is a positive multiple of `c`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn modulo(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::Mod, l, r)
    }

    /// Applies the rules until none applies.
    fn build(
        &mut self,
        mut op: Op,
        mut l: AffineExpr,
        mut r: AffineExpr,
    ) -> Result<AffineExpr, AffineError> {
        let mut pending: Vec<Pending> = Vec::new();
        // Memoized quotients by dividend: a sum whose terms are shared would otherwise be divided
        // once for each path to them. All divisions below one call have the same divisor.
        let mut quotients: HashMap<AffineExpr, AffineExpr, RandomState> =
            HashMap::with_hasher(self.hasher.clone());
        loop {
            self.steps = self.steps.saturating_add(1);
            let known = if op == Op::FloorDiv {
                quotients.get(&l)
            } else {
                None
            };
            let step = match known {
                Some(&value) => Step::Value(value),
                None => self.step(op, l, r, &mut pending)?,
            };
            let value = match step {
                Step::Value(value) => value,
                Step::Keep => self.intern(match op {
                    Op::Add => Kind::Add(l, r),
                    Op::Mul => Kind::Mul(l, r),
                    Op::FloorDiv => Kind::FloorDiv(l, r),
                    Op::CeilDiv => Kind::CeilDiv(l, r),
                    Op::Mod => Kind::Mod(l, r),
                })?,
                Step::Instead(next_op, next_l, next_r) => {
                    (op, l, r) = (next_op, next_l, next_r);
                    continue;
                }
                Step::Before(next_op, next_l, next_r, last) => {
                    pending.push(Pending::OnLeft(op, last));
                    (op, l, r) = (next_op, next_l, next_r);
                    continue;
                }
                Step::Distribute(left, right, divisor) => {
                    pending.push(Pending::Remember(l));
                    pending.push(Pending::RightQuotient(right, divisor));
                    (l, r) = (left, divisor);
                    continue;
                }
            };
            loop {
                match pending.pop() {
                    None => return Ok(value),
                    Some(Pending::OnLeft(next_op, right)) => {
                        (op, l, r) = (next_op, value, right);
                        break;
                    }
                    Some(Pending::RightQuotient(right, divisor)) => {
                        pending.push(Pending::AddTo(value));
                        (op, l, r) = (Op::FloorDiv, right, divisor);
                        break;
                    }
                    Some(Pending::AddTo(left)) => {
                        (op, l, r) = (Op::Add, left, value);
                        break;
                    }
                    Some(Pending::Remember(sum)) => {
                        // The value is also the result of the next continuation.
                        quotients.insert(sum, value);
                    }
                }
            }
        }
    }

    /// Applies one rule to an operation; may push continuations to `pending`.
    fn step(
        &mut self,
        op: Op,
        l: AffineExpr,
        r: AffineExpr,
        pending: &mut Vec<Pending>,
    ) -> Result<Step, AffineError> {
        let l_kind = self.expect_node(l)?.kind;
        let r_kind = self.expect_node(r)?.kind;
        match op {
            Op::Add => self.add_step((l, l_kind), (r, r_kind), pending),
            Op::Mul => self.mul_step((l, l_kind), (r, r_kind)),
            Op::FloorDiv | Op::CeilDiv => self.div_step(op, (l, l_kind), (r, r_kind)),
            Op::Mod => self.mod_step((l, l_kind), (r, r_kind)),
        }
    }

    /// Applies the rules for sums. If none applies to `l + r`, `r` is `(e floordiv q) * k` and `l`
    /// is `a + b`, the rules are tried on `b + r`, and so on; if one applies, the result is added
    /// to `a`.
    fn add_step(
        &mut self,
        (mut l, mut l_kind): (AffineExpr, Kind),
        (r, r_kind): (AffineExpr, Kind),
        pending: &mut Vec<Pending>,
    ) -> Result<Step, AffineError> {
        let quotient_times = match r_kind {
            Kind::Mul(e, _) => matches!(self.expect_node(e)?.kind, Kind::FloorDiv(..)),
            _ => false,
        };
        let unchanged = pending.len();
        loop {
            let step = self.add_rules((l, l_kind), (r, r_kind))?;
            match (&step, l_kind) {
                (Step::Keep, Kind::Add(first, last)) if quotient_times => {
                    pending.push(Pending::AddTo(first));
                    (l, l_kind) = (last, self.expect_node(last)?.kind);
                }
                (Step::Keep, _) => {
                    pending.truncate(unchanged);
                    return Ok(Step::Keep);
                }
                _ => return Ok(step),
            }
        }
    }

    fn add_rules(
        &mut self,
        (l, l_kind): (AffineExpr, Kind),
        (r, r_kind): (AffineExpr, Kind),
    ) -> Result<Step, AffineError> {
        let r_value = match (l_kind, r_kind) {
            (Kind::Constant(a), Kind::Constant(b)) => return self.folded(a.checked_add(b)),
            (Kind::Constant(_), _) => return Ok(Step::Instead(Op::Add, r, l)),
            (_, Kind::Constant(0)) => return Ok(Step::Value(l)),
            (_, Kind::Constant(b)) => Some(b),
            _ => None,
        };
        let l_moves = self.is_symbolic_or_constant(l) && !self.is_symbolic_or_constant(r);
        if l_moves || out_of_order(l_kind, r_kind) {
            return Ok(Step::Instead(Op::Add, r, l));
        }
        // The parts of `l` if it is a sum with a constant on the right.
        let l_sum = match l_kind {
            Kind::Add(rest, last) => self.value(last).map(|value| (rest, last, value)),
            _ => None,
        };
        if let (Some((rest, _, a)), Some(b)) = (l_sum, r_value) {
            let sum = self.constant(a.wrapping_add(b))?;
            return Ok(Step::Instead(Op::Add, rest, sum));
        }
        let (l_factor, l_coefficient) = self.split_coefficient(l, l_kind);
        let (r_factor, r_coefficient) = self.split_coefficient(r, r_kind);
        if l_factor == r_factor {
            let sum = self.constant(l_coefficient.wrapping_add(r_coefficient))?;
            return Ok(Step::Instead(Op::Mul, l_factor, sum));
        }
        if let Some((rest, last, _)) = l_sum {
            return Ok(Step::Before(Op::Add, rest, r, last));
        }
        self.remainder_step(l, r_kind)
    }

    /// Applies the last rules for sums, which replace a sum by `l mod q`.
    fn remainder_step(&mut self, l: AffineExpr, r_kind: Kind) -> Result<Step, AffineError> {
        let Some((product, last)) = r_kind.operands() else {
            return Ok(Step::Keep);
        };
        match self.expect_node(product)?.kind {
            // `(l floordiv q) * q`, with -1 as the right operand of any operation.
            Kind::Mul(quotient, q) if self.value(last) == Some(-1) => {
                match self.expect_node(quotient)?.kind {
                    Kind::FloorDiv(e, divisor) if e == l && divisor == q => {
                        Ok(Step::Instead(Op::Mod, l, q))
                    }
                    _ => Ok(Step::Keep),
                }
            }
            // `(l floordiv c) * -c`.
            Kind::FloorDiv(e, divisor) if e == l && matches!(r_kind, Kind::Mul(..)) => {
                if self.value(divisor).is_none_or(|c| c <= 0) {
                    return Ok(Step::Keep);
                }
                // The rules for products never apply those for sums, so the recursion is one level
                // deep.
                let minus_one = self.constant(-1)?;
                let negated = self.build(Op::Mul, last, minus_one)?;
                Ok(if negated == divisor {
                    Step::Instead(Op::Mod, l, divisor)
                } else {
                    Step::Keep
                })
            }
            _ => Ok(Step::Keep),
        }
    }

    fn mul_step(
        &mut self,
        (l, l_kind): (AffineExpr, Kind),
        (r, r_kind): (AffineExpr, Kind),
    ) -> Result<Step, AffineError> {
        if let (Kind::Constant(a), Kind::Constant(b)) = (l_kind, r_kind) {
            return self.folded(a.checked_mul(b));
        }
        if !self.can_multiply(l, r) {
            return Ok(Step::Keep);
        }
        let l_moves = !self.is_symbolic_or_constant(r) || matches!(l_kind, Kind::Constant(_));
        if l_moves || out_of_order(l_kind, r_kind) {
            return Ok(Step::Instead(Op::Mul, r, l));
        }
        let r_value = match r_kind {
            Kind::Constant(1) => return Ok(Step::Value(l)),
            Kind::Constant(0) => return Ok(Step::Value(r)),
            Kind::Constant(b) => Some(b),
            _ => None,
        };
        let Kind::Mul(rest, last) = l_kind else {
            return Ok(Step::Keep);
        };
        let Some(a) = self.value(last) else {
            return Ok(Step::Keep);
        };
        match r_value {
            Some(b) => {
                let product = self.constant(a.wrapping_mul(b))?;
                Ok(Step::Instead(Op::Mul, rest, product))
            }
            None => Ok(Step::Before(Op::Mul, rest, r, last)),
        }
    }

    fn div_step(
        &mut self,
        op: Op,
        (l, l_kind): (AffineExpr, Kind),
        (r, r_kind): (AffineExpr, Kind),
    ) -> Result<Step, AffineError> {
        // Division by zero is undefined; it is not simplified.
        let Kind::Constant(divisor) = r_kind else {
            return Ok(Step::Keep);
        };
        if divisor == 0 {
            return Ok(Step::Keep);
        }
        match l_kind {
            Kind::Constant(value) => self.folded(divide(op, value, divisor)),
            _ if divisor == 1 => Ok(Step::Value(l)),
            Kind::Mul(rest, last) => {
                let Some(factor) = self.value(last) else {
                    return Ok(Step::Keep);
                };
                match (factor.checked_rem(divisor), factor.checked_div(divisor)) {
                    (Some(0), Some(quotient)) => {
                        let quotient = self.constant(quotient)?;
                        Ok(Step::Instead(Op::Mul, rest, quotient))
                    }
                    _ => Ok(Step::Keep),
                }
            }
            Kind::Add(left, right) if op == Op::FloorDiv => {
                if self.divides(divisor, left)? || self.divides(divisor, right)? {
                    Ok(Step::Distribute(left, right, r))
                } else {
                    Ok(Step::Keep)
                }
            }
            _ => Ok(Step::Keep),
        }
    }

    fn mod_step(
        &mut self,
        (l, l_kind): (AffineExpr, Kind),
        (r, r_kind): (AffineExpr, Kind),
    ) -> Result<Step, AffineError> {
        // The remainder is undefined unless the divisor is positive; it is not simplified.
        let Kind::Constant(divisor) = r_kind else {
            return Ok(Step::Keep);
        };
        if divisor < 1 {
            return Ok(Step::Keep);
        }
        if let Kind::Constant(value) = l_kind {
            return self.folded(value.checked_rem_euclid(divisor));
        }
        if self.divides(divisor, l)? {
            return Ok(Step::Value(self.constant(0)?));
        }
        match l_kind {
            Kind::Add(left, right) if self.divides(divisor, left)? => {
                Ok(Step::Instead(Op::Mod, right, r))
            }
            Kind::Add(left, right) if self.divides(divisor, right)? => {
                Ok(Step::Instead(Op::Mod, left, r))
            }
            Kind::Mod(e, inner)
                if self
                    .value(inner)
                    .is_some_and(|k| k >= 1 && k.checked_rem(divisor) == Some(0)) =>
            {
                Ok(Step::Instead(Op::Mod, e, r))
            }
            _ => Ok(Step::Keep),
        }
    }

    /// Returns the constant, or keeps the operation if its computation overflowed.
    fn folded(&mut self, value: Option<i64>) -> Result<Step, AffineError> {
        match value {
            Some(value) => Ok(Step::Value(self.constant(value)?)),
            None => Ok(Step::Keep),
        }
    }

    /// Returns the value of a constant; `None` for any other expression.
    fn value(&self, expr: AffineExpr) -> Option<i64> {
        match self.kind(expr) {
            Some(Kind::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns `e` and `c` for `e * c`; the expression itself and 1 for any other.
    fn split_coefficient(&self, expr: AffineExpr, kind: Kind) -> (AffineExpr, i64) {
        match kind {
            Kind::Mul(factor, last) => self
                .value(last)
                .map_or((expr, 1), |coefficient| (factor, coefficient)),
            _ => (expr, 1),
        }
    }

    /// Returns whether `divisor` is nonzero and divides the expression's largest known divisor.
    fn divides(&self, divisor: i64, expr: AffineExpr) -> Result<bool, AffineError> {
        // Wrapping: the remainder of the least i64 by -1 is 0 but overflows.
        Ok(divisor != 0 && self.expect_node(expr)?.divisor.wrapping_rem(divisor) == 0)
    }
}

/// Returns whether `l` and `r` are two dimensions or two symbols, the larger position first.
fn out_of_order(l: Kind, r: Kind) -> bool {
    match (l, r) {
        (Kind::Dim(l), Kind::Dim(r)) | (Kind::Symbol(l), Kind::Symbol(r)) => l > r,
        _ => false,
    }
}

/// Returns the quotient of constants, rounded as the operation requires; `None` if it overflows.
fn divide(op: Op, value: i64, divisor: i64) -> Option<i64> {
    let quotient = value.checked_div(divisor)?;
    let remainder = value.checked_rem(divisor)?;
    if remainder == 0 {
        return Some(quotient);
    }
    // Rust's division truncates: it rounds a positive quotient down and a negative one up.
    let is_negative = (value < 0) != (divisor < 0);
    match (op, is_negative) {
        (Op::FloorDiv, true) => quotient.checked_sub(1),
        (Op::CeilDiv, false) => quotient.checked_add(1),
        _ => Some(quotient),
    }
}
