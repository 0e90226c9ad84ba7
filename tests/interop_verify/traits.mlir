// Traits, on operations of upstream of which this suite holds definitions of its own.

%0, %1 = "other.def"() : () -> (i32, i64)
// expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
%2 = "arith.addi"(%0) : (i32) -> i32

// -----

%0, %1 = "other.def"() : () -> (i32, i64)
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
%2 = "arith.addi"(%0, %1) : (i32, i64) -> i32

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<4xi64>)
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
%2 = "arith.addi"(%0, %0) : (vector<4xi32>, vector<4xi32>) -> vector<4xi64>

// -----

%0, %1 = "other.def"() : () -> (i32, i64)
// expected-error@+1 {{'arith.cmpi' op requires all operands to have the same type}}
%2 = "arith.cmpi"(%0, %1) <{predicate = 1 : i64}> : (i32, i64) -> i1

// -----

%0, %1 = "other.def"() : () -> (i32, i64)
// expected-error@+1 {{'arith.addui_extended' op expected 2 results}}
%2 = "arith.addui_extended"(%0, %0) : (i32, i32) -> i32

// -----

// expected-error@+1 {{'arith.negf' op requires a single operand}}
%2 = "arith.negf"() : () -> f32

// -----

%0 = "other.def"() : () -> f32
// expected-error@+1 {{'arith.negf' op requires one result}}
"arith.negf"(%0) : (f32) -> ()

// -----

// expected-error@+1 {{'cf.br' op requires 1 successor but found 0}}
"cf.br"() : () -> ()

// -----

// expected-error@+1 {{'cf.cond_br' op requires 2 successors but found 0}}
"cf.cond_br"() : () -> ()

// -----

// expected-error@+1 {{'cf.switch' op requires at least 1 successors but found 0}}
"cf.switch"() : () -> ()

// -----

func.func @segments(%c: i1) {
  // expected-error@+1 {{'cf.cond_br' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1) -> ()
^next:
  return
}

// -----

func.func @segments(%c: i1) {
  // expected-error@+1 {{'cf.cond_br' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 1, -1, 1>}> : (i1) -> ()
^next:
  return
}

// -----

func.func @segments(%c: i1) {
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^next:
  return
}

// -----

// expected-error@+1 {{'scf.index_switch' op expected 1 or more regions}}
"scf.index_switch"() : () -> ()

// -----

// expected-error@+1 {{'async.execute' op expected 1 or more results}}
"async.execute"() ({}) : () -> ()

// -----

// expected-error@+1 {{'scf.condition' op expected 1 or more operands, but found 0}}
"scf.condition"() : () -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.condition' op expects parent op 'scf.while'}}
"scf.condition"(%0) : (i1) -> ()

// -----

"other.region"() ({
  // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  "scf.yield"() : () -> ()
}) : () -> ()

// -----

%0 = "other.def"() : () -> i1
"scf.if"(%0) ({
  "scf.yield"() : () -> ()
}, {}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.if' op expected 2 regions}}
"scf.if"(%0) ({}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
"scf.if"(%0) ({}, {}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.if' op expects a non-empty block}}
"scf.if"(%0) ({
^entry:
}, {}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.if' op region #1 should have no arguments}}
"scf.if"(%0) ({
  "scf.yield"() : () -> ()
}, {
^entry(%a: i1):
  "scf.yield"() : () -> ()
}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+2 {{'scf.if' op expects regions to end with 'scf.yield', found 'other.end'}}
// expected-note@+1 {{in custom textual format, the absence of terminator implies 'scf.yield'}}
"scf.if"(%0) ({
  "other.end"() : () -> ()
}, {}) : (i1) -> ()

// -----

%0 = "other.def"() : () -> i1
// expected-error@+1 {{'scf.if' op expects region #1 to have 0 or 1 blocks}}
"scf.if"(%0) ({
  "scf.yield"() : () -> ()
}, {
  "other.jump"()[^next] : () -> ()
^next:
  "scf.yield"() : () -> ()
}) : (i1) -> ()

// -----

func.func @order(%c: i1) {
  "scf.if"(%c) ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%0) : (i32) -> ()
    // expected-note@+1 {{operand defined here (op in the same block)}}
    %0 = "other.def"() : () -> i32
    "scf.yield"() : () -> ()
  }, {}) : (i1) -> ()
  return
}

// -----

%0 = "other.def"() : () -> i32
// expected-error@+1 {{'llvm.return' op operand group starting at #0 requires 0 or 1 element, but found 2}}
"llvm.return"(%0, %0) : (i32, i32) -> ()

// -----

// expected-error@+1 {{'gpu.module' op requires attribute 'sym_name'}}
"gpu.module"() ({
^entry:
}) : () -> ()

// -----

// expected-note@+1 {{required by region isolation constraints}}
"gpu.module"() <{sym_name = "m"}> ({
  // expected-error@+1 {{'other.use' op using value defined outside the region}}
  "other.use"(%0) : (i32) -> ()
}) : () -> ()
%0 = "other.def"() : () -> i32

// -----

"gpu.module"() <{sym_name = "m"}> ({
  "other.use"(%0) : (i32) -> ()
  %0 = "other.def"() : () -> i32
  func.func private @f()
  func.func @g() {
    call @f() : () -> ()
    return
  }
}) : () -> ()

// -----

"gpu.module"() <{sym_name = "m"}> ({
  // expected-note@+1 {{see existing symbol definition here}}
  "other.symbol"() {sym_name = "f"} : () -> ()
  // expected-error@+1 {{redefinition of symbol named 'f'}}
  "other.symbol"() {sym_name = "f"} : () -> ()
}) : () -> ()

// -----

%0, %1 = "other.def"() : () -> (vector<4xi32>, vector<8xi32>)
// expected-error@+1 {{'arith.extsi' op requires the same shape for all operands and results}}
"arith.extsi"(%0) : (vector<4xi32>) -> vector<8xi64>

// -----

// expected-error@+1 {{'test.attr_sized_results' op expected 1 or more results}}
"test.attr_sized_results"() : () -> ()

// -----

// expected-error@+1 {{'test.attr_sized_results' op result count (1) does not match with the total size (2) specified in attribute 'resultSegmentSizes'}}
%0 = "test.attr_sized_results"() {resultSegmentSizes = array<i32: 1, 1, 0, 0>} : () -> i32

// -----

// expected-error@+1 {{'test.attr_sized_results' op 'resultSegmentSizes' attribute cannot have negative elements}}
%0 = "test.attr_sized_results"() {resultSegmentSizes = array<i32: 2, 0, 0, -1>} : () -> i32

// -----

%0, %1 = "other.def"() : () -> (i32, i64)
// expected-error@+1 {{'test.attr_sized_operands' op operand #2 must be variadic of 32-bit signless integer, but got 'i64'}}
"test.attr_sized_operands"(%0, %0, %1) {operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (i32, i32, i64) -> ()
