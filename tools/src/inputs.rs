//! Commands with several inputs.

use crate::Failure;
use crate::load::LoadOptions;
use crate::progress::Progress;
use clap::Args;
use rmlir::format::Threads;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// The inputs of a command that takes several.
#[derive(Args, Clone, Debug)]
pub struct Inputs {
    /// The input files; `-` is standard input
    ///
    /// Of a folder, all files in it and its subfolders whose names end in .mlir, .mlirbc or .rmbc,
    /// in the order of their names. If there are none, the module that is in the other files.
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<String>,
}

impl Inputs {
    /// Returns the inputs, with the files of folders. If a module is selected by its index or
    /// name, a folder is one input, whose modules have the indices of 'unwrap --list'.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, standard input is named twice, or an option of `load` has no
    /// effect on any of several inputs.
    pub fn paths(&self, load: &LoadOptions) -> Result<Vec<String>, Failure> {
        if self.inputs.iter().filter(|path| *path == "-").count() > 1 {
            let message = "standard input can be read only once, but '-' is named twice";
            return Err(Failure::Usage(message.to_owned()));
        }
        let paths = with_files_of_folders(&self.inputs, load)?;
        if paths.len() > 1 {
            load.check_forms(&paths)?;
        }
        Ok(paths)
    }
}

/// Returns inputs with the files of folders instead of these. A folder without files of modules
/// remains, as do all if a module is selected by its index or name.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn with_files_of_folders(
    inputs: &[String],
    load: &LoadOptions,
) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::new();
    for path in inputs {
        if path != "-" && !load.selects_module() && Path::new(path).is_dir() {
            let count = paths.len();
            files_in(path, &mut paths)?;
            if paths.len() == count {
                // A SavedModel, a cache of Triton, or nothing, which is an error.
                paths.push(path.clone());
            }
        } else {
            paths.push(path.clone());
        }
    }
    Ok(paths)
}

/// Returns the inputs and the symbols of a command line `INPUT [SYMBOL or FILE]...`: the name of a
/// file that exists is an input, unless it begins with `@`. If INPUT is a symbol and there is no
/// other input, the input is standard input.
///
/// # Errors
///
/// If standard input is named twice.
pub fn inputs_and_symbols(
    input: &str,
    others: &[String],
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let is_file = |name: &&String| !name.starts_with('@') && Path::new(name).is_file();
    let (files, symbols): (Vec<&String>, Vec<&String>) = others.iter().partition(is_file);
    if input.starts_with('@') {
        let inputs: Vec<String> = match files.is_empty() {
            true => vec!["-".to_owned()],
            false => files.into_iter().cloned().collect(),
        };
        let symbols = std::iter::once(input.to_owned()).chain(symbols.into_iter().cloned());
        return Ok((inputs, symbols.collect()));
    }
    if input == "-" && others.iter().any(|name| name == "-") {
        let message = "standard input can be read only once, but '-' is named twice";
        return Err(Failure::Usage(message.to_owned()));
    }
    let inputs = std::iter::once(input.to_owned()).chain(files.into_iter().cloned());
    Ok((inputs.collect(), symbols.into_iter().cloned().collect()))
}

/// Returns the name of an input without folder and extension, for the name of an output.
pub fn stem(input: &str) -> &OsStr {
    match input {
        "-" => OsStr::new("stdin"),
        path => Path::new(path).file_stem().unwrap_or_default(),
    }
}

/// Returns the folder of each input: the given one, or for several inputs folders in it, with the
/// names of the inputs.
///
/// # Errors
///
/// If two inputs have the same name.
pub fn folders_of(folder: &str, paths: &[String]) -> Result<Vec<String>, Failure> {
    if let [_] = paths {
        return Ok(vec![folder.to_owned()]);
    }
    let mut taken: BTreeMap<PathBuf, &str> = BTreeMap::new();
    let mut folders = Vec::with_capacity(paths.len());
    for path in paths {
        let inner = Path::new(folder).join(stem(path));
        folders.push(inner.display().to_string());
        if let Some(other) = taken.insert(inner, path) {
            let message = format!("'{other}' and '{path}' have the same name without extension");
            return Err(Failure::Usage(message));
        }
    }
    Ok(folders)
}

/// Returns the failure of several inputs without a folder for their outputs; `output` is the
/// argument of `-o`.
pub fn no_folder(inputs: usize, output: Option<&str>) -> Failure {
    let why = match output {
        None | Some("-") => "'-o FOLDER', which exists".to_owned(),
        Some(output) if Path::new(output).exists() => format!("'{output}' is a file"),
        Some(output) => format!("'{output}' does not exist, create it first"),
    };
    Failure::Usage(format!(
        "{inputs} inputs need a folder for the outputs: {why}"
    ))
}

/// Adds the files in a folder. Links to folders are not followed, so the walk ends.
fn files_in(folder: &str, paths: &mut Vec<String>) -> Result<(), Failure> {
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let is_folder = path == folder
            || std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if !is_folder {
            paths.push(path);
            continue;
        }
        let failure = |error| Failure::io(&path, &error);
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let name = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let extension = name.extension().and_then(|extension| extension.to_str());
            if is_folder || matches!(extension, Some("mlir" | "mlirbc" | "rmbc")) {
                inside.extend(name.to_str().map(str::to_owned));
            }
        }
        inside.sort_unstable_by(|a, b| b.cmp(a));
        open.extend(inside);
    }
    Ok(())
}

/// Calls `work` for each item on several threads, and `consume` with the results in the order of
/// the items, as soon as they are known.
///
/// # Errors
///
/// The first error of `consume`, after which no further item is begun.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: Threads,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let workers = threads.count().min(items.len());
    if workers <= 1 {
        let progress = (items.len() > 1).then(|| Progress::files(items.len()));
        return items.iter().zip(1..).try_for_each(|(item, number)| {
            let consumed = consume(work(item));
            if let Some(progress) = &progress {
                progress.at(number);
            }
            consumed
        });
    }
    let next = AtomicUsize::new(0);
    let progress = Progress::files(items.len());
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..workers {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    if sender.send((number, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                wanted += 1;
                progress.at(wanted as u64);
                if let Err(failure) = consume(result) {
                    next.store(items.len(), Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use crate::Failure;
    use rmlir::format::Threads;

    #[test]
    fn results_are_in_order_whatever_the_threads() {
        let items: Vec<u64> = (0..500).collect();
        for threads in [1, 2, 7] {
            let mut found = Vec::new();
            let work = |&n: &u64| (0..(n * 7919) % 1000).fold(n, |a, b| a ^ b ^ b);
            in_order(&items, Threads::new(threads), work, |n| {
                found.push(n);
                Ok(())
            })
            .unwrap();
            assert_eq!(found, items);
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<u64> = (0..500).collect();
        let consume = |n| match n {
            3 => Err(Failure::BrokenPipe),
            _ => Ok(()),
        };
        assert!(in_order(&items, Threads::new(2), |&n| n, consume).is_err());
    }
}
