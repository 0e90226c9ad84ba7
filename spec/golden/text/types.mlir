"builtin.module"() ({
  "t.t"() {a = token, b = (i1) -> ()} : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":1:1)
