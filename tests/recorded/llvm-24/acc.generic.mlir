#loc = loc("a.c":1:2)
#loc1 = loc(unknown)
"builtin.module"() ({
  "func.func"() <{function_type = (!llvm.ptr, memref<4xi32>, !acc.data_bounds_ty, i64) -> (), sym_name = "map"}> ({
  ^bb0(%arg4: !llvm.ptr, %arg5: memref<4xi32>, %arg6: !acc.data_bounds_ty, %arg7: i64):
    %0 = "acc.map_info"(%arg5) <{descKind = #acc.desc_kind<none>, mapFlags = #acc.map_flags<none>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, varType = i32}> : (memref<4xi32>) -> memref<4xi32>
    %1 = "acc.map_info"(%arg4, %arg4, %arg6, %arg6, %arg7) <{descKind = #acc.desc_kind<cfi,openacc>, elementSize = 4 : i64, exitLoc = #loc, mapFlags = #acc.map_flags<to,from>, name = "x", operandSegmentSizes = array<i32: 1, 1, 0, 2, 1>, varType = i32}> {foo = 1 : i32} : (!llvm.ptr, !llvm.ptr, !acc.data_bounds_ty, !acc.data_bounds_ty, i64) -> !llvm.ptr
    %2 = "acc.map_info"(%arg4, %arg4) <{descKind = #acc.desc_kind<cfi>, exitLoc = #loc1, mapFlags = #acc.map_flags<none>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>, varType = i32}> : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    %3 = "acc.map_info"(%arg4, %arg7) <{descKind = #acc.desc_kind<cfi,memref>, elementSize = 4 : i64, exitLoc = #loc, mapFlags = #acc.map_flags<to,from>, name = "a", operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>, varType = i32}> : (!llvm.ptr, i64) -> !llvm.ptr
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> (), sym_name = "loops"}> ({
  ^bb0(%arg0: i32):
    "acc.loop"(%arg0, %arg0, %arg0) <{independent = [#acc.device_type<none>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    ^bb0(%arg3: i32):
      "acc.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "acc.loop"(%arg0, %arg0, %arg0, %arg0) <{combined = #acc.combined_constructs<parallel_loop>, gang = [], gangOperandsArgType = [#acc.gang_arg_type<Num>], gangOperandsDeviceType = [#acc.device_type<none>], gangOperandsSegments = array<i32: 1>, independent = [#acc.device_type<none>], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0>}> ({
    ^bb0(%arg2: i32):
      "acc.yield"() : () -> ()
    }) {foo} : (i32, i32, i32, i32) -> ()
    "acc.loop"(%arg0, %arg0, %arg0) <{auto_ = [#acc.device_type<nvidia>, #acc.device_type<none>], collapse = [1], collapseDeviceType = [#acc.device_type<none>], inclusiveUpperbound = array<i1: true>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    ^bb0(%arg1: i32):
      "acc.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "acc.loop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, seq = [#acc.device_type<none>], unstructured}> ({
      "acc.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

