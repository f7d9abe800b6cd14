//! The files in `shapes/`.

use std::fs;
use std::path::Path;

/// A program with annotated functions.
///
/// ```text
/// // shape: what it is about
/// // edition: 2024
/// // expect: 2 1,3 1            ends and beginnings that are reported; alternatives behind a comma
/// // expect: fail TEXT          or: refused, with a message that contains this
/// // limit: why                 one of the documented limits
/// // facade: other              the crate knows the facade by this name, and by no other (`none`: by none)
/// // code: shape::f, g: why      functions whose machine code may differ: parts of their names
/// ```
#[derive(Debug)]
pub struct Shape {
    /// The name of its file.
    pub name: String,
    /// In which edition it is compiled.
    pub edition: String,
    /// What is expected of the attributes.
    pub expected: Expected,
    /// Why less is expected than should be.
    pub limit: Option<String>,
    /// The name of the facade.
    pub facade: String,
    /// Where its machine code may differ.
    pub exceptions: Vec<Exception>,
    /// The whole file.
    pub text: String,
}

/// What is expected of the attributes.
#[derive(Debug)]
pub enum Expected {
    /// Any of these pairs of counts.
    Counts(Vec<String>),
    /// A message.
    Refusal(String),
}

/// Functions whose machine code may differ.
#[derive(Debug)]
pub struct Exception {
    /// Parts of their names.
    functions: Vec<String>,
    /// Why.
    pub reason: String,
}

impl Exception {
    pub(crate) fn covers(&self, name: &str) -> bool {
        self.functions.iter().any(|part| name.contains(part))
    }
}

impl Shape {
    /// All shapes, or those whose names are given.
    #[must_use]
    pub fn load(folder: &Path, names: &[String]) -> Vec<Shape> {
        let files = fs::read_dir(folder).expect("the folder of the shapes can be read");
        let paths = files.map(|file| file.expect("the folder of the shapes can be read").path());
        let mut shapes: Vec<Shape> = paths
            .filter_map(|path| {
                let name = path.file_name()?.to_str()?.strip_suffix(".rs")?.to_owned();
                let text = fs::read_to_string(&path).expect("shapes are text");
                (names.is_empty() || names.contains(&name)).then(|| Shape::parse(name, text))
            })
            .collect();
        shapes.sort_by(|a, b| a.name.cmp(&b.name));
        shapes
    }

    fn parse(name: String, text: String) -> Shape {
        let fields: Vec<(&str, &str)> = text
            .lines()
            .map_while(|line| line.strip_prefix("// ")?.split_once(": "))
            .map(|(key, value)| (key, value.trim()))
            .collect();
        let all = |key: &'static str| fields.iter().filter(move |field| field.0 == key).map(|field| field.1);
        let known = ["shape", "edition", "expect", "limit", "facade", "code"];
        for (key, _) in &fields {
            assert!(known.contains(key), "{name}: `{key}` is none of {known:?}");
        }
        let one = |key| all(key).next().map(str::to_owned);
        let needed = |key| one(key).ok_or_else(|| format!("{name}: needs a line `// {key}: ..`")).expect("shapes have a head");
        let expected = needed("expect");
        let expected = match expected.strip_prefix("fail ") {
            Some(message) => Expected::Refusal(message.to_owned()),
            None => Expected::Counts(expected.split(',').map(str::to_owned).collect()),
        };
        let exceptions = all("code").map(|line| {
            let (functions, reason) = line.split_once(": ").unwrap_or((line, ""));
            assert!(!reason.is_empty(), "{name}: an exception has a reason: `// code: FUNCTIONS: REASON`");
            Exception { functions: functions.split(", ").map(str::to_owned).collect(), reason: reason.to_owned() }
        });
        needed("shape");
        Shape {
            edition: needed("edition"),
            expected,
            limit: one("limit"),
            facade: one("facade").unwrap_or_else(|| "mstx".to_owned()),
            exceptions: exceptions.collect(),
            name,
            text,
        }
    }
}
