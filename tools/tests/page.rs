//! Opens the page of `rmlir size --html` in Chromium, and uses it as `page/check.js` does:
//! keyboard, search, addresses, tables, two files, 100,000 functions. `RMLIR_SCREENSHOTS=FOLDER`
//! also takes pictures, to be looked at.
//!
//! Without optimization, or without `chromium`, it prints SKIPPED.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

mod common;

use common::Folder;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The limit on the page of 100,000 functions, in bytes.
const MOST: usize = 2_000_000;

fn chromium(arguments: &[&str]) -> Option<String> {
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|program| {
            let output = Command::new(program)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                ])
                .args(["--window-size=1200,760"])
                .args(arguments)
                .stderr(Stdio::null())
                .output()
                .ok()?;
            String::from_utf8(output.stdout).ok()
        })
}

/// A module of 100,000 functions.
fn many_functions() -> String {
    let mut text = String::new();
    for number in 0..100_000 {
        let body = "  %0 = arith.addi %a, %a : i32\n".repeat(number % 7);
        let body = body.replace("%0", "%x");
        let mut lines = String::new();
        for (line, value) in body.lines().zip(0..) {
            writeln!(lines, "{}", line.replace("%x", &format!("%{value}"))).unwrap();
        }
        writeln!(
            text,
            "func.func @module_{}.function_{number}(%a: i32) {{\n{lines}  return\n}}",
            number / 100
        )
        .unwrap();
    }
    text
}

#[test]
fn the_page_works_in_chromium() {
    if cfg!(debug_assertions) {
        println!("SKIPPED: the page is tested with optimization, '--profile suite'");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = Folder::new("", "page");
    for name in ["baked", "model", "deeper", "relu"] {
        let path = root.join(format!("examples/tour/{name}.mlirbc"));
        folder.write(&format!("{name}.mlirbc"), std::fs::read(path).unwrap());
    }
    folder.write("many.mlir", many_functions());
    let check = std::fs::read_to_string(root.join("tools/tests/page/check.js")).unwrap();
    let has_chromium = chromium(&["--version"]).is_some();
    if !has_chromium {
        println!("SKIPPED: there is no chromium");
    }
    for (name, arguments) in [
        ("baked", &["baked.mlirbc"][..]),
        ("two", &["--diff", "model.mlirbc", "deeper.mlirbc"]),
        ("smaller", &["--diff", "model.mlirbc", "relu.mlirbc"]),
        ("many", &["many.mlir"]),
    ] {
        let html = format!("{name}.html");
        let arguments = [&["size", "--html", &html], arguments].concat();
        let program = env!("CARGO_BIN_EXE_rmlir");
        let done = folder.run_program(program, &arguments, &[]);
        assert!(done.status.success(), "{done:?}");
        let page = String::from_utf8(folder.read(&html)).unwrap();
        assert!(page.len() < MOST, "{name} takes {} bytes", page.len());
        assert!(!page.contains("http://") && !page.contains("https://"));
        if !has_chromium {
            continue;
        }
        let with_check = page.replace("</body>", &format!("<script>{check}</script>\n</body>"));
        folder.write("check.html", with_check);
        let address = |name: &str| format!("file://{}", folder.file(name).display());
        let text = chromium(&["--dump-dom", &address("check.html")]).unwrap();
        let (_, results) = text
            .split_once("<script type=\"application/json\" id=\"results\">")
            .unwrap_or_else(|| panic!("{name}: the page gave up: {text:.2000}"));
        let results = results.split("</script>").next().unwrap();
        println!("{name}, {} bytes: {results}", page.len());
        assert!(results.contains("\"failed\":[]"), "{name}: {results}");
        if let Some(pictures) = std::env::var_os("RMLIR_SCREENSHOTS") {
            for (view, option) in [
                ("places", ""),
                ("owners", "--blink-settings=preferredColorScheme=0"),
            ] {
                let picture = Path::new(&pictures).join(format!("{name}-{view}.png"));
                let picture = format!("--screenshot={}", picture.display());
                let address = format!("{}#view={view}", address(&html));
                let option = if option.is_empty() {
                    "--mute-audio"
                } else {
                    option
                };
                chromium(&[&picture, option, &address]).unwrap();
            }
        }
    }
}
