"""The error that an answer of the service is."""

from http.client import HTTPMessage
from urllib.parse import unquote

_PREFIX = "x-service-"
#: What is an attribute of its own rather than a fact.
_ATTRIBUTES = ("error-class", "request-id", "message")


class ServiceError(Exception):
    """An answer with a status of 400 or more. Errors of the service have no body: they are in the headers."""

    def __init__(self, status: int, reason: str, headers: HTTPMessage) -> None:
        named = {
            name.lower().removeprefix(_PREFIX): unquote(value, errors="replace")
            for name, value in headers.items()
            if name.lower().startswith(_PREFIX)
        }
        self.status = status
        #: The class of the error; ``None`` for wrong credentials, and for what a proxy answers.
        self.error_class = named.get("error-class")
        #: The facts, by the end of their header's name in lower case: ``path``, ``action``, ``argument``, …
        self.facts = {name: value for name, value in named.items() if name not in _ATTRIBUTES}
        #: What the log of the service calls the request.
        self.request_id = named.get("request-id")
        seconds = headers.get("retry-after") or ""
        #: The seconds after which to try again, of ``Retry-After``; ``None`` where it says none.
        self.retry_after = int(seconds) if seconds.isdecimal() else None
        short = " ".join([str(status), self.error_class or reason, *self.facts.values()])
        #: What is wrong, in the words of the service if it said so.
        self.message = named.get("message", short)
        super().__init__(self.message)
