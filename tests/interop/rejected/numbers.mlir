"x"() {a = #llvm.di_namespace<exportSymbols = 2>} : () -> ()
// -----
"x"() {a = #llvm.di_namespace<exportSymbols = -1>} : () -> ()
// -----
"x"() {a = #llvm.di_namespace<exportSymbols = "true">} : () -> ()
// -----
"x"() {a = #llvm.di_namespace<exportSymbols = -true>} : () -> ()
// -----
"x"() {a = #llvm.di_namespace<exportSymbols = 1.0>} : () -> ()
// -----
"x"() {a = #llvm.di_namespace<exportSymbols = 1 : i1>} : () -> ()
// -----
"x"() {a = #llvm.di_module<line = 4294967296>} : () -> ()
// -----
"x"() {a = #llvm.di_module<line = -268435456>} : () -> ()
// -----
"x"() {a = #llvm.di_module<line = -0x80000000>} : () -> ()
// -----
"x"() {a = #llvm.di_module<name = 3>} : () -> ()
// -----
"x"() {a = #llvm.dereferenceable<bytes = 18446744073709551616>} : () -> ()
// -----
"x"() {a = #llvm.dereferenceable<bytes = -4611686018427387904>} : () -> ()
// -----
"x"() {a = #llvm.blocktag<id = 4294967296>} : () -> ()
// -----
"x"() {a = #llvm.loop_unroll<disable = 0>} : () -> ()
// -----
"x"() {a = #llvm.loop_unroll<full = "a">} : () -> ()
// -----
"x"() {a = #llvm.loop_annotation<vectorize = <width = 1.0>>} : () -> ()
// -----
"x"() {a = #llvm.tbaa_type_desc<id = "a">} : () -> ()
// -----
"x"() {a = #llvm.tbaa_type_desc<id = "a", members = {}>} : () -> ()
// -----
"x"() {a = #nvvm.target<O = 4>} : () -> ()
// -----
"x"() {a = #nvvm.target<O = 2147483648>} : () -> ()
// -----
"x"() {a = !tosa.shape<-1>} : () -> ()
// -----
"x"() {a = !smt.bv<0>} : () -> ()
// -----
"x"() {a = !llvm.ptr<4294967296>} : () -> ()
// -----
"x"() {a = !llvm.array<2xi32>} : () -> ()
// -----
"x"() {a = !llvm.array<1.0 x i32>} : () -> ()
// -----
"x"() {a = !llvm.target<"a", 4294967296>} : () -> ()
// -----
"x"() {a = #spirv.resource_limits<subgroup_size = 2147483648>} : () -> ()
