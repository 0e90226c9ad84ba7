"builtin.module"() ({
  "omp.declare_reduction"() <{sym_name = "add_f32", type = f32}> ({
  ^bb0(%arg31: f32):
    "omp.yield"(%arg31) : (f32) -> ()
  }, {
  ^bb0(%arg29: f32, %arg30: f32):
    "omp.yield"(%arg29) : (f32) -> ()
  }, {
  ^bb0(%arg27: f32, %arg28: f32):
    "omp.yield"(%arg27) : (f32) -> ()
  }, {
  ^bb0(%arg25: !llvm.ptr, %arg26: !llvm.ptr):
    "omp.yield"() : () -> ()
  }, {
  ^bb0(%arg24: f32):
    "omp.yield"() : () -> ()
  }) : () -> ()
  "omp.declare_reduction"() <{sym_name = "add_i32", type = i32}> ({
  }, {
  ^bb0(%arg23: i32):
    "omp.yield"(%arg23) : (i32) -> ()
  }, {
  ^bb0(%arg21: i32, %arg22: i32):
    "omp.yield"(%arg21) : (i32) -> ()
  }, {
  }, {
  }) : () -> ()
  "omp.private"() <{data_sharing_type = #omp<data_sharing_type{type = private}>, sym_name = "p", type = i32}> ({
  }, {
  }, {
  }) : () -> ()
  "omp.private"() <{data_sharing_type = #omp<data_sharing_type{type = firstprivate}>, sym_name = "q", type = i32}> ({
  }, {
  ^bb0(%arg19: !llvm.ptr, %arg20: !llvm.ptr):
    "omp.yield"(%arg19) : (!llvm.ptr) -> ()
  }, {
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, ptr, i32, i1, i64)>, linkage = #llvm.linkage<external>, sym_name = "omp", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i1, %arg4: i64):
    "omp.parallel"(%arg0, %arg2, %arg3, %arg2, %arg0, %arg1, %arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 2, 2>, private_syms = [@p, @q], proc_bind_kind = #omp<procbindkind close>, reduction_byref = array<i1: true, false>, reduction_mod = #omp<reduction_modifier(task)>, reduction_syms = [@add_f32, @add_f32]}> ({
    ^bb0(%arg15: !llvm.ptr, %arg16: !llvm.ptr, %arg17: !llvm.ptr, %arg18: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, i32, i1, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    "omp.teams"(%arg2, %arg2, %arg0, %arg2) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 1, 0, 1, 1>, reduction_byref = array<i1: false>, reduction_syms = [@add_f32]}> ({
    ^bb0(%arg14: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (i32, i32, !llvm.ptr, i32) -> ()
    "omp.task"(%arg0, %arg3, %arg3, %arg0, %arg2, %arg1) <{depend_kinds = [#omp<clause_task_depend(taskdependin)>], in_reduction_byref = array<i1: false>, in_reduction_syms = [@add_f32], mergeable, operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1, 1, 1, 0>, private_syms = [@p], untied}> ({
    ^bb0(%arg12: !llvm.ptr, %arg13: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, i1, i1, !llvm.ptr, i32, !llvm.ptr) -> ()
    "omp.wsloop"(%arg1, %arg0, %arg2) <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 1, 1>, private_syms = [@p], reduction_byref = array<i1: true>, reduction_syms = [@add_f32], schedule_kind = #omp<schedulekind static>, schedule_mod = #omp<sched_mod monotonic>}> ({
    ^bb0(%arg9: !llvm.ptr, %arg10: !llvm.ptr):
      "omp.loop_nest"(%arg2, %arg2, %arg2) <{loop_inclusive}> ({
      ^bb0(%arg11: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : (!llvm.ptr, !llvm.ptr, i32) -> ()
    %0 = "omp.map.info"(%arg0) <{map_capture_type = #omp<variable_capture_kind(ByRef)>, map_type = 13831 : ui64, name = "m", operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    %1 = "omp.map.info"(%arg0) <{map_capture_type = #omp<variable_capture_kind(ByCopy)>, map_type = 0 : ui64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    %2 = "omp.map.info"(%arg0) <{map_capture_type = #omp<variable_capture_kind(ByCopy)>, map_type = 72 : ui64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    "omp.target"(%arg2, %arg2, %arg3, %0, %1, %arg0, %arg2) <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 1, 1>, private_maps = array<i64: 0>, private_syms = [@p]}> ({
    ^bb0(%arg5: i32, %arg6: !llvm.ptr, %arg7: !llvm.ptr, %arg8: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i1, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> ()
    "omp.target_data"(%arg2, %arg3, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i1, !llvm.ptr) -> ()
    "omp.target_enter_data"(%1) <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> : (!llvm.ptr) -> ()
    "omp.atomic.read"(%arg1, %arg0) <{element_type = i32, hint = 2 : i64, memory_order = #omp<memoryorderkind acquire>}> : (!llvm.ptr, !llvm.ptr) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

