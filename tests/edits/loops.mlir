func.func private @sink(i64)
func.func @gcd(%a: i64, %b: i64, %f: f32) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bit = arith.constant true
  cf.br ^head(%a, %b : i64, i64)
^head(%x: i64, %y: i64):
  %done = arith.cmpi eq, %y, %zero : i64
  cf.cond_br %done, ^exit(%x : i64), ^body
^body:
  %r = arith.remsi %x, %y : i64
  %s = arith.addi %r, %zero overflow<nsw> : i64
  %t = arith.subi %s, %zero : i64
  cf.br ^head(%y, %t : i64, i64)
^exit(%result: i64):
  %u = arith.maxsi %result, %one : i64
  %g = arith.mulf %f, %f fastmath<fast> : f32
  %h = arith.addf %g, %f : f32
  %n = math.sqrt %h : f32
  %c = arith.select %bit, %u, %result : i64
  call @sink(%c) : (i64) -> ()
  return %c : i64
}
func.func @twice(%a: i64) -> i64 attributes {tag.kind = 3 : i32} {
  %f = arith.constant 2.5 : f32
  %0 = call @gcd(%a, %a, %f) : (i64, i64, f32) -> i64
  %1 = call @gcd(%0, %a, %f) : (i64, i64, f32) -> i64
  %2 = arith.xori %0, %1 : i64
  return %2 : i64
}
