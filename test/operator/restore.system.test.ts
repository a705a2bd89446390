/** A restored service does nothing until the operator chooses, and then only what the operator allows. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inboxOf } from '../support/inbox.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { messagesOf } from '../support/records/messages.ts'
import { addNotice } from '../support/records/notices.ts'
import { recordsIn } from '../support/records/records.ts'
import { putRun, runOf } from '../support/records/runs.ts'
import { addOpenWaysIn, openWaysIn } from '../support/records/ways-in.ts'
import { newPhone } from '../support/simulator.ts'

const folder = mkdtempSync(path.join(quickFolder(), 'wasla-restore-'))
const { world, whatsApp } = await openWhatsApp({ encryptionKeys: OPERATOR_KEYS })
const shop = await whatsApp.openShop()
/**
 * A backup with a run that has not begun, one that waits, a reply that was not sent and an event that was not
 * delivered yet.
 */
const phones = { queued: newPhone(), waiting: newPhone(), answered: newPhone() }
const runs = { queued: '', waiting: await shop.order(phones.waiting) }
await whatsApp.settle()
const inbox = inboxOf({ world, whatsApp }, shop)
const talk = await inbox.talk(phones.answered)
const agent = await inbox.member()
await agent.ask('POST', `${talk.path}/messages`, { key: 'reply', text: 'On its way' })
runs.queued = await shop.order(phones.queued)
const [pending] = await deliveriesOf(world, shop, { state: 'pending' })
const pendingId = pending!.eventId
// The machine of the backup had a clock ahead of that of the machine that restores it.
await putRun(world, runs.queued, { createdAt: new Date(Date.now() + HOUR_MS) })
await addNotice(world, shop, { kind: 'import_ended', mailDueAt: world.clock.now() })
await addOpenWaysIn(world, { ...shop, personId: agent.personId })
const file = path.join(folder, 'b.tar.gz')
const envOfWorld = settingsFor(world.database.connection, path.join(folder, 'data'))
await runOperator(envOfWorld, ['backup', file])
// After the backup the service continued: the template was sent, the event was delivered.
await whatsApp.settle()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
const delivered = (eventId: string) =>
  world.receiver.received.filter(({ event }) => event.id === `evt_${eventId.replaceAll('-', '')}`)

/** Creates an empty database with a separate data folder, which does not exist yet. */
async function emptyTarget() {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.drop())
  const dataFolder = path.join(folder, `data-${(targets += 1)}`)
  return { database, dataFolder, env: settingsFor(database.connection, dataFolder) }
}
let targets = 0

async function restored() {
  const { database, env } = await emptyTarget()
  const told = await runOperator(env, ['restore', file])
  expect(told.stderr).toBe('')
  expect(told.stdout).toContain('runs          1 queued, 0 running, 1 waiting')
  expect(told.stdout).toContain('messages      1 others')
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
    SIMULATOR_URL: whatsApp.simulator.baseUrl,
    // Everything in the backup is as old as it was when the world's clock stopped.
    CLOCK_AHEAD_MS: String(world.clock.now().getTime() - Date.now()),
  })
  onTestFinished(async () => void (await service.stop()))
  await service.start()
  return service
}

const statusOf = async ({ db }: TestDatabase, id: string) => (await runOf(recordsIn(db), id)).status

test('a restored service sends nothing until the operator decides; runs that are ended send nothing twice', async () => {
  const { database, env } = await restored()
  const sent = whatsApp.simulator.messages().length
  const before = delivered(pendingId).length
  const received = world.receiver.received.length
  const service = await startOn(env)
  await expect.poll(() => service.logged()).toContain('nothing is sent until')
  // The daemon polls once a second: it has polled again, and still nothing has moved.
  await pause(2_500)
  expect(whatsApp.simulator.messages()).toHaveLength(sent)
  expect(world.receiver.received).toHaveLength(received)
  expect((await runOperator(env, ['status'])).stdout).toMatch(
    /^sending +on hold since the restore/m,
  )

  const asked = await runOperator(env, ['resume'])
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('resume end-runs') })
  const told = await runOperator(env, ['resume', 'end-runs'])
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('2 runs ended as failed') })
  expect(told.stdout).toContain('1 other messages not sent')
  expect(told.stdout).toContain('1 notifications not emailed')
  // The same event is delivered again under the same id, and each run raises its event.
  await expect.poll(() => delivered(pendingId).length).toBe(before + 1)
  const failed = () => shop.events('flow.failed').map(({ data }) => (data.run as { id: string }).id)
  await expect.poll(() => failed().toSorted()).toEqual([runs.queued, runs.waiting].toSorted())
  expect(await statusOf(database, runs.queued)).toBe('failed')
  const replies = await messagesOf(recordsIn(database.db), {
    conversationId: talk.id,
    sender: 'staff',
  })
  expect(replies).toMatchObject([{ status: 'failed', errorCode: 'restored', dueAt: null }])
  expect(whatsApp.simulator.messages()).toHaveLength(sent)
  const nothing = await runOperator(env, ['resume', 'end-runs'])
  expect(nothing.stdout).toContain('Sending is not on hold')
})

test('sessions and links that were valid when the backup was made are invalid after it is restored', async () => {
  const { database } = await restored()
  expect(await openWaysIn(world)).toHaveLength(6)
  expect(await openWaysIn(recordsIn(database.db))).toEqual([])
})

test('runs continue from the backup when the operator says that nothing has run since', async () => {
  const { database, env } = await restored()
  const before = sentTo(phones.queued).length
  await startOn(env)
  expect(await runOperator(env, ['resume', 'go-on'])).toMatchObject({ code: 0 })
  await expect.poll(() => sentTo(phones.queued).length).toBe(before + 1)
  await expect.poll(() => statusOf(database, runs.queued)).toBe('waiting')
  expect(await statusOf(database, runs.waiting)).toBe('waiting')
})

test('a database with rows is refused and stays as it is', async () => {
  const told = await runOperator(envOfWorld, ['restore', file])
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(await statusOf(world.database, runs.queued)).toBe('waiting')
})

test('nothing is restored without the right keys', async () => {
  const { dataFolder, env } = await emptyTarget()
  const wrong = { ...env, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` }
  const told = await runOperator(wrong, ['restore', file])
  expect(told).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read with the available keys:[^]*key "k1"/),
  })
  const without = await runOperator({ ...env, ENCRYPTION_KEYS: '' }, ['restore', file])
  expect(without).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not contain the keys'),
  })
  expect(existsSync(dataFolder)).toBe(false)
  // The tables are as empty as before: the right keys restore into them.
  expect(await runOperator(env, ['restore', file])).toMatchObject({ code: 0 })
})

test('an embedded service is backed up while it runs, with its keys, and moves to another folder', async () => {
  const from = { DATA_FOLDER: path.join(folder, 'embedded'), PORT: '0', DEMONSTRATION: 'off' }
  const to = { ...from, DATA_FOLDER: path.join(folder, 'moved') }
  const owner = ['create-owner', 'sara@example.com', 'Sara', 'Sara’s shop']
  const service = createKillableService(from)
  onTestFinished(async () => void (await service.stop()))
  await service.start()
  expect(await runOperator(from, owner, 'a long password')).toMatchObject({ code: 0, stderr: '' })
  const backup = path.join(folder, 'embedded.tar.gz')
  const made = await runOperator(from, ['backup', backup])
  expect(made.stdout).toContain('It contains the data AND the encryption keys')
  const bare = await runOperator(from, ['backup', `${backup}.bare`, '--without-keys'])
  expect(bare.stdout).toContain('It does not contain the encryption keys')
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
})
