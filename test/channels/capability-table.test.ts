/**
 * The channel table of the specification, with one test for each cell. The cells say which messages a member may send
 * and when, how others are refused, and what holds for queued messages, receipts, STOP and START, and flows.
 *
 * Spec: Concepts › Channel capabilities; Concepts › Service window; Inbox › Allowed messages; Flows › Opt-out;
 * Flows › Publishing; Flows › Steps; Flows › Triggers.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { ConversationDetail, SentReply } from '../../src/contract/dashboard/conversation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { runsOf } from '../support/records/runs.ts'
import { only } from '../support/records/records.ts'
import { keyword, saying } from '../flows/triggers/trigger-stories.ts'
import { messageOf } from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { eventTypesOf } from '../support/records/events.ts'
import {
  conversationOf,
  conversationsOf,
  putConversation,
} from '../support/records/conversations.ts'
import { addContact, contactOf } from '../support/records/contacts.ts'
import { addIdentifier } from '../support/records/identifiers.ts'
import { openWorld } from '../support/open-world.ts'
import type { Answer } from '../support/dashboard.ts'
import { connectEveryChannel, type Party, type Talk } from '../support/every-channel.ts'
import { uploadFile } from '../support/upload-file.ts'
import {
  ANY_TIME,
  ASKED_CHANNELS,
  refusedAs,
  rowsWhere,
  SENDABLE,
  TABLE,
  TEMPLATE,
  TEMPLATE_TEXT,
  TEMPLATED,
  WINDOWED,
  WITH_FILES,
} from './capability-table.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const every = await connectEveryChannel(world, ASKED_CHANNELS)
afterAll(async () => {
  await every.close()
})

let serial = 0

const { begun, send, sentIn } = every

async function sends(talk: Talk, what: object): Promise<Answer<SentReply>> {
  const answer = await send(talk, what)
  await every.settle()
  return answer
}

const composerOf = async ({ party, path }: Talk) =>
  (await (await every.owner(party)).ask<ConversationDetail>('GET', path)).body.composer
const upload = async ({ party }: Talk) =>
  uploadFile(world, await every.owner(party), party.companyId)
/** Longer than any service window. */
const LATER_MS = 40 * DAY_MS

