//! Converts large numbers between binary and decimal, in less than quadratic time.
//!
//! A number of `n` digits in one base is computed in the other from two halves, `high * power +
//! low`, so only multiplication must be fast. It is done by a number-theoretic transform modulo the
//! prime 2^64 - 2^32 + 1, whose multiplicative group has an element of order 2^32.

/// The limb base of binary numbers. Limbs are always stored lowest first.
const BINARY: u64 = 1 << 16;
/// The limb base of decimal numbers.
const DECIMAL: u64 = 10_000;
/// The number of digits of a decimal limb.
const LIMB_DIGITS: usize = 4;
/// The number of limbs up to which conversion is done limb by limb.
const CHUNK: usize = 32;
/// Numbers of fewer limbs are multiplied by the schoolbook method. Sums of that many products stay
/// below 2^64.
const SCHOOL: usize = 64;

/// The prime modulus of the transform.
const PRIME: u64 = 0xFFFF_FFFF_0000_0001;
/// 2^64 modulo the prime.
const EPSILON: u64 = 0xFFFF_FFFF;
/// An element of order 2^32, the (2^32 - 1)-th power of the generator 7.
const ROOT: u64 = 1_753_635_133_440_165_772;
const ROOT_ORDER_LOG: u32 = 32;

/// Appends the decimal digits of the number of little-endian `words`, without leading zeros;
/// nothing for 0.
pub(super) fn write_decimal(words: &[u64], out: &mut Vec<u8>) {
    let mut limbs = Vec::with_capacity(words.len() * 4);
    for word in words {
        limbs.extend((0..4).map(|i| (word >> (16 * i)) as u16));
    }
    let limbs = convert::<BINARY, DECIMAL>(&limbs);
    let start = out.len();
    for &limb in limbs.iter().rev() {
        for power in [1000, 100, 10, 1] {
            let digit = b'0' + (limb / power % 10) as u8;
            if digit != b'0' || out.len() > start {
                out.push(digit);
            }
        }
    }
}

/// Returns the little-endian words of the number of decimal `digits`, which must contain only
/// digits.
pub(super) fn parse_decimal(digits: &[u8]) -> Vec<u64> {
    let limb = |chunk: &[u8]| {
        chunk
            .iter()
            .fold(0, |n, &b| n * 10 + u16::from(b.wrapping_sub(b'0')))
    };
    let limbs: Vec<u16> = digits.rchunks(LIMB_DIGITS).map(limb).collect();
    let limbs = convert::<DECIMAL, BINARY>(&limbs);
    let word = |chunk: &[u16]| {
        chunk
            .iter()
            .rev()
            .fold(0, |word, &limb| word << 16 | u64::from(limb))
    };
    limbs.chunks(4).map(word).collect()
}

/// Converts the number of `limbs` from base `FROM` to base `TO`, without zeros at the top. Takes
/// O(n log^2 n).
fn convert<const FROM: u64, const TO: u64>(limbs: &[u16]) -> Vec<u16> {
    let mut parts: Vec<Vec<u16>> = limbs.chunks(CHUNK).map(convert_small::<FROM, TO>).collect();
    // The weight of a part relative to the preceding one.
    let mut power = vec![0; CHUNK];
    power.push(1);
    let mut power = convert_small::<FROM, TO>(&power);
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(low) = rest.next() {
            joined.push(match rest.next() {
                None => low,
                Some(high) => add::<TO>(multiply::<TO>(&high, &power), &low),
            });
        }
        parts = joined;
        if parts.len() > 1 {
            power = multiply::<TO>(&power, &power);
        }
    }
    parts.pop().unwrap_or_default()
}

/// Like [`convert`], limb by limb.
fn convert_small<const FROM: u64, const TO: u64>(limbs: &[u16]) -> Vec<u16> {
    let mut out: Vec<u16> = Vec::new();
    for &limb in limbs.iter().rev() {
        let mut carry = u64::from(limb);
        for digit in &mut out {
            carry += u64::from(*digit) * FROM;
            *digit = (carry % TO) as u16;
            carry /= TO;
        }
        while carry > 0 {
            out.push((carry % TO) as u16);
            carry /= TO;
        }
    }
    out
}

/// Returns `a + b`.
fn add<const BASE: u64>(mut a: Vec<u16>, b: &[u16]) -> Vec<u16> {
    if a.len() < b.len() {
        a.resize(b.len(), 0);
    }
    let mut carry = 0;
    let mut others = b.iter();
    for digit in &mut a {
        let other = others.next();
        if other.is_none() && carry == 0 {
            break;
        }
        let sum = u64::from(*digit) + other.map_or(0, |&o| u64::from(o)) + carry;
        *digit = (sum % BASE) as u16;
        carry = sum / BASE;
    }
    if carry > 0 {
        a.push(carry as u16);
    }
    trimmed(a)
}

