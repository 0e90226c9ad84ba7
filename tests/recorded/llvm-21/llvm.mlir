module {
  llvm.func @callee(i32, !llvm.ptr) -> i32
  llvm.func @personality(...) -> i32
  llvm.func @llvm(%arg0: i32, %arg1: !llvm.ptr, %arg2: f32, %arg3: i1, %arg4: i64) -> i32 attributes {personality = @personality} {
    %0 = llvm.getelementptr inbounds %arg1[%arg0, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %1 = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %arg0, %arg1 {alignment = 4 : i64} : i32, !llvm.ptr
    llvm.store volatile %arg2, %arg1 {nontemporal} : f32, !llvm.ptr
    llvm.store %arg0, %arg1 atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr
    %2 = llvm.load %arg1 invariant {alignment = 8 : i64} : !llvm.ptr -> i64
    %3 = llvm.load volatile %arg1 : !llvm.ptr -> f32
    %4 = llvm.load %arg1 atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    %5 = llvm.add %arg0, %arg0 overflow<nsw, nuw> : i32
    %6 = llvm.mul %arg0, %arg0 : i32
    %7 = llvm.and %arg0, %arg0 : i32
    %8 = llvm.fadd %arg2, %arg2 {fastmathFlags = #llvm.fastmath<fast>} : f32
    %9 = llvm.fadd %arg2, %arg2 : f32
    %10 = llvm.intr.sqrt(%arg2) : (f32) -> f32
    %11 = llvm.intr.fma(%arg2, %arg2, %arg2) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32, f32) -> f32
    %12 = llvm.call @callee(%arg0, %arg1) {a.b} : (i32, !llvm.ptr) -> i32
    %13 = llvm.call fastcc tail @callee(%arg0, %arg1) : (i32, !llvm.ptr) -> i32
    %14 = llvm.call_intrinsic "llvm.x86.sse41.round.ss"(%arg2) {fastmathFlags = #llvm.fastmath<reassoc>} : (f32) -> f32
    %15 = llvm.zext %arg0 : i32 to i64
    %16 = llvm.lshr %arg0, %arg0 : i32
    %17 = llvm.udiv %arg0, %arg0 : i32
    %18 = llvm.or %arg0, %arg0 : i32
    "llvm.intr.trap"() : () -> ()
    llvm.switch %arg0 : i32, ^bb1 [
      1: ^bb2(%arg0 : i32),
      -2: ^bb1
    ]
  ^bb1:  // 2 preds: ^bb0, ^bb0
    %19 = llvm.invoke @callee(%arg0, %arg1) to ^bb2(%arg0 : i32) unwind ^bb3 : (i32, !llvm.ptr) -> i32
  ^bb2(%20: i32):  // 2 preds: ^bb0, ^bb1
    llvm.return %20 : i32
  ^bb3:  // pred: ^bb1
    %21 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
    llvm.return %arg0 : i32
  }
  llvm.func @newer(%arg0: i32, %arg1: !llvm.ptr, %arg2: i64) {
    %0 = llvm.getelementptr nuw %arg1[%arg0] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %arg0, %arg1 invariant_group : i32, !llvm.ptr
    %1 = llvm.load %arg1 invariant_group {alignment = 4 : i64} : !llvm.ptr -> i32
    %2 = llvm.lshr exact %arg0, %arg0 : i32
    %3 = llvm.udiv exact %arg0, %arg0 : i32
    %4 = llvm.or disjoint %arg0, %arg0 : i32
    %5 = llvm.zext nneg %arg0 : i32 to i64
    %6 = llvm.trunc %arg2 overflow<nuw> : i64 to i32
    %7 = llvm.call @callee(%arg0, %arg1) ["tag"(%arg0 : i32)] : (i32, !llvm.ptr) -> i32
    llvm.indirectbr %arg1 : !llvm.ptr, [
    ^bb1,
    ^bb2(%arg0 : i32)
    ]
  ^bb1:  // pred: ^bb0
    llvm.return
  ^bb2(%8: i32):  // pred: ^bb0
    llvm.return
  }
  llvm.func @effects(i32) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite>}
}

