/** Whoever works the inbox sees what changes in it, on the one stream. */
import { expect, test } from 'vitest'
import { liveNouns } from '../../src/inbox/live-nouns.ts'
import { createLiveChanges, type LiveMessage } from '../../src/live/watch-changes.ts'
import { fact } from '../../src/facts/fact.ts'
import { setTranscript } from '../support/records/messages.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { act, inboxOf, reply } from '../support/inbox.ts'
import { lookUntil } from '../support/live.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)

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
    await setTranscript(world, { conversationId: talk.id }, 'How much is it?')
    const isHeard = () =>
      things('message').some((thing) => 'transcript' in thing && thing.transcript !== null)
    await lookUntil('it is told what was heard', live, isHeard)
  } finally {
    stop()
    live.stop()
  }
})
