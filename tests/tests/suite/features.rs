//! What needs user crates of its own: features, lints, plug-ins, libraries that are not mentioned.

use crate::nested::Project;
use mstx_tests::{Output, Run};
use std::path::Path;
use std::process::Command;

/// Runs a program under a recorder.
fn under(tool: &str, program: &Path) -> Output {
    Run::new(program).tool(tool).output()
}

mod c07_lints {
    use super::*;

    const SOURCE: &str = include_str!("../../nested/lints.rs");
    const MANIFEST: &str = "[features]\ndead = []\n\n[dependencies]\nmstx = { MSTX }\n";

    /// The same program without the attributes.
    fn bare() -> String {
        let lines = SOURCE.lines().filter(|line| !line.trim_start().starts_with("#[mstx::"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    fn project() -> Project {
        let project = Project::new("lints").package("lints", MANIFEST, &[("src/main.rs", SOURCE)]);
        project.package("lints_bare", MANIFEST, &[("src/main.rs", &bare())])
    }

    #[test]
    fn clippy_has_nothing_to_say_and_callers_are_found() {
        let project = project();
        for package in ["lints", "lints_bare"] {
            let said = project.cargo(&["clippy", "-p", package]);
            if said.stderr.contains("is not installed") {
                eprintln!("SKIPPED: clippy is not installed");
                break;
            }
            assert!(said.success, "{}", said.stderr);
        }
        let program = project.build("lints", "lints", &[]);
        let output = Run::new(&program).output();
        assert!(output.status.success(), "{output:?}");
        let output = under("full", &program);
        output.assert_clean();
        output.assert_memory(&["register 0x1000+8", "register 0x1008+8"]);
    }

    #[test]
    fn dead_code_is_as_dead_as_without_the_attribute() {
        let project = project();
        let complaints = ["lints", "lints_bare"].map(|package| {
            let said = project.cargo(&["check", "-p", package, "--features", "dead"]);
            assert!(!said.success, "{package} checks");
            let errors = said.stderr.lines().filter(|line| line.starts_with("error"));
            errors.map(|line| line.replace("lints_bare", "lints")).collect::<Vec<_>>()
        });
        assert!(complaints[0][0].contains("function `nobody_calls_me` is never used"), "{complaints:?}");
        assert_eq!(complaints[0], complaints[1]);
    }
}

mod c27_listing {
    use super::*;

    fn app(name: &str, features: &[&str]) -> std::path::PathBuf {
        let pools = include_str!("../../nested/pools.rs");
        let app = include_str!("../../nested/pools_app.rs");
        let uses = "[features]\nmention = []\ncall = []\n\n[dependencies]\nmstx = { MSTX }\npools = { path = \"../pools\" }\n";
        let project = Project::new(&format!("listing-{name}"))
            .package("pools", "[dependencies]\nmstx = { MSTX, default-features = false }\n", &[("src/lib.rs", pools)])
            .package("pools_app", uses, &[("src/main.rs", app)]);
        project.build("pools_app", "pools_app", features)
    }

    #[test]
    fn a_library_that_is_not_mentioned_may_be_missing_and_the_user_is_told() {
        let program = app("silent", &[]);
        let output = Run::new(&program).output();
        assert!(output.status.success(), "{output:?}");
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
        let output = under("full", &program);
        output.assert_keeps_rules();
        let lines: Vec<&str> = output.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "one line says that the list is empty: {output:?}");
        assert!(lines[0].starts_with("mstx: "), "{output:?}");
    }

    #[test]
    fn a_library_that_is_mentioned_is_listed() {
        let output = Run::new(app("mentioned", &["--features", "mention"])).output();
        output.assert_printed(&["gen", "sub", "top"]);
        assert_eq!(output.stderr, "");
    }

    #[test]
    fn a_library_that_is_called_is_listed_and_its_domains_are_there_on_first_use() {
        let output = under("full", &app("called", &["--features", "call"]));
        output.assert_clean();
        output.assert_printed(&["gen", "sub", "top"]);
        assert_eq!(output.starting("domain_create "), ["domain_create name=top -> d1", "domain_create name=gen -> d2"]);
    }
}

mod c29_two_copies {
    use super::*;
    use std::path::PathBuf;
    use std::sync::OnceLock;

    /// The host, and its plug-in.
    fn built() -> &'static (PathBuf, PathBuf) {
        static BUILT: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
        BUILT.get_or_init(|| {
            let shared = ("src/shared.rs", include_str!("../../nested/shared.rs"));
            let plug = ("src/lib.rs", include_str!("../../nested/plug.rs"));
            let host = ("src/main.rs", include_str!("../../nested/plug_host.rs"));
            let library = "[lib]\ncrate-type = [\"cdylib\"]\n\n[dependencies]\nmstx = { MSTX }\n";
            let project = Project::new("two-copies").package("plug", library, &[plug, shared]).package(
                "plug_host",
                "[dependencies]\nmstx = { MSTX }\nlibc = \"0.2\"\n",
                &[host, shared],
            );
            (project.build("plug_host", "plug_host", &[]), project.build("plug", "libplug.so", &[]))
        })
    }

    fn run(words: &[&str]) -> Run {
        let (host, plug) = built();
        words.iter().fold(Run::new(host).arg(plug), |run, word| run.arg(word))
    }

    #[track_caller]
    fn assert_consistent(output: &Output, answer: &str) {
        output.assert_clean();
        output.assert_open(&[]);
        output.assert_alternates();
        let said = |who| format!("{who}: 0 faults, domain [{answer}], listening true");
        output.assert_printed(&[&said("host"), &said("plug")]);
    }

    #[test]
    fn what_one_copy_registers_the_other_may_release() {
        for first in ["host", "plug"] {
            for tool in ["full", "msan", "handle-only", "full,refuses-second"] {
                let output = run(&[first]).tool(tool).output();
                assert_consistent(&output, "Accepted");
                assert_eq!(output.memory().len(), 6, "{output:?}");
            }
        }
    }

    #[test]
    fn a_tool_that_takes_no_name_twice_serves_both_copies() {
        for first in ["host", "plug"] {
            let output = run(&[first]).tool("atb").env("MSTX_DOMAINS", "shared=atb").output();
            assert_consistent(&output, "Accepted");
        }
    }

    #[test]
    fn a_plug_in_that_is_closed_leaves_the_books_usable() {
        for first in ["host", "plug"] {
            let output = run(&[first, "close"]).tool("full").output();
            assert_consistent(&output, "Accepted");
            assert_eq!(output.memory().len(), 10, "{output:?}");
        }
    }

    #[test]
    fn both_see_each_others_faults() {
        let output = run(&["host", "twice"]).tool("full").output();
        output.assert_keeps_rules();
        let faults = output.printed().into_iter().filter(|line| line.starts_with("region released twice")).count();
        assert_eq!(faults, 2, "{output:?}");
    }

    #[test]
    fn without_a_tool_nobody_listens() {
        let output = run(&["plug", "twice"]).output();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let said = |who| format!("{who}: 0 faults, domain [NotAsked], listening false");
        output.assert_printed(&[&said("host"), &said("plug")]);
    }
}

mod c39_no_cfg_in_expansions {
    use super::*;

