/** A forgotten password: the links that are mailed, what they do, and what an unauthenticated client learns. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openSetUp } from '../../src/modules/accounts/set-up.ts'
import type { OpenPasswordResetView, SignInView } from '../../src/contract/dashboard/session.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import type { Mail } from '../../src/infra/mail/mailer.ts'
import type { Language } from '../../src/core/vocabulary/hooks.ts'
import { apiRequest, signedIn, type Answer } from '../support/dashboard.ts'
import { createWorld } from '../support/test-service.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'
import { auditLog } from '../support/records/audit.ts'
import { describePerson } from '../support/records/members.ts'
import { askWith, EMAIL, PASSWORD, sessionOf, setUpOwner } from '../support/set-up.ts'

const NEW_PASSWORD = 'quite another password'

const mails: Mail[] = []
let mailFault: Error | null = null

beforeEach(() => {
  mails.length = 0
  mailFault = null
  world.clock.advance(16 * MINUTE_MS)
})

type Told = { token: string; code: string; reason: string }
const post = <Body = Told>(path: string, json: unknown) =>
  apiRequest<Body>(world.url, 'POST', path, { json })
const page = async () => (await apiRequest<SignInView>(world.url, 'GET', '/sign-in')).body

const world = await openWorld({
  mailer: {
    send(mail) {
      if (mailFault) return Promise.reject(mailFault)
      mails.push(mail)
      return Promise.resolve([])
    },
  },
})
await openSetUp(world.service.context, world.service.keyRing)
const doorBefore = await page()
await setUpOwner(world)
const request = (email = EMAIL) => post('/password-reset', { email })
const choose = (token: string, newPassword = NEW_PASSWORD) =>
  post('/password-reset/choose', { token, newPassword })
const signIn = (password: string) => post('/session', { email: EMAIL, password, client: 'program' })
const withoutIds = ({ status, body }: Answer<unknown>) => ({ status, body })

/** Requests a link and returns the token of its mail. */
async function linked(email = EMAIL): Promise<string> {
  const before = mails.length
  expect((await request(email)).status).toBe(204)
  await waitUntil('a mail', () => mails.length > before)
  return /\/new-password#([\w-]{43})/.exec(mails.at(-1)!.text)![1]!
}

async function speak(language: Language | null): Promise<void> {
  const { token } = (await signIn(PASSWORD)).body
  await askWith(world, token, 'PATCH', '/me', { language })
}

test('the pages before the sign-in show whether set-up is open and whether reset links are mailed', async () => {
  expect(doorBefore).toEqual({ isSetUpOpen: true, canResetPassword: true })
  expect(await page()).toEqual({ isSetUpOpen: false, canResetPassword: true })
})

describe('A forgotten password', () => {
  test('is replaced once, by a link that goes to the address, and every session ends', async () => {
    const { token: session } = (await signIn(PASSWORD)).body
    const token = await linked('owner@EXAMPLE.com')
    expect(mails[0]!.to).toEqual([EMAIL])
    const read = await post<OpenPasswordResetView>('/password-reset/read', { token })
    expect(read.body).toEqual({
      email: EMAIL,
      expiresAt: new Date(world.clock.now().getTime() + 30 * MINUTE_MS).toISOString(),
    })
    expect((await choose(token, 'too short')).status).toBe(422)
    const answers = await Promise.all([choose(token), choose(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
    expect((await askWith(world, session, 'GET', '/session')).status).toBe(401)
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn(NEW_PASSWORD)).status).toBe(201)
    expect((await choose(token)).body.reason).toBe('password_reset_over')
    const audit = await auditLog(world, { action: 'password.reset' })
    expect(audit).toMatchObject([{ actorKind: 'person', detail: null }])
    expect(world.logged.join('\n')).not.toContain(token)
  })

  test('is replaced within half an hour, by the newest link alone', async () => {
    const old = await linked()
    const token = await linked()
    expect((await choose(old)).status).toBe(404)
    world.clock.advance(30 * MINUTE_MS)
    expect((await choose(token)).status).toBe(404)
    expect((await post('/password-reset/read', { token })).status).toBe(404)
  })

  test('a link ends when the password is changed in the meantime', async () => {
    const token = await linked()
    const { body } = await signIn(NEW_PASSWORD)
    const json = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD }
    await askWith(world, body.token, 'POST', '/session/password', json)
    expect((await choose(token)).status).toBe(404)
  })

  test('the mail is in the language that the person chose, else in both', async () => {
    await linked()
    expect(mails[0]!.subject).toBe('Reset your password | إعادة تعيين كلمة المرور في وصلة')
    await speak('ar')
    await linked()
    expect(mails[1]!.subject).toBe('إعادة تعيين كلمة المرور في وصلة')
    expect(mails[1]!.text).not.toContain('Choose a new password')
    await speak('en')
    await linked()
    expect(mails[2]!.text).not.toMatch(/[\u0621-\u064A]/)
    await speak(null)
  })
})

describe('An unauthenticated client', () => {
  test('cannot find out which addresses are known, even while the mail server is unavailable', async () => {
    const known = withoutIds(await request())
    await waitUntil('a mail', () => mails.length === 1)
    expect(withoutIds(await request('nobody@example.com'))).toEqual(known)
    mailFault = new Error('away')
    expect(withoutIds(await request())).toEqual(known)
    await waitUntil('the log', () => world.logged.some((line) => line.includes('not mailed')))
    expect(mails).toHaveLength(1)
  })

  systemTest('gets three mails in 15 minutes to an address, twenty from a network', async () => {
    const statuses = async (email: () => string, times: number) => {
      const told = []
      for (let n = 0; n < times; n++) told.push((await request(email())).status)
      return told
    }
    expect(await statuses(() => EMAIL, 4)).toEqual([204, 204, 204, 429])
    // The limit counts known and unknown addresses alike.
    expect(await statuses(() => 'nobody@example.com', 4)).toEqual([204, 204, 204, 429])
    let n = 0
    expect((await statuses(() => `guess${n++}@example.com`, 15)).slice(-2)).toEqual([204, 429])
    // The limit does not affect people who know their password.
    expect((await signIn(PASSWORD)).status).toBe(201)
  })

  test('gets no link into an account whose member never verified the address', async () => {
    const accountId = (await sessionOf(world, (await signIn(PASSWORD)).body.token)).account.id
    const { personId } = await signedIn(world, { accountId, email: 'typo@example.com' })
    await describePerson(world, personId, { unverifiedInAccountId: accountId })
    expect((await request('typo@example.com')).status).toBe(204)
    await linked()
    expect(mails.map(({ to }) => to)).toEqual([[EMAIL]])
  })

  test.each(['', 'x', '\0', 'a'.repeat(43)])(
    'a link with the token %j opens nothing',
    async (token) => {
      expect((await choose(token)).status).toBe(404)
      expect((await post('/password-reset/read', { token })).status).toBe(404)
    },
  )
})

test('without a mail server the refusal says that the operator resets passwords', async () => {
  const bare = await createWorld()
  onTestFinished(() => bare.close())
  const signInView = await apiRequest<SignInView>(bare.url, 'GET', '/sign-in')
  expect(signInView.body.canResetPassword).toBe(false)
  const json = { email: EMAIL }
  const answer = await apiRequest<Told>(bare.url, 'POST', '/password-reset', { json })
  const body = { code: 'not_available', reason: 'password_reset_by_operator' }
  expect(answer).toMatchObject({ status: 404, body })
})
