"t.op"() : () -> ()
{-# dialect_resources: { builtin: { r: "0x0300000001" } } #-}
