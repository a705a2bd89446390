/**
 * A flow that customers of Messenger and Instagram start by a word: it is published by what the channel can do,
 * asks with quick replies and goes on at a tap. Spec: Flows › Questions; Concepts › Channel capabilities.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../src/simulator/messaging/messaging-account.ts'
import { playMessaging, type PlayedMessaging } from '../support/messaging.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let played: Record<Product, PlayedMessaging>
beforeAll(async () => {
  world = await createWorld()
  played = {
    messenger: await playMessaging(world, 'messenger'),
    instagram: await playMessaging(world, 'instagram'),
  }
})
afterAll(async () => {
  await played.messenger.close()
  await played.instagram.close()
  await world.close()
})

const COLOURS = ['Red', 'Blue', 'Green', 'Black']

function asking(channelId: string, text: string) {
  return {
    channelId,
    trigger: { kind: 'keyword', words: ['colour'], match: 'exact', interrupts: false },
    start: 'ask',
    steps: {
      ask: {
        kind: 'ask',
        text,
        answer: 'choice',
        options: COLOURS.map((label) => ({ label, value: label })),
        saveAs: 'colour',
        retries: 1,
        retryText: null,
        timeoutMinutes: 60,
        next: 'thank',
        onTimeout: 'finish',
        onInvalid: null,
        onNotSent: null,
      },
      thank: {
        kind: 'send_message',
        text: 'You chose {{vars.colour}}.',
        next: 'finish',
        onNotSent: null,
      },
      finish: { kind: 'end' },
    },
  }
}

test.each(['messenger', 'instagram'] as const)(
  'on %s four options are quick replies, and a tap answers',
  async (product) => {
    const { simulator, openShop, settle } = played[product]
    const shop = await openShop()
    const flows = `/companies/${shop.companyId}/flows`
    const made = await shop.owner.ask<{ id: string; updatedAt: string }>('POST', flows, {
      name: 'Colour',
      draft: asking(shop.channelId, 'Which colour?'),
    })
    expect(made.status).toBe(201)
    const flow = `${flows}/${made.body.id}`
    const published = await shop.owner.ask('POST', `${flow}/publish`, {})
    expect(published.status).toBeLessThan(300)
    const customer = shop.newCustomer()
    simulator.sendText(customer, 'colour')
    await settle()
    const asked = simulator.sent().at(-1)!
    expect(asked).toMatchObject({ text: 'Which colour?' })
    expect(asked.quickReplies.map(({ title }) => title)).toEqual(COLOURS)
    simulator.tap(customer, asked.mid, 1)
    await settle()
    expect(simulator.sent().at(-1)).toMatchObject({ text: 'You chose Blue.' })
    expect(shop.events('flow.completed')).toMatchObject([
      {
        data: {
          run: { status: 'completed', variables: { colour: 'Blue' } },
          contact: { phone: null, whatsAppId: null },
        },
      },
    ])
  },
)

systemTest(
  'a question of 1,001 bytes is not published on Instagram, and is on Messenger',
  async () => {
    for (const product of ['instagram', 'messenger'] as const) {
      const shop = await played[product].openShop()
      const flows = `/companies/${shop.companyId}/flows`
      const { body } = await shop.owner.ask<{ id: string }>('POST', flows, {
        name: 'Long',
        draft: asking(shop.channelId, `${'ص'.repeat(500)}!`),
      })
      const published = await shop.owner.ask('POST', `${flows}/${body.id}/publish`, {})
      if (product === 'messenger') expect(published.status).toBeLessThan(300)
      else expect(JSON.stringify(published.body)).toContain('text_length')
    }
  },
)
