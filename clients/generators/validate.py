"""The same as validate.mjs with openapi-core, which also checks the request."""

import json
import os
from pathlib import Path

from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

ID = "019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4"
PATH = "alice/books/rating"

document = json.loads(Path(os.environ["DOCUMENT"]).read_text())
values = json.loads(Path(__file__).with_name("values.json").read_text())
openapi = OpenAPI.from_dict(document)
request = MockRequest(
    document["servers"][0]["url"],
    "get",
    "/values",
    args={"query": f"has {PATH}", "tag": [PATH]},
)
openapi.unmarshal_request(request).raise_for_errors()


def read(value: object) -> str:
    """The value as it comes out of an answer, as JSON, or `refused`."""
    entry = {"value": value, "updated-at": "2026-03-14T15:09:26.535897Z"}
    body = json.dumps({"results": {"id": {ID: {PATH: entry}}}}).encode()
    headers = {"Cache-Control": "no-store", "Link": "</openapi.json>; rel=service-desc"}
    answer = openapi.unmarshal_response(request, MockResponse(body, 200, headers, "application/json"))
    return "refused" if answer.errors else json.dumps(answer.data["results"]["id"][ID][PATH]["value"])


seen = [(json.dumps(value), read(value)) for value in values["right"]]
changes = [f"{value} → {result}" for value, result in seen if value != result]
verdict = {
    "validator": "openapi-core 0.23.1",
    "unchanged": len(seen) - len(changes),
    "refused": sum(read(value) == "refused" for value in values["wrong"]),
    "changes": changes,
}
print(json.dumps(verdict))
