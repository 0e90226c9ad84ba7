"builtin.module"() ({
  "calyx.component"() <{function_type = (i32, i1, i1, i1, i32, i1) -> (), portAttributes = [{}, {go}, {clk}, {reset}, {}, {done}], portDirections = -16 : i6, portNames = ["in", "go", "clk", "reset", "out", "done"]}> ({
  ^bb0(%arg4: i32, %arg5: i1, %arg6: i1, %arg7: i1, %arg8: i32, %arg9: i1):
    %3 = "hw.constant"() <{value = true}> : () -> i1
    "calyx.wires"() ({
      "calyx.assign"(%arg9, %3) : (i1, i1) -> ()
      "calyx.assign"(%arg8, %arg4) : (i32, i32) -> ()
    }) : () -> ()
    "calyx.control"() ({
    ^bb0:
    }) : () -> ()
  }) {sym_name = "id"} : () -> ()
  "calyx.component"() <{function_type = (i1, i1, i1, i1) -> (), portAttributes = [{go}, {clk}, {reset}, {done}], portDirections = -8 : i4, portNames = ["go", "clk", "reset", "done"]}> ({
  ^bb0(%arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1):
    %0:6 = "calyx.instance"() <{componentName = @id, sym_name = "idx"}> : () -> (i32, i1, i1, i1, i32, i1)
    %1:6 = "calyx.register"() <{sym_name = "r"}> : () -> (i32, i1, i1, i1, i32, i1)
    %2 = "hw.constant"() <{value = 1 : i32}> : () -> i32
    "calyx.wires"() ({
    ^bb0:
    }) : () -> ()
    "calyx.control"() ({
      "calyx.seq"() ({
        "calyx.invoke"(%0#0, %2) <{callee = @idx, inputNames = ["%c1_i32"], portNames = ["%idx.in"], refCellsMap = [{a = @m}, {b = @d}]}> : (i32, i32) -> ()
        "calyx.invoke"(%1#0, %0#4) <{callee = @r, inputNames = ["%idx.out"], portNames = ["%r.in"], refCellsMap = [{e = @f}]}> : (i32, i32) -> ()
      }) : () -> ()
    }) : () -> ()
  }) {sym_name = "main"} : () -> ()
}) {calyx.entrypoint = "main"} : () -> ()
