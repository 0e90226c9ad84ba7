//! Tests of the builders and the printer. The expected texts are those that mlir-opt 22 prints.

use super::{AffineArena, AffineError, AffineExpr, AffineExprKind as Kind, AffineMap, IntegerSet};
use std::collections::HashSet;

const DEEP: u32 = 100_000;

struct Fixture {
    arena: AffineArena,
    d0: AffineExpr,
    d1: AffineExpr,
    s0: AffineExpr,
}

impl Fixture {
    fn new() -> Self {
        let mut arena = AffineArena::new();
        let d0 = arena.dim(0).unwrap();
        let d1 = arena.dim(1).unwrap();
        let s0 = arena.symbol(0).unwrap();
        Self { arena, d0, d1, s0 }
    }
    fn c(&mut self, value: i64) -> AffineExpr {
        self.arena.constant(value).unwrap()
    }
    fn add(&mut self, l: AffineExpr, r: AffineExpr) -> AffineExpr {
        self.arena.add(l, r).unwrap()
    }
    fn sub(&mut self, l: AffineExpr, r: AffineExpr) -> AffineExpr {
        self.arena.sub(l, r).unwrap()
    }
    fn mul(&mut self, l: AffineExpr, r: AffineExpr) -> AffineExpr {
        self.arena.mul(l, r).unwrap()
    }
    fn addc(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.add(l, r)
    }
    fn mulc(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.mul(l, r)
    }
    fn floor(&mut self, l: AffineExpr, r: AffineExpr) -> AffineExpr {
        self.arena.floor_div(l, r).unwrap()
    }
    fn floorc(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.floor(l, r)
    }
    fn ceilc(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.arena.ceil_div(l, r).unwrap()
    }
    fn modc(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.arena.modulo(l, r).unwrap()
    }
    fn raw(&mut self, kind: Kind) -> AffineExpr {
        self.arena.intern(kind).unwrap()
    }
    #[track_caller]
    fn is(&self, expr: AffineExpr, text: &str) {
        let mut out = b">".to_vec();
        self.arena.print_expr(expr, text.len(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!(">{text}"));
    }
}

#[test]
fn handles_are_small_and_shared() {
    assert_eq!(size_of::<AffineExpr>(), 4);
    let mut f = Fixture::new();
    let a = f.add(f.d0, f.s0);
    let b = f.add(f.s0, f.d0);
    assert_eq!(a, b);
    assert_eq!(f.arena.len(), 4);
    assert!(!f.arena.is_empty());
}

#[test]
fn the_observed_map() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    let mut results = Vec::new();
    let s0x4 = f.mulc(s0, 4);
    let sum = f.add(d0, s0x4);
    results.push(f.addc(sum, -3));
    let e = f.floorc(d0, 3);
    let e = f.modc(e, 5);
    results.push(f.ceilc(e, 7));
    results.push(f.arena.neg(d1).unwrap());
    let one = f.c(1);
    results.push(f.sub(one, d0));
    let (x2, x3) = (f.mulc(d0, 2), f.mulc(d0, 3));
    results.push(f.add(x2, x3));
    let plus_one = f.addc(d0, 1);
    results.push(f.addc(plus_one, 2));
    let four = f.c(4);
    results.push(f.mul(four, d0));
    results.push(f.sub(d0, d0));
    results.push(f.mul(d0, s0));
    results.push(f.modc(d1, 1));
    results.push(f.arena.neg(plus_one).unwrap());
    let map = AffineMap {
        num_dims: 2,
        num_symbols: 1,
        results: results.into(),
    };
    map.check(&f.arena).unwrap();
    let mut out = Vec::new();
    f.arena.print_map(&map, 1000, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "(d0, d1)[s0] -> (d0 + s0 * 4 - 3, ((d0 floordiv 3) mod 5) ceildiv 7, -d1, -d0 + 1, \
         d0 * 5, d0 + 3, d0 * 4, 0, d0 * s0, 0, -(d0 + 1))"
    );
}

