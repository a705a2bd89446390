/**
 * A flow that customers of Messenger and Instagram start by a word: it is published by what the channel can do,
 * asks with quick replies and goes on at a tap. Spec: Flows › Questions; Concepts › Channel capabilities.
 */
import { afterAll, expect, test } from 'vitest'
import { playMessaging } from '../support/messaging.ts'
import { keyword, saying } from './triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const played = {
  messenger: await playMessaging(world, 'messenger'),
  instagram: await playMessaging(world, 'instagram'),
}
afterAll(async () => {
  await played.messenger.close()
  await played.instagram.close()
})

const COLOURS = ['Red', 'Blue', 'Green', 'Black']

type Shop = Awaited<ReturnType<(typeof played)['messenger']['openShop']>>

/** A shop draws a flow that asks for a colour with these words, and asks for its publication. */
async function publishAsking({ companyId, channelId, owner }: Shop, text: string) {
  const ask = {
    kind: 'ask',
    text,
    answer: 'choice',
    options: COLOURS.map((label) => ({ label, value: label })),
    saveAs: 'colour',
    retries: 1,
    retryText: null,
    timeoutMinutes: 60,
    next: 'thank',
    onTimeout: null,
    onInvalid: null,
    onNotSent: null,
  }
  const draft = {
    channelId,
    trigger: { ...keyword('colour'), match: 'exact', interrupts: false },
    start: 'ask',
    steps: { ask, thank: saying('You chose {{vars.colour}}.') },
  }
  const flows = `/companies/${companyId}/flows`
  const made = await owner.ask<{ id: string }>('POST', flows, { name: 'Colour', draft })
  expect(made.status).toBe(201)
  return owner.ask('POST', `${flows}/${made.body.id}/publish`, {})
}

test.each(['messenger', 'instagram'] as const)(
  'on %s four options are quick replies, and a tap answers',
  async (product) => {
    const { simulator, openShop, settle } = played[product]
    const shop = await openShop()
    expect((await publishAsking(shop, 'Which colour?')).status).toBeLessThan(300)
    const customer = shop.newCustomer()
    simulator.sendText(customer, 'colour')
    await settle()
    const asked = simulator.sent().at(-1)!
    expect(asked).toMatchObject({ text: 'Which colour?' })
    expect(asked.quickReplies.map(({ title }) => title)).toEqual(COLOURS)
    simulator.tap(customer, asked.mid, 1)
    await settle()
    expect(simulator.sent().at(-1)).toMatchObject({ text: 'You chose Blue.' })
    const run = { status: 'completed', variables: { colour: 'Blue' } }
    const contact = { phone: null, whatsAppId: null }
    expect(shop.events('flow.completed')).toMatchObject([{ data: { run, contact } }])
  },
)

systemTest(
  'a question of 1,001 bytes is not published on Instagram, and is on Messenger',
  async () => {
    for (const product of ['instagram', 'messenger'] as const) {
      const shop = await played[product].openShop()
      const published = await publishAsking(shop, `${'ص'.repeat(500)}!`)
      if (product === 'messenger') expect(published.status).toBeLessThan(300)
      else expect(JSON.stringify(published.body)).toContain('text_length')
    }
  },
)
