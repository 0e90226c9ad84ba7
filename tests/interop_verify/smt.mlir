// What values operations of SMT take.

func.func @f(%i: !smt.int, %f: !smt.func<(!smt.int) !smt.bool>, %s: !smt.sort<"s"[!smt.int]>, %v: !smt.array<[!smt.int -> !smt.bv<4>]>) {
  %0 = "smt.apply_func"(%f, %i) : (!smt.func<(!smt.int) !smt.bool>, !smt.int) -> !smt.bool
  %1 = "smt.distinct"(%s, %s) : (!smt.sort<"s"[!smt.int]>, !smt.sort<"s"[!smt.int]>) -> !smt.bool
  %2 = "smt.array.select"(%v, %i) : (!smt.array<[!smt.int -> !smt.bv<4>]>, !smt.int) -> !smt.bv<4>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'smt.distinct' op operand #0 must be variadic of any non-function SMT value type, but got 'i32'}}
  %0 = "smt.distinct"(%a, %a) : (i32, i32) -> !smt.bool
  return
}

// -----

func.func @f(%f: !smt.func<(!smt.int) !smt.bool>) {
  // expected-error@+1 {{'smt.distinct' op operand #0 must be variadic of any non-function SMT value type, but got '!smt.func<(!smt.int) !smt.bool>'}}
  %0 = "smt.distinct"(%f, %f) : (!smt.func<(!smt.int) !smt.bool>, !smt.func<(!smt.int) !smt.bool>) -> !smt.bool
  return
}

// -----

func.func @f(%c: !smt.bool, %a: f32) {
  // expected-error@+1 {{'smt.ite' op operand #1 must be any SMT value type, but got 'f32'}}
  %0 = "smt.ite"(%c, %a, %a) : (!smt.bool, f32, f32) -> f32
  return
}
