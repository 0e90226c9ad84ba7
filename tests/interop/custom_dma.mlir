func.func @d(%a: memref<4xf32>, %b: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %a[%i], %b[%i], %i, %t[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %a[%i], %b[%i], %i, %t[%i], %i, %i : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %i : memref<1xi32>
  affine.for %j = 0 to 4 {
  affine.dma_start %a[%j + 1], %b[%j], %t[symbol(%i)], %i : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  affine.dma_start %a[0], %b[%j], %t[%j], %i, %i, %i : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  affine.dma_wait %t[%j + symbol(%i)], %i : memref<1xi32>
  }
  return
}
