//! Declarations: what stands in the user's crate as a static, and how it is listed at link time.

/// Declares domains: statics of type [`Domain`](crate::Domain), whose names are checked at compile time, and which
/// [`domains()`](crate::domains()) lists.
///
/// A name has 1 to 1023 bytes of `[A-Za-z0-9_]`; one tool (mspti) refuses more than 255. Two declarations of one name are one
/// domain. It stands where a `static` can stand; several in one call are separated by semicolons.
///
/// ```
/// mstx_runtime::domain!(pub static KV_CACHE = "kv_cache");
/// mstx_runtime::domain! {
///     /// Blocks of weights.
///     static WEIGHTS = "weights";
/// }
/// # assert_eq!(KV_CACHE.name(), Some("kv_cache"));
/// # assert_eq!(WEIGHTS.name(), Some("weights"));
/// ```
///
/// A bad name is an error of the compiler:
///
/// ```compile_fail
/// mstx_runtime::domain!(static POOL = "my::pool");
/// ```
#[macro_export]
macro_rules! domain {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident = $literal:expr);+ $(;)?) => {$(
        $(#[$attribute])*
        $visibility static $name: $crate::Domain = $crate::Domain::new($literal);
        $crate::__list!(Declared(&$name));
    )+};
}

/// A domain that an attribute names by a literal.
#[doc(hidden)]
#[macro_export]
macro_rules! __domain {
    ($literal:literal) => {{
        static DOMAIN: $crate::Domain = $crate::Domain::new($literal);
        $crate::__list!(Declared(&DOMAIN));
        &DOMAIN
    }};
}

/// The site of an annotated function. `lists`: the default domain of its module is listed at link time.
#[doc(hidden)]
#[macro_export]
macro_rules! __site {
    ($word:ident $function:literal) => {{
        static SITE: $crate::Site = $crate::Site::new($crate::Word::$word, $function, $crate::__private::module_path!());
        $crate::__list_site!(SITE);
        &SITE
    }};
    ($word:ident $function:literal lists) => {{
        static SITE: $crate::Site = $crate::Site::new($crate::Word::$word, $function, $crate::__private::module_path!());
        $crate::__list_site!(SITE);
        $crate::__list!(Declared(SITE.domain()));
        &SITE
    }};
}

// Which of the following two is there is decided as in `where_on` and `where_off`: an exported macro may not come out of
// another macro.

/// Lists something at link time.
#[cfg(all(feature = "rt", any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))))]
#[doc(hidden)]
#[macro_export]
macro_rules! __list {
    ($kind:ident($item:expr)) => {
        $crate::__private::inventory::submit! { $crate::__private::$kind($item) }
    };
}

/// Lists something at link time: not where reporting is off.
#[cfg(not(all(
    feature = "rt",
    any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __list {
    ($kind:ident($item:expr)) => {};
}

/// What a function keeps for its end: what `call` makes of its arguments where somebody listens.
///
/// It is asked twice: whether somebody may listen, which costs nothing, and there whether somebody does. With `kept` both answers to the
/// second come out alike, so that the function looks at the first only.
#[doc(hidden)]
#[macro_export]
macro_rules! __heard {
    ($kind:ident [$($call:tt)*]) => {
        if $crate::__private::may_listen() {
            $crate::__private::$kind::kept(if $crate::__private::does_listen() {
                $($call)*
            } else {
                $crate::__private::$kind::off()
            })
        } else {
            $crate::__private::$kind::off()
        }
    };
}

/// The body of a function that reports after it: in a block with a label, which each `return` in it leaves.
///
/// The result is declared first and assigned later, so that temporaries of the body's tail are dropped as in a function. The `break`
/// that can be reached keeps the compiler from seeing that a body never ends, and `else` is where braces are never superfluous.
#[cfg(all(feature = "rt", any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))))]
#[doc(hidden)]
#[macro_export]
macro_rules! __around {
    (
        $call:ident [$($before:tt)*] $result:ident [$($mutable:tt)?] [$($type:tt)*] $label:lifetime $body:tt $original:tt [$($after:tt)*] [$($end:tt)*]
    ) => {
        $($before)*
        let $($mutable)? $result: $($type)*;
        $result = $label: { if false { break $label $crate::__private::never::<$($type)*>() } else $body };
        if $call.is_on() { $($after)* }
        $($end)*
    };
}

/// The body of a function that would report after it, where reporting is off: as it was written. What would come after it is checked,
/// in a branch that is never taken.
#[cfg(not(all(
    feature = "rt",
    any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __around {
    // Where nothing is returned, the last statement ends as such statements do, or a lint would ask for it.
    (
        $call:ident [$($before:tt)*] $result:ident [$($mutable:tt)?] [()] $label:lifetime $body:tt $original:tt [$($after:tt)*] [$($end:tt)*]
    ) => {
        $($before)*
        if $call.is_on() {
            let $($mutable)? $result: () = ();
            $($after)*;
            let _ = &$result;
        }
        match () { () => $original };
    };
    (
        $call:ident [$($before:tt)*] $result:ident [$($mutable:tt)?] [$($type:tt)*] $label:lifetime $body:tt $original:tt [$($after:tt)*] [$($end:tt)*]
    ) => {
        $($before)*
        if $call.is_on() {
            let $($mutable)? $result: $($type)* = $crate::__private::never::<$($type)*>();
            $($after)*;
            let _ = &$result;
        }
        match () { () => $original }
    };
}

/// Lists a site at link time.
#[cfg(feature = "sites")]
#[doc(hidden)]
#[macro_export]
macro_rules! __list_site {
    ($site:ident) => {
        $crate::__list!(Linked(&$site));
    };
}

/// Lists a site at link time: not without the feature `sites`.
#[cfg(not(feature = "sites"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __list_site {
    ($site:ident) => {};
}

/// A domain that is listed at link time.
#[doc(hidden)]
#[derive(Debug)]
pub struct Declared(pub &'static crate::Domain);

/// A site that is listed at link time.
#[doc(hidden)]
#[derive(Debug)]
pub struct Linked(pub &'static crate::Site);

/// Gives a tool in the process, as the built-in checker is one. Asked where `MSTX_CHECK` is set.
#[doc(hidden)]
#[derive(Debug)]
pub struct Builtin(pub fn() -> Option<&'static dyn crate::Tool>);

where_on! {
    inventory::collect!(Builtin);
    inventory::collect!(Declared);
    inventory::collect!(Linked);
}

/// The body of an `async` function that is left at each `.await`.
#[cfg(all(feature = "rt", any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))))]
#[doc(hidden)]
#[macro_export]
macro_rules! __awaiting {
    ($body:tt $original:tt) => {
        $body
    };
}

/// The body of such a function as it was written, where reporting is off.
#[cfg(not(all(
    feature = "rt",
    any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __awaiting {
    ($body:tt $original:tt) => {
        $original
    };
}
