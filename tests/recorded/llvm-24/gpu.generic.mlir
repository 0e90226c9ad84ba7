"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> i32, sym_name = "plain"}> ({
    ^bb0(%arg3: i32):
      "gpu.return"(%arg3) : (i32) -> ()
    }) : () -> ()
    "gpu.func"() <{arg_attrs = [{gpu.x}], function_type = (i32) -> (), kernel, known_block_size = array<i32: 1, 2, 3>, sym_name = "k", workgroup_attributions = 1 : i64}> ({
    ^bb0(%arg0: i32, %arg1: memref<3xf32, 3>, %arg2: memref<1xf32, 5>):
      "gpu.return"() : () -> ()
    }) {foo} : () -> ()
    "gpu.func"() <{function_type = () -> (), kernel, sym_name = "l"}> ({
      "gpu.return"() : () -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()

