// Operations whose encodings of properties depend on the versions of dialects, in generic form.
"builtin.module"() <{dlti = #dlti.map<"chip" = "a">, sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{t.a}, {}], dlti = #dlti.map<"b" = 1 : i64>, function_type = (index, i32) -> i32, no_inline, res_attrs = [{t.r = 2 : i8}], sym_name = "f"}> ({
  ^bb0(%a: index, %b: i32):
    "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, unsignedCmp}> ({
    ^bb0(%i: index):
      "scf.reduce"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      "scf.reduce"() : () -> ()
    }) {t.p} : (index, index, index) -> ()
    "func.return"(%b) : (i32) -> ()
  }) {t.f} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  "gpu.module"() <{dlti = #dlti.map<"c" = i64>, offloadingHandler = #gpu.select_object<1 : i64>, sym_name = "k", sym_visibility = "private", targets = [#nvvm.target]}> ({
  ^bb0:
  }) : () -> ()
  "gpu.module"() <{sym_name = "l"}> ({
  ^bb0:
  }) : () -> ()
  "builtin.module"() <{sym_visibility = "private"}> ({
  ^bb0:
  }) : () -> ()
}) {t.m} : () -> ()
