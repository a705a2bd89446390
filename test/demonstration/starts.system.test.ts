/**
 * The shop of the first start, and the changes of a later start, which keeps what a member made. The link of a start
 * into its demonstration, and what a browser sees before a sign-in.
 */
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DEMONSTRATION_COMPANY } from '../../demonstration/create-demonstration.ts'
import { demonstrationFiles } from '../../demonstration/files.ts'
import { start, type Started } from '../../src/start.ts'
import { createEndpoint } from '../../src/modules/endpoints/create-endpoint.ts'
import { demonstrationConfig } from '../support/demonstration.ts'
import { getPage, readText } from '../support/pages.ts'
import {
  addAccount,
  addCompany,
  askForSecondFactor,
  companyOf,
} from '../support/records/accounts.ts'
import { addBookingPage } from '../support/records/appointments.ts'
import { channelsOf, putChannel } from '../support/records/channels.ts'
import { endpointsOf } from '../support/records/endpoints.ts'
import { flowsOf, unpublishFlow } from '../support/records/flows.ts'
import { recordsIn } from '../support/records/records.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { ServiceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { ConversationView } from '../../src/contract/dashboard/conversation.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { SAMPLE_PEOPLE } from '../../demonstration/sample-people.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { readConfig } from '../../src/app/config.ts'
import type { DashboardView } from '../../src/contract/dashboard/dashboard.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { SessionView } from '../../src/contract/dashboard/session.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { personWith } from '../support/records/members.ts'
import { putSessions, waysInOf } from '../support/records/ways-in.ts'
import { sessionOf } from '../support/set-up.ts'

const shop = { companyId: DEMONSTRATION_COMPANY }

test('a member’s endpoint stays as it is when the receiver gets another port or a new secret', async () => {
  const { config, database } = await demonstrationConfig()
  const first = await start(config, () => {})
  const own = { name: 'My shop', url: 'https://127.0.0.1:4443/my-shop' }
  const { db, ids, clock } = first.service.context
  await transaction(db, (tx) =>
    createEndpoint(
      tx,
      { ids, keyRing: first.service.keyRing, now: clock.now() },
      { companyId: DEMONSTRATION_COMPANY, ...own, eventTypes: ['ping'] },
    ),
  )
  await first.stop()
  const endpointsAt = async (port: number) => {
    const endpoints = await endpointsOf(recordsIn(database.db), shop)
    const url = `https://127.0.0.1:${port}/webhooks/wasla`
    expect(endpoints).toMatchObject([{ name: 'Demonstration receiver', url }, own])
  }
  const firstPort = first.demonstration!.receiver.port

  // The port may be the same again by chance, which would show nothing.
  let second = await start(config, () => {})
  if (second.demonstration!.receiver.port === firstPort) {
    await second.stop()
    second = await start(config, () => {})
  }
  await endpointsAt(second.demonstration!.receiver.port)
  await second.stop()

  rmSync(demonstrationFiles(config.dataFolder).secretFile)
  const third = await start(config, () => {})
  await endpointsAt(third.demonstration!.receiver.port)
  await third.stop()
})

test('the booking page gets another address if its word is taken, and the first screen shows it', async () => {
  const { config, database } = await demonstrationConfig()
  const records = recordsIn(database.db)
  const accountId = await addAccount(records, { name: 'Earlier' })
  await addBookingPage(records, await addCompany(records, { accountId }), 'demonstration')

  const started = await start(config, () => {})
  const slug = started.demonstration!.bookingSlug!
  expect(slug).toMatch(/^demonstration-[0-9a-f]{12}$/)
  const url = `http://127.0.0.1:${started.port}/b/${slug}`
  const answer = await getPage(url)
  expect(answer.status).toBe(200)
  expect(readText(answer.text)).toContain('Demonstration shop')
  expect(writeBanner(config, started)).toContain(`/b/${slug}\n`)
  await started.stop()
})

