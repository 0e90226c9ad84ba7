// Resources of dialects and of tools.
"test_x.resources"() {
  opaque = [dense_resource<blob1> : tensor<3xi32>, dense_resource<"odd name"> : tensor<2xf32>, dense_resource<blob1> : tensor<3xi32>, dense_resource<missing> : tensor<1xi8>,
            dense_resource<__elided__> : tensor<4xf32>]
} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      blob1: "0x04000000010000000200000003000000",
      "odd name": "0x080000000000803F00000040"
    }
  },
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(a,\22b\22)\n",
      disable_threading: true,
      verify_each: false
    },
    group: { blob: "0x10000000AABB", "quoted key": "plain string", s: "é\00" },
    empty: {}
  }
#-}
