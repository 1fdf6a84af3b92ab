//! SciDB's format strings and schemas: the same answers as the real parser, and texts that survive a round trip.

use binfmt::formats::scidb::{
    AflAttribute, AflDimension, AflSchema, ColumnLength, DimensionBound, ScidbType, Template, TemplateColumn,
    TextError, TextErrorKind, UserType,
};
use proptest::prelude::*;

/// What SciDB 19.11's `TemplateParser` says about format strings for an array of (int64, string).
const FORMAT_STRINGS: &str = include_str!("../data/scidb/format_strings.json");

/// A column as the JSON writes it.
fn column_text(column: &TemplateColumn) -> String {
    let kind = if column.is_skip() { "skip" } else { "attr" };
    // SciDB fills in the size of a type that has one.
    let size = match column.length() {
        ColumnLength::Fixed(n) => n,
        ColumnLength::Prefixed => 0,
    };
    let ty = column.ty().map_or("-", ScidbType::name);
    format!("{kind} nullable={} fixedSize={size} type={ty}", u8::from(column.is_nullable()))
}

/// An error as the JSON writes it.
fn error_text(error: &TextError) -> String {
    let name = error.found().trim_matches('`');
    match error.kind() {
        TextErrorKind::UnknownType { .. } => {
            format!("EXCEPTION SCIDB_SE_TYPESYSTEM::SCIDB_LE_TYPE_NOT_REGISTERED  {name}")
        }
        TextErrorKind::FixedSizeType => {
            "EXCEPTION SCIDB_SE_EXECUTION::SCIDB_LE_TEMPLATE_FIXED_SIZE_TYPE".into()
        }
        _ => {
            let at = error.scidb_position().expect("SciDB gives a position");
            format!("EXCEPTION SCIDB_SE_EXECUTION::SCIDB_LE_TEMPLATE_PARSE_ERROR {at}")
        }
    }
}

#[test]
fn format_strings_are_read_as_scidb_reads_them() {
    let json: serde_json::Value = serde_json::from_str(FORMAT_STRINGS).unwrap();
    let schema: AflSchema = "<a:int64 NOT NULL, b:string NOT NULL>[i=0:*]".parse().unwrap();
    let formats = json["formats"].as_object().unwrap();
    assert_eq!(formats.len(), 28);
    for (text, expected) in formats {
        let mut columns = Vec::new();
        let error = match text.parse::<Template>() {
            Err(error) => Some(error_text(&error)),
            Ok(template) if template.check_attributes(&schema).is_err() => {
                Some("EXCEPTION SCIDB_SE_EXECUTION::SCIDB_LE_ATTRIBUTES_MISMATCH".into())
            }
            Ok(template) => {
                columns = match template.columns() {
                    Some(columns) => columns.iter().map(column_text).collect(),
                    None => vec!["opaque".to_owned()],
                };
                None
            }
        };
        assert_eq!(serde_json::json!(columns), expected["columns"], "{text}");
        match (&error, expected["error"].as_str()) {
            // The name of the type stands after this one.
            (Some(ours), Some(theirs)) if ours.ends_with("FIXED_SIZE_TYPE") => {
                assert_eq!(format!("{ours} int64"), theirs, "{text}");
            }
            (ours, theirs) => assert_eq!(ours.as_deref(), theirs, "{text}"),
        }
    }
}

#[test]
fn numbers_that_scidb_would_wrap_are_errors() {
    assert!("(string(2147483647))".parse::<Template>().is_ok());
    for n in
        ["2147483648", "4294967295", "4294967297", "99999999999", "340282366920938463463374607431768211457"]
    {
        let e = format!("(int64, string({n}))").parse::<Template>().unwrap_err();
        assert_eq!(*e.kind(), TextErrorKind::NumberTooLarge, "{n}");
        assert_eq!(e.position(), 15);
    }
}

#[test]
fn template_errors_name_the_place_and_what_is_missing() {
    let cases = [
        ("", "byte 0: expected `(` or `opaque`, found the end of the text"),
        ("int64,string", "byte 0: expected `(` or `opaque`, found `int64`"),
        ("(int64 x)", "byte 7: expected `null`, `,` or `)`, found `x`"),
        ("(string x)", "byte 8: expected `(`, `null`, `,` or `)`, found `x`"),
        ("(string(4) x)", "byte 11: expected `null`, `,` or `)`, found `x`"),
        ("(string(4) null x)", "byte 16: expected `,` or `)`, found `x`"),
        ("(string(0))", "byte 8: a size of 0, expected a number of bytes from 1 to 2147483647"),
        (
            "(int8(1))",
            "byte 6: size `1` on a type that has its own, only string, binary and skip take a size",
        ),
        ("(float64)", "byte 1: unknown type `float64`, did you mean `double`?"),
        ("opaque\u{e9}", "byte 6: expected the end of the text, found `é`"),
        ("(int8);", "byte 6: expected the end of the text, found `;`"),
        ("(int8\u{0})", "byte 5: expected `null`, `,` or `)`, found `\\0`"),
    ];
    for (text, message) in cases {
        let e = text.parse::<Template>().unwrap_err();
        assert_eq!(e.to_string(), format!("SciDB format string, {message}"), "{text}");
    }
}

