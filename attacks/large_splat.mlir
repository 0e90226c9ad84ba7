"t.op"() {a = dense<0> : tensor<9999999999xi8>} : () -> ()
