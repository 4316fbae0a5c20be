// The scenario with the client that ogen generates.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"example.org/scenario/gloss"
)

const (
	about       = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
	text        = `Grüße, 世界 🌍 "\"`
	contentType = "Text/X-Gloss; CharSet=Latin1"
)

var (
	ctx  = context.Background()
	user = os.Getenv("GLOSS_USER")
	yes  = gloss.NewOptBool(true)
)

func see(step string, seen ...any) {
	fmt.Printf("%s\t%s\n", step, strings.TrimSuffix(fmt.Sprintln(seen...), "\n"))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// as returns an answer of the type that is expected; errors are answers of other types.
func as[T any](answer any, err error) T {
	typed, ok := must(answer, err).(T)
	if !ok {
		panic(fmt.Sprintf("%T", answer))
	}
	return typed
}

// account signs requests in.
type account struct{ username, password string }

func (a account) Basic(context.Context, gloss.OperationName) (gloss.Basic, error) {
	return gloss.Basic{Username: a.username, Password: a.password}, nil
}

func signIn(username, password string) *gloss.Client {
	return must(gloss.NewClient(os.Getenv("GLOSS_URL"), account{username, password}))
}

// raw sends a request by net/http. The client writes and reads primitive values alone, and 5.0 as 5.
func raw(method, contentType string, body []byte, segments ...string) *http.Response {
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	address := os.Getenv("GLOSS_URL") + "/" + strings.Join(segments, "/")
	request := must(http.NewRequest(method, address, bytes.NewReader(body)))
	request.SetBasicAuth(user, "wonderland")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response := must(http.DefaultClient.Do(request))
	if response.StatusCode >= 400 {
		panic(response.Status)
	}
	return response
}

func main() {
	folder := user + "/Bücher"
	in := func(name string) gloss.TagPathText { return gloss.TagPathText(folder + "/" + name) }

	admin := signIn("service", os.Getenv("GLOSS_ADMIN_PASSWORD"))
	as[*gloss.UserCreatedHeaders](admin.CreateUser(ctx, &gloss.CreateUserRequest{
		Username: gloss.NewUsernameText(user), Password: "wonderland"}, gloss.CreateUserParams{}))
	client := signIn(user, "wonderland")
	see("user", as[*gloss.UserHeaders](client.GetUser(ctx,
		gloss.GetUserParams{Username: gloss.UsernameText(user)})).Response.Name)

	as[*gloss.NamespaceCreatedHeaders](client.CreateNamespace(ctx,
		&gloss.CreateNamespaceRequest{Name: "Bücher", Description: "gelesen & geplant"},
		gloss.CreateNamespaceParams{NamespacePath: gloss.NamespacePathText(user)}))
	namespace := as[*gloss.NamespaceHeaders](client.GetNamespace(ctx, gloss.GetNamespaceParams{
		NamespacePath: gloss.NamespacePathText(folder), ReturnDescription: yes}))
	see("namespace", namespace.Response.Description.Value)

	as[*gloss.TagCreatedHeaders](client.CreateTag(ctx,
		&gloss.CreateTagRequest{Name: "größe", Description: "Höhe in cm", Indexed: true},
		gloss.CreateTagParams{TagPath: gloss.NamespacePathText(folder)}))
	tag := as[*gloss.TagHeaders](client.GetTag(ctx,
		gloss.GetTagParams{TagPath: in("größe"), ReturnDescription: yes})).Response
	see("tag", tag.Indexed, tag.Description.Value)

	object := as[*gloss.ObjectCreatedHeaders](client.CreateObject(ctx,
		gloss.OptCreateObjectRequest{}, gloss.CreateObjectParams{})).Response.ID.String()
	as[*gloss.ValueStored](client.PutValue(ctx, gloss.NewInt64PrimitiveValue(9007199254740993),
		gloss.PutValueParams{ObjectID: object, TagPath: in("int")}))
	get := func(step string) *gloss.PrimitiveValueHeaders {
		return as[*gloss.PrimitiveValueHeaders](client.GetValue(ctx,
			gloss.GetValueParams{ObjectID: object, TagPath: in(step)}))
	}
	see("int", get("int").Response.Int64)
	raw("PUT", "application/vnd.service.value+json", []byte("5.0"), "objects", object, folder, "float")
	see("float", get("float").XServiceType.Value)

	put := func(step string, value gloss.PrimitiveValue) {
		as[*gloss.ValueStoredByAbout](client.PutValueByAbout(ctx, value,
			gloss.PutValueByAboutParams{AboutValue: about, TagPath: in(step)}))
	}
	getAbout := func(step string) *gloss.PrimitiveValueHeaders {
		return as[*gloss.PrimitiveValueHeaders](client.GetValueByAbout(ctx,
			gloss.GetValueByAboutParams{AboutValue: about, TagPath: in(step)}))
	}
	put("string", gloss.NewStringPrimitiveValue(text))
	see("string", getAbout("string").Response.String)
	put("list", gloss.NewStringArrayPrimitiveValue([]string{"ä", "b", "", "ä"}))
	see("list", strings.Join(getAbout("list").Response.StringArray, "|"))
	put("null", gloss.NewNullPrimitiveValue(struct{}{}))
	see("null", getAbout("null").XServiceType.Value)

	content := make([]byte, 256)
	for i := range content {
		content[i] = byte(i)
	}
	raw("PUT", contentType, content, "about", about, folder, "opaque")
	opaque := raw("GET", "", nil, "about", about, folder, "opaque")
	see("opaque", opaque.Header.Get("Content-Type"), hex.EncodeToString(must(io.ReadAll(opaque.Body))))
	head := raw("HEAD", "", nil, "about", about, folder, "opaque")
	see("head", head.ContentLength, head.Header.Get("Content-Type"))

	found := as[*gloss.FoundObjectsHeaders](client.FindObjects(ctx, gloss.FindObjectsParams{
		Query: gloss.QueryText(folder + "/int = 9007199254740993")})).Response.Ids
	see("query", len(found), found[0].String() == object)
	bulk := as[*gloss.ValuesResultHeaders](client.GetValues(ctx, gloss.GetValuesParams{
		Query: gloss.QueryText("has " + folder + "/string"),
		Tag:   []string{folder + "/string", folder + "/opaque"},
	}))
	for _, entries := range bulk.Response.Results.ID {
		blob := entries[folder+"/opaque"].OpaqueValueEntry
		see("bulk", entries[folder+"/string"].PrimitiveValueEntry.Value.String, blob.ValueMinusType, blob.Size)
	}

	missing := as[*gloss.TagNotFound](client.GetTag(ctx, gloss.GetTagParams{TagPath: in("fehlt")}))
	see("error", 404, missing.XServiceErrorClass, missing.XServicePath.Value)

	as[*gloss.NoContent](client.PutTagValuePermission(ctx,
		&gloss.PutPermissionRequest{
			Policy:     gloss.PutPermissionRequestPolicyClosed,
			Exceptions: []gloss.UsernameText{gloss.UsernameText(user)},
		},
		gloss.PutTagValuePermissionParams{Action: gloss.TagValueActionRead, TagPath: in("string")}))
	permission := as[*gloss.PermissionReadHeaders](client.GetTagValuePermission(ctx,
		gloss.GetTagValuePermissionParams{Action: gloss.TagValueActionRead, TagPath: in("string")})).Response
	see("permission", permission.Policy, strings.Join(permission.Exceptions, ","))
}
