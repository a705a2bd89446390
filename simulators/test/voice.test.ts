/** Simulated calls: their reports have the fields of the recorded one, and a channel accepts them. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulators } from '../index.ts'
import { writeReport } from '../voice/write-report.ts'
import { connectChannel } from '../../test/support/connect-channel.ts'
import { signedIn } from '../../test/support/dashboard.ts'
import { messagesOf } from '../../test/support/records/messages.ts'
import { loadRecordedPayloads } from '../../test/support/recorded-payloads.ts'
import { createShop } from '../../test/support/shop.ts'
import { openWorld } from '../../test/support/open-world.ts'
import { keysOf } from './keys-of.ts'

const SECRET = 'a-secret-of-the-merchant'
const SARA = '12025550131'

const world = await openWorld()
const shop = await createShop(world)

/** Creates a line with a separate channel. `does` triggers an event on its phone and waits until it is processed. */
async function line(provider: string, secret = SECRET) {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const credentials = { provider, secret: SECRET }
  const { channel } = await connectChannel(owner, shop.companyId, { type: 'voice', credentials })
  const { id, webhookUrl } = channel
  const { voice, close } = await startSimulators({ clock: world.clock }, { voice: { retryMs: 1 } })
  onTestFinished(close)
  voice.phones.act({ action: 'addPerson', url: webhookUrl, secret, provider })
  return {
    voice,
    async does(action: string, text = '') {
      voice.phones.act({ action, accountId: id, personId: SARA, text })
      // The speakers need time between their sentences.
      world.clock.advance(1_000)
      await voice.idle()
      await world.service.processAll()
    },
    notes: () =>
      voice.phones
        .chat({ accountId: id, personId: SARA })
        .messages.flatMap(({ note }) => (note ? [note] : [])),
    messages: async () =>
      (await messagesOf(world, { channelId: id })).map(({ sender, text }) => ({ sender, text })),
  }
}

describe('A call that is played', () => {
  test.each(['retell', 'vapi', 'signed'])('as by %s is in the inbox, once', async (provider) => {
    const { does, messages, notes } = await line(provider)
    await does('agent', 'How can I help you?')
    await does('sendText', 'Where is my order?')
    await does('hangUp')
    expect(notes()).toEqual(['answered 200'])
    await does('again')
    expect(await messages()).toEqual([
      { sender: 'assistant', text: 'How can I help you?' },
      { sender: 'customer', text: 'Where is my order?' },
    ])
  })

  test('is refused on every attempt when it is reported with another secret', async () => {
    const { does, messages, notes } = await line('retell', 'not-the-secret-of-it')
    await does('sendText', 'Hello')
    await does('hangUp')
    expect(notes()).toEqual(['answered 401'])
    expect(await messages()).toEqual([])
  })

  test('is reported to this machine alone', async () => {
    const { voice, close } = await startSimulators({ clock: world.clock }, { voice: {} })
    onTestFinished(close)
    const url = 'https://example.com/webhooks/voice/x'
    expect(() => voice.phones.act({ action: 'addPerson', url, secret: SECRET })).toThrow(
      /on this machine/,
    )
  })

  const [recorded] = loadRecordedPayloads('voice')
  test.runIf(recorded)('has the fields of the recorded report', () => {
    const parties = { id: 'c', from: `+${SARA}`, to: '+12025550130' }
    const hi = { by: 'agent', text: 'hi', at: 1 } as const
    const turns = [hi, { by: 'caller', text: 'hello', at: 2 } as const]
    const call = { ...parties, startedAt: 1, endedAt: 2, turns }
    const { body } = writeReport('retell', call, { secret: SECRET, now: 1 })
    expect(keysOf(JSON.parse(body))).toEqual(keysOf(JSON.parse(recorded!.rawBody.toString())))
  })
})
