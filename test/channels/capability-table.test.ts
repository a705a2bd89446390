/**
 * The channel table of the specification, one test a cell: what a member may send on each type of channel and
 * when, how it is refused otherwise, what the outbox does with what was queued while it was allowed, which
 * receipts are told, and where STOP and START mean something. What flows do on them is beside this.
 *
 * Spec: Concepts › Channel capabilities; Concepts › Service window; Inbox › What may be sent; Flows › Opt-out.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { ConversationDetail, SentReply } from '../../src/contract/dashboard/conversation.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/limits/units.ts'
import { messageOf } from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { eventTypesOf } from '../support/records/events.ts'
import {
  conversationOf,
  conversationsOf,
  putConversation,
} from '../support/records/conversations.ts'
import { addContact, contactOf } from '../support/records/contacts.ts'
import { addAlias } from '../support/records/aliases.ts'
import { openWorld } from '../support/open-world.ts'
import type { Answer } from '../support/dashboard.ts'
import {
  connectEveryChannel,
  type EveryChannel,
  type Party,
  type Talk,
} from '../support/every-channel.ts'
import { uploadFile } from '../support/upload-file.ts'
import {
  ANY_TIME,
  ASKED_CHANNELS,
  refusedAs,
  rowsWhere,
  SENDABLE,
  SILENT,
  TEMPLATE,
  TEMPLATE_TEXT,
  WINDOWED,
} from './capability-table.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const every = await connectEveryChannel(world, ASKED_CHANNELS)
afterAll(async () => {
  await every.close()
})

let serial = 0

const begun: EveryChannel['begun'] = (...who) => every.begun(...who)
const send: EveryChannel['send'] = (...what) => every.send(...what)

async function sends(talk: Talk, what: object): Promise<Answer<SentReply>> {
  const answer = await send(talk, what)
  await every.settle()
  return answer
}

const composerOf = async ({ party, path }: Talk) =>
  (await (await every.owner(party)).ask<ConversationDetail>('GET', path)).body.composer
const sentIn = (talk: Talk) => every.sentIn(talk)
/** Longer than any window, and than anybody remembers. */
const LATER_MS = 40 * DAY_MS

describe('Replies', () => {
  test.each(SENDABLE)('on $type reach who has just written, once', async ({ type }) => {
    const talk = await begun(type)
    expect(await sends(talk, { text: 'Here we are' })).toMatchObject({ status: 201 })
    await every.settle()
    expect(await talk.customer.got()).toEqual(['Here we are'])
  })

  test.each(WINDOWED)('on $type may be written until the last second', async (row) => {
    const talk = await begun(row.type)
    const { lastCustomerAt } = await conversationOf(world, talk.id)
    const endsAt = lastCustomerAt!.getTime() + Number(row.reply) * HOUR_MS
    world.clock.advance(endsAt - SECOND_MS - world.clock.now().getTime())
    expect(await composerOf(talk)).toMatchObject({
      mayText: true,
      until: new Date(endsAt).toISOString(),
    })
    expect((await send(talk, { text: 'In time' })).status).toBe(201)
    world.clock.advance(SECOND_MS)
    expect(await send(talk, { text: 'Too late' })).toMatchObject(
      refusedAs('outside_service_window'),
    )
    expect(await composerOf(talk)).toMatchObject({ mayText: false, until: null })
  })

  systemTest.each(ANY_TIME)('on $type may be written at any time', async ({ type }) => {
    const talk = await begun(type)
    world.clock.advance(LATER_MS)
    expect(await composerOf(talk)).toMatchObject({ mayText: true, until: null })
    expect((await sends(talk, { text: 'Still here?' })).status).toBe(201)
    expect(await talk.customer.got()).toEqual(['Still here?'])
  })

  test.each(SILENT)('on $type cannot be sent', async ({ type }) => {
    const talk = await begun(type)
    expect(await sends(talk, { text: 'Hello?' })).toMatchObject(refusedAs('not_sendable'))
    expect(await composerOf(talk)).toMatchObject({
      mayText: false,
      mayTemplate: false,
      longest: null,
    })
    expect(await sentIn(talk)).toEqual([])
  })

  test.each(SENDABLE)('on $type go to nobody who never wrote', async ({ type, reply }) => {
    const talk = await begun(type)
    await putConversation(world, talk.id, { lastCustomerAt: null, serviceWindowEndsAt: null })
    const code = reply === 'any_time' ? 'not_sendable' : 'outside_service_window'
    expect(await sends(talk, { text: 'Buy now' })).toMatchObject(refusedAs(code))
    expect(await talk.customer.got()).toEqual([])
  })

  systemTest.each(SENDABLE)(
    'on $type are of at most $longest $unit',
    async ({ type, longest, unit }) => {
      const talk = await begun(type)
      // A letter of two bytes: 1,000 of Instagram are 500 of them.
      const most = 'ص'.repeat(unit === 'bytes' ? longest! / 2 : longest!)
      expect(await send(talk, { text: `${most}!` })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'text', code: 'text_too_long' }] },
      })
      expect((await sends(talk, { text: most })).status).toBe(201)
      expect(await talk.customer.got()).toEqual([most])
      expect(await composerOf(talk)).toMatchObject({
        longest,
        unit: unit === 'bytes' ? 'utf8_bytes' : 'code_points',
      })
    },
  )
})

