import { expect, test } from 'vitest'
import { addressOf, atPort } from '../support/database-proxy.ts'

test.each([
  ['postgres://me@db.example:5433/app', { host: 'db.example', port: 5433 }],
  ['postgres://me@db.example/app', { host: 'db.example', port: 5432 }],
  ['postgres://me@localhost/app?host=%2Frun%2Fpg&port=1234', { path: '/run/pg/.s.PGSQL.1234' }],
])('a proxy connects to the server that %s names', (connectionString, address) => {
  expect(addressOf({ connectionString })).toEqual(address)
})

test('the URL of a proxy names its port alone, even if the server listens on a Unix socket', () => {
  const behind = { connectionString: 'postgres://me@localhost/app?host=%2Frun%2Fpg&port=1234' }
  expect(addressOf(atPort(behind, 4000))).toEqual({ host: '127.0.0.1', port: 4000 })
})
