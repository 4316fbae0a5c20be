/** What a program was started for. */

/** What `read` makes of the arguments. If it throws, the error is how to use the program: that is shown, and the program ends. */
export function wanted<Options>(read: () => Options): Options {
  try {
    return read()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}
