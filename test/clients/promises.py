"""
What gloss-client promises, beside the scenario; python.test.ts runs it against the service, and also its synchronous form
with the synchronous client.
"""

import asyncio
import os
import socketserver
import threading
import time
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler

from gloss_client.aio import AsyncClient
from gloss_client import Opaque, ServiceError

URL, PASSWORD = os.environ["GLOSS_URL"], os.environ["GLOSS_PASSWORD"]
client = AsyncClient(URL, "alice", PASSWORD)
#: Each client has its own.
TAG = f"alice/{AsyncClient.__name__}"
DUNE = "book:Dune"


async def raised(kind, call):
    try:
        await call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


class Stub:
    """
    A server that answers with these statuses and headers in turn, by a closed connection in place of ``None``, and
    remembers the requests.
    """

    def __init__(self, *answers, close=False, body=b"{}"):
        self.seen = []
        left = list(answers)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(handler):
                handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
                self.seen.append((handler.command, handler.path, handler.headers))
                answer = left.pop(0) if left else (200, {})
                handler.close_connection = close or answer is None
                if answer is None:
                    return
                status, headers = answer
                handler.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    handler.send_header(name, value)
                handler.end_headers()
                handler.wfile.write(body)

            do_GET = do_PUT = do_POST = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def methods(self):
        return [method for method, _, _ in self.seen]


async def keeps_values():
    for value in [None, True, 0, 2**63 - 1, -(2**63), 5.0, 8.5, 1e21, "5", "", "\n\u2028🌍", [], ["a", "a"]]:
        await client.write_value(TAG, value, about=DUNE)
        single = (await client.read_value(TAG, about=DUNE)).value
        (entries,) = (await client.get_values(query=f"has {TAG}", tag=[TAG]))["results"]["id"].values()
        for read in [single, entries[TAG]["value"]]:
            assert (read, type(read)) == (value, type(value)), (value, read)
    await client.write_value(TAG, 5.0, about=DUNE)
    await client.write_value("alice/copy", (await client.read_value(TAG, about=DUNE)).value, about=DUNE)
    assert repr((await client.read_value("alice/copy", about=DUNE)).value) == "5.0"


async def refuses_what_is_no_value():
    for value in [float("nan"), float("-inf"), ["a", float("nan")]]:
        error = await raised(ValueError, lambda: client.write_value(TAG, value, about=DUNE))
        assert str(error).startswith("NaN and infinities cannot be sent"), error
    nan = {TAG: {"value": float("nan")}}
    await raised(ValueError, lambda: client.put_values(queries=[[f"has {TAG}", nan]]))
    error = await raised(ValueError, lambda: client.write_value(TAG, "\ud800", about=DUNE))
    assert "surrogate" in str(error)


async def keeps_opaque_values():
    for content in [b"", b"5.0", bytes(range(256))]:
        value = Opaque(content, "Application/JSON")
        await client.write_value(TAG, value, about=DUNE)
        assert (await client.read_value(TAG, about=DUNE)).value == value


async def compares_and_sets():
    place = {"about": "counter"}
    await client.write_value(TAG, 1, **place, if_none_match="*")
    read = await client.read_value(TAG, **place)
    assert await client.read_value(TAG, **place, if_none_match=read.etag) is None
    await client.write_value(TAG, read.value + 1, **place, if_match=read.etag)
    for condition in [{"if_match": read.etag}, {"if_none_match": "*"}]:
        error = await raised(ServiceError, lambda: client.write_value(TAG, 7, **place, **condition))
        assert (error.status, error.error_class) == (412, "TPreconditionFailed")
    later = await client.read_value(TAG, **place, if_none_match=read.etag)
    assert later.value == 2 and later.etag != read.etag
    await raised(ServiceError, lambda: client.delete_value_by_about("counter", TAG, if_match=read.etag))
    await client.delete_value_by_about("counter", TAG, if_match=later.etag)


async def writes_many():
    elements = [['service/about = "a/b"', {TAG: {"value": 5.0}}], (f"has {TAG}", {"alice/n": {"value": 2**60}})]
    await client.put_values(queries=elements)
    assert repr((await client.read_value(TAG, about="a/b")).value) == "5.0"
    assert (await client.read_value("alice/n", about="a/b")).value == 2**60


