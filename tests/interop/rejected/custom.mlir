func.func @f(%m: memref<4xf32>, %i: index) {
  affine.for %j = #m to 4 {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.for %j = affine_map<(d0) -> (d0, 1)>(%i) to 4 {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i, %i) {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.for %j = 0 to 4 step -1 {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  %0 = affine.load %m[%i * %i] : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  %0 = affine.load %m[%i : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.prefetch %m[%i], reads, locality<3>, data : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.prefetch %m[%i], read, locality<3>, code : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.if affine_set<(d0) : (d0 == 0)>() {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  affine.parallel (%j) = (0) to (4) step (%i) {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %c: f32) {
  %0 = affine.parallel (%j) = (0) to (4) reduce ("plus") -> f32 {
    affine.yield %c : f32
  }
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = linalg.elementwise kind=3 ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x4xf32>) {
  %0 = linalg.matmul indexing_maps = [1] ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x4xf32>) {
  %0 = linalg.add ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = linalg.exp ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) -> tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<4x4xf32>) {
  %0 = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) dimensions = [1, 0]
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = linalg.map { arith.nothing } ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>)
  return
}
// -----
func.func @f(%i: index) {
  scf.forall (%j) = (0) to (4, 5) step (1) {
  }
  return
}
// -----
func.func @f(%i: index, %t: tensor<4xf32>) {
  %0 = scf.forall (%j) in (4) shared_outs(%o = %t) {
  }
  return
}
// -----
func.func @f(%i: index) {
  scf.index_switch %i
  case x {
    scf.yield
  }
  default {
  }
  return
}
// -----
func.func @f(%i: index) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.outerproduct %v : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%v: f32) {
  %0 = vector.outerproduct %v, %v : f32, f32
  return
}
// -----
func.func @f(%m: memref<4x8xf32>) {
  %1 = memref.transpose %m affine_map<(i, j) -> (j, i)> : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>) {
  memref.prefetch %m[], read, locality<x>, data : memref<4x8xf32>
  return
}
// -----
func.func @f(%i: index) {
  %3 = bufferization.alloc_tensor(%i) copy() : tensor<?xf32>
  return
}
// -----
func.func @f(%c: tensor<i1>) {
  %0 = tosa.cond_if %c : tensor<i1> {
    tosa.yield
  }
  return
}
// -----
func.func @f(%c: tensor<i1>) {
  %0 = tosa.while_loop (%a = %c) : tensor<i1> {
    tosa.yield %c : tensor<i1>
  } do {
  }
  return
}
// -----
%0 = arith.constant index
// -----
%0 = arith.constant
  unit
// -----
%0 = arith.constant array<i64: 1>
// -----
%0 = arith.constant affine_map<(d0) -> (d0)>
// -----
%0 = "arith.constant"() <{value = index}> : () -> index
// -----
%0 = index.constant
  "a"
// -----
%0 = index.bool.constant
  7 : i32
// -----
llvm.module_flags
  "a"
// -----
%0 = ml_program.global_load
  "a" : i32
// -----
func.func @f(%p: i32) {
i32 @x
}
// -----
module {
  "a"() : () -> ()
  %0 = i32
}
// -----
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4xf32>) {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"], library_call = 3} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4xf32>) {
  linalg.generic {indexing_maps = [#map], iterator_types = ["a"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
"x"() {a = #llvm.cgprofile_entry<from = @a, to = none, count = 1>} : () -> ()
// -----
{-#
  dialect_resources: {
    builtin: {
      1: "0x00"
    }
  }
#-}
