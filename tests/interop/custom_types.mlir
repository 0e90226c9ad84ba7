tosa.variable @a : tensor<1xi32>
tosa.variable @b = dense<3> : tensor<2xi8>
tosa.variable @c {x} : tensor<?xf32>
func.func @f(%c: f32, %i: si8) {
  %0 = gpu.subgroup_mma_constant_matrix %c {x} : !gpu.mma_matrix<16x16xf32, "COp">
  %1 = gpu.subgroup_mma_constant_matrix %i : !gpu.mma_matrix<16x8xsi8, "AOp">
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}, %h: !transform.any_value, %p: !transform.param<i64>, %arg1: !transform.any_op {transform.consumed}) {
  %r:2 = transform.replicate num(%arg0) %h, %arg0 : !transform.any_op, !transform.any_value, !transform.any_op
  %q = transform.replicate num(%arg0) %p {a} : !transform.any_op, !transform.param<i64>
  %tiled, %loops:2 = transform.structured.fuse %arg0 tile_sizes [4, %p] interchange [1, 0] {apply_cleanup} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %tiled2, %loops2 = transform.structured.fuse %arg1 interchange [0] tile_sizes [4] {x} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
