/** Sends requests again while the service is busy or away. */
import { NoAnswer } from '../connection/no-answer.ts'
import { Sender, type Sending } from '../../common/importing/sending.ts'
import type { Attempt } from '../../common/undoing/reading.ts'
import { explain } from '../terminal/explanations.ts'

/** An `Attempt` that waits as an import does. */
export function patientAttempt(how: Pick<Sending, 'signal' | 'waiting'>): Attempt {
  const sender = new Sender({
    ...how,
    put: () => Promise.resolve(),
    isAway: (error) => error instanceof NoAnswer,
    reasonOf: (error) => explain(error).what,
  })
  return (work) => sender.attempt(work)
}
