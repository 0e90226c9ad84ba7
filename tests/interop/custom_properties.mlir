llvm.func @f() {
  "llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()
  "llvm.intr.ubsantrap"() <{failureKind = -1 : i8}> {x} : () -> ()
  llvm.intr.ubsantrap <{failureKind = 3 : i8}> {y}
  llvm.return
}
