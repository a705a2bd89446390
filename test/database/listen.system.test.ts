/** The time until a listener is back. These tests measure real time. */
import { afterAll, expect, test, vi } from 'vitest'
import { KEEP_ALIVE } from '../../src/infra/database/node-locks.sql.ts'
import { listen } from '../../src/infra/database/listen.ts'
import { NODE_WATCH } from '../../src/core/limits/nodes.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { hearing } from './hearing.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

test('a listener is back before it counts as dead, however long the database was unavailable', async () => {
  // The longest possible delay is chosen.
  const chance = vi.spyOn(Math, 'random').mockReturnValue(1)
  const proxy = await createDatabaseProxy(database.connection)
  const { hear, until } = hearing()
  let losses = 0
  const listener = listen(proxy.connection, {
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => hear('reconnected'),
    onError: () => hear(`loss ${++losses}`),
  })
  await listener.ready
  proxy.shut()
  await until('loss 6')
  proxy.open()
  const openedMs = performance.now()
  await until('reconnected')
  expect(performance.now() - openedMs).toBeLessThan(NODE_WATCH.graceMs)
  await listener.close()
  await proxy.close()
  chance.mockRestore()
})

test('a silent connection, and with it the lock of a node, is given up before the server would do so', async () => {
  const proxy = await createDatabaseProxy(database.connection)
  const { hear, until } = hearing()
  const listener = listen(proxy.connection, {
    channels: ['due'],
    onNotification: () => {},
    onReconnected: () => hear('reconnected'),
  })
  await listener.ready
  const hushedMs = performance.now()
  proxy.hush()
  await until('reconnected')
  const serverGivesUpMs = (KEEP_ALIVE.idle + KEEP_ALIVE.count * KEEP_ALIVE.interval) * 1_000
  expect(performance.now() - hushedMs).toBeLessThan(serverGivesUpMs)
  await listener.close()
  await proxy.close()
})
