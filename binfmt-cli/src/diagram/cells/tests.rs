use super::*;
use binfmt::schema::Description;

fn drawn(text: &str) -> Drawing {
    Drawing::of(&text.parse::<Description>().unwrap().places())
}

fn cells(row: &Row) -> Vec<(&str, f64, f64)> {
    row.cells.iter().map(|cell| (cell.name.as_str(), cell.from, cell.to)).collect()
}

#[test]
fn fixed_fields_are_to_scale() {
    let drawing = drawn("Row: record, le\n  a: u16\n  b: f64\n  c: [u32; 3]\n");
    assert_eq!(drawing.sum, "22 bytes");
    assert_eq!(drawing.rows.iter().map(|row| row.label.as_str()).collect::<Vec<_>>(), ["0x00", "0x10"]);
    assert_eq!(cells(&drawing.rows[0]), [("a", 0.0, 2.0), ("b", 2.0, 10.0), ("c", 10.0, 16.0)]);
    assert_eq!(cells(&drawing.rows[1]), [("c", 0.0, 6.0)]);
    assert!(!drawing.is_open && drawing.rows[0].cells.iter().all(|cell| !cell.is_open));
}

#[test]
fn offsets_begin_again_after_what_is_of_any_length() {
    let drawing = drawn("Row: record, le\n  a: u16\n  name: text, length_prefixed(u8)\n  b: f64\n");
    assert_eq!((drawing.sum.as_str(), drawing.is_open), ("11 bytes or more", true));
    assert_eq!(cells(&drawing.rows[0]), [("a", 0.0, 2.0), ("name", 2.0, 6.0)]);
    assert!(drawing.rows[0].cells[1].is_open);
    assert_eq!((drawing.rows[1].label.as_str(), cells(&drawing.rows[1])), ("+0x00", vec![("b", 0.0, 8.0)]));
    assert_eq!(
        drawing.rows[0].cells[1].about,
        "name: text, length_prefixed(u8); at 2 (0x2), 1 bytes or more"
    );
}

#[test]
fn a_long_field_is_cut_in_the_middle() {
    let drawing = drawn("Row: record, le\n  a: u8\n  b: [u8; 1000]\n  c: u8\n");
    let labels: Vec<&str> = drawing.rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["0x00", "0x10", "⋮", "0x3e0"]);
    assert_eq!(cells(&drawing.rows[3]), [("b", 0.0, 9.0), ("c", 9.0, 10.0)]);
    assert_eq!(drawing.sum, "1002 bytes");
}

#[test]
fn records_are_lanes() {
    let text = "Row: record, le\n  id: u16\n  head: record\n    a: u32\n    at: record\n      x: u16\n      y: u16\n  z: u8\n";
    let drawing = drawn(text);
    let row = &drawing.rows[0];
    assert_eq!(row.lanes(), 2);
    let lanes: Vec<_> = row.cells.iter().filter(|cell| matches!(cell.kind, Kind::Group(_))).collect();
    assert_eq!(
        lanes.iter().map(|cell| (cell.name.as_str(), cell.from, cell.to)).collect::<Vec<_>>(),
        [("head", 2.0, 10.0), ("at", 6.0, 10.0)]
    );
    assert_eq!(cells(row).last(), Some(&("z", 10.0, 11.0)));
}

#[test]
fn bits_are_parts_of_bytes() {
    let text = "Row: record, be\n  a: u8\n  b: u8, bits(4, of = u16)\n  c: bool, bits(1)\n  d: u16, bits(11)\n  e: u8\n";
    let drawing = drawn(text);
    assert_eq!(
        cells(&drawing.rows[0]),
        [("a", 0.0, 1.0), ("b", 1.0, 1.5), ("c", 1.5, 1.625), ("d", 1.625, 3.0), ("e", 3.0, 4.0)]
    );
    assert_eq!(drawing.sum, "4 bytes");
}
