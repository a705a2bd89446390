/** Stopping messages by the link of a broadcast. Spec: Public pages › Stopping messages; Public pages › Forms. */
import { expect, test } from 'vitest'
import { nameCompany } from '../support/records/accounts.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { signedIn } from '../support/dashboard.ts'
import { getPage, readText } from '../support/pages.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const shop = await createShop(world)
const owner = await signedIn(world, shop)

type Contact = { id: string; optedOutAt: string | null }

let made = 0
async function newContact(): Promise<Contact> {
  const phone = `+96650${(4_000_000 + (made += 1)).toString()}`
  const path = `/companies/${shop.companyId}/contacts`
  const { status, body } = await owner.ask<Contact>('POST', path, { name: 'Maha', phone })
  expect(status).toBe(201)
  return body
}
const linkOf = (contactId: string) =>
  `${world.url}/o/${makeOptOutToken(world.service.keyRing, { contactId, broadcastId: world.service.context.ids.uuid() })}`
const isOptedOut = async ({ id }: Contact) => {
  const { body } = await owner.ask<Contact>('GET', `/companies/${shop.companyId}/contacts/${id}`)
  return body.optedOutAt !== null
}
const optOutsOf = ({ id }: Contact) => eventTypesOf(world, { contactId: id }, 'contact.opted_out')

test('looking at the page changes nothing; the form opts the customer out, and again has the same answer', async () => {
  const contact = await newContact()
  const link = linkOf(contact.id)
  for (let look = 0; look < 5; look++) {
    const page = await getPage(link)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<button>Stop all messages</button>')
  }
  expect((await getPage(link, { method: 'HEAD' })).status).toBe(200)
  expect(await isOptedOut(contact)).toBe(false)

  for (let time = 0; time < 2; time++) {
    const sent = await getPage(link, { form: '' })
    expect(sent.status).toBe(303)
    const after = await getPage(new URL(sent.headers.location!, link).href)
    expect(readText(after.text)).toContain('You’ve opted out')
    expect(after.text).not.toContain('<form')
    expect(await isOptedOut(contact)).toBe(true)
  }
  expect(await optOutsOf(contact)).toHaveLength(1)
})

test('after the customer has opted in again, the same link works again', async () => {
  const contact = await newContact()
  const link = linkOf(contact.id)
  await getPage(link, { form: '' })
  const path = `/companies/${shop.companyId}/contacts/${contact.id}/opt-in`
  expect((await owner.ask('POST', path, { reason: 'asked for it' })).status).toBe(200)
  expect((await getPage(link)).text).toContain('<form')
  await getPage(link, { form: '' })
  expect(await isOptedOut(contact)).toBe(true)
})

test('the link of a contact that was merged away opts the survivor out', async () => {
  const [from, into] = [await newContact(), await newContact()]
  const path = `/companies/${shop.companyId}/contacts/${into.id}/merge`
  expect((await owner.ask('POST', path, { fromId: from.id })).status).toBe(200)
  expect((await getPage(linkOf(from.id), { form: '' })).status).toBe(303)
  expect(await isOptedOut(into)).toBe(true)
})

test('every invalid token gets the same page, without a query to the database', async () => {
  const tokenOf = (id: string) => linkOf(id).split('/').at(-1)!
  const token = tokenOf((await newContact()).id)
  const nobody = tokenOf(world.service.context.ids.uuid())
  const changed = `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`
  const spelt = ['%00', 'a%2Fb', '..%2f', '%E0%A4', 'x'.repeat(900)]
  const bad = [changed, token.slice(1), `${token}A`, ...spelt]
  const pages = []
  for (const one of [nobody, ...bad]) {
    for (const form of [undefined, '']) {
      const headers = { 'accept-language': 'en' }
      const asked = { headers, ...(form !== undefined && { form }) }
      pages.push(await getPage(`${world.url}/o/${one}`, asked))
    }
  }
  for (const page of pages) {
    expect(page.status).toBe(404)
    expect(readText(page.text)).toContain('This link doesn’t work')
    expect(page.text).toBe(pages[0]!.text)
  }
})

