"builtin.module"() ({
  "acc.private.recipe"() <{sym_name = "p", type = memref<4xf32>}> ({
  ^bb0(%arg8: memref<4xf32>):
    "acc.yield"(%arg8) : (memref<4xf32>) -> ()
  }, {
  }) : () -> ()
  "acc.reduction.recipe"() <{reductionOperator = #acc.reduction_operator<add>, sym_name = "r", type = f32}> ({
  ^bb0(%arg7: f32):
    "acc.yield"(%arg7) : (f32) -> ()
  }, {
  ^bb0(%arg5: f32, %arg6: f32):
    "acc.yield"(%arg5) : (f32) -> ()
  }) : () -> ()
  "acc.routine"() <{bindName = ["name"], bindNameDeviceType = [#acc.device_type<none>], func_name = "f", seq = [#acc.device_type<none>], sym_name = "routine"}> : () -> ()
  "func.func"() <{function_type = (memref<4xf32>, i1, i32, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: i1, %arg2: i32, %arg3: index):
    %0 = "acc.copyin"(%arg0) <{dataClause = #acc<data_clause acc_copyin>, implicit = false, operandSegmentSizes = array<i32: 1, 0, 0, 0>, structured = true}> : (memref<4xf32>) -> memref<4xf32>
    %1 = "acc.private"(%arg0) <{dataClause = #acc<data_clause acc_private>, implicit = false, operandSegmentSizes = array<i32: 1, 0, 0, 0>, structured = true}> : (memref<4xf32>) -> memref<4xf32>
    "acc.parallel"(%arg2, %1, %0) <{numGangsDeviceType = [#acc.device_type<none>], numGangsSegments = array<i32: 1>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1>, privatizations = [@p]}> ({
      "acc.loop"(%arg3, %arg3, %arg3, %1) <{inclusiveUpperbound = array<i1: true>, independent = [#acc.device_type<none>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 0>, privatizations = [@p]}> ({
      ^bb0(%arg4: index):
        "acc.yield"() : () -> ()
      }) : (index, index, index, memref<4xf32>) -> ()
      "acc.yield"() : () -> ()
    }) : (i32, memref<4xf32>, memref<4xf32>) -> ()
    "acc.serial"(%arg1, %0) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0, 1>}> ({
    }) : (i1, memref<4xf32>) -> ()
    "acc.kernels"(%0) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 1>}> ({
    }) : (memref<4xf32>) -> ()
    "acc.data"(%0) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
    }) : (memref<4xf32>) -> ()
    "acc.enter_data"(%0) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}> : (memref<4xf32>) -> ()
    "acc.wait"(%arg2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (i32) -> ()
    "acc.copyout"(%0, %arg0) <{dataClause = #acc<data_clause acc_copyout>, implicit = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>, structured = true}> : (memref<4xf32>, memref<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

