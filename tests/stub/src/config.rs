//! What the environment asks for.

use std::sync::OnceLock;

/// Whom the stub imitates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Full,
    PointerOnly,
    HandleOnly,
    Msan,
    Atb,
    Pta,
}

/// What it does besides.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The text this was read from.
    pub(crate) text: String,
    pub(crate) base: Base,
    pub(crate) partial: bool,
    pub(crate) fails: bool,
    pub(crate) calls_back: bool,
    pub(crate) extra: bool,
    pub(crate) permissions: bool,
    pub(crate) refuses: bool,
    pub(crate) refuses_second: bool,
    pub(crate) slow_init: bool,
    pub(crate) slow_calls: bool,
    pub(crate) null_heaps: bool,
    pub(crate) walking: bool,
    pub(crate) re_enters: bool,
    /// Only counters, violations and the summary are written.
    pub(crate) quiet: bool,
}

impl Config {
    /// Reads a list like `msan,slow-init`. Fails with the word that means nothing, or is a second base.
    pub(crate) fn parse(text: &str) -> Result<Config, String> {
        let mut config = Config {
            text: text.to_owned(),
            base: Base::Full,
            partial: false,
            fails: false,
            calls_back: false,
            extra: false,
            permissions: false,
            refuses: false,
            refuses_second: false,
            slow_init: false,
            slow_calls: false,
            null_heaps: false,
            walking: false,
            re_enters: false,
            quiet: false,
        };
        let mut base = None;
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let chosen = match word {
                "full" => Some(Base::Full),
                "pointer-only" => Some(Base::PointerOnly),
                "handle-only" => Some(Base::HandleOnly),
                "msan" => Some(Base::Msan),
                "atb" => Some(Base::Atb),
                "pta" => Some(Base::Pta),
                _ => None,
            };
            if let Some(chosen) = chosen {
                if base.replace(chosen).is_some() {
                    return Err(word.to_owned());
                }
                continue;
            }
            let flag = match word {
                "partial" => &mut config.partial,
                "fails" => &mut config.fails,
                "calls-back" => &mut config.calls_back,
                "extra" => &mut config.extra,
                "permissions" => &mut config.permissions,
                "refuses" => &mut config.refuses,
                "refuses-second" => &mut config.refuses_second,
                "slow-init" => &mut config.slow_init,
                "slow-calls" => &mut config.slow_calls,
                "null-heaps" => &mut config.null_heaps,
                "walking" => &mut config.walking,
                "re-enters" => &mut config.re_enters,
                "quiet" => &mut config.quiet,
                _ => return Err(word.to_owned()),
            };
            *flag = true;
        }
        // Only msSanitizer walks, so the word alone is enough to mean it.
        let default = if config.walking { Base::Msan } else { Base::Full };
        config.base = base.unwrap_or(default);
        if config.walking && config.base != Base::Msan {
            return Err("walking".to_owned());
        }
        Ok(config)
    }
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// The settings, read from the environment when first asked for. A setting that means nothing ends the process: a
/// misspelled test must not pass.
pub(crate) fn get() -> &'static Config {
    CONFIG.get_or_init(|| {
        let text = std::env::var("MSTX_STUB").unwrap_or_default();
        let mut config = Config::parse(&text).unwrap_or_else(|word| {
            eprintln!("mstx-stub: MSTX_STUB={text}: `{word}` means nothing here");
            std::process::abort();
        });
        config.quiet |= std::env::var_os("MSTX_STUB_QUIET").is_some_and(|value| value == "1");
        config
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_combine() {
        let config = Config::parse("msan, slow-init,extra").expect("three words");
        assert_eq!(config.base, Base::Msan);
        assert!(config.slow_init && config.extra && !config.partial);
    }

    #[test]
    fn walking_is_msan() {
        assert_eq!(Config::parse("walking").expect("one word").base, Base::Msan);
        assert_eq!(Config::parse("walking,msan").expect("two words").base, Base::Msan);
        assert_eq!(Config::parse("walking,pta").expect_err("not msan"), "walking");
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(Config::parse("msann").expect_err("a typing mistake"), "msann");
        assert_eq!(Config::parse("msan,pta").expect_err("two bases"), "pta");
        assert_eq!(Config::parse("").expect("nothing set").base, Base::Full);
    }
}
