func.func @f(%c: i32) -> i32 {
  return %a : i32
}
func.func @g(%a: i32) -> i32 {
  return %a : i32
}

// -----

"x.use"(%a) : (i32) -> ()
func.func @g(%a: i32) -> i32 {
  return %a : i32
}
