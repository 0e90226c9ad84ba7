//! Modules that join, and modules that are taken apart.

use crate::error::{Error, Result};
use crate::ir::{ImportMap, LinkInput, LinkOptions, Op, Operation, References, SplitOptions};
use crate::text::Diagnostics;
use crate::{Ir, SymbolPath, ir};

/// Links modules: symbols that one declares and another defines become one, local symbols of equal
/// names are renamed. [`ir::link`](crate::ir::link()) has the rules.
///
/// # Errors
///
/// If a symbol is defined twice, a declaration does not match, or the attributes of the modules
/// differ. [`Error::diagnostics`] has all errors, each with both locations.
///
/// ```
/// use rmlir::ir::LinkOptions;
///
/// let caller = rmlir::parse("
///   func.func private @f(i32) -> i32
///   func.func @main(%x: i32) -> i32 {
///     %y = call @f(%x) : (i32) -> i32
///     return %y : i32
///   }")?;
/// let callee = rmlir::parse("func.func @f(%x: i32) -> i32 { return %x : i32 }")?;
/// let linked = rmlir::link(&[&caller, &callee], &LinkOptions::default())?;
/// assert_eq!(linked.to_string(), "module {
///   func.func @main(%arg0: i32) -> i32 {
///     %0 = call @f(%arg0) : (i32) -> i32
///     return %0 : i32
///   }
///   func.func @f(%arg0: i32) -> i32 {
///     return %arg0 : i32
///   }
/// }
/// ");
///
/// let error = rmlir::link(&[&callee, &callee], &LinkOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("redefinition of symbol named 'f'"));
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn link(modules: &[&Ir], options: &LinkOptions) -> Result<Ir> {
    let inputs: Vec<LinkInput<'_>> = modules.iter().map(|ir| ir.parts().into()).collect();
    match ir::link(&inputs, options) {
        Ok(linked) => Ok(Ir::from_parts(linked.context, linked.module)),
        Err(errors) => {
            let sources: Vec<_> = modules.iter().map(|ir| ir.source_text()).collect();
            let diagnostics = Diagnostics::of_link_errors(&errors, &inputs, &sources);
            let diagnostics = diagnostics.ok_or_else(|| Error::request(errors.to_string()))?;
            Err(Error::verification(diagnostics))
        }
    }
}

impl Ir {
    /// Erases all symbols but some, and all content that these do not need; see
    /// [`ir::extract`](crate::ir::extract()). The symbols that they refer to are kept with their
    /// bodies, as declarations, or not at all. Each symbol is given by its reference: `@main` or
    /// `@outer::@inner`.
    ///
    /// # Errors
    ///
    /// If there is no such symbol.
    ///
    /// ```
    /// use rmlir::ir::References;
    ///
    /// let mut ir = rmlir::parse("
    ///   func.func @f() { return }
    ///   func.func @g() {
    ///     call @f() : () -> ()
    ///     return
    ///   }")?;
    /// ir.extract(&["@g"], References::Declarations)?;
    /// assert!(ir.to_string().contains("func.func private @f()\n"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn extract(&mut self, symbols: &[&str], references: References) -> Result<()> {
        let mut wanted = Vec::new();
        for &reference in symbols {
            let found = self.find(&SymbolPath::parse(reference)?);
            let missing = || Error::request(format!("there is no symbol '{reference}'"));
            wanted.push(found.ok_or_else(missing)?);
        }
        let (context, module) = self.parts_mut();
        match references {
            References::Declarations => {
                ir::extract_with_declarations(context, module, &wanted)?;
            }
            References::Bodies => ir::extract(context, module, &wanted, true),
            References::Open => ir::extract(context, module, &wanted, false),
        }
        Ok(())
    }

    /// Returns the operation of a symbol.
    fn find(&self, path: &SymbolPath) -> Option<Operation> {
        let (context, module) = self.parts();
        let mut operation = module.top();
        for name in path.names() {
            let mut nested = self.get(operation).children().map(Op::id);
            operation = nested.find(|&one| {
                let own = module.symbol_name(context, one);
                own.is_some_and(|own| context.bytes(own) == name)
            })?;
        }
        Some(operation)
    }

    /// Splits the module into parts, which [`link`](link()) joins again: one for each symbol or for
    /// symbols that belong together, with declarations of the symbols that they refer to.
    /// [`ir::split`](crate::ir::split()) has the rules, and does not copy the parts to contexts of
    /// their own.
    ///
    /// # Errors
    ///
    /// If the top-level operation has not one region of one block, or the module is a part itself.
    ///
    /// ```
    /// use rmlir::ir::{LinkOptions, SplitOptions};
    ///
    /// let mut ir = rmlir::parse("
    ///   func.func @f() {
    ///     call @g() : () -> ()
    ///     return
    ///   }
    ///   func.func private @g() { return }")?;
    /// let parts = ir.split(&SplitOptions::default())?;
    /// assert!(parts[0].to_string().contains("func.func private @g()\n"));
    ///
    /// let parts: Vec<_> = parts.iter().collect();
    /// assert!(rmlir::link(&parts, &LinkOptions::default())?.semantic_eq(&ir));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn split(&mut self, options: &SplitOptions) -> Result<Vec<Ir>> {
        let (context, module) = self.parts_mut();
        let parts = ir::split(context, module, options)?;
        let context = self.context();
        let copies = parts.iter().map(|part| {
            let mut own = context.new_with_same_definitions();
            let module = part.module.copy_to(context, &mut own)?;
            Ok(Ir::from_parts(own, module))
        });
        copies.collect()
    }

    /// Copies operations of another module, with everything that they need, to the end of the body
    /// of this one, and returns the copies. Symbols keep their names.
    /// [`Module::import`](ir::Module::import) has the rules.
    ///
    /// # Errors
    ///
    /// If an operation uses a value or branches to a block that is not copied with it, or this
    /// module has no body.
    ///
    /// ```
    /// let mut ir = rmlir::parse("func.func private @f()")?;
    /// let other = rmlir::parse("func.func @g() attributes {a = dense_resource<r> : tensor<1xi8>} {
    ///   return
    /// }
    /// {-# dialect_resources: { builtin: { r: \"0x0100000007\" } } #-}")?;
    /// let g = other.symbol("g").unwrap().id();
    /// let copies = ir.import(&other, &[g])?;
    /// assert_eq!(ir.get(copies[0]).symbol_name().unwrap(), "g");
    /// assert!(ir.to_string().contains("r: \"0x0100000007\""));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn import(&mut self, other: &Ir, operations: &[Operation]) -> Result<Vec<Operation>> {
        let (context, module) = self.parts_mut();
        let body = module.body();
        let body = body.ok_or_else(|| Error::request("the top-level operation has no block"))?;
        let mut map = ImportMap::new();
        let copies = module.import(context, other.parts(), operations, &mut map)?;
        for &copy in &copies {
            module.append_operation(body, copy);
        }
        Ok(copies)
    }
}
