//! The annotated dump of a file names every byte of it, in headers and in texts, too.

use crate::sdds::fixtures::cases;
use binfmt::dump::{PartOptions, Style, trace, trace_in_parts};
use binfmt::formats::sdds::{Contents, File, Mode, Options};

#[test]
fn every_byte_has_a_name() {
    let mut seen = 0;
    for (name, bytes, _) in cases() {
        let sound = Options::new().slice(&bytes).is_ok_and(|mut r| r.all(|p| p.is_ok()) && !r.is_cut());
        if !sound || binfmt::from_slice::<File>(&bytes).is_err() {
            continue;
        }
        let trace = trace::<File>(&bytes);
        assert!(trace.error().is_none(), "{name}: {:?}", trace.error());
        let mut at = 0;
        for node in trace.nodes().filter(|node| !node.is_group()) {
            let range = node.range();
            assert!(range.start == at, "{name}: bytes {at}..{} have no name", range.start);
            at = range.end;
        }
        assert_eq!(at, bytes.len() as u64, "{name}");
        seen += 1;
    }
    assert!(seen > 80, "{seen}");
}

/// What stands in the parts, and the error.
fn in_parts(bytes: &[u8], depth: usize, parts: PartOptions) -> (String, Option<String>, usize) {
    let (mut text, mut count) = (String::new(), 0);
    let style = Style::new().depth(depth);
    let done =
        trace_in_parts::<Contents, (), _>(bytes, &binfmt::Options::new(), parts.depth(depth), |part| {
            text.push_str(&part.text(&style).to_string());
            count += 1;
            true
        });
    (text, done.err().map(|e| e.to_string()), count)
}

#[test]
fn a_dump_in_parts_is_the_dump_of_the_whole() {
    let mut several = 0;
    for (name, bytes, _) in cases() {
        let whole = trace::<File>(&bytes);
        for depth in [0, 1, 2, 3, usize::MAX] {
            let expected = whole.text(&Style::new().depth(depth)).to_string();
            let error = whole.error().map(ToString::to_string);
            let (text, found, _) = in_parts(&bytes, depth, PartOptions::new());
            assert_eq!(text, expected, "{name}, depth {depth}");
            assert_eq!(found, error, "{name}");
            for nodes in [1, 7] {
                let (text, found, count) = in_parts(&bytes, depth, PartOptions::new().nodes(nodes));
                // of what is read once no decoder can say what another one would
                match error {
                    None => assert_eq!(text, expected, "{name}, depth {depth}, {nodes} nodes"),
                    Some(_) => assert!(found.is_some(), "{name}"),
                }
                several += usize::from(count > 2);
            }
        }
    }
    assert!(several > 500, "{several}");
}

