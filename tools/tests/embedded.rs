//! Modules in object files and programs: linked by real linkers, stripped by real tools, and read
//! back by `rmlir` and by tools that were not written here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

mod common;

use common::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RMLIR: &str = env!("CARGO_BIN_EXE_rmlir");

fn folder(name: &str) -> Folder {
    Folder::new(RMLIR, name)
}

/// Runs a program in a folder; returns what it prints, or its errors.
fn try_run(folder: &Folder, program: &str, arguments: &[&str]) -> Result<String, String> {
    let output: Output = folder.run_program(program, arguments, b"");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{program} {arguments:?}: {}", text(&output.stderr))),
    }
}

fn run(folder: &Folder, program: &str, arguments: &[&str]) -> String {
    try_run(folder, program, arguments).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the path of a program if there is one: of the first of several names, also in LLVM's
/// folders.
fn find(names: &[&str]) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.extend(["/usr/lib/llvm-22/bin", "/usr/lib/llvm-19/bin"].map(PathBuf::from));
    names.iter().find_map(|name| {
        let found = folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|file| file.exists());
        found.map(|file| file.display().to_string())
    })
}

/// Writes four modules and two object files with two of them each, and returns the modules.
fn objects(folder: &Folder, target: &str, options: &[&str]) -> Vec<Vec<u8>> {
    let mut modules = Vec::new();
    for (number, form) in ["rmbc", "mlirbc", "mlirbc", "rmbc"].into_iter().enumerate() {
        let text = format!(
            "func.func @f{number}(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  %0 = arith.constant dense_resource<w> : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}}\n{{-# dialect_resources: {{ builtin: {{ w: \"0x400000000000803F0000004{number}\" }} }} #-}}\n"
        );
        let name = format!("m{number}.{form}");
        folder.write("source.mlir", text);
        run(folder, RMLIR, &["convert", "source.mlir", "-o", &name]);
        modules.push(folder.read(&name));
    }
    for (object, files) in [
        ("a.o", ["m0.rmbc", "m1.mlirbc"]),
        ("b.o", ["m2.mlirbc", "m3.rmbc"]),
    ] {
        let mut arguments = vec![
            "embed", files[0], files[1], "-o", object, "--target", target,
        ];
        arguments.extend(options);
        run(folder, RMLIR, &arguments);
    }
    modules
}

/// Checks that `rmlir unwrap` gets exactly these modules out of a file, with their names.
fn check(folder: &Folder, file: &str, modules: &[Vec<u8>]) {
    let out = format!("{file}.out");
    let _ = std::fs::remove_dir_all(folder.file(&out));
    run(folder, RMLIR, &["unwrap", file, "-o", &out]);
    let mut written: Vec<PathBuf> = std::fs::read_dir(folder.file(&out))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    written.sort();
    let mut found: Vec<Vec<u8>> = written
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    found.sort();
    let mut expected = modules.to_vec();
    expected.sort();
    assert!(
        found == expected,
        "{file}: {} of {} modules",
        found.len(),
        expected.len()
    );
    for number in 0..modules.len() {
        let name = format!("m{number}");
        let listed = run(folder, RMLIR, &["list", file, "--module", &name]);
        assert!(
            listed.contains(&format!("@f{number}\n")),
            "{file}: {listed}"
        );
    }
}

/// Checks that the bytes of a section that another tool got out have the modules, byte for byte.
fn check_section(section: &[u8], modules: &[Vec<u8>], tool: &str) {
    for module in modules {
        let found = section
            .windows(module.len())
            .any(|window| window == *module);
        assert!(found, "{tool}: a module is not in the section");
    }
    println!("{tool}: the section has all modules");
}

/// A linker of one kind of programs, and how it is called.
struct Linker {
    names: &'static [&'static str],
    target: &'static str,
    arguments: &'static [&'static str],
    /// Further runs: each with these arguments more.
    variants: &'static [&'static [&'static str]],
    section: &'static str,
    output: &'static str,
}

