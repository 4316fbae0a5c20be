/**
 * The subcommands that run a service and maintain its store. All except `mock` and most of `user` read `.env` and the
 * environment.
 */
import { wholeNumber, type Group, type Subcommand } from '../terminal/declare.ts'

/** The mock, which is the only subcommand of the package `@gloss/mock`. */
export const MOCK: Subcommand = {
  name: 'mock',
  does: 'serve the example of the documentation, without a database',
  examples: [
    'gloss mock --stateful',
    'gloss mock --stateful --port 9000',
    'gloss mock --stateful --host 0.0.0.0',
  ],
  options: [
    { flags: '--stateful', does: 'be the whole service, on a store that ends with it' },
    { flags: '--host <host>', does: 'the address to listen on, 127.0.0.1 by default' },
    { flags: '--port <port>', does: 'the port, 4010 by default', read: wholeNumber(0, 65_535) },
  ],
  load: () => import('./mock.ts'),
}

/** The option to make a store where the settings refuse it. */
const NEW = { flags: '--new', does: 'make a store if there is none, whatever NEW_STORE says' }

/** The option that gives a new password without a prompt. */
const NEW_PASSWORD = {
  flags: '--new-password-file <file>',
  does: 'a file with the new password (GLOSS_NEW_PASSWORD)',
}

const USER: Group = {
  name: 'user',
  does: 'accounts of a service, for its superusers',
  examples: ['gloss user add alice --as service', 'gloss user list', 'gloss user role alice superuser'],
  commands: [
    {
      name: 'add',
      takes: '<username>',
      does: 'make an account',
      examples: [
        'gloss user add alice --as service',
        "gloss user add alice --name 'Alice Liddell' --email alice@example.org",
        'gloss user add robot --new-password-file /run/secrets/robot',
      ],
      options: [
        { flags: '--name <text>', does: 'the name to show' },
        { flags: '--email <address>', does: 'where to reach the user; superusers can read it' },
        NEW_PASSWORD,
      ],
      talks: true,
      load: async () => (await import('./user.ts')).add,
    },
    {
      name: 'passwd',
      takes: '[username]',
      does: 'set the password of a user, by default your own',
      examples: [
        'gloss user passwd',
        'gloss user passwd alice --as service',
        'gloss user passwd robot --new-password-file /run/secrets/robot',
      ],
      options: [NEW_PASSWORD],
      talks: true,
      load: async () => (await import('./user.ts')).passwd,
    },
    {
      name: 'reset',
      takes: '<username>',
      does: 'set a new password in the database itself, at the machine, and show it once',
      examples: [
        'gloss user reset service',
        'gloss user reset service --new-password-file /run/secrets/service',
        'DATABASE_URL=sqlite:books.db gloss user reset alice',
      ],
      options: [NEW_PASSWORD],
      load: () => import('./reset.ts'),
    },
    {
      name: 'role',
      takes: '<username> <role>',
      does: 'make a user a superuser, or a user again',
      examples: [
        'gloss user role alice superuser',
        'gloss user role alice user',
        'gloss user role alice superuser --as service',
      ],
      talks: true,
      load: async () => (await import('./user.ts')).role,
    },
    {
      name: 'list',
      does: 'show all users',
      examples: ['gloss user list', 'gloss user list --csv', 'gloss user list --columns username,email'],
      talks: true,
      shows: true,
      load: async () => (await import('./user.ts')).list,
    },
    {
      name: 'delete',
      takes: '<username>',
      does: 'delete a user, whose namespace must be empty',
      examples: [
        'gloss user delete alice',
        'gloss user delete alice --yes',
        'gloss user delete alice --as service',
      ],
      options: [{ flags: '--yes', does: 'do not ask' }],
      talks: true,
      load: async () => (await import('./user.ts')).remove,
    },
  ],
}

const CONFIG: Group = {
  name: 'config',
  does: 'the settings that a service here would have',
  examples: ['gloss config check', 'gloss config print', 'PORT=9000 gloss config print'],
  commands: [
    {
      name: 'check',
      does: 'say all that is wrong with them',
      examples: ['gloss config check', 'PORT=nonsense gloss config check', 'gloss config check --quiet'],
      load: async () => (await import('./config.ts')).check,
    },
    {
      name: 'print',
      does: 'show each, its value and where that is from; passwords are not shown',
      examples: ['gloss config print', 'gloss config print --json', 'PORT=9000 gloss config print'],
      shows: true,
      load: async () => (await import('./config.ts')).print,
    },
  ],
}

