#loc = loc("a.c":1:2)
#loc1 = loc(unknown)
module {
  func.func @map(%arg0: !llvm.ptr, %arg1: memref<4xi32>, %arg2: !acc.data_bounds_ty, %arg3: i64) {
    %0 = acc.map_info varPtr(%arg1 : memref<4xi32>) descKind(none) mapFlags(none) -> memref<4xi32>
    %1 = acc.map_info varPtr(%arg0 : !llvm.ptr) varType(i32) varPtrPtr(%arg0 : !llvm.ptr) bounds(%arg2, %arg2) size(%arg3 : i64) elementSize(4) name("x") exitLoc(#loc) descKind(cfi,openacc) mapFlags(to,from) -> !llvm.ptr {foo = 1 : i32}
    %2 = acc.map_info varPtr(%arg0 : !llvm.ptr) varType(i32) desc(%arg0 : !llvm.ptr) exitLoc(#loc1) descKind(cfi) mapFlags(none) -> !llvm.ptr
    %3 = acc.map_info varPtr(%arg0 : !llvm.ptr) varType(i32) size(%arg3 : i64) elementSize(4) name("a") exitLoc(#loc) descKind(cfi,memref) mapFlags(to,from) -> !llvm.ptr
    return
  }
  func.func @loops(%arg0: i32) {
    acc.loop control(%arg1 : i32) = (%arg0 : i32) to (%arg0 : i32)  step (%arg0 : i32) {
      acc.yield
    } independent 
    acc.loop combined(parallel) gang({num=%arg0 : i32}) control(%arg1 : i32) = (%arg0 : i32) to (%arg0 : i32)  step (%arg0 : i32) {
      acc.yield
    } independent  attributes {foo}
    acc.loop control(%arg1 : i32) = (%arg0 : i32) to (%arg0 : i32)  step (%arg0 : i32) {
      acc.yield
    } inclusiveUpperbound(array<i1: true>) collapse([1]) collapseDeviceType([#acc.device_type<none>]) auto_ ([#acc.device_type<nvidia>, #acc.device_type<none>])
    acc.loop {
      acc.yield
    } seq  unstructured
    return
  }
}

