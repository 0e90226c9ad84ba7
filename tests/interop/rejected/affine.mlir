#m = affine_map<(d0) -> (d1)>
// -----
#m = affine_map<(d0, d0) -> (d0)>
// -----
#m = affine_map<(d0)[d0] -> (d0)>
// -----
#m = affine_map<(d0, d1) -> (d0 * d1)>
// -----
#m = affine_map<(d0, d1) -> (d0 floordiv d1)>
// -----
#m = affine_map<(d0, d1) -> (d0 mod d1)>
// -----
#m = affine_map<(d0) -> (2 floordiv d0)>
// -----
#m = affine_map<(d0) -> (d0 +)>
// -----
#m = affine_map<(d0) -> (+ d0)>
// -----
#m = affine_map<(d0) -> d0>
// -----
#m = affine_map<(d0) (d0)>
// -----
#m = affine_map<d0 -> (d0)>
// -----
#m = affine_map<(d0) -> ((d0)>
// -----
#m = affine_map<(d0) -> (d0,)>
// -----
#m = affine_map<(1) -> (1)>
// -----
#m = affine_map<(d0) -> (d0)
// -----
#m = affine_map<(d0) -> (9223372036854775808)>
// -----
#m = affine_map<(d0) -> (d0 div 2)>
// -----
#m = affine_map<(d0) : (d0 >= 0)>
// -----
#s = affine_set<(d0) -> (d0)>
// -----
#s = affine_set<(d0) : (d0)>
// -----
#s = affine_set<(d0) : (d0 > 0)>
// -----
#s = affine_set<(d0) : (d0 = 0)>
// -----
#s = affine_set<(d0) : d0 >= 0>
// -----
#s = affine_set<(d0) : (d0 >= )>
// -----
#s = affine_set<(d0) : (e0 >= 0)>
