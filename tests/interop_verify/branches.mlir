// What successors are given, and their arguments.

func.func @f(%a: i32) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  "cf.br"(%a)[^bb1] : (i32) -> ()
^bb1(%b: i64):
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 2}}
  "cf.br"(%a)[^bb1] : (i32) -> ()
^bb1(%b: i32, %c: i32):
  return
}

// -----

func.func @f(%a: i32) {
  "cf.br"(%a)[^bb1] : (i32) -> ()
^bb1(%b: i32):
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
  // expected-error@+1 {{branch has 1 operands for successor #1, but target block has 0}}
  "cf.cond_br"(%c, %a, %a)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32, i32) -> ()
^bb1(%b: i32):
  return
^bb2:
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
  // expected-error@+1 {{type mismatch for bb argument #1 of successor #0}}
  "cf.cond_br"(%c, %a, %a)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i32, i32) -> ()
^bb1(%b: i32, %d: i64):
  return
^bb2:
  return
}

// -----

func.func @f(%flag: i32, %a: i32, %b: i64) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #2}}
  "cf.switch"(%flag, %a, %b)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 1, 1>, case_values = dense<[1, 2]> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 0, 2>}> : (i32, i32, i64) -> ()
^bb1:
  return
^bb2(%x: i32):
  return
^bb3(%y: i32):
  return
}

// -----

func.func @f(%flag: i32, %a: i32, %b: i64) {
  // expected-error@+1 {{branch has 0 operands for successor #1, but target block has 1}}
  "cf.switch"(%flag, %a, %b)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 0, 2>, case_values = dense<[1, 2]> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 0, 2>}> : (i32, i32, i64) -> ()
^bb1:
  return
^bb2(%x: i32):
  return
^bb3(%y: i32):
  return
}

// -----

func.func @f(%flag: i32, %a: i32, %b: i64) {
  "cf.switch"(%flag, %a, %b, %b)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 1, 1>, case_values = dense<[1, 2]> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 1, 2>}> : (i32, i32, i64, i64) -> ()
^bb1(%w: i32):
  return
^bb2(%x: i64):
  return
^bb3(%y: i64):
  return
}

// -----

llvm.func @f(%a: i32) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  "llvm.br"(%a)[^bb1] : (i32) -> ()
^bb1(%b: i64):
  llvm.return
}

// -----

llvm.func @g(i32) -> i32
llvm.func @f(%a: i32) attributes {personality = @g} {
  // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 0}}
  %0 = "llvm.invoke"(%a, %a)[^bb1, ^bb2] <{callee = @g, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (i32, i32) -> i32
^bb1:
  llvm.return
^bb2:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}
