// What types operands and results must have.

func.func @f(%a: f32) -> f32 {
  // expected-error@+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%a, %a) : (f32, f32) -> f32
  return %0 : f32
}

// -----

func.func @f(%a: vector<4xi32>) -> vector<4xi32> {
  // expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'vector<4xi32>'}}
  %0 = "arith.addf"(%a, %a) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %0 : vector<4xi32>
}

// -----

func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  // expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'memref<4xf32>'}}
  %0 = "arith.addf"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @f(%a: tensor<*xf32>, %b: tensor<4x?xf32>, %c: vector<[4]xf32>) {
  %0 = "arith.addf"(%a, %a) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %1 = "arith.addf"(%b, %b) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = "arith.addf"(%c, %c) : (vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  return
}

// -----

func.func @f(%a: i32) -> i32 {
  // expected-error@+1 {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (i32, i32) -> i32
  return %0 : i32
}

// -----

func.func @f(%m: tensor<4xf32>, %i: index) -> f32 {
  // expected-error@+1 {{'memref.load' op operand #0 must be memref of any type values, but got 'tensor<4xf32>'}}
  %0 = "memref.load"(%m, %i) : (tensor<4xf32>, index) -> f32
  return %0 : f32
}

// -----

func.func @f(%m: memref<4xf32>, %i: i32) -> f32 {
  // expected-error@+1 {{'memref.load' op operand #1 must be variadic of index, but got 'i32'}}
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, i32) -> f32
  return %0 : f32
}

// -----

func.func @f(%z: complex<i32>) -> f32 {
  // expected-error@+1 {{'complex.re' op operand #0 must be complex type with floating-point elements, but got 'complex<i32>'}}
  %0 = "complex.re"(%z) : (complex<i32>) -> f32
  return %0 : f32
}

// -----

func.func @f(%a: f32) -> f32 {
  // expected-error@+1 {{'llvm.add' op operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer, but got 'f32'}}
  %0 = "llvm.add"(%a, %a) <{overflowFlags = 0 : i32}> : (f32, f32) -> f32
  return %0 : f32
}

// -----

func.func @f(%a: i64) -> i64 {
  // expected-error@+1 {{'llvm.load' op operand #0 must be LLVM pointer type, but got 'i64'}}
  %0 = "llvm.load"(%a) <{ordering = 0 : i64}> : (i64) -> i64
  return %0 : i64
}

// -----

func.func @f(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-error@+1 {{'tosa.abs' op operand #0 must be tosa-conformant tensor of number values, but got 'tensor<0x4xf32>'}}
  %0 = "tosa.abs"(%a) : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'tosa.conv2d' op operand #0 must be 4-d tosa-conformant tensor, but got 'tensor<4x4xf32>'}}
  %0 = "tosa.conv2d"(%a, %a, %a, %a, %a) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%a: vector<4xi1>, %b: f32) -> f32 {
  // expected-error@+1 {{'vector.extract' op operand #0 must be vector of any type values, but got 'f32'}}
  %0 = "vector.extract"(%b) <{static_position = array<i64: 0>}> : (f32) -> f32
  return %0 : f32
}
