module attributes {test.a = #gpu.object<#nvvm.target, "s" 8>} {}
// -----
module attributes {test.a = #gpu.object<#nvvm.target<chip = "x"> "s">} {}
// -----
module attributes {test.a = #sparse_tensor.encoding<{ map = (d0 d1) -> (d0 : dense, d1 : dense) }>} {}
// -----
module attributes {test.a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : denser) }>} {}
// -----
module attributes {test.a = #llvm.memory_effects<other = , argMem = read, inaccessibleMem = read>} {}
// -----
module attributes {test.a = #vector.kind<>} {}
// -----
module attributes {test.a = #dlti.dl_spec<"x" = 1 : >} {}
// -----
func.func private @f(!llvm.struct<(i32, , i32)>)
// -----
func.func private @f(!llvm.array<4 i32>)
// -----
func.func private @f(!quant.uniform<i8:f32, :1>)
// -----
func.func private @f(!transform.op<func>)
// -----
llvm.func @f() attributes {
// -----
func.func @f(%a: index) {
  scf.for %i = %a %a step %a {}
  return
}
// -----
func.func @f(%a: memref<?xf32>) {
  %0 = memref.subview %a[0, ] [1] [1] : memref<?xf32> to memref<1xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>) {
  %0 = memref.subview %a[0 [1] [1] : memref<?xf32> to memref<1xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = vector.shape_cast %a : vector<4xf32> vector<2x2xf32>
  return
}
// -----
func.func @f(%a: i32) attributes [] {
  return
}
// -----
func.func @f() {
  cf.br a
}
// -----
func.func @f(%a: i32) {
  call @f(%a) : i32
  return
}
// -----
memref.global private @f : memref<4xi32>
// -----
func.func @f(%a: tensor 4) {
  return
}
// -----
func.func private @f() -> (i32 i32)
// -----
#map = affine_map<(d0 d1) -> (d0)>
// -----
#map = affine_map<(d0)[s0 s1] -> (d0)>
// -----
#map = affine_map<(d0) -> (d1)>
// -----
func.func @f(%a: memref<?xf32>) {
  %c = arith.constant 0 : index
  %0 = memref.load %a[%c] : memref<?xf32> {
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<1xf32>) {
  %0 = tosa.minimum %a, %b {a} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}
