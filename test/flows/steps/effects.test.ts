/** What a flow does to the customer and the conversation. Flows › Steps. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/limits/units.ts'
import { signedIn } from '../../support/dashboard.ts'
import { createWorld, type World } from '../../support/service.ts'
import { uploadFile } from '../../support/upload-file.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { tellStory } from '../triggers/trigger-stories.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const KEYWORD = { kind: 'keyword', words: ['order'] }
const said = (text: string, next: string | null = null) => ({ kind: 'send_message', text, next })

/** A shop with a flow that the word "order" starts. */
async function ordering(steps: Record<string, unknown>, prepare?: (story: Story) => Promise<void>) {
  const story = await begin()
  await prepare?.(story)
  await story.publish({ trigger: KEYWORD, steps })
  await story.say('order')
  return story
}

type Story = Awaited<ReturnType<typeof begin>>
async function begin() {
  const story = await tellStory(world, whatsApp)
  const { kysely } = world.database.db
  const { companyId } = story.shop
  return {
    ...story,
    say: async (text: string) => {
      await story.write({ text })
      await whatsApp.settle()
    },
    texts: () =>
      whatsApp.simulator
        .messages()
        .filter(({ to }) => to === story.phone.slice(1))
        .map(({ text }) => text),
    conversation: () =>
      kysely
        .selectFrom('conversation')
        .selectAll()
        .where('companyId', '=', companyId)
        .executeTakeFirstOrThrow(),
    entries: () =>
      kysely
        .selectFrom('conversationEntry')
        .select(['kind', 'text', 'actorKind', 'data'])
        .where('companyId', '=', companyId)
        .orderBy('id')
        .execute(),
    addField: (key: string) =>
      kysely
        .insertInto('contactField')
        .values({
          id: world.service.context.ids.uuid(),
          companyId,
          key,
          label: key,
          kind: 'text',
          createdAt: world.clock.now(),
          updatedAt: world.clock.now(),
        })
        .execute(),
    /** Types of what was told since the message, in order. */
    told: () => story.shop.events().map(({ type }) => type),
  }
}

describe('Steps that change the customer', () => {
  test('are written and told of once a turn, and seen by the steps after them', async () => {
    const { shop, texts, told } = await ordering(
      {
        hello: { kind: 'set_field', key: 'size', text: 'Large', next: 'city' },
        city: { kind: 'set_field', key: 'city', text: 'Riyadh', next: 'tag' },
        tag: { kind: 'tag', add: ['VIP', 'new'], next: 'again' },
        again: { kind: 'tag', add: ['vip'], remove: ['NEW'], next: 'speak' },
        speak: { kind: 'language', language: 'ar', next: 'which' },
        which: {
          kind: 'branch',
          branches: [
            {
              match: 'all',
              conditions: [
                { of: 'tag', tag: 'vip', has: true },
                { of: 'tag', tag: 'new', has: false },
                { of: 'field', key: 'city', is: 'equal', value: 'riyadh' },
                { of: 'language', is: 'ar' },
                { of: 'window', isOpen: true },
              ],
              next: 'yes',
            },
          ],
          otherwise: 'no',
        },
        yes: said('Welcome back'),
        no: said('Who are you?'),
      },
      async ({ addField }) => {
        await addField('size')
        await addField('city')
      },
    )
    expect(texts()).toEqual(['Welcome back'])
    expect(shop.events('contact.updated')).toMatchObject([
      {
        data: {
          contact: { tags: ['VIP'], language: 'ar', fields: { size: 'Large', city: 'Riyadh' } },
        },
      },
    ])
    expect(told().slice(-2)).toEqual(['contact.updated', 'flow.completed'])
  })

  systemTest('tell nothing where nothing changes', async () => {
    const story = await ordering({ hello: { kind: 'tag', add: ['vip'], next: null } })
    expect(story.shop.events('contact.updated')).toHaveLength(1)
    await story.say('order')
    expect(story.shop.events('contact.updated')).toHaveLength(1)
    expect(story.shop.events('flow.completed')).toHaveLength(2)
  })

  test('take a value away where the text is empty', async () => {
    const story = await ordering(
      {
        hello: { kind: 'set_field', key: 'size', text: 'L', next: 'none' },
        none: { kind: 'set_field', key: 'size', text: '{{vars.nothing}}', next: null },
      },
      async ({ addField }) => {
        await addField('size')
      },
    )
    expect(story.shop.events('contact.updated')).toEqual([])
  })
})

