//! The texts of formats: headers, schemas, declarations, values.

use super::each;
use super::kit::in_proportion;
use binfmt::formats::{beat, futhark, scidb, sdds};

#[test]
fn headers_of_sdds() {
    let kinds: [(&str, &dyn Fn(usize) -> String); 8] = [
        ("column", &|i| format!("&column name=c{i}, type=long, units=m, description=\"column {i}\" &end\n")),
        ("parameter", &|i| format!("&parameter name=p{i}, type=long, fixed_value={i} &end\n")),
        ("array", &|i| format!("&array name=a{i}, type=long, dimensions=2 &end\n")),
        ("comment", &|i| format!("! {i}\n")),
        ("associate", &|i| format!("&associate name=a{i}, filename=f{i} &end\n")),
        ("description", &|i| format!("&description text=\"{i}\" &end\n")),
        ("line", &|i| format!("&column\n\n name=c{i},\n type=long\n &end\n")),
        ("unknown", &|i| {
            format!("&column name=c{i}, type=long{} &end\n", if i == 15_999 { ", group_name=x" } else { "" })
        }),
    ];
    for (what, command) in kinds {
        let text = |n| format!("SDDS1\n{}&data mode=ascii &end\n", each(n, command)).into_bytes();
        in_proportion(&format!("SDDS {what}"), 8000, text, |bytes| {
            let header = sdds::Header::parse(bytes).map(|(header, _)| header);
            let is_written = header.map(|header| header.to_bytes()).is_ok();
            assert!(is_written || what == "unknown", "{what}");
        });
    }
    let long = |n: usize| {
        format!("SDDS1\n&description text=\"{}\" &end\n&data mode=ascii &end\n", "x\\\"".repeat(n))
    };
    in_proportion("SDDS text", 16_000, long, |text| sdds::Header::parse(text.as_bytes()).unwrap());
}

#[test]
fn schemas_of_scidb() {
    let attributes = |n| {
        format!("<{}>[i=0:*]", each(n, |i| format!("a{i}:int32 null default {i},")).trim_end_matches(','))
    };
    let dimensions =
        |n| format!("<a:int8>[{}]", each(n, |i| format!("i{i}=0:9:0:10;")).trim_end_matches(';'));
    for (what, text) in [("attributes", &attributes as &dyn Fn(usize) -> String), ("dimensions", &dimensions)]
    {
        in_proportion(&format!("AFL {what}"), 4000, text, |text| {
            let schema = text.parse::<scidb::AflSchema>().unwrap_or_else(|e| panic!("{e}"));
            (schema.to_string(), schema.description())
        });
    }
    let broken = |n: usize| format!("<{}", each(n, |i| format!("a{i}:int3,")));
    in_proportion("AFL mistakes", 4000, broken, |text: &String| {
        text.parse::<scidb::AflSchema>().map_err(|e| e.to_string())
    });
    let format = |n: usize| format!("({})", vec!["int8 null"; n].join(", "));
    in_proportion("format string", 4000, format, |text: &String| {
        text.parse::<scidb::Template>().unwrap().description()
    });
}

#[test]
fn values_of_futhark() {
    let list = |n: usize| format!("[{}]", vec!["1i32"; n].join(", "));
    let rows = |n: usize| format!("[{}]", vec!["[1.5, 2]"; n].join(", "));
    let values = |n: usize| "1u8 -- a comment\n".repeat(n);
    let digits = |n: usize| format!("{}1.0f64", "0".repeat(n));
    let blanks = |n: usize| format!("[1,{}2]", " \n".repeat(n));
    let texts: [(&str, &dyn Fn(usize) -> String); 5] =
        [("list", &list), ("rows", &rows), ("values", &values), ("digits", &digits), ("blanks", &blanks)];
    for (what, text) in texts {
        in_proportion(&format!("Futhark {what}"), 16_000, text, |text: &String| {
            let values = futhark::read(text.as_bytes())
                .map(|values| futhark::write(&values, futhark::OutputStyle::Text));
            values.unwrap_or_else(|e| panic!("{what}: {e}"))
        });
    }
}

#[test]
fn declarations_of_beat() {
    let fields =
        |n: usize| format!("{{{}}}", each(n, |i| format!("\"f{i}\": \"int32\",")).trim_end_matches(','));
    let arrays = |n: usize| {
        format!("{{{}}}", each(n, |i| format!("\"f{i}\": [{i}, \"int32\"],")).trim_end_matches(','))
    };
    let objects = |n: usize| {
        format!("{{{}}}", each(n, |i| format!("\"f{i}\": {{\"a\": \"string\"}},")).trim_end_matches(','))
    };
    let deep = |n: usize| format!("{}\"int8\"{}", "{\"a\": ".repeat(n), "}".repeat(n));
    let texts: [(&str, &dyn Fn(usize) -> String); 4] =
        [("fields", &fields), ("arrays", &arrays), ("objects", &objects), ("depth", &deep)];
    for (what, text) in texts {
        in_proportion(&format!("BEAT {what}"), 4000, text, |text: &String| {
            let is_parsed = beat::Declaration::parse(text).map(|declaration| declaration.to_string()).is_ok();
            // more levels than are allowed
            assert_eq!(is_parsed, what != "depth", "{what}");
        });
    }
}
