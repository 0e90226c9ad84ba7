//! The builders that simplify.
//!
//! What they return is what MLIR 22's operators on affine expressions return,
//! oddities included, as printed text depends on it. The rules call each other
//! (a quotient of a sum is a sum of quotients, and so on down the sum), so the
//! calls still to be made wait in a list of [`Pending`] rather than on the call
//! stack.

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

/// What one rule makes of an operation.
enum Step {
    /// The result.
    Value(AffineExpr),
    /// No rule applies: the operation stands as it is.
    Keep,
    /// The result is that of another operation.
    Instead(Op, AffineExpr, AffineExpr),
    /// The result of the operation on the first two is the left operand, and
    /// the last expression the right one, of the same operation.
    Before(Op, AffineExpr, AffineExpr, AffineExpr),
    /// The quotient of a sum by a constant: left, right, divisor.
    Distribute(AffineExpr, AffineExpr, AffineExpr),
}

/// What to do with a result once it is there.
enum Pending {
    /// Build an operation of it with this right operand.
    OnLeft(Op, AffineExpr),
    /// It is a sum's left quotient: make the right one, of these.
    RightQuotient(AffineExpr, AffineExpr),
    /// Add it to this, on the right.
    AddTo(AffineExpr),
    /// It is the quotient of this sum.
    Remember(AffineExpr),
}