describe('Steps that change the conversation', () => {
  test('a note is a line for staff, and nothing is sent or told', async () => {
    const { entries, texts, told } = await ordering({
      hello: { kind: 'note', text: 'Wants {{vars.what}} by {{contact.phone}}', next: null },
    })
    const [note] = await entries()
    expect(note).toMatchObject({ kind: 'note', actorKind: 'flow' })
    expect(note!.text).toMatch(/^Wants {2}by \+/)
    expect(texts()).toEqual([])
    expect(told().at(-1)).toBe('flow.completed')
  })

  systemTest('assigning gives it to a member while the flow goes on, and is told of', async () => {
    const story = await begin()
    const sara = await signedIn(world, { accountId: story.shop.accountId, role: 'agent' })
    await story.publish({
      trigger: KEYWORD,
      steps: {
        hello: { kind: 'assign', personId: sara.personId, next: 'say' },
        say: said('Sara will look at it'),
      },
    })
    await story.say('order')
    expect(story.texts()).toEqual(['Sara will look at it'])
    expect(await story.conversation()).toMatchObject({
      handledBy: 'assistant',
      assigneeId: sara.personId,
    })
    expect(story.shop.events('conversation.assigned')).toMatchObject([
      { data: { assignee: { id: sara.personId } } },
    ])
  })

  systemTest('who is no member any more when it is their turn does not get it', async () => {
    const story = await begin()
    const sara = await signedIn(world, { accountId: story.shop.accountId, role: 'agent' })
    await story.publish({
      trigger: KEYWORD,
      steps: { hello: { kind: 'handover', text: 'Angry', personId: sara.personId } },
    })
    await world.database.db.kysely
      .deleteFrom('member')
      .where('personId', '=', sara.personId)
      .execute()
    await story.say('order')
    expect(await story.conversation()).toMatchObject({ handledBy: 'staff', assigneeId: null })
    expect(story.shop.events('conversation.assigned')).toEqual([])
  })

  systemTest(
    'handing over tells of it first, then of who has it, then of the end of the run',
    async () => {
      const story = await begin()
      const sara = await signedIn(world, { accountId: story.shop.accountId, role: 'agent' })
      await story.publish({
        trigger: KEYWORD,
        steps: {
          hello: said('A colleague will answer', 'over'),
          over: { kind: 'handover', text: 'About {{contact.phone}}', personId: sara.personId },
        },
      })
      await story.say('order')
      expect(story.told().slice(-3)).toEqual([
        'conversation.handover',
        'conversation.assigned',
        'flow.completed',
      ])
      expect(story.shop.events('conversation.handover')).toMatchObject([
        { data: { reason: 'flow_handover', reasonText: `About ${story.phone}` } },
      ])
      expect(await story.runs()).toMatchObject([{ status: 'completed', reason: 'handed_over' }])
      // From now on a keyword starts nothing; a line of the timeline names the flow.
      await story.say('order')
      expect(await story.runs()).toHaveLength(1)
      const lines = await story.entries()
      expect(lines.at(-1)).toMatchObject({
        kind: 'flow_kept_out',
        data: { flow: { name: 'Flow' } },
      })
    },
  )

  systemTest('resolving ends the run as completed and cancels the others in silence', async () => {
    const story = await begin()
    await story.publish({
      trigger: { kind: 'keyword', words: ['first'] },
      steps: { hello: { kind: 'wait', until: { kind: 'minutes', minutes: 60 }, next: null } },
    })
    await story.publish({ trigger: KEYWORD, steps: { hello: { kind: 'resolve' } } })
    await story.say('first')
    await story.say('order')
    expect(await story.runs()).toMatchObject([
      { status: 'cancelled', reason: null },
      { status: 'completed', reason: 'completed' },
    ])
    expect(story.told().slice(-2)).toEqual(['conversation.resolved', 'flow.completed'])
    expect(story.shop.events('conversation.resolved')).toMatchObject([
      { data: { conversation: { channelType: 'whatsapp' }, contact: { phone: story.phone } } },
    ])
  })
})

