// Symbols and symbol tables.

func.func private @f()
func.func @g() {
  return
}
"other.symbol"() {sym_name = "h"} : () -> ()
module @m {
  func.func private @f()
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func private @f()
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func @f() {
  return
}

// -----

module @outer {
  // expected-note@+1 {{see existing symbol definition here}}
  "other.symbol"() {sym_name = "f"} : () -> ()
  // expected-error@+1 {{redefinition of symbol named 'f'}}
  module @f {}
}

// -----

// No string, no symbol; and a region of what is not known is no symbol table.
"other.symbol"() {sym_name = 1 : i32} : () -> ()
"other.symbol"() {sym_name = 1 : i32} : () -> ()
"other.table"() ({
  "other.symbol"() {sym_name = "f"} : () -> ()
  "other.symbol"() {sym_name = "f"} : () -> ()
}) : () -> ()

// -----

"other.table"() ({
  func.func private @f()
  func.func private @f()
}) : () -> ()

// -----

func.func @outer() {
  // expected-error@+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func private @f()
  return
}

// -----

func.func @outer() {
  // Without a name a module is no symbol.
  builtin.module {}
  // expected-error@+1 {{'builtin.module' op symbol's parent must have the SymbolTable trait}}
  builtin.module @m {}
  return
}

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func public @f()

// -----

func.func nested @f()

// -----

// expected-error@+1 {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "hidden"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op visibility expected to be one of ["public", "private", "nested"], but got ""}}
"builtin.module"() <{sym_name = "m", sym_visibility = ""}> ({
^entry:
}) : () -> ()

// -----

// Without a name nobody looks.
"builtin.module"() <{sym_visibility = "hidden"}> ({
^entry:
}) : () -> ()

// -----

func.func private @callee(i32, f32) -> (i32, i32)
func.func @caller(%a: i32, %b: f32) {
  %0:2 = call @callee(%a, %b) : (i32, f32) -> (i32, i32)
  return
}

// -----

func.func @caller() {
  // expected-error@+1 {{'func.call' op 'nobody' does not reference a valid function}}
  call @nobody() : () -> ()
  return
}

// -----

"other.symbol"() {sym_name = "f"} : () -> ()
func.func @caller() {
  // expected-error@+1 {{'func.call' op 'f' does not reference a valid function}}
  call @f() : () -> ()
  return
}

// -----

// Names are looked up in the innermost symbol table only.
func.func private @f()
module {
  func.func @caller() {
    // expected-error@+1 {{'func.call' op 'f' does not reference a valid function}}
    call @f() : () -> ()
    return
  }
}

// -----

func.func private @callee(i32)
func.func @caller() {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  call @callee() : () -> ()
  return
}

// -----

func.func private @callee(i32, f32)
func.func @caller(%a: i32) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'f32', but provided 'i32' for operand number 1}}
  call @callee(%a, %a) : (i32, i32) -> ()
  return
}

// -----

func.func private @callee() -> i32
func.func @caller() {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  call @callee() : () -> ()
  return
}

// -----

func.func private @callee() -> (i32, tensor<4x?xf32>)
func.func @caller() {
  // expected-error@+3 {{'func.call' op result type mismatch at index 1}}
  // expected-note@+2 {{      op result types: 'i32', 'memref<4xf32>'}}
  // expected-note@+1 {{function result types: 'i32', 'tensor<4x?xf32>'}}
  %0:2 = call @callee() : () -> (i32, memref<4xf32>)
  return
}

// -----

func.func private @callee()
func.func @caller() {
  // expected-error@+1 {{'func.call' op requires attribute 'callee'}}
  "func.call"() : () -> ()
  return
}

// -----

func.func private @callee()
func.func @caller() {
  "other.several"() ({
    call @callee() : () -> ()
  }, {
    // expected-error@+1 {{'func.call' op 'nobody' does not reference a valid function}}
    call @nobody() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func private @callee()
func.func @caller() {
  %0 = "func.constant"() <{value = @callee}> : () -> (() -> ())
  // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
  %1 = "func.constant"() <{value = @callee}> : () -> (() -> i32)
  return
}

// -----

func.func @caller() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'nobody'}}
  %1 = "func.constant"() <{value = @nobody}> : () -> (() -> i32)
  return
}

// -----

func.func @caller() {
  // expected-error@+1 {{'func.constant' op requires one result}}
  "func.constant"() <{value = @caller}> : () -> ()
  return
}
