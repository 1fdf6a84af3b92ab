//! Arrays that are written: the content of libtiledb 1.6.3's own arrays gives its bytes again.

use crate::support::tiledb::path;
use binfmt::formats::tiledb::*;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

const KEY: Key = Key::new(*b"0123456789abcdeF0123456789abcdeF");

fn names() -> Vec<String> {
    let folders = std::fs::read_dir(path("")).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().join("__array_schema.tdb").is_file());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn options(name: &str) -> Options {
    if name.starts_with("e_") { Options::new().key(KEY) } else { Options::new() }
}

/// One fragment of an array, alone.
fn alone(name: &str, fragment: &str) -> Array<Memory> {
    let memory = Memory::new();
    let schema = std::fs::read(path(name).join("__array_schema.tdb")).unwrap();
    memory.write("__array_schema.tdb", &schema).unwrap();
    for entry in std::fs::read_dir(path(name).join(fragment)).unwrap() {
        let entry = entry.unwrap();
        let bytes = std::fs::read(entry.path()).unwrap();
        memory.write(&format!("{fragment}/{}", entry.file_name().to_str().unwrap()), &bytes).unwrap();
    }
    options(name).open(memory).unwrap()
}

/// Writes what a fragment holds into another array.
fn copy<S: Storage>(from: &Array<Memory>, to: &mut Array<S>, order: Layout) -> binfmt::Result<FragmentName> {
    let fragment = &from.fragments()[0];
    let mut query = from.query().order(order);
    let dense = fragment.metadata().footer.dense;
    if dense {
        let domain = from.schema().domain.dimensions.iter().zip(&fragment.metadata().footer.non_empty_domain);
        for (d, range) in domain {
            let [low, high] = range.map(|v| v.as_i128().unwrap());
            query = query.range(&d.name, i64::try_from(low).unwrap()..=high as i64);
        }
    }
    let cells = query.read().unwrap();
    let mut insert = to.insert().order(order).at(fragment.name().timestamps().0);
    for (name, column) in cells.columns() {
        insert = insert.column(name, column.clone());
    }
    if dense {
        let domain = from.schema().domain.dimensions.iter().zip(&fragment.metadata().footer.non_empty_domain);
        for (d, range) in domain {
            let [low, high] = range.map(|v| v.as_i128().unwrap());
            insert = insert.range(&d.name, low as i64..=high as i64);
        }
    } else if from.schema().array_type == ArrayType::Dense {
        return sparse_in_dense(from, to);
    } else {
        insert = insert.coords(cells.coords().iter().map(|(_, values)| values.clone()));
    }
    insert.write()
}

/// The single cells of `d2_sparse_frag_in_dense`: those that do not hold the fill value.
fn sparse_in_dense<S: Storage>(from: &Array<Memory>, to: &mut Array<S>) -> binfmt::Result<FragmentName> {
    let cells = from.read().unwrap();
    let shape = cells.shape().unwrap();
    let (a, text) = (cells.column("a").unwrap(), cells.column("s").unwrap());
    let (Numbers::I32(numbers), Numbers::U8(bytes)) = (a.values(), text.values()) else {
        panic!("other types")
    };
    let written: Vec<usize> = (0..numbers.len()).filter(|i| numbers[*i] != i32::MIN).collect();
    let low = |d: usize| from.schema().domain.dimensions[d].domain[0].as_i128().unwrap() as i32;
    let rows = written.iter().map(|i| low(0) + (i / shape[1]) as i32).collect();
    let cols = written.iter().map(|i| low(1) + (i % shape[1]) as i32).collect();
    let numbers = Numbers::I32(written.iter().map(|i| numbers[*i]).collect());
    let (mut all, mut offsets) = (Vec::new(), vec![0]);
    for i in &written {
        all.extend_from_slice(&bytes[text.offsets()[*i]..text.offsets()[i + 1]]);
        offsets.push(all.len());
    }
    to.insert()
        .at(from.fragments()[0].name().timestamps().0)
        .coords([Numbers::I32(rows), Numbers::I32(cols)])
        .column("a", Column::fixed(Datatype::Int32, CellValNum::ONE, numbers).unwrap())
        .column("s", Column::variable(Datatype::Char, Numbers::U8(all), offsets).unwrap())
        .write()
}

