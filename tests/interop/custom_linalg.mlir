#t = affine_map<(d0, d1, d2) -> (d2, d0)>
#u = affine_map<(d0, d1, d2) -> (d2, d1)>
#w = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @named(%a: tensor<4x8xf16>, %at: tensor<8x4xf16>, %b: tensor<8x6xi8>, %c: tensor<4x6xf32>, %m: memref<4xi32>, %s: f32, %si: i32, %p: tensor<4x6xi1>, %q: tensor<4x6xf32>, %i1: tensor<4x6xi1>) -> tensor<4x6xf32> {
  %0 = linalg.fill {tag = 1 : i32} ins(%s : f32) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xi8>) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.matmul indexing_maps = [#t, #u, #w] {cast = #linalg.type_fn<cast_unsigned>} ins(%at, %b : tensor<8x4xf16>, tensor<8x6xi8>) outs(%1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = linalg.contract indexing_maps = [#t, #u, #w] ins(%at, %b : tensor<8x4xf16>, tensor<8x6xi8>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%3 : tensor<4x6xf32>) outs(%q : tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = linalg.select ins(%p, %4, %q : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %6 = linalg.reciprocal ins(%5 : tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %7 = linalg.add ins(%p, %i1 : tensor<4x6xi1>, tensor<4x6xi1>) outs(%p : tensor<4x6xi1>) -> tensor<4x6xi1>
  linalg.fill ins(%si : i32) outs(%m : memref<4xi32>)
  return %6 : tensor<4x6xf32>
}
func.func @shaped(%a: tensor<4x8xf32>, %t: tensor<8x4xf32>, %r: tensor<4xf32>, %b: tensor<4x8x2xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.broadcast ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8x2xf32>) dimensions = [2] {note}
  %2 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  %3 = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%2 : tensor<4xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.mulf %x, %y : f32
      %w = arith.addf %z, %y : f32
      linalg.yield %w : f32
    }
  %4 = linalg.map { arith.addf } ins(%3, %3 : tensor<4xf32>, tensor<4xf32>) outs(%r : tensor<4xf32>)
  linalg.map { math.absf } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  %5 = linalg.map outs(%r : tensor<4xf32>)
    (%o: f32) {
      linalg.yield %o : f32
    }
  return %5 : tensor<4xf32>
}
