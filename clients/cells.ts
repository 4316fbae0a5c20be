/** The clients: how each is generated, built and run, in its own work folder. */

/**
 * A client. Its shell commands can use the variables `CELL`, `DOCUMENT` (in OpenAPI 3.1), `DOCUMENT_3_0`, `ROOT` and
 * `OPENAPI_GENERATOR`.
 */
export interface Cell {
  /** The folder in `clients/`, also the name of its user. */
  readonly folder: string
  readonly language: string
  /** The generator and its version. */
  readonly generator: string
  /** Programs that must be installed, each with the Debian packages that provide it. */
  readonly needs: Readonly<Record<string, string>>
  /** Prints the version of the language's runtime or compiler. */
  readonly version: string
  /** Installs what the client needs and generates it, replacing the results of an earlier run. */
  readonly build: readonly string[]
  readonly run: string
}

/** openapi-generator, which has several of the generators as modes; it comes from Maven, not npm. */
export const OPENAPI_GENERATOR = {
  artifact: 'org.openapitools:openapi-generator-cli:7.25.0',
  file: 'openapi-generator-cli-7.25.0.jar',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
}

const MAVEN = { java: 'default-jdk-headless', mvn: 'maven' }

const openapiGenerator = (mode: string, document = 'DOCUMENT'): { generator: string; generate: string } => ({
  generator: `openapi-generator 7.25.0, ${mode}`,
  generate: `rm -rf client && java -jar "$OPENAPI_GENERATOR" generate -i "$${document}" -g ${mode} -c "$CELL/config.yaml" -o client`,
})

/** The command that checks generated TypeScript strictly and compiles it, together with the scenario. */
const TSC = [
  '"$ROOT/node_modules/.bin/tsc" --strict --target es2024 --lib esnext,dom,dom.iterable --types node',
  '--typeRoots "$ROOT/node_modules/@types" --module commonjs --moduleResolution node10 --outDir out scenario.ts',
].join(' ')
const NPM = 'cp "$CELL"/* . && npm ci --ignore-scripts --no-audit --no-fund'
/** A client that reads the contract when it starts has nothing to compile. */
const AT_RUN_TIME = {
  language: 'JavaScript, Node',
  needs: {},
  version: 'node --version',
  build: [NPM],
  run: 'node scenario.mjs',
}
const NODE = {
  language: 'TypeScript, Node',
  needs: {},
  version: 'node --version',
  run: 'node out/scenario.js',
}

const VENV =
  'test -d venv || python3 -m venv venv; venv/bin/pip install --quiet --requirement "$CELL/requirements.txt"'
const PYTHON = {
  language: 'Python',
  needs: { python3: 'python3-venv' },
  version: 'python3 --version',
  run: 'PYTHONPATH=client venv/bin/python "$CELL/scenario.py"',
}
const GO = { language: 'Go', needs: { go: 'golang-go' }, version: 'go version', run: './scenario' }

const PYTHON_MODE = openapiGenerator('python')
const JAVA_MODE = openapiGenerator('java')
const GO_MODE = openapiGenerator('go')
const FETCH_MODE = openapiGenerator('typescript-fetch')
const AXIOS_MODE = openapiGenerator('typescript-axios')
const PHP_MODE = openapiGenerator('php')
const RUBY_MODE = openapiGenerator('ruby')
const KOTLIN_MODE = openapiGenerator('kotlin')
// In OpenAPI 3.1 its primitive value is an empty struct.
const RUST_MODE = openapiGenerator('rust', 'DOCUMENT_3_0')

