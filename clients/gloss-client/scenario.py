"""The scenario with the package gloss-client."""

import os
from collections.abc import Callable
from urllib.parse import quote

from gloss_client import Client, Opaque, ServiceError, path_of

ABOUT = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
TEXT = 'Grüße, 世界 🌍 "\\"'
LIST = ["ä", "b", "", "ä"]
CONTENT_TYPE = "Text/X-Gloss; CharSet=Latin1"


def run(url: str, admin_password: str, user: str, see: Callable[[str, object], None]) -> None:
    folder = f"{user}/Bücher"

    with Client(url, "service", admin_password) as admin:
        admin.create_user(username=user, password="wonderland")
    client = Client(url, user, "wonderland")
    see("user", client.get_user(user)["name"])

    client.create_namespace(user, name="Bücher", description="gelesen & geplant")
    namespace = client.get_namespace(folder, return_description=True)
    see("namespace", namespace["description"])

    client.create_tag(folder, name="größe", description="Höhe in cm", indexed=True)
    tag = client.get_tag(f"{folder}/größe", return_description=True)
    see("tag", f"{str(tag['indexed']).lower()} {tag['description']}")

    object_id = client.create_object()["id"]
    client.write_value(f"{folder}/int", 9007199254740993, id=object_id)
    see("int", client.read_value(f"{folder}/int", id=object_id).value)
    client.write_value(f"{folder}/float", 5.0, id=object_id)
    see("float", type(client.read_value(f"{folder}/float", id=object_id).value).__name__)

    client.write_value(f"{folder}/string", TEXT, about=ABOUT)
    see("string", client.read_value(f"{folder}/string", about=ABOUT).value)
    client.write_value(f"{folder}/list", LIST, about=ABOUT)
    items = client.read_value(f"{folder}/list", about=ABOUT).value
    see("list", "|".join(items) if isinstance(items, list) else items)
    client.write_value(f"{folder}/null", None, about=ABOUT)
    see("null", "null" if client.read_value(f"{folder}/null", about=ABOUT).value is None else "another")
    client.write_value(f"{folder}/opaque", Opaque(bytes(range(256)), CONTENT_TYPE), about=ABOUT)
    opaque = client.read_value(f"{folder}/opaque", about=ABOUT).value
    if isinstance(opaque, Opaque):
        see("opaque", f"{opaque.content_type} {opaque.content.hex()}")
    head = client.request("HEAD", path_of("about", ABOUT, f"{folder}/opaque")).headers
    see("head", f"{head['Content-Length']} {head['Content-Type']}")

    found = client.find_objects(query=f"{folder}/int = 9007199254740993")["ids"]
    see("query", f"{len(found)} {str(found[0] == object_id).lower()}")
    tags = [f"{folder}/string", f"{folder}/opaque"]
    for entries in client.get_values(query=f"has {tags[0]}", tag=tags)["results"]["id"].values():
        text, blob = entries[tags[0]], entries[tags[1]]
        see("bulk", f"{text.get('value')} {blob.get('value-type')} {blob.get('size')}")

    try:
        client.get_tag(f"{folder}/fehlt")
    except ServiceError as error:
        see("error", f"{error.status} {error.error_class} {quote(error.facts['path'])}")

    client.put_tag_value_permission(tags[0], action="read", policy="closed", exceptions=[user])
    permission = client.get_tag_value_permission(tags[0], action="read")
    see("permission", f"{permission['policy']} {','.join(permission['exceptions'])}")


def see(step: str, seen: object) -> None:
    print(f"{step}\t{seen}", flush=True)


if __name__ == "__main__":
    run(os.environ["GLOSS_URL"], os.environ["GLOSS_ADMIN_PASSWORD"], os.environ["GLOSS_USER"], see)
