#map = affine_map<(d0) -> (d0)>
"t.op"() {a = #d.a<!#map>} : () -> ()
