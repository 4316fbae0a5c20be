/** The error with which a function refuses. */
import { ServiceError } from '../../src/model/errors.ts'

/** The class, status and facts of the error that `act` throws; undefined if it throws none. */
export function refused(act: () => unknown): [errorClass: string, status: number, facts: object] | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [error.errorClass, error.status, error.facts]
  }
}
