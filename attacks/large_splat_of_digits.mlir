"t.op"() {a = dense<"0x00"> : tensor<9999999999xi8>} : () -> ()
