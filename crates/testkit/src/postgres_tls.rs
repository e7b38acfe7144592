//! TLS for a PostgreSQL of the tests' own.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::postgres::Server;

/// A user who may do everything and gets in over TLS only, with a password.
pub const USER: &str = "guest";

/// The password of [`USER`], by SCRAM.
pub const PASSWORD: &str = "a-guest-of-the-house";

/// Who gets in: whoever makes databases for tests as before, everybody else over TLS only.
const DOORS: &str = "host all maproom 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";

/// How long a server may take until it has read that.
const PATIENCE: Duration = Duration::from_secs(120);

/// Lets a server show this certificate, with this key (both as PEM), to whoever comes from now on. It may be called again with
/// another one.
///
/// # Panics
///
/// If that is not possible.
pub fn speak_tls(server: &Server, certificate: &str, key: &str) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let ask = |statement: &str| server.ask("postgres", statement);
    let name = format!("server-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    keep(server, &format!("{name}.crt"), certificate);
    keep(server, &format!("{name}.key"), key);
    keep(server, "pg_hba.conf", DOORS);
    if ask(&format!("SELECT 1 FROM pg_roles WHERE rolname = '{USER}'")).is_empty() {
        ask(&format!(
            "SET password_encryption = 'scram-sha-256'; CREATE ROLE {USER} SUPERUSER LOGIN PASSWORD '{PASSWORD}'"
        ));
    }
    ask(&format!("ALTER SYSTEM SET ssl_cert_file = '{name}.crt'"));
    ask(&format!("ALTER SYSTEM SET ssl_key_file = '{name}.key'"));
    ask("ALTER SYSTEM SET ssl = on");
    read_again(server, "ssl_cert_file", &format!("{name}.crt"));
}

/// Changes one of a server's settings for whoever comes from now on.
///
/// # Panics
///
/// If that is not possible.
pub fn set(server: &Server, setting: &str, value: &str) {
    server.ask("postgres", &format!("ALTER SYSTEM SET {setting} = '{value}'"));
    read_again(server, setting, value);
}

/// Writes a file into a server's folder, for its eyes only. It goes when the server does.
///
/// # Panics
///
/// If that is not possible.
pub fn keep(server: &Server, name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(server.ask("postgres", "SHOW data_directory"));
    let file = folder.join(name);
    let write = |file: &Path| {
        let mut open = OpenOptions::new();
        open.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        open.open(file)?.write_all(text.as_bytes())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, chown};
            let owner = folder.metadata()?;
            chown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
        Ok::<_, std::io::Error>(())
    };
    write(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    file
}

/// Lets a server read its settings, and waits until those who come find this one.
fn read_again(server: &Server, setting: &str, value: &str) {
    server.ask("postgres", "SELECT pg_reload_conf()");
    let until = Instant::now() + PATIENCE;
    while server.ask("postgres", &format!("SHOW {setting}")) != value {
        assert!(Instant::now() < until, "{setting} does not become {value}");
        thread::sleep(Duration::from_millis(20));
    }
}
