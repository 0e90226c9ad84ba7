spirv.module Logical GLSL450 {
  spirv.SpecConstant @sc = 1 : i32
  spirv.EXT.SpecConstantCompositeReplicate @r (@sc) : !spirv.array<3 x i32>
  spirv.EXT.SpecConstantCompositeReplicate @"a b" (@sc) : !spirv.struct<(i32)>
  spirv.func @f() "None" {
    %0 = spirv.Variable : !spirv.ptr<f32, Function>
    %1 = spirv.Variable : !spirv.ptr<f32, Function>
    spirv.CopyMemory "Function" %0, "Function" %1 ["Aligned", 4], ["Volatile"] : f32
    spirv.CopyMemory "Function" %0, "Function" %1 ["Volatile"], ["Aligned", 4] : f32
    spirv.CopyMemory "Function" %0, "Function" %1 ["Volatile|Aligned", 8], ["Aligned|Nontemporal", 4] : f32
    %2 = spirv.Constant 1 : i32
    %3 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%2, %2) : (i32, i32) -> i32
    %4 = spirv.SpecConstantOperation wraps "spirv.SNegate"(%3) {foo = 1 : i32} : (i32) -> i32
    spirv.Return
  }
}
