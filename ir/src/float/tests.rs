//! Values taken from `mlir-opt-22`, and `rustc_apfloat` as an oracle.

use super::*;
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee;

fn printed(kind: FloatKind, bits: u128) -> String {
    let mut out = Vec::new();
    write_float(kind, bits, &mut out);
    String::from_utf8(out).unwrap()
}

fn kind(keyword: &str) -> FloatKind {
    FloatKind::from_keyword(keyword.as_bytes()).unwrap()
}

#[test]
fn table_in_order() {
    for (index, kind) in FloatKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, index);
        assert!(kind.row().kind == kind);
        assert_eq!(
            FloatKind::from_keyword(kind.keyword().as_bytes()),
            Some(kind)
        );
        let row = kind.row();
        // The exponent field covers the range from the lowest exponent to the highest, plus the
        // values reserved for NaN and infinity.
        let reserved = i32::from(row.special == Special::Ieee) + i32::from(!row.has_sign_and_zero);
        assert_eq!(
            row.max_exp + row.bias() + reserved,
            low_bits(row.exponent_bits()) as i32,
            "{kind:?}"
        );
    }
    assert_eq!(FloatKind::from_keyword(b"F32"), None);
    assert_eq!(FloatKind::from_keyword(b"f3"), None);
    assert_eq!(FloatKind::TF32.width(), 19);
}

// Hexadecimal literals and how mlir-opt 22.1.8 prints them.
#[test]
fn printing_as_upstream() {
    for (keyword, digits, expected) in [
        ("f8E5M2", "7F", "0x7F"),
        ("f8E5M2", "0FF", "0xFF"),
        ("tf32", "7FFFF", "0x7FFFF"),
        ("f4E2M1FN", "F", "-6.000000e+00"),
        ("f8E8M0FNU", "0", "5.877470e-39"),
        ("f8E8M0FNU", "FF", "0xFF"),
        ("f32", "00FFFFFFFF", "0xFFFFFFFF"),
        ("f32", "1", "1.401300e-45"),
        ("f32", "80000000", "-0.000000e+00"),
        ("f32", "7fc00001", "0x7FC00001"),
        ("f16", "7FFF", "0x7FFF"),
        ("f16", "1", "5.960460e-08"),
        ("f80", "1", "3.645200e-4951"),
        ("f80", "80000000000000000001", "-3.645200e-4951"),
        ("f80", "7FFF0000000000000000", "0x7FFF0000000000000000"),
        ("f80", "7FFF8000000000000000", "0x7FFF8000000000000000"),
        ("f80", "40000000000000000001", "0x7FFF0000000000000001"),
        ("f80", "C0000000000000000000", "0xFFFF0000000000000000"),
        (
            "f80",
            "00008000000000000000",
            "3.36210314311209350626E-4932",
        ),
        (
            "f80",
            "0000C000000000000001",
            "5.04315471466814025976E-4932",
        ),
        ("f8E5M2FNUZ", "80", "0x80"),
        ("f8E4M3FN", "80", "-0.000000e+00"),
        ("f8E4M3FN", "7F", "0x7F"),
    ] {
        let bits = parse_hex(kind(keyword), digits.as_bytes()).unwrap();
        assert_eq!(printed(kind(keyword), bits), expected, "{keyword} {digits}");
    }
    for (keyword, digits) in [
        ("f8E5M2", "1FF"),
        ("tf32", "FFFFF"),
        ("f4E2M1FN", "1F"),
        ("bf16", "3F800000"),
        ("f80", "4000000000000000000001"),
        ("f128", "100000000000000000000000000000000"),
        ("f32", ""),
        ("f32", "0x1"),
    ] {
        assert_eq!(parse_hex(kind(keyword), digits.as_bytes()), None);
    }
}

// Decimal literals in `dense`, and how mlir-opt 22.1.8 prints them.
#[test]
fn decimals_as_upstream() {
    for (keyword, text, expected) in [
        ("f32", "0.6", "6.000000e-01"),
        ("f32", "0.7", "0.699999988"),
        ("f32", "0.9", "0.899999976"),
        ("f32", "1.", "1.000000e+00"),
        ("f32", "1.0E5", "1.000000e+05"),
        ("f32", "1.0e-400", "0.000000e+00"),
        ("f32", "1.0e400", "0x7F800000"),
        ("f32", "2.5e-45", "2.802600e-45"),
        ("f32", "0.7e-45", "0.000000e+00"),
        ("f64", "1.0e99999999999999999999", "0x7FF0000000000000"),
        ("f64", "0.0e99999999999999999999", "0.000000e+00"),
        ("f64", "2.4703282292062327e-324", "0.000000e+00"),
        ("f64", "2.4703282292062328e-324", "4.940660e-324"),
        ("f80", "0.1", "0.100000000000000005551"),
        ("f128", "0.1", "0.100000000000000005551115123125782702"),
        ("f128", "1.0e400", "0x7FFF0000000000000000000000000000"),
        ("f80", "1.0e400", "0x7FFF8000000000000000"),
        ("bf16", "1.0e10", "9.999220e+09"),
        ("f16", "1.0e10", "0x7C00"),
        ("f16", "1.015625", "1.015630e+00"),
        ("f4E2M1FN", "-0.0", "-0.000000e+00"),
        ("f4E2M1FN", "1.0e10", "6.000000e+00"),
        ("f4E2M1FN", "1.0e400", "0.000000e+00"),
        ("f6E2M3FN", "-1.0e400", "-0.000000e+00"),
        ("f8E5M2FNUZ", "-0.0", "0.000000e+00"),
        ("f8E5M2FNUZ", "-1.0e400", "0x80"),
        ("f8E4M3FN", "463.9", "4.480000e+02"),
        ("f8E4M3FN", "464.0", "4.480000e+02"),
        ("f8E4M3FN", "464.1", "0x7F"),
        ("f8E4M3FN", "-1.0e10", "0xFF"),
        ("f8E4M3FNUZ", "-1.0e-30", "0.000000e+00"),
        ("f8E4M3FNUZ", "247.9", "2.400000e+02"),
        ("f8E4M3FNUZ", "248.0", "0x80"),
        ("f8E3M4", "1.0e400", "0x70"),
        ("f8E8M0FNU", "0.0", "5.877470e-39"),
        ("f8E8M0FNU", "-0.0", "5.877470e-39"),
        ("f8E8M0FNU", "1.0e-50", "5.877470e-39"),
        ("f8E8M0FNU", "-1.0e-50", "5.877470e-39"),
        ("f8E8M0FNU", "3.0", "4.000000e+00"),
        ("f8E8M0FNU", "-1.0", "0xFF"),
        ("f8E8M0FNU", "-2.0", "2.000000e+00"),
        ("f8E8M0FNU", "-4.0e-39", "2.000000e+00"),
        ("f8E8M0FNU", "1.7e38", "1.701410e+38"),
        ("f8E8M0FNU", "2.6e38", "0xFF"),
    ] {
        let bits = parse_decimal(kind(keyword), text.as_bytes()).unwrap();
        assert_eq!(printed(kind(keyword), bits), expected, "{keyword} {text}");
    }
}

