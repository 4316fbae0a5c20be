"""What gloss-client promises, beside the scenario; run by python.test.ts against the service."""

import os
import socketserver
import threading
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler

from gloss_client import Client, Opaque, ServiceError

client = Client(os.environ["GLOSS_URL"], "alice", os.environ["GLOSS_PASSWORD"])
TAG = "alice/value"
DUNE = "book:Dune"


def error_of(call):
    try:
        call()
    except ServiceError as error:
        return error
    raise AssertionError("no error was raised")


def refuses(call):
    try:
        call()
    except ValueError:
        return True
    return False


def keeps_values():
    for value in [None, True, 0, 2**63 - 1, -(2**63), 5.0, 8.5, 1e21, "5", "", "\n\u2028🌍", [], ["a", "a"]]:
        client.write_value(TAG, value, about=DUNE)
        single = client.read_value(TAG, about=DUNE)
        (entries,) = client.get_values(query=f"has {TAG}", tag=[TAG])["results"]["id"].values()
        for read in [single, entries[TAG]["value"]]:
            assert (read, type(read)) == (value, type(value)), (value, read)
    for value in [float("nan"), float("inf"), "\ud800"]:
        assert refuses(lambda: client.write_value(TAG, value, about=DUNE)), value


def keeps_opaque_values():
    for content in [b"", b"5.0", bytes(range(256))]:
        value = Opaque(content, "Application/JSON")
        client.write_value(TAG, value, about=DUNE)
        assert client.read_value(TAG, about=DUNE) == value


def writes_many():
    client.put_values(queries=[('service/about = "a/b"', {TAG: {"value": 5.0}}), (f"has {TAG}", {"alice/n": {"value": 2**60}})])
    assert repr(client.read_value(TAG, about="a/b")) == "5.0"
    assert client.read_value("alice/n", about="a/b") == 2**60


def raises_errors():
    error = error_of(lambda: client.get_tag("alice/größe"))
    assert (error.status, error.error_class, error.facts) == (404, "TNonexistentTag", {"path": "alice/größe"})
    assert error.request_id and "alice/größe" in error.message and str(error) == error.message
    headers = HTTPMessage()
    assert error.retry_after is None and ServiceError(503, "", headers).retry_after is None
    headers["Retry-After"] = "7"
    assert ServiceError(503, "", headers).retry_after == 7
    error = error_of(lambda: client.find_objects(query="alice/größe = größe"))
    assert error.error_class == "TParseError" and error.message.startswith("line 1, column 15: "), error.message
    assert error.facts == {"query": "alice/größe = größe"}
    error = error_of(lambda: Client(os.environ["GLOSS_URL"]).write_value(TAG, 1, about=DUNE))
    assert (error.status, error.error_class) == (401, "TPathPermissionDenied")
    error = error_of(lambda: Client(os.environ["GLOSS_URL"], "alice", "wrong").read_value(TAG, about=DUNE))
    assert (error.status, error.error_class, error.facts) == (401, None, {})


def reads_many():
    ids = [f"00000000-0000-4000-8000-{i:012}" for i in range(1200)]
    client.put_values(queries=[(f'service/id = "{id}"', {"alice/number": {"value": 2**53 + i}}) for i, id in enumerate(ids)])
    bare = "11111111-2222-4333-8444-5555AAAABBBB"
    read = list(client.read_values([*ids, bare], ["alice/number", TAG]))
    assert [id for id, _ in read] == [*ids, bare.lower()]
    assert [entries["alice/number"]["value"] for _, entries in read[:-1]] == [2**53 + i for i in range(1200)]
    assert read[-1][1] == {}
    assert refuses(lambda: list(client.read_values(['" or has alice/number'], ["alice/number"])))


def refuses_lost_segments():
    for about in [".", ".."]:
        assert refuses(lambda: client.read_value(TAG, about=about))
        object_id = client.create_object(about=about)["id"]
        client.write_value(TAG, about, id=object_id)
        assert client.read_value(TAG, id=object_id) == about
    assert refuses(lambda: client.read_value(TAG))


def survives_closed_connections():
    """A server that closes each connection after an answer, without saying so."""
    seen = []

    class Closing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            seen.append(self.command)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
            self.close_connection = True

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    with socketserver.TCPServer(("127.0.0.1", 0), Closing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        through = Client(f"http://127.0.0.1:{server.server_address[1]}")
        for _ in range(3):
            assert through.get_tag("a/b") == {}
        try:
            through.create_object()
        except ConnectionError:
            pass
        else:
            raise AssertionError("a POST may not be sent again")
        assert through.create_object() == {}
        server.shutdown()
    assert seen == ["GET", "GET", "GET", "POST"], seen


def shared_by_threads():
    client.write_value(TAG, 7, about=DUNE)
    read = []
    threads = [threading.Thread(target=lambda: read.append(client.read_value(TAG, about=DUNE))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [7] * 8


for promise in [
    keeps_values,
    keeps_opaque_values,
    writes_many,
    raises_errors,
    reads_many,
    refuses_lost_segments,
    survives_closed_connections,
    shared_by_threads,
]:
    promise()
    print(promise.__name__, flush=True)