describe('Replies', () => {
  test.each(SENDABLE)('on $type arrive once, with the receipts $receipts', async (row) => {
    const talk = await begun(row.type)
    expect(await sends(talk, { text: 'Here we are' })).toMatchObject({ status: 201 })
    await every.settle()
    expect(await talk.customer.got()).toEqual(['Here we are'])
    const isNow = async () => (await sentIn(talk))[0]!.status
    expect((await isNow()) === 'delivered').toBe(row.receipts.includes('delivered'))
    await talk.customer.reads()
    await every.settle()
    expect((await isNow()) === 'read').toBe(row.receipts.includes('read'))
  })

  test.each(SENDABLE)(
    'on $type that do not arrive are reported as failed: $receipts',
    async ({ type, receipts }) => {
      const { newUnreachable } = every.party(type)
      expect(newUnreachable !== undefined).toBe(receipts.includes('failed'))
      if (!newUnreachable) return
      const talk = await begun(type, 'Hello', newUnreachable())
      await sends(talk, { text: 'Where are you?' })
      const [message] = await sentIn(talk)
      expect(message).toMatchObject({ status: 'failed', errorCode: '131026' })
      // The provider had accepted it.
      expect(message!.providerMessageId).toMatch(/^wamid/)
    },
  )

  test.each(WINDOWED)('on $type may be sent until the last second of the window', async (row) => {
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

  systemTest.each(ANY_TIME)('on $type may be sent at any time', async (row) => {
    const talk = await begun(row.type)
    world.clock.advance(LATER_MS)
    expect(await composerOf(talk)).toMatchObject({ mayText: true, until: null })
    expect((await send(talk, { text: 'Still here?' })).status).toBe(201)
    world.clock.advance(LATER_MS)
    await every.settle()
    expect(await talk.customer.got()).toEqual(['Still here?'])
  })

  systemTest.each(WINDOWED)('on $type are not sent once the window has closed', async (row) => {
    const talk = await begun(row.type)
    expect((await send(talk, { text: 'Just in time' })).status).toBe(201)
    world.clock.advance(Number(row.reply) * HOUR_MS)
    await every.settle()
    expect(await sentIn(talk)).toMatchObject([
      { status: 'failed', errorCode: 'outside_service_window', attempt: 1 },
    ])
    expect(await talk.customer.got()).toEqual([])
  })

  test.each(SENDABLE)(
    'on $type are not sent to a customer who never wrote',
    async ({ type, reply }) => {
      const talk = await begun(type)
      await putConversation(world, talk.id, { lastCustomerAt: null, serviceWindowEndsAt: null })
      const code = reply === 'any_time' ? 'not_sendable' : 'outside_service_window'
      expect(await sends(talk, { text: 'Buy now' })).toMatchObject(refusedAs(code))
      expect(await talk.customer.got()).toEqual([])
    },
  )

  systemTest.each(SENDABLE)('on $type have at most $longest $unit', async (row) => {
    const talk = await begun(row.type)
    // The letter has two bytes, so that 1,000 bytes of Instagram are 500 letters.
    const max = 'ص'.repeat(row.unit === 'bytes' ? row.longest! / 2 : row.longest!)
    expect(await send(talk, { text: `${max}!` })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'text', code: 'text_too_long' }] },
    })
    expect((await sends(talk, { text: max })).status).toBe(201)
    expect(await talk.customer.got()).toEqual([max])
    const unit = row.unit === 'bytes' ? 'utf8_bytes' : 'code_points'
    expect(await composerOf(talk)).toMatchObject({ longest: row.longest, unit })
  })
})

test.each(ASKED_CHANNELS)(
  'A kind of message that %s cannot send is refused, and never sent',
  async (type) => {
    const { reply, templates, media } = TABLE[type]
    const refused = refusedAs('not_sendable')
    const talk = await begun(type)
    const composer = await composerOf(talk)
    expect(composer.mayTemplate).toBe(templates)
    if (!templates) expect(await sends(talk, { template: TEMPLATE })).toMatchObject(refused)
    if (!media) expect(await sends(talk, { fileId: await upload(talk) })).toMatchObject(refused)
    const isSilent = reply === 'never'
    if (isSilent) {
      expect(composer).toMatchObject({ mayText: false, longest: null })
      expect(await sends(talk, { text: 'Hello?' })).toMatchObject(refused)
    }
    expect(await sentIn(talk)).toEqual([])
    if (!isSilent) return
    // A message that is queued all the same is not sent either.
    const { companyId, channelId } = talk.party
    await addQueuedMessage(world, { companyId, channelId, conversationId: talk.id })
    await every.settle()
    expect(await sentIn(talk)).toMatchObject([{ status: 'failed', errorCode: 'not_sendable' }])
  },
)

systemTest.each(TEMPLATED)('A template on $type can be sent at any time', async (row) => {
  const talk = await begun(row.type)
  for (const passMs of [0, LATER_MS]) {
    world.clock.advance(passMs)
    expect(await composerOf(talk)).toMatchObject({ mayTemplate: true })
    expect((await send(talk, { template: TEMPLATE })).status).toBe(201)
    world.clock.advance(passMs)
    await every.settle()
  }
  expect(await talk.customer.got()).toEqual([TEMPLATE_TEXT, TEMPLATE_TEXT])
})

