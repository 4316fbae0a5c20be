/** Subcommands that run a service and keep its store in order. All but `mock` read the environment. */
import type { Subcommand } from '../manners/declare.ts'

export const RUNNING: readonly Subcommand[] = [
  {
    name: 'serve',
    does: 'serve the API on a database; Ctrl-C stops it',
    examples: [
      'gloss serve',
      'PORT=9000 gloss serve',
      'DATABASE_URL=sqlite:books.db ADMIN_PASSWORD_FILE=password gloss serve',
    ],
    load: async () => {
      const { continueGivingBack } = await import('../../src/memory.ts')
      // The service restarts itself for the sake of its memory: here, before anything of it is loaded.
      continueGivingBack()
      await import('../../src/main.ts')
      return { run: async () => undefined }
    },
  },
]
