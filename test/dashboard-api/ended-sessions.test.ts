/**
 * Work in progress when a session ends. The stream of live changes ends immediately: the clock does not move, so no
 * heartbeat ends it. A request whose body is incomplete is not carried out.
 */
import { beforeEach, expect, test } from 'vitest'
import { resetPassword } from '../../src/modules/accounts/reset-password.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { type Member, signedIn } from '../support/dashboard.ts'
import { listenLive } from '../support/live.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { holdLock } from '../support/records/locks.ts'
import { addMember, setRole } from '../support/records/members.ts'
import { endListening, endSessions, isSeenAt } from '../support/records/sessions.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { requestText, talk } from '../hooks/raw-http.ts'
import { askForSecondFactor } from '../support/records/accounts.ts'
import { waitUntil } from '../support/wait.ts'

let shop: Shop
let owner: Member
let boss: Member
const world = await openWorld()

beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  boss = await signedIn(world, shop)
})

const listen = (member: Member) => listenLive(world, member, shop.companyId)

test('a live stream ends by signing out; the streams of other sessions continue', async () => {
  const other = await listen(boss)
  const stream = await listen(owner)
  expect((await owner.ask('DELETE', '/session')).status).toBe(204)
  expect(await stream.ended()).toBe(true)
  expect(other.isOver()).toBe(false)
  other.close()
})

test('a live stream ends too if its session ends while it is being opened', async () => {
  const first = await listen(owner)
  const gate = await holdLock(world, 'looking companies up')
  const opening = listen(owner)
  await gate.blocks('its company is looked up')
  await endSessions(world, owner)
  expect(await first.ended()).toBe(true)
  await gate.release()
  expect(await (await opening).ended()).toBe(true)
})

test('a live stream ends when the role of its member changes', async () => {
  const stream = await listen(owner)
  await boss.ask('PATCH', `/members/${owner.memberId}`, { role: 'agent' })
  expect(await stream.ended()).toBe(true)
})

test('a live stream ends when the session switches to another account', async () => {
  const there = await createOwnShop(world)
  await addMember(world, there, owner)
  const stream = await listen(owner)
  await owner.ask('POST', '/session/account', { accountId: there.accountId })
  expect(await stream.ended()).toBe(true)
})

test('a live stream ends whichever process ended its session, as the operator’s command does', async () => {
  const stream = await listen(owner)
  const db = connectDatabase(world.database.connection)
  await resetPassword({ ...world.service.context, db }, { email: owner.email })
  await db.close()
  expect(await stream.ended()).toBe(true)
})

test('a live stream ends also when the signal is lost, because missed changes are looked up', async () => {
  const stream = await listen(owner)
  await endSessions(world, owner, { isTold: false })
  expect(stream.isOver()).toBe(false)
  expect(await endListening(world)).toBeGreaterThan(0)
  expect(await stream.ended()).toBe(true)
})

type Held = { method?: string; path: string; type: string; body: string }
const CONTACT: Held = { path: '/contacts', type: 'application/json', body: '{"name":"Sara"}' }
const FILE: Held = { path: '/files', type: 'application/octet-stream', body: 'hello' }

/** Sends a request without the last byte of its body, and that byte after `meanwhile`. Returns the status. */
async function hold(
  { token }: Member,
  { method = 'POST', path, type, body }: Held,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  world.clock.advance(2 * MINUTE_MS)
  const { responses } = await talk(world.url, (socket) => {
    const whole = path.startsWith('/api') ? path : `/api/companies/${shop.companyId}${path}`
    const head = requestText(whole, {
      method,
      isLast: true,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': type,
        'content-length': String(Buffer.byteLength(body)),
      },
    })
    socket.write(`${head}${body.slice(0, -1)}`)
    // The session records that it was looked up.
    void waitUntil('the session is looked up', () => isSeenAt(world, world.clock.now()))
      .then(meanwhile)
      .then(() => socket.write(body.slice(-1)))
  })
  return responses[0]!.status
}

test.each([CONTACT, FILE])(
  'a request whose body is still to come is done if its session stays: $path',
  async (held) => {
    expect(await hold(owner, held, () => Promise.resolve())).toBe(201)
  },
)

test.each([CONTACT, FILE])('a request is not done for an ended session: $path', async (held) => {
  const leaver = await signedIn(world, shop)
  expect(await hold(leaver, held, () => leaver.ask('DELETE', '/session'))).toBe(401)
})

test('a request is not done for a member who was removed or has another role', async () => {
  const removed = await signedIn(world, shop)
  const remove = () => owner.ask('DELETE', `/members/${removed.memberId}`)
  expect(await hold(removed, CONTACT, remove)).toBe(401)
  const demoted = await signedIn(world, shop)
  const demote = () => setRole(world, demoted, 'agent')
  expect(await hold(demoted, CONTACT, demote)).toBe(401)
})

test('a request that needs no second factor is done while one must still be set up', async () => {
  const late = await signedIn(world, shop)
  await askForSecondFactor(world, shop)
  const renamed = { ...CONTACT, method: 'PATCH', path: '/api/me', body: '{"name":"S"}' }
  expect(await hold(late, renamed, () => Promise.resolve())).toBe(200)
  expect(await hold(late, renamed, () => late.ask('DELETE', '/session'))).toBe(401)
})
