#loc = loc("-":1:265)
#loc1 = loc("-":1:276)
"builtin.module"() ({
  "hw.module"() <{module_type = !hw.modty<input a : !hw.array<#hw.param.decl.ref<"N">xi8>, input b : !hw.uarray<#hw.param.decl.ref<"N">xint<#hw.param.decl.ref<"W">>>, input i : i64, inout c : !hw.array<#hw.param.expr.add<#hw.param.decl.ref<"N">, 1>xarray<4xi2>>, output d : i8, output e : !hw.array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>>, parameters = [#hw.param.decl<"N": i32> : i32, #hw.param.decl<"W": i32> : i32], result_locs = [#loc, #loc1], sym_name = "arrays"}> ({
  ^bb0(%arg0: !hw.array<#hw.param.decl.ref<"N">xi8>, %arg1: !hw.uarray<#hw.param.decl.ref<"N">xint<#hw.param.decl.ref<"W">>>, %arg2: i64, %arg3: !hw.inout<array<#hw.param.expr.add<#hw.param.decl.ref<"N">, 1>xarray<4xi2>>>):
    %0 = "hw.array_get"(%arg0, %arg2) : (!hw.array<#hw.param.decl.ref<"N">xi8>, i64) -> i8
    %1 = "sv.reg"() <{name = ""}> : () -> !hw.inout<array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>>
    %2 = "sv.read_inout"(%1) : (!hw.inout<array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>>) -> !hw.array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>
    "hw.output"(%0, %2) : (i8, !hw.array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>) -> ()
  }) : () -> ()
}) : () -> ()

