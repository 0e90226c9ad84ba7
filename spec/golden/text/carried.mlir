"builtin.module"() ({
  "t.c"() {a = #rmbc.entry<54, "CAFE">, b = #rmbc.entry<63, "", !rmbc.entry<16, "01">>} : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("a.mlir":0:0)
#loc1 = loc("a.mlir":1:1)
