#di_file = #llvm.di_file<"a.c" in "/b">
#di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 202311>, file = #di_file, isOptimized = true, emissionKind = LineTablesOnly>
#di_compile_unit1 = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = #llvm.di_source_language_name<language = DW_LANG_C99, dialect = DW_LLVM_LANG_DIALECT_simt>, file = #di_file, isOptimized = true, emissionKind = Full>
#di_compile_unit2 = #llvm.di_compile_unit<id = distinct[2]<>, sourceLanguage = DW_LANG_C11, file = #di_file, isOptimized = true, emissionKind = Full>
"builtin.module"() ({
^bb0:
}) {t.a = #di_compile_unit, t.b = #di_compile_unit1, t.c = #di_compile_unit2, t.d = #llvm.di_source_language_name<name = DW_LNAME_Roc, version = 0, dialect = DW_LLVM_LANG_DIALECT_tile>} : () -> ()

