/** A start with a DATABASE_URL that does not work: which setting, what is wrong, what to do. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { explainDatabaseFault } from '../../src/database/explain-database-fault.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { inDatabase } from '../support/in-database.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

const open = (databaseUrl: string) =>
  openDatabase({ databaseUrl, databasePool: 4, dataFolder: '/nowhere' }, pino({ level: 'silent' }))

async function refusal(databaseUrl: string): Promise<string> {
  const error: unknown = await open(databaseUrl).then(
    (opened) => opened.close().then(() => new Error('it started')),
    (thrown: unknown) => thrown,
  )
  return (error as Error).message
}

const withUser = (url: string, user: string) =>
  url.replace(/^postgres:\/\/[^@/]*@/, `postgres://${user}@`)

/** No service listens there, and the system gives it to nobody. */
const UNUSED_PORT = 1

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })
const CA = 'add sslrootcert=/path/to/ca.pem to the URL'

describe('A DATABASE_URL', () => {
  test('whose port nobody listens on is named with host, port and database, and without its password', async () => {
    const message = await refusal(`postgres://wasla:hush@127.0.0.1:${UNUSED_PORT}/orders`)
    expect(message).toBe(
      `DATABASE_URL leads to 127.0.0.1:${UNUSED_PORT}/orders: nothing listens there. Is PostgreSQL running, and are host and port right?`,
    )
  })

  test('is explained, too, where a command opens its database as it is', async () => {
    const databaseUrl = `postgres://wasla:hush@127.0.0.1:${UNUSED_PORT}/orders`
    const config = { databaseUrl, databasePool: 4, dataFolder: '/nowhere' }
    await expect(
      openDatabase(config, pino({ level: 'silent' }), { isLeftAsItIs: true }),
    ).rejects.toThrow('/orders: nothing listens there.')
  })

  test('whose sslrootcert leads nowhere names the file', async () => {
    expect(await refusal('postgres://wasla@127.0.0.1:1/orders?sslrootcert=/no/ca.pem')).toBe(
      'DATABASE_URL leads to 127.0.0.1:1/orders: it names a file that cannot be read, /no/ca.pem.',
    )
  })

  systemTest('whose server is silent says so', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    expect(await refusal(`postgres://wasla@127.0.0.1:${port}/orders`)).toContain(
      `DATABASE_URL leads to 127.0.0.1:${port}/orders: nothing answers there.`,
    )
  })

  test('whose database is not there says how to make it', async () => {
    const url = connectionUrl(inDatabase(inject('testServer'), 'no_such_database'))
    const message = await refusal(url)
    expect(message).toContain('/no_such_database: the server has no database of that name.')
    expect(message).toContain('createdb')
  })

  systemTest('whose user is not known, or may not make tables, says so', async () => {
    const database = await createTestDatabase({ empty: true })
    onTestFinished(() => database.drop())
    const url = connectionUrl(database.connection)
    expect(await refusal(withUser(url, 'no_such_user'))).toMatch(
      /^DATABASE_URL leads to .*: the server (?:refuses|lets) this user/,
    )
    const role = `guest_${Date.now()}`
    await database.db.pool.query(`create role ${role} login`)
    try {
      expect(await refusal(withUser(url, role))).toContain('this user may not make tables there')
    } finally {
      await database.db.pool.query(`drop role ${role}`)
    }
  })

  test.each([
    [
      Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }),
      'nobody knows a host',
    ],
    [new Error('The server does not support SSL connections'), 'Take sslmode out'],
    [new Error('SASL: client password must be a string'), 'the URL has none'],
    [withCode('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'), CA],
    [withCode('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), CA],
    [withCode('unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), CA],
    [withCode('unable to get local issuer', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), CA],
    [
      withCode("Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID'),
      'is for another name',
    ],
    [
      new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED' })]),
      'nothing listens',
    ],
  ])('explains %s', (error, told) => {
    const { message } = explainDatabaseFault(error, 'postgres://u:hush@db.example.com:5432/wasla')
    expect(message).toContain('DATABASE_URL leads to db.example.com:5432/wasla: ')
    expect(message).toContain(told)
    expect(message).not.toContain('hush')
  })

  test('leaves what has another cause to say it by itself', () => {
    const error = new Error('0001_accounts.sql was changed after it had been applied')
    expect(explainDatabaseFault(error, 'postgres://u@h/d')).toBe(error)
  })
})
