func.func @f(%a: index, %c: i1) {
  %0 = affine.linearize_index [%a, %a] by (4, 8) : index
  %1 = affine.linearize_index disjoint [%a, %a] by (4, 8) : index
  return
}
func.func @assumed(%a: i64, %c: i1) {
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["a"(%c : i1)] : i1
  llvm.intr.assume %c ["a"(), "b"(%a, %c : i64, i1)] : i1 {x}
  return
}
func.func @s(%c: f32) {
  %c1 = shape.const_size 1
  %c2 = shape.const_size 1
  %c3 = shape.const_size 17 {x}
  %c4 = shape.const_size -3
  %q = shape.const_witness true
  %s = shape.const_shape [1] : !shape.shape
  return
}