fn bytes(storage: &Memory, path: &str) -> Vec<u8> {
    let mut bytes = vec![0; storage.size(path).unwrap().unwrap() as usize];
    storage.read(path, 0, &mut bytes).unwrap();
    bytes
}

/// Whether there is one output only.
fn is_ours(pipeline: &FilterPipeline) -> bool {
    let theirs =
        |f: &Filter| matches!(f, Filter::Gzip(_) | Filter::Zstd(_) | Filter::Lz4(_) | Filter::Bzip2(_));
    !pipeline.filters.iter().any(theirs)
}

#[test]
fn fragments_are_written_as_the_software_does() {
    let (mut same, mut fragments) = (0, 0);
    for name in names() {
        let whole = options(&name).open(Folder::new(path(&name))).unwrap();
        for fragment in whole.fragments() {
            let theirs = alone(&name, fragment.name().as_str());
            let schema = theirs.schema();
            // of a sparse fragment in a dense array there is no list of cells to read
            if fragment.metadata().footer.dense != (schema.array_type == ArrayType::Dense) {
                continue;
            }
            fragments += 1;
            let orders = [Layout::RowMajor, Layout::ColumnMajor];
            // in one dimension they are the same
            for order in &orders[..if schema.domain.dimensions.len() > 1 { 2 } else { 1 }] {
                let order = *order;
                let mut ours = options(&name).create(Memory::new(), schema.clone()).unwrap();
                let written = copy(&theirs, &mut ours, order).unwrap_or_else(|e| panic!("{name}: {e}"));
                let (a, b) = (ours.fragments()[0].metadata(), fragment.metadata());
                assert_eq!(a.rtree, b.rtree, "{name}");
                assert_eq!(a.footer.non_empty_domain, b.footer.non_empty_domain, "{name}");
                assert_eq!(a.footer.last_tile_cell_num, b.footer.last_tile_cell_num, "{name}");
                assert_eq!(a.footer.sparse_tile_num, b.footer.sparse_tile_num, "{name}");
                assert_eq!(a.tile_var_sizes, b.tile_var_sizes, "{name}");
                let consolidated = fragment.name().timestamps().0 < fragment.name().timestamps().1;
                for attribute in &schema.attributes {
                    let stem = if attribute.name.is_empty() { "__attr" } else { &attribute.name };
                    let var = attribute.cell_val_num == CellValNum::VAR;
                    let file = if var { format!("{stem}_var.tdb") } else { format!("{stem}.tdb") };
                    if is_ours(&attribute.filters) && !name.starts_with("e_") && !consolidated {
                        let ours = bytes(ours.storage(), &format!("{written}/{file}"));
                        let theirs =
                            std::fs::read(path(&name).join(fragment.name().as_str()).join(&file)).unwrap();
                        assert_eq!(ours, theirs, "{name}/{file}");
                        same += 1;
                    }
                }
                assert_eq!(theirs.read().unwrap(), ours.read().unwrap(), "{name}");
                // and from its files alone
                let again = options(&name).open(ours.storage()).unwrap();
                assert_eq!(again.read().unwrap(), ours.read().unwrap(), "{name}");
            }
        }
    }
    assert!(same > 140 && fragments > 70, "{same} files of {fragments} fragments");
}

/// Arrays for other programs, where a folder is named in the environment.
#[test]
fn arrays_are_written_anew() {
    let target = std::env::var_os("BINFMT_TILEDB_OUT").map(PathBuf::from);
    let base = std::env::temp_dir().join(format!("binfmt-tiledb-{}", std::process::id()));
    for name in names() {
        let whole = options(&name).open(Folder::new(path(&name))).unwrap();
        let folder = target.as_ref().unwrap_or(&base).join(&name);
        let mut ours = options(&name).create(Folder::new(&folder), whole.schema().clone()).unwrap();
        for fragment in whole.fragments() {
            copy(&alone(&name, fragment.name().as_str()), &mut ours, Layout::RowMajor).unwrap();
        }
        assert_eq!(whole.read().unwrap(), ours.read().unwrap(), "{name}");
    }
    if target.is_none() {
        std::fs::remove_dir_all(base).unwrap();
    }
}

/// A storage that fails after that many bytes.
struct Failing {
    files: Memory,
    left: Mutex<usize>,
}

