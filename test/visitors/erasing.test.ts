/**
 * A visitor of a widget is erased: no record of who they were or what they wrote is left, and counts are. Hints
 * show staff which contact a visitor may be. Contacts › Who a customer is.
 */
import { beforeEach, expect, test } from 'vitest'
import type { ConversationDetail, TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import type { FileStore } from '../../src/modules/files/file-store.ts'
import { loadSite } from '../../src/modules/visitors/site.ts'
import { storeUpload } from '../../src/modules/visitors/uploads.ts'
import { createVisitorStreams } from '../../src/modules/visitors/visitor-streams.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { talksOfVisitors } from '../support/records/visitors.ts'
import { fileOf, filesOf } from '../support/records/files.ts'
import { textOfVisitors } from '../support/records/erasing.ts'
import {
  conversationsOf,
  newestConversation,
  onlyConversation,
} from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { itemsOf, signedIn } from '../support/dashboard.ts'
import { PNG } from '../support/upload-file.ts'
import { visitorRequest, createWebsite, openWidget, staffAnswers } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'
import { bookableShop } from '../support/bookable.ts'
import { addAppointment, putAppointment } from '../support/records/appointments.ts'
import { contactsOf } from '../support/records/contacts.ts'

const world = await openWorld()
const website = await createWebsite(world, 'web_widget')

type Visitor = Awaited<ReturnType<typeof openWidget>>
let visitor: Visitor
let path: string
let conversationId: string
beforeEach(async () => {
  visitor = await openWidget(world.url, website.key)
  await visitor.say('My card is 4242 1881', { name: 'Sara Ali', email: 'sara@example.com' })
  const { body } = await visitor.upload(PNG, 'passport-of-sara.png')
  await visitor.ask('POST', '/messages', { clientMessageId: 'f', uploadId: body.uploadId })
  await visitor.upload(PNG, 'second-page-of-sara.png')
  const found = await newestConversation(world, { channelId: website.channelId })
  conversationId = found.id
  path = `/companies/${website.shop.companyId}/conversations/${conversationId}`
})
const erase = (json: object = { confirm: true }, member = website.owner) =>
  member.ask('POST', `${path}/erase-visitor`, json)

/** Returns all text that the service keeps, except for what it sent to the merchant's server. */
const kept = () => textOfVisitors(world)

test('leaves the rows, but no text, name, e-mail, file or token', async () => {
  await staffAnswers(world, website, 'Dear Sara Ali')
  expect(await kept()).toContain('4242 1881')
  expect((await erase()).status).toBe(204)
  await world.service.processAll()
  const left = await kept()
  for (const word of ['4242 1881', 'Sara Ali', 'sara@example.com', 'of-sara']) {
    expect(left).not.toContain(word)
  }
  const items = await itemsOf<TimelineItem>(website.owner, `${path}/timeline`)
  const messages = items.filter((item) => item.kind === 'message')
  expect(messages.map(({ text, file }) => [text, file])).toEqual(messages.map(() => [null, null]))
  expect(messages).toHaveLength(3)
  // Queued messages were not sent.
  expect(messages.find(({ direction }) => direction === 'out')).toMatchObject({ status: 'failed' })
  const files = await filesOf(world, { channelId: website.channelId })
  expect(files.filter(({ state }) => state === 'kept')).toEqual([])
  const erased = { visitorName: null, visitorEmail: null, isErased: true }
  expect((await website.owner.ask('GET', path)).body).toMatchObject(erased)
})

test('is not undone by an upload in progress', async () => {
  const { context } = world.service
  const site = await loadSite(context.db.kysely, 'web_widget', website.key)
  const put = async () => expect((await erase()).status).toBe(204)
  const files = { put } as unknown as FileStore
  const upload = { token: visitor.token, name: 'third-page-of-sara.png', bytes: PNG }
  const { uploadId } = await storeUpload({ ...context, files }, site, upload)
  expect(await fileOf(world, uploadId)).toMatchObject({ state: 'dropped', visitorId: null })
})

test('makes a new visitor of a client who writes with the token afterwards', async () => {
  await erase()
  const again = await openWidget(world.url, website.key, visitor.token)
  expect(again.session).toMatchObject({ visitor: null, messages: [] })
  await visitor.say('I am back')
  const talks = await conversationsOf(world, { channelId: website.channelId })
  expect(talks.slice(-2)).toMatchObject([
    { id: conversationId, visitorName: null, lastText: null },
    { id: expect.not.stringMatching(conversationId), visitorName: null, lastText: 'I am back' },
  ])
})

test('is audited, may be done again, and only by a member who may and confirms it', async () => {
  const agent = await signedIn(world, { accountId: website.shop.accountId, role: 'agent' })
  expect((await erase({ confirm: true }, agent)).status).toBe(403)
  expect((await erase({})).status).toBe(422)
  expect(await kept()).toContain('4242 1881')
  expect((await erase()).status).toBe(204)
  expect((await erase()).status).toBe(204)
  const audit = await itemsOf<object>(website.owner, '/audit?limit=1')
  const entry = { action: 'visitor.erased', subjectId: conversationId }
  expect(audit[0]).toMatchObject(entry)
})

test('applies only to a visitor: a contact’s conversation is refused, another company’s is not found', async () => {
  const form = await createWebsite(world, 'website', website)
  const fields = { email: 'noura@example.com', message: 'Keep this' }
  await visitorRequest(world.url, 'POST', `/website/v1/${form.key}/leads`, { json: { fields } })
  const { id } = await onlyConversation(world, { channelId: form.channelId })
  const conversations = `/companies/${website.shop.companyId}/conversations`
  const ask = (of: string) =>
    website.owner.ask('POST', `${conversations}/${of}/erase-visitor`, { confirm: true })
  const refused = { status: 409, body: { reason: 'conversation_has_contact' } }
  expect(await ask(id)).toMatchObject(refused)
  expect((await ask('c_nobody')).status).toBe(404)
  expect(await kept()).toContain('Keep this')
})

systemTest('ends a stream that is just being opened, and no other', async () => {
  const other = await openWidget(world.url, website.key)
  await other.say('Hello')
  const talks = (await talksOfVisitors(world, website)).slice(-2).toReversed()
  expect((await erase()).status).toBe(204)
  // The stream does not listen yet for erased visitors.
  const streams = createVisitorStreams(world.service.context, world.database.connection)
  const told: string[] = []
  for (const talk of talks) {
    streams.open({
      ...talk,
      positionMs: 0,
      send: () => told.push(`${talk.conversationId} told`),
      end: () => told.push(`${talk.conversationId} ended`),
    })
  }
  const ended = `${conversationId} ended`
  const heard = `${talks[0]!.conversationId} told`
  await waitUntil('one to end', () => told.includes(ended) && told.includes(heard))
  expect(told.filter((what) => what.endsWith('ended'))).toEqual([ended])
  await streams.stop()
})

systemTest('ends their streams: a later answer comes by the next one', async () => {
  const before = await visitor.listen()
  expect((await erase()).status).toBe(204)
  await waitUntil('the stream to end', before.isEnded)
  await visitor.say('Thank you')
  await staffAnswers(world, website, 'You are welcome')
  await world.service.processAll()
  const after = await visitor.listen()
  await after.hears('You are welcome')
  await after.close()
})

const newVisitor = () => openWidget(world.url, website.key)
const conversations = () => conversationsOf(world, { channelId: website.channelId })

test('Staff sees which contacts have the addresses and numbers that a visitor gave; none is linked', async () => {
  const at = `/companies/${website.shop.companyId}`
  const before = (await contactsOf(world, website.shop)).length
  const add = async (input: object) =>
    (await website.owner.ask<{ id: string }>('POST', `${at}/contacts`, input)).body.id
  const [hana, omar] = [
    await add({ name: 'Hana', email: 'Hana@x.example' }),
    await add({ name: 'Omar', phone: '+5531988888802' }),
  ]
  await add({ name: 'Somebody else', email: 'else@x.example', phone: '+966501110009' })
  const hintsOf = async (of: string) =>
    (await website.owner.ask<ConversationDetail>('GET', `${at}/conversations/${of}`)).body.hints
  const booker = await newVisitor()
  await booker.say('Hello', { name: 'H', email: 'hana@x.example' })
  const { id } = (await conversations()).at(-1)!
  const byEmail = { id: hana, name: 'Hana', by: 'email', value: 'hana@x.example' }
  expect(await hintsOf(id)).toEqual([byEmail])

  const shop = await bookableShop(world, website.shop.companyId)
  const booked = await addAppointment(world, {
    companyId: website.shop.companyId,
    serviceId: await shop.ownService(),
    resourceId: await shop.resource(),
    startsAt: new Date(world.clock.now().getTime() + DAY_MS),
  })
  await putAppointment(world, booked, { conversationId: id, phone: '+553188888802' })
  const byPhone = { id: omar, name: 'Omar', by: 'phone', value: '+553188888802' }
  await booker.say('It is +5531988888802')
  expect(await hintsOf(id)).toEqual([byPhone, byEmail])
  expect((await conversations()).at(-1)).toMatchObject({ id, contactId: null })

  const typing = await newVisitor()
  await typing.say('Order 1234, call +55 (31) 8888-8802 or 0501110009; mail Hana@X.example.')
  await typing.say('Not 966501110008')
  const typed = (await conversations()).at(-1)!.id
  const inText = [
    { ...byPhone, value: '+553188888802' },
    { ...byEmail, value: 'hana@x.example' },
  ]
  expect(await hintsOf(typed)).toEqual(inText)
  await typing.say('My number: ٩٦٦٥٠١١١٠٠٠٩ 2 times')
  expect((await hintsOf(typed)).map(({ value }) => value)).toEqual([
    '+553188888802',
    '+966501110009',
    'hana@x.example',
  ])
  expect((await conversations()).at(-1)).toMatchObject({ contactId: null, visitorEmail: null })

  await (await newVisitor()).say('Who am I?')
  expect(await hintsOf((await conversations()).at(-1)!.id)).toEqual([])
  expect(await contactsOf(world, website.shop)).toHaveLength(before + 3)
})
