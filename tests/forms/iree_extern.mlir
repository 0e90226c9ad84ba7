#executable_target_a = #hal.executable.target<"llvm-cpu", "a">
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
module {
  util.func public @d(%arg0: tensor<4xi32>, %arg1: tensor<?xi32>, %arg2: index) -> tensor<?xi32> {
    %0 = hal.dispatch.extern "main"(%arg0, %arg1) : (tensor<4xi32>, tensor<?xi32>{%arg2}) -> tensor<?xi32>{%arg2} count(%arg3: !hal.device) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      hal.return %c1, %c1, %c1 : index, index, index
    } layout(#pipeline_layout) objects({
      #executable_target_a if(%arg3: !hal.device) -> i1 {
        %true = arith.constant true
        hal.return %true : i1
      } ordinal(1) = [],
      #executable_target_a ordinal(2) = [#hal.executable.object<{path = "a.o"}>]
    }) <workgroup_size = [1 : index, 2 : index, 3 : index], subgroup_size = 4> attributes {foo}
    %1:2 = hal.dispatch.extern "main"[%arg2, %arg2](%arg0, %arg1) : (tensor<4xi32>, tensor<?xi32>{%arg2}) -> (tensor<4xi32>, %arg1 as tensor<?xf32>{%arg2}) count(%arg3: !hal.device, %arg4: index, %arg5: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      hal.return %c1, %c1, %c1 : index, index, index
    } layout(#pipeline_layout) objects({
      #executable_target_a ordinal(2) = [#hal.executable.object<{path = "a.o"}>]
    })
    util.return %0 : tensor<?xi32>
  }
}

