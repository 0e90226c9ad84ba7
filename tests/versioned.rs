//! Portable artifacts of every version of StableHLO: each is converted to StableHLO, which must be
//! what jaxlib makes of it, and back to its version, which must be the artifact, byte for byte.
//!
//! The files are in the corpus: artifacts that releases of StableHLO wrote, with jaxlib's
//! conversions as text. `scripts/portable_artifacts.py` compares other modules with jaxlib.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use rmlir::ir::{EqualityOptions, semantic_difference};
use rmlir::stablehlo::{Options, Version, to_artifact, to_stablehlo, to_vhlo};
use rmlir::{Form, Ir, ReadOptions};
use rmlir_testing::corpus;
use std::path::{Path, PathBuf};

fn main() {
    if !rmlir_testing::is_optimised("cargo test --profile suite --test versioned") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let folder = root.join("stablehlo/versioned");
    let wanted = |name: &str| name.ends_with(".mlir.bc") && !name.starts_with("invalid");
    let artifacts = corpus::files(&folder, wanted);
    assert!(artifacts.len() >= 33, "{}", artifacts.len());
    artifacts_become_what_jaxlib_makes_of_them(&artifacts);
    artifacts_are_written_again_from_stablehlo(&artifacts);
    texts_of_vhlo_convert(&artifacts);
    artifacts_convert_to_other_versions(&artifacts);
    an_artifact_of_a_future_version_is_refused(&folder.join("invalid_vhlo_future.mlir.bc"));
}

fn read(path: &Path) -> Ir {
    let mut options = ReadOptions::default();
    options.verify = false;
    rmlir::open_with(path, &options).unwrap()
}

fn difference(a: &Ir, b: &Ir, locations: bool) -> Option<String> {
    let options = EqualityOptions { locations };
    let found = semantic_difference(a.parts(), b.parts(), &options);
    found.map(|found| found.to_string())
}

fn version_of(path: &Path) -> Version {
    let name = path.file_name().unwrap().to_str().unwrap();
    let name = name.strip_suffix(".mlir.bc").unwrap();
    let version = name.split_once('.').unwrap().1.replace('_', ".");
    version.parse().unwrap()
}

fn artifacts_become_what_jaxlib_makes_of_them(artifacts: &[PathBuf]) {
    let (mut compared, mut from_source, mut all) = (0, 0, 0);
    for path in artifacts {
        all += 1;
        let mut ours = read(path);
        to_stablehlo(&mut ours).unwrap();
        ours.verify().unwrap();
        let text = PathBuf::from(format!("{}.stablehlo.generic.mlir", path.display()));
        if text.exists() {
            let theirs = read(&text);
            assert_eq!(
                difference(&ours, &theirs, false),
                None,
                "{}",
                path.display()
            );
            compared += 1;
        } else {
            // jaxlib does not read the newest versions. Their source is StableHLO, too, with a
            // former spelling of bounds.
            let text = std::fs::read_to_string(path.with_extension("")).unwrap();
            let text = text.replace("type_extensions<bounds = [16, ?]>", "bounds<16, ?>");
            let mut source = rmlir::parse(&text).unwrap();
            to_vhlo(&mut source, &Options::default()).unwrap();
            to_stablehlo(&mut source).unwrap();
            assert_eq!(
                difference(&ours, &source, false),
                None,
                "{}",
                path.display()
            );
            from_source += 1;
        }
    }
    println!("{compared} of {all} equal jaxlib's conversion, {from_source} their source");
    assert!(compared == 30 && compared + from_source == all);
}

fn artifacts_are_written_again_from_stablehlo(artifacts: &[PathBuf]) {
    let mut all = 0;
    for path in artifacts {
        all += 1;
        let version = version_of(path);
        let original = read(path);
        let mut ours = read(path);
        to_stablehlo(&mut ours).unwrap();
        let mut options = Options::default();
        options.version = version;
        let bytes = to_artifact(&mut ours, &options).unwrap();
        assert_eq!(
            difference(&ours, &original, true),
            None,
            "{}",
            path.display()
        );
        assert_eq!(bytes, std::fs::read(path).unwrap(), "{}", path.display());
    }
    println!("{all} written again byte for byte");
}

/// Text of VHLO converts as the artifact does, and keeps its locations.
fn texts_of_vhlo_convert(artifacts: &[PathBuf]) {
    for path in artifacts {
        let text = PathBuf::from(format!("{}.vhlo.loc.generic.mlir", path.display()));
        if !text.exists() {
            continue;
        }
        let (mut ours, mut of_artifact) = (read(&text), read(path));
        to_stablehlo(&mut ours).unwrap();
        to_stablehlo(&mut of_artifact).unwrap();
        assert_eq!(
            difference(&ours, &of_artifact, true),
            None,
            "{}",
            path.display()
        );
    }
}

/// Artifacts can be converted to every other version, directly or through StableHLO, with the same
/// result or an error.
fn artifacts_convert_to_other_versions(artifacts: &[PathBuf]) {
    let targets = ["0.9.0", "0.15.0", "1.0.0", "1.5.0", "1.10.0", "1.20.0"];
    let (mut converted, mut refused) = (0, 0);
    for path in artifacts {
        for target in targets {
            let mut options = Options::default();
            options.version = target.parse().unwrap();
            let (mut directly, mut through) = (read(path), read(path));
            to_stablehlo(&mut through).unwrap();
            let verdicts = (
                to_vhlo(&mut directly, &options),
                to_vhlo(&mut through, &options),
            );
            match verdicts {
                (Ok(()), Ok(())) => {
                    assert_eq!(
                        difference(&directly, &through, true),
                        None,
                        "{}",
                        path.display()
                    );
                    converted += 1;
                }
                (Err(_), Err(_)) => refused += 1,
                verdicts => panic!("{} to {target}: {verdicts:?}", path.display()),
            }
        }
    }
    println!("{converted} conversions to other versions, {refused} refused");
}

fn an_artifact_of_a_future_version_is_refused(path: &Path) {
    let error = rmlir::open(path).unwrap_err().to_string();
    assert!(error.contains("vhlo.constant_v99"), "{error}");
    assert_eq!(Form::of(&std::fs::read(path).unwrap()), Form::Mlirbc);
}
