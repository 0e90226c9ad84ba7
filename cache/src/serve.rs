//! A server that speaks Bazel's HTTP protocol: GET, HEAD and PUT of `/ac/KEY` and `/cas/SHA256`.

use crate::Digest;
use crate::fs::RealFs;
use crate::remote::action_result::ActionResult;
use crate::remote::sha256;
use crate::store::Store;
use std::fmt;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tiny_http::{Method, Request, Response};

/// The largest object that is accepted by default.
const MAX_OBJECT: u64 = 1 << 30;
/// The name of the content without bytes, which every server has (Remote Execution API, version 2).
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// The number of requests that are answered at once.
const THREADS: usize = 8;

/// A server without authentication: whoever reaches the port can read and write, so clients
/// that do not trust each other need secrets ([`MacKeys`](crate::MacKeys)), or an own server each.
pub struct CacheServer {
    server: tiny_http::Server,
    store: Store,
    read_only: bool,
}

impl fmt::Debug for CacheServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheServer")
            .field("address", &self.address())
            .finish_non_exhaustive()
    }
}

/// The object that a path names.
enum Name {
    /// The value of an action.
    Action(String),
    /// A content, by its SHA-256.
    Content(String),
}

impl CacheServer {
    /// Starts to listen at an address such as `127.0.0.1:8080`; port 0 is any free one.
    ///
    /// # Errors
    ///
    /// If the address is in use or malformed.
    pub fn bind(address: &str, directory: impl AsRef<Path>) -> io::Result<Self> {
        let server = tiny_http::Server::http(address).map_err(io::Error::other)?;
        Ok(CacheServer {
            server,
            store: Store::open(directory.as_ref(), Arc::new(RealFs), false),
            read_only: false,
        })
    }

    /// Refuses to store anything.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Returns the address.
    pub fn address(&self) -> Option<SocketAddr> {
        self.server.server_addr().to_ip()
    }

    /// Answers requests until [`stop`](Self::stop) is called.
    pub fn run(&self) {
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while let Ok(request) = self.server.recv() {
                        // The server goes on when a client disconnects.
                        let _ = self.answer(request);
                    }
                });
            }
        });
    }

    /// Ends [`run`](Self::run).
    pub fn stop(&self) {
        for _ in 0..THREADS {
            self.server.unblock();
        }
    }

    fn answer(&self, mut request: Request) -> io::Result<()> {
        let Some(name) = parse(request.url()) else {
            return request.respond(Response::empty(404));
        };
        match request.method() {
            Method::Get | Method::Head => match self.read(&name) {
                Some(bytes) => request.respond(Response::from_data(bytes)),
                None => request.respond(Response::empty(404)),
            },
            Method::Put if self.read_only => request.respond(Response::empty(403)),
            Method::Put => {
                let mut bytes = Vec::new();
                let body = request.as_reader().take(MAX_OBJECT + 1);
                let read = { body }.read_to_end(&mut bytes);
                let declared = request.body_length();
                let is_whole = declared.is_none_or(|len| len == bytes.len());
                let status = match read {
                    Ok(_) if bytes.len() as u64 > MAX_OBJECT => 413,
                    Ok(_) if is_whole => self.write(&name, &bytes),
                    _ => 400,
                };
                request.respond(Response::empty(status))
            }
            _ => request.respond(Response::empty(405)),
        }
    }

    fn path(&self, folder: &str, name: &str) -> PathBuf {
        let shard = name.get(..2).unwrap_or("00");
        self.store.root().join(folder).join(shard).join(name)
    }

    fn read(&self, name: &Name) -> Option<Vec<u8>> {
        match name {
            Name::Content(name) if name == EMPTY => Some(Vec::new()),
            Name::Content(name) => {
                let path = self.path("http-cas", name);
                let bytes = content(&self.store, &path, name)?;
                self.store.used(&path);
                Some(bytes)
            }
            Name::Action(name) => {
                let path = self.path("http-ac", name);
                let bytes = action(&self.store, &path)?;
                // An action is served only if its contents are there. What other clients store
                // under these names need not be an ActionResult.
                if let Some(result) = ActionResult::decode(&bytes) {
                    let mut files = result.files.iter().filter(|file| file.sha256.len() == 64);
                    let is_there = |file: &str| {
                        file == EMPTY || is_name(file) && self.path("http-cas", file).is_file()
                    };
                    if !files.all(|file| is_there(&file.sha256)) {
                        return None;
                    }
                    // Contents live as long as the last action that names them.
                    for file in result.files.iter().filter(|file| is_name(&file.sha256)) {
                        self.store.used(&self.path("http-cas", &file.sha256));
                    }
                }
                self.store.used(&path);
                Some(bytes)
            }
        }
    }

    /// Stores an object, and returns the status of the answer.
    fn write(&self, name: &Name, bytes: &[u8]) -> u16 {
        let written = match name {
            Name::Content(name) if sha256(bytes) != *name => return 400,
            Name::Content(name) => self.store.publish(&self.path("http-cas", name), &[bytes]),
            Name::Action(name) => {
                let check = Digest::of(bytes);
                let path = self.path("http-ac", name);
                self.store.publish(&path, &[bytes, check.as_bytes()])
            }
        };
        match written {
            Ok(()) => 200,
            Err(error) if error.kind() == io::ErrorKind::StorageFull => 507,
            Err(_) => 500,
        }
    }
}

/// Reads a content and checks it. What is damaged is replaced by the next PUT.
fn content(store: &Store, path: &Path, name: &str) -> Option<Vec<u8>> {
    let bytes = store.read(path).ok()?;
    (sha256(&bytes) == name).then_some(bytes)
}

/// Reads the value of an action, which its hash follows.
fn action(store: &Store, path: &Path) -> Option<Vec<u8>> {
    let mut bytes = store.read(path).ok()?;
    let end = bytes.len().checked_sub(32)?;
    let check: [u8; 32] = bytes.get(end..)?.try_into().ok()?;
    bytes.truncate(end);
    (Digest::of(&bytes) == Digest::from_bytes(check)).then_some(bytes)
}

/// Returns whether a file that a server stored is undamaged.
pub(crate) fn is_sound(store: &Store, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|name| is_name(name)) else {
        return false;
    };
    let folder = path
        .parent()
        .and_then(Path::parent)
        .and_then(Path::file_name);
    match folder.and_then(|folder| folder.to_str()) {
        Some("http-cas") => content(store, path, name).is_some(),
        _ => action(store, path).is_some(),
    }
}

fn is_name(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.len() == 64 && name.bytes().all(is_digit)
}

/// Parses a path: `/ac/KEY` or `/cas/SHA256`, after any prefix.
fn parse(url: &str) -> Option<Name> {
    let path = url.split('?').next()?;
    let mut parts = path.rsplit('/');
    let name = parts.next().filter(|name| is_name(name))?;
    match parts.next()? {
        "ac" => Some(Name::Action(name.to_owned())),
        "cas" => Some(Name::Content(name.to_owned())),
        _ => None,
    }
}
