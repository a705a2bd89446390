import { afterAll, expect, test } from 'vitest'
import { listen } from '../../src/infra/database/listen.ts'
import type { Connection } from '../../src/infra/database/connect.ts'
import { hearing } from './hearing.ts'
import { createTestDatabase } from '../support/database.ts'
import { waitUntil } from '../support/wait.ts'
import { endConnections } from '../support/end-connections.ts'
import { countListening } from '../support/records/locks.ts'
import { systemTest } from '../support/system-tests.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const notify = (channel: string, payload: string) =>
  database.db.pool.query('select pg_notify($1, $2)', [channel, payload])

/** Starts a listener. Returns it with what it has heard, and a way to wait for more. */
function startListening(connection: Connection = { ...database.connection }) {
  const { heard, hear, until } = hearing()
  let losses = 0
  const listener = listen(connection, {
    channels: ['due', 'Odd "name"'],
    onNotification: (channel, payload) => hear(`${channel}: ${payload}`),
    onReconnected: () => hear('reconnected'),
    onError: (_error, isFirst) => hear(`loss ${(losses += 1)}${isFirst ? ', news' : ''}`),
  })
  return { listener, heard, until }
}

test('a listener hears its channels and no others', async () => {
  const { listener, heard, until } = startListening()
  await listener.ready
  await notify('other', 'x')
  await notify('due', '1')
  await notify('Odd "name"', '')
  await until('Odd "name": ')
  expect(heard).toEqual(['due: 1', 'Odd "name": '])
  await listener.close()
})

test('a listener whose session was closed reconnects, says so, and hears again', async () => {
  const { listener, heard, until } = startListening()
  await listener.ready
  await endConnections(database.db.pool, "query like 'listen%'")
  await until('reconnected')
  await notify('due', '2')
  await until('due: 2')
  expect(heard).toEqual(['loss 1, news', 'reconnected', 'due: 2'])
  await listener.close()
})

systemTest('an unavailable database is retried until close, and reported once', async () => {
  const nowhere = { host: '/nonexistent/socket', user: 'wasla', database: 'wasla' }
  const { listener, heard, until } = startListening(nowhere)
  await until('loss 3')
  await listener.close()
  expect(heard.slice(0, 3)).toEqual(['loss 1, news', 'loss 2', 'loss 3'])
  const heardAtClose = [...heard]
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual(heardAtClose)
})

test('listeners of one connection share a session, which ends with the last of them', async () => {
  const sessions = () => countListening(database.db)
  const connection = { ...database.connection }
  const [first, second] = [startListening(connection), startListening(connection)]
  await Promise.all([first.listener.ready, second.listener.ready])
  // One that joins a session that listens already hears as the others do.
  const late = startListening(connection)
  await late.listener.ready
  expect(await sessions()).toBe(1)
  await notify('due', '1')
  for (const { until } of [first, second, late]) await until('due: 1')
  await first.listener.close()
  await notify('due', '2')
  for (const { until } of [second, late]) await until('due: 2')
  expect(first.heard).toEqual(['due: 1'])
  await endConnections(database.db.pool, "query like 'listen%'")
  for (const { until } of [second, late]) await until('reconnected')
  await Promise.all([second.listener.close(), late.listener.close()])
  await waitUntil('the end of the session', async () => (await sessions()) === 0)
})

test('a listener can be closed before it is connected', async () => {
  const { listener } = startListening()
  await expect(listener.close()).resolves.toBeUndefined()
})
