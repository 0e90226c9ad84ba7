#map = affine_map<()[s0] -> (s0, 4)>
#map1 = affine_map<()[s0, s1] -> (s0 * s1, 4)>
#map2 = affine_map<() -> (3, 4)>
"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[?,4],f32>, !torch.int, !torch.bool, !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[1,2],si64>, !torch.vtensor<[4,3],f32>, !torch.float) -> !torch.int, sym_name = "f"}> ({
  ^bb0(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.vtensor<[2,4,8,16],f32>, %arg4: !torch.vtensor<[1,2],si64>, %arg5: !torch.vtensor<[4,3],f32>, %arg6: !torch.float):
    %2 = "torch.symbolic_int"() <{max_val = 4 : i64, min_val = 2 : i64, symbol_name = "s0"}> : () -> !torch.int
    %3 = "torch.symbolic_int"() <{max_val = 4 : i64, min_val = 2 : i64, symbol_name = "s1"}> : () -> !torch.int
    "torch.bind_symbolic_shape"(%arg0, %2) <{shape_expressions = #map}> : (!torch.vtensor<[?,4],f32>, !torch.int) -> ()
    "torch.bind_symbolic_shape"(%arg0, %2, %3) <{shape_expressions = #map1}> {note} : (!torch.vtensor<[?,4],f32>, !torch.int, !torch.int) -> ()
    "torch.bind_symbolic_shape"(%arg0) <{shape_expressions = #map2}> : (!torch.vtensor<[?,4],f32>) -> ()
    %4 = "torch.prim.If"(%arg2) ({
      "torch.prim.If.yield"(%arg1) : (!torch.int) -> ()
    }, {
      "torch.prim.If.yield"(%2) : (!torch.int) -> ()
    }) : (!torch.bool) -> !torch.int
    "torch.prim.If"(%arg2) ({
      "torch.prim.If.yield"() : () -> ()
    }, {
      "torch.prim.If.yield"() : () -> ()
    }) {note} : (!torch.bool) -> ()
    %5:2 = "torch.prim.If"(%arg2) ({
      "torch.prim.If.yield"(%arg1, %arg2) : (!torch.int, !torch.bool) -> ()
    }, {
      "torch.prim.If.yield"(%arg1, %arg2) : (!torch.int, !torch.bool) -> ()
    }) : (!torch.bool) -> (!torch.int, !torch.bool)
    %6 = "torch.constant.none"() : () -> !torch.none
    %7:3 = "torch.hop_flex_attention"(%arg3, %arg3, %arg3, %arg6, %arg2, %arg2) <{enable_gqa = true, mask_mod_fn = @m, score_mod_fn = @s}> : (!torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.float, !torch.bool, !torch.bool) -> (!torch.vtensor<[2,4,8,16],f32>, !torch.none, !torch.none)
    %8:3 = "torch.hop_flex_attention"(%arg3, %arg3, %arg3, %6, %arg2, %arg2) : (!torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8,16],f32>, !torch.none, !torch.bool, !torch.bool) -> (!torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[2,4,8],f32>, !torch.none)
    %9 = "torch.onnx.rotary_embedding"(%arg3, %arg4, %arg5, %arg5, %arg1, %arg1, %arg1, %arg1, %arg6) : (!torch.vtensor<[2,4,8,16],f32>, !torch.vtensor<[1,2],si64>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[4,3],f32>, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float) -> !torch.vtensor<[2,4,8,16],f32>
    "func.return"(%4) : (!torch.int) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!torch.vtensor<[],si32>) -> !torch.vtensor<[],i1>, sym_name = "m", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>, sym_name = "s", sym_visibility = "private"}> ({
  }) : () -> ()
  "torch.global_slot"() <{sym_name = "x", typeBound = !torch.int}> : () -> ()
  "torch.global_slot"() <{sym_name = "y", typeBound = !torch.tensor}> : () -> ()
  "torch.global_slot.module_initializer"() ({
    %0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %1 = "torch.tensor.literal"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> !torch.tensor
    "torch.initialize.global_slots"(%0, %1) <{slotSymNames = [@x, @y]}> : (!torch.int, !torch.tensor) -> ()
  }) : () -> ()
}) : () -> ()

