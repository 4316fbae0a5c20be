"""The error for an error answer of the service."""

from http.client import HTTPMessage
from urllib.parse import unquote

from ._types import ErrorClass

_PREFIX = "x-service-"
#: Headers that have an attribute of their own and are not facts.
_ATTRIBUTES = ("error-class", "request-id", "message")


class ServiceError(Exception):
    """An answer with a status of 400 or more. Errors of the service have no body; their information is in headers."""

    def __init__(self, status: int, reason: str, headers: HTTPMessage) -> None:
        named = {
            name.lower().removeprefix(_PREFIX): unquote(value, errors="replace")
            for name, value in headers.items()
            if name.lower().startswith(_PREFIX)
        }
        self.status = status
        #: The class of the error; ``None`` for wrong credentials, and for answers of proxies.
        self.error_class: ErrorClass | None = named.get("error-class")
        #: The facts, by the end of the header name in lower case: ``path``, ``action``, ``argument``, …
        self.facts = {name: value for name, value in named.items() if name not in _ATTRIBUTES}
        #: The id of the request in the log of the service.
        self.request_id = named.get("request-id")
        seconds = headers.get("retry-after") or ""
        #: The seconds in ``Retry-After``; ``None`` without that header.
        self.retry_after = int(seconds) if seconds.isdecimal() else None
        short = " ".join([str(status), self.error_class or reason, *self.facts.values()])
        #: A description of the error, from the service if it gave one.
        self.message = named.get("message", short)
        super().__init__(self.message)
