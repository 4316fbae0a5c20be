/** The status table of POST `/search/check`. */
import { expect } from '@jest/globals'
import { THING } from '../support/fixture.ts'
import { credentialRows, payloadRows, unanswerable } from './shared-rows.ts'
import type { Row, Table } from './status-tables.ts'

const path = '/search/check'
const SECRET = 'alice/books/secret'

const checked = (valid: boolean, ...nodes: readonly object[]): object => ({ valid, nodes })

/** A query of one condition, and what is wrong with it. */
const wrong = (query: string, asked: object, error: object): Partial<Row> => ({
  path,
  as: 'bob',
  json: { query },
  gives: 200,
  answers: checked(false, { kind: 'condition', start: 0, end: query.length, ...asked, error }),
})

const anySentence: unknown = expect.stringMatching(/^[^:]+: \S/)
const fault = (name: string, at?: string): object => ({
  class: name,
  message: anySentence,
  ...(at !== undefined && { path: at }),
})

const checks: Row[] = [
  {
    when: 'a combination, with the places of its operands',
    path,
    json: { query: `alice/books/rating >= 5.0 and service/id = "${THING}"` },
    gives: 200,
    answers: checked(
      true,
      { kind: 'combination', start: 0, end: 81, operator: 'and', left: 1, right: 2, count: 1, exact: true },
      {
        ...{ kind: 'condition', start: 0, end: 25, operator: '>=', path: 'alice/books/rating' },
        ...{ operand: 5, count: 2, exact: true },
      },
      {
        ...{ kind: 'condition', start: 30, end: 81, operator: '=', path: 'service/id', operand: THING },
        ...{ count: 1, exact: true },
      },
    ),
  },
  {
    when: 'no more are counted than asked for',
    path,
    json: { query: 'has alice/books/rating', countUpTo: 1 },
    gives: 200,
    answers: checked(true, {
      ...{ kind: 'condition', start: 0, end: 22, operator: 'has', path: 'alice/books/rating' },
      ...{ count: 1, exact: false },
    }),
  },
  {
    when: 'a text that is no query',
    path,
    json: { query: 'has alice/books/rating and ~' },
    gives: 200,
    answers: {
      ...checked(false),
      error: { class: 'TParseError', message: expect.stringContaining('line 1, column 28: '), offset: 27 },
    },
  },
  { when: 'an empty text', path, json: { query: '' }, gives: 200 },
  {
    when: 'a tag that does not exist',
    ...wrong(
      'has alice/books/missing',
      { operator: 'has', path: 'alice/books/missing' },
      fault('TNonexistentTag', 'alice/books/missing'),
    ),
  } as Row,
  {
    when: 'a tag that the caller may not read',
    ...wrong(
      `${SECRET} = "hidden"`,
      { operator: '=', path: SECRET, operand: 'hidden' },
      fault('TPathPermissionDenied', SECRET),
    ),
  } as Row,
  {
    when: 'a tag that is not indexed',
    ...wrong(
      'alice/books/plain matches "a"',
      { operator: 'matches', path: 'alice/books/plain', operand: 'a' },
      fault('TBadRequest'),
    ),
  } as Row,
  {
    when: 'a condition that finds too much',
    ...wrong('has service/about', { operator: 'has', path: 'service/about' }, fault('TBadRequest')),
  } as Row,
  {
    when: 'service/id used otherwise',
    ...wrong('has service/id', { operator: 'has', path: 'service/id' }, fault('TParseError')),
  } as Row,
  unanswerable({ path, json: { query: 'has alice/books/rating' } }),
  ...payloadRows(
    { path },
    {
      json: { query: 'has alice/books/rating', countUpTo: 5 },
      required: ['query'],
      wrong: [
        ['query', 5],
        ['query', null],
        ['countUpTo', -1],
        ['countUpTo', 1_000_001],
        ['countUpTo', 1.5],
        ['countUpTo', '5'],
      ],
    },
  ),
  ...credentialRows({ path, json: { query: 'has alice/books/rating' } }),
]

export const CHECKS: Table = { 'POST /search/check': checks }
