"""A typed client of Gloss, on the standard library; ``gloss_client.aio`` has the asynchronous one. See the README."""

from ._client import Client
from ._error import ServiceError
from ._path import path_of
from ._types import CONTRACT_VERSION, ErrorClass, FoundObject, KnownErrorClass, PrimitiveValue, ValueEntry
from ._wire import Answer, Opaque, Value

__all__ = [
    "CONTRACT_VERSION",
    "Answer",
    "Client",
    "ErrorClass",
    "FoundObject",
    "KnownErrorClass",
    "Opaque",
    "PrimitiveValue",
    "ServiceError",
    "Value",
    "ValueEntry",
    "path_of",
]