async def raises_errors():
    error = await raised(ServiceError, lambda: client.get_tag("alice/größe"))
    assert (error.status, error.error_class, error.facts) == (404, "TNonexistentTag", {"path": "alice/größe"})
    assert error.request_id and "alice/größe" in error.message and str(error) == error.message
    headers = HTTPMessage()
    assert error.retry_after is None and ServiceError(503, "", headers).retry_after is None
    headers["Retry-After"] = "7"
    assert ServiceError(503, "", headers).retry_after == 7
    error = await raised(ServiceError, lambda: client.find_objects(query="alice/größe = größe"))
    assert error.error_class == "TParseError" and error.message.startswith("line 1, column 15: "), error.message
    assert error.facts == {"query": "alice/größe = größe"}
    error = await raised(ServiceError, lambda: AsyncClient(URL).write_value(TAG, 1, about=DUNE))
    assert (error.status, error.error_class) == (401, "TPathPermissionDenied")
    error = await raised(ServiceError, lambda: AsyncClient(URL, "alice", "wrong").read_value(TAG, about=DUNE))
    assert (error.status, error.error_class, error.facts) == (401, None, {})


async def reads_many():
    ids = [f"00000000-0000-4000-8000-{i:012}" for i in range(1200)]
    values = [(f'service/id = "{id}"', {"alice/number": {"value": 2**53 + i}}) for i, id in enumerate(ids)]
    await client.put_values(queries=values)
    bare = "11111111-2222-4333-8444-5555AAAABBBB"
    read = [found async for found in client.read_values([*ids, bare], ["alice/number", TAG])]
    assert [id for id, _ in read] == [*ids, bare.lower()]
    assert [entries["alice/number"]["value"] for _, entries in read[:-1]] == [2**53 + i for i in range(1200)]
    assert read[-1][1] == {}
    try:
        assert [found async for found in client.read_values(['" or has alice/number'], ["alice/number"])] and False
    except ValueError:
        pass
    for size in [None, 1000, 250]:
        found = client.search("has alice/number", tag=["alice/number"], sort="-alice/number", page_size=size)
        numbers = [one["values"]["alice/number"]["value"] async for one in found]
        assert numbers == [2**53 + i for i in reversed(range(1200))], size
    assert [one async for one in client.search("alice/number = 1")] == []


async def requests_pages_when_needed():
    page = b'{"results": [{"id": "a"}, {"id": "b"}], "next": "c"}'
    with Stub(body=page) as stub:
        seen = []
        async for found in AsyncClient(stub.url).search("has a/b", tag=["a/b", "a/c"], page_size=2):
            seen.append((found["id"], len(stub.seen)))
            if len(seen) == 3:
                break
        assert seen == [("a", 1), ("b", 1), ("a", 2)]
        first = "/search?query=has%20a%2Fb&tag=a%2Fb&tag=a%2Fc&limit=2"
        assert [path for _, path, _ in stub.seen] == [first, f"{first}&cursor=c"]


async def refuses_lost_segments():
    for about in [".", ".."]:
        await raised(ValueError, lambda: client.read_value(TAG, about=about))
        object_id = (await client.create_object(about=about))["id"]
        await client.write_value(TAG, about, id=object_id)
        assert (await client.read_value(TAG, id=object_id)).value == about
    await raised(ValueError, lambda: client.read_value(TAG))


async def survives_closed_connections():
    """A server that closes each connection after an answer, without saying so, or in place of an answer."""
    with Stub(close=True) as stub:
        through = AsyncClient(stub.url)
        for _ in range(3):
            assert await through.get_tag("a/b") == {}
            time.sleep(0.1)
            assert await through.create_object() == {}
            time.sleep(0.1)
        assert stub.methods == ["GET", "POST"] * 3, stub.methods
    with Stub(None) as stub:
        assert await AsyncClient(stub.url).get_tag("a/b") == {}
        assert stub.methods == ["GET"] * 2
    for call in [lambda it: it.create_object(), lambda it: it.write_value("a/b", 1, about="c", if_match='"1"')]:
        with Stub(None) as stub:
            await raised(ConnectionError, lambda: call(AsyncClient(stub.url)))
            assert len(stub.seen) == 1, "It may have been executed"


