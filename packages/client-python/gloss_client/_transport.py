"""HTTP on connections that stay open, one for each thread."""

import http.client
import selectors
import threading
import time
from collections.abc import Mapping

from ._wire import Answer, Place

#: Seconds after which the client no longer uses an idle connection: what is between may have forgotten it.
_IDLE = 30.0


class _Connection(threading.local):
    """The connection of the current thread, and the time of its last use."""

    opened: http.client.HTTPConnection | None = None
    used: float = 0.0


class Transport:
    """Sends requests to a place. ``timeout``, in seconds, is for each wait on the network."""

    sleep = staticmethod(time.sleep)

    def __init__(self, place: Place, timeout: float) -> None:
        self._place = place
        self._timeout = timeout
        self._connection = _Connection()

    def send(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes | None, repeatable: bool
    ) -> Answer:
        """Sends a request. Raises an ``OSError`` if there is no answer."""
        try:
            return self._send(method, target, headers, content)
        except ConnectionError:
            # The connection was lost. The service may nevertheless have executed the request.
            if not repeatable:
                raise
            return self._send(method, target, headers, content)

    def close(self) -> None:
        """Closes the connection of this thread."""
        if self._connection.opened is not None:
            self._connection.opened.close()

    def _send(self, method: str, target: str, headers: Mapping[str, str], content: bytes | None) -> Answer:
        connection = self._open()
        try:
            connection.request(method, self._place.prefix + target, content, dict(headers))
            response = connection.getresponse()
            answer = Answer(response.status, response.reason, response.headers, response.read())
        except http.client.HTTPException as error:
            connection.close()
            raise ConnectionError(f"No whole answer from {self._place.host}: {error!r}") from error
        except BaseException:
            connection.close()
            raise
        self._connection.used = time.monotonic()
        return answer

    def _open(self) -> http.client.HTTPConnection:
        connection = self._connection.opened
        if connection is None:
            kind = http.client.HTTPSConnection if self._place.https else http.client.HTTPConnection
            connection = kind(self._place.host, self._place.port, timeout=self._timeout)
            self._connection.opened = connection
        elif time.monotonic() - self._connection.used > _IDLE or _is_closed(connection):
            connection.close()
        return connection


def _is_closed(connection: http.client.HTTPConnection) -> bool:
    """Whether the server has closed an idle connection, which makes it readable."""
    if connection.sock is None:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return selector.select(0) != []