#[test]
fn overflow() {
    let mut f = Fixture::new();
    let (d0, d1) = (f.d0, f.d1);
    let max = f.c(i64::MAX);
    let min = f.c(i64::MIN);
    let too_large = f.addc(max, 1);
    f.is(too_large, "9223372036854775807 + 1");
    let e = f.add(too_large, d0);
    f.is(e, "d0 + 9223372036854775807 + 1");
    let e = f.mul(too_large, d0);
    f.is(e, "d0 * (9223372036854775807 + 1)");
    let e = f.add(d0, max);
    let e = f.addc(e, 1);
    f.is(e, "d0 - -9223372036854775808");
    let e = f.mul(d0, max);
    let e = f.mulc(e, 2);
    f.is(e, "d0 * -2");
    let e = f.mulc(max, 2);
    f.is(e, "9223372036854775807 * 2");
    let e = f.mulc(e, 3);
    f.is(e, "9223372036854775807 * 6");
    let e = f.mul(d1, min);
    let e = f.add(d0, e);
    f.is(e, "d0 - d1 * -9223372036854775808");
    let e = f.arena.neg(min).unwrap();
    f.is(e, "--9223372036854775808");
    let e = f.floorc(min, -1);
    f.is(e, "-9223372036854775808 floordiv -1");
    let e = f.ceilc(min, -1);
    f.is(e, "-9223372036854775808 ceildiv -1");
    let e = f.modc(min, 3);
    f.is(e, "1");
}

#[test]
fn division_by_what_is_not_positive() {
    let mut f = Fixture::new();
    let d0 = f.d0;
    let (seven, x4) = (f.c(7), f.mulc(d0, 4));
    for (e, text) in [
        (f.floorc(seven, -2), "-4"),
        (f.ceilc(seven, -2), "-3"),
        (f.modc(seven, -2), "7 mod -2"),
        (f.floorc(seven, 0), "7 floordiv 0"),
        (f.ceilc(d0, 0), "d0 ceildiv 0"),
        (f.modc(d0, 0), "d0 mod 0"),
        (f.floorc(d0, -2), "d0 floordiv -2"),
        (f.floorc(x4, -2), "d0 * -2"),
        (f.ceilc(x4, -2), "d0 * -2"),
    ] {
        f.is(e, text);
    }
    // MLIR traps on these.
    let e = f.mulc(d0, i64::MIN);
    let floor = f.floorc(e, -1);
    f.is(floor, "(d0 * -9223372036854775808) floordiv -1");
    let ceil = f.ceilc(e, -1);
    f.is(ceil, "(d0 * -9223372036854775808) ceildiv -1");
}

#[test]
fn rounding() {
    let mut f = Fixture::new();
    for (value, divisor, floor, ceil) in [
        (7, 2, 3, 4),
        (-7, 2, -4, -3),
        (-7, -2, 3, 4),
        (8, -2, -4, -4),
        (0, -5, 0, 0),
    ] {
        let value = f.c(value);
        let e = f.floorc(value, divisor);
        assert_eq!(f.arena.kind(e), Some(Kind::Constant(floor)));
        let e = f.ceilc(value, divisor);
        assert_eq!(f.arena.kind(e), Some(Kind::Constant(ceil)));
    }
    let value = f.c(-7);
    let e = f.modc(value, 4);
    f.is(e, "1");
}

#[test]
fn remainders_found() {
    let mut f = Fixture::new();
    let (d0, s0) = (f.d0, f.s0);
    let by_8 = f.floorc(d0, 8);
    let e = f.mulc(by_8, 8);
    let e = f.sub(d0, e);
    f.is(e, "d0 mod 8");
    let e = f.mulc(by_8, -8);
    let e = f.add(e, d0);
    f.is(e, "(d0 floordiv 8) * -8 + d0");
    let by_s0 = f.floor(d0, s0);
    let product = f.mul(s0, by_s0);
    let e = f.sub(d0, product);
    f.is(e, "d0 mod s0");
    // MLIR's oddity: the -1 is a summand here, not a factor.
    let e = f.addc(product, -1);
    let e = f.add(d0, e);
    f.is(e, "d0 mod s0");
    let e = f.floorc(d0, -3);
    let e = f.mulc(e, 3);
    let e = f.add(d0, e);
    f.is(e, "d0 + (d0 floordiv -3) * 3");
}

#[test]
fn order_of_operands() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    let s1 = f.arena.symbol(1).unwrap();
    let half = f.floorc(d1, 2);
    let (halves, not_halves) = (f.mulc(half, -2), f.mulc(half, -3));
    let (d0_s0, d0_d1, s0_d1) = (f.add(d0, s0), f.add(d0, d1), f.add(s0, d1));
    let twice = f.mulc(d1, 2);
    let minus = f.arena.neg(d1).unwrap();
    for (e, text) in [
        (f.add(d1, d0), "d0 + d1"),
        (f.add(s1, s0), "s0 + s1"),
        (f.mul(s1, s0), "s0 * s1"),
        (s0_d1, "d1 + s0"),
        (f.add(twice, d0), "d1 * 2 + d0"),
        (f.add(d0_s0, minus), "d0 + s0 - d1"),
        (f.add(d0_s0, not_halves), "d0 + (d1 floordiv 2) * -3 + s0"),
        (f.add(d0_d1, halves), "d0 + d1 mod 2"),
        (f.add(d0_d1, not_halves), "d0 + d1 - (d1 floordiv 2) * 3"),
    ] {
        f.is(e, text);
    }
}

