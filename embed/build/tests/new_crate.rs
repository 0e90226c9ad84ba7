//! Tests a new crate that embeds a module as guide/embedding.md shows: it is built, run, built
//! again after a change, and its errors lie where the module's are.
//!
//! Cargo builds the library for it, which takes a minute: `cargo test -p rmlir-embed-build --test
//! new_crate -- --ignored`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GUIDE: &str = include_str!("../../../guide/embedding.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the blocks of Rust code of the guide, without the lines that it hides.
fn guide_code() -> Vec<String> {
    let blocks = GUIDE.split("\n```rust").skip(1);
    let code = blocks.map(|block| {
        let (_, rest) = block.split_once('\n').unwrap();
        let (code, _) = rest.split_once("\n```").unwrap();
        let lines = code.lines().filter(|line| !line.starts_with("# "));
        lines.collect::<Vec<_>>().join("\n")
    });
    code.collect()
}

/// Returns the text of a model with a function that has that name.
fn model(function: &str) -> String {
    format!(
        "func.func @{function}(%x: i32) -> i32 {{\n  %0 = arith.addi %x, %x : i32\n  return %0 : i32\n}}\n"
    )
}

/// A crate that is not part of the workspace.
struct NewCrate(PathBuf);

impl NewCrate {
    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn cargo(&self, command: &str) -> Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--manifest-path"]);
        cargo.arg(self.0.join("Cargo.toml"));
        // Built crates are kept for the next run; variables of the outer build do not count here.
        cargo.env("CARGO_TARGET_DIR", target());
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                cargo.env_remove(name);
            }
        }
        cargo.output().unwrap()
    }

    /// Runs the program; returns what it prints, and what Cargo does.
    fn run(&self) -> (String, String) {
        let output = self.cargo("run");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let log = text(output.stderr);
        assert!(output.status.success(), "{log}");
        (text(output.stdout), log)
    }
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("new_crate_target")
}

fn new_crate() -> NewCrate {
    let new = NewCrate(Path::new(env!("CARGO_TARGET_TMPDIR")).join("new_crate"));
    let _ = std::fs::remove_dir_all(&new.0);
    new.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"new\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nrmlir = {{ path = {ROOT:?} }}\n\n\
             [build-dependencies]\nrmlir-embed-build = {{ path = {:?} }}\n",
            format!("{ROOT}/embed/build"),
        ),
    );
    // The versions that were tested.
    new.write(
        "Cargo.lock",
        std::fs::read(format!("{ROOT}/Cargo.lock")).unwrap(),
    );
    new
}

#[test]
#[ignore = "builds the library for a crate of its own"]
fn a_new_crate_embeds_a_module() {
    let [build, read, own] = guide_code().try_into().unwrap();
    let new = new_crate();
    new.write("build.rs", build);
    let main = format!(
        "fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{read}\n{own}\nOk(())\n}}\n"
    );
    new.write("src/main.rs", main);
    new.write("model.mlir", model("main"));
    let (printed, _) = new.run();
    assert!(printed.contains("func.func @main(%arg0: i32)"), "{printed}");
    assert!(printed.contains("\nmodel: rmbc, "), "{printed}");

    // Nothing changes, so nothing is compiled.
    let (again, log) = new.run();
    assert_eq!(again, printed);
    assert!(!log.contains("Compiling"), "{log}");

    // The file is newer than what was made from it, whatever the resolution of times is.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    new.write("model.mlir", model("main").replace("addi", "muli"));
    let (changed, log) = new.run();
    assert!(changed.contains("arith.muli"), "{changed}");
    assert!(log.contains("Compiling new"), "{log}");
    assert!(!log.contains("Compiling rmlir"), "{log}");

    std::thread::sleep(std::time::Duration::from_millis(1100));
    new.write("model.mlir", model("main").replace("%x : i32", "%y : i32"));
    let output = new.cargo("build");
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("model.mlir:2:23: error"), "{log}");
}
