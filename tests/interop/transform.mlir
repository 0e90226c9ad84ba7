module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %p = transform.param.constant 4 -> !transform.param<i64>
    %0 = transform.structured.match ops{["linalg.matmul", "a"]} interface{LinalgOp} attributes {x = 1} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_operand %0[0, 1] : (!transform.any_op) -> !transform.any_value
    %2 = transform.get_operand %0[except(1, 2)] : (!transform.any_op) -> !transform.any_value
    %3 = transform.get_result %0[all] : (!transform.any_op) -> !transform.any_value
    %t, %l:3 = transform.structured.tile_using_for %0 tile_sizes [4, %p, [8]] interchange = [0, 2, 1] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %f, %f1 = transform.structured.tile_using_forall %0 num_threads [2, %p] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %g, %g1 = transform.structured.tile_using_forall %0 tile_sizes *(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %s = transform.structured.split %0 after %p {dimension = 0} : !transform.any_op, !transform.param<i64>
    %s2 = transform.structured.split %0 after 42 {dimension = 0} : !transform.any_op
    %m:3 = transform.structured.multitile_sizes %0 {dimension = 1, target_size = 10} : (!transform.any_op) -> !transform.param<i64>
    %r = transform.apply_registered_pass "canonicalize" with options = { "top-down" = false, "max-iterations" = %p, x = ["a", %p], y = "z" } to %0 : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    %r2 = transform.apply_registered_pass "canonicalize" to %0 : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %0 vector_sizes [[4], %p] : !transform.any_op, !transform.param<i64>
    transform.structured.vectorize %0 : !transform.any_op
    %gen = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.sequence %arg0, %0 : !transform.any_op, !transform.any_op failures(suppress) {
    ^bb0(%a: !transform.any_op, %b: !transform.any_op):
    }
    transform.sequence %arg0 : !transform.any_op failures(propagate) {
    ^bb0(%a: !transform.any_op):
      print %a : !transform.any_op
    }
    transform.alternatives %0 : !transform.any_op {
      ^bb0(%a: !transform.any_op):
        transform.yield
     }, {
      ^bb0(%a: !transform.any_op):
     }
    transform.foreach %0 : !transform.any_op {
      ^bb0(%a: !transform.any_op):
        transform.print %a {name = "x"} : !transform.any_op
    }
    transform.apply_patterns to %0 { transform.apply_patterns.canonicalization } {apply_cse} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @a(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %rank = transform.match.structured failures(suppress) %arg0 : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%b: !transform.any_op):
      %d = transform.match.structured.dim %b[all] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.dim %b[0, 1] {parallel} : !transform.any_op
      %i = transform.match.structured.init %b[0] {projected_permutation} : (!transform.any_op) -> !transform.any_value
      %k = transform.match.structured.rank %b : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %k : !transform.param<i64>
    }
    transform.match.structured %arg0 : !transform.any_op {
    ^bb0(%b: !transform.any_op):
      transform.match.structured.body %b {reduction_position = 0} : !transform.any_op
    }
    %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
    transform.match.param.cmpi eq %rank, %c0 : !transform.param<i64>
    transform.yield %arg0 : !transform.any_op
  }
  transform.named_sequence @b(%arg0: !transform.any_op {transform.readonly})
  transform.named_sequence @c(%arg0: !transform.any_op {transform.readonly})
  transform.named_sequence private @d(%arg0: !transform.any_op {transform.readonly})
  transform.with_pdl_patterns {
  ^bb0(%arg0: !transform.any_op):
    pdl.pattern @some : benefit(1) {
      %t = type : i32
      %ts = types
      %at = attribute = 1 : i32
      %op = operand : %t
      %ops = operands : %ts
      %1 = operation "foo.y"(%op, %ops : !pdl.value, !pdl.range<value>) {"a" = %at, "b" = %at} -> (%t, %ts : !pdl.type, !pdl.range<type>)
      %res = result 0 of %1
      %ress = results of %1
      %resi = results 1 of %1 -> !pdl.value
      apply_native_constraint "c"(%res : !pdl.value)
      rewrite %1 {
        %x = range : !pdl.range<value>
        %y = range %res, %ress : !pdl.value, !pdl.range<value>
        replace %1 with (%ress : !pdl.range<value>)
        erase %1
      }
    }
    sequence %arg0 : !transform.any_op failures(propagate) {
    ^bb1(%arg1: !transform.any_op):
      %0 = pdl_match @some in %arg1 : (!transform.any_op) -> !transform.any_op
    }
  }
}
