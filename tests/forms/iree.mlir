module {
  util.func private @lists(%arg0: !util.list<?>, %arg1: !util.list<i32>, %arg2: !util.list<?>, %arg3: index, %arg4: i32, %arg5: !util.variant) {
    %0 = util.list.get %arg0[%arg3] : !util.list<?> -> i32
    %1 = util.list.get %arg1[%arg3] : !util.list<i32>
    %2 = util.list.get %arg2[%arg3] : !util.list<?>
    %3 = util.list.get %arg0[%arg3] {note} : !util.list<?>
    util.list.set %arg0[%arg3], %arg4 : i32 -> !util.list<?>
    util.list.set %arg1[%arg3], %arg4 : !util.list<i32>
    util.list.set %arg1[%arg3], %arg4 {note = 1 : i32} : !util.list<i32>
    util.list.set %arg2[%arg3], %arg5 : !util.list<?>
    util.return
  }
  stream.cmd.func private @some(%arg0: i32, %arg1[%arg2 for %arg3]: !stream.resource<*>) -> i32
  stream.cmd.func private @none(%arg0[%arg1 for %arg2]: !stream.resource<*>, %arg3: i32, %arg4[%arg5 for %arg6]: !stream.resource<*>, %arg7[%arg8 for %arg9]: !stream.resource<*>)
  util.func private @calls(%arg0: !stream.resource<external>, %arg1: !stream.resource<transient>, %arg2: index, %arg3: index, %arg4: i32) {
    %0 = stream.cmd.execute with(%arg0 as %arg5: !stream.resource<external>{%arg2}, %arg1 as %arg6: !stream.resource<transient>{%arg2}) {
      %1 = stream.cmd.call @some(%arg4, rw %arg6[%arg3 for %arg2]) : (i32, !stream.resource<transient>{%arg2}) -> i32
      stream.cmd.call @none(ro %arg5[%arg3 for %arg2], %arg4, rw %arg6[%arg3 for %arg2], wo %arg6[%arg2 for %arg3]) {note} : (!stream.resource<external>{%arg2}, i32, !stream.resource<transient>{%arg2}, !stream.resource<transient>{%arg3}) -> ()
    } => !stream.timepoint
    util.return
  }
  util.func private @dispatches(%arg0: !stream.resource<*>, %arg1: index, %arg2: index, %arg3: i32) {
    %0 = stream.tensor.dispatch @ex::@a[%arg1, %arg2](%arg0, %arg3, %arg0) : (tensor<?x5xf32>{%arg2} in !stream.resource<*>{%arg1}, i32, tensor<4xi32> in !stream.resource<*>{%arg1}) -> tensor<?x5xf32>{%arg2} in !stream.resource<*>{%arg1}
    %1:2 = stream.tensor.dispatch {@ex::@a, @ex::@b}(%arg0, %arg3) {note} : (tensor<?x?xf32>{%arg2, %arg1} in !stream.resource<*>{%arg1}, i32) -> (tensor<?x?xf32>{%arg2, %arg1} in %arg0{%arg1}, tensor<?x?xf32>{%arg2, %arg1} in !stream.resource<*>{%arg1})
    %2 = stream.tensor.dispatch on(#hal.device.affinity<@dev>) @ex::@a(%arg0) : (tensor<4xf32> in !stream.resource<*>{%arg1}) -> tensor<4xf32> in %arg0 as !stream.resource<external>{%arg1}
    stream.tensor.dispatch @ex::@a() : () -> ()
    util.return
  }
  vm.module public @m {
    vm.func @table(%arg0: i32, %arg1: i32, %arg2: f32) -> i32 {
      vm.br_table %arg0 {
        default: ^bb1(%arg1 : i32),
        0: ^bb2,
        1: ^bb3(%arg1, %arg2 : i32, f32),
        2: ^bb2
      } {note}
    ^bb1(%0: i32):  // pred: ^bb0
      vm.br_table %arg0 {
        default: ^bb2
      }
    ^bb2:  // 3 preds: ^bb0, ^bb0, ^bb1
      vm.return %arg1 : i32
    ^bb3(%1: i32, %2: f32):  // pred: ^bb0
      vm.return %1 : i32
    }
    vm.func @switch(%arg0: i32, %arg1: !vm.ref<?>, %arg2: !vm.buffer, %arg3: !vm.list<i32>) {
      %ref = vm.switch.ref %arg0[%arg1, %arg1] else %arg1 : !vm.ref<?>
      %buffer = vm.switch.ref %arg0[%arg2] else %arg2 {note} : !vm.buffer
      %list = vm.switch.ref %arg0[] else %arg3 : !vm.list<i32>
      vm.return
    }
  }
}

