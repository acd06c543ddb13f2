"""Serializers for confluent-kafka that judge values with cupel.

`CupelJSONDeserializer` judges the bytes of a message before they are parsed, and parses them in the same reading.  Both
classes take the arguments of confluent-kafka's own classes and read and write the same frame.
"""
from __future__ import annotations

from typing import Any

from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.serialization import SerializationError

from . import Undecided, ValidationError, Validator, compile

__all__ = ["CupelJSONDeserializer", "CupelJSONSerializer"]

_HEADER_BYTES = 5  # the magic byte and the number of the schema


def _text_of(schema: Any) -> str:
    return schema if isinstance(schema, str) else schema.schema_str


class CupelJSONSerializer(JSONSerializer):  # type: ignore[misc]
    """Refuses a value that its schema does not allow, then writes it as JSONSerializer does.

    Schemas with references to others of the registry are given with ``registry``, as `cupel_jsonschema.compile` takes it.
    """

    def __init__(self, schema_str: Any, schema_registry_client: Any, to_dict: Any = None, conf: Any = None,
                 registry: Any = None, **more: Any) -> None:
        super().__init__(schema_str, schema_registry_client, to_dict, {**(conf or {}), "validate": False}, **more)
        self._cupel: Validator = compile(_text_of(schema_str), registry=registry)
        self._cupel_to_dict = to_dict

    def __call__(self, obj: Any, ctx: Any = None) -> Any:
        if obj is not None:
            value = self._cupel_to_dict(obj, ctx) if self._cupel_to_dict is not None else obj
            _judge(self._cupel.validate, value)
        return super().__call__(obj, ctx)


class CupelJSONDeserializer(JSONDeserializer):  # type: ignore[misc]
    """Judges the bytes of a message by the schema that is given here, and makes objects of those that are valid."""

    def __init__(self, schema_str: Any, from_dict: Any = None, schema_registry_client: Any = None, conf: Any = None,
                 registry: Any = None, **more: Any) -> None:
        super().__init__(schema_str, from_dict, schema_registry_client, {**(conf or {}), "validate": False}, **more)
        self._cupel: Validator = compile(_text_of(schema_str), registry=registry)
        self._cupel_from_dict = from_dict

    def __call__(self, data: bytes | None, ctx: Any = None) -> Any:
        if data is None:
            return None
        if len(data) <= _HEADER_BYTES or data[0] != 0:
            raise SerializationError("the message has no frame of a schema registry")
        value = _judge(self._cupel.loads, memoryview(data)[_HEADER_BYTES:])
        return self._cupel_from_dict(value, ctx) if self._cupel_from_dict is not None else value


def _judge(function: Any, value: Any) -> Any:
    try:
        return function(value)
    except (Undecided, ValidationError, ValueError) as error:
        raise SerializationError(str(error)) from error
