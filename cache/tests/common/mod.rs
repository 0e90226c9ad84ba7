//! Helpers of the tests: folders, servers, mounts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code
)]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An empty folder, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("rmlir-cache-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Says loudly that a test does not run.
pub(crate) fn skipped(reason: &str) {
    println!("!!! SKIPPED: {reason}");
}

/// A server that ends with the test.
pub(crate) struct Server(pub(crate) Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a port that is free now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Waits until a server answers.
pub(crate) fn wait_for_port(port: u16) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// Returns whether a program can be run.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A mounted file system, unmounted at the end.
pub(crate) struct Mount(PathBuf);

impl Mount {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("fusermount").arg("-uz").arg(&self.0).status();
        let _ = Command::new("fusermount3").arg("-uz").arg(&self.0).status();
    }
}

/// Mounts a folder of a folder through sshfs, whose server is a process of its own without a
/// network.
pub(crate) fn mount_sshfs(folder: &Folder) -> Option<Mount> {
    let servers = [
        "/usr/lib/openssh/sftp-server",
        "/usr/libexec/openssh/sftp-server",
    ];
    let Some(server) = servers.into_iter().find(|path| Path::new(path).exists()) else {
        skipped("sshfs: there is no sftp-server");
        return None;
    };
    if !has("sshfs", &["--version"]) {
        skipped("sshfs is not installed");
        return None;
    }
    let (behind, mount) = (folder.path().join("behind"), folder.path().join("mount"));
    std::fs::create_dir_all(&behind).unwrap();
    std::fs::create_dir_all(&mount).unwrap();
    // sshfs runs its "ssh_command" with arguments that a server does not know.
    let script = folder.path().join("ssh");
    std::fs::write(&script, format!("#!/bin/sh\nexec {server}\n")).unwrap();
    let mut permissions = std::fs::metadata(&script).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&script, permissions).unwrap();
    let output = Command::new("sshfs")
        .arg(format!("localhost:{}", behind.display()))
        .arg(&mount)
        .arg("-o")
        .arg(format!("ssh_command={}", script.display()))
        .output()
        .unwrap();
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        skipped(&format!("sshfs cannot mount here: {}", reason.trim()));
        return None;
    }
    Some(Mount(mount))
}
