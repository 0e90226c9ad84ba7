// Places in files, said with more or fewer numbers than two. Text made of it does not tell them from others any more, so that no other
// place here has the same numbers.
"t.line"() : () -> () loc("f":3)
"t.place_as_range"() : () -> () loc("f":3:6 to :6)
"t.line_as_range"() : () -> () loc("g":4:0 to 4:0)
"t.file"() : () -> () loc("f":0)
"t.named"() : () -> () loc("name"("f":5))
"t.call"() {a = loc("f":7), b = loc("f":8:0)} : () -> () loc(callsite("f":9 at "f":10:0))
