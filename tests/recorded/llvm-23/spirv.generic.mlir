"builtin.module"() ({
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<Vulkan>, vce_triple = #spirv.vce<v1.3, [Shader], []>}> ({
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>, sym_name = "transpose"}> ({
    ^bb0(%arg15: !spirv.arm.tensor<3x3xi8>):
      %8 = "spirv.Tosa.Transpose"(%arg15) <{perms = dense<[1, 0]> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>
      "spirv.ARM.GraphOutputs"(%8) : (!spirv.arm.tensor<3x3xi8>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>, sym_name = "same"}> ({
    ^bb0(%arg14: !spirv.arm.tensor<3x3xi8>):
      %7 = "spirv.Tosa.Transpose"(%arg14) <{perms = dense<0> : !spirv.arm.tensor<2xi32>}> {foo} : (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>
      "spirv.ARM.GraphOutputs"(%7) : (!spirv.arm.tensor<3x3xi8>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>, sym_name = "other"}> ({
    ^bb0(%arg13: !spirv.arm.tensor<3x3xi8>):
      %6 = "spirv.Tosa.Transpose"(%arg13) <{perms = dense<[-5, 16]> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8>
      "spirv.ARM.GraphOutputs"(%6) : (!spirv.arm.tensor<3x3xi8>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<1x32x32x8xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>, sym_name = "max"}> ({
    ^bb0(%arg12: !spirv.arm.tensor<1x32x32x8xf32>):
      %5 = "spirv.Tosa.MaxPool2D"(%arg12) <{kernel = dense<1> : !spirv.arm.tensor<2xi32>, nan_mode = #spirv.tosa_ext_nan_propagation_mode_type<Propagate>, pad = dense<0> : !spirv.arm.tensor<4xi32>, stride = dense<1> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<1x32x32x8xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>
      "spirv.ARM.GraphOutputs"(%5) : (!spirv.arm.tensor<1x32x32x8xf32>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>, sym_name = "average"}> ({
    ^bb0(%arg10: !spirv.arm.tensor<1x32x32x8xf32>, %arg11: !spirv.arm.tensor<1xf32>):
      %4 = "spirv.Tosa.AvgPool2D"(%arg10, %arg11, %arg11) <{acc_type = #spirv.tosa_ext_acc_type<FP32>, kernel = dense<1> : !spirv.arm.tensor<2xi32>, pad = dense<0> : !spirv.arm.tensor<4xi32>, stride = dense<1> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>
      "spirv.ARM.GraphOutputs"(%4) : (!spirv.arm.tensor<1x32x32x8xf32>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>, sym_name = "conv"}> ({
    ^bb0(%arg6: !spirv.arm.tensor<1x32x32x8xf32>, %arg7: !spirv.arm.tensor<8x1x1x8xf32>, %arg8: !spirv.arm.tensor<8xf32>, %arg9: !spirv.arm.tensor<1xf32>):
      %3 = "spirv.Tosa.Conv2D"(%arg6, %arg7, %arg8, %arg9, %arg9) <{acc_type = #spirv.tosa_ext_acc_type<FP32>, dilation = dense<1> : !spirv.arm.tensor<2xi32>, local_bound = true, pad = dense<0> : !spirv.arm.tensor<4xi32>, stride = dense<1> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>
      "spirv.ARM.GraphOutputs"(%3) : (!spirv.arm.tensor<1x32x32x8xf32>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>, sym_name = "back"}> ({
    ^bb0(%arg2: !spirv.arm.tensor<1x32x32x8xf32>, %arg3: !spirv.arm.tensor<8x1x1x8xf32>, %arg4: !spirv.arm.tensor<8xf32>, %arg5: !spirv.arm.tensor<1xf32>):
      %2 = "spirv.Tosa.TransposeConv2D"(%arg2, %arg3, %arg4, %arg5, %arg5) <{acc_type = #spirv.tosa_ext_acc_type<FP32>, local_bound = false, out_pad = dense<0> : !spirv.arm.tensor<4xi32>, stride = dense<1> : !spirv.arm.tensor<2xi32>}> : (!spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32>
      "spirv.ARM.GraphOutputs"(%2) : (!spirv.arm.tensor<1x32x32x8xf32>) -> ()
    }) : () -> ()
  }) : () -> ()
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = () -> (), sym_name = "k"}> ({
      "spirv.Return"() : () -> ()
    }) : () -> ()
    "spirv.SpecConstant"() <{default_value = 3 : i32, sym_name = "x"}> : () -> ()
    "spirv.EntryPoint"() <{execution_model = #spirv.execution_model<GLCompute>, fn = @k, interface = []}> : () -> ()
    "spirv.ExecutionModeId"() <{execution_mode = #spirv.execution_mode<LocalSizeId>, fn = @k, values = [@x, @x, @x]}> : () -> ()
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (f32, vector<3xf32>) -> (), sym_name = "f"}> ({
    ^bb0(%arg0: f32, %arg1: vector<3xf32>):
      %0 = "spirv.GL.NClamp"(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
      %1 = "spirv.GL.SmoothStep"(%arg1, %arg1, %arg1) {foo} : (vector<3xf32>, vector<3xf32>, vector<3xf32>) -> vector<3xf32>
      "spirv.Return"() : () -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()

