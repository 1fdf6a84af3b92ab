//! The functions of a program.

use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::path::Path;

/// A function, and how many bytes it has.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) size: u64,
}

/// All functions of a program. One that stands under several names is there once.
pub(super) fn functions(program: &Path) -> Vec<Function> {
    let bytes = std::fs::read(program).unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    let file = object::File::parse(&*bytes).unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    let mut found = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
    {
        let Ok(name) = symbol.name() else { continue };
        // without the hashes of crates
        let name = format!("{:#}", rustc_demangle::demangle(name));
        found.entry(symbol.address()).or_insert(Function { name, size: symbol.size() });
    }
    assert!(found.len() > 1000, "{} has no symbols", program.display());
    found.into_values().collect()
}
