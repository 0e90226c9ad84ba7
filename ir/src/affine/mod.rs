//! Affine expressions, affine maps and integer sets.
//!
//! An affine expression is built from integer constants, dimensions (`d0`, `d1`, ...) and symbols
//! (`s0`, `s1`, ...) with `+`, `*`, `floordiv`, `ceildiv` and `mod`. The documentation of MLIR's
//! "Affine" dialect (<https://mlir.llvm.org/docs/Dialects/Affine/>) defines the terms, and which
//! products and divisions are affine. Subtraction and negation are expressed by the others: `a - b`
//! is `a + b * -1`.
//!
//! An [`AffineArena`] hash-conses expressions: it holds each distinct expression once, so two
//! expressions of one arena are equal exactly when their handles are. The builders
//! ([`AffineArena::add`] and the like) simplify as MLIR does, because every MLIR tool prints the
//! simplified form. [`AffineArena::intern`] does not simplify.
//!
//! Input may be hostile, so no function recurses on the depth of an expression. The properties that
//! MLIR computes by walking an expression (whether it is symbolic, its largest known divisor, the
//! dimensions it uses) are computed once, when the expression is interned.

mod print;
mod simplify;
#[cfg(test)]
mod tests;

use crate::late_list::LateList;
use core::fmt;
use core::hash::BuildHasher;
use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashTable};

/// An expression of an [`AffineArena`]: a four-byte handle, valid only for the arena that created
/// it.
///
/// Handles of one arena are equal exactly when the expressions are. The handle of an operand is
/// always smaller than that of the expression that uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AffineExpr(u32);

impl AffineExpr {
    /// Returns the index among the expressions of the arena.
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// The kind of an affine expression (MLIR "Affine" dialect documentation, "Affine Expressions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AffineExprKind {
    /// An integer.
    Constant(i64),
    /// The dimension of this position, counted from 0.
    Dim(u32),
    /// The symbol of this position, counted from 0.
    Symbol(u32),
    /// Left plus right.
    Add(AffineExpr, AffineExpr),
    /// Left times right; affine if one of them is symbolic or constant.
    Mul(AffineExpr, AffineExpr),
    /// Left modulo right; the result is not negative. Undefined for a right
    /// operand that is not positive.
    Mod(AffineExpr, AffineExpr),
    /// Left divided by right, rounded towards negative infinity.
    FloorDiv(AffineExpr, AffineExpr),
    /// Left divided by right, rounded towards positive infinity.
    CeilDiv(AffineExpr, AffineExpr),
}

impl AffineExprKind {
    /// Returns the left and right operands of an operation; `None` for a constant, a dimension or a
    /// symbol.
    #[must_use]
    pub fn operands(self) -> Option<(AffineExpr, AffineExpr)> {
        match self {
            Self::Constant(_) | Self::Dim(_) | Self::Symbol(_) => None,
            Self::Add(l, r)
            | Self::Mul(l, r)
            | Self::Mod(l, r)
            | Self::FloorDiv(l, r)
            | Self::CeilDiv(l, r) => Some((l, r)),
        }
    }
}

/// Why an affine expression could not be built, checked or printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AffineError {
    /// The handle does not belong to this arena: its index is out of range.
    UnknownExpr(AffineExpr),
    /// The arena already holds its maximum number of expressions, given here.
    TooManyExprs(u32),
    /// A dimension or symbol position of `u32::MAX`. No map or set can declare it, because its
    /// counts are 32 bits wide.
    PositionTooLarge,
    /// An expression uses a dimension that its map or set does not declare.
    DimOutOfRange {
        /// The number of the result or constraint, from 0.
        index: usize,
        /// The largest position it uses.
        position: u32,
        /// How many dimensions there are.
        num_dims: u32,
    },
    /// An expression uses a symbol that its map or set does not declare.
    SymbolOutOfRange {
        /// The number of the result or constraint, from 0.
        index: usize,
        /// The largest position it uses.
        position: u32,
        /// How many symbols there are.
        num_symbols: u32,
    },
    /// A result or constraint, given by its index, multiplies two expressions that use dimensions,
    /// or divides by one.
    NotAffine(usize),
    /// The text would be longer than this many bytes.
    TextTooLong(usize),
}

