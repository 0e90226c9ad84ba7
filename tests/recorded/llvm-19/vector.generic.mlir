"builtin.module"() ({
  "func.func"() <{function_type = (vector<4x8xf32>, vector<8xf32>, f32, index, memref<?xf32>, vector<8xi1>, vector<8xindex>, vector<f32>) -> (), sym_name = "vector"}> ({
  ^bb0(%arg0: vector<4x8xf32>, %arg1: vector<8xf32>, %arg2: f32, %arg3: index, %arg4: memref<?xf32>, %arg5: vector<8xi1>, %arg6: vector<8xindex>, %arg7: vector<f32>):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: 1>}> : (vector<4x8xf32>) -> vector<8xf32>
    %1 = "vector.extract"(%arg0, %arg3) <{static_position = array<i64: 1, -9223372036854775808>}> : (vector<4x8xf32>, index) -> f32
    %2 = "vector.insert"(%arg1, %arg0, %arg3) <{static_position = array<i64: -9223372036854775808>}> : (vector<8xf32>, vector<4x8xf32>, index) -> vector<4x8xf32>
    %3 = "vector.extract_strided_slice"(%arg0) <{offsets = [0, 2], sizes = [2, 4], strides = [1, 1]}> : (vector<4x8xf32>) -> vector<2x4xf32>
    %4 = "vector.insert_strided_slice"(%arg1, %arg0) <{offsets = [0, 0], strides = [1]}> {a.b} : (vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %5 = "vector.extractelement"(%arg1, %arg3) {a.b} : (vector<8xf32>, index) -> f32
    %6 = "vector.extractelement"(%arg7) : (vector<f32>) -> f32
    %7 = "vector.insertelement"(%arg2, %arg1, %arg3) : (f32, vector<8xf32>, index) -> vector<8xf32>
    %8 = "vector.insertelement"(%arg2, %arg7) : (f32, vector<f32>) -> vector<f32>
    %9 = "vector.gather"(%arg4, %arg3, %arg6, %arg5, %arg1) : (memref<?xf32>, index, vector<8xindex>, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.scatter"(%arg4, %arg3, %arg6, %arg5, %arg1) : (memref<?xf32>, index, vector<8xindex>, vector<8xi1>, vector<8xf32>) -> ()
    %10 = "vector.maskedload"(%arg4, %arg3, %arg5, %arg1) : (memref<?xf32>, index, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.maskedstore"(%arg4, %arg3, %arg5, %arg1) : (memref<?xf32>, index, vector<8xi1>, vector<8xf32>) -> ()
    %11 = "vector.from_elements"(%arg2, %arg2) : (f32, f32) -> vector<2xf32>
    %12 = "vector.splat"(%arg2) : (f32) -> vector<4xf32>
    %13 = "vector.flat_transpose"(%arg1) <{columns = 4 : i32, rows = 2 : i32}> : (vector<8xf32>) -> vector<8xf32>
    %14 = "vector.shuffle"(%arg1, %arg1) <{mask = [0, 3, 9]}> : (vector<8xf32>, vector<8xf32>) -> vector<3xf32>
    %15 = "vector.load"(%arg4, %arg3) <{nontemporal = true}> : (memref<?xf32>, index) -> vector<8xf32>
    "vector.store"(%15, %arg4, %arg3) : (vector<8xf32>, memref<?xf32>, index) -> ()
    %16 = "vector.create_mask"(%arg3, %arg3) : (index, index) -> vector<4x8xi1>
    %17 = "vector.constant_mask"() <{mask_dim_sizes = [2, 3]}> : () -> vector<4x8xi1>
    %18 = "vector.matrix_multiply"(%arg1, %arg1) <{lhs_columns = 4 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32}> : (vector<8xf32>, vector<8xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

