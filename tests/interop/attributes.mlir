// Every builtin attribute but dense data, in odd spellings.
"test_x.attributes"()<{ zeta, alpha = unit , "quoted name" = 1, beta=2:i8 }> {
  integer = [0, 1, -1, 42 : i32, 255 : i8, -128 : i8, 127 : si8, 255 : ui8, 0xFF : i8, 0x7F : si8, 0x0 : i1,
             true, false, 1 : i1, 0 : i1, -1 : i1, 9223372036854775807, -9223372036854775808, 0xFFFFFFFFFFFFFFFF, 18446744073709551615 : ui64,
             1 : index, -5 : index, 0x10 : index, 340282366920938463463374607431768211455 : i128, -1 : i128, 0 : i0, 00012 : i32,
             170141183460469231731687303715884105727 : si128, -1 : si1, 1 : ui1],
  float = [1.0, -1.0, 0.0, -0.0, 1., 1.e5, 1.5e+3, 1.5E-3 : f32, 0.1 : f16, 0.1 : bf16, 1.0e300, 3.14159265358979 : f64, 1.0e-45 : f32,
           0x7FC00000 : f32, 0x7F800000 : f32, 0xFF800000 : f32, 0x7F800001 : f32, 0x7E00 : f16, 0x7FF8000000000001 : f64, 0xFF80 : bf16,
           0x3F80 : bf16, 2.0 : f80, 3.0 : f128, 1.0 : tf32, 1.0 : f8E4M3FN, 0x7F : f8E4M3FN, 1.0 : f8E5M2, 0x7C : f8E5M2, 0x80 : f8E5M2FNUZ,
           0x80 : f8E4M3FNUZ, 0.5 : f8E4M3B11FNUZ, 0.25 : f8E3M4, 1.0 : f8E8M0FNU, 0xFF : f8E8M0FNU, 6.0 : f4E2M1FN, 7.5 : f6E2M3FN, 28.0 : f6E3M2FN,
           123456789.0 : f32, 16777216.0 : f32, 1.0e10, 1.0e6, 1.0e5, 123456.7, 1.23456789012345678, 5.0e-324, 2.2250738585072014e-308,
           1.7976931348623157e308, 3.4028234e38 : f32, 65504.0 : f16, 0.333333343 : f32, 9.9999999e-5 : f32, 0x1 : f32, 0x1 : f64],
  string = ["", "plain", "tab\t newline\n quote\" backslash\\ ", "\00\01\7F\80\FF", "\22\5C", "é", "日本", "a // b", "\0A\0D\09", "typed" : !d.t, "n" : i32, "none" : none],
  symbol = [@a, @"a", @"a b", @a::@b, @"x y"::@"\22"::@c_1$., @"1a", @_a, @"a-b"],
  type = [i32, !d.t, () -> (), tensor<2xf32>],
  array = [[], [1], [1 , [2, [3]]], [unit]],
  dictionary = [{}, {a}, {b = 1, a = 2}, {"x y" = {}, "a.b" = unit, a.c}, {"1" = 1}, {true, false = 1, i32 = 2, loc = 3}],
  strided = [strided<[]>, strided<[1]>, strided<[?, -1, 0]>, strided<[1], offset: ?>, strided < [ 2 , 1 ] , offset : 5 >, strided<[], offset: 0>],
  array_typed = [array<i8>, array<i32: 1>, array< i64 : -1 , 2 >, array<i1: true, false>, array<i16: 0x10>, array<f32: 1.0, 0x7FC00000>,
                 array<f64: -0.0>, array<i8: -128, 127, 255>, array<bf16: 1.5>, array<si32: -1>, array<ui8: 255>, array<ui1: true, false>, array<si1: true>, dense<[true, false]> : tensor<2xui1>, array<i128: 5>, array<f16>],
  location = [loc("f":1:2), loc(unknown), loc("n"), loc(fused["a", "b"])],
  dialect = [#d.a, #d.a<1>, #d.a<1> : i32, #d<"raw"> : tensor<2xf32>, #d.a.b<[{()}]>, #d.a< x = #d.b<1>, y = !d.t >, #d.s<"a\22>b">, #d.a : !d.t, #d.a : none],
  distinct = [distinct[0]<1 : i32>, distinct[5]<1 : i32>, distinct[0]<1 : i32>, distinct[1]<>, distinct[7]<unit>]
} : () -> ()
