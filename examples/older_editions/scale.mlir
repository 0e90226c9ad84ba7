#next = (d0) -> (d0 + 1, d0 - 1)
!row = type memref<?xf32>

// Scales a row by a factor, and reports the neighbours of each element.
func @scale(%row: !row, %factor: f32) attributes {stage: "lowered"} {
  %n = dim %row, 0 : !row
  for %i = 0 to %n {
    %0 = load %row[%i] : !row
    %1 = mulf %0, %factor : f32
    store %1, %row[%i] : !row
    %2 = affine_apply #next(%i)
    call @report(%2#0, %2#1) : (index, index) -> ()
  }
  return
}
func @report(index, index)
