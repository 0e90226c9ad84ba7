// Definitions of the builtin and func dialects.

// expected-error@+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires attribute 'sym_name'}}
"func.func"() <{function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires one region}}
"func.func"() <{function_type = () -> (), sym_name = "f"}> : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires zero results}}
%0 = "func.func"() <{function_type = () -> (), sym_name = "f"}> ({}) : () -> i32

// -----

%0 = "other.def"() : () -> i32
// expected-error@+1 {{'func.func' op requires zero operands}}
"func.func"(%0) <{function_type = () -> (), sym_name = "f"}> ({}) : (i32) -> ()

// -----

// expected-error@+1 {{'func.func' op entry block must have 2 arguments to match function signature}}
"func.func"() <{function_type = (i32, i32) -> (), sym_name = "f"}> ({
^entry(%a: i32):
  func.return
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #1('i64') must match the type of the corresponding argument in function signature('vector<4xi32>')}}
"func.func"() <{function_type = (i32, vector<4xi32>) -> (), sym_name = "f"}> ({
^entry(%a: i32, %b: i64):
  func.return
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
"func.func"() <{arg_attrs = [{}, {}], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0}}
"func.func"() <{res_attrs = [{}], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op arguments may only have dialect attributes}}
func.func private @f(i32 {other.good}, i32 {bad})

// -----

// expected-error@+1 {{'func.func' op results may only have dialect attributes}}
func.func private @f() -> (i32 {bad})

// -----

// expected-error@+1 {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() <{arg_attrs = [1 : i32], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

func.func @f(%a: i32) -> (i32, i32) {
  // expected-error@+1 {{'func.return' op has 1 operands, but enclosing function (@f) returns 2}}
  return %a : i32
}

// -----

func.func @"a name"(%a: i32) -> (i32, complex<f32>) {
  // expected-error@+1 {{type of return operand 1 ('i32') doesn't match function result type ('complex<f32>') in function @a name}}
  return %a, %a : i32, i32
}

// -----

func.func @f(%f: (i32) -> f32, %a: i32) {
  %0 = "func.call_indirect"(%f, %a) : ((i32) -> f32, i32) -> f32
  // expected-error@+1 {{'func.call_indirect' op failed to verify that callee input types match argument types}}
  %1 = "func.call_indirect"(%f) : ((i32) -> f32) -> f32
  return
}

// -----

func.func @f(%f: (i32) -> f32, %a: i32) {
  // expected-error@+1 {{'func.call_indirect' op failed to verify that callee result types match result types}}
  "func.call_indirect"(%f, %a) : ((i32) -> f32, i32) -> ()
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call_indirect' op operand #0 must be function type, but got 'i32'}}
  "func.call_indirect"(%a, %a) : (i32, i32) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'func.call_indirect' op expected 1 or more operands, but found 0}}
  "func.call_indirect"() : () -> ()
  return
}

// -----

// expected-error@+1 {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({}) : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({
^a:
^b:
}) : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op region should have no arguments}}
"builtin.module"() ({
^a(%0: i32):
}) : () -> ()

// -----

module attributes {other.a, other.b = #dlti.dl_spec<index = 32 : i32>} {}

// -----

// expected-error@+1 {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'plain'}}
module attributes {plain, other.a} {}

// -----

// expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
"builtin.unrealized_conversion_cast"() : () -> ()

// -----

// expected-error@+1 {{'builtin.unrealized_conversion_cast' op requires zero regions}}
%0 = "builtin.unrealized_conversion_cast"() ({}) : () -> i32
// -----
module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1}}
  transform.named_sequence @s(!transform.any_op) attributes {arg_attrs = []}
}
// -----
// expected-error@+1 {{expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1}}
func.func @f(%i: index) attributes {arg_attrs = []} { return }
