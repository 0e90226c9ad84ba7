// Attributes with a type of their own, types that are passed over, and strings that are defaults.
"t.op"() {
  a = #complex.number<:f32 1.0, 2.0>,
  b = #complex.number<:f64 -1.0, 0x7FF0000000000000> : complex<f32>,
  c = #complex.number<:bf16 1.00390625, 0.1>,
  d = #complex.number<  : f16   1.0 ,2.5  > : i32
} : () -> ()
"t.op"() {a = #arith.overflow<nsw> : i32, b = [#arith.fastmath<fast> : f32]} : () -> ()
"t.op"() {a = #ml_program.extern, b = #ml_program.extern : tensor<4xi32>, c = #ml_program.extern : i32, d = [#ml_program.extern : f32]} : () -> ()
"t.op"() {a = #nvvm.target, b = #nvvm.target<O = 2, chip = "sm_50", triple = "nvptx64-nvidia-cuda">, c = #nvvm.target<chip = "sm_90", features = "+ptx70">} : () -> ()
"t.op"() {a = #nvvm.target<link = ["a.bc"], flags = {fast, ftz}, O = 3>, b = #nvvm.target<features = "", verifyTarget = true>, c = #nvvm.target<verifyTarget = false>} : () -> ()
"t.op"() {a = #rocdl.target<O = 3, abi = "500">, b = #rocdl.target<abi = "600", chip = "gfx900">, c = #rocdl.target<flags = {no_wave64}, chip = "gfx\22a">} : () -> ()
