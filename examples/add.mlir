// Two functions: what is known of the func dialect is in custom form, the rest in generic form.
#map = affine_map<(d0) -> (d0 + 1)>

module @example {
  func.func @add(%lhs: i32, %rhs: i32) -> i32 {
    %sum = "arith.addi"(%lhs, %rhs) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    return %sum : i32
  }

  func.func @main() -> i32 attributes {example.map = #map} {
    %one = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %two = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %three = call @add(%one, %two) : (i32, i32) -> i32
    return %three : i32
  }
}
