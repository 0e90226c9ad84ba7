//! cache FOLDER INPUT OUTPUT: runs `mlir-opt-22 --canonicalize --cse` function by function, and
//! keeps each result in FOLDER under the fingerprint of the function with all that it refers to.

use rmlir::ir::{LinkOptions, References};
use rmlir::{File, Ir, Symbol};
use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const TOOL: &str = "mlir-opt-22";
const FLAGS: [&str; 2] = ["--canonicalize", "--cse"];

/// Runs the tool on a module, and stores one symbol of its output.
fn run(piece: &mut Ir, symbol: &str, to: &Path) -> Result<()> {
    let [input, output] = ["in.mlirbc", "out.mlirbc"].map(|extension| to.with_extension(extension));
    piece.save(&input)?;
    let mut command = Command::new(TOOL);
    let done = command
        .arg(&input)
        .args(FLAGS)
        .args(["--emit-bytecode", "-o"])
        .arg(&output)
        .output()?;
    fs::remove_file(&input)?;
    if !done.status.success() {
        return Err(format!("{symbol}: {}", String::from_utf8_lossy(&done.stderr)).into());
    }
    let mut result = rmlir::open(&output)?;
    fs::remove_file(&output)?;
    result.extract(&[symbol], References::Open)?;
    Ok(result.save(to)?)
}

/// Optimizes the functions of a file. Returns the result and how many functions were found in the
/// folder.
pub(crate) fn optimize(folder: &Path, input: &Path) -> Result<(Ir, usize)> {
    let version = Command::new(TOOL).arg("--version").output()?;
    let version = String::from_utf8(version.stdout)?;
    let words: Vec<&str> = version.split_whitespace().chain(FLAGS).collect();
    let folder = folder.join(words.join("_").replace('/', "_"));
    fs::create_dir_all(&folder)?;

    let file = File::open(input)?;
    let symbols = file
        .symbols()?
        .into_iter()
        .filter(|symbol| symbol.path.parent().is_none());
    let is_function = |symbol: &Symbol| *symbol.operation == *b"func.func";
    let (functions, others): (Vec<_>, Vec<_>) = symbols.partition(is_function);
    let mut pieces = vec![file.read_symbols(&others)?];
    let mut hits = 0;
    for function in functions {
        let name = function.path.to_string();
        let mut piece = file.read_with_references(&[function])?;
        // Functions that call each other have the same fingerprint.
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let key = format!("{}-{:x}.rmbc", piece.fingerprint(), hasher.finish());
        let path = folder.join(key);
        // Damage is noticed: every byte has a checksum.
        let known = rmlir::open(&path);
        hits += usize::from(known.is_ok());
        pieces.push(known.or_else(|_| {
            run(&mut piece, &name, &path)?;
            rmlir::open(&path).map_err(Box::<dyn Error>::from)
        })?);
    }
    let mut options = LinkOptions::default();
    options.one_scope = true;
    let mut linked = rmlir::link(&pieces.iter().collect::<Vec<_>>(), &options)?;
    linked.verify()?;
    Ok((linked, hits))
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, input, output] = &arguments[..] else {
        return Err("usage: cache FOLDER INPUT OUTPUT".into());
    };
    let (mut linked, _) = optimize(folder.as_ref(), input.as_ref())?;
    Ok(linked.save(output)?)
}
