/** The link of a start into its demonstration, and what a browser is told before anybody is signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { writeBanner } from '../../src/banner.ts'
import type { DashboardView } from '../../src/contract/dashboard/dashboard.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SessionView } from '../../src/contract/dashboard/session.ts'
import { DEMONSTRATION_COMPANY } from '../../src/demonstration/create-demonstration.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { start, type Started } from '../../src/start.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { askApi } from '../support/dashboard.ts'
import { connectionUrl } from '../support/service.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-link-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function startWith(env: Record<string, string> = {}) {
  const settings = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
    ...env,
  }
  const config = readConfig(settings, [], folder)
  const started = await start(config, () => {})
  onTestFinished(() => started.stop())
  return { started, banner: writeBanner(config, started) }
}

const urlOf = ({ port }: Started) => `http://127.0.0.1:${port}`

/** Opens the link as a browser does, whose page sends what is behind the `#`. */
async function enter(started: Started, token: string, headers: Record<string, string> = {}) {
  const origin = urlOf(started)
  const entered = await askApi(origin, 'POST', '/demonstration/session', {
    json: { token },
    headers: { origin, ...headers },
  })
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .join('; ')
  const ask = <Body = Problem>(method: string, target: string, json?: unknown) =>
    askApi<Body>(origin, method, target, { json, headers: { origin, cookie } })
  return { entered, cookie, ask }
}

const view = async (started: Started) =>
  (await askApi<DashboardView>(urlOf(started), 'GET', '/dashboard')).body

