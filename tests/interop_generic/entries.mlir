// Attributes and types of dialects whose encodings in bytecode are known, each with all of its parameters and with as
// few as it can have, and what they hold spelled with names, without them and by aliases.
#file = #llvm.di_file<"a \22b\22.c" in "/tmp/\0A">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = None>
#word = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "word", sizeInBits = 64, encoding = DW_ATE_unsigned>
#group0 = #llvm.access_group<id = distinct[1]<>>
#group1 = #llvm.access_group<id = distinct[2]<>>
#locations = loc(fused<#file>["a":1:2])

"test.basic"() {
  a = #word,
  b = #llvm.di_basic_type<name = "">,
  c = #llvm.di_basic_type<encoding = DW_ATE_HP_float128, name = "order does not matter", tag = DW_TAG_GNU_template_template_param>,
  d = #llvm.di_null_type,
  e = #llvm.di_subroutine_type<>,
  f = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #llvm.di_null_type, #word>,
  g = #llvm.di_subroutine_type<types = #word>
} : () -> ()

"test.unit"() {
  a = #unit,
  b = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = DW_LANG_Fortran18, file = <"x" in "y">, producer = "us", isOptimized = true, emissionKind = DebugDirectivesOnly, nameTableKind = Apple>,
  c = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = DW_LANG_Rust, file = #file, isOptimized = true, emissionKind = Full, nameTableKind = None>
} : () -> ()

"test.composite"() {
  a = #llvm.di_composite_type<>,
  b = #llvm.di_composite_type<recId = distinct[4]<>, isRecSelf = true>,
  c = #llvm.di_composite_type<tag = DW_TAG_array_type, name = "all", file = #file, line = 4294967295, scope = #unit, baseType = #word, flags = "Public|Vector", sizeInBits = 18446744073709551615, alignInBits = 32, dataLocation = <[DW_OP_push_object_address, DW_OP_deref]>, rank = <>, allocated = <[DW_OP_constu(7)]>, associated = <[DW_OP_lit0, DW_OP_ne]>, elements = #llvm.di_subrange<count = 10 : i64>, #word>,
  d = #llvm.di_composite_type<tag = DW_TAG_structure_type, flags = TypePassByValue, elements = #llvm.di_derived_type<tag = DW_TAG_member>>,
  e = #llvm.di_derived_type<>,
  f = #llvm.di_derived_type<tag = DW_TAG_pointer_type, name = "p", baseType = #word, sizeInBits = 64, alignInBits = 32, offsetInBits = 8, dwarfAddressSpace = 3, extraData = #word>,
  g = #llvm.di_derived_type<dwarfAddressSpace = 0>
} : () -> ()

"test.expression"() {
  a = #llvm.di_expression<>,
  b = #llvm.di_expression<[DW_OP_LLVM_fragment(32, 32), DW_OP_stack_value]>,
  c = #llvm.di_expression<[DW_OP_LLVM_convert(16, DW_ATE_signed), DW_OP_LLVM_arg(0)]>,
  d = #llvm.di_expression<[DW_OP_plus_uconst(18446744073709551615)]>
} : () -> ()

"test.variables"() {
  a = #llvm.di_global_variable<file = #file, line = 0, type = #word>,
  b = #llvm.di_global_variable<scope = #unit, name = "n", linkageName = "l", file = <"c" in "d">, line = 1, type = #word, isLocalToUnit = true, isDefined = true, alignInBits = 8>,
  c = #llvm.di_global_variable_expression<var = <file = #file, line = 0, type = #word>>,
  d = #llvm.di_global_variable_expression<var = <file = #file, line = 0, type = #word>, expr = <[DW_OP_deref]>>,
  e = #llvm.di_local_variable<scope = #file>,
  f = #llvm.di_local_variable<scope = #file, name = "v", file = #file, line = 2, arg = 3, alignInBits = 16, type = #word, flags = "Private|Artificial">,
  g = #llvm.di_label<scope = #file>,
  h = #llvm.di_label<scope = #file, name = "label", file = #file, line = 9>
} : () -> ()

