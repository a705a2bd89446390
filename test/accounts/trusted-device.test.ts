/** Unauthenticated clients that try passwords keep out neither a known browser nor a session. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/modules/accounts/password.ts'
import { resetPassword } from '../../src/modules/accounts/reset-password.ts'
import { createSweepWorker } from '../../src/workers/sweep.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { apiRequest } from '../support/dashboard.ts'
import { addPerson, personWith } from '../support/records/members.ts'
import { waysInOf } from '../support/records/ways-in.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { EMAIL, PASSWORD, setUpOwner } from '../support/set-up.ts'
import { systemTest } from '../support/system-tests.ts'

const WRONG = 'not my password'

let world: World
beforeEach(async () => {
  world = await createWorld()
  await setUpOwner(world)
})
afterEach(() => world.close())

/** Sends a request as a browser with these cookies does. */
const ask = (method: string, path: string, cookies: string[], json?: unknown) => {
  const cookie = cookies.length > 0 ? { cookie: cookies.join('; ') } : {}
  return apiRequest(world.url, method, path, { json, headers: { origin: world.url, ...cookie } })
}
async function signIn(cookies: string[] = [], password = PASSWORD, email = EMAIL) {
  const answer = await ask('POST', '/session', cookies, { email, password })
  const set = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const named = (name: string) => set.find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
  return { status: answer.status, sid: named('sid'), device: named('device') }
}

const guess = async (times: number) => {
  for (let n = 0; n < times; n += 1) await signIn([], WRONG)
}
const confirm = async (cookies: string[], password = PASSWORD) =>
  (await ask('POST', '/session/confirm-password', cookies, { password })).status
const NEW_PASSWORD = 'another long password'
const changePassword = async (cookies: string[]) => {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  return (await ask('POST', '/session/password', cookies, change)).status
}
const devicesOfOwner = async () => {
  const { id } = await personWith(world, EMAIL)
  return (await waysInOf(world, { personId: id })).trusted_device
}

describe('wrong passwords for an address', () => {
  test('do not keep a signed-in person from entering or changing their own password', async () => {
    const { sid } = await signIn()
    await guess(6)
    expect((await signIn()).status).toBe(429)
    expect(await confirm([sid])).toBe(200)
    expect(await changePassword([sid])).toBe(200)
  })

  test('do not keep the person out of a browser in which they signed in before', async () => {
    const { device, sid } = await signIn()
    await ask('DELETE', '/session', [sid])
    await guess(20)
    expect((await signIn()).status).toBe(429)
    const again = await signIn([device])
    expect(again.status).toBe(201)
    // Each sign-in gives the browser a new token and ends the old one.
    expect(again.device).not.toBe(device)
    expect((await signIn([device])).status).toBe(429)
    expect((await signIn([again.device])).status).toBe(201)
    // Clients without the token are still refused.
    expect((await signIn()).status).toBe(429)
  })

  systemTest('are not counted when the service was too busy to check them', async () => {
    const { device, sid } = await signIn()
    let isOver = false
    const length = SIGN_IN_LIMITS.maxConcurrentHashes + SIGN_IN_LIMITS.hashesWaiting
    const crowd = Array.from({ length }, async () => {
      for (let n = 0; n < 100 && !isOver; n += 1) await hashPassword(PASSWORD).catch(() => null)
    })
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
  })

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

  systemTest('are forgotten when the clock was set back to before them', async () => {
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
    const { passwordHash } = await personWith(world, EMAIL)
    const email = 'other@example.com'
    await addPerson(world, { email, passwordHash })
    for (let n = 0; n < 5; n += 1) await signIn([device], WRONG, email)
    expect((await signIn([device], PASSWORD, email)).status).toBe(429)
  })

  systemTest('for 180 days, and is then forgotten', async () => {
    const { device } = await signIn()
    world.clock.advance(180 * DAY_MS)
    expect(await refusedWith(device)).toBe(429)
    const sweep = createSweepWorker(world.service.context)
    await sweep.work()
    expect(await devicesOfOwner()).toEqual([])
  })

  test("until the operator resets its person's password", async () => {
    const { device } = await signIn()
    const { password } = await resetPassword(world.service.context, { email: EMAIL })
    await guess(6)
    expect((await signIn([device], password)).status).toBe(429)
  })

  test('until its person changes the password in another browser', async () => {
    const [here, there] = [await signIn(), await signIn()]
    await changePassword([here.sid, here.device])
    await guess(6)
    expect((await signIn([there.device], NEW_PASSWORD)).status).toBe(429)
    expect((await signIn([here.device], NEW_PASSWORD)).status).toBe(201)
  })

  systemTest('by a token that is stored as a hash, the newest 20 for each person', async () => {
    const first = await signIn()
    for (let n = 0; n < SIGN_IN_LIMITS.devicesPerPerson; n += 1) {
      world.clock.advance(1)
      await signIn()
    }
    const devices = await devicesOfOwner()
    expect(devices).toHaveLength(SIGN_IN_LIMITS.devicesPerPerson)
    expect(JSON.stringify(devices)).not.toContain(first.device.slice('device='.length))
    expect(await refusedWith(first.device)).toBe(429)
  })

  test("only if it is a browser: a program's cookie has no effect", async () => {
    const { device } = await signIn()
    await guess(6)
    const json = { email: EMAIL, password: PASSWORD, client: 'program' }
    expect((await ask('POST', '/session', [device], json)).status).toBe(429)
  })
})
