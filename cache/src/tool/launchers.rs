//! Programs that run other programs: their own content does not decide the result.

use std::path::Path;

/// Shells, interpreters, and programs that run the program that an argument names. Versions at the
/// end of a name do not count.
const LAUNCHERS: &[&str] = &[
    "ash",
    "bash",
    "bazel",
    "bun",
    "busybox",
    "ccache",
    "chroot",
    "chrt",
    "cmake",
    "cmd",
    "csh",
    "dash",
    "deno",
    "distcc",
    "docker",
    "doas",
    "env",
    "fakeroot",
    "fish",
    "flock",
    "gdb",
    "guile",
    "ionice",
    "java",
    "julia",
    "just",
    "ksh",
    "ld-linux",
    "ld-musl",
    "ld.so",
    "lldb",
    "lua",
    "luajit",
    "make",
    "mksh",
    "nice",
    "ninja",
    "node",
    "nodejs",
    "nohup",
    "numactl",
    "parallel",
    "perf",
    "perl",
    "php",
    "podman",
    "powershell",
    "prlimit",
    "proot",
    "pwsh",
    "pypy",
    "python",
    "pythonw",
    "qemu",
    "rlwrap",
    "rr",
    "ruby",
    "runuser",
    "sccache",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "sh",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tclsh",
    "time",
    "timeout",
    "toybox",
    "unshare",
    "valgrind",
    "watch",
    "wine",
    "xargs",
    "zsh",
];

/// Programs of several names, each of which does something else.
const MULTI_CALL: &[&str] = &["busybox", "coreutils", "toybox"];

/// Returns whether a program runs other programs, as far as its name tells: the name by which it
/// is called, or that of the file, if the first one is a symbolic link.
pub(super) fn is_launcher(path: &Path) -> bool {
    let is_known = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        LAUNCHERS.contains(&base(&name))
    };
    let file = std::fs::canonicalize(path);
    is_known(path) || file.is_ok_and(|file| !is_multi_call(&file) && is_known(&file))
}

fn is_multi_call(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    MULTI_CALL.contains(&base(&name))
}

/// Returns a name without the version and the extension of programs: `python` of `python3.12`,
/// `ld-linux` of `ld-linux-x86-64.so.2`.
fn base(name: &str) -> &str {
    for loader in ["ld-linux", "ld-musl", "ld.so"] {
        if name.starts_with(loader) {
            return loader;
        }
    }
    if name.starts_with("qemu-") {
        return "qemu";
    }
    let name = name.strip_suffix(".exe").unwrap_or(name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in [
            "sh",
            "/bin/bash",
            "python3.12",
            "python3",
            "env",
            "lua5.4",
            "/lib64/ld-linux-x86-64.so.2",
            "qemu-aarch64-static",
            "cmd.exe",
        ] {
            assert!(is_launcher(Path::new(name)), "{name}");
        }
        for name in [
            "mlir-opt-22",
            "mlir-opt",
            "iree-compile",
            "llc-19",
            "shader",
        ] {
            assert!(!is_launcher(Path::new(name)), "{name}");
        }
    }
}
