func.func @a(%w: !shape.witness, %x: f32) -> f32 {
  %0 = shape.assuming %w -> (f32) {
    shape.assuming_yield %x : f32
  }
  shape.assuming %w { "test.x"() : () -> ()
  }
  %1:2 = shape.assuming %w -> (f32, f32) {
    shape.assuming_yield %x, %x : f32, f32
  } {z}
  %c = shape.const_shape [1, 2, 3] : !shape.shape
  %c0 = shape.const_shape [] : tensor<0xindex>
  %c1 = shape.const_shape {q} [1] : tensor<1xindex>
  %r = shape.reduce(%c, %x) : !shape.shape -> f32 {
    ^bb0(%i: index, %s: !shape.size, %acc: f32):
    shape.yield %acc : f32
  }
  %i0 = arith.constant 0 : index
  %r2:2 = shape.reduce(%c0, %i0, %i0) : tensor<0xindex> -> (index, index) {
    ^bb0(%i: index, %s: index, %acc: index, %acc2: index):
    shape.yield %acc, %acc2 : index, index
  } {h}
  return %0 : f32
}
shape.func @f(%a: !shape.value_shape {test.x}) -> !shape.shape attributes {foo} {
   %0 = shape.shape_of %a : !shape.value_shape -> !shape.shape
   shape.return %0 : !shape.shape
}
shape.func private @g(!shape.shape) -> (!shape.shape {test.y})
shape.function_library @lib {
  shape.func @ident(%a: !shape.value_shape) -> !shape.shape {
   %0 = shape.shape_of %a : !shape.value_shape -> !shape.shape
   shape.return %0 : !shape.shape
  }
} mapping {
  "test.abc" = @ident, test.d = @ident
}
shape.function_library @lib2 attributes {x, y = 3} { shape.func private @g(!shape.shape) -> (!shape.shape)
} mapping {
}
