"builtin.module"() ({
  "omp.declare_reduction"() <{sym_name = "add_f32", type = f32}> ({
  ^bb0(%arg30: f32):
    "omp.yield"(%arg30) : (f32) -> ()
  }, {
  ^bb0(%arg28: f32, %arg29: f32):
    "omp.yield"(%arg28) : (f32) -> ()
  }, {
  ^bb0(%arg26: !llvm.ptr, %arg27: !llvm.ptr):
    "omp.yield"() : () -> ()
  }, {
  ^bb0(%arg25: f32):
    "omp.yield"() : () -> ()
  }) : () -> ()
  "omp.declare_reduction"() <{sym_name = "add_f32_1", type = f32}> ({
  ^bb0(%arg24: f32):
    "omp.yield"(%arg24) : (f32) -> ()
  }, {
  ^bb0(%arg22: f32, %arg23: f32):
    "omp.yield"(%arg22) : (f32) -> ()
  }, {
  }, {
  }) : () -> ()
  "omp.private"() <{data_sharing_type = #omp<data_sharing_type{type = private}>, sym_name = "p", type = !llvm.ptr}> ({
  ^bb0(%arg21: !llvm.ptr):
    "omp.yield"(%arg21) : (!llvm.ptr) -> ()
  }, {
  }, {
  }) : () -> ()
  "omp.private"() <{data_sharing_type = #omp<data_sharing_type{type = firstprivate}>, sym_name = "q", type = !llvm.ptr}> ({
  ^bb0(%arg20: !llvm.ptr):
    "omp.yield"(%arg20) : (!llvm.ptr) -> ()
  }, {
  ^bb0(%arg18: !llvm.ptr, %arg19: !llvm.ptr):
    "omp.yield"(%arg18) : (!llvm.ptr) -> ()
  }, {
  }) : () -> ()
  "omp.critical.declare"() <{hint_val = 10 : i64, sym_name = "mutex"}> : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, ptr)>, linkage = #llvm.linkage<external>, sym_name = "copy", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, ptr, i32, i1, i64)>, linkage = #llvm.linkage<external>, sym_name = "omp", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i1, %arg4: i64):
    "omp.parallel"(%arg3, %arg2, %arg0, %arg2, %arg0, %arg1, %arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 2, 2>, privatizers = [@p, @q], proc_bind_val = #omp<procbindkind close>, reduction_vars_byref = array<i1: true, false>, reductions = [@add_f32, @add_f32_1]}> ({
    ^bb0(%arg14: !llvm.ptr, %arg15: !llvm.ptr, %arg16: !llvm.ptr, %arg17: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (i1, i32, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    "omp.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> ({
      "omp.cancel"(%arg3) <{cancellation_construct_type_val = #omp<cancellationconstructtype parallel>}> : (i1) -> ()
      "omp.cancellation_point"() <{cancellation_construct_type_val = #omp<cancellationconstructtype parallel>}> : () -> ()
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "omp.sections"(%arg0, %arg1) <{nowait, operandSegmentSizes = array<i32: 2, 0, 0>, reduction_vars_byref = array<i1: true, false>, reductions = [@add_f32, @add_f32_1]}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, !llvm.ptr) -> ()
    "omp.teams"(%arg2, %arg2, %arg3, %arg2, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1>, reduction_vars_byref = array<i1: false>, reductions = [@add_f32]}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i1, i32, !llvm.ptr) -> ()
    "omp.task"(%arg3, %arg3, %arg0, %arg2, %arg0) <{depends = [#omp<clause_task_depend(taskdependin)>], in_reduction_vars_byref = array<i1: false>, in_reductions = [@add_f32], mergeable, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>, untied}> ({
      "omp.terminator"() : () -> ()
    }) : (i1, i1, !llvm.ptr, i32, !llvm.ptr) -> ()
    "omp.taskgroup"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>, task_reduction_vars_byref = array<i1: false>, task_reductions = [@add_f32]}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr) -> ()
    "omp.single"(%arg0) <{copyprivate_funcs = [@copy], nowait, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr) -> ()
    "omp.wsloop"(%arg0, %arg2) <{operandSegmentSizes = array<i32: 0, 0, 1, 1>, ordered_val = 0 : i64, reduction_vars_byref = array<i1: true>, reductions = [@add_f32], schedule_modifier = #omp<sched_mod monotonic>, schedule_val = #omp<schedulekind static>}> ({
    ^bb0(%arg12: !llvm.ptr):
      "omp.loop_nest"(%arg2, %arg2, %arg2) <{inclusive}> ({
      ^bb0(%arg13: i32):
        "omp.ordered.region"() ({
          "omp.terminator"() : () -> ()
        }) : () -> ()
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, i32) -> ()
    "omp.simd"(%arg0, %arg3, %arg0) <{alignment_values = [32], operandSegmentSizes = array<i32: 1, 1, 1>, order_val = #omp<orderkind concurrent>, safelen = 2 : i64, simdlen = 1 : i64}> ({
      "omp.loop_nest"(%arg2, %arg2, %arg2) ({
      ^bb0(%arg11: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, i1, !llvm.ptr) -> ()
    "omp.distribute"(%arg2) <{dist_schedule_static, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
      "omp.loop_nest"(%arg2, %arg2, %arg2) ({
      ^bb0(%arg10: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
      "omp.terminator"() : () -> ()
    }) : (i32) -> ()
    "omp.taskloop"(%arg2) <{nogroup, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
      "omp.loop_nest"(%arg2, %arg2, %arg2) ({
      ^bb0(%arg9: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
      "omp.terminator"() : () -> ()
    }) : (i32) -> ()
    %0 = "omp.map.bounds"(%arg4, %arg4, %arg4, %arg4, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, stride_in_bytes = false}> : (i64, i64, i64, i64, i64) -> !omp.map_bounds_ty
    %1 = "omp.map.info"(%arg0, %0) <{map_capture_type = #omp<variable_capture_kind(ByRef)>, map_type = 5637 : ui64, name = "m", operandSegmentSizes = array<i32: 1, 0, 0, 1>, partial_map = false, var_type = i32}> : (!llvm.ptr, !omp.map_bounds_ty) -> !llvm.ptr
    %2 = "omp.map.info"(%arg0) <{map_capture_type = #omp<variable_capture_kind(ByCopy)>, map_type = 0 : ui64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    "omp.target"(%arg3, %arg2, %arg2, %1, %2, %arg0) <{nowait, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 2, 1>, privatizers = [@p]}> ({
    ^bb0(%arg6: !llvm.ptr, %arg7: !llvm.ptr, %arg8: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (i1, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    "omp.target_data"(%arg3, %arg2, %1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (i1, i32, !llvm.ptr) -> ()
    "omp.target_enter_data"(%2) <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> : (!llvm.ptr) -> ()
    "omp.target_exit_data"(%arg0, %2) <{depends = [#omp<clause_task_depend(taskdependin)>], operandSegmentSizes = array<i32: 0, 0, 1, 1>}> : (!llvm.ptr, !llvm.ptr) -> ()
    %3 = "omp.map.info"(%arg0) <{map_capture_type = #omp<variable_capture_kind(ByRef)>, map_type = 4097 : ui64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    "omp.target_update"(%3) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>}> : (!llvm.ptr) -> ()
    "omp.atomic.read"(%arg1, %arg0) <{element_type = i32, hint_val = 2 : i64, memory_order_val = #omp<memoryorderkind acquire>}> : (!llvm.ptr, !llvm.ptr) -> ()
    "omp.atomic.write"(%arg0, %arg2) <{hint_val = 4 : i64, memory_order_val = #omp<memoryorderkind relaxed>}> : (!llvm.ptr, i32) -> ()
    "omp.atomic.update"(%arg0) <{memory_order_val = #omp<memoryorderkind relaxed>}> ({
    ^bb0(%arg5: i32):
      "omp.yield"(%arg5) : (i32) -> ()
    }) : (!llvm.ptr) -> ()
    "omp.atomic.capture"() <{memory_order_val = #omp<memoryorderkind seq_cst>}> ({
      "omp.atomic.read"(%arg0, %arg1) <{element_type = i32}> : (!llvm.ptr, !llvm.ptr) -> ()
      "omp.atomic.write"(%arg0, %arg2) : (!llvm.ptr, i32) -> ()
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

