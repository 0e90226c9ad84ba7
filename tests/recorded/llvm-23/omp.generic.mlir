"builtin.module"() ({
  "omp.private"() <{data_sharing_type = #omp<data_sharing_type{type = private}>, sym_name = "pv", type = i32}> ({
  }, {
  }, {
  }) : () -> ()
  "omp.declare_reduction"() <{sym_name = "red", type = !llvm.ptr}> ({
  }, {
  ^bb0(%arg42: !llvm.ptr):
    "omp.yield"(%arg42) : (!llvm.ptr) -> ()
  }, {
  ^bb0(%arg40: !llvm.ptr, %arg41: !llvm.ptr):
    "omp.yield"(%arg40) : (!llvm.ptr) -> ()
  }, {
  }, {
  }, {
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i64, memref<i32>) -> (), sym_name = "declare"}> ({
  ^bb0(%arg36: !llvm.ptr, %arg37: i32, %arg38: i64, %arg39: memref<i32>):
    "omp.declare_simd"(%arg36, %arg39, %arg36, %arg36, %arg37, %arg38, %arg36, %arg39) <{alignments = [32, 64], inbranch, linear_modifiers = [#omp<linear_modifier(val)>, #omp<linear_modifier(ref)>], linear_var_types = [i32, i64], operandSegmentSizes = array<i32: 2, 2, 2, 2>, simdlen = 8 : i64}> {foo = 1 : i32} : (!llvm.ptr, memref<i32>, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, memref<i32>) -> ()
    "omp.declare_simd"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
    "omp.declare_simd"(%arg36, %arg36, %arg37, %arg38) <{linear_modifiers = [#omp<linear_modifier(uval)>, unit], notinbranch, operandSegmentSizes = array<i32: 0, 2, 2, 0>}> : (!llvm.ptr, !llvm.ptr, i32, i64) -> ()
    "omp.declare_simd"(%arg36) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, i32, !llvm.ptr) -> (), sym_name = "iterators"}> ({
  ^bb0(%arg29: index, %arg30: i32, %arg31: !llvm.ptr):
    %1 = "omp.iterator"(%arg29, %arg29, %arg29, %arg29, %arg29, %arg29) <{operandSegmentSizes = array<i32: 2, 2, 2>}> ({
    ^bb0(%arg34: index, %arg35: index):
      "omp.yield"(%arg31) : (!llvm.ptr) -> ()
    }) {foo} : (index, index, index, index, index, index) -> !omp.iterated<!llvm.ptr>
    %2 = "omp.iterator"(%arg30, %arg30, %arg30) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg33: i32):
      "omp.yield"(%arg31) : (!llvm.ptr) -> ()
    }) : (i32, i32, i32) -> !omp.iterated<!llvm.ptr>
    %3 = "omp.iterator"(%arg29, %arg29, %arg29) <{loop_inclusive, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg32: index):
      "omp.yield"(%arg31) : (!llvm.ptr) -> ()
    }) : (index, index, index) -> !omp.iterated<!llvm.ptr>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1, !omp.iterated<!llvm.ptr>, !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, !omp.affinity_entry_ty<!llvm.ptr, i64>) -> (), sym_name = "tasks"}> ({
  ^bb0(%arg21: !llvm.ptr, %arg22: i32, %arg23: i1, %arg24: !omp.iterated<!llvm.ptr>, %arg25: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %arg26: !omp.affinity_entry_ty<!llvm.ptr, i64>):
    "omp.task"(%arg25, %arg26) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, !omp.affinity_entry_ty<!llvm.ptr, i64>) -> ()
    "omp.task"(%arg26, %arg21) <{depend_iterated_kinds = [], depend_kinds = [#omp<clause_task_depend(taskdependin)>], operandSegmentSizes = array<i32: 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.affinity_entry_ty<!llvm.ptr, i64>, !llvm.ptr) -> ()
    "omp.task"(%arg21, %arg24, %arg24, %arg23, %arg23) <{depend_iterated_kinds = [#omp<clause_task_depend(taskdependin)>, #omp<clause_task_depend(taskdependinoutset)>], depend_kinds = [#omp<clause_task_depend(taskdependout)>], operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 2, 1, 1, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, !omp.iterated<!llvm.ptr>, !omp.iterated<!llvm.ptr>, i1, i1) -> ()
    "omp.task"(%arg24, %arg21) <{depend_iterated_kinds = [#omp<clause_task_depend(taskdependin)>], depend_kinds = [], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.iterated<!llvm.ptr>, !llvm.ptr) -> ()
    "omp.task"(%arg21, %arg22, %arg21) <{in_reduction_byref = array<i1: true>, in_reduction_syms = [@red], mergeable, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0>, private_needs_barrier, private_syms = [@pv], untied}> ({
    ^bb0(%arg27: !llvm.ptr, %arg28: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (!llvm.ptr, i32, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1) -> (), sym_name = "teams"}> ({
  ^bb0(%arg16: !llvm.ptr, %arg17: i32, %arg18: i1):
    "omp.teams"(%arg17) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32) -> ()
    "omp.teams"(%arg17, %arg17, %arg17) <{dyn_groupprivate_access_group = #omp<access_group_modifier(cgroup)>, dyn_groupprivate_fallback = #omp<fallback_modifier(null)>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 1, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "omp.teams"(%arg17, %arg17, %arg17, %arg17) <{dyn_groupprivate_access_group = #omp<access_group_modifier(cgroup)>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 2, 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i32, i32) -> ()
    "omp.teams"(%arg17, %arg18, %arg16, %arg16) <{dyn_groupprivate_fallback = #omp<fallback_modifier(default_mem)>, operandSegmentSizes = array<i32: 0, 0, 1, 1, 0, 0, 1, 1, 0>, private_syms = [@pv], reduction_byref = array<i1: false>, reduction_mod = #omp<reduction_modifier(defaultmod)>, reduction_syms = [@red]}> ({
    ^bb0(%arg19: !llvm.ptr, %arg20: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (i32, i1, !llvm.ptr, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1) -> (), sym_name = "targets"}> ({
  ^bb0(%arg11: !llvm.ptr, %arg12: i32, %arg13: i1):
    "omp.target"() <{kernel_type = #omp<kernel_type(generic)>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "omp.target"(%arg11, %arg12, %arg12, %arg12, %arg13, %arg11, %arg11, %arg12) <{depend_iterated_kinds = [], depend_kinds = [#omp<clause_task_depend(taskdependin)>], dyn_groupprivate_access_group = #omp<access_group_modifier(cgroup)>, kernel_type = #omp<kernel_type(generic)>, nowait, operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1>, private_maps = array<i64: -1>, private_syms = [@pv]}> ({
    ^bb0(%arg14: i32, %arg15: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (!llvm.ptr, i32, i32, i32, i1, !llvm.ptr, !llvm.ptr, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i64, i1, memref<i32>) -> (), sym_name = "loops"}> ({
  ^bb0(%arg4: !llvm.ptr, %arg5: i32, %arg6: i64, %arg7: i1, %arg8: memref<i32>):
    "omp.wsloop"(%arg4, %arg8, %arg5, %arg6) <{linear_modifiers = [#omp<linear_modifier(val)>, unit], linear_var_types = [i32, i32], operandSegmentSizes = array<i32: 0, 0, 2, 2, 0, 0, 0>}> ({
      "omp.loop_nest"(%arg5, %arg5, %arg5) ({
      ^bb0(%arg10: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : (!llvm.ptr, memref<i32>, i32, i64) -> ()
    "omp.simd"(%arg4, %arg4, %arg5) <{alignments = [8], linear_modifiers = [unit], linear_var_types = [i32], operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>}> ({
      "omp.loop_nest"(%arg5, %arg5, %arg5) ({
      ^bb0(%arg9: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : (!llvm.ptr, !llvm.ptr, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr) -> (), sym_name = "reduced"}> ({
  ^bb0(%arg2: !llvm.ptr):
    "omp.target"(%arg2) <{in_reduction_byref = array<i1: true>, in_reduction_syms = [@red], kernel_type = #omp<kernel_type(generic)>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0>}> ({
    ^bb0(%arg3: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> (), sym_name = "partly_unrolled"}> ({
  ^bb0(%arg0: i32):
    %0 = "omp.new_cli"() : () -> !omp.cli
    "omp.canonical_loop"(%arg0, %0) ({
    ^bb0(%arg1: i32):
      "omp.terminator"() : () -> ()
    }) : (i32, !omp.cli) -> ()
    "omp.unroll_partial"(%0) <{unroll_factor = 4 : i64}> {foo} : (!omp.cli) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

