// Complex numbers of several widths, numbers that become complex, and elements that are vectors.
func.func @complex(%a: tensor<?xcomplex<f16>>, %b: tensor<?xcomplex<f64>>, %c: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = linalg.conv_1d ins(%a, %b : tensor<?xcomplex<f16>>, tensor<?xcomplex<f64>>) outs(%c : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
func.func @becomes_complex(%a: tensor<?xi32>, %b: tensor<?xf16>, %c: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = linalg.conv_1d ins(%a, %b : tensor<?xi32>, tensor<?xf16>) outs(%c : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
func.func @half_complex(%a: memref<?xcomplex<f32>>, %b: memref<?xf32>, %c: memref<?xcomplex<f32>>) {
  linalg.conv_1d ins(%a, %b : memref<?xcomplex<f32>>, memref<?xf32>) outs(%c : memref<?xcomplex<f32>>)
  return
}
func.func @vectors(%v: vector<2x4xf32>, %e: tensor<vector<2x4xf32>>, %m : memref<4xvector<2xf32>>, %w: vector<2xf32>) -> tensor<vector<2x4xf32>> {
  %0 = linalg.fill ins(%v : vector<2x4xf32>) outs(%e : tensor<vector<2x4xf32>>) -> tensor<vector<2x4xf32>>
  linalg.fill ins(%w : vector<2xf32>) outs(%m : memref<4xvector<2xf32>>)
  return %0 : tensor<vector<2x4xf32>>
}
func.func @copies(%m : memref<4xvector<2xf32>>, %n : memref<4xvector<2xf32>>) {
  linalg.copy ins(%m : memref<4xvector<2xf32>>) outs(%n : memref<4xvector<2xf32>>)
  linalg.map ins(%m : memref<4xvector<2xf32>>) outs(%n : memref<4xvector<2xf32>>) (%in: vector<2xf32>, %out: vector<2xf32>) { linalg.yield %in : vector<2xf32> }
  linalg.transpose ins(%m : memref<4xvector<2xf32>>) outs(%n : memref<4xvector<2xf32>>) permutation = [0]
  return
}
