/** The look at statements that return their own parameters sees each of them, and nothing else. */
import { expect, test } from '@jest/globals'
import { echoedParameter } from '../support/echoed-parameters.ts'

test.each([
  'SELECT ?',
  'SELECT ? AS id',
  'SELECT t.id AS tag_id, ? AS object_id, v.type FROM tags t',
  'SELECT DISTINCT ? FROM t',
  'SELECT a FROM (SELECT ? AS object_id UNION ALL SELECT ? AS object_id) d',
  'SELECT a FROM t UNION ALL SELECT ?',
  'SELECT a, (SELECT ?) AS b FROM t',
  'INSERT INTO t (a) SELECT b FROM (SELECT ? AS b) c',
  "SELECT 'it''s (', ? FROM t",
  'SELECT f(a, b), ? FROM t',
])('%s returns one', (text) => {
  expect(echoedParameter(text)).toMatch(/^\?/)
})

test.each([
  'SELECT a FROM t WHERE a = ?',
  'SELECT CAST(? AS BINARY(16)) AS object_id',
  'SELECT substr(?, at, 16) AS object_id FROM place',
  'SELECT f(?, ?) FROM t',
  'SELECT a + ? FROM t',
  'SELECT a IN (?, ?) AS b FROM t',
  'SELECT CASE WHEN a = ? THEN 1 ELSE 0 END FROM t',
  'SELECT a FROM t WHERE (a, b) IN ((?, ?), (?, ?)) ORDER BY a LIMIT 5',
  'INSERT INTO t (a, b) SELECT ?, ? FROM u WHERE u.a = ?',
  'INSERT INTO t (a) VALUES (?), (?)',
  'UPDATE t SET a = ? WHERE EXISTS (SELECT 1 FROM u WHERE u.a = ?)',
  "SELECT '?' AS a FROM t",
])('%s returns none', (text) => {
  expect(echoedParameter(text)).toBeUndefined()
})
