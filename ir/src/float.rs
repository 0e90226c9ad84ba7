//! The float types of MLIR: their formats, and conversions between text and bits exactly as in
//! mlir-opt 22.1.
//!
//! A value is represented by its bits, in the low [`FloatKind::width`] bits of a `u128`, together
//! with its [`FloatKind`]. Everything is derived from one table of formats, whose parameters are
//! those of LLVM's `APFloat` semantics.
//!
//! # Literals
//!
//! A decimal literal is converted twice: to `f64` (nearest, ties to even; an
//! overflow is infinity, not an error: `1.0e400 : f64` is accepted), then from
//! `f64` to the type (the same rounding again). So `0.1 : f128` is the `f64`
//! nearest to 0.1, and a narrow type can see double rounding. Scalar
//! attributes and elements of `dense` go the same way. See [`parse_decimal`]
//! and [`from_f64`].
//!
//! A hexadecimal literal specifies the bits themselves. It is rejected ("hexadecimal float constant
//! out of range for type") if a bit at or above the type's width is set, so `0x1FF : f8E5M2` is an
//! error and `0x0FF : f8E5M2` is not. The number of digits need not match the width. A leading
//! minus sign is an error, and so is a decimal integer (`1 : f32`). See [`parse_hex`].
//!
//! The results of overflow, infinity and zero, by format:
//!
//! | formats | too large | infinity | −0.0, and negatives that round to zero |
//! |---|---|---|---|
//! | with infinities (f8E5M2, f8E4M3, f8E3M4, bf16, f16, tf32, f32 …) | infinity | itself | −0 |
//! | f8E4M3FN | NaN, sign kept | NaN, sign kept | −0 |
//! | FNUZ kinds | NaN (`0x80`) | NaN | +0 |
//! | f8E8M0FNU | NaN (`0xFF`) | NaN | 2⁻¹²⁷ (`0x00`, there is no zero) |
//! | f4E2M1FN, f6E2M3FN, f6E3M2FN | largest finite | ±0 | −0 |
//!
//! In f8E8M0FNU a negative value above 2⁻¹²⁸ gets the bits of its magnitude
//! with bit 7 set, as upstream's `bitcastToAPInt` makes them: the format has no
//! sign, so `dense<-1.0>` is `0xFF`, a NaN, and −2.0 is `0x80`, which is 2.0.
//!
//! # Deviations from upstream
//!
//! Upstream stores a scalar `FloatAttr` as an `APFloat`, not as bits. It can hold two kinds of
//! values that the bits of the type cannot represent. Both exist only until upstream encodes the
//! bits itself (`dense`, bytecode):
//!
//! * the sign of a negative f8E8M0FNU: upstream prints `-1.0 : f8E8M0FNU` back as `-1.000000e+00`,
//!   but encodes it as `0xFF`;
//! * an infinity in f4E2M1FN, f6E2M3FN and f6E3M2FN (written `1.0e400`): upstream prints
//!   `0x0 : f4E2M1FN` for the attribute and `0.000000e+00` for the same literal in `dense`. This
//!   module has the bits of the latter.
//!
//! Upstream also caps an exponent in text at 24000 (`APFloat`'s `readExponent`); this module does
//! not. Only literals with tens of thousands of digits differ: `0.`, 40,000 zeros and `1e40001` is
//! 1 here and 0 upstream.
//!
//! # Printing
//!
//! [`write_float`] follows `AsmPrinter`: six significant digits in exponent form if that reads back
//! as the same value; else the default digits of `APFloat` if they include a point; else
//! hexadecimal. `APFloat::toString` is not a correctly rounded conversion. It forms the exact value
//! as an integer S times a power of ten. If S has more bits than the requested digits need, it
//! first divides S by 10^k, rounding down, for a k estimated from the number of bits. The remainder
//! is rounded half up only if it still has more digits than requested. If the estimate leaves
//! exactly that number, the result is truncated, not rounded. Hence `0.7 : f32` is printed
//! `0.699999988` (its six digits are `6.99999e-01`, which is another value), but `0.6` is
//! `6.000000e-01`. This module forms the same integers.

