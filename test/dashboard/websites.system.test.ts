/** A website's chat and form are connected and set up in a real browser. Spec: Channels › Allowed sites. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { askDoor, createWebsite, openWidget, SITE, type Website } from '../support/visitors.ts'

const SCRIPT = `"><img src=x onerror=alert(1)>`

let world: World
let website: Website

beforeAll(async () => {
  world = await createWorld()
  website = await createWebsite(world, 'web_widget')
  await website.edit({ greetingEn: SCRIPT, asksName: 'optional' })
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...website.shop, ...options })

test('a chat is connected by a name and a site, and its page has the line to paste', async () => {
  const { page, go, close, faults } = await open()
  await go('channels/connect')
  await page.getByRole('link', { name: /^Chat on your website/ }).click()
  await page.getByLabel('Name').fill('Shop window')
  await page.getByLabel('Address of your website').fill('shop.example.com/contact')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText(/widget\/v1\/loader\.js/).waitFor()
  expect(await page.getByLabel('Allowed sites').inputValue()).toBe(SITE)
  await page.getByLabel('Allowed sites').fill(`${SITE}\nhttp://shop.example.com`)
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText(/must be the address of a website/).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a form is connected in Arabic, and its page has the form and the address for one’s own', async () => {
  const { page, go, close, faults } = await open({ language: 'ar' })
  await go('channels/connect/website')
  await page.getByLabel('الاسم').fill('النموذج')
  await page.getByLabel('عنوان موقعك').fill(SITE)
  await page.getByRole('button', { name: 'ربط', exact: true }).click()
  await page.getByText(/website\/v1\/.*\/form/).waitFor()
  await page.getByText(/website\/v1\/.*\/leads/).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('who wrote is a visitor in the inbox, with what they said of themselves, as text', async () => {
  const visitor = await openWidget(world.url, website.key)
  await visitor.say('Hello', { name: SCRIPT, email: 'sara@example.com' })
  const { page, go, close, faults } = await open()
  await go('inbox')
  await page.getByText('Hello').first().click()
  await page.getByText('sara@example.com').first().waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test.each([
  {
    language: 'en',
    act: 'Erase for good',
    keeps: 'Keep as is',
    done: 'Erased for good',
    was: 'Erased',
  },
  { language: 'ar', act: 'محو نهائي', keeps: 'إبقاء كما هو', done: 'مُحيت نهائيًا', was: 'مُحي' },
] as const)('who may erases a visitor, and is asked first: $language', async (words) => {
  const visitor = await openWidget(world.url, website.key)
  const said = `My card is 4242, ${words.language}`
  await visitor.say(said, { name: SCRIPT, email: `${words.language}@example.com` })
  const agent = await open({ role: 'agent' })
  await agent.go('inbox')
  await agent.page.getByText(said).first().click()
  await agent.page.getByText(`${words.language}@example.com`).first().waitFor()
  expect(await agent.page.getByRole('button', { name: 'Erase for good' }).count()).toBe(0)
  await agent.close()
  const { page, go, close, faults } = await open(words)
  await go('inbox')
  await page.getByText(said).first().click()
  const act = page.getByRole('button', { name: words.act })
  await act.click()
  await page.getByRole('button', { name: words.keeps }).click()
  await act.click()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: words.act }).click()
  await page.getByText(words.done).waitFor()
  await page.getByText(said).first().waitFor({ state: 'detached' })
  await page.getByText(words.was, { exact: true }).first().waitFor()
  expect((await visitor.ask('GET', '/messages')).body).toMatchObject({ messages: [] })
  expect(faults).toEqual([])
  await close()
})

test('an enquiry shows the page that it came from, as text', async () => {
  const form = await createWebsite(world, 'website', website)
  const page = `https://shop.example.com/contact?x=${SCRIPT}`
  await askDoor(world.url, 'POST', `/website/v1/${form.key}/leads`, {
    json: { fields: { email: 'noura@example.com', message: 'Do you deliver?' }, page },
  })
  const opened = await open()
  await opened.go('inbox')
  await opened.page.getByText('Do you deliver?').first().click()
  await opened.page.getByText(/Written on/).waitFor()
  // Nothing that a flow says would reach them.
  await opened.page
    .getByRole('button', { name: /^Resolve/ })
    .first()
    .waitFor()
  expect(await opened.page.getByRole('button', { name: 'Start a flow' }).count()).toBe(0)
  expect(await opened.page.getByText(page).count()).toBeGreaterThan(0)
  expect(await opened.page.locator('img[src="x"]').count()).toBe(0)
  expect(opened.faults).toEqual([])
  await opened.close()
})

test.each([
  { language: 'en', path: 'connect/web_widget' },
  { language: 'en', path: 'one' },
  { language: 'ar', path: 'one', width: 390, theme: 'dark' },
] as const)('axe finds nothing and nothing overflows: $path in $language', async (look) => {
  const { page, go, close, faults } = await open(look)
  await go(look.path === 'one' ? `channels/${website.channelId}` : `channels/${look.path}`)
  if (look.path === 'one') await page.getByText(/widget\/v1\/loader\.js/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})
