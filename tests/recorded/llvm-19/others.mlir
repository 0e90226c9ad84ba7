module {
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @v bind(1, 2) : !spirv.ptr<i32, Uniform>
  spirv.GlobalVariable @w initializer(@v) : !spirv.ptr<i32, Uniform>
  spirv.func @f(%arg0: i1) "None" {
    spirv.mlir.selection {
      spirv.BranchConditional %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      spirv.Branch ^bb2
    ^bb2:  // 2 preds: ^bb0, ^bb1
      spirv.mlir.merge
    }
    spirv.mlir.loop control(Unroll) {
      spirv.Branch ^bb1
    ^bb1:  // 2 preds: ^bb0, ^bb2
      spirv.BranchConditional %arg0, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      spirv.Branch ^bb1
    ^bb3:  // pred: ^bb1
      spirv.mlir.merge
    }
    spirv.Return
  }
  func.func @tosa(%arg0: tensor<i1>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = tosa.cond_if %arg0 -> (tensor<f32>) {
      tosa.yield %arg1 : tensor<f32>
    } else {
      tosa.yield %arg1 : tensor<f32>
    } {a.b}
    return %0 : tensor<f32>
  }
  func.func @mixed(%arg0: i32, %arg1: i1, %arg2: memref<4xi32>, %arg3: index, %arg4: tensor<?xf32>) {
    %0 = memref.atomic_rmw maxs %arg0, %arg2[%arg3] : (i32, memref<4xi32>) -> i32
    %1 = memref.atomic_rmw andi %arg0, %arg2[%arg3] : (i32, memref<4xi32>) -> i32
    cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2
  ^bb1(%2: i32):  // 2 preds: ^bb0, ^bb1
    cf.switch %arg0 : i32, [
      default: ^bb2,
      4: ^bb1(%2 : i32)
    ]
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %3 = arith.trunci %arg0 : i32 to i16
    %4 = arith.divsi %arg0, %arg0 : i32
    %5 = arith.shrui %arg0, %arg0 : i32
    %6 = affine.parallel (%arg5) = (0) to (4) reduce ("maximumf") -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      affine.yield %cst : f32
    }
    return
  }
  gpu.module @kernels [#nvvm.target]  {
  }
  gpu.module @others [#nvvm.target]  attributes {a.b} {
  }
  gpu.module @plain {
  }
  spirv.func @h(%arg0: f32, %arg1: vector<2xi32>) "None" {
    %cst4_i32 = spirv.Constant 4 : i32
    %0 = spirv.GroupNonUniformFAdd "Workgroup" "Reduce" %arg0 : f32
    %1 = spirv.GroupNonUniformIAdd "Workgroup" "ClusteredReduce" %arg1 cluster_size(%cst4_i32) : vector<2xi32>
    spirv.Return
  }
  func.func @pack(%arg0: tensor<128x256xf32>, %arg1: tensor<16x8x8x32xf32>) {
    %pack = tensor.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg1 : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
    %unpack = tensor.unpack %arg1 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg0 : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
    return
  }
  module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>, #dlti.dl_entry<"dlti.endianness", "little">>} {
  }
}

