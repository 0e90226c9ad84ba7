module {
  hw.module @m(in %clk : !seq.clock, in %rst : i1, in %i : i8, in %v : i1, in %r : i1, in %b : !esi.bundle<[!esi.channel<i8> to "a", !esi.channel<i1> from "b", !esi.channel<i4> to "c d"] reset >) {
    %chanOutput, %ready = esi.wrap.vr %i, %v : i8
    %chanOutput_0, %ready_1 = esi.wrap.vr %i, %v {w} : i8
    %rawOutput, %valid = esi.unwrap.vr %chanOutput_0, %r {x = 1 : i8} : i8
    %chanOutput_2, %rden = esi.wrap.fifo %i, %v : !esi.channel<i8, FIFO>
    %data, %empty = esi.unwrap.fifo %chanOutput_2, %r : !esi.channel<i8, FIFO>
    %0 = esi.wrap.vo %i, %v : i8
    %rawOutput_3, %valid_4 = esi.unwrap.vo %0 : !esi.channel<i8, ValidOnly>
    %valid_5, %ready_6, %data_7 = esi.snoop.vr %chanOutput : !esi.channel<i8>
    %transaction, %data_8 = esi.snoop.xact %chanOutput : !esi.channel<i8>
    %chanOutput_9, %ready_10 = esi.wrap.vr %v, %v : i1
    %a, %c_d = esi.bundle.unpack %chanOutput_9 from %b : !esi.bundle<[!esi.channel<i8> to "a", !esi.channel<i1> from "b", !esi.channel<i4> to "c d"] reset >
    %bundle, %resp = esi.bundle.pack %chanOutput {k} : !esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "resp"]>
    %data_11 = esi.bundle.unpack %chanOutput_12 from %bundle : !esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "resp"]>
    %chanOutput_12, %ready_13 = esi.wrap.vr %v, %v : i1
    hw.output
  }
  esi.manifest.service_impl #esi.appid<"cosim"[0]> by "cosim" with {} {
    esi.manifest.req #esi.appid<"a">, <@x::@y>, !esi.bundle<[!esi.channel<i8> to "a"]>
  }
  esi.manifest.service_impl #esi.appid<"cosim"> svc @foo std "s" by "cosim" engine with {a = 1 : i8} attributes {z} 
}
