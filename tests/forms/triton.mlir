#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @f(%arg0: i32, %arg1: !tt.ptr<f32>, %arg2: i1) -> i64 {
    %0 = ttg.warp_specialize(%arg0, %arg1) attributes {note, requestedRegisters = array<i32: 24, 16>}
    default {
      %c1_i64 = arith.constant 1 : i64
      ttg.warp_yield %c1_i64 : i64
    }
    partition0(%arg3: i32, %arg4: !tt.ptr<f32>) num_warps(4) {
      %2 = arith.addi %arg3, %arg3 : i32
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      ttg.warp_return
    }
    partition1(%arg3: i32, %arg4: !tt.ptr<f32>) num_warps(2) {
      ttg.warp_return
    } : (i32, !tt.ptr<f32>) -> i64
    ttg.warp_specialize()
    default {
      cf.cond_br %arg2, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      ttg.warp_yield
    ^bb2:  // pred: ^bb0
      ttg.warp_yield
    } : () -> ()
    %1:2 = ttg.warp_specialize(%arg0)
    default {
      ttg.warp_yield %arg0, %arg0 : i32, i32
    }
    partition0(%arg3: i32) num_warps(1) {
      ttg.warp_return
    } : (i32) -> (i32, i32)
    tt.return %0 : i64
  }
  tt.func @g(%arg0: i32, %arg1: tensor<128xi32, #blocked>) -> (i32, i32) {
    nvws.warp_group
    partition0 num_warps(8) {
      nvws.warp_group.return
    }
    nvws.warp_group attributes {note}
    partition0 num_warps(4) {
      nvws.warp_group.yield %arg0, %arg0 : i32, i32
    }
    partition1 num_warps(4) {
      %0 = arith.addi %arg0, %arg0 : i32
      nvws.warp_group.return
    }
    nvws.warp_group
    tt.return %arg0, %arg0 : i32, i32
  }
}
