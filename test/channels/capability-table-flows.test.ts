/**
 * What a flow sends on each type of channel, and when: what can be published there, what its run sends in the
 * window and after it, and what a member may start. The other half of the channel table stands beside this.
 *
 * Spec: Concepts › Channel capabilities; Flows › Publishing; Flows › Steps; Flows › Triggers.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { createVersionReader } from '../../src/modules/flows/design/load-version.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { claimFrom } from '../support/queues.ts'
import { runsOf } from '../support/records/runs.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { newestConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { connectEveryChannel, type Customer, type Party } from '../support/every-channel.ts'
import { uploadFile } from '../support/upload-file.ts'
import {
  ANY_TIME,
  ASKED_CHANNELS,
  SENDABLE,
  TABLE,
  TEMPLATE,
  TEMPLATE_TEXT,
  TEMPLATED,
  WINDOWED,
  WITH_FILES,
} from './capability-table.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const every = await connectEveryChannel(world, ASKED_CHANNELS)
afterAll(async () => {
  await every.close()
})

let serial = 0

type Steps = Record<string, object>
const END = { done: { kind: 'end' } }
const text = (words: string): Steps => ({
  say: { kind: 'send_message', text: words, next: 'done' },
  ...END,
})
const template = (after: Steps = {}): Steps => ({
  say: {
    kind: 'send_template',
    template: TEMPLATE.name,
    language: 'en',
    header: null,
    body: TEMPLATE.body,
    next: 'done',
  },
  ...END,
  ...after,
})
const later = (ms: number, steps: Steps): Steps => ({
  rest: { kind: 'wait', until: { kind: 'minutes', minutes: ms / MINUTE_MS }, next: 'say' },
  ...steps,
})

type Published = { status: number; why: string[]; flowId: string; word: string }

/** Makes a flow on the party's channel that a word of its own starts, and publishes it. */
async function publish(party: Party, steps: Steps, trigger?: object): Promise<Published> {
  serial += 1
  const word = `menu${serial}`
  const owner = await every.owner(party)
  const flows = `/companies/${party.companyId}/flows`
  const made = await owner.ask<{ id: string }>('POST', flows, {
    name: `Flow ${serial}`,
    draft: {
      channelId: party.channelId,
      trigger: trigger ?? { kind: 'keyword', words: [word], match: 'exact' },
      start: 'rest' in steps ? 'rest' : 'say',
      steps,
    },
  })
  // What is longer than any channel takes is not kept as a draft either.
  const answer =
    made.status === 201 ? await owner.ask('POST', `${flows}/${made.body.id}/publish`) : made
  const { errors = [] } = answer.body as { errors?: { code: string }[] }
  const why = errors.map(({ code }) => code)
  return { status: answer.status, why, flowId: made.body.id, word }
}

type Started = { party: Party; customer: Customer; flowId: string }

/** A flow that somebody new has started by its word. */
async function started(type: ChannelType, steps: Steps): Promise<Started> {
  const party = every.party(type)
  const { flowId, word, ...published } = await publish(party, steps)
  expect(published).toEqual({ status: 200, why: [] })
  const customer = await party.newCustomer()
  await customer.writes(word)
  return { party, customer, flowId }
}

const runOf = async ({ flowId }: Pick<Started, 'flowId'>) => only(await runsOf(world, { flowId }))
const sentBy = async (run: Pick<Started, 'flowId'>) =>
  messagesOf(world, { runId: (await runOf(run)).id })

const LONGEST_OF_ALL = 4_096

describe('A text of a flow', () => {
  test.each(SENDABLE)('on $type is sent to whoever has just written', async ({ type }) => {
    const run = await started(type, text('Welcome'))
    await every.settle()
    expect(await run.customer.got()).toEqual(['Welcome'])
    expect(await runOf(run)).toMatchObject({ endReason: 'completed' })
  })

  systemTest.each(SENDABLE)('on $type may have $longest $unit, and not one more', async (row) => {
    const { type, longest, unit } = row
    const most = 'ص'.repeat(unit === 'bytes' ? longest! / 2 : longest!)
    const tooMuch = await publish(every.party(type), text(`${most}!`))
    expect(tooMuch).toMatchObject({
      status: 422,
      why: [longest === LONGEST_OF_ALL ? 'too_big' : 'text_length'],
    })
    const run = await started(type, text(most))
    await every.settle()
    expect(await run.customer.got()).toEqual([most])
  })

  systemTest.each(WINDOWED)('on $type is not sent after $reply hours', async ({ type, reply }) => {
    const run = await started(type, later(Number(reply) * HOUR_MS, text('Are you there?')))
    world.clock.advance(Number(reply) * HOUR_MS)
    await every.settle()
    expect(await runOf(run)).toMatchObject({ status: 'failed', endReason: 'error' })
    expect((await runOf(run)).endDetail).toContain('reply_window_closed')
    expect(await run.customer.got()).toEqual([])
  })

  systemTest.each(ANY_TIME)('on $type is sent weeks later too', async ({ type }) => {
    const run = await started(type, later(20 * DAY_MS, text('Are you there?')))
    world.clock.advance(20 * DAY_MS)
    await every.settle()
    await every.settle()
    expect(await run.customer.got()).toEqual(['Are you there?'])
  })
})

