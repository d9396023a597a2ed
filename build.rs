//! What `quadrille --version` says of how it was built, which the code cannot ask.

use std::path::Path;
use std::{env, ffi::OsStr};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo tells no script the name of a profile of one's own, but the folder of this one has it: PROFILE/build/...
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
