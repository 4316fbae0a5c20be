/** The scenario with the client that openapi-generator generates for Kotlin. */

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.DoubleNode
import com.fasterxml.jackson.databind.node.LongNode
import com.fasterxml.jackson.databind.node.NullNode
import com.fasterxml.jackson.databind.node.TextNode
import okhttp3.Credentials
import okhttp3.OkHttpClient
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import org.example.gloss.apis.AboutApi
import org.example.gloss.apis.NamespacesApi
import org.example.gloss.apis.ObjectsApi
import org.example.gloss.apis.PermissionsApi
import org.example.gloss.apis.TagsApi
import org.example.gloss.apis.UsersApi
import org.example.gloss.apis.ValuesApi
import org.example.gloss.infrastructure.ApiResponse
import org.example.gloss.infrastructure.ClientError
import org.example.gloss.infrastructure.ClientException
import org.example.gloss.models.CreateNamespaceRequest
import org.example.gloss.models.CreateObjectRequest
import org.example.gloss.models.CreateTagRequest
import org.example.gloss.models.CreateUserRequest
import org.example.gloss.models.PutPermissionRequest

val URL: String = System.getenv("GLOSS_URL")
val USER: String = System.getenv("GLOSS_USER")
const val ABOUT = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
const val TEXT = "Grüße, 世界 🌍 \"\\\""
const val CONTENT_TYPE = "Text/X-Gloss; CharSet=Latin1"
val FOLDER = "$USER/Bücher"

fun see(step: String, vararg seen: Any?) = println("$step\t${seen.joinToString(" ")}")

/** The body of the last answer: the client reads JSON and text alone. */
var received = ByteArray(0)

/** A client that signs in, and sends `opaque`, if it is given, instead of its own bodies. */
fun signIn(username: String, password: String, opaque: ByteArray? = null) =
    OkHttpClient.Builder()
        .addInterceptor { chain ->
            val request = chain.request().newBuilder().header("Authorization", Credentials.basic(username, password))
            request.header("Accept", "*/*")
            if (opaque != null) {
                request.header("Content-Type", CONTENT_TYPE).put(opaque.toRequestBody())
            }
            asText(chain.proceed(request.build()))
        }
        .build()

/** The answer, whose content type the client compares with a list of a few. */
fun asText(response: Response): Response {
    received = response.peekBody(Long.MAX_VALUE).bytes()
    val type = response.header("Content-Type") ?: return response
    if (type.endsWith("json")) return response
    return response.newBuilder().header("Content-Type", "text/plain").header("X-Type", type).build()
}

fun header(response: ApiResponse<*>, name: String) = response.headers[name]?.first()

fun main() {
    val admin = signIn("service", System.getenv("GLOSS_ADMIN_PASSWORD"))
    UsersApi(URL, admin).createUser(CreateUserRequest(USER, "wonderland"))
    val me = signIn(USER, "wonderland")
    see("user", UsersApi(URL, me).getUser(USER).name)

    val namespaces = NamespacesApi(URL, me)
    namespaces.createNamespace(USER, CreateNamespaceRequest("Bücher", "gelesen & geplant"))
    see("namespace", namespaces.getNamespace(FOLDER, returnDescription = true).description)

    val tags = TagsApi(URL, me)
    tags.createTag(FOLDER, CreateTagRequest("größe", "Höhe in cm", indexed = true))
    val tag = tags.getTag("$FOLDER/größe", returnDescription = true)
    see("tag", tag.indexed, tag.description)

    val objects = ObjectsApi(URL, me)
    val id = objects.createObject(createObjectRequest = CreateObjectRequest()).id.toString()
    objects.putValue(id, "$FOLDER/int", LongNode(9007199254740993))
    see("int", objects.getValue(id, "$FOLDER/int").longValue())
    objects.putValue(id, "$FOLDER/float", DoubleNode(5.0))
    see("float", header(objects.getValueWithHttpInfo(id, "$FOLDER/float", null), "x-service-type"))

    val abouts = AboutApi(URL, me)
    abouts.putValueByAbout(ABOUT, "$FOLDER/string", TextNode(TEXT))
    see("string", abouts.getValueByAbout(ABOUT, "$FOLDER/string").textValue())
    val list: JsonNode = ObjectMapper().valueToTree(listOf("ä", "b", "", "ä"))
    abouts.putValueByAbout(ABOUT, "$FOLDER/list", list)
    see("list", abouts.getValueByAbout(ABOUT, "$FOLDER/list").joinToString("|") { it.textValue() })
    abouts.putValueByAbout(ABOUT, "$FOLDER/null", NullNode.instance)
    see("null", header(abouts.getValueByAboutWithHttpInfo(ABOUT, "$FOLDER/null", null), "x-service-type"))

    val bytes = ByteArray(256) { it.toByte() }
    val writer = AboutApi(URL, signIn(USER, "wonderland", bytes))
    writer.putValueByAbout(ABOUT, "$FOLDER/opaque", NullNode.instance)
    val opaque = abouts.getValueByAboutWithHttpInfo(ABOUT, "$FOLDER/opaque", null)
    see("opaque", header(opaque, "x-type"), received.joinToString("") { "%02x".format(it) })
    val head = abouts.headValueByAboutWithHttpInfo(ABOUT, "$FOLDER/opaque", null)
    see("head", header(head, "content-length"), header(head, "x-type"))

    val found = objects.findObjects("$FOLDER/int = 9007199254740993").ids
    see("query", found.size, found.first().toString() == id)
    val paths = listOf("$FOLDER/string", "$FOLDER/opaque")
    for (entries in ValuesApi(URL, me).getValues("has $FOLDER/string", paths).results.id.values) {
        val (text, blob) = paths.map { entries.getValue(it) }
        see("bulk", text["value"].textValue(), blob["value-type"].textValue(), blob["size"])
    }

    try {
        tags.getTag("$FOLDER/fehlt")
    } catch (error: ClientException) {
        val facts = error.response as ClientError<*>
        see("error", error.statusCode, header(facts, "x-service-error-class"), header(facts, "x-service-path"))
    }

    val permissions = PermissionsApi(URL, me)
    val closed = PutPermissionRequest(PutPermissionRequest.Policy.CLOSED, listOf(USER))
    val (write, read) = PermissionsApi.ActionPutTagValuePermission.READ to PermissionsApi.ActionGetTagValuePermission.READ
    permissions.putTagValuePermission("$FOLDER/string", write, closed)
    val permission = permissions.getTagValuePermission("$FOLDER/string", read)
    see("permission", permission.policy.value, permission.exceptions.joinToString(","))
}
