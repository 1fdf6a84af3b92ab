//! What can be seen of a type in its tokens. An alias hides everything, so nothing here may be needed for
//! correct code; it serves messages and the few words whose meaning depends on the type.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use syn::ext::IdentExt as _;
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type, TypePath};

/// The last segment of a path type without qualified self.
fn last(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(TypePath { qself: None, path }) => path.segments.last(),
        Type::Paren(paren) => last(&paren.elem),
        Type::Group(group) => last(&group.elem),
        _ => None,
    }
}

/// The last type argument of `Name<..>`.
fn argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let segment = last(ty)?;
    // before the name: a name is compared as a text that is made for it
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
    let args = (segment.ident == name).then_some(&list.args)?;
    args.iter().rev().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether the type is this name without arguments.
fn named(ty: &Type, name: &str) -> bool {
    last(ty).is_some_and(|segment| segment.arguments.is_none() && segment.ident == name)
}

/// Whether the type is one of these names without arguments.
fn named_one_of(ty: &Type, names: &[&str]) -> bool {
    let bare = last(ty).filter(|segment| segment.arguments.is_none());
    bare.is_some_and(|segment| names.contains(&&*segment.ident.to_string()))
}

/// Whether the type is of this name, with any arguments, or `Self`.
pub(crate) fn is_of(ty: &Type, name: &syn::Ident) -> bool {
    last(ty).is_some_and(|segment| segment.ident == *name || segment.ident == "Self")
}

/// `T` of `Option<T>`.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    argument(ty, "Option")
}

/// `T` of `Option<T>` or `Nullable<T>`.
pub(crate) fn maybe(ty: &Type) -> Option<&Type> {
    option(ty).or_else(|| argument(ty, "Nullable"))
}

/// The element of a list, the value of a map.
pub(crate) fn items(ty: &Type) -> Option<&Type> {
    let of = |names: &[&str], place| {
        let segment = last(ty)?;
        let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
        if !names.iter().any(|name| segment.ident == name) {
            return None;
        }
        match list.args.iter().filter(|arg| !matches!(arg, GenericArgument::Lifetime(_))).nth(place) {
            Some(GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        }
    };
    sequence(ty)
        .or_else(|| of(&["VecDeque", "BTreeSet", "HashSet"], 0))
        .or_else(|| of(&["BTreeMap", "HashMap"], 1))
}

/// The key of a map.
pub(crate) fn keys(ty: &Type) -> Option<&Type> {
    let segment = last(ty).filter(|segment| segment.ident == "BTreeMap" || segment.ident == "HashMap")?;
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
    match list.args.first() {
        Some(GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

/// `T` of `Vec<T>`, `[T]` and what holds a `[T]`.
fn sequence(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => Some(&slice.elem),
        Type::Reference(reference) => sequence(&reference.elem),
        _ => argument(ty, "Vec").or_else(|| {
            let held = argument(ty, "Box").or_else(|| cow(ty))?;
            matches!(held, Type::Slice(_)).then(|| sequence(held)).flatten()
        }),
    }
}

/// The integer that a field holds, or a list or array of it.
pub(crate) fn element(ty: &Type) -> &Type {
    let held = maybe(ty).unwrap_or(ty);
    match items(held).unwrap_or(held) {
        Type::Array(array) => &array.elem,
        item => item,
    }
}

/// `T` of `&[T]` and `Cow<[T]>`.
pub(crate) fn lent_items(ty: &Type) -> Option<&Type> {
    let held = match ty {
        Type::Reference(reference) => Some(&*reference.elem),
        _ => cow(ty),
    };
    match held {
        Some(Type::Slice(slice)) => Some(&slice.elem),
        _ => None,
    }
}

/// Whether the type is visibly a `Vec<T>`.
pub(crate) fn is_vec(ty: &Type) -> bool {
    argument(ty, "Vec").is_some()
}

/// `u8`.
pub(crate) fn is_byte(ty: &Type) -> bool {
    named(ty, "u8")
}

/// An array of several dimensions.
pub(crate) struct Grid<'a> {
    pub(crate) item: &'a Type,
    /// Their number is not in the type.
    pub(crate) dynamic: bool,
}

/// `Array<T, N>` or `ArrayD<T>`.
pub(crate) fn grid(ty: &Type) -> Option<Grid<'_>> {
    let segment = last(ty)?;
    let dynamic = segment.ident == "ArrayD";
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
    match list.args.first() {
        Some(GenericArgument::Type(item)) if dynamic || segment.ident == "Array" => {
            Some(Grid { item, dynamic })
        }
        _ => None,
    }
}

/// `T` of `Box<T>`, unless it is a text or slice that a word ends.
pub(crate) fn boxed(ty: &Type) -> Option<&Type> {
    let held = ["Box", "Rc", "Arc"].into_iter().find_map(|name| argument(ty, name));
    held.filter(|held| !matches!(held, Type::Slice(_)) && !named(held, "str"))
}

/// `T` of `Cow<'a, T>`.
pub(crate) fn cow(ty: &Type) -> Option<&Type> {
    argument(ty, "Cow")
}

/// `PhantomData<T>`.
pub(crate) fn is_marker(ty: &Type) -> bool {
    last(ty).is_some_and(|segment| segment.ident == "PhantomData")
}

/// Whether the path of a type is one that leads to the standard library, as far as it shows.
pub(crate) fn is_known(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return true };
    let first = path.path.segments.first();
    path.path.segments.len() < 2
        || first.is_some_and(|first| ["std", "alloc", "core"].iter().any(|name| first.ident == name))
}

