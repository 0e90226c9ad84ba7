matrix.kernel @relu {
^bb0(%x: f32):
  %zero = arith.constant 0.0 : f32
  %max = arith.maximumf %x, %zero : f32
  matrix.yield %max : f32
}

matrix.kernel "private" @nothing attributes {a.hot} {
  matrix.yield
}

func.func @f(%a: !matrix.mat<3x4xf32>, %b: !matrix.mat<4x?xf32>, %s: f32) -> !matrix.mat<3x?xf32> {
  %0 = matrix.mul %a, %b : !matrix.mat<3x4xf32>, !matrix.mat<4x?xf32> -> !matrix.mat<3x?xf32>
  %1 = matrix.apply @relu(%0) bias %s times 3 layout <tiled, 16> {
  ^bb0(%v: f32):
    matrix.yield %v : f32
  } : !matrix.mat<3x?xf32>
  %2 = matrix.apply @nothing(%1) {
    matrix.yield
  } {a.layout = #matrix.layout<col>} : !matrix.mat<3x?xf32>
  return %2 : !matrix.mat<3x?xf32>
}