#[test]
fn every_c_space_is_a_space() {
    let template: Template = "\t(\u{b}skip\u{c}(\r4\n) NuLL\t,int8 )\n".parse().unwrap();
    assert_eq!(template.to_string(), "(skip(4) null, int8)");
    assert!("(int8\u{a0})".parse::<Template>().is_err());
}

#[test]
fn schemas_show_as_scidb_shows_them() {
    let cases = [
        ("<a:int64>[i]", "<a:int64> [i]"),
        ("<a:int64>", "<a:int64>"),
        ("not EMPTY x<a:int64>[i=0:*]", "not empty x<a:int64> [i=0:*]"),
        (
            "foo@1<x:int64 not null, y:double>[i=0:*; j=-100:0:0:10]",
            "foo@1<x:int64 NOT NULL,y:double> [i=0:*; j=-100:0:0:10]",
        ),
        ("<a:int8 null>[i=0:9,10,0]", "<a:int8> [i=0:9:0:10]"),
        ("<a:int8>[i=0:9,100,0,j=0:9,100,0]", "<a:int8> [i=0:9:0:100; j=0:9:0:100]"),
        ("<a:int8>[i=0:9,j,k=?:*,?,?, l]", "<a:int8> [i=0:9; j; k=?:*:?:?; l]"),
        ("<a:int8>[i=0:*:?:*]", "<a:int8> [i=0:*:?:*]"),
        ("<a:int8>[i=-9223372036854775808:+5]", "<a:int8> [i=-9223372036854775808:5]"),
        (
            "<a:string NOT NULL DEFAULT 'a, (b> \\' c' compression 'zlib', b : double default -1.5e-3>[i]",
            "<a:string NOT NULL DEFAULT 'a, (b> \\' c' COMPRESSION 'zlib',b:double DEFAULT -1.5e-3> [i]",
        ),
        (
            "<t:datetime DEFAULT now( 1, '>' ), u:int8 default (1 + (2 > 1)) reserve 10>[i]",
            "<t:datetime DEFAULT now( 1, '>' ),u:int8 DEFAULT (1 + (2 > 1)) RESERVE 10> [i]",
        ),
        (
            "<a:double NOT NULL DEFAULT nan, b:bool default TRUE, c:int8 default null>",
            "<a:double NOT NULL DEFAULT nan,b:bool DEFAULT TRUE,c:int8 DEFAULT null>",
        ),
        ("<a:int8 -- one, two\n, /* b /* : */ c */ b:int8>[i] // end", "<a:int8,b:int8> [i]"),
        ("<\"select\":int8>[\"null\"=0:*;$n]", "<\"select\":int8> [\"null\"=0:*; $n]"),
        (
            "ns . \"in\" < default:int8 default .5 > [ compression = 0 : 1 ]",
            "ns.\"in\"<default:int8 DEFAULT .5> [compression=0:1]",
        ),
        (
            "<a:int8 DEFAULT UNKNOWN, b:int8 DEFAULT <point>>",
            "<a:int8 DEFAULT UNKNOWN,b:int8 DEFAULT <point>>",
        ),
    ];
    for (text, shown) in cases {
        let schema = text.parse::<AflSchema>().unwrap_or_else(|e| panic!("{}", e.caret(text)));
        assert_eq!(schema.to_string(), shown, "{text}");
        assert_eq!(shown.parse::<AflSchema>().as_ref(), Ok(&schema), "{text}");
    }
}

