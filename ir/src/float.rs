//! The float types of MLIR: their formats, and values between text and bits
//! exactly as mlir-opt 22.1 does it.
//!
//! A value is its bits, in the low [`FloatKind::width`] bits of a `u128`, and
//! [`FloatKind`] says how to read them. Everything is derived from one table
//! of formats, whose numbers are those of LLVM's `APFloat` semantics.
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
//! A hexadecimal literal is the bits themselves. It is rejected
//! ("hexadecimal float constant out of range for type") if a bit at or above
//! the type's width is set, so `0x1FF : f8E5M2` is an error and
//! `0x0FF : f8E5M2` is not; digits may otherwise be fewer or more than the
//! width needs. A minus sign before it is an error, and so is a decimal integer
//! (`1 : f32`). See [`parse_hex`].
//!
//! What overflow, infinity and zero become, by format:
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
//! # Where bits cannot follow upstream
//!
//! A scalar `FloatAttr` upstream is not bits but an `APFloat`, which can hold
//! two things the bits of the type cannot. Both exist only until upstream writes
//! bits itself (`dense`, bytecode):
//!
//! * the sign of a negative f8E8M0FNU: upstream prints `-1.0 : f8E8M0FNU` back
//!   as `-1.000000e+00`, and its bits as `0xFF`;
//! * an infinity in f4E2M1FN, f6E2M3FN and f6E3M2FN (written `1.0e400`):
//!   upstream prints `0x0 : f4E2M1FN` for the attribute and `0.000000e+00` for
//!   the same literal in `dense`. This module has the bits of the latter.
//!
//! Nor does this module copy how upstream caps an exponent in text at 24000
//! (`APFloat`'s `readExponent`): it differs only for literals of tens of
//! thousands of digits, such as `0.`, 40,000 zeros and `1e40001`, which is 1
//! here and 0 upstream.
//!
//! # Printing
//!
//! [`write_float`] follows `AsmPrinter`: six significant digits in exponent
//! form if that reads back as the same value, else all the digits `APFloat`
//! gives by default if there is a point among them, else hexadecimal.
//! `APFloat::toString` is no correctly rounded conversion. It forms the exact
//! value as an integer S times a power of ten, and if S has more bits than the
//! wanted digits need, it first divides S by 10^k (rounding down) for a k
//! estimated from the number of bits; what is left is rounded, half up, only if
//! it still has more digits than wanted. Where the estimate leaves exactly that
//! many, the result is cut rather than rounded, which is why
//! `0.7 : f32` is printed `0.699999988` (six digits are `6.99999e-01`, which is
//! another value) though `0.6` is `6.000000e-01`. The same integers are formed
//! here.

use rustc_apfloat::Float as _;
use rustc_apfloat::ieee;

use crate::apint::write_u64;

/// A float type of MLIR, in the order LLVM 22 lists its semantics by width.
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

/// How a format encodes what is not a finite number.
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
    /// The integer bit is stored; only in f80.
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

/// A value taken apart.
enum Parts {
    Zero,
    /// `significand · 2^exp`; the significand is not zero.
    Finite {
        significand: u128,
        exp: i32,
    },
    Infinity,
    /// The fraction bits, in their place.
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

    /// The largest value of the exponent field.
    fn exponent_ones(&self) -> u128 {
        low_bits(self.exponent_bits())
    }

    fn sign_bit(&self) -> u128 {
        1 << (self.width - 1)
    }

    /// What to add to an exponent to get its field. Field 0 is the lowest
    /// exponent of subnormals, or a normal one where there is no zero.
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

    /// A NaN, with `fraction` where the format has room for one.
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

    /// What a finite value beyond the largest one rounds to.
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
        // The exponent of the last bit kept.
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

    /// The default number of digits `APFloat::toString` gives.
    fn default_digits(&self) -> u32 {
        2 + self.precision * 59 / 196
    }
}

