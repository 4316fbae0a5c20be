# The scenario with the client that openapi-generator generates for Ruby.
require 'gloss'

USER = ENV.fetch('GLOSS_USER')
ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
TEXT = 'Grüße, 世界 🌍 "\"'
CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
FOLDER = "#{USER}/Bücher"

def see(step, *seen)
  puts "#{step}\t#{seen.join(' ')}"
end

# The client writes blanks in paths as `+` (and `+` as `%2B`), and has one content type for each body.
class Client < Gloss::ApiClient
  def build_request(http_method, path, opts = {})
    opts[:header_params]['Content-Type'] = opts[:content_type] if opts[:content_type]
    super(http_method, path.gsub('+', '%20'), opts)
  end
end

def sign_in(username, password)
  config = Gloss::Configuration.new
  config.scheme, config.host = ENV.fetch('GLOSS_URL').split('://')
  config.username, config.password = username, password
  config.params_encoding = :multi
  config.ignore_operation_servers = true
  Client.new(config)
end

# Options that read a value as bytes: the client reads JSON alone.
BYTES = { debug_return_type: 'String', header_params: { 'Accept' => '*/*' } }.freeze

admin = sign_in('service', ENV.fetch('GLOSS_ADMIN_PASSWORD'))
Gloss::UsersApi.new(admin).create_user(Gloss::CreateUserRequest.new(username: USER, password: 'wonderland'))
client = sign_in(USER, 'wonderland')
see 'user', Gloss::UsersApi.new(client).get_user(USER).name

namespaces = Gloss::NamespacesApi.new(client)
new_namespace = Gloss::CreateNamespaceRequest.new(name: 'Bücher', description: 'gelesen & geplant')
namespaces.create_namespace(USER, new_namespace)
see 'namespace', namespaces.get_namespace(FOLDER, return_description: true).description

tags = Gloss::TagsApi.new(client)
tags.create_tag(FOLDER, Gloss::CreateTagRequest.new(name: 'größe', description: 'Höhe in cm', indexed: true))
tag = tags.get_tag("#{FOLDER}/größe", return_description: true)
see 'tag', tag.indexed, tag.description

objects = Gloss::ObjectsApi.new(client)
id = objects.create_object.id
objects.put_value(id, "#{FOLDER}/int", 9007199254740993)
see 'int', objects.get_value(id, "#{FOLDER}/int")
objects.put_value(id, "#{FOLDER}/float", 5.0)
see 'float', objects.get_value_with_http_info(id, "#{FOLDER}/float").last['X-Service-Type']

abouts = Gloss::AboutApi.new(client)
# A string is sent unchanged.
abouts.put_value_by_about(ABOUT, "#{FOLDER}/string", TEXT.to_json)
see 'string', abouts.get_value_by_about(ABOUT, "#{FOLDER}/string")
abouts.put_value_by_about(ABOUT, "#{FOLDER}/list", ['ä', 'b', '', 'ä'])
see 'list', abouts.get_value_by_about(ABOUT, "#{FOLDER}/list").join('|')
abouts.put_value_by_about(ABOUT, "#{FOLDER}/null", 'null')
see 'null', abouts.get_value_by_about_with_http_info(ABOUT, "#{FOLDER}/null").last['X-Service-Type']

bytes = (0..255).to_a.pack('C*')
abouts.put_value_by_about(ABOUT, "#{FOLDER}/opaque", bytes, content_type: CONTENT_TYPE)
opaque, _, headers = abouts.get_value_by_about_with_http_info(ABOUT, "#{FOLDER}/opaque", BYTES)
see 'opaque', headers['Content-Type'], opaque.unpack1('H*')
*, headers = abouts.head_value_by_about_with_http_info(ABOUT, "#{FOLDER}/opaque")
see 'head', headers['Content-Length'], headers['Content-Type']

ids = objects.find_objects("#{FOLDER}/int = 9007199254740993").ids
see 'query', ids.length, ids.first == id
paths = ["#{FOLDER}/string", "#{FOLDER}/opaque"]
bulk = Gloss::ValuesApi.new(client).get_values("has #{FOLDER}/string", paths)
bulk.results.id.each_value do |entries|
  text, blob = paths.map { |path| entries[path] }
  see 'bulk', text.value, blob.value_type, blob.size
end

begin
  tags.get_tag("#{FOLDER}/fehlt")
rescue Gloss::ApiError => error
  facts = error.response_headers
  see 'error', error.code, facts['X-Service-Error-Class'], facts['X-Service-Path']
end

permissions = Gloss::PermissionsApi.new(client)
closed = Gloss::PutPermissionRequest.new(policy: 'closed', exceptions: [USER])
permissions.put_tag_value_permission('read', "#{FOLDER}/string", closed)
permission = permissions.get_tag_value_permission('read', "#{FOLDER}/string")
see 'permission', permission.policy, permission.exceptions.join(',')
