// Values and their uses.

func.func @order() {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%0) : (i32) -> ()
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "other.def"() : () -> i32
  return
}

// -----

func.func @itself(%a: i32) {
  // expected-error@+2 {{operand #1 does not dominate this use}}
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "other.use"(%a, %0) : (i32, i32) -> i32
  return
}

// -----

func.func @in_its_own_region() {
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %0 = "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%0) : (i32) -> ()
  }) : () -> i32
  return
}

// -----

func.func @before_in_a_region() {
  "other.region"() ({
    "other.region"() ({
      // expected-error@+1 {{operand #0 does not dominate this use}}
      "other.use"(%0) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %0 = "other.def"() : () -> i32
  return
}

// -----

func.func @out_of_a_region() {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%0) : (i32) -> ()
  "other.region"() ({
    // expected-note@+1 {{operand defined here (op in a child region)}}
    %0 = "other.def"() : () -> i32
  }) : () -> ()
  return
}

// -----

func.func @between_regions() {
  "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%0) : (i32) -> ()
  }, {
    // expected-note@+1 {{operand defined here (op is neither in a parent nor in a child region)}}
    %0 = "other.def"() : () -> i32
  }) : () -> ()
  return
}

// -----

func.func @argument_of_another_region() {
  "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%a) : (i32) -> ()
  }) : () -> ()
  // expected-note@+1 {{operand defined as a block argument (block #1 neither in a parent nor in a child region)}}
  "other.region"() ({
    "other.jump"()[^next] : () -> ()
  ^next(%a: i32):
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @argument_of_a_child() {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%a) : (i32) -> ()
  // expected-note@+1 {{operand defined as a block argument (block #0 in a child region)}}
  "other.region"() ({
  ^entry(%a: i32):
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-note@+1 {{operand defined as a block argument (block #1 in the same region)}}
func.func @argument_of_a_block() {
  "other.jump"()[^left, ^right] : () -> ()
^left(%a: i32):
  "other.jump"()[^join] : () -> ()
^right:
  "other.jump"()[^join] : () -> ()
^join:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%a) : (i32) -> ()
  return
}

// -----

// expected-note@+1 {{operand defined as a block argument (block #1 in a parent region)}}
func.func @argument_of_a_block_around() {
  "other.jump"()[^left, ^right] : () -> ()
^left(%a: i32):
  "other.jump"()[^join] : () -> ()
^right:
  "other.jump"()[^join] : () -> ()
^join:
  "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%a) : (i32) -> ()
  }) : () -> ()
  return
}

// -----

func.func @diamond(%c: i1) -> i32 {
  %0 = "other.def"() : () -> i32
  "other.jump"()[^left, ^right] : () -> ()
^left:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %1 = "other.use"(%0) : (i32) -> i32
  "other.jump"()[^join] : () -> ()
^right:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%1) : (i32) -> ()
  "other.jump"()[^join] : () -> ()
^join:
  return %0 : i32
}

// -----

// Blocks may stand before those that dominate them.
func.func @any_order_of_blocks() -> i32 {
  "other.jump"()[^second] : () -> ()
^third:
  return %0 : i32
^second:
  %0 = "other.def"() : () -> i32
  "other.jump"()[^third] : () -> ()
}

// -----

// A loop: what is defined in it is known behind it, and in it from there on.
func.func @loop() {
  "other.jump"()[^head] : () -> ()
^head:
  %0 = "other.def"() : () -> i32
  "other.jump"()[^body, ^exit] : () -> ()
^body:
  %1 = "other.use"(%0) : (i32) -> i32
  "other.jump"()[^head] : () -> ()
^exit:
  "other.use"(%0) : (i32) -> ()
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%1) : (i32) -> ()
  // expected-note@-6 {{operand defined here (op in the same region)}}
  return
}

// -----

// What can't be reached is not checked, but the regions in it are.
func.func @unreachable() {
  return
^lost:
  %1 = "other.use"(%0) : (i32) -> i32
  %0 = "other.use"(%1) : (i32) -> i32
  "other.jump"()[^also_lost] : () -> ()
^also_lost:
  "other.region"() ({
    "other.use"(%0, %1, %2) : (i32, i32, i32) -> ()
  }) : () -> ()
  return
^third:
  %2 = "other.def"() : () -> i32
  return
}

// -----

func.func @reachable_in_unreachable() {
  return
^lost:
  %0 = "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%1) : (i32) -> ()
  }) : () -> i32
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %1 = "other.def"() : () -> i32
  return
}

// -----

func.func @defined_where_nothing_goes() {
  "other.jump"()[^next] : () -> ()
^lost:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %0 = "other.def"() : () -> i32
  return
^next:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%0) : (i32) -> ()
  return
}

// -----

