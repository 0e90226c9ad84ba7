//! Texts that cover everything a module can contain.

use rmlir_ir::Context;

/// Every kind of type.
pub(crate) const TYPES: &str = r#"
!alias = tuple<i32, !d.t<i8>>
"t.types"() {
  a = [i1, i32, si8, ui16, i0, i16777215, index, none],
  b = [f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E3M4, f8E4M3, f8E4M3B11FNUZ, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ,
       f8E8M0FNU, bf16, f16, tf32, f32, f64, f80, f128],
  c = [complex<f32>, complex<i8>, tuple<>, tuple<i1, tuple<f32>>, !alias],
  d = [() -> (), (i1) -> i2, (i1, i2) -> (i3, i4), () -> (() -> i1)],
  e = [vector<i1>, vector<4xf32>, vector<4x[8]x[2]x1x1x1x1x1x[3]xf32>, vector<[4]xindex>],
  f = [tensor<f32>, tensor<4x?x0xi8>, tensor<?xf32, #d.enc<"x">>, tensor<2xvector<2xi1>>, tensor<*xf16>],
  g = [memref<f32>, memref<4x?xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<2xf32, 3>,
       memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, "space">, memref<*xf32>, memref<*xi8, #d.space>,
       memref<2xmemref<*xf32>>],
  h = [!d.t, !d<t>, !d.t<i32, !d.u<[1, 2], #d.a>, "text">, !other.type<a -> b>],
  i = [tensor<9223372036854775807xi1>, tensor<191x192xi1>]
} : () -> ()
"#;

/// Every kind of attribute.
pub(crate) const ATTRIBUTES: &str = r#"
#map = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3, (d0 + d1) mod 4, d0 ceildiv s0, -7, d0 * -9223372036854775807)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 - 1 == 0)>
#attr_with_digits12 = #d.a<1>
"t.attributes"() <{prop = 1 : i8}> {
  unit, flag = true, other = false,
  integers = [0, -1, 9223372036854775807, -9223372036854775808, 255 : ui8, -128 : si8, 5 : index, -5 : index,
    0 : i0, 18446744073709551615 : ui64, -1 : i65, 170141183460469231731687303715884105727 : i128, 3 : i1000, 1 : i3],
  floats = [1.5, -0.0 : f32, 0x7FC00001 : f32, 1.0 : bf16, 3.0 : f80, 1.0e300 : f128, 0.5 : f8E4M3FN, 1.0 : f4E2M1FN,
    0x7F800000 : f32, 2.0 : tf32],
  strings = ["", "text", "\FF\00\22", "typed" : i32, "typed" : !d.t],
  symbols = [@a, @"b c"::@d::@e],
  types = [i32, tensor<2xi8>],
  arrays = [[], [[], [1]]],
  dictionary = {b = 1, a = {}, "quoted name" = unit},
  dense = [dense<1> : tensor<4xi32>, dense<[1, 2, 3]> : vector<3xi8>, dense<[[true, false]]> : tensor<1x2xi1>,
    dense<[1.0, 2.0]> : tensor<2xf64>, dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, dense<> : tensor<0xi32>,
    dense<[1, 2]> : tensor<2xindex>, dense<"0x01020304"> : tensor<4xi8>, dense<[1, 2]> : tensor<2xi3>,
    dense<123456789012345678901234567890> : tensor<2xi100>],
  dense_strings = [dense<["a", "b"]> : tensor<2x!d.string>, dense<"a"> : tensor<5x!d.string>],
  dense_arrays = [array<i32>, array<i32: 1, -2>, array<i1: true, false>, array<f32: 1.0>, array<i64: 7>, array<f16: 1.0, 2.0>],
  sparse = sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<3x4xf32>,
  maps = [#map, affine_map<() -> ()>, affine_map<(d0) -> (d0)>], sets = [#set, affine_set<() : (0 == 0)>],
  strided = [strided<[]>, strided<[1]>, strided<[?, -1], offset: ?>, strided<[1, 200], offset: -3>],
  distinct = [distinct[0]<1 : i32>, distinct[1]<1 : i32>, distinct[0]<1 : i32>, distinct[2]<unit>],
  locations = [loc(unknown), loc("a":1:2), loc("a":1:2 to 3:4), loc("name"), loc("name"("a":1:2)),
    loc(callsite("b" at "a":1:2)), loc(fused<#map>["x":1:1, "y":2:2]), loc("a":1:2)],
  dialect = [#d.a, #d<a>, #attr_with_digits12, #d.a<#map, i32, [1, {x = 2}], "s">, #d.typed<1> : i32, #e<"->">]
} : () -> ()
"#;

/// Every kind of location.
pub(crate) const LOCATIONS: &str = r#"
#loc1 = loc("file.py":10:20)
#loc2 = loc(callsite(#loc1 at "caller.py":1:1))
"t.a"() : () -> () loc(unknown)
"t.b"() : () -> () loc("file.py":10:20)
"t.c"() : () -> () loc(#loc1)
"t.d"() : () -> () loc("file.py":10:20 to :30)
"t.e"() : () -> () loc("file.py":10:20 to 11:1)
"t.f"() : () -> () loc("name")
"t.g"() : () -> () loc("name"(#loc2))
"t.h"() : () -> () loc(callsite("x"("f":1:1) at #loc2))
"t.i"() : () -> () loc(fused[#loc1, #loc2, "z"])
"t.j"() : () -> () loc(fused<{a = #d.meta<i32>, l = loc("file.py":10:20)}>["q":4294967295:0])
"t.k"() ({
^bb0(%a: i32 loc("arg":1:1), %b: i32 loc(#loc9)):
  "t.end"() : () -> () loc(#loc8)
}) : () -> () loc(#loc9)
#loc8 = loc(fused<"metadata">["later":5:5])
#loc9 = loc("later":6:6)
"#;

/// Successors, arguments, regions, packs, forward references.
pub(crate) const OPERATIONS: &str = r#"
"t.module"() ({
  %c = "t.use"(%later, %later, %pack#1) : (i8, i8, f32) -> i1
  %later, %other = "t.two"() : () -> (i8, i16)
  %pack:3 = "t.pack"(%c) : (i1) -> (f16, f32, f64)
  "t.uses"(%pack#0, %pack#1, %pack#2, %other, %later, %c, %self) : (f16, f32, f64, i16, i8, i1, index) -> ()
  %self = "t.self"(%self) ({
    "t.inner"(%self) : (index) -> ()
  }) : (index) -> index
}) : () -> ()
"t.func"() <{sym_name = "f", value = #d.p<1>}> ({
^bb0(%a: i32, %b: tensor<2xf32>):
  "cf.br"(%a)[^bb2] : (i32) -> ()
^bb1:
  "t.use"(%x) : (i32) -> ()
  "cf.cond"(%a)[^bb1, ^bb2, ^bb3, ^bb1] {discardable = 1} : (i32) -> ()
^bb2(%x: i32):
  "cf.br"()[^bb1] : () -> ()
^bb3:
  "t.regions"() ({}, {
  ^only:
  }, {
    "t.nested"() ({
      "t.deeper"(%x, %a) : (i32, i32) -> ()
    }) : () -> ()
  ^unreached(%y: f32):
    "t.end"(%y)[^unreached] : (f32) -> ()
  }, {}) : () -> ()
}) : () -> ()
"t.not_a_dictionary"() <"text"> : () -> ()
"t.empty"() <{}> {} : () -> ()
"no dialect"() : () -> ()
"#;

/// Resources.
pub(crate) const RESOURCES: &str = r#"
"t.use"() {
  a = dense_resource<blob1> : tensor<4xi8>, b = dense_resource<missing> : memref<*xf32>,
  c = dense_resource<flag> : tensor<2xi1>, d = dense_resource<blob1> : tensor<2xi16>
} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x0800000001020304",
      unused: "0x4000000005060708090A",
      empty: "0x00000000",
      flag: "0x01000000FF"
    },
    other: { "quoted key": "text", no: false, blob1: "0x01000000FF" }
  },
  external_resources: {
    tool: { option: true, off: false, text: "some text", data: "0x10000000AABBCC" },
    nothing: {}
  }
#-}
"#;

/// All samples, and an empty text.
pub(crate) const ALL: [&str; 6] = [TYPES, ATTRIBUTES, LOCATIONS, OPERATIONS, RESOURCES, ""];

/// Returns a context that has interned other things before, in another order.
pub(crate) fn used_context() -> Context {
    let mut context = Context::new();
    for text in [RESOURCES, LOCATIONS, ATTRIBUTES, TYPES] {
        super::parse(&mut context, text);
    }
    let file = context.identifier("file.py");
    for column in (1..30).rev() {
        context.file_location(file, 10, column);
    }
    context
}
