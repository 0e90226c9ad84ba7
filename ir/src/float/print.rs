//! Converts the bits of floats to text.

use super::big::Big;
use super::{FloatKind, Parts, Row, canonical_bits};
use crate::apint::write_u64;
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee;

/// Appends `bits` of `kind` to `out` as mlir-opt prints a float, byte for byte (see the module's
/// documentation): `1.000000e+00`, `0.699999988`, `3.40282347E+38` or `0x7FC00000`.
///
/// Bits are interpreted as by [`canonical_bits`]. Allocates nothing but the space in `out`.
pub fn write_float(kind: FloatKind, bits: u128, out: &mut Vec<u8>) {
    let row = kind.row();
    let bits = canonical_bits(kind, bits);
    let (negative, parts) = row.split(bits);
    let (significand, exp) = match parts {
        Parts::Finite { significand, exp } => (significand, exp),
        Parts::Zero => {
            if negative {
                out.push(b'-');
            }
            return out.extend_from_slice(b"0.000000e+00");
        }
        Parts::Infinity | Parts::Nan { .. } => return write_bits(bits, out),
    };
    let exact = if kind.width() <= 64 {
        // 53 bits times 5^1074 are 2547 bits.
        Exact::new::<40>(row, significand, exp)
    } else {
        // 113 bits times 5^16494 are 38,411 bits.
        Exact::new::<601>(row, significand, exp)
    };

    let start = out.len();
    if negative {
        out.push(b'-');
    }
    let unsigned = out.len();
    let six = exact.digits(SHORT_DIGITS);
    if exact.may_equal(row, &six, significand) {
        write_scientific(&six, false, out);
        if reads_back(kind, &out[start..], bits) {
            return;
        }
        out.truncate(unsigned);
    }
    let full = exact.digits(row.default_digits());
    if !write_default(&full, row.default_digits(), out) {
        // No point: it would read as an integer.
        out.truncate(start);
        write_bits(bits, out);
    }
}

/// Significant digits of the exponent form.
const SHORT_DIGITS: u32 = 6;

/// The largest number of zeros that `APFloat`'s default form puts between the
/// point and the first digit, or before the point.
const MAX_PADDING: i32 = 3;

/// A value as `APFloat::toString` represents it before it rounds to digits.
struct Exact {
    /// S, divided by 10^`removed` and rounded down.
    value: u128,
    /// The power of ten of one unit of `value`.
    exp: i32,
    /// Bits of S.
    bits: u32,
    removed: u32,
}

/// Decimal digits without trailing zeros, and the power of ten of the last.
struct Digits {
    /// At most 36 digits.
    value: u128,
    exp: i32,
}

/// Returns the power of ten by which `APFloat` divides before it rounds to `digits`. 196/59 is
/// slightly more than log2(10).
fn removable(bits: u32, digits: u32) -> u32 {
    let required = (digits * 196).div_ceil(59);
    bits.saturating_sub(required) * 59 / 196
}

impl Exact {
    /// Returns `significand · 2^exp`, truncated to the largest number of digits requested later.
    /// The result has at most 125 bits: those that the digits require, four that `removable` leaves
    /// by rounding down, and one because its estimate is low by a hundred-thousandth. `WORDS` words
    /// hold S.
    fn new<const WORDS: usize>(row: &Row, significand: u128, exp: i32) -> Exact {
        let digits = row.default_digits().max(SHORT_DIGITS);
        let zeros = significand.trailing_zeros();
        let odd = significand >> zeros;
        let exp = exp + zeros as i32;
        let twos = exp.unsigned_abs();
        if exp >= 0 {
            let bits = 128 - odd.leading_zeros() + twos;
            let removed = removable(bits, digits);
            let mut big = Big::<WORDS>::new(odd);
            // S is odd · 2^exp, and 10^k is 2^k · 5^k. The significand alone has
            // no more bits than the digits require, so k is at most exp.
            big.shift_left(twos.saturating_sub(removed));
            big.divide_by_five(removed);
            let value = big.low();
            let exp = removed as i32;
            return Exact {
                value,
                exp,
                bits,
                removed,
            };
        }
        // S is odd · 5^t; its last digits are worth 10^−t.
        let mut big = Big::<WORDS>::new(odd);
        big.multiply_by_five(twos);
        let bits = big.bits();
        let removed = removable(bits, digits);
        if removed > 0 {
            // Divided by 10^k that is odd · 5^(t−k) / 2^k; k is about 0.7 t at
            // most, by the same argument.
            big = Big::new(odd);
            big.multiply_by_five(twos.saturating_sub(removed));
            big.shift_right(removed);
        }
        let exp = removed as i32 - twos as i32;
        let value = big.low();
        Exact {
            value,
            exp,
            bits,
            removed,
        }
    }