/// The low `count` (0 to 128) bits set.
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

    /// The type's keyword in MLIR text, such as `f8E4M3FN`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// The kind whose keyword is exactly `text`.
    #[must_use]
    pub fn from_keyword(text: &[u8]) -> Option<FloatKind> {
        // Most words that are asked for are none: `f32`, `bf16` and `tf32` show how all of them start.
        if !matches!(text.first(), Some(b'f' | b'b' | b't')) {
            return None;
        }
        TABLE
            .iter()
            .find(|row| row.keyword.as_bytes() == text)
            .map(|row| row.kind)
    }

    /// The width in bits: 4 to 128, and 19 for `tf32`.
    #[must_use]
    pub fn width(self) -> u32 {
        self.row().width
    }
}

/// The bits upstream has after reading `bits`: those above the width dropped,
/// and in f80 the encodings x87 hardware rejects replaced.
///
/// An f80 whose integer bit contradicts its exponent is read by `APFloat` as a
/// NaN (exponent not zero, bit clear: `0x40000000000000000001` becomes
/// `0x7FFF0000000000000001`) or as the normal number of the same value
/// (exponent zero, bit set). Every other kind keeps its bits.
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

/// The bits of a decimal literal in `kind`, as mlir-opt reads it: through
/// `f64`, with two roundings (see the module's documentation).
///
/// The text is an optional sign, digits, optionally a point and any number of
/// digits, optionally `e` or `E` with a signed exponent; None for anything
/// else. The parser that calls this decides what of that MLIR allows where
/// (upstream has no `+`, and wants the point). Too large a number is no error:
/// it becomes what [`from_f64`] makes of infinity.
#[must_use]
pub fn parse_decimal(kind: FloatKind, text: &[u8]) -> Option<u128> {
    if !is_decimal(text) {
        return None;
    }
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some(from_f64(kind, value))
}

/// `[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?`, which is narrower than what
/// the standard library parses.
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

/// The bits of a hexadecimal literal in `kind`, from its digits without the
/// `0x`: None if there are none, if a byte is not a hexadecimal digit, or if
/// the number does not fit in the kind's width. The bits are those upstream
/// has after reading them ([`canonical_bits`]).
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

