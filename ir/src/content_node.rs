//! The nodes of the graph of a context that content consists of.

use crate::affine::AffineExpr;
use crate::{Attribute, Location, Resource, Type};

/// An [`Entry`](crate::Entry), or a resource or expression that entries refer to. Equality compares
/// these one by one, and fingerprints hash them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ContentNode {
    Type(Type),
    Attribute(Attribute),
    Location(Location),
    Resource(Resource),
    Affine(AffineExpr),
}
