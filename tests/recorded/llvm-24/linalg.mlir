#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0 floordiv 32, d2 floordiv 128)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> ()>
module {
  func.func @f(%arg0: tensor<200x512xf8E5M2>, %arg1: tensor<7x4xf8E8M0FNU>, %arg2: tensor<128x512xf8E5M2>, %arg3: tensor<128xf8E8M0FNU>, %arg4: tensor<200x128xf32>) -> tensor<200x128xf32> {
    %0 = linalg.scaled_contract indexing_maps = [#map, #map1, #map2, #map3, #map4] ins(%arg0, %arg1, %arg2, %arg3 : tensor<200x512xf8E5M2>, tensor<7x4xf8E8M0FNU>, tensor<128x512xf8E5M2>, tensor<128xf8E8M0FNU>) outs(%arg4 : tensor<200x128xf32>) -> tensor<200x128xf32>
    %1 = linalg.scaled_contract indexing_maps = [#map, #map1, #map2, #map3, #map4] {cast = #linalg.type_fn<cast_unsigned>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<200x512xf8E5M2>, tensor<7x4xf8E8M0FNU>, tensor<128x512xf8E5M2>, tensor<128xf8E8M0FNU>) outs(%0 : tensor<200x128xf32>) -> tensor<200x128xf32>
    return %1 : tensor<200x128xf32>
  }
  func.func @i(%arg0: tensor<200x512xi8>, %arg1: tensor<7x4xf8E8M0FNU>, %arg2: tensor<128x512xi8>, %arg3: tensor<128xf8E8M0FNU>, %arg4: tensor<200x128xf32>) -> tensor<200x128xf32> {
    %0 = linalg.scaled_contract indexing_maps = [#map, #map1, #map2, #map3, #map4] ins(%arg0, %arg1, %arg2, %arg3 : tensor<200x512xi8>, tensor<7x4xf8E8M0FNU>, tensor<128x512xi8>, tensor<128xf8E8M0FNU>) outs(%arg4 : tensor<200x128xf32>) -> tensor<200x128xf32>
    %1 = linalg.scaled_contract indexing_maps = [#map, #map1, #map2, #map3, #map4] {cast = #linalg.type_fn<cast_unsigned>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<200x512xi8>, tensor<7x4xf8E8M0FNU>, tensor<128x512xi8>, tensor<128xf8E8M0FNU>) outs(%arg4 : tensor<200x128xf32>) -> tensor<200x128xf32>
    return %0 : tensor<200x128xf32>
  }
  func.func @m(%arg0: memref<200x512xf32>, %arg1: memref<7x4xf32>, %arg2: memref<128x512xf32>, %arg3: memref<128xf16>, %arg4: memref<200x128xf32>) {
    linalg.scaled_contract indexing_maps = [#map, #map1, #map2, #map3, #map4] ins(%arg0, %arg1, %arg2, %arg3 : memref<200x512xf32>, memref<7x4xf32>, memref<128x512xf32>, memref<128xf16>) outs(%arg4 : memref<200x128xf32>)
    return
  }
  func.func @n(%arg0: memref<200x512xbf16>, %arg1: memref<f16>, %arg2: memref<128x512xi8>, %arg3: memref<128xi8>, %arg4: memref<200x128xf16>) {
    linalg.scaled_contract indexing_maps = [#map, #map5, #map2, #map3, #map4] {cast = #linalg.type_fn<cast_unsigned>} ins(%arg0, %arg1, %arg2, %arg3 : memref<200x512xbf16>, memref<f16>, memref<128x512xi8>, memref<128xi8>) outs(%arg4 : memref<200x128xf16>)
    return
  }
  func.func @casts(%arg0: memref<2x2xbf16>, %arg1: memref<2x2xf16>, %arg2: memref<2x2xf16>) {
    linalg.matmul ins(%arg0, %arg1 : memref<2x2xbf16>, memref<2x2xf16>) outs(%arg2 : memref<2x2xf16>)
    return
  }
}

