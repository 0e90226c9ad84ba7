"builtin.module"() ({
  "test.with_nice_properties"() <{prop = {label = "foo", value = 3 : i32}}> : () -> ()
  "test.with_nice_properties"() <{prop = {label = "foo bar", value = -3 : i32}}> {a} : () -> ()
  "test.with_nice_properties"() <{prop = {label = "a\22b", value = 16 : i32}}> : () -> ()
}) : () -> ()