    fn project() -> Project {
        let source = include_str!("../../nested/plain_user.rs");
        Project::new("plain").package("plain_user", "[dependencies]\nmstx = { MSTX }\n", &[("src/main.rs", source)])
    }

    #[test]
    fn a_crate_without_features_builds_without_warnings_on_and_off() {
        let project = project();
        let program = project.build("plain_user", "plain_user", &[]);
        let output = under("full", &program);
        output.assert_clean();
        assert!(output.memory().len() > 5, "{output:?}");
        let program = project.build("plain_user", "plain_user", &["--features", "mstx/off"]);
        let output = under("full", &program);
        assert!(output.status.success() && output.lines.is_empty(), "{output:?}");
    }

    /// As `cargo expand` does it, but without changing the environment that dependencies were built in.
    #[test]
    fn the_expansion_tests_no_cfg() {
        let said = project().cargo(&["build", "-p", "plain_user", "--message-format", "json"]);
        assert!(said.success, "{}", said.stderr);
        let library = said.stdout.split('"').find(|text| text.contains("/libmstx-") && text.ends_with(".rlib"));
        let library = library.expect("Cargo says where the facade is");
        let folder = Path::new(library).parent().expect("libraries are in a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("nested/plain_user.rs");
        let output = Command::new("rustc")
            .args(["--edition", "2024", "-Zunpretty=expanded", "--extern"])
            .arg(format!("mstx={library}"))
            .arg(format!("-Ldependency={}", folder.display()))
            .arg(source)
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .expect("the compiler can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let expanded = String::from_utf8_lossy(&output.stdout);
        assert!(expanded.contains("__mstx"), "{expanded}");
        assert_eq!(expanded.matches("cfg").count(), 0, "{expanded}");
    }
}

mod c41_who_decides {
    use super::*;

    const APP: &str = r#"
[features]
rt = ["mstx/rt"]
on = ["mstx/on"]
release_off = ["mstx/release_off"]
quiet = ["dep:lib_b"]

[dependencies]
mstx = { MSTX, default-features = false }
lib_a = { path = "../lib_a" }
lib_b = { path = "../lib_b", optional = true }

[dev-dependencies]
lib_c = { path = "../lib_c" }
"#;

    fn build(arguments: &[&str]) -> std::path::PathBuf {
        let nothing = "pub fn nothing() {}\n";
        let project = Project::new("switched")
            .package(
                "lib_a",
                "[dependencies]\nmstx = { MSTX, default-features = false }\n",
                &[("src/lib.rs", include_str!("../../nested/lib_a.rs"))],
            )
            .package(
                "lib_b",
                "[dependencies]\nmstx = { MSTX, default-features = false, features = [\"off\"] }\n",
                &[("src/lib.rs", nothing)],
            )
            .package("lib_c", "[dependencies]\nmstx = { MSTX, features = [\"on\"] }\n", &[("src/lib.rs", nothing)])
            .package("switched_app", APP, &[("src/main.rs", include_str!("../../nested/switched_app.rs"))]);
        project.build("switched_app", "switched_app", arguments)
    }

    /// How many symbols of the runtime are in a program.
    fn symbols(program: &Path) -> usize {
        let output = Command::new("nm").arg("-C").arg(program).output().expect("nm can be run");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("mstx_runtime")).count()
    }

    #[track_caller]
    fn assert_off(arguments: &[&str], state: &str) {
        let program = build(arguments);
        assert_eq!(symbols(&program), 0, "{arguments:?}");
        let output = under("full", &program);
        assert!(output.status.success() && output.lines.is_empty(), "{output:?}");
        output.assert_printed(&[state]);
    }

    #[track_caller]
    fn assert_on(arguments: &[&str]) {
        let program = build(arguments);
        assert!(symbols(&program) > 0, "{arguments:?}");
        let output = under("full", &program);
        output.assert_clean();
        output.assert_printed(&["on"]);
        output.assert_memory(&["register 0x10010+16", "unregister 0x10010+16"]);
    }

    /// Nor do its dev-dependencies ask for anything.
    #[test]
    fn a_program_that_asks_for_nothing_has_nothing_of_the_runtime() {
        assert_off(&["--release"], "without runtime");
    }

    #[test]
    fn a_library_that_switches_it_off_does_so_for_a_program_that_says_nothing() {
        assert_off(&["--release", "--features", "rt,quiet"], "off");
    }

    #[test]
    fn a_program_that_switches_it_on_is_heard_whatever_a_library_says() {
        assert_on(&["--release", "--features", "on,quiet,release_off"]);
    }

    #[test]
    fn off_in_release_builds_only() {
        assert_off(&["--release", "--features", "rt,release_off"], "release off");
        assert_on(&["--features", "rt,release_off"]);
    }
}

mod c43_same_program_on_and_off {
    use super::*;

