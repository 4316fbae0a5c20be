"""The client: operations of the contract, and values, whose types and content types the contract does not describe."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote, urlencode

from ._operations import Operations, PrimitiveValue, ValueEntry
from ._path import path_of
from ._transport import Answer, Transport

_PRIMITIVE = "application/vnd.service.value+json"
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
#: The number of ids in a request. They make a URL of about 7,000 characters, which proxies accept.
_BATCH = 90


@dataclass(frozen=True)
class Opaque:
    """An opaque value: bytes and their content type. The service returns both unchanged."""

    content: bytes
    content_type: str


class Client(Operations):
    """
    A client of the service at ``base_url``; without a user name, its requests are anonymous. Threads may share it.

    Its methods raise a ``ServiceError`` when the service answers with an error, a ``ValueError`` for a value that they
    cannot send, and an ``OSError`` without an answer. ``timeout``, in seconds, is for each wait on the network.
    """

    def __init__(
        self, base_url: str, username: str | None = None, password: str = "", *, timeout: float = 60.0
    ) -> None:
        self._transport = Transport(base_url, username, password, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection of this thread; the next request opens another one."""
        self._transport.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Answer:
        """Sends any request: ``path`` from ``path_of``, and arguments; a list becomes a repeated argument."""
        arguments = urlencode({name: _argument(value) for name, value in (query or {}).items()}, doseq=True, quote_via=quote)
        return self._transport.send(method, f"{path}?{arguments}" if arguments else path, headers or {}, content)

    def read_value(self, tag: str, *, id: str | None = None, about: str | None = None) -> PrimitiveValue | Opaque:
        """Reads a value of any type from the object with an id or an about value. Ints are exact; ``5.0`` is a float."""
        answer = self.request("GET", _slot(tag, id, about))
        if "X-Service-Type" in answer.headers:
            value: PrimitiveValue = json.loads(answer.content)
            return value
        return Opaque(answer.content, answer.headers.get("Content-Type", ""))

    def write_value(
        self, tag: str, value: PrimitiveValue | Opaque, *, id: str | None = None, about: str | None = None
    ) -> None:
        """Writes a value of any type on the object with an id or an about value. ``5`` becomes an int, ``5.0`` a float."""
        content = value.content if isinstance(value, Opaque) else _to_json(value)
        content_type = value.content_type if isinstance(value, Opaque) else _PRIMITIVE
        self.request("PUT", _slot(tag, id, about), headers={"Content-Type": content_type}, content=content)

    def read_values(self, ids: Iterable[str], tags: Sequence[str]) -> Iterator[tuple[str, dict[str, ValueEntry]]]:
        """
        Reads values of these tags on any number of objects, with some objects per request. Yields each id, in lower
        case, with its values by tag. GET ``/values`` has no pages and finds objects only by query, which limits the
        size of a request. Each request sees the current state of the store.
        """
        waiting = [id.lower() for id in ids]
        wrong = next((id for id in waiting if not _ID.fullmatch(id)), None)
        if wrong is not None:
            raise ValueError(f"{wrong} is not an id")
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            query = " or ".join(f'service/id = "{id}"' for id in batch)
            results = self.get_values(query=query, tag=list(tags))["results"]["id"]
            for id in batch:
                yield id, results.get(id, {})

    def _call(self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, object] | None) -> Any:
        """An operation of the contract: its arguments and the fields of its body without those that are ``None``."""
        fields = None if body is None else {name: value for name, value in body.items() if value is not None}
        headers = {} if fields is None else {"Content-Type": "application/json"}
        content = None if fields is None else _to_json(fields)
        given = {name: value for name, value in query.items() if value is not None}
        answer = self.request(method, path, query=given, headers=headers, content=content)
        return json.loads(answer.content) if answer.content else None


def _argument(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _to_json(value: object) -> bytes:
    """JSON. Raises a ``ValueError`` for NaN, infinities and half a character."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


def _slot(tag: str, id: str | None, about: str | None) -> str:
    if (id is None) == (about is None):
        raise ValueError("A value is on an object with an id or with an about value: one of the two is needed")
    return path_of("about", about, tag) if about is not None else path_of("objects", str(id), tag)

