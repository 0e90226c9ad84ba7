// Opaque types, which have no shape and are no numbers, and attributes of another sort.
func.func @different(%a: !nobody.knows, %b: !none.knows) {
  // expected-error@+1 {{'arith.subi' op operand #0 must be signless-integer-like, but got '!nobody.knows'}}
  %0 = "arith.subi"(%a, %b) : (!nobody.knows, !none.knows) -> !nobody.knows
  func.return
}

// -----

func.func @of_another_type() {
  // expected-error@+1 {{'spirv.Constant' op result type ('f16') does not match value type ('i32')}}
  %0 = "spirv.Constant"() <{value = 1 : i32}> : () -> f16
  func.return
}

// -----

func.func @not_a_constant() {
  // expected-error@+1 {{'spirv.Constant' op cannot have attribute: @a}}
  %0 = "spirv.Constant"() <{value = @a}> : () -> i32
  func.return
}

// -----

// expected-error@+1 {{'ml_program.func' op symbol declaration cannot have public visibility}}
"ml_program.func"() <{function_type = () -> (), sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'shape.func' op symbol declaration cannot have public visibility}}
"shape.func"() <{function_type = () -> (), sym_name = "f"}> ({}) : () -> ()

// -----

// No attribute of `arith` holds this enumeration.
func.func @another_attribute(%a: i32) {
  // expected-error@+1 {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a, %a) {predicate = #arith.overflow<nsw>} : (i32, i32) -> i1
  func.return
}
