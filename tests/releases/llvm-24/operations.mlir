func.func @f(%a: memref<1xf32>, %b: index) -> f32 {
  %0 = memref.load %a[%b] alignment(4) invariant(true) : memref<1xf32>
  %1 = memref.load %a[%b] nontemporal(true) : memref<1xf32>
  %2 = arith.addf %0, %1 fastmath<nnan> : f32
  return %2 : f32
}
