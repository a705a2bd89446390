import { afterAll, expect, test } from 'vitest'
import { listen } from '../../src/infra/database/listen.ts'
import { hearing } from './hearing.ts'
import { createTestDatabase } from '../support/database.ts'
import { endConnections } from '../support/end-connections.ts'
import { systemTest } from '../support/system-tests.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const notify = (channel: string, payload: string) =>
  database.db.pool.query('select pg_notify($1, $2)', [channel, payload])

/** A listener, what it has heard, and when it is to hear something. */
function startListening(more: Partial<Parameters<typeof listen>[0]> = {}) {
  const { heard, hear, until } = hearing()
  let losses = 0
  const listener = listen({
    ...database.connection,
    channels: ['due', 'Odd "name"'],
    onNotification: (channel, payload) => hear(`${channel}: ${payload}`),
    onReconnected: () => hear('reconnected'),
    onError: (_error, isFirst) => hear(`loss ${(losses += 1)}${isFirst ? ', news' : ''}`),
    ...more,
  })
  return { listener, heard, until }
}

test('hears its channels and no others', async () => {
  const { listener, heard, until } = startListening()
  await listener.ready
  await notify('other', 'x')
  await notify('due', '1')
  await notify('Odd "name"', '')
  await until('Odd "name": ')
  expect(heard).toEqual(['due: 1', 'Odd "name": '])
  await listener.close()
})

test('is back after its connection was ended, says so, and hears again', async () => {
  const { listener, heard, until } = startListening({ applicationName: 'wasla listener' })
  await listener.ready
  await endConnections(database.db.pool, 'application_name = $1', ['wasla listener'])
  await until('reconnected')
  await notify('due', '2')
  await until('due: 2')
  expect(heard).toEqual(['loss 1, news', 'reconnected', 'due: 2'])
  await listener.close()
})

systemTest('a database that is away is asked again until close, and is news once', async () => {
  const nowhere = { host: '/nonexistent/socket', user: 'wasla', database: 'wasla' }
  const { listener, heard, until } = startListening(nowhere)
  await until('loss 3')
  await listener.close()
  expect(heard.slice(0, 3)).toEqual(['loss 1, news', 'loss 2', 'loss 3'])
  const heardAtClose = [...heard]
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual(heardAtClose)
})

test('can be closed before it is connected', async () => {
  const { listener } = startListening()
  await expect(listener.close()).resolves.toBeUndefined()
})
