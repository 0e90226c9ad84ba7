module {
  hw.module @p(in %a : i32, in %b : i8, in %go : i1, in %clk : !seq.clock, in %rst : i1, in %stall : i1, out o : i32) {
    %out, %done = pipeline.scheduled "MyPipeline"(%a0 : i32 = %a, %b0 : i8 = %b) stall(%stall) clock(%clk) reset(%rst) go(%go) entryEn(%s0_enable)  {x = 1 : i8} -> (out : i32) {
      %0 = comb.add %a0, %a0 : i32
      pipeline.stage ^bb1 regs("q" = %0 : i32 gated by [%stall, %rst], %a0 : i32) pass(%b0 : i8, "n" = %b0 : i8) {at}
    ^bb1(%q: i32, %s1_reg1: i32, %s1_pass0: i8, %n: i8, %s1_enable: i1):  // pred: ^bb0
      pipeline.stage ^bb2  
    ^bb2(%s2_enable: i1):  // pred: ^bb1
      %c1_i32 = hw.constant 1 : i32
      pipeline.return %c1_i32 : i32
    }
    %u, %done_0 = pipeline.unscheduled(%x : i32 = %a) clock(%clk) go(%go) entryEn(%s0_enable)  -> (u : i32) {
      pipeline.return %x : i32
    }
    %done_1 = pipeline.unscheduled() clock(%clk) go(%go) entryEn(%s0_enable)  -> () {
      pipeline.return
    }
    hw.output %out : i32
  }
  hw.module @mem(in %clk : !seq.clock, in %rst : i1, in %a : i2, in %b : i3, in %d : i8, in %en : i1) {
    %m = seq.hlmem @m %clk, %rst : <4x5xi8>
    %m_rdata = seq.read %m[%a, %b] rden %en {latency = 1 : i64} : !seq.hlmem<4x5xi8>
    %m_rdata_0 = seq.read %m[%a, %b] {latency = 0 : i64} : !seq.hlmem<4x5xi8>
    seq.write %m[%a, %b] %d wren %en {latency = 1 : i64} : !seq.hlmem<4x5xi8>
    %out, %full, %empty = seq.fifo depth 3   in %d rdEn %en wrEn %en clk %clk rst %rst : i8
    %out_1, %full_3, %empty_2, %almostFull, %almostEmpty = seq.fifo depth 4 rd_latency 1 almost_full 2 almost_empty 1 in %d rdEn %en wrEn %en clk %clk rst %rst {q} : i8
    %out_4, %full_6, %empty_5, %almostEmpty_7 = seq.fifo depth 4  almost_empty 1 in %d rdEn %en wrEn %en clk %clk rst %rst {q} : i8
    hw.output
  }
  synth.cut_rewrite_pattern(%arg0: i1, %arg1: i1) -> i1 attributes {cost = #synth.mapping_cost<area = 1.000000e+00 : f64, arcs = [#synth.linear_timing_arc<1, 0, <positive>>, #synth.linear_timing_arc<1, 0, <positive>>]>} {
    %0 = comb.and %arg0, %arg1 : i1
    synth.yield %0 : i1
  }
}
