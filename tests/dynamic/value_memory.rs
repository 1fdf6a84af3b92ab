//! What values of a layout that is known at run time take of memory: themselves, and nothing for conditions, expressions and
//! rules.

use crate::support::memory::memory_of;
use binfmt::Options;
use binfmt::schema::{Description, Extent, Field, Record, Type};
use binfmt::value::{Program, Value};

const ROWS: usize = 1000;

fn uint(bytes: u8) -> Type {
    Type::Int { bytes, signed: false }
}

fn numbers() -> Vec<Field> {
    (0..8).map(|i| Field::new(format!("f{i}"), uint(4))).collect()
}

/// All bytes that were allocated for a record when reading, and when writing beside the output.
fn allocated(fields: Vec<Field>, row: &[u8]) -> (usize, usize) {
    let program = Program::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    let options = Options::new().ctx(&program);
    let bytes = row.repeat(ROWS);
    let (read, _, all) =
        memory_of(|| binfmt::records_with::<Value, _>(&bytes, &options).filter(|row| row.is_ok()).count());
    assert_eq!(read, ROWS);
    let value: Value = binfmt::from_slice_with(row, &options).unwrap();
    let mut out = vec![0; row.len()];
    let (written, _, beside) =
        memory_of(|| (0..ROWS).filter(|_| binfmt::to_slice_with(&value, &mut out, &options).is_ok()).count());
    assert_eq!((written, &out[..]), (ROWS, row));
    (all / ROWS, beside / ROWS)
}

#[test]
fn a_record_takes_its_fields_and_nothing_else() {
    let row = [1, 0, 0, 0].repeat(8);
    let own = 8 * size_of::<Value>();
    assert_eq!(allocated(numbers(), &row), (own, 0));

    let mut conditional = numbers();
    for (i, field) in conditional.iter_mut().enumerate().skip(2) {
        let condition = format!("*f{} == 1 && f0 | 2 > u32::from(*f1)", i - 1);
        field.ty = Type::Conditional { condition, otherwise: None, body: Box::new(uint(4)) };
    }
    assert_eq!(allocated(conditional, &row), (own, 0));

    let mut ruled = numbers();
    ruled[3].rules = vec!["range = *f0..=100".into()];
    assert_eq!(allocated(ruled, &row), (own, 0));
}

#[test]
fn a_short_list_takes_its_values() {
    let row = [[1, 0, 0, 0].repeat(7), vec![1, 0, 2, 0]].concat();
    let mut fields = numbers();
    fields[7].ty = Type::List { item: Box::new(uint(2)), len: Extent::Expr("*f0 + f1".into()) };
    let own = 8 * size_of::<Value>() + 2 * size_of::<Value>();
    assert_eq!(allocated(fields, &row), (own, 0));
}
