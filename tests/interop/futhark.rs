//! Values for futhark-data, and values of futhark-data. Driven by `futhark.py`.

use crate::interop::folder;
use binfmt::formats::futhark::{OutputStyle, Scalar, Value, arguments, read, write, write_arguments};
use binfmt::numbers::F16;
use binfmt::{Array, BinFormat};
use half::f16;
use serde_json::Value as Json;

/// Numbers that differ from one run of the program to the next only where the seed does.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    fn array<T: Scalar>(&mut self, of: impl Fn(u64) -> T) -> Value
    where
        Vec<T>: Into<binfmt::numbers::Numbers>,
    {
        let dims: Vec<u64> = (0..self.next() % 4)
            .map(|_| self.next() % 4 + u64::from(!self.next().is_multiple_of(8)))
            .collect();
        let elements: Vec<T> = (0..dims.iter().product()).map(|_| of(self.next())).collect();
        Value::new(dims, elements).unwrap()
    }
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

#[test]
fn writes_values_for_futhark_data() {
    let mut bits = Bits(7);
    let mut values = Vec::new();
    for _ in 0..20 {
        values.push(bits.array(|n| n as i8));
        values.push(bits.array(|n| n as i16));
        values.push(bits.array(|n| n as i32));
        values.push(bits.array(|n| n as i64));
        values.push(bits.array(|n| n as u8));
        values.push(bits.array(|n| n as u16));
        values.push(bits.array(|n| n as u32));
        values.push(bits.array(|n| n));
        values.push(bits.array(|n| F16::from_f64(finite(F16::from_bits(n as u16).into()))));
        values.push(bits.array(|n| finite(f64::from(f32::from_bits(n as u32))) as f32));
        values.push(bits.array(|n| finite(f64::from_bits(n))));
        values.push(bits.array(|n| n % 2 == 0));
    }
    for (name, style) in [
        ("packed.bin", OutputStyle::Packed),
        ("printed.bin", OutputStyle::Printed),
        ("text.txt", OutputStyle::Text),
    ] {
        let bytes = write(&values, style).unwrap();
        assert_eq!(write(&read(&bytes).unwrap(), style).unwrap(), bytes);
        match folder("rust") {
            Some(folder) => std::fs::write(folder.join(name), bytes).unwrap(),
            None => println!("{name}: futhark-data reads it when tests/interop/futhark.py is run"),
        }
    }
}

#[test]
fn reads_values_of_futhark_data() {
    let Some(folder) = folder("python") else {
        println!("not run: the files are those that tests/interop/futhark.py makes with futhark-data");
        return;
    };
    let values = read(&std::fs::read(folder.join("stream.in")).unwrap()).unwrap();
    let cases: Vec<Json> =
        serde_json::from_str(&std::fs::read_to_string(folder.join("stream.json")).unwrap()).unwrap();
    assert_eq!(values.len(), cases.len());
    for (i, (value, case)) in values.iter().zip(&cases).enumerate() {
        let bytes = binfmt::to_vec(value).unwrap();
        let elements: String =
            bytes[7 + 8 * value.dims().len()..].iter().map(|b| format!("{b:02x}")).collect();
        let found = (value.element_type().name(), serde_json::json!(value.dims()), elements.as_str());
        assert_eq!(
            found,
            (case["type"].as_str().unwrap(), case["shape"].clone(), case["hex"].as_str().unwrap()),
            "value {i}"
        );
    }
}

/// What `futhark.py` expects.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, len = u64)]
struct Arguments {
    n: i32,
    flag: bool,
    #[binfmt(var_len)]
    xs: Vec<f32>,
    half: f16,
    #[binfmt(shape(u64))]
    grid: Array<i64, 2>,
    #[binfmt(var_len)]
    none: Vec<f64>,
    #[binfmt(shape(u64))]
    cube: Array<bool, 3>,
    last: u8,
}

#[test]
fn writes_arguments_for_futhark_data() {
    let args = Arguments {
        n: -7,
        flag: true,
        xs: vec![1.5, -0.25],
        half: f16::from_f32(0.5),
        grid: Array::new([2, 3], (0..6).collect()).unwrap(),
        none: vec![],
        cube: Array::new([1, 2, 1], vec![true, false]).unwrap(),
        last: 255,
    };
    for (name, style) in [
        ("packed.args", OutputStyle::Packed),
        ("printed.args", OutputStyle::Printed),
        ("text.args", OutputStyle::Text),
    ] {
        let bytes = write_arguments(&args, style).unwrap();
        assert_eq!(arguments::<Arguments>(&bytes).unwrap(), args);
        match folder("rust") {
            Some(folder) => std::fs::write(folder.join(name), bytes).unwrap(),
            None => println!("{name}: futhark-data reads it when tests/interop/futhark.py is run"),
        }
    }
}
