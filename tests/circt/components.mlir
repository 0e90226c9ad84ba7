module attributes {calyx.entrypoint = "main"} {
  calyx.component @id(%in: i32, %go: i1 {go}, %clk: i1 {clk}, %reset: i1 {reset}) -> (%out: i32, %done: i1 {done}) {
    %true = hw.constant true
    calyx.wires {
      calyx.assign %done = %true : i1
      calyx.assign %out = %in : i32
    }
    calyx.control {
    }
  }
  calyx.component @main(%go: i1 {go}, %clk: i1 {clk}, %reset: i1 {reset}) -> (%done: i1 {done}) {
    %idx.in, %idx.go, %idx.clk, %idx.reset, %idx.out, %idx.done = calyx.instance @idx of @id : i32, i1, i1, i1, i32, i1
    %r.in, %r.write_en, %r.clk, %r.reset, %r.out, %r.done = calyx.register @r : i32, i1, i1, i1, i32, i1
    %c1_i32 = hw.constant 1 : i32
    calyx.wires {
    }
    calyx.control {
      calyx.seq {
        calyx.invoke @idx[a = m, b = d](%idx.in = %c1_i32) -> (i32)
        calyx.invoke @r[e = f](%r.in = %idx.out) -> (i32)
      }
    }
  }
}
