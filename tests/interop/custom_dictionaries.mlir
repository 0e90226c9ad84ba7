// What the dictionary of custom form says of inherent attributes: what an operation cannot hold is passed over if upstream reads
// it by code, what a format says as well counts as the dictionary has it.
module @piece_0 {
  func.func @f() attributes {arg_attrs = 3} { return }
}
module @piece_1 {
  func.func @f() attributes {no_inline = 3} { return }
}
module @piece_2 {
  func.func @f() attributes {res_attrs = 3} { return }
}
module @piece_3 {
  llvm.func @f() attributes {alignstack = "x"}
}
module @piece_4 {
  llvm.func @f() attributes {dso_local = 3}
}
module @piece_5 {
  llvm.func @f(%p : !llvm.ptr) {
    %0 = llvm.call %p() {fastmathFlags = 3} : !llvm.ptr, () -> i32
    llvm.return
  }
}
module @piece_6 {
  llvm.func @g() -> i32
  llvm.func @f(%p : !llvm.ptr) {
    %0 = llvm.call @g() {fastmathFlags = 3} : () -> i32
    llvm.return
  }
}
module @piece_7 {
  llvm.func @g() -> i32
  llvm.func @f(%p : !llvm.ptr) {
    %0 = llvm.call @g() {no_inline = 3} : () -> i32
    llvm.return
  }
}
module @piece_8 {
  llvm.mlir.global @x() {alignment = "x"} : i32
}
module @piece_9 {
  func.func @f(%i: index) {
    scf.for %a = %i to %i step %i { } {unsignedCmp = 3}
    return
  }
}
module @piece_10 {
  func.func @f(%i: index) {
    gpu.launch blocks(%a, %b, %x) in (%c = %i, %d = %i, %e = %i) threads(%f, %g, %h) in (%j = %i, %k = %i, %l = %i) {
     gpu.terminator
    } {module = 3}
    return
  }
}
module @piece_11 {
  %0 = arith.constant {value = 3 : i32} 4 : i32
}
module @piece_12 {
  %0 = memref.alloc() {operandSegmentSizes = array<i32: 1>} : memref<4xi32>
}
module @piece_13 {
  %0 = memref.alloc() {operandSegmentSizes = 3} : memref<4xi32>
}
module @piece_14 {
  func.func @f(%i: index) attributes {arg_attrs = [{a.b}]} { return }
}
module @piece_16 {
  llvm.func @f(%i: i32) attributes {arg_attrs = [{llvm.noundef}]}
}
module @piece_17 {
  llvm.func @f(%i: i32) attributes {sym_visibility = 3}
}
module @piece_18 {
  llvm.func @f(%i: i32) attributes {sym_visibility = "public"}
}
module @piece_19 {
  llvm.func @f(%i: i32) attributes {comdat = 3}
}
module @piece_20 {
  llvm.mlir.global external @x() {constant = 3 } : i32
}
module @piece_21 {
  llvm.mlir.global external @x() {value = 3 } : i32
}
module @piece_22 {
  llvm.mlir.global external @x() {addr_space = "a" } : i32
}
module @piece_23 {
  llvm.mlir.global external @x() {tls_model = 3 } : i32
}
module @piece_24 {
  func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) {
    %0 = vector.shuffle %a, %b [0, 1] {mask = array<i64: 2, 3>} : vector<4xf32>, vector<4xf32>
    return
  }
}
module @piece_25 {
  func.func @f(%a: i1, %b: i32) {
    %0 = llvm.alloca %b x i32 {inalloca = 3} : (i32) -> !llvm.ptr
    return
  }
}
module @piece_26 {
  func.func @f(%a: index) {
    scf.index_switch %a {cases = array<i64: 1>}
    case 2 { scf.yield }
    default { }
    return
  }
}
module @piece_27 {
  func.func @f(%a: i32) {
    %0 = arith.cmpi eq, %a, %a {predicate = 1 : i64} : i32
    return
  }
}
module @piece_28 {
  func.func @f(%a: i32) {
    %0 = arith.addi %a, %a overflow<nsw> {overflowFlags = #arith.overflow<nuw>} : i32
    return
  }
}
module @piece_29 {
  memref.global "private" @x : memref<4xi32> {sym_visibility = "public"}
}
module @piece_30 {
  memref.global @x : memref<4xi32> {type = memref<5xi32>}
}
func.func @tosa_0(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = IGNORE} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_1(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = "IGNORE"} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_2(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_3(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = 3 : i32} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_4(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = @a} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_5(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = []} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_6(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = 1.0} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_7(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = ()->()} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_8(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = #tosa.rounding_mode<SINGLE_ROUND>} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_9(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = "PROPAGATE"} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_10(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, nan_mode = PROPAGATE} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_other0(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, mode = 3 : i32} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_other1(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, foo = unit} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
func.func @tosa_other4(%a: tensor<3x4xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32, true = 1} : (tensor<3x4xf32>) -> tensor<3xi32>
  return
}
