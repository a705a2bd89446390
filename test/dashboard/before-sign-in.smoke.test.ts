/** What stands before the sign-in, in a real browser: set-up, links with a token, the second factor. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSetUp } from '../../src/accounts/set-up.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import type { Mail } from '../../src/mail/mailer.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { findBarriers, overflowOf, startBrowser } from '../support/browser.ts'
import { askApi, signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'a long enough password'
const HOSTILE = '"><img src=x onerror="document.title=1">'

let browser: Browser
let world: World
let secret = ''
let recoveryCode = ''
const mails: Mail[] = []

beforeAll(async () => {
  world = await createWorld({
    mailer: {
      send(mail) {
        mails.push(mail)
        return Promise.resolve()
      },
    },
  })
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

async function visit(
  path: string,
  { locale = 'en-GB' } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  await context.clock.setSystemTime(world.clock.now())
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await page.goto(`${world.url}${path}`)
  return { page, context }
}

const codeNow = () => codeAt(secret, stepAt(world.clock.now()))
const inArabicDigits = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))

async function enterPassword(page: Page, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the first Owner is made by the link of the start, whose token leaves the address at once', async () => {
  const token = await openSetUp(world.service.context)
  const { page, context } = await visit(`/set-up#${token}`)
  await page.getByLabel('Name of the account').fill(HOSTILE)
  expect(page.url()).toBe(`${world.url}/set-up`)
  await page.getByLabel('Your name').fill('Layla')
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.getByText('1 thing to fix').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.waitForURL('**/p/*')
  await page.getByText(HOSTILE).first().waitFor()
  expect(await page.title()).toBe('Wasla')
  await context.close()

  const late = await visit('/set-up')
  await late.page.getByText('The set-up is done').waitFor()
  await late.context.close()
})

test('a second factor is set up by a picture or a key, and its codes are kept', async () => {
  const { page, context } = await visit('/sign-in')
  await enterPassword(page)
  await page.waitForURL('**/p/*')
  await page.goto(`${page.url()}/profile`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /^Picture with the key/ }).waitFor()
  secret = (await page.locator('pre').textContent()) ?? ''
  await page.getByLabel('Code that the app shows now').fill(codeNow())
  await page.getByRole('button', { name: 'Switch on' }).click()
  const codes = page.getByRole('dialog', { name: 'Keep these codes' })
  recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await page.keyboard.press('Escape')
  expect(await codes.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
  await codes.getByLabel('I have stored them').check()
  await codes.getByRole('button', { name: 'Close' }).click()
  await page.getByText(/10\W*recovery codes left/).waitFor()
  await context.close()
})

test('in Arabic nothing is named in English, what is only read aloud neither', async () => {
  const { page, context } = await visit('/sign-in', { locale: 'ar' })
  await page.getByRole('button', { name: 'دخول' }).waitFor()
  const labels = await page
    .locator('[aria-label]')
    .evaluateAll((named) => named.map((one) => one.getAttribute('aria-label')))
  expect(labels.length).toBeGreaterThan(0)
  expect(labels.filter((label) => /[A-Za-z]{2}/.test(label ?? '') && label !== 'English')).toEqual(
    [],
  )
  await context.close()
})

test('signing in asks for a code, which may be in Arabic digits, and goes on to the page that was asked for', async () => {
  world.clock.advance(2 * MINUTE_MS)
  const { page, context } = await visit('/sign-in?next=//elsewhere.example/')
  await enterPassword(page)
  await page.getByLabel('Code from your app').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Code from your app').fill(inArabicDigits(codeNow()))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/p/*')
  expect(new URL(page.url()).origin).toBe(world.url)
  await context.close()
})

test('where the phone is lost, a recovery code signs in, once', async () => {
  const { page, context } = await visit('/sign-in')
  await enterPassword(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/p/*')
  await page.goto(`${page.url()}/profile`)
  const left = page.getByText(/recovery codes left/)
  await left.waitFor()
  expect(await left.textContent()).toMatch(/^\W*9\W/)
  await context.close()
})

test('who must set up a second factor sees that page alone', async () => {
  const { accountId } = await world.database.db.kysely
    .updateTable('account')
    .set({ needsSecondFactor: true })
    .returning('id as accountId')
    .executeTakeFirstOrThrow()
  const invited = await signedIn(world, { accountId, role: 'owner' })
  const { body } = await invited.ask<{ code: string }>('GET', '/companies')
  expect(body.code).toBe('second_factor_needed')
  mails.length = 0
  await world.database.db.kysely.updateTable('account').set({ needsSecondFactor: false }).execute()
  await askConfirmed(accountId, 'new@example.com')
  await world.database.db.kysely.updateTable('account').set({ needsSecondFactor: true }).execute()
  const { page, context } = await visit(linkIn(mails[0]!))
  await page.getByText('You are invited to').waitFor()
  expect(page.url()).toBe(`${world.url}/invitation`)
  await page.getByLabel('Your name').fill('Omar')
  await page.getByLabel('Choose a password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL('**/second-factor')
  await page.getByText('wants a second factor of everyone').waitFor()
  await page.goto(`${world.url}/`)
  await page.waitForURL('**/second-factor')
  expect(await page.getByRole('navigation').count()).toBe(0)
  await context.close()
  await world.database.db.kysely.updateTable('account').set({ needsSecondFactor: false }).execute()

  const late = await visit(linkIn(mails[0]!))
  await late.page.getByText('This invitation is over').waitFor()
  await late.context.close()
})

