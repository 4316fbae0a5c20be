/** Finds candidates for completion, by the names of arguments in the help. */
import { ServiceError } from '../../packages/client/index.ts'
import { ERRORS } from '../../src/model/errors.ts'
import { allActions } from '../../common/changing/policies.ts'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { readProfiles } from '../connection/profiles.ts'
import { Failure } from '../../common/failure.ts'
import { SCRIPTS } from './completion-scripts.ts'

/** A candidate for a word. */
export interface Candidate {
  readonly text: string
  /** A description that the shell shows beside the candidate. */
  readonly says?: string
}

/** The word to complete, and the options before it. */
export interface Given {
  readonly word: string
  readonly options: ConnectionOptions
}

type Finder = (given: Given) => Promise<readonly Candidate[]>

export const CANDIDATES: Readonly<Partial<Record<string, Finder>>> = {
  about: (given) => valuesOf('service/about', given),
  user: (given) => valuesOf('service/users/username', given),
  namespace: (given) => paths(given, given.word, ['namespace']),
  path: (given) => paths(given, given.word, ['tag', 'namespace']),
  // The value of --sort may have a minus before the tag.
  tag: (given) => afterPrefix(/^-?/, given),
  'tag=value': async (given) =>
    (await afterPrefix(/^/, given)).map(({ text, ...rest }) => ({ text: `${text}=`, ...rest })),
  list: (given) => afterPrefix(/^(?:.*,)?/, given),
  query: (given) => inQuery(given),
  actions: async ({ word }) => {
    const [prefix = ''] = /^(?:.*,)?/.exec(word) ?? []
    const all = allActions({ categories: ['tag-values', 'tags', 'namespaces'] })
    return [...new Set(all.map(({ action }) => action))].map((action) => ({ text: prefix + action }))
  },
  name: async () => profiles(),
  profile: async () => profiles(),
  shell: async () => [...SCRIPTS.keys()].map((text) => ({ text })),
  class: async () => Object.keys(ERRORS).map((text) => ({ text })),
}

const profiles = (): Candidate[] =>
  Object.entries(readProfiles().profiles).map(([text, { url, user }]) => ({
    text,
    says: user === undefined ? url : `${user} at ${url}`,
  }))

/** Tags for the text after the match of the pattern. */
async function afterPrefix(pattern: RegExp, given: Given): Promise<readonly Candidate[]> {
  const [prefix = ''] = pattern.exec(given.word) ?? []
  const found = await paths(given, given.word.slice(prefix.length), ['tag'])
  return found.map(({ text, ...rest }) => ({ text: prefix + text, ...rest }))
}

/** Tags at a position where a query may name one; none inside a string. */
async function inQuery(given: Given): Promise<readonly Candidate[]> {
  const outside = given.word.replace(/"(?:[^"\\]|\\.)*("?)/gs, (_, end) => (end === '' ? '"' : ''))
  const expects = /(?:^|[\s(])(?:has|and|or|except)\s+$|^\s*$|\(\s*$|(?:^|[\s(])[^\s("]+$/i.test(outside)
  if (outside.includes('"') || !expects) return []
  return afterPrefix(/^(?:.*[\s(])?/s, given)
}

/** The user waits for the completion. */
const LONGEST_MS = 2000

async function paths(
  { options }: Given,
  text: string,
  kinds: readonly string[],
): Promise<readonly Candidate[]> {
  const found = await suggestions(options, { text })
  return found.flatMap((one) =>
    'path' in one && kinds.includes(one.kind) ? [{ text: one.path, says: one.kind }] : [],
  )
}

async function valuesOf(tag: string, { options, word }: Given): Promise<readonly Candidate[]> {
  const found = await suggestions(options, { tag, text: word })
  return found.flatMap((one) =>
    'value' in one && typeof one.value === 'string' ? [{ text: one.value }] : [],
  )
}

/** The suggestions of the service, without a prompt for a password; none if the service does not answer. */
async function suggestions(options: ConnectionOptions, asked: { tag?: string; text: string }) {
  try {
    const { client } = await connect(options, async () => undefined)
    const { data } = await client.GET('/search/suggest', {
      params: { query: { ...asked, limit: 100 } },
      signal: AbortSignal.timeout(LONGEST_MS),
    })
    return data.suggestions
  } catch (error) {
    if (error instanceof ServiceError || error instanceof Failure) return []
    throw error
  }
}
