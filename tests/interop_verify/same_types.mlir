// Types and shapes that are the same, or may be, by traits of the operations of the test dialect.

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<8xi32>)
// expected-error@+1 {{'test.same_operand_element_type' op requires the same element type for all operands}}
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4xf32>, tensor<8xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, vector<[4]xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (memref<4xi32>, vector<[4]xi32>) -> i32

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, memref<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<?xi32>, memref<4xi32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<?xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (vector<4xi32>, tensor<?xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (i32, i32)
%2 = "test.same_operand_element_type"(%0, %1) : (i32, i32) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<*xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<*xi32>, tensor<*xi32>) -> i64

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<?xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> memref<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<?xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> i64

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, i32)
// expected-error@+1 {{'test.same_operand_element_type' op requires the same element type for all operands}}
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4xf32>, i32) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<8xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<*xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4x4xi32>, tensor<*xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, i64)
// expected-error@+1 {{'test.same_operand_element_type' op requires the same element type for all operands}}
%2 = "test.same_operand_element_type"(%0, %1) : (vector<4xi32>, i64) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, i32)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<8xi32>, i32) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> memref<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_element_type"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> i32

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, i32)
%2 = "test.same_operand_element_type"(%0, %1) : (tensor<*xi32>, i32) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<8xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, memref<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (memref<4xi32>, memref<4xi32>) -> memref<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_element_type' op requires the same element type for all operands and results}}
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<8xi32>, tensor<4xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, vector<[4]xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xi32>, vector<[4]xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, i64)
// expected-error@+1 {{'test.same_operand_and_result_element_type' op requires the same element type for all operands and results}}
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xi32>, i64) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, memref<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xi32>, memref<4xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<8xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (vector<4xi32>, tensor<8xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, i64)
// expected-error@+1 {{'test.same_operand_and_result_element_type' op requires the same element type for all operands and results}}
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4x4xi32>, i64) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<8xi32>, tensor<4x4xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<8xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (vector<4xi32>, tensor<8xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> i32

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, memref<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (memref<4xi32>, memref<4xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<*xi32>, tensor<4x4xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<?xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, tensor<*xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (memref<4xi32>, tensor<*xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, memref<4xi32>)
%2 = "test.same_operand_and_result_element_type"(%0, %1) : (memref<4xi32>, memref<4xi32>) -> i32

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<4x4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<8xi32>, tensor<4x4xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xf32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, vector<4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xf32>, vector<4xi32>) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, vector<[4]xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<*xi32>, vector<[4]xi32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<*xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (vector<4xi32>, tensor<*xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, memref<4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (memref<4xi32>, memref<4xi32>) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4x4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xf32>, tensor<4x4xi32>) -> tensor<4xf32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, tensor<8xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (memref<4xi32>, tensor<8xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, vector<[4]xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xf32>, vector<[4]xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<*xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, tensor<4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (vector<[4]xi32>, tensor<4xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xf32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<?xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<8xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<?xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<*xi32>)
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4x4xi32>, tensor<*xi32>) -> tensor<4x4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, vector<[4]xi32>)
// expected-error@+1 {{'test.same_operand_and_result_shape' op requires the same shape for all operands and results}}
%2 = "test.same_operand_and_result_shape"(%0, %1) : (tensor<4xi32>, vector<[4]xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<8xi32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<8xi32>, tensor<8xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (i32, i32)
%2 = "test.same_operand_and_result_type"(%0, %1) : (i32, i32) -> i32

// -----

%0, %1 = "other.def"() : () -> (i64, i64)
%2 = "test.same_operand_and_result_type"(%0, %1) : (i64, i64) -> i64

// -----

%0, %1 = "other.def"() : () -> (i64, i64)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (i64, i64) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, tensor<4xf32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<?xi32>, tensor<4xf32>) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<*xi32>, tensor<4xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (i64, memref<4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (i64, memref<4xi32>) -> i64

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xf32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> i64

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (i32, i32)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (i32, i32) -> tensor<8xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, tensor<8xi32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<[4]xi32>, tensor<8xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (i64, i64)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (i64, i64) -> tensor<?xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<[4]xi32>, tensor<4xi32>) -> vector<[4]xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<4xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<*xi32>, tensor<4xi32>) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (i64, i64)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (i64, i64) -> memref<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<4x4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (vector<4xi32>, tensor<4x4xi32>) -> vector<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, i32)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<*xi32>, i32) -> tensor<*xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<?xi32>, i64)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same type for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<?xi32>, i64) -> i64

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4x4xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<4x4xi32>, tensor<4x4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
"test.same_operand_shape"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<*xi32>)
"test.same_operand_shape"(%0, %1) : (vector<4xi32>, tensor<*xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xf32>)
"test.same_operand_shape"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
"test.same_operand_shape"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<?xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<8xi32>, tensor<?xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<8xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<8xi32>, tensor<8xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi32>)
"test.same_operand_shape"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4xf32>, tensor<4xf32>)
"test.same_operand_shape"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<4xf32>)
"test.same_operand_shape"(%0, %1) : (tensor<*xi32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<4xi32>)
// expected-error@+1 {{'test.same_operand_shape' op requires the same shape for all operands}}
"test.same_operand_shape"(%0, %1) : (tensor<4x4xi32>, tensor<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, vector<[4]xi32>)
"test.same_operand_shape"(%0, %1) : (vector<[4]xi32>, vector<[4]xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (memref<4xi32>, vector<4xi32>)
"test.same_operand_shape"(%0, %1) : (memref<4xi32>, vector<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xf32>)
"test.same_operand_shape"(%0, %1) : (tensor<4xi32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<[4]xi32>, tensor<4xf32>)
// expected-error@+1 {{'test.same_operand_shape' op requires the same shape for all operands}}
"test.same_operand_shape"(%0, %1) : (vector<[4]xi32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<8xi32>)
// expected-error@+1 {{'test.same_operand_shape' op requires the same shape for all operands}}
"test.same_operand_shape"(%0, %1) : (tensor<4x4xi32>, tensor<8xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4x4xi32>, tensor<?xi32>)
// expected-error@+1 {{'test.same_operand_shape' op requires the same shape for all operands}}
"test.same_operand_shape"(%0, %1) : (tensor<4x4xi32>, tensor<?xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<?xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<8xi32>, tensor<?xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, tensor<4xf32>)
"test.same_operand_shape"(%0, %1) : (vector<4xi32>, tensor<4xf32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<8xi32>, tensor<4xi32>)
// expected-error@+1 {{'test.same_operand_shape' op requires the same shape for all operands}}
"test.same_operand_shape"(%0, %1) : (tensor<8xi32>, tensor<4xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<*xi32>, tensor<*xi32>)
"test.same_operand_shape"(%0, %1) : (tensor<*xi32>, tensor<*xi32>) -> ()

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32>)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same encoding for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32, "x">

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32, "y">, tensor<4xi32, "y">)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same encoding for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32, "y">, tensor<4xi32, "y">) -> tensor<4xi32, "x">

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32, "x">, tensor<4xi32, "y">)
// expected-error@+1 {{'test.same_operand_and_result_type' op requires the same encoding for all operands and results}}
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32, "x">, tensor<4xi32, "y">) -> tensor<4xi32, "x">

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32>, tensor<4xi32, "y">)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32>, tensor<4xi32, "y">) -> tensor<4xi32>

// -----

%0, %1 = "other.def"() : () -> (tensor<4xi32, "x">, tensor<4xi32, "x">)
%2 = "test.same_operand_and_result_type"(%0, %1) : (tensor<4xi32, "x">, tensor<4xi32, "x">) -> tensor<4xi32, "x">
