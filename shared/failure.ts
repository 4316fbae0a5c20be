/** How a piece of work ends: the status, and two lines that say what happened and what to do. */

/** The statuses that `gloss` ends with. */
export const STATUS = {
  done: 0,
  /** Refused by the service, or failed. */
  failed: 1,
  /** The command line says what cannot be. */
  misused: 2,
  /** Some rows were refused. */
  partly: 3,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** Why a subcommand could not do what it should. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** What to do about it. */
  readonly remedy: string
  readonly status: number

  constructor(what: string, remedy: string, status: number = STATUS.failed, options?: ErrorOptions) {
    super(what, options)
    this.remedy = remedy
    this.status = status
  }
}

/** A command line that asks for what cannot be. */
export const misuse = (what: string, remedy: string): Failure => new Failure(what, remedy, STATUS.misused)

/** Somebody pressed Ctrl-C while being asked, and knows it. */
export const interrupted = (): Failure => new Failure('', '', STATUS.interrupted)
