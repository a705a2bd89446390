/** A start with a DATABASE_URL that does not work: the message says which setting is wrong, how, and what to do. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { explainDatabaseFault } from '../../src/infra/database/explain-database-fault.ts'
import { openDatabase } from '../../src/infra/database/open-database.ts'
import { inDatabase } from '../support/in-database.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/test-service.ts'
import { startPooler } from '../support/pooler.ts'
import { isMigrated } from '../support/strange-server.ts'
import { systemTest } from '../support/system-tests.ts'

const open = (databaseUrl: string, how = { skipsMigrations: false }) => {
  const config = { databaseUrl, databasePool: 4, dataFolder: '/nowhere' }
  return openDatabase(config, pino({ level: 'silent' }), how)
}

async function refusal(databaseUrl: string): Promise<string> {
  const error: unknown = await open(databaseUrl).then(
    (opened) => opened.close().then(() => new Error('it started')),
    (thrown: unknown) => thrown,
  )
  return (error as Error).message
}

const withUser = (url: string, user: string) =>
  url.replace(/^postgres:\/\/[^@/]*@/, `postgres://${user}@`)

/** No service listens at port 1, and the system never assigns it. */
const NOBODY_LISTENS = 'postgres://wasla:hush@127.0.0.1:1/orders'

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })
const CA = 'add sslrootcert=/path/to/ca.pem to the URL'

describe('A DATABASE_URL', () => {
  test('with a closed port is named by host, port and database, without its password', async () => {
    const message = await refusal(NOBODY_LISTENS)
    expect(message).toBe(
      `DATABASE_URL leads to 127.0.0.1:1/orders: nothing listens there. Is PostgreSQL running, and are host and port right?`,
    )
    // A command that opens its database as it is says the same.
    const asItIs = open(NOBODY_LISTENS, { skipsMigrations: true })
    await expect(asItIs).rejects.toThrow('/orders: nothing listens there.')
  })

  test('with a missing sslrootcert names the file', async () => {
    expect(await refusal('postgres://wasla@127.0.0.1:1/orders?sslrootcert=/no/ca.pem')).toBe(
      'DATABASE_URL leads to 127.0.0.1:1/orders: it names a file that cannot be read, /no/ca.pem.',
    )
  })

  systemTest('with a silent server says so', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    expect(await refusal(`postgres://wasla@127.0.0.1:${port}/orders`)).toContain(
      `DATABASE_URL leads to 127.0.0.1:${port}/orders: nothing answers there.`,
    )
  })

  test('with a missing database says how to create it', async () => {
    const url = connectionUrl(inDatabase(inject('testServer'), 'no_such_database'))
    const message = await refusal(url)
    expect(message).toContain('/no_such_database: the server has no database of that name.')
    expect(message).toContain('createdb')
  })

  systemTest('with a user who is unknown or may not create tables says so', async () => {
    const database = await createTestDatabase({ empty: true })
    onTestFinished(() => database.drop())
    const url = connectionUrl(database.connection)
    expect(await refusal(withUser(url, 'no_such_user'))).toMatch(
      /^DATABASE_URL leads to .*: (?:the server refuses this user|no rule of the server's pg_hba\.conf)/,
    )
    const role = `guest_${Date.now()}`
    await database.db.pool.query(`create role ${role} login`)
    onTestFinished(async () => void (await database.db.pool.query(`drop role ${role}`)))
    expect(await refusal(withUser(url, role))).toContain('this user may not make tables there')
  })

  systemTest(
    'through a transaction pooler is refused before any change; through a session pooler it is accepted',
    async () => {
      const database = await createTestDatabase({ empty: true })
      onTestFinished(() => database.drop())
      const byTransaction = connectionUrl(await startPooler(database.connection, 'transaction'))
      expect(await refusal(byTransaction)).toContain('let the pooler pool by session')
      expect(await isMigrated(database)).toBe(false)
      const bySession = connectionUrl(await startPooler(database.connection, 'session'))
      await (await open(bySession, { skipsMigrations: true })).close()
    },
  )

  test.each([
    [
      withCode('could not extend file: No space left on device', '53100'),
      'the disk of the server is full',
    ],
    [
      new Error('Migration 0001_accounts_and_people.sql failed: no room', {
        cause: withCode('', '53100'),
      }),
      'the disk of the server is full',
    ],
    [
      withCode('cannot execute CREATE TABLE in a read-only transaction', '25006'),
      'it can only be read',
    ],
    [withCode('getaddrinfo ENOTFOUND', 'ENOTFOUND'), 'there is no host of that name'],
    [new Error('The server does not support SSL connections'), 'Take sslmode out'],
    [new Error('SASL: client password must be a string'), 'the URL has none'],
    [withCode('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'), CA],
    [withCode('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), CA],
    [withCode('unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), CA],
    [withCode('unable to get local issuer', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), CA],
    [withCode('Hostname does not match', 'ERR_TLS_CERT_ALTNAME_INVALID'), 'is for another name'],
    [new AggregateError([withCode('', 'ECONNREFUSED')]), 'nothing listens'],
  ])('explains %s', (error, told) => {
    const { message } = explainDatabaseFault(error, 'postgres://u:hush@db.example.com:5432/wasla')
    expect(message).toContain('DATABASE_URL leads to db.example.com:5432/wasla: ')
    expect(message).toContain(told)
    expect(message).not.toContain('hush')
  })

  test('keeps the message of an error with another cause', () => {
    const error = new Error('0001_accounts_and_people.sql was changed after it had been applied')
    expect(explainDatabaseFault(error, 'postgres://u@h/d')).toBe(error)
  })
})
