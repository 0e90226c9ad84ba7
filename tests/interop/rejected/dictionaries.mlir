func.func @f() attributes {sym_visibility = 3} { return }
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  %0 = affine.load %m[%i] {map = 3} : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  memref.prefetch %m[%i], read, locality<3>, data {isWrite = 3} : memref<4xf32>
  return
}
// -----
llvm.func @f() attributes {linkage = 3}
// -----
llvm.func @f(%p : !llvm.ptr) {
  %0 = llvm.load %p {alignment = "a"} : !llvm.ptr -> i32
  llvm.return
}
// -----
llvm.mlir.global @x() {linkage = "x"} : i32
// -----
func.func @f(%m: memref<4x4xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) {permutation = 3} : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  return
}
// -----
func.func @f(%m: index) {
  affine.for %i = 0 to 4 { } {step = "x"}
  return
}
// -----
func.func @f(%m: index) {
  affine.for %i = 0 to 4 { } {lowerBoundMap = "x"}
  return
}
// -----
func.func @f(%m: index) {
  %0 = affine.apply affine_map<(d0) -> (d0)> (%m) {map = "x"}
  return
}
// -----
%a = arith.constant 4 : i32
%0 = arith.cmpi eq, %a, %a {predicate = "x"} : i32
// -----
%a = arith.constant 4.0 : f32
%0 = arith.addf %a, %a {fastmath = "x"} : f32
// -----
module attributes {sym_name = 3} {}
// -----
module attributes {sym_visibility = 3} {}
// -----
llvm.func @g() -> i32
llvm.func @f(%p : !llvm.ptr) {
  %0 = llvm.call @g() {operandSegmentSizes = array<i32: 1, 1>} : () -> i32
  llvm.return
}
// -----
llvm.func @g() -> i32
llvm.func @f(%p : !llvm.ptr) {
  %0 = llvm.call @g() {callee = @f} : () -> i32
  llvm.return
}
// -----
llvm.func @g() -> i32
llvm.func @f(%p : !llvm.ptr) {
  %0 = llvm.call @g() {op_bundle_sizes = 3} : () -> i32
  llvm.return
}
// -----
llvm.func @g() -> i32
llvm.func @f(%p : !llvm.ptr) {
  %0 = llvm.call @g() {CConv = 3} : () -> i32
  llvm.return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  %0 = vector.transfer_read %m[%i], %x {operandSegmentSizes = array<i32: 1>} : memref<4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%m: index) {
  affine.for %i = 0 to 4 { } {operandSegmentSizes = array<i32: 1>}
  return
}
// -----
func.func @f(%i: index) {
  scf.parallel (%a) = (%i) to (%i) step (%i) { } {operandSegmentSizes = array<i32: 1>}
  return
}
// -----
func.func @f(%i: index) {
  gpu.launch blocks(%a, %b, %x) in (%c = %i, %d = %i, %e = %i) threads(%f, %g, %h) in (%j = %i, %k = %i, %l = %i) {
   gpu.terminator
  } {operandSegmentSizes = array<i32: 1>}
  return
}
// -----
func.func @f(%i: index) attributes {sym_name = "x"} { return }
// -----
func.func @f(%i: index) attributes {function_type = i32} { return }
// -----
func.func @f(%i: index) attributes {sym_visibility = "private"} { return }
// -----
func.func @f(%i: index {a.b}) attributes {arg_attrs = []} { return }
// -----
llvm.func @f(%i: i32) attributes {visibility_ = 3}
// -----
llvm.func @f(%i: i32) attributes {unnamed_addr = 3}
// -----
llvm.func @f(%i: i32) attributes {CConv = 3}
// -----
llvm.func @f(%i: i32) attributes {sym_name = "x"}
// -----
llvm.func @f(%i: i32) attributes {function_type = i32}
// -----
llvm.mlir.global external @x() {sym_name = "y"} : i32
// -----
llvm.mlir.global external @x() {global_type = i64} : i32
// -----
llvm.mlir.global external @x() {unnamed_addr = 3 } : i32
// -----
llvm.mlir.global external @x() {visibility_ = 3 } : i32
// -----
llvm.mlir.global external @x(4 : i32) {value = 3 } : i32
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) {
  %0 = vector.shuffle %a, %b [0, 1] {mask = 3} : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%a: i1, %b: i32) {
  %0 = llvm.alloca %b x i32 {elem_type = i64} : (i32) -> !llvm.ptr
  return
}
// -----
func.func @f(%a: index) {
  scf.index_switch %a {cases = 3}
  case 2 { scf.yield }
  default { }
  return
}
// -----
func.func @f(%a: index) {
  func.call @f(%a) {callee = 3} : (index) -> ()
  return
}
// -----
func.func @f(%a: index) {
  func.call @f(%a) {no_inline = 3} : (index) -> ()
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a {overflowFlags = 3} : i32
  return
}
// -----
memref.global "private" @x : memref<4xi32> {alignment = "x"}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = bogus} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = true} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = SINGLE_ROUND} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = dense<1>} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, mode = BILINEAR} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, axis = 1 : i32} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = IGNORE, nan_mode = IGNORE} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a
    {overflowFlags = 3} : i32
  return
}
