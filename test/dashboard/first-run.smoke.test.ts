/**
 * The start as a newcomer sees it: the pages before the sign-in, the way from the printed link to the first event,
 * and untrusted input in every field.
 */
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { DEMONSTRATION_BODY } from '../../src/banner.ts'
import type { ServiceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { runStatusWords } from '../../src/core/words/run-status-words.ts'
import { appWords } from '../../src/dashboard/frame/words.ts'
import { homeWords } from '../../src/dashboard/home/words.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import { logWords } from '../../src/dashboard/webhooks/words-log.ts'
import { webhooksWords } from '../../src/dashboard/webhooks/words.ts'
import {
  DEMONSTRATION_ACCOUNT,
  DEMONSTRATION_COMPANY,
} from '../../demonstration/create-demonstration.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { start } from '../../src/start.ts'
import { postHook } from '../support/post-hook.ts'
import { startBrowser } from '../support/browser.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { findFlaws, firstOf, HOSTILE, openDashboard } from '../support/dashboard-page.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { filesOf } from '../support/records/files.ts'
import { writeEverywhere } from '../support/records/written.ts'
import { spokenIn } from '../support/spoken.ts'
import { demonstrationConfig } from '../support/demonstration.ts'
import { openSetUp } from '../../src/modules/accounts/set-up.ts'
import { codeAt, timeStepAt } from '../../src/modules/accounts/totp.ts'
import type { Mail } from '../../src/infra/mail/mailer.ts'
import { openWorld } from '../support/open-world.ts'
import { accountNamed, askForSecondFactor } from '../support/records/accounts.ts'
import { fill, follow, press, sees } from '../support/page-steps.ts'

const received: string[] = []

const { config } = await demonstrationConfig(afterAll)
const browser = await startBrowser()
const started = await start(config, (line) => received.push(line))
const url = `http://127.0.0.1:${started.port}`
const shown = { service: started.service, url }
const accountId = DEMONSTRATION_ACCOUNT
const companyId = DEMONSTRATION_COMPANY
afterAll(async () => {
  await browser.close()
  await started.stop()
})

/** A newcomer without a session, who follows the link of the start. */
async function openLink(link: string, locale: string): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${url}/welcome#${link}`)
  await page.waitForURL(`**/p/${companyId}`)
  return { page, faults }
}

