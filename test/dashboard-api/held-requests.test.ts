/** A request whose body is still to come when the session ends: whoever is put out finishes nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { requestText, talk } from '../hooks/raw-http.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

type Held = { method?: string; path: string; type: string; body: string }
const CONTACT: Held = { path: '/contacts', type: 'application/json', body: '{"name":"Sara"}' }
const FILE: Held = { path: '/files', type: 'application/octet-stream', body: 'hello' }

/** Sends a request but for the last byte of its body; that one after `meanwhile`. Returns the status. */
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
    // That it was looked up is noted with the session.
    void waitUntil('the session is looked up', async () => {
      const sessions = world.database.db.kysely.selectFrom('session').select('id')
      return (await sessions.where('lastSeenAt', '=', world.clock.now()).execute()).length > 0
    })
      .then(meanwhile)
      .then(() => socket.write(body.slice(-1)))
  })
  return responses[0]!.status
}

test.each([CONTACT, FILE])('goes on with a session that stays: $path', async (held) => {
  expect(await hold(owner, held, () => Promise.resolve())).toBe(201)
})

test.each([CONTACT, FILE])('is not done for a session that has ended: $path', async (held) => {
  const leaver = await signedIn(world, { accountId: shop.accountId })
  expect(await hold(leaver, held, () => leaver.ask('DELETE', '/session'))).toBe(401)
})

test('is not done for a member who was taken out, or has another role', async () => {
  const removed = await signedIn(world, { accountId: shop.accountId })
  const remove = () => owner.ask('DELETE', `/members/${removed.memberId}`)
  expect(await hold(removed, CONTACT, remove)).toBe(401)
  const demoted = await signedIn(world, { accountId: shop.accountId })
  const member = world.database.db.kysely.updateTable('member').where('id', '=', demoted.memberId)
  expect(await hold(demoted, CONTACT, () => member.set({ role: 'agent' }).execute())).toBe(401)
})

test('is done while a second factor is still to be set up, where that is no matter', async () => {
  const late = await signedIn(world, { accountId: shop.accountId })
  await world.database.db.kysely.updateTable('account').set({ needsSecondFactor: true }).execute()
  const renamed = {
    method: 'PATCH',
    path: '/api/me',
    type: 'application/json',
    body: '{"name":"S"}',
  }
  expect(await hold(late, renamed, () => Promise.resolve())).toBe(200)
  expect(await hold(late, renamed, () => late.ask('DELETE', '/session'))).toBe(401)
})
