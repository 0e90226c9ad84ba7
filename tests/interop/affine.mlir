// Affine maps and sets: every operator, precedence, what is simplified on the way in.
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(i, j) -> (j, i)>
#named = affine_map<(i, j)[N, M] -> (i + N, j * M, i floordiv N)>
"test_x.affine"() {
  maps = [affine_map<() -> ()>, affine_map<() -> (0)>, affine_map<()[s0] -> (s0)>, affine_map<(d0) -> ()>, affine_map<(d0)[] -> (d0)>, #id, #swap, #named],
  add = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0) -> (d0 + 0)>, affine_map<(d0) -> (1 + d0)>, affine_map<(d0) -> (d0 + 1 + 2)>, affine_map<(d0) -> (d0 - 1)>,
         affine_map<(d0, d1) -> (d0 - d1)>, affine_map<(d0) -> (d0 - d0)>, affine_map<(d0) -> (-d0)>, affine_map<(d0) -> (-(d0 + 1))>, affine_map<(d0) -> (d0 + d0)>,
         affine_map<(d0, d1) -> (d0 + d1 + d0)>, affine_map<(d0, d1) -> (d1 + d0)>, affine_map<(d0)[s0] -> (s0 + d0)>, affine_map<(d0) -> (d0 * 2 + d0 * 3)>, affine_map<(d0, d1) -> (d0 - (d1 - 1))>],
  mul = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (2 * d0)>, affine_map<(d0) -> (d0 * -1)>, affine_map<(d0) -> (d0 * 0)>, affine_map<(d0) -> (d0 * 1)>,
         affine_map<(d0)[s0] -> (d0 * s0)>, affine_map<()[s0, s1] -> (s0 * s1)>, affine_map<(d0) -> ((d0 + 1) * 2)>, affine_map<(d0) -> (d0 * 2 * 3)>, affine_map<(d0) -> (3 * (d0 * 2))>,
         affine_map<(d0)[s0] -> ((d0 + 1) * s0)>, affine_map<(d0) -> (d0 * -3 + 4)>, affine_map<(d0, d1) -> (d0 + d1 * -1)>, affine_map<(d0, d1) -> (d0 - d1 * 2)>],
  div = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0 ceildiv 2)>, affine_map<(d0) -> (d0 mod 2)>, affine_map<(d0) -> (d0 floordiv 1)>, affine_map<(d0) -> (d0 mod 1)>,
         affine_map<(d0) -> ((d0 * 4) floordiv 2)>, affine_map<(d0) -> ((d0 * 4) mod 2)>, affine_map<(d0) -> (d0 floordiv 2 * 2)>, affine_map<(d0) -> ((d0 floordiv 2) floordiv 3)>,
         affine_map<(d0) -> (d0 - d0 floordiv 4 * 4)>, affine_map<(d0)[s0] -> (d0 floordiv s0, d0 ceildiv s0, d0 mod s0)>, affine_map<() -> (7 floordiv 2, 7 ceildiv 2, 7 mod 4, -7 floordiv 2, -7 mod 4)>,
         affine_map<(d0) -> ((d0 + 1) mod 4 + 1)>, affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 4)>, affine_map<(d0, d1) -> ((d0 * 4 + d1) mod 4)>, affine_map<(d0) -> ((d0 mod 8) mod 4)>],
  precedence = [affine_map<(d0, d1, d2) -> (d0 + d1 * 2 - d2 mod 3)>, affine_map<(d0, d1) -> ((d0 + d1) * 2 floordiv 3)>, affine_map<(d0, d1) -> (-d0 * 2 + -d1)>, affine_map<(d0) -> (-d0 floordiv 2)>,
                affine_map<(d0, d1) -> (d0 mod 2 + d1 mod 3 * 4)>, affine_map<(d0) -> (d0 * 2 floordiv 3 mod 4)>, affine_map<(d0) -> (((((d0)))))>, affine_map<(d0, d1) -> (d0 + (d1 + (d0 + 2)))>],
  sets = [affine_set<() : (0 == 0)>, affine_set<(d0) : (d0 >= 0)>, affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 >= 0, d0 - 5 == 0)>, affine_set<(d0) : (d0 == 1)>, affine_set<(d0, d1) : (d0 >= d1)>,
          affine_set<(d0) : (0 <= d0)>, affine_set<(d0) : (d0 <= 5)>, affine_set<(d0) : (d0 mod 2 == 0)>, affine_set<(d0) : ()>, affine_set<()[s0] : (s0 - 1 >= 0)>],
  odd = affine_map<(d0) -> (d0 floordiv 0, d0 mod 0, d0 ceildiv 0, d0 mod -1, d0 floordiv -1, d0 ceildiv -2)>,
  big = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10) -> (d10, d9 + 9223372036854775807, d0 * 100000000000)>
} : () -> ()
