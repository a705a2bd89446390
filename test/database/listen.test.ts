import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { KEEP_ALIVE } from '../../src/database/claiming-nodes.sql.ts'
import { listen } from '../../src/database/listen.ts'
import { NODE_WATCH } from '../../src/limits/nodes.ts'
import { createDatabaseDoor } from '../support/database-door.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** What was heard so far, and a way to wait for the next of it. */
function hearing() {
  const heard: string[] = []
  const waiting: { line: string; resolve: () => void }[] = []
  return {
    heard,
    hear(line: string) {
      heard.push(line)
      for (const waiter of waiting) if (waiter.line === line) waiter.resolve()
    },
    async until(line: string): Promise<void> {
      if (heard.includes(line)) return
      await new Promise<void>((resolve) => waiting.push({ line, resolve }))
    },
  }
}

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

test('a database that is away is asked again and again until close', async () => {
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

test('is back before it is taken for dead, however long the database was away', async () => {
  // As unlucky as can be.
  const chance = vi.spyOn(Math, 'random').mockReturnValue(1)
  const door = await createDatabaseDoor(database.connection)
  const { hear, until } = hearing()
  let losses = 0
  const listener = listen({
    ...door.connection,
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => hear('reconnected'),
    onError: () => hear(`loss ${++losses}`),
  })
  await listener.ready
  door.shut()
  await until('loss 6')
  door.open()
  const openedMs = performance.now()
  await until('reconnected')
  expect(performance.now() - openedMs).toBeLessThan(NODE_WATCH.graceMs)
  await listener.close()
  await door.close()
  chance.mockRestore()
})

test('a connection that falls silent is left before the server would give it up, and with it the lock of a node', async () => {
  const door = await createDatabaseDoor(database.connection)
  const { hear, until } = hearing()
  const listener = listen({
    ...door.connection,
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => hear('reconnected'),
  })
  await listener.ready
  const hushedMs = performance.now()
  door.hush()
  await until('reconnected')
  const serverGivesUpMs = (KEEP_ALIVE.idle + KEEP_ALIVE.count * KEEP_ALIVE.interval) * 1_000
  expect(performance.now() - hushedMs).toBeLessThan(serverGivesUpMs)
  await listener.close()
  await door.close()
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
