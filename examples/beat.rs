//! Data of the BEAT platform: a file of declared objects is written, checked, and read by a range of indices.
//!
//! Run with `cargo run -p examples --features beat --example beat`.

use binfmt::formats::beat::{DataSet, Declaration, Object, Writer};
use binfmt::{Array, BinFormat, Options};

/// Fields travel in the order of their names, regardless of their order here.
#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic, len = u64)]
struct Face {
    #[binfmt(var_len)]
    person: String,
    #[binfmt(shape(u64))]
    image: Array<u8, 2>,
    eyes: Eyes,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic)]
struct Eyes {
    right: [f32; 2],
    left: [f32; 2],
}

const DECLARATION: &str = r#"{
    "person": "string",
    "image": [0, 0, "uint8"],
    "eyes": {"left": "complex64", "right": "complex64"}
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // a mistake in the declaration is named with its place
    println!("{}", Declaration::parse(&DECLARATION.replace("uint8", "unit8")).unwrap_err());
    let declaration = Declaration::parse(DECLARATION)?;
    declaration.check_struct::<Face>()?;

    let folder = std::env::temp_dir().join(format!("binfmt-example-beat-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut writer = Writer::create(folder.join("faces"), "user/face/1", 0, 2)?;
    for i in 0..3u8 {
        let face = Face {
            person: format!("person {i}"),
            image: Array::new([2, 2], vec![i; 4]).ok_or("not four pixels")?,
            eyes: Eyes { right: [1.0, 2.0], left: [3.0, 4.0] },
        };
        writer.write(i.into(), i.into(), &face)?;
    }
    writer.finish()?;

    let set = DataSet::open(folder.join("faces"))?;
    println!("{} file, gaps: {:?}", set.files().len(), set.verify()?.gaps);
    let options = Options::new().ctx(&declaration);
    for chunk in set.touching(1..=2) {
        let chunk = chunk?;
        let face: Face = chunk.decode()?.value;
        let object: Object = chunk.decode_with(&options)?.value;
        println!(
            "{}: {} {:?}, the same by its declaration: {:?}",
            chunk.start,
            face.person,
            face.eyes,
            object.0.get("eyes")
        );
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
