"builtin.module"() ({
  "t.m"() : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":1:1)
