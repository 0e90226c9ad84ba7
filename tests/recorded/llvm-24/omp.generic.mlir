"builtin.module"() ({
  "omp.private"() <{data_sharing_type = #omp.data_sharing_type<linear>, sym_name = "lin", type = i32}> ({
  }, {
  }, {
  }, {
  }) : () -> ()
  "omp.private"() <{data_sharing_type = #omp.data_sharing_type<private>, sym_name = "pv", type = i32}> ({
  }, {
  }, {
  }, {
  }) : () -> ()
  "omp.declare_reduction"() <{sym_name = "red", type = !llvm.ptr}> ({
  }, {
  ^bb0(%arg55: !llvm.ptr):
    "omp.yield"(%arg55) : (!llvm.ptr) -> ()
  }, {
  ^bb0(%arg53: !llvm.ptr, %arg54: !llvm.ptr):
    "omp.yield"(%arg53) : (!llvm.ptr) -> ()
  }, {
  }, {
  }, {
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i64, memref<i32>) -> (), sym_name = "declare"}> ({
  ^bb0(%arg49: !llvm.ptr, %arg50: i32, %arg51: i64, %arg52: memref<i32>):
    "omp.declare_simd"(%arg49, %arg52, %arg49, %arg49, %arg50, %arg51, %arg49, %arg52) <{alignments = [32, 64], inbranch, linear_modifiers = [#omp.linear_modifier<val>, #omp.linear_modifier<ref>], linear_var_types = [i32, i64], operandSegmentSizes = array<i32: 2, 2, 2, 2>, simdlen = 8 : i64}> {foo = 1 : i32} : (!llvm.ptr, memref<i32>, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, memref<i32>) -> ()
    "omp.declare_simd"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
    "omp.declare_simd"(%arg49, %arg49, %arg50, %arg51) <{linear_modifiers = [#omp.linear_modifier<uval>, unit], notinbranch, operandSegmentSizes = array<i32: 0, 2, 2, 0>}> : (!llvm.ptr, !llvm.ptr, i32, i64) -> ()
    "omp.declare_simd"(%arg49) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, i32, !llvm.ptr) -> (), sym_name = "iterators"}> ({
  ^bb0(%arg42: index, %arg43: i32, %arg44: !llvm.ptr):
    %4 = "omp.iterator"(%arg42, %arg42, %arg42, %arg42, %arg42, %arg42) <{operandSegmentSizes = array<i32: 2, 2, 2>}> ({
    ^bb0(%arg47: index, %arg48: index):
      "omp.yield"(%arg44) : (!llvm.ptr) -> ()
    }) {foo} : (index, index, index, index, index, index) -> !omp.iterated<!llvm.ptr>
    %5 = "omp.iterator"(%arg43, %arg43, %arg43) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg46: i32):
      "omp.yield"(%arg44) : (!llvm.ptr) -> ()
    }) : (i32, i32, i32) -> !omp.iterated<!llvm.ptr>
    %6 = "omp.iterator"(%arg42, %arg42, %arg42) <{loop_inclusive, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg45: index):
      "omp.yield"(%arg44) : (!llvm.ptr) -> ()
    }) : (index, index, index) -> !omp.iterated<!llvm.ptr>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1, !omp.iterated<!llvm.ptr>, !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, !omp.affinity_entry_ty<!llvm.ptr, i64>) -> (), sym_name = "tasks"}> ({
  ^bb0(%arg34: !llvm.ptr, %arg35: i32, %arg36: i1, %arg37: !omp.iterated<!llvm.ptr>, %arg38: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %arg39: !omp.affinity_entry_ty<!llvm.ptr, i64>):
    "omp.task"(%arg38, %arg39) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, !omp.affinity_entry_ty<!llvm.ptr, i64>) -> ()
    "omp.task"(%arg39, %arg34) <{depend_iterated_kinds = [], depend_kinds = [#omp.clause_task_depend<taskdependin>], operandSegmentSizes = array<i32: 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.affinity_entry_ty<!llvm.ptr, i64>, !llvm.ptr) -> ()
    "omp.task"(%arg34, %arg37, %arg37, %arg36, %arg36) <{depend_iterated_kinds = [#omp.clause_task_depend<taskdependin>, #omp.clause_task_depend<taskdependinoutset>], depend_kinds = [#omp.clause_task_depend<taskdependout>], operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 2, 1, 1, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, !omp.iterated<!llvm.ptr>, !omp.iterated<!llvm.ptr>, i1, i1) -> ()
    "omp.task"(%arg37, %arg34) <{depend_iterated_kinds = [#omp.clause_task_depend<taskdependin>], depend_kinds = [], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (!omp.iterated<!llvm.ptr>, !llvm.ptr) -> ()
    "omp.task"(%arg34, %arg35, %arg34) <{in_reduction_byref = array<i1: true>, in_reduction_syms = [@red], mergeable, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0>, private_needs_barrier, private_syms = [@pv], untied}> ({
    ^bb0(%arg40: !llvm.ptr, %arg41: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (!llvm.ptr, i32, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1) -> (), sym_name = "teams"}> ({
  ^bb0(%arg29: !llvm.ptr, %arg30: i32, %arg31: i1):
    "omp.teams"(%arg30) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32) -> ()
    "omp.teams"(%arg30, %arg30, %arg30) <{dyn_groupprivate_access_group = #omp.access_group_modifier<cgroup>, dyn_groupprivate_fallback = #omp.fallback_modifier<null>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 1, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "omp.teams"(%arg30, %arg30, %arg30, %arg30) <{dyn_groupprivate_access_group = #omp.access_group_modifier<cgroup>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 2, 0, 0, 1>}> ({
      "omp.terminator"() : () -> ()
    }) : (i32, i32, i32, i32) -> ()
    "omp.teams"(%arg30, %arg31, %arg29, %arg29) <{dyn_groupprivate_fallback = #omp.fallback_modifier<default_mem>, operandSegmentSizes = array<i32: 0, 0, 1, 1, 0, 0, 1, 1, 0>, private_syms = [@pv], reduction_byref = array<i1: false>, reduction_mod = #omp.reduction_modifier<defaultmod>, reduction_syms = [@red]}> ({
    ^bb0(%arg32: !llvm.ptr, %arg33: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (i32, i1, !llvm.ptr, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i1) -> (), sym_name = "targets"}> ({
  ^bb0(%arg24: !llvm.ptr, %arg25: i32, %arg26: i1):
    "omp.target"() <{kernel_type = #omp.kernel_type<generic>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "omp.target"(%arg24, %arg25, %arg25, %arg25, %arg26, %arg24, %arg24, %arg25) <{depend_iterated_kinds = [], depend_kinds = [#omp.clause_task_depend<taskdependin>], dyn_groupprivate_access_group = #omp.access_group_modifier<cgroup>, kernel_type = #omp.kernel_type<generic>, nowait, operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1>, private_maps = array<i64: -1>, private_syms = [@pv]}> ({
    ^bb0(%arg27: i32, %arg28: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) {foo} : (!llvm.ptr, i32, i32, i32, i1, !llvm.ptr, !llvm.ptr, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr, i32, i64, i1, memref<i32>) -> (), sym_name = "loops"}> ({
  ^bb0(%arg6: !llvm.ptr, %arg7: i32, %arg8: i64, %arg9: i1, %arg10: memref<i32>):
    "omp.wsloop"(%arg6, %arg10, %arg7, %arg8) <{linear_modifiers = [#omp.linear_modifier<val>, unit], linear_syms = [@lin, @lin], linear_var_types = [i32, i32], operandSegmentSizes = array<i32: 0, 0, 2, 2, 0, 0, 0>}> ({
    ^bb0(%arg21: !llvm.ptr, %arg22: memref<i32>):
      "omp.loop_nest"(%arg7, %arg7, %arg7) ({
      ^bb0(%arg23: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : (!llvm.ptr, memref<i32>, i32, i64) -> ()
    "omp.wsloop"(%arg6, %arg6, %arg10, %arg7, %arg6, %arg6) <{allocate_alignments = array<i64: 16>, allocate_private_indices = array<i64: 0>, linear_modifiers = [unit], linear_syms = [@lin], linear_var_types = [i32], nowait, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0>, order = #omp.orderkind<concurrent>, order_mod = #omp.order_mod<reproducible>, private_needs_barrier, private_syms = [@pv], reduction_byref = array<i1: true>, reduction_syms = [@red], schedule_kind = #omp.schedulekind<static>}> ({
    ^bb0(%arg17: memref<i32>, %arg18: !llvm.ptr, %arg19: !llvm.ptr):
      "omp.loop_nest"(%arg7, %arg7, %arg7) ({
      ^bb0(%arg20: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) {foo} : (!llvm.ptr, !llvm.ptr, memref<i32>, i32, !llvm.ptr, !llvm.ptr) -> ()
    "omp.wsloop"(%arg6) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 0, 0>, private_syms = [@pv]}> ({
    ^bb0(%arg15: !llvm.ptr):
      "omp.loop_nest"(%arg7, %arg7, %arg7) ({
      ^bb0(%arg16: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : (!llvm.ptr) -> ()
    "omp.simd"(%arg6, %arg9, %arg10, %arg7, %arg6, %arg6) <{alignments = [8], linear_modifiers = [#omp.linear_modifier<val>], linear_syms = [@lin], linear_var_types = [i32], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1>, reduction_byref = array<i1: false>, reduction_syms = [@red]}> ({
    ^bb0(%arg12: memref<i32>, %arg13: !llvm.ptr):
      "omp.loop_nest"(%arg7, %arg7, %arg7) ({
      ^bb0(%arg14: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) {foo} : (!llvm.ptr, i1, memref<i32>, i32, !llvm.ptr, !llvm.ptr) -> ()
    "omp.simd"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%arg7, %arg7, %arg7) ({
      ^bb0(%arg11: i32):
        "omp.yield"() : () -> ()
      }) : (i32, i32, i32) -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr) -> (), sym_name = "threads"}> ({
  ^bb0(%arg5: !llvm.ptr):
    "omp.task"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, threadset = #omp.threadset_policy<omp_pool>}> ({
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "omp.task"(%arg5, %arg5) <{allocate_alignments = array<i64: 0>, operandSegmentSizes = array<i32: 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, threadset = #omp.threadset_policy<omp_team>, untied}> ({
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!llvm.ptr) -> (), sym_name = "reduced"}> ({
  ^bb0(%arg3: !llvm.ptr):
    %3 = "omp.map.info"(%arg3) <{map_capture_type = #omp.variable_capture_kind<ByRef>, map_type = #omp.clause_map_flags<to|from>, operandSegmentSizes = array<i32: 1, 0, 0, 0>, partial_map = false, var_ptr_type = i32}> : (!llvm.ptr) -> !llvm.ptr
    "omp.target"(%arg3, %3) <{in_reduction_byref = array<i1: true>, in_reduction_syms = [@red], kernel_type = #omp.kernel_type<generic>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0>}> ({
    ^bb0(%arg4: !llvm.ptr):
      "omp.terminator"() : () -> ()
    }) : (!llvm.ptr, !llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "unrolled"}> ({
    %1 = "llvm.mlir.constant"() <{value = 4 : i32}> : () -> i32
    %2 = "omp.new_cli"() : () -> !omp.cli
    "omp.canonical_loop"(%1, %2) ({
    ^bb0(%arg2: i32):
      "omp.terminator"() : () -> ()
    }) : (i32, !omp.cli) -> ()
    "omp.unroll_full"(%2) {foo} : (!omp.cli) -> ()
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

