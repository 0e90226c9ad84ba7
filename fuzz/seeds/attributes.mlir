#map = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2, (d0 - d1) mod 3, d1 ceildiv 2 - 4)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 4)>
#a = #d.attr<[1, #map, "x"], !d.t> : i32
!t = tensor<2x2xf32>
"test_x.attributes"() <{p = unit, q}> {
  "quoted name" = 1, i = [1, -1 : i8, 255 : ui8, true, false, 0x10 : i32, -5 : index, 0xF : si8],
  f = [1.0, -0.0 : f32, 1.5e-3 : f16, 0x7FC00000 : f32, 0xFF80 : bf16, 1.0e+300 : f64],
  s = ["", "a\n\t\\\22\00\FF", "typed" : !d.t], y = [@a, @a::@b::@"c d", @"\22"],
  m = [#map, #set, affine_map<() -> ()>, affine_map<()[s0] -> (-s0)>], l = strided<[?, 1], offset: 3>,
  d = [dense<1> : tensor<2xi32>, dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, dense<> : tensor<0xf32>,
       dense<[true, false]> : tensor<2xi1>, dense<"0x0000803F00000040"> : tensor<2xf32>,
       dense<(1, 2)> : tensor<2xcomplex<i8>>, dense<[(1.0, 2.0), (0.5, -1.0)]> : tensor<2xcomplex<f32>>,
       dense<["a", "b"]> : tensor<2x!d.s>, dense<0x7F800000> : tensor<1xf32>, dense<1.0> : !t,
       dense<[1, 2]> : vector<2xindex>],
  r = array<i32: 1, -2>, e = array<f32>, b = array<i1: true, false>, h = array<f64: 0x7FF8000000000000>,
  p = sparse<[[0, 1], [1, 0]], [1.0, 2.0]> : !t, z = sparse<> : tensor<4xi32>,
  x = dense_resource<blob> : tensor<1xi32>, o = #a, k = {n = {}, u}, g = [distinct[0]<1>, distinct[0]<1>, distinct[1]<unit>],
  w = loc("f":1:2), n = [i32, !t, !d.t<!t, #a>]
} : () -> ()

{-# dialect_resources: { builtin: { blob: "0x0400000001000000" } },
    external_resources: { mlir_reproducer: { pipeline: "x\0A", threads: true, raw: "0x01000000AB" } } #-}
