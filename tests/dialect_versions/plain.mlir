// Operations whose encodings of properties depend on the versions of dialects, without what LLVM 23 does not have, in generic form.
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{t.a}, {}], function_type = (index, i32) -> i32, no_inline, res_attrs = [{t.r = 2 : i8}], sym_name = "f"}> ({
  ^bb0(%a: index, %b: i32):
    "func.return"(%b) : (i32) -> ()
  }) {t.f} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  "gpu.module"() <{offloadingHandler = #gpu.select_object<1 : i64>, sym_name = "k", targets = [#nvvm.target]}> ({
  ^bb0:
  }) : () -> ()
  "gpu.module"() <{sym_name = "l"}> ({
  ^bb0:
  }) : () -> ()
  "builtin.module"() <{sym_visibility = "private"}> ({
  ^bb0:
  }) : () -> ()
}) {t.m} : () -> ()
