module {
  rtg.test @t() {
    %idx2 = index.constant 2
    %0 = rtg.bag_create (%idx2 x %idx2, %idx2 x %idx2) : index {a}
    %1 = rtg.bag_create  : i32
    %2 = rtg.bag_convert_to_set %0 : !rtg.bag<index>
    %3 = rtg.set_convert_to_bag %2 : !rtg.set<index>
    %4 = rtg.set_cartesian_product %2, %2 : !rtg.set<index>, !rtg.set<index>
    %5 = rtg.tuple_create %idx2, %0 : index, !rtg.bag<index>
    %6 = rtg.tuple_extract %5 at 1 : !rtg.tuple<index, !rtg.bag<index>>
    %7 = rtg.tuple_create
  }
  func.func @c(%arg0: !dc.token, %arg1: !dc.value<i8>, %arg2: !llhd.ref<!hw.array<5xi8>>, %arg3: i3) {
    %0 = dc.to_esi %arg0 : !dc.token
    %1 = dc.to_esi %arg1 : !dc.value<i8>
    %2 = dc.from_esi %0 : <i0>
    %3 = dc.from_esi %1 : <i8>
    %4 = llhd.sig.array_get %arg2[%arg3] : <!hw.array<5xi8>>
    %5 = llhd.sig.array_slice %arg2 at %arg3 : <!hw.array<5xi8>> -> <!hw.array<2xi8>>
    %6 = llhd.sig.extract %4 from %arg3 : <i8> -> <i4>
    return
  }
  func.func @calyx(%arg0: i1) {
    return
  }
}