describe('The link that a start with the demonstration prints', () => {
  test('signs a browser in as the Owner of the demonstration, whose cookie no script reads', async () => {
    const { started, banner } = await startWith()
    const { linkToken, simulator } = started.demonstration!
    expect(banner).toContain(`  Dashboard    ${urlOf(started)}/welcome#${linkToken}\n`)
    expect(await view(started)).toMatchObject({
      needsSetUp: true,
      isDemonstration: true,
      phonesUrl: simulator.pageUrl,
    })
    const { entered, ask } = await enter(started, linkToken!)
    expect([entered.status, entered.body]).toEqual([201, { token: null }])
    const [sid] = entered.headers.getSetCookie()
    expect(sid).toMatch(/^sid=[\w-]{43};.*HttpOnly/)
    const session = await ask<SessionView>('GET', '/session')
    expect(session.body).toMatchObject({
      role: 'owner',
      isDemonstration: true,
      account: { name: 'Demonstration', plan: 'business' },
    })
    const companies = await ask<Page<CompanyView>>('GET', '/companies')
    expect(companies.body.items.map(({ id }) => id)).toEqual([DEMONSTRATION_COMPANY])
  })

  test('needs no password for what asks for one, however long ago it was opened; there is none to confirm', async () => {
    const { started } = await startWith()
    const { ask } = await enter(started, started.demonstration!.linkToken!)
    await database.db.kysely
      .updateTable('session')
      .set({ passwordEnteredAt: new Date('2020-01-01T00:00:00Z') })
      .execute()
    const made = await ask('POST', `/companies/${DEMONSTRATION_COMPANY}/endpoints`, {
      name: 'Mine',
      url: 'https://127.0.0.1:4082/mine',
      eventTypes: ['message.received'],
    })
    expect(made.status).toBe(201)
    // Nor one of the things that go with a password.
    const wants = (needsSecondFactor: boolean) =>
      database.db.kysely.updateTable('account').set({ needsSecondFactor }).execute()
    await wants(true)
    expect((await ask('GET', '/companies')).status).toBe(200)
    await wants(false)
    const confirmed = await ask('POST', '/session/confirm-password', { password: '' })
    expect(confirmed.body.code).toBe('sign_in_failed')
    const changed = { currentPassword: '', newPassword: 'a password of my own' }
    expect((await ask('POST', '/session/password', changed)).body.code).toBe('sign_in_failed')
    const signIn = { email: 'demonstration@wasla.invalid', password: '' }
    expect((await ask('POST', '/session', signIn)).body.code).toBe('sign_in_failed')
  })

  test('is of one start: that of another opens nothing, nor does a page of another site', async () => {
    const before = await startWith()
    const earlier = before.started.demonstration!.linkToken!
    await before.started.stop()
    const { started } = await startWith()
    for (const token of [earlier, '', 'x'.repeat(43)]) {
      const { entered, cookie } = await enter(started, token)
      expect([entered.status, entered.body, cookie]).toEqual([
        403,
        expect.objectContaining({ code: 'forbidden', reason: 'demonstration_link_wrong' }),
        '',
      ])
    }
    const { linkToken } = started.demonstration!
    const foreign = await enter(started, linkToken!, { origin: 'https://elsewhere.example' })
    expect(foreign.entered.body).toMatchObject({ code: 'wrong_origin' })
    expect((await enter(started, linkToken!)).entered.status).toBe(201)
  })

  test('leaves the set-up to be done, and who does it is an Owner of the demonstration too', async () => {
    const { started } = await startWith()
    await enter(started, started.demonstration!.linkToken!)
    const owner = { email: 'sara@example.com', password: 'a long enough password' }
    const json = { ...owner, name: 'Sara', accountName: 'Her shop', client: 'program' }
    const made = await askApi<{ token: string }>(urlOf(started), 'POST', '/setup', {
      json: { ...json, setupToken: started.setupToken },
    })
    expect(made.status).toBe(201)
    const headers = { authorization: `Bearer ${made.body.token}` }
    const session = await askApi<SessionView>(urlOf(started), 'GET', '/session', { headers })
    expect(session.body.accounts.map(({ name }) => name)).toEqual(['Her shop', 'Demonstration'])
    expect(session.body.isDemonstration).toBe(false)
    expect(await view(started)).toMatchObject({ needsSetUp: false, isDemonstration: true })
  })

  test.each<[string, Record<string, string>]>([
    ['the demonstration off', { DEMONSTRATION: 'off' }],
    ['an address that others reach', { BASE_URL: 'https://wasla.example' }],
    [
      'every address of this machine listened at',
      { HOST: '0.0.0.0', BASE_URL: 'http://localhost' },
    ],
  ])('is not there with %s, and who came by it before is signed out', async (_what, env) => {
    const before = await startWith()
    const link = before.started.demonstration!.linkToken!
    const { cookie } = await enter(before.started, link)
    await before.started.stop()
    const { started, banner } = await startWith(env)
    expect(banner).not.toContain('/welcome')
    expect(await view(started)).toMatchObject({ isDemonstration: false })
    const origin = new URL(('BASE_URL' in env ? env.BASE_URL : null) ?? urlOf(started)).origin
    const { entered } = await enter(started, link, { origin })
    expect(entered.status).toBe(403)
    const rows = await database.db.kysely
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'session.personId')
      .select('session.id')
      .where('person.isDemonstration', '=', true)
      .execute()
    expect(rows).toEqual([])
    const headers = { cookie }
    expect((await askApi(urlOf(started), 'GET', '/session', { headers })).status).toBe(401)
  })
})

test('In earnest the first line leads to the set-up of the first Owner, later to the dashboard', async () => {
  const own = await createTestDatabase()
  onTestFinished(() => own.drop())
  const env = { DEMONSTRATION: 'off', DATABASE_URL: connectionUrl(own.connection) }
  const first = await startWith(env)
  const { setupToken } = first.started
  expect(first.banner).toContain(`  Dashboard    ${urlOf(first.started)}/set-up#${setupToken}\n`)
  expect(await view(first.started)).toMatchObject({
    needsSetUp: true,
    isDemonstration: false,
    phonesUrl: null,
  })
  const owner = { email: 'sara@example.com', password: 'a long enough password' }
  const json = { ...owner, setupToken, name: 'Sara', accountName: 'Her shop' }
  await askApi(urlOf(first.started), 'POST', '/setup', { json })
  await first.started.stop()
  const second = await startWith(env)
  expect(second.banner).toContain(`  Dashboard    ${urlOf(second.started)}/\n`)
  expect(await view(second.started)).toMatchObject({ needsSetUp: false })
})
