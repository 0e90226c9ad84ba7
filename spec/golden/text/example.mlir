"builtin.module"() ({
  "t.f"() ({
    %0 = "t.c"() {n = 1 : i8} : () -> i8 loc(#loc2)
    "t.u"(%0) : (i8) -> () loc(#loc3)
  }) {sym_name = "g"} : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":1:1)
#loc2 = loc("a.mlir":2:8)
#loc3 = loc("a.mlir":3:3)
