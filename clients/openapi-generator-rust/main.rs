//! The scenario with the client that openapi-generator generates for Rust.

use gloss::apis::configuration::Configuration;
use gloss::apis::{about_api, namespaces_api, objects_api, permissions_api, tags_api, users_api, values_api};
use gloss::models::{self, PrimitiveValue, ValueEntry};
use http::{Extensions, HeaderMap, StatusCode};
use reqwest::{Method, Request, Response};
use reqwest_middleware::{ClientBuilder, Middleware, Next};
use std::env::var;
use std::sync::{Arc, Mutex};

const ABOUT: &str = "https://example.org/bücher?q=a+b&c=50%#ä ö/1";
const TEXT: &str = "Grüße, 世界 🌍 \"\\\"";
const CONTENT_TYPE: &str = "Text/X-Gloss; CharSet=Latin1";
const PRIMITIVE: &str = "application/vnd.service.value+json";

/// An answer as it was received: the client reads bodies as text and drops headers.
#[derive(Default, Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// Corrects requests and keeps the last answer.
#[derive(Default, Clone)]
struct Exactly {
    /// The opaque value to send instead of the client's body.
    opaque: Option<Vec<u8>>,
    last: Arc<Mutex<Answer>>,
}

#[async_trait::async_trait]
impl Middleware for Exactly {
    async fn handle(
        &self,
        mut request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        // The client writes blanks in paths as `+`, and `+` as `%2B`.
        let path = request.url().path().replace('+', "%20");
        request.url_mut().set_path(&path);
        if request.method() == Method::PUT && (path.starts_with("/about/") || path.starts_with("/objects/")) {
            let content_type = if self.opaque.is_some() { CONTENT_TYPE } else { PRIMITIVE };
            request.headers_mut().insert("content-type", content_type.parse().unwrap());
        }
        if let Some(bytes) = &self.opaque {
            *request.body_mut() = Some(bytes.clone().into());
        }
        let response = next.run(request, extensions).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await?.to_vec();
        let mut again = http::Response::builder().status(status).body(body.clone()).unwrap();
        *again.headers_mut() = headers.clone();
        *self.last.lock().unwrap() = Answer { status, headers, body };
        Ok(again.into())
    }
}

fn sign_in(username: &str, password: &str, exactly: &Exactly) -> Configuration {
    Configuration {
        base_path: var("GLOSS_URL").unwrap(),
        basic_auth: Some((username.into(), Some(password.into()))),
        client: ClientBuilder::new(reqwest::Client::new()).with(exactly.clone()).build(),
        ..Configuration::default()
    }
}

