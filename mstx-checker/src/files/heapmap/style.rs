//! How everything looks.

use core::fmt::{self, Display, Write};

/// How many calls have a colour of their own.
pub(super) const COLOURS: usize = 10;

/// The style, and the pattern for free space. Classes `c0` to `c9` are the colours of calls, `c10` that of all others. None is
/// red: that is for what is still live.
pub(super) const HEAD: &str = "<style>
text{fill:#333}.h1{font-size:22px;font-weight:600;fill:#111}.h2{font-size:14px;font-weight:600;fill:#111}
.sub{fill:#666}.tick{font-size:11px;fill:#666}.warn{fill:#b3261e}.note{font-size:11px;fill:#666;font-style:italic}
.mono{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px}
.grid{stroke:#000;stroke-opacity:.08}.frame{fill:none;stroke:#999}.axis{stroke:#999}
.free{fill:url(#free)}.none{fill:#f3f3f3}.r{stroke:#fff;stroke-width:.6}.l{stroke:#d00000;stroke-width:1.6}
.r:hover,.s:hover,.l:hover,.m:hover{stroke:#000;stroke-width:1.5}
.c0{fill:#4e79a7}.c1{fill:#f2a541}.c2{fill:#59a14f}.c3{fill:#b07aa1}.c4{fill:#57b5b0}.c5{fill:#e8cf4d}.c6{fill:#9c755f}
.c7{fill:#8cb9e8}.c8{fill:#9bd16f}.c9{fill:#6a5acd}.c10{fill:#a9a9a9}
.d1{fill:#6b7a8d;fill-opacity:.2}.d2{fill:#6b7a8d;fill-opacity:.4}.d3{fill:#6b7a8d;fill-opacity:.6}.d4{fill:#6b7a8d;fill-opacity:.85}
.live{fill:#4e79a7;fill-opacity:.22;stroke:#4e79a7;stroke-width:1.2}.frag{fill:none;stroke:#b5541c;stroke-width:1.2}
.livetext{fill:#3b5f86}.fragtext{fill:#a04a18}.peak{stroke:#333;stroke-width:1;stroke-dasharray:5 4}
.halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.range{fill:#dfe6ee;stroke:#8fa3b8;stroke-width:.8}.mark{fill:#333}.markline{stroke:#333;stroke-opacity:.35;stroke-dasharray:2 3}
.cut{stroke:#999;stroke-dasharray:1 3}
</style>
<defs><pattern id=\"free\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"7\" \
height=\"7\" fill=\"#fafafa\"/><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"7\" stroke=\"#c9c9c9\" stroke-width=\"1.4\"/></pattern></defs>
";

/// A text of at most so many characters: in the place of what is too much at its beginning are dots.
pub(super) struct Shortened<T>(pub(super) T, pub(super) usize);

impl<T: Display> Display for Shortened<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counter = Counter(0);
        write!(counter, "{}", self.0)?;
        let skip = if counter.0 > self.1 { counter.0 - self.1.saturating_sub(1) } else { 0 };
        if skip > 0 {
            f.write_char('\u{2026}')?;
        }
        write!(Skipping(f, skip), "{}", self.0)
    }
}

struct Counter(usize);

impl Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        Ok(())
    }
}

struct Skipping<'a, 'b>(&'a mut fmt::Formatter<'b>, usize);

impl Write for Skipping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.1 == 0 {
                self.0.write_char(character)?;
            } else {
                self.1 -= 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Shortened;

    #[test]
    fn the_end_is_what_stays() {
        assert_eq!(Shortened("src/main.rs:10", 14).to_string(), "src/main.rs:10");
        assert_eq!(Shortened("/a/long/path/src/main.rs:10", 14).to_string(), "\u{2026}rc/main.rs:10");
        assert_eq!(Shortened(format_args!("{}{}", "ab", "cd"), 3).to_string(), "\u{2026}cd");
    }
}
