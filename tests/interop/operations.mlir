// Operations in generic form: spacing, comments, packs, successors, forward references.
"test_x.empty"():()->() // A comment behind.
  "test_x.empty"
    (
    ) // in the middle
    :
    ( ) -> ( )
%single = "test_x.one"() : () -> i32
%0 = "test_x.one"() : () -> (i32)
%pack:3 = "test_x.three"() : () -> (i32, f32, i1)
%a, %b = "test_x.two"() : () -> (i8, i16)
%c:2, %d, %e:2 = "test_x.five"() : () -> (i1, i2, i3, i4, i5)
"test_x.use"(%pack#0, %pack#1, %pack#2, %pack, %pack#0) : (i32, f32, i1, i32, i32) -> ()
"test_x.use"(%a, %b, %c#1, %d, %e, %e#1, %single, %0) : (i8, i16, i2, i3, i4, i5, i32, i32) -> ()
%_odd$name.1-x = "test_x.one"() : () -> !d.t
"test_x.use"(%_odd$name.1-x) : (!d.t) -> ()
%f = "test_x.one"() : () -> (() -> ())
%g:2 = "test_x.two"() : () -> ((i32) -> i32, () -> (i1, i2))
%nested = "test_x.region"() ({
}) : () -> tuple<>
"test_x.region"() ({
  "test_x.inside"(%nested) : (tuple<>) -> ()
}, {}, {
^entry:
  "test_x.end"() : () -> ()
}) : () -> ()
"test_x.region"() ({^a(%x: i32):}) : () -> ()
"test_x.region"() ({^a:}) : () -> ()
"test_x.region"() ({
^bb0(%x: i32, %y: f32):
  "test_x.br"(%x)[^bb2] : (i32) -> ()
^bb1:  // A block in between.
  "test_x.br"()[^bb2, ^bb1, ^bb2] {weights = [1, 2]} : () -> ()
^bb2:
  "test_x.br"()[^bb3] : () -> ()
^bb4(%u: i64):
  "test_x.done"(%y, %u) : (f32, i64) -> ()
^bb3:
  %late = "test_x.late"() : () -> i64
  "test_x.br"(%late)[^bb4, ^bb1] : (i64) -> ()
^unreached:
  "test_x.done"() : () -> ()
}) : () -> ()
"test_x.forward"(%later, %later2#1) : (i32, f32) -> ()
%later, %later2:2 = "test_x.later"() : () -> (i32, i1, f32)
"test_x.props"() <{}> : () -> ()
"test_x.props"() <{a}> {} : () -> ()
"test_x.props"() <{b = 1, a = [@x]}> ({}) {b = 2 : i8} : () -> ()
"test_x.quoted \22 name\n"() {"a b", c} : () -> ()
"no_dialect"() : () -> ()
"test_x.deep"() ({ "test_x.deep"() ({ "test_x.deep"() ({ "test_x.deep"() : () -> () }) : () -> () }) : () -> () }) : () -> ()
%1 = builtin.unrealized_conversion_cast %0 : i32 to f32
%2:2 = builtin.unrealized_conversion_cast %0, %1 : i32, f32 to i64, !d.t {a = 1}
unrealized_conversion_cast %2#1 : !d.t to i1
%3 = unrealized_conversion_cast to () -> ()
builtin.module { builtin.module @inner {} }
module @"quoted name" {}
module attributes {d.a} {}
module @both attributes {d.b = 1 : i8, "d.c d"} { module {} }
"builtin.module"() ({ "test_x.a"() : () -> () }) : () -> ()
"builtin.module"() <{sym_name = "n", sym_visibility = "private"}> ({^bb0:}) : () -> ()
