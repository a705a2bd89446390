/** The sample of PgBouncer, started as it is but for addresses and files, between a service and its database. */
import { expect, onTestFinished, test } from 'vitest'
import { requireSessions } from '../../../src/infra/database/open-database.ts'
import { postHook } from '../../support/post-hook.ts'
import { addressOf } from '../../support/database-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { editSample, openFolder, startProgram, writeIn } from '../../support/installed-program.ts'
import { openKillableWorld, openSimulator } from '../../support/killable-world.ts'
import { startRelay } from '../../support/relay.ts'
import { createShops } from '../../support/shop.ts'
import { numberOf } from '../../support/simulator.ts'
import { waitUntil } from '../../support/wait.ts'

const folder = openFolder()
const { world, serve } = await openKillableWorld()

/** Starts PgBouncer in a mode. Returns the URL of the database behind it. */
async function startPooler(mode: 'session' | 'transaction'): Promise<string> {
  const port = await freePort()
  // The server of the tests listens at a socket of its account.
  const relay = await startRelay(addressOf(world.database.connection))
  const name = world.database.connection.database!
  const sample = editSample('pgbouncer.ini', [
    [
      'wasla = host=127.0.0.1 port=5432 dbname=wasla',
      `${name} = host=127.0.0.1 port=${relay.port} user=wasla`,
    ],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256', 'auth_type = trust'],
    ['/etc/pgbouncer/userlist.txt', writeIn(folder, 'userlist.txt', '"wasla" ""\n')],
    ['pool_mode = session', `pool_mode = ${mode}`],
  ])
  const file = writeIn(folder, `${mode}.ini`, sample)
  onTestFinished(await startProgram('pgbouncer', [file], { port, isUnprivileged: true }))
  return `postgres://wasla@127.0.0.1:${port}/${name}`
}

test('In the mode of the sample, two processes share the work of a hook', async () => {
  const settings = { DATABASE_URL: await startPooler('session') }
  const simulator = await openSimulator()
  const more = { ...settings, SIMULATOR_URL: simulator.baseUrl }
  const processes = [await serve(more), await serve(more)]
  const [shop] = await createShops(world, 1)
  simulator.addNumber(numberOf(shop!, processes[0]!.url))
  await Promise.all(processes.map((one) => one.start()))
  for (const [nth, { url }] of processes.entries()) {
    const customer = { name: 'Sara', phone: `+9665000000${nth}0`, language: 'en' }
    const answer = await postHook(`${url}/hooks/${shop!.hookToken}`, {
      customer,
      order: { number: '1' },
    })
    expect(answer.http).toBe(202)
  }
  await waitUntil('both templates', () => simulator.messages().length === 2, { withinMs: 20_000 })
})

test('In transaction mode the start is refused, with the reason', async () => {
  const connectionString = await startPooler('transaction')
  await expect(requireSessions({ connectionString })).rejects.toThrow(
    'let the pooler pool by session',
  )
  const service = await serve({ DATABASE_URL: connectionString })
  await expect(service.start()).rejects.toThrow('PgBouncer in transaction mode')
})