impl fmt::Display for AffineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnknownExpr(expr) => {
                write!(f, "affine expression {} is not of this arena", expr.0)
            }
            Self::TooManyExprs(limit) => write!(f, "more than {limit} affine expressions"),
            Self::PositionTooLarge => {
                write!(
                    f,
                    "affine dimension or symbol position {} is too large",
                    u32::MAX
                )
            }
            Self::DimOutOfRange {
                index,
                position,
                num_dims,
            } => write!(
                f,
                "affine expression {index} uses d{position}, but there are {num_dims} dimensions"
            ),
            Self::SymbolOutOfRange {
                index,
                position,
                num_symbols,
            } => write!(
                f,
                "affine expression {index} uses s{position}, but there are {num_symbols} symbols"
            ),
            Self::NotAffine(index) => {
                write!(
                    f,
                    "affine expression {index} multiplies dimensions or divides by one"
                )
            }
            Self::TextTooLong(limit) => {
                write!(f, "affine expression is longer than {limit} bytes as text")
            }
        }
    }
}

impl core::error::Error for AffineError {}

/// An expression with facts that are otherwise found by a walk over it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    kind: AffineExprKind,
    /// See [`AffineArena::largest_known_divisor`].
    divisor: i64,
    /// One more than the largest dimension position used; 0 if none is.
    dims: u32,
    /// One more than the largest symbol position used; 0 if none is.
    symbols: u32,
    /// See [`AffineArena::is_pure_affine`].
    pure_affine: bool,
    /// Whether it contains neither a product of two expressions with dimensions nor a division by
    /// one.
    affine: bool,
}

/// The expressions of one arena that were copied to another, and their copies.
pub(crate) type Copied = HashMap<AffineExpr, AffineExpr, RandomState>;

/// The owner of affine expressions, holding each distinct one once.
///
/// The builders return [`AffineError::UnknownExpr`] for an operand whose handle is out of range for
/// this arena, and [`AffineError::TooManyExprs`] if the arena is full.
#[derive(Clone)]
pub struct AffineArena {
    nodes: Vec<Node>,
    /// Indices in `nodes`, hashed by kind. It is never iterated, because its order differs from run
    /// to run.
    table: HashTable<u32>,
    hasher: RandomState,
    max_exprs: u32,
    steps: u64,
    /// Expressions that were interned through a shared reference. Their positions follow those of
    /// `nodes`.
    late: LateList<Node>,
}

impl Default for AffineArena {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for AffineArena {
    /// Prints the number of expressions only: an arena may hold millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AffineArena")
            .field("len", &self.len())
            .field("max_exprs", &self.max_exprs)
            .finish()
    }
}

impl AffineArena {
    /// Returns an empty arena that holds up to `u32::MAX` expressions.
    #[must_use]
    pub fn new() -> Self {
        Self::with_max_exprs(u32::MAX)
    }

    /// Returns an empty arena that holds up to `max_exprs` distinct expressions of about 50 bytes
    /// each.
    ///
    /// Use it for untrusted input: MLIR distributes `floordiv` over sums, so a text of n bytes can
    /// create about n squared expressions.
    #[must_use]
    pub fn with_max_exprs(max_exprs: u32) -> Self {
        Self {
            nodes: Vec::new(),
            table: HashTable::new(),
            hasher: RandomState::default(),
            max_exprs,
            steps: 0,
            late: LateList::new(),
        }
    }

