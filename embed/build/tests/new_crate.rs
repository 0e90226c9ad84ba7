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

/// Returns the program of the guide.
fn program(read: &str, own: &str) -> String {
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{read}\n{own}\nOk(())\n}}\n")
}

/// A crate that is not part of the workspace.
struct NewCrate(PathBuf);

impl NewCrate {
    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn append(&self, path: &str, content: &str) {
        let mut text = std::fs::read_to_string(self.0.join(path)).unwrap();
        text += content;
        self.write(path, text);
    }

    fn cargo(&self, command: &str) -> Output {
        self.cargo_with(command, &[])
    }

    fn cargo_with(&self, command: &str, arguments: &[&str]) -> Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--manifest-path"]);
        cargo.arg(self.0.join("Cargo.toml"));
        cargo.args(arguments);
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

/// Makes a crate of this name that depends on the library with these features.
fn new_crate(name: &str, features: &str) -> NewCrate {
    let new = NewCrate(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    let _ = std::fs::remove_dir_all(&new.0);
    new.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"new\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nrmlir = {{ path = {ROOT:?}{features} }}\n\n\
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
    let new = new_crate("new_crate", "");
    new.write("build.rs", build);
    new.write("src/main.rs", program(&read, &own));
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

/// A system that programs are built for here, and how they are run.
struct System {
    target: &'static str,
    /// Features of the library. The dialects take most of the time, and depend on the size of words
    /// at most.
    features: &'static str,
    /// Extension of programs.
    extension: &'static str,
    /// The linker, if programs can be linked.
    linker: Option<&'static str>,
    /// A command line that the path of the program is added to, if programs can be run.
    runner: Option<&'static [&'static str]>,
}

/// Runs a WebAssembly program with its standard output.
const NODE: &str = "const { WASI } = require('wasi');
const wasi = new WASI({ version: 'preview1' });
const bytes = require('fs').readFileSync(process.argv[1]);
const module = new WebAssembly.Module(bytes);
wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));";

const SYSTEMS: [System; 3] = [
    System {
        target: "wasm32-wasip1",
        features: "upstream,embed,import",
        extension: ".wasm",
        linker: Some("rustc"),
        runner: Some(&["node", "--no-warnings", "-e", NODE]),
    },
    System {
        target: "x86_64-pc-windows-gnu",
        features: "embed,import",
        extension: ".exe",
        linker: Some("x86_64-w64-mingw32-gcc"),
        runner: Some(&["wine"]),
    },
    // It is linked with libraries that are made here, and nothing runs it.
    System {
        target: APPLE,
        features: "embed,import",
        extension: "",
        linker: Some("ld64.lld-22"),
        runner: None,
    },
];

const APPLE: &str = "aarch64-apple-darwin";

/// Writes libraries of Apple's systems by their names alone, as the SDK is not to be had: what they
/// define is looked up when a program is loaded. Returns Cargo's options to link with them.
fn apple_libraries(new: &NewCrate, linker: &str) -> Vec<String> {
    for name in ["System", "c", "m", "iconv"] {
        let library = format!(
            "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\n\
             install-name: '/usr/lib/lib{name}.dylib'\nexports:\n\
             \x20 - targets: [ arm64-macos ]\n    symbols: [ _of_{name} ]\n...\n"
        );
        new.write(&format!("apple/lib{name}.tbd"), library);
    }
    let folder = new.0.join("apple");
    let flags = [
        format!("-Clinker={linker}"),
        "-Clinker-flavor=ld64.lld".to_owned(),
        format!("-Clink-arg=-L{}", folder.display()),
        "-Clink-arg=-undefined".to_owned(),
        "-Clink-arg=dynamic_lookup".to_owned(),
    ];
    vec![
        "--config".to_owned(),
        format!("target.{APPLE}.rustflags={flags:?}"),
    ]
}

