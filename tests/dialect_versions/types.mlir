func.func private @tokens(token, (token) -> tuple<token, i32>) -> token

module attributes {a.b = [token, "c" : token]} {}

spirv.module Logical Vulkan requires #spirv.vce<v1.0, [Shader, VulkanMemoryModel, Int8, TensorsARM, GraphARM], [SPV_ARM_tensors, SPV_ARM_graph, SPV_KHR_vulkan_memory_model]> {
  spirv.ARM.Graph @graph(%arg0: !spirv.arm.tensor<14x19xi16>, %arg1: !spirv.arm.tensor<2xi16>) -> (!spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2xi16>) {
    spirv.ARM.GraphOutputs %arg0, %arg1 : !spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2xi16>
  }
}
