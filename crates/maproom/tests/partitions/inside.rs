//! How the test comes into a network of its own: it runs itself again in a new namespace, as root of a new user namespace if it is
//! not root already.

use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// The variable that says that it is there.
const INSIDE: &str = "MAPROOM_PARTITIONS_INSIDE";

/// Where administrators have their programs, which is on no ordinary user's path.
const SBIN: [&str; 2] = ["/usr/sbin", "/sbin"];

/// What it takes, and the package of Debian that has it.
const PROGRAMS: [(&str, &str); 4] =
    [("ip", "iproute2"), ("unshare", "util-linux"), ("nsenter", "util-linux"), ("setpriv", "util-linux")];

/// Runs a test of this binary in a network of its own, where it is `work` that is done. Where that is not possible the test is passed
/// over, and what is missing is said.
pub fn run(name: &str, work: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        end_with_the_other();
        return work();
    }
    match way_in() {
        Ok(words) => run_again(name, &words),
        Err(why) => {
            let _ = writeln!(io::stderr(), "{name}: passed over, because {why}");
        }
    }
}

/// The search path, with the programs of administrators.
fn path() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SBIN.map(PathBuf::from));
    std::env::join_paths(folders).unwrap_or(path)
}

/// The words before a command that is to run in a network of its own; the error says what is missing.
fn way_in() -> Result<Vec<&'static str>, String> {
    for (program, package) in PROGRAMS {
        let has_it = |folder: PathBuf| folder.join(program).is_file();
        if !std::env::split_paths(&path()).any(has_it) {
            return Err(format!("`{program}` is missing (Debian: apt-get install {package})"));
        }
    }
    let mut last = String::new();
    for words in [&["unshare", "--net", "--"][..], &["unshare", "--user", "--map-root-user", "--net", "--"]] {
        let mut trial = Command::new(words[0]);
        trial.args(&words[1..]).args(["ip", "tuntap", "add", "dev", "trial", "mode", "tun"]);
        let tried = trial.env("PATH", path()).stdin(Stdio::null()).output();
        match tried {
            Ok(tried) if tried.status.success() => return Ok(words.to_vec()),
            Ok(tried) => last = String::from_utf8_lossy(&tried.stderr).trim().to_owned(),
            Err(why) => last = why.to_string(),
        }
    }
    Err(format!(
        "this user may make no network namespace with a TUN device in it ({last}). It takes either root, or user namespaces for all \
         (`unshare --user --map-root-user --net`) and a /dev/net/tun that all may write to"
    ))
}

/// Runs a test of this binary by its name, and only that.
fn run_again(name: &str, words: &[&str]) {
    // Whatever is made in there goes with this, also after a panic. PostgreSQL runs as another user.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o711)).expect("its owner");
    let own = std::env::current_exe().expect("this program");
    let mut inner = Command::new(words[0]);
    inner.args(&words[1..]).arg(own).args(["--exact", name, "--nocapture", "--test-threads", "1"]);
    inner.env(INSIDE, "1").env("TMPDIR", folder.path()).env("PATH", path());
    // As long as this is open, the test goes on in there.
    inner.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut inner = inner.spawn().expect("unshare starts");
    let lifeline = inner.stdin.take();
    let status = inner.wait().expect("it ends");
    drop(lifeline);
    assert!(status.success(), "the test in a network of its own has failed; it has said why above");
}

/// Ends with the process that began this one.
fn end_with_the_other() {
    thread::spawn(|| {
        let _ = io::stdin().read(&mut [0]);
        std::process::exit(1);
    });
}
