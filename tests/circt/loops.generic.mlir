"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "l"}> ({
  ^bb0(%arg5: index):
    %0:2 = "loopschedule.pipeline"(%arg5, %arg5) <{II = 1 : i64, tripCount = 20 : i64}> ({
    ^bb0(%arg8: index, %arg9: index):
      %3 = "arith.cmpi"(%arg8, %arg9) <{predicate = 6 : i64}> : (index, index) -> i1
      "loopschedule.register"(%3) : (i1) -> ()
    }, {
    ^bb0(%arg6: index, %arg7: index):
      %2:2 = "loopschedule.pipeline.stage"() <{start = 0 : si64}> ({
        "loopschedule.register"(%arg6, %arg7) : (index, index) -> ()
      }) : () -> (index, index)
      "loopschedule.terminator"(%2#0, %2#1, %2#0, %2#1) <{operandSegmentSizes = array<i32: 2, 2>}> : (index, index, index, index) -> ()
    }) : (index, index) -> (index, index)
    "loopschedule.pipeline"() <{II = 2 : i64}> ({
      %1 = "arith.constant"() <{value = true}> : () -> i1
      "loopschedule.register"(%1) : (i1) -> ()
    }, {
      "loopschedule.pipeline.stage"() <{start = 0 : si64}> ({
        "loopschedule.register"() : () -> ()
      }) : () -> ()
      "loopschedule.terminator"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "arc.model"() <{io = !hw.modty<input x : i1>, sym_name = "model"}> ({
  ^bb0(%arg4: !arc.storage):
  }) : () -> ()
  "arc.runtime.model"() <{name = "m", numStateBytes = 1 : i64, sym_name = "rt"}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "s"}> ({
    "arc.sim.instantiate"() ({
    ^bb0(%arg3: !arc.sim.instance<@model>):
    }) : () -> ()
    "arc.sim.instantiate"() <{runtimeArgs = "args", runtimeModel = @rt}> ({
    ^bb0(%arg2: !arc.sim.instance<@model>):
      "arc.sim.step"(%arg2) : (!arc.sim.instance<@model>) -> ()
    }) {q} : () -> ()
    "arc.sim.instantiate"() <{runtimeArgs = "args"}> ({
    ^bb0(%arg1: !arc.sim.instance<@model>):
    }) : () -> ()
    "arc.sim.instantiate"() <{runtimeModel = @rt}> ({
    ^bb0(%arg0: !arc.sim.instance<@model>):
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
