"""A typed client of Gloss, with the standard library only. See the README."""

from ._client import Client, Opaque
from ._error import ServiceError
from ._operations import PrimitiveValue, ValueEntry
from ._path import path_of
from ._transport import Answer

__all__ = ["Answer", "Client", "Opaque", "PrimitiveValue", "ServiceError", "ValueEntry", "path_of"]
