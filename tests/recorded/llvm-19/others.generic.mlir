#map = affine_map<() -> (0)>
#map1 = affine_map<() -> (4)>
"builtin.module"() ({
  "spirv.GlobalVariable"() <{sym_name = "id", type = !spirv.ptr<vector<3xi32>, Input>}> {built_in = "GlobalInvocationId"} : () -> ()
  "spirv.GlobalVariable"() <{binding = 2 : i32, descriptor_set = 1 : i32, sym_name = "v", type = !spirv.ptr<i32, Uniform>}> : () -> ()
  "spirv.GlobalVariable"() <{initializer = @v, sym_name = "w", type = !spirv.ptr<i32, Uniform>}> : () -> ()
  "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg12: i1):
    "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
      "spirv.BranchConditional"(%arg12)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
    ^bb1:  // pred: ^bb0
      "spirv.Branch"()[^bb2] : () -> ()
    ^bb2:  // 2 preds: ^bb0, ^bb1
      "spirv.mlir.merge"() : () -> ()
    }) : () -> ()
    "spirv.mlir.loop"() <{loop_control = #spirv.loop_control<Unroll>}> ({
      "spirv.Branch"()[^bb1] : () -> ()
    ^bb1:  // 2 preds: ^bb0, ^bb2
      "spirv.BranchConditional"(%arg12)[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
    ^bb2:  // pred: ^bb1
      "spirv.Branch"()[^bb1] : () -> ()
    ^bb3:  // pred: ^bb1
      "spirv.mlir.merge"() : () -> ()
    }) : () -> ()
    "spirv.Return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<f32>) -> tensor<f32>, sym_name = "tosa"}> ({
  ^bb0(%arg10: tensor<i1>, %arg11: tensor<f32>):
    %13 = "tosa.cond_if"(%arg10) ({
      "tosa.yield"(%arg11) : (tensor<f32>) -> ()
    }, {
      "tosa.yield"(%arg11) : (tensor<f32>) -> ()
    }) {a.b} : (tensor<i1>) -> tensor<f32>
    "func.return"(%13) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i1, memref<4xi32>, index, tensor<?xf32>) -> (), sym_name = "mixed"}> ({
  ^bb0(%arg4: i32, %arg5: i1, %arg6: memref<4xi32>, %arg7: index, %arg8: tensor<?xf32>):
    %5 = "memref.atomic_rmw"(%arg4, %arg6, %arg7) <{kind = 4 : i64}> : (i32, memref<4xi32>, index) -> i32
    %6 = "memref.atomic_rmw"(%arg4, %arg6, %arg7) <{kind = 12 : i64}> : (i32, memref<4xi32>, index) -> i32
    "cf.cond_br"(%arg5, %arg4)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
  ^bb1(%7: i32):  // 2 preds: ^bb0, ^bb1
    "cf.switch"(%arg4, %7)[^bb2, ^bb1] <{case_operand_segments = array<i32: 1>, case_values = dense<4> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %8 = "arith.trunci"(%arg4) : (i32) -> i16
    %9 = "arith.divsi"(%arg4, %arg4) : (i32, i32) -> i32
    %10 = "arith.shrui"(%arg4, %arg4) : (i32, i32) -> i32
    %11 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = #map, reductions = [3], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = #map1}> ({
    ^bb0(%arg9: index):
      %12 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      "affine.yield"(%12) : (f32) -> ()
    }) : () -> f32
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "kernels", targets = [#nvvm.target]}> ({
    "gpu.module_end"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "others", targets = [#nvvm.target]}> ({
    "gpu.module_end"() : () -> ()
  }) {a.b} : () -> ()
  "gpu.module"() <{sym_name = "plain"}> ({
    "gpu.module_end"() : () -> ()
  }) : () -> ()
  "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (f32, vector<2xi32>) -> (), sym_name = "h"}> ({
  ^bb0(%arg2: f32, %arg3: vector<2xi32>):
    %2 = "spirv.Constant"() <{value = 4 : i32}> : () -> i32
    %3 = "spirv.GroupNonUniformFAdd"(%arg2) <{execution_scope = #spirv.scope<Workgroup>, group_operation = #spirv.group_operation<Reduce>}> : (f32) -> f32
    %4 = "spirv.GroupNonUniformIAdd"(%arg3, %2) <{execution_scope = #spirv.scope<Workgroup>, group_operation = #spirv.group_operation<ClusteredReduce>}> : (vector<2xi32>, i32) -> vector<2xi32>
    "spirv.Return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<128x256xf32>, tensor<16x8x8x32xf32>) -> (), sym_name = "pack"}> ({
  ^bb0(%arg0: tensor<128x256xf32>, %arg1: tensor<16x8x8x32xf32>):
    %0 = "tensor.pack"(%arg0, %arg1) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = array<i64: 8, 32>}> : (tensor<128x256xf32>, tensor<16x8x8x32xf32>) -> tensor<16x8x8x32xf32>
    %1 = "tensor.unpack"(%arg1, %arg0) <{inner_dims_pos = array<i64: 0, 1>, static_inner_tiles = array<i64: 8, 32>}> : (tensor<16x8x8x32xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "builtin.module"() ({
  ^bb0:
  }) {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>, #dlti.dl_entry<"dlti.endianness", "little">>} : () -> ()
}) : () -> ()

