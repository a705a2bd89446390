/** The form of a website: its endpoint, as programs and pages of allowed sites use it, and its page. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { ENQUIRY_LIMITS } from '../../src/core/limits/visitors.ts'
import { channelOf, setProviderRoute } from '../support/records/channels.ts'
import { messageAtProvider, messagesOf } from '../support/records/messages.ts'
import { leadsOf } from '../support/records/leads.ts'
import { conversationOf, conversationsOf } from '../support/records/conversations.ts'
import { addContact, contactsOf } from '../support/records/contacts.ts'
import { identifiersOf } from '../support/records/identifiers.ts'
import { openWorld } from '../support/open-world.ts'
import { getPage, readText } from '../support/pages.ts'
import { refusalsOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { visitorRequest, createWebsite, SITE, type Website } from '../support/visitors.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const website = await createWebsite(world, 'website')
// Each test has the ten requests a minute of an address for itself.
beforeEach(() => {
  world.clock.advance(60_000)
})

const MESSAGE = 'Do you deliver on Friday?'
const doorOf = (key: string) => `/website/v1/${key}/leads`
const send = (fields: object, more: object = {}, headers: Record<string, string> = {}) =>
  visitorRequest<{ id: string; errors: unknown[] }>(world.url, 'POST', doorOf(website.key), {
    json: { fields: { message: MESSAGE, ...fields }, ...more },
    headers,
  })
async function eventsSince(count: number) {
  await world.service.processAll()
  return world.receiver.events().slice(count)
}
const received = () => world.receiver.received.length
const contacts = () => contactsOf(world, website.shop)
const conversations = () => conversationsOf(world, website)
const leads = () => leadsOf(world, website.shop)
const saying = async (said: string) =>
  (await messagesOf(world, website)).filter(({ text }) => text === said)

describe('An enquiry', () => {
  test('makes contact, conversation and lead, and raises their events in order', async () => {
    await world.service.processAll()
    const before = received()
    const sheena = { name: 'Sheena Nelson', email: 'sheena@example.com' }
    expect((await send({ ...sheena, phone: '+1 650 555 1234' })).status).toBe(202)
    const [created, started, message, ...others] = await eventsSince(before)
    const known = { email: 'sheena@example.com', phone: '+16505551234' }
    expect(created).toMatchObject({ type: 'contact.created', data: { contact: known } })
    expect(started).toMatchObject({ type: 'conversation.started' })
    expect(message).toMatchObject({
      type: 'message.received',
      data: {
        conversation: { channelType: 'website' },
        contact: { name: 'Sheena Nelson', phone: '+16505551234', whatsAppId: null },
        message: { type: 'text', text: MESSAGE },
      },
    })
    expect(others).toEqual([])
    expect(await leads()).toMatchObject([{ source: 'website', status: 'open', summary: MESSAGE }])
    expect(await contacts()).toMatchObject([{ source: 'enquiry', emailFrom: 'enquiry' }])
    expect(await conversations()).toMatchObject([{ needsStaff: true }])
  })

  test('with the same number again belongs to the same contact, conversation and lead, whatever its name', async () => {
    await send({ name: 'An impostor', email: 'else@example.com', phone: '0016505551234' })
    expect(await contacts()).toMatchObject([{ name: 'Sheena Nelson', email: 'sheena@example.com' }])
    expect(await conversations()).toHaveLength(1)
    expect(await leads()).toHaveLength(1)
  })

  test('with only an e-mail belongs to the contact who has it, in any letter case', async () => {
    await send({ email: 'SHEENA@example.com' })
    await send({ email: 'new@example.com', name: 'New' })
    await send({ email: 'New@Example.com' })
    expect(await contacts()).toMatchObject([
      { name: 'Sheena Nelson', phone: '+16505551234' },
      { name: 'New', phone: null },
    ])
  })

  test('with a number that lacks its country keeps it as written, and matches no contact', async () => {
    const { status } = await send({ phone: '050 123 4567', name: 'Local' })
    expect(status).toBe(202)
    expect((await contacts()).filter(({ name }) => name === 'Local')).toMatchObject([
      { phone: null, rawPhone: '050 123 4567' },
    ])
  })

  test('sent twice under one id is one', async () => {
    const more = { leadId: 'f3b0c1de-0000-4000-8000-00000000000a' }
    const answers = await Promise.all([1, 2].map(() => send({ phone: '+966501234567' }, more)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    const { conversationId } = await messageAtProvider(world, more.leadId)
    expect(await messagesOf(world, { conversationId })).toHaveLength(1)
  })

  test('cannot be answered: nothing can be sent', async () => {
    const [conversation] = await conversations()
    const address = `/companies/${website.shop.companyId}/conversations/${conversation!.id}/messages`
    const refused = await website.owner.ask('POST', address, { key: 'k', text: 'Hi' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_sendable' } })
  })
})

describe('An enquiry without a number of a known country', () => {
  const make = async (of: Website, input: object) => {
    const address = `/companies/${of.shop.companyId}/contacts`
    const answer = await of.owner.ask<{ id: string }>('POST', address, input)
    expect(answer.status).toBe(201)
    return answer.body.id
  }
  const contactSaying = async (text: string) => {
    const [message] = await saying(text)
    return (await conversationOf(world, message!.conversationId)).contactId
  }

  test('belongs to the only contact of the company with its e-mail, and to none of several', async () => {
    const email = 'shared@example.com'
    const only = await make(website, { name: 'First', email })
    await make({ ...website, ...(await ownedShop(world)) }, { name: 'Elsewhere', email })
    await send({ email, message: 'Whose am I?' })
    expect(await contactSaying('Whose am I?')).toBe(only)
    const others = { name: 'Twin', email: 'twins@example.com' }
    const twins = [await make(website, others), await make(website, others)]
    await send({ email: others.email, message: 'Which of the two?' })
    expect([only, ...twins]).not.toContain(await contactSaying('Which of the two?'))
  })

  test('does not belong to the contact with its e-mail when the number ends in other digits', async () => {
    const email = 'numbered@example.com'
    const known = await make(website, { name: 'N', email, phone: '+966501110077' })
    await send({ email, phone: '050 111 0077', message: 'It is me' })
    expect(await contactSaying('It is me')).toBe(known)
    await send({ email, phone: '050 999 9999', message: 'It is somebody else' })
    expect(await contactSaying('It is somebody else')).not.toBe(known)
    await send({ email, message: 'Me again' })
    expect(await contactSaying('Me again')).toBe(known)
  })
})

test('An enquiry with a customer’s number has a separate conversation, and proves no account of theirs', async () => {
  const phone = '+966501110099'
  const id = await addContact(world, website.shop, { phone, name: 'Known' })
  await send({ phone, message: 'I say that I am her' })
  const [message] = await saying('I say that I am her')
  const talk = await conversationOf(world, message!.conversationId)
  expect(talk.contactId).toBe(id)
  expect(talk.filedUnder).not.toBe(phone.slice(1))
  const told = await identifiersOf(world, id)
  expect(told.map(({ kind, proof }) => `${kind} ${proof}`).toSorted()).toEqual([
    'form form',
    'number member',
  ])
  expect(new Set(told.map(({ identityId }) => identityId)).size).toBe(2)
  await send({ phone: '+966501110098', message: 'A new one' })
  const [first] = await saying('A new one')
  const { contactId } = await conversationOf(world, first!.conversationId)
  const typed = await identifiersOf(world, contactId!)
  expect(typed.map(({ kind, proof }) => `${kind} ${proof}`).toSorted()).toEqual([
    'form form',
    'number form',
  ])
  expect(new Set(typed.map(({ identityId }) => identityId)).size).toBe(2)
})

test('An enquiry with a reassigned number belongs to its new contact; the earlier one stays', async () => {
  const phone = '+966501110088'
  const address = `/companies/${website.shop.companyId}/contacts`
  const first = await addContact(world, website.shop, { phone })
  await send({ phone, message: 'Before' })
  await website.owner.ask('PATCH', `${address}/${first}`, { phone: null })
  const second = await website.owner.ask<{ id: string }>('POST', address, { phone })
  await send({ phone, message: 'After' })
  const talks = await Promise.all(
    ['Before', 'After'].map(async (text) =>
      conversationOf(world, (await saying(text))[0]!.conversationId),
    ),
  )
  expect(talks.map(({ contactId }) => contactId)).toEqual([first, second.body.id])
})

test('A time of sending that is 30 days ago is not believed', async () => {
  const now = world.clock.now().getTime()
  for (const [text, ms, at] of [
    ['Queued for a while', ENQUIRY_LIMITS.oldestMs - 1_000, now - ENQUIRY_LIMITS.oldestMs + 1_000],
    ['From long ago', ENQUIRY_LIMITS.oldestMs, now],
  ] as const) {
    const more = { submittedAt: new Date(now - ms).toISOString() }
    expect((await send({ email: 'old@example.com', message: text }, more)).status).toBe(202)
    expect(await saying(text)).toMatchObject([{ occurredAt: new Date(at) }])
  }
})

describe('Refused is', () => {
  const A = 'a@example.com'
  test.each([
    ['nothing to answer to', { name: 'X' }, 'fields.email'],
    ['no message', { message: ' ', email: 'a@example.com' }, 'fields.message'],
    ['an e-mail that is none', { email: 'nobody' }, 'fields.email'],
    ['too long a message', { email: A, message: 'x'.repeat(4_097) }, 'fields.message'],
    ['an unknown field', { email: 'a@example.com', admin: 'yes' }, 'fields.admin'],
  ])('%s', async (_what, fields, field) => {
    const answer = await send(fields)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  test('a form that was sent faster than a person can write', async () => {
    const openedAt = world.clock.now().toISOString()
    const answer = await send({ email: 'a@example.com' }, { openedAt })
    expect(refusalsOf(answer)).toEqual(['openedAt: enquiry_too_quick'])
    world.clock.advance(ENQUIRY_LIMITS.minMs)
    expect((await send({ email: 'a@example.com' }, { openedAt })).status).toBe(202)
  })

  test('no form whose clock is ahead: the time that it took is not known', async () => {
    const openedAt = new Date(world.clock.now().getTime() + 5 * MINUTE_MS).toISOString()
    const answer = await send({ email: 'ahead@example.com' }, { openedAt })
    expect(answer.status).toBe(202)
  })

  systemTest('the eleventh request of an address in a minute, from any sender', async () => {
    const answers = []
    for (let n = 0; n <= ENQUIRY_LIMITS.perAddressPerMinute; n += 1) {
      answers.push(await send({ email: `n${n}@example.com` }))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(202), 429])
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('60')
  })

  test('another site, which may neither send nor read', async () => {
    const headers = { origin: 'https://evil.example' }
    const answer = await send({ email: 'a@example.com' }, {}, headers)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const asked = await visitorRequest(world.url, 'OPTIONS', doorOf(website.key), { headers })
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('An enquiry with the hidden field filled in is answered like any other, and not stored', async () => {
  const before = await messagesOf(world, website)
  const answer = await send({ email: 'robot@example.com', homepage: 'https://spam.example' })
  expect(answer.status).toBe(202)
  expect(await messagesOf(world, website)).toEqual(before)
})

test('An allowed site sends a preflight request and the enquiry, and reads the response', async () => {
  const headers = { origin: SITE }
  const asked = await visitorRequest(world.url, 'OPTIONS', doorOf(website.key), {
    headers: { ...headers, 'access-control-request-method': 'POST' },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-origin')).toBe(SITE)
  expect(asked.headers.get('access-control-allow-headers')).toBe('Content-Type')
  const answer = await send({ email: 'a@example.com' }, {}, headers)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('access-control-allow-origin')).toBe(SITE)
})

test('A form of the merchant’s own posts its fields, and its visitor is thanked', async () => {
  const url = `${world.url}${doorOf(website.key)}`
  const form = { name: 'Ali', email: 'ali@example.com', message: 'From a plain form' }
  const headers = { origin: SITE, accept: 'text/html' }
  const { status, text } = await getPage(url, { form, headers })
  expect(status).toBe(200)
  expect(readText(text)).toContain('Thank you')
  expect(await saying(form.message)).toHaveLength(1)
})

const address = (language = 'en') => `${world.url}/website/v1/${website.key}/form?lang=${language}`
const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!

test('The page with a form is framed only by allowed sites, accepts the form, and has an Arabic version', async () => {
  const page = await getPage(address())
  expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${SITE}`)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  world.clock.advance(ENQUIRY_LIMITS.minMs)
  const form = {
    leadId: hidden(page.text, 'leadId'),
    openedAt: hidden(page.text, 'openedAt'),
    homepage: '',
    name: '<img src=x onerror=alert(1)>',
    email: 'form@example.com',
    phone: '',
    message: 'From our form',
  }
  const own = { 'sec-fetch-site': 'same-origin' }
  const wrong = await getPage(address(), { form: { ...form, email: 'x' }, headers: own })
  expect(wrong.status).toBe(422)
  expect(wrong.text).not.toContain('<img')
  expect(readText(wrong.text)).toContain('must be an email address')
  expect((await getPage(address(), { form, headers: own })).status).toBe(200)
  const foreign = { 'sec-fetch-site': 'cross-site' }
  expect((await getPage(address(), { form, headers: foreign })).status).toBe(403)
  expect(await saying('From our form')).toHaveLength(1)
  const { text } = await getPage(address('ar'))
  expect(text).toContain('dir="rtl"')
  expect(readText(text)).toContain('راسلنا')
})

const RECORDED = path.join(import.meta.dirname, '../../../shared/channels/payloads')
/** Returns the recorded body, or one of the same form. */
async function recorded() {
  const text = await readFile(path.join(RECORDED, 'website-lead-form.json'), 'utf8').catch(
    () => null,
  )
  return JSON.parse(
    text ??
      `{"channelToken":"site_pub_token","leadId":"f3b0c1de-0000-4000-8000-000000000001",
        "page":"https://shop.example.com/contact","fields":{"name":"Sheena Nelson",
        "email":"sheena@example.com","phone":"+16505551234","message":"Do you deliver on Friday?"},
        "submittedAt":"2026-11-20T09:00:00.000Z"}`,
  ) as { channelToken: string; leadId: string; submittedAt: string }
}

