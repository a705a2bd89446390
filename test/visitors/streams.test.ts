/** What is said to a visitor reaches their page at once, in whatever process it was sent, and nothing is lost. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { STREAM_LIMITS } from '../../src/limits/visitors.ts'
import { createVisitorStreams } from '../../src/visitors/visitor-streams.ts'
import { releaseExpiredSends } from '../../src/messaging/claim-sends.sql.ts'
import { talksOfVisitors } from '../support/records/visitors.ts'
import { messagesOf, repeatMessage } from '../support/records/messages.ts'
import { claimMessage } from '../support/records/outbox.ts'
import { newestConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { askApi } from '../support/dashboard.ts'
import { createWorldOn } from '../support/world.ts'
import { createWebsite, listenWith, openWidget } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

const KEYS = `k1:${randomBytes(32).toString('base64')}`

const world = await openWorld({ encryptionKeys: KEYS })
const website = await createWebsite(world, 'web_widget')

let serial = 0
/** Staff answers the newest conversation; sent at the next `processAll`. */
async function reply(text: string, node = world): Promise<void> {
  const { id } = await newestConversation(world, { channelId: website.channelId })
  serial += 1
  const path = `/companies/${website.shop.companyId}/conversations/${id}/messages`
  const answer = await askApi(node.url, 'POST', path, {
    json: { key: `r-${serial}`, text },
    headers: { authorization: `Bearer ${website.owner.token}` },
  })
  expect(answer.status).toBe(201)
}
async function begin(text = 'Hello') {
  const visitor = await openWidget(world.url, website.key)
  await visitor.say(text)
  world.clock.advance(1_000)
  return visitor
}

describe('A stream', () => {
  test('tells what staff says once it is sent, and it is delivered nowhere else', async () => {
    const visitor = await begin()
    const stream = await visitor.listen(visitor.session.position)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    await reply('How can we help?')
    expect(stream.texts()).not.toContain('How can we help?')
    await world.service.processAll()
    await stream.hears('How can we help?')
    expect(stream.heard.at(-1)!.message).toMatchObject({ from: 'shop', clientMessageId: null })
    const answer = (await messagesOf(world, website)).find(
      ({ text }) => text === 'How can we help?',
    )
    expect(answer).toMatchObject({ status: 'accepted', shownAt: expect.any(Date) })
    await stream.close()
  })

  systemTest(
    'tells each tab of the visitor what they said in another one, and nobody else',
    async () => {
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
    },
  )

  systemTest(
    'goes on with Last-Event-ID where it was: what came meanwhile is told, each in its order',
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

  systemTest('tells all, also where more is said at once than is read at once', async () => {
    const visitor = await begin()
    const { body } = await visitor.say('Line 0')
    const stream = await visitor.listen()
    await stream.hears('Line 0')
    const many = STREAM_LIMITS.messagesAtOnce + 50
    await repeatMessage(world, body.id, many, { text: (nth) => `Line ${nth}` })
    await stream.hears(`Line ${many}`)
    // Again where all of a page is known.
    await visitor.say('And another')
    await stream.hears('And another')
    const told = stream.texts().filter((text) => /^Line [1-9]/.test(text ?? ''))
    expect(told).toEqual(Array.from({ length: many }, (_, n) => `Line ${n + 1}`))
    await stream.close()
  })

  systemTest(
    'keeps nobody waiting: others are told theirs while the long history of one visitor is read',
    async () => {
      await begin('Mine')
      const { body } = await (await begin()).say('Line 0')
      const many = 5 * STREAM_LIMITS.messagesAtOnce
      const text = (nth: number) => `Line ${nth}`
      await repeatMessage(world, body.id, many, { text, shownEveryMs: 1 })
      const rows = (await talksOfVisitors(world, website)).slice(-2).toReversed()
      const streams = createVisitorStreams(world.service.context, world.database.connection)
      const told: (string | null)[] = []
      const open = (talk: (typeof rows)[number], onTold: () => void) =>
        streams.open({
          ...talk,
          positionMs: 0,
          tell: (lines) => {
            told.push(lines.at(-1)!.message.text)
            onTold()
          },
          end: () => {},
        })
      open(rows[0]!, () => {
        if (streams.size() === 1) open(rows[1]!, () => {})
      })
      await waitUntil(
        'all to be told',
        () => told.includes(`Line ${many}`) && told.includes('Mine'),
      )
      // With the second page of five.
      expect(told.indexOf('Mine')).toBeLessThanOrEqual(2)
      await streams.stop()
    },
  )

  test('takes one ticket once; an old one, and one of nobody, open none', async () => {
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

  test('is opened by no ticket of a widget that was taken out of use meanwhile', async () => {
    const other = await createWebsite(world, 'web_widget', website)
    const visitor = await openWidget(world.url, other.key)
    await visitor.say('Hello')
    const { body } = await visitor.ask<{ ticket: string }>('POST', '/tickets', {})
    const path = `/companies/${website.shop.companyId}/channels/${other.channelId}/disconnect`
    await website.owner.ask('POST', path)
    expect((await listenWith(world.url, body.ticket)).status).toBe(401)
  })

  test('a visitor has so many of them, and no more', async () => {
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

systemTest('What another process sends reaches a stream of this one', async () => {
  const visitor = await begin()
  const stream = await visitor.listen()
  // The database of the other world is dropped with this one's.
  const other = await createWorldOn(
    { ...world.database, drop: () => Promise.resolve() },
    { encryptionKeys: KEYS },
  )
  try {
    await reply('From the other node', other)
    await other.service.processAll()
    await stream.hears('From the other node')
    expect(stream.heard.at(-1)!.message.from).toBe('shop')
  } finally {
    await stream.close()
    await other.close()
  }
})

systemTest('What a process that died had under way is there, once', async () => {
  const visitor = await begin()
  await reply('Cut off')
  const { kysely } = world.database.db
  const cutOff = (await messagesOf(world, website)).find(({ text }) => text === 'Cut off')!
  await claimMessage(world, cutOff.id, { leaseMs: -world.clock.now().getTime() })
  expect((await visitor.messages()).map(({ text }) => text)).toEqual(['Hello'])
  await releaseExpiredSends(kysely, world.clock.now())
  expect((await visitor.messages()).map(({ text }) => text)).toEqual(['Hello', 'Cut off'])
  await world.service.processAll()
  expect((await visitor.messages()).map(({ text }) => text)).toEqual(['Hello', 'Cut off'])
})
