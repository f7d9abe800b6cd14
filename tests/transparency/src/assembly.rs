//! Optimised machine code, function by function.

use std::collections::BTreeMap;

/// The code of each function of a crate, by its name.
pub(crate) type Functions = BTreeMap<String, String>;

const END: &str = ".cfi_endproc";

/// Reads the compiler's assembly, in which each function has a section of its own.
///
/// Local labels are renumbered: their numbers depend on what else is in the file.
pub(crate) fn functions(assembly: &str) -> Functions {
    let sections = assembly.split("\t.section\t").skip(1);
    let mut functions = Functions::new();
    for (symbol, section) in
        sections.filter_map(|section| Some((section.strip_prefix(".text.")?.split([',', '\n']).next()?, section)))
    {
        // What follows is of the next section, which need not be a function.
        let code = renumbered(section.split_inclusive(END).next().unwrap_or_default());
        let name = name(symbol);
        // Functions of one name: of two instances, or with a part that is seldom executed.
        functions.entry(name).and_modify(|other| *other += &code).or_insert(code);
    }
    functions
}

fn name(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol.trim_start_matches("unlikely.")))
}

fn renumbered(code: &str) -> String {
    let mut labels: Vec<&str> = Vec::new();
    let mut text = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(".L") {
        let (before, label) = rest.split_at(start);
        let end = label.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(label.len());
        let (label, after) = label.split_at(end);
        let number = labels.iter().position(|known| *known == label).unwrap_or_else(|| {
            labels.push(label);
            labels.len() - 1
        });
        text.push_str(before);
        text.push_str(&format!(".L{number}"));
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::functions;

    const CODE: &str = "\t.file\t\"x\"\n\t.section\t.text.f,\"ax\",@progbits\nf:\n\tjne\t.LBB3_2\n\tcall\tg@PLT\n.LBB3_2:\n\tret\n\
                        \t.cfi_endproc\n\t.type\t.L7,@object\n\t.section\t.rodata.x,\"a\"\n\t.quad\t1\n";

    #[test]
    fn labels_are_renumbered() {
        let functions = functions(CODE);
        assert_eq!(functions.len(), 1);
        assert_eq!(functions["f"], ".text.f,\"ax\",@progbits\nf:\n\tjne\t.L0\n\tcall\tg@PLT\n.L0:\n\tret\n\t.cfi_endproc");
        assert_eq!(functions, super::functions(&CODE.replace("BB3", "BB17")));
    }
}
