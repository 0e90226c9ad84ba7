#loc1 = loc("a":1:1)
func.func private @declared(i32 {d.a}, f32) -> (i32 {d.b = 1}, f32)
func.func @"quoted name"() { return }
module @nested attributes {d.k = @declared} {
  func.func nested @f(%x: i32 {d.k = "v"} loc(#loc1), %y: i1) -> (i32, i1) attributes {z = 3 : i8, "q r"} {
    %r:2 = call @f(%x, %y) {a} : (i32, i1) -> (i32, i1)
    %c = "func.constant"() <{value = @f}> : () -> ((i32, i1) -> (i32, i1))
    %s:2 = "func.call_indirect"(%c, %x, %y) : ((i32, i1) -> (i32, i1), i32, i1) -> (i32, i1)
    "cf.br"(%r#0)[^next] : (i32) -> ()
  ^next(%z: i32):
    return %z, %s#1 : i32, i1
  } loc(#loc1)
}
