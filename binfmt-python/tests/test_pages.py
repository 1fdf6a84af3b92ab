"""Pages: as mappings, in other processes, of several files."""

import multiprocessing
import pickle
from collections.abc import Mapping

import binfmt
import numpy as np
import pytest
from conftest import needs

WORK = "page.parameters['Run'] + page['x'].sum() + page.arrays['A'].sum()"


def work(page):
    return float(eval(WORK, {"page": page}))


def test_a_page_is_a_mapping_of_names(sdds):
    page = binfmt.open(sdds).pages[0]
    assert list(page) == page.keys() == ["x", "name"] and "x" in page and "y" not in page and 0 not in page
    assert dict(page)["x"].tolist() == [0.5, 1.5] and {**page}.keys() == {"x", "name"}
    assert [name for name, _ in page.items()] == ["x", "name"] and page.values()[0] is page["x"]
    assert page.get("x") is page["x"] and page.get("y") is None and page.get("y", 5) == 5
    assert len(page) == 2 and page.schema["x"].units == "mm" and page.schema.names == ["x", "name"]
    with pytest.raises(TypeError, match="page.to_pandas"):
        np.asarray(page)
    table = binfmt.open(sdds)
    assert table.get("y") is None and table.get("x").name == "x" and [column.name for column in table.values()] == table.names


def test_what_is_completed(sdds):
    table = binfmt.open(sdds)
    page = table.pages[0]
    for one in (table, page):
        assert one._ipython_key_completions_() == list(one)
    assert table.schema._ipython_key_completions_() == table.names
    assert {"mean", "max", "astype", "units", "to_numpy"} <= set(dir(table["x"])) and table["x"]._values is None
    assert "filled" in dir(binfmt.open(b"\1\0", schema="(int8 null)")["a"])


def test_parameters_of_all_pages(sdds):
    table = binfmt.open(sdds)
    assert table.pages.parameters["Run"].to_list() == [7, 8] and table.pages.schema["x"].units == "mm"
    with pytest.raises(AttributeError, match="table.pages.parameters"):
        table.parameters
    # those of columns, whatever the table shows
    for names in ("A", ["A"], "*"):
        assert binfmt.open(sdds, pages=True, arrays=names).names == ["_page", "Run", "Label", "_rows", "array:A"]
    for wrong in ("B", "A,B"):
        with pytest.raises(binfmt.Error, match="unknown array `B`"):
            binfmt.open(sdds, pages=True, arrays=wrong)
    two = b"SDDS1\n&array name=a, type=short &end\n&array name=b, type=short, units=m &end\n&data mode=ascii &end\n1\n2\n1\n3\n"
    table = binfmt.open(two, pages=True, arrays="b,a")
    assert table.names == ["_page", "array:b", "array:a"] and table.schema["array:b"].units == "m"
    assert [table[name].to_list() for name in table.names] == [[0], [[3]], [[2]]]
    assert binfmt.open(two, pages=True, arrays="b").names == ["_page", "array:b"]
    assert binfmt.open(sdds, pages=True).pages.schema.names == binfmt.open(sdds, arrays="A").pages.schema.names == ["x", "name"]


def test_pages_are_pickled(sdds, tmp_path):
    path = tmp_path / "a.sdds"
    path.write_bytes(sdds)
    for source in (path, sdds):
        pages = pickle.loads(pickle.dumps(binfmt.open(source).pages))
        assert [len(page) for page in pages] == [2, 1]
        page = pickle.loads(pickle.dumps(pages[1]))
        assert page.parameters["Run"] == 8 and page["name"].tolist() == ["Q3"] and page.schema["x"].units == "mm"
    # nothing is read before it is used: a pool would wait for ever for what fails when it arrives
    data = pickle.dumps(binfmt.open(path).pages[1])
    path.unlink()
    page = pickle.loads(data)
    with pytest.raises(binfmt.MissingFileError):
        len(page)


