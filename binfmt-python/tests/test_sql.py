"""Questions in SQL over files, tables and frames."""

import binfmt
import pytest
from conftest import hears_ctrl_c, needs


def test_files_and_tables(tmp_path, sdds):
    needs("duckdb")
    path = tmp_path / "it's.sdds"
    path.write_bytes(sdds)
    quoted = str(path).replace("'", "''")
    names = binfmt.open(b"name,place\nQ1,10\nQ3,30\n", format="csv")
    question = f"select place, x from '{quoted}' as s join names on names.name = s.name -- from 'nothing'\n order by x"
    found = binfmt.sql(question, names=names)
    assert isinstance(found, binfmt.Table) and found.to_dict() == {"place": [10, 30], "x": [0.5, 2.5]}
    # twice in a query, by the name that it has there, beside a table of the same name
    found = binfmt.sql(f"select count(*) as n from '{quoted}', '{quoted}' b", it=names)
    assert found["n"].to_list() == [9]
    assert binfmt.sql("select sum(x) as s from t", t=path)["s"].to_list() == [4.5]
    assert binfmt.sql("select 'from ''it''' as a, \"b\" from (select 'c' as b)").to_list() == [{"a": "from 'it'", "b": "c"}]
    assert binfmt.write(tmp_path / "out.csv", binfmt.sql("select x from t where x > 1", t=path)) == 2


def test_patterns(tmp_path, sdds):
    needs("duckdb")
    (tmp_path / "run1.sdds").write_bytes(sdds)
    (tmp_path / "run2.sdds").write_bytes(sdds.replace(b"Q1", b"Q9"))
    found = binfmt.sql(f"select name from '{tmp_path}/run*.sdds' as r where x < 1")
    assert found["name"].to_list() == ["Q1", "Q9"]
    binfmt.write(tmp_path / "run3.sdds", {"x": [9.5], "more": [1]})
    found = binfmt.sql(f"select run.x, more, name from '{tmp_path}/run?.sdds' where x > 2 order by x")
    assert found.to_dict() == {"x": [2.5, 2.5, 9.5], "more": [None, None, 1], "name": ["Q3", "Q3", None]}


def test_each_call_is_a_database_of_its_own():
    needs("duckdb")
    table = binfmt.open(b"\1\2", schema="(int8)")
    assert binfmt.sql("show tables", t=table)["name"].to_list() == ["t"]
    counted = "select current_setting('threads') as n"
    assert binfmt.sql(f"set threads = 1; {counted}")["n"].to_list() == [1]
    assert binfmt.sql("create table kept as select 1 as a; select * from kept")["a"].to_list() == [1]
    assert binfmt.sql("show tables").to_dict() == {"name": []}


def test_errors(tmp_path):
    duckdb = needs("duckdb")
    with pytest.raises(duckdb.Error, match="nothing"):
        binfmt.sql("select * from 'nothing.sdds'")
    local = binfmt.open(b"a\n1\n", format="csv")
    with pytest.raises(duckdb.Error, match="local"):
        binfmt.sql("select * from local")
    assert len(local) == 1
    path = tmp_path / "odd.bin"
    path.write_bytes(b"\x80\x81")
    with pytest.raises(binfmt.Error, match="no format"):
        binfmt.sql(f"select * from '{path}'")


def test_it_says_what_it_needs(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match="pip install duckdb"):
        binfmt.sql("select 1")


def test_ctrl_c_ends_a_query():
    needs("duckdb")
    assert hears_ctrl_c(lambda: binfmt.sql("select sum(a.range * b.range) from range(300000) a, range(300000) b"))


def test_columns_of_one_name_and_decimal_numbers():
    needs("duckdb")
    tables = {"t": {"k": [1, 2], "v": [5.5, 6.5]}, "u": [{"k": 2, "w": "x"}]}
    found = binfmt.sql("select *, round(0.125, 2) as r, 1.5 as \"d\"\"d\" from t join u on t.k = u.k", **tables)
    assert found.to_list() == [{"k": 2, "v": 6.5, "k_1": 2, "w": "x", "r": 0.13, 'd"d': 1.5}]
    assert binfmt.sql("select k, 2 as K from t order by all", t=tables["t"]).to_dict() == {"k": [1, 2], "K_1": [2, 2]}


