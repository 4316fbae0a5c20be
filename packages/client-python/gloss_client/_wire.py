"""What both clients send and read, without input or output: targets, headers, bodies, values, and when to try again."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._error import ServiceError
from ._path import path_of
from ._types import PrimitiveValue

_PRIMITIVE = "application/vnd.service.value+json"
#: The most requests for one call, and the most seconds that all but the last take with the waits between them.
TRIES = 3
PATIENCE = 30.0


@dataclass(frozen=True)
class Opaque:
    """An opaque value: bytes and their content type. The service returns both unchanged."""

    content: bytes
    content_type: str


@dataclass(frozen=True)
class Value:
    """A value that was read: a primitive one or an ``Opaque``, and its entity tag, for ``if_match``."""

    value: PrimitiveValue | Opaque
    etag: str


@dataclass(frozen=True)
class Answer:
    """An answer of the service. Names in ``headers`` are case-insensitive."""

    status: int
    reason: str
    headers: HTTPMessage
    content: bytes

    def json(self) -> Any:
        """The content as JSON; ``None`` without content."""
        return json.loads(self.content) if self.content else None


@dataclass(frozen=True)
class Place:
    """Where the service is; ``prefix`` is the beginning of each path."""

    https: bool
    host: str
    port: int | None
    prefix: str


def place_of(base_url: str) -> Place:
    """Raises a ``ValueError`` for what is no URL of HTTP."""
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or url.hostname is None:
        raise ValueError(f"{base_url} is no URL of a service")
    return Place(url.scheme == "https", url.hostname, url.port, url.path.rstrip("/"))


def target_of(path: str, query: Mapping[str, object]) -> str:
    """The path with those arguments that are not ``None``; a list becomes a repeated argument."""
    given = {name: _argument(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given, doseq=True, quote_via=quote)}" if given else path


def _argument(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def merged(*headers: Mapping[str, str | None]) -> dict[str, str]:
    """Headers by their names in lower case, without those that are ``None``; later ones replace earlier ones."""
    every = {name.lower(): value for some in headers for name, value in some.items()}
    return {name: value for name, value in every.items() if value is not None}


def basic(username: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{username}:{password}'.encode()).decode()}"


def is_repeatable(method: str, headers: Mapping[str, str]) -> bool:
    """
    Whether a request may be sent again although the service may have executed it. A write on a condition may not: its
    own effect would make the condition false, and the answer would say that somebody else wrote. Nor may a deletion: the
    answer would say that there was nothing to delete.
    """
    conditional = "if-match" in headers or "if-none-match" in headers
    return method in ("GET", "HEAD") or (method == "PUT" and not conditional)


def seconds_to_wait(error: ServiceError, is_repeatable: bool) -> float | None:
    """After how many seconds to try again; ``None`` for never. A 429 was not executed, a 503 may have been."""
    again = error.status == 429 or (error.status == 503 and is_repeatable)
    return error.retry_after if again else None


def to_json(value: object) -> bytes:
    """JSON. Raises a ``ValueError`` for NaN, infinities and half a character."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("A string with half a character, a lone surrogate, cannot be sent") from error
    except ValueError as error:
        if "float" not in str(error):
            raise
        raise ValueError("NaN and infinities cannot be sent: the service has finite floats only") from error


def value_of(answer: Answer) -> Value:
    etag = answer.headers.get("ETag", "")
    if "X-Service-Type" in answer.headers:
        return Value(answer.json(), etag)
    return Value(Opaque(answer.content, answer.headers.get("Content-Type", "")), etag)


def content_of(value: PrimitiveValue | Opaque) -> tuple[bytes, str]:
    """The bytes of a value and their content type."""
    if isinstance(value, Opaque):
        return value.content, value.content_type
    return to_json(value), _PRIMITIVE


def path_of_value(tag: str, id: str | None, about: str | None) -> str:
    if (id is None) == (about is None):
        raise ValueError("A value is on an object with an id or with an about value: one of the two is needed")
    return path_of("about", about, tag) if about is not None else path_of("objects", str(id), tag)
