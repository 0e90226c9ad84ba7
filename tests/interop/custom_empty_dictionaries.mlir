// Lists of empty dictionaries: custom form prints nothing for them.
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{}], function_type = (i32) -> i32, res_attrs = [{}], sym_name = "f"}> ({
  ^bb0(%a: i32):
    %0 = "func.call"(%a) <{arg_attrs = [{}], callee = @f, res_attrs = [{}]}> : (i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> (), res_attrs = [], sym_name = "none", sym_visibility = "private"}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{}, {}], function_type = !llvm.func<i32 (i32, i32)>, linkage = #llvm.linkage<external>, res_attrs = [{}], sym_name = "g", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%a: i32, %b: i32):
    %0 = "llvm.call"(%a, %b) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, arg_attrs = [{}, {}], callee = @g, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>, res_attrs = [{}]}> : (i32, i32) -> i32
    %1 = "llvm.call_intrinsic"(%a) <{arg_attrs = [{}], fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.abs", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>, res_attrs = [{}]}> : (i32) -> i32
    "llvm.return"(%0) : (i32) -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{}], function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "h", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{arg_attrs = [{}], function_type = (i32) -> (), private_attrib_attrs = [{}], workgroup_attrib_attrs = [{}]}> ({
    ^bb0(%a: i32, %w: memref<4xi32, 3>, %p: memref<4xi32, 5>):
      "gpu.return"() : () -> ()
    }) {sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
    "spirv.func"() <{arg_attrs = [{}], function_control = #spirv.function_control<None>, function_type = (i32) -> i32, res_attrs = [{}], sym_name = "s"}> ({
    ^bb0(%a: i32):
      "spirv.ReturnValue"(%a) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  "async.func"() <{arg_attrs = [{}], function_type = (i32) -> !async.token, res_attrs = [{}], sym_name = "as"}> ({
  ^bb0(%a: i32):
    "async.return"() : () -> ()
  }) : () -> ()
  "ml_program.func"() <{arg_attrs = [{}], function_type = (i32) -> i32, res_attrs = [{}], sym_name = "ml"}> ({
  ^bb0(%a: i32):
    "ml_program.return"(%a) : (i32) -> ()
  }) : () -> ()
  "builtin.module"() ({
    "transform.named_sequence"() <{arg_attrs = [{}], function_type = (!transform.any_op) -> (), res_attrs = [], sym_name = "t"}> ({
    ^bb0(%a: !transform.any_op):
      "transform.yield"() : () -> ()
    }) : () -> ()
  }) {transform.with_named_sequence} : () -> ()
}) : () -> ()
