module {
  hw.module @m() {
    %A = hw.enum.constant A : !hw.enum<A, B>
    %B = hw.enum.constant B : !hw.enum<A, B>
    hw.output
  }
  sv.verbatim.source @src.v attributes {content = "x", output_file = #hw.output_file<"a.v">, verilogName = "a"}
  sv.verbatim.source private @src2.v<W: i32, V: i8 = 3> attributes {content = "x", output_file = #hw.output_file<"a.v">, verilogName = "a"}
  sv.verbatim.module @m2<W: i32>(in %a : i8 {x = 1 : i8}, out b : !hw.int<#hw.param.decl.ref<"W">>) attributes {source = @src2.v}
  sv.verbatim.module private @m3() attributes {source = @src.v}
  sv.func private @fd(in %in_0 : i2, out out_0 : i1)
  sv.func @fdef(in %in_0 : i2 {a}, out out_0 : i1) attributes {test = "foo"} {
    %false = hw.constant false
    sv.return %false : i1
  }
  sv.interface @if {
    sv.interface.signal @s : i1
    sv.interface.modport @mp (input @s)
  }
  hw.module @m4(in %c : i2, in %e : !hw.enum<A, B>, in %clk : i1) {
    %iface = sv.interface.instance : !sv.interface<@if>
    %0 = sv.interface.signal.read %iface(@if::@s) {a} : i1
    sv.interface.signal.assign %iface(@if::@s) = %0 {b} : i1
    %1 = sv.xmr "whatever", "a" {u} : !hw.inout<i1>
    %2 = sv.xmr isRooted "a", "b c", "c" : !hw.inout<i23>
    sv.initial {
      sv.case %c : i2
      case b00: {
        %c1_i8 = hw.constant 1 : i8
      }
      case b01: {
        %c1_i8 = hw.constant 1 : i8
      }
      case b1x: {
        %c1_i8 = hw.constant 1 : i8
      }
      default: {
        %c1_i8 = hw.constant 1 : i8
      }
      sv.case casez unique0 %c : i2 {at = 1 : i8}
      case bzx: {
        %c1_i8 = hw.constant 1 : i8
      }
      sv.case casex priority %e : !hw.enum<A, B>
      case A: {
        %c1_i8 = hw.constant 1 : i8
      }
      default: {
        %c1_i8 = hw.constant 1 : i8
      }
      sv.case %c : i2
      case %c: {
        %c1_i8 = hw.constant 1 : i8
      }
      case b01: {
        %c1_i8 = hw.constant 1 : i8
      }
      case %c: {
        %c1_i8 = hw.constant 1 : i8
      }
      sv.for %ii = %c to %c step %c : i2 {
        %c1_i8 = hw.constant 1 : i8
      } {z}
      sv.for %3 = %c to %c step %c : i2 {
        %c1_i8 = hw.constant 1 : i8
      }
    }
    sv.alwaysff(posedge %clk) {
      %c1_i8 = hw.constant 1 : i8
    }
    hw.output
  }
  hw.module @g<p: i64>() {
    sv.generate "foo" : {
      sv.generate.case #hw.param.decl.ref<"p"> : i64 {c} [
      case (0 : i64, "zero") {
        %c1_i8 = hw.constant 1 : i8
      }
      case (unit, "dflt") {
      }
      ]
      sv.generate.for %ij : i32 = 0 : i32 to 10 : i32 step 1 : i32 name "gen" {
        %c1_i8 = hw.constant 1 : i8
      } {t}
    }
    hw.output
  }
  sim.func.dpi @dpi(in %a : i32, out b : i8, inout %c : i1, ref %d : !llvm.ptr, return e : i16) attributes {verilogName = "x"}
  sim.func.dpi private @dpi2()
}
