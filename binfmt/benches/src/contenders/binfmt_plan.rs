//! Columns by binfmt from a layout that is known only at run time.

use super::*;
use crate::data::Nullable as Canon;
use binfmt::columns::{Column, Columns, Plan};
use binfmt::schema::{Description, Encoding, Extent, Integer, Field, Record, Type};
use binfmt::{Endian, Options};
use std::sync::OnceLock;

fn plan(fields: impl IntoIterator<Item = (&'static str, Type)>) -> Plan {
    let fields = fields.into_iter().map(|(name, ty)| Field::new(name, ty));
    Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap()
}

fn numbers() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let int = |bytes| Type::Int { bytes, signed: true };
        let float = |bytes| Type::Float { bytes };
        plan([("a", int(4)), ("b", float(8)), ("c", float(4)), ("d", int(2)), ("e", float(8))])
    })
}

fn load() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let null = |body| Type::Nullable { present: 255, missing: (0, 127), blank: true, body: Box::new(body) };
        let len = Extent::Prefixed { len: Integer::unsigned(4), max: None, inclusive: false };
        plan([
            ("id", Type::Int { bytes: 8, signed: true }),
            ("weight", null(Type::Float { bytes: 8 })),
            ("name", null(Type::Text { encoding: Encoding::Any, nul: true, len })),
            ("speed", Type::Float { bytes: 4 }),
        ])
    })
}

fn numbers_ok(found: &Columns) -> bool {
    let c = &data().cols;
    found.get("a") == Some(&Column::from(c.a.clone()))
        && found.get("b") == Some(&Column::from(c.b.clone()))
        && found.get("c") == Some(&Column::from(c.c.clone()))
        && found.get("d") == Some(&Column::from(c.d.clone()))
        && found.get("e") == Some(&Column::from(c.e.clone()))
}

fn load_ok(found: &Columns) -> bool {
    let w = &data().w6;
    let column = |name| found.get(name);
    let (Some(id), Some(speed)) = (
        column("id").and_then(Column::as_slice::<i64>),
        column("speed").and_then(Column::as_slice::<f32>),
    ) else {
        return false;
    };
    let (Some(Column::Nullable(weight)), Some(Column::Nullable(name))) = (found.get("weight"), found.get("name"))
    else {
        return false;
    };
    let (Some(weights), Column::Text(names)) = (weight.values().as_slice::<f64>(), name.values()) else {
        return false;
    };
    found.num_rows() == w.len()
        && w.iter().enumerate().all(|(i, x)| {
            let weight = match x.weight {
                Canon::Value(v) => !weight.is_missing(i) && weights[i] == v,
                Canon::Null(k) => weight.missing(i) == Some(k),
            };
            let name = match &x.name {
                Canon::Value(v) => !name.is_missing(i) && names.get(i) == Some(v.as_bytes()),
                Canon::Null(k) => name.missing(i) == Some(*k),
            };
            weight && name && (id[i], speed[i]) == (x.id, x.speed)
        })
}

fn batches(plan: &Plan, w: &[u8]) -> usize {
    let mut reader = plan.reader(w, &Options::new());
    let mut rows = 0;
    while let Some(batch) = reader.next_batch(1 << 16).unwrap() {
        rows += batch.num_rows();
    }
    rows
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    let from_be = |w: &[u8]| numbers().decode_with(w, &Options::new().endian(Endian::Big)).unwrap();
    r.dec(("W5", "le-dec"), "binfmt (run-time layout)", Exact, None, |w| numbers().decode(w).unwrap(), numbers_ok);
    r.dec(("W5", "be-dec"), "binfmt (run-time layout)", Exact, None, from_be, numbers_ok);
    let source = || numbers().decode(&data().w5_le).unwrap();
    let to_le = |s: &Columns, o: &mut Vec<u8>| *o = numbers().encode(s).unwrap();
    r.enc(("W5", "le-enc"), "binfmt (run-time layout)", Exact, source, to_le);
    let to_be =
        |s: &Columns, o: &mut Vec<u8>| *o = numbers().encode_with(s, &Options::new().endian(Endian::Big)).unwrap();
    r.enc(("W5", "be-enc"), "binfmt (run-time layout)", Exact, source, to_be);

    r.dec(("W6", "decode"), "binfmt (run-time layout)", Exact, None, |w| load().decode(w).unwrap(), load_ok);
    let stream = |w: &[u8]| batches(load(), w);
    r.dec(("W6", "decode"), "binfmt (run-time layout, batches)", Exact, None, stream, |n| *n == data().w6.len())
        .kind(Kind::Stream);
    let source = || load().decode(&data().w6_wire).unwrap();
    r.enc(("W6", "encode"), "binfmt (run-time layout)", Exact, source, |s, o| *o = load().encode(s).unwrap());
}
