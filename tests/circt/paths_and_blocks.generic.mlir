"builtin.module"() ({
  "hw.hierpath"() <{namepath = [#hw.innerNameRef<@deep::@b>], sym_name = "h"}> : () -> ()
  "hw.module"() <{module_type = !hw.modty<>, parameters = [], sym_name = "deep"}> ({
    %13 = "sv.wire"() <{inner_sym = #hw<innerSym@b>, name = "w"}> : () -> !hw.inout<i1>
    "hw.output"() : () -> ()
  }) : () -> ()
  "hw.module"() <{module_type = !hw.modty<>, parameters = [], sym_name = "leaf"}> ({
    "hw.output"() : () -> ()
  }) : () -> ()
  "msft.instance.hierarchy"() <{topModuleRef = @deep}> ({
    "msft.instance.dynamic"() <{instanceRef = #hw.innerNameRef<@deep::@branch>}> ({
      "msft.pd.location"() <{loc = #msft.physloc<M20K, 15, 9, 3>, subPath = "|x"}> : () -> ()
      "msft.pd.reg_location"() <{locs = #msft.location_vec<i4, [*, <1, 2, 3>, <1, 2, 4>, #msft.physloc<DSP, 1, 2, 5>]>}> : () -> ()
    }) {b} : () -> ()
  }) : () -> ()
  "msft.pd.location"() <{loc = #msft.physloc<FF, 1, 2, 3>, ref = @h}> {q} : () -> ()
  "msft.pd.reg_location"() <{locs = #msft.location_vec<i1, [*]>, ref = @h}> {z} : () -> ()
  "hw.module"() <{module_type = !hw.modty<input r : !hw.array<2xi8>, input c : !hw.array<3xi4>>, parameters = [], sym_name = "sa"}> ({
  ^bb0(%arg8: !hw.array<2xi8>, %arg9: !hw.array<3xi4>):
    %12 = "msft.systolic.array"(%arg8, %arg9) ({
    ^bb0(%arg10: i8, %arg11: i4):
      "msft.pe.output"(%arg10) : (i8) -> ()
    }) : (!hw.array<2xi8>, !hw.array<3xi4>) -> !hw.array<2xarray<3xi8>>
    "hw.output"() : () -> ()
  }) : () -> ()
  "om.class"() <{fieldNames = ["p"], fieldTypes = {p = !om.frozenpath}, formalParamNames = ["basepath"], sym_name = "c"}> ({
  ^bb0(%arg7: !om.frozenbasepath):
    %6 = "om.frozenbasepath_create"(%arg7) <{path = #om<path[Foo:bar]>}> : (!om.frozenbasepath) -> !om.frozenbasepath
    %7 = "om.frozenbasepath_create"(%arg7) <{path = #om<path[Foo:bar, Bar:baz]>}> {a} : (!om.frozenbasepath) -> !om.frozenbasepath
    %8 = "om.frozenbasepath_create"(%arg7) <{path = #om<path[A:b]>}> : (!om.frozenbasepath) -> !om.frozenbasepath
    %9 = "om.frozenpath_create"(%arg7) <{field = ".a[1].b", module = "Baz", path = #om<path[Foo:bar, Bar:baz]>, ref = "wire", targetKind = 4 : i32}> : (!om.frozenbasepath) -> !om.frozenpath
    %10 = "om.frozenpath_create"(%arg7) <{field = "", module = "Foo", path = #om<path[]>, ref = "a", targetKind = 0 : i32}> {a} : (!om.frozenbasepath) -> !om.frozenpath
    %11 = "om.frozenpath_create"(%arg7) <{field = "", module = "Foo", path = #om<path[]>, ref = "", targetKind = 1 : i32}> : (!om.frozenbasepath) -> !om.frozenpath
    "om.class.fields"(%11) : (!om.frozenpath) -> ()
  }) : () -> ()
  "kanagawa.design"() <{sym_name = "D"}> ({
    "kanagawa.class"() <{inner_sym = #hw<innerSym@C>}> ({
      "kanagawa.method"() <{argNames = ["a", "b"], function_type = (i32, i8) -> i32, inner_sym = #hw<innerSym@foo>}> ({
      ^bb0(%arg2: i32, %arg3: i8):
        %4 = "kanagawa.sblock"(%arg2, %arg3) <{maxThreads = 2 : i64}> ({
        ^bb0(%arg5: i32, %arg6: i8):
          "kanagawa.sblock.return"(%arg5) : (i32) -> ()
        }) : (i32, i8) -> i32
        "kanagawa.sblock"() ({
          "kanagawa.sblock.return"() : () -> ()
        }) : () -> ()
        %5:2 = "kanagawa.sblock.isolated"(%4) ({
        ^bb0(%arg4: i32):
          "kanagawa.sblock.return"(%arg4, %arg4) : (i32, i32) -> ()
        }) : (i32) -> (i32, i32)
        "kanagawa.return"(%5#0) : (i32) -> ()
      }) : () -> ()
      "kanagawa.method.df"() <{argNames = ["arg0"], function_type = (!dc.value<i32>) -> !dc.value<i32>, inner_sym = #hw<innerSym@df>}> ({
      ^bb0(%arg0: !dc.value<i32>):
        %3 = "kanagawa.sblock.dc"(%arg0) ({
        ^bb0(%arg1: i32):
          "kanagawa.sblock.return"(%arg1) : (i32) -> ()
        }) : (!dc.value<i32>) -> !dc.value<i32>
        "kanagawa.return"(%3) : (!dc.value<i32>) -> ()
      }) : () -> ()
    }) : () -> ()
    "kanagawa.container"() <{inner_sym = #hw<innerSym@K>}> ({
      %0 = "kanagawa.instance"() <{inner_sym = #hw<innerSym@c>, targetName = #hw.innerNameRef<@D::@C>}> : () -> !kanagawa.scoperef<@D::@C>
      %1 = "kanagawa.container.instance"() <{inner_sym = #hw<innerSym@k>, targetName = #hw.innerNameRef<@D::@K2>}> {a} : () -> !kanagawa.scoperef<@D::@K2>
      %2 = "kanagawa.path"() <{path = [#kanagawa.step<parent : !kanagawa.scoperef> : !kanagawa.scoperef, #kanagawa.step<child, @c : !kanagawa.scoperef<@D::@C>> : !kanagawa.scoperef<@D::@C>]}> : () -> !kanagawa.scoperef<@D::@C>
    }) : () -> ()
    "kanagawa.container"() <{inner_sym = #hw<innerSym@K2>}> ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
}) : () -> ()