#[test]
fn each_node_ends_in_one_part() {
    for (name, bytes, _) in cases() {
        let whole = trace::<File>(&bytes);
        if whole.error().is_some() {
            continue;
        }
        let mut expected: Vec<_> =
            whole.nodes().map(|node| (node.path(), node.range(), node.level())).collect();
        let mut found = Vec::new();
        let parts = PartOptions::new().nodes(3);
        trace_in_parts::<Contents, (), _>(&bytes[..], &binfmt::Options::new(), parts, |part| {
            let ended = part.nodes().filter(|node| !node.goes_on());
            found.extend(ended.map(|node| (node.path(), node.range(), node.level())));
            true
        })
        .unwrap();
        let order = |a: &(String, std::ops::Range<u64>, usize)| (a.1.start, a.2, a.0.clone());
        expected.sort_by_key(order);
        found.sort_by_key(order);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn who_wants_no_more_is_asked_no_more() {
    let mut parts = 0;
    let options = PartOptions::new().nodes(2);
    let done = trace_in_parts::<Contents, (), _>(TEXT.as_bytes(), &binfmt::Options::new(), options, |_| {
        parts += 1;
        parts < 3
    });
    assert!(done.is_ok() && parts == 3);
}

const TEXT: &str = "SDDS1
! a remark
&parameter name=n, type=long &end
&array name=a, type=short, dimensions=2,
  units=\"m\" &end
&column name=x, type=double &end
&column name=s, type=string &end
&data mode=ascii &end
7
1 2 ! sizes
5 6
2
1.5 \"a\\!b\" ! after
2.5 c

! page 2
8
0 0
0
";

#[test]
fn a_text_is_taken_apart() {
    let trace = trace::<File>(TEXT.as_bytes());
    let dump = trace.text(&Style::new()).to_string();
    let words: Vec<&str> = dump.lines().filter_map(|line| line.get(79..)).filter(|w| !w.is_empty()).collect();
    for expected in [
        r#"header.version: "SDDS1\n" (text)"#,
        r##"header (comment): "! a remark\n" (text)"##,
        r#"header.parameters[0].type: "type=long " (text)"#,
        r#"header.arrays[0].dimensions: "dimensions=2,\n  " (text)"#,
        r#"header.arrays[0].units: "units=\"m\" " (text)"#,
        r#"header.columns[1].name: "name=s, " (text)"#,
        r#"header.data.mode: "mode=ascii " (text)"#,
        r#"pages[0].parameters.n: "7\n" (long)"#,
        r#"pages[0].arrays.a (dimension 0): "1" (long)"#,
        r#"pages[0].arrays.a[1]: " 6\n" (short)"#,
        r#"pages[0].rows: "2\n" (long64)"#,
        r#"pages[0].table[0].x: "1.5" (double)"#,
        r#"pages[0].table[0].s: " \"a\\!b\"" (string)"#,
        r#"pages[0].table[1].s: " c\n" (string)"#,
        r#"pages[1].parameters.n: "8\n" (long)"#,
        r#"pages[1].rows: "0\n" (long64)"#,
    ] {
        assert!(words.contains(&expected), "{expected} in\n{dump}");
    }
    // as far as it can be read
    let trace = trace_of(&TEXT.replace("2.5 c", "x c"));
    assert!(
        trace.contains("pages[0].table[0].x") && trace.contains("column `x`: `x` is not a double"),
        "{trace}"
    );
}

fn trace_of(text: &str) -> String {
    trace::<File>(text.as_bytes()).text(&Style::new()).to_string()
}

/// A page of text and the same page in binary are of the same parts: a path of one names a value of the other.
#[test]
fn paths_are_those_of_the_text() {
    let header = "SDDS1
&parameter name=nux, type=double &end
&parameter name=who, type=string &end
&parameter name=wide, type=longdouble &end
&array name=hor, type=short, dimensions=2 &end
&array name=names, type=string &end
&array name=wide, type=longdouble &end
&column name=x, type=double &end
";
    let text = format!("{header}&data mode=ascii &end\n1.5\nme\n2.5\n1 2\n7 8\n1\nq\n1\n3.5\n1\n0.25\n");
    let mut file: File = binfmt::from_slice(text.as_bytes()).unwrap();
    file.header.mode = Mode::Binary;
    let binary = binfmt::to_vec(&file).unwrap();
    let paths = |bytes: &[u8]| {
        let trace = trace::<File>(bytes);
        assert!(trace.error().is_none(), "{:?}", trace.error());
        let values = trace.nodes().filter(|node| !node.is_group()).map(|node| node.path());
        values.filter(|path| path.starts_with("pages[0].")).collect::<Vec<_>>()
    };
    let (of_text, of_binary) = (paths(text.as_bytes()), paths(&binary));
    for path in ["parameters.nux", "parameters.who", "parameters.wide", "arrays.names[0]", "arrays.wide[0]"] {
        let path = format!("pages[0].{path}");
        assert!(of_text.contains(&path) && of_binary.contains(&path), "{path}: {of_binary:?}");
    }
    let dump = trace::<File>(&binary).text(&Style::new()).to_string();
    assert!(dump.contains("pages[0].parameters.who: \"me\" (text)"), "{dump}");
    assert!(dump.contains("pages[0].arrays.hor: [7, 8] (2 × i16 le)"), "{dump}");
    // errors, too, whether the bytes are traced or not
    let place = |wanted: &[u8]| binary.windows(wanted.len()).position(|bytes| bytes == wanted).unwrap();
    let at = place(b"\x02\0\0\0me");
    let mut wrong = binary.clone();
    wrong[at..at + 4].copy_from_slice(&(-2i32).to_le_bytes());
    let cut = &binary[..place(b"\x01\0\0\0q") - 4];
    for (bytes, path) in [(&wrong[..], "pages[0].parameters.who"), (cut, "pages[0].arrays.names.sizes")] {
        let e = binfmt::from_slice::<File>(bytes).unwrap_err().to_string();
        assert!(e.starts_with(path), "{e}");
        assert_eq!(trace::<File>(bytes).error().unwrap().to_string(), e);
    }
}
