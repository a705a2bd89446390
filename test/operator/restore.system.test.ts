/** What a restored service does by itself, which is nothing, and what the operator lets it do. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/limits/units.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inboxOf } from '../support/inbox.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { PATIENCE } from '../support/patience.ts'

const SLOWLY = { timeout: 120_000 * PATIENCE }

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let folder: string
let file: string
const phones = { queued: newPhone(), waiting: newPhone(), answered: newPhone() }
const runs = { queued: '', waiting: '' }
let pendingId: string
const databases: TestDatabase[] = []
const services: KillableService[] = []

/**
 * A backup with a run that has not begun, one that waits, a reply that was not sent and an event that was not
 * delivered yet.
 */
beforeAll(async () => {
  folder = mkdtempSync(path.join(quickFolder(), 'wasla-restore-'))
  world = await createWorld({ encryptionKeys: OPERATOR_KEYS })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  runs.waiting = await shop.order(phones.waiting)
  await whatsApp.settle()
  const inbox = inboxOf({ world, whatsApp }, shop)
  const talk = await inbox.talk(phones.answered)
  const agent = await inbox.member()
  await agent.ask('POST', `${talk.path}/messages`, { key: 'reply', text: 'On its way' })
  runs.queued = await shop.order(phones.queued)
  const pending = await world.database.db.kysely
    .selectFrom('webhookDelivery')
    .select(['id', 'eventId'])
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  pendingId = pending.eventId
  // The machine of the backup had a clock that was ahead of the one that it is restored on.
  const ahead = new Date(Date.now() + HOUR_MS)
  await world.database.db.kysely
    .updateTable('flowRun')
    .set({ createdAt: ahead })
    .where('id', '=', runs.queued)
    .execute()
  const { ids, clock } = world.service.context
  const notice = { id: ids.uuid(), accountId: shop.accountId, companyId: shop.companyId }
  const told = { kind: 'import_ended', details: '{}', createdAt: clock.now() }
  await world.database.db.kysely
    .insertInto('notice')
    .values({ ...notice, ...told, mailDueAt: clock.now() })
    .execute()
  file = path.join(folder, 'b.tar.gz')
  const env = settingsFor(world.database.connection, path.join(folder, 'data'))
  await runOperator(env, ['backup', file])
  // After the backup the service worked on: the template went out, the event was delivered.
  await whatsApp.settle()
})
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
  for (const database of databases) await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
const delivered = (eventId: string) =>
  world.receiver.received.filter(({ event }) => event.id === `evt_${eventId.replaceAll('-', '')}`)

async function restored(): Promise<{ database: TestDatabase; env: Record<string, string> }> {
  const database = await createTestDatabase({ empty: true })
  databases.push(database)
  const env = settingsFor(database.connection, path.join(folder, `data-${databases.length}`))
  const told = await runOperator(env, ['restore', file])
  expect(told.stderr).toBe('')
  expect(told.stdout).toContain('runs          1 queued, 0 running, 1 waiting')
  expect(told.stdout).toContain('messages      1 besides')
  expect(told.stdout).toMatch(/deliveries {4}[1-9]\d* pending/)
  return { database, env }
}

async function startOn(env: Record<string, string>): Promise<KillableService> {
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  const service = createKillableService({
    ...env,
    PORT: '0',
    DEMONSTRATION: 'off',
    EGRESS_ALLOW: '127.0.0.0/8',
    EXTRA_CA_FILE: caFile,
    SIMULATOR_URL: whatsApp.simulator.graphBaseUrl,
    // Everything of the backup is as old as it was when the world's clock stood still.
    CLOCK_AHEAD_MS: String(world.clock.now().getTime() - Date.now()),
  })
  services.push(service)
  await service.start()
  return service
}

