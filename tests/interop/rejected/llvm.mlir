llvm.func @f(i32) -> (i32, i32)
// -----
llvm.func @f(memref<4xf32>)
// -----
llvm.func @f(..., i32)
// -----
llvm.func (i32)
// -----
llvm.func @f() vscale_range(1)
// -----
llvm.func @f() comdat @a
// -----
llvm.func internal hidden fastcc linkonce @f()
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.alloca %a x i32 : (i32, i32) -> !llvm.ptr
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.alloca %a i32 : (i32) -> !llvm.ptr
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.icmp "less" %a, %a : i32
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.icmp slt %a, %a : i32
}
// -----
llvm.func @f(%a: i32, %p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[] : (!llvm.ptr) -> !llvm.ptr, i32
}
// -----
llvm.func @f(%s: !llvm.struct<(i32, ptr)>) {
  %0 = llvm.extractvalue %s[2] : !llvm.struct<(i32, ptr)>
}
// -----
llvm.func @f(%s: i32) {
  %0 = llvm.extractvalue %s[0] : i32
}
// -----
llvm.func @f(%a: i32) {
  llvm.switch %a : i32, ^bb1 [
    1 ^bb1
  ]
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.switch %a : i32, ^bb1 [
    1: ^bb1(%a : i32, i32)
  ]
^bb1(%x: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.call @g(%a) : (i32, i32) -> i32
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.call @g(%a) : i32
}
// -----
llvm.func @f(%a: !llvm.ptr) {
  llvm.call %a() : () -> ()
}
// -----
llvm.func @f(%a: i32) {
  llvm.call @g() ["x"(%a)] : () -> ()
}
// -----
llvm.func @f(%a: i32) {
  llvm.call @g() vararg(i32 : () -> ()
}
// -----
llvm.func @f() {
  llvm.invoke @g() to ^bb1 : () -> ()
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.landingpad (catcher %a : i32) : i32
}
// -----
llvm.mlir.global @g(42 : i32)
// -----
llvm.mlir.global @g(42 : i32 : i32
// -----
llvm.mlir.global internal(42 : i32) : i32
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.add %a, %a overflow<wrap> : i32
}
// -----
llvm.func @f(%v: i32, %w: i32) {
  %0 = llvm.shufflevector %v, %w [0, 1] : i32
}
// -----
llvm.func @f(%a: i32) {
  %0 = llvm.alloca %a x i32 {alignment} : (i32) -> !llvm.ptr
}
