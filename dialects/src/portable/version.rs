//! Versions of StableHLO.

use std::fmt;
use std::str::FromStr;

/// A version of StableHLO, which is also the version of VHLO: `1.9.0`.
///
/// ```
/// use rmlir_dialects::portable::Version;
///
/// let version: Version = "1.9.0".parse()?;
/// assert!(version < Version::NEWEST);
/// assert_eq!(version.bytecode_version(), 6);
/// assert_eq!(version.producer(), "StableHLO_v1.9.0");
/// # Ok::<(), rmlir_dialects::portable::UnknownVersion>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The major version.
    pub major: u32,
    /// The minor version: it increases when operations, attributes or types are added or changed.
    pub minor: u32,
    /// The patch version: it does not affect VHLO.
    pub patch: u32,
}

/// The versions of upstream's bytecode in artifacts, each with the first version of StableHLO that
/// writes it.
const BYTECODE_VERSIONS: &[(Version, u8)] = &[
    (Version::new(0, 9), 0),
    (Version::new(0, 10), 1),
    (Version::new(0, 12), 3),
    (Version::new(0, 14), 4),
    (Version::new(0, 15), 6),
];

impl Version {
    /// The oldest version that can be written: that of the first stability guarantees.
    pub const MINIMUM: Self = Version::new(0, 9);
    /// The newest version that is known.
    pub const NEWEST: Self = Version::new(1, 20);

    /// Returns the version `major.minor.0`.
    pub const fn new(major: u32, minor: u32) -> Self {
        Version {
            major,
            minor,
            patch: 0,
        }
    }

    /// Returns the version of upstream's bytecode that StableHLO writes for readers of this
    /// version.
    pub fn bytecode_version(self) -> u8 {
        let rows = BYTECODE_VERSIONS.iter().rev();
        let row = rows.clone().find(|row| row.0 <= self);
        row.map_or(0, |row| row.1)
    }

    /// Returns the producer that StableHLO stores in an artifact of this version.
    pub fn producer(self) -> String {
        format!("StableHLO_v{self}")
    }

    /// Returns the version of the artifact with that producer; `None` for other producers.
    ///
    /// ```
    /// use rmlir_dialects::portable::Version;
    ///
    /// assert_eq!(Version::of_producer(b"StableHLO_v0.9.0"), Some(Version::MINIMUM));
    /// assert_eq!(Version::of_producer(b"MLIR22.1.8"), None);
    /// ```
    pub fn of_producer(producer: &[u8]) -> Option<Self> {
        let text = producer.strip_prefix(b"StableHLO_v")?;
        std::str::from_utf8(text).ok()?.parse().ok()
    }

    /// Returns whether modules can be converted to this version: it is neither older than
    /// [`MINIMUM`](Self::MINIMUM) nor newer than [`NEWEST`](Self::NEWEST).
    pub fn is_supported(self) -> bool {
        (Version::MINIMUM..=Version::NEWEST).contains(&self)
    }

    /// Returns the version without its patch, by which operations, attributes and types are
    /// available.
    pub(super) const fn without_patch(self) -> Self {
        Version::new(self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = UnknownVersion;

    /// Parses three numbers separated by dots, in decimal digits alone.
    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        let number = |part: Option<&str>| {
            let digits = part.filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok())
        };
        let mut parts = text.split('.');
        let mut next = || number(parts.next()).ok_or(UnknownVersion);
        let (major, minor, patch) = (next()?, next()?, next()?);
        match parts.next() {
            Some(_) => Err(UnknownVersion),
            None => Ok(Version {
                major,
                minor,
                patch,
            }),
        }
    }
}

/// The error that a text is not a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownVersion;

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a version of StableHLO has the form X.Y.Z")
    }
}

impl std::error::Error for UnknownVersion {}