const start = async (party: Party, contactId: string) => {
  serial += 1
  const path = `/companies/${party.companyId}/conversations`
  const asked = { contactId, channelId: party.channelId, key: `s-${serial}`, template: TEMPLATE }
  return (await every.owner(party)).ask<SentReply>('POST', path, asked)
}
/** Makes a contact with an e-mail address and a number. */
async function newContact({ companyId }: Party): Promise<string> {
  serial += 1
  const phone = `96650999${String(serial).padStart(4, '0')}`
  const email = `new-${serial}@example.com`
  const contactId = await addContact(world, { companyId }, { phone: `+${phone}`, email })
  await addIdentifier(world, { companyId }, { kind: 'number', value: phone, contactId })
  return contactId
}

test.each(ASKED_CHANNELS)(
  'A conversation on %s is started by a template, or by its customer alone',
  async (type) => {
    const party = every.party(type)
    const count = async () => (await conversationsOf(world, { channelId: party.channelId })).length
    const before = await count()
    const { status, body } = await start(party, await newContact(party))
    if (TABLE[type].starts) {
      await every.settle()
      expect(status).toBe(201)
      expect(await messageOf(world, body.message.id)).toMatchObject({ status: 'delivered' })
    } else {
      expect([409, 422]).toContain(status)
      expect(JSON.stringify(body)).toMatch(/not_sendable|no_address_on_channel/)
      expect(await count()).toBe(before)
    }
  },
)

systemTest.each(WITH_FILES)(
  'Files on $type reach a customer who has just written',
  async ({ type, reply }) => {
    const talk = await begun(type)
    expect((await sends(talk, { fileId: await upload(talk) })).status).toBe(201)
    expect(await talk.customer.got()).toHaveLength(1)
    expect(await sentIn(talk)).toMatchObject([{ type: 'image' }])
    if (typeof reply !== 'number') return
    world.clock.advance(reply * HOUR_MS)
    const late = await sends(talk, { fileId: await upload(talk) })
    expect(late).toMatchObject(refusedAs('outside_service_window'))
  },
)

describe('STOP and START', () => {
  const events = async ({ companyId }: Party) => {
    const types = await eventTypesOf(world, { companyId }, 'contact.')
    return types.filter((type) => ['contact.opted_out', 'contact.updated'].includes(type))
  }
  const optedOut = async ({ id }: Talk) => {
    const { contactId } = await conversationOf(world, id)
    return contactId !== null && (await contactOf(world, contactId)).optedOutAt !== null
  }

  test.each(rowsWhere(({ stops }) => stops))('on $type opt out and in, once each', async (row) => {
    const talk = await begun(row.type, 'Please STOP calling')
    expect(await optedOut(talk)).toBe(false)
    const before = (await events(talk.party)).length
    // A text that opens a bot does neither.
    for (const word of ['stop', 'STOP ', '/start']) await talk.customer.writes(word)
    expect(await optedOut(talk)).toBe(true)
    for (const word of ['Start', 'START']) await talk.customer.writes(word)
    expect(await optedOut(talk)).toBe(false)
    const told = (await events(talk.party)).slice(before)
    expect(told).toEqual(['contact.opted_out', 'contact.updated'])
  })

  test.each(rowsWhere(({ stops }) => !stops))('on $type are ordinary texts', async ({ type }) => {
    const talk = await begun(type, 'STOP')
    const before = await events(talk.party)
    await talk.customer.writes('STOP')
    expect(await optedOut(talk)).toBe(false)
    await talk.customer.writes('START')
    expect(await events(talk.party)).toEqual(before)
  })
})

type Steps = Record<string, object>
const text = (words: string): Steps => ({ say: saying(words) })
const TEMPLATE_STEP = {
  kind: 'send_template',
  template: TEMPLATE.name,
  language: 'en',
  header: null,
  body: TEMPLATE.body,
  next: null,
}
const later = (ms: number, steps: Steps): Steps => ({
  rest: { kind: 'wait', until: { kind: 'minutes', minutes: ms / MINUTE_MS }, next: 'say' },
  ...steps,
})

