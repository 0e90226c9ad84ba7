"x"() {a = !gpu.mma_matrix<16x16xf32>} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf32, "XOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf32, "aop">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf32, "">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xi8, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xbf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xi16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xi1, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xindex, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xvector<4xf16>, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16x!foo.bar, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16x16xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<f16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<?x16xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x?xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<-1x16xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16x, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf16, "AOp", 3>} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf16 "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<>} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<[16x16]xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<*xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<99999999999999999999x16xf16, "AOp">} : () -> ()
// -----
"x"() {a = !gpu.async.bogus} : () -> ()
// -----
"x"() {a = !gpu.async} : () -> ()
// -----
"x"() {a = !gpu.bogus} : () -> ()
// -----
"x"() {a = !gpu.bogus<3>} : () -> ()
// -----
"x"() {a = !gpu.sparse.bogus} : () -> ()
// -----
"x"() {a = !gpu<"x">} : () -> ()
// -----
"x"() {a = !gpu.mma_matrix<16x16xf16, "AOp"} : () -> ()
// -----
"x"() {a = !gpu.async.token.x} : () -> ()
// -----
"x"() {a = !gpu.mma_matrixx<16x16xf16, "AOp">} : () -> ()
// -----
"x"() {a = #gpu.address_space<bogus>} : () -> ()
// -----
"x"() {a = #gpu.address_space<1>} : () -> ()
// -----
"x"() {a = #gpu.address_space} : () -> ()
// -----
"x"() {a = #gpu.block<bogus>} : () -> ()
// -----
"x"() {a = #gpu.memory_space<3>} : () -> ()
// -----
"x"() {a = #gpu<dim bogus>} : () -> ()
// -----
"x"() {a = #gpu<processor block_x>} : () -> ()
// -----
"x"() {a = #gpu.processor<block_x>} : () -> ()
// -----
"x"() {a = #gpu.loop_dim_map<processor = 3, map = (d0) -> (d0), bound = (d0) -> (d0)>} : () -> ()
// -----
"x"() {a = #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0)>} : () -> ()
// -----
"x"() {a = #gpu.select_object<>} : () -> ()
// -----
"x"() {a = #gpu.object<#nvvm.target, bogus = "x">} : () -> ()
// -----
"x"() {a = #gpu.object<#nvvm.target>} : () -> ()
// -----
"x"() {a = #gpu.object<#nvvm.target, 3>} : () -> ()
// -----
"x"() {a = #gpu.kernel_metadata<3, () -> ()>} : () -> ()
// -----
"x"() {a = #gpu.bogus} : () -> ()
