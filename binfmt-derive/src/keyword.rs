//! The table of attribute words: where each may stand, what it takes, and what it excludes.
//!
//! Everything that the macro says about words (unknown, misplaced, misspelt, contradictory) comes from here.

mod peers;

pub(crate) use peers::{ABSENT, PEERS};

/// Where a `#[binfmt(..)]` list stands. The numbers are bits, so that a word can name several levels.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Level {
    Struct = 1,
    Enum = 2,
    Variant = 4,
    Field = 8,
}

impl Level {
    /// How a message calls the item: "on a field".
    pub(crate) fn article(self) -> &'static str {
        match self {
            Level::Struct => "a struct",
            Level::Enum => "an enum",
            Level::Variant => "a variant",
            Level::Field => "a field",
        }
    }
}

/// What follows a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    Expr,
    Text,
    Path,
    Type,
    Default,
    Name,
    Coding,
    Params,
    Args,
    Assert,
    If,
    Map,
    Skip,
    Prefix,
    Nullable,
    LenOf,
    OffsetOf,
    Calc,
    Checksum,
    Tag,
    Bounds,
    Limits,
    Columns,
    Shape,
    Integer,
    Region,
    At,
    Pinned,
    Ends,
    Bits,
}

/// One attribute word.
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    levels: u8,
    pub(crate) takes: Takes,
    /// How the word is written, for messages.
    pub(crate) usage: &'static str,
    /// Whether a second one adds to the first instead of being a mistake.
    pub(crate) repeats: bool,
}

impl Keyword {
    /// Whether the word may stand at this level.
    pub(crate) fn fits(&self, level: Level) -> bool {
        self.levels & level as u8 != 0
    }