fn see(step: &str, seen: &[&str]) {
    println!("{step}\t{}", seen.join(" "));
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (user, password) = (var("GLOSS_USER")?, var("GLOSS_ADMIN_PASSWORD")?);
    let folder = format!("{user}/Bücher");
    let at = |step: &str| format!("{folder}/{step}");
    let exactly = Exactly::default();
    let last = || exactly.last.lock().unwrap().clone();

    let admin = sign_in("service", &password, &exactly);
    let new_user = models::CreateUserRequest::new(user.clone(), "wonderland".into());
    users_api::create_user(&admin, new_user, None).await?;
    let me = sign_in(&user, "wonderland", &exactly);
    see("user", &[&users_api::get_user(&me, &user, None).await?.name]);

    let new = models::CreateNamespaceRequest::new("Bücher".into(), "gelesen & geplant".into());
    namespaces_api::create_namespace(&me, &user, new, None).await?;
    let namespace = namespaces_api::get_namespace(&me, &folder, Some(true), None, None, None).await?;
    see("namespace", &[&namespace.description.unwrap()]);

    let new = models::CreateTagRequest::new("größe".into(), "Höhe in cm".into(), true);
    tags_api::create_tag(&me, &folder, new, None).await?;
    let tag = tags_api::get_tag(&me, &at("größe"), Some(true), None).await?;
    see("tag", &[&tag.indexed.to_string(), &tag.description.unwrap()]);

    // The client sends a body that is left out as `null`.
    let about_nothing = Some(models::CreateObjectRequest::new());
    let object = objects_api::create_object(&me, None, about_nothing).await?.id.to_string();
    let int = Some(PrimitiveValue::Integer(9007199254740993));
    objects_api::put_value(&me, &object, &at("int"), int, None, None, None).await?;
    if let PrimitiveValue::Integer(int) = objects_api::get_value(&me, &object, &at("int"), None).await? {
        see("int", &[&int.to_string()]);
    }
    let float = Some(PrimitiveValue::Number(5.0));
    objects_api::put_value(&me, &object, &at("float"), float, None, None, None).await?;
    objects_api::get_value(&me, &object, &at("float"), None).await?;
    see("float", &[last().header("x-service-type")]);

    let text = Some(PrimitiveValue::String(TEXT.into()));
    about_api::put_value_by_about(&me, ABOUT, &at("string"), text, None, None, None).await?;
    if let PrimitiveValue::String(text) = about_api::get_value_by_about(&me, ABOUT, &at("string"), None).await? {
        see("string", &[&text]);
    }
    let list = PrimitiveValue::ArrayVecString(["ä", "b", "", "ä"].map(String::from).into());
    about_api::put_value_by_about(&me, ABOUT, &at("list"), Some(list), None, None, None).await?;
    let list = about_api::get_value_by_about(&me, ABOUT, &at("list"), None).await?;
    if let PrimitiveValue::ArrayVecString(list) = list {
        see("list", &[&list.join("|")]);
    }
    about_api::put_value_by_about(&me, ABOUT, &at("null"), None, None, None, None).await?;
    // The client has no null in answers: it is an error there.
    let _ = about_api::get_value_by_about(&me, ABOUT, &at("null"), None).await;
    see("null", &[last().header("x-service-type")]);

    let opaque = Exactly { opaque: Some((0..=255).collect()), ..exactly.clone() };
    let writer = sign_in(&user, "wonderland", &opaque);
    about_api::put_value_by_about(&writer, ABOUT, &at("opaque"), None, None, None, None).await?;
    let _ = about_api::get_value_by_about(&me, ABOUT, &at("opaque"), None).await;
    let hex: String = last().body.iter().map(|byte| format!("{byte:02x}")).collect();
    see("opaque", &[last().header("content-type"), &hex]);
    about_api::head_value_by_about(&me, ABOUT, &at("opaque"), None).await?;
    see("head", &[last().header("content-length"), last().header("content-type")]);

    let query = format!("{folder}/int = 9007199254740993");
    let ids = objects_api::find_objects(&me, &query).await?.ids;
    see("query", &[&ids.len().to_string(), &(ids[0].to_string() == object).to_string()]);
    let tags = vec![at("string"), at("opaque")];
    let bulk = values_api::get_values(&me, &format!("has {}", tags[0]), tags.clone()).await?;
    for entries in bulk.results.id.values() {
        if let (ValueEntry::PrimitiveValueEntry(text), ValueEntry::OpaqueValueEntry(blob)) =
            (&entries[&tags[0]], &entries[&tags[1]])
        {
            if let PrimitiveValue::String(text) = text.value.as_ref() {
                see("bulk", &[text, &blob.value_type, &blob.size.to_string()]);
            }
        }
    }

    if tags_api::get_tag(&me, &at("fehlt"), None, None).await.is_err() {
        let (status, error) = (last().status.as_u16().to_string(), last());
        see("error", &[&status, error.header("x-service-error-class"), error.header("x-service-path")]);
    }

    let closed = models::PutPermissionRequest::new(models::put_permission_request::Policy::Closed, vec![user.clone()]);
    permissions_api::put_tag_value_permission(&me, &at("string"), "read", closed, None, None).await?;
    let permission = permissions_api::get_tag_value_permission(&me, &at("string"), "read", None).await?;
    let policy = format!("{:?}", permission.policy).to_lowercase();
    see("permission", &[&policy, &permission.exceptions.join(",")]);
    Ok(())
}
