//! Pictures of tables.

#![cfg(feature = "plot")]

use crate::support::{Folder, run};
use std::path::Path;

const TWISS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/twiss.sdds");

/// The picture that a command line draws.
fn svg(words: &[&str]) -> String {
    let run = run(&[&["plot"], words, &["--output", "-"]].concat()).ok();
    assert!(run.text().starts_with("<svg") && run.text().ends_with("</svg>\n"), "{}", run.text());
    run.text().to_owned()
}

/// The texts of a picture.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text ").skip(1).filter_map(|rest| rest.split_once(">\n")?.1.lines().next()).collect()
}

/// The lines of the data, each with its places: they are wider than those of the frame.
fn lines(svg: &str) -> Vec<usize> {
    let wide = svg.split("<polyline ").skip(1).filter(|line| line.contains("stroke-width=\"15\""));
    wide.map(|line| {
        line.split_once("points=\"").unwrap().1.split('"').next().unwrap().split_whitespace().count()
    })
    .collect()
}

#[test]
fn names_and_units_are_those_of_the_file() {
    let picture = svg(&[TWISS, "--x", "s", "--y", "beta*", "--title", "A <ring>"]);
    let texts = texts(&picture);
    for text in ["s (m)", "betax (m)", "A &lt;ring&gt;", "betax, page 0", "betax, page 1", "0.5"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    assert!(picture.starts_with("<svg width=\"900\" height=\"560\" viewBox=\"0 0 9000 5600\""), "{picture}");
    // three rows of the first page, and the only one of the second as a dot
    assert_eq!(lines(&picture), [3]);
    assert_eq!(picture.matches("<circle").count(), 1);
    let one = svg(&[TWISS, "--x", "s", "--y", "betax", "--pages", "0", "--size", "400x300"]);
    assert!(!self::texts(&one).contains(&"betax, page 0") && one.contains("width=\"400\""), "{one}");
    let some = svg(&[TWISS, "--x", "s", "--y", "betax", "--where", "s > 0.1"]);
    assert_eq!(lines(&some), [2]);
}

#[test]
fn missing_values_are_gaps_and_files_have_names() {
    let folder = Folder::new("plot");
    let a = folder.file("a.csv", b"t,v,name\n0,1,x\n1,2,x\n2,,x\n3,4,x\n4,5,x\n5,-1,x\n6,7,x\n");
    let b = folder.file("b.csv", b"t,v,name\n0,3,x\n1,4,x\n");
    assert_eq!(lines(&svg(&[&a, "--x", "t", "--y", "v"])), [2, 4]);
    // without a column along the bottom it is the number of the row
    let rows = svg(&[&a, "--y", "v", "--rows", "3.."]);
    assert!(texts(&rows).contains(&"row") && lines(&rows) == [4]);
    // a logarithmic axis has no place for -1
    let log = svg(&[&a, "--x", "t", "--y", "v", "--log", "y"]);
    assert_eq!((lines(&log), log.matches("<circle").count()), (vec![2, 2], 1));
    let both = svg(&[&a, &b, "--x", "t", "--y", "v"]);
    assert!(texts(&both).contains(&"v, a.csv") && texts(&both).contains(&"v, b.csv"), "{:?}", texts(&both));
    assert_eq!(lines(&both), [2, 4, 2]);
    let points = svg(&[&a, "--x", "t", "--y", "v", "--points"]);
    assert_eq!((lines(&points).len(), points.matches("<circle").count()), (0, 6));
    let counts = svg(&[&a, "--y", "v", "--histogram", "--bins", "3"]);
    let rects = counts.matches("opacity=\"0.25\"").count();
    assert!(texts(&counts).contains(&"count") && texts(&counts).contains(&"v") && rects == 3, "{counts}");
}

#[test]
fn more_lines_than_colours_have_dashes_and_marks() {
    let folder = Folder::new("plot-dashes");
    let names: Vec<String> = (0..25).map(|n| format!("c{n}")).collect();
    let row = |n: usize| (0..25).map(|i| (n * i).to_string()).collect::<Vec<_>>().join(",");
    let csv =
        folder.file("a.csv", format!("{}\n{}\n{}\n{}\n", names.join(","), row(1), row(2), row(3)).as_bytes());
    let looks = |picture: &str, width: &str| {
        let lines = picture.split("<polyline ").skip(1).filter(|line| line.contains(width));
        let of = |line: &str| {
            let word = |name: &str| {
                line.split_once(name).map(|(_, rest)| rest.split('"').next().unwrap().to_owned())
            };
            (word(" stroke=\""), word("dasharray=\""))
        };
        lines.map(of).collect::<Vec<_>>()
    };
    let picture = svg(&[&csv, "--y", "c*"]);
    let (drawn, named) = (looks(&picture, "stroke-width=\"15\""), looks(&picture, "stroke-width=\"20\""));
    assert_eq!((drawn.len(), &drawn), (25, &named));
    let different: std::collections::HashSet<_> = drawn.iter().collect();
    assert_eq!(different.len(), 25, "{drawn:?}");
    assert_eq!((&drawn[0].1, &drawn[8].1), (&None, &Some("80 40".to_owned())));
    // rings, squares and crosses are no circles
    let points = svg(&[&csv, "--y", "c*", "--points"]);
    assert_eq!(points.matches("<circle").count(), 8 * (3 + 1));
    let counts = svg(&[&csv, "--y", "c*", "--histogram"]);
    assert!(counts.contains("stroke-dasharray=\"80 40\""), "{counts}");
    run(&["plot", &csv, "--y", "c*", "--output", &folder.path("a.png")]).ok();
}

#[test]
fn many_points_are_no_large_picture() {
    let folder = Folder::new("plot-many");
    let bytes: Vec<u8> = (0..200_000_u32).flat_map(|i| (f64::from(i * 7919 % 1000)).to_le_bytes()).collect();
    let file = folder.file("n.bin", &bytes);
    let layout = folder.file("n.layout", b"record, le\n  v: f64\n");
    let picture = svg(&[&file, "--layout", &layout, "--y", "v"]);
    assert!(lines(&picture)[0] <= 4 * 900 && lines(&picture)[0] > 2000, "{:?}", lines(&picture));
    assert!(texts(&picture).contains(&"row (10³)"), "{:?}", texts(&picture));
}

#[test]
fn images_of_arrays_and_of_places() {
    let folder = Folder::new("plot-image");
    let layout = folder.file("a.layout", b"record, le\n  z: [u8; 3]\n");
    let lists = folder.file("a.bin", &[1, 2, 3, 4, 5, 6]);
    let picture = svg(&[&lists, "--layout", &layout, "--image", "z"]);
    assert_eq!(picture.matches("<image ").count(), 1);
    for text in ["column", "row", "z"] {
        assert!(texts(&picture).contains(&text), "{text}: {:?}", texts(&picture));
    }
    let places = folder.file("b.csv", b"x,y,z\n0,10,1\n1,10,2\n0,20,3\n1,20,4\n");
    let picture = svg(&[&places, "--image", "z", "--x", "x", "--y", "y"]);
    assert!(texts(&picture).contains(&"x") && texts(&picture).contains(&"y"), "{:?}", texts(&picture));
    let alone = run(&["plot", &places, "--image", "z", "--output", "-"]).fails(2);
    assert!(alone.err.contains("--x and --y"), "{}", alone.err);
}

#[test]
fn a_pattern_means_what_can_be_drawn() {
    let picture = svg(&[TWISS, "--x", "s", "--y", "*", "--pages", "0"]);
    let texts = texts(&picture);
    assert!(texts.contains(&"s (m)") && texts.iter().any(|text| text.contains("betax")), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("_page") || text.contains("ElementName")), "{texts:?}");
    let some = svg(&[TWISS, "--x", "s", "--y", "beta*,betax", "--pages", "0"]);
    assert_eq!(self::texts(&some).iter().filter(|text| **text == "betax (m)").count(), 1);
    // what has one value in a page is not meant, unless it alone is
    let folder = Folder::new("plot-patterns");
    let text = b"SDDS1\n&parameter name=betaMax, type=double &end\n&column name=betax, type=double &end\n\
        &data mode=ascii &end\n9\n2\n1\n2\n";
    let file = folder.file("a.sdds", text);
    assert!(!svg(&[&file, "--y", "beta*"]).contains("betaMax"));
    assert!(svg(&[&file, "--y", "betaM*"]).contains("betaMax"));
    let none = run(&["plot", TWISS, "--y", "Element*", "--output", "-"]).fails(2);
    assert!(none.err.contains("no column that `Element*` means has numbers"), "{}", none.err);
}

