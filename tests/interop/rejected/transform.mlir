module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.get_operand %a[none] : (!transform.any_op) -> !transform.any_value
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.get_operand %a[except 1] : (!transform.any_op) -> !transform.any_value
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.structured.generalize %a : !transform.any_op
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0:3 = transform.structured.multitile_sizes %a {dimension = 1, target_size = 10} : !transform.any_op
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.structured.split %a before 4 {dimension = 0} : !transform.any_op
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.apply_registered_pass "p" with options = {} to %a : (!transform.any_op) -> !transform.any_op
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.apply_registered_pass "p" with options = {"x" = 1,} to %a : (!transform.any_op) -> !transform.any_op
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%a: !transform.any_op) {
  %0 = transform.foreach_match in %a @x => @y : (!transform.any_op) -> !transform.any_op
}
}
// -----
transform.sequence %x : !transform.any_op failures(propagate) {
}
// -----
transform.sequence failures(ignore) {
^bb0(%a: !transform.any_op):
}
// -----
pdl.pattern : benefit(1) {
  %0 = operation "x" {"a" %b}
}
// -----
pdl.pattern : benefit(1) {
  %0 = operation "x" {a = %b}
}
// -----
func.func @f(%v: !async.value<f32>) {
  %0 = async.execute (%v to %x: !async.value<f32>) {
  }
}
// -----
ml_program.global private mutable @g(dense<0> : tensor<i64>)
