/** What a database URL of MySQL says, and what is refused without telling a secret. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/settings/config.ts'
import { driverOptions, hostText, readMysqlUrl } from '../../src/data/database/mysql/mysql-address.ts'
import { Authority } from '../support/certificates.ts'

const faultOf = (databaseUrl: string): string => {
  try {
    readConfig({ DATABASE_URL: databaseUrl })
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the hosts', () => {
  test.each([
    ['mysql://h/d', ['h:3306']],
    ['MySQL://u:p@my_db.example-1:1/d', ['my_db.example-1:1']],
    ['mysql://u:p@db1:3307,db2,10.0.0.1:65535/d', ['db1:3307', 'db2:3306', '10.0.0.1:65535']],
    ['mysql://u:p@[::1],[2001:db8::2]:3307,db/d', ['[::1]:3306', '[2001:db8::2]:3307', 'db:3306']],
    ['mysql://u@[fe80::1%25eth0]/d', ['[fe80::1%eth0]:3306']],
  ])('of %s', (url, hosts) => {
    expect(readMysqlUrl(url).hosts.map(hostText)).toEqual(hosts)
    expect(faultOf(url)).toBe('none')
  })

  test('are names and addresses to the driver, which knows no brackets', () => {
    const { hosts, ...rest } = readMysqlUrl('mysql://u@[::1]:3307/d')
    expect(driverOptions({ ...rest, host: hosts[0] })).toMatchObject({ host: '::1', port: 3307 })
  })

  test.each([
    ...['mysql://u:geheim@/d', 'mysql://u:geheim@a,/d', 'mysql://u:geheim@a,,b/d', 'mysql://u:geheim@a:/d'],
    ...['mysql://u:geheim@a:0/d', 'mysql://u:geheim@a:65536/d', 'mysql://u:geheim@a:33o6/d'],
    ...[
      'mysql://u:geheim@::1/d',
      'mysql://u:geheim@[::1/d',
      'mysql://u:geheim@[a]/d',
      'mysql://u:geheim@[::1]x/d',
    ],
    ...['mysql://u:geheim@a%41/d', 'mysql://u:geheim,b/d', `mysql://u:geheim@${Array(9).fill('a').join()}/d`],
  ])('are refused in %s', (url) => {
    expect(faultOf(url)).toMatch(/^ {2}DATABASE_URL must name /m)
    expect(faultOf(url)).not.toContain('geheim')
  })
})

describe('the account', () => {
  test.each([
    ['mysql://u%40x:p%3A%2F@h/d%2Fe', 'u@x', 'p:/', 'd/e'],
    ['mysql://u:a:b@c@h/d', 'u', 'a:b@c', 'd'],
    ['mysql://u@h/d', 'u', '', 'd'],
  ])('of %s', (url, user, password, database) => {
    expect(readMysqlUrl(url)).toMatchObject({ user, password, database })
  })

  test.each([
    'mysql://u:ge%heim@h/d',
    'mysql://u:ge/heim@h/d',
    'mysql://u:ge?heim@h/d',
    'mysql://u:ge heim@h/d',
  ])('is not repeated when %s is refused', (url) => {
    expect(faultOf(url)).toMatch(/^ {2}DATABASE_URL /m)
    expect(faultOf(url)).not.toContain('heim')
  })
})

describe('TLS', () => {
  let authority: Authority
  beforeAll(async () => {
    authority = await Authority.create()
  })
  afterAll(() => {
    authority.remove()
  })

  const optionsOf = (query: string): unknown => {
    const { hosts, ...rest } = readMysqlUrl(`mysql://u:p@h/d${query}`)
    return driverOptions({ ...rest, host: hosts[0] }).ssl
  }

  test('is off unless it is asked for', () => {
    expect(optionsOf('')).toBeUndefined()
    expect(optionsOf('?ssl-mode=disabled')).toBeUndefined()
  })

  test('may verify nothing, the authority, or the name, too', () => {
    const { ca } = authority
    expect(optionsOf('?SSL-Mode=required')).toEqual({ rejectUnauthorized: false, verifyIdentity: false })
    expect(optionsOf(`?ssl-mode=VERIFY_CA&ssl-ca=${encodeURIComponent(ca)}`)).toMatchObject({
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
      rejectUnauthorized: true,
      verifyIdentity: false,
    })
    const { cert, key } = authority.sign('client', 'DNS:client')
    expect(optionsOf(`?ssl-mode=VERIFY_IDENTITY&ssl-cert=${cert}&ssl-key=${key}`)).toMatchObject({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('PRIVATE KEY'),
      rejectUnauthorized: true,
      verifyIdentity: true,
    })
  })

  test('has the same options until a file changes, so that sessions are resumed', () => {
    const query = `?ssl-mode=VERIFY_CA&ssl-ca=${authority.ca}`
    const { hosts, ...rest } = readMysqlUrl(`mysql://u:p@h/d${query}`)
    const target = { ...rest, host: hosts[0] }
    const before = driverOptions(target).ssl
    optionsOf('?ssl-mode=REQUIRED')
    expect(driverOptions(target).ssl).toBe(before)
    authority.renew()
    expect(driverOptions(target).ssl).not.toEqual(before)
  })

  test.each([
    [
      '?sslmode=REQUIRED',
      "has an unknown parameter 'sslmode': there are ssl-mode, ssl-ca, ssl-cert, ssl-key",
    ],
    [
      '?ssl-mode=PREFERRED',
      'must say by ssl-mode how to encrypt: one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_ID',
    ],
    ['?ssl-mode=', 'has no value for ssl-mode'],
    ['?ssl-mode=REQUIRED&SSL-MODE=DISABLED', 'has the parameter ssl-mode twice'],
    ['?ssl-ca=/ca.pem', 'must say by ssl-mode how to encrypt'],
    ['?ssl-mode=DISABLED&ssl-ca=/ca.pem', 'has files for TLS that ssl-mode=DISABLED does not use'],
    ['?ssl-mode=REQUIRED&ssl-ca=/ca.pem', 'has an ssl-ca that ssl-mode=REQUIRED does not use'],
    ['?ssl-mode=VERIFY_CA', 'needs ssl-ca for ssl-mode=VERIFY_CA'],
    ['?ssl-mode=REQUIRED&ssl-key=/key.pem', 'needs ssl-cert and ssl-key together'],
    ['?ssl-mode=VERIFY_CA&ssl-ca=/nowhere.pem', 'names a file by ssl-ca that cannot be used: ENOENT'],
    ['?ssl-mode=VERIFY_CA&ssl-ca=package.json', "cannot be used: 'package.json' is not in the format PEM"],
    ['?ssl-mode=VERIFY_CA&ssl-ca=%zz', 'has a % in ssl-ca that begins no octet'],
  ])('is refused at the start with %s', (query, sentence) => {
    const fault = faultOf(`mysql://u:geheim@h/d${query}`)
    expect(fault).toContain(`DATABASE_URL ${sentence.startsWith('cannot') ? '' : sentence}`)
    expect(fault).toContain(sentence)
    expect(fault).not.toContain('geheim')
  })
})