export const CELLS: readonly Cell[] = [
  {
    ...NODE,
    folder: 'openapi-typescript',
    generator: '@gloss/client: openapi-typescript 7.13.0, openapi-fetch 0.17.0',
    // Its types are those in generated/.
    build: [],
    run: 'node "$CELL/scenario.ts"',
  },
  {
    ...PYTHON,
    folder: 'gloss-client',
    generator: 'gloss-client: scripts/pack/python-operations.ts',
    build: [
      'node "$ROOT/scripts/pack.ts" client-python && rm -rf venv && python3 -m venv venv',
      'venv/bin/pip install --quiet --no-index "$ROOT"/var/packages/gloss_client-*.whl',
    ],
    run: 'venv/bin/python "$CELL/scenario.py"',
  },
  {
    ...NODE,
    folder: 'hey-api',
    generator: '@hey-api/openapi-ts 0.99.0',
    build: [NPM, 'rm -rf client && node_modules/.bin/openapi-ts -f openapi-ts.config.mjs', TSC],
  },
  {
    ...NODE,
    folder: 'orval',
    generator: 'orval 8.10.0',
    build: [NPM, 'rm -f gloss.ts && node_modules/.bin/orval --config orval.config.mjs', TSC],
  },
  {
    ...NODE,
    folder: 'kubb',
    generator: 'kubb 4.39.3, client',
    build: [
      NPM,
      'node_modules/.bin/kubb generate',
      '"$ROOT/node_modules/.bin/tsc" --strict --noEmit --allowImportingTsExtensions --target es2024 --lib esnext,dom,dom.iterable --types node --typeRoots "$ROOT/node_modules/@types" --module nodenext scenario.ts',
    ],
    run: 'node scenario.ts',
  },
  {
    ...NODE,
    folder: 'swagger-typescript-api',
    generator: 'swagger-typescript-api 13.13.0',
    build: [
      NPM,
      'rm -f gloss.ts && node_modules/.bin/swagger-typescript-api generate -p "$DOCUMENT" -o . -n gloss.ts',
      TSC,
    ],
  },
  {
    ...NODE,
    folder: 'openapi-generator-typescript-fetch',
    generator: FETCH_MODE.generator,
    needs: MAVEN,
    build: [FETCH_MODE.generate, 'cp "$CELL/scenario.ts" . && echo {} > package.json', TSC],
  },
  {
    ...NODE,
    folder: 'openapi-generator-typescript-axios',
    generator: AXIOS_MODE.generator,
    needs: MAVEN,
    build: [NPM, AXIOS_MODE.generate, TSC],
  },
  { ...AT_RUN_TIME, folder: 'swagger-client', generator: 'swagger-client 3.39.0' },
  { ...AT_RUN_TIME, folder: 'openapi-client-axios', generator: 'openapi-client-axios 7.9.1' },
  {
    ...PYTHON,
    folder: 'openapi-generator-python',
    generator: PYTHON_MODE.generator,
    needs: { ...PYTHON.needs, ...MAVEN },
    build: [PYTHON_MODE.generate, VENV],
  },
  {
    ...PYTHON,
    folder: 'openapi-python-client',
    generator: 'openapi-python-client 0.29.1',
    build: [
      VENV,
      'rm -rf client && venv/bin/openapi-python-client generate --path "$DOCUMENT" --output-path client --config "$CELL/config.yaml"',
    ],
  },
  {
    folder: 'openapi-generator-java',
    language: 'Java',
    generator: `${JAVA_MODE.generator}, library native`,
    needs: MAVEN,
    version: 'java --version',
    build: [
      JAVA_MODE.generate,
      'mvn -q -B -f client/pom.xml compile dependency:build-classpath -Dmdep.outputFile="$PWD/classpath"',
      'javac -encoding UTF-8 -cp "client/target/classes:$(cat classpath)" -d out "$CELL/Scenario.java"',
    ],
    run: 'java -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -cp "out:client/target/classes:$(cat classpath)" Scenario',
  },
  {
    folder: 'openapi-generator-kotlin',
    language: 'Kotlin',
    generator: `${KOTLIN_MODE.generator}, library jvm-okhttp4`,
    needs: MAVEN,
    version: 'grep kotlin.version "$CELL/pom.xml"',
    build: [
      KOTLIN_MODE.generate,
      'cp "$CELL/pom.xml" . && mkdir -p scenario && cp "$CELL/Scenario.kt" scenario',
      'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile="$PWD/classpath"',
    ],
    run: 'java -Dstdout.encoding=UTF-8 -cp "target/classes:$(cat classpath)" ScenarioKt',
  },
  {
    ...GO,
    folder: 'openapi-generator-go',
    generator: GO_MODE.generator,
    needs: { ...GO.needs, ...MAVEN },
    build: [GO_MODE.generate, 'cp "$CELL"/* . && go build -mod=mod -o scenario .'],
  },
  {
    ...GO,
    folder: 'oapi-codegen',
    generator: 'oapi-codegen 2.8.2',
    build: [
      'cp "$CELL"/* . && rm -rf gloss && mkdir gloss',
      'GOBIN="$PWD/bin" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      'bin/oapi-codegen -config config.yaml "$DOCUMENT" && go build -o scenario .',
    ],
  },
  {
    ...GO,
    folder: 'ogen',
    generator: 'ogen 1.24.0',
    build: [
      'cp "$CELL"/* . && GOBIN="$PWD/bin" go install github.com/ogen-go/ogen/cmd/ogen@v1.24.0',
      '"$ROOT/node_modules/.bin/node" document.mjs "$DOCUMENT" > document.json',
      'bin/ogen --clean --loglevel error --package gloss --target gloss document.json && go build -o scenario .',
    ],
  },
  {
    folder: 'openapi-generator-php',
    language: 'PHP',
    generator: PHP_MODE.generator,
    needs: { php: 'php-cli php-curl php-mbstring php-guzzlehttp-guzzle', ...MAVEN },
    version: 'php --version',
    build: [PHP_MODE.generate],
    run: 'php "$CELL/scenario.php"',
  },
  {
    folder: 'openapi-generator-ruby',
    language: 'Ruby',
    generator: RUBY_MODE.generator,
    needs: { ruby: 'ruby ruby-typhoeus', ...MAVEN },
    version: 'ruby --version',
    build: [RUBY_MODE.generate],
    run: 'ruby -I client/lib "$CELL/scenario.rb"',
  },
  {
    folder: 'openapi-generator-rust',
    language: 'Rust',
    generator: RUST_MODE.generator,
    // Rust 1.85 or later.
    needs: { cargo: 'cargo', ...MAVEN },
    version: 'cargo --version',
    build: [RUST_MODE.generate, 'cp "$CELL"/* . && cargo build --quiet --locked'],
    run: 'target/debug/scenario',
  },
]
