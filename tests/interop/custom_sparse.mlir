// not with --mlir-print-local-scope: encodings in types of the dialect then stand there without their names.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed)}>
func.func @a(%sp : tensor<4x8xf32, #CSR>, %i: index, %j: index) -> index {
  %l1 = sparse_tensor.extract_iteration_space %sp lvls = 0 : tensor<4x8xf32, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0>
  %l2 = sparse_tensor.extract_iteration_space %sp lvls = 0 to 2 : tensor<4x8xf32, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0 to 2>
  %r1, %r2 = sparse_tensor.iterate %it1 in %l1 at(%crd) iter_args(%si = %i, %sj = %j): !sparse_tensor.iter_space<#CSR, lvls = 0> -> (index, index) {
    %k = arith.addi %si, %crd : index
    sparse_tensor.yield %k, %sj : index, index
  }
  sparse_tensor.iterate %it1 in %l2 at(_, %crd) : !sparse_tensor.iter_space<#CSR, lvls = 0 to 2> {
    "test.x"(%crd) : (index) -> ()
  }
  sparse_tensor.iterate %it1 in %l2 : !sparse_tensor.iter_space<#CSR, lvls = 0 to 2> {
    "test.x"() : () -> ()
  }
  sparse_tensor.iterate %it1 in %l2 at(_, _) : !sparse_tensor.iter_space<#CSR, lvls = 0 to 2> {
    "test.x"() : () -> ()
  }
  %r = sparse_tensor.iterate %it1 in %l1 iter_args(%si = %i): !sparse_tensor.iter_space<#CSR, lvls = 0> -> index {
    sparse_tensor.yield %si : index
  }
  return %r1 : index
}
#COO = #sparse_tensor.encoding<{
  map = (i, j) -> (
    i : compressed(nonunique),
    j : singleton(soa)
  )
}>
func.func @co(%sp1 : !sparse_tensor.iter_space<#COO, lvls = 0>,
                              %sp2 : !sparse_tensor.iter_space<#COO, lvls = 1>)
                              -> index {
  %init = arith.constant 0 : index
  %ret = sparse_tensor.coiterate (%sp1, %sp2) at (%coord) iter_args(%arg = %init)
      : (!sparse_tensor.iter_space<#COO, lvls = 0>,
         !sparse_tensor.iter_space<#COO, lvls = 1>)
       -> index
  case %it1, _ {
    sparse_tensor.yield %arg : index
  }
  case _, %it2 {
    sparse_tensor.yield %coord : index
  }
  case %x, %y {
    sparse_tensor.yield %coord : index
  }
  sparse_tensor.coiterate (%sp1, %sp2) at(%coord) : (!sparse_tensor.iter_space<#COO, lvls = 0>, !sparse_tensor.iter_space<#COO, lvls = 1>)
  case %it1, _ {
    "test.x"(%it1) : (!sparse_tensor.iterator<#COO, lvls = 0>) -> ()
  } 
  sparse_tensor.coiterate (%sp1, %sp2) at(_) : (!sparse_tensor.iter_space<#COO, lvls = 0>, !sparse_tensor.iter_space<#COO, lvls = 1>)
  case %it1, _ {
    "test.x"(%it1) : (!sparse_tensor.iterator<#COO, lvls = 0>) -> ()
  } 
  return %ret : index
}
#C2 = #sparse_tensor.encoding<{ map = (i, j) -> ( i : compressed(nonunique), j : singleton(soa)) }>
func.func @levels(%sp1 : !sparse_tensor.iter_space<#C2, lvls = 0>, %sp2 : !sparse_tensor.iter_space<#C2, lvls = 0 to 2>) {
  sparse_tensor.iterate %it1 in %sp2 at(%a, _) : !sparse_tensor.iter_space<#C2, lvls = 0 to 2>  {
    "test.x"(%a, %it1) : (index, !sparse_tensor.iterator<#C2, lvls = 0 to 2>) -> ()
  }
  sparse_tensor.iterate %it1 in %sp2 at(%a, %b) : !sparse_tensor.iter_space<#C2, lvls = 0 to 2>  {
  }
  return
}
