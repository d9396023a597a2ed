//! The ssh key with which this session logged in. With `ExposeAuthInfo yes`, sshd stores it in a file named by
//! `SSH_USER_AUTH`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads what sshd states in the environment"
)]

use crate::Identity;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quadrille_system::files;
use quadrille_system::read::{self, Access, Limit};
use std::env;
use std::path::Path;

const AUTH_INFO: &str = "SSH_USER_AUTH";
/// The end of a certificate's type.
const CERTIFICATE: &str = "-cert-v01@openssh.com";

/// Returns the identity of the person at this session. `name` is the name that the host has given to the person's key.
pub fn identity(name: Option<String>) -> Identity {
    Identity { name, key: env::var_os(AUTH_INFO).and_then(|path| key_in_file(path.as_ref())) }
}

/// Reads the key from the file. Anyone can set the variable, so only a file that sshd could have written counts.
fn key_in_file(path: &Path) -> Option<String> {
    let mut file = read::open(path, Access::OwnFile).ok()?;
    if !files::is_private(&file) {
        return None;
    }
    key_in(&String::from_utf8(read::contents(&mut file, Limit::HOST).ok()?).ok()?)
}

/// Returns the only public key among the login methods. Several keys do not identify one person.
fn key_in(methods: &str) -> Option<String> {
    let mut keys = methods.lines().filter_map(|line| line.strip_prefix("publickey "));
    let (Some(key), None) = (keys.next(), keys.next()) else { return None };
    let blob = STANDARD.decode(key.split(' ').nth(1)?).ok()?;
    Some(STANDARD.encode(without_certificate(&blob)?))
}

/// Returns a public key, or the key in a certificate, in the encoding of RFC 4253. A certificate consists of its type,
/// a nonce, the fields of the key, and more (OpenSSH's `PROTOCOL.certkeys`).
fn without_certificate(blob: &[u8]) -> Option<Vec<u8>> {
    let (kind, rest) = split_string(blob)?;
    let Some(kind) = str::from_utf8(kind).ok()?.strip_suffix(CERTIFICATE) else {
        return Some(blob.to_vec());
    };
    let (fields, vendor) = match kind {
        "ssh-ed25519" => (1, ""),
        "ssh-rsa" | "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" => {
            (2, "")
        }
        "sk-ssh-ed25519" => (2, "@openssh.com"),
        "sk-ecdsa-sha2-nistp256" => (3, "@openssh.com"),
        _ => return None,
    };
    let (_nonce, mut rest) = split_string(rest)?;
    let mut key = Vec::new();
    push_string(&mut key, format!("{kind}{vendor}").as_bytes())?;
    for _ in 0..fields {
        let (field, after) = split_string(rest)?;
        push_string(&mut key, field)?;
        rest = after;
    }
    Some(key)
}

/// Splits off a string with its length in front.
fn split_string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize)
}

fn push_string(bytes: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    bytes.extend(u32::try_from(text.len()).ok()?.to_be_bytes());
    bytes.extend(text);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIF8Gg7wVqGzS9xQ8oL4vGdC1rM0nqv7v7c1n9B1tq0aB";

    fn auth_info() -> String {
        format!("publickey ssh-ed25519 {KEY}\n")
    }

    #[test]
    fn exactly_one_public_key_identifies_a_person() {
        assert_eq!(key_in(&auth_info()).as_deref(), Some(KEY));
        let with_password = format!("{}password\n", auth_info());
        assert_eq!(key_in(&with_password).as_deref(), Some(KEY));
        for wrong in [
            "",
            "password\n",
            &auth_info().repeat(2),
            &format!("keyboard-interactive {KEY}\n"),
            "publickey ssh-ed25519\n",
            "publickey ssh-ed25519 \u{e9}\n",
            "publickey ssh-ed25519 AAAA\n",
        ] {
            assert_eq!(key_in(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn certificate_counts_as_its_key() {
        for (kind, plain, fields) in [
            ("ssh-ed25519", "ssh-ed25519", 1),
            ("ssh-rsa", "ssh-rsa", 2),
            ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384", 2),
            ("sk-ssh-ed25519", "sk-ssh-ed25519@openssh.com", 2),
            ("sk-ecdsa-sha2-nistp256", "sk-ecdsa-sha2-nistp256@openssh.com", 3),
        ] {
            let mut key = Vec::new();
            push_string(&mut key, plain.as_bytes()).unwrap();
            let mut certificate = Vec::new();
            push_string(&mut certificate, format!("{kind}{CERTIFICATE}").as_bytes()).unwrap();
            push_string(&mut certificate, b"nonce").unwrap();
            for field in 0..fields {
                push_string(&mut key, &[field; 33]).unwrap();
                push_string(&mut certificate, &[field; 33]).unwrap();
            }
            certificate.extend(b"serial, principals, signature");
            assert_eq!(without_certificate(&key), Some(key.clone()), "{kind}");
            assert_eq!(without_certificate(&certificate), Some(key), "{kind}");
            let cut = certificate.len() - "serial, principals, signature".len() - 1;
            assert_eq!(without_certificate(&certificate[..cut]), None, "{kind}");
        }
        let mut unknown = Vec::new();
        push_string(&mut unknown, format!("ssh-new{CERTIFICATE}").as_bytes()).unwrap();
        assert_eq!(without_certificate(&unknown), None);
    }

    #[test]
    fn only_a_private_regular_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sshauth");
        fs::write(&path, auth_info()).unwrap();
        for mode in [0o600, 0o644, 0o660, 0o400, 0o601, 0o4600] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let expected = (mode == 0o600).then_some(KEY);
            assert_eq!(key_in_file(&path).as_deref(), expected, "{mode:o}");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        for other in [&link, folder.path(), &folder.path().join("none")] {
            assert_eq!(key_in_file(other), None, "{}", other.display());
        }
    }
}