systemDescribe('A wait', () => {
  test('listens to nobody: what is written meanwhile is for staff, and the run goes on in time', async () => {
    const story = await ordering({
      hello: { kind: 'wait', until: { kind: 'minutes', minutes: 60 }, next: 'say' },
      say: said('An hour later'),
    })
    await story.say('hello?')
    expect(await story.conversation()).toMatchObject({ needsStaff: true, handledBy: 'assistant' })
    world.clock.advance(60 * MINUTE_MS - 1)
    await whatsApp.settle()
    expect(story.texts()).toEqual([])
    world.clock.advance(1)
    await whatsApp.settle()
    expect(story.texts()).toEqual(['An hour later'])
  })

  test('until opening goes on when the company opens, by its own clock, and at once while it is open', async () => {
    const story = await begin()
    const company = `/companies/${story.shop.companyId}`
    // It is 12:05 in Riyadh, on a Saturday.
    const openFrom = (from: string) =>
      story.owner.ask('PATCH', company, {
        timeZone: 'Asia/Riyadh',
        openingHours: { saturday: [{ from, to: '24:00' }] },
      })
    const minutes = world.clock.now().getTime() / MINUTE_MS + 180
    const wall = (ofDay: number) =>
      `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
    const now = Math.floor(minutes) % 1_440
    expect((await openFrom(wall(now + 30))).status).toBe(200)
    await story.publish({
      trigger: KEYWORD,
      steps: {
        hello: { kind: 'wait', until: { kind: 'open' }, next: 'say' },
        say: said('Good morning'),
      },
    })
    await story.say('order')
    world.clock.advance(28 * MINUTE_MS)
    await whatsApp.settle()
    expect(story.texts()).toEqual([])
    world.clock.advance(2 * MINUTE_MS)
    await whatsApp.settle()
    expect(story.texts()).toEqual(['Good morning'])
    await story.say('order')
    expect(story.texts()).toHaveLength(2)
  })
})

describe('A message that may not be sent any more', () => {
  const TWO_DAYS = { kind: 'wait', until: { kind: 'minutes', minutes: 2 * 24 * 60 }, next: 'say' }

  test('takes the way for that where its step has one', async () => {
    const story = await ordering({
      hello: TWO_DAYS,
      say: { ...said('Still there?'), onNotSent: 'tag' },
      tag: { kind: 'tag', add: ['lost'], next: null },
    })
    world.clock.advance(2 * DAY_MS)
    await whatsApp.settle()
    expect(story.texts()).toEqual([])
    expect(await story.runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(story.shop.events('contact.updated')).toMatchObject([
      { data: { contact: { tags: ['lost'] } } },
    ])
  })

  test('fails the run without one; the customer who had written needs staff', async () => {
    const story = await ordering({ hello: TWO_DAYS, say: said('Still there?') })
    world.clock.advance(2 * DAY_MS)
    await whatsApp.settle()
    expect(await story.runs()).toMatchObject([{ status: 'failed', reason: 'error' }])
    expect(story.shop.events('flow.failed')).toHaveLength(1)
    expect(await story.conversation()).toMatchObject({ needsStaff: true })
  })
})

systemDescribe('A file of the company', () => {
  test('is sent with its words; the draft that names one that is not there cannot be published', async () => {
    const story = await begin()
    const asked = { query: { purpose: 'flow', name: 'menu.png' } }
    const fileId = await uploadFile(world, story.owner, story.shop.companyId, asked)
    const shows = { kind: 'send_media', fileId, caption: 'For {{contact.phone}}', next: null }
    await story.publish({ trigger: KEYWORD, steps: { hello: shows } })
    await story.say('order')
    const [sent] = whatsApp.simulator.messages().filter(({ to }) => to === story.phone.slice(1))
    expect(sent).toMatchObject({ type: 'image', text: expect.stringContaining(story.phone) })
    expect(await story.runs()).toMatchObject([{ status: 'completed' }])
    const { answer } = await story.tryToPublish({
      trigger: { kind: 'keyword', words: ['other'] },
      steps: { hello: { ...shows, fileId: story.shop.companyId } },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'steps.hello.fileId', code: 'file_exists' }] },
    })
  })
})

systemDescribe('A run', () => {
  const ASKS = {
    hello: {
      kind: 'ask',
      text: 'Your name?',
      answer: 'text',
      saveAs: null,
      timeoutMinutes: 60,
      next: null,
      onTimeout: null,
    },
  }

  test('is cancelled by a member, in silence; a second time is too late', async () => {
    const story = await ordering(ASKS)
    const { id } = (await story.runs())[0]!
    const agent = await signedIn(world, { accountId: story.shop.accountId, role: 'agent' })
    const path = `/companies/${story.shop.companyId}/runs/${id}/cancel`
    expect((await agent.ask('POST', path)).status).toBe(204)
    await whatsApp.settle()
    expect(await story.runs()).toMatchObject([{ status: 'cancelled', reason: null }])
    expect(story.shop.events('flow.completed')).toEqual([])
    expect(await agent.ask('POST', path)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    const shown = await story.owner.ask<{ endDetail: { code: string } }>(
      'GET',
      path.replace('/cancel', ''),
    )
    expect(JSON.stringify(shown.body)).toContain('run_cancelled_by_member')
  })

  test('more texts in a minute than a person writes hand it over and cancel what runs', async () => {
    const story = await ordering(ASKS)
    world.clock.advance(HOUR_MS / 2)
    const flood = Array.from({ length: 21 }, (_, nth) => `text ${nth}`)
    for (const text of flood.slice(0, 20)) await story.write({ text })
    await whatsApp.settle()
    expect(story.shop.events('conversation.handover')).toEqual([])
    await story.say(flood[20]!)
    expect(story.shop.events('conversation.handover')).toMatchObject([
      { data: { reason: 'message_burst', reasonText: null } },
    ])
    await story.say('one more')
    expect(story.shop.events('conversation.handover')).toHaveLength(1)
  })
})
