//! The three forms of one table.

use super::*;

struct Sample;

impl Rows for Sample {
    fn num_rows(&self) -> usize {
        3
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        match (row, column) {
            (_, 0) => {
                *room = (row * 50).to_string().into_bytes();
                Shown::Plain(room)
            }
            (0, _) => Shown::Missing(Some(3)),
            (1, _) => Shown::Text(b""),
            _ => Shown::Text(b"a\tb,\"c\"\\\xff"),
        }
    }
}

fn head() -> Head {
    Head {
        title: "page 1".into(),
        notes: vec![("step".into(), "7".into())],
        columns: vec![Column::new("n", true), Column::new("text", false)],
    }
}

fn written(tables: &mut dyn Tables) {
    tables.begin(&head()).unwrap();
    tables.rows(&Sample).unwrap();
    tables.end().unwrap();
}

#[test]
fn plain_text_has_one_row_a_line() {
    let mut out = Vec::new();
    written(&mut Plain::new(&mut out, true));
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text, "# page 1\n# step: 7\nn\ttext\n0\t\\N\n50\t\n100\ta\\tb,\"c\"\\\\\\xff\n");
    let mut out = Vec::new();
    written(&mut Plain::new(&mut out, false));
    assert!(out.starts_with(b"0\t"));
}

#[test]
fn markdown_escapes_what_means_something_to_it() {
    let mut out = Vec::new();
    let mut markdown = Markdown::new(&mut out);
    written(&mut markdown);
    let name = |name: &str| Column::new(name, false);
    markdown.begin(&Head { columns: vec![name("a|b_c")], ..Head::default() }).unwrap();
    markdown.end().unwrap();
    let text = String::from_utf8(out).unwrap();
    let first = "**page 1**\n\n* step: 7\n\n| n | text |\n|--:|---|\n| 0 |  |\n| 50 |  |\n| 100 | a\\tb,\"c\"\\\\\\xff |\n";
    assert_eq!(text, format!("{first}\n| a\\|b\\_c |\n|---|\n"));
}

#[test]
fn csv_tells_missing_from_empty() {
    let mut out = Vec::new();
    written(&mut Csv::new(&mut out, true));
    assert_eq!(out, b"n,text\n0,\n50,\"\"\n100,\"a\tb,\"\"c\"\"\\\xff\"\n");
}

#[test]
fn people_get_columns() {
    let mut out = Vec::new();
    written(&mut People::new(&mut out, true, false));
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text, "page 1\nstep: 7\n  n  text\n  0  null(3)\n 50\n100  a\\tb,\"c\"\\\\\\xff\n");
    let mut out = Vec::new();
    written(&mut People::new(&mut out, true, true));
    assert!(String::from_utf8(out).unwrap().contains("\x1b[1mtext\x1b[0m"));
}

#[test]
fn an_empty_table_has_its_names() {
    let mut out = Vec::new();
    let mut people = People::new(&mut out, true, false);
    people.begin(&head()).unwrap();
    people.end().unwrap();
    assert!(out.ends_with(b"n  text\n"));
}

/// One text of a size of its own.
struct Long(usize);

impl Rows for Long {
    fn num_rows(&self) -> usize {
        2
    }

    fn show<'a>(&'a self, _: usize, _: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        *room = vec![b'x'; self.0];
        room.push(b'"');
        Shown::Text(room)
    }
}

#[test]
fn cells_of_any_length_come_in_order() {
    for len in [0, 16 << 10, 100_000] {
        let head = Head { columns: vec![Column::new("a", false)], ..Head::default() };
        let (mut csv, mut plain) = (Vec::new(), Vec::new());
        let mut forms: [Box<dyn Tables>; 2] =
            [Box::new(Csv::new(&mut csv, true)), Box::new(Plain::new(&mut plain, true))];
        for form in &mut forms {
            form.begin(&head).unwrap();
            form.rows(&Long(len)).unwrap();
            form.end().unwrap();
        }
        drop(forms);
        let long = "x".repeat(len);
        assert_eq!(String::from_utf8(csv).unwrap(), format!("a\n\"{long}\"\"\"\n\"{long}\"\"\"\n"));
        assert_eq!(String::from_utf8(plain).unwrap(), format!("a\n{long}\"\n{long}\"\n"));
    }
}

/// Bytes of a size of their own.
struct Blob(Vec<u8>);

impl Rows for Blob {
    fn num_rows(&self) -> usize {
        1
    }

    fn show<'a>(&'a self, _: usize, _: usize, _: &'a mut Vec<u8>) -> Shown<'a> {
        Shown::Bytes(&self.0)
    }
}

#[test]
fn bytes_are_hexadecimal() {
    for len in [0, 2, 100_000] {
        let (head, rows) = (Head { columns: vec![column("a")], ..Head::default() }, Blob(vec![0xab; len]));
        let (mut csv, mut plain, mut people) = (Vec::new(), Vec::new(), Vec::new());
        let mut forms: [Box<dyn Tables>; 3] = [
            Box::new(Csv::new(&mut csv, true)),
            Box::new(Plain::new(&mut plain, true)),
            Box::new(People::new(&mut people, true, false)),
        ];
        for form in &mut forms {
            form.begin(&head).unwrap();
            form.rows(&rows).unwrap();
            form.end().unwrap();
        }
        drop(forms);
        let text = format!("a\n0x{}\n", "ab".repeat(len));
        assert_eq!(
            (String::from_utf8(csv).unwrap(), String::from_utf8(plain).unwrap()),
            (text.clone(), text.clone())
        );
        let people = String::from_utf8(people).unwrap();
        assert!(
            if len < 100 { people == text } else { people.ends_with("…\n") && people.len() < 100 },
            "{people}"
        );
    }
}

fn column(name: &str) -> Column {
    Column::new(name, false)
}
