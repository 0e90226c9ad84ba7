func.func @unknown(%a: i32, %b: index) -> i32 {
  %0:2 = "x.make"(%a) {x.note = "n"} : (i32) -> (f64, tuple<i8, f16>)
  %1 = "x.region"(%0#0) <{kind = 4 : i64}> ({
  ^bb0(%p: i32, %q: f64):
    "x.use"(%p, %q) : (i32, f64) -> ()
    "x.branch"(%p)[^bb1] : (i32) -> ()
  ^bb1:
    "x.stop"() : () -> ()
  }, {
  }) : (f64) -> i32
  %2 = builtin.unrealized_conversion_cast %1 : i32 to !x.boxed<i32>
  %3:2 = builtin.unrealized_conversion_cast %2, %0#1 : !x.boxed<i32>, tuple<i8, f16> to i32, index
  "x.use"(%3#0, %3#1, %b) : (i32, index, index) -> ()
  %4 = arith.index_cast %b : index to i32
  %5 = arith.shli %4, %1 : i32
  %6 = index.add %b, %3#1
  %7 = arith.index_cast %6 : index to i32
  %8 = arith.addi %5, %7 : i32
  return %8 : i32
}
