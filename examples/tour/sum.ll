; ModuleID = 'src/sum.c'
source_filename = "src/sum.c"
target triple = "x86_64-pc-linux-gnu"

define i32 @sum(ptr %values, i32 %count) !dbg !7 {
entry:
  %none = icmp eq i32 %count, 0, !dbg !12
  br i1 %none, label %done, label %loop, !dbg !12

loop:
  %at = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr i32, ptr %values, i32 %at, !dbg !13
  %value = load i32, ptr %place, align 4, !dbg !13
  %more = add nsw i32 %total, %value, !dbg !14
  %next = add nuw i32 %at, 1, !dbg !15
  %end = icmp eq i32 %next, %count, !dbg !12
  br i1 %end, label %done, label %loop, !dbg !12, !llvm.loop !16

done:
  %result = phi i32 [ 0, %entry ], [ %more, %loop ]
  ret i32 %result, !dbg !18
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 22.1.8", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/sum.c", directory: "/home/alice/project")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!6 = !DISubroutineType(types: !{!4, !5, !4})
!7 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 3, column: 3, scope: !7)
!13 = !DILocation(line: 4, column: 14, scope: !7)
!14 = !DILocation(line: 4, column: 11, scope: !7)
!15 = !DILocation(line: 3, column: 29, scope: !7)
!16 = distinct !{!16, !12, !15, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = !DILocation(line: 5, column: 3, scope: !7)
