"t.op"() {a = #d.a<x, affine_map<(d0) -> (d0)>y>} : () -> ()
