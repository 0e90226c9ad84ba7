module {
  llvm.func @switches(%arg0: i32, %arg1: i64, %arg2: i8) {
    llvm.switch %arg0 : i32, ^bb1(%arg0, %arg1 : i32, i64) [
      -1: ^bb1(%arg0, %arg1 : i32, i64),
      2: ^bb2
    ] weights([1, 2, 3]) {foo}
  ^bb1(%0: i32, %1: i64):  // 2 preds: ^bb0, ^bb0
    llvm.switch %arg0 : i32, ^bb2 [
    ]
  ^bb2:  // 2 preds: ^bb0, ^bb1
    llvm.switch %arg2 : i8, ^bb3 [
      -1: ^bb3,
      127: ^bb3
    ]
  ^bb3:  // 3 preds: ^bb2, ^bb2, ^bb2
    llvm.return
  }
  llvm.func @copies(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: i32, %arg5: i16, %arg6: i64, %arg7: i1) {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg2, %arg3, box[%arg4, %arg4] multicast_mask = %arg5 l2_cache_hint = %arg6 group = cta_2 {foo} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg2, %arg3, box[%arg4, %arg4] group = cta_1 : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg2, %arg3, box[%arg4, %arg4] cta_only = true : !llvm.ptr<3>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg2, %arg3, box[%arg4, %arg4, %arg4] im2col[%arg5] mode = im2col : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
}

