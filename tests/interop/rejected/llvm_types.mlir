"x"() {a = !llvm.array<2 x void>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x void>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x void>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<void (array<2 x void>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x !llvm.void>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x !llvm.void>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x !llvm.void>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<!llvm.void (array<2 x !llvm.void>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x func<void (i32)>>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x func<void (i32)>>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x func<void (i32)>>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<func<void (i32)> (array<2 x func<void (i32)>>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x label>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x label>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x label>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<label (array<2 x label>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x token>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x token>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x token>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<token (array<2 x token>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x metadata>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x metadata>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x metadata>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<metadata (array<2 x metadata>)>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x !llvm.token>} : () -> ()
// -----
"x"() {a = !llvm.array<2 x array<3 x !llvm.token>>} : () -> ()
// -----
"x"() {a = !llvm.struct<(i32, array<2 x !llvm.token>, array<2 x i32>)>} : () -> ()
// -----
"x"() {a = !llvm.func<!llvm.token (array<2 x !llvm.token>)>} : () -> ()
// -----
llvm.func @f(%s: !ptr.ptr<#ptr.generic_space>)
// -----
llvm.func @f(%s: !ptr.ptr<#ptr.generic_space>) -> !foo.bar
// -----
llvm.func @f(%s: !llvm.array<2 x index>)
// -----
llvm.func @f() -> !llvm.struct<(index)>
// -----
llvm.func @f() -> !llvm.func<void (index)>
// -----
llvm.func @f(%a: vector<2x2xf32>)
// -----
llvm.func @f(%a: f8E4M3FN)
// -----
llvm.func @f(%a: si32)
