"""HTTP on connections that stay open, one for each thread."""

import base64
import http.client
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ._error import ServiceError

#: Seconds after which the client no longer uses an idle connection, because the server may close it at any moment.
_IDLE = 30.0


@dataclass(frozen=True)
class Answer:
    """An answer without an error. Names in ``headers`` are case-insensitive."""

    status: int
    headers: http.client.HTTPMessage
    content: bytes


class _Connection(threading.local):
    """The connection of the current thread, and the time of its last use."""

    opened: http.client.HTTPConnection | None = None
    used: float = 0.0


class Transport:
    """Sends requests to the service at ``base_url``. ``timeout``, in seconds, is for each wait on the network."""

    def __init__(self, base_url: str, username: str | None, password: str, timeout: float) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or url.hostname is None:
            raise ValueError(f"{base_url} is no URL of a service")
        self._https = url.scheme == "https"
        self._host, self._port = url.hostname, url.port
        self._prefix = url.path.rstrip("/")
        self._timeout = timeout
        self._headers: dict[str, str] = {}
        if username is not None:
            credentials = base64.b64encode(f"{username}:{password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {credentials}"
        self._connection = _Connection()

    def send(self, method: str, target: str, headers: Mapping[str, str], content: bytes | None) -> Answer:
        """Sends a request. Raises a ``ServiceError`` for a status of 400 or more, an ``OSError`` if there is no answer."""
        for _ in range(2):
            connection = self._open()
            fresh = connection.sock is None
            try:
                connection.request(method, self._prefix + target, content, {**self._headers, **headers})
                response = connection.getresponse()
                content_read = response.read()
            except ConnectionError:
                connection.close()
                # The server may have closed it. It may nevertheless have executed a POST.
                if fresh or method == "POST":
                    raise
            except BaseException:
                connection.close()
                raise
            else:
                self._connection.used = time.monotonic()
                if response.status >= 400:
                    raise ServiceError(response.status, response.reason, response.headers)
                return Answer(response.status, response.headers, content_read)
        raise ConnectionError(f"No connection to {self._host} lasts")

    def close(self) -> None:
        """Closes the connection of this thread; the next request opens another one."""
        if self._connection.opened is not None:
            self._connection.opened.close()

    def _open(self) -> http.client.HTTPConnection:
        connection = self._connection.opened
        if connection is None:
            kind = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
            connection = kind(self._host, self._port, timeout=self._timeout)
            self._connection.opened = connection
        elif time.monotonic() - self._connection.used > _IDLE:
            connection.close()
        return connection
