func.func @a(%a: tensor<2x3xf32>, %at: tensor<3x2xf32>, %b: tensor<3x4xf32>, %bt: tensor<4x3xf32>, %c: tensor<2x4xf32>, %d: tensor<5x2x3xf32>, %dt: tensor<5x3x2xf32>, %e: tensor<5x3x4xf32>, %et: tensor<5x4x3xf32>, %f: tensor<5x2x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.batch_matmul ins(%d, %e : tensor<5x2x3xf32>, tensor<5x3x4xf32>) outs(%f : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  %2 = linalg.batch_reduce_matmul ins(%d, %e : tensor<5x2x3xf32>, tensor<5x3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = linalg.matmul_transpose_a ins(%at, %b : tensor<3x2xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = linalg.matmul_transpose_b ins(%a, %bt : tensor<2x3xf32>, tensor<4x3xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = linalg.batch_matmul_transpose_a ins(%dt, %e : tensor<5x3x2xf32>, tensor<5x3x4xf32>) outs(%f : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  %6 = linalg.batch_matmul_transpose_b ins(%d, %et : tensor<5x2x3xf32>, tensor<5x4x3xf32>) outs(%f : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  return
}
