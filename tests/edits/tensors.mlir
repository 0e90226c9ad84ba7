#map = affine_map<(d0, d1) -> (d0, d1)>
module @outer {
  func.func @fill(%t: tensor<4x8xf32>, %x: f32, %i: index) -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %in, %out : f32
      %q = arith.mulf %s, %in : f32
      linalg.yield %q : f32
    } -> tensor<4x8xf32>
    %v = tensor.extract %g[%i, %i] : tensor<4x8xf32>
    %h = tensor.insert %v into %f[%i, %i] : tensor<4x8xf32>
    %w = vector.broadcast %v : f32 to vector<4xf32>
    %z = arith.addf %w, %w : vector<4xf32>
    %c = tensor.cast %h : tensor<4x8xf32> to tensor<?x8xf32>
    %d = tensor.dim %c, %i : tensor<?x8xf32>
    return %g : tensor<4x8xf32>
  }
  module @inner {
    func.func nested @id(%a: complex<f32>, %b: vector<4xf32>) -> f32 {
      %r = complex.re %a : complex<f32>
      %j = complex.im %a : complex<f32>
      %k = complex.create %r, %j : complex<f32>
      %l = complex.add %a, %k : complex<f32>
      %m = complex.re %l : complex<f32>
      %n = vector.extract %b[2] : f32 from vector<4xf32>
      %o = arith.maximumf %m, %n : f32
      return %o : f32
    }
  }
}
