module {
  func.func @f(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.vtensor<[2,4,8,16],f32>, %arg4: !torch.vtensor<[1,2],si64>, %arg5: !torch.vtensor<[4,3],f32>, %arg6: !torch.float) -> !torch.int {
    %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 4} : !torch.int
    %1 = torch.symbolic_int "s1" {min_val = 2, max_val = 4} : !torch.int
    torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
    torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0 * s1, 4)> {note} : !torch.vtensor<[?,4],f32>
    torch.bind_symbolic_shape %arg0, [], affine_map<() -> (3, 4)> : !torch.vtensor<[?,4],f32>
    %2 = torch.prim.If %arg2 -> (!torch.int) {
      torch.prim.If.yield %arg1 : !torch.int
    } else {
      torch.prim.If.yield %0 : !torch.int
    }
    torch.prim.If %arg2 -> () {
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    } {note}
    %3:2 = torch.prim.If %arg2 -> (!torch.int, !torch.bool) {
      torch.prim.If.yield %arg1, %arg2 : !torch.int, !torch.bool
    } else {
      torch.prim.If.yield %arg1, %arg2 : !torch.int, !torch.bool
    }
    %none = torch.constant.none
    %output, %logsumexp, %max_scores = torch.hop_flex_attention %arg3, %arg3, %arg3, %arg6, %arg2, %arg2 {enable_gqa = true, mask_mod_fn = @m, score_mod_fn = @s} : !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.float, !torch.bool, !torch.bool -> !torch.vtensor<[2,4,8,16],f32>, !torch.none, !torch.none
    %output_0, %logsumexp_1, %max_scores_2 = torch.hop_flex_attention %arg3, %arg3, %arg3, %none, %arg2, %arg2 : !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.none, !torch.bool, !torch.bool -> !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8],f32>, !torch.none
    %4 = torch.onnx.rotary_embedding %arg3, %arg4, %arg5, %arg5, %arg1, %arg1, %arg1, %arg1, %arg6 : !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[1,2],si64>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[4,3],f32>, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[2,4,8,16],f32>
    return %2 : !torch.int
  }
  func.func private @m(!torch.vtensor<[],si32>) -> !torch.vtensor<[],i1>
  func.func private @s(!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  torch.global_slot @x : !torch.int
  torch.global_slot @y : !torch.tensor
  torch.global_slot.module_initializer {
    %int1 = torch.constant.int 1
    %0 = torch.tensor.literal(dense<0.000000e+00> : tensor<f32>) : !torch.tensor
    torch.initialize.global_slots [
      @x(%int1 : !torch.int)
      @y(%0 : !torch.tensor)
    ]
  }
}