mod big;
mod print;

pub use print::write_float;

/// A float type of MLIR, in the order of LLVM 22's semantics by width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum FloatKind {
    /// `f4E2M1FN`: 4 bits, finite values only.
    F4E2M1FN,
    /// `f6E2M3FN`: 6 bits, finite values only.
    F6E2M3FN,
    /// `f6E3M2FN`: 6 bits, finite values only.
    F6E3M2FN,
    /// `f8E3M4`: 8 bits, IEEE 754 conventions.
    F8E3M4,
    /// `f8E4M3`: 8 bits, IEEE 754 conventions.
    F8E4M3,
    /// `f8E4M3B11FNUZ`: 8 bits, bias 11, one NaN in the place of −0, no
    /// infinities.
    F8E4M3B11FNUZ,
    /// `f8E4M3FN`: 8 bits, NaNs with all other bits set, no infinities.
    F8E4M3FN,
    /// `f8E4M3FNUZ`: 8 bits, one NaN in the place of −0, no infinities.
    F8E4M3FNUZ,
    /// `f8E5M2`: 8 bits, IEEE 754 conventions.
    F8E5M2,
    /// `f8E5M2FNUZ`: 8 bits, one NaN in the place of −0, no infinities.
    F8E5M2FNUZ,
    /// `f8E8M0FNU`: 8 bits of exponent: powers of two from 2^−127 to 2^127 and
    /// one NaN; no sign, no zero.
    F8E8M0FNU,
    /// `bf16`: the upper half of an `f32`.
    BF16,
    /// `f16`: IEEE 754 binary16.
    F16,
    /// `tf32`: 19 bits, the exponent of `f32` and the significand of `f16`.
    TF32,
    /// `f32`: IEEE 754 binary32.
    F32,
    /// `f64`: IEEE 754 binary64.
    F64,
    /// `f80`: the x87 extended format, with its explicit integer bit.
    F80,
    /// `f128`: IEEE 754 binary128.
    F128,
}

/// The encoding of infinities and NaNs of a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// An exponent of all ones: infinity, or NaN with a non-zero fraction.
    Ieee,
    /// No infinity; exponent and fraction all ones are NaN.
    AllOnes,
    /// No infinity; the encoding of −0 is NaN, and there is no −0.
    NegativeZero,
    /// Neither infinity nor NaN.
    None,
}

/// One format; exponents are of values written 1.xxx · 2^e.
struct Row {
    kind: FloatKind,
    keyword: &'static str,
    /// Bits of storage.
    width: u32,
    /// Bits of significand, the integer bit included.
    precision: u32,
    /// Exponent of the smallest normal number.
    min_exp: i32,
    /// Exponent of the largest finite number.
    max_exp: i32,
    special: Special,
    /// Sign bit and zero exist; only f8E8M0FNU has neither.
    has_sign_and_zero: bool,
    /// Whether the integer bit is stored; only in f80.
    integer_bit: bool,
}

const fn row(
    kind: FloatKind,
    keyword: &'static str,
    [width, precision]: [u32; 2],
    [min_exp, max_exp]: [i32; 2],
    special: Special,
) -> Row {
    Row {
        kind,
        keyword,
        width,
        precision,
        min_exp,
        max_exp,
        special,
        has_sign_and_zero: !matches!(kind, FloatKind::F8E8M0FNU),
        integer_bit: matches!(kind, FloatKind::F80),
    }
}