describe('Templates', () => {
  systemTest.each(rowsWhere(({ templates }) => templates))(
    'on $type may be sent within the window and after it',
    async ({ type }) => {
      const talk = await begun(type)
      for (const passMs of [0, LATER_MS]) {
        world.clock.advance(passMs)
        expect(await composerOf(talk)).toMatchObject({ mayTemplate: true })
        expect((await sends(talk, { template: TEMPLATE })).status).toBe(201)
      }
      expect(await talk.customer.got()).toEqual([TEMPLATE_TEXT, TEMPLATE_TEXT])
    },
  )

  test.each(rowsWhere(({ templates }) => !templates))('on $type are refused', async ({ type }) => {
    const talk = await begun(type)
    expect(await composerOf(talk)).toMatchObject({ mayTemplate: false })
    expect(await sends(talk, { template: TEMPLATE })).toMatchObject(refusedAs('not_sendable'))
    expect(await sentIn(talk)).toEqual([])
  })
})

describe('A conversation', () => {
  const start = async (party: Party, contactId: string) => {
    serial += 1
    const path = `/companies/${party.companyId}/conversations`
    const asked = { contactId, channelId: party.channelId, key: `s-${serial}`, template: TEMPLATE }
    return (await every.owner(party)).ask<SentReply>('POST', path, asked)
  }
  /** With every way to reach them. */
  async function newContact({ companyId }: Party): Promise<string> {
    serial += 1
    const phone = `96650999${String(serial).padStart(4, '0')}`
    const email = `new-${serial}@example.com`
    const contactId = await addContact(world, { companyId }, { phone: `+${phone}`, email })
    await addAlias(world, { companyId }, { kind: 'number', value: phone, contactId })
    return contactId
  }

  test.each(rowsWhere(({ starts }) => starts))(
    'on $type may be begun by a template',
    async ({ type }) => {
      const party = every.party(type)
      const started = await start(party, await newContact(party))
      await every.settle()
      expect(started.status).toBe(201)
      const { status } = await messageOf(world, started.body.message.id)
      expect(status).toBe('delivered')
    },
  )

  test.each(rowsWhere(({ starts }) => !starts))(
    'on $type is begun by nobody but the customer',
    async ({ type }) => {
      const party = every.party(type)
      const count = async () =>
        (await conversationsOf(world, { channelId: party.channelId })).length
      const before = await count()
      const { status, body } = await start(party, await newContact(party))
      expect([409, 422]).toContain(status)
      expect(JSON.stringify(body)).toMatch(/not_sendable|no_address_on_channel/)
      expect(await count()).toBe(before)
    },
  )
})

describe('Files', () => {
  const upload = async ({ party }: Talk) =>
    uploadFile(world, await every.owner(party), party.companyId)

  systemTest.each(rowsWhere(({ media }) => media))(
    'on $type reach who has written',
    async ({ type }) => {
      const talk = await begun(type)
      expect((await sends(talk, { fileId: await upload(talk) })).status).toBe(201)
      expect(await talk.customer.got()).toHaveLength(1)
      expect(await sentIn(talk)).toMatchObject([{ type: 'image' }])
    },
  )

  systemTest.each(WINDOWED)('on $type are refused after the window', async ({ type, reply }) => {
    const talk = await begun(type)
    world.clock.advance(Number(reply) * HOUR_MS)
    expect(await sends(talk, { fileId: await upload(talk) })).toMatchObject(
      refusedAs('outside_service_window'),
    )
  })

  test.each(rowsWhere(({ media }) => !media))('on $type are refused', async ({ type }) => {
    const talk = await begun(type)
    expect(await sends(talk, { fileId: await upload(talk) })).toMatchObject(
      refusedAs('not_sendable'),
    )
  })
})

