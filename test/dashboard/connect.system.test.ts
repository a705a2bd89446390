/** Connecting a bot of Telegram, a number by its phone, calls by their reports, and a website's chat and form, in a real browser. Spec: Channels › Telegram; Channels › Allowed sites. */
import { afterAll, expect, test } from 'vitest'
import { appears, dashboardOf, findFlaws, firstOf, HOSTILE } from '../support/dashboard-page.ts'
import { channelOf } from '../support/records/channels.ts'
import { newToken, simulateTelegram } from '../support/telegram.ts'
import { openWorld } from '../support/open-world.ts'
import { openLinkedWorld } from '../support/linked-number.ts'
import { visitorRequest, createWebsite, openWidget, SITE } from '../support/visitors.ts'
import { fill, follow, press, sees } from '../support/page-steps.ts'

const linked = await openLinkedWorld()
const openLinked = dashboardOf(linked.world, linked.shop)
const world = await openWorld()
const provider = await simulateTelegram(world)
const shop = await provider.openShop()
afterAll(() => provider.close())
const openBot = dashboardOf(world, shop)
const website = await createWebsite(world, 'web_widget')
await website.edit({ greetingEn: HOSTILE, asksName: 'optional' })
const open = dashboardOf(world, website.shop)

test('a bot is connected by its token, in Arabic, and its page shows its user name', async () => {
  const token = newToken()
  const { page } = await openBot({ at: 'channels/connect', language: 'ar' })
  await follow(page, /^تيليجرام/)
  await fill(page, { الاسم: HOSTILE, 'رمز البوت': token })
  const connect = page.getByRole('button', { name: 'ربط', exact: true })
  await connect.click()
  await appears(page.getByText(/رفض تيليجرام رمز البوت هذا/).first())
  expect(await page.getByLabel('رمز البوت').getAttribute('aria-invalid')).toBe('true')
  expect(await findFlaws(page)).toEqual([])
  provider.telegram.addBot({ token, name: HOSTILE, username: 'riyadh_bot' })
  await connect.click()
  await press(page, 'التحقق الآن')
  await sees(page, '@riyadh_bot')
  expect(await findFlaws(page)).toEqual([])
})

test('the page of a bot says what keeps messages away, and a choice makes them arrive by webhook', async () => {
  const { page, go } = await openBot()
  provider.telegram.planFault(shop.botId, 'getUpdates', {
    refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' },
  })
  await provider.hear()
  await go(`channels/${shop.channel.id}`)
  await sees(page, /Another program is polling this bot’s messages/)
  expect(await findFlaws(page)).toEqual([])
  await page.getByLabel('How messages arrive').selectOption('webhook')
  await press(page, 'Save')
  await sees(page.locator('dd'), 'Webhook: Telegram posts messages to the service')
  await expect
    .poll(async () => (await channelOf(world, { channelId: shop.channel.id })).settings)
    .toBe(JSON.stringify({ delivery: 'webhook' }))
  await provider.hear()
  provider.telegram.sendText(shop.newChat({ firstName: HOSTILE }), 'by a post')
  await provider.telegram.idle()
  await go('inbox')
  await sees(page, 'by a post')
})

test('a number is linked once the risk is accepted: the code, the scan, the number', async () => {
  const { page } = await openLinked({ at: 'channels/connect/whatsapp_qr' })
  await sees(page, 'WhatsApp may restrict or permanently ban the number')
  await page.getByLabel('Name').fill(HOSTILE)
  await press(page, 'Accept and continue')
  await sees(page, '1 problem to fix')
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('checkbox').check()
  await press(page, 'Accept and continue')
  await sees(page, 'Risk accepted')
  await linked.passTime()
  await linked.passTime()
  await page.getByRole('img', { name: 'QR code for linking the number' }).waitFor()
  expect(await findFlaws(page)).toEqual([])
  const [accountId] = linked.qr.bridge.sessions.keys()
  linked.qr.phones.act({ action: 'scan', accountId: accountId! })
  await linked.passTime()
  await sees(page, '+12025550120')
  await follow(page, 'Go to channel')
  await sees(page, /^Link status$/)
  await page.getByText(HOSTILE).first().waitFor()
  linked.qr.phones.act({ action: 'logOut', accountId: accountId! })
  await linked.passTime()
  expect(await appears(page.getByText('The phone removed the link').first())).toBe(true)
})

