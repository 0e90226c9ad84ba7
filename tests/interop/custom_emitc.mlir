emitc.include <"a.h">
emitc.include "ä/b.h"
emitc.global extern @g : i32
emitc.global static const @h : f32 = 1.0
emitc.global static @arr : !emitc.array<2xf32> = dense<0.0>
emitc.global const @o : i32 = #emitc.opaque<"X">
emitc.global @p : !emitc.array<2xf32> = #emitc.opaque<"{1}"> {a = 1 : i32}
emitc.global @"q r" : !emitc.opaque<"T"> = #emitc.opaque<"1">
emitc.class @C {
  emitc.field @f : i32
  emitc.field @q : i32 = 3
  emitc.field @r : !emitc.array<2x1xf32> = dense<[[1.0], [2.0]]> {note}
  emitc.func @execute() { return }
}
func.func @f(%a: index, %b: index, %c: i1, %s: i32, %t: i32, %v: !emitc.lvalue<i32>, %o: !emitc.opaque<"T">) {
  emitc.for %i = %a to %b step %a { emitc.verbatim "x" }
  emitc.for %i = %s to %t step %s : i32 { verbatim "x" yield } {k = 1 : i32}
  emitc.for %i = %o to %o step %o : !emitc.opaque<"T"> {
    for %j = %a to %b step %a {
      if %c { verbatim "z" }
    }
  }
  emitc.if %c { emitc.verbatim "x" } {z}
  emitc.if %c { emitc.verbatim "x" } else { verbatim "y" } {z}
  emitc.if %c { } else { }
  emitc.do {
    verbatim "x"
    %z = "emitc.constant"() {value = 1 : i32} : () -> i32
  } while {
    %r = emitc.expression : () -> i1 {
      %x = "emitc.constant"() {value = true} : () -> i1
      yield %x : i1
    }
    emitc.yield %r : i1
  } attributes {m}
  %e = emitc.expression %s, %t : (i32, i32) -> i32 {
    %0 = emitc.add %s, %t : (i32, i32) -> i32
    emitc.yield %0 : i32
  }
  %e2 = emitc.expression %e, %v : (i32, !emitc.lvalue<i32>) -> i32 {
    %1 = emitc.load %v : <i32>
    %0 = mul %1, %e : (i32, i32) -> i32
    yield %0 : i32
  }
  emitc.switch %s : i32 {note}
  case 2 {
    verbatim "x"
    yield
  }
  case -5 {
    yield
  }
  default {
    verbatim "x"
  }
  emitc.switch %a : index
  default {
  }
  return
}