const ELF: &[&str] = &["-o", "program", "main.o", "a.o", "b.o", "-e", "main"];
const LINKERS: &[Linker] = &[
    Linker {
        names: &["ld.bfd"],
        target: "x86_64-linux-gnu",
        arguments: ELF,
        variants: &[&[], &["--gc-sections"], &["--gc-sections", "-s"]],
        section: "rmlir",
        output: "program",
    },
    Linker {
        names: &["ld.gold", "gold"],
        target: "x86_64-linux-gnu",
        arguments: ELF,
        variants: &[&[], &["--gc-sections"]],
        section: "rmlir",
        output: "program",
    },
    Linker {
        names: &["ld.lld-22", "ld.lld"],
        target: "x86_64-linux-gnu",
        arguments: ELF,
        variants: &[&[], &["--gc-sections"], &["--gc-sections", "-s"]],
        section: "rmlir",
        output: "program",
    },
    Linker {
        names: &["ld64.lld-22", "ld64.lld"],
        target: "arm64-apple-macos",
        arguments: &[
            "-arch",
            "arm64",
            "-platform_version",
            "macos",
            "13.0",
            "13.0",
            "-dylib",
            "-o",
            "program.dylib",
            "-undefined",
            "dynamic_lookup",
            "a.o",
            "b.o",
        ],
        variants: &[&[], &["-dead_strip"]],
        section: "__DATA,__rmlir",
        output: "program.dylib",
    },
    Linker {
        names: &["lld-link-22", "lld-link"],
        target: "x86_64-pc-windows-msvc",
        arguments: &["/dll", "/noentry", "/out:program.dll", "a.o", "b.o"],
        variants: &[&[], &["/opt:ref"]],
        section: ".rmlir",
        output: "program.dll",
    },
    Linker {
        names: &["x86_64-w64-mingw32-ld"],
        target: "x86_64-pc-windows-gnu",
        arguments: &["-shared", "-e", "0", "-o", "program.dll", "a.o", "b.o"],
        variants: &[&[], &["-s"]],
        section: ".rmlir",
        output: "program.dll",
    },
    Linker {
        names: &["wasm-ld-22", "wasm-ld"],
        target: "wasm32-unknown-unknown",
        arguments: &["--no-entry", "-o", "program.wasm", "a.o", "b.o"],
        variants: &[&[], &["--gc-sections"], &["-s"]],
        section: "",
        output: "program.wasm",
    },
    Linker {
        names: &["wasm-ld-22", "wasm-ld"],
        target: "wasm64-unknown-unknown",
        arguments: &["-mwasm64", "--no-entry", "-o", "program.wasm", "a.o", "b.o"],
        variants: &[&[], &["--gc-sections"]],
        section: "",
        output: "program.wasm",
    },
];

/// An object file of ELF with a function `main`, for linkers that want something to link.
fn main_object(folder: &Folder) {
    use std::fmt::Write;
    let mut code = String::new();
    for byte in [0x31u8, 0xc0, 0xc3] {
        writeln!(code, ".byte {byte}").unwrap();
    }
    folder.write(
        "main.s",
        format!(
            ".globl main\n.section .text.main,\"ax\"\nmain:\n{code}.section .note.GNU-stack,\"\"\n"
        ),
    );
    run(folder, "as", &["-o", "main.o", "main.s"]);
}

#[test]
fn linkers_keep_all_modules() {
    for linker in LINKERS {
        let Some(program) = find(linker.names) else {
            println!("SKIPPED: there is no {}", linker.names[0]);
            continue;
        };
        let folder = folder(&format!("link-{}-{}", linker.names[0], linker.target));
        if linker.arguments.contains(&"main.o") {
            if find(&["as"]).is_none() {
                println!("SKIPPED: there is no assembler for {}", linker.names[0]);
                continue;
            }
            main_object(&folder);
        }
        let modules = objects(&folder, linker.target, &[]);
        check(&folder, "a.o", &modules[..2]);
        for variant in linker.variants {
            let mut arguments = linker.arguments.to_vec();
            arguments.extend(*variant);
            run(&folder, &program, &arguments);
            check(&folder, linker.output, &modules);
            println!("{} {variant:?}: all modules", linker.names[0]);
        }
        strip(&folder, linker, &modules);
        oracles(&folder, linker, &modules);
    }
}

/// Strips the last program by the tools for its format.
fn strip(folder: &Folder, linker: &Linker, modules: &[Vec<u8>]) {
    let strips: &[(&[&str], &[&str])] = match linker.output {
        "program" => &[
            (&["strip"], &[]),
            (&["llvm-strip-22", "llvm-strip"], &[]),
            (&["llvm-strip-22", "llvm-strip"], &["--strip-all-gnu"]),
        ],
        "program.dylib" | "program.wasm" => &[(&["llvm-strip-22", "llvm-strip"], &[])],
        _ => &[
            (&["x86_64-w64-mingw32-strip"], &[]),
            (&["llvm-strip-22", "llvm-strip"], &[]),
        ],
    };
    for (names, options) in strips {
        let Some(program) = find(names) else {
            println!("SKIPPED: there is no {}", names[0]);
            continue;
        };
        let name = format!("stripped.{}", names[0]);
        let mut arguments = vec!["-o", &name, linker.output];
        arguments.extend(*options);
        run(folder, &program, &arguments);
        check(folder, &name, modules);
        println!("{}, {} {options:?}: all modules", linker.names[0], names[0]);
    }
}

