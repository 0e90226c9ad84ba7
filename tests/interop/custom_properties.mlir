llvm.func @f() {
  "llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()
  "llvm.intr.ubsantrap"() <{failureKind = -1 : i8}> {x} : () -> ()
  llvm.intr.ubsantrap <{failureKind = 3 : i8}> {y}
  llvm.return
}

// A dictionary after the name is not the value of a unit property.
"test.format_optional_unit_property_no_elide"() {t.extra = 1 : i32} : () -> ()
"test.format_optional_unit_property_no_elide"() <{is_optional}> {t.extra = 1 : i32} : () -> ()
