"a"(%x) : (i32) -> ()
// -----
%x = "a"() : () -> i32
%x = "a"() : () -> i32
// -----
%x = "a"() : () -> i32
"b"(%x) : (i64) -> ()
// -----
%x = "a"() : () -> ()
// -----
%x, %y = "a"() : () -> i32
// -----
%x:2 = "a"() : () -> i32
// -----
%x:0 = "a"() : () -> i32
// -----
%x:2 = "a"() : () -> (i32, i32)
"b"(%x#2) : (i32) -> ()
// -----
"b"(%x#0, %x#1) : (i32, i32) -> ()
%x = "a"() : () -> i32
// -----
"b"(%x) : (i32) -> ()
%x = "a"() : () -> i64
// -----
%x = "a"() : () -> i32
"b"(%x, %x) : (i32) -> ()
// -----
"b"() : (i32) -> ()
// -----
"b"()
// -----
"b" : () -> ()
// -----
"b"( : () -> ()
// -----
""() : () -> ()
// -----
"a"() : () -> () }
// -----
"a"() ({ "b"() : () -> ()
// -----
"a"() ({ ^x: ^x: }) : () -> ()
// -----
"a"() ({ "b"()[^x] : () -> () }) : () -> ()
// -----
"a"()[^x] : () -> ()
// -----
"a"() ({
^x:
  "b"() : () -> ()
^y(%z: i32):
  "b"(%z) : (i32) -> ()
^w(%z: i32):
  "b"(%z) : (i32) -> ()
}) : () -> ()
// -----
"a"() ({
  %x = "b"() : () -> i32
}) : () -> ()
"b"(%x) : (i32) -> ()
// -----
"a"() ({ ^x(%a): }) : () -> ()
// -----
"a"() ({ ^x(%a: i32, %a: i32): }) : () -> ()
// -----
"a"() ({ ^x(%a: i32) "b"() : () -> () }) : () -> ()
// -----
"a"() ({ ^x "b"() : () -> () }) : () -> ()
// -----
unknown.op
// -----
unknown
// -----
%x = unknown.op : i32
// -----
module {
// -----
module @a @b {}
// -----
module attributes {x = 1 {}
// -----
module attributes d.x {}
// -----
module @1 {}
// -----
module {} {}
// -----
func.func @f( { return }
// -----
func.func f() { return }
// -----
func.func @f(%a: i32, i32) { return }
// -----
func.func @f(i32, %a: i32)
// -----
func.func @f(%a) { return }
// -----
func.func @f(%a: i32, %a: i32) { return }
// -----
func.func @f() -> { return }
// -----
func.func @f() -> () -> () { return }
// -----
func.func @f() {}
// -----
func.func @f() attributes {sym_name = "g"} { return }
// -----
func.func @f() { return %x : i32 }
// -----
func.func @f(%x: i32) { return %x }
// -----
func.func @f(%x: i32) { return %x : i64 }
// -----
func.func @f(%x: i32) { return %x, %x : i32 }
// -----
func.func private @f()
func.func @g() { call f() : () -> () return }
// -----
func.func private @f()
func.func @g() { call @f() : i32
return }
// -----
func.func private @f()
func.func @g() { call @f(1) : () -> ()
return }
// -----
func.func private @f()
func.func @g() { call @f::@g() : () -> ()
return }
// -----
%x = unrealized_conversion_cast : i32
// -----
%x = "a"() : () -> i32
%y = unrealized_conversion_cast %x to i64
// -----
%x = "a"() : () -> i32
%y = unrealized_conversion_cast %x : i64 to i64
// -----
"a"() : () -> () loc(
// -----
"a"() : () -> () loc("x"
// -----
"a"() : () -> () loc(#undefined)
// -----
"a"() : () -> () loc(callsite("a" "b"))
// -----
"a"() : () -> () loc("x":1:2 to)
// -----
"a"() : () -> () loc(fused<>["a"])
// -----
#loc = 1 : i32
"a"() : () -> () loc(#loc)
// -----
"a"() : () -> () loc(fused[#later])
#later = loc("x")
// -----
$
// -----
"a"() : () -> () ;
// -----
"a"() : () -> () / comment
// -----
% = "a"() : () -> i32
// -----
%x# = "a"() : () -> i32
// -----
^bb0:
// -----
"a"() ({}, ) : () -> ()
// -----
"a"() ({} {}) : () -> ()
// -----
"a"() ({ return }) : () -> ()
// -----
"a"() ({}) {x} <{y}> : () -> ()
// -----
%x = "a"() : () -> i32 "b"(%y) : (i32) -> ()