    /// "a struct, an enum or a field": where the word belongs.
    pub(crate) fn places(&self) -> String {
        let all = [Level::Struct, Level::Enum, Level::Variant, Level::Field];
        let list: Vec<_> = all.into_iter().filter(|l| self.fits(*l)).map(Level::article).collect();
        match list.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

const S: u8 = Level::Struct as u8;
const E: u8 = Level::Enum as u8;
const V: u8 = Level::Variant as u8;
const F: u8 = Level::Field as u8;
const C: u8 = S | E;

const fn word(name: &'static str, levels: u8, takes: Takes, usage: &'static str) -> Keyword {
    Keyword { name, levels, takes, usage, repeats: false }
}

/// Every word that is understood.
pub(crate) const WORDS: &[Keyword] = &[
    word("le", C | V | F, Takes::Nothing, "le"),
    word("be", C | V | F, Takes::Nothing, "be"),
    word("endian", C | F, Takes::Expr, "endian = <expr>"),
    word("len", C, Takes::Type, "len = <integer type>"),
    word("as", F, Takes::Integer, "as = u24 | leb128 | <type>"),
    word("magic", S | E | V | F, Takes::Expr, "magic = b\"..\""),
    word("tag", E | V, Takes::Tag, "tag(<type>)"),
    word("tag_from", E | F, Takes::Expr, "tag_from = <expr>"),
    word("untagged", E, Takes::Nothing, "untagged"),
    word("ctx", C, Takes::Params, "ctx(<name>: <type> = <default>, ..)"),
    word("transparent", S, Takes::Nothing, "transparent"),
    word("key_order", S, Takes::Name, "key_order = lexicographic"),
    Keyword {
        name: "assert",
        levels: S | E | V | F,
        takes: Takes::Assert,
        usage: "assert(<expr>, \"text\")",
        repeats: true,
    },
    word("max_len", C, Takes::Expr, "max_len = <number>"),
    word("max_depth", C, Takes::Expr, "max_depth = <number>"),
    word("size", C | F, Takes::Limits, "size = <bytes>"),
    word("columns", S | F, Takes::Columns, "columns"),
    word("rename", C | V | F, Takes::Text, "rename = \"..\""),
    word("version", C, Takes::Expr, "version = <expr>"),
    word("fingerprint", C, Takes::Pinned, "fingerprint = 0x.."),
    word("schema", C, Takes::Text, "schema = \"<file>\""),
    word("bound", C, Takes::Bounds, "bound(<predicates>)"),
    word("crate", C, Takes::Path, "crate = <path>"),
    word("other", V, Takes::Nothing, "other"),
    word("bits", F, Takes::Bits, "bits(<number>, of = <integer type>)"),
    word("nullable", F, Takes::Nullable, "nullable(present = .., missing = .., body = zero | absent)"),
    word("var_len", F, Takes::Nothing, "var_len"),
    word("length_prefixed", F, Takes::Prefix, "length_prefixed(<integer type>)"),
    word("skip", F, Takes::Skip, "skip(bytes = <number>)"),
    word("pad_before", F, Takes::Expr, "pad_before = <number>"),
    word("pad_after", F, Takes::Expr, "pad_after = <number>"),
    word("align_before", F, Takes::Expr, "align_before = <number>"),
    word("align_after", F, Takes::Expr, "align_after = <number>"),
    word("pad_to", F, Takes::Expr, "pad_to = <number>"),
    word("fill", F, Takes::Expr, "fill = <byte>"),
    word("strict", F, Takes::Nothing, "strict"),
    word("count", F, Takes::Expr, "count = <expr>"),
    word("each", F, Takes::Expr, "each(<expr>)"),
    word("shape", F, Takes::Shape, "shape(<integer type>, rank = <number>, order = row | column)"),
    word("at", F, Takes::At, "at = <position>"),
    word("peek", F, Takes::Nothing, "peek"),
    word("region", F, Takes::Region, "region = <bytes>"),
    word("len_of", F, Takes::LenOf, "len_of(<field>)"),
    word("offset_of", F, Takes::OffsetOf, "offset_of(<field>, auto)"),
    word("calc", F, Takes::Calc, "calc(<integer type> = <expr>)"),
    word("checksum", F, Takes::Checksum, "checksum(<function>, over = <field>..=<field>)"),
    word("until", F, Takes::Expr, "until = <predicate>"),
    word("until_eof", F, Takes::Nothing, "until_eof"),
    word("ends", F, Takes::Ends, "ends(b'|')"),
    word("gaps", F, Takes::Nothing, "gaps"),
    word("if", F, Takes::If, "if(<expr>, else = <expr>)"),
    word("optional_tail", F, Takes::Nothing, "optional_tail"),
    word("since", F, Takes::Expr, "since = <version>"),
    word("until_version", F, Takes::Expr, "until_version = <version>"),
    word("reserved", F, Takes::Expr, "reserved(<number>)"),
    word("with", C | F, Takes::Path, "with = <module>"),
    word("decode_with", F, Takes::Path, "decode_with = <function>"),
    word("encode_with", F, Takes::Path, "encode_with = <function>"),
    word("map", C | F, Takes::Map, "map(decode = <function>, encode = <function>)"),
    word("try_map", C | F, Takes::Map, "try_map(decode = <function>, encode = <function>)"),
    word("process", C | F, Takes::Map, "process(decode = <function>, encode = <function>)"),
    word("range", F, Takes::Expr, "range = <low>..=<high>"),
    word("default", F, Takes::Default, "default = <expr>"),
    word("borrow", F, Takes::Nothing, "borrow"),
    word("args", F, Takes::Args, "args(<expr>, ..)"),
    word("nul", F, Takes::Nothing, "nul"),
    word("trim", F, Takes::Expr, "trim = b' '"),
    word(
        "text",
        F,
        Takes::Coding,
        "text = utf8 | latin1 | ascii | utf16le | .. | bytes | with(<code page>) | encoding(<name>)",
    ),
    word("bool_lax", F, Takes::Nothing, "bool_lax"),
];

/// Other spellings of a word, accepted in silence.
const ALIASES: &[(&str, &str)] = &[("little", "le"), ("big", "be")];

/// Words about a value that somebody gives, which a number that is worked out has not.
const OF_VALUES: &[&str] = &[
    "len_of",
    "map",
    "try_map",
    "nullable",
    "if",
    "region",
    "pad_to",
    "reserved",
    "with",
    "decode_with",
    "encode_with",
    "args",
    "tag_from",
    "nul",
    "text",
    "trim",
    "bool_lax",
    "borrow",
    "columns",
];

/// The words that say where a value ends.
pub(crate) const EXTENTS: &[&str] =
    &["var_len", "length_prefixed", "count", "each", "shape", "until", "until_eof", "ends", "gaps"];
/// Those that cannot say it of a list whose elements have some bits.
const NOT_OF_BITS: &[&str] = &["each", "shape", "until", "ends", "gaps"];
/// Words that some bits of an integer exclude, and a list of them does not.
const BESIDE_LISTS: &[&str] = &[
    "nullable",
    "if",
    "since",
    "until_version",
    "optional_tail",
    "region",
    "pad_to",
    "skip",
    "pad_before",
    "pad_after",
    "align_before",
    "align_after",
    "magic",
    "at",
    "peek",
    "process",
];
const VERSIONS: &[&str] = &["since", "until_version"];
const CODECS: &[&str] = &["with", "decode_with", "encode_with"];

/// Groups of which a field or container may say one word only, each with the advice that ends the message.
pub(crate) const ONE_OF: &[(&[&str], &str)] = &[
    (&["le", "be", "endian"], "keep the one that gives the byte order"),
    (EXTENTS, "keep the one that says where the value ends"),
    (&["with", "map", "try_map"], "keep one codec"),
    (&["nullable", "if"], "`if` takes its condition from other fields, `nullable` writes its own byte"),
    (&["since", "if"], "say both in `if`: `if(*version >= 2 && ..)`"),
    (&["until_version", "if"], "say both in `if`: `if(*version < 5 && ..)`"),
    (&["tag", "tag_from"], "the tag is either before the value or elsewhere"),
    (&["tag_from", "args"], "`tag_from = x` is `args(x)`"),
    (&["nul", "trim"], "`trim = 0` takes NULs off the end, `nul` ends the text at the first"),
    (&["ends", "nul"], "a NUL that ends the text is `nul` or `ends(0)`"),
    (&["magic", "reserved"], "a field is either fixed bytes or reserved ones"),
    (&["pad_before", "skip"], "both are bytes before the field: add them up"),
];

/// Each word of the first list excludes each word of the second.
pub(crate) const NOT_WITH: &[(&[&str], &[&str], &str)] = &[
    (CODECS, EXTENTS, "a custom codec decides where the value ends"),
    (&["decode_with", "encode_with"], &["with", "map", "try_map"], "keep one codec"),
    (
        CODECS,
        &["region", "nullable", "if", "endian", "pad_to", "nul", "text", "trim", "bool_lax", "borrow", "as"],
        "a custom codec replaces the built-in form",
    ),
    (VERSIONS, &["nullable"], "the version says whether there is a value, `nullable` writes its own byte"),
    (VERSIONS, CODECS, "a custom codec replaces the built-in form"),
    (
        VERSIONS,
        &["bits", "len_of", "calc", "checksum", "columns"],
        "the value of such a field is always there",
    ),
    (&["untagged"], &["tag", "tag_from"], "variants without a tag are tried in their order"),
    (&["transparent"], &["magic", "key_order"], "`transparent` means exactly one field and nothing else"),
    (&["bool_lax"], EXTENTS, "a bool is one byte"),
    (&["bits"], NOT_OF_BITS, "a list of bits has a number of elements, or ends with its region"),
    (&["bits"], CODECS, "a custom codec reads bytes"),
    (
        &["bits"],
        &[
            "nullable", "if", "region", "pad_to", "nul", "text", "trim", "bool_lax", "borrow", "as",
            "len_of", "args", "tag_from", "columns",
        ],
        "bits are a value of a fixed size",
    ),
    (
        &["bits"],
        &["skip", "pad_before", "pad_after", "align_before", "align_after", "magic"],
        "bytes stand before or after a run of bits: put the word on another field",
    ),
    (&["bits"], &["reserved"], "reserved bits are `bits(3, reserved)` on a field of type `()`"),
    (
        &["as"],
        &[
            "bool_lax", "nul", "text", "trim", "ends", "borrow", "shape", "reserved", "args", "tag_from",
            "columns",
        ],
        "`as` is about integers and lists of them",
    ),
    (&["at"], CODECS, "a custom codec replaces the built-in form: put it on the field of a struct"),
    (
        &["at"],
        &["magic", "skip", "pad_before", "pad_after", "align_before", "align_after", "reserved"],
        "bytes beside a part that lies elsewhere belong into its type",
    ),
    (
        &["at"],
        &["bits", "len_of", "calc", "checksum", "columns"],
        "only a value of its own can lie elsewhere",
    ),
    (&["optional_tail"], CODECS, "a custom codec replaces the built-in form"),
    (
        &["optional_tail"],
        &["if", "since", "until_version", "nullable"],
        "the end says whether there is a value",
    ),
    (
        &["optional_tail"],
        &[
            "magic",
            "skip",
            "pad_before",
            "pad_after",
            "align_before",
            "align_after",
            "reserved",
            "at",
            "bits",
            "map",
            "try_map",
            "len_of",
            "offset_of",
            "calc",
            "checksum",
            "columns",
        ],
        "only a value of its own can be missing at the end",
    ),
    (&["process"], CODECS, "a custom codec replaces the built-in form"),
    (
        &["process"],
        &["transparent", "fingerprint", "schema", "size"],
        "the functions make bytes of another layout and size: put `process` on the field",
    ),
    (
        &["process"],
        &["var_len", "count", "each", "shape", "until", "ends"],
        "say how many bytes there are: `region = ..`, `length_prefixed(.., in = bytes)`, or all up to the end",
    ),
    (
        &["process"],
        &[
            "bits",
            "reserved",
            "bool_lax",
            "borrow",
            "len_of",
            "offset_of",
            "calc",
            "checksum",
            "peek",
            "columns",
        ],
        "the functions make the bytes of a whole value",
    ),
    (&["peek"], CODECS, "a custom codec replaces the built-in form: put it on the field of a struct"),
    (
        &["peek"],
        &[
            "magic",
            "skip",
            "pad_before",
            "pad_after",
            "align_before",
            "align_after",
            "reserved",
            "bits",
            "len_of",
            "offset_of",
            "calc",
            "checksum",
            "map",
            "try_map",
            "columns",
            "at",
        ],
        "a value that is read ahead has no bytes of its own",
    ),
    (
        &["gaps"],
        &[
            "at",
            "peek",
            "process",
            "optional_tail",
            "region",
            "nullable",
            "if",
            "since",
            "until_version",
            "map",
            "try_map",
            "args",
            "tag_from",
            "pad_to",
            "nul",
            "text",
            "trim",
            "borrow",
            "as",
            "columns",
            "le",
            "be",
            "endian",
            "magic",
            "skip",
            "pad_before",
            "pad_after",
            "align_before",
            "align_after",
        ],
        "the gaps are what no other word describes",
    ),
    (&["region"], &["reserved"], "the number of reserved bytes is fixed"),
    (&["region", "reserved"], &["len_of"], "a length takes the bytes of its type"),
    (&["nul", "text", "trim"], &["each", "shape", "until"], "these words are about sequences, not text"),
    (&["map", "try_map"], &["len_of"], "a length is a plain integer"),
    (&["len_of"], &["nullable", "if", "with", "decode_with", "encode_with"], "a length is always there"),
    (&["calc", "checksum"], EXTENTS, "a computed number has the size of its type"),
    (&["calc"], &["checksum"], "keep the one that says what the number is"),
    (&["checksum"], &["assert", "range"], "a checksum is what its function gives"),
    (&["calc", "checksum"], OF_VALUES, "a computed number is what its expression gives"),
    (&["checksum", "offset_of"], &["bits"], "the number is filled in later, as bytes"),
    (&["calc", "checksum"], &["as"], "a computed number is what its expression gives"),
    (&["offset_of"], EXTENTS, "a number has the size of its type"),
    (&["offset_of"], OF_VALUES, "the number is filled in when the part has its place"),
    (
        &["offset_of"],
        &["at", "calc", "checksum", "endian", "assert", "range"],
        "the number is filled in when the part has its place",
    ),
    (&["reserved"], EXTENTS, "the number of reserved bytes is fixed"),
    (&["columns"], &["ctx"], "a struct that needs a context cannot have columns"),
    (
        &["columns"],
        &["each", "shape", "until", "ends"],
        "only a struct or a list of structs can be split into columns",
    ),
    (&["columns"], CODECS, "only a struct without further words can be split into its columns"),
    (
        &["columns"],
        &[
            "map", "try_map", "nullable", "if", "region", "pad_to", "reserved", "endian", "args", "tag_from",
            "nul", "text", "trim", "bool_lax", "borrow", "len_of",
        ],
        "only a struct without further words can be split into its columns",
    ),
];

/// What may stand beside a bare `skip`.
pub(crate) const BESIDE_SKIP: &[&str] = &["default", "rename"];

/// Whether the bits of a field with these words are those of each of its elements.
pub(crate) fn is_list_of_bits(has: impl Fn(&str) -> bool) -> bool {
    has("bits") && EXTENTS.iter().any(|word| has(word))
}

/// Whether a list of bits may have a word that some bits of an integer exclude.
pub(crate) fn is_beside_lists(a: &str, b: &str) -> bool {
    let beside = |bits: &str, other: &str| bits == "bits" && BESIDE_LISTS.contains(&other);
    beside(a, b) || beside(b, a)
}

/// Why two words cannot stand together, if so.
pub(crate) fn exclusion(a: &str, b: &str) -> Option<&'static str> {
    let group = ONE_OF.iter().find(|(group, _)| group.contains(&a) && group.contains(&b));
    let pair = || {
        NOT_WITH
            .iter()
            .find(|(x, y, _)| (x.contains(&a) && y.contains(&b)) || (x.contains(&b) && y.contains(&a)))
            .map(|(_, _, why)| *why)
    };
    group.map(|(_, why)| *why).or_else(pair)
}

/// The keyword of this spelling, aliases included.
pub(crate) fn find(name: &str) -> Option<&'static Keyword> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, word)| word);
    WORDS.iter().find(|word| word.name == name)
}

