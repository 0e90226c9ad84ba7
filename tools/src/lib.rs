//! What the programs share.
