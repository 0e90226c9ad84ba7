module @a <sym_visibility = "private", dlti = #dlti.map<"a" = 1 : i64>> attributes {t.foo} {
  module <sym_visibility = "private"> {
  }
  module @b attributes {t.b = [token, (token) -> (token, i32)]} {
  }
  func.func private @tokens(token, tuple<token>) -> token
}