/// Returns `a * b`.
fn multiply<const BASE: u64>(a: &[u16], b: &[u16]) -> Vec<u16> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let len = a.len() + b.len();
    let sums = if a.len().min(b.len()) < SCHOOL {
        let mut sums = vec![0; len];
        for (at, &x) in a.iter().enumerate() {
            for (sum, &y) in sums.iter_mut().skip(at).zip(b) {
                *sum += u64::from(x) * u64::from(y);
            }
        }
        sums
    } else {
        let size = len.next_power_of_two();
        let mut x = transformed(a, size);
        let y = transformed(b, size);
        for (x, y) in x.iter_mut().zip(y) {
            *x = times(*x, y);
        }
        transform(&mut x, true);
        // The inverse of the size, by Fermat's little theorem.
        let inverse = power(size as u64 % PRIME, PRIME - 2);
        x.truncate(len);
        for x in &mut x {
            *x = times(*x, inverse);
        }
        x
    };
    let mut carry = 0;
    let limb = |sum: u64| {
        carry += sum;
        let limb = (carry % BASE) as u16;
        carry /= BASE;
        limb
    };
    trimmed(sums.into_iter().map(limb).collect())
}

fn trimmed(mut limbs: Vec<u16>) -> Vec<u16> {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

fn transformed(limbs: &[u16], size: usize) -> Vec<u64> {
    let mut values: Vec<u64> = limbs.iter().map(|&limb| u64::from(limb)).collect();
    values.resize(size, 0);
    transform(&mut values, false);
    values
}

/// Computes the transform of a power of two many values, or its inverse without the scaling factor.
/// The transform leaves its values in bit-reversed order, and the inverse takes them in that order.
fn transform(values: &mut [u64], inverse: bool) {
    let log = values.len().trailing_zeros();
    let mut root = power(ROOT, 1 << (ROOT_ORDER_LOG - log));
    if inverse {
        root = power(root, PRIME - 2);
    }
    // The roots of each layer are every second of those of the preceding layer.
    let mut roots = Vec::with_capacity(values.len() / 2);
    let mut next = 1;
    for _ in 0..values.len() / 2 {
        roots.push(next);
        next = times(next, root);
    }
    let mut layer = |half: usize| {
        let stride = roots.len() / half;
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let roots = roots.iter().step_by(stride);
            for ((a, b), &w) in low.iter_mut().zip(high).zip(roots) {
                if inverse {
                    let t = times(*b, w);
                    (*a, *b) = (plus(*a, t), minus(*a, t));
                } else {
                    (*a, *b) = (plus(*a, *b), times(minus(*a, *b), w));
                }
            }
        }
    };
    if inverse {
        (0..log).for_each(|level| layer(1 << level));
    } else {
        (0..log).rev().for_each(|level| layer(1 << level));
    }
}

// Arithmetic modulo the prime, on numbers below it.

fn plus(a: u64, b: u64) -> u64 {
    let (sum, over) = a.overflowing_add(b);
    let (less, under) = sum.overflowing_sub(PRIME);
    if over || !under { less } else { sum }
}

fn minus(a: u64, b: u64) -> u64 {
    let (difference, under) = a.overflowing_sub(b);
    if under {
        difference.wrapping_add(PRIME)
    } else {
        difference
    }
}

/// Returns the product modulo the prime, without a division: 2^64 is congruent to 2^32 - 1 and
/// 2^96 to -1, so `low + middle * 2^64 + top * 2^96` is reduced to
/// `low + middle * (2^32 - 1) - top`. A wrap around 2^64 is corrected by 2^32 - 1 in the same way.
fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    let (top, middle) = (high >> 32, high & EPSILON);
    let (mut value, under) = low.overflowing_sub(top);
    if under {
        value = value.wrapping_sub(EPSILON);
    }
    let (sum, over) = value.overflowing_add(middle * EPSILON);
    let sum = if over { sum.wrapping_add(EPSILON) } else { sum };
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_has_its_order() {
        let mut order = ROOT;
        for _ in 1..ROOT_ORDER_LOG {
            order = times(order, order);
        }
        assert_eq!(order, PRIME - 1);
        assert_eq!(power(7, (PRIME - 1) >> ROOT_ORDER_LOG), ROOT);
    }

    #[test]
    fn arithmetic() {
        let samples = [0, 1, 2, EPSILON, EPSILON + 1, 1 << 63, PRIME - 2, PRIME - 1];
        let modulo = |value: u128| (value % u128::from(PRIME)) as u64;
        for a in samples {
            for b in samples {
                let (x, y) = (u128::from(a), u128::from(b));
                assert_eq!(plus(a, b), modulo(x + y));
                assert_eq!(minus(a, b), modulo(x + u128::from(PRIME) - y));
                assert_eq!(times(a, b), modulo(x * y));
            }
        }
    }

    #[test]
    fn products_are_those_of_school() {
        let mut seed = 1u64;
        let mut random = |len: usize| -> Vec<u16> {
            (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // The largest limbs, and any.
                    if seed >> 62 == 0 {
                        65_535
                    } else {
                        (seed >> 40) as u16
                    }
                })
                .collect()
        };
        for (m, n) in [(64, 64), (64, 1000), (777, 333), (4096, 4096)] {
            let (a, b) = (random(m), random(n));
            // In school, piece by piece.
            let mut expected = Vec::new();
            for (at, piece) in b.chunks(SCHOOL - 1).enumerate() {
                let mut part = vec![0; at * (SCHOOL - 1)];
                part.extend(multiply::<BINARY>(&a, piece));
                expected = add::<BINARY>(expected, &part);
            }
            assert_eq!(multiply::<BINARY>(&a, &b), expected);
        }
    }
}