test.each([
  { language: 'en', phone: '+12025550171' },
  { language: 'ar', phone: '+12025550172' },
] as const)('from the link to the first event: $language', async ({ language, phone }) => {
  const link = await started.service.demonstrationLink.open(accountId)
  const { page, faults } = await openLink(link, language === 'ar' ? 'ar' : 'en-GB')
  const say = spokenIn(language)
  await page.getByRole('heading', { name: say(homeWords, 'demonstration') }).waitFor()
  expect(await findFlaws(page)).toEqual([])

  // The request of the banner starts a run; the simulated customer taps automatically.
  const hookUrl = `${url}/hooks/${started.demonstration!.hookToken}`
  const customer = { ...DEMONSTRATION_BODY.customer, name: `Sara ${language}`, phone, language }
  received.length = 0
  expect((await postHook(hookUrl, { ...DEMONSTRATION_BODY, customer })).http).toBe(202)
  const opens = (what: 'see_run' | 'break_receiver') =>
    page.getByRole('link', { name: `${homeWords[language].open}: ${homeWords[language][what]}` })
  await opens('see_run').click()
  const run = page.getByRole('row').filter({ hasText: `Sara ${language}` })
  await sees(run, say(runStatusWords, 'completed'))
  await run.getByRole('link').first().click()
  await page.getByRole('list', { name: say(runsWords, 'steps') }).waitFor()

  // Its events arrived at the shop's receiver, and are shown as delivered.
  await expect.poll(() => received.some((line) => line.includes('flow.completed'))).toBe(true)
  await firstOf(page, 'link', say(appWords, 'webhooks')).click()
  await follow(page, say(webhooksWords, 'all_deliveries'))
  const rows = page.getByRole('table', { name: say(logWords, 'list') }).locator('tbody tr')
  await sees(rows.filter({ hasText: 'flow.completed' }).first(), say(logWords, 'delivered'))

  // The member plays the customer, on a simulated phone in another tab.
  await firstOf(page, 'link', say(appWords, 'home')).click()
  const phonesLink = page.getByRole('link', { name: new RegExp(homeWords[language].be_customer) })
  expect(await phonesLink.getAttribute('target')).toBe('_blank')
  const phones = await page.context().newPage()
  await phones.goto(new URL((await phonesLink.getAttribute('href'))!, page.url()).href)
  await phones
    .getByRole('button', { name: new RegExp(phone.slice(-3)) })
    .first()
    .click()
  await phones.getByLabel('Customer’s message').fill(language === 'ar' ? 'مساعدة' : 'help')
  await press(phones, /^Send$/)
  // The number of waiting conversations follows its name.
  await firstOf(page, 'link', new RegExp(`^${appWords[language].inbox}`)).click()
  await follow(page, new RegExp(`^${inboxWords[language].tab_open}`))
  await firstOf(page, 'link', new RegExp(`Sara ${language}`)).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

/** A customer whose file has a name that is a script. */
const SENDER = '12025550173'

/** Books an appointment and sends a file, since the demonstration has neither. */
async function leaveTraces(): Promise<void> {
  const owner = await signedIn(shown, { accountId })
  const at = `/companies/${companyId}`
  const services = (await owner.ask<ListPage<ServiceView>>('GET', `${at}/services`)).body.items
  const tomorrow = new Date(started.service.context.clock.now().getTime() + DAY_MS)
  tomorrow.setUTCMinutes(0, 0, 0)
  const { status } = await owner.ask('POST', `${at}/appointments`, {
    key: 'a-key-of-a-member',
    serviceId: services[0]!.id,
    startsAt: tomorrow,
    name: HOSTILE,
  })
  expect(status).toBe(201)
  started.demonstration!.simulators.whatsApp.sendSample({ from: SENDER, kind: 'document' })
  const files = async () => (await filesOf(shown, { companyId })).map(({ state }) => state)
  await expect.poll(files).toEqual(['kept'])
}

test('untrusted input and texts of members are shown as text on every page', async () => {
  await leaveTraces()
  const { id: conversation } = await conversationWith(shown, { companyId }, SENDER)
  expect(await writeEverywhere(shown, HOSTILE)).toBeGreaterThan(15)
  const { page, member, go } = await openDashboard(shown, { accountId, companyId, language: 'ar' })
  const idOf = async (path: string) => {
    const list = `/companies/${companyId}/${path}?limit=1`
    return (await member.ask<ListPage<{ id: string }>>('GET', list)).body.items[0]!.id
  }
  const thread = `inbox/${encodeURIComponent(conversation)}`
  const endpoint = `webhooks/${await idOf('endpoints')}`
  const flow = `flows/${await idOf('flows')}`
  const named = `inbox?tab=open ${thread} contacts/settings appointments?view=list
    appointments/set-up appointments/set-up?tab=people appointments/set-up?tab=page
    leads leads?view=table flows ${flow} ${flow}/hook templates
    webhooks ${endpoint} ${endpoint}?tab=history webhooks/deliveries
    webhooks/deliveries/${await idOf('deliveries')}
    connections actions team audit settings profile`
  const pages = ['', ...named.split(/\s+/)]
  for (const path of ['contacts', 'appointments', 'runs', 'broadcasts', 'channels']) {
    pages.push(path, `${path}/${await idOf(path)}`)
  }
  const showing: string[] = []
  for (const at of pages) {
    await go(at)
    const main = page.locator('main')
    if (at === thread) await page.getByRole('article').getByText('<img src=x').first().waitFor()
    if ((await main.getByText('<img src=x').count()) > 0) showing.push(at)
    expect([at, await main.locator('script, img[src=x]').count()]).toEqual([at, 0])
    expect([at, await page.evaluate(() => 'isHurt' in globalThis)]).toEqual([at, false])
  }
  // The text was really shown on these pages.
  expect(showing.length).toBeGreaterThan(20)
})

const EMAIL = 'owner@example.com'
const PASSWORD = 'a long enough password'

let secret = ''
let recoveryCode = ''
const mails: Mail[] = []

const mailer = {
  send(mail: Mail) {
    mails.push(mail)
    return Promise.resolve([])
  },
}
const world = await openWorld({ mailer })

/** Opens a page in a browser without a session, and closes it when the test ends. */
async function visit(at: string, { locale = 'en-GB' } = {}): Promise<Page> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  await context.clock.setSystemTime(world.clock.now())
  onTestFinished(() => context.close())
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await page.goto(`${world.url}${at}`)
  return page
}

const codeNow = () => codeAt(secret, timeStepAt(world.clock.now()))
const inArabicDigits = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))

