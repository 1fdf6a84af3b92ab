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
