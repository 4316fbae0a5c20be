/** Runs before jest's project `mysql`. */
import { provideServer } from './server-of-project.ts'

export default (): Promise<void> => provideServer('mysql')
