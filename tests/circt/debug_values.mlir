module {
  func.func @f(%arg0: i1, %arg1: i8, %arg2: !rtg.isa.label, %arg3: index) {
    %0 = dbg.struct {"a": %arg0, "b c": %arg1} {q = 1 : i8} : i1, i8
    %1 = dbg.struct {}
    %2 = dbg.array [%arg0, %arg0] {q} : i1
    %3 = dbg.array []
    %4 = dbg.array [%0, %1] : !dbg.struct
    return
  }
}
