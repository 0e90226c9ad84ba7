//! Converts integers from and to digits.

use super::{ApInt, active_bits, low_mask, negate, radix};

/// 10^19, the largest power of ten in a word, and its exponent.
const TEN_19: u64 = 10_000_000_000_000_000_000;
const TEN_19_DIGITS: usize = 19;
/// The numbers of digits and words from which [`radix`] is faster than the quadratic algorithms.
pub(super) const MANY_DIGITS: usize = 10_000;
const MANY_WORDS: usize = 150;

impl ApInt {
    /// Returns the number written by `digits` in `radix` 10 or 16, with the minimum width, at least
    /// one bit.
    ///
    /// `digits` has neither sign nor prefix. Returns `None` if it is empty, if a byte is not a
    /// digit of the radix, if the radix is neither 10 nor 16, or if the number needs more than
    /// [`ApInt::MAX_WIDTH`] bits. Takes O(n log^2 n) for `n` decimal digits; hexadecimal is linear.
    #[must_use]
    pub fn parse_digits(digits: &[u8], radix: u32) -> Option<ApInt> {
        let words = parse_words(digits, radix, Self::MAX_WIDTH)?;
        let width = active_bits(&words).max(1);
        Some(Self::from_words(width, &words))
    }

    /// Appends the value in decimal to `out`, read as two's complement if
    /// `signed` and as unsigned otherwise.
    ///
    /// Widths up to 64 bits allocate only in `out`; wider values take O(n log^2 n) for `n` bits.
    pub fn write_decimal(&self, signed: bool, out: &mut Vec<u8>) {
        if let Some(value) = if signed { None } else { self.to_u64() } {
            return write_u64(value, out);
        }
        if let Some(value) = if signed { self.to_i64() } else { None } {
            if value < 0 {
                out.push(b'-');
            }
            return write_u64(value.unsigned_abs(), out);
        }
        let mut words = self.words().to_vec();
        if signed && self.is_negative() {
            out.push(b'-');
            negate(&mut words);
            if let Some(top) = words.last_mut() {
                *top &= low_mask((self.width - 1) % 64 + 1);
            }
        }
        while words.last() == Some(&0) {
            words.pop();
        }
        if words.len() >= MANY_WORDS {
            return radix::write_decimal(&words, out);
        }
        // Groups of 19 digits come out lowest first.
        let mut groups = Vec::new();
        while let Some(&top) = words.last() {
            if top == 0 {
                words.pop();
            } else {
                groups.push(divide(&mut words, TEN_19));
            }
        }
        let mut groups = groups.iter().rev();
        write_u64(groups.next().copied().unwrap_or(0), out);
        for &group in groups {
            let mut buffer = [0; 20];
            let digits = decimal(group, &mut buffer);
            out.extend(std::iter::repeat_n(b'0', TEN_19_DIGITS - digits.len()));
            out.extend_from_slice(digits);
        }
    }

    /// Returns the value in decimal; see [`ApInt::write_decimal`].
    #[must_use]
    pub fn to_decimal_string(&self, signed: bool) -> String {
        let mut out = Vec::new();
        self.write_decimal(signed, &mut out);
        out.into_iter().map(char::from).collect()
    }

    /// Appends the value, read as unsigned, to `out` as `0x` and uppercase digits without leading
    /// zeros (`0x0` for zero), independent of the width.
    pub fn write_hex(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"0x");
        let digits = self.active_bits().div_ceil(4).max(1);
        for index in (0..digits).rev() {
            let word = self.words().get((index / 16) as usize);
            let digit = (word.copied().unwrap_or(0) >> (index % 16 * 4) & 0xF) as u8;
            out.push(if digit < 10 {
                b'0' + digit
            } else {
                b'A' + digit - 10
            });
        }
    }
}

/// Converts an integer literal to a value of a type `width` bits wide, under the rule of MLIR's
/// parser (see the module's documentation). Returns `None` where upstream reports "integer constant
/// out of range for attribute".
///
/// `signed_or_index` is whether the type is signed (`si32`) or `index` (whose width is 64).
/// `negative` is whether a minus sign precedes the literal, and `digits` is the rest without its
/// `0x`, in `radix` 10 or 16. Also returns `None` for input that [`ApInt::parse_digits`] rejects
/// and for a width above [`ApInt::MAX_WIDTH`]. Linear for digits that cannot fit the width;
/// otherwise takes the time of [`ApInt::parse_digits`].
#[must_use]
pub fn parse_integer(
    width: u32,
    signed_or_index: bool,
    negative: bool,
    digits: &[u8],
    radix: u32,
) -> Option<ApInt> {
    if width > ApInt::MAX_WIDTH {
        return None;
    }
    let magnitude = match short_number(digits, radix) {
        Some(word) => {
            if active_bits(&[word]) > width {
                return None;
            }
            ApInt::from_words(width, &[word])
        }
        None => ApInt::from_words(width, &parse_words(digits, radix, width)?),
    };
    if negative {
        let value = magnitude.neg();
        return value.is_negative().then_some(value);
    }
    if signed_or_index && magnitude.is_negative() {
        return None;
    }
    Some(magnitude)
}

