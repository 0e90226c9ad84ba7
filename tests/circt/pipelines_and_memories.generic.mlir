#loc = loc("-":2:110)
"builtin.module"() ({
  "hw.module"() <{module_type = !hw.modty<input a : i32, input b : i8, input go : i1, input clk : !seq.clock, input rst : i1, input stall : i1, output o : i32>, parameters = [], result_locs = [#loc], sym_name = "p"}> ({
  ^bb0(%arg8: i32, %arg9: i8, %arg10: i1, %arg11: !seq.clock, %arg12: i1, %arg13: i1):
    %7:2 = "pipeline.scheduled"(%arg8, %arg9, %arg13, %arg11, %arg12, %arg10) <{inputNames = ["a0", "b0"], name = "MyPipeline", operandSegmentSizes = array<i32: 2, 1, 1, 1, 1>, outputNames = ["out"]}> ({
    ^bb0(%arg17: i32, %arg18: i8, %arg19: i1):
      %10 = "comb.add"(%arg17, %arg17) : (i32, i32) -> i32
      "pipeline.stage"(%10, %arg17, %arg18, %arg18, %arg13, %arg12)[^bb1] <{clockGatesPerRegister = [2, 0], operandSegmentSizes = array<i32: 2, 2, 2>, passthroughNames = ["", "n"], registerNames = ["q", ""]}> {at} : (i32, i32, i8, i8, i1, i1) -> ()
    ^bb1(%11: i32, %12: i32, %13: i8, %14: i8, %15: i1):  // pred: ^bb0
      "pipeline.stage"()[^bb2] <{clockGatesPerRegister = [], operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
    ^bb2(%16: i1):  // pred: ^bb1
      %17 = "hw.constant"() <{value = 1 : i32}> : () -> i32
      "pipeline.return"(%17) : (i32) -> ()
    }) {x = 1 : i8} : (i32, i8, i1, !seq.clock, i1, i1) -> (i32, i1)
    %8:2 = "pipeline.unscheduled"(%arg8, %arg11, %arg10) <{inputNames = ["x"], operandSegmentSizes = array<i32: 1, 0, 1, 0, 1>, outputNames = ["u"]}> ({
    ^bb0(%arg15: i32, %arg16: i1):
      "pipeline.return"(%arg15) : (i32) -> ()
    }) : (i32, !seq.clock, i1) -> (i32, i1)
    %9 = "pipeline.unscheduled"(%arg11, %arg10) <{inputNames = [], operandSegmentSizes = array<i32: 0, 0, 1, 0, 1>, outputNames = []}> ({
    ^bb0(%arg14: i1):
      "pipeline.return"() : () -> ()
    }) : (!seq.clock, i1) -> i1
    "hw.output"(%7#0) : (i32) -> ()
  }) : () -> ()
  "hw.module"() <{module_type = !hw.modty<input clk : !seq.clock, input rst : i1, input a : i2, input b : i3, input d : i8, input en : i1>, parameters = [], sym_name = "mem"}> ({
  ^bb0(%arg2: !seq.clock, %arg3: i1, %arg4: i2, %arg5: i3, %arg6: i8, %arg7: i1):
    %1 = "seq.hlmem"(%arg2, %arg3) <{name = "m"}> : (!seq.clock, i1) -> !seq.hlmem<4x5xi8>
    %2 = "seq.read"(%1, %arg4, %arg5, %arg7) <{latency = 1 : i64, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!seq.hlmem<4x5xi8>, i2, i3, i1) -> i8
    %3 = "seq.read"(%1, %arg4, %arg5) <{latency = 0 : i64, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!seq.hlmem<4x5xi8>, i2, i3) -> i8
    "seq.write"(%1, %arg4, %arg5, %arg6, %arg7) <{latency = 1 : i64}> : (!seq.hlmem<4x5xi8>, i2, i3, i8, i1) -> ()
    %4:3 = "seq.fifo"(%arg6, %arg7, %arg7, %arg2, %arg3) <{depth = 3 : i64, resultSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (i8, i1, i1, !seq.clock, i1) -> (i8, i1, i1)
    %5:5 = "seq.fifo"(%arg6, %arg7, %arg7, %arg2, %arg3) <{almostEmptyThreshold = 1 : i64, almostFullThreshold = 2 : i64, depth = 4 : i64, rdLatency = 1 : i64, resultSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> {q} : (i8, i1, i1, !seq.clock, i1) -> (i8, i1, i1, i1, i1)
    %6:4 = "seq.fifo"(%arg6, %arg7, %arg7, %arg2, %arg3) <{almostEmptyThreshold = 1 : i64, depth = 4 : i64, resultSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> {q} : (i8, i1, i1, !seq.clock, i1) -> (i8, i1, i1, i1)
    "hw.output"() : () -> ()
  }) : () -> ()
  "synth.cut_rewrite_pattern"() <{cost = #synth.mapping_cost<area = 1.000000e+00 : f64, arcs = [#synth.linear_timing_arc<1, 0, <positive>>, #synth.linear_timing_arc<1, 0, <positive>>]>, function_type = (i1, i1) -> i1}> ({
  ^bb0(%arg0: i1, %arg1: i1):
    %0 = "comb.and"(%arg0, %arg1) : (i1, i1) -> i1
    "synth.yield"(%0) : (i1) -> ()
  }) : () -> ()
}) : () -> ()
