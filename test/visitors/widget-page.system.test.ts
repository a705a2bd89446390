/**
 * The website's chat in a real browser that blocks third-party cookies, on a page of another site than the
 * service: `localhost` shows what comes from `127.0.0.1`.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { textsOf } from '../support/records/messages.ts'
import { conversationsOf, newestConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { findBarriers, startBrowser } from '../support/browser.ts'
import { createWebsite, staffAnswers } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'

let context: BrowserContext | null = null

const world = await openWorld()
const website = await createWebsite(world, 'web_widget')
const shopPage = createServer((request, response) => {
  const language = request.url?.includes('ar') ? 'ar' : 'en'
  response.setHeader('content-type', 'text/html; charset=utf-8')
  // The policy is as strict as a merchant's may be.
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; script-src ${world.url}; connect-src ${world.url}; frame-src ${world.url}`,
  )
  response.end(`<!doctype html><html lang="${language}"><title>Shop</title><main><h1>Shop</h1></main>
    <script async src="${world.url}/widget/v1/loader.js" data-widget="${website.key}"></script>`)
})
shopPage.listen(0, '127.0.0.1')
await once(shopPage, 'listening')
const shopUrl = `http://localhost:${(shopPage.address() as AddressInfo).port}`
await website.edit({ origins: [shopUrl] })
const browser = await startBrowser(['--test-third-party-cookie-phaseout'])
afterAll(async () => {
  await browser.close()
  shopPage.close()
})
afterEach(async () => {
  await context?.close()
  context = null
  await website.edit({ asksName: 'no', asksEmail: 'no' })
  // The limits of the address start again.
  world.clock.advance(60_000)
})

async function visit(path = '/') {
  context ??= await browser.newContext()
  context.setDefaultTimeout(8_000)
  const page = await context.newPage()
  await page.goto(`${shopUrl}${path}`)
  return page
}

async function frameOf(page: Page): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes('/widget/v1/frame/'))
  await waitUntil('the frame of the widget', () => find() !== undefined)
  return find()!
}

async function open(page: Page) {
  await page.getByRole('button', { name: /Open chat|فتح الدردشة/ }).click()
  const frame = await frameOf(page)
  await frame.locator('#text:enabled').waitFor()
  return frame
}

async function say(frame: Frame, text: string) {
  await frame.locator('#text').fill(text)
  await frame.locator('#text').press('Enter')
}

const linesOf = (frame: Frame) => frame.locator('#lines li p').allTextContents()
const shows = (frame: Frame, text: string) => frame.getByText(text, { exact: true }).waitFor()
const isSaid = (frame: Frame, text: string) =>
  frame.locator('li.mine:not(.waiting)', { hasText: text }).waitFor()

async function reply(text: string) {
  await staffAnswers(world, website, text)
  await world.service.processAll()
}
const countTalks = async () => (await conversationsOf(world, website)).length

describe('A visitor', () => {
  test('opens the chat with the keyboard, writes, gets an answer, and finds all after a reload', async () => {
    const page = await visit()
    const before = await countTalks()
    const button = page.getByRole('button', { name: 'Open chat' })
    await button.focus()
    await page.keyboard.press('Enter')
    const frame = await frameOf(page)
    await shows(frame, 'Hi! How can we help?')
    expect(await countTalks()).toBe(before)
    await waitUntil('the text to have the focus', () =>
      frame.evaluate<boolean>(`document.activeElement?.id === 'text'`),
    )
    await page.keyboard.type('Do you have <b>size 42</b>?')
    await page.keyboard.press('Enter')
    await isSaid(frame, 'Do you have <b>size 42</b>?')
    expect(await countTalks()).toBe(before + 1)
    await frame.waitForFunction(`document.querySelectorAll('li.waiting').length === 0`)
    await reply('We do: <img src=x onerror=alert(1)>')
    await shows(frame, 'We do: <img src=x onerror=alert(1)>')
    expect(await frame.locator('img').count()).toBe(0)
    await page.keyboard.press('Escape')
    await waitUntil('the button to have the focus again', () =>
      page.evaluate<boolean>(`document.activeElement?.id.startsWith('wasla-widget') === true`),
    )
    world.clock.advance(1_000)
    await reply('Shall I put it aside?')
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).click()
    const again = await frameOf(page)
    await shows(again, 'Shall I put it aside?')
    expect(await linesOf(again)).toHaveLength(3)
    expect(await context!.cookies()).toEqual([])
  })

  test('in two tabs sees the same, whichever they write in', async () => {
    const [first, second] = [await visit(), await visit()]
    const [one, two] = [await open(first), await open(second)]
    await say(one, 'From the first')
    await isSaid(one, 'From the first')
    await shows(two, 'From the first')
    await say(two, 'From the second')
    await shows(one, 'From the second')
    await reply('To both')
    await Promise.all([shows(one, 'To both'), shows(two, 'To both')])
    expect(await linesOf(one)).toEqual(['From the first', 'From the second', 'To both'])
    expect(await linesOf(two)).toEqual(['From the first', 'From the second', 'To both'])
    // The tab that held the stream is closed: the other one takes it over.
    await first.close()
    await reply('To the one that is left')
    await shows(two, 'To the one that is left')
  })

  test('without a connection writes on; the message is sent once after the reconnect, also after a reload', async () => {
    const page = await visit()
    const frame = await open(page)
    await say(frame, 'Before')
    await isSaid(frame, 'Before')
    await context!.setOffline(true)
    await say(frame, 'While away')
    await frame.getByText('You’re offline.').waitFor()
    expect(await frame.locator('li.waiting').count()).toBe(1)
    await reply('Said meanwhile')
    await context!.setOffline(false)
    await isSaid(frame, 'While away')
    await shows(frame, 'Said meanwhile')
    await context!.setOffline(true)
    await say(frame, 'Kept over a reload')
    await frame.locator('li.waiting').waitFor()
    await context!.setOffline(false)
    await page.reload()
    const again = await open(page)
    await isSaid(again, 'Kept over a reload')
    const texts = await textsOf(world, website)
    for (const said of ['Kept over a reload', 'While away']) {
      expect(texts.filter((text) => text === said)).toHaveLength(1)
    }
  })

  test('is recognised by what the page keeps when the browser lets the frame keep nothing', async () => {
    context = await browser.newContext()
    await context.addInitScript(`if (window !== parent) {
      Object.defineProperty(window, 'localStorage', {
        get() { throw new DOMException('blocked', 'SecurityError') },
      })
    }`)
    const page = await visit()
    const frame = await open(page)
    await say(frame, 'Remember me')
    await isSaid(frame, 'Remember me')
    await page.reload()
    const again = await open(page)
    await shows(again, 'Remember me')
    expect(await linesOf(again)).toEqual(['Remember me'])
  })

  test('must enter their name when the merchant wants it, and sees what is missing', async () => {
    await website.edit({ asksName: 'required', asksEmail: 'optional' })
    const page = await visit()
    const frame = await open(page)
    await frame.getByLabel('Your name').waitFor()
    await say(frame, 'Hello')
    expect(await frame.getByRole('alert').textContent()).toBe('This field is required')
    await frame.getByLabel('Your name').fill('Sara')
    await frame.getByLabel('Email (optional)').fill('not one')
    await frame.locator('#send').click()
    expect(await frame.getByRole('alert').textContent()).toContain('name@example.com')
    await frame.getByLabel('Email (optional)').fill('sara@example.com')
    await frame.locator('#send').click()
    await isSaid(frame, 'Hello')
    expect(await frame.getByLabel('Your name').isVisible()).toBe(false)
    const known = { visitorName: 'Sara', visitorEmail: 'sara@example.com' }
    expect(await newestConversation(world, website)).toMatchObject(known)
  })

  test('sends a picture and sees it', async () => {
    const page = await visit()
    const frame = await open(page)
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const shoe = { name: 'shoe.png', mimeType: 'image/png', buffer: picture }
    await frame.locator('#file').setInputFiles(shoe)
    await frame.locator('li.mine img').waitFor()
    expect(await frame.locator('li.mine img').getAttribute('alt')).toBe('shoe.png')
  })

  test.each([
    ['en', '/', 'ltr'],
    ['ar', '/ar', 'rtl'],
  ])('in %s: axe finds nothing', async (_language, path, direction) => {
    const page = await visit(path)
    const frame = await open(page)
    await say(frame, 'مرحبا')
    await isSaid(frame, 'مرحبا')
    expect(await frame.evaluate<string>(`document.dir`)).toBe(direction)
    expect(await findBarriers(page)).toEqual([])
    expect(await findBarriers(frame as unknown as Page)).toEqual([])
  })
})

describe('Another site', () => {
  test('shows no button and says why; it cannot frame the chat', async () => {
    await website.edit({ origins: ['https://shop.example.com'] })
    const warnings: string[] = []
    context = await browser.newContext()
    const page = await context.newPage()
    const warned = (words: string) => () => warnings.some((text) => text.includes(words))
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(shopUrl)
    await waitUntil('the loader to say why', warned('isn’t allowed to show it'))
    expect(await page.getByRole('button').count()).toBe(0)
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'),
        { src: '${world.url}/widget/v1/frame/${website.key}' }))`,
    )
    await waitUntil('the browser to refuse', warned('frame-ancestors'))
    await website.edit({ origins: [shopUrl] })
  })

  test('reads nothing when it opens the chat as a window: the chat needs a frame', async () => {
    const page = await visit()
    await say(await open(page), 'My secret')
    await isSaid(await frameOf(page), 'My secret')
    const alone = await context!.newPage()
    await alone.goto(`${world.url}/widget/v1/frame/${website.key}`)
    await alone.evaluate(
      `window.postMessage({ wasla: '${website.key}', say: 'hello', token: null, isOpen: true }, '*')`,
    )
    expect(await alone.locator('#lines li').count()).toBe(0)
    expect(await alone.locator('form').isVisible()).toBe(false)
  })
})