test('the page fits a phone in Arabic, without barriers', async () => {
  const { page } = await openLinked({
    at: 'channels/connect/whatsapp_qr',
    language: 'ar',
    width: 390,
  })
  await page.getByRole('button', { name: 'قبول ومتابعة' }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('calls are connected by a secret, and the page shows the address for their reports', async () => {
  const { page } = await openLinked({ at: 'channels/connect/voice' })
  await page.getByLabel('Name').fill('Calls')
  await page.getByLabel('Who answers your calls').selectOption('vapi')
  await page.getByLabel('Signing secret').fill('short')
  await press(page, /^Connect$/)
  await sees(page, '1 problem to fix')
  await page.getByLabel('Signing secret').fill('a-secret-of-the-merchant')
  await press(page, /^Connect$/)
  const address = page.getByText(/\/webhooks\/voice\//)
  await address.waitFor()
  await sees(page, 'In Vapi, paste this as the assistant’s server URL')
  expect(await findFlaws(page)).toEqual([])
})

test('a chat is connected by a name and a site, and its page has the line to paste', async () => {
  const { page } = await open({ at: 'channels/connect' })
  await follow(page, /^Website chat/)
  await fill(page, { Name: 'Shop window', 'Website address': 'shop.example.com/contact' })
  await press(page, /^Connect$/)
  await sees(page, /widget\/v1\/loader\.js/)
  expect(await page.getByLabel('Allowed sites').inputValue()).toBe(SITE)
  await page.getByLabel('Allowed sites').fill(`${SITE}\nhttp://shop.example.com`)
  await page.getByRole('button', { name: 'Save' }).last().click()
  expect(await appears(page.getByText(/must be a website address/))).toBe(true)
})

test('a form is connected in Arabic, and its page has the form and the address for a custom one', async () => {
  const { page } = await open({ at: 'channels/connect/website', language: 'ar' })
  await fill(page, { الاسم: 'النموذج', 'رابط موقعك': SITE })
  await press(page, /^ربط$/)
  await sees(page, /website\/v1\/.*\/form/)
  expect(await appears(page.getByText(/website\/v1\/.*\/leads/))).toBe(true)
})

test.each([
  { language: 'en', act: 'Erase permanently', keeps: 'Cancel', was: 'Erased' },
  { language: 'ar', act: 'محو نهائي', keeps: 'إبقاء كما هو', was: 'مُحي' },
] as const)('a member who may erase a visitor is asked first: $language', async (words) => {
  const visitor = await openWidget(world.url, website.key)
  const said = `My card is 4242, ${words.language}`
  await visitor.say(said, { name: HOSTILE, email: `${words.language}@example.com` })
  const agent = await open({ at: 'inbox', role: 'agent' })
  await agent.page.getByText(said).first().click()
  await agent.page.getByText(`${words.language}@example.com`).first().waitFor()
  expect(await agent.page.getByRole('button', { name: 'Erase permanently' }).count()).toBe(0)
  const { page } = await open({ at: 'inbox', ...words })
  await page.getByText(said).first().click()
  const act = page.getByRole('button', { name: words.act })
  await act.click()
  await press(page, words.keeps)
  await act.click()
  expect(await findFlaws(page)).toEqual([])
  await press(page.getByRole('dialog'), words.act)
  await page.getByText(said).first().waitFor({ state: 'detached' })
  await page.getByText(words.was, { exact: true }).first().waitFor()
  expect((await visitor.ask('GET', '/messages')).body).toMatchObject({ messages: [] })
})

test('an enquiry shows the page that it came from, as text', async () => {
  const form = await createWebsite(world, 'website', website)
  const cameFrom = `https://shop.example.com/contact?x=${HOSTILE}`
  await visitorRequest(world.url, 'POST', `/website/v1/${form.key}/leads`, {
    json: { fields: { email: 'noura@example.com', message: 'Do you deliver?' }, page: cameFrom },
  })
  const { page } = await open({ at: 'inbox' })
  await page.getByText('Do you deliver?').first().click()
  await sees(page, /Sent from/)
  // Nothing that a flow sends would reach this visitor.
  await firstOf(page, 'button', /^Resolve/).waitFor()
  expect(await page.getByRole('button', { name: 'Start flow' }).count()).toBe(0)
  expect(await page.getByText(cameFrom).count()).toBeGreaterThan(0)
})
