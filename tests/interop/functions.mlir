// Functions in custom form.
func.func private @declared()
func.func private @typed(i32, f32 {d.a}) -> (i32 {d.b = 1 : i8}, f32)
func.func private @result() -> i1
func.func private @results() -> (i1, i2)
func.func private @attr_result() -> (i1 {d.c = "x"})
func.func private @function_result() -> (() -> ())
func.func private @takes_function(() -> (), (i32) -> i32) attributes {d.z, d.y = 1 : i8}
func.func nested @nested() { return }
func.func public @public() { return }
func.func @"quoted \22 name"() { func.return }
func.func @"é"() { return }
func.func @args(%x: i32, %y: f32 {d.a = 1 : i32, d.b}) -> (i32, f32) attributes {d.k = [1, 2], no_inline} {
  return %x, %y : i32, f32
}
func.func @calls(%arg7: i32) -> i32 {
  call @declared() : () -> ()
  %f0 = "test_x.f"() : () -> f32
  %r:2 = call @typed(%arg7, %f0) {d.x = 1 : i8} : (i32, f32) -> (i32, f32)
  %g = func.call @result() : () -> i1
  %h = call @function_result() : () -> (() -> ())
  return {d.r} %r#0 : i32
}
func.func @blocks(%c: i1) -> i1 {
  "test_x.br"(%c)[^a, ^b] : (i1) -> ()
^b:
  "test_x.br"(%c)[^c] : (i1) -> ()
^a:
  return %c : i1
^c:
  %v = "test_x.v"() ({
  ^x(%in: i32):
    "test_x.use"(%in, %c) : (i32, i1) -> ()
  }) : () -> i1
  return %v : i1
}
module @m {
  func.func @inner(%a: !d.t, %b: tensor<?xf32, #d.e>) -> tensor<?xf32, #d.e> {
    "test_x.region"() ({
      "test_x.return"() : () -> ()
    }) : () -> ()
    return %b : tensor<?xf32, #d.e>
  }
}
"func.func"() <{function_type = (i32) -> i32, sym_name = "generic", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = (i32) -> i32, sym_name = "generic_body"}> ({
^bb0(%x: i32):
  "func.return"(%x) : (i32) -> ()
}) {d.a = 1 : i8} : () -> ()
"func.func"() ({
  "func.return"() : () -> ()
}) {function_type = () -> (), sym_name = "in_dictionary"} : () -> ()
"func.func"() <{function_type = (i32) -> i32, sym_name = "no_attrs", sym_visibility = "private", arg_attrs = [{d.a}], res_attrs = [{d.b}]}> ({}) : () -> ()