systemTest('A recorded enquiry raises the event that its index says', async () => {
  const body = await recorded()
  await setProviderRoute(world, website, body.channelToken)
  await world.service.processAll()
  const before = received()
  const answer = await visitorRequest(world.url, 'POST', doorOf(body.channelToken), { json: body })
  expect(answer).toMatchObject({ status: 202, body: { id: body.leadId } })
  const [event] = (await eventsSince(before)).filter(({ type }) => type === 'message.received')
  expect(event).toMatchObject({
    data: {
      contact: { name: 'Sheena Nelson', phone: '+16505551234', whatsAppId: null },
      message: { type: 'text', text: MESSAGE, receivedAt: body.submittedAt },
    },
  })
})

test('An enquiry is kept with the page that it came from, which members see', async () => {
  const page = 'https://shop.example.com/contact?from=<b>footer</b>'
  const json = { fields: { message: 'From the footer', email: 'page@example.com' }, page }
  await visitorRequest(world.url, 'POST', doorOf(await keyOf()), { json })
  const [message] = await saying(json.fields.message)
  expect(message).toMatchObject({ page })
  const talk = `/companies/${website.shop.companyId}/conversations/${message!.conversationId}`
  const { body } = await website.owner.ask<{ items: object[] }>('GET', `${talk}/timeline`)
  expect(body.items).toContainEqual(expect.objectContaining({ kind: 'message', page }))
  const script = { ...json, page: 'javascript:alert(1)' }
  expect(
    await visitorRequest(world.url, 'POST', doorOf(await keyOf()), { json: script }),
  ).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'page' }] },
  })
})

test('The service’s own page with a form says where it is framed', async () => {
  const key = await keyOf()
  const headers = { referer: `${SITE}/contact` }
  const { text } = await getPage(`${world.url}/website/v1/${key}/form`, { headers })
  expect(text).toContain(`name="page" value="${SITE}/contact"`)
  const nowhere = { referer: 'about:client' }
  const odd = await getPage(`${world.url}/website/v1/${key}/form`, { headers: nowhere })
  expect(odd.text).not.toContain('name="page"')
})

/** Returns the current key: an earlier test gives the form another. */
async function keyOf(): Promise<string> {
  return (await channelOf(world, website)).providerRoute
}