@pytest.fixture
def files(tmp_path, sdds, monkeypatch):
    """Files of several formats, in folders too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run0.sdds").write_bytes(sdds)
    (tmp_path / "run1.sdds").write_bytes(sdds.replace(b"Q1", b"Q9"))
    for year, site in (("2023", "north"), ("2024", "south")):
        folder = tmp_path / "data" / f"year={year}" / f"site={site}"
        folder.mkdir(parents=True)
        (folder / "a.sdds").write_bytes(sdds)
    (tmp_path / "load.bin").write_bytes(bytes([1, 2, 3, 4]))
    (tmp_path / "log.layout").write_text("Row: record\n  p: u8\n  q: u8\n")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,4\n")


@pytest.mark.parametrize(
    "query, expected",
    [
        ("select max(_page) as m from 'run0.sdds'", [{"m": 1}]),
        ("select * from 'run0.sdds' where _page = 1", [{"Run": 8, "Label": "orbit", "x": 2.5, "name": "Q3"}]),
        ("select x, _page as p from 'run0.sdds' limit 1", [{"x": 0.5, "p": 0}]),
        ("select name, \"_page\" from (select *, _page from 'run0.sdds') where x > 2", [{"name": "Q3", "_page": 1}]),
        ("select distinct _file from 'run*.sdds' order by 1", [{"_file": "run0.sdds"}, {"_file": "run1.sdds"}]),
        ("select * from sdds('run0.sdds', file_names => true) limit 1", [{"Run": 7, "Label": "orbit", "x": 0.5, "name": "Q1", "_file": "run0.sdds"}]),
        ("select count(*) as n from sdds('run?.sdds', 'page_numbers=true') where _page = 0 and 2 * 2 = 4", [{"n": 4}]),
        ("select max(_page) as m from SDDS('run0.sdds', 'page_numbers', 'true')", [{"m": 1}]),
        ("select year, site, count(*) as n from 'data/year=*/*/a.sdds' group by all order by all", [{"year": 2023, "site": "north", "n": 3}, {"year": 2024, "site": "south", "n": 3}]),
        ("select * from scidb('load.bin', '(int8, int8)')", [{"a": 1, "b": 2}, {"a": 3, "b": 4}]),
        ("select *, _row from layout('load.bin', 'log.layout') where p > 1", [{"p": 3, "q": 4, "_row": 1}]),
        ("select q from layout('load.bin', layout := '@log.layout') as l", [{"q": 2}, {"q": 4}]),
        ("select q from layout('load.bin', 'Row: record\n  p: u8\n  q: u8')", [{"q": 2}, {"q": 4}]),
        ("select a, _offset from binfmt('a.csv', format => 'csv')", [{"a": 1, "_offset": 4}, {"a": 3, "_offset": 8}]),
        ("select * from sdds_parameters('run0.sdds')", [{"_page": 0, "Run": 7, "Label": "orbit", "_rows": 2}, {"_page": 1, "Run": 8, "Label": "orbit", "_rows": 1}]),
        ("select sum(A) as s from sdds_arrays('run0.sdds')", [{"s": 30}]),
        ("select * from sdds_arrays('run0.sdds') limit 1", [{"_page": 0, "Run": 7, "Label": "orbit", "_index": 0, "_index0": 0, "_index1": 0, "A": 1}]),
        ("select * from sdds_arrays('run0.sdds', 'A') where _page = 1 limit 1", [{"_page": 1, "Run": 8, "Label": "orbit", "_index": 0, "_index0": 0, "_index1": 0, "A": 9}]),
        ("select * from sdds_arrays('run0.sdds', indices => false, page_numbers => false) limit 1", [{"Run": 7, "Label": "orbit", "A": 1}]),
        ("select column_name, units from binfmt_columns('run0.sdds') where units is not null", [{"column_name": "x", "units": "mm"}]),
        ("from \"run0.sdds\" select x limit 1", [{"x": 0.5}]),
        ("select $$x from 'run0.sdds'$$ as q, $a$ '$$ from 'run0.sdds' $a$ as r", [{"q": "x from 'run0.sdds'", "r": " '$$ from 'run0.sdds' "}]),
        ("select e'it\\'s' as q, $$a'b$$ as r, x /* a /* b */ from 'c' */ from 'run0.sdds' limit 1", [{"q": "it's", "r": "a'b", "x": 0.5}]),
        ("select trim(both 'r' from 'run0.sdds') as q, extract(year from date '2024-01-01') as y, x from 'run0.sdds' limit 1", [{"q": "un0.sdds", "y": 2024, "x": 0.5}]),
        ("select substring('abc' from 2) as q, trim(from ' run0.sdds') as r", [{"q": "bc", "r": "run0.sdds"}]),
        ("select count(*) as n from 'run0.sdds' where name is distinct from 'run0.sdds' and not name is not distinct from 'run1.sdds'", [{"n": 3}]),
        ("select * from (table 'run0.sdds') limit 1", [{"Run": 7, "Label": "orbit", "x": 0.5, "name": "Q1"}]),
        ("select count(*) as n from (from 'run0.sdds' union all by name table 'run1.sdds')", [{"n": 6}]),
        ("pivot 'run0.sdds' on Run using count(*) group by Label", [{"Label": "orbit", "7": 2, "8": 1}]),
        ("select count(*) as n from (unpivot 'a.csv' on a, b)", [{"n": 4}]),
        ("select count(*) as n from ('run0.sdds' join 'run1.sdds' b using (x)), (select 1), 'a.csv'", [{"n": 6}]),
        ("select count(*) as n from 'run0.sdds' a join 'run1.sdds' b on a.x = b.x, 'a.csv'", [{"n": 6}]),
        ("select sum(g) as s from 'a.csv', unnest([1, 2]) as t(g), (values ('run0.sdds', 'run1.sdds')) u order by 1, concat(1, 'run0.sdds')", [{"s": 6}]),
        ("create table t as table 'a.csv'; select count(*) as n from t, 'a.csv'", [{"n": 4}]),
        ("select q from layout('load.bin', $$Row: record\n  p: u8\n  q: u8$$)", [{"q": 2}, {"q": 4}]),
        ("select column_name from (describe 'run0.sdds') limit 1", [{"column_name": "Run"}]),
        ("select * from 'run0.sdds' a join 'run1.sdds' b using (x) where a._page = 1 and b._page = 1", [{"x": 2.5, "Run": 8, "Label": "orbit", "name": "Q3", "Run_1": 8, "Label_1": "orbit", "name_1": "Q3"}]),
    ],
)  # fmt: skip
def test_the_words_of_the_program(files, query, expected):
    needs("duckdb")
    assert binfmt.sql(query).to_list() == expected


def test_what_is_wrong_with_a_file_of_a_function(files, tmp_path):
    needs("duckdb")
    for query, error, told in [
        ("select * from scidb('load.bin')", binfmt.Error, "schema"),
        ("select * from sdds('nothing.sdds')", FileNotFoundError, "nothing.sdds"),
        ("select * from sdds()", ValueError, "Its path comes first"),
        ("select * from sdds(schema => 'a')", ValueError, "Its path comes first"),
        ("select * from sdds('run0.sdds'", ValueError, "not closed"),
        ("select * from sdds('run0.sdds', wrong => 5)", binfmt.Error, "unknown setting `wrong`"),
        ("select * from layout('load.bin', '@no.layout')", FileNotFoundError, "no.layout"),
        ("copy (select * from 'run0.sdds') to 'out.sdds'", ValueError, "binfmt.write"),
    ]:
        with pytest.raises(error, match=told):
            binfmt.sql(query)
    (tmp_path / "data" / "month=1").mkdir()
    (tmp_path / "data" / "month=1" / "a.sdds").write_bytes((tmp_path / "run0.sdds").read_bytes())
    with pytest.raises(ValueError, match="folders differ"):
        binfmt.sql("select * from 'data/**/a.sdds'")


def test_days_stay_days(tmp_path):
    needs("duckdb")
    import datetime

    path, day = tmp_path / "d.csv", datetime.date(2024, 3, 1)
    path.write_text("d,t\n2024-03-01,2024-03-01T12:00:00\n,\n")
    for query, tables in [
        (f"select * from '{path}'", {}),
        (f"select * from '{tmp_path}/*.csv'", {}),
        (f"select *, _offset from '{path}'", {}),
        ("select * from t", {"t": binfmt.open(path)}),
        ('select * from "a""b"', {'a"b': path}),
    ]:
        found = binfmt.sql(query, **tables)
        assert [field.type for field in list(found.schema)[:2]] == ["time[D]?", "time[s]?"], query
        assert found["d"].to_list() == [day, None]
        assert binfmt.write(tmp_path / "out.txt", found, "csv", columns=["d"]) == 2
        assert (tmp_path / "out.txt").read_text().splitlines()[1] == "2024-03-01"
    assert binfmt.sql("select typeof(d) as k from t where d = date '2024-03-01'", t=path)["k"].to_list() == ["DATE"]
    assert binfmt.sql("show tables", t=path)["name"].to_list() == ["t"]