    /// Returns the number of steps that the builders have taken. Each takes constant time and
    /// creates at most two expressions. One call of a builder can take a step for each term of an
    /// operand: `(d0 + d1 + ...) floordiv -1` divides each term.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of distinct expressions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() + self.late.len()
    }

    /// Returns whether the arena holds no expression.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the kind of `expr`; `None` if it does not belong to this arena.
    #[must_use]
    pub fn kind(&self, expr: AffineExpr) -> Option<AffineExprKind> {
        self.node(expr).map(|node| node.kind)
    }

    /// Returns whether `expr` uses no dimension, which makes it a valid divisor: MLIR's
    /// `isSymbolicOrConstant`. Constant time. False for a handle that does not belong to this
    /// arena.
    #[must_use]
    pub fn is_symbolic_or_constant(&self, expr: AffineExpr) -> bool {
        self.node(expr).is_some_and(|node| node.dims == 0)
    }

    /// Returns whether `l * r` is affine: one of the two is symbolic or constant.
    ///
    /// If it is not, MLIR's parser reports "non-affine expression: at least one of the multiply
    /// operands has to be either a constant or symbolic".
    #[must_use]
    pub fn can_multiply(&self, l: AffineExpr, r: AffineExpr) -> bool {
        self.is_symbolic_or_constant(l) || self.is_symbolic_or_constant(r)
    }

    /// Returns whether `floordiv`, `ceildiv` or `mod` by `divisor` is affine: the divisor is
    /// symbolic or constant. Its value does not matter; zero is accepted.
    ///
    /// If it is not, MLIR's parser reports "non-affine expression: right operand of floordiv has to
    /// be either a constant or symbolic", or the same for `ceildiv` or `mod`.
    #[must_use]
    pub fn can_divide_by(&self, divisor: AffineExpr) -> bool {
        self.is_symbolic_or_constant(divisor)
    }

    /// Returns whether `expr` multiplies, divides and takes remainders by constants only: MLIR's
    /// `isPureAffine`. Constant time. False for a handle that does not belong to this arena.
    #[must_use]
    pub fn is_pure_affine(&self, expr: AffineExpr) -> bool {
        self.node(expr).is_some_and(|node| node.pure_affine)
    }

    /// Returns the largest number known to divide every value of `expr`: MLIR's
    /// `getLargestKnownDivisor`. Constant time. `None` for a handle that does not belong to this
    /// arena.
    ///
    /// It is 0 for the constant 0. As in MLIR the arithmetic wraps, so for factors beyond 64 bits
    /// the result can be 0 or negative and is then meaningless.
    #[must_use]
    pub fn largest_known_divisor(&self, expr: AffineExpr) -> Option<i64> {
        self.node(expr).map(|node| node.divisor)
    }

    /// Returns whether every value of `expr` is known to be a multiple of `factor`: MLIR's
    /// `isMultipleOf`. Constant time.
    ///
    /// False for a factor of 0, which MLIR leaves undefined, and for a handle that does not belong
    /// to this arena. As in MLIR, a negative factor is interpreted as unsigned if `expr` is an
    /// operation.
    #[must_use]
    pub fn is_multiple_of(&self, expr: AffineExpr, factor: i64) -> bool {
        let divides = |value: u64| value.checked_rem(factor.cast_unsigned()) == Some(0);
        let Some(kind) = self.kind(expr) else {
            return false;
        };
        let Some((l, r)) = kind.operands() else {
            return match kind {
                AffineExprKind::Constant(value) => factor != 0 && value.wrapping_rem(factor) == 0,
                _ => factor == 1 || factor == -1,
            };
        };
        let (Some(l), Some(r)) = (self.node(l), self.node(r)) else {
            return false;
        };
        let (l, r) = (l.divisor.cast_unsigned(), r.divisor.cast_unsigned());
        match kind {
            AffineExprKind::Mul(..) => divides(l) || divides(r) || divides(l.wrapping_mul(r)),
            _ => divides(gcd(l, r)),
        }
    }

    /// Returns the number of dimensions that a map or set must declare to use `expr`: one more than
    /// the largest position, 0 if it uses none. Constant time. `None` for a handle that does not
    /// belong to this arena.
    #[must_use]
    pub fn dims_needed(&self, expr: AffineExpr) -> Option<u32> {
        self.node(expr).map(|node| node.dims)
    }

    /// Returns the number of symbols that a map or set must declare to use `expr`: one more than
    /// the largest position, 0 if it uses none. Constant time. `None` for a handle that does not
    /// belong to this arena.
    #[must_use]
    pub fn symbols_needed(&self, expr: AffineExpr) -> Option<u32> {
        self.node(expr).map(|node| node.symbols)
    }

    /// Adds the expressions of `other` from index `start` on, and returns their handles in this
    /// arena, in order. The expressions before `start` must be the same in both arenas.
    ///
    /// # Errors
    ///
    /// [`AffineError::TooManyExprs`].
    pub(crate) fn join(
        &mut self,
        other: &Self,
        start: usize,
    ) -> Result<Vec<AffineExpr>, AffineError> {
        let added = (start..other.len()).filter_map(|index| other.node_at(index));
        let mut here: Vec<AffineExpr> = Vec::with_capacity(other.len().saturating_sub(start));
        for node in added {
            let place = |expr: AffineExpr| {
                let added = usize::try_from(expr.0).ok()?.checked_sub(start)?;
                here.get(added).copied()
            };
            // Operands have smaller indices than the expressions that use them.
            let at = |expr| place(expr).unwrap_or(expr);
            let kind = match node.kind {
                kind @ (AffineExprKind::Constant(_)
                | AffineExprKind::Dim(_)
                | AffineExprKind::Symbol(_)) => kind,
                AffineExprKind::Add(l, r) => AffineExprKind::Add(at(l), at(r)),
                AffineExprKind::Mul(l, r) => AffineExprKind::Mul(at(l), at(r)),
                AffineExprKind::Mod(l, r) => AffineExprKind::Mod(at(l), at(r)),
                AffineExprKind::FloorDiv(l, r) => AffineExprKind::FloorDiv(at(l), at(r)),
                AffineExprKind::CeilDiv(l, r) => AffineExprKind::CeilDiv(at(l), at(r)),
            };
            here.push(self.intern(kind)?);
        }
        Ok(here)
    }

    /// Interns the expression `kind` without simplifying it.
    ///
    /// It is meant for expressions that are already simplified. Operands that share subexpressions
    /// which a builder would have folded (`x * 2 + x * 2`, each half shared in turn) can make a
    /// later [`AffineArena::add`] fold them once for each path to them, as MLIR would.
    ///
    /// # Errors
    ///
    /// [`AffineError::UnknownExpr`] if an operand does not belong to this arena,
    /// [`AffineError::PositionTooLarge`] for position `u32::MAX`, [`AffineError::TooManyExprs`] if
    /// the arena is full.
    pub fn intern(&mut self, kind: AffineExprKind) -> Result<AffineExpr, AffineError> {
        if !self.late.is_unused() {
            self.absorb()?;
        }
        let node = self.describe(kind)?;
        self.intern_node(node)
    }

    /// Makes the late expressions expressions like the others.
    #[cold]
    fn absorb(&mut self) -> Result<(), AffineError> {
        for node in self.late.take() {
            self.intern_node(node)?;
        }
        Ok(())
    }

    /// The expression `kind` as it stands, which is appended to the late
    /// expressions if it is new.
    ///
    /// # Errors
    ///
    /// Those of [`AffineArena::intern`].
    pub(crate) fn intern_late(&self, kind: AffineExprKind) -> Result<AffineExpr, AffineError> {
        let node = self.describe(kind)?;
        let hash = self.hasher.hash_one(kind);
        let is_it = |&index: &u32| {
            let other = self.nodes.get(usize::try_from(index).unwrap_or(usize::MAX));
            other.is_some_and(|other| other.kind == kind)
        };
        if let Some(&index) = self.table.find(hash, is_it) {
            return Ok(AffineExpr(index));
        }
        let full = AffineError::TooManyExprs(self.max_exprs);
        if self.len() >= usize::try_from(self.max_exprs).unwrap_or(usize::MAX) {
            return Err(full);
        }
        let late = self.late.intern(hash as u32, node);
        match u32::try_from(self.nodes.len() + late) {
            Ok(index) => Ok(AffineExpr(index)),
            Err(_) => Err(full),
        }
    }

    fn intern_node(&mut self, node: Node) -> Result<AffineExpr, AffineError> {
        let kind = node.kind;
        let hash = self.hasher.hash_one(kind);
        let Self {
            nodes,
            table,
            hasher,
            max_exprs,
            ..
        } = self;
        let at = |index: u32| {
            usize::try_from(index)
                .ok()
                .and_then(|index| nodes.get(index))
        };
        let found = table.find(hash, |&index| {
            at(index).is_some_and(|other| other.kind == kind)
        });
        if let Some(&index) = found {
            return Ok(AffineExpr(index));
        }
        let full = AffineError::TooManyExprs(*max_exprs);
        let index = u32::try_from(nodes.len()).map_err(|_| full)?;
        if index >= *max_exprs {
            return Err(full);
        }
        table.insert_unique(hash, index, |&index| {
            at(index).map_or(0, |other| hasher.hash_one(other.kind))
        });
        nodes.push(node);
        Ok(AffineExpr(index))
    }

    /// Copies the expression `expr` of another arena into this one, without simplifying it. Takes
    /// time linear in the number of its distinct subexpressions.
    ///
    /// # Errors
    ///
    /// [`AffineError::UnknownExpr`] if `expr` does not belong to `other`,
    /// [`AffineError::TooManyExprs`] if this arena is full.
    pub fn import(&mut self, other: &Self, expr: AffineExpr) -> Result<AffineExpr, AffineError> {
        self.import_with(other, expr, &mut HashMap::with_hasher(self.hasher.clone()))
    }

    /// Copies a map of another arena into this one; see [`AffineArena::import`].
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::import`].
    pub fn import_map(&mut self, other: &Self, map: &AffineMap) -> Result<AffineMap, AffineError> {
        let mut done = HashMap::with_hasher(self.hasher.clone());
        let results = map
            .results
            .iter()
            .map(|&expr| self.import_with(other, expr, &mut done));
        Ok(AffineMap {
            num_dims: map.num_dims,
            num_symbols: map.num_symbols,
            results: results.collect::<Result<_, _>>()?,
        })
    }

    /// Copies a set of another arena into this one; see [`AffineArena::import`].
    ///
    /// # Errors
    ///
    /// As for [`AffineArena::import`].
    pub fn import_set(
        &mut self,
        other: &Self,
        set: &IntegerSet,
    ) -> Result<IntegerSet, AffineError> {
        let mut done = HashMap::with_hasher(self.hasher.clone());
        let constraints = set
            .constraints
            .iter()
            .map(|&(expr, is_eq)| Ok((self.import_with(other, expr, &mut done)?, is_eq)));
        Ok(IntegerSet {
            num_dims: set.num_dims,
            num_symbols: set.num_symbols,
            constraints: constraints.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the map with its first `values.len()` symbols replaced by these numbers, simplified
    /// as the builders do. Further symbols are unchanged. Takes time linear in the number of
    /// distinct subexpressions.
    ///
    /// # Errors
    ///
    /// [`AffineError::UnknownExpr`] if an expression does not belong to this arena,
    /// [`AffineError::TooManyExprs`] if it is full.
    pub fn with_symbols(
        &mut self,
        map: &AffineMap,
        values: &[i64],
    ) -> Result<AffineMap, AffineError> {
        use AffineExprKind as Kind;
        let mut done = HashMap::with_hasher(self.hasher.clone());
        let mut results = Vec::with_capacity(map.results.len());
        for &root in &map.results {
            let mut stack = vec![root];
            while let Some(&expr) = stack.last() {
                let kind = self.kind(expr).ok_or(AffineError::UnknownExpr(expr))?;
                let missing = |&operand: &AffineExpr| !done.contains_key(&operand);
                let operands = kind.operands().map(|(l, r)| [r, l]);
                let before = stack.len();
                stack.extend(operands.iter().flatten().filter(|&e| missing(e)));
                if stack.len() > before {
                    continue;
                }
                let made = |operand| done.get(&operand).copied().unwrap_or(operand);
                let new = match kind {
                    Kind::Add(l, r) => self.add(made(l), made(r))?,
                    Kind::Mul(l, r) => self.mul(made(l), made(r))?,
                    Kind::Mod(l, r) => self.modulo(made(l), made(r))?,
                    Kind::FloorDiv(l, r) => self.floor_div(made(l), made(r))?,
                    Kind::CeilDiv(l, r) => self.ceil_div(made(l), made(r))?,
                    Kind::Symbol(position) => {
                        let value = usize::try_from(position).ok();
                        match value.and_then(|position| values.get(position)) {
                            Some(&value) => self.constant(value)?,
                            None => expr,
                        }
                    }
                    Kind::Constant(_) | Kind::Dim(_) => expr,
                };
                done.insert(expr, new);
                stack.pop();
            }
            results.push(done.get(&root).copied().unwrap_or(root));
        }
        let symbols = results.iter().filter_map(|&expr| self.symbols_needed(expr));
        Ok(AffineMap {
            num_dims: map.num_dims,
            num_symbols: symbols.max().unwrap_or(0),
            results: results.into(),
        })
    }

    /// [`AffineArena::import`], knowing what was imported before.
    pub(crate) fn import_with(
        &mut self,
        other: &Self,
        root: AffineExpr,
        done: &mut Copied,
    ) -> Result<AffineExpr, AffineError> {
        other.copy_to(root, done, |kind| self.intern(kind))
    }

    /// [`AffineArena::import_with`] through a shared reference.
    pub(crate) fn import_late(
        &self,
        other: &Self,
        root: AffineExpr,
        done: &mut Copied,
    ) -> Result<AffineExpr, AffineError> {
        other.copy_to(root, done, |kind| self.intern_late(kind))
    }

    /// Copies an expression of this arena by interning its parts.
    fn copy_to(
        &self,
        root: AffineExpr,
        done: &mut Copied,
        mut intern: impl FnMut(AffineExprKind) -> Result<AffineExpr, AffineError>,
    ) -> Result<AffineExpr, AffineError> {
        use AffineExprKind as Kind;
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if done.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let kind = self.kind(expr).ok_or(AffineError::UnknownExpr(expr))?;
            let operands = match kind.operands() {
                None => None,
                Some((l, r)) => match (done.get(&l), done.get(&r)) {
                    (Some(&l), Some(&r)) => Some((l, r)),
                    (l_done, r_done) => {
                        if r_done.is_none() {
                            stack.push(r);
                        }
                        if l_done.is_none() {
                            stack.push(l);
                        }
                        continue;
                    }
                },
            };
            let kind = match (kind, operands) {
                (Kind::Add(..), Some((l, r))) => Kind::Add(l, r),
                (Kind::Mul(..), Some((l, r))) => Kind::Mul(l, r),
                (Kind::Mod(..), Some((l, r))) => Kind::Mod(l, r),
                (Kind::FloorDiv(..), Some((l, r))) => Kind::FloorDiv(l, r),
                (Kind::CeilDiv(..), Some((l, r))) => Kind::CeilDiv(l, r),
                (leaf, _) => leaf,
            };
            let copy = intern(kind)?;
            done.insert(expr, copy);
            stack.pop();
        }
        done.get(&root)
            .copied()
            .ok_or(AffineError::UnknownExpr(root))
    }

    fn node(&self, expr: AffineExpr) -> Option<&Node> {
        self.node_at(usize::try_from(expr.0).ok()?)
    }

    fn node_at(&self, index: usize) -> Option<&Node> {
        match self.nodes.get(index) {
            Some(node) => Some(node),
            None => self.late.get(index - self.nodes.len()),
        }
    }

    fn expect_node(&self, expr: AffineExpr) -> Result<&Node, AffineError> {
        self.node(expr).ok_or(AffineError::UnknownExpr(expr))
    }

    /// Computes the properties of an expression from those of its operands. The rules are those of
    /// MLIR's `isSymbolicOrConstant`, `isPureAffine` and `getLargestKnownDivisor`, which walk the
    /// expression at each call.
    fn describe(&self, kind: AffineExprKind) -> Result<Node, AffineError> {
        let bound = |position: u32| position.checked_add(1).ok_or(AffineError::PositionTooLarge);
        let leaf = |divisor, dims, symbols| {
            Ok(Node {
                kind,
                divisor,
                dims,
                symbols,
                pure_affine: true,
                affine: true,
            })
        };
        let (l, r) = match kind {
            // The arithmetic of divisors wraps here and below, as MLIR's does in int64.
            AffineExprKind::Constant(value) => return leaf(value.wrapping_abs(), 0, 0),
            AffineExprKind::Dim(position) => return leaf(1, bound(position)?, 0),
            AffineExprKind::Symbol(position) => return leaf(1, 0, bound(position)?),
            AffineExprKind::Add(l, r)
            | AffineExprKind::Mul(l, r)
            | AffineExprKind::Mod(l, r)
            | AffineExprKind::FloorDiv(l, r)
            | AffineExprKind::CeilDiv(l, r) => (self.expect_node(l)?, self.expect_node(r)?),
        };
        let l_constant = matches!(l.kind, AffineExprKind::Constant(_));
        let r_constant = matches!(r.kind, AffineExprKind::Constant(_));
        let both_pure = l.pure_affine && r.pure_affine;
        let common = || gcd(l.divisor.cast_unsigned(), r.divisor.cast_unsigned()).cast_signed();
        let (divisor, pure_affine) = match kind {
            AffineExprKind::Add(..) => (common(), both_pure),
            AffineExprKind::Mul(..) => (
                l.divisor.wrapping_mul(r.divisor),
                both_pure && (l_constant || r_constant),
            ),
            AffineExprKind::Mod(..) => (common(), l.pure_affine && r_constant),
            // If the divisor of the numerator is a multiple of the denominator, the quotient has
            // the quotient of the two as its divisor.
            _ => match r.kind {
                AffineExprKind::Constant(value)
                    if value != 0 && l.divisor.wrapping_rem(value) == 0 =>
                {
                    (l.divisor.wrapping_div(value).wrapping_abs(), l.pure_affine)
                }
                _ => (1, l.pure_affine && r_constant),
            },
        };
        Ok(Node {
            kind,
            divisor,
            dims: l.dims.max(r.dims),
            symbols: l.symbols.max(r.symbols),
            pure_affine,
            affine: l.affine
                && r.affine
                && match kind {
                    AffineExprKind::Add(..) => true,
                    AffineExprKind::Mul(..) => l.dims == 0 || r.dims == 0,
                    _ => r.dims == 0,
                },
        })
    }
}

/// Returns the greatest common divisor; `gcd(0, a)` is `a`.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A map from dimensions and symbols to the values of its results (MLIR "Affine" dialect
/// documentation, "Affine Maps").
///
/// The results are handles of one arena; `==` compares maps of the same arena only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineMap {
    /// The number of dimensions.
    pub num_dims: u32,
    /// The number of symbols.
    pub num_symbols: u32,
    /// The results, in order; there may be none.
    pub results: Box<[AffineExpr]>,
}

impl AffineMap {
    /// Returns the map `(d0, ..., dn-1) -> (d0, ..., dn-1)` for `n` dimensions.
    ///
    /// # Errors
    ///
    /// [`AffineError::TooManyExprs`] if the arena is full.
    pub fn identity(arena: &mut AffineArena, n: u32) -> Result<Self, AffineError> {
        let results = (0..n)
            .map(|position| arena.dim(position))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            num_dims: n,
            num_symbols: 0,
            results,
        })
    }

    /// Returns whether the results are all the dimensions in order. As in MLIR's `isIdentity`,
    /// symbols do not matter: `(d0)[s0] -> (d0)` is an identity.
    #[must_use]
    pub fn is_identity(&self, arena: &AffineArena) -> bool {
        usize::try_from(self.num_dims) == Ok(self.results.len())
            && (0..self.num_dims)
                .zip(&self.results)
                .all(|(position, &expr)| arena.kind(expr) == Some(AffineExprKind::Dim(position)))
    }

    /// Checks that the map declares every dimension and symbol it uses, and that all results are
    /// affine. Takes time linear in the number of results, whatever their size.
    ///
    /// # Errors
    ///
    /// [`AffineError::NotAffine`]; [`AffineError::DimOutOfRange`] or
    /// [`AffineError::SymbolOutOfRange`] for the first result with an undeclared one;
    /// [`AffineError::UnknownExpr`] for a result that does not belong to `arena`.
    pub fn check(&self, arena: &AffineArena) -> Result<(), AffineError> {
        check(
            arena,
            self.num_dims,
            self.num_symbols,
            self.results.iter().copied(),
        )
    }
}

/// The set of the points at which all constraints hold (MLIR "Affine" dialect documentation,
/// "Integer Sets").
///
/// The constraints are handles of one arena; `==` compares sets of the same arena only. MLIR has no
/// set without constraints: its parser turns `() : ()` into the constraint `0 == 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerSet {
    /// The number of dimensions.
    pub num_dims: u32,
    /// The number of symbols.
    pub num_symbols: u32,
    /// The constraints in order. The flag is true for `expression == 0`, false for
    /// `expression >= 0`.
    pub constraints: Box<[(AffineExpr, bool)]>,
}

