//! Integers of a fixed bit width: the value of an MLIR `IntegerAttr` and of
//! one element of an integer `dense` attribute.
//!
//! An [`ApInt`] is a width and that many bits. Like LLVM's `APInt` it has no sign, so `255 : i8`
//! and `-1 : i8` are the same value, and the caller specifies the signedness when it prints or
//! compares. Widths up to 64 bits are stored inline, wider ones in a box of little-endian 64-bit
//! words.
//!
//! # Literals
//!
//! [`parse_integer`] is the range check of MLIR's parser, as mlir-opt 22.1
//! applies it:
//!
//! * digits are a magnitude of any length; leading zeros never matter
//!   (`0x0000FF : i8` is accepted);
//! * the magnitude must fit in the type's width taken as unsigned, so signless
//!   `255 : i8` is accepted (and prints as `-1`) and `256 : i8` is not;
//! * after a minus sign the negated value must have its sign bit set, so
//!   `-129 : i8` is rejected, and so is `-0` in every width;
//! * without a minus sign a signed type (`si8`) and `index` also reject a set
//!   sign bit, in hexadecimal too (`0xFF : si8` is an error);
//! * `i0` holds `0` only;
//! * a minus sign on an unsigned type (`ui8`) is a separate error ("negative
//!   integer literal not valid for unsigned integer type"), which the caller
//!   reports before it gets here;
//! * `index` counts as 64 bits wide.

mod digits;
mod radix;

pub use digits::parse_integer;
pub(crate) use digits::write_u64;

/// An integer of a fixed width of 0 to [`ApInt::MAX_WIDTH`] bits, without a
/// sign of its own (two's complement when read as signed).
///
/// Always canonical: bits above the width are zero and the width alone decides
/// the number of words, so the derived equality and hash are those of the
/// pair (width, bits).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ApInt {
    width: u32,
    bits: Bits,
}

/// The storage of the bits; the width determines the variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Bits {
    /// Widths 0 to 64.
    Inline(u64),
    /// Widths above 64: exactly `ceil(width / 64)` words, lowest first.
    Boxed(Box<[u64]>),
}

impl ApInt {
    /// The widest integer, in bits: the limit of MLIR's `IntegerType`
    /// (2^24 − 1).
    pub const MAX_WIDTH: u32 = 16_777_215;

    /// Returns `value mod 2^width`. A `width` above [`ApInt::MAX_WIDTH`] is clamped to that limit,
    /// here and in every other function of this type that takes a width.
    #[must_use]
    pub fn from_u64(width: u32, value: u64) -> ApInt {
        Self::from_words(width, &[value])
    }

    /// Returns `value` sign-extended to `width` bits, or truncated to its low `width` bits.
    #[must_use]
    pub fn from_i64(width: u32, value: i64) -> ApInt {
        let low = value.cast_unsigned();
        if width <= 64 {
            return Self::from_words(width, &[low]);
        }
        Self::build(width, low, if value < 0 { u64::MAX } else { 0 }, &[])
    }

    /// Returns the number of that magnitude and sign, one bit wider than the magnitude needs, so
    /// each number has a unique representation.
    #[must_use]
    pub fn from_magnitude(negative: bool, magnitude: &ApInt) -> ApInt {
        let wide = magnitude.zext(magnitude.active_bits().saturating_add(1));
        if negative { wide.neg() } else { wide }
    }

    /// Returns the little-endian 64-bit `words`, zero-extended or truncated to `width` bits.
    #[must_use]
    pub fn from_words(width: u32, words: &[u64]) -> ApInt {
        match words.split_first() {
            Some((&low, rest)) => Self::build(width, low, 0, rest),
            None => Self::build(width, 0, 0, &[]),
        }
    }

    /// Returns the little-endian `bytes`, zero-extended or truncated to `width` bits.
    #[must_use]
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> ApInt {
        let word = |chunk: &[u8]| {
            let mut buffer = [0; 8];
            for (to, &from) in buffer.iter_mut().zip(chunk) {
                *to = from;
            }
            u64::from_le_bytes(buffer)
        };
        if width <= 64 {
            return Self::from_words(width, &[word(bytes)]);
        }
        let needed = word_count(width.min(Self::MAX_WIDTH));
        let words: Vec<u64> = bytes.chunks(8).take(needed).map(word).collect();
        Self::from_words(width, &words)
    }