test('a number that a member has deleted stays deleted, and later starts work as usual', async () => {
  const { config, database } = await demonstrationConfig()
  await (await start(config, () => {})).stop()
  // A member leaves it like this after deleting the flows, and then the number.
  const gone = { deletedAt: new Date(), isConnected: false, credentials: '' }
  const records = recordsIn(database.db)
  for (const { id } of await flowsOf(records, shop)) await unpublishFlow(records, { flowId: id })
  const numbers = async () =>
    (await channelsOf(records, shop)).filter(({ type }) => type === 'whatsapp')
  for (const { id } of await numbers()) await putChannel(records, id, gone)

  const second = await start(config, () => {})
  expect((await getPage(second.demonstration!.simulators.pageUrl)).status).toBe(200)
  const phones = await getPage(`${second.demonstration!.simulators.pageUrl}/api/phones`)
  expect(JSON.parse(phones.text)).toMatchObject({ numbers: [] })
  await second.stop()
  rmSync(demonstrationFiles(config.dataFolder).secretFile)
  await (await start(config, () => {})).stop()
  expect(await numbers()).toMatchObject([{ isConnected: false, credentials: '' }])
})

const WITHIN = { timeout: 30_000 * TIMEOUT_FACTOR }
const NEW_CUSTOMER = '12025550175'

test('the first start has sample customers to work with, and a later one has the same', async () => {
  const { config } = await demonstrationConfig()
  const received: string[] = []
  const first = await start(config, (line) => received.push(line))
  const { whatsApp: simulator } = first.demonstration!.simulators
  const world = { service: first.service, url: `http://127.0.0.1:${first.port}` }
  const { accountId } = await companyOf(world, shop)
  const agent = await signedIn(world, { accountId, role: 'agent' })
  const at = `/companies/${DEMONSTRATION_COMPANY}`
  const get = async <Item>(query: string) =>
    (await agent.ask<Page<Item>>('GET', `${at}/${query}`)).body.items

  const people = await get<ContactView>('contacts')
  expect(people.map(({ name }) => name)).toEqual(SAMPLE_PEOPLE.map(({ name }) => name).toReversed())
  expect(people.filter(({ optedOut }) => optedOut)).toHaveLength(1)
  const waiting = await get<ConversationView>('conversations?tab=unassigned')
  const reasons = waiting.map(({ handover }) => handover?.reason)
  expect(reasons).toEqual(['flow_handover', 'flow_handover'])
  expect(await get<LeadView>('leads?sort=best')).toMatchObject([
    { status: 'qualified', source: 'flow' },
    { status: 'open', source: 'flow' },
  ])
  const services = await get<ServiceView>('services')
  expect(services.map(({ canBeBooked }) => canBeBooked)).toEqual([true, true])
  const owner = await signedIn(world, { accountId })
  const drafts = await owner.ask<Page<BroadcastView>>('GET', `${at}/broadcasts`)
  const [draft] = drafts.body.items
  const check = await owner.ask('POST', `${at}/broadcasts/${draft!.id}/check`)
  expect(check.body).toMatchObject({ problems: [], contacts: 2 })
  expect(received).toEqual([])

  // The simulator knows that they have written: a reply reaches them.
  const text = 'نعتذر، القطع الناقصة تصلك غدًا.'
  const { id } = waiting.at(-1)!
  await agent.ask('POST', `${at}/conversations/${id}/messages`, { key: 'k', text })
  const reply = () => simulator.messages().find((message) => message.text === text)?.status
  await expect.poll(reply, WITHIN).toBe('read')

  simulator.answerByHand({ from: NEW_CUSTOMER, isByHand: true })
  const said = () => simulator.messages().findLast(({ to }) => to === NEW_CUSTOMER)?.text
  simulator.sendText({ from: NEW_CUSTOMER, text: 'أريد عرض سعر' })
  await expect.poll(said, WITHIN).toMatch(/ماذا تريد/)
  simulator.sendText({ from: NEW_CUSTOMER, text: '١' })
  const hasLeadEvent = () => received.some((line) => line.includes('lead.qualified'))
  await expect.poll(hasLeadEvent, WITHIN).toBe(true)
  await first.stop()

  const second = await start(config, () => {})
  const contacts = await contactsOf(second, shop)
  expect(contacts).toHaveLength(SAMPLE_PEOPLE.length + 1)
  await second.stop()
})

