#file = #llvm.di_file<"a.c" in "/b">
#c = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#rust = #llvm.di_compile_unit<recId = distinct[1]<>, isRecSelf = true, id = distinct[2]<>, sourceLanguage = DW_LANG_Rust, file = #file, producer = "p", isOptimized = true, emissionKind = None, isDebugInfoForProfiling = true, nameTableKind = None, splitDebugFilename = "s", importedEntities = #llvm.di_label<scope = #file, name = "l", file = #file, line = 1>>
#named = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 202311>, file = #file, isOptimized = false, emissionKind = LineTablesOnly>
#dialect = #llvm.di_compile_unit<id = distinct[4]<>, sourceLanguage = #llvm.di_source_language_name<language = DW_LANG_C99, dialect = DW_LLVM_LANG_DIALECT_simt>, file = #file, isOptimized = false, emissionKind = Full>
#plain = #llvm.di_compile_unit<id = distinct[5]<>, sourceLanguage = #llvm.di_source_language_name<language = DW_LANG_C11>, file = #file, isOptimized = false, emissionKind = Full>
#program = #llvm.di_subprogram<id = distinct[6]<>, compileUnit = #c, scope = #file, name = "f", file = #file, subprogramFlags = Definition>

module attributes {t.a = [#c, #rust, #named, #dialect, #plain, #program, #llvm.di_source_language_name<name = DW_LNAME_Roc, version = 0, dialect = DW_LLVM_LANG_DIALECT_tile>]} {}
