//! The methods of a context that intern and query locations.

use super::Context;
use crate::location::{LocationKind, RangeForm};
use crate::location_classes::LocationClasses;
use crate::{Attribute, Identifier, Location};

impl Context {
    /// Returns `loc(unknown)`.
    #[inline]
    pub fn unknown_location(&self) -> Location {
        Location::from_index(0).of(self.owner)
    }

    /// Returns the kind of a location.
    #[inline]
    pub fn location_kind(&self, location: Location) -> LocationKind<'_> {
        self.locations.get(location)
    }

    /// Returns the file, line and column of a location `loc("file":line:column)`, the most common
    /// kind; `None` for any other location, including a range that was not written as a position.
    #[inline]
    pub fn place_in_file(&self, location: Location) -> Option<(Identifier, u32, u32)> {
        self.locations.place(location)
    }

    /// Appends a location. Drops a [`RangeForm`](crate::RangeForm) that is inconsistent with the
    /// numbers. A file without a name is `-`, as upstream names it.
    pub fn location(&mut self, mut kind: LocationKind<'_>) -> Location {
        if kind == LocationKind::Unknown {
            return self.unknown_location();
        }
        if let LocationKind::FileLineColRange { file, .. } = &mut kind {
            *file = self.named_file(*file);
        }
        let kind = self.noted(kind);
        self.locations.push(kind)
    }

    #[inline]
    fn named_file(&mut self, file: Identifier) -> Identifier {
        match self.bytes(file).is_empty() {
            true => self.identifier("-"),
            false => file,
        }
    }

    /// Returns the location as it is stored, after registering its range form.
    #[inline]
    pub(super) fn noted<'a>(&mut self, kind: LocationKind<'a>) -> LocationKind<'a> {
        let kind = kind.checked();
        if let LocationKind::FileLineColRange { form, .. } = kind
            && form != RangeForm::Full
            && self.content_classes.is_none()
        {
            self.content_classes = Some(Box::new(LocationClasses::of_content()));
        }
        kind
    }

    /// Reserves capacity for `count` more locations.
    pub fn reserve_locations(&mut self, count: usize) {
        self.locations.reserve(count);
    }

    /// Reserves a location to be defined later, for aliases that are used before they are defined.
    /// It is unknown until [`define_location`](Self::define_location).
    pub fn reserve_location(&mut self) -> Location {
        self.locations.push(LocationKind::Unknown)
    }

    /// Defines a reserved location as a copy of another one. The reserved location must not have
    /// been compared or used as an attribute before.
    pub fn define_location(&mut self, reserved: Location, location: Location) {
        self.locations.copy(reserved, location);
    }

    /// Returns `loc("file":line:column)`. A file without a name is `-`.
    #[inline]
    pub fn file_location(&mut self, file: Identifier, line: u32, column: u32) -> Location {
        let file = self.named_file(file);
        self.locations.push_place(file, line, column)
    }

    /// Returns `loc(fused<metadata>[locations])`, as upstream builds it: unknown and repeated
    /// locations are dropped, fused locations of the same metadata are flattened, and a single
    /// remaining location is returned itself if there is no metadata.
    pub fn fused_location(
        &mut self,
        locations: &[Location],
        metadata: Option<Attribute>,
    ) -> Location {
        let mut kept: Vec<Location> = Vec::with_capacity(locations.len());
        let mut seen = std::collections::HashSet::new();
        // Locations that text cannot distinguish count as repeated; otherwise printing would lose
        // content.
        let mut of_content = self.content_classes.take();
        let mut exact = std::mem::take(&mut self.location_classes);
        let classes = of_content.as_deref_mut().unwrap_or(&mut exact);
        let mut keep = |context: &Context, location: Location| {
            if seen.insert(classes.class(context, location)) {
                kept.push(location);
            }
        };
        for &location in locations {
            match self.location_kind(location) {
                LocationKind::Unknown => {}
                LocationKind::Fused {
                    locations,
                    metadata: m,
                } if m == metadata => {
                    // A fused location with metadata may contain an unknown location. Upstream
                    // keeps it here, and drops it when it reads its own output.
                    for &location in locations {
                        if !matches!(self.location_kind(location), LocationKind::Unknown) {
                            keep(self, location);
                        }
                    }
                }
                _ => keep(self, location),
            }
        }
        self.location_classes = exact;
        self.content_classes = of_content;
        match (kept.as_slice(), metadata) {
            ([], None) => self.unknown_location(),
            ([one], None) => *one,
            ([], Some(_)) => {
                let unknown = self.unknown_location();
                self.location(LocationKind::Fused {
                    locations: &[unknown],
                    metadata,
                })
            }
            _ => self.location(LocationKind::Fused {
                locations: &kept,
                metadata,
            }),
        }
    }

    /// Returns the number of locations; the indices of their handles are less than this.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// Returns whether two locations are structurally equal. The first comparison is linear in the
    /// entries reachable from them.
    pub fn locations_equal(&mut self, a: Location, b: Location) -> bool {
        a == b || self.representative(a) == self.representative(b)
    }

    /// Returns the first queried location that is equal to `location`.
    pub(super) fn representative(&mut self, location: Location) -> Location {
        let mut classes = std::mem::take(&mut self.location_classes);
        let representative = classes.representative(self, location);
        self.location_classes = classes;
        representative
    }
}
