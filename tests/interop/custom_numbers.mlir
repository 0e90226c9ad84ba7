// `true` and `false` where there can be numbers, as upstream reads them.
func.func @f0(%a: vector<2x8xf32>) -> vector<8xf32> {
  %0 = vector.extract %a[true] : vector<8xf32> from vector<2x8xf32>
  return %0 : vector<8xf32>
}
func.func @f1(%a: vector<2x8xf32>) -> vector<8xf32> {
  %0 = vector.extract %a[false] : vector<8xf32> from vector<2x8xf32>
  return %0 : vector<8xf32>
}
llvm.func @f2(%x: i32) {
  llvm.switch %x : i32, ^b [ true: ^b ]
^b:
  llvm.return
}
llvm.func @f3(%x: i32) {
  llvm.switch %x : i32, ^b [ false: ^b ]
^b:
  llvm.return
}
func.func @f4(%x: i32) {
  cf.switch %x : i32, [ default: ^b, true: ^b ]
^b:
  return
}
llvm.func @f5(%p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[false] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.getelementptr %p[true] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}
func.func @f6(%p: memref<4xf32>) {
  %0 = memref.subview %p[false] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1]>>
  return
}
