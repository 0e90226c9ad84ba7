#attr_with_digits12 = #d.a<1>
#distinct = distinct[0]<1 : i32>
#distinct1 = distinct[1]<1 : i32>
#loc3 = loc(unknown)
#loc4 = loc("a":1:2)
#loc5 = loc("a":1:2 to 3:4)
#loc6 = loc("name")
#loc7 = loc("b")
#loc8 = loc("x":1:1)
#loc9 = loc("y":2:2)
#loc17 = loc("later":6:6)
#loc18 = loc("arg":1:1)
#loc28 = loc("a.mlir":76:6)
#loc29 = loc("a.mlir":76:15)
#loc33 = loc("a.mlir":81:6)
#loc38 = loc("a.mlir":90:14)
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3, (d0 + d1) mod 4, d0 ceildiv s0, -7, d0 * -9223372036854775807)>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0) -> (d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 - 1 == 0)>
#set1 = affine_set<() : (0 == 0)>
#loc44 = loc("name"(#loc4))
#loc45 = loc(callsite(#loc7 at #loc4))
#loc46 = loc(fused<#map1>[#loc8, #loc9])
"builtin.module"() ({
  "t.types"() {a = [i1, i32, si8, ui16, i0, i16777215, index, none], b = [f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E3M4, f8E4M3, f8E4M3B11FNUZ, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU, bf16, f16, tf32, f32, f64, f80, f128], c = [complex<f32>, complex<i8>, tuple<>, tuple<i1, tuple<f32>>, tuple<i32, !d.t<i8>>], d = [() -> (), (i1) -> i2, (i1, i2) -> (i3, i4), () -> (() -> i1)], e = [vector<i1>, vector<4xf32>, vector<4x[8]x[2]x1x1x1x1x1x[3]xf32>, vector<[4]xindex>], f = [tensor<f32>, tensor<4x?x0xi8>, tensor<?xf32, #d.enc<"x">>, tensor<2xvector<2xi1>>, tensor<*xf16>], g = [memref<f32>, memref<4x?xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<2xf32, 3>, memref<4x4xf32, #map, "space">, memref<*xf32>, memref<*xi8, #d.space>, memref<2xmemref<*xf32>>], h = [!d.t, !d.t, !d.t<i32, !d.u<[1, 2], #d.a>, "text">, !other.type<a -> b>], i = [tensor<9223372036854775807xi1>, tensor<191x192xi1>]} : () -> () loc(#loc1)
  "t.attributes"() <{prop = 1 : i8}> {arrays = [[], [[], [1]]], dense = [dense<1> : tensor<4xi32>, dense<[1, 2, 3]> : vector<3xi8>, dense<[[true, false]]> : tensor<1x2xi1>, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>, dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>, dense<> : tensor<0xi32>, dense<[1, 2]> : tensor<2xindex>, dense<[1, 2, 3, 4]> : tensor<4xi8>, dense<[1, 2]> : tensor<2xi3>, dense<123456789012345678901234567890> : tensor<2xi100>], dense_arrays = [array<i32>, array<i32: 1, -2>, array<i1: true, false>, array<f32: 1.000000e+00>, array<i64: 7>, array<f16: 1.000000e+00, 2.000000e+00>], dense_strings = [dense<["a", "b"]> : tensor<2x!d.string>, dense<"a"> : tensor<5x!d.string>], dialect = [#d.a, #d.a, #attr_with_digits12, #d.a<#map1, i32, [1, {x = 2}], "s">, #d.typed<1> : i32, #e<"->">], dictionary = {a = {}, b = 1 : i64, "quoted name"}, distinct = [#distinct, #distinct1, #distinct, distinct[2]<>], flag = true, floats = [1.500000e+00, -0.000000e+00 : f32, 0x7FC00001 : f32, 1.000000e+00 : bf16, 3.000000e+00 : f80, 1.00000000000000005250476025520442025E+300 : f128, 5.000000e-01 : f8E4M3FN, 1.000000e+00 : f4E2M1FN, 0x7F800000 : f32, 2.000000e+00 : tf32], integers = [0, -1, 9223372036854775807, -9223372036854775808, 255 : ui8, -128 : si8, 5 : index, -5 : index, 0 : i0, 18446744073709551615 : ui64, -1 : i65, 170141183460469231731687303715884105727 : i128, 3 : i1000, 1 : i3], locations = [#loc3, #loc4, #loc5, #loc6, #loc44, #loc45, #loc46, #loc4], maps = [#map1, #map2, #map3], other = false, sets = [#set, #set1], sparse = sparse<[[0, 0], [1, 2]], [1.000000e+00, 5.000000e+00]> : tensor<3x4xf32>, strided = [strided<[]>, strided<[1]>, strided<[?, -1], offset: ?>, strided<[1, 200], offset: -3>], strings = ["", "text", "\FF\00\22", "typed" : i32, "typed" : !d.t], symbols = [@a, @"b c"::@d::@e], types = [i32, tensor<2xi8>], unit} : () -> () loc(#loc2)
  "t.a"() : () -> () loc(#loc3)
  "t.b"() : () -> () loc(#loc10)
  "t.c"() : () -> () loc(#loc10)
  "t.d"() : () -> () loc(#loc11)
  "t.e"() : () -> () loc(#loc12)
  "t.f"() : () -> () loc(#loc6)
  "t.g"() : () -> () loc(#loc50)
  "t.h"() : () -> () loc(#loc51)
  "t.i"() : () -> () loc(#loc52)
  "t.j"() : () -> () loc(#loc53)
  "t.k"() ({
  ^bb0(%arg2: i32 loc("arg":1:1), %arg3: i32 loc("later":6:6)):
    "t.end"() : () -> () loc(#loc49)
  }) : () -> () loc(#loc17)
  "t.module"() ({
    %2 = "t.use"(%3#0, %3#0, %4#1) : (i8, i8, f32) -> i1 loc(#loc21)
    %3:2 = "t.two"() : () -> (i8, i16) loc(#loc22)
    %4:3 = "t.pack"(%2) : (i1) -> (f16, f32, f64) loc(#loc23)
    "t.uses"(%4#0, %4#1, %4#2, %3#1, %3#0, %2, %5) : (f16, f32, f64, i16, i8, i1, index) -> () loc(#loc24)
    %5 = "t.self"(%5) ({
      "t.inner"(%5) : (index) -> () loc(#loc26)
    }) : (index) -> index loc(#loc25)
  }) : () -> () loc(#loc20)
  "t.func"() <{sym_name = "f", value = #d.p<1>}> ({
  ^bb0(%arg0: i32 loc("a.mlir":76:6), %arg1: tensor<2xf32> loc("a.mlir":76:15)):
    "cf.br"(%arg0)[^bb2] : (i32) -> () loc(#loc30)
  ^bb1:  // 3 preds: ^bb1, ^bb1, ^bb2
    "t.use"(%0) : (i32) -> () loc(#loc31)
    "cf.cond"(%arg0)[^bb1, ^bb2, ^bb3, ^bb1] {discardable = 1 : i64} : (i32) -> () loc(#loc32)
  ^bb2(%0: i32 loc("a.mlir":81:6)):  // 2 preds: ^bb0, ^bb1
    "cf.br"()[^bb1] : () -> () loc(#loc34)
  ^bb3:  // pred: ^bb1
    "t.regions"() ({
    }, {
    ^bb0:
    }, {
      "t.nested"() ({
        "t.deeper"(%0, %arg0) : (i32, i32) -> () loc(#loc37)
      }) : () -> () loc(#loc36)
    ^bb1(%1: f32 loc("a.mlir":90:14)):  // pred: ^bb1
      "t.end"(%1)[^bb1] : (f32) -> () loc(#loc39)
    }, {
    }) : () -> () loc(#loc35)
  }) : () -> () loc(#loc27)
  "t.not_a_dictionary"() <"text"> : () -> () loc(#loc40)
  "t.empty"() <{}> : () -> () loc(#loc41)
  "no dialect"() : () -> () loc(#loc42)
  "t.use"() {a = dense_resource<blob1> : tensor<4xi8>, b = dense_resource<missing> : memref<*xf32>, c = dense_resource<flag> : tensor<2xi1>, d = dense_resource<blob1> : tensor<2xi16>} : () -> () loc(#loc43)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":3:1)
#loc2 = loc("a.mlir":21:1)
#loc10 = loc("file.py":10:20)
#loc11 = loc("file.py":10:20 to :30)
#loc12 = loc("file.py":10:20 to 11:1)
#loc13 = loc("caller.py":1:1)
#loc14 = loc("f":1:1)
#loc15 = loc("z")
#loc16 = loc("q":4294967295:0)
#loc19 = loc("later":5:5)
#loc20 = loc("a.mlir":66:1)
#loc21 = loc("a.mlir":67:8)
#loc22 = loc("a.mlir":68:20)
#loc23 = loc("a.mlir":69:13)
#loc24 = loc("a.mlir":70:3)
#loc25 = loc("a.mlir":71:11)
#loc26 = loc("a.mlir":72:5)
#loc27 = loc("a.mlir":75:1)
#loc30 = loc("a.mlir":77:3)
#loc31 = loc("a.mlir":79:3)
#loc32 = loc("a.mlir":80:3)
#loc34 = loc("a.mlir":82:3)
#loc35 = loc("a.mlir":84:3)
#loc36 = loc("a.mlir":87:5)
#loc37 = loc("a.mlir":88:7)
#loc39 = loc("a.mlir":91:5)
#loc40 = loc("a.mlir":94:1)
#loc41 = loc("a.mlir":95:1)
#loc42 = loc("a.mlir":96:1)
#loc43 = loc("a.mlir":98:1)
#loc47 = loc(callsite(#loc10 at #loc13))
#loc48 = loc("x"(#loc14))
#loc49 = loc(fused<"metadata">[#loc19])
#loc50 = loc("name"(#loc47))
#loc51 = loc(callsite(#loc48 at #loc47))
#loc52 = loc(fused[#loc10, #loc47, #loc15])
#loc53 = loc(fused<{a = #d.meta<i32>, l = #loc10}>[#loc16])

{-#
  dialect_resources: {
    builtin: {
      blob1: "0x0800000001020304",
      flag: "0x01000000FF",
      unused: "0x4000000005060708090A",
      empty: "0x00000000"
    },
    other: {
      "quoted key": "text",
      no: false,
      blob1: "0x01000000FF"
    }
  },
  external_resources: {
    tool: {
      option: true,
      off: false,
      text: "some text",
      data: "0x10000000AABBCC"
    }
  }
#-}