/** Publishes a flow with a separate keyword on the party's channel. */
async function publish(party: Party, steps: Steps, trigger?: object) {
  serial += 1
  const word = `menu${serial}`
  const owner = await every.owner(party)
  const flows = `/companies/${party.companyId}/flows`
  const made = await owner.ask<{ id: string }>('POST', flows, {
    name: `Flow ${serial}`,
    draft: {
      channelId: party.channelId,
      trigger: trigger ?? keyword(word),
      start: 'rest' in steps ? 'rest' : 'say',
      steps,
    },
  })
  // A text longer than any channel allows is refused in a draft already.
  const answer =
    made.status === 201 ? await owner.ask('POST', `${flows}/${made.body.id}/publish`) : made
  const { errors = [] } = answer.body as { errors?: { code: string }[] }
  const why = errors.map(({ code }) => code)
  return { status: answer.status, why, flowId: made.body.id, word }
}

/** Starts a flow by its keyword, as a new customer. */
async function started(type: ChannelType, steps: Steps) {
  const party = every.party(type)
  const { flowId, word, ...published } = await publish(party, steps)
  expect(published).toEqual({ status: 200, why: [] })
  const customer = await party.newCustomer()
  await customer.writes(word)
  return { customer, flowId }
}

const runOf = async ({ flowId }: { flowId: string }) => only(await runsOf(world, { flowId }))

describe('A text of a flow', () => {
  test.each(SENDABLE)('on $type reaches a customer who has just written', async ({ type }) => {
    const run = await started(type, text('Welcome'))
    await every.settle()
    expect(await run.customer.got()).toEqual(['Welcome'])
    expect(await runOf(run)).toMatchObject({ endReason: 'completed' })
  })

  systemTest.each(WINDOWED)('on $type is not sent after $reply hours', async ({ type, reply }) => {
    const run = await started(type, later(Number(reply) * HOUR_MS, text('Are you there?')))
    world.clock.advance(Number(reply) * HOUR_MS)
    await every.settle()
    expect(await runOf(run)).toMatchObject({ status: 'failed', endReason: 'error' })
    expect((await runOf(run)).endDetail).toContain('reply_window_closed')
    expect(await run.customer.got()).toEqual([])
  })
})

systemTest.each(SENDABLE)(
  'STOP on $type starts a flow with that keyword only if it opts no one out: $stops',
  async (row) => {
    const party = every.party(row.type)
    const { status } = await publish(party, text('Which one shall we stop?'), keyword('STOP'))
    expect(status).toBe(200)
    const customer = await party.newCustomer()
    await customer.writes('STOP')
    await every.settle()
    expect(await customer.got()).toEqual(row.stops ? [] : ['Which one shall we stop?'])
  },
)

const media = async (party: Party): Promise<Steps> => {
  const owner = await every.owner(party)
  const query = { purpose: 'flow', name: 'menu.png' }
  const fileId = await uploadFile(world, owner, party.companyId, { query })
  return { say: { kind: 'send_media', fileId, caption: null, next: null } }
}

/** The trigger of a flow that the merchant's server starts, for the customer with the phone number in the request. */
const HOOK = { kind: 'webhook', phonePath: 'phone', namePath: null, languagePath: null, keep: [] }

test.each(ASKED_CHANNELS)(
  'A flow on %s is published only if the channel supports all of its steps',
  async (type) => {
    const party = every.party(type)
    const { reply, templates, media: files, starts } = TABLE[type]
    const holdsTo = async (can: boolean, why: string[], steps: Steps, trigger?: object) =>
      expect(await publish(party, steps, trigger)).toMatchObject(
        can ? { status: 200, why: [] } : { status: 422, why },
      )
    await holdsTo(reply !== 'never', ['channel_type_sends_nothing'], text('Welcome'))
    const noTemplates = 'channel_type_has_no_templates'
    await holdsTo(templates, [noTemplates], { say: TEMPLATE_STEP })
    await holdsTo(files, ['channel_sends_no_files'], await media(party))
    await holdsTo(starts, ['trigger_cannot_begin', noTemplates], { say: TEMPLATE_STEP }, HOOK)
  },
)
