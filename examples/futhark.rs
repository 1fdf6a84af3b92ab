//! The arguments of a Futhark entry point: a program's input is made, and read again as a struct.
//!
//! Run with `cargo run -p examples --features futhark --example futhark`.

use binfmt::formats::futhark::{Generator, OutputStyle, Value, Writer, arguments, values, write_arguments};
use binfmt::{Array, BinFormat};

/// `entry main (n: i32) (weights: [][]f32)`
#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Args {
    n: i32,
    #[binfmt(shape(u64))]
    weights: Array<f32, 2>,
}

fn main() -> binfmt::Result<()> {
    let weights = Generator::new(1).value("[2][3]f32", Some("-1:1"))?;
    let mut input = Vec::new();
    let mut writer = Writer::new(&mut input);
    // text and binary may stand in one stream
    writer.write(&Value::from(3i32), OutputStyle::Text)?;
    writer.write(&weights, OutputStyle::Packed)?;
    writer.finish()?;

    for value in values(&input) {
        let value = value?;
        println!("{}: {value}", value.type_name());
    }

    let args: Args = arguments(&input)?;
    println!("n = {}, weights[1][2] = {}", args.n, args.weights[[1, 2]]);

    // the same the other way: what a program is given, here as text
    print!("{}", String::from_utf8_lossy(&write_arguments(&args, OutputStyle::Text)?));

    let wrong = arguments::<Args>(b"3 [1, 2]").unwrap_err();
    println!("{wrong}");
    Ok(())
}