async def raises_os_errors():
    """Without a server, without an answer in time, and with half an answer."""
    with Stub() as stub:
        gone = AsyncClient(stub.url)
    await raised(ConnectionError, lambda: gone.create_object())
    with socketserver.TCPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as silent:
        slow = AsyncClient(f"http://127.0.0.1:{silent.server_address[1]}", timeout=0.2)
        await raised(TimeoutError, lambda: slow.create_object())
    with Stub((200, {"Content-Length": "100"}), close=True) as stub:
        await raised(ConnectionError, lambda: AsyncClient(stub.url).create_object())


async def tries_again():
    busy, soon = (503, {"Retry-After": "0"}), (429, {"Retry-After": "0"})
    for answers, call, methods in [
        ([busy, soon], lambda it: it.get_tag("a/b"), ["GET"] * 3),
        ([busy], lambda it: it.write_value("a/b", 1, about="c"), ["PUT"] * 2),
        ([soon], lambda it: it.delete_value("an id", "a/b"), ["DELETE"] * 2),
        ([soon, soon], lambda it: it.create_object(), ["POST"] * 3),
        ([soon], lambda it: it.write_value("a/b", 1, about="c", if_match='"1"'), ["PUT"] * 2),
    ]:
        with Stub(*answers) as stub:
            await call(AsyncClient(stub.url))
            assert stub.methods == methods, (answers, stub.methods)
    for answers, call, count in [
        ([busy] * 3, lambda it: it.get_tag("a/b"), 3),
        ([busy], lambda it: it.create_object(), 1),
        ([busy], lambda it: it.delete_value("an id", "a/b"), 1),
        ([busy], lambda it: it.write_value("a/b", 1, about="c", if_match='"1"'), 1),
        ([busy], lambda it: it.write_value("a/b", 1, about="c", if_none_match="*"), 1),
        ([(503, {})], lambda it: it.get_tag("a/b"), 1),
        ([(503, {"Retry-After": "31"})], lambda it: it.get_tag("a/b"), 1),
        ([(500, {"Retry-After": "0"})], lambda it: it.get_tag("a/b"), 1),
    ]:
        with Stub(*answers) as stub:
            error = await raised(ServiceError, lambda: call(AsyncClient(stub.url)))
            assert error.status == answers[0][0] and len(stub.seen) == count, (answers, stub.methods)
    with Stub(busy) as stub:
        await raised(ServiceError, lambda: AsyncClient(stub.url, retry=False).get_tag("a/b"))
        assert len(stub.seen) == 1
    with Stub((503, {"Retry-After": "1"})) as stub:
        before = time.monotonic()
        await AsyncClient(stub.url).get_tag("a/b")
        assert time.monotonic() - before >= 1


async def signs_in():
    given = []

    async def secret():
        given.append(f"secret{len(given)}")
        return given[-1]

    with Stub() as stub:
        for through in [
            AsyncClient(stub.url),
            AsyncClient(stub.url, "größe", "ä:"),
            AsyncClient(stub.url, "a", secret),
            AsyncClient(stub.url, token="abc"),
            AsyncClient(stub.url, token=secret),
            AsyncClient(stub.url, "a", "b", headers={"authorization": "Other c", "X-A": "1"}),
        ]:
            await through.get_tag("a/b")
        sent = [headers.get_all("Authorization") for _, _, headers in stub.seen]
        basic = [["Basic Z3LDtsOfZTrDpDo="], ["Basic YTpzZWNyZXQw"]]
        assert sent == [None, *basic, ["Bearer abc"], ["Bearer secret1"], ["Other c"]], sent
        assert stub.seen[-1][2]["X-A"] == "1"
    try:
        AsyncClient(stub.url, "a", token="b")
    except ValueError:
        return
    raise AssertionError("a user name and a token")


async def main():
    for promise in [
        keeps_values,
        refuses_what_is_no_value,
        keeps_opaque_values,
        compares_and_sets,
        writes_many,
        raises_errors,
        reads_many,
        requests_pages_when_needed,
        refuses_lost_segments,
        survives_closed_connections,
        raises_os_errors,
        tries_again,
        signs_in,
    ]:
        await promise()
        print(promise.__name__, flush=True)
    await client.close()


running = main()
if running is not None:
    asyncio.run(running)
