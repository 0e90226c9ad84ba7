//! A module that several Python objects share, and the access to it.
//!
//! Every handle holds an [`Arc`] of the [`SharedModule`] and a 4-byte handle of the library. Slots
//! of erased operations, blocks and values are never reused, so a stale handle is recognized for
//! ever: all access passes one of the checks below.
//!
//! Locks and the interpreter: code that holds the lock never calls Python and never waits for the
//! interpreter. The closures of [`SharedModule::read`] and [`SharedModule::write`] are `Send`, so
//! they cannot capture the token of the interpreter, and the compiler enforces this. A thread that
//! has to wait for the lock detaches from the interpreter first.

use crate::errors::Fault;
use pyo3::Python;
use rmlir::Ir;
use rmlir::ir::{Block, Op, Operation, Region, Value};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// A module in memory. The context inside is never replaced, and never forgets an attribute;
/// [`crate::buffer`] relies on it.
pub(crate) struct SharedModule {
    ir: RwLock<Ir>,
    /// Whether the module is a part of a file that was read lazily: a change would not reach the
    /// whole.
    is_part: bool,
}

impl SharedModule {
    pub(crate) fn new(ir: Ir) -> Arc<Self> {
        Arc::new(SharedModule {
            ir: RwLock::new(ir),
            is_part: false,
        })
    }

    pub(crate) fn part(ir: Ir) -> Arc<Self> {
        Arc::new(SharedModule {
            ir: RwLock::new(ir),
            is_part: true,
        })
    }

    /// Reads the module. For short work: the interpreter stays attached unless the lock is taken.
    #[inline]
    pub(crate) fn read<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Ir) -> T + Send) -> T {
        match self.ir.try_read() {
            Ok(ir) => work(&ir),
            Err(TryLockError::Poisoned(ir)) => work(&ir.into_inner()),
            Err(TryLockError::WouldBlock) => self.read_detached(py, work),
        }
    }

    /// Reads the module while other Python threads run.
    pub(crate) fn read_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Ir) -> T + Send,
    ) -> T {
        py.detach(|| work(&self.lock()))
    }

    /// Locks the module for reading. For callers that are detached from the interpreter.
    pub(crate) fn lock(&self) -> RwLockReadGuard<'_, Ir> {
        self.ir.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the module.
    ///
    /// # Errors
    ///
    /// Those of `work`; or if the module is a part of a file.
    pub(crate) fn write<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Ir) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        if self.is_part {
            return Err(Fault::Request(
                "the operation was read alone from a lazily opened file, so it is read-only: call \
                 'load()' of the module first"
                    .to_owned(),
            ));
        }
        match self.ir.try_write() {
            Ok(mut ir) => work(&mut ir),
            Err(TryLockError::Poisoned(ir)) => work(&mut ir.into_inner()),
            Err(TryLockError::WouldBlock) => self.write_detached(py, work),
        }
    }

    /// Changes the context alone, or for long: attributes and types are added, caches are filled.
    /// Allowed for parts of files.
    pub(crate) fn write_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Ir) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.ir.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Returns the view of an operation.
///
/// # Errors
///
/// If it was erased.
#[inline]
pub(crate) fn live(ir: &Ir, operation: Operation) -> Result<Op<'_>, Fault> {
    match ir.parts().1.is_erased(operation) {
        true => Err(Fault::Stale("operation")),
        false => Ok(ir.get(operation)),
    }
}

/// Checks a value.
///
/// # Errors
///
/// If it was erased.
pub(crate) fn live_value(ir: &Ir, value: Value) -> Result<Value, Fault> {
    match ir.parts().1.is_value_erased(value) {
        true => Err(Fault::Stale("value")),
        false => Ok(value),
    }
}

/// Checks a block.
///
/// # Errors
///
/// If it was erased.
pub(crate) fn live_block(ir: &Ir, block: Block) -> Result<Block, Fault> {
    match ir.parts().1.is_block_erased(block) {
        true => Err(Fault::Stale("block")),
        false => Ok(block),
    }
}

/// Checks a region.
///
/// # Errors
///
/// If it was erased.
pub(crate) fn live_region(ir: &Ir, region: Region) -> Result<Region, Fault> {
    match ir.parts().1.is_region_erased(region) {
        true => Err(Fault::Stale("region")),
        false => Ok(region),
    }
}
