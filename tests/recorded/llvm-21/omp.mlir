module {
  omp.declare_reduction @add_f32 : f32 alloc {
  ^bb0(%arg0: f32):
    omp.yield(%arg0 : f32)
  } init {
  ^bb0(%arg0: f32, %arg1: f32):
    omp.yield(%arg0 : f32)
  } combiner {
  ^bb0(%arg0: f32, %arg1: f32):
    omp.yield(%arg0 : f32)
  } atomic {
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
    omp.yield
  } cleanup {
  ^bb0(%arg0: f32):
    omp.yield
  }
  omp.declare_reduction @add_i32 : i32 init {
  ^bb0(%arg0: i32):
    omp.yield(%arg0 : i32)
  } combiner {
  ^bb0(%arg0: i32, %arg1: i32):
    omp.yield(%arg0 : i32)
  }
  omp.private {type = private} @p : i32
  omp.private {type = firstprivate} @q : i32 copy {
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  }
  llvm.func @omp(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i1, %arg4: i64) {
    omp.parallel allocate(%arg2 : i32 -> %arg0 : !llvm.ptr) if(%arg3) num_threads(%arg2 : i32) proc_bind(close) private(@p %arg0 -> %arg5, @q %arg1 -> %arg6 : !llvm.ptr, !llvm.ptr) reduction(mod: task, byref @add_f32 %arg0 -> %arg7, @add_f32 %arg1 -> %arg8 : !llvm.ptr, !llvm.ptr) {
      omp.terminator
    }
    omp.teams num_teams(%arg2 : i32 to %arg2 : i32) thread_limit(%arg2 : i32) reduction(@add_f32 %arg0 -> %arg5 : !llvm.ptr) {
      omp.terminator
    }
    omp.task depend(taskdependin -> %arg0 : !llvm.ptr) final(%arg3) if(%arg3) mergeable priority(%arg2 : i32) untied in_reduction(@add_f32 %arg0 -> %arg5 : !llvm.ptr) private(@p %arg1 -> %arg6 : !llvm.ptr) {
      omp.terminator
    }
    omp.wsloop nowait schedule(static = %arg2 : i32, monotonic) private(@p %arg1 -> %arg5 : !llvm.ptr) reduction(byref @add_f32 %arg0 -> %arg6 : !llvm.ptr) {
      omp.loop_nest (%arg7) : i32 = (%arg2) to (%arg2) inclusive step (%arg2) {
        omp.yield
      }
    }
    %0 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(always, implicit, ompx_hold, close, present, tofrom) capture(ByRef) -> !llvm.ptr {name = "m"}
    %1 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(exit_release_or_enter_alloc) capture(ByCopy) -> !llvm.ptr
    %2 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(delete, return_param) capture(ByCopy) -> !llvm.ptr
    omp.target device(%arg2 : i32) if(%arg3) nowait thread_limit(%arg2 : i32) host_eval(%arg2 -> %arg5 : i32) map_entries(%0 -> %arg6, %1 -> %arg7 : !llvm.ptr, !llvm.ptr) private(@p %arg0 -> %arg8 [map_idx=0] : !llvm.ptr) {
      omp.terminator
    }
    omp.target_data device(%arg2 : i32) if(%arg3) map_entries(%0 : !llvm.ptr) {
      omp.terminator
    }
    omp.target_enter_data map_entries(%1 : !llvm.ptr) nowait
    omp.atomic.read %arg0 = %arg1 hint(contended) memory_order(acquire) : !llvm.ptr, !llvm.ptr, i32
    llvm.return
  }
}