    /// `count` significant digits, as `APFloat` rounds to them.
    fn digits(&self, count: u32) -> Digits {
        let mut value = self.value;
        let mut exp = self.exp;
        // Dividing twice and rounding down each time is dividing once.
        let more = removable(self.bits, count).saturating_sub(self.removed);
        if more > 0 {
            value /= power_of_ten(more);
            exp += more as i32;
        }
        // Up to f64 the value fits in a word, where division is cheap.
        match u64::try_from(value) {
            Ok(small) => round_digits(small, exp, count),
            Err(_) => round_wide_digits(value, exp, count),
        }
    }

    /// Returns whether rounding to `digits` changed the value so little that the digits may read
    /// back as the same value. A fast negative for most values with more digits: a normal value and
    /// any number that reads back as it differ by less than 2^(1−precision) of it.
    fn may_equal(&self, row: &Row, digits: &Digits, significand: u128) -> bool {
        if significand >> (row.precision - 1) == 0 || digits.exp < self.exp {
            // Subnormal; or fewer digits than six and no rounding at all.
            return true;
        }
        let scale = power_of_ten(digits.exp.abs_diff(self.exp));
        let Some(rounded) = digits.value.checked_mul(scale) else {
            return true;
        };
        // `value` was rounded down by less than one.
        rounded.abs_diff(self.value) <= (self.value >> (row.precision - 1)) + 1
    }
}

/// Rounds to `count` digits, half up, and drops trailing zeros.
fn round_digits(mut value: u64, mut exp: i32, count: u32) -> Digits {
    let length = value.checked_ilog10().map_or(0, |log| log + 1);
    let excess = length.saturating_sub(count);
    if excess > 0 {
        // A word has at most 20 digits.
        let unit = 10_u64.pow(excess.min(19));
        let half_up = value % unit >= unit / 2;
        value = value / unit + u64::from(half_up);
        exp += excess as i32;
    }
    while value != 0 && value.is_multiple_of(10) {
        value /= 10;
        exp += 1;
    }
    let value = u128::from(value);
    Digits { value, exp }
}

/// As `round_digits`, for a value that exceeds 64 bits.
fn round_wide_digits(mut value: u128, mut exp: i32, count: u32) -> Digits {
    let length = value.checked_ilog10().map_or(0, |log| log + 1);
    let excess = length.saturating_sub(count);
    if excess > 0 {
        let unit = power_of_ten(excess);
        let half_up = value % unit >= unit / 2;
        value = value / unit + u128::from(half_up);
        exp += excess as i32;
    }
    while value != 0 && value.is_multiple_of(10) {
        value /= 10;
        exp += 1;
    }
    Digits { value, exp }
}

fn power_of_ten(exp: u32) -> u128 {
    // Never above 10^38 for the 125 bits there are; larger ones only make the
    // quotient zero, as it should be.
    10_u128.checked_pow(exp).unwrap_or(u128::MAX)
}

