//! Locations of a context.

use super::Context;
use crate::location::{LocationKind, RangeForm};
use crate::location_classes::LocationClasses;
use crate::{Attribute, Identifier, Location};

impl Context {
    /// `loc(unknown)`.
    #[inline]
    pub fn unknown_location(&self) -> Location {
        Location::from_index(0)
    }

    /// What a location is.
    #[inline]
    pub fn location_kind(&self, location: Location) -> LocationKind<'_> {
        self.locations.get(location)
    }

    /// File, line and column of what most locations are: `loc("file":line:column)`; none for another, a range that was not said as a
    /// place among them.
    #[inline]
    pub fn place_in_file(&self, location: Location) -> Option<(Identifier, u32, u32)> {
        self.locations.place(location)
    }

    /// Appends a location. A [`RangeForm`](crate::RangeForm) that its numbers do not have is dropped.
    pub fn location(&mut self, kind: LocationKind<'_>) -> Location {
        if kind == LocationKind::Unknown {
            return self.unknown_location();
        }
        let kind = self.noted(kind);
        self.locations.push(kind)
    }

    /// A location as it is held.
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

    /// Makes room for so many more locations at once.
    pub fn reserve_locations(&mut self, count: usize) {
        self.locations.reserve(count);
    }

    /// Makes room for a location that is not known yet, as parsers need for aliases that are used
    /// before they are defined. Until [`define_location`](Self::define_location) it is unknown.
    pub fn reserve_location(&mut self) -> Location {
        self.locations.push(LocationKind::Unknown)
    }

    /// Says that a reserved location is what another one is. It must not have been compared or used as an attribute
    /// before.
    pub fn define_location(&mut self, reserved: Location, location: Location) {
        self.locations.copy(reserved, location);
    }

    /// `loc("file":line:column)`.
    #[inline]
    pub fn file_location(&mut self, file: Identifier, line: u32, column: u32) -> Location {
        self.locations.push_place(file, line, column)
    }

    /// `loc(fused<metadata>[locations])`, as upstream builds it: unknown locations and repetitions
    /// are dropped, fused locations of the same metadata are flattened, and one that is left stands
    /// for itself if there is no metadata.
    pub fn fused_location(
        &mut self,
        locations: &[Location],
        metadata: Option<Attribute>,
    ) -> Location {
        let mut kept: Vec<Location> = Vec::with_capacity(locations.len());
        let mut seen = std::collections::HashSet::new();
        // Repetitions are those that text can't tell apart, or else it would not keep the content.
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
                    // One with metadata may consist of an unknown location, which upstream keeps here,
                    // and drops when it reads what it printed.
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

    /// How many locations there are.
    pub(crate) fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// Whether two locations are equal in structure. Linear in the entries that they reach, at their
    /// first comparison.
    pub fn locations_equal(&mut self, a: Location, b: Location) -> bool {
        a == b || self.representative(a) == self.representative(b)
    }

    /// The first of the locations equal to `location` that was asked for.
    pub(super) fn representative(&mut self, location: Location) -> Location {
        let mut classes = std::mem::take(&mut self.location_classes);
        let representative = classes.representative(self, location);
        self.location_classes = classes;
        representative
    }
}
