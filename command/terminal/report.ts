/** Reports why a subcommand failed. */
import { ServiceError } from '../../packages/client/index.ts'
import { visible } from '../../common/values.ts'
import { explain } from './explanations.ts'
import { Failure, STATUS } from '../../common/failure.ts'
import { typeable } from './called.ts'
import { QueryFailure } from './query-error.ts'
import { warn } from './terminal.ts'

/** Writes two lines to standard error: what happened, and what the user should do. Returns the exit status. */
export function report(error: unknown): number {
  if (error instanceof ServiceError) return refused(error)
  if (error instanceof Failure) return failed(error)
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  twoLines(message, 'this is a fault of gloss: please report it')
  warn(stack ?? '')
  return STATUS.failed
}

function refused(error: ServiceError): number {
  const { what, remedy } = explain(error)
  twoLines(error.errorClass === undefined ? what : `${what} [${error.errorClass}]`, remedy)
  if (error.status >= 500 && error.requestId !== undefined) warn(`The request was ${error.requestId}.`)
  return STATUS.failed
}

function failed(error: Failure): number {
  if (error instanceof QueryFailure) warn(error.message)
  else if (error.message !== '') warn(`gloss: ${error.message.split('\n').map(visible).join('\n')}`)
  if (error.remedy !== '') sayRemedy(error.remedy)
  return error.status
}

function twoLines(what: string, remedy: string): void {
  warn(`gloss: ${visible(what)}`)
  if (remedy !== '') sayRemedy(remedy)
}

const sayRemedy = (remedy: string): void => warn(`  → ${typeable(visible(remedy))}`)