/// Checks that a program has the module in its section, whose bounds the linker has defined.
fn check_section(program: &Path) {
    let bytes = std::fs::read(program).unwrap();
    let bounds = b"section$start$__DATA$__rmlir";
    assert!(!bytes.windows(bounds.len()).any(|window| window == bounds));
    let options = rmlir_embed::UnwrapOptions::default();
    let found = rmlir_embed::unwrap(&bytes.into(), &options);
    let names: Vec<&str> = found
        .artifacts
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["__rmlir:model"]);
}

/// A library of Windows that older releases of Wine lack. Hash maps take their seeds from it.
const BCRYPT_PRIMITIVES: &str =
    "__declspec(dllexport) int ProcessPrng(unsigned char *bytes, unsigned long long length) {
    while (length--)
        *bytes++ = 4;
    return 1;
}
";

fn exists(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

/// Whether the toolchain has the standard library of a target.
fn has_target(target: &str) -> bool {
    let libraries = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    libraries.is_ok_and(|output| {
        let path = String::from_utf8(output.stdout).unwrap();
        output.status.success() && Path::new(path.trim()).is_dir()
    })
}

#[test]
#[ignore = "builds the library for other systems"]
fn programs_of_other_systems_find_their_modules() {
    let [build, read, own] = guide_code().try_into().unwrap();
    // Without features that compile C, for which each system needs a compiler.
    let new = new_crate("new_crate_elsewhere", ", default-features = false");
    new.append("Cargo.toml", "[features]\n");
    for feature in ["upstream", "embed", "import"] {
        new.append(
            "Cargo.toml",
            &format!("{feature} = [\"rmlir/{feature}\"]\n"),
        );
    }
    new.write("build.rs", build);
    new.write("src/main.rs", program(&read, &own));
    new.write("model.mlir", model("main"));
    for system in SYSTEMS {
        let System { target, .. } = system;
        if !has_target(target) {
            eprintln!("SKIPPED {target}: the toolchain does not have it");
            continue;
        }
        let command = match system.linker {
            Some(linker) if exists(linker) => "build",
            _ => {
                eprintln!("SKIPPED {target}: checked, but not linked and run: no linker");
                "check"
            }
        };
        let arguments = ["--target", target, "--features", system.features];
        let mut arguments = arguments.map(str::to_owned).to_vec();
        if let (APPLE, Some(linker), "build") = (target, system.linker, command) {
            arguments.extend(apple_libraries(&new, linker));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = new.cargo_with(command, &arguments);
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{target}: {log}");
        if let (APPLE, "build") = (target, command) {
            check_section(&self::target().join(target).join("debug/new"));
            eprintln!("{target}: linked, but not run: there is no such system here");
        }
        let Some([runner, arguments @ ..]) = system.runner.filter(|_| command == "build") else {
            continue;
        };
        if !exists(runner) {
            eprintln!("{target}: built, but not run: there is no {runner}");
            continue;
        }
        let folder = self::target().join(target).join("debug");
        if let ("wine", Some(compiler)) = (*runner, system.linker) {
            new.write("bcryptprimitives.c", BCRYPT_PRIMITIVES);
            let status = Command::new(compiler)
                .args(["-shared", "-o"])
                .arg(folder.join("bcryptprimitives.dll"))
                .arg(new.0.join("bcryptprimitives.c"))
                .status();
            assert!(status.unwrap().success());
        }
        let output = Command::new(runner)
            .args(arguments)
            .arg(folder.join(format!("new{}", system.extension)))
            .env("WINEDEBUG", "-all")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {log}");
        // Without its dialect, the function is printed in generic form.
        let function = match system.features.contains("upstream") {
            true => "func.func @main(%arg0: i32)",
            false => "sym_name = \"main\"",
        };
        assert!(printed.contains(function), "{target}: {printed}{log}");
        assert!(
            printed.contains("\nmodel: rmbc, "),
            "{target}: {printed}{log}"
        );
        eprintln!("{target}: run");
    }
}