@pytest.mark.parametrize("method", [one for one in ("fork", "spawn") if one in multiprocessing.get_all_start_methods()])
def test_pages_are_mapped_over(sdds, tmp_path, method):
    path = tmp_path / "a.sdds"
    path.write_bytes(sdds)
    pages = binfmt.open(path).pages
    expected = [work(page) for page in pages]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(work, pages) == expected


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork")
def test_forked_processes_read_alone(tmp_path):
    path = tmp_path / "a.sdds"
    numbers = np.arange(400_000.0)
    binfmt.write(path, {"_page": np.repeat(np.arange(400), 1000), "x": numbers}, mode="binary")
    global PAGES
    PAGES = binfmt.open(path).pages
    assert PAGES[0]["x"][1] == 1
    with multiprocessing.get_context("fork").Pool(4) as pool:
        sums = pool.map(_sum, range(400), 1)
    assert sums == [float(numbers[n * 1000 : n * 1000 + 1000].sum()) for n in range(400)]


def _sum(number):
    return float(PAGES[number]["x"].sum())


def test_several_files(sdds, tmp_path):
    (tmp_path / "run1.sdds").write_bytes(sdds)
    (tmp_path / "run2.sdds").write_bytes(sdds.replace(b"Q1", b"Q9").replace(b"\n7\n", b"\n9\n"))
    pattern = str(tmp_path / "run*.sdds")
    both = [tmp_path / "run1.sdds", tmp_path / "run2.sdds"]
    for source in (pattern, tmp_path / "run?.sdds", both, [sdds, both[1]]):
        table = binfmt.open(source)
        assert table["Run"].to_list() == [7, 7, 8, 9, 9, 8] and table["name"].to_list()[3] == "Q9" and table["x"].units == "mm"
        assert len(table) == 6 and table.format == "sdds" and table.rows[3:]["x"].to_list() == [0.5, 1.5, 2.5]
        assert [int(page.parameters["Run"]) for page in table.pages] == [7, 8, 9, 8]
        assert table.pages[-1]["name"].tolist() == ["Q3"] and len(table.pages) == 4 and table.pages.parameters["Run"].to_list() == [7, 8, 9, 8]
        again = pickle.loads(pickle.dumps(table.where("x > 1")))
        assert again["x"].to_list() == [1.5, 2.5, 1.5, 2.5] and len(pickle.loads(pickle.dumps(table.pages))) == 4
        with pytest.raises(IndexError):
            table.pages[4]
    named = binfmt.open(pattern, file_names=True, page_numbers=True)
    assert named["_page"].to_list() == [0, 0, 1, 0, 0, 1] and named.where("_page = 1")["Run"].to_list() == [8, 8]
    assert named["_file"].to_list() == [str(both[0])] * 3 + [str(both[1])] * 3
    for runs in ([b"1", b"2"], [b"1", b"1"]):
        ones = [b"SDDS1\n&parameter name=Run, type=long &end\n&column name=x, type=long &end\n&data mode=ascii &end\n%b\n1\n%b\n" % (run, run) for run in runs]
        for names in (True, False):
            binfmt.write(tmp_path / "all.sdds", binfmt.open(ones, page_numbers=True, file_names=names).where("x > 0"), overwrite=True)
            pages = binfmt.open(tmp_path / "all.sdds").pages
            assert [(page.parameters, page["x"].tolist()) for page in pages] == [({"Run": int(run)}, [int(run)]) for run in runs]
    # one is that file
    assert binfmt.open(str(tmp_path / "*1.sdds")).names == binfmt.open(both[0]).names
    assert binfmt.open(both[0], file_names=True)["_file"].to_list() == [str(both[0])] * 3
    for wrong, error, told in (([], ValueError, "no file to open"), ([5], TypeError, "by a int"), (f"{tmp_path}/none*", FileNotFoundError, "pattern")):
        with pytest.raises(error, match=told):
            binfmt.open(wrong)
    (tmp_path / "run3.csv").write_text("x,y\n1,2\n")
    with pytest.raises(binfmt.Error, match="run3.csv"):
        binfmt.open([both[0], tmp_path / "run3.csv"])


