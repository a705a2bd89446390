/** Whoever works the inbox sees what changes in it, on the one stream. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveNouns } from '../../src/inbox/live-nouns.ts'
import { createLiveChanges, type LiveMessage } from '../../src/live/watch-changes.ts'
import { fact } from '../../src/facts/fact.ts'
import { act, inboxOf, reply, type Inbox } from '../support/inbox.ts'
import { lookUntil } from '../support/live.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let inbox: Inbox
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  inbox = inboxOf({ world, whatsApp }, shop)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test('an Agent is told of conversations and messages as they change, and of what was sent', async () => {
  const talk = await inbox.talk(newPhone())
  const sara = await inbox.member()
  const { context } = world.service
  const tell = () => ({ ...fact('opted_out'), text: '' })
  const live = createLiveChanges(context, liveNouns({ clock: world.clock, tell }))
  const told: LiveMessage[] = []
  const stop = live.watch({
    accountId: shop.accountId,
    companyId: shop.companyId,
    role: 'agent',
    position: null,
    tell: (message) => void told.push(message),
  })
  const things = (noun: string) =>
    told.flatMap((message) =>
      message.kind === 'changed'
        ? message.things.filter((one) => one.noun === noun).map(({ thing }) => thing)
        : [],
    )
  try {
    await lookUntil('the stream is ready', live, () => told.length > 0)
    await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
    await lookUntil('the conversation has changed', live, () => things('conversation').length > 0)
    expect(things('conversation').at(-1)).toMatchObject({
      id: talk.id,
      handledBy: 'staff',
      assignee: { id: sara.personId },
    })
    const before = things('conversation').length
    await sara.ask('POST', `${talk.path}/notes`, { text: 'Ask the courier' })
    const isTold = () => things('conversation').length > before
    await lookUntil('the lines of the conversation have changed', live, isTold)
    await reply(sara, talk, 'I am here')
    await whatsApp.settle()
    const wasSent = () =>
      things('message').some((thing) => 'status' in thing && thing.status !== 'queued')
    await lookUntil('the message was sent', live, wasSent)
    expect(things('message').at(-1)).toMatchObject({ conversationId: talk.id, text: 'I am here' })
    // What a voice note was heard to say comes after it.
    await context.db.kysely
      .updateTable('message')
      .set({ type: 'audio', transcript: 'How much is it?' })
      .where('conversationId', '=', talk.id)
      .where('direction', '=', 'in')
      .execute()
    const isHeard = () =>
      things('message').some((thing) => 'transcript' in thing && thing.transcript !== null)
    await lookUntil('it is told what was heard', live, isHeard)
  } finally {
    stop()
    live.stop()
  }
})
