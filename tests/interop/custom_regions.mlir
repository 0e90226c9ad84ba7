func.func @forall(%t: tensor<8xf32>, %n: index, %x: tensor<1xf32>) -> tensor<8xf32> {
  scf.forall (%i) in (%n) {
    "test.use"(%i) : (index) -> ()
  } {mapping = []}
  %0 = scf.forall (%i, %j) = (0, %n) to (8, 4) step (%n, 1) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  %1 = scf.index_switch %n {note} -> i32
  case 2 {
    %a = arith.constant 1 : i32
    scf.yield %a : i32
  }
  case -5 {
    %a = arith.constant 2 : i32
    scf.yield %a : i32
  }
  default {
    %a = arith.constant 3 : i32
    scf.yield %a : i32
  }
  scf.index_switch %n
  default {
  }
  return %0 : tensor<8xf32>
}
func.func @vector(%m: vector<8xi1>, %v: vector<8xf32>, %w: vector<4xf32>, %a: vector<8x4xf32>, %s: f32, %t: memref<?xf32>, %i: index) -> vector<4xf32> {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  vector.mask %m { vector.transfer_write %v, %t[%i] : vector<8xf32>, memref<?xf32> } {note} : vector<8xi1>
  %1 = vector.outerproduct %v, %w : vector<8xf32>, vector<4xf32>
  %2 = vector.outerproduct %v, %w, %a {kind = #vector.kind<maxnumf>} : vector<8xf32>, vector<4xf32>
  %3 = vector.outerproduct %v, %s : vector<8xf32>, f32
  %4 = vector.shuffle %v, %v [0, 15, -1, 3] : vector<8xf32>, vector<8xf32>
  return %4 : vector<4xf32>
}
func.func @memory(%m: memref<4x8xf32>, %i: index, %t: tensor<?xf32>) -> f32 {
  %0 = memref.alloca_scope -> f32 {
    %c = arith.constant 1.0 : f32
    memref.alloca_scope.return %c : f32
  }
  memref.alloca_scope {
    "test.op"() : () -> ()
  }
  %1 = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %2 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x8xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x8xf32>
  %3 = bufferization.alloc_tensor(%i) : tensor<?xf32>
  %4 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<?xf32>
  %5 = bufferization.alloc_tensor(%i) size_hint=%i : tensor<?xf32>
  return %0 : f32
}
func.func @tosa(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cond_if %c (%y = %x) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tosa.yield %a : tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    tosa.yield %a : tensor<4xf32>
  }
  %1 = tosa.while_loop (%y = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>):
    tosa.yield %a : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