/// Whether the type is `str` itself.
pub(crate) fn is_str(ty: &Type) -> bool {
    named(ty, "str")
}

/// Whether the type is visibly text.
pub(crate) fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_text(&reference.elem),
        _ if named_one_of(ty, &["String", "str"]) => true,
        _ => argument(ty, "Box").or_else(|| cow(ty)).is_some_and(|held| named(held, "str")),
    }
}

/// Whether the type is visibly a run of bytes of any length.
pub(crate) fn is_bytes(ty: &Type) -> bool {
    sequence(ty).is_some_and(|item| named(item, "u8"))
}

/// Whether the value needs a word that says how long it is.
pub(crate) fn is_open(ty: &Type) -> bool {
    is_text(ty) || items(ty).is_some()
}

/// `()`.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// `PhantomData<..>`.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    last(ty).is_some_and(|segment| segment.ident == "PhantomData")
}

/// Whether it is plainly an array.
pub(crate) fn is_array(ty: &Type) -> bool {
    matches!(ty, Type::Array(_))
}

/// `bool`.
pub(crate) fn is_bool(ty: &Type) -> bool {
    named(ty, "bool")
}

const INTS: &[&str] = &["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];

/// Integers, floats and `bool`.
const NUMBERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "f32", "f64", "bool"];

/// A primitive integer of fixed size.
pub(crate) fn is_int(ty: &Type) -> bool {
    named_one_of(ty, INTS)
}

/// Whether an integer type has a sign, where the type is visibly one.
pub(crate) fn is_signed(ty: &Type) -> Option<bool> {
    let known = is_int(ty) || named_one_of(ty, &["usize", "isize"]);
    last(ty).filter(|_| known).map(|segment| segment.ident.to_string().starts_with('i'))
}

/// Why an integer type is not one that a length may have.
pub(crate) fn too_wide(ty: &Type) -> Option<&'static str> {
    match () {
        () if named_one_of(ty, &["u128", "usize"]) => Some("u64 or u32"),
        () if named_one_of(ty, &["i128", "isize"]) => Some("i64 or i32"),
        () => None,
    }
}

/// A primitive of fixed size.
pub(crate) fn is_number(ty: &Type) -> bool {
    named_one_of(ty, NUMBERS)
}

/// The bytes of a primitive number.
pub(crate) fn number_size(ty: &Type) -> Option<usize> {
    let name = last(ty).filter(|_| is_number(ty))?.ident.to_string();
    let bits = name.trim_start_matches(|c: char| c.is_alphabetic());
    bits.parse::<usize>().ok().map(|bits| bits / 8).or(Some(1))
}

/// A primitive float.
pub(crate) fn is_float(ty: &Type) -> bool {
    named_one_of(ty, &["f32", "f64"])
}

/// Whether it is visible that the type is not one of `Option`, `Vec`, text, ..: a primitive, array, tuple or
/// reference. Anything else may be an alias.
pub(crate) fn is_plain(ty: &Type) -> bool {
    is_number(ty) || matches!(ty, Type::Array(_) | Type::Tuple(_)) || named(ty, "char")
}

