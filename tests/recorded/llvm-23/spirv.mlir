module {
  spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
    spirv.ARM.Graph @transpose(%arg0: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
      %0 = spirv.Tosa.Transpose perms = [1, 0], %arg0 : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
    }
    spirv.ARM.Graph @same(%arg0: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
      %0 = spirv.Tosa.Transpose perms = [0, 0], %arg0 {foo} : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
    }
    spirv.ARM.Graph @other(%arg0: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
      %0 = spirv.Tosa.Transpose perms = [-5, 16], %arg0 : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
    }
    spirv.ARM.Graph @max(%arg0: !spirv.arm.tensor<1x32x32x8xf32>) -> !spirv.arm.tensor<1x32x32x8xf32> {
      %0 = spirv.Tosa.MaxPool2D kernel = [1, 1], stride = [1, 1], pad = [0, 0, 0, 0], nan_mode = <Propagate>, %arg0 : !spirv.arm.tensor<1x32x32x8xf32> -> !spirv.arm.tensor<1x32x32x8xf32>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<1x32x32x8xf32>
    }
    spirv.ARM.Graph @average(%arg0: !spirv.arm.tensor<1x32x32x8xf32>, %arg1: !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32> {
      %0 = spirv.Tosa.AvgPool2D kernel = [1, 1], stride = [1, 1], pad = [0, 0, 0, 0], acc_type = <FP32>, %arg0, %arg1, %arg1 : !spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32> -> !spirv.arm.tensor<1x32x32x8xf32>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<1x32x32x8xf32>
    }
    spirv.ARM.Graph @conv(%arg0: !spirv.arm.tensor<1x32x32x8xf32>, %arg1: !spirv.arm.tensor<8x1x1x8xf32>, %arg2: !spirv.arm.tensor<8xf32>, %arg3: !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32> {
      %0 = spirv.Tosa.Conv2D pad = [0, 0, 0, 0], stride = [1, 1], dilation = [1, 1], acc_type = <FP32>, local_bound = true, %arg0, %arg1, %arg2, %arg3, %arg3 : !spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32> -> !spirv.arm.tensor<1x32x32x8xf32>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<1x32x32x8xf32>
    }
    spirv.ARM.Graph @back(%arg0: !spirv.arm.tensor<1x32x32x8xf32>, %arg1: !spirv.arm.tensor<8x1x1x8xf32>, %arg2: !spirv.arm.tensor<8xf32>, %arg3: !spirv.arm.tensor<1xf32>) -> !spirv.arm.tensor<1x32x32x8xf32> {
      %0 = spirv.Tosa.TransposeConv2D out_pad = [0, 0, 0, 0], stride = [1, 1], acc_type = <FP32>, local_bound = false, %arg0, %arg1, %arg2, %arg3, %arg3 : !spirv.arm.tensor<1x32x32x8xf32>, !spirv.arm.tensor<8x1x1x8xf32>, !spirv.arm.tensor<8xf32>, !spirv.arm.tensor<1xf32>, !spirv.arm.tensor<1xf32> -> !spirv.arm.tensor<1x32x32x8xf32>
      spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<1x32x32x8xf32>
    }
  }
  spirv.module Logical GLSL450 {
    spirv.func @k() "None" {
      spirv.Return
    }
    spirv.SpecConstant @x = 3 : i32
    spirv.EntryPoint "GLCompute" @k
    spirv.ExecutionModeId @k "LocalSizeId" @x, @x, @x
    spirv.func @f(%arg0: f32, %arg1: vector<3xf32>) "None" {
      %0 = spirv.GL.NClamp %arg0, %arg0, %arg0 : f32
      %1 = spirv.GL.SmoothStep %arg1, %arg1, %arg1 {foo} : vector<3xf32>
      spirv.Return
    }
  }
}

