/** Effects of a flow on the customer and the conversation. Flows › Steps. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { signedIn, type Member } from '../../support/dashboard.ts'
import { addContactField } from '../../support/records/contacts.ts'
import { entriesOf } from '../../support/records/handovers.ts'
import { removePerson } from '../../support/records/members.ts'
import { uploadFile } from '../../support/upload-file.ts'
import { ASKING, keyword, saying, tellStory, type Story } from '../triggers/trigger-stories.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const begin = () => tellStory(world, whatsApp)
const agentOf = ({ shop }: Story): Promise<Member> =>
  signedIn(world, { accountId: shop.accountId, role: 'agent' })
const linesOf = async ({ conversation }: Story) => entriesOf(world, (await conversation()).id)

/** Lets a customer begin a flow with the word "order". */
async function ordering(steps: Record<string, unknown>, fields: string[] = []) {
  const story = await begin()
  for (const key of fields) {
    await addContactField(world, story.shop, { key, label: key, kind: 'text' })
  }
  await story.publishOrder(steps)
  await story.say('order')
  return story
}

describe('Steps that change the customer', () => {
  test('are written once in an advance, with one event, and seen by the steps after them', async () => {
    const conditions = [
      { of: 'tag', tag: 'vip', has: true },
      { of: 'tag', tag: 'new', has: false },
      { of: 'field', key: 'city', is: 'equal', value: 'riyadh' },
      { of: 'language', is: 'ar' },
      { of: 'window', isOpen: true },
    ]
    const { shop, texts, eventTypes } = await ordering(
      {
        hello: { kind: 'set_field', key: 'size', text: 'Large', next: 'city' },
        city: { kind: 'set_field', key: 'city', text: 'Riyadh', next: 'tag' },
        tag: { kind: 'tag', add: ['VIP', 'new'], next: 'again' },
        again: { kind: 'tag', add: ['vip'], remove: ['NEW'], next: 'speak' },
        speak: { kind: 'language', language: 'ar', next: 'which' },
        which: {
          kind: 'branch',
          branches: [{ match: 'all', conditions, next: 'yes' }],
          otherwise: 'no',
        },
        yes: saying('Welcome back'),
        no: saying('Who are you?'),
      },
      ['size', 'city'],
    )
    expect(texts()).toEqual(['Welcome back'])
    const fields = { size: 'Large', city: 'Riyadh' }
    expect(shop.events('contact.updated')).toMatchObject([
      { data: { contact: { tags: ['VIP'], language: 'ar', fields } } },
    ])
    expect(eventTypes().slice(-2)).toEqual(['contact.updated', 'flow.completed'])
  })

  test('remove a value if the text is empty', async () => {
    const { shop } = await ordering(
      {
        hello: { kind: 'set_field', key: 'size', text: 'L', next: 'none' },
        none: { kind: 'set_field', key: 'size', text: '{{vars.nothing}}', next: null },
      },
      ['size'],
    )
    expect(shop.events('contact.updated')).toEqual([])
  })
})

describe('Steps that change the conversation', () => {
  test('a note is a line for staff, and nothing is sent and no event raised', async () => {
    const story = await ordering({
      hello: { kind: 'note', text: 'Wants {{vars.what}} by {{contact.phone}}', next: null },
    })
    const text = expect.stringMatching(/^Wants {2}by \+/)
    expect(await linesOf(story)).toMatchObject([{ kind: 'note', actorKind: 'flow', text }])
    expect(story.texts()).toEqual([])
    expect(story.eventTypes().at(-1)).toBe('flow.completed')
  })

  systemTest('assigning raises an event, and the flow continues', async () => {
    const story = await begin()
    const { personId } = await agentOf(story)
    await story.publishOrder({
      hello: { kind: 'assign', personId, next: 'say' },
      say: saying('Sara will look at it'),
    })
    await story.say('order')
    expect(story.texts()).toEqual(['Sara will look at it'])
    const its = { handledBy: 'assistant', assigneeId: personId }
    expect(await story.conversation()).toMatchObject(its)
    expect(story.shop.events('conversation.assigned')).toMatchObject([
      { data: { assignee: { id: personId } } },
    ])
  })

  systemTest('a person who is no longer a member is not assigned', async () => {
    const story = await begin()
    const { personId } = await agentOf(story)
    await story.publishOrder({ hello: { kind: 'handover', text: 'Angry', personId } })
    await removePerson(world, personId)
    await story.say('order')
    expect(await story.conversation()).toMatchObject({ handledBy: 'staff', assigneeId: null })
    expect(story.shop.events('conversation.assigned')).toEqual([])
  })

  systemTest('the handover, the assignment and the end raise events in order', async () => {
    const story = await begin()
    const { personId } = await agentOf(story)
    await story.publishOrder({
      hello: saying('A colleague will answer', 'over'),
      over: { kind: 'handover', text: 'About {{contact.phone}}', personId },
    })
    await story.say('order')
    const told = ['conversation.handover', 'conversation.assigned', 'flow.completed']
    expect(story.eventTypes().slice(-3)).toEqual(told)
    expect(story.shop.events('conversation.handover')).toMatchObject([
      { data: { reason: 'flow_handover', reasonText: `About ${story.phone}` } },
    ])
    expect(await story.runs()).toMatchObject([{ status: 'completed', reason: 'handed_over' }])
    // A keyword starts nothing from now on; a line of the timeline names the flow.
    await story.say('order')
    expect(await story.runs()).toHaveLength(1)
    const line = { kind: 'flow_kept_out', data: { flow: { name: 'Flow' } } }
    expect((await linesOf(story)).at(-1)).toMatchObject(line)
  })

  systemTest('resolving completes the run, and cancels others without events', async () => {
    const story = await begin()
    await story.publish({
      trigger: keyword('first'),
      steps: { hello: { kind: 'wait', until: { kind: 'minutes', minutes: 60 }, next: null } },
    })
    await story.publishOrder({ hello: { kind: 'resolve' } })
    await story.say('first')
    await story.say('order')
    expect(await story.runs()).toMatchObject([
      { status: 'cancelled', reason: null },
      { status: 'completed', reason: 'completed' },
    ])
    expect(story.eventTypes().slice(-2)).toEqual(['conversation.resolved', 'flow.completed'])
    expect(story.shop.events('conversation.resolved')).toMatchObject([
      { data: { conversation: { channelType: 'whatsapp' }, contact: { phone: story.phone } } },
    ])
  })
})

