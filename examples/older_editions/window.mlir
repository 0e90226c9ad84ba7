func @window(%buffer: memref<64xf32>, %n: index) {
  %w = view memref<64xf32> -> memref<16xf32> (%n) %buffer : memref<64xf32>
  return
}