/// The message for a word that is not a keyword.
pub(crate) fn unknown(name: &str, level: Level) -> String {
    let said = |table: &[(&str, &'static str)]| {
        table.iter().find(|(word, _)| *word == name).map(|(_, instead)| *instead)
    };
    if let Some(instead) = said(ABSENT) {
        return format!("`{name}` has no counterpart here\ninstead: {instead}");
    }
    if let Some(ours) = said(PEERS) {
        return format!("`{name}` is called `{ours}` here");
    }
    let legal = || WORDS.iter().filter(|word| word.fits(level)).map(|word| word.name);
    let near = legal().map(|word| (distance(name, word), word)).min().filter(|(d, word)| {
        let limit = 1 + word.len().min(name.len()) / 4;
        *d <= limit || (name.len() >= 4 && (word.starts_with(name) || name.starts_with(word)))
    });
    // the first part of words: `align`
    let begins = |word: &&str| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
    let near = match (name.strip_suffix("_endian").and_then(find), near) {
        (Some(order), _) => vec![order.name],
        (None, Some((_, word))) => vec![word],
        (None, None) => legal().filter(begins).collect(),
    };
    let near: Vec<_> = near.iter().map(|word| format!("`{word}`")).collect();
    let hint = match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", near.join(" or ")),
    };
    let list: Vec<_> = legal().collect();
    format!(
        "unknown attribute `{name}` on {place}{hint}\nthe words for {place} are: {list}",
        place = level.article(),
        list = list.join(", ")
    )
}

