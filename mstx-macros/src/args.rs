//! The words, the arguments that each takes, and how arguments are read.
//!
//! [`Word::row`] and [`Key::row`] are the only places that know a name: parsing, the search for repeated and missing arguments
//! and every "expected one of" text are made from them.

use crate::valid::Errors;
use crate::value::Value;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, Expr, Path, Token};

/// An attribute of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Heap,
    HeapUnregister,
    HeapReset,
    HeapResize,
    Region,
    RegionUnregister,
    RegionResize,
    Batch,
    Flush,
    Range,
    AllocatorInternal,
}

/// What there is to know about the arguments of a word. All words take `crate` as well.
pub(crate) struct WordRow {
    pub(crate) name: &'static str,
    pub(crate) required: &'static [Key],
    pub(crate) optional: &'static [Key],
    /// Arguments in which `ret` may be used: those of a word that reports after the body, unless they are needed before it.
    pub(crate) after_body: &'static [Key],
}

/// An argument of some word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Heap,
    Ptr,
    Size,
    Domain,
    Name,
    Host,
    Device,
    Deferred,
    Stream,
    ReturnsInMacros,
    Crate,
}

pub(crate) struct KeyRow {
    pub(crate) name: &'static str,
    form: Form,
    /// How to write it, for messages.
    usage: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `size = n`
    Expr,
    /// `host`
    Flag,
    /// `deferred` or `deferred = n`
    FlagOrExpr,
    /// `crate = path`
    Path,
}

impl Word {
    pub(crate) const ALL: [Word; 11] = [
        Word::Heap,
        Word::HeapUnregister,
        Word::HeapReset,
        Word::HeapResize,
        Word::Region,
        Word::RegionUnregister,
        Word::RegionResize,
        Word::Batch,
        Word::Flush,
        Word::Range,
        Word::AllocatorInternal,
    ];

    /// Whether the body of its function is the allocator's own code.
    pub(crate) const fn has_body(self) -> bool {
        !matches!(self, Word::Batch | Word::Flush | Word::Range)
    }

    /// The table of words. `size` of `heap` and `region` is not among the required ones because the return type may know it.
    #[rustfmt::skip]
    pub(crate) const fn row(self) -> WordRow {
        use Key::{Deferred, Device, Domain, Heap, Host, Name, Ptr, ReturnsInMacros, Size, Stream};
        const NONE: &[Key] = &[];
        let (name, required, optional, after_body): (_, &[Key], &[Key], &[Key]) = match self {
            Word::Heap => ("heap", NONE, &[Ptr, Size, Domain, Name, Host, Device, Deferred, ReturnsInMacros],
                           &[Ptr, Size, Name, Device, Deferred]),
            Word::HeapUnregister => ("heap_unregister", &[Heap], &[Domain], NONE),
            Word::HeapReset => ("heap_reset", &[Heap], &[Domain], NONE),
            Word::HeapResize => ("heap_resize", &[Heap, Size], &[Domain, ReturnsInMacros], NONE),
            Word::Region => ("region", NONE, &[Heap, Ptr, Size, Domain, Device, ReturnsInMacros], &[Ptr, Size, Device]),
            Word::RegionUnregister => ("region_unregister", &[Ptr], &[Size, Heap, Domain], NONE),
            Word::RegionResize => ("region_resize", &[Ptr, Size], &[Heap, Domain, ReturnsInMacros], NONE),
            Word::Batch => ("batch", NONE, NONE, NONE),
            Word::Flush => ("flush", NONE, NONE, NONE),
            Word::Range => ("range", NONE, &[Name, Domain, Stream], NONE),
            Word::AllocatorInternal => ("allocator_internal", NONE, NONE, NONE),
        };
        WordRow { name, required, optional, after_body }
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Everything that this word takes, in the order of the table.
    fn keys(self) -> impl Iterator<Item = Key> {
        let row = self.row();
        row.required.iter().chain(row.optional).copied().chain([Key::Crate])
    }
}

impl Key {
    const ALL: [Key; 11] = [
        Key::Heap,
        Key::Ptr,
        Key::Size,
        Key::Domain,
        Key::Name,
        Key::Host,
        Key::Device,
        Key::Deferred,
        Key::Stream,
        Key::ReturnsInMacros,
        Key::Crate,
    ];

