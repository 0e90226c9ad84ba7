"test_x.types"() {
  i = [i1, si8, ui64, i0, index, none],
  f = [f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4,
       f8E8M0FNU, bf16, f16, tf32, f32, f64],
  c = [complex<f32>, tuple<>, tuple<i32, tuple<f32>>, () -> (), (i32) -> i32, (i32, f32) -> (i32, (f32) -> ())],
  v = [vector<4xf32>, vector<f32>, vector<2x[4]xi1>, vector<[2]x3xindex>],
  t = [tensor<f32>, tensor<0x?x2xi8>, tensor<*xf32>, tensor<4xf32, "enc">, tensor<4xi8, #d.enc<1>>],
  m = [memref<f32>, memref<?x0xi8>, memref<2x2xf32, strided<[?, 1], offset: ?>>, memref<*xf32>, memref<*xf32, 3>,
       memref<2xf32, affine_map<(d0) -> (d0 * 2)>, "space">, memref<4xf32, 1 : i32>],
  d = [!d.t, !d.t<i32>, !d<"raw x">, !d.u<[a, {b = "x\22"}], !d.t, #d.a<4> -> (f32)>]
} : () -> ()
"test_x.bodies"() : () -> (!d.t-, !d.t$, !d.a-b, !d.-, !d<>, !d.1, !d.a., !d<t<a>x<b>>, !d<t<<>>>, !d<t<(->)>>, !d<t<">">>)
