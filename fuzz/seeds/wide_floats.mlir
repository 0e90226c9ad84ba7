"test_x.wide"() {f = [f80, f128, 3.0 : f128, 0x3FFDAAAAAAAAAAAAAAAB : f80, dense<0.1> : tensor<2xf128>]} : () -> ()
