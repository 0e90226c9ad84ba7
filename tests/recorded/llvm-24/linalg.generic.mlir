#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0 floordiv 32, d2 floordiv 128)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> ()>
#map6 = affine_map<(d0, d1, d2) -> (d2, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<200x512xf8E5M2>, tensor<7x4xf8E8M0FNU>, tensor<128x512xf8E5M2>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>, sym_name = "f"}> ({
  ^bb0(%arg41: tensor<200x512xf8E5M2>, %arg42: tensor<7x4xf8E8M0FNU>, %arg43: tensor<128x512xf8E5M2>, %arg44: tensor<128xf8E8M0FNU>, %arg45: tensor<200x128xf32>):
    %33 = "linalg.scaled_contract"(%arg41, %arg42, %arg43, %arg44, %arg45) <{indexing_maps = [#map, #map1, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg51: f8E5M2, %arg52: f8E8M0FNU, %arg53: f8E5M2, %arg54: f8E8M0FNU, %arg55: f32):
      %39 = "arith.scaling_extf"(%arg51, %arg52) : (f8E5M2, f8E8M0FNU) -> f32
      %40 = "arith.scaling_extf"(%arg53, %arg54) : (f8E5M2, f8E8M0FNU) -> f32
      %41 = "arith.mulf"(%39, %40) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %42 = "arith.addf"(%arg55, %41) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%42) : (f32) -> ()
    }) : (tensor<200x512xf8E5M2>, tensor<7x4xf8E8M0FNU>, tensor<128x512xf8E5M2>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>
    %34 = "linalg.scaled_contract"(%arg41, %arg42, %arg43, %arg44, %33) <{cast = #linalg.type_fn<cast_unsigned>, indexing_maps = [#map, #map1, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg46: f8E5M2, %arg47: f8E8M0FNU, %arg48: f8E5M2, %arg49: f8E8M0FNU, %arg50: f32):
      %35 = "arith.scaling_extf"(%arg46, %arg47) : (f8E5M2, f8E8M0FNU) -> f32
      %36 = "arith.scaling_extf"(%arg48, %arg49) : (f8E5M2, f8E8M0FNU) -> f32
      %37 = "arith.mulf"(%35, %36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %38 = "arith.addf"(%arg50, %37) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%38) : (f32) -> ()
    }) : (tensor<200x512xf8E5M2>, tensor<7x4xf8E8M0FNU>, tensor<128x512xf8E5M2>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>
    "func.return"(%34) : (tensor<200x128xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<200x512xi8>, tensor<7x4xf8E8M0FNU>, tensor<128x512xi8>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>, sym_name = "i"}> ({
  ^bb0(%arg26: tensor<200x512xi8>, %arg27: tensor<7x4xf8E8M0FNU>, %arg28: tensor<128x512xi8>, %arg29: tensor<128xf8E8M0FNU>, %arg30: tensor<200x128xf32>):
    %15 = "linalg.scaled_contract"(%arg26, %arg27, %arg28, %arg29, %arg30) <{indexing_maps = [#map, #map1, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg36: i8, %arg37: f8E8M0FNU, %arg38: i8, %arg39: f8E8M0FNU, %arg40: f32):
      %25 = "arith.sitofp"(%arg36) : (i8) -> f32
      %26 = "arith.extf"(%arg37) : (f8E8M0FNU) -> f32
      %27 = "arith.mulf"(%25, %26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %28 = "arith.sitofp"(%arg38) : (i8) -> f32
      %29 = "arith.extf"(%arg39) : (f8E8M0FNU) -> f32
      %30 = "arith.mulf"(%28, %29) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %31 = "arith.mulf"(%27, %30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %32 = "arith.addf"(%arg40, %31) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%32) : (f32) -> ()
    }) : (tensor<200x512xi8>, tensor<7x4xf8E8M0FNU>, tensor<128x512xi8>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>
    %16 = "linalg.scaled_contract"(%arg26, %arg27, %arg28, %arg29, %arg30) <{cast = #linalg.type_fn<cast_unsigned>, indexing_maps = [#map, #map1, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg31: i8, %arg32: f8E8M0FNU, %arg33: i8, %arg34: f8E8M0FNU, %arg35: f32):
      %17 = "arith.uitofp"(%arg31) : (i8) -> f32
      %18 = "arith.extf"(%arg32) : (f8E8M0FNU) -> f32
      %19 = "arith.mulf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %20 = "arith.uitofp"(%arg33) : (i8) -> f32
      %21 = "arith.extf"(%arg34) : (f8E8M0FNU) -> f32
      %22 = "arith.mulf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %23 = "arith.mulf"(%19, %22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %24 = "arith.addf"(%arg35, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%24) : (f32) -> ()
    }) : (tensor<200x512xi8>, tensor<7x4xf8E8M0FNU>, tensor<128x512xi8>, tensor<128xf8E8M0FNU>, tensor<200x128xf32>) -> tensor<200x128xf32>
    "func.return"(%15) : (tensor<200x128xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<200x512xf32>, memref<7x4xf32>, memref<128x512xf32>, memref<128xf16>, memref<200x128xf32>) -> (), sym_name = "m"}> ({
  ^bb0(%arg16: memref<200x512xf32>, %arg17: memref<7x4xf32>, %arg18: memref<128x512xf32>, %arg19: memref<128xf16>, %arg20: memref<200x128xf32>):
    "linalg.scaled_contract"(%arg16, %arg17, %arg18, %arg19, %arg20) <{indexing_maps = [#map, #map1, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg21: f32, %arg22: f32, %arg23: f32, %arg24: f16, %arg25: f32):
      %10 = "arith.mulf"(%arg21, %arg22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %11 = "arith.extf"(%arg24) : (f16) -> f32
      %12 = "arith.mulf"(%arg23, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %13 = "arith.mulf"(%10, %12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %14 = "arith.addf"(%arg25, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%14) : (f32) -> ()
    }) : (memref<200x512xf32>, memref<7x4xf32>, memref<128x512xf32>, memref<128xf16>, memref<200x128xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<200x512xbf16>, memref<f16>, memref<128x512xi8>, memref<128xi8>, memref<200x128xf16>) -> (), sym_name = "n"}> ({
  ^bb0(%arg6: memref<200x512xbf16>, %arg7: memref<f16>, %arg8: memref<128x512xi8>, %arg9: memref<128xi8>, %arg10: memref<200x128xf16>):
    "linalg.scaled_contract"(%arg6, %arg7, %arg8, %arg9, %arg10) <{cast = #linalg.type_fn<cast_unsigned>, indexing_maps = [#map, #map5, #map2, #map3, #map4], operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg11: bf16, %arg12: f16, %arg13: i8, %arg14: i8, %arg15: f16):
      %3 = "arith.convertf"(%arg11) : (bf16) -> f16
      %4 = "arith.mulf"(%3, %arg12) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %5 = "arith.uitofp"(%arg13) : (i8) -> f16
      %6 = "arith.uitofp"(%arg14) : (i8) -> f16
      %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %8 = "arith.mulf"(%4, %7) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %9 = "arith.addf"(%arg15, %8) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      "linalg.yield"(%9) : (f16) -> ()
    }) : (memref<200x512xbf16>, memref<f16>, memref<128x512xi8>, memref<128xi8>, memref<200x128xf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2x2xbf16>, memref<2x2xf16>, memref<2x2xf16>) -> (), sym_name = "casts"}> ({
  ^bb0(%arg0: memref<2x2xbf16>, %arg1: memref<2x2xf16>, %arg2: memref<2x2xf16>):
    "linalg.matmul"(%arg0, %arg1, %arg2) <{indexing_maps = [#map, #map6, #map4], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: f16, %arg5: f16):
      %0 = "arith.convertf"(%arg3) : (bf16) -> f16
      %1 = "arith.mulf"(%0, %arg4) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %2 = "arith.addf"(%arg5, %1) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      "linalg.yield"(%2) : (f16) -> ()
    }) : (memref<2x2xbf16>, memref<2x2xf16>, memref<2x2xf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

