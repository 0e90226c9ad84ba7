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

// -----

// What confines attributes, in the words of upstream's definitions.
func.func @alignment(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.load' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = "memref.load"(%m, %i) <{alignment = 12 : i64}> : (memref<4xf32>, index) -> f32
  return
}

// -----

func.func @least(%m: memref<4xf32>, %i: index) {
  // The least number of a type has one bit, and is not positive.
  // expected-error@+1 {{whose value is positive and whose value is a power of two > 0}}
  %0 = "memref.load"(%m, %i) <{alignment = -9223372036854775808 : i64}> : (memref<4xf32>, index) -> f32
  return
}

// -----

func.func @between(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  "affine.prefetch"(%m, %i) <{isDataCache = true, isWrite = false, localityHint = 4 : i32, map = affine_map<(d0) -> (d0)>}> : (memref<4xf32>, index) -> ()
  return
}

// -----

// expected-error@+1 {{'llvm.mlir.global' op attribute 'addr_space' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
"llvm.mlir.global"() <{addr_space = -1 : i32, global_type = i32, linkage = #llvm.linkage<external>, sym_name = "a", visibility_ = 0 : i64}> ({}) : () -> ()

// -----

func.func @power(%a: i32) {
  // expected-error@+1 {{'gpu.rotate' op attribute 'width' failed to satisfy constraint: 32-bit signless integer attribute whose value is a power of two > 0}}
  %0, %1 = "gpu.rotate"(%a) <{offset = 1 : i32, width = 24 : i32}> : (i32) -> (i32, i1)
  return
}

// -----

func.func @one_of(%a: vector<4xf8E5M2>) {
  // expected-error@+1 {{'amdgpu.ext_packed_fp8' op attribute 'index' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative whose maximum value is 3}}
  %0 = "amdgpu.ext_packed_fp8"(%a) <{index = 5 : i32}> : (vector<4xf8E5M2>) -> f32
  return
}

// -----

func.func @increasing(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  %0 = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    "linalg.yield"(%x) : (f32) -> ()
  }) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @counted(%a: tensor<1x4x4x8xf32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{'tosa.avg_pool2d' op attribute 'kernel' failed to satisfy constraint: i64 dense array attribute with exactly 2 elements}}
  %0 = "tosa.avg_pool2d"(%a, %z, %z) <{acc_type = f32, kernel = array<i64: 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x4x4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x8xf32>
  return
}

// -----

func.func @held(%a: tensor<1x4x4x8xf32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{'tosa.avg_pool2d' op attribute 'acc_type' failed to satisfy constraint: type attribute of 32-bit signless integer or 48-bit signless integer or 16-bit float or 32-bit float}}
  %0 = "tosa.avg_pool2d"(%a, %z, %z) <{acc_type = bf16, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x4x4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x8xf32>
  return
}

// -----

// Required ones that are not there come before any that is not what it must be.
func.func @missing(%a: tensor<1x4x4x8xf32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{'tosa.avg_pool2d' op requires attribute 'stride'}}
  %0 = "tosa.avg_pool2d"(%a, %z, %z) <{acc_type = bf16, kernel = array<i64: 2>, pad = array<i64: 0, 0, 0, 0>}> : (tensor<1x4x4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x8xf32>
  return
}

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "a"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() <{sym_name = "a", sym_visibility = "private", type = tensor<4xi32>}> : () -> ()

// -----

llvm.func @elements_of_arrays(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op attribute 'alias_scopes' failed to satisfy constraint: LLVM dialect alias scope array}}
  %0 = "llvm.load"(%p) <{alias_scopes = [3], ordering = 0 : i64}> : (!llvm.ptr) -> i32
  llvm.return
}

// -----

func.func @reductions() {
  // expected-error@+1 {{'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops}}
  %0 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [99], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    %c = "arith.constant"() <{value = 1.0 : f32}> : () -> f32
    "affine.yield"(%c) : (f32) -> ()
  }) : () -> f32
  return
}

// -----

func.func @flags(%a: f32) {
  // expected-error@+1 {{'arith.addf' op attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags}}
  %0 = "arith.addf"(%a, %a) {fastmath = 14 : i64} : (f32, f32) -> f32
  return
}

// -----

func.func @shape() {
  // expected-error@+1 {{'shape.const_shape' op attribute 'shape' failed to satisfy constraint: index elements attribute}}
  %0 = "shape.const_shape"() <{shape = dense<1> : tensor<1xi32>}> : () -> !shape.shape
  return
}

// -----

// What is not there, and what is not what it must be, each at its place.
func.func @all(%a: f32, %m: memref<4xf32>, %i: index) {
  %0 = "memref.load"(%m, %i) <{nontemporal = false}> : (memref<4xf32>, index) -> f32
  // expected-error@+1 {{invalid properties {fastmath = "fast"} for op arith.addf: Invalid attribute `fastmath` in property conversion: "fast"}}
  %1 = "arith.addf"(%a, %a) <{fastmath = "fast"}> : (f32, f32) -> f32
  return
}

// -----

func.func @custom(%a: f32) {
  // expected-error@+1 {{'tosa.const_shape' op attribute 'values' failed to satisfy constraint: index elements attribute}}
  %0 = tosa.const_shape {values = dense<1> : tensor<2xi32>} : () -> !tosa.shape<2>
  return
}

// -----

// Constants.
func.func @constants() {
  %0 = arith.constant dense<1> : vector<[2]xi32>
  %1 = arith.constant dense<1> : tensor<2xsi32>
  // expected-error@+1 {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %2 = arith.constant "a"
  return
}

// -----

func.func @signed_constant() {
  // expected-error@+1 {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @scalable_constant() {
  // expected-error@+1 {{op intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[1, 2]> : vector<[2]xi32>
  return
}

// -----

// expected-error@+1 {{'ml_program.global' op immutable global must have an initial value}}
ml_program.global private @a : i32

// -----

ml_program.global private mutable @a : i32
ml_program.global private @b(4 : i32) : i32

// -----

"spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<Vulkan>}> ({
  // expected-error@+1 {{'spirv.ARM.Graph' op attribute 'function_type' failed to satisfy constraint: type attribute of}}
  "spirv.ARM.Graph"() <{function_type = i32, sym_name = "g"}> ({}) : () -> ()
}) : () -> ()
