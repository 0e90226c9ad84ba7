"builtin.module"() ({
  "transform.named_sequence"() <{function_type = (!transform.any_op, !transform.any_op, !transform.param<i64>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.param<i64>):
    %0:3 = "transform.structured.tile_using_for"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, scalable_sizes = array<i1: false, true>, static_sizes = array<i64: 2, 4>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %1:2 = "transform.structured.tile_using_for"(%arg0) <{inner_tile_alignments = array<i64: 0, 1, 2>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, scalable_sizes = array<i1: false>, static_sizes = array<i64: 2>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2:2 = "transform.structured.tile_using_for"(%arg0) <{inner_tile_alignments = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, scalable_sizes = array<i1: false>, static_interchange = array<i64: 0>, static_sizes = array<i64: 2>}> {foo} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %3:2 = "transform.structured.fuse_into_containing_op"(%arg0, %arg1) <{inner_tile_alignments = array<i64: 2, 1>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %4:2 = "transform.structured.fuse_into_containing_op"(%arg0, %arg1) {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %5:2 = "transform.structured.fuse"(%arg0, %arg1) <{inner_tile_alignments = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_tile_sizes = array<i64>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %6:2 = "transform.structured.fuse"(%arg0, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_tile_interchange = array<i64: 0>, static_tile_sizes = array<i64: -9223372036854775808>}> : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %7 = "transform.structured.fuse"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> {foo} : (!transform.any_op) -> !transform.any_op
    %8:2 = "transform.structured.tile_using_forall"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>, static_tile_sizes = array<i64>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %9:3 = "transform.structured.tile_using_for"(%arg0, %arg2, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scalable_sizes = array<i1: false, true>, static_interchange = array<i64: 1, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>}> : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %10:2 = "transform.structured.tile_using_for"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, scalable_sizes = array<i1>, static_interchange = array<i64>, static_sizes = array<i64>}> : (!transform.any_op, !transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %11:2 = "transform.structured.fuse"(%arg0) <{apply_cleanup, operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_tile_interchange = array<i64: 0>, static_tile_sizes = array<i64: 2>, use_forall}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    "transform.apply_conversion_patterns"(%arg0) ({
    ^bb0:
    }, {
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"() : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.apply_conversion_patterns"(%arg0) ({
    ^bb0:
    }, {
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"() <{use_aligned_alloc = false}> : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.apply_conversion_patterns"(%arg0) ({
    ^bb0:
    }, {
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"() <{data_layout = "e", index_bitwidth = 32 : i64, use_aligned_alloc = true, use_bare_ptr_call_conv = true, use_generic_functions = true}> {foo} : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.apply_conversion_patterns"(%arg0) ({
    ^bb0:
    }, {
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"() <{index_bitwidth = -1 : i64}> : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()

