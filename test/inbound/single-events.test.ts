/**
 * Provider events, one at a time: the customer that each is about, and the records that it must not change.
 * Spec: Contacts › Changes.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { syncTemplates } from '../../src/modules/messaging/refresh-templates.ts'
import type { CustomerRef, ProviderEvent } from '../../src/modules/channels/inbound.ts'
import type { TemplateInfo } from '../../src/modules/channels/outbound.ts'
import type { OpenedChannel } from '../../src/modules/channels/load-channel.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { ingestBatch, type BatchedEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { ingestSingle } from '../../src/modules/inbound/ingest-single.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import {
  enqueueProfileLookups,
  storeName,
  NAME_QUEUE,
} from '../../src/modules/messaging/profile-lookup-queue.sql.ts'
import { readTemplatesToSend } from '../../src/modules/messaging/read-templates-to-send.sql.ts'
import { claimFrom, endLeases } from '../support/queues.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { proofOfIdentifier, proveIdentifiers } from '../support/records/identifiers.ts'
import {
  addMessage,
  messageOf,
  messagesOf,
  type MessageRecord,
} from '../support/records/messages.ts'
import {
  channelOf,
  deleteChannel,
  setChannelType,
  setDisplayNumber,
} from '../support/records/channels.ts'
import { templatesOf } from '../support/records/templates.ts'
import { only } from '../support/records/records.ts'
import { leadsOf } from '../support/records/leads.ts'
import { onlyConversation, putConversation } from '../support/records/conversations.ts'
import { holdLock } from '../support/records/locks.ts'
import { entriesOf } from '../support/records/handovers.ts'
import { openWorld } from '../support/open-world.ts'
import { openedChannel } from '../support/provider-events.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'

let shop: Shop
let channel: OpenedChannel
let number: string
const world = await openWorld()
beforeEach(async () => {
  world.clock.advance(MINUTE_MS)
  ;({ shop, channel } = await open())
  number = newPhone().slice(1)
})

async function open(type = 'whatsapp') {
  const made = await createOwnShop(world)
  await setChannelType(world, made, type)
  return { shop: made, channel: await openedChannel(world, made) }
}
const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
type Told<Event> = Event extends { route: string } ? Omit<Event, 'route'> : Omit<Event, 'account'>
const tellOften = (event: Told<BatchedEvent>, of = channel) =>
  ingestBatch(world.service.context, [{ channel: of, event: { ...event, route: of.route } }])
type SingleEvent = Exclude<ProviderEvent, BatchedEvent>
const tell = (event: Told<SingleEvent>, of = channel) =>
  ingestSingle(world.service.context, of, {
    ...event,
    route: of.route,
    account: of.account,
  } as unknown as SingleEvent)
const writes = (customer: CustomerRef, text = 'hello', of = channel, at = world.clock.now()) =>
  tellOften(
    { kind: 'message', providerMessageId: newWamid(), customer, type: 'text', text, at },
    of,
  )
const conversation = (of = shop) => onlyConversation(world, { companyId: of.companyId })
async function said(more: Partial<MessageRecord> = {}) {
  const { id: conversationId } = await conversation()
  return addMessage(world, { ...shop, conversationId }, { text: 'Yes, until nine', ...more })
}
const stateOf = async (id: string) => {
  const { status, providerMessageId } = await messageOf(world, id)
  return [status, providerMessageId]
}
const numberLearntFrom = () => proofOfIdentifier(world, shop, number)
const fromPerson = async () => {
  const { contactId } = await conversation()
  await proveIdentifiers(world, contactId!, 'member')
}

test('A template’s status changes for one language, and only on the number’s own channel', async () => {
  const { shop: other } = await open()
  await tell({ kind: 'template', name: 'order_ready', language: 'ar', status: 'PAUSED' })
  const changed = async (of: Shop) =>
    (await templatesOf(world, of)).filter(({ status }) => status !== 'APPROVED')
  expect(await changed(shop)).toMatchObject([{ language: 'ar', status: 'PAUSED' }])
  expect(await changed(other)).toEqual([])
  // A message is sent with the templates of its number alone, too.
  const asked = [{ channelId: shop.channelId, name: 'order_ready' }]
  const { db } = world.service.context
  const toSend = await transaction(db, (tx) => readTemplatesToSend(tx, asked))
  expect(toSend.map(({ language, status }) => [language, status])).toEqual([
    ['ar', 'PAUSED'],
    ['en', 'APPROVED'],
  ])
})

describe('The templates that a provider lists', () => {
  const listed = (name: string, status = 'APPROVED'): TemplateInfo => ({
    providerTemplateId: `of ${name}`,
    name,
    language: 'ar',
    category: 'UTILITY',
    status,
    parameterFormat: 'POSITIONAL',
    components: [],
  })
  const sync = (templates: TemplateInfo[], isWhole = true) => {
    world.clock.advance(SECOND_MS)
    return syncTemplates(world.service.context, channel, { templates, isWhole })
  }
  async function kept(): Promise<Record<string, string>> {
    const rows = await templatesOf(world, { channelId: shop.channelId })
    return Object.fromEntries(rows.map(({ name, status }) => [name, status]))
  }

  test('add new ones, update changed ones and remove those that are gone', async () => {
    expect(await sync([listed('a'), listed('b')])).toBe(2)
    expect(await kept()).toEqual({ a: 'APPROVED', b: 'APPROVED' })
    expect(await sync([listed('b', 'PAUSED'), listed('c')])).toBe(2)
    expect(await kept()).toEqual({ b: 'PAUSED', c: 'APPROVED' })
  })

  test('remove none when the list was not read to its end', async () => {
    await sync([listed('a'), listed('b')])
    await sync([listed('b', 'REJECTED'), listed('c')], false)
    expect(await kept()).toEqual({ a: 'APPROVED', b: 'REJECTED', c: 'APPROVED' })
  })
})

test('A customer who blocks or unblocks the business is one line each time, however often it is reported', async () => {
  const customer = { number }
  await writes(customer)
  for (const isReachable of [true, false, false, true, true]) {
    await tell({ kind: 'reach', customer, isReachable, at: world.clock.now() })
  }
  const { id } = await conversation()
  const lines = await entriesOf(world, id)
  expect(lines.map(({ kind }) => kind)).toEqual(['unreachable', 'reachable'])
})

test('A number is linked to only one channel of the service, and is free when that channel is deleted', async () => {
  const { shop: other } = await open()
  await setDisplayNumber(world, other, number)
  const link = async () => {
    const linked = { isConnected: true, reason: 'LINKED', displayNumber: number }
    await tell({ kind: 'channel_state', ...linked })
    return (await channelOf(world, shop)).isConnected
  }
  expect(await link()).toBe(false)
  await deleteChannel(world, other)
  expect(await link()).toBe(true)
})

describe('A receipt', () => {
  test('up to a time changes no message that was begun after it', async () => {
    await writes({ number })
    const before = await said({ providerMessageId: 'm-1', occurredAt: ago(20 * SECOND_MS) })
    const later = await said({ providerMessageId: 'm-2' })
    const at = ago(10 * SECOND_MS)
    await tellOften({ kind: 'watermark', customer: { number }, status: 'read', upTo: at, at })
    expect([await stateOf(before), await stateOf(later)]).toEqual([
      ['read', 'm-1'],
      ['accepted', 'm-2'],
    ])
  })

  test('with the reference of another company’s message changes nothing', async () => {
    await writes({ number })
    const ourReference = await said({ status: 'unknown' })
    const other = await open()
    const receipt = { kind: 'receipt', providerMessageId: 'm-1', status: 'delivered' } as const
    const told = { ...receipt, ourReference, at: world.clock.now() }
    await tellOften(told, other.channel)
    expect(await stateOf(ourReference)).toEqual(['unknown', null])
    await tellOften(told)
    expect(await stateOf(ourReference)).toEqual(['delivered', 'm-1'])
  })
})

describe('An echo', () => {
  const echo = (text: string, at: Date, more: object = {}) => {
    const words = { customer: { number }, type: 'text', text, at } as const
    return tell({ kind: 'echo', providerMessageId: newWamid(), ...words, ...more })
  }
  const ofOwner = () => messagesOf(world, { companyId: shop.companyId, sender: 'owner_app' })

  test('counts as the owner’s message when the sent message with this text is too old', async () => {
    await writes({ number })
    const id = await said({ status: 'unknown', occurredAt: ago(11 * MINUTE_MS) })
    await echo('Yes, until nine', world.clock.now(), { mayBeOurs: true })
    expect(await stateOf(id)).toEqual(['unknown', null])
    expect(await ofOwner()).toHaveLength(1)
  })

  test('matches only one of two sent messages with the same text, also when it is posted again', async () => {
    await writes({ number })
    const first = await said({ status: 'unknown', occurredAt: ago(SECOND_MS) })
    const second = await said({ status: 'unknown' })
    const same = { mayBeOurs: true, providerMessageId: 'm-1' }
    for (let told = 0; told < 2; told += 1) await echo('Yes, until nine', world.clock.now(), same)
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      ['unknown', null],
      ['sent', 'm-1'],
    ])
    expect(await ofOwner()).toEqual([])
  })

  test.each([{}, { by: 'agent' }])(
    'is not shown as the last message when it is older, nor is an older customer message: %j',
    async (by) => {
      await writes({ number }, 'And on Friday?')
      const { lastMessageAt } = await conversation()
      await echo('Yes, until nine', ago(SECOND_MS), by)
      const last = { lastText: 'And on Friday?', lastSender: 'customer', lastMessageAt }
      expect(await conversation()).toMatchObject(last)
      await writes({ number }, 'Is it open?', channel, ago(SECOND_MS))
      expect(await conversation()).toMatchObject(last)
    },
  )
})

describe('A number that a person wrote down', () => {
  test('is proved by the provider once the provider shows it', async () => {
    await writes({ number })
    await fromPerson()
    await writes({ number })
    expect(await numberLearntFrom()).toBe('shown')
    await fromPerson()
    const after = { number, businessScopedId: 'SA.1' }
    const ids = { what: 'change' as const, before: { number }, after, at: null }
    await tell({ kind: 'identity', ...ids })
    expect(await numberLearntFrom()).toBe('shown')
  })

  test('is not proved by a website form, which any visitor can fill in with it', async () => {
    await writes({ number })
    await fromPerson()
    const website = { ...channel, type: 'website' as const }
    await setChannelType(world, shop, 'website')
    await writes({ number }, 'ص'.repeat(2_100), website)
    expect(await numberLearntFrom()).toBe('member')
    // The question becomes the lead's summary, cut to the length that a lead allows.
    const leads = await leadsOf(world, { companyId: shop.companyId })
    expect(leads.map(({ summary }) => summary?.length)).toEqual([2_000])
  })
})

test('A file of the history is reported twice, and has the details of the second report', async () => {
  const message = {
    providerMessageId: newWamid(),
    customer: { number },
    outbound: false,
    text: null,
    at: ago(SECOND_MS),
  }
  await tell({ kind: 'history', messages: [{ ...message, type: 'unknown' }] })
  const media = { providerMediaId: '5', mimeType: 'image/jpeg' }
  for (let told = 0; told < 2; told += 1) {
    await tell({ kind: 'history', messages: [{ ...message, type: 'image', text: 'This', media }] })
  }
  const kept = await messagesOf(world, { companyId: shop.companyId })
  expect(kept).toMatchObject([{ type: 'image', text: 'This', fileId: expect.any(String) }])
})

test('A visitor’s name and e-mail are kept when a later message has none', async () => {
  const { shop: widget, channel: of } = await open('web_widget')
  const providerUserId = 'visitor'
  await writes({ providerUserId, email: 'sara@x.example' }, 'hello', of)
  await writes({ providerUserId, profileName: 'Sara' }, 'hello', of)
  await writes({ providerUserId }, 'hello', of)
  const known = { visitorName: 'Sara', visitorEmail: 'sara@x.example' }
  expect(await conversation(widget)).toMatchObject(known)
})

describe('A name that a provider tells only on request', () => {
  const nameOf = async () => only(await contactsOf(world, { companyId: shop.companyId })).name
  const learn = async (name: string) => {
    const { context } = world.service
    const talk = await conversation()
    const deps = { ids: context.ids, now: world.clock.now() }
    await transaction(context.db, (tx) => enqueueProfileLookups(tx, deps.now, [talk]))
    const [asked] = await claimFrom(world, NAME_QUEUE, { limit: 1 })
    await transaction(context.db, (tx) => storeName(tx, deps, asked!, name))
  }

  test('is given to a contact without one, and replaces none that a member gave meanwhile', async () => {
    await writes({ providerUserId: '900' })
    await learn('Sara Ali')
    expect(await nameOf()).toBe('Sara Ali')
    await learn('Somebody')
    expect(await nameOf()).toBe('Sara Ali')
  })

  test('is requested again each time that it is due, and the requests are counted', async () => {
    await writes({ providerUserId: '901' })
    const { context } = world.service
    const talk = await conversation()
    await transaction(context.db, (tx) => enqueueProfileLookups(tx, world.clock.now(), [talk]))
    const tries = []
    for (let round = 0; round < 3; round += 1) {
      await endLeases(world, NAME_QUEUE)
      const asked = await claimFrom(world, NAME_QUEUE, { limit: 10 })
      tries.push(...asked.map(({ attempt }) => attempt))
      expect(await claimFrom(world, NAME_QUEUE, { limit: 10 })).toEqual([])
      world.clock.advance(MINUTE_MS)
    }
    expect(tries).toEqual([1, 2, 3])
  })
})

describe('A message with several attachments', () => {
  const image = (providerMessageId: string) => ({ providerMessageId, type: 'image' as const })
  const album = (...further: string[]) => {
    const customer = { number }
    const at = world.clock.now()
    const providerMessageId = newWamid()
    const about = { kind: 'message', providerMessageId, customer, type: 'image', at } as const
    return { ...about, text: 'These', further: further.map(image) }
  }
  const stored = async () =>
    (await messagesOf(world, { channelId: shop.channelId })).map((one) => one.providerMessageId)
  const albums = async () =>
    (await messagesOf(world, { channelId: shop.channelId })).filter(({ text }) => text === 'These')

  test('is stored with the other messages of its batch though an id is repeated or known', async () => {
    const [known, first, second] = [newWamid(), newWamid(), newWamid()]
    await writes({ number })
    const earlier = await stored()
    await tellOften(album(known))
    const events = [album(known, first, first), album(first, second)]
    const batch = events.map((event) => ({ channel, event: { ...event, route: channel.route } }))
    expect(await ingestBatch(world.service.context, batch)).toEqual([null, null])
    const added = (await stored()).filter((id) => !earlier.includes(id))
    expect(added.toSorted()).toEqual(
      [known, first, second, ...(await albums()).map((one) => one.providerMessageId)].toSorted(),
    )
  })

  test('is shown in the list with its new words when they are edited', async () => {
    const message = album(newWamid(), newWamid())
    await tellOften(message)
    const { providerMessageId: ofProviderId, at } = message
    const about = { kind: 'annotation', ofProviderId, by: 'customer', at } as const
    await tell({ ...about, what: 'edit', text: 'Only these' })
    expect(await conversation()).toMatchObject({ lastText: 'Only these' })
  })
})

test('An edit does not hide a message that another transaction adds at the same time', async () => {
  const ofProviderId = newWamid()
  const at = world.clock.now()
  const written = { kind: 'message', customer: { number }, type: 'text', at } as const
  await tellOften({ ...written, providerMessageId: ofProviderId, text: 'two please' })
  const { id: conversationId } = await conversation()
  await using lock = await holdLock(world, { conversationId })
  const text = 'three please'
  const edited = tell({ kind: 'annotation', ofProviderId, by: 'customer', at, what: 'edit', text })
  await lock.blocks('the edit')
  await addMessage(lock.inside, { ...shop, conversationId }, { text: 'Three?', sender: 'staff' })
  await putConversation(lock.inside, conversationId, { lastText: 'Three?', lastSender: 'staff' })
  await lock.release()
  await edited
  expect(await conversation()).toMatchObject({ lastText: 'Three?', lastSender: 'staff' })
  expect(await messagesOf(world, { channelId: shop.channelId })).toMatchObject([{ text }, {}])
})
