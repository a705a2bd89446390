import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../src/database/listen.ts'
import { hearing } from './hearing.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { systemTest } from '../support/system-tests.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const notify = (channel: string, payload: string) =>
  database.db.pool.query('select pg_notify($1, $2)', [channel, payload])

test('hears its channels and no others', async () => {
  const { heard, hear, until } = hearing()
  const listener = listen({
    ...database.connection,
    channels: ['due', 'Odd "name"'],
    onNotification: (channel, payload) => hear(`${channel}: ${payload}`),
    onReconnected: () => hear('reconnected'),
  })
  await listener.ready
  await notify('other', 'x')
  await notify('due', '1')
  await notify('Odd "name"', '')
  await until('Odd "name": ')
  expect(heard).toEqual(['due: 1', 'Odd "name": '])
  await listener.close()
})

test('is back after its connection was ended, says so, and hears again', async () => {
  const { heard, hear, until } = hearing()
  const listener = listen({
    ...database.connection,
    applicationName: 'wasla listener',
    channels: ['due'],
    onNotification: (channel, payload) => hear(`${channel}: ${payload}`),
    onReconnected: () => hear('reconnected'),
    onError: () => hear('lost'),
  })
  await listener.ready
  await database.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`,
    ['wasla listener'],
  )
  await until('reconnected')
  await notify('due', '2')
  await until('due: 2')
  expect(heard).toEqual(['lost', 'reconnected', 'due: 2'])
  await listener.close()
})

systemTest('a database that is away is asked again and again until close', async () => {
  const { hear, until } = hearing()
  let losses = 0
  const listener = listen({
    host: '/nonexistent/socket',
    user: 'wasla',
    database: 'wasla',
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => {},
    onError: () => hear(`loss ${++losses}`),
  })
  await until('loss 3')
  await listener.close()
  const lossesAtClose = losses
  await new Promise((resolve) => setImmediate(resolve))
  expect(losses).toBe(lossesAtClose)
})

test('can be closed before it is connected', async () => {
  const listener = listen({
    ...database.connection,
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => {},
  })
  await expect(listener.close()).resolves.toBeUndefined()
})
