"""Whether a copy of a Parquet file has the same columns and the same rows by readers other than ours.

Takes lines of JSON {"original", "copy", "count": rows of the original, "rows": [places of those that were kept] or null},
and answers a line for each:
{"reader": {name: "same", "refused: ..." where it does not read the original either, or what is wrong}}.
"""

import json
import sys


def by_pyarrow(original, copy, count, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    def read(path):
        file = pq.ParquetFile(path)
        return file, file.read()

    def same(a, b):
        if a.equals(b):
            return True
        # NaN is not equal to itself
        wide = [pa.concat_arrays(x.chunks) if x.num_chunks else pa.array([], x.type) for x in (a, b)]
        return repr(wide[0].tolist()) == repr(wide[1].tolist())

    try:
        before, table = read(original)
    except Exception as error:
        return f"refused: {error}"
    if table.num_rows != count:
        return f"refused: it reads {table.num_rows} rows of {count}"
    after, copied = read(copy)
    if not before.schema.equals(after.schema):
        return f"another schema: {after.schema}"
    if not before.schema_arrow.equals(after.schema_arrow, check_metadata=True):
        return "another Arrow schema"
    if before.metadata.metadata != after.metadata.metadata:
        return "other metadata"
    if rows is not None:
        table = table.take(rows)
    if copied.num_rows != table.num_rows:
        return f"{copied.num_rows} rows, not {table.num_rows}"
    for index, name in enumerate(table.column_names):
        if not same(table.column(index), copied.column(index)):
            return f"other values in {name}"
    return "same"


def by_duckdb(original, copy, count, rows):
    import duckdb

    def read(path):
        result = duckdb.execute("SELECT * FROM read_parquet(?)", [path])
        return [(column[0], str(column[1])) for column in result.description], result.fetchall()

    try:
        columns, table = read(original)
    except Exception as error:
        return f"refused: {error}"
    if len(table) != count:
        return f"refused: it reads {len(table)} rows of {count}"
    names, copied = read(copy)
    if names != columns:
        return f"other columns: {names}"
    if rows is not None:
        table = [table[row] for row in rows]
    return "same" if repr(table) == repr(copied) else "other values"


def by_polars(original, copy, count, rows):
    import polars

    try:
        table = polars.read_parquet(original)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"refused: {error}"
    if table.height != count:
        return f"refused: it reads {table.height} rows of {count}"
    copied = polars.read_parquet(copy)
    if copied.schema != table.schema:
        return f"another schema: {copied.schema}"
    if rows is not None:
        table = table[rows]
    return "same" if table.equals(copied) or repr(table.rows()) == repr(copied.rows()) else "other values"


READERS = {"pyarrow": by_pyarrow, "duckdb": by_duckdb, "polars": by_polars}


def importable():
    import importlib.util

    return [name for name in READERS if importlib.util.find_spec(name)]


def main():
    readers = importable()
    if sys.argv[1:] == ["--readers"]:
        print(json.dumps(readers))
        return
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {}
        for name in readers:
            try:
                answer[name] = READERS[name](asked["original"], asked["copy"], asked["count"], asked["rows"])
            except BaseException as error:
                answer[name] = f"not read: {error}"
        print(json.dumps(answer), flush=True)


main()