#[test]
fn known_divisors() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    let e = f.mulc(d0, 6);
    let e = f.addc(e, 4);
    assert_eq!(f.arena.largest_known_divisor(e), Some(2));
    assert!(f.arena.is_multiple_of(e, 2));
    assert!(!f.arena.is_multiple_of(e, 4));
    assert!(!f.arena.is_multiple_of(e, 0));
    let floor = f.floorc(e, 2);
    f.is(floor, "d0 * 3 + 2");
    let ceil = f.ceilc(e, 2);
    f.is(ceil, "(d0 * 6 + 4) ceildiv 2");
    let x4 = f.mulc(d1, 4);
    let sum = f.add(d0, x4);
    let floor = f.floorc(sum, 4);
    f.is(floor, "d0 floordiv 4 + d1");
    let rest = f.modc(sum, 4);
    f.is(rest, "d0 mod 4");
    let rest = f.modc(d0, 12);
    let rest = f.modc(rest, 4);
    f.is(rest, "d0 mod 4");
    let product = f.mul(x4, s0);
    f.is(product, "(d1 * s0) * 4");
    assert_eq!(f.arena.largest_known_divisor(product), Some(4));
    let half = f.raw_floor(product, 2);
    assert_eq!(f.arena.largest_known_divisor(half), Some(2));
    assert!(f.arena.is_multiple_of(d0, -1));
    assert!(!f.arena.is_multiple_of(d0, 2));
    let six = f.c(-6);
    assert!(f.arena.is_multiple_of(six, 3));
    assert_eq!(f.arena.largest_known_divisor(six), Some(6));
    // The product of two factors of 2^32 wraps to a divisor of 0.
    let e = f.mulc(d0, 1 << 32);
    let e = f.raw_mul(e, s0);
    let factor = f.c(1 << 32);
    let e = f.raw_mul(e, factor);
    assert_eq!(f.arena.largest_known_divisor(e), Some(0));
    let e = f.modc(e, 7);
    f.is(e, "0");
}

impl Fixture {
    fn raw_floor(&mut self, l: AffineExpr, r: i64) -> AffineExpr {
        let r = self.c(r);
        self.raw(Kind::FloorDiv(l, r))
    }
    fn raw_mul(&mut self, l: AffineExpr, r: AffineExpr) -> AffineExpr {
        self.raw(Kind::Mul(l, r))
    }
}

#[test]
fn predicates() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    assert!(!f.arena.can_multiply(d0, d1));
    assert!(f.arena.can_multiply(d0, s0));
    assert!(f.arena.can_divide_by(s0));
    assert!(!f.arena.can_divide_by(d0));
    let product = f.mul(d0, s0);
    assert!(!f.arena.is_pure_affine(product));
    let product = f.mulc(d0, 3);
    assert!(f.arena.is_pure_affine(product));
    let quotient = f.floor(product, s0);
    assert!(!f.arena.is_pure_affine(quotient));
    let quotient = f.floorc(d0, 3);
    assert!(f.arena.is_pure_affine(quotient));
    assert!(!f.arena.is_symbolic_or_constant(quotient));
    // Not affine, but built: the parser rejects it.
    let product = f.mul(d0, d1);
    f.is(product, "d0 * d1");
    assert_eq!(f.arena.dims_needed(product), Some(2));
    assert_eq!(f.arena.symbols_needed(product), Some(0));
}

