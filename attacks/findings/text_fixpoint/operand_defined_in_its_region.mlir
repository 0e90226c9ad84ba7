#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed)}>
func.func @a(%sp : tensor<4x8xf32, #CSR>, %i: index, %j: index) -> index {
  %l1 = sparse_tensor.extract_iteration_space %sp lvls = 0 : tensor<4x8xf32, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0>
  %r1, %r2 = sparse_tensor.iterate %it1 in %l1 at(%crd) iter_args(%si = %i, %sj = %k): !sparse_tensor.iter_space<#CSR, lvls = 0> -> (index, index) {
    %k = arith.addi %si, %crd : index
    sparse_tensor.yield %k, %sj : index, index
  }
  return %r1 : index
}
