memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @sum(%m: memref<?xf32>, %n: index, %on: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  %table = memref.get_global @table : memref<4xf32>
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = memref.load %table[%c1] : memref<4xf32>
    %p = arith.mulf %x, %y : f32
    %next = scf.if %on -> (f32) {
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    } else {
      %s = arith.subf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %next, %buffer[%i] : memref<?xf32>
    scf.yield %next : f32
  }
  %w:2 = scf.while (%a = %c0, %b = %total) : (index, f32) -> (index, f32) {
    %go = arith.cmpi ult, %a, %n : index
    scf.condition(%go) %a, %b : index, f32
  } do {
  ^bb0(%a: index, %b: f32):
    %k = arith.addi %a, %c1 : index
    %l = arith.addf %b, %zero : f32
    scf.yield %k, %l : index, f32
  }
  memref.dealloc %buffer : memref<?xf32>
  return %w#1 : f32
}
