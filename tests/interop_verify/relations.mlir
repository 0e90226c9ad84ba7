// Relations between the types of operands, results and attributes.

func.func @f(%c: i1, %a: i32, %b: i64) -> i32 {
  // expected-error@+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return %0 : i32
}

// -----

func.func @f(%c: i1, %a: i32) -> i64 {
  // expected-error@+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%c, %a, %a) : (i1, i32, i32) -> i64
  return %0 : i64
}

// -----

func.func @f(%c: i1, %a: i32) -> i32 {
  %0 = "arith.select"(%c, %a, %a) : (i1, i32, i32) -> i32
  return %0 : i32
}

// -----

func.func @f() -> i32 {
  // expected-error@+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() <{value = 1 : i64}> : () -> i32
  return %0 : i32
}

// -----

func.func @f(%a: i32) -> vector<4xi1> {
  // expected-error@+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (i32, i32) -> vector<4xi1>
  return %0 : vector<4xi1>
}

// -----

func.func @f(%a: vector<4xi32>) -> vector<3xi1> {
  // expected-error@+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<3xi1>
  return %0 : vector<3xi1>
}

// -----

func.func @f(%a: vector<4xi32>) -> vector<4xi1> {
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi1>
  return %0 : vector<4xi1>
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) -> f64 {
  // expected-error@+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, index) -> f64
  return %0 : f64
}

// -----

func.func @f(%m: memref<4xf32>, %i: index, %v: f64) {
  // expected-error@+1 {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
  "memref.store"(%v, %m, %i) : (f64, memref<4xf32>, index) -> ()
  return
}

// -----

func.func @f(%z: complex<f32>) -> f64 {
  // expected-error@+1 {{'complex.re' op failed to verify that complex element type matches result type}}
  %0 = "complex.re"(%z) : (complex<f32>) -> f64
  return %0 : f64
}

// -----

func.func @f(%t: tensor<4xf32>, %i: index) -> f64 {
  // expected-error@+1 {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%t, %i) : (tensor<4xf32>, index) -> f64
  return %0 : f64
}

// -----

func.func @f(%t: tensor<?xf32>, %s: f32, %i: index) -> tensor<4xf32> {
  // expected-error@+1 {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%s, %t, %i) : (f32, tensor<?xf32>, index) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<3xf32>) -> vector<4xf32> {
  // expected-error@+1 {{'vector.fma' op failed to verify that all of {lhs, rhs, acc, result} have same type}}
  %0 = "vector.fma"(%v, %v, %w) : (vector<4xf32>, vector<4xf32>, vector<3xf32>) -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f(%a: tensor<4xi8>) -> tensor<3xi32> {
  // expected-error@+1 {{'arith.extsi' op failed to verify that input and output have the same tensor dimensions}}
  %0 = "arith.extsi"(%a) : (tensor<4xi8>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @f(%v: vector<4xf32>) -> vector<2xf64> {
  // expected-error@+1 {{'vector.extract_strided_slice' op failed to verify that operand and result have same element type}}
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0], sizes = [2], strides = [1]}> : (vector<4xf32>) -> vector<2xf64>
  return %0 : vector<2xf64>
}

// -----

func.func @f(%v: vector<4xf32>) -> f64 {
  // expected-error@+1 {{'vector.reduction' op failed to verify that source operand and result have same element type}}
  %0 = "vector.reduction"(%v) <{kind = #vector.kind<add>}> : (vector<4xf32>) -> f64
  return %0 : f64
}
