/** The assistant on channels other than WhatsApp, which the other tests use. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { connectEveryChannel } from '../support/every-channel.ts'
import { startModelServer } from '../support/model-server.ts'
import { say } from '../support/model-turns.ts'
import { openWorld } from '../support/open-world.ts'
import { setAssistant } from '../support/records/assistant.ts'
import { handoversOf } from '../support/records/handovers.ts'
import { systemDescribe } from '../support/system-tests.ts'
import { connectActions } from './tooled-shop.ts'

const TYPES = [
  'whatsapp_qr',
  'telegram',
  'messenger',
  'instagram',
  'web_widget',
  'website',
  'voice',
] as const satisfies ChannelType[]

const model = await startModelServer()
const scripted = { modelName: 'scripted', baseUrl: model.baseUrl, key: null, isScripted: false }
const world = await openWorld({
  operatorModel: () => ({ kind: 'openai_compatible', ...scripted }),
})
const channels = await connectEveryChannel(world, TYPES)
for (const type of TYPES) {
  // The assistant is on, with one action about the customer and one that is not.
  const party = channels.party(type)
  await setAssistant(world, party)
  const { add } = await connectActions(world, party, { baseUrl: 'https://127.0.0.1:9/api' })
  const query = [{ name: 'who', value: '{{identity}}' }]
  const request = { path: '/x', query }
  await add({ toolName: 'my_orders', identity: 'contact_id', request, parameters: [] })
  await add({ toolName: 'branches', request: { path: '/x' }, parameters: [] })
}
afterAll(async () => {
  await channels.close()
  await model.close()
})
beforeEach(() => {
  model.asked.length = 0
  model.otherwise = say('Hello.')
})

async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await channels.settle()
}

/** A new customer asks something, and due work is done. Returns the conversation. */
async function beginTalk(type: ChannelType, text = 'When do you open?') {
  const talk = await channels.begun(type, text)
  await pass(3 * SECOND_MS)
  await pass(SECOND_MS)
  return talk
}

const offered = () =>
  ((model.asked.at(-1)!.body.tools ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )

test.each([
  ['telegram', true],
  ['messenger', true],
  ['instagram', true],
  ['web_widget', false],
] as const)(
  'on %s a question is answered without actions about the customer, who can be changed: %s',
  async (type, canBeChanged) => {
    const { customer } = await beginTalk(type)
    expect(await customer.got()).toEqual(['Hello.'])
    expect(offered().filter((name) => name.startsWith('action_'))).toEqual(['action_branches'])
    expect(offered().includes('set_customer')).toBe(canBeChanged)
  },
)

systemDescribe('A channel with other capabilities', () => {
  test.each(['website', 'voice'] as const)(
    '%s sends no reply, so no model is asked and nothing is handed over',
    async (type) => {
      const talk = await beginTalk(type)
      await pass(60 * SECOND_MS)
      expect(model.asked).toEqual([])
      expect(await channels.sentIn(talk)).toEqual([])
      expect(await handoversOf(world, talk.id)).toEqual([])
    },
  )

  test('instagram has 1,200 Arabic letters split into messages of 1,000 bytes, with no letter broken', async () => {
    const text = 'نفتح كل يوم في التاسعة صباحا ونغلق في العاشرة مساء عدا يوم الجمعة. '
    const whole = text.repeat(Math.ceil(1_200 / text.length)).trim()
    model.otherwise = say(whole)
    const { customer } = await beginTalk('instagram', 'متى تفتحون؟')
    await pass(SECOND_MS)
    const parts = await customer.got()
    expect(parts).toHaveLength(3)
    for (const part of parts) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(1_000)
      expect(part.endsWith('.')).toBe(true)
    }
    expect(parts.join(' ')).toBe(whole)
  })
})
