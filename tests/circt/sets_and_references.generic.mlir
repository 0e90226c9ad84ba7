"builtin.module"() ({
  "rtg.test"() <{sym_name = "t", targetType = !rtg.dict<>, templateName = "t"}> ({
    %7 = "index.constant"() <{value = 2 : index}> : () -> index
    %8 = "rtg.bag_create"(%7, %7, %7, %7) {a} : (index, index, index, index) -> !rtg.bag<index>
    %9 = "rtg.bag_create"() : () -> !rtg.bag<i32>
    %10 = "rtg.bag_convert_to_set"(%8) : (!rtg.bag<index>) -> !rtg.set<index>
    %11 = "rtg.set_convert_to_bag"(%10) : (!rtg.set<index>) -> !rtg.bag<index>
    %12 = "rtg.set_cartesian_product"(%10, %10) : (!rtg.set<index>, !rtg.set<index>) -> !rtg.set<!rtg.tuple<index, index>>
    %13 = "rtg.tuple_create"(%7, %8) : (index, !rtg.bag<index>) -> !rtg.tuple<index, !rtg.bag<index>>
    %14 = "rtg.tuple_extract"(%13) <{index = 1 : index}> : (!rtg.tuple<index, !rtg.bag<index>>) -> !rtg.bag<index>
    %15 = "rtg.tuple_create"() : () -> !rtg.tuple
  }) : () -> ()
  "func.func"() <{function_type = (!dc.token, !dc.value<i8>, !llhd.ref<!hw.array<5xi8>>, i3) -> (), sym_name = "c"}> ({
  ^bb0(%arg1: !dc.token, %arg2: !dc.value<i8>, %arg3: !llhd.ref<!hw.array<5xi8>>, %arg4: i3):
    %0 = "dc.to_esi"(%arg1) : (!dc.token) -> !esi.channel<i0>
    %1 = "dc.to_esi"(%arg2) : (!dc.value<i8>) -> !esi.channel<i8>
    %2 = "dc.from_esi"(%0) : (!esi.channel<i0>) -> !dc.token
    %3 = "dc.from_esi"(%1) : (!esi.channel<i8>) -> !dc.value<i8>
    %4 = "llhd.sig.array_get"(%arg3, %arg4) : (!llhd.ref<!hw.array<5xi8>>, i3) -> !llhd.ref<i8>
    %5 = "llhd.sig.array_slice"(%arg3, %arg4) : (!llhd.ref<!hw.array<5xi8>>, i3) -> !llhd.ref<!hw.array<2xi8>>
    %6 = "llhd.sig.extract"(%4, %arg4) : (!llhd.ref<i8>, i3) -> !llhd.ref<i4>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1) -> (), sym_name = "calyx"}> ({
  ^bb0(%arg0: i1):
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
