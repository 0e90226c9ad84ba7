// Aliases of users, and those that a printer makes.
#map = affine_map<(d0) -> (d0 + 1)>
#set = affine_set<(d0) : (d0 >= 0)>
#one = 1 : i32
#list = [#one, #map, "x"]
#dict = {a = #list}

!i = i32
!t = tensor<2x!i>
!f = (!i, !t) -> !t
#loc = loc("a.mlir":1:1)
#dense = dense<[1, 2]> : !t
"test_x.a"() {m = #map, s = #set, o = #one, l = #list, d = #dict, t = !t, f = !f, de = #dense} : () -> () loc(#loc)
%0 = "test_x.b"() {m2 = affine_map<(d0) -> (d0 + 2)>, m = affine_map<(d0) -> (d0 + 1)>, s2 = affine_set<(d0) : (d0 == 0)>, big = affine_map<(d0, d1, d2) -> (d2, d1, d0)>} : () -> !t
"test_x.c"(%0) ({
^bb0(%x: memref<4xf32, affine_map<(d0) -> (d0 * 7)>>):
  "test_x.d"() {in = [affine_map<(d0) -> (d0 * 8)>, {k = affine_map<(d0) -> (d0 * 9)>}]} : () -> memref<2xf32, affine_map<(d0) -> (d0 * 10)>>
}) {a = distinct[3]<#one>} : (!t) -> ()
