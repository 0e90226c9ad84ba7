module {
  hw.module @arrays<N: i32, W: i32>(in %a : !hw.array<#hw.param.decl.ref<"N">xi8>, in %b : !hw.uarray<#hw.param.decl.ref<"N">xint<#hw.param.decl.ref<"W">>>, in %i : i64, inout %c : !hw.array<#hw.param.expr.add<#hw.param.decl.ref<"N">, 1>xarray<4xi2>>, out d : i8, out e : !hw.array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>) {
    %0 = hw.array_get %a[%i] : !hw.array<#hw.param.decl.ref<"N">xi8>, i64
    %1 = sv.reg : !hw.inout<array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>> 
    %2 = sv.read_inout %1 : !hw.inout<array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>>
    hw.output %0, %2 : i8, !hw.array<#hw.param.decl.ref<"N">xstruct<x: i1, y: !hw.array<2xi3>>>
  }
}

