//! Programs that are written by a test, compiled against the library, and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of a package with these files in `src`; nothing else stays there. It is named after
/// the folder, and has the library, and crates beside it, each with one of its features.
pub fn package(name: &str, crates: &[(&str, &str)], files: &[(String, String)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let _ = std::fs::remove_dir_all(folder.join("src"));
    std::fs::create_dir_all(folder.join("src")).expect("a folder for the programs");
    let mut dependencies = format!("retrograde = {{ path = {:?} }}\n", library.join("retrograde"));
    for (name, feature) in crates {
        let path = library.join(name);
        dependencies += &format!("{name} = {{ path = {path:?}, features = [{feature:?}] }}\n");
    }
    let name = folder.file_name().expect("a name").display();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\n{dependencies}[workspace]\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    for (file, text) in files {
        std::fs::write(folder.join("src").join(file), text).expect("a program");
    }
    // The versions that this workspace has, so that nothing is fetched.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::copy(lock, folder.join("Cargo.lock")).expect("a lock file");
    folder
}

/// What cargo says to a package.
pub fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--offline"])
        .current_dir(folder)
        // Beside the package, so that those in one folder build the library once.
        .env("CARGO_TARGET_DIR", folder.with_file_name("target"))
        // The compiler, which expands hundreds of functions.
        .env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .expect("cargo runs")
}

/// The text of what a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