test('a form of another page is refused, and nothing is changed', async () => {
  const contact = await newContact()
  const link = linkOf(contact.id)
  const own = new URL(world.url).origin
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    const page = await getPage(link, { form: '', headers })
    expect(page.status).toBe(403)
    expect(readText(page.text)).toContain('The form was sent from another page.')
  }
  expect(await isOptedOut(contact)).toBe(false)
  // Pages without a referrer send the form from "null"; a client that sends neither header is no browser.
  const ofOwnPages = { 'sec-fetch-site': 'same-origin', origin: 'null' }
  for (const headers of [ofOwnPages, { origin: own }, {}]) {
    expect((await getPage(link, { form: '', headers })).status).toBe(303)
  }
})

test('a request that is no form, too long, or has another method is refused with an explanation', async () => {
  const contact = await newContact()
  const link = linkOf(contact.id)
  const json = await getPage(link, { form: '{}', headers: { 'content-type': 'application/json' } })
  expect(json.status).toBe(415)
  const long = await getPage(link, { form: 'x='.padEnd(8_193, 'x') })
  expect(long.status).toBe(413)
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const page = await getPage(link, { method })
    expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  }
  expect(await isOptedOut(contact)).toBe(false)
})

test('a page runs no script, fetches nothing, is not cached, and sends no referrer', async () => {
  const { headers, text } = await getPage(linkOf((await newContact()).id))
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  })
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src( 'sha256-[\w+/]{43}='){2}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  expect(text).not.toMatch(/<script|<img|<link|javascript:|style="|https?:/)
})

test('a page is in the requested language, and a visible link leads to the other one', async () => {
  const link = linkOf((await newContact()).id)
  const arabic = await getPage(link, { headers: { 'accept-language': 'ar-SA, en;q=0.5' } })
  expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
  expect(arabic.headers).toMatchObject({ 'content-language': 'ar', vary: 'Accept-Language' })
  expect(readText(arabic.text)).toContain('إيقاف كل الرسائل')
  expect(arabic.text).toMatch(
    /<a\s+class="switch"\s+lang="en"\s+hreflang="en"\s+dir="ltr"\s+href="\?lang=en"\s*>English</,
  )
  const english = await getPage(`${link}?lang=en`, { headers: { 'accept-language': 'ar' } })
  expect(english.text).toContain('<html lang="en" dir="ltr">')
  // A form goes to the same page, in the same language, whatever host a proxy or an attacker names.
  const headers = { host: 'evil.example' }
  const sent = await getPage(`${link}?lang=ar`, { form: '', headers })
  expect(sent.headers.location).toBe(`${new URL(link).pathname}?lang=ar`)
})

test('a shop is named as a text, whatever it is called', async () => {
  const name = '<script>alert(1)</script>"\'&'
  await nameCompany(world, shop, name)
  const { text } = await getPage(linkOf((await newContact()).id))
  expect(text).not.toContain('<script')
  expect(readText(text)).toContain(name)
})

systemTest(
  'an address that sends too many requests must wait, for views and forms each',
  async () => {
    // It does not matter whether the link is valid.
    const url = `${world.url}/o/nothing`
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const views = await Promise.all(Array.from({ length: 241 }, () => getPage(url, { headers })))
    expect(views.filter(({ status }) => status === 404)).toHaveLength(240)
    const refused = views.find(({ status }) => status !== 404)!
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(readText(refused.text)).toContain('Too many requests')
    const post = () => getPage(url, { headers, form: '' })
    const forms = await Promise.all(Array.from({ length: 61 }, post))
    expect(forms.filter(({ status }) => status === 429)).toHaveLength(1)
    const others = { 'x-forwarded-for': '203.0.113.2' }
    expect((await getPage(url, { headers: others })).status).toBe(404)
    world.clock.advance(60_000)
    expect((await getPage(url, { headers })).status).toBe(404)
  },
)