systemDescribe('A wait', () => {
  test('reads no messages: they are left to staff, and the run continues in time', async () => {
    const { say, texts, conversation } = await ordering({
      hello: { kind: 'wait', until: { kind: 'minutes', minutes: 60 }, next: 'say' },
      say: saying('An hour later'),
    })
    await say('hello?')
    expect(await conversation()).toMatchObject({ needsStaff: true, handledBy: 'assistant' })
    world.clock.advance(60 * MINUTE_MS - 1)
    await whatsApp.settle()
    expect(texts()).toEqual([])
    world.clock.advance(1)
    await whatsApp.settle()
    expect(texts()).toEqual(['An hour later'])
  })

  test('until opening ends when the company opens, in its time zone, and immediately while it is open', async () => {
    const { owner, shop, publishOrder, say, texts } = await begin()
    // It is 12:05 in Riyadh, on a Saturday.
    const minutes = world.clock.now().getTime() / MINUTE_MS + 180
    const wall = (ofDay: number) =>
      `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
    const from = wall((Math.floor(minutes) % 1_440) + 30)
    const opens = await owner.ask('PATCH', `/companies/${shop.companyId}`, {
      timeZone: 'Asia/Riyadh',
      openingHours: { saturday: [{ from, to: '24:00' }] },
    })
    expect(opens.status).toBe(200)
    await publishOrder({
      hello: { kind: 'wait', until: { kind: 'open' }, next: 'say' },
      say: saying('Good morning'),
    })
    await say('order')
    world.clock.advance(28 * MINUTE_MS)
    await whatsApp.settle()
    expect(texts()).toEqual([])
    world.clock.advance(2 * MINUTE_MS)
    await whatsApp.settle()
    expect(texts()).toEqual(['Good morning'])
    await say('order')
    expect(texts()).toHaveLength(2)
  })
})

describe('A message that may not be sent any more', () => {
  const TWO_DAYS = { kind: 'wait', until: { kind: 'minutes', minutes: 2 * 24 * 60 }, next: 'say' }

  test('takes the exit for that if its step has one', async () => {
    const { shop, texts, runs } = await ordering({
      hello: TWO_DAYS,
      say: { ...saying('Still there?'), onNotSent: 'tag' },
      tag: { kind: 'tag', add: ['lost'], next: null },
    })
    world.clock.advance(2 * DAY_MS)
    await whatsApp.settle()
    expect(texts()).toEqual([])
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(shop.events('contact.updated')).toMatchObject([
      { data: { contact: { tags: ['lost'] } } },
    ])
  })

  test('fails the run without one, and the customer who had written needs staff', async () => {
    const { shop, texts, lastRun, conversation } = await ordering({
      hello: TWO_DAYS,
      say: saying('Still there?'),
    })
    world.clock.advance(2 * DAY_MS)
    await whatsApp.settle()
    expect(texts()).toEqual([])
    const endDetail = { code: 'reply_window_closed', params: { hours: 24 } }
    const failed = { status: 'failed', endReason: 'error', endDetail }
    expect(await lastRun()).toMatchObject(failed)
    expect(shop.events('flow.failed')).toHaveLength(1)
    expect(shop.events('flow.completed')).toEqual([])
    expect(await conversation()).toMatchObject({ needsStaff: true })
  })
})

systemTest('A file is sent and stored with its caption', async () => {
  const { owner, shop, phone, publishOrder, tryToPublish, say, sent, lastRun } = await begin()
  const asked = { query: { purpose: 'flow', name: 'menu.png' } }
  const fileId = await uploadFile(world, owner, shop.companyId, asked)
  const shows = { kind: 'send_media', fileId, caption: 'For {{contact.phone}}', next: null }
  await publishOrder({ hello: shows })
  await say('order')
  const image = { type: 'image', text: `For ${phone}` }
  expect(sent()).toMatchObject([{ type: 'image', text: expect.stringContaining(phone) }])
  expect(await lastRun()).toMatchObject({ status: 'completed', steps: [{ message: image }] })
  const steps = { hello: { ...shows, fileId: shop.companyId } }
  const { answer } = await tryToPublish({ trigger: keyword('other'), steps })
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'steps.hello.fileId', code: 'file_exists' }] },
  })
})

systemTest('A member cancels a run without an event, and only once', async () => {
  const story = await ordering(ASKING)
  const { id } = (await story.runs())[0]!
  const agent = await agentOf(story)
  const path = `/companies/${story.shop.companyId}/runs/${id}/cancel`
  expect((await agent.ask('POST', path)).status).toBe(204)
  await whatsApp.settle()
  const endDetail = { code: 'run_cancelled_by_member' }
  const cancelled = { status: 'cancelled', endReason: null, endDetail }
  expect(await story.lastRun()).toMatchObject(cancelled)
  expect(story.shop.events('flow.completed')).toEqual([])
  const tooLate = { status: 409, body: { code: 'conflict' } }
  expect(await agent.ask('POST', path)).toMatchObject(tooLate)
})