def test_a_page_is_written_as_a_table(sdds, tmp_path):
    table = binfmt.open(sdds)
    path = tmp_path / "page.sdds"
    with pytest.warns(binfmt.ConversionWarning) as told:
        assert binfmt.write(path, table.pages[1]) == 1
    assert all(any(name in str(one.message) for one in told) for name in ("`A`", "`Label`"))
    (page,) = binfmt.open(path).pages
    assert page.parameters == {"Run": 8, "Label": "orbit"} and page.schema["x"].units == "mm" and page["name"].tolist() == ["Q3"]
    with pytest.warns(binfmt.ConversionWarning, match="`A`"):
        assert binfmt.write(tmp_path / "all.csv", table.pages) == 3
    assert (tmp_path / "all.csv").read_text().splitlines()[0] == "Run,Label,x,name"
    # of several files, too
    (tmp_path / "run1.sdds").write_bytes(sdds)
    (tmp_path / "run2.sdds").write_bytes(sdds.replace(b"Q3", b"Q9"))
    several = binfmt.open(tmp_path / "run?.sdds").pages
    with pytest.warns(binfmt.ConversionWarning, match="`A`"):
        assert binfmt.write(path, several[3]) == 1 and binfmt.write(tmp_path / "b.sdds", several) == 6
    assert binfmt.open(path)["name"].to_list() == ["Q9"]
    for pages in (table.pages[:2], iter(table.pages), [{"x": 1}, table.pages[0]]):
        with pytest.raises(TypeError, match="several pages"):
            binfmt.write(path, pages)


def test_a_page_is_a_mapping(sdds, tmp_path):
    table = binfmt.open(sdds)
    page = table.pages[0]
    assert isinstance(page, Mapping) and page != table.pages[1] and hash(page)
    assert page.keys() == ["x", "name"] and [name for name, _ in page.items()] == page.keys() and page.get("y") is None
    for key in (0, slice(1), ["x"], None):
        with pytest.raises(TypeError, match="takes the name of a column"):
            page[key]
    with pytest.raises(KeyError, match=r"page.arrays\['A'\]"):
        page["A"]
    with pytest.raises(KeyError, match=r"page.parameters\['Run'\]"):
        page["Run"]
    with pytest.raises(KeyError, match="there are no columns"):
        binfmt.open(b"SDDS1\n&array name=A, type=short &end\n&data mode=ascii &end\n1\n3\n").pages[0]["b"]
    (tmp_path / "run1.sdds").write_bytes(sdds)
    (tmp_path / "run2.sdds").write_bytes(sdds)
    several = binfmt.open(tmp_path / "run?.sdds").pages
    assert repr(several[3]).startswith("<page 3: 1 rows") and repr(pickle.loads(pickle.dumps(several[-1]))) == repr(several[3])
    assert [repr(page)[:8] for page in several] == [f"<page {number}:" for number in range(4)]


def test_pages_in_sql(sdds):
    needs("duckdb")
    pages = binfmt.open(sdds).pages
    assert binfmt.sql("select Run, name from p", p=pages[1]).to_list() == [{"Run": 8, "name": "Q3"}]
    assert binfmt.sql("select count(*) as n from p", p=pages)["n"].to_list() == [3]


def test_arrays_alone_are_written_with_a_word(tmp_path):
    header = b"SDDS1\n&array name=A, type=short &end\n&array name=B, type=string &end\n&data mode=ascii &end\n"
    with pytest.warns(binfmt.ConversionWarning, match="arrays become columns.*`A`, `B`"):
        assert binfmt.write(tmp_path / "a.sdds", binfmt.open(header + b"2\n3 4\n2\na b\n")) == 2
    with pytest.raises(binfmt.Error, match="a value is missing.*arrays='name'") as told:
        binfmt.write(tmp_path / "b.sdds", binfmt.open(header + b"2\n3 4\n1\na\n"))
    assert told.value.path == "[1].B"
