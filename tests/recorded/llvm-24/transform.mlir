module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.param<i64>) {
    %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %arg0 tile_sizes [2, [4]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tiled_linalg_op_0, %loops_1 = transform.structured.tile_using_for %arg0 tile_sizes [2] inner_tile_alignments = [Unknown, Multiple, Equal] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_linalg_op_2, %loops_3 = transform.structured.tile_using_for %arg0 tile_sizes [2] interchange = [0] inner_tile_alignments = [Equal] {foo} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %arg0 into %arg1 inner_tile_alignments = [Equal, Multiple] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused_op_4, %new_containing_op_5 = transform.structured.fuse_into_containing_op %arg0 into %arg1 {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %transformed, %loops_6 = transform.structured.fuse %arg0 tile_sizes *(%arg1) inner_tile_alignments = [Equal] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %transformed_7, %loops_8 = transform.structured.fuse %arg0 tile_sizes [%arg2] interchange [0] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %transformed_9 = transform.structured.fuse %arg0 {foo} : (!transform.any_op) -> !transform.any_op
    %tiled_op, %forall_op = transform.structured.tile_using_forall %arg0 tile_sizes *(%arg1) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_linalg_op_10, %loops_11:2 = transform.structured.tile_using_for %arg0 tile_sizes [%arg2, [4]] interchange = [1, %arg2] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tiled_linalg_op_12, %loops_13 = transform.structured.tile_using_for %arg0 tile_sizes *(%arg1) interchange = *(%arg1) : (!transform.any_op, !transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %transformed_14, %loops_15 = transform.structured.fuse %arg0 tile_sizes [2] interchange [0] apply_cleanup use_forall : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_conversion_patterns to %arg0 {
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter 
    } : !transform.any_op
    transform.apply_conversion_patterns to %arg0 {
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter use_aligned_alloc = false
    } : !transform.any_op
    transform.apply_conversion_patterns to %arg0 {
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter use_aligned_alloc = true index_bitwidth = 32 use_generic_functions = true use_bare_ptr_call_conv = true data_layout = "e" {foo}
    } : !transform.any_op
    transform.apply_conversion_patterns to %arg0 {
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter index_bitwidth = -1
    } : !transform.any_op
    transform.yield 
  }
}