/// The formats, in the order of [`FloatKind`].
#[rustfmt::skip]
static TABLE: [Row; 18] = {
    use FloatKind as K;
    use Special as S;
    [
        //                     keyword        width, precision  min, max exponent
        row(K::F4E2M1FN,      "f4E2M1FN",      [4, 2],     [0, 2],           S::None),
        row(K::F6E2M3FN,      "f6E2M3FN",      [6, 4],     [0, 2],           S::None),
        row(K::F6E3M2FN,      "f6E3M2FN",      [6, 3],     [-2, 4],          S::None),
        row(K::F8E3M4,        "f8E3M4",        [8, 5],     [-2, 3],          S::Ieee),
        row(K::F8E4M3,        "f8E4M3",        [8, 4],     [-6, 7],          S::Ieee),
        row(K::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", [8, 4],     [-10, 4],         S::NegativeZero),
        row(K::F8E4M3FN,      "f8E4M3FN",      [8, 4],     [-6, 8],          S::AllOnes),
        row(K::F8E4M3FNUZ,    "f8E4M3FNUZ",    [8, 4],     [-7, 7],          S::NegativeZero),
        row(K::F8E5M2,        "f8E5M2",        [8, 3],     [-14, 15],        S::Ieee),
        row(K::F8E5M2FNUZ,    "f8E5M2FNUZ",    [8, 3],     [-15, 15],        S::NegativeZero),
        row(K::F8E8M0FNU,     "f8E8M0FNU",     [8, 1],     [-127, 127],      S::AllOnes),
        row(K::BF16,          "bf16",          [16, 8],    [-126, 127],      S::Ieee),
        row(K::F16,           "f16",           [16, 11],   [-14, 15],        S::Ieee),
        row(K::TF32,          "tf32",          [19, 11],   [-126, 127],      S::Ieee),
        row(K::F32,           "f32",           [32, 24],   [-126, 127],      S::Ieee),
        row(K::F64,           "f64",           [64, 53],   [-1022, 1023],    S::Ieee),
        row(K::F80,           "f80",           [80, 64],   [-16382, 16383],  S::Ieee),
        row(K::F128,          "f128",          [128, 113], [-16382, 16383],  S::Ieee),
    ]
};

/// A decoded value.
enum Parts {
    Zero,
    /// `significand · 2^exp`; the significand is not zero.
    Finite {
        significand: u128,
        exp: i32,
    },
    Infinity,
    /// The fraction bits, at their position in the encoding.
    Nan {
        fraction: u128,
    },
}

impl Row {
    /// Bits of the significand that are stored.
    fn stored(&self) -> u32 {
        self.precision - u32::from(!self.integer_bit)
    }

    fn exponent_bits(&self) -> u32 {
        self.width - self.stored() - u32::from(self.has_sign_and_zero)
    }

    /// Returns the largest value of the exponent field.
    fn exponent_ones(&self) -> u128 {
        low_bits(self.exponent_bits())
    }

    fn sign_bit(&self) -> u128 {
        1 << (self.width - 1)
    }

    /// Returns the difference between the exponent field and the exponent. Field 0 is the exponent
    /// of subnormals, or of normal numbers in formats without zero.
    fn bias(&self) -> i32 {
        i32::from(self.has_sign_and_zero) - self.min_exp
    }

    /// Takes canonical bits apart, into the sign and the rest.
    fn split(&self, bits: u128) -> (bool, Parts) {
        let negative = self.has_sign_and_zero && bits & self.sign_bit() != 0;
        let stored = bits & low_bits(self.stored());
        let field = bits >> self.stored() & self.exponent_ones();
        // Without the integer bit of f80.
        let fraction = stored & low_bits(self.precision - 1);
        match self.special {
            Special::Ieee if field == self.exponent_ones() => {
                let integer = 1 << (self.precision - 1);
                let parts = if fraction == 0 && (!self.integer_bit || stored == integer) {
                    Parts::Infinity
                } else {
                    Parts::Nan { fraction: stored }
                };
                return (negative, parts);
            }
            Special::AllOnes
                if field == self.exponent_ones() && stored == low_bits(self.stored()) =>
            {
                return (negative, Parts::Nan { fraction: stored });
            }
            Special::NegativeZero if bits == self.sign_bit() => {
                return (negative, Parts::Nan { fraction: 0 });
            }
            _ => {}
        }
        // The field is at most 15 bits wide.
        let field = field as i32;
        let subnormal = field == 0 && self.has_sign_and_zero;
        let significand = match subnormal {
            true => stored,
            false => fraction | 1 << (self.precision - 1),
        };
        if significand == 0 {
            return (negative, Parts::Zero);
        }
        let exp = field.max(i32::from(subnormal)) - self.bias() - (self.precision as i32 - 1);
        (negative, Parts::Finite { significand, exp })
    }

    fn with_sign(&self, negative: bool, bits: u128) -> u128 {
        if negative {
            bits | self.sign_bit()
        } else {
            bits
        }
    }

    fn zero(&self, negative: bool) -> u128 {
        let keeps_sign = self.has_sign_and_zero && self.special != Special::NegativeZero;
        self.with_sign(negative && keeps_sign, 0)
    }

    /// Returns a NaN, with `fraction` if the format has bits for it.
    fn nan(&self, negative: bool, fraction: u128) -> u128 {
        match self.special {
            Special::Ieee => {
                self.with_sign(negative, self.exponent_ones() << self.stored() | fraction)
            }
            Special::AllOnes => {
                let ones = low_bits(self.width - u32::from(self.has_sign_and_zero));
                self.with_sign(negative, ones)
            }
            Special::NegativeZero => self.sign_bit(),
            Special::None => self.zero(negative),
        }
    }

    fn infinity(&self, negative: bool) -> u128 {
        let fraction = u128::from(self.integer_bit) << (self.precision - 1);
        self.nan(negative, fraction)
    }

    /// Returns the result of rounding a finite value above the largest one.
    fn overflow(&self, negative: bool) -> u128 {
        match self.special {
            Special::None => self.with_sign(negative, self.sign_bit() - 1),
            _ => self.infinity(negative),
        }
    }

    /// `significand · 2^exp` in this format, to nearest, ties to even. The
    /// significand has at most 64 bits and is not zero.
    fn round(&self, negative: bool, significand: u64, exp: i32) -> u128 {
        let precision = self.precision as i32;
        let top = exp + 63 - significand.leading_zeros() as i32;
        // The exponent of the last kept bit.
        let mut unit = top.max(self.min_exp) - (precision - 1);
        let drop = unit - exp;
        let mut kept = if drop <= 0 {
            // The top bit ends at most at bit precision − 1.
            u128::from(significand) << -drop
        } else if drop > 64 {
            // Less than half of the last bit.
            0
        } else {
            let exact = u128::from(significand);
            let half = 1_u128 << (drop - 1);
            let rest = exact & low_bits(drop as u32);
            let floor = exact >> drop;
            let up = rest > half || (rest == half && floor & 1 == 1);
            floor + u128::from(up)
        };
        if kept == 0 {
            return self.zero(negative);
        }
        if kept >> precision != 0 {
            kept >>= 1;
            unit += 1;
        }
        let exponent = unit + precision - 1;
        let normal = kept >> (precision - 1) != 0;
        if exponent > self.max_exp {
            return self.overflow(negative);
        }
        let field = if normal { exponent + self.bias() } else { 0 };
        // Normal exponents have fields that are not negative.
        let field = u128::from(field.unsigned_abs());
        let bits = field << self.stored() | kept & low_bits(self.stored());
        let ones = low_bits(self.width - u32::from(self.has_sign_and_zero));
        if self.special == Special::AllOnes && bits == ones {
            return self.overflow(negative);
        }
        self.with_sign(negative, bits)
    }

    /// Returns the default number of digits of `APFloat::toString`.
    fn default_digits(&self) -> u32 {
        2 + self.precision * 59 / 196
    }
}

/// Returns a mask of the low `count` bits, with `count` from 0 to 128.
fn low_bits(count: u32) -> u128 {
    u128::MAX
        .checked_shr(128_u32.saturating_sub(count))
        .unwrap_or(0)
}

impl FloatKind {
    /// Every kind, in the order of the enumeration.
    pub const ALL: [FloatKind; 18] = [
        FloatKind::F4E2M1FN,
        FloatKind::F6E2M3FN,
        FloatKind::F6E3M2FN,
        FloatKind::F8E3M4,
        FloatKind::F8E4M3,
        FloatKind::F8E4M3B11FNUZ,
        FloatKind::F8E4M3FN,
        FloatKind::F8E4M3FNUZ,
        FloatKind::F8E5M2,
        FloatKind::F8E5M2FNUZ,
        FloatKind::F8E8M0FNU,
        FloatKind::BF16,
        FloatKind::F16,
        FloatKind::TF32,
        FloatKind::F32,
        FloatKind::F64,
        FloatKind::F80,
        FloatKind::F128,
    ];

    fn row(self) -> &'static Row {
        // One row for each kind, in order; a test checks it.
        &TABLE[self as usize]
    }

    /// Returns the type's keyword in MLIR text, such as `f8E4M3FN`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// Returns the kind whose keyword is exactly `text`.
    #[must_use]
    pub fn from_keyword(text: &[u8]) -> Option<FloatKind> {
        // Rejects most words without a search: every keyword starts as `f32`, `bf16` or `tf32`.
        if !matches!(text.first(), Some(b'f' | b'b' | b't')) {
            return None;
        }
        TABLE
            .iter()
            .find(|row| row.keyword.as_bytes() == text)
            .map(|row| row.kind)
    }

    /// Returns the width in bits: 4 to 128, and 19 for `tf32`.
    #[must_use]
    pub fn width(self) -> u32 {
        self.row().width
    }
}