/// `value` in `kind`, rounded to nearest, ties to even, as LLVM's
/// `APFloat::convert` does it; the module's documentation has the table of
/// what becomes of values the kind lacks.
///
/// A NaN keeps its sign and the upper bits of its payload and becomes quiet,
/// where the kind has such NaNs. In kinds without NaNs it becomes ±0
/// (unspecified upstream).
#[must_use]
pub fn from_f64(kind: FloatKind, value: f64) -> u128 {
    let row = kind.row();
    match FloatKind::F64.row().split(u128::from(value.to_bits())) {
        (negative, Parts::Zero) => row.zero(negative),
        (negative, Parts::Infinity) => row.infinity(negative),
        (negative, Parts::Nan { fraction }) => {
            let quiet = fraction | 1 << 51;
            // The payload counts from the top of the fraction.
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

/// The value of `bits` in `kind` as an `f64`: exact in every kind up to `f64`
/// itself, rounded to nearest, ties to even, from f80 and f128.
///
/// A NaN keeps its sign and the upper bits of its payload and becomes quiet;
/// the NaN of a FNUZ kind becomes the default one, with the sign clear.
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

/// Appends `bits` of `kind` to `out` as mlir-opt prints a float, byte for byte
/// (see the module's documentation): `1.000000e+00`, `0.699999988`,
/// `3.40282347E+38` or `0x7FC00000`.
///
/// Bits are read as [`canonical_bits`] reads them. Nothing is allocated but
/// what `out` needs.
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

/// A value as `APFloat::toString` sees it before it rounds to digits.
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

/// The power of ten `APFloat` divides by before it rounds to `digits`:
/// 196/59 is slightly more than log2(10).
fn removable(bits: u32, digits: u32) -> u32 {
    let required = (digits * 196).div_ceil(59);
    bits.saturating_sub(required) * 59 / 196
}

impl Exact {
    /// `significand · 2^exp`, cut for the most digits that will be wanted. The
    /// result has at most 125 bits: as many as the digits require, four that
    /// `removable` leaves by rounding down, one for its estimate being low by
    /// a hundred-thousandth. `WORDS` words hold S.
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

    /// Whether rounding to `digits` may have changed the value so little that
    /// they read back as the same one. A quick no, for most values with more
    /// digits than that: a normal value and anything that reads as it differ by
    /// less than 2^(1−precision) of it.
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

/// The same for a value above a word.
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

/// Whether the six digits written read as the value itself.
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
    // The first digit stands for 10^(whole − 1).
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

/// An unsigned integer of at most `WORDS` words. The callers' numbers fit;
/// words beyond would be dropped.
struct Big<const WORDS: usize> {
    /// Lowest first; those from `len` on are not used.
    words: [u64; WORDS],
    len: usize,
}

/// 5^27, the largest power of five in a word.
const FIVE_27: u64 = 5_u64.pow(27);

impl<const WORDS: usize> Big<WORDS> {
    fn new(value: u128) -> Self {
        let mut words = [0; WORDS];
        for (index, word) in words.iter_mut().take(2).enumerate() {
            *word = (value >> (64 * index)) as u64;
        }
        let len = if value >> 64 == 0 { 1 } else { 2 };
        Big { words, len }
    }

    fn used(&mut self) -> &mut [u64] {
        let len = self.len.min(WORDS);
        &mut self.words[..len]
    }

    fn push(&mut self, word: u64) {
        if word != 0
            && let Some(place) = self.words.get_mut(self.len)
        {
            *place = word;
            self.len += 1;
        }
    }

    fn multiply(&mut self, factor: u64) {
        let mut carry = 0;
        for word in self.used() {
            let product = u128::from(*word) * u128::from(factor) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
        self.push(carry);
    }

    fn multiply_by_five(&mut self, mut power: u32) {
        while power > 27 {
            self.multiply(FIVE_27);
            power -= 27;
        }
        self.multiply(5_u64.pow(power));
    }

    fn divide(&mut self, divisor: u64) {
        let mut remainder = 0;
        for word in self.used().iter_mut().rev() {
            let dividend = u128::from(remainder) << 64 | u128::from(*word);
            *word = (dividend / u128::from(divisor)) as u64;
            remainder = (dividend % u128::from(divisor)) as u64;
        }
        while self.len > 1 && self.used().last() == Some(&0) {
            self.len -= 1;
        }
    }

    fn divide_by_five(&mut self, mut power: u32) {
        while power > 27 {
            self.divide(FIVE_27);
            power -= 27;
        }
        if power > 0 {
            self.divide(5_u64.pow(power));
        }
    }

    fn shift_left(&mut self, bits: u32) {
        self.multiply(1 << (bits % 64));
        let whole = (bits / 64) as usize;
        if whole > 0 {
            self.len = (self.len + whole).min(WORDS);
            let whole = whole.min(self.len);
            let used = self.used();
            used.rotate_right(whole);
            used[..whole].fill(0);
        }
    }

    /// Rounds down.
    fn shift_right(&mut self, bits: u32) {
        let whole = ((bits / 64) as usize).min(self.len);
        let bits = bits % 64;
        let used = self.used();
        used.rotate_left(whole);
        let kept = used.len() - whole;
        used[kept..].fill(0);
        if bits > 0 {
            let mut above = 0;
            for word in used.iter_mut().rev() {
                let low = *word << (64 - bits);
                *word = *word >> bits | above;
                above = low;
            }
        }
        self.len = kept.max(1);
    }

    /// Bits up to the highest set one. The top word is not zero unless the
    /// number is.
    fn bits(&mut self) -> u32 {
        let len = self.len as u32;
        match self.used().last() {
            Some(top) => len * 64 - top.leading_zeros(),
            None => 0,
        }
    }

    /// The low 128 bits.
    fn low(&self) -> u128 {
        let mut value = 0;
        for (index, &word) in self.words.iter().take(self.len.min(2)).enumerate() {
            value |= u128::from(word) << (64 * index);
        }
        value
    }
}

#[cfg(test)]
mod tests;
