"""Adapts Schemathesis to the service where the contract cannot, and counts its checks by phase."""

import base64
import hashlib
import json
import os
import unicodedata
from collections import Counter
from urllib.parse import quote, unquote

import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis import cli
from schemathesis.core.media_types import YAML_MEDIA_TYPES
from schemathesis.engine import events
from schemathesis.openapi.checks import IgnoredAuth

# The accounts that send the requests, without which every answer would be a 401, and the built-in ones, which nobody may
# delete or give another role: a schema cannot tell them from others.
ACCOUNTS = ("service", "anon", os.environ["FUZZ_USER"])


def queries():
    """Queries as `docs/query-language.md` describes them."""
    blank = st.text(" \t\n", min_size=1, max_size=2)
    letters = st.characters(codec="utf-8", categories=("L", "N"), include_characters="_:-")
    names = st.text(letters, min_size=1, max_size=8)
    paths = st.lists(names, min_size=2, max_size=4).map("/".join) | st.sampled_from(SHELF)
    texts = st.text(st.characters(codec="utf-8"), max_size=12)
    strings = texts.map(lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')
    ints = st.integers(-(2**63), 2**63 - 1).map(str)
    numbers = ints | st.decimals(-1e9, 1e9, allow_nan=False, allow_infinity=False, places=3).map(str)
    constants = st.sampled_from(["true", "false", "null"])
    conditions = (
        joined(st.just("has"), blank, paths)
        | joined(paths, blank, st.sampled_from(["=", "!="]), blank, strings | numbers | constants)
        | joined(paths, blank, st.sampled_from(["<", "<=", ">", ">="]), blank, strings | numbers)
        | joined(paths, blank, st.just("contains"), blank, strings)
    )
    operators = st.sampled_from(["and", "or", "except", "AND", "Or"])
    return st.recursive(
        conditions,
        lambda query: joined(query, blank, operators, blank, query) | joined(st.just("("), query, st.just(")")),
        max_leaves=8,
    ).map(made)


def made(query):
    """Remembers a query, to tell it from other text."""
    MADE.add(query)
    return query


MADE = set()


def joined(*parts):
    return st.tuples(*parts).map("".join)


# Tags that every store with the examples of the contract has.
SHELF = ["alice/books/rating", "alice/books/title", "alice/books/lent", "service/users/username"]

schemathesis.openapi.format("gloss-query", queries())


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Names the query language where the contract has a query: no pattern can express a grammar with parentheses."""
    query = raw_schema["components"]["schemas"]["QueryText"]
    for length in ("minLength", "maxLength"):
        del query[length]
    query["format"] = "gloss-query"


@schemathesis.hook
def before_call(context, case, kwargs):
    keep_accounts(case)
    begin_searches(case)
    spell_names(case)
    shorten_names(case)
    write_queries(case)
    sign_body(case)


def keep_accounts(case):
    """Changes and deletes others."""
    username = str((case.path_parameters or {}).get("username", "")).lower()
    if case.method in ("PUT", "DELETE") and username in ACCOUNTS:
        case.path_parameters["username"] = "somebody"
    # Superusers cannot be exceptions, and the examples of permissions name these two.
    if username in ("alice", "bob") and isinstance(case.body, dict) and case.body.get("role") == "superuser":
        case.body["role"] = "user"


def begin_searches(case):
    """Asks for first pages: a cursor is what the service made for the same search."""
    if case.query:
        case.query.pop("cursor", None)


def write_queries(case):
    """Puts queries into valid requests: on rare occasions Schemathesis writes any text where the format is wanted."""
    if not case.meta.generation.mode.is_positive:
        return
    if "query" in (case.query or {}):
        case.query["query"] = query_or_other(case.query["query"])
    for element in case.body.get("queries", []) if isinstance(case.body, dict) else []:
        element[0] = query_or_other(element[0])


def query_or_other(text):
    return text if text in MADE or any(path in text for path in KNOWN) else f"has {SHELF[0]}"


# What the queries in the examples of the contract are about.
KNOWN = ["alice/books/", "service/about", "service/id"]


def sign_body(case):
    """Puts the right value into `Content-MD5`: with a random one, every answer would be a 412."""
    # The boundary between parts is another one each time that the body is written.
    if "Content-MD5" in (case.headers or {}) and str(case.media_type).startswith("multipart/"):
        del case.headers["Content-MD5"]
    if "Content-MD5" in (case.headers or {}):
        body = requests.Request(**case.as_transport_kwargs(base_url="http://localhost")).prepare().body or b""
        octets = body.encode() if isinstance(body, str) else body
        case.headers["Content-MD5"] = base64.b64encode(hashlib.md5(octets).digest()).decode()


def spell_names(case):
    """Turns what is not ASCII into letters: not all regular expressions know what a letter is, so no pattern says so."""
    parameters = case.path_parameters or {}
    for name in ("namespace_path", "tag_path", "username"):
        text = unquote(str(parameters.get(name, "")))
        if text != spelled(text):
            parameters[name] = quote(spelled(text), safe="")
    body = case.body if isinstance(case.body, dict) else {}
    for name in ("name", "username", "exceptions") if case.method == "POST" or "policy" in body else ():
        if name in body:
            body[name] = spelled(body[name])
    for element in body.get("queries") if isinstance(body.get("queries"), list) else []:
        for i, part in enumerate(element if isinstance(element, list) else []):
            if isinstance(part, dict):
                element[i] = {spelled(name): value for name, value in part.items()}


def spelled(text):
    if isinstance(text, list):
        return [spelled(one) for one in text]
    if not isinstance(text, str):
        return text
    return "".join(c if c.isascii() or unicodedata.category(c)[0] in "LMN" else "é" for c in text)


def shorten_names(case):
    """Lets a path and the name of what is made there be short enough together, if each of them is by itself."""
    body = case.body if isinstance(case.body, dict) else {}
    parameters = case.path_parameters or {}
    place = "namespace_path" if "namespace_path" in parameters else "tag_path"
    path, name = unquote(str(parameters.get(place, ""))), body.get("name")
    if case.method != "POST" or place not in parameters or not isinstance(name, str):
        return
    if len(path) <= MOST_PATH and len(name) <= MOST_NAME and len(path) + 1 + len(name) > MOST_PATH:
        parameters[place] = "alice"
        body["name"] = name[: MOST_PATH - len("alice/")]


MOST_PATH, MOST_NAME = 233, 231


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Accepts that the check's wrong credentials are throttled: after ten of them, further ones are a 429."""
    return not (isinstance(failure, IgnoredAuth) and "`429 " in failure.message)


@schemathesis.deserializer("image/svg+xml", "application/octet-stream", "text/event-stream", *YAML_MEDIA_TYPES)
def opaque(context, response):
    """An opaque value can be any bytes."""
    return response.content.decode("latin-1")


@schemathesis.deserializer("application/json")
def json_or_opaque(context, response):
    """A stored value of this content type can be any bytes, too."""
    stored = context.operation.path in ("/objects/{object_id}/{tag_path}", "/about/{about_value}/{tag_path}")
    bare = response.headers["content-type"][0].startswith("application/json")
    return opaque(context, response) if stored and bare else response.json()


@cli.handler()
class Summary(cli.EventHandler):
    """Writes how often each check ran in each phase, and how often it failed."""

    def __init__(self, *args, **params):
        self.checks = Counter()
        self.cases = Counter()

    def handle_event(self, ctx, event):
        if isinstance(event, events.ScenarioFinished):
            phase = event.phase.value
            self.cases[phase] += len(event.recorder.cases)
            for nodes in event.recorder.checks.values():
                for node in nodes:
                    self.checks[phase, node.name, node.status.value] += 1

    def shutdown(self, ctx):
        with open(os.environ["FUZZ_SUMMARY"], "w", encoding="utf-8") as file:
            json.dump(
                {
                    "cases": self.cases,
                    "checks": [
                        {"phase": phase, "check": check, "status": status, "count": count}
                        for (phase, check, status), count in self.checks.items()
                    ],
                },
                file,
            )
