//! What the attributes refuse, and in which words: cases, and beside each of them what the compiler says.
//!
//! The messages are to point at what the user wrote, to say why and what to write instead, and to come all at once; and the function
//! is still there for those who call it. `TRYBUILD=overwrite cargo test -p mstx-macros --test ui` writes them anew, to be read.

#![expect(clippy::panic, reason = "in tests it is the way to say that one failed")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Whose messages they are: another compiler uses other words. `.ci/run` uses this one.
const COMPILER: &str = "rustc 1.95.";

/// Folders of cases. In `body` the attributes are right and the bodies are wrong. In `elsewhere`, too, but there the compiler says it
/// in another way than without the attribute.
const REFUSED: [&str; 7] = ["arguments", "types", "functions", "stacking", "derive", "body", "elsewhere"];

#[test]
fn refused() {
    if is_the_compiler() {
        return compile(Path::new("tests/ui"));
    }
    println!("The messages were not compared: they are those of {COMPILER}");
    let program = env::current_exe().expect("the path of this test");
    // Where messages are written anew, all that matters is that there are some.
    let again =
        Command::new(program).args(["refused_in_other_words", "--exact", "--ignored"]).env("TRYBUILD", "overwrite").status();
    assert!(again.expect("this test again").success());
}

#[test]
#[ignore = "started by `refused` where the compiler is another one"]
fn refused_in_other_words() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    if copy.exists() {
        fs::remove_dir_all(&copy).expect("no old copies");
    }
    for folder in REFUSED {
        fs::create_dir_all(copy.join(folder)).expect("a folder for the copies");
        for case in files(folder, "rs") {
            let name = case.file_name().expect("the name of a case");
            fs::copy(&case, copy.join(folder).join(name)).expect("a copy of the case");
        }
    }
    compile(&copy);
}

#[test]
fn accepted() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}

/// Each case in `body` has a twin without the attributes.
#[test]
fn broken_bodies_are_reported_as_without_the_attribute() {
    let without = |path: &Path, extension: &str| {
        let stem = path.file_stem().expect("the name of a case").to_string_lossy().into_owned();
        path.with_file_name(format!("{stem}_without.{extension}"))
    };
    let cases: Vec<PathBuf> =
        files("body", "rs").into_iter().filter(|case| !case.to_string_lossy().contains("_without")).collect();
    assert!(!cases.is_empty());
    for case in cases {
        let twin = without(&case, "rs");
        let commented = read(&case).replace("#[mstx::", "// #[mstx::");
        assert_eq!(read(&twin), commented, "{} is not {} without the attributes", twin.display(), case.display());
        let messages = read(&case.with_extension("stderr"));
        let expected = read(&twin.with_extension("stderr")).replace("_without.rs", ".rs");
        assert_eq!(headings(&messages), headings(&expected), "{}", case.display());
    }
}

#[test]
fn messages_name_nothing_that_the_user_does_not_know() {
    for folder in REFUSED {
        for path in files(folder, "stderr") {
            for line in read(&path).lines() {
                // The compiler cannot be kept from saying where a bound stands; nor, in one case, what another crate lacks.
                let unavoidable = ["note: required by a bound in", "find `__private`"].iter().any(|text| line.contains(text));
                let ours = ["__mstx", "__private"].iter().any(|name| line.contains(name));
                assert!(!ours || unavoidable, "{}: {line}", path.display());
                // What stands there depends on whether the standard library's source is installed.
                assert!(!line.contains("$RUST"), "{}: {line}", path.display());
            }
        }
    }
}

fn compile(directory: &Path) {
    let cases = trybuild::TestCases::new();
    for folder in REFUSED {
        cases.compile_fail(directory.join(folder).join("*.rs"));
    }
}

fn is_the_compiler() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("the version of rustc");
    version.stdout.starts_with(COMPILER.as_bytes())
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(folder);
    let entries = fs::read_dir(directory).expect("the folder of the cases");
    let paths = entries.map(|entry| entry.expect("a case").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first line of each message, and where it points.
fn headings(messages: &str) -> Vec<(&str, &str)> {
    let mut lines = messages.lines();
    let mut headings = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("error") || line.starts_with("warning") {
            headings.push((line, lines.next().unwrap_or_default().trim_start()));
        }
    }
    headings
}
