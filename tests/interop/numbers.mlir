// not with --mlir-print-local-scope: what has no alias there goes without its name inside of others.
// Numbers and booleans of parameters in each way that they can be written.
"test.unsigned"() {
  a0 = #llvm.dereferenceable<bytes = -1>,
  a1 = #llvm.dereferenceable<bytes = true>,
  a2 = #llvm.dereferenceable<bytes = false>,
  a3 = #llvm.dereferenceable<bytes = 0x00ff>,
  a4 = #llvm.dereferenceable<bytes = 18446744073709551615, mayBeNull = 1>,
  a5 = #llvm.dereferenceable<bytes = -0, mayBeNull = 0>,
  a6 = #llvm.di_module<line = -2>,
  a7 = #llvm.di_module<line = true>,
  a8 = #llvm.di_module<line = -16777216>,
  a9 = #llvm.di_module<line = -0x7fffffff, isDecl = 0x1>,
  b0 = #llvm.di_module<line = 04294967295, isDecl = 00>,
  b1 = #llvm.address_space<-1>,
  b2 = #llvm.di_expression<[DW_OP_plus_uconst(-1), DW_OP_plus_uconst(true)]>,
  b3 = #dlti.function_pointer_alignment<true, function_dependent = 1>,
  b4 = #gpu.mask<-3>,
  b5 = #omp.flags<debug_kind = true, assume_no_thread_state = 1>
} : () -> ()
"test.signed"() {
  a0 = #rocdl.target<O = true>,
  a1 = #nvvm.target<O = false, verifyTarget = 0>,
  a2 = #spirv.resource_limits<subgroup_size = -2147483648>,
  a3 = #llvm.tbaa_tag<
    base_type = #llvm.tbaa_type_desc<id = "a", members = {<#llvm.tbaa_root<>, true>}>,
    access_type = #llvm.tbaa_type_desc<id = "b", members = {<#llvm.tbaa_root<id = "">, -9223372036854775808>}>,
    offset = false, constant = -0>
} : () -> ()
"test.booleans"() {
  a0 = #llvm.di_namespace<exportSymbols = 1>,
  a1 = #llvm.di_namespace<exportSymbols = 0>,
  a2 = #llvm.di_subprogram<recId = distinct[0]<>, isRecSelf = 1>,
  a3 = #llvm.vec_type_hint<hint = i32, is_signed = 01>,
  a4 = #llvm.loop_annotation<unroll = <disable = 1 : i1, full = false>, mustProgress = -1 : i1>
} : () -> ()
"test.types"() : () -> (!llvm.ptr<true>, !llvm.ptr<-1>, !llvm.array<-1 x i8>, !llvm.array<0x10 x i8>, !llvm.array<2x i8>, !llvm.target<"t", i32, true, -2>)