/// Returns the bits that upstream holds after reading `bits`: those above the width are dropped,
/// and f80 encodings that x87 hardware rejects are replaced.
///
/// An f80 whose integer bit contradicts its exponent is read by `APFloat` as a NaN (exponent not
/// zero, bit clear: `0x40000000000000000001` becomes `0x7FFF0000000000000001`) or as the normal
/// number of the same value (exponent zero, bit set). Every other kind keeps its bits.
#[must_use]
pub fn canonical_bits(kind: FloatKind, bits: u128) -> u128 {
    let row = kind.row();
    let bits = bits & low_bits(row.width);
    if !row.integer_bit {
        return bits;
    }
    let integer = bits >> (row.precision - 1) & 1 == 1;
    let field = bits >> row.stored() & row.exponent_ones();
    match (field == 0, integer) {
        (true, true) => bits | 1 << row.stored(),
        (false, false) => bits | row.exponent_ones() << row.stored(),
        _ => bits,
    }
}

/// Returns the bits of a decimal literal in `kind`, converted as by mlir-opt: through `f64`, with
/// two roundings (see the module's documentation).
///
/// The text is an optional sign, digits, optionally a point and any number of digits, and
/// optionally `e` or `E` with an exponent that may have a sign. Returns `None` for any other text.
/// MLIR's syntax is narrower (no `+`, and the point is required); the calling parser checks that. A
/// number that is too large is not an error: it is converted as infinity, see [`from_f64`].
#[must_use]
pub fn parse_decimal(kind: FloatKind, text: &[u8]) -> Option<u128> {
    if !is_decimal(text) {
        return None;
    }
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some(from_f64(kind, value))
}

