/** An account on hold accepts nothing, wherever a request comes in, and other accounts work on. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { setHold } from '../../src/modules/accounts/account-hold.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import type { NewInvitation } from '../../src/contract/dashboard/member.ts'
import type { AccountHold } from '../../src/core/vocabulary/accounts.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { apiRequest } from '../support/dashboard.ts'
import { postHook } from '../support/post-hook.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { getPage } from '../support/pages.ts'
import { contactsOf, contactWith } from '../support/records/contacts.ts'
import { messagesOf } from '../support/records/messages.ts'
import { runsOf } from '../support/records/runs.ts'
import { visitorRequest, createWebsite, openWidget } from '../support/visitors.ts'
import {
  customerWrites,
  postWebhook,
  receipt,
  webhookOf,
  written,
} from '../support/whatsapp-webhook.ts'

const { world, shop, owner } = await openOwnedShop()
const company = `/companies/${shop.companyId}`
const website = await createWebsite(world, 'web_widget', { shop, owner })
const visitor = await openWidget(world.url, website.key)
const form = await createWebsite(world, 'website', { shop, owner })
const bookable = await bookableShop(world, shop.companyId)
const serviceId = await bookable.ownService()
const appointment = booked(await bookable.book({ serviceId, startsAt: bookable.aTime() }))
await customerWrites(world, shop, { from: '966501234567', text: 'Hello', at: world.clock.now() })
await world.service.processAll()
const contact = await contactWith(world, shop, '+966501234567')
const optOutLink = `${world.url}/o/${makeOptOutToken(world.service.keyRing, {
  contactId: contact.id,
  broadcastId: world.service.context.ids.uuid(),
})}`

/** Puts the account on hold until the test ends. */
async function hold(as: AccountHold): Promise<void> {
  const { kysely } = world.service.context.db
  await setHold(kysely, { accountId: shop.accountId, hold: as })
  onTestFinished(() => setHold(kysely, { accountId: shop.accountId, hold: null }))
}

const stored = async () => ({
  contacts: await contactsOf(world, shop),
  messages: await messagesOf(world, { companyId: shop.companyId }),
  runs: await runsOf(world, { companyId: shop.companyId }),
})

describe.each([
  { as: 'leaving', http: 503, hook: 'service_unavailable', problem: 'service_unavailable' },
  { as: 'arrived', http: 503, hook: 'service_unavailable', problem: 'service_unavailable' },
  { as: 'moved', http: 410, hook: 'account_moved', problem: 'account_moved' },
] as const)('An account that is $as', ({ as, http, hook, problem }) => {
  test('accepts no hook request, webhook, change, booking, opt-out or visitor', async () => {
    await hold(as)
    const before = await stored()
    expect(await postHook(shop.hookUrl)).toMatchObject({ http, status: hook, id: null })
    const message = written({ from: '966501234567', text: 'Again', at: world.clock.now() })
    expect(await postWebhook(world, webhookOf(shop, [message]))).toBe(http)
    const read = { id: 'wamid.none', status: 'read', timestamp: '1', recipient_id: '966501234567' }
    expect(await postWebhook(world, webhookOf(shop, [receipt(read)]))).toBe(http)
    const added = await owner.ask('POST', `${company}/contacts`, { name: 'x', phone: '+96650999' })
    expect(added).toMatchObject({ status: http, body: { code: problem } })
    for (const page of [
      await getPage(`${world.url}/b/shop-${shop.companyId}`),
      await getPage(`${world.url}/a/${appointment.token}`, { form: '' }),
      await getPage(optOutLink),
      await getPage(optOutLink, { form: '' }),
    ]) {
      expect(page.status).toBe(http)
    }
    expect((await visitor.say('Hello')).status).toBe(http)
    const opening = { json: { widgetKey: website.key } }
    expect((await visitorRequest(world.url, 'POST', '/widget/v1/sessions', opening)).status).toBe(
      http,
    )
    expect(await stored()).toEqual(before)
  })

  test('accepts no invited member until the hold has ended', async () => {
    const email = `invited-${as}@example.com`
    const invited = await owner.ask<NewInvitation>('POST', '/invitations', { email, role: 'agent' })
    const accept = () => {
      const person = { name: 'Maha', password: 'a password of her own', client: 'program' }
      const json = { token: invited.body.token, ...person }
      return apiRequest(world.url, 'POST', '/invitations/accept', { json })
    }
    await hold(as)
    expect(await accept()).toMatchObject({ status: http, body: { code: problem } })
    const { kysely } = world.service.context.db
    await setHold(kysely, { accountId: shop.accountId, hold: null })
    expect((await accept()).status).toBe(201)
  })

  test('is still read by its members', async () => {
    await hold(as)
    expect((await owner.ask('GET', `${company}/contacts`)).status).toBe(200)
  })

  test('holds up no other account', async () => {
    await hold(as)
    const other = await ownedShop(world)
    expect((await postHook(other.shop.hookUrl)).status).toBe('accepted')
    const named = { name: 'Maha', phone: '+966501111111' }
    const path = `/companies/${other.shop.companyId}/contacts`
    expect((await other.owner.ask('POST', path, named)).status).toBe(201)
  })
})

test.each([
  { language: 'en', title: 'This page has moved' },
  { language: 'ar', title: 'نُقلت هذه الصفحة' },
])('the pages of an account that has moved say so in $language', async ({ language, title }) => {
  await hold('moved')
  const headers = { accept: 'text/html' }
  for (const path of [
    `/b/shop-${shop.companyId}`,
    `/a/${appointment.token}`,
    new URL(optOutLink).pathname,
    `/widget/v1/frame/${website.key}`,
    `/website/v1/${form.key}/form`,
  ]) {
    const page = await getPage(`${world.url}${path}?lang=${language}`, { headers })
    expect(page).toMatchObject({ status: 410, text: expect.stringContaining(title) })
  }
})

test('a website shows the page of its form while the account moves, in a frame too', async () => {
  await hold('leaving')
  const url = `${world.url}/website/v1/${form.key}/form`
  const page = await getPage(url, { headers: { accept: 'text/html' } })
  expect(page).toMatchObject({
    status: 503,
    headers: {
      'retry-after': '5',
      'content-security-policy': expect.stringContaining('frame-ancestors *'),
    },
    text: expect.stringContaining('Temporarily unavailable'),
  })
  expect(await getPage(url)).toMatchObject({ status: 503, text: expect.stringContaining('"code"') })
})

test('a calendar is read while the account moves, and no longer afterwards', async () => {
  const { body } = await owner.ask<{ url: string }>('POST', `${company}/calendar-links`, {})
  const url = `${world.url}${new URL(body.url).pathname}`
  await hold('leaving')
  expect((await getPage(url)).status).toBe(200)
  await hold('moved')
  expect((await getPage(url)).status).toBe(410)
})

test('an account whose hold has ended accepts all of it again', async () => {
  expect((await postHook(shop.hookUrl)).status).toBe('accepted')
  expect((await getPage(optOutLink)).status).toBe(200)
  expect((await visitor.say('Hello')).status).toBeLessThan(300)
})
