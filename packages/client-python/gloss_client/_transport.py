"""HTTP on connections that stay open, one for each thread."""

import http.client
import threading
import time
from collections.abc import Mapping

from ._wire import Answer, Place

#: Seconds after which the client no longer uses an idle connection, because the server may close it at any moment.
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
        for _ in range(2):
            connection = self._open()
            fresh = connection.sock is None
            try:
                connection.request(method, self._place.prefix + target, content, dict(headers))
                response = connection.getresponse()
                content_read = response.read()
            except ConnectionError:
                connection.close()
                # The server may have closed it. It may nevertheless have executed the request.
                if fresh or not repeatable:
                    raise
            except http.client.HTTPException as error:
                connection.close()
                raise ConnectionError(f"The answer of {self._place.host} is not complete: {error!r}") from error
            except BaseException:
                connection.close()
                raise
            else:
                self._connection.used = time.monotonic()
                return Answer(response.status, response.reason, response.headers, content_read)
        raise ConnectionError(f"No connection to {self._place.host} lasts")

    def close(self) -> None:
        """Closes the connection of this thread."""
        if self._connection.opened is not None:
            self._connection.opened.close()

    def _open(self) -> http.client.HTTPConnection:
        connection = self._connection.opened
        if connection is None:
            kind = http.client.HTTPSConnection if self._place.https else http.client.HTTPConnection
            connection = kind(self._place.host, self._place.port, timeout=self._timeout)
            self._connection.opened = connection
        elif time.monotonic() - self._connection.used > _IDLE:
            connection.close()
        return connection