    #[test]
    fn an_argument_is_evaluated_once_if_somebody_listens_and_never_otherwise() {
        let source = include_str!("../../nested/side_effect.rs");
        let project = Project::new("side-effect");
        let project = project.package("side_effect", "[dependencies]\nmstx = { MSTX }\n", &[("src/main.rs", source)]);
        let on = project.build("side_effect", "side_effect", &[]);
        under("full", &on).assert_printed(&["asked 1"]);
        Run::new(&on).output().assert_printed(&["asked 0"]);
        let off = project.build("side_effect", "side_effect", &["--features", "mstx/off"]);
        under("full", &off).assert_printed(&["asked 0"]);
    }

    /// A program with a mistake, the place of it, and what is said of it.
    const MISTAKES: [(&str, &str, &str, &str); 5] = [
        ("misspelled", include_str!("../../nested/wrong/misspelled.rs"), "next_siez()", "`next_siez`"),
        ("mistyped", include_str!("../../nested/wrong/mistyped.rs"), "\"sixteen\"", "is not a size in bytes"),
        ("unknown_key", include_str!("../../nested/wrong/unknown_key.rs"), "sise", "unknown argument `sise`"),
        ("missing_key", include_str!("../../nested/wrong/missing_key.rs"), "#[mstx::region_unregister]", "needs `ptr`"),
        ("missing_size", include_str!("../../nested/wrong/missing_size.rs"), "*mut u8", "does not say how long a region is"),
    ];

    /// `src/bin/name.rs:5:23`
    fn place(name: &str, source: &str, mistake: &str) -> String {
        let before = &source[..source.find(mistake).expect("the mistake is in the source")];
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        format!("src/bin/{name}.rs:{}:{column}", before.matches('\n').count() + 1)
    }

    #[test]
    fn mistakes_are_errors_at_their_place_on_and_off() {
        let files: Vec<(String, &str)> =
            MISTAKES.iter().map(|(name, source, ..)| (format!("src/bin/{name}.rs"), *source)).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, source)| (path.as_str(), *source)).collect();
        let project = Project::new("wrong").package("wrong", "[dependencies]\nmstx = { MSTX }\n", &files);
        for features in ["mstx/rt", "mstx/off"] {
            let said = project.cargo(&["check", "-p", "wrong", "--keep-going", "--features", features]);
            assert!(!said.success);
            for (name, source, mistake, message) in MISTAKES {
                let place = place(name, source, mistake);
                let found = said.stderr.split("\n\n").any(|part| part.contains(message) && part.contains(&place));
                assert!(found, "{features}: no `{message}` at {place}\n{}", said.stderr);
            }
        }
        let without = project.cargo(&["check", "-p", "wrong", "--keep-going", "--no-default-features"]);
        assert!(!without.success);
    }
}
