"builtin.module"() ({
  "util.func"() <{function_type = (!util.list<?>, !util.list<i32>, !util.list<?>, index, i32, !util.variant) -> (), sym_name = "lists", sym_visibility = "private"}> ({
  ^bb0(%arg18: !util.list<?>, %arg19: !util.list<i32>, %arg20: !util.list<?>, %arg21: index, %arg22: i32, %arg23: !util.variant):
    %11 = "util.list.get"(%arg18, %arg21) : (!util.list<?>, index) -> i32
    %12 = "util.list.get"(%arg19, %arg21) : (!util.list<i32>, index) -> i32
    %13 = "util.list.get"(%arg20, %arg21) : (!util.list<?>, index) -> !util.variant
    %14 = "util.list.get"(%arg18, %arg21) {note} : (!util.list<?>, index) -> !util.variant
    "util.list.set"(%arg18, %arg21, %arg22) : (!util.list<?>, index, i32) -> ()
    "util.list.set"(%arg19, %arg21, %arg22) : (!util.list<i32>, index, i32) -> ()
    "util.list.set"(%arg19, %arg21, %arg22) {note = 1 : i32} : (!util.list<i32>, index, i32) -> ()
    "util.list.set"(%arg20, %arg21, %arg23) : (!util.list<?>, index, !util.variant) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "stream.cmd.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (i32, !stream.resource<*>, index, index) -> i32, res_attrs = [{}], sym_name = "some", sym_visibility = "private"}> ({
  }) : () -> ()
  "stream.cmd.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (!stream.resource<*>, index, index, i32, !stream.resource<*>, index, index, !stream.resource<*>, index, index) -> (), sym_name = "none", sym_visibility = "private"}> ({
  }) : () -> ()
  "util.func"() <{function_type = (!stream.resource<external>, !stream.resource<transient>, index, index, i32) -> (), sym_name = "calls", sym_visibility = "private"}> ({
  ^bb0(%arg11: !stream.resource<external>, %arg12: !stream.resource<transient>, %arg13: index, %arg14: index, %arg15: i32):
    %9 = "stream.cmd.execute"(%arg11, %arg12, %arg13, %arg13) <{operandSegmentSizes = array<i32: 2, 2, 0>}> ({
    ^bb0(%arg16: !stream.resource<external>, %arg17: !stream.resource<transient>):
      %10 = "stream.cmd.call"(%arg15, %arg17, %arg13, %arg14, %arg13) <{callee = @some, operandSegmentSizes = array<i32: 2, 1, 1, 1, 0>, resource_operand_accesses = [3 : i32], tied_operands = [-1 : index]}> : (i32, !stream.resource<transient>, index, index, index) -> i32
      "stream.cmd.call"(%arg16, %arg15, %arg17, %arg17, %arg13, %arg13, %arg14, %arg14, %arg14, %arg13, %arg13, %arg13, %arg14) <{callee = @none, operandSegmentSizes = array<i32: 4, 3, 3, 3, 0>, resource_operand_accesses = [1 : i32, 3 : i32, 2 : i32]}> {note} : (!stream.resource<external>, i32, !stream.resource<transient>, !stream.resource<transient>, index, index, index, index, index, index, index, index, index) -> ()
      "stream.yield"() : () -> ()
    }) : (!stream.resource<external>, !stream.resource<transient>, index, index) -> !stream.timepoint
    "util.return"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = (!stream.resource<*>, index, index, i32) -> (), sym_name = "dispatches", sym_visibility = "private"}> ({
  ^bb0(%arg7: !stream.resource<*>, %arg8: index, %arg9: index, %arg10: i32):
    %6 = "stream.tensor.dispatch"(%arg8, %arg9, %arg7, %arg10, %arg7, %arg8, %arg8, %arg9, %arg8, %arg9) <{entry_points = [@ex::@a], operandSegmentSizes = array<i32: 2, 3, 2, 1, 1, 1>, operand_encodings = [tensor<?x5xf32>, !util.unused, tensor<4xi32>], result_encodings = [tensor<?x5xf32>], tied_operands = [-1 : index]}> : (index, index, !stream.resource<*>, i32, !stream.resource<*>, index, index, index, index, index) -> !stream.resource<*>
    %7:2 = "stream.tensor.dispatch"(%arg7, %arg10, %arg8, %arg9, %arg8, %arg8, %arg8, %arg9, %arg8, %arg9, %arg8) <{entry_points = [@ex::@a, @ex::@b], operandSegmentSizes = array<i32: 0, 2, 1, 2, 2, 4>, operand_encodings = [tensor<?x?xf32>, !util.unused], result_encodings = [tensor<?x?xf32>, tensor<?x?xf32>], tied_operands = [0 : index, -1 : index]}> {note} : (!stream.resource<*>, i32, index, index, index, index, index, index, index, index, index) -> (!stream.resource<*>, !stream.resource<*>)
    %8 = "stream.tensor.dispatch"(%arg7, %arg8, %arg8) <{affinity = #hal.device.affinity<@dev>, entry_points = [@ex::@a], operandSegmentSizes = array<i32: 0, 1, 1, 0, 1, 0>, operand_encodings = [tensor<4xf32>], result_encodings = [tensor<4xf32>], tied_operands = [0 : index]}> : (!stream.resource<*>, index, index) -> !stream.resource<external>
    "stream.tensor.dispatch"() <{entry_points = [@ex::@a], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>, operand_encodings = [], result_encodings = []}> : () -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "vm.module"() <{sym_name = "m"}> ({
    "vm.func"() <{function_type = (i32, i32, f32) -> i32, sym_name = "table"}> ({
    ^bb0(%arg4: i32, %arg5: i32, %arg6: f32):
      "vm.br_table"(%arg4, %arg5, %arg5, %arg6)[^bb1, ^bb2, ^bb3, ^bb2] <{case_operand_segments = array<i32: 0, 2, 0>, operandSegmentSizes = array<i32: 1, 1, 2>}> {note} : (i32, i32, i32, f32) -> ()
    ^bb1(%3: i32):  // pred: ^bb0
      "vm.br_table"(%arg4)[^bb2] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb2:  // 3 preds: ^bb0, ^bb0, ^bb1
      "vm.return"(%arg5) : (i32) -> ()
    ^bb3(%4: i32, %5: f32):  // pred: ^bb0
      "vm.return"(%4) : (i32) -> ()
    }) : () -> ()
    "vm.func"() <{function_type = (i32, !vm.ref<?>, !vm.buffer, !vm.list<i32>) -> (), sym_name = "switch"}> ({
    ^bb0(%arg0: i32, %arg1: !vm.ref<?>, %arg2: !vm.buffer, %arg3: !vm.list<i32>):
      %0 = "vm.switch.ref"(%arg0, %arg1, %arg1, %arg1) : (i32, !vm.ref<?>, !vm.ref<?>, !vm.ref<?>) -> !vm.ref<?>
      %1 = "vm.switch.ref"(%arg0, %arg2, %arg2) {note} : (i32, !vm.buffer, !vm.buffer) -> !vm.buffer
      %2 = "vm.switch.ref"(%arg0, %arg3) : (i32, !vm.list<i32>) -> !vm.list<i32>
      "vm.return"() : () -> ()
    }) : () -> ()
    "vm.module_terminator"() : () -> ()
  }) : () -> ()
}) : () -> ()

