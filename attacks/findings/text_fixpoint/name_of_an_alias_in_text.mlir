"t.op"() {a = #d.a<#map>, b = affine_map<(d0) -> (d0)>} : () -> ()
