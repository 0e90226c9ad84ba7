"builtin.module"() ({
  "func.func"() <{function_type = (i1, i8, !rtg.isa.label, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i8, %arg2: !rtg.isa.label, %arg3: index):
    %0 = "dbg.struct"(%arg0, %arg1) <{names = ["a", "b c"]}> {q = 1 : i8} : (i1, i8) -> !dbg.struct
    %1 = "dbg.struct"() <{names = []}> : () -> !dbg.struct
    %2 = "dbg.array"(%arg0, %arg0) {q} : (i1, i1) -> !dbg.array
    %3 = "dbg.array"() : () -> !dbg.array
    %4 = "dbg.array"(%0, %1) : (!dbg.struct, !dbg.struct) -> !dbg.array
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
