/**
 * `gloss init`: asks for the settings that a service needs, tries each at once, writes them into `.env`, and starts the
 * service; or writes a recipe that runs it.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { examineConfig, type Config } from '../../src/settings/config.ts'
import { onceReachable } from '../../src/data/database/reachable.ts'
import { openFile } from '../../src/data/database/sqlite/sqlite-file.ts'
import { isWithoutTables } from '../../src/data/store/store-check.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { findAccount } from '../../src/data/entities/accounts.ts'
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { setFirstPassword } from '../../src/process/first-password.ts'
import { sentence } from '../../src/process/start-failure.ts'
import { givenPassword } from '../connection/connect.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { ask, confirm, tell, warn } from '../terminal/terminal.ts'
import { typeable } from '../terminal/called.ts'
import { ENV_FILE, envText } from '../settings/env-file.ts'
import { askNewPassword } from './new-password.ts'
import { RECIPES, writeRecipe, type Recipe } from './recipes.ts'
import { startingFailure } from '../settings/settings.ts'

interface Options extends Partial<Readonly<Record<Recipe, true>>> {
  readonly yes?: true
  readonly passwordFile?: string
}

export async function run(_args: readonly string[], options: Options): Promise<number> {
  const [recipe, another] = RECIPES.filter((name) => options[name])
  if (another !== undefined)
    throw misuse(`--${recipe} and --${another} are two recipes`, 'take one at a time')
  if (recipe !== undefined) {
    writeRecipe(recipe)
    return STATUS.done
  }
  if (existsSync(ENV_FILE) && !(await mayOverwrite(options))) {
    tell('Nothing was changed.')
    return STATUS.failed
  }
  const settings: Settings = {}
  await settle(settings, 'PORT', options, { question: 'Port', usual: '8080', attempt: tryPort })
  await settle(settings, 'DATABASE_URL', options, {
    question: 'Database, a file for SQLite or mysql://user:password@host/database',
    usual: './var/gloss.db',
    attempt: tryDatabase,
  })
  const config = configOf(settings)
  const store = createStore(config.databaseUrl)
  try {
    await store.migrate()
    await bootstrap(store)
    await setPassword(store, config, options)
  } finally {
    await store.close()
  }
  writeEnvFile(settings)
  tell(
    typeable(`The port and the database are in ${resolve(ENV_FILE)}, for you alone. Next time: gloss serve`),
  )
  // If the service restarts itself, it must run `serve`, not `init`.
  process.argv.splice(2, Infinity, 'serve')
  delete process.env['GLOSS_PASSWORD']
  await (await import('./serve.ts')).run([], {})
  return STATUS.done
}

async function mayOverwrite({ yes }: Options): Promise<boolean> {
  const file = resolve(ENV_FILE)
  if (yes) throw misuse(`there is a file ${file} already`, 'gloss serve reads it; delete it to begin anew')
  return confirm(`There is a file ${file} already. Replace it?`, false)
}

type Settings = Partial<Record<'PORT' | 'DATABASE_URL', string>>

/** One setting to decide. */
interface Matter {
  readonly question: string
  readonly usual: string
  /** Rejects with the reason if the setting does not work. */
  readonly attempt: (config: Config) => Promise<void>
}

/** Takes a setting from the environment; otherwise asks for it until it works, unless the user wants the default. */
async function settle(
  settings: Settings,
  name: 'PORT' | 'DATABASE_URL',
  { yes }: Options,
  { question, usual, attempt }: Matter,
): Promise<void> {
  const set = process.env[name] || undefined
  const given = set ?? (yes ? usual : undefined)
  for (;;) {
    const answer = given ?? ((await ask(`${question} [${usual}]: `, { instead: INSTEAD })).trim() || usual)
    // The service reads the value from the environment itself, so this leaves it unchanged.
    settings[name] = set === undefined ? settingOf(name, answer) : answer
    try {
      await attempt(configOf(settings))
      return
    } catch (error) {
      const failure = startingFailure(error, configOf(settings, false))
      if (given !== undefined) throw failure
      warn(sentence({ what: failure.message, remedy: failure.remedy }))
    }
  }
}

const INSTEAD = 'say --yes, with PORT and DATABASE_URL in the environment if you want others'

/** The value of a setting: a port, or a database as a URL, or the name of a file. */
const settingOf = (name: keyof Settings, answer: string): string =>
  name === 'PORT' || /^(sqlite|mysql):/i.test(answer) ? answer : `sqlite:${answer}`

/** The configuration with these settings; `strict` checks it. Throws a `Failure` for invalid settings. */
function configOf(settings: Settings, strict = true): Config {
  const { config, faults } = examineConfig(settings)
  if (strict && faults.length > 0) throw new Failure(faults.join('\n'), '')
  return config
}

/** Listens for a moment. */
async function tryPort({ port, host }: Config): Promise<void> {
  const server = createServer()
  await new Promise<void>((done, reject) => {
    server.once('error', (error) => {
      reject(Object.assign(error, { listen: { prefix: '', host, port } }))
    })
    server.listen(port, host, done)
  })
  await new Promise((done) => server.close(done))
}

/** The time that a server has for its answer, in milliseconds. */
const PATIENCE_MS = 2000

/** Connects to the server, or creates the file. */
const tryDatabase = ({ databaseUrl }: Config): Promise<void> =>
  onceReachable(
    databaseUrl,
    PATIENCE_MS,
    () => undefined,
    () => findSuperuser(databaseUrl),
  )

async function findSuperuser(databaseUrl: string): Promise<void> {
  const store = createStore(databaseUrl)
  try {
    if (databaseUrl.startsWith('sqlite:')) openFile(databaseUrl, { mayCreate: true }).close()
    await findAccount(store, SERVICE.username)
  } catch (error) {
    // A new store has no tables yet.
    if (!isWithoutTables(error)) throw causeOf(error)
  } finally {
    await store.close()
  }
}

const causeOf = (error: unknown): unknown => (error as Error).cause ?? error

/** Sets the superuser's password if there is none yet. The store keeps its hash. */
async function setPassword(store: Store, config: Config, { yes, passwordFile }: Options): Promise<void> {
  const user = SERVICE.username
  if ((await findAccount(store, user)) !== undefined) {
    tell(`The store is there already, and the password of the superuser '${user}' stays as it is.`)
    return
  }
  const given = givenPassword(passwordFile)
  if (given === undefined && yes) {
    throw misuse(
      'there is no password for the superuser',
      'set GLOSS_PASSWORD, or name a file by --password-file',
    )
  }
  for (;;) {
    const adminPassword =
      given ?? (await askNewPassword(user, 'set GLOSS_PASSWORD, or name a file by --password-file'))
    const short = [...adminPassword].length < config.minPasswordLength
    if (!short) return setFirstPassword(store, { ...config, adminPassword }, tell)
    const what = `The password must have at least ${config.minPasswordLength} characters`
    if (given !== undefined) throw misuse(what, 'choose a longer one')
    warn(`${what}.`)
  }
}

/** Replaces the file atomically, so that no reader sees half of it and other users cannot read it. */
function writeEnvFile(settings: Settings): void {
  const part = `${ENV_FILE}.part`
  rmSync(part, { force: true })
  writeFileSync(part, envText(settings), { mode: 0o600, flag: 'wx' })
  renameSync(part, ENV_FILE)
}
