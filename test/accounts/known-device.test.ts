/** Strangers who try passwords at the door keep nobody out who is known there, or inside already. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { openSetUp } from '../../src/accounts/set-up.ts'
import { resetPassword } from '../../src/accounts/reset-password.ts'
import { createSweepDuty } from '../../src/daemon/sweep.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { askApi } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'a long enough password'
const WRONG = 'not my password'

let world: World
beforeEach(async () => {
  world = await createWorld()
  const setupToken = await openSetUp(world.service.context)
  const owner = { email: EMAIL, name: 'Owner', password: PASSWORD, accountName: 'Shop' }
  await askApi(world.url, 'POST', '/setup', { json: { ...owner, setupToken, client: 'program' } })
})
afterEach(() => world.close())

type Body = { code: string; token: string | null }

/** Signs in as a browser that has these cookies. */
async function signIn(cookies: string[] = [], password = PASSWORD, email = EMAIL) {
  const answer = await askApi<Body>(world.url, 'POST', '/session', {
    json: { email, password },
    headers: {
      origin: world.url,
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    },
  })
  const set = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const named = (name: string) => set.find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
  return { status: answer.status, sid: named('sid'), device: named('device') }
}

const guess = async (times: number) => {
  for (let n = 0; n < times; n += 1) await signIn([], WRONG)
}
const ask = (method: string, path: string, cookies: string[], json?: unknown) =>
  askApi<Body>(world.url, method, path, {
    json,
    headers: { origin: world.url, cookie: cookies.join('; ') },
  })
const confirm = async (cookies: string[], password = PASSWORD) =>
  (await ask('POST', '/session/confirm-password', cookies, { password })).status

describe('wrong passwords for an address', () => {
  test('do not keep who is signed in from entering theirs again, or from changing it', async () => {
    const { sid } = await signIn()
    await guess(6)
    expect((await signIn()).status).toBe(429)
    expect(await confirm([sid])).toBe(200)
    const changed = await ask('POST', '/session/password', [sid], {
      currentPassword: PASSWORD,
      newPassword: 'another long password',
    })
    expect(changed.status).toBe(200)
  })

  test('do not keep the person out of a browser in which they signed in before', async () => {
    const { device, sid } = await signIn()
    await ask('DELETE', '/session', [sid])
    await guess(20)
    expect((await signIn()).status).toBe(429)
    const again = await signIn([device])
    expect(again.status).toBe(201)
    // Each sign-in gives the browser a new token; the old one is good for nothing.
    expect(again.device).not.toBe(device)
    expect((await signIn([device])).status).toBe(429)
    expect((await signIn([again.device])).status).toBe(201)
    // Strangers gain nothing by it.
    expect((await signIn()).status).toBe(429)
  })

  systemTest(
    'that were not looked at, as too many waited for theirs, count for nobody',
    async () => {
      const { device, sid } = await signIn()
      let isOver = false
      const crowd = Array.from(
        { length: SIGN_IN_LIMITS.hashesAtOnce + SIGN_IN_LIMITS.hashesWaiting },
        async () => {
          for (let n = 0; n < 100 && !isOver; n += 1) await hashPassword(PASSWORD).catch(() => null)
        },
      )
      for (let n = 0; n <= SIGN_IN_LIMITS.failuresPerDevice; n += 1) {
        expect((await signIn([device])).status).toBe(503)
        expect((await signIn()).status).toBe(503)
        expect(await confirm([sid])).toBe(503)
      }
      isOver = true
      await Promise.all(crowd)
      expect((await signIn()).status).toBe(201)
      expect(await confirm([sid])).toBe(200)
      expect((await signIn([device])).status).toBe(201)
    },
  )

  test('typed while signed in slow down that session alone', async () => {
    const [one, other] = [await signIn(), await signIn()]
    for (let n = 0; n < 5; n += 1) expect(await confirm([one.sid], WRONG)).toBe(401)
    expect(await confirm([one.sid])).toBe(429)
    expect(await confirm([other.sid])).toBe(200)
    expect((await signIn()).status).toBe(201)
    world.clock.advance(15 * MINUTE_MS)
    expect(await confirm([one.sid])).toBe(200)
  })

  systemTest('typed in a known browser slow down that browser alone', async () => {
    const { device } = await signIn()
    for (let n = 0; n < 5; n += 1) expect((await signIn([device], WRONG)).status).toBe(401)
    expect((await signIn([device])).status).toBe(429)
    expect((await signIn()).status).toBe(201)
  })

  test('are as many after the clock was put back: what lies ahead is forgotten', async () => {
    world.clock.advance(2 * HOUR_MS)
    await guess(5)
    expect((await signIn()).status).toBe(429)
    world.clock.advance(-2 * HOUR_MS)
    expect((await signIn()).status).toBe(201)
  })
})

describe('a browser is known', () => {
  const refusedWith = async (device: string) => {
    await guess(6)
    return (await signIn([device])).status
  }

  systemTest('for its own person only', async () => {
    const { device } = await signIn()
    const { kysely } = world.database.db
    const { passwordHash } = await kysely
      .selectFrom('person')
      .select('passwordHash')
      .executeTakeFirstOrThrow()
    const { ids, clock } = world.service.context
    const other = { id: ids.uuid(), email: 'other@example.com', passwordHash }
    await kysely
      .insertInto('person')
      .values({ ...other, createdAt: clock.now() })
      .execute()
    for (let n = 0; n < 5; n += 1) await signIn([device], WRONG, other.email)
    expect((await signIn([device], PASSWORD, other.email)).status).toBe(429)
  })

  systemTest('for 180 days, and is then forgotten', async () => {
    const { device } = await signIn()
    world.clock.advance(180 * DAY_MS)
    expect(await refusedWith(device)).toBe(429)
    const sweep = createSweepDuty(world.service.context)
    await sweep.work()
    const left = await world.database.db.kysely.selectFrom('knownDevice').select('id').execute()
    expect(left).toEqual([])
  })

  test('until the operator gives its person another password', async () => {
    const { device } = await signIn()
    const { password } = await resetPassword(world.service.context, { email: EMAIL })
    await guess(6)
    expect((await signIn([device], password)).status).toBe(429)
  })

  test('until its person chooses another password elsewhere', async () => {
    const [here, there] = [await signIn(), await signIn()]
    const newPassword = 'another long password'
    const change = { currentPassword: PASSWORD, newPassword }
    await ask('POST', '/session/password', [here.sid, here.device], change)
    await guess(6)
    expect((await signIn([there.device], newPassword)).status).toBe(429)
    expect((await signIn([here.device], newPassword)).status).toBe(201)
  })

  systemTest('by a token that is kept as its hash; of a person the newest 20', async () => {
    const first = await signIn()
    for (let n = 0; n < SIGN_IN_LIMITS.devicesPerPerson; n += 1) {
      world.clock.advance(1)
      await signIn()
    }
    const rows = await world.database.db.kysely.selectFrom('knownDevice').selectAll().execute()
    expect(rows).toHaveLength(SIGN_IN_LIMITS.devicesPerPerson)
    expect(JSON.stringify(rows)).not.toContain(first.device.slice('device='.length))
    expect(await refusedWith(first.device)).toBe(429)
  })

  test('no program is: its cookie counts for nothing', async () => {
    const { device } = await signIn()
    await guess(6)
    const answer = await askApi<Body>(world.url, 'POST', '/session', {
      json: { email: EMAIL, password: PASSWORD, client: 'program' },
      headers: { origin: world.url, cookie: device },
    })
    expect(answer.status).toBe(429)
  })
})
