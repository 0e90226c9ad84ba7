// Blocks, terminators, successors, regions.

"other.region"() ({
^entry:
  "other.jump"()[^next] : () -> ()
^next:
  "other.end"() : () -> ()
}) : () -> ()

// -----

// A region of one block needs no terminator if the operation is not known, nor does it need an operation.
"other.region"() ({
^entry:
}, {
  "other.any"() : () -> ()
}, {}) : () -> ()

// -----

func.func @empty() {
  // expected-error@+1 {{empty block: expect at least a terminator}}
  "other.region"() ({
    "other.jump"()[^next] : () -> ()
  ^next:
  }) : () -> ()
  return
}

// -----

// expected-error@+1 {{empty block: expect at least a terminator}}
func.func @empty(%a: i32) -> i32 {
  "other.jump"()[^next] : () -> ()
^next:
}

// -----

func.func @unknown_may_be_a_terminator() {
  "other.any"() : () -> ()
}

// -----

func.func @cast() {
  // expected-error@+1 {{block with no terminator, has %0 = "builtin.unrealized_conversion_cast"() : () -> i32}}
  %0 = builtin.unrealized_conversion_cast to i32
}

// -----

func.func @cast(%arg0: i64) {
  %0 = "other.first"() : () -> i32
  "other.jump"()[^next] : () -> ()
^next:
  %1 = "other.second"() : () -> i32
  // expected-error@+1 {{block with no terminator, has %2 = "builtin.unrealized_conversion_cast"(%arg0) {other.note} : (i64) -> i16}}
  %2 = builtin.unrealized_conversion_cast %arg0 : i64 to i16 {other.note}
}

// -----

"other.region"() ({
  "other.jump"()[^next] : () -> ()
^next:
  // expected-error@+1 {{block with no terminator, has }}
  %0 = builtin.unrealized_conversion_cast to i32
}) : () -> ()

// -----

"other.region"() ({
  // In a region of one block of an operation that is not known, no terminator is needed.
  %0 = builtin.unrealized_conversion_cast to i32
}) : () -> ()

// -----

func.func @loop() {
  "other.region"() ({
  ^entry:
    // expected-error@+1 {{operation with block successors must terminate its parent block}}
    "other.jump"()[^next] : () -> ()
    "other.jump"()[^next] : () -> ()
  ^next:
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
"other.region"() ({
^entry:
  "other.jump"()[^entry] : () -> ()
}) : () -> ()

// -----

func.func @loop() {
  "other.jump"()[^next] : () -> ()
^next:
  "other.jump"()[^next, ^first] : () -> ()
^other:
  "other.jump"()[^next] : () -> ()
^first:
  "other.jump"()[^other] : () -> ()
^unused:
  // expected-error@+1 {{entry block of region may not have predecessors}}
  "other.region"() ({}, {
  ^entry:
    "other.jump"()[^entry] : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @return_twice() {
  // expected-error@+1 {{'func.return' op must be the last operation in the parent block}}
  return
  return
}

// -----

func.func @return_to_a_block() {
  // expected-error@+1 {{'func.return' op requires 0 successors but found 1}}
  "func.return"()[^next] : () -> ()
^next:
  return
}

// -----

func.func @return_with_region() {
  // expected-error@+1 {{'func.return' op requires zero regions}}
  "func.return"() ({}) : () -> ()
}

// -----

func.func @return_with_result() {
  // expected-error@+1 {{'func.return' op requires zero results}}
  %0 = "func.return"() : () -> i32
}

// -----

// expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
"func.return"() : () -> ()

// -----

func.func @parent() {
  "other.region"() ({
    // expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
    "func.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-error@+1 {{unregistered operation 'func.foo' found in dialect ('func') that does not allow unknown operations}}
"func.foo"() : () -> ()

// -----

"other.region"() ({
  // expected-error@+1 {{unregistered operation 'builtin.foo' found in dialect ('builtin') that does not allow unknown operations}}
  "builtin.foo"() ({
    "other.any"() : () -> ()
  }) : () -> ()
}) : () -> ()