/// Returns a decimal number with so few digits, as most have, that it fits a word.
fn short_number(digits: &[u8], radix: u32) -> Option<u64> {
    if digits.is_empty() || digits.len() > TEN_19_DIGITS || radix != 10 {
        return None;
    }
    digits
        .iter()
        .try_fold(0_u64, |value, &byte| Some(value * 10 + digit(byte, radix)?))
}

/// Returns the words of a number, lowest first and possibly with zeros at the top, if it is within
/// `max_bits` bits.
fn parse_words(digits: &[u8], radix: u32, max_bits: u32) -> Option<Vec<u64>> {
    if digits.is_empty() || (radix != 10 && radix != 16) {
        return None;
    }
    let all_digits = digits.iter().all(|&byte| digit(byte, radix).is_some());
    if !all_digits {
        return None;
    }
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    let digits = digits.get(zeros..)?;
    // n digits without a leading zero need more than 3·(n − 1) bits in decimal and 4·(n − 1) in
    // hexadecimal; numbers that cannot fit are rejected without conversion.
    let least_bits = digits.len().saturating_sub(1) as u64 * if radix == 10 { 3 } else { 4 };
    if !digits.is_empty() && least_bits >= u64::from(max_bits) {
        return None;
    }
    let value = |chunk: &[u8]| {
        let mut value = 0_u64;
        for &byte in chunk {
            value = value * u64::from(radix) + digit(byte, radix).unwrap_or(0);
        }
        value
    };
    let mut words = Vec::new();
    if radix == 16 {
        words.extend(digits.rchunks(16).map(value));
    } else if digits.len() >= MANY_DIGITS {
        words = radix::parse_decimal(digits);
    } else {
        // The first group is the short one, so that every later step
        // multiplies by the same power.
        let (first, rest) = digits.split_at(digits.len() % TEN_19_DIGITS);
        words.push(value(first));
        for chunk in rest.chunks(TEN_19_DIGITS) {
            let mut carry = value(chunk);
            for word in &mut words {
                let product = u128::from(*word) * u128::from(TEN_19) + u128::from(carry);
                *word = product as u64;
                carry = (product >> 64) as u64;
            }
            if carry != 0 {
                words.push(carry);
            }
        }
    }
    (active_bits(&words) <= max_bits).then_some(words)
}

/// Returns the value of one digit.
fn digit(byte: u8, radix: u32) -> Option<u64> {
    char::from(byte).to_digit(radix).map(u64::from)
}

/// Divides little-endian words in place and returns the remainder. The divisor
/// is not zero.
fn divide(words: &mut [u64], divisor: u64) -> u64 {
    let mut remainder = 0_u64;
    for word in words.iter_mut().rev() {
        let dividend = u128::from(remainder) << 64 | u128::from(*word);
        // The remainder is below the divisor, so the quotient is one word.
        *word = (dividend / u128::from(divisor)) as u64;
        remainder = (dividend % u128::from(divisor)) as u64;
    }
    remainder
}

/// Appends `value` in decimal.
pub(crate) fn write_u64(value: u64, out: &mut Vec<u8>) {
    let mut buffer = [0; 20];
    out.extend_from_slice(decimal(value, &mut buffer));
}

/// Returns the decimal digits of `value`, written at the end of `buffer`.
fn decimal(mut value: u64, buffer: &mut [u8; 20]) -> &[u8] {
    // 2^64 − 1 has 20 digits, so the position never passes the start.
    let mut at = buffer.len();
    while value >= 100 {
        let pair = (value % 100) as u8;
        value /= 100;
        at -= 2;
        buffer[at] = b'0' + pair / 10;
        buffer[at + 1] = b'0' + pair % 10;
    }
    let last = value as u8;
    if last >= 10 {
        at -= 1;
        buffer[at] = b'0' + last % 10;
    }
    at -= 1;
    buffer[at] = b'0' + if last >= 10 { last / 10 } else { last };
    &buffer[at..]
}