describe('What was queued while it was allowed', () => {
  systemTest.each(WINDOWED)(
    'on $type stays here when the window closes before it goes',
    async ({ type, reply }) => {
      const talk = await begun(type)
      expect((await send(talk, { text: 'Just in time' })).status).toBe(201)
      world.clock.advance(Number(reply) * HOUR_MS)
      await every.settle()
      expect(await sentIn(talk)).toMatchObject([
        { status: 'failed', errorCode: 'outside_service_window', attempt: 1 },
      ])
      expect(await talk.customer.got()).toEqual([])
    },
  )

  systemTest.each(ANY_TIME)('on $type goes whenever that is', async ({ type }) => {
    const talk = await begun(type)
    expect((await send(talk, { text: 'At last' })).status).toBe(201)
    world.clock.advance(LATER_MS)
    await every.settle()
    expect(await talk.customer.got()).toEqual(['At last'])
  })

  systemTest.each(rowsWhere(({ templates }) => templates))(
    'on $type goes where it is a template',
    async ({ type }) => {
      const talk = await begun(type)
      expect((await send(talk, { template: TEMPLATE })).status).toBe(201)
      world.clock.advance(LATER_MS)
      await every.settle()
      expect(await talk.customer.got()).toEqual([TEMPLATE_TEXT])
    },
  )

  test.each(SILENT)('on $type, however it came there, never goes', async ({ type }) => {
    const talk = await begun(type)
    const { companyId, channelId } = talk.party
    await addQueuedMessage(world, { companyId, channelId, conversationId: talk.id })
    await every.settle()
    expect(await sentIn(talk)).toMatchObject([{ status: 'failed', errorCode: 'not_sendable' }])
  })
})

describe('Receipts', () => {
  systemTest.each(SENDABLE)('of $type are $receipts', async ({ type, receipts }) => {
    const talk = await begun(type)
    await sends(talk, { text: 'Have you seen this?' })
    await every.settle()
    const isNow = async () => (await sentIn(talk))[0]!.status
    expect((await isNow()) === 'delivered').toBe(receipts.includes('delivered'))
    await talk.customer.reads()
    await every.settle()
    expect((await isNow()) === 'read').toBe(receipts.includes('read'))
  })

  test.each(SENDABLE)('of $type tell that it failed: $receipts', async ({ type, receipts }) => {
    const { newUnreachable } = every.party(type)
    expect(newUnreachable !== undefined).toBe(receipts.includes('failed'))
    if (!newUnreachable) return
    const talk = await begun(type, 'Hello', newUnreachable())
    await sends(talk, { text: 'Where are you?' })
    const [message] = await sentIn(talk)
    expect(message).toMatchObject({ status: 'failed', errorCode: '131026' })
    // It had been taken.
    expect(message!.providerMessageId).toMatch(/^wamid/)
  })
})

describe('STOP and START', () => {
  const events = async ({ companyId }: Party) => {
    const types = await eventTypesOf(world, { companyId }, 'contact.')
    return types.filter((type) => ['contact.opted_out', 'contact.updated'].includes(type))
  }
  const optedOut = async ({ id }: Talk) => {
    const { contactId } = await conversationOf(world, id)
    return contactId !== null && (await contactOf(world, contactId)).optedOutAt !== null
  }

  test.each(rowsWhere(({ stops }) => stops))(
    'on $type opt the customer out and in, once each, as nothing but the word',
    async ({ type }) => {
      const talk = await begun(type, 'Please STOP calling')
      expect(await optedOut(talk)).toBe(false)
      const before = (await events(talk.party)).length
      for (const word of ['stop', 'STOP ']) await talk.customer.writes(word)
      expect(await optedOut(talk)).toBe(true)
      for (const word of ['Start', 'START']) await talk.customer.writes(word)
      expect(await optedOut(talk)).toBe(false)
      expect((await events(talk.party)).slice(before)).toEqual([
        'contact.opted_out',
        'contact.updated',
      ])
    },
  )

  test.each(rowsWhere(({ stops }) => !stops))('on $type are words like any', async ({ type }) => {
    const talk = await begun(type, 'STOP')
    const before = await events(talk.party)
    await talk.customer.writes('STOP')
    expect(await optedOut(talk)).toBe(false)
    await talk.customer.writes('START')
    expect(await events(talk.party)).toEqual(before)
  })
})
