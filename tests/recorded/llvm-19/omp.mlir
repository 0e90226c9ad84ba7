module {
  omp.declare_reduction @add_f32 : f32 init {
  ^bb0(%arg0: f32):
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
  omp.declare_reduction @add_f32_1 : f32 init {
  ^bb0(%arg0: f32):
    omp.yield(%arg0 : f32)
  } combiner {
  ^bb0(%arg0: f32, %arg1: f32):
    omp.yield(%arg0 : f32)
  }  
  omp.private {type = private} @p : !llvm.ptr alloc {
  ^bb0(%arg0: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  }
  omp.private {type = firstprivate} @q : !llvm.ptr alloc {
  ^bb0(%arg0: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  } copy {
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  }
  omp.critical.declare @mutex hint(contended, speculative)
  llvm.func @copy(!llvm.ptr, !llvm.ptr)
  llvm.func @omp(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i1, %arg4: i64) {
    omp.parallel if(%arg3) num_threads(%arg2 : i32) allocate(%arg2 : i32 -> %arg0 : !llvm.ptr) proc_bind(close) reduction(byref @add_f32 %arg0 -> %arg5 : !llvm.ptr, @add_f32_1 %arg1 -> %arg6 : !llvm.ptr) private(@p %arg0 -> %arg7 : !llvm.ptr, @q %arg1 -> %arg8 : !llvm.ptr) {
      omp.terminator
    }
    omp.parallel {
      omp.cancel cancellation_construct_type(parallel) if(%arg3)
      omp.cancellation_point cancellation_construct_type(parallel)
      omp.terminator
    }
    omp.sections reduction(byref @add_f32 -> %arg0 : !llvm.ptr, @add_f32_1 -> %arg1 : !llvm.ptr) nowait {
      omp.terminator
    }
    omp.teams num_teams(%arg2 : i32 to %arg2 : i32) if(%arg3) thread_limit(%arg2 : i32) reduction(@add_f32 -> %arg0 : !llvm.ptr) {
      omp.terminator
    }
    omp.task if(%arg3) final(%arg3) untied mergeable in_reduction(@add_f32 -> %arg0 : !llvm.ptr) priority(%arg2 : i32) depend(taskdependin -> %arg0 : !llvm.ptr) {
      omp.terminator
    }
    omp.taskgroup task_reduction(@add_f32 -> %arg0 : !llvm.ptr) {
      omp.terminator
    }
    omp.single copyprivate(%arg0 -> @copy : !llvm.ptr) nowait {
      omp.terminator
    }
    omp.wsloop schedule(static = %arg2 : i32, monotonic) ordered(0) reduction(byref @add_f32 %arg0 -> %arg5 : !llvm.ptr) {
      omp.loop_nest (%arg6) : i32 = (%arg2) to (%arg2) inclusive step (%arg2) {
        omp.ordered.region {
          omp.terminator
        }
        omp.yield
      }
      omp.terminator
    }
    omp.simd aligned(%arg0 : !llvm.ptr -> 32 : i64) if(%arg3) nontemporal(%arg0 : !llvm.ptr) order(concurrent) safelen(2) simdlen(1) {
      omp.loop_nest (%arg5) : i32 = (%arg2) to (%arg2) step (%arg2) {
        omp.yield
      }
      omp.terminator
    }
    omp.distribute dist_schedule_static chunk_size(%arg2 : i32) {
      omp.loop_nest (%arg5) : i32 = (%arg2) to (%arg2) step (%arg2) {
        omp.yield
      }
      omp.terminator
    }
    omp.taskloop grain_size(%arg2 : i32) nogroup {
      omp.loop_nest (%arg5) : i32 = (%arg2) to (%arg2) step (%arg2) {
        omp.yield
      }
      omp.terminator
    }
    %0 = omp.map.bounds lower_bound(%arg4 : i64) upper_bound(%arg4 : i64) extent(%arg4 : i64) stride(%arg4 : i64) start_idx(%arg4 : i64)
    %1 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(always, implicit, close, present, to) capture(ByRef) bounds(%0) -> !llvm.ptr {name = "m"}
    %2 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(exit_release_or_enter_alloc) capture(ByCopy) -> !llvm.ptr
    omp.target if(%arg3) device(%arg2 : i32) thread_limit(%arg2 : i32) nowait map_entries(%1 -> %arg5, %2 -> %arg6 : !llvm.ptr, !llvm.ptr) private(@p %arg0 -> %arg7 : !llvm.ptr) {
    ^bb0(%arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: !llvm.ptr):
      omp.terminator
    }
    omp.target_data if(%arg3) device(%arg2 : i32) map_entries(%1 : !llvm.ptr) {
      omp.terminator
    }
    omp.target_enter_data nowait map_entries(%2 : !llvm.ptr)
    omp.target_exit_data depend(taskdependin -> %arg0 : !llvm.ptr) map_entries(%2 : !llvm.ptr)
    %3 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(present, to) capture(ByRef) -> !llvm.ptr
    omp.target_update map_entries(%3 : !llvm.ptr)
    omp.atomic.read %arg0 = %arg1 memory_order(acquire) hint(contended) : !llvm.ptr, i32
    omp.atomic.write %arg0 = %arg2 hint(nonspeculative) memory_order(relaxed) : !llvm.ptr, i32
    omp.atomic.update memory_order(relaxed) %arg0 : !llvm.ptr {
    ^bb0(%arg5: i32):
      omp.yield(%arg5 : i32)
    }
    omp.atomic.capture memory_order(seq_cst) {
      omp.atomic.read %arg1 = %arg0 : !llvm.ptr, i32
      omp.atomic.write %arg0 = %arg2 : !llvm.ptr, i32
    }
    llvm.return
  }
}

