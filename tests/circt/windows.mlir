module {
  hw.module @w(in %a : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"", [<"h">, <"a">]>]>, in %b : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">]>, <"F1", [<"a", 3>]>, <"F2", [<"l", 4>]>]>, in %c : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">, <"l">]>]>, in %d : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">, <"l" countWidth 16>]>, <"F1", [<"l", 4>]>]>, in %e : !esi.window<"W", !hw.typealias<@s::@t, !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>>, [<"", [<"h">]>]>) {
    %0 = esi.window.unwrap %a : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"", [<"h">, <"a">]>]>
    %1 = esi.window.unwrap %b {q} : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">]>, <"F1", [<"a", 3>]>, <"F2", [<"l", 4>]>]>
    %2 = esi.window.unwrap %c : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">, <"l">]>]>
    %3 = esi.window.unwrap %d : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">, <"l" countWidth 16>]>, <"F1", [<"l", 4>]>]>
    %4 = esi.window.unwrap %e : !esi.window<"W", !hw.typealias<@s::@t, !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>>, [<"", [<"h">]>]>
    %5 = esi.window.wrap %0 : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"", [<"h">, <"a">]>]>
    %6 = esi.window.wrap %1 {q} : !esi.window<"W", !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>, [<"F0", [<"h">]>, <"F1", [<"a", 3>]>, <"F2", [<"l", 4>]>]>
    %7 = esi.window.wrap %4 : !esi.window<"W", !hw.typealias<@s::@t, !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>>, [<"", [<"h">]>]>
    hw.output
  }
  hw.type_scope @s {
    hw.typedecl @t : !hw.struct<h: i6, a: !hw.array<13xi16>, l: !esi.list<i8>>
  }
}
