#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 3)>
#max = affine_map<(d0)[s0] -> (d0, s0, 7)>
func.func @loops(%m: memref<?x8xf32>, %n: index, %v: vector<4xf32>) -> (f32, f32) {
  %c = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = max #max(%i)[%n] to min affine_map<(d0) -> (d0 + 4, 12)>(%i) step 2 {
      %0 = affine.load %m[%i + symbol(%n) * 3, (%j + %i) mod 8] : memref<?x8xf32>
      affine.store %0, %m[%j floordiv 2, 3] {note = "x"} : memref<?x8xf32>
      affine.prefetch %m[%i, %j - 1], write, locality<2>, instr : memref<?x8xf32>
      %1 = affine.vector_load %m[%i, 0] : memref<?x8xf32>, vector<4xf32>
      affine.vector_store %v, %m[0, 4] : memref<?x8xf32>, vector<4xf32>
      affine.if #set(%j)[%n] {
        affine.store %c, %m[0, 0] : memref<?x8xf32>
      } else {
        affine.store %c, %m[1, -2 + 3] : memref<?x8xf32>
      }
    } {second}
  }
  %sum = affine.for %i = 0 to 10 iter_args(%acc = %c) -> f32 {
    %x = affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) -> f32 {
      affine.yield %acc : f32
    } else {
      affine.yield %c : f32
    }
    affine.yield %x : f32
  }
  affine.parallel (%i, %j) = (0, max(%n, 2)) to (%n + 1, min(10, symbol(%n))) step (2, 3) {
  }
  %red = affine.parallel (%i) = (0) to (5) reduce ("addf") -> f32 {
    affine.yield %c : f32
  }
  %0 = affine.linearize_index disjoint [%n, %n] by (4, 8) : index
  %1:2 = affine.delinearize_index %0 into (%n, 8) : index, index
  return %sum, %red : f32, f32
}
