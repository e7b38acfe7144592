//! Keys of workers and desks: pairs of Ed25519, as NATS writes them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use nkeys::KeyPair;

/// A key that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// Its public half, for the configuration of the server.
    pub public: String,
}

/// Makes a key and writes its secret half into a new file that only its owner can read.
pub fn new_key(file: &Path) -> Result<NewKey, String> {
    let fail = |why: String| format!("can't write {}: {why}", file.display());
    let pair = KeyPair::new_user();
    let seed = pair.seed().map_err(|why| fail(why.to_string()))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut new = options.open(file).map_err(|why| fail(why.to_string()))?;
    writeln!(new, "{seed}").and_then(|()| new.sync_all()).map_err(|why| fail(why.to_string()))?;
    Ok(NewKey { public: pair.public_key() })
}

/// Reads the secret half from a file.
pub(crate) fn read_key(file: &Path) -> Result<String, String> {
    let text =
        std::fs::read_to_string(file).map_err(|why| format!("can't read {}: {why}", file.display()))?;
    let seed = text.trim();
    let known = KeyPair::from_seed(seed);
    known
        .map_err(|why| format!("{}: this is no key ({why}); make one with --new-key FILE", file.display()))?;
    Ok(seed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_once_for_its_owner_alone_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("worker.key");
        let key = new_key(&file).expect("a key");
        assert!(key.public.starts_with('U'), "{}", key.public);
        let seed = read_key(&file).expect("the same key");
        assert_eq!(KeyPair::from_seed(&seed).map(|pair| pair.public_key()).ok(), Some(key.public));
        assert!(new_key(&file).is_err(), "a key is never overwritten");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(&file, "no key").expect("it can be written");
        assert!(read_key(&file).is_err_and(|why| why.contains("--new-key")));
    }
}
