/** The failure of a subcommand: the exit status, and two lines that say what happened and what the user should do. */

/** The exit statuses of `gloss`. */
export const STATUS = {
  done: 0,
  /** The service refused the request, or the work failed. */
  failed: 1,
  /** The command line is invalid. */
  misused: 2,
  /** The service refused some rows. */
  partly: 3,
  /** There is something to do, and only that was asked. */
  pending: 4,
  /** The user pressed Ctrl-C. */
  interrupted: 130,
} as const

/** The reason why a subcommand failed. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** What the user should do about it. */
  readonly remedy: string
  readonly status: number

  constructor(what: string, remedy: string, status: number = STATUS.failed, options?: ErrorOptions) {
    super(what, options)
    this.remedy = remedy
    this.status = status
  }
}

/** The failure for an invalid command line. */
export const misuse = (what: string, remedy: string): Failure => new Failure(what, remedy, STATUS.misused)

/** The user pressed Ctrl-C at a prompt, and needs no message about that. */
export const interrupted = (): Failure => new Failure('', '', STATUS.interrupted)
