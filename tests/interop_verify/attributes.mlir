// Sorts of inherent attributes, in the words of upstream's definitions.
func.func @truth(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.load' op attribute 'nontemporal' failed to satisfy constraint: bool attribute}}
  %0 = "memref.load"(%m, %i) {nontemporal = 4 : i32} : (memref<4xf32>, index) -> f32
  return
}

// -----

llvm.func @width(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "llvm.load"(%p) <{alignment = 4 : i32, ordering = 0 : i64}> : (!llvm.ptr) -> i32
  llvm.return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error@+1 {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 10 : i64} : (i32, i32) -> i1
  return
}

// -----

func.func @lists(%a: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op attribute 'reassociation' failed to satisfy constraint: Array of 64-bit integer array attributes}}
  %0 = "tensor.collapse_shape"(%a) <{reassociation = [[0 : i32]]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{'memref.global' op attribute 'sym_name' failed to satisfy constraint: string attribute}}
"memref.global"() {sym_name = 3 : i32, type = memref<4xi32>} : () -> ()

// -----

func.func @numbers(%a: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.extract_slice' op attribute 'static_offsets' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "tensor.extract_slice"(%a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i32: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{'func.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute}}
"func.call"() {callee = @a::@b} : () -> ()

// -----

func.func @dictionaries() {
  // expected-error@+1 {{'func.call' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
  "func.call"() {callee = @dictionaries, arg_attrs = [3]} : () -> ()
  return
}

// -----

func.func @map(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'affine.load' op attribute 'map' failed to satisfy constraint: AffineMap attribute}}
  %0 = "affine.load"(%m, %i) {map = [0]} : (memref<4xf32>, index) -> f32
  return
}
