"t.x"() {d = array<si1: true, false>, e = array<ui1: true, false>} : () -> ()
