"""The scenario with the client that openapi-generator generates for Python."""

import os

import gloss
from gloss.exceptions import ApiException

URL, USER = os.environ["GLOSS_URL"], os.environ["GLOSS_USER"]
ABOUT = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
TEXT = 'Grüße, 世界 🌍 "\\"'
CONTENT_TYPE = "Text/X-Gloss; CharSet=Latin1"
FOLDER = f"{USER}/Bücher"


def see(step, *seen):
    print(step, " ".join(map(str, seen)), sep="\t")


def sign_in(username, password):
    return gloss.ApiClient(gloss.Configuration(host=URL, username=username, password=password))


admin = sign_in("service", os.environ["GLOSS_ADMIN_PASSWORD"])
gloss.UsersApi(admin).create_user(gloss.CreateUserRequest(username=USER, password="wonderland"))
client = sign_in(USER, "wonderland")
see("user", gloss.UsersApi(client).get_user(USER).name)

namespaces = gloss.NamespacesApi(client)
namespaces.create_namespace(
    USER, gloss.CreateNamespaceRequest(name="Bücher", description="gelesen & geplant")
)
see("namespace", namespaces.get_namespace(FOLDER, return_description=True).description)

tags = gloss.TagsApi(client)
tags.create_tag(FOLDER, gloss.CreateTagRequest(name="größe", description="Höhe in cm", indexed=True))
tag = tags.get_tag(f"{FOLDER}/größe", return_description=True)
see("tag", str(tag.indexed).lower(), tag.description)

objects, abouts = gloss.ObjectsApi(client), gloss.AboutApi(client)
object_id = str(objects.create_object().id)
objects.put_value(object_id, f"{FOLDER}/int", primitive_value=gloss.PrimitiveValue(9007199254740993))
see("int", objects.get_value(object_id, f"{FOLDER}/int").actual_instance)
objects.put_value(object_id, f"{FOLDER}/float", primitive_value=gloss.PrimitiveValue(5.0))
see("float", objects.get_value_with_http_info(object_id, f"{FOLDER}/float").headers["X-Service-Type"])

abouts.put_value_by_about(ABOUT, f"{FOLDER}/string", primitive_value=gloss.PrimitiveValue(TEXT))
see("string", abouts.get_value_by_about(ABOUT, f"{FOLDER}/string").actual_instance)
abouts.put_value_by_about(ABOUT, f"{FOLDER}/list", primitive_value=gloss.PrimitiveValue(["ä", "b", "", "ä"]))
see("list", "|".join(abouts.get_value_by_about(ABOUT, f"{FOLDER}/list").actual_instance))
# This client sends no body for None, except in PUT /values.
null = {f"{FOLDER}/null": gloss.ValueToSet(value=None)}
element = [gloss.QueryOrValuesToSet(f"has {FOLDER}/string"), gloss.QueryOrValuesToSet(null)]
gloss.ValuesApi(client).put_values(gloss.PutValuesRequest(queries=[element]))
see("null", abouts.get_value_by_about_with_http_info(ABOUT, f"{FOLDER}/null").headers["X-Service-Type"])

# Its methods support only the first content type of a body; others need its general call.
request = client.param_serialize(
    "PUT",
    "/about/{about_value}/{tag_path}",
    path_params={"about_value": ABOUT, "tag_path": f"{FOLDER}/opaque"},
    header_params={"Content-Type": CONTENT_TYPE},
    body=bytes(range(256)),
    auth_settings=["basic"],
)
assert client.call_api(*request).status == 204
def any_type():
    return {"Accept": "*/*"}


opaque = abouts.get_value_by_about_without_preload_content(ABOUT, f"{FOLDER}/opaque", _headers=any_type())
see("opaque", opaque.headers["Content-Type"], opaque.read().hex())
head = abouts.head_value_by_about_with_http_info(ABOUT, f"{FOLDER}/opaque", _headers=any_type()).headers
see("head", head["Content-Length"], head["Content-Type"])

found = objects.find_objects(f"{FOLDER}/int = 9007199254740993").ids
see("query", len(found), str(str(found[0]) == object_id).lower())
bulk = gloss.ValuesApi(client).get_values(f"has {FOLDER}/string", [f"{FOLDER}/string", f"{FOLDER}/opaque"])
(entries,) = bulk.results.id.values()
text, blob = (entries[f"{FOLDER}/{name}"] for name in ("string", "opaque"))
see("bulk", text["value"], blob["value-type"], blob["size"])

try:
    tags.get_tag(f"{FOLDER}/fehlt")
except ApiException as error:
    see("error", error.status, error.headers["X-Service-Error-Class"], error.headers["X-Service-Path"])

permissions = gloss.PermissionsApi(client)
closed = gloss.PutPermissionRequest(policy="closed", exceptions=[USER])
which = {"tag_path": f"{FOLDER}/string", "action": "read"}
permissions.put_tag_value_permission(**which, put_permission_request=closed)
permission = permissions.get_tag_value_permission(**which)
see("permission", permission.policy, ",".join(permission.exceptions))
