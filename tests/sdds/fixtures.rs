//! Every file: its header and pages, or its error; read from memory and from a stream; written, and read again.

use crate::sdds::content::{header_differences, page_differences};
use binfmt::Error;
use binfmt::formats::sdds::{Beneath, File, Header, Mode, Options, Page, PageError, Unpacked};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// Files in which the official library has a fault, or stops where this crate goes on.
const DIFFERENT: &[(&str, &str)] = &[
    ("hand/ascii_noeol_param", "it loses the last byte of a file that does not end with a line feed"),
    ("hand/endian_conflict", "the contradiction is refused with the header"),
    ("hand/fixedrow_be", "it loses the last whole row of a swapped page that is cut off"),
    ("hand/fixedvalue_bad", "the fixed value is refused with the header"),
    ("hand/longcommand_1100", "its buffer for a command has 1024 bytes"),
    ("hand/truncrows_be", "it loses a row, and leaves the numbers of the others swapped"),
];

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sdds")
}

/// Files and their JSON: `hand/ascii_crlf`, bytes, JSON.
pub(crate) fn cases() -> Vec<(String, Vec<u8>, Json)> {
    let mut all = Vec::new();
    for group in ["hand", "official"] {
        for entry in fs::read_dir(folder().join(group)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "sdds") {
                let name = format!("{group}/{}", path.file_stem().unwrap().display());
                let json = fs::read_to_string(path.with_extension("json")).unwrap();
                all.push((name, fs::read(&path).unwrap(), serde_json::from_str(&json).unwrap()));
            }
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(all.len() > 100);
    all
}

/// What a file holds: its header, its pages, and the error after them.
struct Found {
    header: Header,
    pages: Vec<Page>,
    error: Option<PageError>,
}

fn read(bytes: &[u8]) -> Result<Found, Error> {
    let include = Beneath::new(folder().join("hand"));
    let mut reader = Options::new().include(&include).slice(bytes)?;
    let mut found = Found { header: reader.header().clone(), pages: Vec::new(), error: None };
    for page in &mut reader {
        match page {
            Ok(page) => found.pages.push(page),
            Err(e) => found.error = Some(e),
        }
    }
    Ok(found)
}

fn read_stream(bytes: &[u8]) -> Result<Found, Error> {
    let include = Beneath::new(folder().join("hand"));
    let mut reader = Options::new().include(&include).reader(bytes)?;
    let mut found = Found { header: reader.header().clone(), pages: Vec::new(), error: None };
    while found.error.is_none() {
        match reader.next_page() {
            Ok(Some(page)) => found.pages.push(page),
            Ok(None) => break,
            Err(e) => found.error = Some(e),
        }
    }
    Ok(found)
}

/// Everything in which a file and its JSON differ.
fn differences(bytes: &[u8], json: &Json) -> Vec<String> {
    let wanted = &json["read_error"];
    let found = match read(bytes) {
        Err(_) if wanted["where"] == "header" => return vec![],
        Err(e) => return vec![format!("the header is refused: {e}")],
        Ok(_) if wanted["where"] == "header" => return vec![format!("the header is read: {wanted}")],
        Ok(found) => found,
    };
    let mut all = header_differences(json, &found.header);
    let pages = json["pages"].as_array().unwrap();
    if pages.len() != found.pages.len() {
        all.push(format!("{} pages expected, found {}", pages.len(), found.pages.len()));
    }
    for (i, (json, page)) in pages.iter().zip(&found.pages).enumerate() {
        all.extend(page_differences(json, &found.header, page).into_iter().map(|d| format!("page {i}: {d}")));
    }
    match (found.error, wanted.is_null()) {
        (None, false) => all.push(format!("not refused: {wanted}")),
        (Some(e), true) => all.push(format!("refused: {e}")),
        (Some(e), false) if json["recovered_page"].is_object() => match e.recover() {
            None => all.push("nothing was recovered".into()),
            Some(page) => all.extend(page_differences(&json["recovered_page"], &found.header, &page)),
        },
        _ => {}
    }
    all
}

#[test]
fn files_have_the_content_beside_them() {
    let mut wrong = Vec::new();
    for (name, bytes, json) in cases() {
        let found = differences(&bytes, &json);
        match (found.is_empty(), DIFFERENT.iter().find(|(n, _)| *n == name)) {
            (false, None) => wrong.push(format!("{name}:\n  {}", found.join("\n  "))),
            (true, Some((_, why))) => wrong.push(format!("{name}: no different, although {why}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn differences_from_the_official_library() {
    let case = |name: &str| cases().into_iter().find(|c| c.0 == name).unwrap();
    let message = |name: &str| match read(&case(name).1) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("{name} is read"),
    };
    assert!(message("hand/endian_conflict").contains("say different byte orders"));
    assert!(
        message("hand/fixedvalue_bad").contains("line 2, column 43: the fixed value `abc` is not a long")
    );
    let (_, bytes, _) = case("hand/longcommand_1100");
    assert!(read(&bytes).unwrap().error.is_none());
    let (_, bytes, _) = case("hand/ascii_noeol_param");
    assert_eq!(
        read(&bytes).unwrap().pages[0].parameters(),
        ["abc".into()].map(binfmt::formats::sdds::Value::String)
    );
    // the same three rows in both, and their values
    let (_, _, whole) = case("hand/truncrows");
    for name in ["hand/fixedrow_be", "hand/truncrows_be"] {
        let mut found = read(&case(name).1).unwrap();
        let page = found.pages.pop().unwrap_or_else(|| found.error.unwrap().recover().unwrap());
        assert_eq!(page_differences(&whole["recovered_page"], &found.header, &page), [""; 0], "{name}");
    }
}

#[test]
fn streams_say_the_same() {
    for (name, bytes, _) in cases() {
        match (read(&bytes), read_stream(&bytes)) {
            (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{name}"),
            (Ok(a), Ok(b)) => {
                assert_eq!(a.header, b.header, "{name}");
                assert_eq!(format!("{:?}", a.pages), format!("{:?}", b.pages), "{name}");
                let (a, b) = (a.error.map(PageError::recover), b.error.map(PageError::recover));
                assert_eq!(format!("{a:?}"), format!("{b:?}"), "{name}");
            }
            (a, b) => panic!("{name}: {:?} from memory, {:?} from a stream", a.err(), b.err()),
        }
    }
}

/// Files whose bytes the same content does not give back, although the official library wrote them.
const REWRITTEN: &[(&str, &str)] = &[
    ("official/alltypes_ascii", "a text of its own, 1.797693134862316e+308, reads as infinity"),
    ("official/arrays_ascii", "the same"),
    ("official/metadata_ascii", "a name with `&` is quoted, which some readers need"),
    ("official/metadata_cm", "the same"),
    ("official/metadata_le", "the same"),
];

#[test]
fn files_of_the_official_library_are_written_byte_for_byte() {
    let mut wrong = Vec::new();
    for (name, bytes, _) in cases().into_iter().filter(|c| c.0.starts_with("official/")) {
        let file: File = binfmt::from_slice(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let written = binfmt::to_vec(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again: File = binfmt::from_slice(&written).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(format!("{file:?}"), format!("{again:?}"), "{name}");
        // longdouble has padding that holds whatever was in memory
        let padded = ["alltypes", "arrays", "version_v4", "version_v5mix"].iter().any(|n| name.contains(n));
        let same = if padded && file.header.mode == Mode::Binary {
            written.len() == bytes.len()
        } else {
            written == bytes
        };
        if same == REWRITTEN.iter().any(|(n, _)| *n == name) {
            let at = written.iter().zip(&bytes).position(|(a, b)| a != b).unwrap_or(0);
            let part = |b: &[u8]| b[at.saturating_sub(20)..b.len().min(at + 40)].escape_ascii().to_string();
            wrong.push(format!("{name} at {at}:\n  ours {}\n  its  {}", part(&written), part(&bytes)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn everything_that_is_read_can_be_written_and_read_again() {
    for (name, bytes, _) in cases() {
        let Ok(found) = read(&bytes) else { continue };
        if name == "hand/longcommand_1100" {
            assert!(found.header.to_bytes().unwrap_err().to_string().contains("can be read"));
            continue;
        }
        let file = File { header: found.header, pages: found.pages };
        let written = binfmt::to_vec(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again: File = binfmt::from_slice(&written).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(format!("{:?}", file.pages), format!("{:?}", again.pages), "{name}");
    }
}

#[test]
fn compressed_files_are_found_out_by_their_content() {
    let mut seen = 0;
    for entry in fs::read_dir(folder().join("packed")).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().unwrap().to_str().unwrap();
        if ending == "json" {
            continue;
        }
        let stem = path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        let json = fs::read_to_string(path.with_file_name(format!("{stem}_{ending}.json"))).unwrap();
        let json: Json = serde_json::from_str(&json).unwrap();
        let mut reader = Options::new().file(&path).unwrap();
        let header = reader.header().clone();
        assert_eq!(header_differences(&json, &header), [""; 0], "{}", path.display());
        let pages: Vec<Page> = (&mut reader).map(Result::unwrap).collect();
        assert_eq!(json["pages"].as_array().unwrap().len(), pages.len());
        for (json, page) in json["pages"].as_array().unwrap().iter().zip(&pages) {
            assert_eq!(page_differences(json, &header, page), [""; 0], "{}", path.display());
        }
        seen += 1;
    }
    assert_eq!(seen, 9);
}

/// Files that are not part of this repository: `NAME` and `NAME.json`, in the folder that a variable names.
#[test]
fn files_elsewhere_have_the_content_beside_them() {
    let Some(folder) = std::env::var_os("BINFMT_SDDS_FILES") else {
        println!("not run: BINFMT_SDDS_FILES names the folder of the files");
        return;
    };
    let mut seen = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(json) = fs::read_to_string(format!("{}.json", path.display())) else { continue };
        let json: Json = serde_json::from_str(&json).unwrap();
        seen += 1;
        let mut bytes = Vec::new();
        let file = fs::File::open(&path).unwrap();
        std::io::Read::read_to_end(&mut Unpacked::new(file, u64::MAX).unwrap(), &mut bytes).unwrap();
        let found = differences(&bytes, &json);
        if !found.is_empty() {
            wrong.push(format!("{}:\n  {}", path.display(), found[..found.len().min(9)].join("\n  ")));
        }
        let Ok(file) = binfmt::from_slice::<File>(&bytes) else { continue };
        let again: File = binfmt::from_slice(&binfmt::to_vec(&file).unwrap()).unwrap();
        assert_eq!(format!("{:?}", file.pages), format!("{:?}", again.pages), "{}", path.display());
    }
    assert!(wrong.is_empty() && seen > 0, "{seen} files\n{}", wrong.join("\n"));
}