/// Why a type of the standard library has no wire format, if it is one of those.
pub(crate) fn refusal(ty: &Type) -> Option<String> {
    let inner = match ty {
        Type::Array(array) => Some(&*array.elem),
        Type::Ptr(_) => return Some(custom(ty)),
        Type::BareFn(_) | Type::TraitObject(_) | Type::ImplTrait(_) | Type::Never(_) => {
            return Some(custom(ty));
        }
        Type::Tuple(tuple) => return tuple.elems.iter().find_map(refusal),
        _ => maybe(ty).or_else(|| items(ty)).or_else(|| argument(ty, "Box")),
    };
    if let Some(text) = twice_held(ty) {
        return Some(text);
    }
    if let Some(inner) = inner {
        return refusal(inner);
    }
    let (segment, shown) = (last(ty)?, show(ty));
    Some(match segment.ident.to_string().as_str() {
        "usize" => {
            format!("`{shown}` has no fixed size: use u64 or u32, or say what it is on the wire: `as = u64`")
        }
        "isize" => {
            format!("`{shown}` has no fixed size: use i64 or i32, or say what it is on the wire: `as = i64`")
        }
        "char" => {
            format!("`{shown}` has no wire format\nhelp: use u32 or u8 with `try_map`, or a text field")
        }
        "BinaryHeap" | "LinkedList" if !segment.arguments.is_none() => {
            format!("`{shown}` has no wire format\nhelp: use `with = path`, a Vec, or `skip`")
        }
        "RefCell" | "Cell" | "Mutex" | "RwLock" if !segment.arguments.is_none() => {
            format!("`{shown}` has no wire format\nhelp: use the type inside, Box, `with = path`, or `skip`")
        }
        "PathBuf" | "OsString" | "Instant" | "SystemTime" if segment.arguments.is_none() => custom(ty),
        "Duration" if segment.arguments.is_none() => {
            format!("`{shown}` has no unit: use `as = Millis<u64>`, a form of `binfmt::integer`")
        }
        _ => return None,
    })
}

/// Why text or a list is not held by a pointer: the words on a field say how the value itself ends.
fn twice_held(ty: &Type) -> Option<String> {
    let name = ["Box", "Rc", "Arc"].into_iter().find(|name| argument(ty, name).is_some())?;
    let (held, shown) = (argument(ty, name)?, show(ty));
    if !is_known(ty) || !is_known(held) {
        return None;
    }
    let is_unsized = is_str(held) || matches!(held, Type::Slice(_));
    let one = match (items(held), held) {
        _ if is_text(held) => "Box<str>".to_owned(),
        (_, Type::Slice(slice)) => format!("Box<[{}]>", show(&slice.elem)),
        (Some(item), _) if sequence(held).is_some() => format!("Box<[{}]>", show(item)),
        _ => return None,
    };
    if name == "Box" {
        return (!is_unsized).then(|| format!("`{shown}` has no wire format\nhelp: write `{one}`"));
    }
    Some(format!(
        "`{shown}` has no wire format\nhelp: write `{one}`, or `{name}<T>` with a struct `T` that derives `BinFormat` and has the words on its field"
    ))
}

/// Why a field cannot hold a type, which is the whole of it.
pub(crate) fn not_held(ty: &Type) -> Option<String> {
    let shown = show(ty);
    let instead = |lent: &str, owned: &str| format!("help: write `{lent}`, or `{owned}`");
    match ty {
        Type::Slice(slice) => {
            let item = show(&slice.elem);
            let help = instead(&format!("&'a [{item}]"), &format!("Vec<{item}>"));
            Some(format!("`{shown}` has no size that is known when compiling\n{help}"))
        }
        Type::Path(_) if is_str(ty) => {
            let help = instead("&'a str", "String");
            Some(format!("`{shown}` has no size that is known when compiling\n{help}"))
        }
        Type::Reference(reference) if reference.mutability.is_some() => {
            let lent = show(&reference.elem);
            Some(format!("what is lent from the input cannot be changed\nhelp: write `&'a {lent}`"))
        }
        Type::Reference(reference)
            if reference.lifetime.as_ref().is_some_and(|name| name.ident == "static") =>
        {
            let lent = show(&reference.elem);
            Some(format!(
                "`{shown}` is lent from the input, which does not live so long\nhelp: write `&'a {lent}`, with `'a` a parameter of the type"
            ))
        }
        _ => None,
    }
}