// Graph regions: of a module, and of what is not known, if it has one block.
"other.use"(%0) : (i32) -> ()
%0 = "other.use"(%0) : (i32) -> i32
"other.region"() ({
  "other.use"(%1, %0) : (i32, i32) -> ()
  %1 = "other.region"() ({
    "other.use"(%1) : (i32) -> ()
  }) : () -> i32
}) : () -> ()

// -----

// With two blocks it is no graph region.
"other.region"() ({
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%0) : (i32) -> ()
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "other.def"()[^next] : () -> i32
^next:
  "other.use"(%0) : (i32) -> ()
}) : () -> ()

// -----

"other.region"() ({
  "other.jump"()[^next] : () -> ()
^next:
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %0 = "other.region"() ({
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "other.use"(%0) : (i32) -> ()
  }) : () -> i32
}) : () -> ()

// -----

// Not even a graph region knows the values of regions beside.
"other.region"() ({
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%0) : (i32) -> ()
}) : () -> ()
"other.region"() ({
  // expected-note@+1 {{operand defined here (op is neither in a parent nor in a child region)}}
  %0 = "other.def"() : () -> i32
}) : () -> ()

// -----

%0 = "other.def"() : () -> i32
// expected-note@+1 {{required by region isolation constraints}}
func.func @isolated() {
  // expected-error@+1 {{'other.use' op using value defined outside the region}}
  "other.use"(%0) : (i32) -> ()
  return
}

// -----

%0 = "other.def"() : () -> i32
module {
  "other.use"(%1) : (i32) -> ()
  %1 = "other.def"() : () -> i32
  // expected-note@+1 {{required by region isolation constraints}}
  func.func @isolated() {
    "other.region"() ({
      // expected-error@+1 {{'other.use' op using value defined outside the region}}
      "other.use"(%0) : (i32) -> ()
    }) : () -> ()
    return
  }
}

// -----

// expected-note@+1 {{required by region isolation constraints}}
func.func @before() {
  // expected-error@+1 {{'other.use' op using value defined outside the region}}
  "other.use"(%0) : (i32) -> ()
  return
}
%0 = "other.def"() : () -> i32

// -----

// expected-note@+1 {{required by region isolation constraints}}
module {
  // expected-error@+1 {{'other.use' op using value defined outside the region}}
  "other.use"(%0) : (i32) -> ()
}
"other.region"() ({
  %0 = "other.def"() : () -> i32
}) : () -> ()

// -----

// Isolation holds where nothing goes, too.
%0 = "other.def"() : () -> i32
// expected-note@+1 {{required by region isolation constraints}}
func.func @unreachable() {
  return
^lost:
  // expected-error@+1 {{'other.use' op using value defined outside the region}}
  "other.use"(%0) : (i32) -> ()
  return
}

// -----

func.func @irreducible() {
  "other.jump"()[^a, ^b] : () -> ()
^a:
  "other.jump"()[^b, ^c] : () -> ()
^b:
  "other.jump"()[^a, ^c] : () -> ()
^c(%x: i32):
  "other.jump"()[^a, ^d] : () -> ()
^d:
  "other.use"(%x) : (i32) -> ()
  "other.jump"()[^e, ^b, ^f] : () -> ()
^e:
  "other.use"(%x) : (i32) -> ()
  "other.jump"()[^f] : () -> ()
^f:
  "other.use"(%x) : (i32) -> ()
  "other.jump"()[^a, ^g] : () -> ()
^g:
  "other.use"(%x) : (i32) -> ()
  "other.jump"()[^h] : () -> ()
^h:
  %y = "other.use"(%x) : (i32) -> i32
  "other.jump"()[^h, ^i] : () -> ()
^i:
  "other.use"(%y) : (i32) -> ()
  "other.jump"()[^j, ^a] : () -> ()
^j:
  "other.end"() : () -> ()
^k:
  "other.use"(%x) : (i32) -> ()
  "other.jump"()[^j, ^l] : () -> ()
^l:
  "other.jump"()[^m] : () -> ()
^m:
  "other.region"() ({
    "other.jump"()[^n] : () -> ()
  ^n:
    "other.end"() : () -> ()
  }) : () -> ()
  "other.end"() : () -> ()
^o:
  "other.end"() : () -> ()
}
func.func @reaches() {
  "other.end"() : () -> ()
}

// -----

// expected-note@+1 {{operand defined as a block argument (block #3 in the same region)}}
func.func @irreducible_and_wrong() {
  "other.jump"()[^a, ^b] : () -> ()
^a:
  "other.jump"()[^b, ^c] : () -> ()
^b:
  "other.jump"()[^a, ^c, ^d] : () -> ()
^c(%x: i32):
  "other.jump"()[^a, ^d] : () -> ()
^d:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "other.use"(%x) : (i32) -> ()
  "other.end"() : () -> ()
}