/// Returns whether the text matches `[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?`, which is narrower
/// than the standard library parses.
fn is_decimal(text: &[u8]) -> bool {
    let unsigned = |text: &[u8]| usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = &text[unsigned(text)..];
    let whole = digits(text);
    if whole == 0 {
        return false;
    }
    let mut text = &text[whole..];
    if let Some((b'.', rest)) = text.split_first() {
        text = &rest[digits(rest)..];
    }
    if let Some((b'e' | b'E', rest)) = text.split_first() {
        let rest = &rest[unsigned(rest)..];
        let exponent = digits(rest);
        return exponent > 0 && exponent == rest.len();
    }
    text.is_empty()
}

/// Returns the bits of a hexadecimal literal in `kind`, given its digits without the `0x`. `None`
/// if there are no digits, if a byte is not a hexadecimal digit, or if the number does not fit in
/// the kind's width. The bits are those that upstream holds after reading the literal
/// ([`canonical_bits`]).
#[must_use]
pub fn parse_hex(kind: FloatKind, digits: &[u8]) -> Option<u128> {
    let row = kind.row();
    let mut bits = 0_u128;
    for &byte in digits {
        let digit = char::from(byte).to_digit(16)?;
        if bits >> 124 != 0 {
            return None;
        }
        bits = bits << 4 | u128::from(digit);
    }
    if digits.is_empty() || bits & !low_bits(row.width) != 0 {
        return None;
    }
    Some(canonical_bits(kind, bits))
}

