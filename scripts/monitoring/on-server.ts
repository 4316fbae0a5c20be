/** Outages of two instances on a server, behind HAProxy and nginx. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.ts'
import { startProxy } from '../../test/support/proxy.ts'
import { emptyPanels } from './board.ts'
import { ACCOUNT, Database } from './database.ts'
import { backUp, RunningInstance, startLoad } from './instance.ts'
import { replay, type Outage } from './outages.ts'
import { Prometheus, promtoolFaults } from './prometheus.ts'

const FROM_THE_FUTURE = '9999-from-the-future'
const NOTHING_SERVES = ['GlossNoneReady', 'GlossNoServers']

/** The outages of the database. */
function ofDatabase(database: Database): Outage[] {
  let thaw: (() => void) | undefined
  return [
    {
      name: 'the database is stopped for 45 s',
      fires: NOTHING_SERVES,
      begin: () => database.stop(),
      end: () => database.restart(),
      lasts: 45,
    },
    {
      name: 'the database refuses the account',
      fires: NOTHING_SERVES,
      begin: async () => {
        await database.run(`ALTER USER ${ACCOUNT} ACCOUNT LOCK`)
        await database.disconnect()
      },
      end: () => database.run(`ALTER USER ${ACCOUNT} ACCOUNT UNLOCK`),
    },
    {
      name: 'the database server stands still (SIGSTOP)',
      fires: NOTHING_SERVES,
      begin: async () => {
        thaw = await database.freeze()
      },
      end: () => thaw?.(),
    },
    {
      name: 'the schema is newer than the version',
      fires: [...NOTHING_SERVES, 'GlossSchema', 'GlossNotReady'],
      begin: () =>
        database.run(
          `INSERT INTO gloss.knex_migrations (name, batch, migration_time) VALUES ('${FROM_THE_FUTURE}', 9, NOW())`,
        ),
      end: () => database.run(`DELETE FROM gloss.knex_migrations WHERE name = '${FROM_THE_FUTURE}'`),
    },
    {
      name: 'the connections of the server are nearly used up',
      fires: ['GlossConnectionsLow'],
      begin: () => database.narrow(),
      end: () => database.run('SET GLOBAL max_connections = 151'),
    },
  ]
}

/** Two instances behind both proxies, and a Prometheus that watches all of them. */
class Setting {
  readonly instances: readonly [RunningInstance, RunningInstance]
  readonly prometheus: Prometheus
  readonly #nginx: Front
  readonly #exporter: Exporter
  #haproxy: Front

  private constructor(started: {
    readonly instances: readonly [RunningInstance, RunningInstance]
    readonly haproxy: Front
    readonly nginx: Front
    readonly exporter: Exporter
    readonly prometheus: Prometheus
  }) {
    this.instances = started.instances
    this.prometheus = started.prometheus
    this.#nginx = started.nginx
    this.#exporter = started.exporter
    this.#haproxy = started.haproxy
  }

  static async start(databaseUrl: string, programs: string, folder: string): Promise<Setting> {
    const instances = [
      await RunningInstance.start(databaseUrl),
      await RunningInstance.start(databaseUrl),
    ] as const
    const haproxy = await startProxy('haproxy', instances)
    const nginx = await startProxy('nginx', instances)
    const exporter = await startExporter(programs, nginx.figures)
    const prometheus = await Prometheus.start(programs, folder, {})
    const setting = new Setting({ instances, haproxy, nginx, exporter, prometheus })
    setting.watch(true)
    return setting
  }

  /** Where clients send their requests. */
  get url(): string {
    return this.#haproxy.url
  }

  /** Watches the proxies, and the instances or not. */
  watch(instances: boolean): void {
    this.prometheus.watch({
      'gloss-haproxy': [`127.0.0.1:${String(this.#haproxy.figures)}`],
      'gloss-nginx': [`127.0.0.1:${String(this.#exporter.port)}`],
      gloss: instances ? this.instances.map(({ admin }) => admin) : [],
    })
  }

  stopHaproxy(): Promise<void> {
    return this.#haproxy.stop()
  }

  /** Starts HAProxy at another address, where no client expects it. */
  async startHaproxy(): Promise<void> {
    this.#haproxy = await startProxy('haproxy', this.instances)
    this.watch(true)
  }

  async stop(): Promise<void> {
    this.#exporter.child.kill()
    await this.prometheus.stop()
    await Promise.all([this.#haproxy.stop(), this.#nginx.stop()])
    await Promise.all(this.instances.map((instance) => instance.stop()))
  }
}

type Front = Awaited<ReturnType<typeof startProxy>>

interface Exporter {
  readonly child: ChildProcess
  readonly port: number
}

/** The exporter of nginx's figures. */
async function startExporter(programs: string, figures: number): Promise<Exporter> {
  const port = await freePort()
  const args = [
    `-nginx.scrape-uri=http://127.0.0.1:${String(figures)}/status`,
    `-web.listen-address=127.0.0.1:${String(port)}`,
  ]
  const child = spawn(join(programs, 'prometheus-nginx-exporter'), args, { stdio: 'ignore' })
  return { child, port }
}

/** The outages of instances, of the proxy and of the watch itself. The last one leaves clients without a proxy. */
const ofSetting = (setting: Setting): Outage[] => [
  {
    name: 'one of two instances is gone (SIGKILL)',
    fires: ['GlossInstanceDown'],
    begin: () => setting.instances[0].stop(),
    end: () => setting.instances[0].restart(),
  },
  {
    name: 'one of two instances stands still (SIGSTOP)',
    fires: ['GlossInstanceDown'],
    begin: () => {
      setting.instances[0].signal('SIGSTOP')
    },
    end: () => {
      setting.instances[0].signal('SIGCONT')
    },
  },
  {
    name: 'Prometheus finds no instance to watch any more',
    fires: ['GlossUnwatched'],
    begin: () => {
      setting.watch(false)
    },
    end: () => {
      setting.watch(true)
    },
  },
  {
    name: 'HAProxy is gone',
    fires: ['GlossProxyDown'],
    begin: () => setting.stopHaproxy(),
    end: () => setting.startHaproxy(),
  },
]

/** Replays the outages, and checks the board; returns what went wrong. */
export async function onServer(programs: string, folder: string): Promise<string[]> {
  const database = await Database.start(join(folder, 'server'))
  const setting = await Setting.start(database.url, programs, join(folder, 'watching-server'))
  const load = startLoad(setting.url)
  try {
    await backUp(database.url, join(folder, 'backup.gz'))
    const faults: string[] = []
    if (promtoolFaults(programs, await setting.instances[0].metrics()) > 0)
      faults.push('promtool found faults')
    if ((await emptyPanels(setting.prometheus)) > 0) faults.push('panels of the board have no data')
    const outages = [...ofDatabase(database), ...ofSetting(setting)]
    return [...faults, ...(await replay(setting.prometheus, load.seen, outages))]
  } finally {
    await load.stop()
    await setting.stop()
    await database.stop()
  }
}
