//! Portable artifacts: StableHLO as VHLO of a version, and back.
//!
//! A portable artifact is what `jax.export` and StableHLO's serializer write: VHLO, a versioned
//! copy of StableHLO, in upstream's bytecode. StableHLO reads artifacts for five years, while the
//! bytecode of its own dialect has no stability guarantee.
//!
//! ```
//! use rmlir::stablehlo::{self, Options};
//!
//! let mut ir = rmlir::parse("
//!     func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!       %y = stablehlo.tanh %x : tensor<4xf32>
//!       return %y : tensor<4xf32>
//!     }")?;
//! let mut options = Options::default();
//! options.version = "1.0.0".parse().unwrap();
//! let artifact = stablehlo::to_artifact(&mut ir, &options)?;
//!
//! let mut read = rmlir::read(artifact)?;
//! assert!(read.ops().any(|op| op.is("vhlo.tanh_v1")));
//! stablehlo::to_stablehlo(&mut read)?;
//! assert!(read.ops().any(|op| op.is("stablehlo.tanh")));
//! # Ok::<(), rmlir::Error>(())
//! ```

use crate::ir::definition::{Family, Release};
use crate::ir::{Context, Module, VerifyError};
use crate::text::Diagnostics;
use crate::{Error, Form, Ir, Result, WriteOptions, mlirbc};
use rmlir_dialects::portable;
pub use rmlir_dialects::portable::{Options, UnknownVersion, Version};

/// The release of StableHLO whose layouts artifacts have. Layouts of VHLO do not change.
const RELEASE: Release = Release::new(Family::StableHlo, 202_608);

/// Converts StableHLO and functions to VHLO of a version, and VHLO to that version. Linear in the
/// size of the module.
///
/// # Errors
///
/// If an operation, attribute or type has no counterpart in the version; the error [is
/// invalid](Error::is_invalid) and has the location. The module is unchanged then. If other
/// dialects are allowed, also if the converted module does not verify.
///
/// ```
/// use rmlir::stablehlo::{Options, Version, to_vhlo};
///
/// let mut ir = rmlir::parse("func.func private @f(tensor<4xf4E2M1FN>)")?;
/// let mut options = Options::default();
/// options.version = Version::MINIMUM;
/// assert!(to_vhlo(&mut ir, &options).unwrap_err().to_string().contains("1.8.0"));
/// options.version = Version::NEWEST;
/// to_vhlo(&mut ir, &options)?;
/// assert!(ir.ops().any(|op| op.is("vhlo.func_v1")));
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn to_vhlo(ir: &mut Ir, options: &Options) -> Result<()> {
    convert(ir, |context, module| {
        portable::to_vhlo(context, module, options)
    })?;
    // An operation of another dialect can need types that belong together, as branches do.
    match options.allow_other_dialects {
        true => ir.verify(),
        false => Ok(()),
    }
}

/// Converts VHLO of any version to StableHLO. Linear in the size of the module.
///
/// # Errors
///
/// If an operation, attribute or type has no counterpart; the error [is invalid](Error::is_invalid)
/// and has the location. The module is unchanged then.
///
/// ```
/// use rmlir::stablehlo::{Options, to_stablehlo, to_vhlo};
///
/// let text = "func.func private @f(tensor<4xf32>) -> !stablehlo.token";
/// let mut ir = rmlir::parse(text)?;
/// to_vhlo(&mut ir, &Options::default())?;
/// to_stablehlo(&mut ir)?;
/// assert!(ir.semantic_eq(&rmlir::parse(text)?));
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn to_stablehlo(ir: &mut Ir) -> Result<()> {
    convert(ir, portable::to_stablehlo)
}

/// Converts a module with [`to_vhlo`] and returns it as a portable artifact: upstream's bytecode
/// with [`write_options`].
///
/// # Errors
///
/// Those of [`to_vhlo`] and [`Ir::to_bytes`].
///
/// ```
/// use rmlir::stablehlo::{Options, to_artifact};
///
/// let mut ir = rmlir::parse("func.func private @f()")?;
/// let artifact = to_artifact(&mut ir, &Options::default())?;
/// assert_eq!(&artifact[..4], b"ML\xefR");
/// assert!(artifact[4..].starts_with(b"\x0dStableHLO_v1.20.0\0"));
/// # Ok::<(), rmlir::Error>(())
/// ```
#[doc(alias = "serializePortableArtifact")]
pub fn to_artifact(ir: &mut Ir, options: &Options) -> Result<Vec<u8>> {
    to_vhlo(ir, options)?;
    let write = WriteOptions {
        mlirbc: write_options(options.version),
        ..WriteOptions::default()
    };
    ir.to_bytes(Form::Mlirbc, &write)
}

/// Returns the options with which a module of VHLO is written as a portable artifact: producer,
/// version of bytecode, and layouts.
///
/// ```
/// use rmlir::stablehlo::{Version, write_options};
///
/// let options = write_options(Version::MINIMUM);
/// assert_eq!(options.version, Some(0));
/// assert_eq!(options.producer.as_deref(), Some(&b"StableHLO_v0.9.0"[..]));
/// ```
pub fn write_options(version: Version) -> mlirbc::WriteOptions {
    let mut options = mlirbc::WriteOptions::default();
    options.target = Some(RELEASE);
    options.version = Some(version.bytecode_version());
    options.producer = Some(version.producer().into_bytes());
    options
}

fn convert(
    ir: &mut Ir,
    change: impl FnOnce(&mut Context, &mut Module) -> Result<(), Box<VerifyError>>,
) -> Result<()> {
    let (context, module) = ir.parts_mut();
    let Err(error) = change(context, module) else {
        return Ok(());
    };
    let (context, module) = ir.parts();
    let errors = [*error];
    match Diagnostics::of_verify_errors(context, module, &errors, ir.source_text()) {
        Some(diagnostics) => Err(Error::verification(diagnostics)),
        None => Err(Error::request("the module cannot be converted")),
    }
}
