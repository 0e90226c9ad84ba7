module {
  func.func @l(%arg0: index) {
    %0:2 = loopschedule.pipeline II =  1 trip_count =  20 iter_args(%arg1 = %arg0, %arg2 = %arg0) : (index, index) -> (index, index) {
      %1 = arith.cmpi ult, %arg1, %arg2 : index
      loopschedule.register %1 : i1
    } do {
      %1:2 = loopschedule.pipeline.stage start = 0 {
        loopschedule.register %arg1, %arg2 : index, index
      } : index, index
      loopschedule.terminator iter_args(%1#0, %1#1), results(%1#0, %1#1) : (index, index) -> (index, index)
    }
    loopschedule.pipeline II =  2 iter_args() : () -> () {
      %true = arith.constant true
      loopschedule.register %true : i1
    } do {
      loopschedule.pipeline.stage start = 0 {
        loopschedule.register 
      }
      loopschedule.terminator iter_args(), results() : () -> ()
    }
    return
  }
  arc.model @model io !hw.modty<input x : i1> {
  ^bb0(%arg0: !arc.storage):
  }
  arc.runtime.model @rt "m" numStateBytes 1
  func.func @s() {
    arc.sim.instantiate @model as %arg0 {
    }
    arc.sim.instantiate @model as %arg0 runtime @rt("args") attributes {q} {
      arc.sim.step %arg0 : !arc.sim.instance<@model>
    }
    arc.sim.instantiate @model as %arg0 runtime ("args") {
    }
    arc.sim.instantiate @model as %arg0 runtime @rt() {
    }
    return
  }
}
