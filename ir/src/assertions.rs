//! Compile-time assertions of promised properties of types.

use crate::{Blob, Context, Module, SymbolTable};

const fn is_send_and_sync<T: Send + Sync + 'static>() {}

const _: () = is_send_and_sync::<Context>();
const _: () = is_send_and_sync::<Module>();
const _: () = is_send_and_sync::<Blob>();
const _: () = is_send_and_sync::<SymbolTable>();
