//! Replaces the references in attributes and types.

use crate::affine::AffineExpr;
use crate::error::Invalid;
use crate::{
    Attribute, AttributeKind, BodyReference, DialectBody, Identifier, Location, LocationKind,
    Resource, Type, TypeKind,
};

/// Maps the references of attributes and types to their replacements.
pub(crate) trait Substitution {
    /// Returns the replacement of an attribute.
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid>;

    /// Returns the replacement of a type.
    fn ty(&mut self, ty: Type) -> Result<Type, Invalid>;

    /// Returns the replacement of a location.
    fn location(&mut self, location: Location) -> Result<Location, Invalid>;

    /// Replaces the references in a body.
    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid>;

    /// Returns the replacement of a string.
    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        identifier
    }

    /// Returns the replacement of a resource.
    fn resource(&mut self, resource: Resource) -> Resource {
        resource
    }

    /// Returns the replacement of an affine expression.
    fn expression(&mut self, expression: AffineExpr) -> AffineExpr {
        expression
    }

    /// Returns the replacement of a reference in a body.
    fn reference(&mut self, reference: BodyReference) -> Result<BodyReference, Invalid> {
        Ok(match reference {
            BodyReference::Attribute(attribute) => {
                BodyReference::Attribute(self.attribute(attribute)?)
            }
            BodyReference::Type(ty) => BodyReference::Type(self.ty(ty)?),
        })
    }

    /// Replaces the references in an attribute.
    fn in_attribute(&mut self, kind: &mut AttributeKind) -> Result<(), Invalid> {
        match kind {
            AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::Type(ty)
            | AttributeKind::DenseElements { ty, .. }
            | AttributeKind::DenseArray { element: ty, .. } => *ty = self.ty(*ty)?,
            AttributeKind::DenseStrings { ty, values, .. } => {
                *ty = self.ty(*ty)?;
                self.in_identifiers(values);
            }
            AttributeKind::DenseText { ty, literal } => {
                *ty = self.ty(*ty)?;
                *literal = self.identifier(*literal);
            }
            AttributeKind::DenseResource { ty, resource } => {
                *ty = self.ty(*ty)?;
                *resource = self.resource(*resource);
            }
            AttributeKind::String { value, ty } => {
                *value = self.identifier(*value);
                self.in_types(ty.as_mut_slice())?;
            }
            AttributeKind::SymbolRef { root, nested } => {
                *root = self.identifier(*root);
                self.in_identifiers(nested);
            }
            AttributeKind::Array(elements) => self.in_attributes(elements)?,
            AttributeKind::Dictionary(entries) => {
                for (name, value) in entries {
                    *name = self.identifier(*name);
                    *value = self.attribute(*value)?;
                }
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => {
                *indices = self.attribute(*indices)?;
                *values = self.attribute(*values)?;
                *ty = self.ty(*ty)?;
            }
            AttributeKind::AffineMap(map) => {
                for expression in &mut map.results {
                    *expression = self.expression(*expression);
                }
            }
            AttributeKind::IntegerSet(set) => {
                for (expression, _) in &mut set.constraints {
                    *expression = self.expression(*expression);
                }
            }
            AttributeKind::Distinct { referenced, .. } => {
                *referenced = self.attribute(*referenced)?;
            }
            AttributeKind::Location(location) => *location = self.location(*location)?,
            AttributeKind::Dialect { dialect, body, ty } => {
                *dialect = self.identifier(*dialect);
                self.body(body)?;
                self.in_types(ty.as_mut_slice())?;
            }
            AttributeKind::Unit | AttributeKind::StridedLayout { .. } => {}
        }
        Ok(())
    }

    /// Replaces the references in a type.
    fn in_type(&mut self, kind: &mut TypeKind) -> Result<(), Invalid> {
        match kind {
            TypeKind::Complex(element)
            | TypeKind::Vector { element, .. }
            | TypeKind::UnrankedTensor(element) => *element = self.ty(*element)?,
            TypeKind::Tuple(types) => self.in_types(types)?,
            TypeKind::Function { inputs, results } | TypeKind::Graph { inputs, results } => {
                self.in_types(inputs)?;
                self.in_types(results)?;
            }
            TypeKind::RankedTensor {
                element, encoding, ..
            } => {
                *element = self.ty(*element)?;
                self.in_attributes(encoding.as_mut_slice())?;
            }
            TypeKind::MemRef {
                element,
                layout,
                memory_space,
                ..
            } => {
                *element = self.ty(*element)?;
                self.in_attributes(layout.as_mut_slice())?;
                self.in_attributes(memory_space.as_mut_slice())?;
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                *element = self.ty(*element)?;
                self.in_attributes(memory_space.as_mut_slice())?;
            }
            TypeKind::Dialect { dialect, body } => {
                *dialect = self.identifier(*dialect);
                self.body(body)?;
            }
            TypeKind::Integer { .. }
            | TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::None
            | TypeKind::Token => {}
        }
        Ok(())
    }

    /// Returns a location with its references replaced; `buffer` holds the parts of a fused one.
    fn in_location<'b>(
        &mut self,
        kind: LocationKind<'_>,
        buffer: &'b mut Vec<Location>,
    ) -> Result<LocationKind<'b>, Invalid> {
        Ok(match kind {
            LocationKind::Unknown => LocationKind::Unknown,
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            } => LocationKind::FileLineColRange {
                file: self.identifier(file),
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            },
            LocationKind::Name { name, child } => LocationKind::Name {
                name: self.identifier(name),
                child: self.location(child)?,
            },
            LocationKind::CallSite { callee, caller } => LocationKind::CallSite {
                callee: self.location(callee)?,
                caller: self.location(caller)?,
            },
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                buffer.clear();
                for &location in locations {
                    buffer.push(self.location(location)?);
                }
                let metadata = match metadata {
                    Some(metadata) => Some(self.attribute(metadata)?),
                    None => None,
                };
                LocationKind::Fused {
                    locations: buffer,
                    metadata,
                }
            }
            LocationKind::Dialect(attribute) => LocationKind::Dialect(self.attribute(attribute)?),
        })
    }

    /// Replaces each attribute of a list.
    fn in_attributes(&mut self, attributes: &mut [Attribute]) -> Result<(), Invalid> {
        for attribute in attributes {
            *attribute = self.attribute(*attribute)?;
        }
        Ok(())
    }

    /// Replaces each type of a list.
    fn in_types(&mut self, types: &mut [Type]) -> Result<(), Invalid> {
        for ty in types {
            *ty = self.ty(*ty)?;
        }
        Ok(())
    }

    /// Replaces each string of a list.
    fn in_identifiers(&mut self, identifiers: &mut [Identifier]) {
        for identifier in identifiers {
            *identifier = self.identifier(*identifier);
        }
    }
}
