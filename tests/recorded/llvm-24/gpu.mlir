module {
  gpu.module @m {
    gpu.func @plain(%arg0: i32) -> i32 {
      gpu.return %arg0 : i32
    }
    gpu.func @k(%arg0: i32 {gpu.x}) workgroup(%arg1 : memref<3xf32, 3>) private(%arg2 : memref<1xf32, 5>) kernel attributes {foo, known_block_size = array<i32: 1, 2, 3>} {
      gpu.return
    }
    gpu.func @l() kernel {
      gpu.return
    }
  }
}

