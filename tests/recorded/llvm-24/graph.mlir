module {
  spirv.module Logical Vulkan requires #spirv.vce<v1.0, [Shader, VulkanMemoryModel, Int8, TensorsARM, GraphARM], [SPV_ARM_tensors, SPV_ARM_graph, SPV_KHR_vulkan_memory_model]> {
    spirv.ARM.Graph @g(%arg0: !spirv.arm.tensor<14x19xi16>, %arg1: !spirv.arm.tensor<2xi16>) -> (!spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2x3xi16>) {
      %0 = spirv.ARM.GraphConstant id = 42 : !spirv.arm.tensor<2x3xi16>
      spirv.ARM.GraphOutputs %arg0, %0 : !spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2x3xi16>
    }
    spirv.ARM.Graph @h(%arg0: !spirv.arm.tensor<2xi16>) -> !spirv.arm.tensor<2xi16> {
      spirv.ARM.GraphOutputs %arg0 : !spirv.arm.tensor<2xi16>
    }
  }
}

