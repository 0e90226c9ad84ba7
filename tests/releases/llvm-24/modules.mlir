module @a <sym_visibility = "private", dlti = #dlti.map<"x" = 1>> attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  module <{dlti = #dlti.map<"y" = 2>}> {}
  module @b <> {}
  func.func @f(%a: index) attributes {dlti = #dlti.map<"z" = 3>} {
    scf.parallel unsigned (%i) = (%a) to (%a) step (%a) {
      scf.reduce
    }
    scf.parallel (%i, %j) = (%a, %a) to (%a, %a) step (%a, %a) {
      scf.reduce
    }
    return
  }
  gpu.module "private" @k <#gpu.select_object<1>> [#nvvm.target] dlti = #dlti.map<"a" = 1> {
  }
  gpu.module @l {
  }
}
