"""Adapts Schemathesis to the service where the contract cannot, and counts its checks by phase."""

import base64
import hashlib
import json
import os
from collections import Counter

import requests
import schemathesis
from schemathesis import cli
from schemathesis.engine import events
from schemathesis.openapi.checks import UndefinedContentType

VALUES = ("/about/{about_value}/{tag_path}", "/objects/{object_id}/{tag_path}")
ACCOUNTS = ("service", os.environ["FUZZ_USER"])


@schemathesis.hook
def before_call(context, case, kwargs):
    keep_accounts(case)
    sign_body(case)


def keep_accounts(case):
    """Protects the accounts that send the requests: without them, every answer would be a 401."""
    username = str((case.path_parameters or {}).get("username", "")).lower()
    if case.method in ("PUT", "DELETE") and username in ACCOUNTS:
        case.path_parameters["username"] = "somebody"


def sign_body(case):
    """Puts the right value into `Content-MD5`: with a random one, every answer would be a 412."""
    if "Content-MD5" in (case.headers or {}):
        body = requests.Request(**case.as_transport_kwargs(base_url="http://localhost")).prepare().body or b""
        octets = body.encode() if isinstance(body, str) else body
        case.headers["Content-MD5"] = base64.b64encode(hashlib.md5(octets).digest()).decode()


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Accepts any content type of an opaque value: the contract can only give examples of those that are stored."""
    opaque = case.operation.path in VALUES and "x-service-type" not in response.headers
    return not (opaque and isinstance(failure, UndefinedContentType))


@schemathesis.deserializer("image/svg+xml", "application/octet-stream")
def opaque(context, response):
    """An opaque value can be any bytes."""
    return response.content.decode("latin-1")


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