#[test]
fn malformed_decimals() {
    for text in [
        "", "-", ".5", "1e", "1e+", "1.0.0", "inf", "nan", "1.0f", " 1.0", "1.0 ", "1_0.0", "--1",
        "0x1", "1.0e5.0",
    ] {
        assert_eq!(
            parse_decimal(FloatKind::F64, text.as_bytes()),
            None,
            "{text}"
        );
    }
    for text in ["1", "+1.5", "-01.50e-0", "1e5"] {
        assert!(parse_decimal(FloatKind::F64, text.as_bytes()).is_some());
    }
}

/// Every pattern of a kind, or a spread of `count` of them.
fn patterns(kind: FloatKind, count: u64) -> Vec<u128> {
    if kind.width() <= 19 {
        return (0..1_u128 << kind.width()).collect();
    }
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut all = Vec::new();
    for _ in 0..count {
        let bits = u128::from(next()) << 64 | u128::from(next());
        all.push(bits & low_bits(kind.width()));
    }
    all
}

#[test]
fn through_f64_and_back() {
    for kind in FloatKind::ALL {
        if kind.width() > 64 {
            continue;
        }
        for bits in patterns(kind, 20_000) {
            let back = from_f64(kind, to_f64(kind, bits));
            if let (_, Parts::Nan { fraction }) = kind.row().split(bits)
                && kind.row().special == Special::Ieee
            {
                let quiet = 1 << (kind.row().precision - 2);
                assert_eq!(back, bits | quiet, "{kind:?} {bits:#X} {fraction:#X}");
            } else {
                assert_eq!(back, bits, "{kind:?} {bits:#X}");
            }
        }
    }
}

/// Compares this module with the port of `APFloat`.
fn check_against_port<F>(kind: FloatKind)
where
    F: rustc_apfloat::Float + rustc_apfloat::FloatConvert<ieee::Double>,
    ieee::Double: rustc_apfloat::FloatConvert<F>,
{
    use rustc_apfloat::FloatConvert as _;
    let mut lossy = false;
    for (index, bits) in patterns(kind, 2_000).into_iter().enumerate() {
        // The port takes milliseconds for the extreme exponents of these.
        if kind.width() > 64 && index > 50 {
            break;
        }
        let bits = canonical_bits(kind, bits);
        let value = F::from_bits(bits);
        let mut expected = format!("{value:#width$.6}", width = 0);
        let reads_back = expected
            .parse::<F>()
            .is_ok_and(|read| read.to_bits() == bits);
        if !reads_back {
            expected = value.to_string();
        }
        if value.is_nan() || value.is_infinite() || !expected.contains('.') {
            expected = format!("0x{bits:X}");
        }
        assert_eq!(printed(kind, bits), expected, "{kind:?} {bits:#X}");
        let double: ieee::Double = value.convert(&mut lossy).value;
        assert_eq!(
            u128::from(to_f64(kind, bits).to_bits()),
            double.to_bits(),
            "{kind:?} {bits:#X}"
        );
    }
    for (index, bits) in patterns(FloatKind::F64, 50_000).into_iter().enumerate() {
        // Exponents that matter to the kind, half of the time.
        let bits = match index % 2 {
            0 => bits,
            _ => bits & !(0x7FF << 52) | (1023 - 40 + index as u128 % 80) << 52,
        };
        let converted: F = ieee::Double::from_bits(bits).convert(&mut lossy).value;
        assert_eq!(
            from_f64(kind, f64::from_bits(bits as u64)),
            converted.to_bits(),
            "{kind:?} from {bits:#X}"
        );
    }
}

#[test]
fn agrees_with_the_port() {
    check_against_port::<ieee::Float8E5M2>(FloatKind::F8E5M2);
    check_against_port::<ieee::Float8E4M3FN>(FloatKind::F8E4M3FN);
    check_against_port::<ieee::BFloat>(FloatKind::BF16);
    check_against_port::<ieee::Half>(FloatKind::F16);
    check_against_port::<ieee::Single>(FloatKind::F32);
    check_against_port::<ieee::Double>(FloatKind::F64);
    check_against_port::<ieee::X87DoubleExtended>(FloatKind::F80);
    check_against_port::<ieee::Quad>(FloatKind::F128);
}
