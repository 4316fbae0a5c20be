"""The scenario with the client that openapi-python-client generates."""

import base64
import os

from gloss import AuthenticatedClient
from gloss.api.about import get_value_by_about, head_value_by_about, put_value_by_about
from gloss.api.namespaces import create_namespace, get_namespace
from gloss.api.objects import create_object, find_objects, get_value, put_value
from gloss.api.permissions import get_tag_value_permission, put_tag_value_permission
from gloss.api.tags import create_tag, get_tag
from gloss.api.users import create_user, get_user
from gloss.api.values import get_values
from gloss.models import (
    CreateNamespaceRequest,
    CreateTagRequest,
    CreateUserRequest,
    GetTagValuePermissionAction,
    PutPermissionRequest,
    PutPermissionRequestPolicy,
    PutTagValuePermissionAction,
)

URL, USER = os.environ["GLOSS_URL"], os.environ["GLOSS_USER"]
ABOUT = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
TEXT = 'Grüße, 世界 🌍 "\\"'
CONTENT_TYPE = "Text/X-Gloss; CharSet=Latin1"
FOLDER = f"{USER}/Bücher"


def see(step, *seen):
    print(step, " ".join(map(str, seen)), sep="\t")


def sign_in(username, password):
    credentials = base64.b64encode(f"{username}:{password}".encode()).decode()
    return AuthenticatedClient(base_url=URL, token=credentials, prefix="Basic")


def ok(response):
    """The response, which must be a success."""
    assert response.status_code < 400, (response.status_code, response.headers)
    return response


admin = sign_in("service", os.environ["GLOSS_ADMIN_PASSWORD"])
ok(create_user.sync_detailed(client=admin, body=CreateUserRequest(username=USER, password="wonderland")))
client = sign_in(USER, "wonderland")
see("user", get_user.sync(USER, client=client).name)

namespace = CreateNamespaceRequest(name="Bücher", description="gelesen & geplant")
ok(create_namespace.sync_detailed(USER, client=client, body=namespace))
see("namespace", get_namespace.sync(FOLDER, client=client, return_description=True).description)

tag = CreateTagRequest(name="größe", description="Höhe in cm", indexed=True)
ok(create_tag.sync_detailed(FOLDER, client=client, body=tag))
tag = get_tag.sync(f"{FOLDER}/größe", client=client, return_description=True)
see("tag", str(tag.indexed).lower(), tag.description)

object_id = create_object.sync(client=client).id
ok(put_value.sync_detailed(str(object_id), f"{FOLDER}/int", client=client, body=9007199254740993))
see("int", get_value.sync(str(object_id), f"{FOLDER}/int", client=client))
ok(put_value.sync_detailed(str(object_id), f"{FOLDER}/float", client=client, body=5.0))
float_value = get_value.sync_detailed(str(object_id), f"{FOLDER}/float", client=client)
see("float", float_value.headers["X-Service-Type"])

ok(put_value_by_about.sync_detailed(ABOUT, f"{FOLDER}/string", client=client, body=TEXT))
see("string", get_value_by_about.sync(ABOUT, f"{FOLDER}/string", client=client))
ok(put_value_by_about.sync_detailed(ABOUT, f"{FOLDER}/list", client=client, body=["ä", "b", "", "ä"]))
see("list", "|".join(get_value_by_about.sync(ABOUT, f"{FOLDER}/list", client=client)))
# httpx sends no body for a JSON body of None.
http = client.get_httpx_client()
null = put_value_by_about._get_kwargs(ABOUT, f"{FOLDER}/null", body=None)
del null["json"]
ok(http.request(**null, content=b"null"))
null = get_value_by_about.sync_detailed(ABOUT, f"{FOLDER}/null", client=client)
see("null", null.headers["X-Service-Type"])

# This client supports only JSON bodies, but its requests and responses can be accessed and changed.
write = put_value_by_about._get_kwargs(ABOUT, f"{FOLDER}/opaque", body=None)
del write["json"]
write["headers"]["Content-Type"] = CONTENT_TYPE
ok(http.request(**write, content=bytes(range(256))))
opaque = http.request(**get_value_by_about._get_kwargs(ABOUT, f"{FOLDER}/opaque"))
see("opaque", opaque.headers["Content-Type"], opaque.content.hex())
head = head_value_by_about.sync_detailed(ABOUT, f"{FOLDER}/opaque", client=client).headers
see("head", head["Content-Length"], head["Content-Type"])

found = find_objects.sync(client=client, query=f"{FOLDER}/int = 9007199254740993").ids
see("query", len(found), str(found[0] == object_id).lower())
tags = [f"{FOLDER}/string", f"{FOLDER}/opaque"]
bulk = get_values.sync(client=client, query=f"has {FOLDER}/string", tag=tags)
(entries,) = bulk.results.id.additional_properties.values()
text, blob = (entries[path] for path in tags)
see("bulk", text.value, blob.value_type, blob.size)

missing = get_tag.sync_detailed(f"{FOLDER}/fehlt", client=client)
headers = missing.headers
see("error", int(missing.status_code), headers["X-Service-Error-Class"], headers["X-Service-Path"])

closed = PutPermissionRequest(policy=PutPermissionRequestPolicy.CLOSED, exceptions=[USER])
action = PutTagValuePermissionAction.READ
ok(put_tag_value_permission.sync_detailed(f"{FOLDER}/string", client=client, body=closed, action=action))
action = GetTagValuePermissionAction.READ
permission = get_tag_value_permission.sync(f"{FOLDER}/string", client=client, action=action)
see("permission", permission.policy, ",".join(permission.exceptions))
