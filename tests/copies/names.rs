//! What the names of functions say.

/// The path with which a name begins: that of a function, or of the type that has the method.
pub(super) fn head(name: &str) -> &str {
    let path = name.trim_start_matches(['<', '&']);
    let path = path.strip_prefix("mut ").unwrap_or(path);
    let path = path.strip_prefix("dyn ").unwrap_or(path);
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
    path[..end].trim_end_matches(':')
}

/// The name without the arguments of types and functions: all copies have the same one.
pub(super) fn without_arguments(name: &str) -> String {
    let mut short = String::new();
    // how many lists of arguments are open, and the angles before them that are none: `<T as Trait>::f`
    let (mut open, mut last) = (0usize, ' ');
    for c in name.chars() {
        let is_list =
            c == '<' && (open > 0 || last.is_alphanumeric() || last == '_' || last == ':' || last == '}');
        match c {
            '<' if is_list => open += 1,
            '>' if open > 0 && last != '-' => open -= 1,
            _ if open == 0 => short.push(c),
            _ => {}
        }
        last = c;
    }
    short.replace("::::", "::").trim_end_matches(':').to_owned()
}

#[test]
fn names_are_understood() {
    let method =
        "<binfmt::wire::stream::Stream<&mut dyn std::io::Read> as binfmt::wire::cursor::Cursor>::take";
    assert_eq!(head(method), "binfmt::wire::stream::Stream");
    assert_eq!(
        without_arguments(method),
        "<binfmt::wire::stream::Stream as binfmt::wire::cursor::Cursor>::take"
    );
    let function = "binfmt::value::run::<(A, fn(B<C>) -> D), <E as F>::G>::{closure#0}::<3usize>";
    assert_eq!(head(function), "binfmt::value::run");
    assert_eq!(without_arguments(function), "binfmt::value::run::{closure#0}");
    assert_eq!(head("core::ptr::drop_in_place::<binfmt::Error>"), "core::ptr::drop_in_place");
    assert_eq!(head("<[binfmt::numbers::Number; 2] as binfmt::codec::Decode>::decode"), "");
    assert_eq!(head("<&mut binfmt::value::Value as core::fmt::Debug>::fmt"), "binfmt::value::Value");
}