impl IntegerSet {
    /// Checks that the set declares every dimension and symbol it uses, and that all constraints
    /// are affine. Takes time linear in the number of constraints, whatever their size.
    ///
    /// # Errors
    ///
    /// [`AffineError::NotAffine`]; [`AffineError::DimOutOfRange`] or
    /// [`AffineError::SymbolOutOfRange`] for the first constraint with an undeclared one;
    /// [`AffineError::UnknownExpr`] for a constraint that does not belong to `arena`.
    pub fn check(&self, arena: &AffineArena) -> Result<(), AffineError> {
        let exprs = self.constraints.iter().map(|&(expr, _)| expr);
        check(arena, self.num_dims, self.num_symbols, exprs)
    }
}

fn check(
    arena: &AffineArena,
    num_dims: u32,
    num_symbols: u32,
    exprs: impl Iterator<Item = AffineExpr>,
) -> Result<(), AffineError> {
    for (index, expr) in exprs.enumerate() {
        let node = arena.expect_node(expr)?;
        if !node.affine {
            return Err(AffineError::NotAffine(index));
        }
        if node.dims > num_dims {
            let position = node.dims.saturating_sub(1);
            return Err(AffineError::DimOutOfRange {
                index,
                position,
                num_dims,
            });
        }
        if node.symbols > num_symbols {
            let position = node.symbols.saturating_sub(1);
            return Err(AffineError::SymbolOutOfRange {
                index,
                position,
                num_symbols,
            });
        }
    }
    Ok(())
}
