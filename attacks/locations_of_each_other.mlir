"t.op"() : () -> () loc(#loc1)
#loc1 = loc("a"(#loc2))
"t.op"() : () -> () loc(#loc1)
#loc2 = loc("b"(#loc1))