impl Storage for Failing {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.files.size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.files.read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut left = self.left.lock().unwrap();
        if bytes.len() > *left {
            *left = 0;
            return Err(io::Error::other("the disk is full"));
        }
        *left -= bytes.len();
        self.files.write(path, bytes)
    }
}

#[test]
fn a_write_that_fails_leaves_the_array_as_it_was() {
    let theirs = alone(
        "d1_var",
        options("d1_var").open(Folder::new(path("d1_var"))).unwrap().fragments()[0].name().as_str(),
    );
    let array = options("").create(Memory::new(), theirs.schema().clone()).unwrap();
    let empty = array.read().unwrap();
    for left in (0..).step_by(7) {
        let failing = Failing { files: array.storage().clone(), left: Mutex::new(left) };
        let mut failed = options("").open(failing).unwrap();
        match copy(&theirs, &mut failed, Layout::RowMajor) {
            Ok(_) => {
                assert!(left > 500);
                break;
            }
            Err(e) => assert!(e.to_string().ends_with("the disk is full"), "{e}"),
        }
        assert_eq!(failed.read().unwrap(), empty);
        assert_eq!(options("").open(&failed.storage().files).unwrap().read().unwrap(), empty);
    }
}

#[test]
fn what_cannot_be_written() {
    let x = || Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
    let a = |n: i32| Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32((0..n).collect())).unwrap();
    let schema = ArraySchema::dense(Datatype::Int32, [x()]).attribute(Attribute::new("a", Datatype::Int32));
    let mut dense = Options::new().create(Memory::new(), schema).unwrap();
    let error = |e: binfmt::Result<FragmentName>| e.unwrap_err().to_string();
    assert_eq!(error(dense.insert().write()), "missing column `a`");
    assert_eq!(error(dense.insert().column("a", a(3)).write()), "a: expected 9 cells, found 3");
    assert_eq!(
        error(dense.insert().range("x", 20..).column("a", a(0)).write()),
        "invalid region: there are no cells to write"
    );
    for cells in [3, 5] {
        assert_eq!(
            error(dense.insert().range("x", 7..=11).column("a", a(cells)).write()),
            "x: 7 to 11 is not in the domain, 1 to 9"
        );
    }
    let text = Column::fixed(Datatype::Char, CellValNum::ONE, Numbers::U8(vec![0; 9])).unwrap();
    assert_eq!(error(dense.insert().column("a", text).write()), "column `a`: expected INT32, found CHAR");
    let schema = ArraySchema::sparse(Datatype::Int32, [x()]).attribute(Attribute::new("a", Datatype::Int32));
    let mut sparse = Options::new().create(Memory::new(), schema).unwrap();
    assert_eq!(
        error(sparse.insert().column("a", a(2)).coords([Numbers::I32(vec![3, 3])]).write()),
        "duplicate cell `(3)`"
    );
    assert_eq!(
        error(sparse.insert().column("a", a(1)).coords([Numbers::I32(vec![10])]).write()),
        "x: 10 is not in the domain, 1 to 9"
    );
    assert_eq!(
        error(sparse.insert().column("a", a(9)).write()),
        "invalid cells: those of a sparse array need coordinates"
    );
    assert_eq!(
        error(sparse.insert().range("x", 3..4).column("a", a(1)).coords([Numbers::I32(vec![3])]).write()),
        "`coords` does not support ranges: the coordinates say where cells are"
    );
    assert!(dense.fragments().is_empty() && sparse.fragments().is_empty());
}

#[test]
fn the_last_write_wins() {
    let x = Dimension::new("x", Number::I32(1), Number::I32(3), Number::I32(2));
    let schema = ArraySchema::sparse(Datatype::Int32, [x])
        .attribute(Attribute::new("s", Datatype::StringUtf8).values(CellValNum::VAR));
    let mut array = Options::new().create(Memory::new(), schema).unwrap();
    let text =
        |t: &str| Column::variable(Datatype::StringUtf8, Numbers::U8(t.into()), vec![0, t.len()]).unwrap();
    for t in ["one", "", "three"] {
        array.insert().coords([Numbers::I32(vec![2])]).column("s", text(t)).write().unwrap();
        let cells = array.read().unwrap();
        assert_eq!((cells.num_cells(), cells.column("s").unwrap().text(0)), (1, Some(t)));
    }
}
