"""Verdicts of a column of an Apache Spark DataFrame, batch or streaming.

The driver compiles the schema once and sends the program to the executors as an image, which they load.
"""
from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

from . import Schema, Validator, compile

__all__ = ["check"]


def _judge(pickled: bytes, column: str, into: str, errors: str | None, limit: int) -> Any:
    """The function that runs on the executors."""
    def judge(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        from cupel_jsonschema import arrow
        validator = pickle.loads(pickled)  # noqa: S301 - the driver of this job made it
        for batch in batches:
            texts = batch.column(column)
            columns, names = list(batch.columns), list(batch.schema.names)
            columns.append(arrow.reasons(validator, texts).cast(pyarrow.string()))
            names.append(into)
            if errors is not None:
                columns.append(arrow.errors(validator, texts, limit))
                names.append(errors)
            yield pyarrow.RecordBatch.from_arrays(columns, names=names)
    return judge


def check(df: Any, column: str, schema: Schema | Validator, into: str = "verdict", errors: str | None = None,
          *, limit: int = 16, **options: Any) -> Any:
    """The DataFrame with a column ``into``: "ok", "invalid", "undecided", "not_json", or null.

    ``column`` has JSON texts (string or binary).  With ``errors``, a column of that name has the problems of each row, at
    most ``limit``.  ``options`` are those of `cupel_jsonschema.compile`.
    """
    from pyspark.sql import types

    if into in df.columns or (errors is not None and errors in (*df.columns, into)):
        raise ValueError("the DataFrame has a column of that name")
    validator = schema if isinstance(schema, Validator) else compile(schema, **options)
    fields = [*df.schema.fields, types.StructField(into, types.StringType())]
    if errors is not None:
        problem = types.StructType([types.StructField(name, types.StringType())
                                    for name in ("pointer", "keyword", "message")])
        fields.append(types.StructField(errors, types.ArrayType(problem)))
    return df.mapInArrow(_judge(pickle.dumps(validator), column, into, errors, limit), types.StructType(fields))
