#loc = loc("-":9:37)
#loc1 = loc("-":9:63)
#loc2 = loc("-":11:26)
#loc3 = loc("-":11:42)
#loc4 = loc("-":12:40)
"builtin.module"() ({
  "hw.module"() <{module_type = !hw.modty<>, parameters = [], sym_name = "m"}> ({
    %20 = "hw.enum.constant"() <{field = #hw.enum.field<A, !hw.enum<A, B>>}> : () -> !hw.enum<A, B>
    %21 = "hw.enum.constant"() <{field = #hw.enum.field<B, !hw.enum<A, B>>}> : () -> !hw.enum<A, B>
    "hw.output"() : () -> ()
  }) : () -> ()
  "sv.verbatim.source"() <{content = "x", output_file = #hw.output_file<"a.v">, parameters = [], sym_name = "src.v", verilogName = "a"}> : () -> ()
  "sv.verbatim.source"() <{content = "x", output_file = #hw.output_file<"a.v">, parameters = [#hw.param.decl<"W": i32> : i32, #hw.param.decl<"V": i8 = 3> : i8], sym_name = "src2.v", verilogName = "a"}> {sym_visibility = "private"} : () -> ()
  "sv.verbatim.module"() <{module_type = !hw.modty<input a : i8, output b : !hw.int<#hw.param.decl.ref<"W">>>, parameters = [#hw.param.decl<"W": i32> : i32], per_port_attrs = [{x = 1 : i8}, {}], port_locs = [#loc, #loc1], source = @src2.v, sym_name = "m2"}> : () -> ()
  "sv.verbatim.module"() <{module_type = !hw.modty<>, parameters = [], source = @src.v, sym_name = "m3"}> {sym_visibility = "private"} : () -> ()
  "sv.func"() <{input_locs = [#loc2], module_type = !hw.modty<input in_0 : i2, output out_0 : i1>, per_argument_attrs = [{}, {}], result_locs = [#loc3], sym_name = "fd"}> ({
  }) {sym_visibility = "private"} : () -> ()
  "sv.func"() <{module_type = !hw.modty<input in_0 : i2, output out_0 : i1>, per_argument_attrs = [{a}, {}], result_locs = [#loc4], sym_name = "fdef"}> ({
  ^bb0(%arg6: i2):
    %19 = "hw.constant"() <{value = false}> : () -> i1
    "sv.return"(%19) : (i1) -> ()
  }) {test = "foo"} : () -> ()
  "sv.interface"() <{sym_name = "if"}> ({
    "sv.interface.signal"() <{sym_name = "s", type = i1}> : () -> ()
    "sv.interface.modport"() <{ports = [#sv.mod_port<direction = input, signal = @s>], sym_name = "mp"}> : () -> ()
  }) : () -> ()
  "hw.module"() <{module_type = !hw.modty<input c : i2, input e : !hw.enum<A, B>, input clk : i1>, parameters = [], sym_name = "m4"}> ({
  ^bb0(%arg1: i2, %arg2: !hw.enum<A, B>, %arg3: i1):
    %2 = "sv.interface.instance"() <{name = "iface"}> : () -> !sv.interface<@if>
    %3 = "sv.interface.signal.read"(%2) <{signalName = @s}> {a} : (!sv.interface<@if>) -> i1
    "sv.interface.signal.assign"(%2, %3) <{signalName = @s}> {b} : (!sv.interface<@if>, i1) -> ()
    %4 = "sv.xmr"() <{path = ["whatever"], terminal = "a"}> {u} : () -> !hw.inout<i1>
    %5 = "sv.xmr"() <{isRooted, path = ["a", "b c"], terminal = "c"}> : () -> !hw.inout<i23>
    "sv.initial"() ({
      "sv.case"(%arg1) <{casePatterns = [0 : i4, 1 : i4, 6 : i4, unit], caseStyle = 0 : i32, validationQualifier = #sv<validation_qualifier plain>}> ({
        %18 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %17 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %16 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %15 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) : (i2) -> ()
      "sv.case"(%arg1) <{casePatterns = [-2 : i4], caseStyle = 2 : i32, validationQualifier = #sv<validation_qualifier unique0>}> ({
        %14 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) {at = 1 : i8} : (i2) -> ()
      "sv.case"(%arg2) <{casePatterns = [#hw.enum.field<A, !hw.enum<A, B>>, unit], caseStyle = 1 : i32, validationQualifier = #sv<validation_qualifier priority>}> ({
        %13 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %12 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) : (!hw.enum<A, B>) -> ()
      "sv.case"(%arg1, %arg1, %arg1) <{casePatterns = [#sv.expr, 1 : i4, #sv.expr], caseStyle = 0 : i32, validationQualifier = #sv<validation_qualifier plain>}> ({
        %11 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %10 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
        %9 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) : (i2, i2, i2) -> ()
      "sv.for"(%arg1, %arg1, %arg1) <{inductionVarName = "ii"}> ({
      ^bb0(%arg5: i2):
        %8 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) {z} : (i2, i2, i2) -> ()
      "sv.for"(%arg1, %arg1, %arg1) <{inductionVarName = ""}> ({
      ^bb0(%arg4: i2):
        %7 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) : (i2, i2, i2) -> ()
    }) : () -> ()
    "sv.alwaysff"(%arg3) <{clockEdge = 0 : i32, resetStyle = 0 : i32}> ({
      %6 = "hw.constant"() <{value = 1 : i8}> : () -> i8
    }, {
    }) : (i1) -> ()
    "hw.output"() : () -> ()
  }) : () -> ()
  "hw.module"() <{module_type = !hw.modty<>, parameters = [#hw.param.decl<"p": i64> : i64], sym_name = "g"}> ({
    "sv.generate"() <{sym_name = "foo"}> ({
      "sv.generate.case"() <{caseNames = ["zero", "dflt"], casePatterns = [0, unit], cond = #hw.param.decl.ref<"p"> : i64}> ({
        %1 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }, {
      ^bb0:
      }) {c} : () -> ()
      "sv.generate.for"() <{genBlockName = "gen", inductionVarName = "ij", lowerBound = 0 : i32, step = 1 : i32, upperBound = 10 : i32}> ({
      ^bb0(%arg0: i32):
        %0 = "hw.constant"() <{value = 1 : i8}> : () -> i8
      }) {t} : () -> ()
    }) : () -> ()
    "hw.output"() : () -> ()
  }) : () -> ()
  "sim.func.dpi"() <{dpi_function_type = !sim.dpi_functy<in "a" : i32, out "b" : i8, inout "c" : i1, ref "d" : !llvm.ptr, return "e" : i16>, sym_name = "dpi", verilogName = "x"}> ({
  }) : () -> ()
  "sim.func.dpi"() <{dpi_function_type = !sim.dpi_functy<>, sym_name = "dpi2"}> ({
  }) {sym_visibility = "private"} : () -> ()
}) : () -> ()
