#map = affine_map<() -> (0)>
#map1 = affine_map<() -> (4)>
"builtin.module"() ({
  "spirv.GlobalVariable"() <{sym_name = "id", type = !spirv.ptr<vector<3xi32>, Input>}> {built_in = "GlobalInvocationId"} : () -> ()
  "spirv.GlobalVariable"() <{binding = 2 : i32, descriptor_set = 1 : i32, sym_name = "v", type = !spirv.ptr<i32, Uniform>}> : () -> ()
  "spirv.GlobalVariable"() <{initializer = @v, sym_name = "w", type = !spirv.ptr<i32, Uniform>}> : () -> ()
  "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg11: i1):
    "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
      "spirv.BranchConditional"(%arg11)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
    ^bb1:  // pred: ^bb0
      "spirv.Branch"()[^bb2] : () -> ()
    ^bb2:  // 2 preds: ^bb0, ^bb1
      "spirv.mlir.merge"() : () -> ()
    }) : () -> ()
    "spirv.mlir.loop"() <{loop_control = #spirv.loop_control<Unroll>}> ({
      "spirv.Branch"()[^bb1] : () -> ()
    ^bb1:  // 2 preds: ^bb0, ^bb2
      "spirv.BranchConditional"(%arg11)[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
    ^bb2:  // pred: ^bb1
      "spirv.Branch"()[^bb1] : () -> ()
    ^bb3:  // pred: ^bb1
      "spirv.mlir.merge"() : () -> ()
    }) : () -> ()
    "spirv.Return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<f32>) -> tensor<f32>, sym_name = "tosa"}> ({
  ^bb0(%arg9: tensor<i1>, %arg10: tensor<f32>):
    %17 = "tosa.cond_if"(%arg9) ({
      "tosa.yield"(%arg10) : (tensor<f32>) -> ()
    }, {
      "tosa.yield"(%arg10) : (tensor<f32>) -> ()
    }) {a.b} : (tensor<i1>) -> tensor<f32>
    "func.return"(%17) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i1, memref<4xi32>, index, tensor<?xf32>) -> (), sym_name = "mixed"}> ({
  ^bb0(%arg3: i32, %arg4: i1, %arg5: memref<4xi32>, %arg6: index, %arg7: tensor<?xf32>):
    %9 = "memref.atomic_rmw"(%arg3, %arg5, %arg6) <{kind = 4 : i64}> : (i32, memref<4xi32>, index) -> i32
    %10 = "memref.atomic_rmw"(%arg3, %arg5, %arg6) <{kind = 12 : i64}> : (i32, memref<4xi32>, index) -> i32
    "cf.cond_br"(%arg4, %arg3)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
  ^bb1(%11: i32):  // 2 preds: ^bb0, ^bb1
    "cf.switch"(%arg3, %11)[^bb2, ^bb1] <{case_operand_segments = array<i32: 1>, case_values = dense<4> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %12 = "arith.trunci"(%arg3) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i16
    %13 = "arith.divsi"(%arg3, %arg3) : (i32, i32) -> i32
    %14 = "arith.shrui"(%arg3, %arg3) : (i32, i32) -> i32
    %15 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = #map, reductions = [3], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = #map1}> ({
    ^bb0(%arg8: index):
      %16 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      "affine.yield"(%16) : (f32) -> ()
    }) : () -> f32
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "kernels", targets = [#nvvm.target]}> ({
  ^bb0:
  }) : () -> ()
  "gpu.module"() <{sym_name = "others", targets = [#nvvm.target]}> ({
  ^bb0:
  }) {a.b} : () -> ()
  "gpu.module"() <{sym_name = "plain"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> (), sym_name = "quant"}> ({
  ^bb0(%arg2: tensor<4xf32>):
    %6 = "quant.qcast"(%arg2) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>
    %7 = "quant.scast"(%6) : (tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>) -> tensor<4xi8>
    %8 = "quant.dcast"(%6) : (tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>) -> tensor<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "mesh.mesh"() <{shape = array<i64: 2, -9223372036854775808, 4>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, sym_name = "sharded"}> ({
  ^bb0(%arg1: tensor<8x16xf32>):
    %3 = "mesh.sharding"() <{mesh = @mesh, operandSegmentSizes = array<i32: 0, 0>, split_axes = #mesh<axisarray[[0], [1]]>, static_halo_sizes = array<i64>, static_sharded_dims_offsets = array<i64>}> : () -> !mesh.sharding
    %4 = "mesh.shard"(%arg1, %3) <{annotate_for_users}> : (tensor<8x16xf32>, !mesh.sharding) -> tensor<8x16xf32>
    %5 = "mesh.all_reduce"(%4) <{mesh = @mesh, mesh_axes = array<i16: 0>, reduction = #mesh<partial max>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%5) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (i1) -> i32, sym_name = "g"}> ({
  ^bb0(%arg0: i1):
    %0 = "spirv.Constant"() <{value = 1 : i32}> : () -> i32
    %1 = "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
      "spirv.BranchConditional"(%arg0, %0)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
    ^bb1:  // pred: ^bb0
      "spirv.Branch"(%0)[^bb2] : (i32) -> ()
    ^bb2(%2: i32):  // 2 preds: ^bb0, ^bb1
      "spirv.mlir.merge"(%2) : (i32) -> ()
    }) : () -> i32
    "spirv.ReturnValue"(%1) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

