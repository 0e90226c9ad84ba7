#executable_target_a = #hal.executable.target<"llvm-cpu", "a">
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
"builtin.module"() ({
  "util.func"() <{function_type = (tensor<4xi32>, tensor<?xi32>, index) -> tensor<?xi32>, sym_name = "d", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg0: tensor<4xi32>, %arg1: tensor<?xi32>, %arg2: index):
    %0 = "hal.dispatch.extern"(%arg0, %arg1, %arg2, %arg2) <{export_name = "main", layout = #pipeline_layout, operandSegmentSizes = array<i32: 0, 2, 1, 1>, subgroup_size = 4 : index, target_objects = [[], [#hal.executable.object<{path = "a.o"}>]], target_ordinals = [1 : index, 2 : index], targets = [#executable_target_a, #executable_target_a], tied_operands = [-1 : index], workgroup_size = [1 : index, 2 : index, 3 : index]}> ({
    ^bb0(%arg7: !hal.device):
      %4 = "arith.constant"() <{value = 1 : index}> : () -> index
      "hal.return"(%4, %4, %4) : (index, index, index) -> ()
    }, {
    ^bb0(%arg6: !hal.device):
      %3 = "arith.constant"() <{value = true}> : () -> i1
      "hal.return"(%3) : (i1) -> ()
    }, {
    }) {foo} : (tensor<4xi32>, tensor<?xi32>, index, index) -> tensor<?xi32>
    %1:2 = "hal.dispatch.extern"(%arg2, %arg2, %arg0, %arg1, %arg2, %arg2) <{export_name = "main", layout = #pipeline_layout, operandSegmentSizes = array<i32: 2, 2, 1, 1>, target_objects = [[#hal.executable.object<{path = "a.o"}>]], target_ordinals = [2 : index], targets = [#executable_target_a], tied_operands = [-1 : index, 1 : index]}> ({
    ^bb0(%arg3: !hal.device, %arg4: index, %arg5: index):
      %2 = "arith.constant"() <{value = 1 : index}> : () -> index
      "hal.return"(%2, %2, %2) : (index, index, index) -> ()
    }, {
    }) : (index, index, tensor<4xi32>, tensor<?xi32>, index, index) -> (tensor<4xi32>, tensor<?xf32>)
    "util.return"(%0) : (tensor<?xi32>) -> ()
  }) : () -> ()
}) : () -> ()

