"x"() {a = !smt.array<[i32 -> !smt.int]>} : () -> ()
// -----
"x"() {a = !smt.array<[!smt.int -> i32]>} : () -> ()
// -----
"x"() {a = !smt.func<(i32) !smt.int>} : () -> ()
// -----
"x"() {a = !smt.func<(!smt.int, i32) !smt.int>} : () -> ()
// -----
"x"() {a = !smt.func<(!smt.int) !smt.func<(!smt.int) !smt.int>>} : () -> ()
// -----
"x"() {a = !smt.sort<"a"[i32]>} : () -> ()
// -----
"x"() {a = !smt.sort<"a"[!smt.func<(!smt.int) !smt.int>]>} : () -> ()
// -----
"x"() {a = !smt.bv<0>} : () -> ()
