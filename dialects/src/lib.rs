//! Definitions of MLIR dialects as data, and the hooks that data cannot say.
