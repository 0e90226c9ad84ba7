// A classifier with one hidden layer, as a machine learning framework exports it: StableHLO.
module @mlp {
  func.func public @main(%x: tensor<8x784xf32>, %w0: tensor<784x128xf32>, %b0: tensor<128xf32>,
                         %w1: tensor<128x10xf32>, %b1: tensor<10xf32>) -> tensor<8x10xf32> {
    %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0]
        : (tensor<8x784xf32>, tensor<784x128xf32>) -> tensor<8x128xf32>
    %1 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<128xf32>) -> tensor<8x128xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x128xf32>
    %3 = call @relu(%2) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %4 = stablehlo.dot_general %3, %w1, contracting_dims = [1] x [0]
        : (tensor<8x128xf32>, tensor<128x10xf32>) -> tensor<8x10xf32>
    %5 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<10xf32>) -> tensor<8x10xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x10xf32>
    return %6 : tensor<8x10xf32>
  }
  func.func private @relu(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<8x128xf32>
    %0 = stablehlo.maximum %x, %zero : tensor<8x128xf32>
    return %0 : tensor<8x128xf32>
  }
}