"test.scopes"() {
  a = #llvm.di_lexical_block<scope = #file>,
  b = #llvm.di_lexical_block<scope = #unit, file = #file, line = 1, column = 2>,
  c = #llvm.di_lexical_block_file<scope = #file, discriminator = 0>,
  d = #llvm.di_lexical_block_file<scope = #file, file = #file, discriminator = 77>,
  e = #llvm.di_namespace<exportSymbols = false>,
  f = #llvm.di_namespace<name = "std", scope = #file, exportSymbols = true>,
  g = #llvm.di_subrange<>,
  h = #llvm.di_subrange<count = 4 : i64, lowerBound = 0 : i64, upperBound = #llvm.di_expression<[DW_OP_lit1]>, stride = 1 : i64>,
  i = #llvm.di_imported_entity<scope = #file, entity = #word>,
  j = #llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = #unit, entity = #file, file = #file, line = 5, name = "m", elements = #word, #word>
} : () -> ()

"test.subprogram"() {
  a = #llvm.di_subprogram<>,
  b = #llvm.di_subprogram<recId = distinct[5]<>, isRecSelf = true>,
  c = #llvm.di_subprogram<recId = distinct[6]<>, id = distinct[7]<>, compileUnit = #unit, scope = #file, name = "f", linkageName = "_f", file = #file, line = 1, scopeLine = 2, subprogramFlags = "Definition|Optimized", type = <callingConvention = DW_CC_normal>, retainedNodes = #llvm.di_label<scope = #file>, #word>,
  d = #llvm.di_subprogram<subprogramFlags = LocalToUnit, type = <types = #word>>,
  e = #llvm.di_subprogram<annotations = #llvm.di_annotation<name = "k", value = "v">>
} : () -> ()

"test.loops"() {
  a = #llvm.loop_annotation<>,
  b = #llvm.loop_annotation<disableNonforced = true, vectorize = <disable = false, width = 4 : i32>, interleave = <count = 32 : i32>, unroll = <disable = true, count = 3 : i64, followupAll = <mustProgress = true>>, unrollAndJam = <disable = false>, licm = <disable = true, versioningDisable = false>, distribute = <disable = true>, pipeline = <initiationinterval = 1 : i32>, peeled = <count = 8 : i32>, unswitch = <partialDisable = true>, mustProgress = false, isVectorized = true, startLoc = loc(fused["a":1:2, "b":3:4]), endLoc = #locations, parallelAccesses = #group0, #group1>,
  c = #llvm.loop_unroll<followupUnrolled = #llvm.loop_annotation<mustProgress = true>>
} : () -> ()

"test.quantized"() {
  a = !quant.any<i8>,
  b = !quant.any<u8<3:200>:f32>,
  c = !quant.any<i8<-128:127>:f16>,
  d = !quant.any<i32<-8:7>>,
  e = !quant.calibrated<f32<-0.998:1.2321>>,
  f = !quant.uniform<i8:f32, 2.0>,
  g = !quant.uniform<u4:f64, 0.1:3>,
  h = !quant.uniform<i8<-127:127>:bf16, 1.0e-30:-5>,
  i = !quant.uniform<i8<-8:7>:f32:1, {2.0e+2:-10, 3.0}>,
  j = !quant.uniform<u8:f32:0, {0.25:128}>,
  k = !quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:10, 3.0:20}, {4.0:30, 5.0:40}}>,
  l = !quant.uniform<i8:f32:{1:1}, {{2.0, 2.0}, {2.0, 2.0}}>,
  m = !quant.uniform<u8:f16:{0:1, 2:4}, {{{0.5:1}, {0.5:1}}, {{0.25:2}, {0.5:255}}}>,
  n = !quant.uniform<i32:f32, 0.1:2147483647>,
  o = tensor<3x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0:-1}>>
} : () -> ()

"test.own"() {a = #test.attr_params<42, 24>, b = !test.i32} : () -> ()