/// Gets the section out of the program by `llvm-objcopy` and by PyPI's `lief`.
fn oracles(folder: &Folder, linker: &Linker, modules: &[Vec<u8>]) {
    if !linker.section.is_empty() {
        match find(&["llvm-objcopy-22", "llvm-objcopy"]) {
            None => println!("SKIPPED: there is no llvm-objcopy-22"),
            Some(program) => {
                let dump = format!("--dump-section={}=section.bin", linker.section);
                run(folder, &program, &[&dump, linker.output, "copy.bin"]);
                check_section(
                    &folder.read("section.bin"),
                    modules,
                    &format!("{}: llvm-objcopy", linker.names[0]),
                );
            }
        }
    }
    let has_lief = rmlir_testing::python::pythons().into_iter().find(|python| {
        let output = Command::new(python).args(["-c", "import lief"]).output();
        output.is_ok_and(|output| output.status.success())
    });
    let Some(python) = has_lief else {
        println!("SKIPPED: Python has no package lief");
        return;
    };
    if linker.section.is_empty() {
        println!("SKIPPED: lief does not read WebAssembly");
        return;
    }
    let name = linker.section.rsplit(',').next().unwrap();
    let script = format!(
        "import lief, sys\nfile = lief.parse({:?})\nfor section in file.sections:\n    if section.name.rstrip('\\0') == {name:?}:\n        open('lief.bin', 'wb').write(bytes(section.content))\n",
        linker.output
    );
    folder.write("sections.py", script);
    run(folder, python.to_str().unwrap(), &["sections.py"]);
    check_section(
        &folder.read("lief.bin"),
        modules,
        &format!("{}: lief", linker.names[0]),
    );
}

/// Sections that are not loaded are in the file, for tools.
#[test]
fn attached_sections() {
    let folder = folder("attached");
    for (target, linker) in [
        ("x86_64-linux-gnu", "ld.bfd"),
        ("wasm32", "wasm-ld-22"),
        ("x86_64-linux-gnu", "ld.lld-22"),
    ] {
        let modules = objects(&folder, target, &["--no-load"]);
        let Some(program) = find(&[linker]) else {
            println!("SKIPPED: there is no {linker}");
            continue;
        };
        match target {
            "wasm32" => run(
                &folder,
                &program,
                &["--no-entry", "-o", "program", "a.o", "b.o"],
            ),
            _ => {
                main_object(&folder);
                run(
                    &folder,
                    &program,
                    &[
                        "-o",
                        "program",
                        "main.o",
                        "a.o",
                        "b.o",
                        "-e",
                        "main",
                        "--gc-sections",
                    ],
                )
            }
        };
        check(&folder, "program", &modules);
    }
    let output = folder.run(
        &[
            "embed",
            "m0.rmbc",
            "-o",
            "x.o",
            "--target",
            "arm64-apple-macos",
            "--no-load",
        ],
        b"",
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("Mach-O has no sections"));
}

#[test]
fn sections_are_added_to_linked_files() {
    let folder = folder("into");
    let modules = objects(&folder, "wasm32", &[]);
    folder.write("program.wasm", b"\0asm\x01\0\0\0\x01\x01\0");
    run(
        &folder,
        RMLIR,
        &["embed", "--into", "program.wasm", "m0.rmbc", "m1.mlirbc"],
    );
    check(&folder, "program.wasm", &modules[..2]);
    elf_files_get_a_section(&folder, &modules);
    if let Some(linker) = find(&["ld64.lld-22"]) {
        objects(&folder, "arm64-apple-macos", &[]);
        run(
            &folder,
            &linker,
            &[
                "-arch",
                "arm64",
                "-platform_version",
                "macos",
                "13.0",
                "13.0",
                "-dylib",
                "-o",
                "signed.dylib",
                "a.o",
                "-undefined",
                "dynamic_lookup",
            ],
        );
        let output = folder.run(&["embed", "--into", "signed.dylib", "m0.rmbc"], b"");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("is signed"),
            "{output:?}"
        );
    }
}

