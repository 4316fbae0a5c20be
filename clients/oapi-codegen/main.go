// The scenario with the client that oapi-codegen generates.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"example.org/scenario/gloss"
)

const (
	about       = "https://example.org/bücher?q=a+b&c=50%#ä ö/1"
	text        = `Grüße, 世界 🌍 "\"`
	contentType = "Text/X-Gloss; CharSet=Latin1"
	primitive   = "application/vnd.service.value+json"
)

var (
	ctx  = context.Background()
	user = os.Getenv("GLOSS_USER")
)

func see(step string, seen ...any) {
	fmt.Printf("%s\t%s\n", step, strings.TrimSuffix(fmt.Sprintln(seen...), "\n"))
}

func signIn(username, password string) *gloss.ClientWithResponses {
	credentials := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(username, password)
		return nil
	}
	return must(gloss.NewClientWithResponses(os.Getenv("GLOSS_URL"), gloss.WithRequestEditorFn(credentials)))
}

// answer is what every typed answer can return.
type answer interface{ StatusCode() int }

// ok returns the answer, which must be a success.
func ok[A answer](answer A, err error) A {
	if must(answer, err).StatusCode() >= 400 {
		panic(fmt.Sprintf("%T %d", answer, answer.StatusCode()))
	}
	return answer
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	folder := user + "/Bücher"
	withDescription := true

	admin := signIn("service", os.Getenv("GLOSS_ADMIN_PASSWORD"))
	ok(admin.CreateUserWithResponse(ctx, nil, gloss.CreateUserRequest{Username: user, Password: "wonderland"}))
	client := signIn(user, "wonderland")
	see("user", ok(client.GetUserWithResponse(ctx, user, nil)).JSON200.Name)

	ok(client.CreateNamespaceWithResponse(ctx, user, nil,
		gloss.CreateNamespaceRequest{Name: "Bücher", Description: "gelesen & geplant"}))
	namespace := ok(client.GetNamespaceWithResponse(ctx, folder,
		&gloss.GetNamespaceParams{ReturnDescription: &withDescription}))
	see("namespace", *namespace.JSON200.Description)

	ok(client.CreateTagWithResponse(ctx, folder, nil,
		gloss.CreateTagRequest{Name: "größe", Description: "Höhe in cm", Indexed: true}))
	tag := ok(client.GetTagWithResponse(ctx, folder+"/größe", &gloss.GetTagParams{ReturnDescription: &withDescription}))
	see("tag", tag.JSON200.Indexed, *tag.JSON200.Description)

	// An empty body is not sent at all.
	object := ok(client.CreateObjectWithBodyWithResponse(ctx, nil, "", http.NoBody)).JSON201.Id.String()
	put := func(step, value string) {
		ok(client.PutValueWithBodyWithResponse(ctx, object, folder+"/"+step, nil, primitive, strings.NewReader(value)))
	}
	get := func(step string) *gloss.GetValueResponse {
		return ok(client.GetValueWithResponse(ctx, object, folder+"/"+step, nil))
	}
	// Go writes 5.0 as 5, so the literal is written by hand.
	put("int", "9007199254740993")
	see("int", must(get("int").ApplicationvndServiceValueJSON200.AsPrimitiveValue4()))
	put("float", "5.0")
	see("float", get("float").HTTPResponse.Header.Get("X-Service-Type"))

	putAbout := func(step string, value any) {
		json := bytes.NewReader(must(json.Marshal(value)))
		ok(client.PutValueByAboutWithBodyWithResponse(ctx, about, folder+"/"+step, nil, primitive, json))
	}
	getAbout := func(step string) *gloss.GetValueByAboutResponse {
		return ok(client.GetValueByAboutWithResponse(ctx, about, folder+"/"+step, nil))
	}
	putAbout("string", text)
	see("string", must(getAbout("string").ApplicationvndServiceValueJSON200.AsPrimitiveValue2()))
	putAbout("list", []string{"ä", "b", "", "ä"})
	see("list", strings.Join(must(getAbout("list").ApplicationvndServiceValueJSON200.AsPrimitiveValue3()), "|"))
	putAbout("null", nil)
	see("null", getAbout("null").HTTPResponse.Header.Get("X-Service-Type"))

	content := make([]byte, 256)
	for i := range content {
		content[i] = byte(i)
	}
	ok(client.PutValueByAboutWithBodyWithResponse(ctx, about, folder+"/opaque", nil, contentType, bytes.NewReader(content)))
	opaque := getAbout("opaque")
	see("opaque", opaque.HTTPResponse.Header.Get("Content-Type"), hex.EncodeToString(opaque.Body))
	head := ok(client.HeadValueByAboutWithResponse(ctx, about, folder+"/opaque", nil)).HTTPResponse
	see("head", head.ContentLength, head.Header.Get("Content-Type"))

	found := ok(client.FindObjectsWithResponse(ctx, &gloss.FindObjectsParams{Query: folder + "/int = 9007199254740993"}))
	see("query", len(found.JSON200.Ids), found.JSON200.Ids[0].String() == object)
	bulk := ok(client.GetValuesWithResponse(ctx, &gloss.GetValuesParams{
		Query: "has " + folder + "/string",
		Tag:   []string{folder + "/string", folder + "/opaque"},
	}))
	for _, entries := range bulk.JSON200.Results.Id {
		value := must(entries[folder+"/string"].AsPrimitiveValueEntry()).Value
		blob := must(entries[folder+"/opaque"].AsOpaqueValueEntry())
		see("bulk", must(value.AsPrimitiveValue2()), blob.ValueType, blob.Size)
	}

	// oapi-codegen 2.8.2 cannot read a header whose schema is a union, so errors are read from the plain answer.
	missing := must(client.GetTag(ctx, folder+"/fehlt", nil))
	see("error", missing.StatusCode, missing.Header.Get("X-Service-Error-Class"), missing.Header.Get("X-Service-Path"))

	ok(client.PutTagValuePermissionWithResponse(ctx, folder+"/string",
		&gloss.PutTagValuePermissionParams{Action: "read"},
		gloss.PutPermissionRequest{Policy: "closed", Exceptions: []string{user}}))
	permission := ok(client.GetTagValuePermissionWithResponse(ctx, folder+"/string",
		&gloss.GetTagValuePermissionParams{Action: "read"})).JSON200
	see("permission", permission.Policy, strings.Join(permission.Exceptions, ","))
}
