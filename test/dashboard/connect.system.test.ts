/** Connecting a bot of Telegram, a number by its phone, calls by their reports, and a website's chat and form, in a real browser. Spec: Channels › Telegram; Channels › Allowed sites. */
import { afterAll, expect, test } from 'vitest'
import { appears, dashboardOf, findFlaws, firstOf, HOSTILE } from '../support/dashboard-page.ts'
import { channelOf } from '../support/records/channels.ts'
import { newToken, simulateTelegram } from '../support/telegram.ts'
import { openWorld } from '../support/open-world.ts'
import { openLinkedWorld } from '../support/linked-number.ts'
import { askDoor, createWebsite, openWidget, SITE } from '../support/visitors.ts'

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

test('a bot is connected by its token, in Arabic, and says by what name it goes', async () => {
  const token = newToken()
  const { page } = await openBot({ at: 'channels/connect', language: 'ar' })
  await page.getByRole('link', { name: /^تيليجرام/ }).click()
  await page.getByLabel('الاسم').fill(HOSTILE)
  await page.getByLabel('رمز البوت').fill(token)
  const connect = page.getByRole('button', { name: 'ربط', exact: true })
  await connect.click()
  await appears(page.getByText(/رفض تيليجرام رمز البوت هذا/).first())
  expect(await page.getByLabel('رمز البوت').getAttribute('aria-invalid')).toBe('true')
  expect(await findFlaws(page)).toEqual([])
  provider.telegram.addBot({ token, name: HOSTILE, username: 'riyadh_bot' })
  await connect.click()
  await page.getByRole('button', { name: 'التحقق الآن' }).click()
  await page.getByText('@riyadh_bot').waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('its page tells what keeps messages away, and by a choice they come in the other way', async () => {
  const { page, go } = await openBot()
  provider.telegram.letAstray(shop.botId, 'getUpdates', {
    refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' },
  })
  await provider.hear()
  await go(`channels/${shop.channel.id}`)
  await page.getByText(/Another program is polling this bot’s messages/).waitFor()
  expect(await findFlaws(page)).toEqual([])
  await page.getByLabel('How messages arrive').selectOption('webhook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('dd').getByText('Webhook: Telegram posts messages to the service').waitFor()
  await expect
    .poll(async () => (await channelOf(world, { channelId: shop.channel.id })).settings)
    .toBe(JSON.stringify({ delivery: 'webhook' }))
  await provider.hear()
  provider.telegram.sendText(shop.newChat({ firstName: HOSTILE }), 'by a post')
  await provider.telegram.idle()
  await go('inbox')
  await page.getByText('by a post').waitFor()
})

test('a number is linked once the risk is accepted: the code, the scan, the number', async () => {
  const { page } = await openLinked({ at: 'channels/connect/whatsapp_qr' })
  await page.getByText('WhatsApp may restrict or permanently ban the number').waitFor()
  await page.getByLabel('Name').fill(HOSTILE)
  await page.getByRole('button', { name: 'Accept and continue' }).click()
  await page.getByText('1 problem to fix').waitFor()
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Accept and continue' }).click()
  await page.getByText('Risk accepted').waitFor()
  await linked.passTime()
  await linked.passTime()
  await page.getByRole('img', { name: 'QR code for linking the number' }).waitFor()
  expect(await findFlaws(page)).toEqual([])
  const [accountId] = linked.qr.bridge.sessions.keys()
  linked.qr.phones.act({ action: 'scan', accountId: accountId! })
  await linked.passTime()
  await page.getByText('+12025550120').waitFor()
  await page.getByRole('link', { name: 'Go to channel' }).click()
  await page.getByText('Link', { exact: true }).waitFor()
  await page.getByText(HOSTILE).first().waitFor()
  linked.qr.phones.act({ action: 'logOut', accountId: accountId! })
  await linked.passTime()
  expect(await appears(page.getByText('The phone removed the link').first())).toBe(true)
})

test('in Arabic and on a phone, nothing is cut off and nobody is kept out', async () => {
  const { page } = await openLinked({
    at: 'channels/connect/whatsapp_qr',
    language: 'ar',
    width: 390,
  })
  await page.getByRole('button', { name: 'قبول ومتابعة' }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('calls are connected by a secret, and the address for their reports stands there', async () => {
  const { page } = await openLinked({ at: 'channels/connect/voice' })
  await page.getByLabel('Name').fill('Calls')
  await page.getByLabel('Who answers your calls').selectOption('vapi')
  await page.getByLabel('Signing secret').fill('short')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('1 problem to fix').waitFor()
  await page.getByLabel('Signing secret').fill('a-secret-of-the-merchant')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const address = page.getByText(/\/webhooks\/voice\//)
  await address.waitFor()
  await page.getByText('In Vapi, paste this as the assistant’s server URL').waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('a chat is connected by a name and a site, and its page has the line to paste', async () => {
  const { page } = await open({ at: 'channels/connect' })
  await page.getByRole('link', { name: /^Website chat/ }).click()
  await page.getByLabel('Name').fill('Shop window')
  await page.getByLabel('Website address').fill('shop.example.com/contact')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText(/widget\/v1\/loader\.js/).waitFor()
  expect(await page.getByLabel('Allowed sites').inputValue()).toBe(SITE)
  await page.getByLabel('Allowed sites').fill(`${SITE}\nhttp://shop.example.com`)
  await page.getByRole('button', { name: 'Save' }).last().click()
  expect(await appears(page.getByText(/must be a website address/))).toBe(true)
})

test('a form is connected in Arabic, and its page has the form and the address for one’s own', async () => {
  const { page } = await open({ at: 'channels/connect/website', language: 'ar' })
  await page.getByLabel('الاسم').fill('النموذج')
  await page.getByLabel('رابط موقعك').fill(SITE)
  await page.getByRole('button', { name: 'ربط', exact: true }).click()
  await page.getByText(/website\/v1\/.*\/form/).waitFor()
  expect(await appears(page.getByText(/website\/v1\/.*\/leads/))).toBe(true)
})

test.each([
  { language: 'en', act: 'Erase permanently', keeps: 'Cancel', was: 'Erased' },
  { language: 'ar', act: 'محو نهائي', keeps: 'إبقاء كما هو', was: 'مُحي' },
] as const)('who may erases a visitor, and is asked first: $language', async (words) => {
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
  await page.getByRole('button', { name: words.keeps }).click()
  await act.click()
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: words.act }).click()
  await page.getByText(said).first().waitFor({ state: 'detached' })
  await page.getByText(words.was, { exact: true }).first().waitFor()
  expect((await visitor.ask('GET', '/messages')).body).toMatchObject({ messages: [] })
})

test('an enquiry shows the page that it came from, as text', async () => {
  const form = await createWebsite(world, 'website', website)
  const cameFrom = `https://shop.example.com/contact?x=${HOSTILE}`
  await askDoor(world.url, 'POST', `/website/v1/${form.key}/leads`, {
    json: { fields: { email: 'noura@example.com', message: 'Do you deliver?' }, page: cameFrom },
  })
  const { page } = await open({ at: 'inbox' })
  await page.getByText('Do you deliver?').first().click()
  await page.getByText(/Sent from/).waitFor()
  // Nothing that a flow says would reach them.
  await firstOf(page, 'button', /^Resolve/).waitFor()
  expect(await page.getByRole('button', { name: 'Start flow' }).count()).toBe(0)
  expect(await page.getByText(cameFrom).count()).toBeGreaterThan(0)
})

test.each([
  { language: 'en', path: 'connect/web_widget' },
  { language: 'en', path: 'one' },
  { language: 'ar', path: 'one', width: 390, theme: 'dark' },
] as const)('no barriers, no overflow: $path in $language', async (look) => {
  const at = `channels/${look.path === 'one' ? website.channelId : look.path}`
  const { page } = await open({ at, ...look })
  if (look.path === 'one') await page.getByText(/widget\/v1\/loader\.js/).waitFor()
  expect(await findFlaws(page)).toEqual([])
})
