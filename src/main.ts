/** The program of the service. */
import { continueGivingBack } from './memory/memory.ts'

// Before the rest is loaded: the program in the place of this one would load it once more.
continueGivingBack()
await import('./start.ts')