#[test]
fn schema_errors_name_the_place() {
    let cases = [
        ("", "byte 0: expected `<` or the name of an array, found the end of the text"),
        ("<>", "byte 1: expected the name of an attribute, found `>`"),
        ("<a:int8,>", "byte 8: expected the name of an attribute, found `>`"),
        ("<a int8>", "byte 3: expected `:` and a type, found `int8`"),
        ("<a:>", "byte 3: expected the name of a type, found `>`"),
        ("<a:INT8>", "byte 3: unknown type `INT8`, did you mean `int8`?"),
        ("<a:int8 not>", "byte 11: expected `null`, found `>`"),
        (
            "<not:int8>",
            "byte 1: expected the name of an attribute (a reserved word needs double quotes), found `not`",
        ),
        (
            "<a:int8 default 1 not null>",
            "byte 18: expected `,` or `>` (the order is: type, null or not null, default, compression, reserve), found `not`",
        ),
        ("<a:int8 default 1 + 1>", "byte 18: expected `,` or `>`, found `+`"),
        ("<a:int8, b:int8, a:string>[i]", "byte 17: a second attribute `a`"),
        ("<a:int8 default (1>[i]", "byte 22: expected `)`, found the end of the text"),
        ("<a:string default 'x>[i]", "byte 18: a string literal without its end, expected a default value"),
        (
            "<a:int8 compression zlib>",
            "byte 20: expected the name of a compression in single quotes, found `zlib`",
        ),
        ("<a:int8>[]", "byte 9: expected the name of a dimension, found `]`"),
        ("<a:int8>[i=0]", "byte 12: expected `:` and the high bound, found `]`"),
        ("<a:int8>[i=*:5]", "byte 11: expected a number or `?`, found `*`"),
        ("<a:int8>[i=0:9,10]", "byte 17: expected `,` and the overlap, found `]`"),
        ("<a:int8>[i=0:1.5]", "byte 13: expected a whole number, found `1.5`"),
        (
            "<a:int8>[i=0:9223372036854775808]",
            "byte 13: number `9223372036854775808` is too large, expected a 64-bit number",
        ),
        ("<a:int8>[i=0:9-1]", "byte 14: expected `;` or `]` (expressions are not evaluated), found `-`"),
        ("<a:int8>[i] x", "byte 12: expected the end of the text, found `x`"),
        ("<a:int8> x", "byte 9: expected `[` or the end of the text, found `x`"),
        ("x@-1<a:int8>", "byte 2: expected a number, found `-`"),
        ("<a:int8> /* x", "byte 9: a comment without its end, expected `[` or the end of the text"),
        ("not x<a:int8>", "byte 4: expected `empty`, found `x`"),
    ];
    for (text, message) in cases {
        let e = text.parse::<AflSchema>().unwrap_err();
        assert_eq!(e.to_string(), format!("SciDB schema, {message}"), "{text}");
        assert_eq!(e.scidb_position(), None);
    }
}

#[test]
fn carets_stand_under_the_token_of_any_line() {
    let text = "<a:int8,\n\tb:strin>\n[i]";
    let e = text.parse::<AflSchema>().unwrap_err();
    assert_eq!(
        e.caret(text).to_string(),
        "\tb:strin>\n\t  ^^^^^ unknown type `strin`, did you mean `string`?"
    );
    // Another text than the one that was read is drawn without harm.
    for other in ["", "é", "ééééééééé\n\n"] {
        assert!(e.caret(other).to_string().contains('^'));
    }
}

#[test]
fn schemas_and_templates_of_each_other() {
    let schema: AflSchema =
        "flat <A:int8 NOT NULL,B:int16,C:string,D:string NOT NULL>[row=0:1]".parse().unwrap();
    let template = schema.template();
    assert_eq!(template.to_string(), "(int8, int16 null, string null, string)");
    assert!(template.check_attributes(&schema).is_ok());
    let back = template.schema(&["A", "B", "C", "D"]).unwrap();
    assert_eq!(back.attributes(), schema.attributes());
    assert_eq!(template.cell_len().min(), 1 + 3 + 5 + 4);
    assert!(Template::OPAQUE.check_attributes(&schema).is_ok());
    assert!(Template::OPAQUE.schema(&[]).is_err());
    assert!("(skip)".parse::<Template>().unwrap().schema(&[]).is_err());
    let i = "(int8)".parse::<Template>().unwrap().schema(&["i"]).unwrap();
    assert_eq!(i.to_string(), "<i:int8 NOT NULL> [i_=0:*]");
}

#[test]
fn compression_names_keep_their_quotes_and_backslashes() {
    let text = r"<a:int8 COMPRESSION 'a\'b\\c\q\n'>";
    let schema: AflSchema = text.parse().unwrap();
    assert_eq!(schema.attributes()[0].compression(), Some("a'b\\c\\q\n"));
    assert_eq!(schema.to_string().parse(), Ok(schema));
}

#[test]
fn serde_writes_the_texts() {
    let template: Template = "(int64, skip(4), string null)".parse().unwrap();
    assert_eq!(serde_json::to_string(&template).unwrap(), "\"(int64, skip(4), string null)\"");
    assert_eq!(serde_json::from_str::<Template>("\"( int64,skip(4),string NULL)\"").unwrap(), template);
    let schema: AflSchema = "<a:int8>[i]".parse().unwrap();
    assert_eq!(serde_json::to_string(&schema).unwrap(), "\"<a:int8> [i]\"");
    assert_eq!(serde_json::from_str::<AflSchema>("\"<a:int8> [i]\"").unwrap(), schema);
    let e = serde_json::from_str::<Template>("\"()\"").unwrap_err().to_string();
    assert!(e.starts_with("SciDB format string, byte 1: expected"), "{e}");
}