export const RUNNING: readonly (Subcommand | Group)[] = [
  {
    name: 'init',
    does: 'set up a service in this folder, and start it; or write files that run one',
    examples: [
      'gloss init',
      'PORT=9000 GLOSS_PASSWORD=choose-one gloss init --yes',
      'BASE_URL=https://gloss.example.org gloss init --systemd',
    ],
    options: [
      { flags: '--yes', does: 'do not ask: PORT and DATABASE_URL of the environment, or their defaults' },
      { flags: '--password-file <file>', does: "a file with the superuser's password (GLOSS_PASSWORD)" },
      { flags: '--systemd', does: 'only write units of systemd, with the settings that there are' },
      { flags: '--compose', does: 'only write a file for Compose' },
      { flags: '--kubernetes', does: 'only write a file for Kubernetes' },
      { flags: '--nginx', does: 'only write a configuration of nginx for two instances' },
      { flags: '--haproxy', does: 'only write a configuration of HAProxy for two instances' },
    ],
    load: () => import('./init.ts'),
  },
  {
    name: 'serve',
    does: 'serve the API on a database; Ctrl-C stops it',
    examples: [
      'gloss serve',
      'PORT=9000 gloss serve',
      'DATABASE_URL=sqlite:books.db ADMIN_PASSWORD_FILE=password gloss serve --new',
    ],
    options: [NEW],
    load: () => import('./serve.ts'),
  },
  {
    name: 'migrate',
    does: 'bring the schema of the database up to date',
    examples: ['gloss migrate', 'gloss migrate --plan', 'gloss migrate --status'],
    options: [
      { flags: '--plan', does: 'only show what would happen; ends with 4 if anything would' },
      {
        flags: '--status',
        does: 'only show what is done and what is missing, and whether a process migrates',
      },
      NEW,
    ],
    shows: true,
    load: () => import('./migrate.ts'),
  },
  {
    name: 'check',
    does: 'check that everything holds between the tables of the database',
    examples: ['gloss check', 'gloss check --repair', 'DATABASE_URL=sqlite:books.db gloss check'],
    options: [{ flags: '--repair', does: 'mend what can be mended; stop the service first' }],
    load: () => import('./check.ts'),
  },
  {
    name: 'compact',
    does: 'return the room of deleted values to the disk, while the service runs',
    examples: ['gloss compact', 'gloss compact --run', 'DATABASE_URL=sqlite:books.db gloss compact'],
    options: [{ flags: '--run', does: 'on MySQL and MariaDB: run what is otherwise only said' }],
    load: () => import('./compact.ts'),
  },
  {
    name: 'backup',
    does: 'write a backup of the database, while the service runs',
    examples: [
      'gloss backup --to books.gz',
      'gloss backup --to "backup-$(date +%F).gz" --quiet',
      'DATABASE_URL=sqlite:books.db gloss backup --to books.gz',
    ],
    options: [{ flags: '--to <file>', does: 'the file to write, which must not exist' }],
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    does: 'restore a backup into an empty database of either kind, and check it',
    examples: [
      'DATABASE_URL=sqlite:restored.db gloss restore --from books.gz',
      'DATABASE_URL=mysql://gloss:secret@db/gloss gloss restore --from books.gz',
      'DATABASE_URL=sqlite:restored.db gloss restore --from books.gz --anew',
    ],
    options: [
      { flags: '--from <file>', does: 'the backup' },
      { flags: '--anew', does: 'first delete what a restore has left that was killed' },
    ],
    load: () => import('./restore.ts'),
  },
  USER,
  CONFIG,
  {
    name: 'doctor',
    does: 'look at everything that a service here needs, and say what to do',
    examples: [
      'gloss doctor',
      'gloss doctor --url https://gloss.example.org',
      'gloss doctor --json -o doctor.json',
    ],
    options: [{ flags: '--url <url>', does: 'also what is in front of this service does to requests' }],
    shows: true,
    load: () => import('./doctor.ts'),
  },
  MOCK,
]
