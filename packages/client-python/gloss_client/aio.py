"""The client: operations of the contract, and values, whose types and content types the contract does not describe."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Self, overload

from ._aio_operations import AsyncOperations
from ._aio_transport import AsyncTransport
from ._error import ServiceError
from ._types import FoundObject, PrimitiveValue, ValueEntry
from ._wire import PATIENCE, TRIES, Answer, Opaque, Value, basic, content_of, is_repeatable, merged, path_of_value
from ._wire import place_of, seconds_to_wait, target_of, to_json, value_of

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
#: The number of ids in a request. They make a URL of about 7,000 characters, which proxies accept.
_BATCH = 90


class AsyncClient(AsyncOperations):
    """
    A client of the service at ``base_url``; without a user name or token, its requests are
    anonymous. Threads may share one, or the tasks of one event loop.

    Its methods raise a ``ServiceError`` when the service answers with an error, a ``ValueError``
    for a value that they cannot send, and an ``OSError`` without an answer.

    Args:
        username: Sent with the password as ``Authorization: Basic``.
        password: The password, or a function that returns it and is called before each request.
        token: Sent as ``Authorization: Bearer``, without a user name; or a function, as for
            ``password``.
        headers: Headers of each request.
        timeout: Seconds, for each wait on the network.
        retry: Whether to wait and try again when the service asks for that by ``Retry-After``, with
            a 429 or 503: at most 3 requests within 30 seconds. After a 503, POST and writes with
            ``if_match`` or ``if_none_match`` are not tried again, since they may have been executed.
    """

    def __init__(
        self,
        base_url: str,
        username: str | None = None,
        password: str | Callable[[], Awaitable[str]] = "",
        *,
        token: str | Callable[[], Awaitable[str]] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 60.0,
        retry: bool = True,
    ) -> None:
        if username is not None and token is not None:
            raise ValueError("A client signs in with a user name or with a token, not with both")
        self._username = username
        self._secret = token if username is None else password
        self._headers = dict(headers or {})
        self._retry = retry
        self._transport = AsyncTransport(place_of(base_url), timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections of this thread or event loop; the next request opens another one."""
        await self._transport.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
        content: bytes | None = None,
    ) -> Answer:
        """
        Sends any request, and returns its answer.

        Args:
            method: The method, such as ``HEAD``.
            path: The path, from ``path_of``.
            query: Arguments; a list becomes a repeated one.
            headers: Headers, beside those of each request.
            content: The body.
        """
        target = target_of(path, query or {})
        left = PATIENCE
        tries = 0
        while True:
            sent = merged({"Authorization": await self._authorization()}, self._headers, headers or {})
            repeatable = is_repeatable(method, sent)
            answer = await self._transport.send(method, target, sent, content, repeatable)
            if answer.status < 400:
                return answer
            error = ServiceError(answer.status, answer.reason, answer.headers)
            tries += 1
            seconds = seconds_to_wait(error, repeatable) if self._retry and tries < TRIES else None
            if seconds is None or seconds > left:
                raise error
            left -= seconds
            await self._transport.sleep(seconds)

    @overload
    async def read_value(self, tag: str, *, id: str | None = None, about: str | None = None) -> Value: ...

    @overload
    async def read_value(
        self, tag: str, *, id: str | None = None, about: str | None = None, if_none_match: str | None
    ) -> Value | None: ...

    async def read_value(
        self, tag: str, *, id: str | None = None, about: str | None = None, if_none_match: str | None = None
    ) -> Value | None:
        """
        Reads a value of any type. Ints are exact; ``5.0`` is a float.

        Args:
            tag: The path of its tag.
            id: The id of its object; or
            about: the about value of its object.
            if_none_match: The entity tag of a value that was read before: the result is ``None`` if
                it is still the same.
        """
        answer = await self.request("GET", path_of_value(tag, id, about), headers={"If-None-Match": if_none_match})
        return None if answer.status == 304 else value_of(answer)

    async def write_value(
        self,
        tag: str,
        value: PrimitiveValue | Opaque,
        *,
        id: str | None = None,
        about: str | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> None:
        """
        Writes a value of any type. ``5`` becomes an int, ``5.0`` a float.

        Args:
            tag: The path of its tag, which is made if it does not exist.
            value: The value. ``read_value(…).value`` is one, too.
            id: The id of its object; or
            about: the about value of its object, which is made if it does not exist.
            if_match: Write only if the value that is there has this entity tag. Otherwise a
                ``ServiceError`` with the status 412 and the class ``TPreconditionFailed`` is raised.
            if_none_match: With ``*``, write only if there is no value.
        """
        content, content_type = content_of(value)
        headers = {"Content-Type": content_type, "If-Match": if_match, "If-None-Match": if_none_match}
        await self.request("PUT", path_of_value(tag, id, about), headers=headers, content=content)

    async def search(
        self, query: str, *, tag: list[str] | None = None, sort: str | None = None, page_size: int | None = None
    ) -> AsyncIterator[FoundObject]:
        """
        Yields all objects that a query matches, in order, with values. It requests a page when that
        is needed; each page shows the store as it is then.

        Args:
            query: A query.
            tag: The paths of tags whose values to return; ``*`` stands for every tag that may be
                read.
            sort: The path of the tag to sort by; with ``-`` before it, the largest values come
                first. Without it, objects come in the order of their ids.
            page_size: The number of objects to request at once, 1 to 1,000. The default is 100.
        """
        cursor = None
        while True:
            page = await self.search_objects(query=query, tag=tag, sort=sort, limit=page_size, cursor=cursor)
            for found in page["results"]:
                yield found
            cursor = page.get("next")
            if cursor is None:
                return

    async def read_values(
        self, ids: Iterable[str], tags: Sequence[str]
    ) -> AsyncIterator[tuple[str, dict[str, ValueEntry]]]:
        """
        Yields each id, in lower case, with the values of its object by tag. Each request reads 90
        objects, and shows the store as it is then.

        Args:
            ids: The ids of objects, any number of them.
            tags: The paths of tags.
        """
        waiting = [id.lower() for id in ids]
        wrong = next((id for id in waiting if not _ID.fullmatch(id)), None)
        if wrong is not None:
            raise ValueError(f"{wrong} is not an id")
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            query = " or ".join(f'service/id = "{id}"' for id in batch)
            results = (await self.get_values(query=query, tag=list(tags)))["results"]["id"]
            for id in batch:
                yield id, results.get(id, {})

    async def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        headers: Mapping[str, str | None],
        body: Mapping[str, object] | None,
    ) -> Any:
        """An operation of the contract, without those arguments, headers and fields of its body that are ``None``."""
        fields = None if body is None else {name: value for name, value in body.items() if value is not None}
        content = None if fields is None else to_json(fields)
        content_type = None if fields is None else "application/json"
        sent = {"Content-Type": content_type, **headers}
        return (await self.request(method, path, query=query, headers=sent, content=content)).json()

    async def _authorization(self) -> str | None:
        secret = await self._secret() if callable(self._secret) else self._secret
        if secret is None:
            return None
        return f"Bearer {secret}" if self._username is None else basic(self._username, secret)