async function enterPassword(page: Page, password = PASSWORD): Promise<void> {
  await fill(page, [
    ['Email', EMAIL],
    [/^Password$/, password],
  ])
  await press(page, 'Sign in')
}

test('the first Owner is made by the link of the start, whose token leaves the address immediately', async () => {
  const token = await openSetUp(world.service.context, world.service.keyRing)
  const page = await visit(`/set-up#${token}`)
  await page.getByLabel('Account name').fill(HOSTILE)
  expect(page.url()).toBe(`${world.url}/set-up`)
  await fill(page, [
    ['Your name', 'Layla'],
    ['Email', EMAIL],
    [/^Password$/, 'short'],
  ])
  await press(page, 'Create account')
  await sees(page, '1 problem to fix')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(page, 'Create account')
  await page.waitForURL('**/p/*')
  await page.getByText(HOSTILE).first().waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
  const late = await visit('/set-up')
  await sees(late, 'Setup is already complete')
})

test('a second factor is set up by a picture or a key, and its codes are kept', async () => {
  const page = await visit('/sign-in')
  await enterPassword(page)
  await page.waitForURL('**/p/*')
  await page.goto(`${page.url()}/profile`)
  await press(page, 'Set up')
  await page.getByRole('img', { name: /^QR code for setting up/ }).waitFor()
  secret = (await page.locator('pre').textContent()) ?? ''
  await page.getByLabel('Code shown in the app').fill(codeNow())
  await press(page, 'Switch on')
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await page.keyboard.press('Escape')
  expect(await codes.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
  await codes.getByLabel('I’ve saved these codes').check()
  await press(codes, 'Close')
  await sees(page, /10\W*recovery codes left/)
})

test('signing in asks for a code, accepts Arabic digits, and never leads to another site', async () => {
  world.clock.advance(2 * MINUTE_MS)
  const page = await visit('/sign-in?next=//elsewhere.example/')
  await enterPassword(page)
  await page.getByLabel('Authenticator code').fill('000000')
  await press(page, 'Sign in')
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Authenticator code').fill(inArabicDigits(codeNow()))
  await press(page, 'Sign in')
  await page.waitForURL('**/p/*')
  expect(new URL(page.url()).origin).toBe(world.url)
})

test('a recovery code replaces a lost phone, and works once', async () => {
  const page = await visit('/sign-in')
  await enterPassword(page)
  await press(page, 'Use a recovery code')
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await press(page, 'Sign in')
  await page.waitForURL('**/p/*')
  await page.goto(`${page.url()}/profile`)
  const left = page.getByText(/recovery codes left/)
  await left.waitFor()
  expect(await left.textContent()).toMatch(/^\W*9\W/)
})

test('a member who must set up a second factor sees only that page', async () => {
  const account = { accountId: await accountNamed(world, HOSTILE) }
  const owner = await signedIn(world, account)
  mails.length = 0
  const invited = { email: 'new@example.com', role: 'agent' }
  expect((await owner.ask('POST', '/invitations', invited)).status).toBe(201)
  await askForSecondFactor(world, account)
  expect((await owner.ask('GET', '/companies')).body.code).toBe('second_factor_needed')
  const page = await visit(linkIn(mails[0]!))
  await sees(page, 'You’ve been invited to join')
  expect(page.url()).toBe(`${world.url}/invitation`)
  await fill(page, { 'Your name': 'Omar', 'Choose a password': PASSWORD })
  await press(page, 'Accept invitation')
  await page.waitForURL('**/second-factor')
  await sees(page, 'requires two-factor authentication')
  await page.goto(`${world.url}/`)
  await page.waitForURL('**/second-factor')
  expect(await page.getByRole('navigation').count()).toBe(0)
  await askForSecondFactor(world, account, false)
  const late = await visit(linkIn(mails[0]!))
  await sees(late, 'This invitation no longer works')
})

/** Returns the path of the link in an e-mail. */
function linkIn(mail: Mail): string {
  const link = /\/(?:invitation|new-password)#[\w-]+/.exec(mail.text)
  if (!link) throw new Error(`There is no link in the e-mail: ${mail.text}`)
  return link[0]
}

test('a forgotten password is replaced by a link that works once', async () => {
  mails.length = 0
  const page = await visit('/forgotten-password', { locale: 'ar' })
  await page.getByLabel('البريد الإلكتروني').fill(EMAIL)
  await press(page, 'إرسال الرابط')
  await sees(page, 'تحقق من بريدك')
  await expect.poll(() => mails.length).toBe(1)
  await page.goto(`${world.url}${linkIn(mails[0]!)}`)
  await page.getByLabel('كلمة مرور جديدة').fill('another long password')
  expect(page.url()).toBe(`${world.url}/new-password`)
  await press(page, 'حفظ كلمة المرور')
  await sees(page, 'حُفظت كلمة المرور الجديدة')
  const { status } = await apiRequest(world.url, 'POST', '/session', {
    json: { email: EMAIL, password: 'another long password', client: 'program' },
  })
  expect(status).toBe(200)
  await page.goto(`${world.url}/sign-in`)
  await page.goto(`${world.url}${linkIn(mails[0]!)}`)
  await sees(page, 'انتهت صلاحية هذا الرابط')
})

test('the link of a start opens the demonstration; that of an earlier start says that it has expired', async () => {
  const account = await accountNamed(world, HOSTILE)
  const token = await world.service.demonstrationLink.open(account)
  const page = await visit(`/welcome#${token}`)
  await page.waitForURL('**/p/*')
  const old = await visit('/welcome#of-an-earlier-start')
  await sees(old, 'This link no longer works')
  expect(old.url()).toBe(`${world.url}/welcome`)
})

test.each(['en-GB', 'ar'])(
  'the pages before the sign-in have no barriers, and no English labels in Arabic: %s',
  async (locale) => {
    const page = await visit('/sign-in', { locale })
    const aloud: (string | null)[] = []
    const pages = 'sign-in set-up invitation forgotten-password new-password welcome'
    for (const at of pages.split(' ')) {
      await page.goto(`${world.url}/${at}`)
      await page.locator('h1').waitFor()
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await findFlaws(page)).toEqual([])
      const labels = page.locator('[aria-label]')
      aloud.push(
        ...(await labels.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))),
      )
    }
    expect(aloud.length).toBeGreaterThan(0)
    const isEnglish = (label: string | null) =>
      /[A-Za-z]{2}/.test(label ?? '') && label !== 'English'
    if (locale === 'ar') expect(aloud.filter(isEnglish)).toEqual([])
  },
)
