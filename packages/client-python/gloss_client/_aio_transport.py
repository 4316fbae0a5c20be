"""HTTP by httpx, which the extra ``async`` installs."""

import ssl
from collections.abc import Mapping
from http.client import HTTPMessage

try:
    import anyio
    import httpx
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("The asynchronous client needs httpx: pip install 'gloss-client[async]'") from error

from ._wire import Answer, Place


class AsyncTransport:
    """Sends requests to a place. ``timeout``, in seconds, is for each wait on the network."""

    sleep = staticmethod(anyio.sleep)

    def __init__(self, place: Place, timeout: float) -> None:
        self._place = place
        self._timeout = timeout
        self._opened: httpx.AsyncClient | None = None

    async def send(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes | None, repeatable: bool
    ) -> Answer:
        """Sends a request. Raises an ``OSError`` if there is no answer."""
        try:
            try:
                response = await self._send(method, target, headers, content)
            except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                # The connection was lost. The service may nevertheless have executed the request.
                if not repeatable:
                    raise
                response = await self._send(method, target, headers, content)
        except httpx.TimeoutException as error:
            raise TimeoutError(f"{self._place.host} does not answer in time") from error
        except httpx.RequestError as error:
            raise ConnectionError(f"No answer from {self._place.host}: {error!r}") from error
        message = HTTPMessage()
        for name, value in response.headers.raw:
            message[name.decode("latin-1")] = value.decode("latin-1")
        return Answer(response.status_code, response.reason_phrase, message, response.content)

    async def close(self) -> None:
        """Closes all connections."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            await opened.aclose()

    async def _send(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes | None
    ) -> httpx.Response:
        if self._opened is None:
            # As in the synchronous client: the certificates of the system, and no settings of proxies.
            certificates = ssl.create_default_context()
            self._opened = httpx.AsyncClient(timeout=self._timeout, verify=certificates, trust_env=False)
        place = self._place
        url = httpx.URL(
            scheme="https" if place.https else "http",
            host=place.host,
            port=place.port,
            raw_path=(place.prefix + target).encode("ascii"),
        )
        return await self._opened.request(method, url, headers=headers, content=content)