#[test]
fn a_png_has_its_size() {
    let folder = Folder::new("plot-png");
    let out = folder.path("a.png");
    run(&["plot", TWISS, "--x", "s", "--y", "betax", "--size", "300x200", "--output", &out]).ok();
    let bytes = std::fs::read(&out).unwrap();
    assert_eq!(bytes[..24], *b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\x2c\0\0\0\xc8");
    assert_eq!(folder.names(), ["a.png"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = Folder::new("plot-wrong");
    let text = folder.file("a.csv", b"t,v\n0,1\n");
    let fails = |words: &[&str], part: &str| {
        let run = run(&[&["plot"], words].concat()).fails(2);
        assert!(run.err.contains(part), "{part}: {}", run.err);
    };
    fails(&[TWISS, "--y", "ElementName", "--output", "-"], "`ElementName` has no numbers to draw, but text");
    fails(&[TWISS, "--y", "betx", "--output", "-"], "did you mean");
    fails(&[TWISS, "--y", "betax", "--output", &folder.path("a.pdf")], "a picture is .svg or .png");
    fails(&[TWISS, "--output", "-"], "--y");
    fails(&[TWISS, "--y", "s", "--log", "z", "--output", "-"], "[possible values: x, y, xy]");
    fails(&[TWISS, "--y", "s", "--histogram", "--points", "--output", "-"], "--points");
    let own = folder.file("b.svg", b"t,v\n0,1\n");
    fails(&[&own, "--format", "csv", "--y", "v", "--output", &own], "it is the file that is read");
    let none = run(&["plot", &text, "--y", "v", "--where", "v > 5", "--output", "-"]);
    assert!(none.status == 0 && none.err.contains("nothing to draw"), "{none:?}");
}

/// `BINFMT_BLESS=1` writes the picture: look at it.
#[test]
fn a_picture_is_drawn_as_it_was() {
    let picture = svg(&[TWISS, "--x", "s", "--y", "betax", "--size", "300x200"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plot/twiss.svg");
    if std::env::var_os("BINFMT_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &picture).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap_or_default() == picture, "{picture}");
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let folder = Folder::new("plot-told");
    let csv = folder.file("a.csv", b"x,y\n1,-1\n2,0\n");
    let out = folder.path("a.svg");
    let told = run(&["plot", &csv, "--x", "x", "--y", "y", "--log", "y", "--output", &out]);
    assert!(told.err.contains("a logarithmic axis has only numbers above 0"), "{}", told.err);
    let drawn = ["plot", &csv, "--x", "x", "--y", "y", "--output", &out, "--x-range"];
    run(&[&drawn[..], &["5:9"]].concat()).noted("--x-range 5:9 is beside all values, 1 to 2");
    // a line goes through what is between its points
    run(&[&drawn[..], &["1.2:1.8"]].concat()).ok();
    let e = run(&["plot", &csv, "--y", "y", "--histogram", "--bins", "0", "--output", &out]).fails(2).err;
    assert!(e.contains("--bins"), "{e}");
    let e = run(&["plot", &csv, "--y", "y", "--log", "y", "--y-range", "0:1", "--output", &out]).fails(2).err;
    assert!(e.contains("--y-range: a logarithmic axis begins above 0"), "{e}");
    let e = run(&["plot", &csv, "--y", "y", "--x-range", "5:1", "--output", &out]).fails(2).err;
    assert!(e.contains("the lesser first"), "{e}");
    // planes, of which one is an image
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }\n";
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    npy.extend((header.len() as u16).to_le_bytes());
    npy.extend(header.as_bytes());
    npy.extend((0..24u8).flat_map(|n| f32::from(n).to_le_bytes()));
    let npy = folder.file("a.npy", &npy);
    let e = run(&["plot", &npy, "--image", "value", "--output", &out]).fails(2).err;
    assert!(e.contains("a plane in each row: --rows 5 draws that of the row 5"), "{e}");
    run(&["plot", &npy, "--image", "value", "--rows", "1", "--output", &out]).ok();
}

#[test]
fn axes_are_cut_and_have_dates() {
    let folder = Folder::new("plot-axes");
    let rows: String = (0..1000u64).map(|n| format!("{},{}\n", 1_700_000_000 + n * 600, n)).collect();
    let csv = folder.file("a.csv", format!("t,y\n{rows}").as_bytes());
    let out = folder.path("a.svg");
    let svg = |words: &[&str]| {
        run(&[&["plot", &csv, "--y", "y", "--output", &out][..], words].concat()).ok();
        std::fs::read_to_string(&out).unwrap()
    };
    let dated = svg(&["--x", "t", "--dates"]);
    assert!(dated.contains("2023-11-15") && !dated.contains("10⁹"), "{dated}");
    let hours = svg(&["--x", "t", "--dates", "--rows", "..50"]);
    assert!(hours.contains("t (from 2023-11-14)"), "{hours}");
    // with a unit they are times in conditions, too
    let named = svg(&["--x", "t", "--dates", "t:s"]);
    assert_eq!(named, dated);
    assert_eq!(svg(&["--dates", "--x", "t"]), dated);
    let late = svg(&["--x", "t", "--dates", "t:s", "--where", "t > '2023-11-20'"]);
    assert!(late.contains("2023-11-20") && !late.contains("2023-11-16"), "{late}");
    let counted = svg(&["--x", "t", "--dates", "t:ms"]);
    assert!(counted.contains("1970-01-20"), "{counted}");
    run(&["plot", "--x", "t", "--y", "y", "--output", &out, "--dates", &csv]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), dated);
    let histogram = ["plot", &csv, "--y", "t", "--histogram", "--output", &out, "--dates"];
    assert!(run(&[&histogram[..], &["t:s"]].concat()).ok().out.is_empty());
    assert!(std::fs::read_to_string(&out).unwrap().contains("2023-11-15"));
    assert!(run(&histogram).fails(2).err.contains("--dates t:s"));
    let wrong = ["plot", &csv, "--x", "t", "--y", "y", "--output", &out, "--dates", "t:parsec"];
    assert!(run(&wrong).fails(2).err.contains("units are s, ms"));
    let times = svg(&["--x", "t", "--types", "y:f64"]);
    assert!(times.contains("10⁹"), "{times}");
    let cut = svg(&["--x-range", "100:200", "--y-range", "120:150"]);
    let labels = |text: &str| cut.contains(&format!("\n{text}\n"));
    assert!(labels("100") && labels("200") && labels("150") && !labels("1000"), "{cut}");
    // nothing is drawn beyond the frame
    let numbers =
        cut.split("<polyline").skip(1).filter_map(|line| line.split("points=\"").nth(1)?.split('"').next());
    let places = numbers.flat_map(str::split_whitespace).filter_map(|pair| pair.split_once(','));
    for (x, y) in places {
        let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
        assert!((0.0..=9000.0).contains(&x) && (0.0..=5600.0).contains(&y), "{x} {y}");
    }
    let units = folder.file(
        "a.sdds",
        b"SDDS1\n&column name=x, type=short, units=\"$gm$rm\" &end\n&data mode=ascii &end\n2\n1\n2\n",
    );
    run(&["plot", &units, "--y", "x", "--output", &out]).ok();
    assert!(std::fs::read_to_string(&out).unwrap().contains("x (μm)"));
}

#[test]
fn very_many_points_are_a_picture_of_bounded_size() {
    let folder = Folder::new("plot-dense");
    let layout = folder.file("x.layout", b"Row: record, le\n  x: f32\n  y: f32\n");
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32).to_le_bytes()
    };
    let bytes: Vec<u8> = (0..600_000).flat_map(|_| next()).collect();
    let (file, out) = (folder.file("x.bin", &bytes), folder.path("x.svg"));
    run(&["plot", &file, "--layout", &layout, "--points", "--x", "x", "--y", "y", "--output", &out]).ok();
    let bytes = std::fs::metadata(out).unwrap().len();
    assert!(bytes < 9_000_000, "{bytes}");
}

/// Where the points of the line of a colour are, across and down.
fn places(svg: &str, color: &str) -> Vec<(f64, f64)> {
    let mut lines = svg.split("<polyline").skip(1).filter(|line| line.contains(color));
    let points = lines.next().and_then(|line| line.split("points=\"").nth(1)?.split('"').next());
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    points.unwrap().split_whitespace().map(pair).collect()
}

/// Files that count the same times in different units are drawn in one.
#[test]
fn times_of_several_files_are_in_one_unit() {
    let folder = Folder::new("plot-units");
    let out = folder.path("o.svg");
    let whole = folder.file("1.csv", b"t,y\n1600000000,1\n1600003600,2\n");
    let float = folder.file("2.csv", b"t,y\n1600000000.0,1\n1600003600.0,2\n");
    let sdds = |name: &str, kind: &str| {
        let text = format!(
            "SDDS1\n&column name=t, type={kind} &end\n&column name=y, type=double &end\n&data mode=ascii &end\n\
             2\n1600000000 1\n1600003600 2\n"
        );
        folder.file(name, text.as_bytes())
    };
    let npy = |name: &str, unit: &str| {
        let csv = folder.file("d.csv", b"t,y\n2020-09-13T12:00:00,1\n2020-09-13T13:00:00,2\n");
        let out = folder.path(name);
        run(&["convert", &csv, &out, "--types", &format!("t:time[{unit}]")]).ok();
        out
    };
    let days = |name: &str, unit: &str, text: &str| {
        let (csv, out) = (folder.file("d.csv", text.as_bytes()), folder.path(name));
        run(&["convert", &csv, &out, "--types", &format!("t:time[{unit}]")]).ok();
        out
    };
    let dates = &["--dates", "t:s"][..];
    let all = [
        (whole.clone(), float.clone(), dates),
        (float, whole.clone(), dates),
        (sdds("1.sdds", "long64"), sdds("2.sdds", "double"), dates),
        (npy("s.npy", "s"), npy("ms.npy", "ms"), &[]),
        (npy("h.npy", "h"), npy("ns.npy", "ns"), &[]),
        (
            days("M.npy", "M", "t,y\n2020-01,1\n2021-01,2\n"),
            days("D.npy", "D", "t,y\n2020-01-01,1\n2021-01-01,2\n"),
            &[],
        ),
    ];
    for (one, other, words) in &all {
        for axes in [["--x", "t", "--y", "y"], ["--x", "y", "--y", "t"]] {
            run(&[&["plot", one, other, "--output", &out][..], &axes, words].concat()).ok();
            let svg = std::fs::read_to_string(&out).unwrap();
            let lines = ["#1F6FB4", "#D95F02"].map(|color| places(&svg, color));
            assert_eq!(lines.each_ref().map(Vec::len), [2, 2], "{svg}");
            for (a, b) in lines[0].iter().zip(&lines[1]) {
                assert!((a.0 - b.0).abs() < 1.0 && (a.1 - b.1).abs() < 1.0, "{one} {other}: {lines:?}");
            }
            assert_eq!(svg.contains("since 1970-01-01)"), axes[1] == "y", "{svg}");
        }
    }
    // alone it is seconds of what has no times of its own
    run(&["plot", &npy("ms.npy", "ms"), &whole, "--x", "t", "--y", "y", "--dates", "--output", &out]).ok();
    assert!(std::fs::read_to_string(&out).unwrap().contains("12:30"));
    for words in [&["--x", "t", "--y", "y"][..], &["--y", "t", "--histogram"]] {
        let log = [&["plot", &whole, "--dates", "t:s", "--log", "x", "--output", &out][..], words].concat();
        assert!(run(&log).fails(2).err.contains("--log x: `t` has times"));
    }
}
