#m = affine_map<(d0) -> (d0)>
!d = tensor<1xi8>
"t.op"() {a = #d.a<!#m>, b = #d.a<affine_map<(d0) -> (d0)>y>, c = #d.a<!x !d>} : () -> ()
