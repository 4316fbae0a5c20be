/** `gloss mock`: runs the service on a temporary store, or with the examples of the contract. */
import { serveMock, type MockOptions } from '../../mock/main.ts'
import { Failure, misuse } from '../../common/failure.ts'

const PRISM = '@stoplight/prism-cli/package.json'

export async function run(
  _args: readonly string[],
  { host = '127.0.0.1', port = 4010, stateful = false }: Partial<MockOptions>,
): Promise<undefined> {
  // The mode with examples needs Prism, which is a large package.
  if (!stateful && !isThere(PRISM)) {
    throw misuse(
      "the examples of the contract are in the package '@gloss/mock'",
      'here is gloss mock --stateful',
    )
  }
  await serveMock({ host, port, stateful }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new Failure(
      `the mock cannot listen on ${host}:${port}: ${message}`,
      'choose another port by --port',
    )
  })
  return undefined
}

function isThere(specifier: string): boolean {
  try {
    import.meta.resolve(specifier)
    return true
  } catch {
    return false
  }
}
