module {
  func.func @regions(%arg0: memref<4xi32>, %arg1: index, %arg2: !gpu.async.token) {
    %0 = acc.par_width %arg1 {par_dim = #acc.par_dim<thread_x>}
    acc.compute_region stream(%arg2 : !gpu.async.token) launch(%arg3 = %0, %arg4 = %0) ins(%arg5 = %arg0, %arg6 = %arg1) : (memref<4xi32>, index) {
      acc.yield
    } {foo = 1 : i32, kernel_func_name = @k, kernel_module_name = @m, origin = "acc.parallel"}
    %1 = acc.compute_region stream(%arg2 : !gpu.async.token) ins(%arg3 = %arg0) : (memref<4xi32>) -> memref<4xi32> {
      acc.yield %arg3 : memref<4xi32>
    } {origin = "acc.parallel"}
    %2:2 = acc.compute_region launch(%arg3 = %0) ins(%arg4 = %arg0) : (memref<4xi32>) -> (index, memref<4xi32>) {
      acc.yield %arg3, %arg4 : index, memref<4xi32>
    } {origin = "a"}
    %3 = acc.compute_region stream(%arg2 : !gpu.async.token) -> (() -> ()) {
      %4 = "any.function"() : () -> (() -> ())
      acc.yield %4 : () -> ()
    } {origin = "a"}
    acc.compute_region {
      acc.yield
    } {origin = "a"}
    return
  }
}

