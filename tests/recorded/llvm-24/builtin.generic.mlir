"builtin.module"() <{dlti = #dlti.map<"a" = 1 : i64>, sym_name = "a", sym_visibility = "private"}> ({
  "builtin.module"() <{sym_visibility = "private"}> ({
  ^bb0:
  }) : () -> ()
  "builtin.module"() <{sym_name = "b"}> ({
  ^bb0:
  }) {t.b = [token, (token) -> (token, i32)]} : () -> ()
  "func.func"() <{function_type = (token, tuple<token>) -> token, sym_name = "tokens", sym_visibility = "private"}> ({
  }) : () -> ()
}) {t.foo} : () -> ()

