"""What other packages have that is no column of a table as it is."""


def without_decimals(data, exact, told):
    """Data of duckdb, polars or pyarrow with floats in place of decimal numbers, or with their digits as text. `told` gets the names of these columns."""
    package = type(data).__module__.split(".")[0].lstrip("_")
    if package == "duckdb" and hasattr(data, "types"):
        return _of_duckdb(data, exact, told)
    if package == "polars" and hasattr(data, "with_columns"):
        return _of_polars(data, exact, told)
    if package == "pyarrow" and hasattr(data, "schema"):
        return _of_pyarrow(data, exact, told)
    return data


def _of_duckdb(found, exact, told):
    """Columns of one name have each its own, too, as in duckdb's data frames."""
    names = [name.lower() for name in found.columns]
    if len(set(names)) < len(names):
        found = found.query("binfmt rows", 'select * from "binfmt rows"')
    number = "varchar" if exact else "double"
    others = {name: _typed(kind, number) for name, kind in zip(found.columns, found.types)}
    others = {name: text for (name, text), kind in zip(others.items(), found.types) if text != str(kind)}
    told += others
    if others:
        quoted = {_quoted(name): text for name, text in others.items()}
        casts = ", ".join(f"cast({name} as {text}) as {name}" for name, text in quoted.items())
        found = found.query("binfmt decimals", f'select * replace ({casts}) from "binfmt decimals"')
    return found


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _typed(kind, number):
    """A type of duckdb as text, in which decimal numbers are others."""
    if kind.id == "decimal":
        return number
    if kind.id not in ("list", "array", "struct", "map"):
        return str(kind)
    inside = [(name, child if isinstance(child, int) else _typed(child, number)) for name, child in kind.children]
    if kind.id == "struct":
        text = f"STRUCT({', '.join(f'{_quoted(name)} {child}' for name, child in inside)})"
    elif kind.id == "map":
        text = f"MAP({', '.join(child for _, child in inside)})"
    else:
        text = f"{inside[0][1]}[{inside[1][1] if kind.id == 'array' else ''}]"
    # a type without decimal numbers stays as duckdb calls it
    return text if _has_decimals(kind) else str(kind)


def _has_decimals(kind):
    children = kind.children if kind.id in ("list", "array", "struct", "map") else []
    return kind.id == "decimal" or any(not isinstance(child, int) and _has_decimals(child) for _, child in children)


def _of_polars(frame, exact, told):
    """What has no type, and of which all is missing, is text, too: as polars gives it to others, Arrow refuses it."""
    import polars as pl

    number = pl.String if exact else pl.Float64

    def typed(kind):
        if isinstance(kind, pl.Struct):
            return pl.Struct([pl.Field(field.name, typed(field.dtype)) for field in kind.fields])
        if isinstance(kind, pl.List):
            return pl.List(typed(kind.inner))
        if isinstance(kind, pl.Array):
            return pl.Array(typed(kind.inner), kind.size)
        return number if kind == pl.Decimal else pl.String if kind == pl.Null else kind

    schema = frame.collect_schema()
    others = {name: typed(kind) for name, kind in schema.items() if kind != typed(kind)}
    told += [name for name in others if "Decimal" in str(schema[name])]
    return frame.with_columns(pl.col(name).cast(kind) for name, kind in others.items()) if others else frame


def _of_pyarrow(data, exact, told):
    import pyarrow as pa

    number = pa.string() if exact else pa.float64()

    def typed(kind):
        if pa.types.is_decimal(kind):
            return number
        if pa.types.is_struct(kind):
            return pa.struct([field.with_type(typed(field.type)) for field in kind])
        if pa.types.is_fixed_size_list(kind):
            return pa.list_(kind.value_field.with_type(typed(kind.value_type)), kind.list_size)
        if pa.types.is_large_list(kind):
            return pa.large_list(kind.value_field.with_type(typed(kind.value_type)))
        if pa.types.is_list(kind):
            return pa.list_(kind.value_field.with_type(typed(kind.value_type)))
        return kind

    fields = [field.with_type(typed(field.type)) for field in data.schema]
    if fields == list(data.schema):
        return data
    told += [field.name for field, of in zip(data.schema, fields) if field != of]
    table = data.read_all() if hasattr(data, "read_all") else data.to_table() if hasattr(data, "to_table") else data
    columns = [column.cast(field.type) for column, field in zip(table.columns, fields)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=data.schema.metadata))


def plain_decimals(name, values, exact, told):
    """The same of the objects of a column: a list or an array, of which the first that is there tells."""
    if not isinstance(values, (list, tuple)) and getattr(values, "dtype", None) != object:
        return values
    first = next((value for value in values if value is not None), None)
    # without a module that others need, and who has such a value has imported
    if type(first).__module__ != "decimal":
        return values
    told.append(name)
    kind = str if exact else float
    return [kind(value) if isinstance(value, type(first)) else value for value in values]
