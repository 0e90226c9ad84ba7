// Operations in generic form.
module @m attributes {d.x = 1 : i32} {
  module {}
  "test_x.empty"() : () -> ()
  %0:2, %1 = "test_x.results"() ({
  ^bb0(%a: i32 loc("arg"), %b: f32):
    "test_x.br"(%a, %b)[^bb1, ^bb2] : (i32, f32) -> ()
  ^bb1:
    "test_x.forward"(%late#1) : (i64) -> ()
  ^bb2(%c: i1):
    %late:2 = "test_x.late"() : () -> (i1, i64)
  }, {
  }) {x = 0} : () -> (i32, f32, i1) loc(#l1)
  "test_x.use"(%0#0, %0#1, %1, %0) : (i32, f32, i1, i32) -> () loc(unknown)
  "test_x.isolated"() ({
    %2 = "test_x.inner"() <{q = 1 : i8}> ({}) : () -> !d.t
    %3 = builtin.unrealized_conversion_cast %2 : !d.t to i32
    %4:2 = builtin.unrealized_conversion_cast %3, %2 : i32, !d.t to f32, i1 {k = "v"}
  }) : () -> () loc(fused<"meta">["a", callsite("b"("q":3:4) at "c.py":1:2 to 3:4), "d":4:5 to :9])
  unrealized_conversion_cast to i32
  "test_x.l"() : () -> () loc("f.mlir":7)
  "test_x.l"() : () -> () loc(fused<"m">[])
}
#l0 = loc("f.mlir":10:20)
#l1 = loc(fused[#l0, "x"(unknown)])
