"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xi32>, index, !gpu.async.token) -> (), sym_name = "regions"}> ({
  ^bb0(%arg0: memref<4xi32>, %arg1: index, %arg2: !gpu.async.token):
    %0 = "acc.par_width"(%arg1) <{par_dim = #acc.par_dim<thread_x>}> : (index) -> index
    "acc.compute_region"(%0, %0, %arg0, %arg1, %arg2) <{kernel_func_name = @k, kernel_module_name = @m, operandSegmentSizes = array<i32: 2, 2, 1>, origin = "acc.parallel"}> ({
    ^bb0(%arg6: index, %arg7: index, %arg8: memref<4xi32>, %arg9: index):
      "acc.yield"() : () -> ()
    }) {foo = 1 : i32} : (index, index, memref<4xi32>, index, !gpu.async.token) -> ()
    %1 = "acc.compute_region"(%arg0, %arg2) <{operandSegmentSizes = array<i32: 0, 1, 1>, origin = "acc.parallel"}> ({
    ^bb0(%arg5: memref<4xi32>):
      "acc.yield"(%arg5) : (memref<4xi32>) -> ()
    }) : (memref<4xi32>, !gpu.async.token) -> memref<4xi32>
    %2:2 = "acc.compute_region"(%0, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0>, origin = "a"}> ({
    ^bb0(%arg3: index, %arg4: memref<4xi32>):
      "acc.yield"(%arg3, %arg4) : (index, memref<4xi32>) -> ()
    }) : (index, memref<4xi32>) -> (index, memref<4xi32>)
    %3 = "acc.compute_region"(%arg2) <{operandSegmentSizes = array<i32: 0, 0, 1>, origin = "a"}> ({
      %4 = "any.function"() : () -> (() -> ())
      "acc.yield"(%4) : (() -> ()) -> ()
    }) : (!gpu.async.token) -> (() -> ())
    "acc.compute_region"() <{operandSegmentSizes = array<i32: 0, 0, 0>, origin = "a"}> ({
      "acc.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

