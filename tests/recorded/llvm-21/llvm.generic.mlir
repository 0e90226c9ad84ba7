"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr)>, linkage = #llvm.linkage<external>, sym_name = "callee", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (...)>, linkage = #llvm.linkage<external>, sym_name = "personality", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr, f32, i1, i64)>, linkage = #llvm.linkage<external>, personality = @personality, sym_name = "llvm", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg3: i32, %arg4: !llvm.ptr, %arg5: f32, %arg6: i1, %arg7: i64):
    %9 = "llvm.getelementptr"(%arg4, %arg3) <{elem_type = !llvm.struct<(i32, f32)>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: -2147483648, 1>}> : (!llvm.ptr, i32) -> !llvm.ptr
    %10 = "llvm.getelementptr"(%arg4) <{elem_type = i8, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: 4>}> : (!llvm.ptr) -> !llvm.ptr
    "llvm.store"(%arg3, %arg4) <{alignment = 4 : i64, ordering = 0 : i64}> : (i32, !llvm.ptr) -> ()
    "llvm.store"(%arg5, %arg4) <{nontemporal, ordering = 0 : i64, volatile_}> : (f32, !llvm.ptr) -> ()
    "llvm.store"(%arg3, %arg4) <{alignment = 4 : i64, ordering = 5 : i64, syncscope = "agent"}> : (i32, !llvm.ptr) -> ()
    %11 = "llvm.load"(%arg4) <{alignment = 8 : i64, invariant, ordering = 0 : i64}> : (!llvm.ptr) -> i64
    %12 = "llvm.load"(%arg4) <{ordering = 0 : i64, volatile_}> : (!llvm.ptr) -> f32
    %13 = "llvm.load"(%arg4) <{alignment = 4 : i64, ordering = 4 : i64, syncscope = "agent"}> : (!llvm.ptr) -> i32
    %14 = "llvm.add"(%arg3, %arg3) <{overflowFlags = 3 : i32}> : (i32, i32) -> i32
    %15 = "llvm.mul"(%arg3, %arg3) <{overflowFlags = 0 : i32}> : (i32, i32) -> i32
    %16 = "llvm.and"(%arg3, %arg3) : (i32, i32) -> i32
    %17 = "llvm.fadd"(%arg5, %arg5) <{fastmathFlags = #llvm.fastmath<fast>}> : (f32, f32) -> f32
    %18 = "llvm.fadd"(%arg5, %arg5) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
    %19 = "llvm.intr.sqrt"(%arg5) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
    %20 = "llvm.intr.fma"(%arg5, %arg5, %arg5) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32, f32) -> f32
    %21 = "llvm.call"(%arg3, %arg4) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @callee, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>}> {a.b} : (i32, !llvm.ptr) -> i32
    %22 = "llvm.call"(%arg3, %arg4) <{CConv = #llvm.cconv<fastcc>, TailCallKind = #llvm.tailcallkind<tail>, callee = @callee, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>}> : (i32, !llvm.ptr) -> i32
    %23 = "llvm.call_intrinsic"(%arg5) <{fastmathFlags = #llvm.fastmath<reassoc>, intrin = "llvm.x86.sse41.round.ss", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (f32) -> f32
    %24 = "llvm.zext"(%arg3) : (i32) -> i64
    %25 = "llvm.lshr"(%arg3, %arg3) : (i32, i32) -> i32
    %26 = "llvm.udiv"(%arg3, %arg3) : (i32, i32) -> i32
    %27 = "llvm.or"(%arg3, %arg3) : (i32, i32) -> i32
    "llvm.intr.trap"() : () -> ()
    "llvm.switch"(%arg3, %arg3)[^bb1, ^bb2, ^bb1] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[1, -2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb0
    %28 = "llvm.invoke"(%arg3, %arg4, %arg3)[^bb2, ^bb3] <{CConv = #llvm.cconv<ccc>, callee = @callee, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 1, 0, 0>}> : (i32, !llvm.ptr, i32) -> i32
  ^bb2(%29: i32):  // 2 preds: ^bb0, ^bb1
    "llvm.return"(%29) : (i32) -> ()
  ^bb3:  // pred: ^bb1
    %30 = "llvm.landingpad"() <{cleanup}> : () -> !llvm.struct<(ptr, i32)>
    "llvm.return"(%arg3) : (i32) -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32, ptr, i64)>, linkage = #llvm.linkage<external>, sym_name = "newer", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32, %arg1: !llvm.ptr, %arg2: i64):
    %0 = "llvm.getelementptr"(%arg1, %arg0) <{elem_type = i8, noWrapFlags = 4 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr
    "llvm.store"(%arg0, %arg1) <{invariantGroup, ordering = 0 : i64}> : (i32, !llvm.ptr) -> ()
    %1 = "llvm.load"(%arg1) <{alignment = 4 : i64, invariantGroup, ordering = 0 : i64}> : (!llvm.ptr) -> i32
    %2 = "llvm.lshr"(%arg0, %arg0) <{isExact}> : (i32, i32) -> i32
    %3 = "llvm.udiv"(%arg0, %arg0) <{isExact}> : (i32, i32) -> i32
    %4 = "llvm.or"(%arg0, %arg0) <{isDisjoint}> : (i32, i32) -> i32
    %5 = "llvm.zext"(%arg0) <{nonNeg}> : (i32) -> i64
    %6 = "llvm.trunc"(%arg2) <{overflowFlags = 2 : i32}> : (i64) -> i32
    %7 = "llvm.call"(%arg0, %arg1, %arg0) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @callee, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32: 1>, op_bundle_tags = ["tag"], operandSegmentSizes = array<i32: 2, 1>}> : (i32, !llvm.ptr, i32) -> i32
    "llvm.indirectbr"(%arg1, %arg0)[^bb1, ^bb2] <{indbr_operand_segments = array<i32: 0, 1>}> : (!llvm.ptr, i32) -> ()
  ^bb1:  // pred: ^bb0
    "llvm.return"() : () -> ()
  ^bb2(%8: i32):  // pred: ^bb0
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite>, sym_name = "effects", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()

