"builtin.module"() ({
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<Vulkan>, vce_triple = #spirv.vce<v1.0, [Shader, VulkanMemoryModel, Int8, TensorsARM, GraphARM], [SPV_ARM_tensors, SPV_ARM_graph, SPV_KHR_vulkan_memory_model]>}> ({
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2xi16>) -> (!spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2x3xi16>), sym_name = "g"}> ({
    ^bb0(%arg1: !spirv.arm.tensor<14x19xi16>, %arg2: !spirv.arm.tensor<2xi16>):
      %0 = "spirv.ARM.GraphConstant"() <{graph_constant_id = 42 : i32}> : () -> !spirv.arm.tensor<2x3xi16>
      "spirv.ARM.GraphOutputs"(%arg1, %0) : (!spirv.arm.tensor<14x19xi16>, !spirv.arm.tensor<2x3xi16>) -> ()
    }) : () -> ()
    "spirv.ARM.Graph"() <{function_type = (!spirv.arm.tensor<2xi16>) -> !spirv.arm.tensor<2xi16>, sym_name = "h"}> ({
    ^bb0(%arg0: !spirv.arm.tensor<2xi16>):
      "spirv.ARM.GraphOutputs"(%arg0) : (!spirv.arm.tensor<2xi16>) -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()

