//! Files for the BEAT platform's Python backend, and files of it. Driven by `beat.py`.

#[allow(dead_code)]
use crate::interop::folder;
use crate::support::beat::{is, prefix};
use binfmt::Options;
use binfmt::formats::beat::{Basic, DataSet, Declaration, FieldType, Format, Object, Writer};
use binfmt::value::Value;
use serde_json::Value as Json;

const FORMATS: [&str; 8] = [
    "user/all/1",
    "user/boxes/1",
    "user/nested/1",
    "user/ext2/1",
    "user/fixed/1",
    "rand/r0/1",
    "rand/r4/1",
    "rand/r7/1",
];

struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    fn object(&mut self, format: &Format) -> Value {
        Value::record(format.fields().iter().map(|(name, ty)| (name, self.field(ty))))
    }

    fn field(&mut self, ty: &FieldType) -> Value {
        match ty {
            FieldType::Object(format) => self.object(format),
            FieldType::Array(dims, item) => {
                let shape: Box<[u64]> =
                    dims.iter().map(|dim| if *dim == 0 { self.next() % 3 + 1 } else { *dim }).collect();
                let values = (0..shape.iter().product()).map(|_| self.field(item)).collect();
                Value::Array { shape, values }
            }
            FieldType::Basic(basic) => self.basic(*basic),
            _ => unreachable!("no other type"),
        }
    }

    fn basic(&mut self, basic: Basic) -> Value {
        let n = self.next();
        let float = |n: u64| (n >> 11) as f64 / 1e9 - 4e6;
        match basic {
            Basic::Int8 => (n as i8).into(),
            Basic::Int16 => (n as i16).into(),
            Basic::Int32 => (n as i32).into(),
            Basic::Int64 => (n as i64).into(),
            Basic::Uint8 => (n as u8).into(),
            Basic::Uint16 => (n as u16).into(),
            Basic::Uint32 => (n as u32).into(),
            Basic::Uint64 => n.into(),
            Basic::Float32 => (float(n) as f32).into(),
            Basic::Float64 => float(n).into(),
            Basic::Complex64 => {
                Value::List(vec![(float(n) as f32).into(), (float(self.next()) as f32).into()])
            }
            Basic::Complex128 => Value::List(vec![float(n).into(), float(self.next()).into()]),
            Basic::Bool => n.is_multiple_of(2).into(),
            Basic::String => ["", "abc", "h\u{e9}llo \u{2603}", "a\nb", "binary"][n as usize % 5].into(),
        }
    }
}

#[test]
fn writes_files_for_the_backend() {
    let Some(folder) = folder("rust") else {
        println!("not run: the backend reads these files when tests/interop/beat.py is run");
        return;
    };
    let mut bits = Bits(11);
    for (i, name) in FORMATS.iter().enumerate() {
        let declaration = Declaration::load(name, prefix()).unwrap();
        let options = Options::new().ctx(&declaration);
        let mut writer = Writer::create(folder.join(format!("set{i}")), name, 5, 14).unwrap();
        for (start, end) in [(5, 5), (6, 9), (10, 14)] {
            let object = Object(bits.object(declaration.format()));
            writer.write_with(start, end, &object, &options).unwrap();
        }
        writer.finish().unwrap();
    }
}

#[test]
fn reads_files_of_the_backend() {
    let Some(folder) = folder("python") else {
        println!("not run: the files are those that tests/interop/beat.py makes with the backend");
        return;
    };
    for i in 0..FORMATS.len() {
        let json = std::fs::read_to_string(folder.join(format!("set{i}.json"))).unwrap();
        let json: Json = serde_json::from_str(&json).unwrap();
        let declaration = Declaration::load(json["format"].as_str().unwrap(), prefix()).unwrap();
        let options = Options::new().ctx(&declaration);
        let set = DataSet::open(folder.join(format!("set{i}"))).unwrap();
        assert_eq!(set.verify().unwrap().gaps, []);
        let expected = json["chunks"].as_array().unwrap();
        let chunks: Vec<_> = set.within(0..=u64::MAX).map(Result::unwrap).collect();
        assert_eq!(chunks.len(), expected.len());
        for (raw, expected) in chunks.iter().zip(expected) {
            let chunk = raw.decode_with::<Object, _>(&options).unwrap();
            assert_eq!(
                (Some(chunk.start), Some(chunk.end)),
                (expected["start"].as_u64(), expected["end"].as_u64())
            );
            assert!(is(&chunk.value.0, &expected["value"]), "{chunk:?}");
            let mut again = binfmt::to_vec_with(&chunk.value, &options).unwrap();
            again.push(b'\n');
            assert_eq!(again, raw.bytes);
        }
    }
}

#[test]
fn loads_every_declaration() {
    let Some(folder) = folder("declarations") else {
        println!("not run: the declarations are those of the packages that tests/interop/beat.py installs");
        return;
    };
    let json = std::fs::read_to_string(folder.join("all.json")).unwrap();
    let cases: Vec<Json> = serde_json::from_str(&json).unwrap();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let loaded = Declaration::load(name, case["prefix"].as_str().unwrap());
        if case["bytes"].is_null() {
            let e = loaded.expect_err(name);
            assert!(e.to_string().starts_with("declaration"), "{name}: {e}");
            continue;
        }
        let declaration = loaded.unwrap_or_else(|e| panic!("{name}: {e}"));
        let options = Options::new().ctx(&declaration);
        let digits = case["bytes"].as_str().unwrap().as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
        let object: Object =
            binfmt::from_slice_with(&bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(is(&object.0, &case["value"]), "{name}: {object:?}");
        assert_eq!(binfmt::to_vec_with(&object, &options).unwrap(), bytes, "{name}");
    }
}
