// Successors with operands in each way that they can be written; the type of a pointer can be left out where its name can.
llvm.func @f3(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, []
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f4(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : , []
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f5(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : , [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f6(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f7(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b, ^c(%x : i32)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f21(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b] {foo}
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f22(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b] {indbr_operand_segments = array<i32: 0>}
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f31(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b []
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f32(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f37(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^c(%x : i32) ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f44(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^c(%x : i32) [ -1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f45(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^c(%x : i32) [ 0xff: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f46(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^c(%x : i32) [ 99999999999999999: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f49(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ default: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f58(%a: !llvm.ptr, %x: i32) {
  cf.br ^b
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
llvm.func @f60(%a: !llvm.ptr, %x: i32) {
  cf.br ^c(%x : i32)
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
