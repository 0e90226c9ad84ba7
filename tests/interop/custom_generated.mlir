// Operations whose custom text examples of definitions found to differ from upstream's.
func.func @loops(%size: i32) {
  %cli = omp.new_cli
  xevm.memfence <{addrspace = #xevm.addr_space<generic>, scope = #xevm.mem_scope<lane>}>
  return
}
emitc.func @"a b"(%a: i32) -> i32 attributes {specifiers = []} {
  return %a : i32
}
"emitc.func"() <{arg_attrs = [], function_type = () -> (), res_attrs = [], sym_name = "lists"}> ({
  emitc.return
}) : () -> ()
test.format_optional_prop_dict <{}>
test.format_optional_prop_dict <{a = ["x"]}> {x}
test.format_optional_prop_dict <{b = 2 : i32}>
wasmssa.import_global "a" from "b" as @global mutable : f32
smt.solver() : () -> () {
  %c-1_bv8 = smt.bv.constant #smt.bv<-1> : !smt.bv<8>
  %c5_bv65 = smt.bv.constant #smt.bv<5> : !smt.bv<65>
}