/// Converts `value` to `kind`, rounded to nearest, ties to even, as LLVM's `APFloat::convert`. The
/// module's documentation has the table of results for values that the kind cannot represent.
///
/// A NaN keeps its sign and the upper bits of its payload and becomes quiet, if the kind has such
/// NaNs. In kinds without NaNs it becomes ±0 (unspecified upstream).
#[must_use]
pub fn from_f64(kind: FloatKind, value: f64) -> u128 {
    let row = kind.row();
    match FloatKind::F64.row().split(u128::from(value.to_bits())) {
        (negative, Parts::Zero) => row.zero(negative),
        (negative, Parts::Infinity) => row.infinity(negative),
        (negative, Parts::Nan { fraction }) => {
            let quiet = fraction | 1 << 51;
            // The payload is aligned with the top of the fraction.
            let room = row.precision - 1;
            let shifted = if room >= 52 {
                quiet << (room - 52)
            } else {
                quiet >> (52 - room)
            };
            let integer = u128::from(row.integer_bit) << room;
            row.nan(negative, shifted | integer)
        }
        // The significand of an f64 has 53 bits.
        (negative, Parts::Finite { significand, exp }) => {
            row.round(negative, significand as u64, exp)
        }
    }
}

/// Converts `bits` of `kind` to an `f64`: exactly from every kind up to `f64` itself, rounded to
/// nearest, ties to even, from f80 and f128.
///
/// A NaN keeps its sign and the upper bits of its payload and becomes quiet; the NaN of a FNUZ kind
/// becomes the default one, with the sign clear.
#[must_use]
pub fn to_f64(kind: FloatKind, bits: u128) -> f64 {
    let row = kind.row();
    let double = FloatKind::F64.row();
    let bits = match row.split(canonical_bits(kind, bits)) {
        (negative, Parts::Zero) => double.zero(negative),
        (negative, Parts::Infinity) => double.infinity(negative),
        (negative, Parts::Nan { fraction }) => {
            let negative = negative && row.special != Special::NegativeZero;
            let room = row.precision - 1;
            let fraction = fraction & low_bits(room);
            let shifted = if room <= 52 {
                fraction << (52 - room)
            } else {
                fraction >> (room - 52)
            };
            double.nan(negative, shifted | 1 << 51)
        }
        (negative, Parts::Finite { significand, exp }) => {
            // More than 64 bits only in f128: the lost ones become one sticky
            // bit, far below the 53 that are kept.
            let excess = 64_u32.saturating_sub(significand.leading_zeros());
            let sticky = significand & low_bits(excess) != 0;
            let kept = (significand >> excess) as u64 | u64::from(sticky);
            double.round(negative, kept, exp + excess as i32)
        }
    };
    f64::from_bits(bits as u64)
}

#[cfg(test)]
mod tests;