    /// Returns zero, in `width` bits.
    #[must_use]
    pub fn zero(width: u32) -> ApInt {
        Self::build(width, 0, 0, &[])
    }

    /// Returns `low`, then `rest`, then `fill` repeated, truncated to `width` bits.
    fn build(width: u32, low: u64, fill: u64, rest: &[u64]) -> ApInt {
        let width = width.min(Self::MAX_WIDTH);
        if width <= 64 {
            let bits = Bits::Inline(low & low_mask(width));
            return ApInt { width, bits };
        }
        let count = word_count(width);
        let mut words = Vec::with_capacity(count);
        words.push(low);
        words.extend(rest.iter().copied().take(count - 1));
        words.resize(count, fill);
        if let Some(top) = words.last_mut() {
            *top &= low_mask((width - 1) % 64 + 1);
        }
        let bits = Bits::Boxed(words.into_boxed_slice());
        ApInt { width, bits }
    }

    /// Returns the width in bits, 0 to [`ApInt::MAX_WIDTH`].
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the bits, lowest word first: exactly `ceil(width / 64)` words (none for a width of
    /// 0), unused high bits zero.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        match &self.bits {
            Bits::Inline(_) if self.width == 0 => &[],
            Bits::Inline(word) => std::slice::from_ref(word),
            Bits::Boxed(words) => words,
        }
    }

    /// Returns the value read as unsigned, if it is at most `u64::MAX`.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Inline(word) => Some(*word),
            Bits::Boxed(words) => match words.split_first() {
                Some((&low, rest)) if rest.iter().all(|&word| word == 0) => Some(low),
                _ => None,
            },
        }
    }

    /// Returns the value read as two's complement, if it is within `i64`.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Inline(word) => Some(sign_extend(*word, self.width)),
            Bits::Boxed(words) => {
                if !self.fits_signed(64) {
                    return None;
                }
                words.first().map(|word| word.cast_signed())
            }
        }
    }

    /// Returns whether the top bit is set: the value is negative when read as two's complement.
    /// False for a width of 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Returns whether every bit is clear.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Returns bit `index`, counted from the lowest; false at and above the width.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        match self.words().get((index / 64) as usize) {
            Some(word) => word >> (index % 64) & 1 == 1,
            None => false,
        }
    }

    /// Returns the number of bits up to and including the highest set one; 0 for zero.
    #[must_use]
    pub fn active_bits(&self) -> u32 {
        active_bits(self.words())
    }

    /// Returns the value sign-extended to `width` bits, or truncated to its low `width` bits if
    /// that is narrower.
    #[must_use]
    pub fn sext(&self, width: u32) -> ApInt {
        if width <= self.width || !self.is_negative() {
            return self.zext(width);
        }
        if width <= 64 {
            let Bits::Inline(word) = self.bits else {
                return self.zext(width);
            };
            return Self::from_i64(width, sign_extend(word, self.width));
        }
        let mut words = self.words().to_vec();
        if let Some(top) = words.last_mut() {
            *top = sign_extend(*top, (self.width - 1) % 64 + 1).cast_unsigned();
        }
        match words.split_first() {
            Some((&low, rest)) => Self::build(width, low, u64::MAX, rest),
            None => Self::zero(width),
        }
    }

    /// Returns the value zero-extended to `width` bits, or truncated to its low `width` bits if
    /// that is narrower.
    #[must_use]
    pub fn zext(&self, width: u32) -> ApInt {
        if width == self.width {
            return self.clone();
        }
        Self::from_words(width, self.words())
    }

    /// Returns the low `width` bits of the value, zero-extended if that is wider (the same function
    /// as [`ApInt::zext`], under the name for the other direction).
    #[must_use]
    pub fn trunc(&self, width: u32) -> ApInt {
        self.zext(width)
    }

    /// Returns the two's complement, `2^width − self`, in the same width.
    #[must_use]
    pub fn neg(&self) -> ApInt {
        match &self.bits {
            Bits::Inline(word) => Self::from_u64(self.width, word.wrapping_neg()),
            Bits::Boxed(words) => {
                let mut negated = words.to_vec();
                negate(&mut negated);
                Self::from_words(self.width, &negated)
            }
        }
    }

    /// Returns whether the value read as unsigned is representable in `width` bits.
    #[must_use]
    pub fn fits_unsigned(&self, width: u32) -> bool {
        self.active_bits() <= width
    }

    /// Returns whether the value read as two's complement is representable in `width` bits of two's
    /// complement.
    #[must_use]
    pub fn fits_signed(&self, width: u32) -> bool {
        if self.width <= width {
            return true;
        }
        if width == 0 {
            return self.is_zero();
        }
        if !self.is_negative() {
            return self.active_bits() < width;
        }
        // A negative x needs as many bits as ¬x = −x − 1, plus the sign.
        let mut inverted: Vec<u64> = self.words().iter().map(|word| !word).collect();
        if let Some(top) = inverted.last_mut() {
            *top &= low_mask((self.width - 1) % 64 + 1);
        }
        active_bits(&inverted) < width
    }

    /// Appends the low `num_bytes` bytes of the value, zero-extended, to
    /// `out`, lowest first.
    pub fn to_le_bytes(&self, out: &mut impl Extend<u8>, num_bytes: usize) {
        let bytes = self.words().iter().flat_map(|word| word.to_le_bytes());
        out.extend(bytes.chain(std::iter::repeat(0)).take(num_bytes));
    }
}

