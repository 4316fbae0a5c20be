import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.example.gloss.ApiClient;
import org.example.gloss.ApiException;
import org.example.gloss.ApiResponse;
import org.example.gloss.api.AboutApi;
import org.example.gloss.api.NamespacesApi;
import org.example.gloss.api.ObjectsApi;
import org.example.gloss.api.PermissionsApi;
import org.example.gloss.api.TagsApi;
import org.example.gloss.api.UsersApi;
import org.example.gloss.api.ValuesApi;
import org.example.gloss.model.CreateNamespaceRequest;
import org.example.gloss.model.CreateObjectRequest;
import org.example.gloss.model.CreateTagRequest;
import org.example.gloss.model.CreateUserRequest;
import org.example.gloss.model.PutPermissionRequest;

/** The scenario with the client that openapi-generator generates for Java. */
public class Scenario {
  static final String URL = System.getenv("GLOSS_URL");
  static final String USER = System.getenv("GLOSS_USER");
  static final String ABOUT = "https://example.org/bücher?q=a+b&c=50%#ä ö/1";
  static final String TEXT = "Grüße, 世界 🌍 \"\\\"";
  static final String CONTENT_TYPE = "Text/X-Gloss; CharSet=Latin1";
  static final String FOLDER = USER + "/Bücher";

  static void see(String step, Object... seen) {
    List<String> words = new ArrayList<>();
    for (Object one : seen) words.add(String.valueOf(one));
    System.out.println(step + "\t" + String.join(" ", words));
  }

  /** A client that signs in and accepts values of any type; `more` is also applied to each request. */
  static ApiClient signIn(String username, String password, Consumer<HttpRequest.Builder> more) {
    String credentials = Base64.getEncoder().encodeToString((username + ":" + password).getBytes());
    ApiClient client = new ApiClient();
    client.updateBaseUri(URL);
    client.setRequestInterceptor(
        request -> {
          request.setHeader("Authorization", "Basic " + credentials).setHeader("Accept", "*/*");
          more.accept(request);
        });
    return client;
  }

  static String header(ApiResponse<?> response, String name) {
    return response.getHeaders().get(name).get(0);
  }

  public static void main(String[] args) throws ApiException {
    ApiClient admin = signIn("service", System.getenv("GLOSS_ADMIN_PASSWORD"), request -> {});
    new UsersApi(admin)
        .createUser(new CreateUserRequest().username(USER).password("wonderland"), null);
    ApiClient client = signIn(USER, "wonderland", request -> {});
    see("user", new UsersApi(client).getUser(USER, null).getName());

    NamespacesApi namespaces = new NamespacesApi(client);
    namespaces.createNamespace(
        USER, new CreateNamespaceRequest().name("Bücher").description("gelesen & geplant"), null);
    see("namespace", namespaces.getNamespace(FOLDER, true, null, null, null).getDescription());

    TagsApi tags = new TagsApi(client);
    tags.createTag(
        FOLDER, new CreateTagRequest().name("größe").description("Höhe in cm").indexed(true), null);
    var tag = tags.getTag(FOLDER + "/größe", true, null);
    see("tag", tag.getIndexed(), tag.getDescription());

    ObjectsApi objects = new ObjectsApi(client);
    String id = objects.createObject(null, new CreateObjectRequest()).getId().toString();
    objects.putValue(id, FOLDER + "/int", LongNode.valueOf(9007199254740993L), null, null, null);
    see("int", objects.getValue(id, FOLDER + "/int", null).longValue());
    objects.putValue(id, FOLDER + "/float", DoubleNode.valueOf(5), null, null, null);
    see("float", header(objects.getValueWithHttpInfo(id, FOLDER + "/float", null), "x-service-type"));

    AboutApi abouts = new AboutApi(client);
    abouts.putValueByAbout(ABOUT, FOLDER + "/string", TextNode.valueOf(TEXT), null, null, null);
    see("string", abouts.getValueByAbout(ABOUT, FOLDER + "/string", null).textValue());
    JsonNode list = new ObjectMapper().valueToTree(List.of("ä", "b", "", "ä"));
    abouts.putValueByAbout(ABOUT, FOLDER + "/list", list, null, null, null);
    List<String> items = new ArrayList<>();
    abouts.getValueByAbout(ABOUT, FOLDER + "/list", null).forEach(item -> items.add(item.textValue()));
    see("list", String.join("|", items));
    abouts.putValueByAbout(ABOUT, FOLDER + "/null", NullNode.instance, null, null, null);
    see("null", header(abouts.getValueByAboutWithHttpInfo(ABOUT, FOLDER + "/null", null), "x-service-type"));

    opaque();
    var head = abouts.headValueByAboutWithHttpInfo(ABOUT, FOLDER + "/opaque", null);
    see("head", header(head, "content-length"), header(head, "content-type"));

    var found = objects.findObjects(FOLDER + "/int = 9007199254740993").getIds();
    see("query", found.size(), found.get(0).toString().equals(id));
    var bulk =
        new ValuesApi(client)
            .getValues("has " + FOLDER + "/string", List.of(FOLDER + "/string", FOLDER + "/opaque"));
    for (Map<String, JsonNode> entries : bulk.getResults().getId().values()) {
      JsonNode blob = entries.get(FOLDER + "/opaque");
      String text = entries.get(FOLDER + "/string").get("value").textValue();
      see("bulk", text, blob.get("value-type").textValue(), blob.get("size"));
    }

    try {
      tags.getTag(FOLDER + "/fehlt", null, null);
    } catch (ApiException error) {
      var headers = error.getResponseHeaders();
      String errorClass = headers.firstValue("X-Service-Error-Class").orElse("");
      see("error", error.getCode(), errorClass, headers.firstValue("X-Service-Path").orElse(""));
    }

    PermissionsApi permissions = new PermissionsApi(client);
    permissions.putTagValuePermission(
        "read",
        FOLDER + "/string",
        new PutPermissionRequest()
            .policy(PutPermissionRequest.PolicyEnum.CLOSED)
            .exceptions(List.of(USER)),
        null,
        null);
    var permission = permissions.getTagValuePermission("read", FOLDER + "/string", null);
    see("permission", permission.getPolicy(), String.join(",", permission.getExceptions()));
  }

  /** This client supports only the first content type of a body; interceptors add and read any other. */
  static void opaque() throws ApiException {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) i;
    ApiClient writer =
        signIn(
            USER,
            "wonderland",
            request ->
                request
                    .setHeader("Content-Type", CONTENT_TYPE)
                    .method("PUT", HttpRequest.BodyPublishers.ofByteArray(bytes)));
    new AboutApi(writer).putValueByAbout(ABOUT, FOLDER + "/opaque", NullNode.instance, null, null, null);

    List<byte[]> received = new ArrayList<>();
    ApiClient reader = signIn(USER, "wonderland", request -> {});
    reader.setResponseInterceptor(response -> received.add(bodyOf(response)));
    var answer = new AboutApi(reader).getValueByAboutWithHttpInfo(ABOUT, FOLDER + "/opaque", null);
    see("opaque", header(answer, "content-type"), HexFormat.of().formatHex(received.get(0)));
  }

  static byte[] bodyOf(HttpResponse<InputStream> response) {
    try {
      return response.body().readAllBytes();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
