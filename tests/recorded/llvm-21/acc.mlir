module {
  acc.private.recipe @p : memref<4xf32> init {
  ^bb0(%arg0: memref<4xf32>):
    acc.yield %arg0 : memref<4xf32>
  }
  acc.reduction.recipe @r : f32 reduction_operator <add> init {
  ^bb0(%arg0: f32):
    acc.yield %arg0 : f32
  } combiner {
  ^bb0(%arg0: f32, %arg1: f32):
    acc.yield %arg0 : f32
  }
  acc.routine @routine func(@f) bind("name") seq 
  func.func @f(%arg0: memref<4xf32>, %arg1: i1, %arg2: i32, %arg3: index) {
    %0 = acc.copyin varPtr(%arg0 : memref<4xf32>) -> memref<4xf32>
    %1 = acc.private varPtr(%arg0 : memref<4xf32>) -> memref<4xf32>
    acc.parallel dataOperands(%0 : memref<4xf32>) num_gangs({%arg2 : i32}) private(@p -> %1 : memref<4xf32>) {
      acc.loop private(@p -> %1 : memref<4xf32>) control(%arg4 : index) = (%arg3 : index) to (%arg3 : index)  step (%arg3 : index) {
        acc.yield
      } attributes {inclusiveUpperbound = array<i1: true>, independent = [#acc.device_type<none>]}
      acc.yield
    }
    acc.serial dataOperands(%0 : memref<4xf32>) if(%arg1) {
    }
    acc.kernels dataOperands(%0 : memref<4xf32>) {
    }
    acc.data dataOperands(%0 : memref<4xf32>) {
    }
    acc.enter_data dataOperands(%0 : memref<4xf32>)
    acc.wait(%arg2 : i32)
    acc.copyout accPtr(%0 : memref<4xf32>) to varPtr(%arg0 : memref<4xf32>)
    return
  }
}