/// Returns whether the six printed digits read back as the value itself.
fn reads_back(kind: FloatKind, text: &[u8], bits: u128) -> bool {
    // Six digits are within 10^−5 of the value even if cut, relatively, and
    // these kinds have at most 11 bits: half of the last one is 2^−12 or more.
    if kind.row().precision <= 11 {
        return true;
    }
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    match kind {
        FloatKind::F32 => text
            .parse::<f32>()
            .is_ok_and(|read| u128::from(read.to_bits()) == bits),
        FloatKind::F64 => text
            .parse::<f64>()
            .is_ok_and(|read| u128::from(read.to_bits()) == bits),
        FloatKind::F80 => text
            .parse::<ieee::X87DoubleExtended>()
            .is_ok_and(|read| read.to_bits() == bits),
        _ => text
            .parse::<ieee::Quad>()
            .is_ok_and(|read| read.to_bits() == bits),
    }
}

/// Writes `bits` as `0x` and uppercase digits without leading zeros.
fn write_bits(bits: u128, out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    let digits = (128 - bits.leading_zeros()).div_ceil(4).max(1);
    for index in (0..digits).rev() {
        let digit = (bits >> (index * 4) & 0xF) as u8;
        out.push(if digit < 10 {
            b'0' + digit
        } else {
            b'A' + digit - 10
        });
    }
}

/// Writes the digits of a number below 10^38.
fn write_u128(value: u128, out: &mut Vec<u8>) {
    const HALF: u128 = 10_u128.pow(19);
    if let Ok(small) = u64::try_from(value) {
        return write_u64(small, out);
    }
    // Both halves are below 10^19.
    write_u64((value / HALF) as u64, out);
    let at = out.len();
    write_u64((value % HALF) as u64, out);
    let missing = 19_usize.saturating_sub(out.len() - at);
    out.splice(at..at, std::iter::repeat_n(b'0', missing));
}

/// Writes `d.ddd` and the exponent. Without `trim` there are six digits after
/// the point and two of exponent at least, with it neither.
fn write_scientific(digits: &Digits, trim: bool, out: &mut Vec<u8>) {
    let start = out.len();
    write_u128(digits.value, out);
    let count = out.len() - start;
    out.insert(start + 1, b'.');
    if trim {
        if count == 1 {
            out.push(b'0');
        }
        out.push(b'E');
    } else {
        let missing = (SHORT_DIGITS as usize + 1).saturating_sub(count);
        out.extend(std::iter::repeat_n(b'0', missing));
        out.push(b'e');
    }
    let exponent = digits.exp + count as i32 - 1;
    out.push(if exponent < 0 { b'-' } else { b'+' });
    let exponent = exponent.unsigned_abs();
    if !trim && exponent < 10 {
        out.push(b'0');
    }
    write_u64(u64::from(exponent), out);
}

/// Writes `APFloat`'s default form, whose digits are at most `most`; false if
/// that would be an integer without a point.
fn write_default(digits: &Digits, most: u32, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    write_u128(digits.value, out);
    let count = (out.len() - start) as i32;
    if digits.exp >= 0 {
        // Zeros before the point, few enough not to claim more digits than
        // there are: `AsmPrinter` does not take an integer.
        if digits.exp <= MAX_PADDING && count + digits.exp <= most as i32 {
            return false;
        }
        out.truncate(start);
        write_scientific(digits, true, out);
        return true;
    }
    let whole = count + digits.exp;
    if whole > 0 {
        out.insert(start + whole.unsigned_abs() as usize, b'.');
        return true;
    }
    // The weight of the first digit is 10^(whole − 1).
    if 1 - whole > MAX_PADDING {
        out.truncate(start);
        write_scientific(digits, true, out);
        return true;
    }
    let zeros = whole.unsigned_abs() as usize;
    let prefix = b"0.".iter().copied();
    out.splice(start..start, prefix.chain(std::iter::repeat_n(b'0', zeros)));
    true
}
