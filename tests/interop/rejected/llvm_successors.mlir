llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : ,
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr,
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b,]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [,]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, ^b
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : i32, [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c(%x, %x : i32)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c(%x : i32, i32)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c(%x i32)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c()]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c( : )]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^c(%x :)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b()]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b(:)]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, [^b {foo}
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a :
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr : !llvm.ptr, [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a, %a : !llvm.ptr, [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.indirectbr %a : !llvm.ptr, !llvm.ptr, [^b]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^b, ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ , ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1 ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^c() ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^c(:) ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^b [ 1: ^c(%x : i32, i32) ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^c() [ 1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32, ^c(:) [ 1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : , ^b [ ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.switch %x : i32 ^b [ ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ default: ^b, ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ default: ^b(), 1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ default: ^c(%x : i32), 1: ^b() ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, []
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : i32, [ 1: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.switch %x : , [ default: ^b ]
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.br ^b()
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.br ^c(%x : )
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  cf.br ^c(: )
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.br ^c(:)
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.br ^c()
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.br ^b()
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.br ^c(%x : )
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr, %x: i32) {
  llvm.cond_br %x, ^b, ^b()
^b:
  llvm.return
^c(%y: i32):
  llvm.return
}
