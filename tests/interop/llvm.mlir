llvm.func @sw(%arg0: i32, %b: i64) {
  llvm.switch %arg0 : i32, ^bb1 [
    42: ^bb2(%b: i64),
    -5: ^bb3
  ] {branch_weights = array<i32: 13, 17, 19>}
^bb1:
  llvm.return
^bb2(%x: i64):
  llvm.switch %b : i64, ^bb1 [
  ]
^bb3:
  %c = llvm.mlir.constant(1 : i64) : i64
  %al = llvm.alloca %arg0 x i32 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %al2 = llvm.alloca inalloca %arg0 x !llvm.struct<(i32, ptr)> {alignment = 0} : (i32) -> !llvm.ptr<3>
  %q = llvm.icmp "slt" %b, %c {a} : i64
  %g = llvm.getelementptr inbounds|nuw %al[%b, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, ptr)>
  llvm.intr.assume %q ["align"(%al, %b : !llvm.ptr, i64)] : i1
  llvm.return
}
llvm.func @f(%arg0: i32, %b: i64, %p: !llvm.ptr) -> i32 {
  %0 = llvm.call @g(%arg0) {fastmathFlags = #llvm.fastmath<none>} : (i32) -> i32
  %1 = llvm.call fastcc musttail %p(%arg0) vararg(!llvm.func<i32 (i32, ...)>) ["foo"(%b : i64), "bar"()] : !llvm.ptr, (i32 {llvm.noundef}) -> (i32 {llvm.noundef})
  llvm.call @h() : () -> ()
  llvm.return %1 : i32
}
llvm.func @g(i32) -> i32
llvm.func @h()
llvm.func extern_weak @priv() attributes {dso_local, sym_visibility="private"}
llvm.mlir.global internal @gl(42 : i32) : i32
llvm.mlir.global private constant @s("abc")
llvm.mlir.global private constant @s2("abc") : !llvm.array<3 x i8>
llvm.mlir.global external thread_local unnamed_addr @s3() {addr_space = 3 : i32} : !llvm.struct<"foo", (i32, ptr)>
llvm.mlir.global weak hidden @s4() : i32 { 
  %c = llvm.mlir.constant(1 : i32) : i32
  llvm.return %c : i32 }
llvm.mlir.alias external @al {dso_local} : i32 {
  %0 = llvm.mlir.addressof @gl : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.ifunc external @foo : !llvm.func<void (ptr, i32)>, !llvm.ptr @resolver {dso_local}
llvm.func @resolver() -> !llvm.ptr { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.func @vs() vscale_range(1, 16) attributes {no_inline}