/// Returns the number of words that hold `width` bits.
fn word_count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// Returns a word with its low `bits` (0 to 64) set.
fn low_mask(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)
}

/// Returns the low `bits` (0 to 64) of a word, whose higher bits are zero, read as two's
/// complement.
fn sign_extend(word: u64, bits: u32) -> i64 {
    let unused = 64 - bits.min(64);
    match word.checked_shl(unused) {
        Some(shifted) => shifted.cast_signed() >> unused,
        None => 0,
    }
}

/// Returns the number of bits up to and including the highest set one of little-endian words.
fn active_bits(words: &[u64]) -> u32 {
    match words.iter().rposition(|&word| word != 0) {
        // Callers hold at most 2^24 bits or reject the value by this number.
        Some(index) => index as u32 * 64 + 64 - words[index].leading_zeros(),
        None => 0,
    }
}

/// Negates little-endian words in place, modulo their whole size.
fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
        *word = sum;
        carry = overflow;
    }
}

#[cfg(test)]
mod tests {
    use super::digits::MANY_DIGITS;
    use super::*;

    fn literal(width: u32, signed: bool, text: &str) -> Option<ApInt> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        match text.strip_prefix("0x") {
            Some(digits) => parse_integer(width, signed, negative, digits.as_bytes(), 16),
            None => parse_integer(width, signed, negative, text.as_bytes(), 10),
        }
    }

    fn printed(width: u32, signed: bool, text: &str) -> Option<String> {
        literal(width, signed, text).map(|value| value.to_decimal_string(true))
    }

    #[test]
    fn is_small() {
        assert!(size_of::<ApInt>() <= 24);
    }

    // Accepted and rejected literals and how they print, from mlir-opt 22.1.8.
    #[test]
    fn literals_as_upstream() {
        let accepted = [
            (8, false, "255", "-1"),
            (8, false, "-128", "-128"),
            (8, false, "0x00000000000000000000FF", "-1"),
            (8, false, "-0x80", "-128"),
            (1, false, "1", "-1"),
            (1, false, "-1", "-1"),
            (1, false, "000000000000000000001", "-1"),
            (0, false, "0", "0"),
            (0, false, "0x0", "0"),
            (64, false, "0xFFFFFFFFFFFFFFFF", "-1"),
            (64, true, "0xFF", "255"),
            (64, true, "-9223372036854775808", "-9223372036854775808"),
            (8, true, "-128", "-128"),
            (8, true, "127", "127"),
            (1, true, "-1", "-1"),
            (128, false, "340282366920938463463374607431768211455", "-1"),
            (128, false, "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "-1"),
            (
                128,
                false,
                "-170141183460469231731687303715884105728",
                "-170141183460469231731687303715884105728",
            ),
        ];
        for (width, signed, text, expected) in accepted {
            assert_eq!(
                printed(width, signed, text).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        let rejected = [
            (8, false, "256"),
            (8, false, "00256"),
            (8, false, "-129"),
            (8, false, "-255"),
            (8, false, "-0"),
            (0, false, "-0"),
            (0, false, "1"),
            (0, false, "-1"),
            (64, true, "-0"),
            (1, false, "2"),
            (1, false, "-2"),
            (1, true, "1"),
            (8, true, "128"),
            (8, true, "-129"),
            (8, true, "0xFF"),
            (8, false, "-0xFF"),
            (64, true, "9223372036854775808"),
            (64, true, "0xFFFFFFFFFFFFFFFF"),
            (64, true, "18446744073709551616"),
            (64, true, "-9223372036854775809"),
            (128, false, "-170141183460469231731687303715884105729"),
            (128, false, "340282366920938463463374607431768211456"),
        ];
        for (width, signed, text) in rejected {
            assert_eq!(printed(width, signed, text), None, "{text} in {width}");
        }
    }

    #[test]
    fn malformed_digits() {
        for (digits, radix) in [
            ("", 10),
            ("1a", 10),
            ("g", 16),
            ("+1", 10),
            ("1", 8),
            ("1_0", 10),
        ] {
            assert_eq!(ApInt::parse_digits(digits.as_bytes(), radix), None);
        }
        assert_eq!(parse_integer(u32::MAX, false, false, b"1", 10), None);
    }

    #[test]
    fn minimal_widths() {
        for (digits, radix, width) in [
            ("0", 10, 1),
            ("1", 10, 1),
            ("2", 10, 2),
            ("255", 10, 8),
            ("256", 10, 9),
            ("FfF", 16, 12),
            ("00000000000000000000000", 16, 1),
            ("18446744073709551615", 10, 64),
            ("18446744073709551616", 10, 65),
            ("10000000000000000000000000000000000000000", 16, 161),
        ] {
            let value = ApInt::parse_digits(digits.as_bytes(), radix).unwrap();
            assert_eq!(value.width(), width, "{digits}");
        }
        // One bit too many for any type, found without converting anything.
        let long = vec![b'F'; ApInt::MAX_WIDTH as usize / 4 + 1];
        assert_eq!(ApInt::parse_digits(&long, 16), None);
        let longest = ApInt::parse_digits(&long[1..], 16).unwrap();
        assert_eq!(longest.width(), ApInt::MAX_WIDTH - 3);
    }

    #[test]
    fn agrees_with_u128() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..20_000 {
            let width = (next() % 129) as u32;
            let mask = u128::MAX.checked_shr(128 - width).unwrap_or(0);
            let raw = u128::from(next()) << 64 | u128::from(next());
            let raw = (raw >> (next() % 128)) & mask;
            let words = [raw as u64, (raw >> 64) as u64];
            let value = ApInt::from_words(width, &words);
            assert_eq!(value.words().len(), width.div_ceil(64) as usize);
            assert_eq!(value, ApInt::from_le_bytes(width, &raw.to_le_bytes()));
            assert_eq!(value.to_decimal_string(false), raw.to_string());
            let signed = match width {
                0 => 0,
                _ => (raw << (128 - width)).cast_signed() >> (128 - width),
            };
            assert_eq!(value.to_decimal_string(true), signed.to_string());
            assert_eq!(value.to_i64(), i64::try_from(signed).ok());
            assert_eq!(value.to_u64(), u64::try_from(raw).ok());
            assert_eq!(value.is_negative(), signed < 0);
            assert_eq!(value.active_bits(), 128 - raw.leading_zeros());
            assert_eq!(value.sext(128).to_decimal_string(true), signed.to_string());
            assert_eq!(value.zext(128).to_decimal_string(true), {
                raw.cast_signed().to_string()
            });
            let narrow = (next() % 129) as u32;
            let bound = |bits: u32| 1_i128.checked_shl(bits);
            let fits = match narrow {
                0 => signed == 0,
                128 => true,
                _ => bound(narrow - 1).is_none_or(|limit| {
                    limit < 0 || (signed < limit && signed >= limit.wrapping_neg())
                }),
            };
            assert_eq!(value.fits_signed(narrow), fits, "{signed} in {narrow}");
            assert_eq!(value.fits_unsigned(narrow), value.active_bits() <= narrow);
            let cut = u128::MAX.checked_shr(128 - narrow).unwrap_or(0);
            assert_eq!(
                value.sext(narrow).to_decimal_string(false),
                (signed.cast_unsigned() & cut).to_string()
            );
            assert_eq!(
                value.neg().to_decimal_string(false),
                (raw.wrapping_neg() & mask).to_string()
            );
            let mut hex = Vec::new();
            value.write_hex(&mut hex);
            assert_eq!(String::from_utf8(hex).unwrap(), format!("0x{raw:X}"));
            let mut bytes = Vec::new();
            value.to_le_bytes(&mut bytes, 20);
            assert_eq!(bytes[..16], raw.to_le_bytes());
            assert_eq!(bytes[16..], [0; 4]);
            let text = raw.to_string();
            let parsed = ApInt::parse_digits(text.as_bytes(), 10).unwrap();
            assert_eq!(parsed.width(), value.active_bits().max(1));
            assert_eq!(parsed.zext(width), value);
        }
    }

    #[test]
    fn wide_decimal_round_trip() {
        let mut digits = vec![b'1'];
        digits.extend(std::iter::repeat_n(b'0', 2000));
        digits.extend_from_slice(b"70000000000000000000000000000000000000009");
        let value = ApInt::parse_digits(&digits, 10).unwrap();
        let mut out = Vec::new();
        value.write_decimal(false, &mut out);
        assert_eq!(out, digits);
        let wide = value.zext(value.width() + 77).neg();
        out.clear();
        wide.write_decimal(true, &mut out);
        assert_eq!(out[0], b'-');
        assert_eq!(out[1..], digits);
        assert_eq!(wide.sext(9000).trunc(wide.width()), wide);
        assert!(wide.fits_signed(value.width() + 1));
        assert!(!wide.fits_signed(value.width()));
    }

    #[test]
    fn wide_sign_extension() {
        assert_eq!(ApInt::from_i64(200, -5).to_i64(), Some(-5));
        assert_eq!(ApInt::from_i64(200, -5).to_u64(), None);
        assert_eq!(ApInt::from_i64(200, -5).to_decimal_string(true), "-5");
        assert_eq!(ApInt::from_i64(70, i64::MIN).to_i64(), Some(i64::MIN));
        assert_eq!(ApInt::from_i64(5, -1).to_u64(), Some(31));
        assert_eq!(ApInt::from_i64(0, -1), ApInt::zero(0));
        assert_eq!(ApInt::zero(0).to_decimal_string(true), "0");
    }

    /// On both sides of where another way of converting begins.
    #[test]
    fn many_digits_come_back() {
        for count in [
            MANY_DIGITS - 1,
            MANY_DIGITS,
            MANY_DIGITS + 1,
            2 * MANY_DIGITS + 3,
            40_960,
        ] {
            for digit in [1, 7, 9] {
                let mut digits: Vec<u8> = (0..count).map(|i| b'0' + (i * i % 10) as u8).collect();
                digits[0] = b'0' + digit;
                digits[count - 1] = b'0' + digit;
                let value = ApInt::parse_digits(&digits, 10).unwrap();
                // The quadratic way.
                let mut words = vec![0u64];
                for chunk in digits.chunks(1) {
                    let mut carry = u64::from(chunk[0] - b'0');
                    for word in &mut words {
                        let product = u128::from(*word) * 10 + u128::from(carry);
                        *word = product as u64;
                        carry = (product >> 64) as u64;
                    }
                    if carry > 0 {
                        words.push(carry);
                    }
                }
                assert!(value.words() == words);
                assert!(value.to_decimal_string(false).as_bytes() == digits);
            }
        }
        // All bits set, a power of two, one below a power of ten.
        for bits in [9_599, 9_600, 20_000, 64 * 1024] {
            let ones = ApInt::from_i64(bits, -1);
            let text = ones.to_decimal_string(false);
            assert_eq!(ApInt::parse_digits(text.as_bytes(), 10), Some(ones));
            assert_eq!(
                ApInt::from_i64(bits, -1).neg().to_decimal_string(false),
                "1"
            );
        }
        let nines = vec![b'9'; 12_345];
        let value = ApInt::parse_digits(&nines, 10).unwrap();
        assert_eq!(value.to_decimal_string(false).as_bytes(), nines);
    }
}
