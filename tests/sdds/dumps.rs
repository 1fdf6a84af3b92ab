//! The annotated dump of a file names every byte of it, in headers and in texts, too.

use crate::fixtures::cases;
use binfmt::dump::{Style, trace};
use binfmt::formats::sdds::{File, Options};

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
