//! Predicates over operations, as `rmlir grep` takes them.
//!
//! A predicate is a text. Operations are compared with it one at a time:
//!
//! ```
//! use rmlir::query::Query;
//!
//! let ir = rmlir::parse("func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
//!   %0 = stablehlo.add %x, %x : tensor<4xbf16>
//!   %1 = stablehlo.multiply %0, %x : tensor<4xbf16>
//!   return %1 : tensor<4xbf16>
//! }")?;
//! let query = Query::parse("stablehlo.* and result ~ bf16 and not op ~ add")?;
//! let found: Vec<_> = query.find(ir.op()).map(|op| op.name().into_owned()).collect();
//! assert_eq!(found, ["stablehlo.multiply"]);
//! # Ok::<(), rmlir::Error>(())
//! ```
//!
#![doc = include_str!("../../guide/predicates.md")]

mod evaluate;
mod events;
mod parse;
mod pattern;

pub use evaluate::Matcher;
pub use events::find_events;
pub use parse::QueryError;
pub use pattern::Glob;

use crate::Op;
use parse::Node;
use std::fmt;
use std::str::FromStr;

/// A predicate over operations; see the [module](self) for the language.
///
/// ```
/// use rmlir::query::Query;
///
/// let ir = rmlir::parse("func.func private @f()")?;
/// let query: Query = "func.* and symbol = f".parse()?;
/// assert_eq!(query.find(ir.op()).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    /// The tests with where to go on; a decision graph without cycles.
    nodes: Vec<Node>,
    entry: u32,
}

impl Query {
    /// Parses a predicate. Linear in its length; nesting is not limited.
    ///
    /// # Errors
    ///
    /// If it is not a predicate, with the position.
    ///
    /// ```
    /// use rmlir::query::Query;
    ///
    /// assert!(Query::parse("func.func and symbol = main").is_ok());
    /// let error = Query::parse("func.func and").unwrap_err();
    /// assert_eq!(error.to_string(), "predicate, column 14: expected a test, found the end");
    /// ```
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let (nodes, entry) = parse::parse(text)?;
        Ok(Query {
            text: text.to_owned(),
            nodes,
            entry,
        })
    }

    /// Returns a matcher for the operations of the module of `top`.
    ///
    /// ```
    /// use rmlir::query::Query;
    ///
    /// let ir = rmlir::parse("func.func private @f()")?;
    /// let query = Query::parse("symbol = f")?;
    /// let mut matcher = query.matcher(ir.op());
    /// let found = ir.ops().filter(|op| matcher.matches(op.id())).count();
    /// assert_eq!(found, 1);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn matcher<'a>(&'a self, top: impl Into<Op<'a>>) -> Matcher<'a> {
        Matcher::new(self, top.into())
    }

    /// Returns the operations in `top` that the predicate holds for, in the order in which they are
    /// written, `top` included. Linear in the operations and in the texts that are compared: each
    /// name, type, attribute and location is compared once.
    ///
    /// ```
    /// use rmlir::query::Query;
    ///
    /// let ir = rmlir::parse("func.func private @f()\nfunc.func private @g()")?;
    /// let query = Query::parse("func.*")?;
    /// assert_eq!(query.find(ir.op()).count(), 2);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn find<'a>(&'a self, top: impl Into<Op<'a>>) -> impl Iterator<Item = Op<'a>> {
        let top = top.into();
        let mut matcher = self.matcher(top);
        top.descendants().filter(move |op| matcher.matches(op.id()))
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        Query::parse(text)
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
