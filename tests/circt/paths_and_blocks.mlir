module {
  hw.hierpath @h [@deep::@b]
  hw.module @deep() {
    %w = sv.wire sym @b : !hw.inout<i1>
    hw.output
  }
  hw.module @leaf() {
    hw.output
  }
  msft.instance.hierarchy @deep {
    msft.instance.dynamic @deep::@branch {
      msft.pd.location M20K x: 15 y: 9 n: 3 path : "|x"
      msft.pd.reg_location i4 [*, <1, 2, 3>, <1, 2, 4>, #msft.physloc<DSP, 1, 2, 5>]
    } {b}
  }
  msft.pd.location @h FF x: 1 y: 2 n: 3 {q}
  msft.pd.reg_location ref @h i1 [*] {z}
  hw.module @sa(in %r : !hw.array<2xi8>, in %c : !hw.array<3xi4>) {
    %0 = msft.systolic.array [%r : 2 x i8] [%c : 3 x i4] pe (%arg0, %arg1) -> (i8) {
      msft.pe.output %arg0 : i8
    }
    hw.output
  }
  om.class @c(%basepath: !om.frozenbasepath)  -> (p: !om.frozenpath) {
    %0 = om.frozenbasepath_create %basepath "Foo/bar"
    %1 = om.frozenbasepath_create %basepath "Foo/bar:Bar/baz" {a}
    %2 = om.frozenbasepath_create %basepath "A/b"
    %3 = om.frozenpath_create reference %basepath "Foo/bar:Bar/baz:Baz>wire.a[1].b"
    %4 = om.frozenpath_create dont_touch %basepath "Foo>a" {a}
    %5 = om.frozenpath_create instance %basepath "Foo"
    om.class.fields %5 : !om.frozenpath 
  }
  kanagawa.design @D {
    kanagawa.class sym @C {
      kanagawa.method @foo(%a: i32, %b: i8)  -> i32 {
        %0 = kanagawa.sblock (%arg0 : i32 = %a, %arg1 : i8 = %b) -> i32 attributes {maxThreads = 2 : i64} {
          kanagawa.sblock.return %arg0 : i32
        }
        kanagawa.sblock () {
          kanagawa.sblock.return
        }
        %1:2 = kanagawa.sblock.isolated (%arg0 : i32 = %0) -> (i32, i32) {
          kanagawa.sblock.return %arg0, %arg0 : i32, i32
        }
        kanagawa.return %1#0 : i32
      }
      kanagawa.method.df @df(%arg0: !dc.value<i32>)  -> !dc.value<i32> {
        %0 = kanagawa.sblock.dc (%arg1 : !dc.value<i32> = %arg0) -> !dc.value<i32> {
          kanagawa.sblock.return %arg1 : i32
        }
        kanagawa.return %0 : !dc.value<i32>
      }
    }
    kanagawa.container sym @K {
      %c = kanagawa.instance @c, <@D::@C> 
      %k = kanagawa.container.instance @k, <@D::@K2> {a} 
      %parent.c = kanagawa.path [#kanagawa.step<parent : !kanagawa.scoperef> : !kanagawa.scoperef, #kanagawa.step<child, @c : !kanagawa.scoperef<@D::@C>> : !kanagawa.scoperef<@D::@C>]
    }
    kanagawa.container sym @K2 {
    }
  }
}
