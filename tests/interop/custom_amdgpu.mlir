func.func @gather(%b: !amdgpu.tdm_gather_base<i32, i16>, %i: vector<16xi16>, %n: index, %m: vector<16xi1>, %e: i1, %p: i32, %a: memref<8xi64, #gpu.address_space<workgroup>>) {
  %0 = amdgpu.make_gather_dma_descriptor %b[%i] globalSize [%n, 64] globalStride [64, 1] sharedSize [64, %n] : !amdgpu.tdm_gather_base<i32, i16>, vector<16xi16> -> !amdgpu.tdm_descriptor
  %1 = amdgpu.make_gather_dma_descriptor %b[%i] globalSize [128, 64] globalStride [64, 1] sharedSize [64, 64] padShared(%p every %p) workgroupMask %m earlyTimeout %e atomicBarrier(%a[%n] : memref<8xi64, #gpu.address_space<workgroup>>) {note} : !amdgpu.tdm_gather_base<i32, i16>, vector<16xi16> -> !amdgpu.tdm_descriptor
  return
}
