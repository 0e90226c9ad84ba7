"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32, i64, i8)>, linkage = #llvm.linkage<external>, sym_name = "switches", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg8: i32, %arg9: i64, %arg10: i8):
    "llvm.switch"(%arg8, %arg8, %arg9, %arg8, %arg9)[^bb1, ^bb1, ^bb2] <{branch_weights = array<i32: 1, 2, 3>, case_operand_segments = array<i32: 2, 0>, case_values = dense<[-1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 2, 2>}> {foo} : (i32, i32, i64, i32, i64) -> ()
  ^bb1(%0: i32, %1: i64):  // 2 preds: ^bb0, ^bb0
    "llvm.switch"(%arg8)[^bb2] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    "llvm.switch"(%arg10)[^bb3, ^bb3, ^bb3] <{case_operand_segments = array<i32: 0, 0>, case_values = dense<[-1, 127]> : vector<2xi8>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i8) -> ()
  ^bb3:  // 3 preds: ^bb2, ^bb2, ^bb2
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr<7>, ptr<3>, ptr, ptr<3>, i32, i16, i64, i1)>, linkage = #llvm.linkage<external>, sym_name = "copies", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: i32, %arg5: i16, %arg6: i64, %arg7: i1):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg0, %arg2, %arg4, %arg4, %arg3, %arg5, %arg6) <{group = #nvvm.cta_group<cta_2>, isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 1, 1, 0>}> {foo} : (!llvm.ptr<7>, !llvm.ptr, i32, i32, !llvm.ptr<3>, i16, i64) -> ()
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg0, %arg2, %arg4, %arg4, %arg3) <{group = #nvvm.cta_group<cta_1>, isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg1, %arg2, %arg4, %arg4, %arg3) <{isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 0, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg0, %arg2, %arg4, %arg4, %arg4, %arg3, %arg5) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 3, 1, 1, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, i32, !llvm.ptr<3>, i16) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

