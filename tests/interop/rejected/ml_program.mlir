ml_program.global @a : i32
// -----
ml_program.global mutable @a : i32
// -----
ml_program.global "public" @a : i32