/// Adds a section to a program that then still runs, and to one that is signed.
fn elf_files_get_a_section(folder: &Folder, modules: &[Vec<u8>]) {
    let Some(compiler) = find(&["cc", "gcc"]) else {
        println!("SKIPPED: there is no C compiler");
        return;
    };
    folder.write("main.c", "int main(void) { return 7; }\n");
    run(folder, &compiler, &["main.c", "-o", "plain"]);
    let files = ["m0.rmbc", "m1.mlirbc", "m2.mlirbc", "m3.rmbc"];
    let mut arguments = vec!["embed", "--into", "plain", "-o", "changed"];
    arguments.extend(files);
    run(folder, RMLIR, &arguments);
    check(folder, "changed", modules);
    let changed = folder.file("changed");
    let output = folder.run_program(changed.to_str().unwrap(), &[], b"");
    assert_eq!(output.status.code(), Some(7));
    if let Some(objcopy) = find(&["llvm-objcopy-22"]) {
        let arguments = ["--dump-section=.rmlir=section.bin", "changed", "copy"];
        run(folder, &objcopy, &arguments);
        check_section(&folder.read("section.bin"), modules, "llvm-objcopy");
    }
    let signature = b"~Module signature appended~\n".to_vec();
    folder.write("signed.ko", [folder.read("plain"), signature].concat());
    let output = folder.run(&["embed", "--into", "signed.ko", "m0.rmbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("signed"));
    // Programs with an archive at the end, which look for it there.
    folder.write("appended", [folder.read("plain"), b"PK".to_vec()].concat());
    let before = folder.read("appended");
    let output = folder.run(&["embed", "--into", "appended", "m0.rmbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 bytes follow the ELF file"));
    assert_eq!(folder.read("appended"), before);
    // The same module again.
    let before = folder.read("changed");
    let output = folder.run(&["embed", "--into", "changed", "m3.rmbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a module named 'm3' already"));
    assert_eq!(folder.read("changed"), before);
}

/// A program sees neither sections that are attached nor those of a library that it loads.
#[test]
#[cfg(target_os = "linux")]
fn c_programs_find_no_modules_of_others() {
    let folder = folder("c-others");
    let Some(compiler) = find(&["cc", "gcc"]) else {
        println!("SKIPPED: there is no C compiler");
        return;
    };
    let target = format!("{}-linux-gnu", std::env::consts::ARCH);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../embed/include");
    let include = format!("-I{}", include.display());
    folder.write(
        "count.c",
        "#include \"rmlir_embed.h\"\nint used(void);\nint FUNCTION(void) {\n\
         \x20   const unsigned char *at, *end;\n    rmlir_module module;\n    int count = 0;\n\
         \x20   if (rmlir_own(&at, &end))\n        while (rmlir_next(&at, end, &module)) count++;\n\
         \x20   return count;\n}\n",
    );
    let count = |program: &str| {
        let path = folder.file(program);
        let output = folder.run_program(path.to_str().unwrap(), &[], b"");
        output.status.code()
    };
    for linker in ["bfd", "gold", "lld"] {
        let Some(path) = find(&[&format!("ld.{linker}")]) else {
            println!("SKIPPED: there is no ld.{linker}");
            continue;
        };
        let folder_of_linker = Path::new(&path).parent().unwrap();
        let folder_of_linker = format!("-B{}", folder_of_linker.display());
        let linker = format!("-fuse-ld={linker}");
        objects(&folder, &target, &["--no-load"]);
        let attached = [
            &include,
            &folder_of_linker,
            &linker,
            "-fPIE",
            "-pie",
            "-DFUNCTION=main",
            "count.c",
            "a.o",
            "b.o",
            "-o",
            "attached",
        ];
        run(&folder, &compiler, &attached);
        assert_eq!(count("attached"), Some(0), "{linker}");
        objects(&folder, &target, &[]);
        let library = [
            &include,
            &folder_of_linker,
            &linker,
            "-fPIC",
            "-shared",
            "-DFUNCTION=used",
            "count.c",
            "a.o",
            "-o",
            "library.so",
        ];
        run(&folder, &compiler, &library);
        folder.write(
            "main.c",
            "int used(void);\nint own(void);\nint main(void) { return used() * 16 + own(); }\n",
        );
        let program = [
            &include,
            &folder_of_linker,
            &linker,
            "-DFUNCTION=own",
            "main.c",
            "count.c",
            "./library.so",
            "-Wl,-rpath,.",
            "-o",
            "program",
        ];
        run(&folder, &compiler, &program);
        assert_eq!(count("program"), Some(32), "{linker}");
    }
}

/// The C header and the C files, compiled, linked and run: with a compiler that has `#embed`, and
/// by an assembler's directive.
#[test]
fn c_programs_find_their_modules() {
    let mut seen = [false; 2];
    for (number, compiler) in ["cc", "gcc", "gcc-15", "clang"].iter().enumerate() {
        let Some(compiler) = find(&[compiler]) else {
            continue;
        };
        let folder = folder(&format!("c{number}"));
        c_program(&folder, &compiler, "-std=gnu99");
        seen[0] = true;
        if has_embed(&folder, &compiler) {
            c_program(&folder, &compiler, "-std=c23");
            seen[1] = true;
        }
    }
    for (seen, by) in seen.iter().zip([".incbin", "#embed"]) {
        if !seen {
            println!("SKIPPED: there is no C compiler that reads files by {by}");
        }
    }
}

fn has_embed(folder: &Folder, compiler: &str) -> bool {
    folder.write("test.c", "#ifdef __has_embed\nhas it\n#endif\n");
    let test = try_run(folder, compiler, &["-std=c23", "-E", "test.c"]);
    test.is_ok_and(|text| text.contains("has it"))
}

fn c_program(folder: &Folder, compiler: &str, standard: &str) {
    let modules = objects(
        folder,
        &format!("{}-linux-gnu", std::env::consts::ARCH),
        &[],
    );
    run(
        folder,
        RMLIR,
        &["embed", "--c", "other=m2.mlirbc", "-o", "model"],
    );
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../embed/include");
    folder.write(
        "main.c",
        "#include <stdio.h>\n#include \"rmlir_embed.h\"\n#include \"model.h\"\n\
         int main(void) {\n    const unsigned char *at, *end;\n    rmlir_module module;\n    if (!rmlir_own(&at, &end)) return 1;\n\
         \x20   while (rmlir_next(&at, end, &module))\n        printf(\"%.*s %zu %d\\n\", (int)module.name_length, module.name, module.length, module.format);\n\
         \x20   if (!rmlir_find(\"m3\", &module) || rmlir_find(\"m\", &module)) return 2;\n\
         \x20   at = rmlir_model; end = at + RMLIR_MODEL_BYTES;\n    if (!rmlir_next(&at, end, &module)) return 3;\n\
         \x20   fwrite(module.data, 1, module.length, stderr);\n\
         \x20   if (!rmlir_is_intact(&module)) return 4;\n\
         \x20   static unsigned char copy[RMLIR_MODEL_BYTES]; memcpy(copy, rmlir_model, sizeof copy);\n\
         \x20   copy[module.data - rmlir_model + 9] ^= 4; at = copy; end = copy + sizeof copy;\n\
         \x20   if (!rmlir_next(&at, end, &module) || rmlir_is_intact(&module)) return 5;\n\
         \x20   for (int i = 0; i < 36; i++) {\n        memcpy(copy, rmlir_model, sizeof copy); copy[i] ^= 1; at = copy;\n\
         \x20       if (rmlir_next(&at, end, &module)) return 6 + i;\n    }\n    return 0;\n}\n",
    );
    let include = format!("-I{}", include.display());
    run(
        folder,
        compiler,
        &[
            standard, "-Wall", "-Wextra", "-Werror", &include, "main.c", "model.c", "a.o", "b.o",
            "-o", "program",
        ],
    );
    let source = run(folder, compiler, &[standard, "-E", &include, "model.c"]);
    assert_eq!(source.contains(".incbin"), standard != "-std=c23");
    let program = folder.file("program");
    let output = folder.run_program(program.to_str().unwrap(), &[], b"");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, modules[2]);
    let mut lines: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort();
    let mut expected: Vec<String> = (0..4)
        .map(|number| {
            format!(
                "m{number} {} {}",
                modules[number].len(),
                if number % 3 == 0 { 2 } else { 3 }
            )
        })
        .collect();
    expected.push(format!("other {} 3", modules[2].len()));
    assert_eq!(lines, expected);
    if let Some(compiler) = find(&["c++", "g++"]) {
        folder.write("main.cc", folder.read("main.c"));
        run(
            folder,
            &compiler,
            &["-Wall", "-Werror", &include, "-c", "main.cc", "-o", "cc.o"],
        );
    }
}

/// A record that a script in another language wrote by the specification alone, in a section of
/// this program.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod linked {
    #[repr(C, align(16))]
    struct Aligned([u8; 112]);
    #[used]
    #[unsafe(link_section = "rmlir")]
    static RECORD: Aligned = Aligned(*include_bytes!("golden.record"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_prints_a_function_of_its_own() {
    let own = rmlir::embedded::own();
    let names: Vec<&str> = own.iter().map(|module| module.name).collect();
    assert_eq!(names, ["golden"]);
    let file = rmlir::embedded::file(&own[0], &Default::default()).unwrap();
    let golden = file.symbol("@golden").unwrap().unwrap();
    let (ir, function) = file.read_symbol(&golden).unwrap();
    let text = ir.to_string();
    assert!(
        text.contains("func.func @golden(%arg0: i32) -> i32"),
        "{text}"
    );
    assert_eq!(ir.get(function).name(), "func.func");
    println!("{text}");
    // Tools find it in the file of this program.
    let program = std::env::current_exe().unwrap();
    let program = program.to_str().unwrap();
    let listed = run(
        &folder("own"),
        RMLIR,
        &["list", program, "--module", "golden"],
    );
    assert!(listed.contains("@golden"), "{listed}");
}

/// A module of more than 17 MB in an object file: a function of it is read by position.
#[test]
fn little_of_a_large_module_is_read() {
    use rmlir::format::ReadRange;
    use rmlir::reader::lazy::LazyFile;

    let mut text = String::new();
    for number in 0..5_000 {
        text.push_str(&format!(
            "func.func @f{number}(%x: i32) -> i32 {{\n  %c = arith.constant {number} : i32\n  %0 = arith.addi %x, %c : i32\n  return %0 : i32\n}}\n"
        ));
    }
    let weights = "0123456789ABCDEF".repeat(2_200_000);
    text.push_str("func.func @weights() -> tensor<4400000xi32> {\n  %0 = arith.constant dense_resource<w> : tensor<4400000xi32>\n  return %0 : tensor<4400000xi32>\n}\n");
    text.push_str(&format!(
        "{{-# dialect_resources: {{ builtin: {{ w: \"0x04000000{weights}\" }} }} #-}}\n"
    ));
    let mut ir = rmlir::parse(text).unwrap();
    let bytes = ir.to_bytes(rmlir::Form::Rmbc, &Default::default()).unwrap();
    let folder = folder("large");
    folder.write("large.rmbc", &bytes);
    run(
        &folder,
        RMLIR,
        &[
            "embed",
            "large.rmbc",
            "-o",
            "large.o",
            "--target",
            "x86_64-linux-gnu",
        ],
    );
    let listed = run(&folder, RMLIR, &["unwrap", "large.o", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let start = listed["offset"].as_u64().unwrap();
    let file = std::fs::File::open(folder.file("large.o")).unwrap();
    let range = ReadRange::new(file, start..start + bytes.len() as u64).unwrap();
    let mut context = rmlir::ReadOptions::default().context();
    let options = rmlir::rmbc::ReadOptions::default();
    let range = std::sync::Arc::new(range);
    let file = rmlir::rmbc::File::positioned(&context, range, &options).unwrap();
    let path = rmlir::SymbolPath::parse("@f4000").unwrap();
    let symbol = file.symbol(&path).unwrap().unwrap();
    file.read_symbol(&mut context, &symbol).unwrap();
    println!(
        "{} bytes of {} were read",
        file.bytes_touched(),
        bytes.len()
    );
    assert!(bytes.len() > 17_000_000);
    assert!(file.bytes_touched() < 300_000);
}

/// The class, the machine and the flags of an ELF file. That programs for RISC-V may have
/// compressed instructions is left out, as data has none.
fn elf_abi(bytes: &[u8]) -> (u8, u16, u32) {
    let (class, data) = (bytes[4], bytes[5]);
    let at = if class == 2 { 48 } else { 36 };
    let (machine, flags) = (&bytes[18..20], &bytes[at..at + 4]);
    let (machine, flags) = match data {
        2 => (
            u16::from_be_bytes(machine.try_into().unwrap()),
            u32::from_be_bytes(flags.try_into().unwrap()),
        ),
        _ => (
            u16::from_le_bytes(machine.try_into().unwrap()),
            u32::from_le_bytes(flags.try_into().unwrap()),
        ),
    };
    let flags = if machine == 243 { flags & !1 } else { flags };
    (class, machine, flags)
}

/// Object files state the ABI that those of clang do, and linkers take both.
#[test]
fn objects_have_the_abi_of_clang() {
    let Some(clang) = find(&["clang-22", "clang"]) else {
        println!("SKIPPED: there is no clang");
        return;
    };
    let folder = folder("abi");
    folder.write("m.mlir", "module {}");
    folder.write("main.c", "int main(void) { return 0; }\n");
    let lld = find(&["ld.lld-22", "ld.lld"]);
    for triple in [
        "riscv32-unknown-elf",
        "riscv64-unknown-elf",
        "riscv64-unknown-none",
        "riscv64",
        "riscv32-linux-gnu",
        "riscv64-linux-gnu",
        "riscv64-unknown-linux-musl",
        "riscv64-unknown-freebsd",
        "riscv64-unknown-fuchsia",
        "riscv64-linux-android",
        "riscv64-unknown-openbsd",
        "riscv64-unknown-hermit",
        "loongarch64-linux-gnu",
        "loongarch64-linux-gnusf",
        "loongarch64-linux-muslsf",
        "loongarch64-linux-gnuf32",
        "loongarch64-unknown-none",
        "x86_64-linux-gnu",
        "x86_64-linux-gnux32",
        "aarch64-linux-gnu",
        "aarch64-linux-gnu_ilp32",
        "arm-none-eabi",
        "armv7-linux-gnueabihf",
        "armv5te-linux-gnueabi",
        "thumbv6m-none-eabi",
        "thumbv7em-none-eabi",
        "i686-linux-gnu",
        "powerpc64le-linux-gnu",
        "s390x-linux-gnu",
    ] {
        let target = format!("--target={triple}");
        let compile = [
            &target[..],
            "-ffreestanding",
            "-c",
            "main.c",
            "-o",
            "main.o",
        ];
        run(&folder, &clang, &compile);
        let embed = ["embed", "m.mlir", "--target", triple, "-o", "ir.o"];
        run(&folder, RMLIR, &embed);
        let (theirs, ours) = (folder.read("main.o"), folder.read("ir.o"));
        assert_eq!(elf_abi(&ours), elf_abi(&theirs), "{triple}");
        if let Some(lld) = &lld {
            let link = ["-e", "main", "main.o", "ir.o", "-o", "program"];
            run(&folder, lld, &link);
            let other = match triple.split('-').next() {
                Some("riscv64") => "lp64f",
                Some("riscv32") => "ilp32f",
                _ => continue,
            };
            run(&folder, RMLIR, &[&embed[..], &["--abi", other]].concat());
            let refused = try_run(&folder, lld, &link).unwrap_err();
            assert!(refused.contains("floating-point ABI"), "{refused}");
        }
    }
}

/// Rust's targets for RISC-V and LoongArch have the ABI that its compiler says.
#[test]
fn objects_have_the_abi_of_rustc() {
    let rustc = |arguments: &[&str]| {
        let mut command = Command::new("rustc");
        command.args(arguments).env("RUSTC_BOOTSTRAP", "1");
        let output = command
            .output()
            .ok()
            .filter(|output| output.status.success());
        output.map(|output| String::from_utf8(output.stdout).unwrap())
    };
    let Some(targets) = rustc(&["--print", "target-list"]) else {
        println!("SKIPPED: there is no rustc");
        return;
    };
    let folder = folder("abi-rustc");
    folder.write("m.mlir", "module {}");
    let mut count = 0;
    for target in targets.lines() {
        if !target.starts_with("riscv") && !target.starts_with("loongarch") {
            continue;
        }
        let print = [
            "-Zunstable-options",
            "--print",
            "target-spec-json",
            "--target",
            target,
        ];
        let spec = rustc(&print).unwrap();
        let spec: serde_json::Value = serde_json::from_str(&spec).unwrap();
        let Some(abi) = spec["llvm-abiname"].as_str() else {
            println!("{target}: no ABI is stated");
            continue;
        };
        let embed = ["embed", "m.mlir", "-o", "ir.o", "--target", target];
        run(&folder, RMLIR, &embed);
        let ours = folder.read("ir.o");
        run(&folder, RMLIR, &[&embed[..], &["--abi", abi]].concat());
        assert_eq!(ours, folder.read("ir.o"), "{target}: {abi}");
        count += 1;
    }
    println!("{count} targets");
    assert!(count > 20);
}

#[test]
fn targets_that_are_not_supported_are_refused() {
    let folder = folder("abi-refused");
    folder.write("m.mlir", "module {}");
    for (arguments, expected) in [
        (&["z80-unknown-none"][..], "'z80-unknown-none' is unknown"),
        (&["aarch64_be-linux-gnu"], "is unknown"),
        (&["armebv7r-none-eabi"], "is unknown"),
        (&["riscv64xyw-none"], "are not extensions of RISC-V"),
        (&["i686-linux-gnux32"], "has an ABI that is unknown"),
        (&["aarch64-linux-ilp32"], "has an ABI that is unknown"),
        (
            &["riscv64-linux-gnu", "--abi", "ilp32"],
            "the ABI 'ilp32' is not one of riscv64: lp64, lp64f, lp64d, lp64q, lp64e",
        ),
        (&["x86_64-linux-gnu", "--abi", "x32"], "cannot be chosen"),
    ] {
        let mut all = vec!["embed", "m.mlir", "-o", "ir.o", "--target"];
        all.extend(arguments);
        let output = folder.run(&all, b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
        assert!(!folder.file("ir.o").exists());
    }
}

/// What has no content or no name is not embedded, and `-` is a standard stream everywhere.
#[test]
fn inputs_without_content_or_name() {
    let folder = folder("embed-inputs");
    folder.write("empty.mlir", "");
    folder.write("comment.mlir", "// nothing\n\n");
    folder.write("m.mlir", "module {}");
    folder.write("bad.mlir", "module {");
    for (arguments, code, expected) in [
        (
            &["empty.mlir"][..],
            1,
            "empty.mlir: there is nothing to embed",
        ),
        (
            &["comment.mlir"],
            1,
            "comment.mlir: there is nothing to embed",
        ),
        (&["x=-"], 1, "<stdin>: there is nothing to embed"),
        (&["-"], 2, "needs a name: '--name NAME' or NAME=-"),
        (&[], 2, "needs a name: '--name NAME' or NAME=-"),
        (&["--name", "x"], 1, "<stdin>: there is nothing to embed"),
        (&["--name", ""], 2, "'-' has no name"),
        (
            &["--name", "x", "m.mlir", "y=m.mlir"],
            2,
            "names one module",
        ),
        (&["--name", "x", "y=m.mlir"], 2, "both name the module"),
        (&["a=-", "b=-"], 2, "named twice"),
        (&["=m.mlir"], 2, "'=m.mlir' has no name"),
        (&["x="], 2, "'x=' has no file"),
        (&["m.mlir", "-o", "./m.mlir"], 2, "it would be replaced"),
        (
            &["m.mlir", "m=m.mlir"],
            1,
            "m.mlir, m=m.mlir: two modules are named 'm'",
        ),
        (&["missing.mlir"], 1, "missing.mlir"),
        (&["bad.mlir"], 1, "bad.mlir:1:9"),
        (&["m.mlir", "--into", "missing"], 1, "missing: No such file"),
        (
            &["m.mlir", "--into", "m.mlir"],
            1,
            "m.mlir: the format is unknown",
        ),
        (&["m.mlir", "-o", "missing/ir.o"], 1, "missing/ir.o"),
        (&["m.mlir", "--c", "-o", "missing/ir"], 1, "missing/ir"),
    ] {
        let mut all = vec!["embed"];
        all.extend(arguments);
        if !all.contains(&"-o") && !all.contains(&"--into") {
            all.extend(["-o", "ir.o"]);
        }
        let output = folder.run(&all, b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!folder.file("ir.o").exists() && !folder.file("-").exists());
    }
    let embedded = |arguments: &[&str]| {
        let arguments = [&["embed", "--target", "wasm32", "-o", "-"], arguments].concat();
        folder.run(&arguments, b"module @in {}").stdout
    };
    let expected = embedded(&["in=-"]);
    assert!(embedded(&["--name", "in"]) == expected);
    assert!(embedded(&["--name", "in", "-"]) == expected);
    let output = folder.run(
        &["embed", "in=-", "--target", "wasm32", "-o", "-"],
        b"module @in {}",
    );
    assert!(output.status.success());
    folder.write("in.wasm", &output.stdout);
    assert!(run(&folder, RMLIR, &["unwrap", "--list", "in.wasm"]).contains(":in"));
    // A program through standard input and output.
    let wasm = b"\0asm\x01\0\0\0";
    folder.write("p.wasm", wasm);
    for arguments in [
        &["embed", "m.mlir", "--into", "p.wasm", "-o", "-"][..],
        &["embed", "m.mlir", "--into", "-"],
    ] {
        let output = folder.run(arguments, wasm);
        assert!(output.status.success(), "{output:?}");
        folder.write("q.wasm", &output.stdout);
        assert!(run(&folder, RMLIR, &["unwrap", "--list", "q.wasm"]).contains("rmlir:m"));
        assert_eq!(folder.read("p.wasm"), wasm);
        assert!(!folder.file("-").exists());
    }
}