systemTest.each(SENDABLE)('STOP on $type starts a flow of that word: not $stops', async (row) => {
  const party = every.party(row.type)
  const trigger = { kind: 'keyword', words: ['STOP'], match: 'exact' }
  const { status } = await publish(party, text('Which one shall we stop?'), trigger)
  expect(status).toBe(200)
  const customer = await party.newCustomer()
  await customer.writes('STOP')
  await every.settle()
  expect(await customer.got()).toEqual(row.stops ? [] : ['Which one shall we stop?'])
})

/** The turn of the run is taken and what it sends is queued, by a node that then goes no further. */
async function queueOnly({ flowId }: Started): Promise<void> {
  const { db, clock, ids } = world.service.context
  const deps = {
    db,
    clock,
    ids,
    readVersion: createVersionReader(),
    publicUrl: () => 'http://localhost',
    eagerClaimFor: () => null,
  }
  const runs = await claimFrom(world, RUN_QUEUE, { limit: 20 })
  await advanceRuns(
    deps,
    runs.map((run) => ({ run, called: null })),
  )
  expect(await sentBy({ flowId })).toMatchObject([{ status: 'queued' }])
}

systemDescribe('What a flow has queued', () => {
  test.each(WINDOWED)(
    'on $type is not sent once the window has closed',
    async ({ type, reply }) => {
      const run = await started(type, later(HOUR_MS, text('A moment')))
      world.clock.advance(HOUR_MS)
      await queueOnly(run)
      world.clock.advance(Number(reply) * HOUR_MS)
      await every.settle()
      expect(await sentBy(run)).toMatchObject([
        { status: 'failed', errorCode: 'outside_service_window' },
      ])
      expect(await runOf(run)).toMatchObject({ status: 'failed', endReason: 'error' })
      expect(await run.customer.got()).toEqual([])
    },
  )

  test.each(ANY_TIME)('on $type is sent whenever it is found', async ({ type }) => {
    const run = await started(type, later(HOUR_MS, text('A moment')))
    world.clock.advance(HOUR_MS)
    await queueOnly(run)
    world.clock.advance(20 * DAY_MS)
    await every.settle()
    await every.settle()
    expect(await run.customer.got()).toEqual(['A moment'])
    expect(await runOf(run)).toMatchObject({ endReason: 'completed' })
  })
})

systemTest.each(TEMPLATED)(
  'A template of a flow on $type is sent after the window too',
  async (row) => {
    const run = await started(row.type, later(Number(row.reply) * HOUR_MS, template()))
    world.clock.advance(Number(row.reply) * HOUR_MS)
    await every.settle()
    await every.settle()
    expect(await run.customer.got()).toEqual([TEMPLATE_TEXT])
  },
)

const media = async (party: Party): Promise<Steps> => {
  const owner = await every.owner(party)
  const query = { purpose: 'flow', name: 'menu.png' }
  const fileId = await uploadFile(world, owner, party.companyId, { query })
  return { say: { kind: 'send_media', fileId, caption: null, next: 'done' }, ...END }
}

systemTest.each(WITH_FILES)('A file of a flow on $type is sent', async ({ type }) => {
  const run = await started(type, await media(every.party(type)))
  await every.settle()
  expect(await run.customer.got()).toHaveLength(1)
  expect(await sentBy(run)).toMatchObject([{ type: 'image' }])
})

/** The trigger of a flow that the merchant's server starts, for the customer with the phone number in the request. */
const HOOK = { kind: 'webhook', phonePath: 'phone', namePath: null, languagePath: null, keep: [] }

test.each(ASKED_CHANNELS)(
  'A flow on %s is published where the channel can do all of it',
  async (type) => {
    const party = every.party(type)
    const { reply, templates, media: files, starts } = TABLE[type]
    const holdsTo = async (can: boolean, why: string[], steps: Steps, trigger?: object) =>
      expect(await publish(party, steps, trigger)).toMatchObject(
        can ? { status: 200, why: [] } : { status: 422, why },
      )
    await holdsTo(reply !== 'never', ['channel_type_sends_nothing'], text('Welcome'))
    const noTemplates = 'channel_type_has_no_templates'
    await holdsTo(templates, [noTemplates], template())
    await holdsTo(files, ['channel_sends_no_files'], await media(party))
    await holdsTo(starts, ['trigger_cannot_begin', noTemplates], template(), HOOK)
  },
)

systemDescribe('A flow that a member starts', () => {
  const start = async (party: Party, flowId: string, contactId: string | null) => {
    serial += 1
    const path = `/companies/${party.companyId}/flows/${flowId}/runs`
    return (await every.owner(party)).ask('POST', path, { contactId, key: `start-${serial}` })
  }
  const contactOf = async ({ channelId }: Party) =>
    (await newestConversation(world, { channelId })).contactId
  const withContacts = SENDABLE.filter(({ type }) => type !== 'web_widget')

  test.each(withContacts)('on $type, while a reply may be sent', async ({ type, reply }) => {
    const party = every.party(type)
    const { flowId } = await publish(party, text('As you asked'), { kind: 'manual' })
    const customer = await party.newCustomer()
    await customer.writes('Call me back')
    const contactId = await contactOf(party)
    expect((await start(party, flowId, contactId)).status).toBe(201)
    await every.settle()
    expect(await customer.got()).toEqual(['As you asked'])
    world.clock.advance(typeof reply === 'number' ? reply * HOUR_MS : 20 * DAY_MS)
    const again = await start(party, flowId, contactId)
    expect(again).toMatchObject(
      typeof reply === 'number'
        ? { status: 409, body: { code: 'outside_service_window' } }
        : { status: 201 },
    )
  })
})