const statusOf = async (database: TestDatabase, id: string) =>
  (
    await database.db.kysely
      .selectFrom('flowRun')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

test(
  'a restored service sends nothing until the operator has chosen; runs that are ended send nothing twice',
  SLOWLY,
  async () => {
    const { database, env } = await restored()
    const sent = whatsApp.simulator.messages().length
    const before = delivered(pendingId).length
    const received = world.receiver.received.length
    const service = await startOn(env)
    await expect.poll(() => service.logged()).toContain('nothing is sent until')
    // The daemon asks once a second: it has asked again, and still nothing has moved.
    await pause(2_500)
    expect(whatsApp.simulator.messages()).toHaveLength(sent)
    expect(world.receiver.received).toHaveLength(received)
    expect((await runOperator(env, ['status'])).stdout).toMatch(/^sending +held since the restore/m)

    const asked = await runOperator(env, ['resume'])
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('resume end-runs') })
    const told = await runOperator(env, ['resume', 'end-runs'])
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('2 runs were ended') })
    expect(told.stdout).toContain('1 other messages are not sent')
    expect(told.stdout).toContain('1 notices are not mailed')
    // The same event goes out again under the same id; and each run's merchant is told.
    await expect.poll(() => delivered(pendingId).length).toBe(before + 1)
    await expect
      .poll(() =>
        shop
          .events('flow.failed')
          .map(({ data }) => (data.run as { id: string }).id)
          .toSorted(),
      )
      .toEqual([runs.queued, runs.waiting].toSorted())
    expect(await statusOf(database, runs.queued)).toBe('failed')
    const replies = await database.db.kysely
      .selectFrom('message')
      .select(['status', 'errorCode', 'dueAt'])
      .where('sender', '=', 'staff')
      .execute()
    expect(replies).toEqual([{ status: 'failed', errorCode: 'restored', dueAt: null }])
    expect(whatsApp.simulator.messages()).toHaveLength(sent)
    const nothing = await runOperator(env, ['resume', 'end-runs'])
    expect(nothing.stdout).toContain('Nothing is held')
  },
)

test(
  'runs go on where the backup found them when the operator says that nothing has worked since',
  SLOWLY,
  async () => {
    const { database, env } = await restored()
    const before = sentTo(phones.queued).length
    await startOn(env)
    expect(await runOperator(env, ['resume', 'go-on'])).toMatchObject({ code: 0 })
    await expect.poll(() => sentTo(phones.queued).length).toBe(before + 1)
    await expect.poll(() => statusOf(database, runs.queued)).toBe('waiting')
    expect(await statusOf(database, runs.waiting)).toBe('waiting')
  },
)

test('a database that holds rows is refused and stays as it is', SLOWLY, async () => {
  const env = settingsFor(world.database.connection, path.join(folder, 'data'))
  const told = await runOperator(env, ['restore', file])
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(await statusOf(world.database, runs.queued)).toBe('waiting')
})

test('without the right keys nothing is restored', SLOWLY, async () => {
  const database = await createTestDatabase({ empty: true })
  databases.push(database)
  const dataFolder = path.join(folder, 'data-keys')
  const env = settingsFor(database.connection, dataFolder)
  const wrong = { ...env, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` }
  const told = await runOperator(wrong, ['restore', file])
  expect(told).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read with the keys at hand:[^]*key "k1"/),
  })
  const without = await runOperator({ ...env, ENCRYPTION_KEYS: '' }, ['restore', file])
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no keys') })
  const accounts = await database.db.pool.query('select from account')
  expect(accounts.rowCount).toBe(0)
  expect(existsSync(dataFolder)).toBe(false)
  // The tables are as empty as before: the right keys restore into them.
  expect(await runOperator(env, ['restore', file])).toMatchObject({ code: 0 })
})

test(
  'an embedded service is backed up beside its work, with its keys, and moves to another folder',
  SLOWLY,
  async () => {
    const from = { DATA_FOLDER: path.join(folder, 'embedded'), PORT: '0', DEMONSTRATION: 'off' }
    const to = { ...from, DATA_FOLDER: path.join(folder, 'moved') }
    const owner = ['create-owner', 'sara@example.com', 'Sara', 'Sara’s shop']
    const service = createKillableService(from)
    services.push(service)
    await service.start()
    expect(await runOperator(from, owner, 'a long password')).toMatchObject({ code: 0, stderr: '' })
    const backup = path.join(folder, 'embedded.tar.gz')
    const made = await runOperator(from, ['backup', backup])
    expect(made.stdout).toContain('It holds the data AND the keys')
    const bare = await runOperator(from, ['backup', `${backup}.bare`, '--without-keys'])
    expect(bare.stdout).toContain('It does not hold the keys')
    expect(await runOperator(to, ['restore', backup])).toMatchObject({ code: 0, stderr: '' })
    const keys = (of: { DATA_FOLDER: string }) => path.join(of.DATA_FOLDER, 'encryption-keys')
    expect(readFileSync(keys(to), 'utf8')).toBe(readFileSync(keys(from), 'utf8'))
    expect(statSync(keys(to)).mode & 0o777).toBe(0o600)
    const listed = await runOperator(to, ['list-accounts'])
    expect(listed.stdout).toMatch(/ {2}business {2}Sara’s shop {2}sara@example.com/)
    const inTheWay = { ...to, DATA_FOLDER: path.join(folder, 'embedded') }
    expect(await runOperator(inTheWay, ['restore', backup])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another Wasla'),
    })
  },
)