impl AffineArena {
    /// The constant `value`.
    ///
    /// # Errors
    ///
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn constant(&mut self, value: i64) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Constant(value))
    }

    /// The dimension of this position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`AffineError::PositionTooLarge`] for `u32::MAX`,
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn dim(&mut self, position: u32) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Dim(position))
    }

    /// The symbol of this position, counted from 0.
    ///
    /// # Errors
    ///
    /// [`AffineError::PositionTooLarge`] for `u32::MAX`,
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn symbol(&mut self, position: u32) -> Result<AffineExpr, AffineError> {
        self.intern(Kind::Symbol(position))
    }

    /// `l + r`, simplified as MLIR does:
    ///
    /// - constants add up, unless the sum overflows;
    /// - a constant, or the only symbolic operand, goes to the right; of two
    ///   dimensions or two symbols, the one of the larger position does;
    /// - `e + 0` is `e`; `(e + c1) + c2` is `e + (c1 + c2)`, wrapping;
    /// - `e * c1 + e * c2` is `e * (c1 + c2)`, wrapping, also where a factor is
    ///   an unwritten 1;
    /// - `(e + c) + r` is `(e + r) + c`;
    /// - `e + (e floordiv c) * -c` is `e mod c` for a positive constant `c`;
    /// - `(a + b) + (e floordiv q) * k` is `a` plus what these rules make of
    ///   `b + (e floordiv q) * k`, if they make anything of it; so `(d0 + s0) +
    ///   (d1 floordiv 2) * 2` becomes `d0 + ((d1 floordiv 2) * 2 + s0)`;
    /// - `e + (e floordiv q) * q * -1` is `e mod q`. MLIR does not look at which
    ///   operation has the -1 on its right, so that `e + ((e floordiv q) * q -
    ///   1)` becomes `e mod q` as well; so it does here.
    ///
    /// # Errors
    ///
    /// [`AffineError::UnknownExpr`] if an operand is not of this arena,
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn add(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::Add, l, r)
    }

    /// `l - r`, which is `l + r * -1`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn sub(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        // Before anything is made of `r`, so that a bad `l` leaves no trace.
        self.expect_node(l)?;
        let negated = self.neg(r)?;
        self.add(l, negated)
    }

    /// `-expr`, which is `expr * -1`.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn neg(&mut self, expr: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.expect_node(expr)?;
        let minus_one = self.constant(-1)?;
        self.mul(expr, minus_one)
    }

    /// `l * r`, simplified as MLIR does:
    ///
    /// - constants multiply, unless the product overflows;
    /// - a constant, or the only symbolic operand, goes to the right; of two
    ///   symbols, the one of the larger position does;
    /// - `e * 1` is `e` and `e * 0` is `0`; `(e * c1) * c2` is `e * (c1 * c2)`,
    ///   wrapping; `(e * c) * r` is `(e * r) * c`.
    ///
    /// A product of two expressions that both use dimensions is not affine; it
    /// is kept as it is ([`AffineArena::can_multiply`] tells).
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn mul(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::Mul, l, r)
    }

    /// `l floordiv r`, simplified as MLIR does when `r` is a constant `c` other
    /// than 0 (negative ones included):
    ///
    /// - constants divide, unless the quotient overflows; `e floordiv 1` is `e`;
    /// - `(e * k) floordiv c` is `e * (k / c)` if `c` divides `k`;
    /// - `(a + b) floordiv c` is `a floordiv c + b floordiv c` if `c` divides
    ///   the largest known divisor of either.
    ///
    /// Where MLIR's own arithmetic traps (the least `i64` by -1), the product
    /// stays as it is.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn floor_div(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::FloorDiv, l, r)
    }

    /// `l ceildiv r`, simplified as [`AffineArena::floor_div`] is, but for
    /// sums, which stay as they are.
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::add`].
    pub fn ceil_div(&mut self, l: AffineExpr, r: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.build(Op::CeilDiv, l, r)
    }

    /// `l mod r`, simplified as MLIR does when `r` is a positive constant `c`:
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

    /// Applies the rules until none is left to apply.
    fn build(
        &mut self,
        mut op: Op,
        mut l: AffineExpr,
        mut r: AffineExpr,
    ) -> Result<AffineExpr, AffineError> {
        let mut pending: Vec<Pending> = Vec::new();
        // Quotients made, by dividend: a sum whose terms share their own terms
        // would be divided once per path to them. All divisions below one call
        // have the same divisor.
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
                        // The value goes on to whatever waits next.
                        quotients.insert(sum, value);
                    }
                }
            }
        }
    }

    /// What becomes of an operation; may also add to what is pending.
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

    /// The rules of a sum. Where none applies to `l + r`, `r` is `(e floordiv
    /// q) * k` and `l` is `a + b`, those of `b + r` are tried, and so on: if one
    /// applies, the result is added to `a`.
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
        // What `l` is, if it is a sum that ends in a constant.
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

    /// The last rules of a sum, those that find `l mod q` in it.
    fn remainder_step(&mut self, l: AffineExpr, r_kind: Kind) -> Result<Step, AffineError> {
        let Some((product, last)) = r_kind.operands() else {
            return Ok(Step::Keep);
        };
        match self.expect_node(product)?.kind {
            // `(l floordiv q) * q`, whatever is done to it with -1.
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
                // A product never leads back here, so this is one level deep.
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
        // Division by zero is undefined, and kept.
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
        // Of no meaning for a divisor that is not positive, and kept.
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

    /// The constant computed, or the operation as it is if that overflowed.
    fn folded(&mut self, value: Option<i64>) -> Result<Step, AffineError> {
        match value {
            Some(value) => Ok(Step::Value(self.constant(value)?)),
            None => Ok(Step::Keep),
        }
    }

    /// The value of a constant.
    fn value(&self, expr: AffineExpr) -> Option<i64> {
        match self.kind(expr) {
            Some(Kind::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// `e` and `c` for `e * c`; the expression itself and 1 for any other.
    fn split_coefficient(&self, expr: AffineExpr, kind: Kind) -> (AffineExpr, i64) {
        match kind {
            Kind::Mul(factor, last) => self
                .value(last)
                .map_or((expr, 1), |coefficient| (factor, coefficient)),
            _ => (expr, 1),
        }
    }

    /// Whether `divisor`, which is not 0, divides the expression's largest
    /// known divisor.
    fn divides(&self, divisor: i64, expr: AffineExpr) -> Result<bool, AffineError> {
        // Wrapping is for the least i64 by -1, which leaves nothing.
        Ok(divisor != 0 && self.expect_node(expr)?.divisor.wrapping_rem(divisor) == 0)
    }
}

/// Whether these are two dimensions, or two symbols, the larger position first.
fn out_of_order(l: Kind, r: Kind) -> bool {
    match (l, r) {
        (Kind::Dim(l), Kind::Dim(r)) | (Kind::Symbol(l), Kind::Symbol(r)) => l > r,
        _ => false,
    }
}

/// The quotient of constants, rounded as the operation says; `None` if it
/// overflows.
fn divide(op: Op, value: i64, divisor: i64) -> Option<i64> {
    let quotient = value.checked_div(divisor)?;
    let remainder = value.checked_rem(divisor)?;
    if remainder == 0 {
        return Some(quotient);
    }
    // Division truncates: down for a positive result, up for a negative one.
    let is_negative = (value < 0) != (divisor < 0);
    match (op, is_negative) {
        (Op::FloorDiv, true) => quotient.checked_sub(1),
        (Op::CeilDiv, false) => quotient.checked_add(1),
        _ => Some(quotient),
    }
}
