//! Records build information for `quadrille --version`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads the environment of cargo"
)]

use std::path::Path;
use std::{env, ffi::OsStr};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo does not tell build scripts the name of a custom profile, but OUT_DIR contains it: PROFILE/build/...
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let build =
        Path::new(&out).ancestors().find(|path| path.file_name() == Some(OsStr::new("build")));
    let folder = build.and_then(|build| build.parent()?.file_name()?.to_str()).unwrap_or("unknown");
    let profile = if folder == "debug" { "dev" } else { folder };
    let features =
        if env::var_os("CARGO_FEATURE_PICTURES").is_some() { "pictures" } else { "none" };
    println!("cargo::rustc-env=QUADRILLE_PROFILE={profile}");
    println!("cargo::rustc-env=QUADRILLE_FEATURES={features}");
}