const { settings, folder } = await demonstrationConfig(afterAll)

async function startWith(env: Record<string, string> = {}) {
  const config = readConfig({ ...settings, ...env }, [], folder)
  const started = await start(config, () => {})
  onTestFinished(() => started.stop())
  return { started, banner: writeBanner(config, started) }
}

const urlOf = ({ port }: Started) => `http://127.0.0.1:${port}`

/** Opens the link like a browser, whose page sends the part after the `#`. */
async function enter(started: Started, token: string, headers: Record<string, string> = {}) {
  const origin = urlOf(started)
  const entered = await apiRequest(origin, 'POST', '/demonstration/session', {
    json: { token },
    headers: { origin, ...headers },
  })
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .join('; ')
  const ask = <Body = Problem>(method: string, target: string, json?: unknown) =>
    apiRequest<Body>(origin, method, target, { json, headers: { origin, cookie } })
  return { entered, cookie, ask }
}

const view = async (started: Started) =>
  (await apiRequest<DashboardView>(urlOf(started), 'GET', '/dashboard')).body

describe('The link that a start with the demonstration prints', () => {
  test('signs a browser in as the Owner of the demonstration, with a cookie that no script can read', async () => {
    const { started, banner } = await startWith()
    const { linkToken, simulators } = started.demonstration!
    expect(banner).toContain(`  Dashboard    ${urlOf(started)}/welcome#${linkToken}\n`)
    expect(await view(started)).toMatchObject({
      needsSetUp: true,
      isDemonstration: true,
      phonesUrl: simulators.pageUrl,
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

  test('names the shop and its flows in the language of the browser, and keeps names that a member changed', async () => {
    const { started } = await startWith()
    const { linkToken } = started.demonstration!
    const inArabic = { 'accept-language': 'ar' }
    const first = await enter(started, linkToken!, inArabic)
    const at = `/companies/${DEMONSTRATION_COMPANY}`
    type Named = { items: { id: string; name: string }[] }
    const names = async ({ ask }: typeof first, path: string) =>
      (await ask<Named>('GET', `${at}/${path}`)).body.items.map(({ name }) => name)
    expect(await names(first, 'flows')).toContain('متى تفتحون؟')
    expect(await names(first, 'channels')).toContain('رقم واتساب للمحاكاة')
    const flows = (await first.ask<Named>('GET', `${at}/flows`)).body.items
    const hours = flows.find(({ name }) => name === 'متى تفتحون؟')!.id
    const said = async () =>
      JSON.stringify((await first.ask<object>('GET', `${at}/flows/${hours}`)).body)
    expect(await said()).toContain('المتجر مغلق الآن')
    const endpoint = (await first.ask<Named>('GET', `${at}/endpoints`)).body.items[0]!
    expect(endpoint.name).toBe('مستقبِل العرض التجريبي')
    await first.ask('PATCH', `${at}/endpoints/${endpoint.id}`, { name: 'Ours' })
    // The Owner chooses another language, without entering again.
    await first.ask('PATCH', '/me', { language: 'en' })
    expect(await names(first, 'flows')).toContain('When are you open?')
    expect(await names(first, 'endpoints')).toEqual(['Ours'])
    expect(await said()).toContain('We are closed now')
    for (const text of [await names(first, 'flows'), await names(first, 'channels')].flat()) {
      expect(text).not.toMatch(/\p{Script=Arabic}/u)
    }
  })

  test('never needs a password, however long ago it was opened; there is none to confirm', async () => {
    const { started } = await startWith()
    const { ask } = await enter(started, started.demonstration!.linkToken!)
    await putSessions(started, { passwordEnteredAt: new Date('2020-01-01T00:00:00Z') })
    const made = await ask('POST', `/companies/${DEMONSTRATION_COMPANY}/endpoints`, {
      name: 'Mine',
      url: 'https://127.0.0.1:4082/mine',
      eventTypes: ['message.received'],
    })
    expect(made.status).toBe(201)
    // It does not need anything that comes with a password either.
    const account = await companyOf(started, { companyId: DEMONSTRATION_COMPANY })
    await askForSecondFactor(started, account)
    expect((await ask('GET', '/companies')).status).toBe(200)
    await askForSecondFactor(started, account, false)
    const confirmed = await ask('POST', '/session/confirm-password', { password: '' })
    expect(confirmed.body.code).toBe('sign_in_failed')
    const changed = { currentPassword: '', newPassword: 'a password of my own' }
    expect((await ask('POST', '/session/password', changed)).body.code).toBe('sign_in_failed')
    const signIn = { email: 'demonstration@wasla.invalid', password: '' }
    expect((await ask('POST', '/session', signIn)).body.code).toBe('sign_in_failed')
  })

  test('works for one start: the link of another start or a page of another site opens nothing', async () => {
    const before = await startWith()
    const earlier = before.started.demonstration!.linkToken!
    await before.started.stop()
    const { started } = await startWith()
    for (const token of [earlier, '', 'x'.repeat(43)]) {
      const { entered, cookie } = await enter(started, token)
      const body = { code: 'forbidden', reason: 'demonstration_link_wrong' }
      expect(entered).toMatchObject({ status: 403, body })
      expect(cookie).toBe('')
    }
    const { linkToken } = started.demonstration!
    const foreign = await enter(started, linkToken!, { origin: 'https://elsewhere.example' })
    expect(foreign.entered.body).toMatchObject({ code: 'wrong_origin' })
    expect((await enter(started, linkToken!)).entered.status).toBe(201)
  })

  test('leaves the set-up open, which makes the person who does it an Owner of the demonstration too', async () => {
    const { started } = await startWith()
    await enter(started, started.demonstration!.linkToken!)
    const owner = { email: 'sara@example.com', password: 'a long enough password' }
    const json = { ...owner, name: 'Sara', accountName: 'Her shop', client: 'program' }
    const made = await apiRequest<{ token: string }>(urlOf(started), 'POST', '/setup', {
      json: { ...json, setupToken: started.setupToken },
    })
    expect(made.status).toBe(201)
    const session = await sessionOf({ url: urlOf(started) }, made.body.token)
    expect(session.accounts.map(({ name }) => name)).toEqual(['Her shop', 'Demonstration'])
    expect(session.isDemonstration).toBe(false)
    expect(await view(started)).toMatchObject({ needsSetUp: false, isDemonstration: true })
  })

  test.each<[string, Record<string, string>]>([
    ['the demonstration off', { DEMONSTRATION: 'off' }],
    ['an address that others reach', { BASE_URL: 'https://wasla.example' }],
    ['every address of this machine', { HOST: '0.0.0.0', BASE_URL: 'http://localhost' }],
  ])('is missing with %s, and sessions that it opened before end', async (_what, env) => {
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
    const { id: personId } = await personWith(started, 'demonstration@wasla.invalid')
    expect((await waysInOf(started, { personId })).session).toEqual([])
    const headers = { cookie }
    expect((await apiRequest(urlOf(started), 'GET', '/session', { headers })).status).toBe(401)
  })
})

test('The first line of a real start leads to the set-up of the first Owner, later to the dashboard', async () => {
  const own = await demonstrationConfig()
  const env = { ...own.settings, DEMONSTRATION: 'off' }
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
  await apiRequest(urlOf(first.started), 'POST', '/setup', { json })
  await first.started.stop()
  const second = await startWith(env)
  expect(second.banner).toContain(`  Dashboard    ${urlOf(second.started)}/\n`)
  expect(await view(second.started)).toMatchObject({ needsSetUp: false })
})
