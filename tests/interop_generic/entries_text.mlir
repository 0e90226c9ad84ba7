// Attributes that are text in bytecode, in which what they hold has no names.
#root = #llvm.tbaa_root<id = "a root">

"test.text"() {
  a = #llvm.alias_scope<id = "scope", domain = <id = "domain", description = "d">>,
  b = #llvm.tbaa_tag<base_type = <id = "struct", members = {<#root, 0>, <#root, 8>}>, access_type = <id = "char", members = {<#root, 0>}>, offset = 8, constant = true>,
  c = #llvm.tbaa_root
} : () -> ()