#[test]
fn maps_and_sets() {
    let mut f = Fixture::new();
    let map = AffineMap::identity(&mut f.arena, 3).unwrap();
    assert!(map.is_identity(&f.arena));
    map.check(&f.arena).unwrap();
    let mut out = Vec::new();
    f.arena.print_map(&map, 100, &mut out).unwrap();
    assert_eq!(out, b"(d0, d1, d2) -> (d0, d1, d2)");
    let symbols = AffineMap {
        num_symbols: 1,
        ..map.clone()
    };
    assert!(symbols.is_identity(&f.arena));
    let narrow = AffineMap {
        num_dims: 2,
        ..map.clone()
    };
    assert!(!narrow.is_identity(&f.arena));
    assert_eq!(
        narrow.check(&f.arena),
        Err(AffineError::DimOutOfRange {
            index: 2,
            position: 2,
            num_dims: 2
        })
    );
    let swapped = AffineMap {
        num_dims: 2,
        num_symbols: 0,
        results: [f.d1, f.d0].into(),
    };
    assert!(!swapped.is_identity(&f.arena));
    let empty = AffineMap {
        num_dims: 0,
        num_symbols: 2,
        results: [].into(),
    };
    out.clear();
    f.arena.print_map(&empty, 100, &mut out).unwrap();
    assert_eq!(out, b"()[s0, s1] -> ()");

    let e = f.addc(f.d0, -2);
    let gap = f.sub(f.d0, f.s0);
    let constraints = [(e, false), (f.d0, true), (gap, false)].into();
    let set = IntegerSet {
        num_dims: 1,
        num_symbols: 1,
        constraints,
    };
    set.check(&f.arena).unwrap();
    out.clear();
    f.arena.print_set(&set, 100, &mut out).unwrap();
    assert_eq!(out, b"(d0)[s0] : (d0 - 2 >= 0, d0 == 0, d0 - s0 >= 0)");
    let narrow = IntegerSet {
        num_symbols: 0,
        ..set.clone()
    };
    assert_eq!(
        narrow.check(&f.arena),
        Err(AffineError::SymbolOutOfRange {
            index: 2,
            position: 0,
            num_symbols: 0
        })
    );

    let mut other = AffineArena::new();
    let copy = other.import_map(&f.arena, &map).unwrap();
    assert!(copy.is_identity(&other));
    let copy = other.import_set(&f.arena, &set).unwrap();
    let mut again = Vec::new();
    other.print_set(&copy, 100, &mut again).unwrap();
    assert_eq!(again, out);
    assert_eq!(HashSet::from([map.clone(), map.clone(), swapped]).len(), 2);
}

#[test]
fn errors() {
    let f = Fixture::new();
    let mut other = AffineArena::with_max_exprs(2);
    let stranger = f.s0;
    let unknown = AffineError::UnknownExpr(stranger);
    let d0 = other.dim(0).unwrap();
    assert_eq!(other.add(d0, stranger), Err(unknown));
    assert_eq!(other.sub(stranger, d0), Err(unknown));
    assert_eq!(other.neg(stranger), Err(unknown));
    assert_eq!(other.intern(Kind::Mod(stranger, d0)), Err(unknown));
    assert_eq!(
        other.print_expr(stranger, 10, &mut Vec::new()),
        Err(unknown)
    );
    assert_eq!(
        other.clone().import(&AffineArena::new(), stranger),
        Err(unknown)
    );
    assert_eq!(other.kind(stranger), None);
    assert_eq!(other.largest_known_divisor(stranger), None);
    assert!(!other.is_symbolic_or_constant(stranger));
    assert!(!other.is_pure_affine(stranger));
    assert!(!other.is_multiple_of(stranger, 1));
    let map = AffineMap {
        num_dims: 9,
        num_symbols: 9,
        results: [stranger].into(),
    };
    assert_eq!(map.check(&other), Err(unknown));
    assert_eq!(other.len(), 1);

    let one = other.constant(1).unwrap();
    assert_eq!(other.add(d0, one), Err(AffineError::TooManyExprs(2)));
    assert_eq!(other.dim(0), Ok(d0));
    assert_eq!(other.dim(u32::MAX), Err(AffineError::PositionTooLarge));
    assert_eq!(other.symbol(u32::MAX), Err(AffineError::PositionTooLarge));
    let text = "affine expression 2 uses d1, but there are 1 dimensions";
    let error = AffineError::DimOutOfRange {
        index: 2,
        position: 1,
        num_dims: 1,
    };
    assert_eq!(error.to_string(), text);
}

#[test]
fn budget() {
    let mut f = Fixture::new();
    let e = f.addc(f.d0, -12);
    let mut out = b"x".to_vec();
    f.arena.print_expr(e, 7, &mut out).unwrap();
    assert_eq!(out, b"xd0 - 12");
    let too_long = AffineError::TextTooLong(6);
    assert_eq!(f.arena.print_expr(e, 6, &mut out), Err(too_long));
    assert_eq!(out, b"xd0 - 12");
    let map = AffineMap {
        num_dims: u32::MAX,
        num_symbols: 0,
        results: [].into(),
    };
    assert_eq!(f.arena.print_map(&map, 6, &mut out), Err(too_long));
    assert_eq!(out, b"xd0 - 12");

    // Sharing 64 times over would take 2^64 bytes of text.
    let mut shared = f.add(f.d0, f.d1);
    for _ in 0..64 {
        shared = f.raw(Kind::Mul(shared, shared));
    }
    let limit = 100_000;
    assert_eq!(
        f.arena.print_expr(shared, limit, &mut out),
        Err(AffineError::TextTooLong(limit))
    );
    let mut other = AffineArena::new();
    let copy = other.import(&f.arena, shared).unwrap();
    assert_eq!(other.len(), 67);
    assert_eq!(other.dims_needed(copy), Some(2));
}

