"builtin.module"() ({
  "hw.module"() <{module_type = !hw.modty<input clk : !seq.clock, input rst : i1, input i : i8, input v : i1, input r : i1, input b : !esi.bundle<[!esi.channel<i8> to "a", !esi.channel<i1> from "b", !esi.channel<i4> to "c d"] reset >>, parameters = [], sym_name = "m"}> ({
  ^bb0(%arg0: !seq.clock, %arg1: i1, %arg2: i8, %arg3: i1, %arg4: i1, %arg5: !esi.bundle<[!esi.channel<i8> to "a", !esi.channel<i1> from "b", !esi.channel<i4> to "c d"] reset >):
    %0:2 = "esi.wrap.vr"(%arg2, %arg3) : (i8, i1) -> (!esi.channel<i8>, i1)
    %1:2 = "esi.wrap.vr"(%arg2, %arg3) {w} : (i8, i1) -> (!esi.channel<i8>, i1)
    %2:2 = "esi.unwrap.vr"(%1#0, %arg4) {x = 1 : i8} : (!esi.channel<i8>, i1) -> (i8, i1)
    %3:2 = "esi.wrap.fifo"(%arg2, %arg3) : (i8, i1) -> (!esi.channel<i8, FIFO>, i1)
    %4:2 = "esi.unwrap.fifo"(%3#0, %arg4) : (!esi.channel<i8, FIFO>, i1) -> (i8, i1)
    %5 = "esi.wrap.vo"(%arg2, %arg3) : (i8, i1) -> !esi.channel<i8, ValidOnly>
    %6:2 = "esi.unwrap.vo"(%5) : (!esi.channel<i8, ValidOnly>) -> (i8, i1)
    %7:3 = "esi.snoop.vr"(%0#0) : (!esi.channel<i8>) -> (i1, i1, i8)
    %8:2 = "esi.snoop.xact"(%0#0) : (!esi.channel<i8>) -> (i1, i8)
    %9:2 = "esi.wrap.vr"(%arg3, %arg3) : (i1, i1) -> (!esi.channel<i1>, i1)
    %10:2 = "esi.bundle.unpack"(%arg5, %9#0) : (!esi.bundle<[!esi.channel<i8> to "a", !esi.channel<i1> from "b", !esi.channel<i4> to "c d"] reset >, !esi.channel<i1>) -> (!esi.channel<i8>, !esi.channel<i4>)
    %11:2 = "esi.bundle.pack"(%0#0) {k} : (!esi.channel<i8>) -> (!esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "resp"]>, !esi.channel<i1>)
    %12 = "esi.bundle.unpack"(%11#0, %13#0) : (!esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "resp"]>, !esi.channel<i1>) -> !esi.channel<i8>
    %13:2 = "esi.wrap.vr"(%arg3, %arg3) : (i1, i1) -> (!esi.channel<i1>, i1)
    "hw.output"() : () -> ()
  }) : () -> ()
  "esi.manifest.service_impl"() <{appID = #esi.appid<"cosim"[0]>, implDetails = {}, serviceImplName = "cosim"}> ({
    "esi.manifest.req"() <{requestor = #esi.appid<"a">, servicePort = #hw.innerNameRef<@x::@y>, typeID = !esi.bundle<[!esi.channel<i8> to "a"]>}> : () -> ()
  }) : () -> ()
  "esi.manifest.service_impl"() <{appID = #esi.appid<"cosim">, implDetails = {a = 1 : i8}, isEngine, service = @foo, serviceImplName = "cosim", stdService = "s"}> ({
  ^bb0:
  }) {z} : () -> ()
}) : () -> ()
