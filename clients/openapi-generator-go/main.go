// The scenario with the client that openapi-generator generates for Go.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	gloss "example.org/scenario/client"
)

const (
	about       = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
	text        = `Grüße, 世界 🌍 "\"`
	contentType = "Text/X-Gloss; CharSet=Latin1"
	primitive   = "application/vnd.service.value+json"
)

var (
	user   = os.Getenv("GLOSS_USER")
	folder = user + "/Bücher"
)

func see(step string, seen ...any) {
	fmt.Printf("%s\t%s\n", step, strings.TrimSuffix(fmt.Sprintln(seen...), "\n"))
}

func signIn(username, password string) context.Context {
	credentials := gloss.BasicAuth{UserName: username, Password: password}
	return context.WithValue(context.Background(), gloss.ContextBasicAuth, credentials)
}

// raw is a body to send unchanged; rawKey is its key in a context.
type raw struct {
	contentType string
	bytes       []byte
}

type rawKey struct{}

func (body raw) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, rawKey{}, body)
}

// transport accepts values of any type, and sends the raw body of a context instead of the client's: the client supports
// only the first content type of a body, and cannot write 5.0.
type transport struct{}

func (transport) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Accept", "*/*")
	if body, ok := request.Context().Value(rawKey{}).(raw); ok {
		request.Header.Set("Content-Type", body.contentType)
		request.Body = io.NopCloser(bytes.NewReader(body.bytes))
		request.ContentLength = int64(len(body.bytes))
	}
	return http.DefaultTransport.RoundTrip(request)
}

// ok returns the result of a call, which must be a success.
func ok[T any](result T, response *http.Response, err error) T {
	must(response, err)
	return result
}

func must(response *http.Response, err error) *http.Response {
	if err != nil {
		panic(err)
	}
	return response
}

// body is the body as received: the client reads numbers as doubles and supports only the first content type.
func body(response *http.Response) []byte {
	content, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	return content
}

func main() {
	configuration := gloss.NewConfiguration()
	configuration.Servers = gloss.ServerConfigurations{{URL: os.Getenv("GLOSS_URL")}}
	configuration.HTTPClient = &http.Client{Transport: transport{}}
	client := gloss.NewAPIClient(configuration)

	admin := signIn("service", os.Getenv("GLOSS_ADMIN_PASSWORD"))
	account := *gloss.NewCreateUserRequest(user, "wonderland")
	ok(client.UsersAPI.CreateUser(admin).CreateUserRequest(account).Execute())
	me := signIn(user, "wonderland")
	see("user", ok(client.UsersAPI.GetUser(me, user).Execute()).Name)

	namespace := *gloss.NewCreateNamespaceRequest("Bücher", "gelesen & geplant")
	ok(client.NamespacesAPI.CreateNamespace(me, user).CreateNamespaceRequest(namespace).Execute())
	see("namespace", *ok(client.NamespacesAPI.GetNamespace(me, folder).ReturnDescription(true).Execute()).Description)

	newTag := *gloss.NewCreateTagRequest("größe", "Höhe in cm", true)
	ok(client.TagsAPI.CreateTag(me, folder).CreateTagRequest(newTag).Execute())
	tag := ok(client.TagsAPI.GetTag(me, folder+"/größe").ReturnDescription(true).Execute())
	see("tag", tag.Indexed, *tag.Description)

	object := ok(client.ObjectsAPI.CreateObject(me).CreateObjectRequest(gloss.CreateObjectRequest{}).Execute()).Id
	int := int64(9007199254740993)
	must(client.ObjectsAPI.PutValue(me, object, folder+"/int").PrimitiveValue(gloss.PrimitiveValue{Int64: &int}).Execute())
	_, response, err := client.ObjectsAPI.GetValue(me, object, folder+"/int").Execute()
	see("int", string(body(must(response, err))))
	// Even with a raw body, the client requires a value that is not null.
	some := gloss.PrimitiveValue{Int64: &int}
	exactly := raw{primitive, []byte("5.0")}.in(me)
	must(client.ObjectsAPI.PutValue(exactly, object, folder+"/float").PrimitiveValue(some).Execute())
	_, response, err = client.ObjectsAPI.GetValue(me, object, folder+"/float").Execute()
	see("float", must(response, err).Header.Get("X-Service-Type"))

	value := text
	put := func(ctx context.Context, step string, value gloss.PrimitiveValue) {
		must(client.AboutAPI.PutValueByAbout(ctx, about, folder+"/"+step).PrimitiveValue(value).Execute())
	}
	get := func(step string) (*gloss.PrimitiveValue, *http.Response) {
		read, response, err := client.AboutAPI.GetValueByAbout(me, about, folder+"/"+step).Execute()
		if response == nil {
			panic(err)
		}
		return read, response
	}
	put(me, "string", gloss.PrimitiveValue{String: &value})
	read, _ := get("string")
	see("string", *read.String)
	put(me, "list", gloss.PrimitiveValue{ArrayOfString: &[]string{"ä", "b", "", "ä"}})
	read, _ = get("list")
	see("list", strings.Join(*read.ArrayOfString, "|"))
	put(raw{primitive, []byte("null")}.in(me), "null", some)
	_, response = get("null")
	see("null", response.Header.Get("X-Service-Type"))

	content := make([]byte, 256)
	for i := range content {
		content[i] = byte(i)
	}
	put(raw{contentType, content}.in(me), "opaque", some)
	_, response = get("opaque")
	see("opaque", response.Header.Get("Content-Type"), hex.EncodeToString(body(response)))
	head := must(client.AboutAPI.HeadValueByAbout(me, about, folder+"/opaque").Execute())
	see("head", head.ContentLength, head.Header.Get("Content-Type"))

	found := ok(client.ObjectsAPI.FindObjects(me).Query(folder + "/int = 9007199254740993").Execute()).Ids
	see("query", len(found), found[0] == object)
	tags := []string{folder + "/string", folder + "/opaque"}
	bulk := ok(client.ValuesAPI.GetValues(me).Query("has " + folder + "/string").Tag(tags).Execute())
	for _, entries := range bulk.Results.Id {
		blob := entries[tags[1]].OpaqueValueEntry
		see("bulk", *entries[tags[0]].PrimitiveValueEntry.Value.Get().String, blob.ValueType, blob.Size)
	}

	_, response, err = client.TagsAPI.GetTag(me, folder+"/fehlt").Execute()
	var failure *gloss.GenericOpenAPIError
	if errors.As(err, &failure) {
		header := response.Header
		see("error", response.StatusCode, header.Get("X-Service-Error-Class"), header.Get("X-Service-Path"))
	}

	closed := *gloss.NewPutPermissionRequest("closed", []string{user})
	readable := folder + "/string"
	must(client.PermissionsAPI.PutTagValuePermission(me, readable).Action("read").PutPermissionRequest(closed).Execute())
	permission := ok(client.PermissionsAPI.GetTagValuePermission(me, readable).Action("read").Execute())
	see("permission", permission.Policy, strings.Join(permission.Exceptions, ","))
}
