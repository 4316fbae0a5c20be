/** The checks of the doctor for the settings: 10 checks that need only the settings. */
import { statSync } from 'node:fs'
import type { EnvFile } from '../../settings/env-file.ts'
import { SCHEMA } from '../../../src/data/store/versions.ts'
import type { Config, Examined } from '../../../src/settings/config.ts'
import { VERSION } from '../../../src/settings/version.ts'
import { failure, ok, warning, type Finding } from './finding.ts'
import { isLoopback } from './loopback.ts'

/** The settings and their sources. */
export interface Given extends Examined {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly envFile: EnvFile | undefined
}

export const settingChecks = (given: Given): Finding[] => [
  gloss(),
  node(),
  configuration(given),
  variables(given),
  envFile(given),
  password(given),
  address(given.config),
  proxies(given.config),
  origins(given.config),
  tracing(given.config),
]

const gloss = (): Finding => ok('Gloss', `${VERSION}, which works on the schema ${SCHEMA}`)

/** `gloss` does not start on an older version of Node. */
const node = (): Finding => ok('Node', `${process.version}, for ${process.arch}`)

const configuration = ({ faults, settings }: Given): Finding =>
  faults.length === 0
    ? ok(
        'configuration',
        `${settings.filter(({ from }) => from !== 'default').length} of ${settings.length} settings are set`,
      )
    : failure('configuration', {
        what: faults.join('; '),
        remedy: 'gloss config print shows where each is from',
      })

const variables = ({ misspelt }: Given): Finding =>
  misspelt.length === 0
    ? ok('variables', 'none is nearly a setting')
    : failure('variables', { what: misspelt.join('; '), remedy: 'correct the name, or remove the variable' })

const OF_OTHERS = 0o077

function envFile({ envFile: read }: Given): Finding {
  if (read === undefined) return ok('.env', 'there is none: the environment says all')
  const { mode } = statSync(read.file)
  return (mode & OF_OTHERS) === 0
    ? ok('.env', `${read.file}, for its owner alone`)
    : warning('.env', `others may read ${read.file}`, `chmod 600 ${read.file}`)
}

/** The service needs the variable only at its first start. */
function password({ settings, envFile: read }: Given): Finding {
  const setting = settings.find(({ name }) => name === 'ADMIN_PASSWORD')
  if (setting?.from !== 'variable') return ok('password', 'no variable holds the password of the superuser')
  const where = read?.names.has('ADMIN_PASSWORD') === true ? read.file : 'the environment'
  return warning(
    'password',
    `ADMIN_PASSWORD is in ${where}, where it may be read`,
    'remove it after the first start, or name a file by ADMIN_PASSWORD_FILE',
  )
}

/** Each request carries the password. */
function address({ host, baseUrl }: Config): Finding {
  if (baseUrl?.startsWith('http:') === true && !isLoopback(new URL(baseUrl).hostname)) {
    return warning(
      'address',
      `BASE_URL ${baseUrl} is not encrypted: passwords can be read on the way`,
      'serve it by https behind a proxy, and begin BASE_URL with https',
    )
  }
  if (baseUrl === undefined && !isLoopback(host)) {
    return warning(
      'address',
      `HOST ${host} is open to a network, without encryption`,
      'put a proxy with https before it and set BASE_URL, or keep to HOST=127.0.0.1',
    )
  }
  return ok('address', baseUrl ?? `${host} is seen by this machine alone`)
}

/** Such a large network contains machines of strangers. */
const EVERYBODY = /\/[0-7]$/

function proxies({ trustProxy, baseUrl }: Config): Finding {
  const all = trustProxy.find((one) => EVERYBODY.test(one))
  if (all !== undefined) {
    return failure('proxies', {
      what: `TRUST_PROXY ${all} trusts half the world, which can claim any address`,
      remedy: 'name the addresses or networks of your own proxies',
    })
  }
  if (baseUrl?.startsWith('https:') === true && trustProxy.length === 0) {
    return warning(
      'proxies',
      'BASE_URL is of a proxy, and TRUST_PROXY trusts none: all clients seem to have its address',
      'set TRUST_PROXY to the address of the proxy, such as loopback',
    )
  }
  return ok('proxies', trustProxy.length === 0 ? 'none is trusted' : `trusted: ${trustProxy.join(', ')}`)
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

function origins({ credentialOrigins }: Config): Finding {
  const wrong = credentialOrigins.filter((one) => !isOrigin(one))
  if (wrong.length > 0) {
    return failure('origins', {
      what: `CORS_CREDENTIAL_ORIGINS has ${wrong.join(', ')}, which no browser sends as an origin`,
      remedy: 'write scheme, host and port alone: https://app.example.org',
    })
  }
  const plain = credentialOrigins.filter((one) => {
    const { protocol, hostname } = new URL(one)
    return protocol === 'http:' && !isLoopback(hostname)
  })
  return plain.length === 0
    ? ok('origins', credentialOrigins.length === 0 ? 'none has credentials' : credentialOrigins.join(', '))
    : warning(
        'origins',
        `${plain.join(', ')}: anybody on the way to such a page can act as its users`,
        'serve these pages by https',
      )
}

const TRACER = '@opentelemetry/exporter-trace-otlp-http'

function tracing({ tracing: wanted }: Config): Finding {
  if (!wanted) return ok('tracing', 'no spans are sent')
  try {
    import.meta.resolve(TRACER)
    return ok('tracing', 'spans are sent')
  } catch {
    return failure('tracing', {
      what: 'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages that send spans are not installed',
      remedy: 'install what docs/monitoring.md names, or unset it',
    })
  }
}
