"a"() {x = dense<1> : i32} : () -> ()
// -----
"a"() {x = dense<1> : tensor<?xi32>} : () -> ()
// -----
"a"() {x = dense<1> : tensor<*xi32>} : () -> ()
// -----
"a"() {x = dense<[1, 2]> : tensor<3xi32>} : () -> ()
// -----
"a"() {x = dense<[[1], [2, 3]]> : tensor<2x2xi32>} : () -> ()
// -----
"a"() {x = dense<[1, [2]]> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<1.0> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<true> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<256> : tensor<2xi8>} : () -> ()
// -----
"a"() {x = dense<-1> : tensor<2xui8>} : () -> ()
// -----
"a"() {x = dense<1> : tensor<2xf32>} : () -> ()
// -----
"a"() {x = dense<> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<"0x00"> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<"0xZZ"> : tensor<1xi8>} : () -> ()
// -----
"a"() {x = dense<"0x0"> : tensor<1xi8>} : () -> ()
// -----
"a"() {x = dense<"abc"> : tensor<1xi8>} : () -> ()
// -----
"a"() {x = dense<1> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"a"() {x = dense<(1, 2.0)> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"a"() {x = dense<(1)> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"a"() {x = dense<1> : tensor<2x!d.s>} : () -> ()
// -----
"a"() {x = dense<[1 2]> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<[1, 2> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense<1>} : () -> ()
// -----
"a"() {x = dense : tensor<2xi32>} : () -> ()
// -----
"a"() {x = sparse<[[0, 0]], [1, 2]> : tensor<2x2xi32>} : () -> ()
// -----
"a"() {x = sparse<[[5, 0]], [1]> : tensor<2x2xi32>} : () -> ()
// -----
"a"() {x = sparse<[[0]], [1]> : tensor<2x2xi32>} : () -> ()
// -----
"a"() {x = sparse<0> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = sparse<[], []> : tensor<2x2xi8>} : () -> ()
// -----
"a"() {x = sparse<[[0.5]], [1]> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense_resource<> : tensor<2xi32>} : () -> ()
// -----
"a"() {x = dense_resource<a> : i32} : () -> ()
// -----
"a"() {x = dense_resource<a>} : () -> ()
// -----
"a"() {x = dense<0x7FC00000> : tensor<2xf16>} : () -> ()
// -----
"a"() {x = dense<-0x1> : tensor<2xf32>} : () -> ()
// -----
{-# dialect_resources: { builtin: { a: "0x00" } } #-}
// -----
{-# dialect_resources: { builtin: { a: "zz" } } #-}
// -----
{-# unknown_key: {} #-}
// -----
{-# dialect_resources: { builtin: { a: "0x0400000000" }
// -----
{-# dialect_resources { } #-}
// -----
{-# dialect_resources: { builtin: { a "0x0400000000" } } #-}