#[test]
fn deep() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    let two = f.c(2);
    // ((d0 mod 2) * s0 mod 2) * s0 ...
    let mut left = d0;
    for _ in 0..DEEP {
        left = f.mul(left, s0);
        left = f.arena.modulo(left, two).unwrap();
    }
    // d0 + (d1 + (d0 + ...)), and a sum whose every term must be divided.
    let mut right = d1;
    let mut sum = d0;
    for position in 1..DEEP {
        right = f.add(if position % 2 == 1 { d0 } else { d1 }, right);
        let term = f.arena.dim(position).unwrap();
        let term = f.mulc(term, 4);
        sum = f.add(sum, term);
    }
    for e in [left, right, sum] {
        let mut out = Vec::new();
        f.arena.print_expr(e, 10_000_000, &mut out).unwrap();
        assert!(out.len() > 400_000);
        let mut other = AffineArena::new();
        let copy = other.import(&f.arena, e).unwrap();
        let mut again = Vec::new();
        other.print_expr(copy, 10_000_000, &mut again).unwrap();
        assert!(out == again);
        assert_eq!(
            other.largest_known_divisor(copy),
            f.arena.largest_known_divisor(e)
        );
    }
    let quarter = f.floorc(sum, 4);
    assert_eq!(f.arena.dims_needed(quarter), Some(DEEP));
    assert!(matches!(f.arena.kind(quarter), Some(Kind::Add(..))));
    let rest = f.modc(sum, 4);
    f.is(rest, "d0 mod 4");
    // A rule applies to the innermost right operand.
    let half = f.floorc(d1, 2);
    let half = f.mulc(half, -2);
    let with_rest = f.add(right, half);
    assert_ne!(f.arena.kind(with_rest), Some(Kind::Add(right, half)));
    let mut last = with_rest;
    while let Some(Kind::Add(_, r)) = f.arena.kind(last) {
        last = r;
    }
    f.is(last, "d1 mod 2");
    let not_a_rest = f.arena.neg(sum).unwrap();
    assert!(matches!(f.arena.kind(not_a_rest), Some(Kind::Mul(..))));
    let map = AffineMap {
        num_dims: DEEP,
        num_symbols: 1,
        results: [left, right, sum].into(),
    };
    map.check(&f.arena).unwrap();
    assert_eq!(HashSet::from([map.clone(), map]).len(), 1);
}

#[test]
fn deep_where_nothing_was_simplified() {
    let mut f = Fixture::new();
    let (d0, d1, s0) = (f.d0, f.d1, f.s0);
    let (one, three) = (f.c(1), f.c(3));
    let mut sum = d0;
    let mut product = d0;
    for _ in 0..DEEP {
        sum = f.raw(Kind::Add(sum, one));
        product = f.raw(Kind::Mul(product, three));
    }
    let e = f.add(sum, d1);
    f.is(e, "d0 + d1 + 100000");
    let e = f.addc(sum, -100_000);
    f.is(e, "d0");
    let e = f.mul(product, s0);
    let expected = (0..DEEP).fold(1_i64, |factor, _| factor.wrapping_mul(3));
    f.is(e, &format!("(d0 * s0) * {expected}"));
}

#[test]
fn shared_sums_divide_in_linear_time() {
    let mut f = Fixture::new();
    let (d0, d1) = (f.d0, f.d1);
    let mut sum = f.mulc(d0, 4);
    for position in 0..200 {
        let left = f.arena.dim(position).unwrap();
        let left = f.mulc(left, 8);
        let left = f.raw(Kind::Add(sum, left));
        let right = f.mulc(d1, 12);
        let right = f.raw(Kind::Add(sum, right));
        sum = f.raw(Kind::Add(left, right));
    }
    let quarter = f.floorc(sum, 4);
    assert_eq!(f.arena.dims_needed(quarter), Some(200));
    assert!(f.arena.len() < 5000);
}
