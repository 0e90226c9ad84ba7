module {
  moore.func.dpi private @c_add(in %a : !moore.i32, out sum : !moore.i32, inout %state : !moore.l8, return return : !moore.i32) attributes {verilogName = "add"}
  moore.module private @Child(in %a : !moore.l4, out b : !moore.string, in %c : !moore.event, out d : !moore.struct<{low: l4, high: array<2 x i3>}>) attributes {note} {
    %0 = moore.constant hXZ : l12
    %1 = moore.constant b1X0 : l4
    %2 = moore.constant -5 {note} : i8
    %3 = moore.constant_string "text" : i32
    %4 = moore.int_to_string %3 : i32
    %5 = moore.constant 9 : l10
    %6 = moore.sbv_to_packed %5 : struct<{low: l4, high: array<2 x i3>}>
    moore.output %4, %6 : !moore.string, !moore.struct<{low: l4, high: array<2 x i3>}>
  }
  moore.module @Parent(in %e : !moore.event) {
    %x = moore.variable : <l4>
    %0 = moore.read %x : <l4>
    %y = moore.variable %0 : <l4>
    %y_0 = moore.variable name "y" %0 : <l4>
    %child.b, %child.d = moore.instance "child" @Child(a: %0: !moore.l4, c: %e: !moore.event) -> (b: !moore.string, d: !moore.struct<{low: l4, high: array<2 x i3>}>)
    %1 = moore.packed_to_sbv %child.d : struct<{low: l4, high: array<2 x i3>}>
    %2 = moore.logic_to_int %1 : l10
    %3 = moore.to_builtin_int %2 : i10
    %4 = moore.from_builtin_int %3 : i10
    %5 = moore.eq %0, %0 : l4 -> l1
    moore.procedure initial {
      moore.blocking_assign %x, %0 : l4
      %q = moore.variable : <queue<i8, 0>>
      %6 = moore.pop_back from %q : <queue<i8, 0>>
      moore.push_back %6 into %q : <queue<i8, 0>>
      %m = moore.variable : <assoc_array<l4, string>>
      %7 = moore.assoc_array_extract_ref %m[%child.b] : <assoc_array<l4, string>>
      moore.assoc_array.set %m[%child.b] = %0 : <assoc_array<l4, string>>
      moore.return
    }
    moore.output
  }
}
