// Names of loops by their places.
func.func @alone(%n: i32) {
  omp.canonical_loop %i : i32 in range(%n) {
    omp.terminator
  }
  return
}
func.func @sequence(%n: i32) {
  %a = omp.new_cli
  omp.canonical_loop(%a) %i : i32 in range(%n) {
    omp.terminator
  }
  %b = omp.new_cli
  omp.canonical_loop(%b) %i : i32 in range(%n) {
    omp.terminator
  }
  return
}
func.func @nest(%n: i32) {
  %a = omp.new_cli
  %b = omp.new_cli
  %c = omp.new_cli
  omp.canonical_loop(%a) %i : i32 in range(%n) {
    omp.canonical_loop(%b) %j : i32 in range(%n) {
      omp.canonical_loop(%c) %k : i32 in range(%n) {
        omp.terminator
      }
      omp.terminator
    }
    omp.terminator
  }
  return
}
func.func @both(%n: i32, %c: i1) {
  omp.canonical_loop %i : i32 in range(%n) {
    scf.if %c {
      omp.canonical_loop %j : i32 in range(%n) {
        omp.canonical_loop %k : i32 in range(%n) {
          omp.terminator
        }
        omp.canonical_loop %k : i32 in range(%n) {
          omp.terminator
        }
        omp.terminator
      }
    } else {
      omp.canonical_loop %j : i32 in range(%n) {
        omp.terminator
      }
    }
    omp.terminator
  }
  scf.if %c {
    omp.canonical_loop %j : i32 in range(%n) {
      omp.canonical_loop %k : i32 in range(%n) {
        omp.terminator
      }
      omp.terminator
    }
  }
  return
}
func.func @tile(%n: i32, %size: i32) {
  %loop = omp.new_cli
  %grid = omp.new_cli
  %inner = omp.new_cli
  omp.canonical_loop(%loop) %i : i32 in range(%n) {
    omp.terminator
  }
  omp.tile(%grid, %inner) <- (%loop) sizes(%size : i32)
  %unused = omp.new_cli
  return
}