/// Number of single-letter edits, a swap of neighbours counting as one, between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let change = usize::from(a[i] != b[j]);
            row[j + 1] = (last[j] + change).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_not_foreign() {
        for (i, word) in WORDS.iter().enumerate() {
            assert!(WORDS[i + 1..].iter().all(|other| other.name != word.name), "{}", word.name);
            let mut others = PEERS.iter().chain(ABSENT);
            assert!(others.all(|(theirs, _)| *theirs != word.name), "{}", word.name);
        }
    }

    #[test]
    fn exclusions_name_known_words() {
        let groups = ONE_OF.iter().flat_map(|(group, _)| group.iter());
        let pairs = NOT_WITH.iter().flat_map(|(a, b, _)| a.iter().chain(b.iter()));
        for name in groups.chain(pairs).chain(BESIDE_SKIP) {
            assert!(find(name).is_some(), "{name}");
        }
    }

    /// Every pair has its message in the compile-fail cases.
    #[test]
    fn each_exclusion_has_a_case() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ui/exclusive");
        let Ok(entries) = std::fs::read_dir(folder) else {
            eprintln!("LEFT OUT: {folder} is not part of this package");
            return;
        };
        let texts = entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        let all: String = texts.collect();
        let said = |a: &str, b: &str| all.contains(&format!("`{a}` and `{b}` exclude each other"));
        let mut missing = Vec::new();
        for (i, a) in WORDS.iter().enumerate() {
            let pairs = WORDS[i + 1..].iter().map(|b| (a.name, b.name));
            missing.extend(pairs.filter(|&(a, b)| exclusion(a, b).is_some() && !said(a, b) && !said(b, a)));
        }
        assert!(missing.is_empty(), "no case for {missing:?}");
    }

    #[test]
    fn near_misses() {
        for (typo, word) in
            [("lenght_prefixed", "length_prefixed"), ("nulable", "nullable"), ("cuont", "count")]
        {
            assert!(unknown(typo, Level::Field).contains(&format!("did you mean `{word}`?")), "{typo}");
        }
        assert!(!unknown("zzzz", Level::Field).contains("did you mean"));
    }
}
