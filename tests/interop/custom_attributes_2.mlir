"test.attributes"() {
  test.a0 = #linalg.binary_fn< add >, test.a1 = #linalg.unary_fn<exp>, test.a2=#linalg.ternary_fn< select>, test.a3 = #linalg.type_fn<cast_signed>, test.a4 = #linalg.elementwise_kind< add>,
  test.b0 = #llvm<comdat any>, test.b1 = #llvm<dso_local_equivalent @a>, test.b2 = #llvm.fastmath<nnan,ninf>, test.b3 = #llvm.fastmath<fast>, test.b4 = #llvm.overflow<nsw,  nuw>,
  test.c0 = #tosa.block_size<BLOCK_SIZE_32>, test.c1 = #tosa.nan_mode< IGNORE>, test.c2 = #tosa.resize_mode<BILINEAR>, test.c3 = #tosa.rounding_mode<SINGLE_ROUND>,
  test.c4 = #tosa.target_env<specification_version="1.0",level= "8k",profiles=[pro_int,pro_fp],extensions=[int16]>, test.c5 = !tosa.shape< 3 >,
  test.c6 = #tosa.target_env<specification_version = "1.1.draft", level = none, profiles = [pro_int], extensions = [bf16,none]>
} : () -> ()
