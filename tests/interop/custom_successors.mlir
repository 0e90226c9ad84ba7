func.func @f(%f: i32, %a: i64) {
  cf.switch %f : i32, [
    default: ^bb1(%a : i64),
    -1: ^bb1(%a : i64),
    42: ^bb2
  ] {x = 1}
^bb1(%b: i64):
  cf.switch %f : i32, [ default: ^bb2 ]
^bb2:
  return
}
func.func @g(%f: i8, %a: index) {
  cf.switch %f : i8, [
    default: ^bb2, 250: ^bb2, 127: ^bb1(%f, %a : i8, index), 127 : ^bb2]
^bb1(%b: i8, %c : index):
  return
^bb2:
  return
}
llvm.func @h(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [
    ^bb1(%x : i32),
    ^bb2
    ] {x}
^bb1(%b: i32):
  llvm.indirectbr %a : !llvm.ptr, []
^bb2:
  %v = llvm.cmpxchg weak volatile %a, %x, %x syncscope("s") acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.return
}
llvm.func @spaces(%a: !llvm.ptr<1>) {
  llvm.indirectbr %a : <1>, [
    ^bb1
  ]
^bb1:
  llvm.indirectbr %a : !llvm.ptr<1>, []
}