    /// The table of arguments.
    #[rustfmt::skip]
    pub(crate) const fn row(self) -> KeyRow {
        let (name, form, usage) = match self {
            Key::Heap => ("heap", Form::Expr, "heap = <heap or pointer into it>"),
            Key::Ptr => ("ptr", Form::Expr, "ptr = <pointer>"),
            Key::Size => ("size", Form::Expr, "size = <bytes>"),
            Key::Domain => ("domain", Form::Expr, "domain = <domain or \"literal\">"),
            Key::Name => ("name", Form::Expr, "name = <string>"),
            Key::Host => ("host", Form::Flag, "host"),
            Key::Device => ("device", Form::Expr, "device = <number>"),
            Key::Deferred => ("deferred", Form::FlagOrExpr, "deferred = <number of events>"),
            Key::Stream => ("stream", Form::Expr, "stream = <stream>"),
            Key::ReturnsInMacros => ("returns_in_macros", Form::Flag, "returns_in_macros"),
            Key::Crate => ("crate", Form::Path, "crate = <path of the mstx crate>"),
        };
        KeyRow { name, form, usage }
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    fn named(ident: &Ident) -> Option<Key> {
        Key::ALL.into_iter().find(|key| ident == key.name())
    }
}

/// One argument as it was written.
pub(crate) struct Arg {
    pub(crate) key: Key,
    pub(crate) name: Ident,
    /// Nothing for a flag.
    pub(crate) value: Option<Value>,
}

impl Arg {
    /// The `ret` in its expression.
    pub(crate) fn ret(&self) -> Option<&Ident> {
        self.value.as_ref()?.ret.as_ref()
    }
}

/// The arguments of one attribute. What could not be read is missing here, and present in the errors.
pub(crate) struct Args {
    pub(crate) word: Word,
    pub(crate) krate: Option<Path>,
    given: Vec<Arg>,
    /// All that were written and that the word takes, also those whose value could not be read.
    named: Vec<Key>,
    /// Those that were probably meant by other names.
    meant: Vec<Key>,
}

impl Args {
    pub(crate) fn read(word: Word, tokens: TokenStream, errors: &mut Errors) -> Args {
        let mut reader =
            Reader { args: Args { word, krate: None, given: Vec::new(), named: Vec::new(), meant: Vec::new() }, errors };
        // The reader takes everything up to the end and recovers by itself: nothing is left to go wrong here.
        if let Err(error) = (|input: ParseStream<'_>| reader.list(input)).parse2(tokens) {
            reader.errors.push(error);
        }
        reader.find_missing();
        reader.args
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Arg> {
        self.given.iter().find(|arg| arg.key == key)
    }

    pub(crate) fn has(&self, key: Key) -> bool {
        self.get(key).is_some()
    }

    /// It was written, or meant, whether or not it could be read.
    pub(crate) fn names(&self, key: Key) -> bool {
        self.named.contains(&key) || self.meant.contains(&key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arg> {
        self.given.iter()
    }
}

struct Reader<'a> {
    args: Args,
    errors: &'a mut Errors,
}

impl Reader<'_> {
    fn list(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            if let Err(error) = self.argument(input) {
                self.errors.push(error);
                skip_to_next(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// Reads one argument up to the comma behind it, or fails somewhere in between.
    fn argument(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let word = self.args.word;
        if !input.peek(Ident::peek_any) {
            return Err(input.error(format!("expected an argument of the form `name = value`; {}", expected(word))));
        }
        let name = input.call(Ident::parse_any)?;
        let key = Key::named(&name).filter(|key| word.keys().any(|taken| taken == *key));
        let Some(key) = key else {
            let meant = meant(word, &name);
            self.args.meant.extend(meant);
            self.errors.push(Error::new(name.span(), unknown(word, &name, meant)));
            return skip_to_next(input);
        };
        let again = self.args.named.contains(&key);
        if again {
            self.errors.push(Error::new(name.span(), format!("`{name}` is given twice")));
        }
        self.args.named.push(key);

        let KeyRow { form, usage, .. } = key.row();
        let value = if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            if form == Form::Flag {
                self.errors.push(Error::new(equals.span, format!("`{name}` takes no value: write `{usage}`")));
                return skip_to_next(input);
            }
            if input.is_empty() || input.peek(Token![,]) {
                return Err(Error::new(name.span(), format!("`{name}` has no value: write `{usage}`")));
            }
            if form == Form::Path {
                let path = Path::parse_mod_style(input).and_then(|path| end_of_value(input).map(|()| path));
                let path = path.map_err(|error| Error::new(error.span(), format!("`{name}` is a path: write `{usage}`")))?;
                self.args.krate = Some(path);
                return Ok(());
            }
            let expr: Expr = input.parse()?;
            end_of_value(input)?;
            Some(Value::new(word, expr, self.errors))
        } else if input.is_empty() || input.peek(Token![,]) {
            if matches!(form, Form::Expr | Form::Path) {
                return Err(Error::new(name.span(), format!("`{name}` needs a value: write `{usage}`")));
            }
            None
        } else {
            return Err(input.error(format!("expected `=` or `,` after `{name}`: write `{usage}`")));
        };
        if !again {
            self.args.given.push(Arg { key, name, value });
        }
        Ok(())
    }

    fn find_missing(&mut self) {
        let word = self.args.word;
        for key in word.row().required {
            if !self.args.names(*key) {
                let KeyRow { name, usage, .. } = key.row();
                let text = format!("`#[mstx::{}]` needs `{name}`: write `{usage}`", word.name());
                self.errors.of_attribute(text);
            }
        }
    }
}

/// Only a comma may follow an expression.
fn end_of_value(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        Ok(())
    } else {
        Err(input.error("expected `,` after the value of an argument"))
    }
}

/// After an error: goes on at the next comma that an argument's name follows, so that the arguments behind it are checked too.
fn skip_to_next(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        let ahead = input.fork();
        let comma = ahead.parse::<Token![,]>().is_ok();
        let name = ahead.call(Ident::parse_any).ok();
        if comma && (ahead.is_empty() || name.is_some_and(|name| Key::named(&name).is_some() || ahead.peek(Token![=]))) {
            break;
        }
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

fn unknown(word: Word, name: &Ident, meant: Option<Key>) -> String {
    let expected = expected(word);
    match (word, Key::named(name)) {
        (Word::Heap, Some(Key::Heap)) => {
            format!("`#[mstx::heap]` registers a new heap: `ptr = <pointer>` or the return type says where it starts; {expected}")
        }
        (_, Some(_)) => format!("`#[mstx::{}]` takes no `{name}`; {expected}", word.name()),
        (_, None) => match meant {
            Some(meant) => format!("unknown argument `{name}` (did you mean `{}`?); {expected}", meant.name()),
            None => format!("unknown argument `{name}`; {expected}"),
        },
    }
}

/// The argument that an unknown name is probably a misspelling of.
fn meant(word: Word, name: &Ident) -> Option<Key> {
    if Key::named(name).is_some() {
        return None;
    }
    let name = name.to_string().to_lowercase();
    let with_distance = word.keys().map(|key| (distance(key.name(), &name), key));
    let (distance, key) = with_distance.min_by_key(|(distance, _)| *distance)?;
    (distance <= key.name().len() / 3).then_some(key)
}

/// How many letters must be put in, left out, replaced or exchanged with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let exchanged = if exchanged { rows[i - 2][j - 2] + 1 } else { replaced };
                replaced.min(exchanged).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1)
            };
        }
    }
    rows[a.len()][b.len()]
}

fn expected(word: Word) -> String {
    let names: Vec<String> = word.keys().map(|key| format!("`{}`", key.name())).collect();
    match names.as_slice() {
        [only] => format!("the only one is {only}"),
        _ => format!("expected one of: {}", names.join(", ")),
    }
}