fn user_types() -> [UserType; 2] {
    [UserType::fixed("point", 16).unwrap(), UserType::variable("json").unwrap()]
}

fn any_type() -> impl Strategy<Value = ScidbType> {
    let types: Vec<_> =
        ScidbType::BUILT_IN.iter().cloned().chain(user_types().map(ScidbType::User)).collect();
    proptest::sample::select(types)
}

prop_compose! {
    fn any_column()(
        ty in proptest::option::weighted(0.8, any_type()),
        size in proptest::option::of(1..=TemplateColumn::MAX_SIZE),
        nullable: bool,
    ) -> TemplateColumn {
        let plain = ty.map_or_else(TemplateColumn::skip, TemplateColumn::new);
        let sized = size.and_then(|n| plain.clone().with_size(n)).unwrap_or(plain);
        if nullable { sized.nullable() } else { sized }
    }
}

/// Texts that get further into a parser than random ones.
fn near_text() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        "(",
        ")",
        ",",
        "<",
        ">",
        "[",
        "]",
        ":",
        ";",
        "=",
        "*",
        "?",
        "-",
        "@",
        ".",
        "'",
        "\"",
        "\\",
        "/*",
        "*/",
        "--",
        "\n",
        " ",
        "a",
        "int64",
        "string",
        "skip",
        "null",
        "NOT",
        "opaque",
        "default",
        "compression",
        "reserve",
        "'x'",
        "0",
        "1",
        "99999999999999999999",
        "1.5e3",
        "é",
        "\0",
    ]);
    proptest::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn templates_survive_their_text(columns in proptest::collection::vec(any_column(), 1..12)) {
        let template = Template::new(columns).unwrap();
        let text = template.to_string();
        prop_assert_eq!(Template::parse_with(&text, &user_types()), Ok(template.clone()));
        let len = template.cell_len();
        prop_assert!(len.max().is_none_or(|max| len.min() == max));
        prop_assert!(len.min() >= template.columns().unwrap().len() as u64);
        if let Ok(schema) = template.schema(&[]) {
            prop_assert_eq!(AflSchema::parse_with(&schema.to_string(), &user_types()), Ok(schema.clone()));
            prop_assert!(template.check_attributes(&schema).is_ok());
            prop_assert_eq!(schema.template().attributes().count(), template.attributes().count());
        }
    }

    #[test]
    fn dimensions_survive_their_text(low: i64, high: i64, chunk: i64) {
        let i = AflDimension::new("i").unwrap().with_bounds(DimensionBound::Number(low), DimensionBound::Number(high));
        let i = i.with_chunk(DimensionBound::Question, DimensionBound::Number(chunk));
        let schema = format!("<a:int8> [{i}]").parse::<AflSchema>().unwrap();
        prop_assert_eq!(schema.dimensions(), [i]);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        read(&text);
    }

    #[test]
    fn any_tokens_are_read_or_refused(text in near_text()) {
        read(&text);
        read(&format!("({text})"));
        read(&format!("<a:int8 {text}"));
        read(&format!("<a:int8>[i=0:{text}]"));
    }
}

/// Parses a text both ways; what is read must show as a text that reads the same, an error must draw.
fn read(text: &str) {
    match text.parse::<Template>() {
        Ok(template) => assert_eq!(template.to_string().parse(), Ok(template), "{text:?}"),
        Err(e) => refused(text, &e),
    }
    match text.parse::<AflSchema>() {
        Ok(schema) => assert_eq!(schema.to_string().parse(), Ok(schema), "{text:?}"),
        Err(e) => refused(text, &e),
    }
}

fn refused(text: &str, error: &TextError) {
    assert!(error.position() <= text.len());
    assert!(text.is_char_boundary(error.position()), "{text:?}");
    assert!(error.caret(text).to_string().contains('^'));
    assert!(error.to_string().len() < 400, "{error}");
}

/// Two attributes of one name could not be told from each other.
#[test]
fn attributes_have_names_of_their_own() {
    let template: Template = "(int8, int8)".parse().unwrap();
    let e = template.schema(&["a", "a"]).unwrap_err();
    assert_eq!(*e.kind(), TextErrorKind::DuplicateName);
    let attribute = || AflAttribute::new("a", ScidbType::Int8).unwrap();
    assert_eq!(AflSchema::new([attribute(), attribute()], []), None);
}
