//! How a server reaches people: its mail server and its address for push services, from the command line.

use std::path::PathBuf;

use clap::Args;
use post::{House, Reach};

/// The environment variable with the password for the mail server.
const PASSWORD: &str = "MAPROOM_MAIL_PASSWORD";

/// The options.
#[derive(Debug, Default, Args)]
pub struct MailOrder {
    /// The mail server for letters and notices, such as `smtps://mail.example.org` or
    /// `smtp://mail.example.org:587?tls=required`. Without encryption only one on this machine is talked to.
    #[arg(long, value_name = "URL", requires = "accounts", requires = "mail_from")]
    pub mail_server: Option<String>,
    /// The sender of mails, such as `Maproom <post@example.org>`.
    #[arg(long, value_name = "ADDRESS", requires = "mail_server")]
    pub mail_from: Option<String>,
    /// The name for the mail server. The password is read from --mail-password-file, or else from the environment variable
    /// MAPROOM_MAIL_PASSWORD.
    #[arg(long, value_name = "NAME", requires = "mail_server")]
    pub mail_user: Option<String>,
    /// A file with the password for the mail server.
    #[arg(long, value_name = "FILE", requires = "mail_user")]
    pub mail_password_file: Option<PathBuf>,
    /// Lets browsers be notified by push. Push services write to this address if something is wrong: `mailto:you@example.org` or
    /// `https://…`. It must be a real one.
    #[arg(long, value_name = "ADDRESS", requires = "accounts")]
    pub push_contact: Option<String>,
}

impl MailOrder {
    /// What the postman has to know; links in messages begin with `base`. `secret` reads the environment.
    pub fn house(&self, base: &str, secret: impl Fn(&str) -> Option<String>) -> Result<House, String> {
        if self.mail_server.as_deref().is_some_and(has_password) {
            return Err(format!(
                "--mail-server: others on this machine can read the command line; give the name with --mail-user and the password \
                 in a file (--mail-password-file) or in the environment ({PASSWORD})"
            ));
        }
        Ok(House {
            base: base.to_owned(),
            mail_server: self.mail_server.clone(),
            mail_login: self.login(secret)?,
            mail_from: self.mail_from.clone().unwrap_or_default(),
            contact: self.push_contact.clone(),
            reach: Reach::Public,
        })
    }

    fn login(&self, secret: impl Fn(&str) -> Option<String>) -> Result<Option<(String, String)>, String> {
        let Some(user) = &self.mail_user else { return Ok(None) };
        let (from, text) = match &self.mail_password_file {
            Some(file) => {
                let fail = |why: std::io::Error| format!("--mail-password-file {}: {why}", file.display());
                (file.display().to_string(), std::fs::read_to_string(file).map_err(fail)?)
            }
            None => {
                let missing =
                    || format!("--mail-user needs a password: --mail-password-file FILE, or {PASSWORD}");
                (PASSWORD.to_owned(), secret(PASSWORD).ok_or_else(missing)?)
            }
        };
        // Editors end files with a line break.
        let password = text.trim_end_matches(['\r', '\n']);
        match password.is_empty() || password.contains('\n') {
            true => Err(format!("{from}: the password must be one line")),
            false => Ok(Some((user.clone(), password.to_owned()))),
        }
    }
}

/// Whether the address of a server has a name or a password in it.
fn has_password(server: &str) -> bool {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    rest.split(['/', '?']).next().is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn read(words: &str) -> Result<MailOrder, String> {
        let words = format!("maproom serve {words}");
        let read = Arguments::try_read(words.split_whitespace().map(OsString::from));
        match read.map_err(|why| why.to_string())?.command {
            Some(Command::Serve(order)) => Ok(order.mail),
            _ => panic!("serve"),
        }
    }

    fn house(words: &str, environment: Option<&str>) -> Result<House, String> {
        let secret = |name: &str| environment.filter(|_| name == PASSWORD).map(ToOwned::to_owned);
        read(&format!("--accounts open {words}"))?.house("https://war.example", secret)
    }

    #[test]
    fn mail_needs_a_sender_and_accounts() {
        let server = "--mail-server smtps://mail.example.org";
        assert!(house(server, None).is_err_and(|why| why.contains("--mail-from")));
        assert!(
            read(&format!("{server} --mail-from post@example.org"))
                .is_err_and(|why| why.contains("--accounts"))
        );
        assert!(read("--push-contact mailto:post@example.org").is_err_and(|why| why.contains("--accounts")));
        let plain = house(&format!("{server} --mail-from post@example.org"), Some("unused"))
            .unwrap_or_else(|why| panic!("{why}"));
        assert!(plain.mail_login.is_none() && plain.contact.is_none());
        assert!(plain.reach == Reach::Public, "never anything else from the command line");
        let none = house("", None).unwrap_or_else(|why| panic!("{why}"));
        assert!(none.mail_server.is_none());
    }

    #[test]
    fn passwords_come_from_a_file_or_the_environment_and_never_from_the_command_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("password");
        let server = "--mail-server smtps://mail.example.org --mail-from post@example.org";
        let with_file = format!("{server} --mail-user me --mail-password-file {}", file.display());
        let password = |words: &str, environment| {
            house(words, environment).map(|house| house.mail_login.expect("a login").1)
        };
        assert!(password(&with_file, None).is_err_and(|why| why.contains("--mail-password-file")), "no file");
        for (text, found) in [("hush hush\r\n", Some("hush hush")), ("\n", None), ("two\nlines\n", None)] {
            std::fs::write(&file, text).expect("written");
            assert_eq!(password(&with_file, Some("other")).ok().as_deref(), found, "{text:?}");
        }
        let with_user = format!("{server} --mail-user me");
        assert_eq!(password(&with_user, Some("hush")).as_deref(), Ok("hush"));
        assert!(password(&with_user, None).is_err_and(|why| why.contains(PASSWORD)));
        for open in ["smtps://me:hush@mail.example.org", "smtp://me@localhost:25/x"] {
            let words = format!("--mail-server {open} --mail-from post@example.org");
            let why = house(&words, None).err().expect("refused");
            assert!(why.contains("--mail-user") && !why.contains("hush"), "{why}");
        }
    }
}
