/** Runs before jest's project `mariadb`. */
import { provideServer } from './server-of-project.ts'

export default (): Promise<void> => provideServer('mariadb')
