/** Passwords are verified with the parameters that their hashes carry, as far as those are reasonable. */
import { createHook } from 'node:async_hooks'
import { argon2Sync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { describe, expect, test } from '@jest/globals'
import { hashPassword, verifyPassword } from '../../src/http/credentials/passwords.ts'

const PASSWORD = 'correct horse'
const SALT = Buffer.from('0123456789abcdef')

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** A hash of `PASSWORD` in the PHC string format, with parameters as they are given. */
function hashWith({ memory = 64, passes = 1, parallelism = 1, salt = SALT, tagLength = 32 } = {}): string {
  const message = Buffer.from(PASSWORD)
  const tag = argon2Sync('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

test('a new hash has the parameters of today and a salt of its own', async () => {
  const [one, other] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(other)
  expect(await verifyPassword(PASSWORD, one)).toBe(true)
  expect(await verifyPassword('wrong', one)).toBe(false)
})

describe('a hash is verified with its own parameters', () => {
  test.each([
    ['weaker', {}],
    ['more memory', { memory: 32_768 }],
    ['more passes', { passes: 4 }],
    ['several lanes', { memory: 32, parallelism: 4 }],
    ['a longer salt', { salt: Buffer.alloc(32, 7) }],
    ['a shorter salt', { salt: Buffer.alloc(8, 7) }],
    ['a longer tag', { tagLength: 64 }],
    ['a shorter tag', { tagLength: 16 }],
  ])('%s', async (_what, parameters) => {
    const hash = hashWith(parameters)
    expect(await verifyPassword(PASSWORD, hash)).toBe(true)
    expect(await verifyPassword('wrong', hash)).toBe(false)
  })

  test.each([
    ['m=65536,t=2,p=1', 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'],
    ['m=256,t=2,p=2', 'bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc'],
  ])('of the tests of the reference implementation: %s', async (parameters, tag) => {
    const hash = `$argon2id$v=19$${parameters}$c29tZXNhbHQ$${tag}`
    expect(await verifyPassword('password', hash)).toBe(true)
    expect(await verifyPassword('differentpassword', hash)).toBe(false)
  })
})

describe('what is no hash, or asks for too much, verifies nothing', () => {
  const good = hashWith()
  const [, , , , salt = '', tag = ''] = good.split('$')
  test.each([
    '',
    PASSWORD,
    good.slice(1),
    `${good}$`,
    `${good}=`,
    ` ${good}`,
    good.replace('argon2id', 'argon2i'),
    good.replace('argon2id', 'argon2d'),
    good.replace('v=19', 'v=16'),
    good.replace('$v=19', ''),
    good.replace('m=64,t=1,p=1', 't=1,m=64,p=1'),
    good.replace('m=64,t=1,p=1', 'm=64,t=1'),
    good.replace('m=64,t=1,p=1', 'm=64,t=1,p=1,keyid=AAAA'),
    good.replace('m=64', 'm=064'),
    good.replace('m=64', 'm=-64'),
    good.replace('m=64', 'm=7'),
    good.replace('m=64', 'm=262145'),
    good.replace('m=64', 'm=99999999999'),
    good.replace('t=1', 't=0'),
    good.replace('t=1', 't=17'),
    good.replace('p=1', 'p=0'),
    good.replace('p=1', 'p=9'),
    good.replace('m=64', 'm=1024').replace('p=1', 'p=17'),
    good.replace(salt, 'AAAA'),
    good.replace(salt, ''),
    good.replace(salt, 'A'.repeat(100)),
    good.replace(tag, tag.slice(0, 4)),
    good.replace(tag, ''),
    good.replace(tag, 'A'.repeat(100)),
    good.replace(tag, `${tag.slice(0, -4)}AAAA`),
  ])('%s', async (hash) => {
    expect(await verifyPassword(PASSWORD, hash)).toBe(false)
  })

  test('and none of that fails', async () => {
    expect(await verifyPassword(PASSWORD, good)).toBe(true)
  })
})

test('hashing passwords leaves one processor to everything else', async () => {
  const underWay = new Set<number>()
  let most = 0
  const hook = createHook({
    init(id, type) {
      if (type === 'ARGON2REQUEST') underWay.add(id)
      most = Math.max(most, underWay.size)
    },
    before: (id) => void underWay.delete(id),
  }).enable()
  try {
    const hashes = Array.from({ length: 3 * availableParallelism() }, () => hashPassword(PASSWORD))
    expect(new Set(await Promise.all(hashes)).size).toBe(hashes.length)
  } finally {
    hook.disable()
  }
  expect(most).toBe(Math.max(1, availableParallelism() - 1))
})

test('a hash that fails leaves its place to the next', async () => {
  const tries = Array.from({ length: 2 * availableParallelism() }, () =>
    verifyPassword(undefined as unknown as string, hashWith()),
  )
  expect((await Promise.allSettled(tries)).map(({ status }) => status)).toEqual(tries.map(() => 'rejected'))
  expect(await verifyPassword(PASSWORD, hashWith())).toBe(true)
})
