"test.types"() {
 a0 = !llvm.array<2x!llvm.array<3 x !llvm.struct<(i32,i8)>>>,
 a1 = !llvm.struct<"a", packed (ptr,struct<"a">)>, a2 = !llvm.struct< "b",opaque>, a3 = !llvm.struct<packed()>, a4 = !llvm.struct<()>,
 a5 = !llvm.func<void(i32, ...)>, a6 = !llvm.func<!llvm.ptr ()>, a7 = !llvm.func<i32(...)>, a8 = !llvm.ptr<0>, a9 = !llvm.ptr< 3 >,
 b0 = !llvm.target<"spirv.Image", !llvm.void, 1, 0>, b1 = !llvm.target<"x">, b2 = !llvm.struct<(vector<4x!llvm.ptr>, vector<[2]xf32>, array<4 x vector<2xi8>>)>,
 b3 = !llvm.array<2 x ptr<1>>, b4 = !llvm.target<"y", i32, 3>, b5 = !llvm.struct<(x86_amx,ppc_fp128)>,
 b6 = !llvm.target<"z", 7>, b7 = !llvm.struct<(ptr<0>)>, b8 = !llvm.struct<"c", (array<2x ptr>)>, b9 = !llvm.struct<(struct<"c", (array<2 x ptr>)>)>
} : () -> ()
