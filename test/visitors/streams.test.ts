/** An answer to a visitor reaches their page immediately, from whichever process it was sent, and none is lost. */
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { endLeases } from '../support/queues.ts'
import { runsOf } from '../support/records/runs.ts'
import { STREAM_LIMITS } from '../../src/core/limits/visitors.ts'
import { createVisitorStreams } from '../../src/modules/visitors/visitor-streams.ts'
import { SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import { talksOfVisitors } from '../support/records/visitors.ts'
import { messagesOf, repeatMessage } from '../support/records/messages.ts'
import { claimMessage } from '../support/records/outbox.ts'
import { openWorld } from '../support/open-world.ts'
import { createWebsite, listenWith, openWidget, staffAnswers } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'
import { choosing, saying } from '../flows/triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const website = await createWebsite(world, 'web_widget')

const reply = (text: string) => staffAnswers(world, website, text)
async function begin(text = 'Hello') {
  const visitor = await openWidget(world.url, website.key)
  await visitor.say(text)
  world.clock.advance(1_000)
  return visitor
}

describe('A stream', () => {
  test('shows a message of staff once it is sent, and records when it was shown', async () => {
    const visitor = await begin()
    const stream = await visitor.listen(visitor.session.position)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    await reply('How can we help?')
    expect(stream.texts()).not.toContain('How can we help?')
    await world.service.processAll()
    await stream.hears('How can we help?')
    expect(stream.heard.at(-1)!.message).toMatchObject({ from: 'shop', clientMessageId: null })
    const kept = await messagesOf(world, { channelId: website.channelId, sender: 'staff' })
    expect(kept.at(-1)).toMatchObject({ status: 'accepted', shownAt: expect.any(Date) })
    await stream.close()
  })

  systemTest('shows each tab what the visitor wrote in another, and no other visitor', async () => {
    const stranger = await begin('I am somebody else')
    const visitor = await begin()
    const tabs = await Promise.all([visitor.listen(), visitor.listen(), stranger.listen()])
    await visitor.say('From the first tab')
    await Promise.all(tabs.slice(0, 2).map((tab) => tab.hears('From the first tab')))
    await reply('Heard')
    await world.service.processAll()
    await Promise.all(tabs.slice(0, 2).map((tab) => tab.hears('Heard')))
    expect(tabs[2].texts()).not.toContain('Heard')
    expect(tabs[2].texts()).not.toContain('From the first tab')
    for (const tab of tabs) await tab.close()
  })

  systemTest(
    'continues with Last-Event-ID: messages sent meanwhile come in their order',
    async () => {
      const visitor = await begin()
      const first = await visitor.listen()
      await reply('One')
      await world.service.processAll()
      await first.hears('One')
      await first.close()
      for (const text of ['Two', 'Three']) {
        await reply(text)
        await world.service.processAll()
      }
      const second = await visitor.listen(first.heard.at(-1)!.id)
      await second.hears('Three')
      const fresh = second.texts().filter((text) => text === 'Two' || text === 'Three')
      expect(fresh).toEqual(['Two', 'Three'])
      await second.close()
    },
  )

  systemTest(
    'shows all messages, also when more are sent together than one page holds',
    async () => {
      const visitor = await begin()
      const { body } = await visitor.say('Line 0')
      const stream = await visitor.listen()
      await stream.hears('Line 0')
      const many = STREAM_LIMITS.messagesPerRead + 50
      await repeatMessage(world, body.id, many, { text: (nth) => `Line ${nth}` })
      await stream.hears(`Line ${many}`)
      // The same holds when all messages of a page are known.
      await visitor.say('And another')
      await stream.hears('And another')
      const told = stream.texts().filter((text) => /^Line [1-9]/.test(text ?? ''))
      expect(told).toEqual(Array.from({ length: many }, (_, n) => `Line ${n + 1}`))
      await stream.close()
    },
  )

  systemTest(
    'shows others their messages while the long history of one visitor is read',
    async () => {
      await begin('Mine')
      const { body } = await (await begin()).say('Line 0')
      const many = 5 * STREAM_LIMITS.messagesPerRead
      const text = (nth: number) => `Line ${nth}`
      await repeatMessage(world, body.id, many, { text, shownEveryMs: 1 })
      const rows = (await talksOfVisitors(world, website)).slice(-2).toReversed()
      const streams = createVisitorStreams(world.service.context, world.database.connection)
      const told: (string | null)[] = []
      const open = (talk: (typeof rows)[number], onTold: () => void) =>
        streams.open({
          ...talk,
          positionMs: 0,
          send: (lines) => {
            told.push(lines.at(-1)!.message.text)
            onTold()
          },
          end: () => {},
        })
      open(rows[0]!, () => {
        if (streams.size() === 1) open(rows[1]!, () => {})
      })
      const last = [`Line ${many}`, 'Mine']
      await waitUntil('all to be told', () => last.every((line) => told.includes(line)))
      // This happens with the second page of five.
      expect(told.indexOf('Mine')).toBeLessThanOrEqual(2)
      await streams.stop()
    },
  )

  test('accepts a ticket once; an old one and an unknown one open none', async () => {
    const visitor = await begin()
    const ticketOf = async () =>
      (await visitor.ask<{ ticket: string }>('POST', '/tickets', {})).body.ticket
    const ticket = await ticketOf()
    const stream = await listenWith(world.url, ticket)
    expect(stream.status).toBe(200)
    expect((await listenWith(world.url, ticket)).status).toBe(401)
    expect((await listenWith(world.url, 'A'.repeat(43))).status).toBe(401)
    const old = await ticketOf()
    world.clock.advance(STREAM_LIMITS.ticketMs)
    expect((await listenWith(world.url, old)).status).toBe(401)
    const silent = await openWidget(world.url, website.key)
    expect((await silent.ask('POST', '/tickets', {})).status).toBe(409)
    await stream.close()
  })

  test('is opened by no ticket of a widget that was disconnected meanwhile', async () => {
    const other = await createWebsite(world, 'web_widget', website)
    const visitor = await openWidget(world.url, other.key)
    await visitor.say('Hello')
    const { body } = await visitor.ask<{ ticket: string }>('POST', '/tickets', {})
    const path = `/companies/${website.shop.companyId}/channels/${other.channelId}/disconnect`
    await website.owner.ask('POST', path)
    expect((await listenWith(world.url, body.ticket)).status).toBe(401)
  })

  test('is limited in number for each visitor', async () => {
    const visitor = await begin()
    const streams = []
    for (let n = 0; n < STREAM_LIMITS.perVisitor; n += 1) streams.push(await visitor.listen())
    expect((await visitor.listen()).status).toBe(429)
    await streams[0]!.close()
    await waitUntil('its place to be free', async () => {
      const next = await visitor.listen()
      streams.push(next)
      return next.status === 200
    })
    for (const stream of streams) await stream.close()
  })
})

systemTest('A message that was in progress in a process that died is shown, once', async () => {
  const visitor = await begin()
  await reply('Cut off')
  const texts = async () => (await visitor.messages()).map(({ text }) => text)
  const cutOff = (await messagesOf(world, website)).find(({ text }) => text === 'Cut off')!
  await claimMessage(world, cutOff.id, { leaseMs: -world.clock.now().getTime() })
  expect(await texts()).toEqual(['Hello'])
  await endLeases(world, SEND_QUEUE)
  expect(await texts()).toEqual(['Hello', 'Cut off'])
  await world.service.processAll()
  expect(await texts()).toEqual(['Hello', 'Cut off'])
})

describe('A flow on the chat', () => {
  const options = { s: 'Small', l: 'Large' }
  const FLOW = {
    trigger: { kind: 'conversation_started' },
    start: 'ask',
    steps: {
      ask: choosing('Which size?', { saveAs: 'size', options, next: 'thank' }),
      thank: saying('You chose {{vars.size}}.', 'person'),
      person: { kind: 'handover' },
    },
  }
  /** A chat has no buttons: the options are listed below each other. */
  const ASKED = 'Which size?\n\n1. Small\n2. Large'

  test('asks a visitor, reads their answer, hands over, and raises events without a contact', async () => {
    const flows = `/companies/${website.shop.companyId}/flows`
    const made = await website.owner.ask<{ id: string }>('POST', flows, {
      name: 'Size',
      draft: { channelId: website.channelId, ...FLOW },
    })
    const published = await website.owner.ask('POST', `${flows}/${made.body.id}/publish`)
    expect([made.status, published.status]).toEqual([201, 200])
    const { events } = world.receiver
    const handovers = events('conversation.handover').length
    const visitor = await openWidget(world.url, website.key)
    await visitor.say('Hello', { name: 'Noura' })
    const stream = await visitor.listen(visitor.session.position)
    await world.service.processAll()
    await stream.hears(ASKED)
    await visitor.say('2')
    await world.service.processAll()
    await stream.hears('You chose l.')
    await world.service.processAll()
    expect(stream.texts()).toEqual(['Hello', ASKED, '2', 'You chose l.'])
    const run = { endReason: 'handed_over', variables: { size: 'l' } }
    const contact = { id: null, name: 'Noura', phone: null, whatsAppId: null }
    expect(events('flow.completed')).toMatchObject([{ data: { run, contact } }])
    expect(events('conversation.handover').slice(handovers)).toMatchObject([
      { data: { reason: 'flow_handover' } },
    ])
    expect(events('contact.created')).toEqual([])
    await stream.close()
  })

  test('ends its run without an event when the visitor is erased', async () => {
    const visitor = await openWidget(world.url, website.key)
    await visitor.say('Hello')
    await world.service.processAll()
    const latest = async () => (await runsOf(world, { companyId: website.shop.companyId })).at(-1)!
    const { id, conversationId, status } = await latest()
    expect(status).toBe('waiting')
    const told = world.receiver.received.length
    const path = `/companies/${website.shop.companyId}/conversations/${conversationId}/erase-visitor`
    expect((await website.owner.ask('POST', path, { confirm: true })).status).toBe(204)
    world.clock.advance(HOUR_MS)
    await world.service.processAll()
    expect(await latest()).toMatchObject({ id, status: 'cancelled' })
    const since = world.receiver.received.slice(told).map(({ event }) => event.type)
    expect(since).not.toContain('flow.completed')
  })
})