fn custom(ty: &Type) -> String {
    format!("`{}` has no wire format\nhelp: use `with = path`, `map(..)`, or `skip`", show(ty))
}

/// A type as a person writes it: `Vec<u8>`, `&'a str`. It becomes text where it is printed: most rules have nothing to say.
pub(crate) fn show<T: ToTokens>(ty: &T) -> Shown<'_, T> {
    Shown(ty)
}

/// See [`show`].
pub(crate) struct Shown<'t, T>(&'t T);

impl<T: ToTokens> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        tidy(self.0.to_token_stream(), &mut out);
        f.write_str(&out)
    }
}

impl<T: ToTokens> ToTokens for Shown<'_, T> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.to_string().to_tokens(tokens);
    }
}

thread_local! {
    /// What fields are called in descriptions, by their names in expressions, where that is another one.
    static DESCRIBED: RefCell<Renames> = RefCell::default();
}

/// Names of fields in expressions, and what they are in descriptions.
pub(crate) type Renames = Rc<[(String, String)]>;

/// Tells the sources of expressions in descriptions, where fields have these names.
pub(crate) fn describing<R>(names: &Renames, tell: impl FnOnce() -> R) -> R {
    let before = DESCRIBED.replace(Rc::clone(names));
    let told = tell();
    DESCRIBED.set(before);
    told
}

/// The name of a field where descriptions are told: in backquotes if it is no plain word.
pub(crate) fn described(ident: &Ident) -> String {
    let own = ident.unraw().to_string();
    let name = DESCRIBED
        .with_borrow(|names| names.iter().find(|(name, _)| *name == own).map(|(_, new)| new.clone()));
    match name {
        None => ident.to_string(),
        Some(name) if syn::parse_str::<Ident>(&name).is_ok() => name,
        Some(name) => format!("`{name}`"),
    }
}

/// An expression as the user wrote it, each run of spaces as one: that is how it stands in a message.
pub(crate) fn source(tokens: &impl ToTokens) -> String {
    let mut out = String::new();
    let mut end = None;
    copy(tokens.to_token_stream(), &mut out, &mut end);
    out
}

/// Appends the tokens, with a space where the source has any; `end` is where the token before ended.
fn copy(tokens: TokenStream, out: &mut String, end: &mut Option<(usize, usize)>) {
    let put = |text: &str, from, to, end: &mut Option<(usize, usize)>, out: &mut String| {
        if end.is_some_and(|end| end != from) {
            out.push(' ');
        }
        out.push_str(text);
        *end = Some(to);
    };
    let mut before = ' ';
    for token in tokens {
        // what comes after a point is a field of something else, unless that is the value itself
        let is_own = !matches!(before, '.' | ':');
        before = match &token {
            TokenTree::Ident(ident) if ident == "self" => 's',
            TokenTree::Punct(punct) if punct.as_char() == '.' && matches!(before, 's' | '.') => ' ',
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        let span = token.span().unwrap();
        let (from, to) = (span.start(), span.end());
        let (from, to) = ((from.line(), from.column()), (to.line(), to.column()));
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => copy(group.stream(), out, end),
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                put(open, from, (from.0, from.1 + 1), end, out);
                copy(group.stream(), out, end);
                put(close, (to.0, to.1.saturating_sub(1)), to, end, out);
            }
            TokenTree::Ident(ident) if is_own => put(&described(&ident), from, to, end, out),
            token => put(&token.to_string(), from, to, end, out),
        }
    }
}

fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

/// Spaces only where two words meet, and after `,`, `;` and `:` as rustfmt sets them.
fn tidy(tokens: TokenStream, out: &mut String) {
    let (mut quote, mut lifetime) = (false, false);
    for token in tokens {
        lifetime =
            quote && matches!(token, TokenTree::Ident(_)) || lifetime && matches!(token, TokenTree::Group(_));
        quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        let word_before = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match token {
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                if lifetime && word_before {
                    out.push(' ');
                }
                out.push_str(open);
                tidy(group.stream(), out);
                out.push_str(close);
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                c @ (',' | ';') => {
                    out.push(c);
                    out.push(' ');
                }
                '\'' => {
                    if word_before {
                        out.push(' ');
                    }
                    out.push('\'');
                }
                c => out.push(c),
            },
            other => {
                if word_before {
                    out.push(' ');
                }
                out.push_str(&other.to_string());
            }
        }
    }
}
