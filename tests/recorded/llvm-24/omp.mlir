module {
  omp.private {type = linear} @lin : i32
  omp.private {type = private} @pv : i32
  omp.declare_reduction @red : !llvm.ptr init {
  ^bb0(%arg0: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  } combiner {
  ^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
    omp.yield(%arg0 : !llvm.ptr)
  }
  func.func @declare(%arg0: !llvm.ptr, %arg1: i32, %arg2: i64, %arg3: memref<i32>) {
    omp.declare_simd aligned(%arg0 : !llvm.ptr -> 32 : i64, %arg3 : memref<i32> -> 64 : i64) inbranch linear(val(%arg0 : !llvm.ptr = %arg1 : i32), ref(%arg0 : !llvm.ptr = %arg2 : i64)) linear_var_types([i32, i64]) simdlen(8) uniform(%arg0 : !llvm.ptr, %arg3 : memref<i32>) {foo = 1 : i32}
    omp.declare_simd
    omp.declare_simd linear(uval(%arg0 : !llvm.ptr = %arg1 : i32), %arg0 : !llvm.ptr = %arg2 : i64) notinbranch
    omp.declare_simd uniform(%arg0 : !llvm.ptr)
    return
  }
  func.func @iterators(%arg0: index, %arg1: i32, %arg2: !llvm.ptr) {
    %0 = omp.iterator(%arg3: index, %arg4: index) = (%arg0 to %arg0 step %arg0, %arg0 to %arg0 step %arg0) {
      omp.yield(%arg2 : !llvm.ptr)
    } -> !omp.iterated<!llvm.ptr> {foo}
    %1 = omp.iterator(%arg3: i32) = (%arg1 to %arg1 step %arg1) {
      omp.yield(%arg2 : !llvm.ptr)
    } -> !omp.iterated<!llvm.ptr>
    %2 = omp.iterator(%arg3: index) = (%arg0 to %arg0 step %arg0) {
      omp.yield(%arg2 : !llvm.ptr)
    } inclusive -> !omp.iterated<!llvm.ptr>
    return
  }
  func.func @tasks(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1, %arg3: !omp.iterated<!llvm.ptr>, %arg4: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %arg5: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
    omp.task affinity(%arg4 : !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %arg5 : !omp.affinity_entry_ty<!llvm.ptr, i64>) {
      omp.terminator
    }
    omp.task affinity(%arg5 : !omp.affinity_entry_ty<!llvm.ptr, i64>) depend(taskdependin -> %arg0 : !llvm.ptr) {
      omp.terminator
    }
    omp.task depend(taskdependout -> %arg0 : !llvm.ptr, taskdependin -> %arg3 : !omp.iterated<!llvm.ptr>, taskdependinoutset -> %arg3 : !omp.iterated<!llvm.ptr>) final(%arg2) if(%arg2) {
      omp.terminator
    }
    omp.task depend(taskdependin -> %arg3 : !omp.iterated<!llvm.ptr>) detach(%arg0 : !llvm.ptr) {
      omp.terminator
    }
    omp.task mergeable priority(%arg1 : i32) untied in_reduction(byref @red %arg0 -> %arg6 : !llvm.ptr) private(@pv %arg0 -> %arg7 : !llvm.ptr) private_barrier {
      omp.terminator
    } {foo}
    return
  }
  func.func @teams(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1) {
    omp.teams dyn_groupprivate(%arg1 : i32) {
      omp.terminator
    }
    omp.teams dyn_groupprivate(cgroup, fallback(null), %arg1 : i32) num_teams(%arg1 : i32 to %arg1 : i32) {
      omp.terminator
    }
    omp.teams dyn_groupprivate(cgroup, %arg1 : i32) num_teams( to %arg1, %arg1 : i32, i32) thread_limit(%arg1 : i32) {
      omp.terminator
    }
    omp.teams dyn_groupprivate(fallback(default_mem), %arg1 : i32) if(%arg2) private(@pv %arg0 -> %arg3 : !llvm.ptr) reduction(mod: defaultmod, @red %arg0 -> %arg4 : !llvm.ptr) {
      omp.terminator
    } {foo}
    return
  }
  func.func @targets(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1) {
    omp.target kernel_type(generic) {
      omp.terminator
    }
    omp.target kernel_type(generic) depend(taskdependin -> %arg0 : !llvm.ptr) device(%arg1 : i32) dyn_groupprivate(cgroup, %arg1 : i32) if(%arg2) is_device_ptr(%arg0 : !llvm.ptr) nowait thread_limit(%arg1 : i32) host_eval(%arg1 -> %arg3 : i32) private(@pv %arg0 -> %arg4 : !llvm.ptr) {
      omp.terminator
    } {foo}
    return
  }
  func.func @loops(%arg0: !llvm.ptr, %arg1: i32, %arg2: i64, %arg3: i1, %arg4: memref<i32>) {
    omp.wsloop linear(val(@lin %arg0 -> %arg5 : !llvm.ptr = %arg1 : i32), @lin %arg4 -> %arg6 : memref<i32> = %arg2 : i64) linear_var_types([i32, i32]) {
      omp.loop_nest (%arg7) : i32 = (%arg1) to (%arg1) step (%arg1) {
        omp.yield
      }
    }
    omp.wsloop allocate(%arg0 : !llvm.ptr -> %arg0 : !llvm.ptr) allocate_alignments([16]) allocate_private_indices([0]) nowait order(reproducible:concurrent) schedule(static) linear(@lin %arg4 -> %arg5 : memref<i32> = %arg1 : i32) linear_var_types([i32]) private(@pv %arg0 -> %arg6 : !llvm.ptr) private_barrier reduction(byref @red %arg0 -> %arg7 : !llvm.ptr) {
      omp.loop_nest (%arg8) : i32 = (%arg1) to (%arg1) step (%arg1) {
        omp.yield
      }
    } {foo}
    omp.wsloop private(@pv %arg0 -> %arg5 : !llvm.ptr) {
      omp.loop_nest (%arg6) : i32 = (%arg1) to (%arg1) step (%arg1) {
        omp.yield
      }
    }
    omp.simd aligned(%arg0 : !llvm.ptr -> 8 : i64) if(%arg3) nontemporal(%arg0 : !llvm.ptr) linear(val(@lin %arg4 -> %arg5 : memref<i32> = %arg1 : i32)) linear_var_types([i32]) reduction(@red %arg0 -> %arg6 : !llvm.ptr) {
      omp.loop_nest (%arg7) : i32 = (%arg1) to (%arg1) step (%arg1) {
        omp.yield
      }
    } {foo}
    omp.simd {
      omp.loop_nest (%arg5) : i32 = (%arg1) to (%arg1) step (%arg1) {
        omp.yield
      }
    }
    return
  }
  func.func @threads(%arg0: !llvm.ptr) {
    omp.task threadset(omp_pool) {
      omp.terminator
    }
    omp.task allocate(%arg0 : !llvm.ptr -> %arg0 : !llvm.ptr) allocate_alignments([0]) threadset(omp_team) untied {
      omp.terminator
    }
    return
  }
  func.func @reduced(%arg0: !llvm.ptr) {
    %0 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) -> !llvm.ptr
    omp.target kernel_type(generic) in_reduction(byref @red %arg0 : !llvm.ptr) map_entries(%0 -> %arg1 : !llvm.ptr) {
      omp.terminator
    }
    return
  }
  func.func @unrolled() {
    %0 = llvm.mlir.constant(4 : i32) : i32
    %canonloop = omp.new_cli
    omp.canonical_loop(%canonloop) %iv : i32 in range(%0) {
      omp.terminator
    }
    omp.unroll_full(%canonloop) {foo}
    return
  }
  func.func @partly_unrolled(%arg0: i32) {
    %canonloop = omp.new_cli
    omp.canonical_loop(%canonloop) %iv : i32 in range(%arg0) {
      omp.terminator
    }
    omp.unroll_partial(%canonloop) {foo, unroll_factor = 4 : i64}
    return
  }
}

