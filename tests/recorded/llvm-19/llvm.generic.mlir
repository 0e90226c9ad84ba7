"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr)>, linkage = #llvm.linkage<external>, sym_name = "callee", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (...)>, linkage = #llvm.linkage<external>, sym_name = "personality", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr, f32, i1, i64)>, linkage = #llvm.linkage<external>, personality = @personality, sym_name = "llvm", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32, %arg1: !llvm.ptr, %arg2: f32, %arg3: i1, %arg4: i64):
    %0 = "llvm.getelementptr"(%arg1, %arg0) <{elem_type = !llvm.struct<(i32, f32)>, inbounds, rawConstantIndices = array<i32: -2147483648, 1>}> : (!llvm.ptr, i32) -> !llvm.ptr
    %1 = "llvm.getelementptr"(%arg1) <{elem_type = i8, rawConstantIndices = array<i32: 4>}> : (!llvm.ptr) -> !llvm.ptr
    "llvm.store"(%arg0, %arg1) <{alignment = 4 : i64, ordering = 0 : i64}> : (i32, !llvm.ptr) -> ()
    "llvm.store"(%arg2, %arg1) <{nontemporal, ordering = 0 : i64, volatile_}> : (f32, !llvm.ptr) -> ()
    "llvm.store"(%arg0, %arg1) <{alignment = 4 : i64, ordering = 5 : i64, syncscope = "agent"}> : (i32, !llvm.ptr) -> ()
    %2 = "llvm.load"(%arg1) <{alignment = 8 : i64, invariant, ordering = 0 : i64}> : (!llvm.ptr) -> i64
    %3 = "llvm.load"(%arg1) <{ordering = 0 : i64, volatile_}> : (!llvm.ptr) -> f32
    %4 = "llvm.load"(%arg1) <{alignment = 4 : i64, ordering = 4 : i64, syncscope = "agent"}> : (!llvm.ptr) -> i32
    %5 = "llvm.and"(%arg0, %arg0) : (i32, i32) -> i32
    %6 = "llvm.fadd"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<fast>}> : (f32, f32) -> f32
    %7 = "llvm.fadd"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
    %8 = "llvm.intr.sqrt"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
    %9 = "llvm.intr.fma"(%arg2, %arg2, %arg2) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32, f32) -> f32
    %10 = "llvm.call"(%arg0, %arg1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @callee, fastmathFlags = #llvm.fastmath<none>}> {a.b} : (i32, !llvm.ptr) -> i32
    %11 = "llvm.call"(%arg0, %arg1) <{CConv = #llvm.cconv<fastcc>, TailCallKind = #llvm.tailcallkind<tail>, callee = @callee, fastmathFlags = #llvm.fastmath<none>}> : (i32, !llvm.ptr) -> i32
    %12 = "llvm.call_intrinsic"(%arg2) <{fastmathFlags = #llvm.fastmath<reassoc>, intrin = "llvm.x86.sse41.round.ss"}> : (f32) -> f32
    %13 = "llvm.zext"(%arg0) : (i32) -> i64
    %14 = "llvm.lshr"(%arg0, %arg0) : (i32, i32) -> i32
    %15 = "llvm.udiv"(%arg0, %arg0) : (i32, i32) -> i32
    %16 = "llvm.or"(%arg0, %arg0) : (i32, i32) -> i32
    "llvm.intr.trap"() : () -> ()
    "llvm.switch"(%arg0, %arg0)[^bb1, ^bb2, ^bb1] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[1, -2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb0
    %17 = "llvm.invoke"(%arg0, %arg1)[^bb3, ^bb4] <{CConv = #llvm.cconv<ccc>, callee = @callee, operandSegmentSizes = array<i32: 2, 0, 0>}> : (i32, !llvm.ptr) -> i32
  ^bb2(%18: i32):  // pred: ^bb0
    "llvm.return"(%18) : (i32) -> ()
  ^bb3:  // pred: ^bb1
    "llvm.return"(%arg0) : (i32) -> ()
  ^bb4:  // pred: ^bb1
    %19 = "llvm.landingpad"() <{cleanup}> : () -> !llvm.struct<(ptr, i32)>
    "llvm.return"(%arg0) : (i32) -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "effects", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite>} : () -> ()
}) : () -> ()

