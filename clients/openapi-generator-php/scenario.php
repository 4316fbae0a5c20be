<?php

/** The scenario with the client that openapi-generator generates for PHP. */

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';

use Gloss\Api;
use Gloss\Model;

spl_autoload_register(function (string $class): void {
    $file = getcwd() . '/client/lib/' . str_replace('\\', '/', substr($class, strlen('Gloss\\'))) . '.php';
    if (str_starts_with($class, 'Gloss\\') && is_file($file)) {
        require $file;
    }
});

const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1';
const TEXT = 'Grüße, 世界 🌍 "\\"';
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1';
define('USER', getenv('GLOSS_USER'));
define('FOLDER', USER . '/Bücher');

function see(string $step, mixed ...$seen): void
{
    $words = array_map(fn ($one) => is_bool($one) ? var_export($one, true) : (string) $one, $seen);
    echo $step, "\t", implode(' ', $words), "\n";
}

/** A client for one part of the API, signed in. */
function api(string $class, string $username = USER, string $password = 'wonderland'): object
{
    $configuration = (new Gloss\Configuration())
        ->setHost(getenv('GLOSS_URL'))->setUsername($username)->setPassword($password);
    return new $class(new GuzzleHttp\Client(), $configuration);
}

/** The JSON of a primitive value: this client sends the bodies of writes unchanged. */
function json(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
}

/** Sends a prepared request; the caller has to interpret the values that it reads. */
function send(GuzzleHttp\Psr7\Request $request, ?string $accept = null): Psr\Http\Message\ResponseInterface
{
    return (new GuzzleHttp\Client())->send($accept === null ? $request : $request->withHeader('Accept', $accept));
}

api(Api\UsersApi::class, 'service', getenv('GLOSS_ADMIN_PASSWORD'))
    ->createUser(new Model\CreateUserRequest(['username' => USER, 'password' => 'wonderland']));
see('user', api(Api\UsersApi::class)->getUser(USER)->getName());

$namespaces = api(Api\NamespacesApi::class);
$request = new Model\CreateNamespaceRequest(['name' => 'Bücher', 'description' => 'gelesen & geplant']);
$namespaces->createNamespace(USER, $request);
see('namespace', $namespaces->getNamespace(FOLDER, true)->getDescription());

$tags = api(Api\TagsApi::class);
$request = new Model\CreateTagRequest(['name' => 'größe', 'description' => 'Höhe in cm', 'indexed' => true]);
$tags->createTag(FOLDER, $request);
$tag = $tags->getTag(FOLDER . '/größe', true);
see('tag', $tag->getIndexed(), $tag->getDescription());

$objects = api(Api\ObjectsApi::class);
$id = $objects->createObject()->getId();
$objects->putValue($id, FOLDER . '/int', primitive_value: json(9007199254740993));
see('int', json_decode((string) send($objects->getValueRequest($id, FOLDER . '/int'))->getBody()));
$objects->putValue($id, FOLDER . '/float', primitive_value: json(5.0));
see('float', send($objects->getValueRequest($id, FOLDER . '/float'))->getHeaderLine('X-Service-Type'));

$abouts = api(Api\AboutApi::class);
$abouts->putValueByAbout(ABOUT, FOLDER . '/string', primitive_value: json(TEXT));
see('string', json_decode((string) send($abouts->getValueByAboutRequest(ABOUT, FOLDER . '/string'))->getBody()));
$abouts->putValueByAbout(ABOUT, FOLDER . '/list', primitive_value: json(['ä', 'b', '', 'ä']));
$list = json_decode((string) send($abouts->getValueByAboutRequest(ABOUT, FOLDER . '/list'))->getBody());
see('list', implode('|', $list));
$abouts->putValueByAbout(ABOUT, FOLDER . '/null', primitive_value: json(null));
see('null', send($abouts->getValueByAboutRequest(ABOUT, FOLDER . '/null'))->getHeaderLine('X-Service-Type'));

$bytes = implode(array_map('chr', range(0, 255)));
$abouts->putValueByAbout(ABOUT, FOLDER . '/opaque', primitive_value: $bytes, contentType: CONTENT_TYPE);
$opaque = send($abouts->getValueByAboutRequest(ABOUT, FOLDER . '/opaque'), '*/*');
see('opaque', $opaque->getHeaderLine('Content-Type'), bin2hex((string) $opaque->getBody()));
$head = send($abouts->headValueByAboutRequest(ABOUT, FOLDER . '/opaque'), '*/*');
see('head', $head->getHeaderLine('Content-Length'), $head->getHeaderLine('Content-Type'));

$ids = $objects->findObjects(FOLDER . '/int = 9007199254740993')->getIds();
see('query', count($ids), $ids[0] === $id);
$paths = [FOLDER . '/string', FOLDER . '/opaque'];
$bulk = send(api(Api\ValuesApi::class)->getValuesRequest('has ' . FOLDER . '/string', $paths));
foreach (json_decode((string) $bulk->getBody(), true)['results']['id'] as $entries) {
    [$text, $blob] = array_map(fn ($path) => $entries[$path], $paths);
    see('bulk', $text['value'], $blob['value-type'], $blob['size']);
}

try {
    $tags->getTag(FOLDER . '/fehlt');
} catch (Gloss\ApiException $error) {
    $headers = $error->getResponseHeaders();
    see('error', $error->getCode(), $headers['X-Service-Error-Class'][0], $headers['X-Service-Path'][0]);
}

$permissions = api(Api\PermissionsApi::class);
$closed = new Model\PutPermissionRequest(['policy' => 'closed', 'exceptions' => [USER]]);
$permissions->putTagValuePermission('read', FOLDER . '/string', $closed);
$permission = $permissions->getTagValuePermission('read', FOLDER . '/string');
see('permission', $permission->getPolicy(), implode(',', $permission->getExceptions()));
