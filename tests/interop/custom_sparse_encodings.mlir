// not with --mlir-print-local-scope: encodings in types of the dialect then stand there without their names.
#A = #sparse_tensor.encoding<{ map = (i, j) -> ( j : compressed(nonunique, nonordered), i : singleton(soa,nonunique)), posWidth = 32, explicitVal = 1.0 : f32, implicitVal = 0.0 : f32 }>
#B = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1, 4, 1)>, j: #sparse_tensor<slice(?, 4, 2)>) -> ( j : dense, i : structured[2, 4]) }>
#C = #sparse_tensor.encoding<{ map = [c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed), crdWidth = 8}>
#D = #sparse_tensor.encoding<{ map = {il, jl, ii, jj} ( i = il * 2 + ii, j = jl * 3 + jj) -> ( il = i floordiv 2 : dense, jl = j floordiv 3 : compressed, ii = i mod 2: dense, jj = j mod 3 : dense) }>
func.func private @co(%a : !sparse_tensor.storage_specifier<#A>, %b : !sparse_tensor.storage_specifier<#B>, %c : !sparse_tensor.storage_specifier<#C>, %d : !sparse_tensor.storage_specifier<#D>)
func.func private @co2(%a : tensor<?x?xf32, #A>, %b : tensor<?x?xf32, #B>, %c : tensor<?x?xf32, #C>, %d : tensor<?x?xf32, #D>)
func.func @loops(%c: index) {
  scf.parallel (%i) = (%c) to (%c) step (%c) {
  } {mapping = [#gpu.loop_dim_map<processor=block_x,map =(d0)->(d0 * 2), bound=(d0)[s0] -> (d0)>]}
  return
}
#E = #sparse_tensor.encoding<{ map = (i, j) -> ( i : compressed(nonunique), j : singleton(soa)) }>
func.func @specifiers(%sp1 : !sparse_tensor.storage_specifier<#E>, %i: index, %m: memref<?xi32>, %s: tensor<?x?xf32,#E>) {
  %0 = sparse_tensor.storage_specifier.get %sp1 lvl_sz at 0 : !sparse_tensor.storage_specifier<#E>
  %1 = sparse_tensor.storage_specifier.get %sp1 val_mem_sz : !sparse_tensor.storage_specifier<#E>
  sparse_tensor.sort quick_sort %i, %m jointly %m {ny = 1 : index, perm_map = affine_map<(d0) -> (d0)>} : memref<?xi32> jointly memref<?xi32>
  %2:2 = sparse_tensor.crd_translate dim_to_lvl [%i, %i] as #E : index, index
  %l = sparse_tensor.lvl %s, %i : tensor<?x?xf32, #E>
  return
}