/** The path of the link in an e-mail. */
function linkIn(mail: Mail): string {
  const link = /\/(?:invitation|new-password)#[\w-]+/.exec(mail.text)
  if (!link) throw new Error(`There is no link in the e-mail: ${mail.text}`)
  return link[0]
}

async function askConfirmed(accountId: string, email: string): Promise<void> {
  const owner = await signedIn(world, { accountId, role: 'owner' })
  const { status } = await owner.ask('POST', '/invitations', { email, role: 'agent' })
  expect(status).toBe(201)
}

test('a forgotten password is chosen anew by a link that is good once', async () => {
  mails.length = 0
  const { page, context } = await visit('/forgotten-password', { locale: 'ar' })
  await page.getByLabel('البريد الإلكتروني').fill(EMAIL)
  await page.getByRole('button', { name: 'إرسال رابط' }).click()
  await page.getByText('الرابط في بريدك').waitFor()
  await expect.poll(() => mails.length).toBe(1)
  await page.goto(`${world.url}${linkIn(mails[0]!)}`)
  await page.getByLabel('كلمة مرور جديدة').fill('another long password')
  expect(page.url()).toBe(`${world.url}/new-password`)
  await page.getByRole('button', { name: 'حفظ كلمة المرور' }).click()
  await page.getByText('حُفظت كلمة المرور الجديدة').waitFor()
  const { status } = await askApi(world.url, 'POST', '/session', {
    json: { email: EMAIL, password: 'another long password', client: 'program' },
  })
  expect(status).toBe(200)
  await page.goto(`${world.url}/sign-in`)
  await page.goto(`${world.url}${linkIn(mails[0]!)}`)
  await page.getByText('انتهى هذا الرابط').waitFor()
  await context.close()
})

test('the link of a start opens the demonstration; that of an earlier one says that it is over', async () => {
  const { id } = await world.database.db.kysely
    .selectFrom('account')
    .select('id')
    .executeTakeFirstOrThrow()
  const token = await world.service.demonstrationLink.open(id)
  const { page, context } = await visit(`/welcome#${token}`)
  await page.waitForURL('**/p/*')
  await context.close()
  const old = await visit('/welcome#of-an-earlier-start')
  await old.page.getByText('This link is over').waitFor()
  expect(old.page.url()).toBe(`${world.url}/welcome`)
  await old.context.close()
})

test.each(['en-GB', 'ar'])('axe finds nothing before the sign-in: %s', async (locale) => {
  const { page, context } = await visit('/sign-in', { locale })
  for (const path of [
    'sign-in',
    'set-up',
    'invitation',
    'forgotten-password',
    'new-password',
    'welcome',
  ]) {
    await page.goto(`${world.url}/${path}`)
    await page.locator('h1').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  }
  await context.close()
})
