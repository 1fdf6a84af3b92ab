//! For callgrind, see count.py: SDDS files of many small pages, whose cost is that of a page beside its rows. Each line is the
//! columns, their order, pages and rows, and whether they are read or written.

use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Options, Page, Writer};
use binfmt_benches::{Run, bench_roi};
use std::hint::black_box;

const NUMBERS: [DataType; 5] =
    [DataType::Double, DataType::Double, DataType::Long, DataType::Short, DataType::Double];
const STRINGS: [DataType; 5] =
    [DataType::Double, DataType::String, DataType::Long, DataType::String, DataType::Double];

fn column(kind: DataType, rows: usize, start: usize) -> Elements {
    let rows = start..start + rows;
    match kind {
        DataType::Double => rows.map(|i| i as f64).collect::<Vec<_>>().into(),
        DataType::Long => rows.map(|i| i as i32).collect::<Vec<_>>().into(),
        DataType::Short => rows.map(|i| i as i16).collect::<Vec<_>>().into(),
        _ => Elements::strings(rows.map(|i| format!("name{i}"))),
    }
}

fn write(header: &Header, pages: &[Page], out: Vec<u8>) -> Vec<u8> {
    let mut writer = Writer::new(out, header.clone()).unwrap();
    pages.iter().for_each(|page| writer.write_page(page).unwrap());
    writer.finish().unwrap()
}

fn read(file: &[u8]) -> usize {
    let mut reader = Options::new().slice(file).unwrap();
    std::iter::from_fn(|| reader.next_page().unwrap()).map(|page| black_box(page).columns().len()).sum()
}

fn run(name: &str, mut f: Run) {
    f();
    bench_roi(&mut f);
    println!("{name}");
}

fn main() {
    for (what, types) in [("numbers", NUMBERS), ("strings", STRINGS)] {
        for column_major in [false, true] {
            for (pages, rows) in [(2000, 3), (2000, 10), (200, 100)] {
                let mut header = Header::new(Mode::Binary);
                header.column_major = column_major;
                header.columns.extend((0..).zip(types).map(|(i, kind)| Column::new(format!("c{i}"), kind)));
                let page = |p| Page::new(&header, [], [], types.map(|kind| column(kind, rows, p))).unwrap();
                let all: Vec<Page> = (0..pages).map(page).collect();
                let file = write(&header, &all, Vec::new());
                let size = file.len();
                let order = if column_major { "columns" } else { "rows" };
                let name = format!("{what}\t{order}\t{pages} x {rows}");
                run(&format!("{name}\tread"), Box::new(move || assert_eq!(read(black_box(&file)), pages * types.len())));
                run(&format!("{name}\twrite"), Box::new(move || {
                    black_box(write(&header, black_box(&all), Vec::with_capacity(size)));
                }));
            }
        }
    }
}
